//! The history of corrections.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::orders::Order;
use hall_clock::UtcMs;

/// Which part of the history.
#[derive(Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Page {
    /// Only what was corrected before this number of a correction; the latest ones when missing.
    #[param(value_type = Option<i64>, minimum = 0, maximum = 4_294_967_295_i64)]
    pub(crate) before: Option<u32>,
}

/// A line of the history.
#[derive(Serialize, ToSchema)]
pub(crate) struct Line {
    /// When, UTC milliseconds of the hall's clock.
    pub(crate) at: UtcMs,
    /// Who: an account, or the rule that brought it about.
    pub(crate) by: String,
    /// Why, if somebody said so.
    pub(crate) reason: Option<String>,
    /// What, and what takes it back.
    pub(crate) correction: Correction,
}

/// A correction, and how it is taken back.
#[derive(Serialize, ToSchema)]
pub(crate) struct Correction {
    /// Counts the corrections of the hall, from 1.
    pub(crate) number: u32,
    /// What was done, without a person's name.
    pub(crate) what: String,
    /// The game that it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) game: Option<String>,
    /// What takes it back; none when nothing can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) undo: Option<Order>,
    /// The correction that this one took back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) undoes: Option<u32>,
}

impl From<tournament::Correction> for Correction {
    fn from(correction: tournament::Correction) -> Self {
        let tournament::Correction { number, what, game, undo, undoes } = correction;
        Self { number, what, game: game.as_deref().map(str::to_owned), undo: undo.map(Into::into), undoes }
    }
}
