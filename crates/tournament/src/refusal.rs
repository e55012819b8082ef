//! Why an order is not carried out.

use game_core::game::EditError;

use pairings::Problem;

/// Why an order changes nothing: one clear sentence that says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// What the order names is not there.
    #[error("there is no {what} «{name}»: look at the list and order it again")]
    Missing {
        /// Game, player, round and the like.
        what: &'static str,
        /// As the order names it, shortened.
        name: String,
    },
    /// The order makes no sense, whatever stands.
    #[error("{0}")]
    Invalid(String),
    /// A file of pairings cannot be understood.
    #[error(transparent)]
    File(#[from] Problem),
    /// It does not go with what stands.
    #[error("{0}")]
    Conflict(String),
    /// Somebody changed the same thing in between.
    #[error("{0}")]
    Stale(String),
    /// It may be meant, or not.
    #[error("{}; to go ahead anyway, confirm", questions.join("; "))]
    Unconfirmed {
        /// What has to be looked at.
        questions: Vec<String>,
    },
    /// A correction of moves cannot be made; when a later move would become illegal, it can with `cut`.
    #[error(transparent)]
    Moves(#[from] EditError),
}

/// Kinds of refusals, for answers over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// There is no such thing.
    NotFound,
    /// It does not go with what stands, or has to be confirmed.
    Conflict,
    /// It makes no sense.
    Invalid,
    /// Somebody was quicker.
    Stale,
}

impl Refusal {
    /// Something named that is not there.
    pub(super) fn missing(what: &'static str, name: &str) -> Self {
        Self::Missing { what, name: name.chars().filter(|letter| !letter.is_control()).take(80).collect() }
    }

    /// Which kind it is.
    pub fn kind(&self) -> RefusalKind {
        match self {
            Self::Missing { .. } => RefusalKind::NotFound,
            Self::Conflict(_) | Self::Unconfirmed { .. } | Self::Moves(EditError::Later { .. }) => {
                RefusalKind::Conflict
            }
            Self::Invalid(_) | Self::File(_) | Self::Moves(_) => RefusalKind::Invalid,
            Self::Stale(_) => RefusalKind::Stale,
        }
    }
}
