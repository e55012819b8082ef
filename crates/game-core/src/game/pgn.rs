//! The record of a game as PGN.
//!
//! Knows the tags of the standard and how the reason of a result is written there.

use notation::clock_tags::{ClockTag, ReferenceTime, Running};
use notation::pgn::{Element, Game as PgnGame, Outcome, Tags, Termination, read_games};
use notation::time::{Times, format_clk};
use shakmaty::{Position, san::SanPlus};

use super::Game;
use crate::event::{Side, Variant};

/// The comment after the last move of a record that stops before the game did.
const STOPS_HERE: &str = "The record stops here: the game went on with moves that were not seen or not legal.";

/// The comment where moves went unseen; the position from which the game went on follows.
const UNSEEN_FROM_HERE: &str = "Moves went unseen here. The game went on from";

/// Reasons of a game that ended in the usual way.
const NORMAL: [&str; 6] =
    ["checkmate", "stalemate", "kings in the centre", "resignation", "agreement", "dead position"];

impl Game {
    /// The game as PGN (docs/contracts.md, 3.5). The clock tags of a running game hold the last reading.
    pub fn to_pgn(&self) -> PgnGame {
        let mut tags = Tags::new();
        for (name, value) in &self.tags {
            tags.set(name, value);
        }
        if !self.has_usual_start() {
            tags.set("SetUp", "1");
            tags.set("FEN", &self.fen);
        }
        if self.variant == Variant::Chess960 {
            tags.set("Variant", self.variant.name());
        }
        if tags.get("Mode").is_none() {
            tags.set("Mode", "OTB");
        }
        if self.shown_result() != self.result.as_str() {
            tags.set("Result", self.shown_result());
        }
        if self.is_running() {
            self.add_clock_tags(&mut tags);
        } else {
            tags.set("PlyCount", self.moves_before_gap().len().to_string());
            if let Some(termination) = self.termination() {
                tags.set("Termination", termination.to_string());
            }
        }
        let moves = self.moves_before_gap();
        let mut game = PgnGame { tags, movetext: Vec::with_capacity(2 * moves.len() + 1), outcome: self.result };
        for mv in moves {
            // `apply` accepts moves in SAN only.
            let Ok(san) = SanPlus::from_ascii(mv.san.as_bytes()) else { break };
            game.play(san, Times { clk_ms: mv.clk_ms, emt_ms: mv.emt_ms, ..Times::default() });
        }
        if let Some(annotated) = self.annotated_movetext(&game) {
            game.movetext = annotated;
        }
        if let Some(gap) = self.gaps.first() {
            game.movetext.push(Element::Comment(format!("{UNSEEN_FROM_HERE} {}", gap.fen)));
        } else if self.stops_at_illegal() {
            game.movetext.push(Element::Comment(STOPS_HERE.to_owned()));
        }
        game
    }

    /// The imported movetext, unless moves or times were corrected since.
    fn annotated_movetext(&self, game: &PgnGame) -> Option<Vec<Element>> {
        if self.annotated.is_empty() {
            return None;
        }
        let annotated = read_games(&self.annotated).next()?.ok()?;
        let same = annotated.line().map(|ply| (ply.san, ply.times())).eq(game.line().map(|ply| (ply.san, ply.times())));
        same.then_some(annotated.movetext)
    }

    /// The reason of the result as PGN writes it: one of the standard's own words, or a regular end. None without a reason,
    /// as when an operator entered the result alone.
    fn termination(&self) -> Option<Termination> {
        if self.result == Outcome::Unknown {
            // A score that PGN has no marker for is a result too.
            return (self.shown_result() == Outcome::Unknown.as_str()).then_some(Termination::Unterminated);
        }
        let reason = self.reason.trim();
        reason.parse().ok().or_else(|| NORMAL.contains(&reason).then_some(Termination::Normal))
    }

