//! What was heard since the game began, as observations that every hypothesis takes: kept, so that the same stretch can be
//! searched again when something later says what was missed.
//!
//! Knows messages in their order and what each proves about the ones before. Must not know lines or costs.

#[cfg(feature = "equivalence")]
mod equivalence;

use std::collections::VecDeque;

use dgt_protocol::{Field, PieceCode};
use shakmaty::{Bitboard, Square};

use super::shown::{Content, Shown};
use super::weights as w;
use crate::placement::square_of;

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
    /// The clock was set for this game: it has not run in it.
    Set,
    /// There is no clock any more.
    NoClock,
}

impl Event {
    /// Whether it is the first dump after the board was out of reach.
    pub(super) fn is_gap(&self) -> bool {
        matches!(self, Self::Gap { .. })
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
    /// One side was pressed.
    Press { left: bool },
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
    /// A clock is there that was pressed in this game: plies are expected to be pressed.
    pub(crate) pressing: bool,
    /// The clock stands after it ran.
    pub(crate) stands: bool,
}

impl Observation {
    /// Whether a square shows this content, or, for the second, may have shown it already.
    pub(crate) fn agrees(&self, square: Square, content: Option<shakmaty::Piece>) -> Agreement {
        if self.shown.is(square, content) {
            Agreement::Shown
        } else if self.patches.iter().any(|&(at, patch)| at == square && patch.fits(content)) {
            Agreement::Patched
        } else {
            Agreement::None
        }
    }
}

/// How a square agrees with what a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Agreement {
    Shown,
    Patched,
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

/// The observations of one game.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts about clock and line that do not depend on each other")]
pub(crate) struct History {
    rotated: bool,
    observations: VecDeque<Observation>,
    /// Index of the first one that is kept.
    first: usize,
    /// Messages with their time and the index of the observation that came next.
    events: VecDeque<(u64, usize, Event)>,
    shown: Shown,
    /// Squares that have shown a piece on this board.
    filled: Bitboard,
    confirmed: [Confirmed; 64],
    pressing: bool,
    clock: bool,
    runs: bool,
    ran: bool,
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
            observations: VecDeque::new(),
            first: 0,
            events: VecDeque::new(),
            filled: shown.occupied(),
            shown,
            confirmed: [Confirmed { index: 0, by_update: false }; 64],
            pressing: false,
            clock: false,
            runs: false,
            ran: false,
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
        self.events.clear();
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
        self.clock && self.runs
    }

    /// A message was damaged: it may have told of a change.
    pub(crate) fn damaged(&mut self) {
        self.lossy = true;
    }

    /// Takes a message; gives back the index of the first observation that it changes, if it changes old ones.
    pub(crate) fn take(&mut self, at: u64, event: Event) -> Option<usize> {
        let Taken::Old(dirty) = self.apply(at, &event) else { return None };
        // What a dump has shown is asked for again only where the log tells more about a gap before it.
        if !matches!(event, Event::Dump(_)) || self.events.iter().any(|(_, _, event)| event.is_gap()) {
            self.events.push_back((at, self.end(), event));
            if self.events.len().is_multiple_of(EVENTS) {
                self.forget_events();
            }
        }
        if self.observations.len() > w::KEPT {
            let cut = self.first + w::KEPT / 2;
            self.observations.drain(..w::KEPT / 2);
            self.first = cut;
            while self.events.front().is_some_and(|event| event.1 <= cut) {
                self.events.pop_front();
            }
        }
        dirty
    }

