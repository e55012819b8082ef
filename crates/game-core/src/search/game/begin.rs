//! How a game begins, and how it begins again where a record or a person says what was played.

use dgt_protocol::PieceCode;
use shakmaty::{Bitboard, Chess, Move, Position};

use super::Game;
use crate::search::checkpoints::Checkpoints;
use crate::search::history::{Event, History, shown_by};
use crate::search::hypothesis::Hypothesis;
use crate::search::line::{NodeId, ROOT, after};
use crate::search::shown::Shown;
use crate::search::terms::Term;
use crate::search::weights as w;

impl Game {
    /// What stands there when the game begins: some pieces may not stand where they belong at the start, or plies were made already.
    pub(crate) fn begin_with(&mut self, now: u64, fields: &[PieceCode; 64]) {
        let shown = shown_by(fields, self.rotated);
        let wrong = shown.differs(self.start.board());
        if wrong.is_empty() {
            return;
        }
        let mut assumed = self.beam.hypotheses.clone();
        for hypothesis in &mut assumed {
            let unknown = wrong & !hypothesis.suspect;
            (hypothesis.faulty, hypothesis.suspect) = (wrong, hypothesis.suspect | wrong);
            hypothesis.stuck = wrong & shown.occupied();
            let (term, cost) = if unknown.is_empty() { (Term::FaultAgain, w::OFTEN) } else { (Term::Lost, w::RARE) };
            hypothesis.pay(term, cost);
        }
        let misread: Vec<_> = assumed.iter().filter_map(|each| each.with_pieces_misread(wrong, &shown)).collect();
        self.beam.hypotheses.extend(assumed);
        self.beam.hypotheses.extend(misread);
        self.begin_here();
        self.observe(now, Event::Gap { fields: Box::new(*fields), late: Bitboard::EMPTY });
    }

    /// Whether no piece has been put anywhere yet; one may be in a hand.
    pub(crate) fn is_before_first_ply(&self) -> bool {
        let shown = self.history.shown();
        let put = shown.differs(self.start.board()) & shown.occupied() & !self.suspects();
        self.told == ROOT && put.is_empty()
    }

    /// The clock shows before the first ply at which of its sides the player to move sits.
    pub(crate) fn seat(&mut self, left_moves: bool) {
        let white_left = left_moves == self.start.turn().is_white();
        if self.told != ROOT || self.beam.hypotheses.iter().any(|each| each.line != ROOT) {
            return;
        }
        let least = self.beam.hypotheses.iter().map(|each| each.cost).min().unwrap_or(0);
        let turned = |each: &Hypothesis| if each.white_left == white_left { 0 } else { w::VERY_RARE };
        for each in &mut self.beam.hypotheses {
            let misread = if each.misread.misread().next().is_some() { w::RARE + w::OFTEN } else { 0 };
            let cost = least + turned(each) + if each.faulty.is_empty() { misread } else { w::RARE };
            each.pay(Term::ClockTurned, cost - each.cost);
        }
        self.beam.hypotheses.sort_by_key(|each| each.cost);
        self.begin_here();
    }

    /// Squares that reported wrongly in an earlier game.
    pub(crate) fn suspect(&mut self, squares: Bitboard) {
        self.beam.hypotheses.iter_mut().for_each(|each| each.suspect = squares);
        self.begin_here();
    }

    /// The game as a record knew it: its moves are told already.
    pub(crate) fn resume(&mut self, moves: &[Move]) {
        let (position, line) = self.after(moves);
        let at = self.history.last().map_or(0, |last| last.at);
        self.history = History::new(at, Shown::new(position.board()), self.rotated);
        for hypothesis in &mut self.beam.hypotheses {
            (hypothesis.position, hypothesis.line) = (position.clone(), line);
        }
        self.begin_here();
        self.told = line;
        self.far = self.history.shown().differs(self.start.board()).count();
    }

    /// The board shows this, whatever led there.
    pub(crate) fn show(&mut self, shown: Shown) {
        let at = self.history.last().map_or(0, |last| last.at);
        self.history = History::new(at, shown, self.rotated);
    }

    /// A person says what was played: that is the line, whatever was heard before.
    pub(crate) fn set_line(&mut self, moves: &[Move]) {
        let likeliest = self.beam.best().map(|best| (best.line, best.off));
        if let Some((line, false)) = likeliest
            && self.lines.moves(line).starts_with(moves)
            && self.lines.depth(self.told) as usize <= moves.len()
        {
            // It is the likeliest one already: no other one counts any more.
            let ordered = self.lines.ancestor(line, moves.len() as u32);
            self.beam.hypotheses.retain(|each| self.lines.begins_with(each.line, ordered));
            self.beam.hypotheses.iter_mut().for_each(|each| each.sure = None);
            self.begin_here();
            return;
        }
        let at = self.history.last().map_or(0, |last| last.at);
        let white_left = self.beam.best().is_none_or(|best| best.white_left);
        let (position, line) = self.after(moves);
        self.history.begin_again(at);
        let mut hypothesis = Hypothesis::start(&position, white_left, 0);
        (hypothesis.line, hypothesis.faulty, hypothesis.blind) = (line, self.blind, self.blind);
        self.restart(vec![hypothesis]);
        self.beam.entered = self.lines.depth(line);
    }

    /// The search begins again from here at the earliest.
    fn begin_here(&mut self) {
        self.checkpoints = Checkpoints::new(self.next, &self.beam.hypotheses);
    }

    fn restart(&mut self, hypotheses: Vec<Hypothesis>) {
        self.next = self.history.end();
        self.beam.hypotheses = hypotheses;
        if let Some(seen) = self.history.last() {
            self.beam.hypotheses.iter_mut().for_each(|each| each.compare(seen));
        }
        self.begin_here();
        (self.certain, self.matched, self.poor_above, self.gap_at) = ((self.next, 0), self.next, 0, None);
    }

    /// The position after moves from the start, and their line.
    fn after(&mut self, moves: &[Move]) -> (Chess, NodeId) {
        (after(&self.start, moves), self.lines.extended(ROOT, moves))
    }
}
