//! One game as the search sees it: what was heard, the hypotheses, places to begin again from, and what was told.
//!
//! Knows when to search again and how wide. Must not know the wire.

mod another_board;
mod begin;
#[cfg(feature = "equivalence")]
mod equivalence;
mod likeliest;
mod unseen_end;

use shakmaty::{Bitboard, Chess, Position};

use super::beam::{Beam, Doubts};
use super::checkpoints::{Checkpoint, Checkpoints};
use super::history::{Event, History, Kind, Observation};
use super::hypothesis::Hypothesis;
use super::kept::Kept;
use super::line::{Lines, NodeId, ROOT, after};
use super::shown::Shown;
use super::sign::{Shows, Sign};
use super::terms::{Ledger, Term};
use super::weights::{self as w, Cost};
use crate::event::Variant;

/// One game.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) start: Chess,
    pub(crate) variant: Variant,
    pub(crate) rotated: bool,
    pub(crate) lines: Lines,
    pub(crate) history: History,
    pub(crate) beam: Beam,
    /// The first observation that the beam has not taken.
    next: usize,
    checkpoints: Checkpoints,
    /// The last observation after which all hypotheses agreed and the board showed it, and what it cost then.
    certain: (usize, Cost),
    /// The observation after the last one at which the likeliest line was what the board showed, when it was pressed or had stood
    /// for a while.
    pub(super) matched: usize,
    /// Squares that a person declared blind.
    pub(crate) blind: Bitboard,
    /// A poor stretch is being searched again.
    wide: bool,
    /// It is searched again when the best one costs more than this.
    poor_above: Cost,
    /// When the board changed last.
    pub(crate) touched_at: u64,
    /// When the last gap's dump came.
    pub(crate) gap_at: Option<u64>,
    /// When the clock stopped that stands now.
    pub(crate) stopped_at: Option<u64>,
    /// When it stopped before it was started the last time.
    stopped_before: Option<u64>,
    pub(crate) sign: Option<Sign>,
    /// The last one of which more was heard at the very moment at which it came: a line stood still, so how long the sign stood
    /// is not known.
    pub(super) untimed: Option<Sign>,
    /// Since when the best hypothesis is poor.
    pub(crate) poor_since: Option<u64>,
    /// The line that was told.
    pub(crate) told: NodeId,
    /// When the clock was set to other times after plies were told.
    pub(crate) clock_set_at: Option<u64>,
    /// When plies were told, or taken back, the last time.
    pub(crate) told_at: u64,
    /// The told line and the likeliest one that were followed last, beyond the search.
    pub(crate) followed: Option<(NodeId, NodeId)>,
    /// What is sure of a line that is as likely as another one, and since when.
    pub(crate) doubt: Option<(NodeId, u64)>,
    /// The board's own log was asked for and has not come.
    pub(crate) waits_for_log: bool,
    /// The positions after which moves of this game went unseen, and from which it does not go on, the earliest first.
    pub(crate) before_gaps: Vec<Chess>,
    /// So many squares differed from the start position at once.
    pub(crate) far: usize,
    /// The next game, which began while the board was out of reach: it begins here once it is known how this one ended, as far as
    /// the board's own log tells.
    pub(crate) next_start: Option<Box<NextStart>>,
}

/// A game that began while the board was out of reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NextStart {
    /// When the dump came that showed it.
    pub(crate) since: u64,
    pub(crate) start: Chess,
    pub(crate) variant: Variant,
    /// White sits at the far end in it.
    pub(crate) rotated: bool,
    pub(crate) log: NextLog,
    /// Before this observation all plies of the game before it were made, as far as the clock told: what follows is a result that is
    /// shown, and pieces that are put back.
    pub(crate) played_to: usize,
}

/// What the board's own log tells of the next game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NextLog {
    /// It was asked for and has not come.
    Awaited,
    /// It does not come, or tells nothing.
    None,
    /// This was done from the start on.
    Told(Vec<Event>),
}

