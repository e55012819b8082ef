//! Whether a record's answer solves its problem (EPD standard, 6.3, 6.4 and 7.5).

use super::Record;

/// What a record says about its own problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Neither `bm` nor `am` names a move: there is no problem.
    NoProblem,
    /// There is no answer, neither `pm` nor a move of `pv`.
    Unanswered,
    /// The answer is among the best moves, if any are named, and not among those to avoid.
    Solved,
    /// It is not.
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
