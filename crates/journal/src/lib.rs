//! The journal: the durable record of a broadcast, a SQLite database in the data folder.
//!
//! It keeps events of games, facts of the hall and facts of boards, and it is their only reader and writer. The
//! [`recorder`](start) commits [`Batch`]es through the [`Journal`] and appends the committed entries to the [`Feed`], which
//! is all that may be published. [`Reader`]s read at the same time. A commit is durable when it returns (write-ahead log,
//! synced at every commit).
//!
//! Must not know boards, recognition, or what the public sees.
//!
//! Where to start: `entry` for the vocabulary, `journal` and `journal/writer` for the way to the disk, `reader` for the
//! way back, `stored` for the JSON in the tables, `upgrade` and the `.sql` files for the schema.

mod archive;
mod backup;
mod check;
mod condition;
mod content_sum;
mod entry;
mod feed;
mod folder;
mod forget;
mod full;
mod history;
mod instants;
mod journal;
mod listing;
mod loss;
mod mark;
mod notice;
mod past_game;
mod position_times;
mod reader;
mod rebuild;
mod recorder;
mod releases;
mod rows;
mod stored;
#[cfg(test)]
mod tests;
mod upgrade;
mod upgrade_2;

use std::path::{Path, PathBuf};

pub use archive::Archive;
pub use backup::{BackupError, KeptFile};
pub use check::{Fault, Findings};
pub use condition::{Condition, Missing};
pub use entry::{Batch, BoardFact, Committed, NewBoardFact, NewEvent, NewFact, RecordedEvent, RecordedFact};
pub use feed::{Feed, FeedReader, Grown};
pub use folder::{DataFolder, JournalWatch};
pub use journal::Journal;
pub use loss::{Loss, Moment, RowKind, loss_entries};
pub use notice::Notice;
pub use past_game::PastGame;
pub use position_times::PositionTimes;
pub use reader::{BoardRecord, Past, PastRound, Reader};
pub use rebuild::{Captured, CapturedEvent, RebuildError, Rebuilt, rebuild};
pub use recorder::{RecorderHandle, WeakRecorder, start};
pub use releases::{Release, ReleaseKind, ReleasedRound};

/// The journal's file in the data folder.
pub const FILE: &str = "journal.sqlite";

/// Why the journal or its folder cannot be used.
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
        /// The error of the system.
        source: std::io::Error,
    },
    /// The disk with the data folder is full.
    #[error(
        "the disk with the data folder {} is full: make room on it (captures of boards and backups take the most) and start \
         again, or give a folder on another disk with --data",
        .0.display()
    )]
    DiskFull(PathBuf),
    /// Another process writes there.
    #[error(
        "the data folder {} is in use by another daemon: end that one, or give this one its own folder with --data",
        .0.display()
    )]
    InUse(PathBuf),
    /// There is no journal.
    #[error("{} holds no journal: give the data folder of a daemon with --data", .0.display())]
    Missing(PathBuf),
    /// There was a journal, and its main file is gone.
    #[error(
        "the journal {} is missing, but {trace} is there: run `boardcast rebuild` (with --pairings FILE when the games had \
         pairings), or restore the file from a backup, or move \
         {trace} away to begin a new journal",
        path.display()
    )]
    Lost {
        /// The file.
        path: PathBuf,
        /// What shows that there was a journal, in the data folder.
        trace: String,
    },
    /// The data folder belongs to another user.
    #[error(
        "{} may not be read by this user: run the command as the user of the daemon, with the package by \
         `sudo -u boardcast boardcast ...`",
        .0.display()
    )]
    Denied(PathBuf),
    /// A rebuild was interrupted.
    #[error("a rebuild of the journal in {} was interrupted: run `boardcast rebuild` again", .0.display())]
    Rebuilding(PathBuf),
    /// A newer version wrote it.
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
    /// An earlier version wrote it.
    #[error(
        "the journal {} has schema {found}, and this version reads schema {known}: start the daemon once, which brings it \
         to this schema",
        path.display()
    )]
    Older {
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
        "the journal {} cannot be opened: check its permissions and its disk; if it is damaged, `boardcast rebuild` makes it \
         anew from what is sound and the captures, or a backup can take its place",
        path.display()
    )]
    Closed {
        /// The file.
        path: PathBuf,
        /// The error of SQLite.
        source: rusqlite::Error,
    },
    /// It cannot be read or written at this moment.
    #[error(
        "the journal cannot be read or written: check the disk; if the journal is damaged, run `boardcast rebuild` or restore a \
         backup"
    )]
    Failed(#[from] rusqlite::Error),
    /// A newer version wrote an entry that this version does not know.
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
    #[error("the journal is damaged at {place}: run `boardcast rebuild`, or restore a backup")]
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
