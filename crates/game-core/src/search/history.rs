//! What was heard since the game began, as observations that every hypothesis takes: kept, so that the same stretch can be
//! searched again when something later says what was missed.
//!
//! Knows messages in their order and what each proves about the ones before. Must not know lines or costs.

mod clock_state;
#[cfg(feature = "equivalence")]
mod equivalence;
mod gaps;
mod unread;

use std::collections::VecDeque;

use dgt_protocol::{Field, PieceCode};
use shakmaty::{Bitboard, Square};

use super::shown::{Content, Shown};
use super::weights as w;
use crate::placement::{code_of, square_of};
use clock_state::ClockState;
pub(crate) use clock_state::Pause;

/// Observations by which the list of all grows.
const GROWTH: usize = 64;
/// Messages after which those are dropped that no log of the board is compared with.
const EVENTS: usize = 64;

/// What a message tells, without its form on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A field shows something else.
    Square(Field, PieceCode),
    /// What all fields show.
    Dump(Box<[PieceCode; 64]>),
    /// The same, the first one after the board was out of reach. Pieces left the `late` squares since it is back.
    Gap { fields: Box<[PieceCode; 64]>, late: Bitboard },
    /// The lever went over: this side was pressed.
    Press { left: bool },
    /// Whose time runs, learnt without having seen the lever go over.
    Lever { left_runs: bool },
    /// The clock was started, or stopped.
    Runs(bool),
    /// The last message that the clock was started is wrong: it has stood throughout.
    NeverRan,
    /// Since the clock was stopped the players have pressed it after plies: play has gone on.
    RanOn,
    /// The clock was set for this game: it has not run in it.
    Set,
    /// The clock that stands, or is there again, shows the times of its sides exchanged and its lever over, or they have run on so out
    /// of reach: it was turned round.
    Turned,
    /// There is no clock any more.
    NoClock,
}

impl Event {
    /// Whether it is the first dump after the board was out of reach.
    pub(super) fn is_gap(&self) -> bool {
        matches!(self, Self::Gap { .. })
    }

    /// Whether the board itself says it, and not its clock.
    pub(super) fn is_board(&self) -> bool {
        matches!(self, Self::Square(..) | Self::Dump(_) | Self::Gap { .. })
    }
}

/// What an observation says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Squares changed.
    Board,
    /// The first dump after the board was out of reach: any number of plies may have been played. Pieces left the `late` squares
    /// after these.
    Gap { late: Bitboard },
    /// One side was pressed, and what became of the clock since the press before.
    Press { left: bool, pause: Pause },
    /// Whose time runs.
    Lever { left_runs: bool },
    /// The clock runs again after it stood.
    Started,
    /// The clock stands.
    Stopped,
}

impl Kind {
    /// Whether it is the first dump after the board was out of reach.
    pub(super) fn is_gap(self) -> bool {
        matches!(self, Self::Gap { .. })
    }
}

/// One observation, with what the board shows then.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub(crate) struct Observation {
    /// In ms.
    pub(crate) at: u64,
    pub(crate) kind: Kind,
    pub(crate) shown: Shown,
    /// What squares may have shown already, as later messages prove.
    pub(crate) patches: Box<[(Square, Content)]>,
    /// The squares of which this observation says something new.
    pub(crate) touched: Bitboard,
    /// It shows all squares.
    pub(crate) dump: bool,
    /// The board's log has it, or a board on a bus that kept it: that tells the order of what was done, and not when.
    pub(crate) logged: bool,
    /// A clock is there that was pressed in this game: plies are expected to be pressed.
    pub(crate) pressing: bool,
    /// The clock stands after it ran.
    pub(crate) stands: bool,
}

impl Observation {
    /// Whether a square shows this content, or may have shown it, or may have had it unread.
    pub(crate) fn agrees(&self, square: Square, content: Option<shakmaty::Piece>) -> Agreement {
        if self.shown.is(square, content) {
            return Agreement::Shown;
        }
        let fitting = self.patches.iter().filter(|&&(at, patch)| at == square && patch.fits(content));
        let unread = fitting.map(|(_, patch)| matches!(patch, Content::Unread(_))).min();
        unread.map_or(Agreement::None, |unread| if unread { Agreement::Unread } else { Agreement::Patched })
    }
}

/// How a square agrees with what a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Agreement {
    Shown,
    Patched,
    Unread,
    None,
}

