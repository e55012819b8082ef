//! What a person has to look at before the record can be trusted: entries are missing from it, or it was rebuilt.
//!
//! The notice is a file of the data folder, so that it outlives restarts and both the daemon and `boardcast rebuild --open`
//! can remove it. After a rebuild nothing is public until then. Must not know how entries were lost.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use coded_text::CodedText;
use journal::Notice;
use publish::gate::Gate;

use crate::alarms::HallSentence;

/// The notice of a daemon; copies share it.
#[derive(Clone)]
pub struct Review {
    data: PathBuf,
    notice: Arc<Mutex<Option<Notice>>>,
    gate: Option<Gate>,
}

impl Review {
    /// The notice of a data folder as it is now.
    pub fn of(data: PathBuf) -> Self {
        let notice = Notice::read(&data);
        Self { data, notice: Arc::new(Mutex::new(notice)), gate: None }
    }

    /// The same with the gate that opens when a person has looked.
    #[must_use]
    pub fn with(self, gate: Gate) -> Self {
        Self { gate: Some(gate), ..self }
    }

    /// Whether nothing may be public yet.
    pub fn is_closed(&self) -> bool {
        self.notice.lock().unwrap_or_else(PoisonError::into_inner).as_ref().is_some_and(|notice| notice.rebuilt)
    }

    /// What there is to look at, and what to do; none when there is nothing.
    pub(crate) fn sentence(&self) -> Option<CodedText> {
        let notice = self.notice.lock().unwrap_or_else(PoisonError::into_inner);
        let notice = notice.as_ref()?;
        let sentence = if !notice.rebuilt {
            HallSentence::RecordMissing { missing: notice.missing.join("; ") }
        } else if notice.not_had.is_empty() {
            HallSentence::RecordRebuilt
        } else {
            HallSentence::RecordRebuiltPartly { not_had: notice.not_had.join("; ") }
        };
        Some(sentence.into())
    }

    /// A person has looked: removes the notice and opens the gate.
    ///
    /// # Errors
    /// When the notice cannot be removed; then everything stays as it is.
    pub fn done(&self) -> io::Result<()> {
        Notice::remove(&self.data)?;
        self.look_again();
        Ok(())
    }

    /// Opens the gate when the notice was removed by `boardcast rebuild --open`. Blocks on the file system.
    pub fn look_again(&self) {
        let mut notice = self.notice.lock().unwrap_or_else(PoisonError::into_inner);
        // A folder that is gone has no notice either; that says nothing.
        if notice.is_some() && self.data.is_dir() && Notice::read(&self.data).is_none() {
            *notice = None;
            tracing::info!("the record was looked at; everything is public again");
            if let Some(gate) = &self.gate {
                gate.open_to_public();
            }
        }
    }
}
