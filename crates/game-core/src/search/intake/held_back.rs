//! What a board tells between an outage and its first dump: where that dump shows no other change, nothing went unseen, and a line
//! that kept its bytes has given all of them.
//!
//! Knows messages. Must not know hypotheses.

use dgt_protocol::{ClockTimes, Field, PieceCode};
use shakmaty::Bitboard;

use super::super::Search;
use super::super::weights as w;
use super::Intake;
use crate::placement::square_of;

/// What is held back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    Change(Field, PieceCode),
    Clock(ClockTimes),
}

/// What is held back, in its order and with its times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct HeldBack {
    told: Vec<(u64, Held)>,
    /// It is told to the search now.
    is_told: bool,
}

impl HeldBack {
    pub(super) fn push(&mut self, at: u64, held: Held) {
        self.told.push((at, held));
    }

    pub(super) fn clear(&mut self) {
        self.told.clear();
    }

    /// Whether what the search hears now was held back: a line that stood still tells in which order it happened, and not when.
    pub(super) fn is_being_told(&self) -> bool {
        self.is_told
    }

    fn changes(&self) -> impl Iterator<Item = (Field, PieceCode)> {
        self.told.iter().filter_map(|&(_, held)| match held {
            Held::Change(field, piece) => Some((field, piece)),
            Held::Clock(_) => None,
        })
    }
}

impl Intake {
    /// Whether a message may belong after changes that went unseen, or be one of those that the line has kept.
    pub(super) fn holds_back(&self, search: &Search) -> bool {
        // A game that a person has ended may go on with what was heard since.
        let followed = search.game.is_some() || self.fields.is_some() && search.can_play_on();
        let unreached = self.is_away() && !self.keeps_changes && self.gap && self.awaited.is_none();
        unreached && followed && self.held_back.told.len() < w::KEPT
    }

    /// Tells what has been held back for so long that no dump answers it.
    pub(super) fn release_late(&mut self, search: &mut Search, now: u64) {
        let late = |&(since, _): &(u64, Held)| now.saturating_sub(since) >= w::SILENT_MS;
        if !self.held_back.told.first().is_some_and(late) {
            return;
        }
        if self.held_back.changes().next().is_some() {
            // The board is in reach, and the next dump shows what this leaves out.
            (self.fields, self.unreached) = (self.known(search), None);
        }
        self.release(search);
    }

    /// Before the first dump is taken: tells what was held back where it leads to that dump. Elsewhere the dump shows what the
    /// changes have led to; these are the squares that pieces have left meanwhile.
    pub(super) fn take_held_back(&mut self, search: &mut Search, dump: &[PieceCode; 64]) -> Bitboard {
        let before = self.known(search);
        let mut known = before;
        let mut left = Bitboard::EMPTY;
        let mut changed = false;
        for (field, piece) in self.held_back.changes() {
            changed = true;
            if piece == PieceCode::Empty {
                left.add(square_of(field, self.rotated));
            }
            if let Some(known) = &mut known {
                known[field.index()] = piece;
            }
        }
        let leads = known.filter(|_| changed).is_some_and(|known| {
            let differ: Vec<Field> = Field::all().filter(|at| known[at.index()] != dump[at.index()]).collect();
            // A piece may have been in a hand when the record was last written: of a capture both.
            let in_hand = self.fields.is_none() && differ.len() <= w::TWICE as usize;
            let lifted = differ.iter().all(|at| dump[at.index()] == PieceCode::Empty) && (in_hand || differ.is_empty());
            if lifted && let Some(&(first, _)) = self.held_back.told.first() {
                let lifted = differ.into_iter().map(|field| (first, Held::Change(field, PieceCode::Empty)));
                self.held_back.told.splice(..0, lifted);
            }
            lifted
        });
        if leads {
            (self.fields, self.gap, self.unreached, self.read_in_gap) = (before, false, None, false);
        } else {
            self.held_back.told.retain(|(_, held)| matches!(held, Held::Clock(_)));
        }
        self.release(search);
        left
    }

    /// What stood there last. After a restart it is the last position of the record.
    fn known(&self, search: &Search) -> Option<[PieceCode; 64]> {
        self.fields.or_else(|| Some(search.game.as_deref()?.history.fields()))
    }

    fn release(&mut self, search: &mut Search) {
        self.held_back.is_told = true;
        for (at, held) in std::mem::take(&mut self.held_back.told) {
            match held {
                Held::Change(field, piece) => self.change(search, at, field, piece),
                Held::Clock(times) => self.clock(search, at, times),
            }
        }
        self.held_back.is_told = false;
    }
}
