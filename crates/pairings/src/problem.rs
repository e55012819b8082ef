//! What is wrong with a file of pairings, and where.

use std::fmt;

use coded_text::{CodedText, coded_texts};

coded_texts! {
    /// What is wrong with a file.
    pub enum FileProblem {
        Other { problem: String } = "file_problem", "{problem}";
    }
}

/// One thing that is wrong or should be checked, and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Problem {
    /// The file's name, once it is known.
    pub(crate) file: Option<String>,
    /// Line and column from 1, in characters; in a table the column counts cells.
    pub(crate) place: Option<(usize, usize)>,
    /// One sentence.
    pub(crate) reason: String,
}

impl Problem {
    /// At a line and a column.
    pub(crate) fn at(line: usize, column: usize, reason: impl Into<String>) -> Self {
        Self { file: None, place: Some((line, column)), reason: reason.into() }
    }

    /// Without a place.
    pub(crate) fn of(reason: impl Into<String>) -> Self {
        Self { file: None, place: None, reason: reason.into() }
    }

    /// With the name of its file, unless it has one.
    #[must_use]
    pub fn in_file(mut self, name: &str) -> Self {
        self.file.get_or_insert_with(|| name.to_owned());
        self
    }
}

impl Problem {
    /// The sentence with its code and parameters.
    pub fn coded(&self) -> CodedText {
        let problem = self.to_string();
        let end = if problem.ends_with('.') { "" } else { "." };
        FileProblem::Other { problem: problem + end }.coded()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}{}", if self.place.is_some() { ", " } else { ": " })?;
        }
        if let Some((line, column)) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.reason)
    }
}