/// What became of a message.
enum Taken {
    /// It changes observations from this index on, if old ones.
    Old(Option<usize>),
    Ignored,
}

/// The last observation that spoke of a square.
#[derive(Clone, Copy, Debug, Default)]
struct Confirmed {
    index: usize,
    by_update: bool,
}

/// A message that was taken.
#[derive(Clone, Debug)]
struct Message {
    at: u64,
    /// Index of the observation that came next.
    next: usize,
    /// What was known of the clock before it.
    clock: ClockState,
    event: Event,
}

impl Message {
    fn is_gap(&self) -> bool {
        self.event.is_gap()
    }
}

/// The observations of one game.
#[derive(Clone, Debug)]
pub(crate) struct History {
    rotated: bool,
    /// The board keeps its changes in order until they are fetched: several of one instant came one after the other.
    pub(crate) kept: bool,
    observations: VecDeque<Observation>,
    /// Index of the first one that is kept.
    first: usize,
    messages: VecDeque<Message>,
    shown: Shown,
    /// Squares that have shown a piece on this board.
    filled: Bitboard,
    confirmed: [Confirmed; 64],
    clock: ClockState,
    /// Any message was lost in this game.
    lossy: bool,
    /// What went unseen before this observation is known.
    settled: usize,
}

impl History {
    /// A game begins with this on the board.
    pub(crate) fn new(at: u64, shown: Shown, rotated: bool) -> Self {
        let mut history = Self {
            rotated,
            kept: false,
            observations: VecDeque::new(),
            first: 0,
            messages: VecDeque::new(),
            filled: shown.occupied(),
            shown,
            confirmed: [Confirmed { index: 0, by_update: false }; 64],
            clock: ClockState::default(),
            lossy: false,
            settled: 0,
        };
        history.push(at, Kind::Board, Bitboard::FULL);
        history
    }

    /// Nothing before this counts any more: the board shows what it shows.
    pub(crate) fn begin_again(&mut self, at: u64) {
        self.first = self.end();
        self.observations.clear();
        self.messages.clear();
        self.push(at, Kind::Board, Bitboard::FULL);
        self.confirmed = [Confirmed { index: self.first, by_update: false }; 64];
    }

    /// Index after the last observation.
    pub(crate) fn end(&self) -> usize {
        self.first + self.observations.len()
    }

    /// Index of the first observation that is kept.
    pub(crate) fn first(&self) -> usize {
        self.first
    }

    pub(crate) fn get(&self, index: usize) -> Option<&Observation> {
        self.observations.get(index.checked_sub(self.first)?)
    }

    pub(crate) fn last(&self) -> Option<&Observation> {
        self.observations.back()
    }

    pub(crate) fn rotated(&self) -> bool {
        self.rotated
    }

    pub(crate) fn shown(&self) -> &Shown {
        &self.shown
    }

    /// Squares that have shown a piece on this board: they are not dead from the beginning.
    pub(crate) fn filled(&self) -> Bitboard {
        self.filled
    }

    /// Squares that showed a piece in earlier games.
    pub(crate) fn were_filled(&mut self, squares: Bitboard) {
        self.filled |= squares;
    }

    pub(crate) fn lossy(&self) -> bool {
        self.lossy
    }

    pub(crate) fn has_clock(&self) -> bool {
        self.clock.there && self.clock.runs
    }

    /// A message was damaged: it may have told of a change.
    pub(crate) fn damaged(&mut self) {
        self.lossy = true;
    }

    /// The first observation after an instant, if it is not the first one of all.
    pub(crate) fn after(&self, at: u64) -> Option<usize> {
        let after = self.observations.iter().position(|seen| seen.at > at)?;
        (after > 0).then_some(self.first + after)
    }

    /// Nothing from this observation on was said by the board, nor any message after this instant.
    pub(crate) fn forget(&mut self, from: usize, at: u64) {
        let Some(before) = from.checked_sub(1).and_then(|before| self.get(before)) else { return };
        self.shown = before.shown.clone();
        self.observations.truncate(from - self.first);
        if let Some(first) = self.messages.iter().position(|message| message.at > at) {
            self.clock = self.messages.drain(first..).next().map_or(self.clock, |message| message.clock);
        }
        self.confirmed = [Confirmed { index: from - 1, by_update: false }; 64];
        self.settled = self.settled.min(from);
    }

