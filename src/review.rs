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

/// Losses that an alarm lists.
const LISTED: usize = 20;

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
        let sentence = if notice.rebuilt { HallSentence::RecordRebuilt } else { HallSentence::RecordMissing };
        Some(sentence.into())
    }

    /// The same, and what is missing or was not brought back; empty when there is nothing.
    pub(crate) fn sentences(&self) -> Vec<CodedText> {
        let Some(first) = self.sentence() else { return Vec::new() };
        let notice = self.notice.lock().unwrap_or_else(PoisonError::into_inner);
        let losses = notice.as_ref().map_or(&[][..], |one| if one.rebuilt { &one.not_had } else { &one.missing });
        let more = losses.len().saturating_sub(LISTED);
        let more = (more > 0).then(|| HallSentence::RecordMoreLost { more }.into());
        std::iter::once(first).chain(losses.iter().take(LISTED).cloned()).chain(more).collect()
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

#[cfg(test)]
mod tests {
    use std::fs;

    use journal::Loss;

    use super::*;

    fn after(notice: &Notice) -> Vec<CodedText> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("journal.sqlite-notice"), serde_json::to_string(notice).unwrap()).unwrap();
        Review::of(folder.path().to_owned()).sentences()
    }

    #[test]
    fn what_is_missing_is_said_in_sentences_with_codes() {
        let missing = vec![Loss::OlderCopy { until_moment: journal::Moment(1_700_000_000_000) }.coded()];
        let said = after(&Notice { missing: missing.clone(), ..Notice::default() });
        assert_eq!(said, [HallSentence::RecordMissing.coded(), missing[0].clone()]);
        assert!(said[1].english.ends_with("up to 2023-11-14 22:13:20 UTC."), "{}", said[1].english);
    }

    #[test]
    fn of_very_many_losses_the_first_are_said_and_how_many_follow() {
        let lost = (1..=LISTED + 3).map(|game| Loss::Players { game: format!("open-1-{game}") }.coded());
        let said = after(&Notice { rebuilt: true, not_had: lost.collect(), ..Notice::default() });
        assert_eq!((said.len(), &*said[0].code), (LISTED + 2, "alarm_record_rebuilt"));
        assert_eq!(said[LISTED + 1], HallSentence::RecordMoreLost { more: 3 }.coded());
    }
}
