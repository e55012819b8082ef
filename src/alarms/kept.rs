//! The alarms about games that hold, kept over restarts in a small file of the data folder.
//!
//! Without the file, or with a damaged one, they are raised as new ones. Must not know what they are about.

use std::io;
use std::path::{Path, PathBuf};

use game_core::alarm::KeptAlarm;

use crate::input_file::read_text;

/// The file's name.
const FILE: &str = "alarms.json";

/// Maximum size of the file in bytes: far above that of a thousand alarms.
const MAX_BYTES: u64 = 1024 * 1024;

/// The file and what is in it.
#[derive(Debug)]
pub(super) struct KeptAlarms {
    path: PathBuf,
    alarms: Vec<KeptAlarm>,
}

impl KeptAlarms {
    /// Reads the file, which may be missing.
    pub(super) fn open(data: &Path) -> Self {
        let path = data.join(FILE);
        let alarms = read_text(&path, MAX_BYTES).ok().map_or_else(Vec::new, |text| {
            serde_json::from_str(&text).unwrap_or_else(|error| {
                tracing::debug!(%error, "{} is damaged: alarms are raised as new ones", path.display());
                Vec::new()
            })
        });
        Self { path, alarms }
    }

    /// What is in the file.
    pub(super) fn alarms(&self) -> &[KeptAlarm] {
        &self.alarms
    }

    /// Writes the file when something has changed. What cannot be written is tried again with the next change.
    pub(super) fn keep(&mut self, alarms: Vec<KeptAlarm>) {
        if alarms == self.alarms {
            return;
        }
        self.alarms = alarms;
        if let Err(error) = self.save() {
            tracing::debug!(%error, "alarms are not kept: after a restart they are raised as new ones");
        }
    }

    fn save(&self) -> io::Result<()> {
        let unfinished = self.path.with_extension("unfinished");
        std::fs::write(&unfinished, serde_json::to_string_pretty(&self.alarms)?)?;
        std::fs::rename(unfinished, &self.path)
    }
}