    /// What the board shows, field by field.
    pub(crate) fn fields(&self) -> [PieceCode; 64] {
        let mut fields = [PieceCode::Empty; 64];
        for field in Field::all() {
            let piece = self.shown.piece_at(square_of(field, self.rotated));
            fields[field.index()] = piece.map_or(PieceCode::Empty, code_of);
        }
        fields
    }

    /// Takes a message; gives back the index of the first observation that it changes, if it changes old ones.
    pub(crate) fn take(&mut self, at: u64, event: Event) -> Option<usize> {
        let clock = self.clock;
        let Taken::Old(dirty) = self.apply(at, &event) else { return None };
        // What a dump has shown is asked for again only where the log tells more about a gap before it.
        if !matches!(event, Event::Dump(_)) || self.messages.iter().any(Message::is_gap) {
            self.messages.push_back(Message { at, next: self.end(), clock, event });
            if self.messages.len().is_multiple_of(EVENTS) {
                self.forget_events();
            }
        }
        if self.observations.len() > w::KEPT {
            let cut = self.first + w::KEPT / 2;
            self.observations.drain(..w::KEPT / 2);
            self.first = cut;
            while self.messages.front().is_some_and(|message| message.next <= cut) {
                self.messages.pop_front();
            }
        }
        dirty
    }

    fn apply(&mut self, at: u64, event: &Event) -> Taken {
        let mut dirty = None;
        match event {
            Event::Square(field, code) => {
                let square = square_of(*field, self.rotated);
                let confirmed = self.confirmed[square.to_usize()];
                if self.shown.content(square) == Content::Exactly(crate::placement::piece_of(*code))
                    && !confirmed.by_update
                    && self.get(confirmed.index).is_some_and(|dump| at.saturating_sub(dump.at) <= w::ROUND_MS)
                {
                    // A dump overtook it. What the dump of a gap shows belongs to the gap.
                    let gap = self.get(confirmed.index).is_some_and(|dump| dump.kind.is_gap());
                    return if gap { Taken::Ignored } else { Taken::Old(None) };
                }
                dirty = if self.shown.set(square, *code) {
                    self.patch_unread(at, square, *code)
                } else {
                    self.patch_lost(confirmed.index + 1, square, *code)
                };
                self.confirmed[square.to_usize()] = Confirmed { index: self.end(), by_update: true };
                self.push(at, Kind::Board, Bitboard::from_square(square));
            }
            Event::Dump(fields) => {
                let mut changed = Bitboard::EMPTY;
                for (square, code) in squares(fields, self.rotated) {
                    if self.shown.set(square, code) {
                        changed.add(square);
                    }
                }
                for square in changed {
                    self.lossy = true;
                    let confirmed = self.confirmed[square.to_usize()];
                    // A dump is not damaged and an update may be.
                    let from = confirmed.index + usize::from(!confirmed.by_update);
                    let found = self.patch(from, square, self.shown.content(square));
                    dirty = [dirty, found].into_iter().flatten().min();
                }
                self.confirmed = [Confirmed { index: self.end(), by_update: false }; 64];
                self.push(at, Kind::Board, changed);
                if let Some(last) = self.observations.back_mut() {
                    last.dump = true;
                }
            }
            Event::Gap { fields, late } => {
                for (square, code) in squares(fields, self.rotated) {
                    self.shown.set(square, code);
                }
                self.confirmed = [Confirmed { index: self.end(), by_update: false }; 64];
                self.push(at, Kind::Gap { late: *late }, Bitboard::FULL);
            }
            Event::Press { left } => {
                (self.clock.there, self.clock.pressing) = (true, true);
                let pause = std::mem::take(&mut self.clock.pause);
                self.push(at, Kind::Press { left: *left, pause }, Bitboard::EMPTY);
            }
            Event::Lever { left_runs } => {
                self.clock.there = true;
                self.push(at, Kind::Lever { left_runs: *left_runs }, Bitboard::EMPTY);
            }
            Event::Runs(runs) => {
                let before = std::mem::replace(&mut self.clock.runs, *runs);
                self.clock.there = true;
                if *runs && !before {
                    let again = std::mem::replace(&mut self.clock.ran, true);
                    if again {
                        self.push(at, Kind::Started, Bitboard::EMPTY);
                    }
                } else if before && !*runs {
                    self.clock.pause = self.clock.pause.max(Pause::Stood);
                    self.push(at, Kind::Stopped, Bitboard::EMPTY);
                }
            }
            Event::Set => {
                (self.clock.runs, self.clock.ran) = (false, false);
                dirty = self.observations.iter().position(|each| each.stands).map(|at| self.first + at);
                self.observations.iter_mut().for_each(|each| each.stands = false);
            }
            Event::RanOn => {
                (self.clock.runs, self.clock.pause) = (true, Pause::None);
                dirty = self.change_since(Kind::Stopped, |each| each.stands = false);
            }
            Event::NeverRan => {
                self.clock.runs = false;
                dirty = self.change_since(Kind::Started, |each| (each.stands, each.pressing) = (true, false));
            }
            // Before the first press its lever alone tells who sits where. Turned twice, it stands as before. That it stood may have
            // gone unseen.
            Event::Turned => {
                self.clock.pause = match self.clock.pause {
                    Pause::Turned => Pause::Stood,
                    Pause::None if !self.clock.pressing => Pause::None,
                    Pause::Stood | Pause::None => Pause::Turned,
                };
            }
            Event::NoClock => {
                let pause = match (self.clock.pressing, self.clock.there) {
                    (true, _) => Pause::Stood,
                    (false, true) => Pause::None,
                    // It has been away: a board on a bus says so each time it is asked.
                    (false, false) => self.clock.pause,
                };
                self.clock = ClockState { pause, ..ClockState::default() };
            }
        }
        Taken::Old(dirty)
    }

