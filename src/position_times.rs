//! When the positions of a game arose, and the game as EPD with these instants.
//!
//! Knows events and instants of one game. Must not know who told them or who reads the records.

use game_core::event::Event;
use notation::epd::{GameExtras, MomentExtras, game_records};
use notation::fen::{PlayError, Style};
use notation::pgn;

use crate::hall_clock::UtcMs;

/// The instant of each position of a game, the start position first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionTimes(Vec<UtcMs>);

impl PositionTimes {
    /// Takes note of an event that its game took. A move that corrects another one counts from that one: `effective_at`
    /// is then earlier than the instant `at` of the event itself.
    pub fn note(&mut self, event: &Event, at: UtcMs, effective_at: UtcMs) {
        match event {
            Event::GameStarted { .. } => self.0 = vec![at.min(effective_at)],
            Event::Move { .. } => self.0.push(at.min(effective_at)),
            Event::Retract { to_ply } => {
                self.0.truncate(usize::try_from(*to_ply).map_or(usize::MAX, |ply| ply.saturating_add(1)));
            }
            _ => {}
        }
    }

    /// The records of a game, one a line: each position with the move played from it, the counters, the time used by
    /// both sides and the instant in which it arose (EPD standard); the tags on the first.
    ///
    /// # Errors
    /// When a move is wrong: no game that follows from events has one.
    pub fn epd(&self, id: &str, game: &pgn::Game) -> Result<String, PlayError> {
        let moment = |at: &UtcMs| MomentExtras { unix_seconds: i64::try_from(at / 1000).ok(), used_seconds: None };
        let moments: Vec<_> = self.0.iter().map(moment).collect();
        let records = game_records(game, GameExtras { id, moments: &moments })?;
        Ok(records.iter().map(|record| record.write(Style::STANDARD) + "\n").collect())
    }
}

#[cfg(test)]
mod tests {
    use game_core::event::Variant;

    use super::*;

    fn played(ply: u32, san: &str) -> Event {
        Event::Move { ply, san: san.into(), uci: String::new(), clk_ms: None, emt_ms: None }
    }

    #[test]
    fn a_corrected_move_keeps_the_instant_of_the_one_it_corrects() {
        let mut times = PositionTimes::default();
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
        times.note(&Event::GameStarted { fen, variant: Variant::Standard }, 1_795_176_000_000, 1_795_176_000_900);
        times.note(&played(1, "e4"), 1_795_176_005_000, 1_795_176_005_100);
        times.note(&played(2, "e5"), 1_795_176_009_000, 1_795_176_009_100);
        times.note(&Event::Retract { to_ply: 1 }, 1_795_176_060_000, 1_795_176_009_100);
        times.note(&played(2, "c5"), 1_795_176_060_000, 1_795_176_009_100);
        let game = pgn::read_games("[White \"Adler, Ida\"]\n\n1. e4 c5 *").next().unwrap().unwrap();
        let epd = times.epd("hall-1-1", &game).unwrap();
        let lines: Vec<_> = epd.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(
            lines[0].contains("id \"hall-1-1.0\"; ptp White \"Adler, Ida\"; rc 1; sm e4; ts 2026.11.20 12:00:00;"),
            "{epd}"
        );
        assert!(lines[1].contains("sm c5; ts 2026.11.20 12:00:05;"), "{epd}");
        assert!(lines[2].contains("fmvn 2; hmvc 0; id \"hall-1-1.2\"; rc 1; ts 2026.11.20 12:00:09;"), "{epd}");
        times.note(&Event::Retract { to_ply: u32::MAX }, 0, 0);
        times.note(&Event::Retract { to_ply: 0 }, 0, 0);
        assert_eq!(times.0.len(), 1);
    }
}
