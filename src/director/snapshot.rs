//! The state of the tournament as its readers see it: a value that never changes.

use std::sync::Arc;

use tournament::{Hall, Persons};

/// The tournament after some fact, with every fact before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// Sections, rounds, games, tables, boards.
    pub hall: Arc<Hall>,
    /// Who the players are.
    pub persons: Arc<Persons>,
    /// Number of facts that people brought about; facts from boards do not count. An order may name the version that its
    /// author saw, and is refused when another author was faster.
    pub version: u64,
}
