//! Why an order is not carried out.

use game_core::game::EditError;

use pairings::Problem;

/// Why an order changes nothing, in plain sentences that say what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// What the order names is not there.
    #[error("There is no {what} \"{name}\": check the list and try again.")]
    Missing {
        /// Game, player, round and the like.
        what: &'static str,
        /// As the order names it, shortened.
        name: String,
    },
    /// The order is never valid, whatever the state of the tournament.
    #[error("{0}")]
    Invalid(String),
    /// A file of pairings cannot be understood.
    #[error(transparent)]
    File(#[from] Problem),
    /// The order does not fit the state of the tournament.
    #[error("{0}")]
    Conflict(String),
    /// The same thing was changed after the person looked at it.
    #[error("{0}")]
    Stale(String),
    /// The order needs a confirmation.
    #[error("{} To go ahead anyway, confirm.", questions.join(" "))]
    Unconfirmed {
        /// What the person has to confirm, a sentence each.
        questions: Vec<String>,
    },
    /// A correction of moves cannot be made; when a later move would become illegal, it can with `cut`.
    #[error(transparent)]
    Moves(#[from] EditError),
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
    /// For something that does not exist.
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
