//! Why an order is not carried out, and what a person has to confirm: sentences with code and parameters.

mod conflict;
mod invalid;
mod moves;
mod question;

use coded_text::{CodedText, Entry, joined};
use game_core::game::EditError;
use pairings::Problem;

use crate::correction_text::CorrectionText;
use crate::game_text::GameText;
use crate::note::Note;
use crate::subject::SubjectText;

pub use conflict::{Conflict, Missing, Stale};
pub use invalid::Invalid;
pub use question::Question;

/// Why an order changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// What the order names is not there.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// The order is never valid, whatever the state of the tournament.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// A file of pairings cannot be understood.
    #[error(transparent)]
    File(#[from] Problem),
    /// The order does not fit the state of the tournament.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// The same thing was changed after the person looked at it.
    #[error(transparent)]
    Stale(#[from] Stale),
    /// The order needs a confirmation.
    #[error("{} {}", joined(questions), Question::Confirm)]
    Unconfirmed {
        /// What the person has to confirm, a sentence each.
        questions: Vec<CodedText>,
    },
    /// A correction of moves cannot be made; when a later move would become illegal, it can with `cut`.
    #[error("{}", moves::text(.0))]
    Moves(EditError),
}

impl From<EditError> for Refusal {
    fn from(error: EditError) -> Self {
        Self::Moves(error)
    }
}

/// Kinds of refusals, for answers over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// What the order names does not exist.
    NotFound,
    /// It does not fit the state of the tournament, or needs a confirmation.
    Conflict,
    /// It is never valid.
    Invalid,
    /// The same thing was changed in between.
    Stale,
}

impl Refusal {
    /// Which kind it is.
    pub fn kind(&self) -> RefusalKind {
        match self {
            Self::Missing(_) => RefusalKind::NotFound,
            Self::Conflict(_) | Self::Unconfirmed { .. } | Self::Moves(EditError::Later { .. }) => {
                RefusalKind::Conflict
            }
            Self::Invalid(_) | Self::File(_) | Self::Moves(_) => RefusalKind::Invalid,
            Self::Stale(_) => RefusalKind::Stale,
        }
    }

    /// The sentence with its code and parameters. The questions of an order to be confirmed are apart
    /// ([`questions`](Self::questions)).
    pub fn coded(&self) -> CodedText {
        match self {
            Self::Missing(text) => text.coded(),
            Self::Invalid(text) => text.coded(),
            Self::File(problem) => problem.coded(),
            Self::Conflict(text) => text.coded(),
            Self::Stale(text) => text.coded(),
            Self::Unconfirmed { .. } => CodedText { english: self.to_string(), ..Question::Confirm.coded() },
            Self::Moves(error) => moves::text(error).coded(),
        }
    }

    /// What a person has to confirm; nothing for other refusals.
    pub fn questions(&self) -> &[CodedText] {
        match self {
            Self::Unconfirmed { questions } => questions,
            _ => &[],
        }
    }
}

/// Every sentence of this crate that has a code.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    let lists = [
        Missing::ENTRIES,
        Invalid::ENTRIES,
        Conflict::ENTRIES,
        Stale::ENTRIES,
        Question::ENTRIES,
        moves::MovesRefusal::ENTRIES,
        Note::ENTRIES,
        CorrectionText::ENTRIES,
        SubjectText::ENTRIES,
        GameText::ENTRIES,
    ];
    lists.into_iter().flatten()
}

/// A name or an id of an order, for a sentence about it.
pub(crate) fn shown(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_control()).take(80).collect()
}