    /// Changes the observations from the last one of this kind on, and gives back where that is.
    fn change_since(&mut self, kind: Kind, change: impl FnMut(&mut Observation)) -> Option<usize> {
        let last = self.observations.iter().rposition(|each| each.kind == kind)?;
        self.observations.iter_mut().skip(last).for_each(change);
        Some(self.first + last)
    }

    fn push(&mut self, at: u64, kind: Kind, touched: Bitboard) {
        self.filled |= self.shown.occupied();
        let at = self.last().map_or(at, |last| last.at.max(at));
        if self.observations.len() == self.observations.capacity() {
            self.observations.reserve_exact(GROWTH);
        }
        self.observations.push_back(Observation {
            at,
            kind,
            shown: self.shown.clone(),
            patches: Box::default(),
            touched,
            dump: touched == Bitboard::FULL,
            logged: self.kept,
            pressing: self.clock.is_pressing(),
            stands: self.clock.stands(),
        });
    }

    fn patch(&mut self, from: usize, square: Square, content: Content) -> Option<usize> {
        let from = from.max(self.first);
        let end = self.end();
        for observation in self.observations.iter_mut().skip(from - self.first) {
            let mut patches = std::mem::take(&mut observation.patches).into_vec();
            patches.push((square, content));
            observation.patches = patches.into_boxed_slice();
        }
        (from < end).then_some(from)
    }

    /// A square tells what it shows already: what came between was lost.
    fn patch_lost(&mut self, from: usize, square: Square, code: PieceCode) -> Option<usize> {
        self.lossy = true;
        let empty = code == PieceCode::Empty;
        self.patch(from, square, if empty { Content::AnyPiece } else { Content::Exactly(None) })
    }

    /// What went unseen before this observation is known.
    pub(crate) fn settle(&mut self, before: usize) {
        self.settled = before;
    }

    /// Whether a square was empty after a moment, within the last two rounds of the scan before an observation.
    pub(crate) fn was_empty(&self, index: usize, square: Square, after: u64) -> bool {
        let Some(now) = self.get(index) else { return false };
        let from = after.max(now.at.saturating_sub(w::SETTLED_MS));
        let earlier = (self.first..index).rev().map_while(|before| self.get(before)).take_while(|each| each.at > from);
        earlier.into_iter().any(|each| each.shown.is(square, None))
    }

    /// The observation with which a square came to show what it shows at one, or an earlier one than `within` ms before that.
    pub(crate) fn came(&self, index: usize, square: Square, within: u64) -> usize {
        let Some(now) = self.get(index) else { return index };
        let mut at = index;
        while let Some(before) = at.checked_sub(1).and_then(|before| self.get(before)) {
            let same = before.shown.is_same(square, &now.shown);
            if !same || self.get(at).is_none_or(|since| now.at - since.at > within) {
                break;
            }
            at -= 1;
        }
        at
    }

