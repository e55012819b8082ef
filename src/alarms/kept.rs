//! The alarms about games that hold, kept over restarts in a small file of the data folder.
//!
//! Without the file, or with a damaged one, they are raised as new ones. Must not know what they are about.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use game_core::alarm::KeptAlarm;

use super::aside::Aside;
use crate::input_file::read_text;

/// The file's name.
const FILE: &str = "alarms.json";

/// Maximum size of the file in bytes: far above that of a thousand alarms.
const MAX_BYTES: u64 = 1024 * 1024;

/// How long the end of the daemon waits for a write.
const LAST_WRITE: Duration = Duration::from_secs(1);

/// The file and what is in it.
#[derive(Debug)]
pub(super) struct KeptAlarms {
    path: PathBuf,
    /// As they were written last, or are at the moment.
    alarms: Vec<KeptAlarm>,
    writing: Aside<()>,
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
        Self { path, alarms, writing: Aside::default() }
    }

    /// What is in the file.
    pub(super) fn alarms(&self) -> &[KeptAlarm] {
        &self.alarms
    }

    /// Writes the file when something has changed, beside the caller: a disk may be slow. What changes during a write is written by
    /// a later call; what cannot be written is tried again with the next change.
    pub(super) async fn keep(&mut self, alarms: Vec<KeptAlarm>) {
        self.writing.done().await;
        if alarms == self.alarms {
            return;
        }
        let (path, written) = (self.path.clone(), alarms.clone());
        let write = move || {
            if let Err(error) = save(&path, &written) {
                tracing::debug!(%error, "alarms are not kept: after a restart they are raised as new ones");
            }
        };
        if self.writing.begin(write) {
            self.alarms = alarms;
        }
    }

    /// Waits a moment for the last write.
    pub(super) async fn finish(&mut self) {
        if tokio::time::timeout(LAST_WRITE, self.writing.wait()).await.is_err() {
            tracing::debug!("the last alarms are not kept: the disk does not answer");
        }
    }
}

fn save(path: &Path, alarms: &[KeptAlarm]) -> io::Result<()> {
    let unfinished = path.with_extension("unfinished");
    std::fs::write(&unfinished, serde_json::to_string_pretty(alarms)?)?;
    std::fs::rename(unfinished, path)
}
