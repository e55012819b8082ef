//! What the likeliest lines say of a game: what they have in common, how sure it is, and what is told of it in the end.

use shakmaty::{Bitboard, Board, Color, Position};

use super::Game;
use crate::search::history::{Kind, Observation};
use crate::search::hypothesis::{Hypothesis, count};
use crate::search::line::{NodeId, ROOT};
use crate::search::shown::Shown;
use crate::search::tell::is_stuck;
use crate::search::weights::{self as w, Cost};

impl Game {
    /// Whether the best hypothesis costs much more than at the last certain position.
    pub(crate) fn is_dear(&self) -> bool {
        self.beam.cost() > self.certain.1.saturating_add(w::POOR)
    }

    /// Whether the last ply of the likeliest line stood there when the game was joined, or in the first dump after a gap.
    pub(crate) fn stood_from_the_beginning(&self) -> bool {
        let best = self.beam.best();
        self.gap_at.zip(best).is_some_and(|(at, best)| best.ply_at <= at)
    }

    /// What the likeliest line has in common with those that are as likely, or with what was told; none where nothing else is.
    pub(crate) fn common_of_equals(&self) -> Option<NodeId> {
        let best = self.beam.best()?;
        if !self.lines.begins_with(best.line, self.told) {
            return Some(self.lines.common(best.line, self.told));
        }
        best.sure.or_else(|| self.agreed().filter(|&agreed| agreed != best.line))
    }

    /// The likeliest line without its last two plies, which may still be in the making, if it goes on from what was told.
    pub(crate) fn likeliest_done(&self) -> Option<NodeId> {
        let best = self.beam.best()?;
        let done = self.lines.ancestor(best.line, self.lines.depth(best.line).saturating_sub(2));
        (done != self.told && self.lines.begins_with(done, self.told)).then_some(done)
    }

    /// The hypothesis that is likeliest at a moment.
    pub(crate) fn likeliest(&self, now: u64) -> Option<&Hypothesis> {
        let seen = self.seen()?;
        self.beam.hypotheses.iter().min_by_key(|each| each.cost_at(now, seen))
    }

    /// How long the board may stay unexplained before arbiters are told: players may hold what is only missing.
    pub(crate) fn patience_ms(&self, now: u64) -> u64 {
        let Some(seen) = self.seen() else { return w::PATIENCE_MS };
        let in_hand = self
            .likeliest(now)
            .is_some_and(|best| best.illegal.is_none() && (best.differs & seen.shown.occupied()).is_empty());
        if in_hand { w::IN_HAND_MS } else { w::PATIENCE_MS }
    }

    /// Whether the likeliest hypothesis is hardly likelier than one with another line.
    pub(crate) fn is_open(&self, best: &Hypothesis) -> bool {
        !best.differs.is_empty() || self.agreed() != Some(best.line)
    }

    /// What all hypotheses have that are near to the best.
    pub(crate) fn agreed(&self) -> Option<NodeId> {
        let costs: Vec<Cost> = self.beam.hypotheses.iter().map(|each| each.cost).collect();
        self.beam.agreed(&costs, w::RARE, &self.lines)
    }

    /// The likeliest line up to an observation, as if nothing had been heard after it.
    pub(crate) fn line_before(&mut self, end: usize) -> NodeId {
        let end = end.clamp(self.history.first() + 1, self.history.end());
        if self.next > end {
            self.wide = false;
            self.rewind(end.saturating_sub(1));
        }
        self.wide = true;
        // All of it in one call: each observation gets its part.
        let ahead = end.saturating_sub(self.next);
        self.beam.limit = w::OBSERVATION / ahead.max(1) as u32;
        self.run_to(end, u32::MAX);
        (self.wide, self.beam.limit) = (false, w::OBSERVATION);
        let ending = self.ending(end);
        // What was told stays unless another line is likelier by what telling asks for, or it cannot go on.
        let other = |each: &Hypothesis| !self.lines.begins_with(each.line, self.told);
        let stays = if is_stuck(self) { 0 } else { w::RARE };
        let cost = |each: &Hypothesis| ending.cost(each) + if other(each) { stays } else { 0 };
        let Some(best) = self.beam.hypotheses.iter().min_by_key(|each| cost(each)) else { return ROOT };
        if ahead > w::WIDE_PLACES * w::EVERY && self.beam.hypotheses.iter().all(other) {
            // The search had begun all of the game again: in so small parts it loses the line, which refutes nothing.
            return self.told;
        }
        if (best.faulty | best.lost).is_empty() {
            return best.line;
        }
        // Of what stands on squares that are not believed, or of which a message was lost, only what all likely lines say.
        let costs: Vec<Cost> = self.beam.hypotheses.iter().map(|each| ending.cost(each)).collect();
        let agreed = self.beam.agreed(&costs, w::RARE, &self.lines).unwrap_or(ROOT);
        let common = self.lines.common(agreed, best.line);
        // What was played on for longer is told all the same: a record does not end because of one doubtful ply.
        let beyond = self.lines.depth(best.line) - self.lines.depth(common);
        if beyond > w::BORNE_OUT { best.line } else { common }
    }