    /// When and under which clock a square came to show what it shows at an observation: how long ago in ms, up to `within`,
    /// and whether the clock stood then and was not started since: when it is, play goes on from what stands there.
    pub(crate) fn changed(&self, index: usize, square: Square, within: u64) -> (u64, bool) {
        let at = self.came(index, square, within);
        let Some((now, since)) = self.get(index).zip(self.get(at)) else { return (0, false) };
        let started = (at..index).filter_map(|next| self.get(next + 1)).any(|next| next.kind == Kind::Started);
        // What the scan finds just after the clock was stopped was done before.
        let decisive = (self.first..=at)
            .rev()
            .filter_map(|before| self.get(before))
            .find(|each| !each.stands || each.at + w::SETTLED_MS < since.at);
        let stood = !started && decisive.is_some_and(|each| each.stands);
        ((now.at - since.at).min(within), stood)
    }
}

fn squares(fields: &[PieceCode; 64], rotated: bool) -> impl Iterator<Item = (Square, PieceCode)> {
    Field::all().zip(fields).map(move |(field, &code)| (square_of(field, rotated), code))
}

/// What a dump shows.
pub(crate) fn shown_by(fields: &[PieceCode; 64], rotated: bool) -> Shown {
    let mut shown = Shown::default();
    for (square, code) in squares(fields, rotated) {
        shown.set(square, code);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Board;

    pub(super) fn field(square: Square) -> Field {
        Field::all().find(|&field| square_of(field, false) == square).unwrap()
    }

    pub(super) fn start() -> History {
        History::new(0, Shown::new(&Board::new()), false)
    }

    #[expect(clippy::unnecessary_box_returns, reason = "events hold boxes")]
    pub(super) fn dump(shown: &Shown) -> Box<[PieceCode; 64]> {
        let mut fields = [PieceCode::Empty; 64];
        for each in Field::all() {
            fields[each.index()] =
                shown.piece_at(square_of(each, false)).map_or(PieceCode::Empty, crate::placement::code_of);
        }
        Box::new(fields)
    }

    #[test]
    fn a_lost_message_is_patched_where_it_may_have_been() {
        let mut history = start();
        assert_eq!(history.take(1_000, Event::Square(field(Square::E2), PieceCode::Empty)), None);
        assert_eq!(history.take(2_000, Event::Square(field(Square::E7), PieceCode::Empty)), None);
        let mut shown = history.shown().clone();
        shown.set(Square::E4, PieceCode::WhitePawn);
        assert_eq!(history.take(3_000, Event::Dump(dump(&shown))), Some(1));
        assert!(history.lossy());
        let pawn = shown.piece_at(Square::E4);
        assert_eq!(history.get(2).unwrap().agrees(Square::E4, pawn), Agreement::Patched);
        assert_eq!(history.get(3).unwrap().agrees(Square::E4, pawn), Agreement::Shown);
        assert_eq!(history.get(0).unwrap().agrees(Square::E4, pawn), Agreement::None);
    }

    #[test]
    fn a_square_that_empties_twice_was_filled_between() {
        let mut history = start();
        history.take(1_000, Event::Square(field(Square::E2), PieceCode::Empty));
        history.take(2_000, Event::Square(field(Square::D2), PieceCode::Empty));
        assert_eq!(history.take(3_000, Event::Square(field(Square::E2), PieceCode::Empty)), Some(2));
        let pawn = Board::new().piece_at(Square::E2);
        assert_eq!(history.get(2).unwrap().agrees(Square::E2, pawn), Agreement::Patched);
    }

    #[test]
    fn a_clock_that_is_turned_round_after_it_was_away_for_long_is_turned() {
        for away in [1, 3] {
            let mut history = start();
            history.take(500, Event::Runs(true));
            history.take(600, Event::Press { left: true });
            (0..away).for_each(|times| assert_eq!(history.take(2_000 + 1_000 * times, Event::NoClock), None));
            history.take(9_000, Event::Turned);
            history.take(10_000, Event::Runs(true));
            history.take(12_000, Event::Press { left: false });
            assert_eq!(history.last().unwrap().kind, Kind::Press { left: false, pause: Pause::Turned }, "{away}");
        }
    }

    #[test]
    fn memory_is_bounded() {
        let mut history = start();
        for time in 0..10_000 {
            history.take(time, Event::Press { left: time % 2 == 0 });
        }
        assert!(history.end() - history.first() <= w::KEPT);
    }
}
