//! The time that both players have used, from the times of the moves.

use crate::time::Times;
use crate::time_control::{Period, TimeControl};

/// The used time while a game is followed.
pub(super) struct UsedTime<'a> {
    control: &'a TimeControl,
    sides: [Side; 2],
}

#[derive(Clone, Copy)]
struct Side {
    used_ms: u64,
    /// What the clock would show if no time had passed since the last known move.
    full_ms: Option<u64>,
    moves: u32,
    /// Periods whose time is on the clock.
    periods: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// All moves are counted.
    Known,
    /// The last move had no time; a later reading of the clock tells.
    Waiting,
    /// Not known any more.
    Lost,
}

impl<'a> UsedTime<'a> {
    /// At the start of a game.
    pub(super) fn new(control: &'a TimeControl) -> Self {
        let is_sandclock = matches!(control, TimeControl::Sandclock { .. });
        let seconds = control.first_base_seconds().filter(|_| !is_sandclock);
        let full_ms = seconds.map(|seconds| u64::from(seconds) * 1000);
        Self { control, sides: [Side { used_ms: 0, full_ms, moves: 0, periods: 1, state: State::Known }; 2] }
    }

    /// Seconds used by White and by Black; `None` while the time of a move is not known.
    pub(super) fn seconds(&self) -> Option<[u64; 2]> {
        let known = self.sides.iter().all(|side| side.state == State::Known);
        known.then(|| self.sides.map(|side| side.used_ms / 1000))
    }

    /// Counts a move: its `%emt`, or else what its `%clk` lacks of the time that the player was given.
    pub(super) fn count(&mut self, black: bool, times: Times) {
        let Some(side) = self.sides.get_mut(usize::from(black)) else { return };
        side.moves += 1;
        let increment_ms = u64::from(self.control.increment_s(2 * side.moves)) * 1000;
        side.full_ms = side.full_ms.map(|full| full.saturating_add(increment_ms));
        match (times.emt_ms, times.clk_ms, side.full_ms) {
            _ if side.state == State::Lost => {}
            (Some(emt), clk, full) if side.state == State::Known => {
                side.used_ms = side.used_ms.saturating_add(emt);
                side.full_ms = clk.or(full.map(|full| full.saturating_sub(emt)));
            }
            (_, Some(clk), Some(full)) => {
                let full = side.with_periods(self.control, full, clk);
                match full.checked_sub(clk) {
                    Some(passed) => {
                        side.used_ms = side.used_ms.saturating_add(passed);
                        side.full_ms = Some(clk);
                        side.state = State::Known;
                    }
                    // The clock was set, or the time control is not the real one.
                    None => side.state = State::Lost,
                }
            }
            (None, None, Some(_)) => side.state = State::Waiting,
            _ => side.state = State::Lost,
        }
    }
}

impl Side {
    /// What the clock can show at most, with the periods that a higher reading shows to have begun. Clocks add a period with
    /// its first move or when the time of the one before is used up.
    fn with_periods(&mut self, control: &TimeControl, mut full_ms: u64, clk_ms: u64) -> u64 {
        let (TimeControl::Periods(periods) | TimeControl::Then { periods, .. }) = control else { return full_ms };
        while clk_ms > full_ms {
            let before: u32 = periods.iter().take(self.periods).filter_map(|period| period.moves).sum();
            let Some(next) = next_period(periods, self.periods).filter(|_| self.moves >= before) else { break };
            full_ms = full_ms.saturating_add(u64::from(next.seconds) * 1000);
            self.periods += 1;
        }
        full_ms
    }
}

/// The period after so many; a last period with a number of moves repeats.
fn next_period(periods: &[Period], begun: usize) -> Option<&Period> {
    periods.get(begun).or_else(|| periods.last().filter(|last| last.moves.is_some() && last.seconds > 0))
}
