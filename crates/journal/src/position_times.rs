//! When the positions of a game arose, and the game as EPD with these instants.

use game_core::event::{Event, Evidence};
use notation::epd::{GameExtras, MomentExtras, game_records};
use notation::fen::Style;
use notation::pgn::{self, PlayError};

use crate::RecordedEvent;
use game_core::time::UtcMs;

/// The instant of each position of a game, the start position first; [`UNKNOWN`] where it is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionTimes(Vec<UtcMs>);

/// Stands for no instant.
const UNKNOWN: UtcMs = UtcMs::MAX;

impl PositionTimes {
    /// Adds an entry that the game accepted. A move that corrects another one has the instant of that one; a move that a
    /// person enters later has none.
    pub fn note(&mut self, entry: &RecordedEvent) {
        let RecordedEvent { at, evidence, ref event, .. } = *entry;
        let is_known = evidence != Evidence::Command || entry.effective_at < at;
        let known = if is_known { at.min(entry.effective_at) } else { UNKNOWN };
        match event {
            Event::GameStarted { .. } => self.0 = vec![known],
            Event::Move { .. } => self.0.push(known),
            Event::Retract { to_ply } => {
                self.0.truncate(usize::try_from(*to_ply).map_or(usize::MAX, |ply| ply.saturating_add(1)));
            }
            _ => {}
        }
    }

    /// Gives back what more positions would need: the game is over.
    pub fn shrink(&mut self) {
        self.0.shrink_to_fit();
    }

    /// When the position after a ply arose, 0 for the start; none where it is not known.
    pub fn after(&self, ply: usize) -> Option<UtcMs> {
        self.0.get(ply).copied().filter(|at| *at != UNKNOWN)
    }

    /// The records of a game, one a line: each position with the move played from it, the counters, the time used by
    /// both sides and the instant in which it arose (EPD standard); the tags on the first.
    ///
    /// # Errors
    /// When a move is wrong: no game that follows from events has one.
    pub fn epd(&self, id: &str, game: &pgn::Game) -> Result<String, PlayError> {
        let seconds = |at: UtcMs| i64::try_from(at / 1000).ok();
        let moment = |ply| MomentExtras { unix_seconds: self.after(ply).and_then(seconds), used_seconds: None };
        let moments: Vec<_> = (0..self.0.len()).map(moment).collect();
        let records = game_records(game, GameExtras { id, moments: &moments })?;
        Ok(records.iter().map(|record| record.write(Style::STANDARD) + "\n").collect())
    }
}

#[cfg(test)]
mod tests {
    use game_core::event::{Author, Variant};

    use super::*;
    use tournament::GameRef;

    fn played(ply: u32, san: &str) -> Event {
        Event::Move { ply, san: san.into(), uci: String::new(), clk_ms: None, emt_ms: None }
    }

    fn note(times: &mut PositionTimes, event: Event, at: UtcMs, effective_at: UtcMs, evidence: Evidence) {
        let game = GameRef { game: "hall-1-1".into(), event: "hall".into(), round: 1, table: 1 };
        let author = Author::Board;
        times.note(&RecordedEvent {
            number: 0,
            committed_at: at,
            effective_at,
            step: 0,
            at,
            game,
            author,
            evidence,
            event,
        });
    }

    #[test]
    fn a_corrected_move_keeps_the_instant_of_the_one_it_corrects_and_an_entered_one_has_none() {
        const NOON: UtcMs = 1_795_176_000_000;
        let mut times = PositionTimes::default();
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
        let mut happen = |event, at, effective_at, evidence| note(&mut times, event, at, effective_at, evidence);
        happen(Event::GameStarted { fen, variant: Variant::Standard }, NOON, NOON + 900, Evidence::StartPosition);
        happen(played(1, "e4"), NOON + 5_000, NOON + 5_100, Evidence::Lever);
        happen(played(2, "e5"), NOON + 9_000, NOON + 9_100, Evidence::Lever);
        happen(Event::Retract { to_ply: 1 }, NOON + 60_000, NOON + 9_100, Evidence::Command);
        happen(played(2, "c5"), NOON + 60_000, NOON + 9_100, Evidence::Command);
        happen(played(3, "d4"), NOON + 60_000, NOON + 60_000, Evidence::Command);
        let game = pgn::read_games("[White \"Adler, Ida\"]\n\n1. e4 c5 2. d4 *").next().unwrap().unwrap();
        let epd = times.epd("hall-1-1", &game).unwrap();
        let lines: Vec<_> = epd.lines().collect();
        assert_eq!(lines.len(), 4);
        assert!(lines[0].contains("id \"hall-1-1.0\"; ptp Result \"*\" White \"Adler, Ida\";"), "{epd}");
        assert!(lines[0].contains("rc 1; sm e4; ts 2026.11.20 12:00:00;"), "{epd}");
        assert!(lines[1].contains("sm c5; ts 2026.11.20 12:00:05;"), "{epd}");
        assert!(lines[2].contains("fmvn 2; hmvc 0; id \"hall-1-1.2\"; rc 1; sm d4; ts 2026.11.20 12:00:09;"), "{epd}");
        assert!(!lines[3].contains("ts "), "{epd}");
        note(&mut times, Event::Retract { to_ply: u32::MAX }, 0, 0, Evidence::Lever);
        note(&mut times, Event::Retract { to_ply: 0 }, 0, 0, Evidence::Lever);
        assert_eq!(times.0.len(), 1);
    }
}
