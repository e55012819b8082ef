//! What a board tells between an outage and its first dump: where that dump shows no other change, nothing went unseen, and a line
//! that kept its bytes has given all of them.
//!
//! Knows messages. Must not know hypotheses.

use dgt_protocol::{ClockTimes, Field, PieceCode};
use shakmaty::{Bitboard, Color};

use super::super::Search;
use super::super::weights as w;
use super::Intake;
use crate::placement::{piece_of, square_of};
use crate::time::Timestamp;

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

    /// Whether these changes lead from what is known to this dump.
    fn lead(&self, known: &[PieceCode; 64], dump: &[PieceCode; 64]) -> bool {
        let mut shown = *known;
        self.changes().for_each(|(field, piece)| shown[field.index()] = piece);
        shown == *dump
    }

    /// What stood there when the first of these changes, which end in this dump, came, and when that was; none where no piece was put
    /// down, as then it is not known where one was taken from, where one was lifted that had come there out of reach, and where they came
    /// for so long that one of them may have taken a piece that is gone. `last_known` stood there before the outage.
    fn stood_before(
        &self,
        now: u64,
        dump: &[PieceCode; 64],
        last_known: &[PieceCode; 64],
    ) -> Option<(u64, [PieceCode; 64])> {
        let &(at, _) = self.told.first()?;
        let mut stood = *dump;
        let mut shown: [Option<PieceCode>; 64] = [None; 64];
        // The pieces in a hand, where they are known.
        let mut lifted: Vec<(Field, Option<PieceCode>)> = Vec::new();
        // Pieces that were put where it is not known what stood, and those among all that were in a hand before.
        let (mut covering, mut in_hand) = (Vec::new(), Vec::new());
        for (field, piece) in self.changes() {
            let before = shown[field.index()].replace(piece);
            if piece == PieceCode::Empty {
                lifted.push((field, before));
                continue;
            }
            if before.is_none() {
                stood[field.index()] = PieceCode::Empty;
                covering.push(piece);
            }
            let same = lifted.iter().rposition(|&(_, known)| known == Some(piece));
            let other = || lifted.iter().rposition(|&(from, known)| known.is_none() && from != field);
            let back = || lifted.iter().rposition(|&(from, known)| known.is_none() && from == field);
            let Some(from) = same.or_else(other).or_else(back) else {
                in_hand.push(piece);
                continue;
            };
            if let (from, None) = lifted.remove(from) {
                stood[from.index()] = piece;
            }
            // What it took was lifted before.
            lifted.retain(|&(taken, known)| {
                if taken == field && known.is_none() {
                    stood[taken.index()] = last_known[taken.index()];
                }
                taken != field
            });
        }
        for (field, _) in lifted.into_iter().filter(|(_, known)| known.is_none()) {
            let stands = last_known[field.index()];
            // What had come there out of reach is not known.
            if stands == PieceCode::Empty {
                return None;
            }
            stood[field.index()] = stands;
        }
        let count = |of: &[PieceCode], piece| of.iter().filter(|&&each| each == piece).count();
        let gone = |&&piece: &&PieceCode| count(last_known, piece) > count(&stood, piece) + count(&in_hand, piece);
        let color = |piece: PieceCode| piece_of(piece).map(|piece| piece.color);
        let is_taken = |&gone: &PieceCode| {
            let opponent = color(gone).map(Color::other);
            opponent.is_some() && covering.iter().any(|&by| color(by) == opponent)
        };
        let may_have_taken = now.saturating_sub(at) > w::SILENT_MS && last_known.iter().filter(gone).any(is_taken);
        (!may_have_taken && self.changes().any(|(_, piece)| piece != PieceCode::Empty)).then_some((at, stood))
    }

    /// What the clock showed meanwhile, in s for its left and right side, and when.
    fn readings(&self) -> impl Iterator<Item = (u64, [u32; 2])> {
        self.told.iter().filter_map(|&(at, held)| match held {
            Held::Clock(times) => Some((at, [times.left, times.right].map(|side| side.total_seconds()))),
            Held::Change(..) => None,
        })
    }

    /// Whether a line kept them: the clock has run for longer in them than it took them to come.
    fn were_kept(&self) -> bool {
        let (Some((begun, _)), Some((ended, _))) = (self.readings().next(), self.readings().last()) else {
            return false;
        };
        let pairs = self.readings().zip(self.readings().skip(1));
        let ran = pairs.flat_map(|((_, before), (_, after))| before.into_iter().zip(after));
        let seconds: u32 = ran.map(|(before, after)| before.saturating_sub(after)).sum();
        u64::from(seconds) * 1_000 > ended.saturating_sub(begun) + w::SILENT_MS
    }

    /// Whether this dump shows what each of these changes has left.
    fn ends_in(&self, dump: &[PieceCode; 64]) -> bool {
        let mut shown = *dump;
        self.changes().for_each(|(field, piece)| shown[field.index()] = piece);
        shown == *dump
    }
}

