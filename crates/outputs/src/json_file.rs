//! JSON files in the data folder that a person can set right: read with a size limit, replaced in one step.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use serde::{Serialize, de::DeserializeOwned};

/// Maximum size of a file in bytes.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// Reads a file; none when there is none.
///
/// # Errors
/// When it cannot be read, is too large, or has something else in it.
pub fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Option<T>> {
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

/// Reads a list of `what`. One that cannot be read is kept under another name, because the next change writes the file anew.
pub fn read_list<T: DeserializeOwned>(path: &Path, what: &str) -> Vec<T> {
    let list = read(path).unwrap_or_else(|error| {
        tracing::error!(%error, "{} cannot be read: {what} are missing; restore or remove it", path.display());
        let _ = fs::copy(path, path.with_extension("json.damaged"));
        None
    });
    list.unwrap_or_default()
}

/// Replaces a file in one step. A new one is readable for its owner alone: tokens may be in it. After a power cut it may be empty:
/// what a person entered is written by [`write_lasting`].
///
/// # Errors
/// When the folder cannot be written to.
pub fn write(path: &Path, value: &impl Serialize) -> io::Result<()> {
    write_file(path, value, |_| Ok(()))
}

/// The same; returns when it is on the disk.
///
/// # Errors
/// When the folder cannot be written to.
pub fn write_lasting(path: &Path, value: &impl Serialize) -> io::Result<()> {
    write_file(path, value, fs::File::sync_all)
}

fn write_file(path: &Path, value: &impl Serialize, finish: impl FnOnce(&fs::File) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(&serde_json::to_vec_pretty(value)?)?;
    finish(file.as_file())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
