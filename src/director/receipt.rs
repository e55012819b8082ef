//! The result of an order: a receipt, or why it was not carried out.

use journal::JournalError;
use tournament::{Fact, Refusal};

/// The result of an order that was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The version after it, on which the next order may be based.
    pub version: u64,
    /// The facts it led to.
    pub facts: Vec<Fact>,
    /// Remarks for the operator.
    pub notes: Vec<String>,
}

/// Why an order was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// The rules of the tournament do not allow it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It is based on an older version.
    #[error("another person changed the tournament in the meantime: look at the change, then order again")]
    Stale,
    /// The journal cannot be written; nothing was changed.
    #[error("nothing was changed, because the journal cannot be written: free space on the disk and order again")]
    NotRecorded,
    /// The journal failed after the order was handed to it.
    #[error(
        "the change is made but not saved yet, because the journal cannot be written: free space on the disk; it is \
         saved as soon as the disk works again"
    )]
    NotDurable,
    /// The games concerned cannot be read.
    #[error("nothing was changed, because the journal cannot be read: check the disk")]
    Unreadable(#[source] JournalError),
    /// The program failed while it considered the order; nothing was changed.
    #[error("nothing was changed, because of an error in the program: {0}; please report it")]
    Failed(String),
    /// The daemon stops.
    #[error(
        "the daemon is stopping: when it runs again, check whether the change was made, then order again if needed"
    )]
    Stopped,
}
