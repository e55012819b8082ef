//! The last traffic of a board.

use serde::Serialize;
use utoipa::ToSchema;

/// The last traffic of a board, the newest line last.
#[derive(Serialize, ToSchema)]
pub(crate) struct Traffic {
    /// Serial number of the board.
    pub(crate) board: String,
    /// At most 500 lines.
    pub(crate) lines: Vec<TrafficLine>,
}

/// What came or went at one instant.
#[derive(Serialize, ToSchema)]
pub(crate) struct TrafficLine {
    /// The instant: milliseconds since 1970, UTC.
    pub(crate) at: u64,
    /// Who sent it.
    pub(crate) from: Sender,
    /// The bytes in hexadecimal; empty for an input that is not bytes.
    pub(crate) bytes: String,
    /// What the messages mean that end here, in English.
    pub(crate) means: Vec<String>,
}

/// Who sent something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sender {
    /// The board.
    Board,
    /// The daemon, to the board.
    Daemon,
    /// Another input of the board's session: a cable, an assignment, an order of a person.
    Session,
}