impl Game {
    pub(crate) fn new(at: u64, start: Chess, variant: Variant, rotated: bool, white_left: bool) -> Self {
        let history = History::new(at, Shown::new(start.board()), rotated);
        let hypotheses =
            vec![Hypothesis::start(&start, white_left, 0), Hypothesis::start(&start, !white_left, w::VERY_RARE)];
        let next = history.end();
        Self {
            start,
            variant,
            rotated,
            lines: Lines::new(),
            next,
            checkpoints: Checkpoints::new(next, &hypotheses),
            history,
            beam: Beam::new(hypotheses),
            certain: (next, 0),
            matched: next,
            blind: Bitboard::EMPTY,
            wide: false,
            poor_above: 0,
            touched_at: at,
            gap_at: None,
            clock_set_at: None,
            stopped_at: None,
            stopped_before: None,
            sign: None,
            untimed: None,
            poor_since: None,
            told: ROOT,
            told_at: at,
            followed: None,
            doubt: None,
            waits_for_log: false,
            before_gaps: Vec::new(),
            far: 0,
            next_start: None,
        }
    }

    /// Squares of which the likeliest hypothesis says that they report wrongly, or did.
    pub(crate) fn suspects(&self) -> Bitboard {
        self.beam.best().map_or(Bitboard::EMPTY, |best| best.suspect & !best.blind)
    }

    /// Whether the board shows another position than at the start.
    pub(crate) fn has_moved(&self) -> bool {
        !(self.history.shown().differs(self.start.board()) & !self.suspects()).is_empty()
    }

    /// Keeps the terms of costs from now on, where they are not kept yet.
    pub(crate) fn keep_terms(&mut self) {
        let ledger = Ledger::kept();
        // From the beginning White may sit on either side.
        let first = self.beam.best().map(|best| (best.white_left, best.cost));
        self.checkpoints.keep_terms(&ledger, first);
        for each in self.beam.hypotheses.iter_mut().filter(|each| !each.ledger.is_kept()) {
            each.ledger = ledger.clone();
            if let Some((_, least)) = first.filter(|&(white_left, _)| white_left != each.white_left) {
                each.ledger.note(Term::ClockTurned, each.cost - least, || 0);
            }
        }
    }

    /// Takes a message.
    pub(crate) fn observe(&mut self, at: u64, event: Event) {
        let end = self.history.end();
        let before = self.history.shown().clone();
        match event {
            Event::NeverRan => self.stopped_at = self.stopped_before.take(),
            Event::NoClock | Event::Set | Event::RanOn => self.stopped_at = None,
            Event::Gap { .. } => self.drop_next_start(),
            _ => {}
        }
        let dirty = self.history.take(at, event);
        if let Some(dirty) = dirty {
            self.rewind(dirty);
        }
        if let Some(sign) = self.sign.filter(|sign| sign.since == at) {
            self.untimed = Some(sign);
        }
        if self.history.end() == end {
            return;
        }
        if *self.history.shown() != before {
            self.touched_at = at;
        }
        let Some(seen) = self.history.last() else { return };
        let index = self.history.end() - 1;
        match seen.kind {
            Kind::Gap { .. } => self.gap_at = Some(seen.at),
            Kind::Stopped => self.stopped_at = Some(seen.at),
            Kind::Started => self.stopped_before = self.stopped_at.take(),
            _ => {}
        }
        self.far = self.far.max(seen.shown.differs(self.start.board()).count());
        // A piece made for the result is put on a free square. A damaged message shows one where another piece stands.
        let put_down = (seen.shown.odd() & before.occupied()).is_empty();
        let goes_on = |shows: &Shows| self.sign.is_some_and(|before| before.shows == *shows);
        let believed = |shows: &Shows| put_down || !matches!(shows, Shows::Piece(_)) || goes_on(shows);
        let sign = Shows::by(seen, self.dead()).filter(believed);
        self.sign = match (self.sign, sign) {
            (Some(before), Some(shows)) if before.shows == shows => Some(before),
            // It is the result, but the game is not over until the board's log has told its last moves.
            (Some(before), _) if self.waits_for_log && before.has_stood(seen.at) => Some(before),
            (_, Some(shows)) => Some(Sign { at: index, since: seen.at, shows }),
            (_, None) => None,
        };
        // How long it stood there out of reach is not known.
        if matches!(seen.kind, Kind::Gap { .. }) && self.sign.is_some() {
            self.untimed = self.sign;
        }
        self.catch_up();
    }

