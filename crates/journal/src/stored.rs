//! The JSON documents of the journal: types of the journal's own, converted from and to the domain's.
//!
//! A renamed or restructured field of the domain, or of the HTTP API, breaks the conversion at compile time; it cannot
//! make a journal unreadable. The rules:
//!
//! * A document that is an object has its version as `v`; without it, it is of version 1. A document whose meaning
//!   changes gets the next version, and the form of the old version stays readable.
//! * Unknown fields are ignored: a newer version may add a field that older ones can do without. An unknown version,
//!   kind or word is [`FormError::Newer`].
//! * Scores, time controls and enumerations without data are stored as the texts in [`values`].
//!
//! Two things have no form here. The event of a game (`game_event.event`) keeps the JSON of `game_core`, which is a
//! contract of the program shared with the live feed and `replay --events`. Tags (`game_tags.tags`, `hall_text.tags`)
//! are an object of tag name to value. Must not know tables or rows.

mod author;
mod board;
mod correction;
mod fact;
mod moves;
mod person;
mod settings;
#[cfg(test)]
mod tests;
mod undo_version_1;
mod values;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

pub(crate) use author::{read_author, read_evidence, write_author, write_evidence};
pub(crate) use board::{read_board_fact, write_board_fact};
pub(crate) use fact::{read_fact, write_fact};
pub(crate) use person::{read_person, write_person};

/// Why a document cannot be read.
#[derive(Debug)]
pub(crate) enum FormError {
    /// It is no document of the journal.
    Damaged(serde_json::Error),
    /// A newer version of the program wrote it: the version, kind or word that is unknown.
    Newer(String),
}

impl From<serde_json::Error> for FormError {
    fn from(error: serde_json::Error) -> Self {
        Self::Damaged(error)
    }
}

impl FormError {
    fn damaged(reason: impl std::fmt::Display) -> Self {
        Self::Damaged(serde::de::Error::custom(reason))
    }
}

/// A document with its version.
#[derive(Serialize)]
struct Versioned<T> {
    v: u64,
    #[serde(flatten)]
    document: T,
}

/// A document of this version as JSON.
fn write<T: Serialize>(version: u64, document: T) -> serde_json::Result<String> {
    serde_json::to_string(&Versioned { v: version, document })
}

/// A document of a version up to `newest`.
fn read<T: DeserializeOwned>(json: &str, newest: u64) -> Result<T, FormError> {
    let document: Value = serde_json::from_str(json)?;
    match document.get("v").map(Value::as_u64) {
        Some(Some(version)) if version > newest => Err(FormError::Newer(format!("version {version}"))),
        Some(None) => Err(FormError::damaged("the version is not a number")),
        _ => Ok(serde_json::from_value(document)?),
    }
}
