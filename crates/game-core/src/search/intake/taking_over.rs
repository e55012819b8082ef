//! A board that takes over a game: people set its last position up there before they play on.
//!
//! Knows what stands on the board. Must not know hypotheses.

use shakmaty::{Bitboard, Board, Chess, Position};

use super::super::Search;
use super::super::history::{Event, shown_by};
use super::super::weights as w;
use super::Intake;

/// The position that is to come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Awaited {
    /// The last one of the record, and those after one or two further plies: players may go on before all of it was seen.
    boards: Vec<Board>,
    /// How often the clock was pressed meanwhile; none where another game is played there, whose players press.
    presses: Option<u32>,
}

impl Intake {
    /// What happens on the board is no play until this position stands there.
    pub(in crate::search) fn await_position(&mut self, position: &Chess) {
        let next = |position: &Chess| -> Vec<Chess> {
            position.legal_moves().into_iter().filter_map(|mv| position.clone().play(mv).ok()).collect()
        };
        let after_one = next(position);
        let after_two = after_one.iter().flat_map(next);
        let boards = std::iter::once(position.clone()).chain(after_two).chain(after_one.iter().cloned());
        let boards = boards.map(|position| position.board().clone()).collect();
        self.awaited = Some(Box::new(Awaited { boards, presses: Some(0) }));
    }

    /// The same while another game is played on the board: presses end nothing.
    pub(in crate::search) fn await_own_position(&mut self, position: &Chess) {
        self.await_position(position);
        if let Some(awaited) = &mut self.awaited {
            awaited.presses = None;
        }
    }

    /// Whether another game is played on the board.
    pub(super) fn shows_other(&self) -> bool {
        self.awaited.as_ref().is_some_and(|awaited| awaited.presses.is_none())
    }

    /// A person, or a new pairing, says what is played: nothing is set up any more.
    pub(in crate::search) fn await_no_position(&mut self) {
        self.awaited = None;
    }

    /// Whether the position is still to come.
    pub(in crate::search) fn awaits_position(&self) -> bool {
        self.awaited.is_some()
    }

    /// Whether an event belongs to the setting up. Play goes on when the position stands there, when a dump shows one that a
    /// further ply or two lead to, and when the clock is pressed twice, whatever stands there then.
    pub(super) fn is_set_up_by(&mut self, search: &mut Search, now: u64, event: &Event) -> bool {
        let (Some(awaited), Some(_)) = (&mut self.awaited, &search.game) else {
            self.awaited = None;
            return false;
        };
        // The clock may tell first, before the board has shown what stands there.
        let Some(fields) = &self.fields else { return true };
        if let Some(presses) = &mut awaited.presses {
            *presses += u32::from(matches!(event, Event::Press { .. }));
        }
        let shown = shown_by(fields, self.rotated);
        let stands = |board: &Board| (shown.differs(board) & !self.blind).is_empty();
        let dump = matches!(event, Event::Dump(_) | Event::Gap { .. });
        let many = if dump { awaited.boards.len() } else { 1 };
        let found = awaited.boards.iter().take(many).position(stands);
        if found.is_none() && awaited.presses.is_none_or(|presses| presses < w::TWICE) {
            return true;
        }
        let fields = Box::new(*fields);
        self.awaited = None;
        self.tell_clock(search, now);
        let shown = if found == Some(0) { Event::Dump(fields) } else { Event::Gap { fields, late: Bitboard::EMPTY } };
        self.observe(search, now, shown);
        // What this event showed of the board was in it.
        !matches!(event, Event::Press { .. })
    }
}
