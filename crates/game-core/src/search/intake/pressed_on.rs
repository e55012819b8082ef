//! Play that goes on in the middle of a game while the clock stands: somebody has stopped it, and the players press on.
//!
//! Knows the lever, the times, and the position at which the clock was stopped. Must not know what a line costs.

use shakmaty::{Bitboard, Chess, Color, Position};

use super::super::Search;
use super::super::bridge::Target;
use super::super::shown::Shown;
use super::super::weights as w;

/// What was known when the clock was stopped, and what was pressed since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stood {
    position: Chess,
    white_left: bool,
    /// Squares of which the board says nothing.
    ignored: Bitboard,
    /// The times of its left and right side, in s.
    seconds: [u32; 2],
    presses: u32,
    played_on: bool,
}

impl Stood {
    /// The clock of a game was stopped, and shows these times.
    pub(super) fn at(search: &Search, seconds: [u32; 2]) -> Option<Self> {
        let best = search.game.as_deref()?.beam.best()?;
        let (position, white_left) = (best.position.clone(), best.white_left);
        Some(Self { position, white_left, ignored: best.faulty | best.lost, seconds, presses: 0, played_on: false })
    }

    /// The clock still stands, and shows these times. Says no where it was set after play had gone on: pressing changes no times of a clock that
    /// stands, so another game may begin.
    pub(super) fn stands(&mut self, seconds: [u32; 2]) -> bool {
        let set = std::mem::replace(&mut self.seconds, seconds) != seconds;
        !(set && self.played_on)
    }

    /// Whether presses have shown that play goes on.
    pub(super) fn is_played_on(&self) -> bool {
        self.played_on
    }

    /// A side was pressed while the clock stands. Play goes on where as many plies lead to what the board shows; the last one before the
    /// clock was stopped may not have been pressed.
    pub(super) fn press(&mut self, shown: &Shown, left: bool) {
        self.presses += 1;
        if self.played_on || !(w::TWICE..=w::BORNE_OUT).contains(&self.presses) {
            return;
        }
        let most = self.presses as usize + 1;
        let none = Bitboard::EMPTY;
        let target = Target { shown, ignored: self.ignored, held: none, late: none, most };
        let presser = Color::from_white(left == self.white_left);
        let first = self.position.turn();
        let mut budget = w::GAP_POSITIONS;
        self.played_on = target.ways(&self.position, &mut budget).iter().any(|way| {
            let plies = way.moves.len();
            let last = if plies % 2 == 1 { first } else { first.other() };
            (self.presses as usize..=most).contains(&plies) && last == presser
        });
    }
}
