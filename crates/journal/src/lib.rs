//! The journal on disk: what happened, in a SQLite database of the data folder.
//!
//! One [`Journal`] writes, [`Reader`]s read beside it. A commit is durable when it returns (write-ahead log, synced at
//! every commit). Knows tables and files. Must not know who hands events in, nor who sees them.

pub mod archive;
pub mod backup;
pub mod check;
mod entry;
mod feed;
mod folder;
mod forget;
mod history;
mod instants;
mod journal;
mod listing;
pub mod position_times;
mod reader;
mod recorder;
mod rows;
mod stored;
#[cfg(test)]
mod tests;
mod upgrade;
mod upgrade_2;

use std::path::{Path, PathBuf};

pub use entry::{Batch, BoardFact, Committed, NewBoardFact, NewEvent, NewFact, RecordedEvent, RecordedFact};
pub use feed::{Feed, FeedReader};
pub use folder::DataFolder;
pub use journal::Journal;
pub use reader::{KnownBoard, Past, PastGame, PastRound, Reader};
pub use recorder::{RecorderHandle, start};

/// The journal's file in the data folder.
pub const FILE: &str = "journal.sqlite";

/// What is wrong with the journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The data folder cannot be used.
    #[error(
        "the data folder {} cannot be used: check its permissions and the space on its disk, or give another one with \
         --data",
        path.display()
    )]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Another process writes there.
    #[error(
        "the data folder {} is in use by another daemon: end that one, or give this one its own folder with --data",
        .0.display()
    )]
    InUse(PathBuf),
    /// There is no journal.
    #[error("{} holds no journal: give the data folder of a daemon with --data", .0.display())]
    Missing(PathBuf),
    /// A later version wrote it.
    #[error(
        "the journal {} has schema {found}, and this version knows schemas up to {known}: use the version that wrote \
         it, or a later one",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// The schema of this version.
        known: i64,
    },
    /// It is a database of another program.
    #[error("{} is not a journal of this program: move it away, or give another folder with --data", .0.display())]
    Foreign(PathBuf),
    /// It cannot be opened.
    #[error(
        "the journal {} cannot be opened: check its permissions and its disk; a backup can take its place",
        path.display()
    )]
    Closed {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// It cannot be read or written at this moment.
    #[error("the journal cannot be read or written: check the disk")]
    Failed(#[from] rusqlite::Error),
    /// A later version wrote something in it that this version does not know.
    #[error(
        "the journal was written by a newer version of boardcast (unknown {what} at {place}): use that version, or a \
         later one"
    )]
    NewerEntry {
        /// Table and row.
        place: String,
        /// What is unknown.
        what: String,
    },
    /// Something in it cannot be read.
    #[error("the journal is damaged at {place}: run `boardcast check`")]
    Damaged {
        /// Table and row.
        place: String,
        /// What is wrong there.
        source: serde_json::Error,
    },
}

/// Where the journal of a data folder is.
pub fn journal_path(data: &Path) -> PathBuf {
    data.join(FILE)
}
