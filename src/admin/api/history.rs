//! The history of corrections.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::orders::Order;
use hall_clock::UtcMs;
use public_web::problem::CodedLine;

/// A part of the history.
#[derive(Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Page {
    /// Only corrections before the one with this number; the latest ones when missing.
    #[param(value_type = Option<i64>, minimum = 0, maximum = 4_294_967_295_i64)]
    pub(crate) before: Option<u32>,
}

/// A line of the history.
#[derive(Serialize, ToSchema)]
pub(crate) struct Line {
    /// When it was made: UTC milliseconds, hall time.
    pub(crate) at: UtcMs,
    /// Its author: an account, or a rule of the daemon.
    pub(crate) by: String,
    /// The reason, if one was given.
    pub(crate) reason: Option<String>,
    /// The correction.
    pub(crate) correction: Correction,
}

/// A correction, and how to undo it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Correction {
    /// Its number in the history, from 1.
    pub(crate) number: u32,
    /// What was done, without names of persons, in English.
    pub(crate) what: String,
    /// `what` as a sentence with its code.
    pub(crate) sentence: CodedLine,
    /// The game that it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) game: Option<String>,
    /// The order that undoes it; none when it cannot be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) undo: Option<Order>,
    /// The number of the correction that this one undoes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) undoes: Option<u32>,
}

impl From<tournament::Correction> for Correction {
    fn from(correction: tournament::Correction) -> Self {
        let tournament::Correction { number, what, game, undo, undoes } = correction;
        Self {
            number,
            what: what.to_string(),
            sentence: (*what).into(),
            game: game.as_deref().map(str::to_owned),
            undo: undo.map(|undo| undo.to_order().into()),
            undoes,
        }
    }
}
