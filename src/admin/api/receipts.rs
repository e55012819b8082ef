//! What an order led to, or would lead to.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::facts::Fact;
use crate::director::Receipt;

/// Why something is ordered.
#[derive(Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Why {
    /// Why, for the history.
    #[param(max_length = 500)]
    pub(crate) reason: Option<String>,
}

/// What an order led to.
#[derive(Serialize, ToSchema)]
pub(crate) struct Done {
    /// What the next order may be based on: the version of the hall after it.
    pub(crate) version: u64,
    /// What became true.
    pub(crate) facts: Vec<Fact>,
    /// What the operator should know.
    pub(crate) notes: Vec<String>,
}

/// What an order would lead to.
#[derive(Serialize, ToSchema)]
pub(crate) struct Preview {
    /// What would change, and what the operator should know.
    pub(crate) notes: Vec<String>,
    /// What would have to be confirmed; the order needs no `confirm` when there is none.
    pub(crate) questions: Vec<String>,
}

impl From<Receipt> for Done {
    fn from(Receipt { version, facts, notes }: Receipt) -> Self {
        Self { version, facts: facts.into_iter().map(Into::into).collect(), notes }
    }
}

impl From<tournament::Preview> for Preview {
    fn from(tournament::Preview { notes, questions }: tournament::Preview) -> Self {
        Self { notes, questions }
    }
}
