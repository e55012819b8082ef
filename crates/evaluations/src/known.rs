//! What is known of positions, bounded in number: the oldest is forgotten first.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::score::Evaluation;

/// Positions that are remembered: about five megabytes.
const MOST: usize = 20_000;

/// Failures at a position after which it is left out: an engine that cannot search it is not started for it for ever.
const MOST_FAILURES: u8 = 2;

/// Evaluations by position.
#[derive(Debug, Default)]
pub(crate) struct Known {
    positions: HashMap<Arc<str>, Entry>,
    /// Oldest first.
    order: VecDeque<Arc<str>>,
}

#[derive(Clone, Copy, Debug)]
enum Entry {
    Evaluated(Evaluation),
    Failed(u8),
}

impl Known {
    /// The evaluation of a position.
    pub(crate) fn get(&self, fen: &str) -> Option<Evaluation> {
        match self.positions.get(fen)? {
            Entry::Evaluated(evaluation) => Some(*evaluation),
            Entry::Failed(_) => None,
        }
    }

    /// Whether a position is still to be evaluated.
    pub(crate) fn is_missing(&self, fen: &str) -> bool {
        match self.positions.get(fen) {
            None => true,
            Some(Entry::Evaluated(_)) => false,
            Some(Entry::Failed(times)) => *times < MOST_FAILURES,
        }
    }

    pub(crate) fn evaluated(&mut self, fen: &Arc<str>, evaluation: Evaluation) {
        self.keep(fen, Entry::Evaluated(evaluation));
    }

    pub(crate) fn failed(&mut self, fen: &Arc<str>) {
        let before = match self.positions.get(fen) {
            Some(Entry::Failed(times)) => *times,
            _ => 0,
        };
        self.keep(fen, Entry::Failed(before.saturating_add(1)));
    }

    /// A position that no engine could search.
    pub(crate) fn impossible(&mut self, fen: &Arc<str>) {
        self.keep(fen, Entry::Failed(MOST_FAILURES));
    }

    fn keep(&mut self, fen: &Arc<str>, entry: Entry) {
        if self.positions.insert(Arc::clone(fen), entry).is_some() {
            return;
        }
        self.order.push_back(Arc::clone(fen));
        if self.order.len() > MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.positions.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::score::Score;
    use super::*;

    #[test]
    fn the_oldest_position_is_forgotten_first() {
        let mut known = Known::default();
        let fens: Vec<Arc<str>> = (0..=MOST).map(|number| format!("position {number}").into()).collect();
        for fen in &fens {
            known.evaluated(fen, Evaluation { score: Score::Mate(1), depth: 1 });
        }
        assert_eq!((known.get(&fens[0]), known.get(&fens[1]).is_some()), (None, true));
        assert_eq!((known.positions.len(), known.order.len()), (MOST, MOST));
    }

    #[test]
    fn a_position_at_which_the_engine_fails_twice_is_left_out() {
        let (mut known, fen) = (Known::default(), "position".into());
        known.failed(&fen);
        assert!(known.is_missing(&fen));
        known.failed(&fen);
        assert!(!known.is_missing(&fen) && known.get(&fen).is_none());
        known.evaluated(&fen, Evaluation { score: Score::Centipawns(7), depth: 3 });
        assert_eq!(known.get(&fen).map(|known| known.depth), Some(3));
    }
}
