//! The files of a folder of pairings: which there are at a moment, and what is in them.
//!
//! Must not know sections or orders.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use coded_text::CodedText;

use super::FolderText;
use crate::director::pairings_outcome::Files;
use crate::input_file::read_bytes;
use pairings::MAX_BYTES;
use tournament::PairingFile;

/// Names of files that an alarm repeats.
const NAMES: usize = 5;

/// The most files of one section.
const MOST_FILES: usize = 64;

/// An error with the folder of pairings and what to do.
pub(super) fn at(folder: &Path, error: &io::Error) -> io::Error {
    let sentence = format!(
        "the folder of pairings {} cannot be read ({error}): make it, check its permissions, or set another pairings_folder",
        folder.display()
    );
    io::Error::new(error.kind(), sentence)
}

/// Every place with its files.
pub(super) fn places(folder: &Path) -> io::Result<BTreeMap<Option<String>, Files>> {
    let mut places = BTreeMap::from([(None, Files::new())]);
    let at = |error: io::Error| at(folder, &error);
    for entry in std::fs::read_dir(folder).map_err(at)? {
        let entry = entry.map_err(at)?;
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
        if name.starts_with('.') {
            continue;
        }
        if entry.file_type().map_err(at)?.is_dir() {
            places.insert(Some(name), files(&entry.path())?);
        }
    }
    places.insert(None, files(folder)?);
    Ok(places)
}

/// The files of a folder, without those whose names begin with a dot: programs write what is not complete there.
fn files(folder: &Path) -> io::Result<Files> {
    let mut files = Files::new();
    let at = |error: io::Error| at(folder, &error);
    for entry in std::fs::read_dir(folder).map_err(at)?.take(MOST_FILES) {
        let entry = entry.map_err(at)?;
        let about = match entry.metadata() {
            Ok(about) => about,
            // Removed since the folder was listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(at(error)),
        };
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if about.is_file() && !hidden {
            files.insert(entry.path(), (about.len(), about.modified().map_err(at)?));
        }
    }
    Ok(files)
}

/// The first names of files.
pub(super) fn names(files: &Files) -> String {
    let names = files.keys().filter_map(|path| path.file_name()).map(|name| name.to_string_lossy());
    let mut shown: Vec<_> = names.take(NAMES).collect();
    shown.extend((files.len() > NAMES).then(|| "…".into()));
    shown.join(", ")
}

/// A file as pairings.
pub(super) fn read(path: &Path) -> Result<PairingFile, CodedText> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let bytes = read_bytes(path, MAX_BYTES)
        .map_err(|error| FolderText::Unreadable { file: name.to_string(), reason: error.to_string() }.coded())?;
    PairingFile::read(&name, &bytes).map_err(|problem| problem.coded())
}
