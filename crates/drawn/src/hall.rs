//! The boards of a round as HTML, for the moment before the script, and for browsers without one.

use std::fmt::Write as _;
use std::sync::Arc;

use publish::gate::{GameView, PublicView, RoundView, SectionView};

use super::board::{Look, definitions};
use super::words::Words;
use super::{delay, last_move, push_delay, push_player, push_position, push_text, push_video, result, short};

/// Boards that are drawn for all visitors; the others are only drawn where no script runs.
const FIRST: usize = 12;

/// The most boards of a page; further ones are listed without their positions.
const MOST_BOARDS: usize = 120;

/// The most games of a page.
const MOST_GAMES: usize = 1000;

/// A round with the games that are shown of it.
pub struct DrawnRound {
    /// Its section.
    pub section: SectionView<PublicView>,
    /// The round.
    pub round: RoundView,
    /// The latest game of each board, by board.
    pub games: Vec<Arc<GameView>>,
}

impl DrawnRound {
    /// The latest game of each board; games of the archive are read from the disk.
    pub fn of(section: SectionView<PublicView>, number: u32) -> Option<Self> {
        let round = section.round(number)?;
        let latest = round.latest();
        let games = latest.iter().take(MOST_GAMES).filter_map(|listed| section.listed(listed)).collect();
        Some(Self { section, round, games })
    }

    /// What is played: `Spring Open`.
    pub fn event(&self) -> String {
        self.section.info().map(|info| short(&info.name)).unwrap_or_default()
    }

    /// The round's name and the place: `Round 3 · Prague`.
    pub fn place(&self) -> String {
        let site = self.section.info().map(|info| short(&info.site)).filter(|site| site != "?" && !site.is_empty());
        [Some(short(&self.round.info.name)), site].into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }

    /// One sentence for link previews: how many games, how many are over.
    pub fn summary(&self) -> String {
        let over = self.games.iter().filter(|game| game.game.ended() || game.game.shown_result() != "*").count();
        format!("{} · {} boards · {over} finished", self.place(), self.games.len())
    }

    /// The page of all boards.
    pub fn page(&self, words: &Words) -> String {
        let mut out = String::with_capacity(32 * 1024);
        let _ = write!(out, "<div class=\"drawn\" lang=\"{}\"><header><h1>", words.code);
        push_text(&mut out, &self.event());
        out.push_str("</h1><p>");
        push_text(&mut out, &self.place());
        out.push_str("</p>");
        push_delay(&mut out, delay(&self.round, words).as_deref());
        push_video(&mut out, self.section.info().and_then(|info| info.video.clone()).as_deref(), words);
        out.push_str("</header>");
        if self.games.is_empty() {
            let _ = write!(out, "<p class=\"drawn-none\">{}</p>", words.no_games);
        }
        let _ = write!(
            out,
            "<svg class=\"drawn-defs\" aria-hidden=\"true\">{}</svg><div class=\"drawn-grid\">",
            definitions()
        );
        let (first, rest) = self.games.split_at(self.games.len().min(FIRST));
        for game in first {
            push_tile(&mut out, game, words, true);
        }
        if !rest.is_empty() {
            out.push_str("<noscript>");
            for (index, game) in rest.iter().enumerate() {
                push_tile(&mut out, game, words, index + FIRST < MOST_BOARDS);
            }
            out.push_str("</noscript>");
        }
        let _ = write!(
            out,
            "</div><noscript><p class=\"drawn-note\">{} <a href=\"/live.pgn\">PGN</a></p></noscript></div>",
            words.reloads
        );
        out
    }
}

/// One board of the round.
fn push_tile(out: &mut String, game: &GameView, words: &Words, draw: bool) {
    out.push_str("<a class=\"drawn-tile\" href=\"/game/");
    push_encoded(out, &game.at.game);
    let _ = write!(out, "\"><span class=\"drawn-strip\"><span>{} {}</span><b>", words.board, game.at.table);
    push_text(out, &news(game, words));
    out.push_str("</b></span>");
    push_player(out, game, "Black");
    if draw {
        out.push_str("<svg class=\"drawn-board\" viewBox=\"0 0 8 8\" aria-hidden=\"true\">");
        push_position(out, game, Look::default());
        out.push_str("</svg>");
    }
    push_player(out, game, "White");
    out.push_str("</a>");
}

/// What happened last: the result, that the game is adjourned, the latest move, or for what the board waits.
pub fn news(game: &GameView, words: &Words) -> String {
    match (result(game), last_move(game)) {
        (result, _) if !result.is_empty() => result,
        _ if game.is_adjourned() => words.adjourned.to_owned(),
        _ if game.game.unexplained() => words.waiting.to_owned(),
        (_, Some(last)) => last,
        (_, None) => words.not_started.to_owned(),
    }
}

/// Adds one segment of an address.
pub fn push_encoded(out: &mut String, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
}
