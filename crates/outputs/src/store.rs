//! What outputs keep over restarts, in the data folder: the outputs that people added, and for each output what its consumer
//! acknowledged. Only the daemon's user can read the files, as they may hold tokens.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use hall_clock::UtcMs;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::queue::Memory;
use crate::settings::Settings;

/// The file of the outputs that people added.
const ADDED: &str = "outputs.json";

/// The folder with a file for each output.
const STATES: &str = "outputs";

/// Maximum size of a file in bytes.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// An output that a person added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Added {
    pub(crate) settings: Settings,
    /// The account.
    pub(crate) by: String,
    /// UTC milliseconds.
    pub(crate) at: UtcMs,
}

/// What is kept of one output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// Where it sent to: with another target everything is sent anew.
    pub(crate) target: String,
    /// The account that paused it; none while it works.
    pub(crate) paused_by: Option<String>,
    pub(crate) memory: Memory,
}

/// The files of the outputs below a data folder.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    folder: PathBuf,
}

impl Store {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The outputs that people added.
    pub(crate) fn added(&self) -> Vec<Added> {
        let path = self.folder.join(ADDED);
        read(&path).unwrap_or_else(|error| {
            tracing::error!(%error, "{} cannot be read: outputs that were added by hand are missing; restore or remove it", path.display());
            // Kept for a person: the next output that is added writes the file anew.
            let _ = fs::copy(&path, path.with_extension("json.damaged"));
            None
        }).unwrap_or_default()
    }

    pub(crate) fn keep_added(&self, added: &[Added]) -> io::Result<()> {
        write(&self.folder.join(ADDED), &added)
    }

    /// What is kept of an output.
    pub(crate) fn kept(&self, name: &str) -> Kept {
        let path = self.path_of(name);
        read(&path)
            .unwrap_or_else(|error| {
                tracing::warn!(%error, "{} cannot be read: the output sends everything again", path.display());
                None
            })
            .unwrap_or_default()
    }

    pub(crate) fn keep(&self, name: &str, kept: &Kept) -> io::Result<()> {
        fs::create_dir_all(self.folder.join(STATES))?;
        write(&self.path_of(name), kept)
    }

    pub(crate) fn forget(&self, name: &str) {
        let _ = fs::remove_file(self.path_of(name));
    }

    fn path_of(&self, name: &str) -> PathBuf {
        self.folder.join(STATES).join(format!("{name}.json"))
    }
}

/// Reads a file; none when there is none.
fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Option<T>> {
    let length = match fs::metadata(path) {
        Ok(about) => about.len(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if length > MOST_BYTES {
        return Err(io::Error::other("it is too large"));
    }
    Ok(Some(serde_json::from_slice(&fs::read(path)?)?))
}

/// Replaces a file in one step. A new temporary file is readable for its owner alone.
fn write(path: &Path, value: &impl Serialize) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(&serde_json::to_vec_pretty(value)?)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