    /// Plies that are told.
    pub(crate) fn told_plies(&self) -> u32 {
        self.lines.depth(self.told)
    }

    /// Plies that are told, or would be if the order of the first ones were not open.
    pub(crate) fn begun_plies(&self) -> u32 {
        let open = self.beam.best().filter(|best| self.told == ROOT && best.sure == Some(ROOT));
        open.map_or(self.told_plies(), |best| self.lines.depth(best.line))
    }

    /// The result that was shown after the last ply, where the board was silent meanwhile and said all of it at once.
    pub(crate) fn untimed_sign(&self) -> Option<Sign> {
        self.untimed.filter(|sign| sign.at >= self.matched)
    }

    /// What the board's log tells from a place among the messages to the last gap, and about the next game, if it has begun then.
    pub(crate) fn splice(&mut self, told: &[Event], place: usize, next: Option<NextStart>) {
        if let Some(dirty) = self.history.splice(told, place) {
            self.gap_at = None;
            self.find_sign_again();
            if let Some(next) = next.or_else(|| self.next_start.take().map(|next| *next)) {
                let ends = |index: &usize| {
                    let pressed = |seen: &Observation| matches!(seen.kind, Kind::Press { .. }) && seen.at < next.since;
                    self.history.get(*index).is_some_and(pressed)
                };
                let pressed = (dirty..self.history.end()).rev().find(ends);
                self.await_end(NextStart { played_to: pressed.map_or(dirty, |index| index + 1), ..next });
            }
            self.rewind(dirty);
            self.catch_up();
        }
    }

    /// The dumps of so many last gaps were damaged.
    pub(crate) fn withdraw_gaps(&mut self, count: usize) {
        if let Some(dirty) = self.history.withdraw_gaps(count) {
            self.gap_at = None;
            self.drop_next_start();
            self.find_sign_again();
            self.rewind(dirty);
            self.catch_up();
        }
    }

    /// When the likeliest line was last what the board showed.
    pub(crate) fn matched_at(&self) -> Option<u64> {
        self.history.get(self.matched.checked_sub(1)?).map(|seen| seen.at)
    }

    /// Whether observations wait for the search to take them.
    pub(crate) fn is_behind(&self) -> bool {
        self.next < self.search_end()
    }

    /// How far the observations are searched.
    fn search_end(&self) -> usize {
        let end = self.history.end();
        self.next_start.as_ref().map_or(end, |next| next.played_to.min(end))
    }

    /// Begins again before an observation.
    fn rewind(&mut self, before: usize) {
        if self.next <= before {
            return;
        }
        self.checkpoints.back_to(before);
        if let Some(last) = self.checkpoints.last() {
            self.beam.hypotheses = self.hypotheses_at(last);
            self.next = last.next.max(self.history.first());
        }
        if self.certain.0 > self.next {
            self.certain = (self.next, self.beam.cost());
            self.history.settle(self.next);
            self.poor_above = 0;
        }
    }

    /// The hypotheses at a place to begin again from.
    fn hypotheses_at(&self, place: &Checkpoint) -> Vec<Hypothesis> {
        // Lines part late: what all have in common is played once.
        let common = place.hypotheses.iter().map(Kept::line).reduce(|one, other| self.lines.common(one, other));
        let shared = common.unwrap_or(ROOT);
        let position = self.position(shared);
        let beyond = |line| after(&position, &self.lines.moves_since(line, shared));
        place.hypotheses.iter().map(|each| each.hypothesis(beyond)).collect()
    }

    /// Takes observations until none is left, or a slice is done.
    pub(crate) fn catch_up(&mut self) {
        let end = self.search_end();
        self.run_to(end, w::SLICE);
    }

