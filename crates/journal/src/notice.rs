//! What a person has to look at: something is missing from the record, or it was rebuilt.
//!
//! A notice is a file beside the journal that stays until a person has looked: neither a restart nor an interrupted
//! rebuild removes it. Must not know the journal's tables.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use coded_text::CodedText;
use serde::{Deserialize, Serialize};

use super::mark::{beside, sync_folder_of};
use super::{Missing, journal_path};
use game_core::time::UtcMs;

/// What a person has to look at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Notice {
    /// Of what time it tells first, hall time.
    pub at: UtcMs,
    /// What is missing, one sentence each.
    #[serde(with = "sentences")]
    pub missing: Vec<CodedText>,
    /// From when to when something is missing, hall time; for a rebuild.
    pub windows: Vec<(UtcMs, UtcMs)>,
    /// Whether the journal was rebuilt: then nothing is public until a person has looked.
    pub rebuilt: bool,
    /// What the rebuild could not bring back, one sentence each.
    #[serde(with = "sentences")]
    pub not_had: Vec<CodedText>,
}

impl Notice {
    /// The notice of a data folder; none when there is nothing to look at. A notice that cannot be read counts as one of a
    /// rebuild.
    pub fn read(data: &Path) -> Option<Self> {
        let path = beside(&journal_path(data), "-notice");
        match fs::read(&path) {
            Ok(json) => {
                Some(serde_json::from_slice(&json).unwrap_or_else(|_| Self { rebuilt: true, ..Self::default() }))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                tracing::warn!(%error, "{} cannot be read: check its permissions", path.display());
                Some(Self { rebuilt: true, ..Self::default() })
            }
        }
    }

    /// Removes the notice: a person has looked.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(data: &Path) -> io::Result<()> {
        let path = beside(&journal_path(data), "-notice");
        match fs::remove_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
            Ok(()) => sync_folder_of(&path),
        }
    }

    /// Writes the notice of a journal, whole or not at all.
    pub(super) fn write(&self, journal: &Path) -> io::Result<()> {
        let path = beside(journal, "-notice");
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut part = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(&mut part, self)?;
        part.flush()?;
        part.as_file().sync_all()?;
        part.persist(&path)?;
        sync_folder_of(&path)
    }

    /// Adds what is missing to the notice of a journal; the same is said once.
    pub(super) fn add_missing(journal: &Path, missing: &Missing) -> io::Result<()> {
        let data = journal.parent().unwrap_or(Path::new("."));
        let mut notice = Self::read(data).unwrap_or_else(|| Self { at: missing.until, ..Self::default() });
        let sentence = missing.loss().coded();
        if !notice.missing.contains(&sentence) {
            notice.missing.push(sentence);
            // What went on from an older copy has other entries than those from here.
            let after = missing.after.filter(|_| missing.entries.is_some());
            notice.windows.push((after.unwrap_or(0), missing.until));
            notice.write(journal)?;
        }
        Ok(())
    }
}

/// Sentences as the file has them.
mod sentences {
    use coded_text::{CodedText, KeptText};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(sentences: &[CodedText], serializer: S) -> Result<S::Ok, S::Error> {
        sentences.iter().map(KeptText::from).collect::<Vec<_>>().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<CodedText>, D::Error> {
        Ok(Vec::<KeptText>::deserialize(deserializer)?.into_iter().map(CodedText::from).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Notice;
    use crate::loss::{Loss, RowKind};

    #[test]
    fn a_notice_keeps_its_sentences_with_their_codes() {
        let rows = Box::new(RowKind::Events.coded());
        let notice = Notice { not_had: vec![Loss::Rows { rows, count: 3 }.into()], rebuilt: true, ..Notice::default() };
        let read: Notice = serde_json::from_str(&serde_json::to_string(&notice).unwrap()).unwrap();
        assert_eq!(read, notice);
    }
}
