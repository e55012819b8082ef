//! The result of an order: a receipt, or why it was not carried out.

use coded_text::{CodedText, Instant, coded_texts};
use journal::JournalError;
use tournament::{Fact, Refusal};

use super::changes::Change;

/// The result of an order that was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The version after it, on which the next order may be based.
    pub version: u64,
    /// The facts it led to.
    pub facts: Vec<Fact>,
    /// Remarks for the operator.
    pub notes: Vec<CodedText>,
}

coded_texts! {
    /// Why an order was not carried out, apart from the rules of the tournament.
    pub(crate) enum Failure {
        Stale = "stale",
            "Another person changed the tournament in the meantime: look at the change, then order again.";
        Changed { by: String, at: Instant, what: Box<CodedText> } = "changed",
            "{by} changed this at {at} ({what}): look at it, then keep that or overwrite it.";
        NotRecorded = "not_recorded",
            "Nothing was changed, because the journal cannot be written: free space on the disk and order again.";
        NotDurable = "not_durable",
            "The change is made but not saved yet, because the journal cannot be written: free space on the disk; it is saved as \
             soon as the disk works again.";
        Unreadable = "unreadable", "Nothing was changed, because the journal cannot be read: check the disk.";
        Failed { reason: String } = "failed",
            "Nothing was changed, because of an error in the program: {reason}; please report it.";
        Stopped = "stopped",
            "The daemon is stopping: when it runs again, check whether the change was made, then order again if needed.";
    }
}

/// Why an order was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// The rules of the tournament do not allow it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It is based on an older version.
    #[error("{}", Failure::Stale)]
    Stale,
    /// Another person changed the same after the author of the order looked at it.
    #[error("{}", changed(.0))]
    Changed(Change),
    /// The journal cannot be written; nothing was changed.
    #[error("{}", Failure::NotRecorded)]
    NotRecorded,
    /// The journal failed after the order was handed to it.
    #[error("{}", Failure::NotDurable)]
    NotDurable,
    /// The games concerned cannot be read.
    #[error("{}", Failure::Unreadable)]
    Unreadable(#[source] JournalError),
    /// The program failed while it considered the order; nothing was changed.
    #[error("{}", failed(.0))]
    Failed(String),
    /// The daemon stops.
    #[error("{}", Failure::Stopped)]
    Stopped,
}

impl OrderError {
    /// The sentence with its code and parameters.
    pub(crate) fn coded(&self) -> CodedText {
        match self {
            Self::Refused(refusal) => refusal.coded(),
            Self::Stale => Failure::Stale.coded(),
            Self::Changed(change) => changed(change).coded(),
            Self::NotRecorded => Failure::NotRecorded.coded(),
            Self::NotDurable => Failure::NotDurable.coded(),
            Self::Unreadable(_) => Failure::Unreadable.coded(),
            Self::Failed(reason) => failed(reason).coded(),
            Self::Stopped => Failure::Stopped.coded(),
        }
    }
}

pub(super) fn failed(reason: &str) -> Failure {
    Failure::Failed { reason: reason.to_owned() }
}

pub(crate) fn changed(Change { by, at, what, .. }: &Change) -> Failure {
    Failure::Changed { by: by.clone(), at: Instant(*at), what: what.clone() }
}
