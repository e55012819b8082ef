//! What a person has to look at before the record can be trusted: entries are missing from it, or it was rebuilt.
//!
//! The notice is a file of the data folder, so that it outlives restarts and both the daemon and `boardcast rebuild --open`
//! can remove it. After a rebuild nothing is public until then. Must not know how entries were lost.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use journal::Notice;
use publish::gate::Gate;

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
    pub fn sentence(&self) -> Option<String> {
        let notice = self.notice.lock().unwrap_or_else(PoisonError::into_inner);
        let notice = notice.as_ref()?;
        let missing = notice.missing.join("; ");
        Some(if notice.rebuilt {
            let not_had = if notice.not_had.is_empty() { "nothing".to_owned() } else { notice.not_had.join("; ") };
            format!(
                "The journal was rebuilt and nothing is public yet. Not brought back: {not_had}. Look at the rounds, then open \
                 the broadcast (order «record reviewed», or `boardcast rebuild --open`)."
            )
        } else {
            format!(
                "Something is missing from the journal: {missing}. Stop the daemon and run `boardcast rebuild`, which takes \
                 from the captures what they have, or confirm that it can stay away (order «record reviewed», or \
                 `boardcast rebuild --open`)."
            )
        })
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