    /// What the last observation before another one says of each line.
    fn ending(&self, end: usize) -> Ending<'_> {
        let last = end.checked_sub(1).and_then(|last| self.history.get(last));
        let until = self.history.get(end).or(last).map_or(0, |next| next.at);
        Ending { last, until, corrected: self.corrected_after(end) }
    }

    /// What the first dump from an observation on shows, and the squares of which only it says that they had shown something else
    /// before: messages were lost or damaged. Nothing where other pieces than kings were touched first, which show a result.
    fn corrected_after(&self, end: usize) -> Option<(Shown, Bitboard)> {
        let last = self.history.get(end.checked_sub(1)?)?;
        let before = &last.shown;
        let kings_of = |shown: &Shown| shown.kings(Color::White) | shown.kings(Color::Black);
        let mut kings = kings_of(before);
        for seen in (end..self.history.end()).filter_map(|index| self.history.get(index)) {
            kings |= kings_of(&seen.shown);
            // Moves may have been made out of reach. Of two dumps one is damaged.
            if seen.kind.is_gap() && !last.dump {
                return None;
            }
            if seen.dump {
                let corrected = seen.shown.differs_from(before) & !kings;
                return corrected.any().then(|| (seen.shown.clone(), corrected));
            }
            if (seen.touched & !kings).any() {
                return None;
            }
        }
        None
    }

    /// What stood there before an observation, and the side to move as far as the clock told, if no line has led there since moves
    /// went unseen.
    pub(crate) fn unseen_before(&self, end: usize, line: NodeId) -> Option<(Board, Color)> {
        let gap_at = self.gap_at?;
        let matched = self.matched.checked_sub(1).and_then(|index| self.history.get(index));
        let seen = self.history.get(end.checked_sub(1)?).filter(|_| matched.is_none_or(|seen| seen.at < gap_at))?;
        let position = self.position(line);
        if seen.shown.differs(position.board()).count() <= w::FEW_SQUARES {
            return None;
        }
        let white_left = self.beam.best().is_none_or(|best| best.white_left);
        let left_runs = |index| match self.history.get(index)?.kind {
            Kind::Press { left, .. } => Some(!left),
            Kind::Lever { left_runs } => Some(left_runs),
            _ => None,
        };
        let left_runs = (self.history.first()..end).rev().find_map(left_runs);
        let turn = left_runs.map_or(position.turn(), |left| Color::from_white(left == white_left));
        Some((seen.shown.board(), turn))
    }
}

/// What is heard at the end of a game, and corrected after it.
struct Ending<'a> {
    last: Option<&'a Observation>,
    /// Until when presses could come.
    until: u64,
    /// What a dump showed after it, and on which squares messages before it had been wrong.
    corrected: Option<(Shown, Bitboard)>,
}

impl Ending<'_> {
    /// The cost of a line that ends here: what stands there in the end counts whole, and no ply comes any more for a press that has
    /// none.
    fn cost(&self, each: &Hypothesis) -> Cost {
        let cost = self.last.map_or(each.cost, |seen| each.cost_at(self.until, seen));
        // A piece that is said to stand unseen and shows on another square was put there.
        let elsewhere = self.last.is_some_and(|seen| each.shows_elsewhere(&seen.shown));
        let refuted = self
            .corrected
            .as_ref()
            .map_or(0, |(shown, corrected)| count(each.differs_from(shown) & *corrected & !each.faulty));
        cost + each.open_presses() + count(each.differs) * w::SELDOM + (Cost::from(elsewhere) + refuted) * w::VERY_RARE
    }
}