    /// Takes observations until none is left, or as much was done as for one that is hard to explain.
    pub(crate) fn catch_up_at_once(&mut self) {
        let end = self.search_end();
        self.run_to(end, w::OBSERVATION);
    }

    fn run_to(&mut self, end: usize, slice: u32) {
        let until = self.beam.expanded.saturating_add(u64::from(slice));
        while self.next < end && self.beam.expanded < until {
            let bound = if self.wide { w::WIDE } else { w::NARROW };
            self.note_stood();
            let off = self.beam.cost() > self.certain.1.saturating_add(w::RARE);
            let doubts = Doubts { off, faults: self.wide };
            let kind = self.history.get(self.next).map(|seen| seen.kind);
            if kind == Some(Kind::Started) {
                self.go_on_from_stop();
            }
            self.beam.take(&self.history, self.next, &self.start, &mut self.lines, bound, doubts);
            if kind == Some(Kind::Stopped) {
                self.checkpoints.note_stop(self.next + 1, &self.beam.hypotheses);
            }
            // A wide search leaves more room than it needs afterwards.
            self.beam.hypotheses.shrink_to(2 * bound);
            self.next += 1;
            self.note_certain();
            if self.next.is_multiple_of(w::EVERY) {
                self.checkpoints.note(self.next, &self.beam.hypotheses, self.history.first());
            }
            let cost = self.beam.cost();
            if !self.wide && cost > self.certain.1.saturating_add(w::POOR) && cost > self.poor_above {
                self.wide = true;
                self.rewind(self.certain.0.saturating_sub(w::STRETCH));
            }
        }
        if self.wide && self.next == self.history.end() {
            // What is poor still is so until something new makes it poorer.
            self.wide = false;
            let poor = self.beam.cost().saturating_sub(self.certain.1);
            self.poor_above = self.beam.cost().saturating_add(w::POOR + poor);
        }
        if self.lines.are_many() {
            self.forget_lines();
        }
    }

    /// The clock is started again by the next observation: where everything stands as when it was stopped, what was shown meanwhile was no
    /// play.
    fn go_on_from_stop(&mut self) {
        let stopped = |index: &usize| self.history.get(*index).is_some_and(|seen| seen.kind == Kind::Stopped);
        let last = (self.history.first()..self.next).rev().find(stopped);
        let place = self.checkpoints.stop().filter(|stop| last.is_some_and(|last| stop.next == last + 1));
        let (Some(place), Some(seen)) = (place, self.history.get(self.next)) else { return };
        let known = self.hypotheses_at(place);
        if known.first().is_some_and(|best| !best.off && best.differs_for_sure(seen).is_empty()) {
            self.beam.hypotheses = known;
        }
    }

    /// What stood there for a while before the next observation: where no press ends a ply, nothing else tells that it was one.
    fn note_stood(&mut self) {
        if self.history.get(self.next).is_some_and(|next| self.is_standing(next.at)) {
            self.note_matched();
        }
    }

    /// Whether the likeliest line has stood on the board for a while at a moment.
    pub(crate) fn is_standing(&self, now: u64) -> bool {
        let stands = self.seen().is_some_and(|seen| now.saturating_sub(seen.at) >= w::SETTLED_MS);
        stands && self.likeliest(now).is_some_and(Hypothesis::is_shown)
    }

    fn note_matched(&mut self) {
        self.matched = self.matched.max(self.next);
        // What the board has shown it may take back.
        self.beam.entered = 0;
    }

    fn note_certain(&mut self) {
        let Some(best) = self.beam.best() else { return };
        let last = self.next.checked_sub(1).and_then(|last| self.history.get(last));
        let ended = last.is_some_and(|seen| seen.kind != Kind::Board) && best.is_shown();
        if best.differs.is_empty()
            && self.beam.hypotheses.iter().all(|each| each.line == best.line || each.cost > best.cost + w::POOR)
            && best.sure.is_none()
        {
            self.certain = (self.next, best.cost);
            self.poor_above = 0;
            if best.illegal.is_none() && !best.off {
                self.history.settle(self.next);
            }
        }
        if ended {
            self.note_matched();
        }
    }