    /// What was heard before a gap that is open, or before one that may come, is compared with the board's log: some changes of
    /// squares are enough for that.
    fn forget_events(&mut self) {
        let gaps = self.open_gaps();
        // On a board of which nothing fits for long, the last gap alone counts.
        let gap = if self.events.len() > w::LINE_PLIES { gaps.last() } else { gaps.first() };
        let before = gap.copied().unwrap_or(self.events.len());
        let squares = (0..before).rev().filter(|&at| matches!(self.events.get(at), Some((.., Event::Square(..)))));
        if let Some(first) = squares.into_iter().nth(w::STRETCH - 1) {
            self.events.drain(..first);
        }
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
                if !self.shown.set(square, *code) {
                    // What came between was lost.
                    self.lossy = true;
                    let empty = *code == PieceCode::Empty;
                    let content = if empty { Content::AnyPiece } else { Content::Exactly(None) };
                    dirty = self.patch(confirmed.index + 1, square, content);
                }
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
                self.clock = true;
                self.pressing = true;
                self.push(at, Kind::Press { left: *left }, Bitboard::EMPTY);
            }
            Event::Lever { left_runs } => {
                self.clock = true;
                self.push(at, Kind::Lever { left_runs: *left_runs }, Bitboard::EMPTY);
            }
            Event::Runs(runs) => {
                let before = std::mem::replace(&mut self.runs, *runs);
                self.clock = true;
                if *runs && !before {
                    let again = std::mem::replace(&mut self.ran, true);
                    if again {
                        self.push(at, Kind::Started, Bitboard::EMPTY);
                    }
                } else if before && !*runs {
                    self.push(at, Kind::Stopped, Bitboard::EMPTY);
                }
            }
            Event::Set => {
                (self.runs, self.ran) = (false, false);
                dirty = self.observations.iter().position(|each| each.stands).map(|at| self.first + at);
                self.observations.iter_mut().for_each(|each| each.stands = false);
            }
            Event::NeverRan => {
                self.runs = false;
                let started = self.observations.iter().rposition(|each| each.kind == Kind::Started);
                for each in self.observations.iter_mut().skip(started.unwrap_or(usize::MAX)) {
                    (each.stands, each.pressing) = (true, false);
                }
                dirty = started.map(|at| self.first + at);
            }
            Event::NoClock => {
                (self.clock, self.runs, self.ran, self.pressing) = (false, false, false, false);
            }
        }
        Taken::Old(dirty)
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
            pressing: self.pressing && self.clock && self.runs,
            stands: self.ran && !self.runs,
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

    /// What went unseen before this observation is known.
    pub(crate) fn settle(&mut self, before: usize) {
        self.settled = before;
    }

    /// The places among the messages of the gaps of which it is not known what went unseen, the earliest first; the last one is
    /// always among them, as the board's log may say more than what was found.
    fn open_gaps(&self) -> Vec<usize> {
        let gaps = self.events.iter().enumerate().filter(|(_, (.., event))| event.is_gap());
        let mut gaps: Vec<_> = gaps.map(|(at, &(_, end, _))| (at, end > self.settled)).collect();
        if let Some(last) = gaps.last_mut() {
            last.1 = true;
        }
        gaps.into_iter().filter_map(|(at, open)| open.then_some(at)).collect()
    }

    /// How many gaps are open, or the last one.
    pub(crate) fn gaps(&self) -> usize {
        self.open_gaps().len()
    }

    /// The log tells what happened while the board was out of reach: puts it before the dump of the last gap, and in the place of
    /// what was heard since so many gaps before it. Gives back the index of the first observation that changes.
    pub(crate) fn splice(&mut self, told: &[Event], earlier: usize) -> Option<usize> {
        let (index, tail) = self.before_gap(earlier)?;
        let last = tail.iter().rposition(|(_, event)| event.is_gap()).unwrap_or(0);
        let tail = tail.into_iter().skip(last);
        let from = self.last()?.at;
        let (runs, pressing) = (self.runs, self.pressing);
        self.runs = true;
        // The log has no times: nothing costs by time then, only the order counts.
        for event in told {
            self.take(from, event.clone());
        }
        (self.runs, self.pressing) = (runs, pressing || self.pressing);
        for (number, (at, event)) in tail.enumerate() {
            let event = match event {
                // Nothing is left that the log does not tell.
                Event::Gap { fields, .. } if number == 0 => Event::Dump(fields),
                other => other,
            };
            self.take(at, event);
        }
        Some(index)
    }

    /// The dumps of so many last gaps, and those that showed the same, were damaged: no moves are missing. Gives back the index of
    /// the first observation that changes.
    pub(crate) fn withdraw_gaps(&mut self, count: usize) -> Option<usize> {
        let (index, tail) = self.before_gap(count.checked_sub(1)?)?;
        let damaged = |event: &Event| matches!(event, Event::Gap { .. } | Event::Dump(_));
        for (at, event) in tail.into_iter().filter(|(_, event)| !damaged(event)) {
            self.take(at, event);
        }
        Some(index)
    }

    /// Goes back to before the dump of the last gap but so many. Gives back its index, and its message with all that came
    /// after it.
    fn before_gap(&mut self, later: usize) -> Option<(usize, Vec<(u64, Event)>)> {
        let is_gap = |at: &usize| matches!(self.events.get(*at), Some((.., Event::Gap { .. })));
        let gap = (0..self.events.len()).rev().filter(is_gap).nth(later)?;
        let index = self.events.get(gap)?.1.checked_sub(1)?;
        let shown = self.get(index.checked_sub(1)?)?.shown.clone();
        let tail = self.events.drain(gap..).map(|(at, _, event)| (at, event)).collect();
        self.observations.truncate(index - self.first);
        self.shown = shown;
        self.confirmed = [Confirmed { index, by_update: false }; 64];
        Some((index, tail))
    }

    /// The messages before a gap, so many before the last one, and after the last one's dump, and what the board showed before the
    /// first of them.
    pub(crate) fn around_gap(&self, earlier: usize) -> Option<(Vec<&Event>, Vec<&Event>, &Observation)> {
        let gaps = self.events.iter().enumerate().filter(|(_, (.., event))| event.is_gap()).map(|(at, _)| at);
        let gaps: Vec<usize> = gaps.collect();
        let (&last, &gap) = (gaps.last()?, gaps.iter().rev().nth(earlier)?);
        let before = self.events.get(gap)?.1.checked_sub(2)?;
        Some((
            self.events.iter().take(gap).map(|(_, _, event)| event).collect(),
            self.events.iter().skip(last + 1).map(|(_, _, event)| event).collect(),
            self.get(before)?,
        ))
    }

    /// What the last gap's dump shows.
    pub(crate) fn gap_shown(&self) -> Option<&Shown> {
        let gap = self.events.iter().rposition(|(_, _, event)| event.is_gap())?;
        Some(&self.get(self.events.get(gap)?.1.checked_sub(1)?)?.shown)
    }

    /// Whether a square was empty after a moment, within the last two rounds of the scan before an observation.
    pub(crate) fn was_empty(&self, index: usize, square: Square, after: u64) -> bool {
        let Some(now) = self.get(index) else { return false };
        let from = after.max(now.at.saturating_sub(w::SETTLED_MS));
        let earlier = (self.first..index).rev().map_while(|before| self.get(before)).take_while(|each| each.at > from);
        earlier.into_iter().any(|each| each.shown.is(square, None))
    }

    /// When and under which clock a square came to show what it shows at an observation: how long ago in ms, up to `within`,
    /// and whether the clock stood then and was not started since: when it is, play goes on from what stands there.
    pub(crate) fn changed(&self, index: usize, square: Square, within: u64) -> (u64, bool) {
        let Some(now) = self.get(index) else { return (0, false) };
        let mut since = now;
        let mut at = index;
        while let Some(before) = at.checked_sub(1).and_then(|before| self.get(before)) {
            let same = before.shown.is_same(square, &now.shown);
            if !same || now.at - since.at > within {
                break;
            }
            since = before;
            at -= 1;
        }
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

    fn field(square: Square) -> Field {
        Field::all().find(|&field| square_of(field, false) == square).unwrap()
    }

    fn start() -> History {
        History::new(0, Shown::new(&Board::new()), false)
    }

    #[expect(clippy::unnecessary_box_returns, reason = "events hold boxes")]
    fn dump(shown: &Shown) -> Box<[PieceCode; 64]> {
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
    fn what_the_log_tells_comes_before_the_dump_of_the_gap() {
        let mut history = start();
        history.take(500, Event::Runs(true));
        let mut shown = history.shown().clone();
        shown.set(Square::E2, PieceCode::Empty);
        shown.set(Square::E4, PieceCode::WhitePawn);
        history.take(9_000, Event::Gap { fields: dump(&shown), late: Bitboard::EMPTY });
        let end = history.end();
        let told = [
            Event::Square(field(Square::E2), PieceCode::Empty),
            Event::Square(field(Square::E4), PieceCode::WhitePawn),
            Event::Press { left: true },
        ];
        assert_eq!(history.splice(&told, 0), Some(1));
        assert_eq!(history.end(), end + 3);
        assert_eq!(history.last().unwrap().kind, Kind::Board);
        assert!(!history.lossy(), "the dump shows what the log led to");
    }

    #[test]
    fn the_dumps_of_gaps_that_were_none_are_forgotten_and_changes_since_are_not() {
        let mut history = start();
        let (before, end) = (history.shown().clone(), history.end());
        history.take(1_000, Event::Gap { fields: dump(&Shown::default()), late: Bitboard::EMPTY });
        history.take(2_200, Event::Square(field(Square::E2), PieceCode::Empty));
        history.take(2_300, Event::Gap { fields: dump(&Shown::default()), late: Bitboard::EMPTY });
        assert_eq!(history.withdraw_gaps(2), Some(1));
        let differs = history.shown().differs_from(&before);
        assert_eq!((differs, history.end()), (Bitboard::from_square(Square::E2), end + 1));
        assert_eq!(history.withdraw_gaps(1), None, "there is none any more");
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