impl Intake {
    /// Whether a message may belong after changes that went unseen, or be one of those that the line has kept.
    pub(super) fn holds_back(&self, search: &Search) -> bool {
        let unreached = self.unreached.is_some() && !self.keeps_changes && self.gap;
        // A game that a person has ended may go on with what was heard since.
        let followed = search.game.is_some() || search.can_play_on();
        unreached && followed && self.fields.is_some() && self.held_back.told.len() < w::KEPT
    }

    /// When what is held back is told without a dump.
    pub(in crate::search) fn held_back_until(&self) -> Option<Timestamp> {
        self.held_back.told.first().map(|&(since, _)| Timestamp::from_ms(since + w::LATEST_MS))
    }

    /// Tells what has been held back for so long that no dump answers it.
    pub(in crate::search) fn release_late(&mut self, search: &mut Search, now: u64) {
        if self.held_back_until().is_none_or(|until| until.as_ms() > now) {
            return;
        }
        if self.held_back.changes().next().is_some() {
            // The board is in reach, and the next dump shows what this leaves out.
            self.unreached = None;
        }
        self.release(search);
    }

    /// Before the first dump is taken: tells what was held back, with what went unseen before or after it. Where neither leads to
    /// that dump, it shows what the changes have led to; these are the squares that pieces have left meanwhile.
    pub(super) fn take_held_back(&mut self, search: &mut Search, now: u64, dump: &[PieceCode; 64]) -> Bitboard {
        let known = self.fields.filter(|_| self.held_back.changes().next().is_some());
        if let Some(known) = known {
            let all = self.held_back.lead(&known, dump);
            let ends_so = self.held_back.ends_in(dump);
            // Changes that end in this dump are those since the board is back, unless the line kept them, whatever the clock shows:
            // increments may give back the time of the plies that went unseen.
            let may_be_first = !ends_so || self.held_back.were_kept();
            if all || may_be_first && self.nothing_went_unseen_before() {
                (self.gap, self.unreached, self.read_in_gap) = (false, None, false);
                self.release(search);
                if !all {
                    self.lose();
                }
                return Bitboard::EMPTY;
            }
            if ends_so && let Some((at, stood)) = self.held_back.stood_before(now, dump, &known) {
                let told = std::mem::take(&mut self.held_back.told);
                self.dump(search, at, stood);
                self.held_back.told = told;
                self.release(search);
                return Bitboard::EMPTY;
            }
        }
        let lifted = self.held_back.changes().filter(|&(_, piece)| piece == PieceCode::Empty);
        let lifted = lifted.map(|(field, _)| square_of(field, self.rotated)).collect();
        self.held_back.told.retain(|(_, held)| matches!(held, Held::Clock(_)));
        self.release(search);
        lifted
    }

    /// Whether the clock shows no press between the last reading before the outage and the first of these changes.
    fn nothing_went_unseen_before(&self) -> bool {
        let reading = |&(_, held): &(u64, Held)| match held {
            Held::Clock(times) => Some(times),
            Held::Change(..) => None,
        };
        let told = &self.held_back.told;
        let Some((lever, showed)) = self.showed else { return false };
        let Some(first) = told.iter().find_map(reading) else { return false };
        let shows = [first.left, first.right].map(|side| side.total_seconds());
        let ran = |side: usize| showed[side].checked_sub(shows[side]);
        let just_ran = |side: usize| ran(side).is_some_and(|seconds| u64::from(seconds) * 1_000 <= w::SILENT_MS);
        (0..2).any(|waits| showed[waits] == shows[waits] && just_ran(1 - waits))
            && told.iter().map_while(reading).chain([first]).all(|times| times.right_side_up == lever)
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
