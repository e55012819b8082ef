//! Answers to orders and to previews of orders.

use coded_text::CodedText;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::facts::Fact;
use crate::director::Receipt;
use public_web::problem::CodedLine;

/// The reason of an order.
#[derive(Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Why {
    /// The reason, for the history.
    #[param(max_length = 500)]
    pub(crate) reason: Option<String>,
    /// The version of the hall that was shown: the order is refused (412, code `changed`) if another order has changed since what
    /// it would change.
    pub(crate) seen: Option<u64>,
}

/// The effects of an order.
#[derive(Serialize, ToSchema)]
pub(crate) struct Done {
    /// The version of the hall after the order.
    pub(crate) version: u64,
    /// The recorded facts.
    pub(crate) facts: Vec<Fact>,
    /// Notes for the operator.
    pub(crate) notes: Vec<CodedLine>,
}

/// The effects that an order would have.
#[derive(Serialize, ToSchema)]
pub(crate) struct Preview {
    /// Changes and notes for the operator.
    pub(crate) notes: Vec<CodedLine>,
    /// Warnings to be confirmed; without any, the order needs no `confirm`.
    pub(crate) questions: Vec<CodedLine>,
}

impl From<Receipt> for Done {
    fn from(Receipt { version, facts, notes }: Receipt) -> Self {
        Self { version, facts: facts.into_iter().map(Into::into).collect(), notes: lines(notes) }
    }
}

impl From<tournament::Preview> for Preview {
    fn from(tournament::Preview { notes, questions }: tournament::Preview) -> Self {
        Self { notes: lines(notes), questions: lines(questions) }
    }
}

fn lines(texts: Vec<CodedText>) -> Vec<CodedLine> {
    texts.into_iter().map(CodedLine::from).collect()
}
