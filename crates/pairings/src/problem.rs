//! What is wrong with a file of pairings, and where.

mod reason;

use std::fmt;

use coded_text::{CodedText, Place};

pub use reason::FileProblem;

/// One thing that is wrong or should be checked, and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Problem {
    /// The file's name, once it is known.
    pub(crate) file: Option<String>,
    /// Line and column from 1, in characters; in a table the column counts cells.
    pub(crate) place: Option<(usize, usize)>,
    /// What is wrong.
    pub(crate) reason: FileProblem,
}

impl Problem {
    /// At a line and a column.
    pub(crate) fn at(line: usize, column: usize, reason: FileProblem) -> Self {
        Self { file: None, place: Some((line, column)), reason }
    }

    /// Without a place.
    pub(crate) fn of(reason: FileProblem) -> Self {
        Self { file: None, place: None, reason }
    }

    /// With the name of its file, unless it has one.
    #[must_use]
    pub fn in_file(mut self, name: &str) -> Self {
        self.file.get_or_insert_with(|| name.to_owned());
        self
    }

    /// Whether it says that a table names no round.
    pub fn is_round_not_named(&self) -> bool {
        matches!(self.reason, FileProblem::RoundNotNamed)
    }

    /// The sentence with its code, its parameters and its place.
    pub fn coded(&self) -> CodedText {
        self.reason.coded().at(Place { file: self.file.clone(), position: self.place })
    }
}

impl fmt::Display for Problem {
    /// As in the coded sentence, without a full stop.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.coded().english.trim_end_matches('.'))
    }
}
