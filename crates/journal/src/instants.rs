//! Effective instants of the events of one game (docs/contracts.md, 1.6): a correction has the instant of what it
//! corrects.

use game_core::event::Event;
use notation::pgn::Outcome;

use game_core::time::UtcMs;

/// Effective instants of a game's present moves and result.
#[derive(Debug, Default)]
pub(super) struct Instants {
    plies: Vec<UtcMs>,
    result: Option<UtcMs>,
    /// The batch of the last retraction and the instants of the plies it removed, the last ply first. Moves of the same
    /// batch correct those plies; later moves are new.
    replaced: (u64, Vec<UtcMs>),
}

impl Instants {
    /// The effective instant of an event that is committed now.
    pub(super) fn effective(&mut self, event: &Event, batch: u64, now: UtcMs) -> UtcMs {
        let index = |ply: u32| usize::try_from(ply).unwrap_or(usize::MAX);
        match event {
            Event::GameStarted { .. } => {
                *self = Self::default();
                now
            }
            Event::Move { .. } => {
                let (by, replaced) = &mut self.replaced;
                let at = (*by == batch).then(|| replaced.pop()).flatten().unwrap_or(now);
                self.plies.push(at);
                at
            }
            Event::Retract { to_ply } => {
                let mut taken_back = self.plies.split_off(index(*to_ply).min(self.plies.len()));
                taken_back.reverse();
                let at = taken_back.last().copied().unwrap_or(now);
                self.replaced = (batch, taken_back);
                at
            }
            Event::Amend { ply, .. } => {
                index(*ply).checked_sub(1).and_then(|i| self.plies.get(i)).copied().unwrap_or(now)
            }
            Event::Result { result, .. } => {
                let at = self.result.unwrap_or(now);
                self.result = (*result != Outcome::Unknown).then_some(at);
                at
            }
            _ => now,
        }
    }

    /// Adds an event of the journal with its instant.
    pub(super) fn recall(&mut self, event: &Event, effective_at: UtcMs) {
        match event {
            Event::GameStarted { .. } => *self = Self::default(),
            Event::Move { .. } => self.plies.push(effective_at),
            Event::Retract { to_ply } => self.plies.truncate(usize::try_from(*to_ply).unwrap_or(usize::MAX)),
            Event::Result { result, .. } => self.result = (*result != Outcome::Unknown).then_some(effective_at),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn move_at(ply: u32) -> Event {
        Event::Move { ply, san: "Nf3".into(), uci: "g1f3".into(), clk_ms: None, emt_ms: None }
    }

    #[test]
    fn a_correction_counts_from_what_it_corrects() {
        let mut game = Instants::default();
        assert_eq!(game.effective(&move_at(1), 1, 100), 100);
        assert_eq!(game.effective(&move_at(2), 2, 200), 200);
        assert_eq!(game.effective(&move_at(3), 3, 300), 300);
        // The board showed another second move: the retraction and the right moves come together.
        assert_eq!(game.effective(&Event::Retract { to_ply: 1 }, 4, 400), 200);
        assert_eq!(game.effective(&move_at(2), 4, 400), 200);
        assert_eq!(game.effective(&move_at(3), 4, 400), 300);
        assert_eq!(game.effective(&move_at(4), 4, 400), 400);
        // A takeback by the players: what they play later is new.
        assert_eq!(game.effective(&Event::Retract { to_ply: 3 }, 5, 500), 400);
        assert_eq!(game.effective(&move_at(4), 6, 600), 600);
        assert_eq!(game.effective(&Event::Amend { ply: 3, clk_ms: None, emt_ms: None }, 7, 700), 300);
        let result = |result| Event::Result { result, reason: String::new() };
        assert_eq!(game.effective(&result(Outcome::Draw), 8, 800), 800);
        assert_eq!(game.effective(&result(Outcome::Unknown), 9, 900), 800);
        assert_eq!(game.effective(&result(Outcome::WhiteWins), 10, 1000), 1000);
    }

    #[test]
    fn damaged_ply_numbers_are_harmless() {
        let mut game = Instants::default();
        assert_eq!(game.effective(&Event::Retract { to_ply: u32::MAX }, 1, 1), 1);
        assert_eq!(game.effective(&Event::Amend { ply: 0, clk_ms: None, emt_ms: None }, 1, 2), 2);
        assert_eq!(game.effective(&Event::Amend { ply: u32::MAX, clk_ms: None, emt_ms: None }, 1, 3), 3);
    }
}
