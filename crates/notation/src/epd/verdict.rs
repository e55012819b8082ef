//! Whether a record's answer solves its problem (EPD standard, 6.3, 6.4 and 7.5).

use super::record::Record;

/// Whether the answer of a record solves its problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The record has no problem: neither `bm` nor `am` has a move.
    NoProblem,
    /// The record has no answer: neither `pm` nor `pv` has a move.
    Unanswered,
    /// The answer is among the best moves, if there are any, and not among the moves to avoid.
    Solved,
    /// The answer is wrong.
    Missed,
}

impl Verdict {
    /// Judges a record.
    pub fn of(record: &Record) -> Self {
        let (best, avoid): (Vec<&str>, Vec<&str>) = (record.moves("bm").collect(), record.moves("am").collect());
        if best.is_empty() && avoid.is_empty() {
            return Self::NoProblem;
        }
        let Some(answer) = record.moves("pm").chain(record.moves("pv")).next() else {
            return Self::Unanswered;
        };
        let solved = (best.is_empty() || best.contains(&answer)) && !avoid.contains(&answer);
        if solved { Self::Solved } else { Self::Missed }
    }
}
