//! What outputs keep over restarts, in the data folder: the outputs that people added, and for each output what its consumer
//! acknowledged. Only the daemon's user can read the files, as they may hold tokens.

use std::fs;
use std::io;
use std::path::PathBuf;

use hall_clock::UtcMs;
use serde::{Deserialize, Serialize};

use crate::json_file::{read, read_list, write, write_lasting};
use crate::queue::Memory;
use crate::settings::Settings;

/// The file of the outputs that people added.
const ADDED: &str = "outputs.json";

/// The folder with a file for each output.
const STATES: &str = "outputs";

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
        read_list(&self.folder.join(ADDED), "outputs that were added by hand")
    }

    pub(crate) fn keep_added(&self, added: &[Added]) -> io::Result<()> {
        write_lasting(&self.folder.join(ADDED), &added)
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
        let states = self.folder.join(STATES);
        // Not the data folder, which may be unmounted.
        if !states.is_dir() {
            fs::create_dir(states)?;
        }
        write(&self.path_of(name), kept)
    }

    pub(crate) fn forget(&self, name: &str) {
        let _ = fs::remove_file(self.path_of(name));
    }

    fn path_of(&self, name: &str) -> PathBuf {
        self.folder.join(STATES).join(format!("{name}.json"))
    }
}
