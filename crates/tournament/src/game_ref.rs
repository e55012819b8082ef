//! The name of a game across the program.

use std::sync::Arc;

/// The game an event belongs to, and where that game is found in the event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameRef {
    /// The game's id.
    pub game: Arc<str>,
    /// Slug of the event or section.
    pub event: Arc<str>,
    /// Round number, from 1.
    pub round: u32,
    /// Table number, from 1.
    pub table: u32,
}