    /// Drops the lines that nothing uses any more.
    fn forget_lines(&mut self) {
        let doubt = self.doubt.as_mut().map(|(line, _)| line);
        let followed = self.followed.as_mut().map(|(told, line)| [told, line]);
        let of_game = [&mut self.told].into_iter().chain(doubt).chain(followed.into_iter().flatten());
        let of_beam = self.beam.hypotheses.iter_mut().flat_map(Hypothesis::lines_mut);
        self.lines.keep(of_game.chain(self.checkpoints.lines_mut()).chain(of_beam).collect());
    }

    /// Lines have stayed equal for too long: the likeliest is taken for what was played.
    pub(crate) fn decide_doubt(&mut self) {
        self.checkpoints.decide();
        self.beam.hypotheses.iter_mut().for_each(|each| (each.sure, each.rival) = (None, None));
    }

    /// The last observation.
    pub(crate) fn seen(&self) -> Option<&Observation> {
        self.history.get(self.next.checked_sub(1)?)
    }

    /// The position after a line.
    pub(crate) fn position(&self, line: NodeId) -> Chess {
        self.lines.position(&self.start, line)
    }

    /// The first observation after the clock stopped for good, and some time for what was on its way. A dump that comes before any
    /// change is none: it shows what stood there when the clock was stopped.
    pub(crate) fn after_stop(&self) -> Option<usize> {
        let until = self.stopped_at? + w::SETTLED_MS;
        (self.history.first()..self.history.end())
            .find(|&index| self.history.get(index).is_some_and(|seen| seen.at > until && !seen.dump))
    }

    /// The observation after the last one at which the likeliest line was what the board showed.
    pub(crate) fn matched_end(&self) -> usize {
        self.matched
    }

    /// The observation that shows the start of the next game after the board was out of reach: the one that it waits with, or the
    /// last one, if it is the first dump, and shows the start of a game that was far from it.
    pub(crate) fn start_after_gap(&self) -> Option<usize> {
        if let Some(next) = &self.next_start {
            let shows = |index: &usize| self.history.get(*index).is_some_and(|seen| seen.at >= next.since);
            return (self.history.first()..self.history.end()).find(shows);
        }
        let seen = self.history.last().filter(|seen| seen.kind.is_gap())?;
        let shown = seen.shown.differs(self.start.board()) & !self.suspects() & !self.dead();
        (self.is_far_from_start() && shown.is_empty()).then(|| self.history.end() - 1)
    }

    /// Whether it was so far from its start that pieces which stand there are those of the next game.
    pub(crate) fn is_far_from_start(&self) -> bool {
        self.far > w::MANY_SQUARES
    }

    /// Whether plies of it may have gone unseen just now, and its board's log may tell them.
    pub(crate) fn may_have_ended_unseen(&self) -> bool {
        self.is_far_from_start() && self.history.last().is_some_and(|seen| seen.kind.is_gap())
    }

    /// The next game waits to begin until it is known how this one ended.
    pub(crate) fn await_end(&mut self, next: NextStart) {
        self.next_start = Some(Box::new(next));
        self.waits_for_log = true;
    }

    /// What stood there after the last gap was not the next game's start, or another gap came after it.
    fn drop_next_start(&mut self) {
        if self.next_start.take().is_some() {
            self.waits_for_log = false;
        }
    }

    /// The log does not come any more.
    pub(crate) fn end_log_wait(&mut self) {
        match &mut self.next_start {
            Some(next) => next.log = NextLog::None,
            None => self.waits_for_log = false,
        }
    }

    /// These squares cannot be believed.
    pub(crate) fn declare_blind(&mut self, squares: Bitboard) {
        self.blind = squares;
        self.checkpoints.declare_blind(squares);
        for each in &mut self.beam.hypotheses {
            (each.faulty, each.blind) = (each.faulty | squares, squares);
        }
    }
}
