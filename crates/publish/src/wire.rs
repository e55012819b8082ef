//! The JSON of the live feed: snapshots, events and notices about them.
//!
//! Written by hand from the types of views, so that the public form never changes by accident. Must not know sockets.

use std::collections::BTreeMap;
use std::sync::Arc;

use game_core::event::{Side, Variant};
use serde::Serialize;
use serde_json::json;

use crate::gate::{GameView, PublicEvent, Released, RoundView, SectionInfo};
use hall_clock::{HallClock, UtcMs};

/// The start of a snapshot, which differs each time it is sent. [`snapshot_rest`] follows.
pub(crate) fn snapshot_start(stream: &str, seq: u64, clock: HallClock) -> String {
    format!(r#"{{"snapshot":{{"stream":{},"seq":{seq},"at":{}"#, json!(stream), clock.now())
}

/// The rest of a snapshot, the same for all viewers until something changes; `games` as [`game`] writes them.
pub(crate) fn snapshot_rest<'a>(
    clock: HallClock,
    event: &SectionInfo,
    sections: &[Arc<SectionInfo>],
    round: &RoundView,
    games: impl Iterator<Item = &'a str>,
) -> String {
    let sections: Vec<_> =
        sections.iter().map(|section| json!({ "slug": section.slug, "name": section.name })).collect();
    let mut rest = format!(
        r#","speed":{},"delay_ms":{},"until_over":{},"event":{},"round":{},"sections":{},"games":["#,
        json!(clock.speed()),
        u64::from(round.info.delay.seconds) * 1000,
        round.info.delay.until_over,
        json!({
            "slug": event.slug,
            "name": event.name,
            "site": event.site,
            "time_zone": event.zone,
            "tournament": event.tournament,
            "video": event.video,
        }),
        json!({
            "number": round.number,
            "name": round.info.name,
            "date": round.info.date,
            "planned_start": round.info.planned_start,
        }),
        json!(sections),
    );
    for (index, game) in games.enumerate() {
        if index > 0 {
            rest.push(',');
        }
        rest.push_str(game);
    }
    rest.push_str("]}}");
    rest
}

/// The beginning of a message with events, which [`event`] writes and commas separate.
pub(crate) const EVENTS_BEGIN: &str = r#"{"events":["#;

/// The end of a message with events.
pub(crate) const EVENTS_END: &str = "]}";

/// For a viewer that hears nothing else: the number up to which it has everything, and the time.
pub(crate) fn heartbeat(seq: u64, clock: HallClock) -> String {
    format!(r#"{{"heartbeat":{{"seq":{seq},"at":{}}}}}"#, clock.now())
}

/// For a viewer that resumes: the events that it missed follow.
pub(crate) fn resumed(stream: &str, seq: u64, clock: HallClock) -> String {
    json!({ "resumed": { "stream": stream, "seq": seq, "at": clock.now(), "speed": clock.speed() } }).to_string()
}

/// For a viewer that read too slowly: the numbers of the events that it does not get. A snapshot follows.
pub(crate) fn lost(from: u64, to: u64) -> String {
    json!({ "lost": { "from": from, "to": to } }).to_string()
}

/// One event.
pub(crate) fn event(released: &Released) -> String {
    #[derive(Serialize)]
    struct Message<'a> {
        seq: u64,
        at: UtcMs,
        game: &'a str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        more: bool,
        #[serde(flatten)]
        event: &'a PublicEvent,
    }
    let Released { seq, at, game, event, more } = released;
    text(&Message { seq: *seq, at: *at, game, more: *more, event })
}

/// One game of a snapshot.
pub fn game(view: &GameView) -> String {
    #[derive(Serialize)]
    struct Message<'a> {
        game: &'a str,
        board: u32,
        tags: &'a BTreeMap<String, String>,
        fen: &'a str,
        variant: Variant,
        chess960_number: Option<u32>,
        moves: Vec<Move<'a>>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        gaps: Vec<Gap<'a>>,
        clock: Option<Clock>,
        result: &'a str,
        reason: Option<&'a str>,
        state: &'a str,
        waiting: bool,
    }
    #[derive(Serialize)]
    struct Move<'a> {
        ply: usize,
        san: &'a str,
        uci: &'a str,
        fen: String,
        clk_ms: Option<u64>,
        emt_ms: Option<u64>,
    }
    #[derive(Serialize)]
    struct Gap<'a> {
        after_ply: usize,
        fen: &'a str,
    }
    #[derive(Serialize)]
    struct Clock {
        white_ms: Option<u64>,
        black_ms: Option<u64>,
        running: Option<Side>,
        read_at: UtcMs,
    }
    let game = &view.game;
    let moves = game.moves().iter().zip(game.fens()).zip(1..).map(|((played, fen), ply)| Move {
        ply,
        san: &played.san,
        uci: &played.uci,
        fen,
        clk_ms: played.clk_ms,
        emt_ms: played.emt_ms,
    });
    text(&Message {
        game: &view.at.game,
        board: view.at.table,
        tags: game.tags(),
        fen: game.fen(),
        variant: game.variant(),
        chess960_number: game.chess960_number(),
        moves: moves.collect(),
        gaps: game.gaps().iter().map(|gap| Gap { after_ply: gap.after_ply, fen: &gap.fen }).collect(),
        clock: game.clock().map(|clock| Clock {
            white_ms: clock.white_ms,
            black_ms: clock.black_ms,
            running: clock.running,
            read_at: clock.read_at,
        }),
        result: game.shown_result(),
        reason: Some(game.reason()).filter(|reason| !reason.is_empty()),
        state: state(view),
        waiting: game.unexplained(),
    })
}

/// The state of a game: `paired`, `ready`, `playing`, `adjourned` or `ended`.
pub fn state(view: &GameView) -> &'static str {
    match () {
        () if view.game.ended() => "ended",
        () if view.is_adjourned() => "adjourned",
        () if !view.has_begun() => "paired",
        () if view.game.moves().is_empty() => "ready",
        () => "playing",
    }
}

fn text<T: Serialize>(message: &T) -> String {
    // Strings, numbers and maps with strings for keys always have a JSON form.
    serde_json::to_string(message).unwrap_or_default()
}
