//! What became of the files of the pairings folder, as a small file beside them: the daemon writes it, `boardcast import` reads it.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::input_file::read_text;

/// Its name: files whose names begin with a dot are no pairings.
const NAME: &str = ".outcome.json";

/// Maximum size in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// Size and time of the last change of a file.
pub(super) type Seen = (u64, SystemTime);

/// The files of one place.
pub(super) type Files = BTreeMap<PathBuf, Seen>;

/// What became of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    /// They are loaded.
    Loaded,
    /// They wait for the answer to a question.
    Waits,
    /// They are refused.
    Refused,
    /// A person left them unloaded.
    Left,
}

/// What became of the files of one folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// What became of them.
    pub(crate) state: State,
    /// The sentences for the organiser.
    pub(crate) text: String,
    /// Name, size and time of the last change (nanoseconds since 1970) of each file.
    files: BTreeMap<String, (u64, u64)>,
}

impl Outcome {
    pub(super) fn of(state: State, text: String, files: &Files) -> Self {
        let files = files.iter().filter_map(|(path, seen)| Some((name(path)?, stamp(*seen))));
        Self { state, text, files: files.collect() }
    }

    /// Writes it into the folder.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        let unfinished = folder.join(format!("{NAME}.unfinished"));
        std::fs::write(&unfinished, serde_json::to_string(self)?)?;
        std::fs::rename(unfinished, folder.join(NAME))
    }

    /// What became of all these files of a folder, if they are as they were then and no other is there.
    pub(super) fn of_files(folder: &Path, files: &Files) -> Option<State> {
        let outcome = Self::read(folder)?;
        (outcome.files == Self::of(outcome.state, String::new(), files).files).then_some(outcome.state)
    }

    /// What became of this file of a folder as it is now; none while the daemon has not looked at it.
    pub(crate) fn of_file(folder: &Path, file: &Path) -> Option<Self> {
        let outcome = Self::read(folder)?;
        let about = file.metadata().ok()?;
        let now = stamp((about.len(), about.modified().ok()?));
        let known = outcome.files.get(&name(file)?).copied();
        (known == Some(now)).then_some(outcome)
    }

    fn read(folder: &Path) -> Option<Self> {
        serde_json::from_str(&read_text(&folder.join(NAME), MAX_BYTES).ok()?).ok()
    }
}

fn name(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.to_owned())
}

fn stamp((length, changed): Seen) -> (u64, u64) {
    let nanoseconds = changed.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    (length, u64::try_from(nanoseconds).unwrap_or(u64::MAX))
}
