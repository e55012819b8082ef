//! Sums of what rows hold: SQLite does not see a changed byte inside a value.
//!
//! `content_sum(...)` is a function of SQL, so that the statements that write a row and those that check it say the same.

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use sha2::{Digest, Sha256};

/// Tables whose rows have a sum: the table, the key of a row, and what the sum is made of.
pub(super) const SUMMED: [(&str, &str, &str); 6] = [
    (
        "game_event JOIN game ON game.key = game_event.game",
        "game_event.number",
        "game_event.number, game.id, game.event, game.round, at, committed_at, effective_at, author, evidence, \
         game_event.event, step",
    ),
    ("game_tags", "number", "number, tags"),
    ("hall_event", "number", "number, committed_at, effective_at, author, fact"),
    ("hall_text", "number", "number, reason, tags"),
    ("board_event", "number", "number, at, board, fact"),
    ("person", "id", "id, person"),
];

/// Makes the function known to a connection.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("content_sum", -1, flags, |values| Ok(sum(values)))
}

/// The first eight bytes of a SHA-256 over all values with their types and lengths.
fn sum(values: &Context<'_>) -> i64 {
    let mut hash = Sha256::new();
    for index in 0..values.len() {
        let mut add = |kind: u8, bytes: &[u8]| {
            hash.update([kind]);
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        match values.get_raw(index) {
            ValueRef::Null => add(0, &[]),
            ValueRef::Integer(number) => add(1, &number.to_le_bytes()),
            ValueRef::Real(number) => add(2, &number.to_le_bytes()),
            ValueRef::Text(text) => add(3, text),
            ValueRef::Blob(blob) => add(4, blob),
        }
    }
    hash.finalize().first_chunk().map_or(0, |bytes| i64::from_le_bytes(*bytes))
}