    fn add_clock_tags(&self, tags: &mut Tags) {
        let Some(clock) = self.clock else { return };
        for (name, value) in [("WhiteClock", clock.white_ms), ("BlackClock", clock.black_ms)] {
            if let Some(ms) = value {
                tags.set(name, format_clk(ms));
            }
        }
        let to_move = Side::from(self.position().turn());
        let running = match clock.running {
            Some(Side::White) => Running::White,
            Some(Side::Black) => Running::Black,
            None => Running::Neither,
        };
        let shown = match clock.running.unwrap_or(to_move) {
            Side::White => clock.white_ms,
            Side::Black => clock.black_ms,
        };
        if let Some(ms) = shown {
            tags.set("Clock", ClockTag { running, ms }.to_string());
            // The date of a game always fits an `i64`.
            let utc_ms = i64::try_from(clock.read_at).unwrap_or(i64::MAX);
            tags.set("ReferenceTime", ReferenceTime { running, utc_ms }.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use notation::pgn::{findings, write_game};
    use shakmaty::Chess;

    use super::*;
    use crate::event::Event;
    use crate::line::fen_of;

    fn game(events: &[Event]) -> Game {
        let mut game = Game::new();
        let first = Event::Move { ply: 1, san: "e4".into(), uci: "e2e4".into(), clk_ms: Some(60_000), emt_ms: None };
        for event in std::iter::once(&first).chain(events) {
            assert!(game.apply(event), "{event:?}");
        }
        game
    }

    fn result(result: Outcome, reason: &str) -> Event {
        Event::Result { result, reason: reason.to_owned() }
    }

    fn tag(game: &Game, name: &str) -> Option<String> {
        game.to_pgn().tags.get(name).map(str::to_owned)
    }

    #[test]
    fn a_finished_game_tells_its_plies_and_why_it_ended() {
        let running = game(&[]);
        assert_eq!((tag(&running, "PlyCount"), tag(&running, "Termination")), (None, None));
        assert_eq!(tag(&running, "Mode").as_deref(), Some("OTB"));
        for (reason, termination) in [
            ("checkmate", Some("normal")),
            ("kings in the centre", Some("normal")),
            ("resignation", Some("normal")),
            ("time forfeit", Some("time forfeit")),
            ("Rules infraction", Some("rules infraction")),
            ("operator", None),
        ] {
            let finished = game(&[result(Outcome::WhiteWins, reason)]);
            assert_eq!(tag(&finished, "Termination").as_deref(), termination, "{reason}");
            assert_eq!(tag(&finished, "PlyCount").as_deref(), Some("1"));
            assert_eq!(findings(&finished.to_pgn()), []);
        }
        let taken_back = game(&[result(Outcome::Draw, "agreement"), result(Outcome::Unknown, "operator")]);
        assert_eq!(tag(&taken_back, "Termination"), None);
        let left = game(&[Event::GameEnded]);
        assert_eq!(tag(&left, "Termination").as_deref(), Some("unterminated"));
        let told = game(&[Event::Tags { tags: [("TimeControl".into(), "40/7200:3600".into())].into() }]);
        assert_eq!(tag(&told, "TimeControl").as_deref(), Some("40/7200:3600"));
    }

    #[test]
    fn a_record_that_stops_at_an_illegal_move_says_so_and_stays_legal() {
        let unexplained = Event::Unexplained { squares: vec!["e5".into()] };
        let stood = [unexplained.clone(), Event::PlayedOn];
        let stops = game(&stood);
        let text = write_game(&stops.to_pgn()).replace('\n', " ");
        let expected = format!("1. e4 {{[%clk 0:01:00] {STOPS_HERE}}} *");
        assert!(text.contains(&expected), "{text}");
        let mut ended = stops.clone();
        assert!(ended.apply(&Event::GameEnded) && ended.stops_at_illegal(), "it stays so");
        // Put right, or never gone on from: nothing stands.
        let corrected = game(&[&stood[..], &[Event::Resolved]].concat());
        let left = game(&[unexplained, Event::GameEnded]);
        assert!(!corrected.stops_at_illegal() && !left.stops_at_illegal());
    }

    #[test]
    fn annotations_stay_until_the_moves_are_corrected() {
        let mut game = Game::default();
        let moved = |ply, san: &str, uci: &str| Event::Move {
            ply,
            san: san.into(),
            uci: uci.into(),
            clk_ms: Some(300_000),
            emt_ms: None,
        };
        let movetext = "1. e4 $1 {[%clk 0:05:00] best by test} (1. d4) 1... e5 {[%clk 0:05:00]} *";
        for event in [
            Event::GameStarted { fen: fen_of(&Chess::default()), variant: Variant::Standard },
            moved(1, "e4", "e2e4"),
            moved(2, "e5", "e7e5"),
            Event::Annotated { movetext: movetext.into() },
            Event::GameEnded,
        ] {
            assert!(game.apply(&event), "{event:?}");
        }
        assert!(write_game(&game.to_pgn()).replace('\n', " ").contains("best by test} (1. d4) 1... e5"));
        for correction in [Event::Retract { to_ply: 1 }, Event::Amend { ply: 1, clk_ms: Some(1000), emt_ms: None }] {
            let mut corrected = game.clone();
            assert!(corrected.apply(&correction));
            assert!(!write_game(&corrected.to_pgn()).contains("best by test"), "{correction:?}");
        }
    }
}
