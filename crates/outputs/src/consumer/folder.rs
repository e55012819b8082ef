//! A folder in the layout that LiveChess writes, for programs that watch one: `tournament.json`, and for each round
//! `round-N/index.json`, `games.pgn`, `game-K.pgn` and `game-K.json`.
//!
//! Each file is replaced in one step. Only files that this output wrote are removed.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use bytes::Bytes;
use coded_text::CodedText;
use publish::bodies::etag_of;

use crate::consumer::{Consumer, Delivered, Job};
use crate::queue::{Failure, Parcel};
use crate::sentence::OutputSentence;
use crate::settings::FolderTarget;
use crate::wanted::{Wanted, WantedRound};

/// The tournament.
const TOURNAMENT: &str = "tournament.json";

/// A folder in the layout of LiveChess.
pub(super) struct Folder {
    target: FolderTarget,
    /// Whether the sizes of the files are known to be right.
    measured: bool,
}

impl Folder {
    pub(super) fn new(target: FolderTarget) -> Self {
        Self { target, measured: false }
    }

    fn path(&self) -> String {
        self.target.path.display().to_string()
    }

    /// Why there is no folder; none where there is one.
    fn missing(&self) -> Option<OutputSentence> {
        let path = self.path();
        match fs::metadata(&self.target.path) {
            Ok(about) if about.is_dir() => None,
            Ok(_) => Some(OutputSentence::FileForFolder { path }),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                Some(OutputSentence::FolderDenied { path, reason: error.to_string() })
            }
            Err(_) => Some(OutputSentence::FolderMissing { path }),
        }
    }

    /// Why the file of a key could not be written or removed.
    fn failure(&self, error: &io::Error, key: &str) -> Failure {
        let (path, reason) = (self.path(), reason(error));
        let sentence = self.missing().or_else(|| self.in_the_way(key));
        Failure::unreachable(sentence.unwrap_or_else(|| match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => OutputSentence::FolderFull { path, reason },
            io::ErrorKind::ReadOnlyFilesystem => OutputSentence::FolderReadOnly { path, reason },
            _ => OutputSentence::FolderDenied { path, reason },
        }))
    }

    /// A file where the file of a key needs a folder, or a folder where it has to be.
    fn in_the_way(&self, key: &str) -> Option<OutputSentence> {
        let path = self.target.path.join(key);
        let shown = |path: &Path| path.display().to_string();
        let is_file = |folder: &&Path| folder.is_file();
        let above = path.ancestors().skip(1).take_while(|folder| *folder != self.target.path).find(is_file);
        let above = above.map(|file| OutputSentence::FileForFolder { path: shown(file) });
        above.or_else(|| path.is_dir().then(|| OutputSentence::FolderForFile { path: shown(&path) }))
    }

    fn write(&self, parcel: &Parcel) -> io::Result<()> {
        let path = self.target.path.join(&parcel.key);
        let folder = path.parent().unwrap_or(&self.target.path);
        // Not with all its parents: the folder of this output is never created.
        if folder != self.target.path {
            match fs::create_dir(folder) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        let mut file = tempfile::Builder::new().prefix(".").suffix(".part").tempfile_in(folder)?;
        file.write_all(&parcel.bytes)?;
        readable(file.as_file())?;
        file.persist(&path).map_err(|error| error.error)?;
        Ok(())
    }

    /// The files in the folders of these parcels: a list of each folder costs less than a look at each file.
    fn names_below(&self, parcels: &[&Parcel]) -> BTreeSet<PathBuf> {
        let folders: BTreeSet<_> = parcels.iter().filter_map(|parcel| Path::new(&parcel.key).parent()).collect();
        let entries =
            folders.into_iter().filter_map(|folder| fs::read_dir(self.target.path.join(folder)).ok()).flatten();
        let files = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        files.map(|entry| entry.path()).collect()
    }

    fn remove(&self, key: &str) -> io::Result<()> {
        if !is_own(key) {
            return Ok(());
        }
        match fs::remove_file(self.target.path.join(key)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

/// Other programs read the files, which hold nothing but what is public.
#[cfg(unix)]
fn readable(file: &fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_: &fs::File) -> io::Result<()> {
    Ok(())
}

/// What the system says, without the name of a temporary file, which is another one at each attempt.
fn reason(error: &io::Error) -> String {
    let said = error.to_string();
    said.split_once(" at path ").map_or(said.as_str(), |(reason, _)| reason).to_owned()
}

/// Whether a key names a file of this layout.
fn is_own(key: &str) -> bool {
    Path::new(key).components().all(|part| matches!(part, Component::Normal(_)))
}

impl Consumer for Folder {
    fn parcels(&self, wanted: &Wanted) -> Vec<Parcel> {
        if wanted.tournament.is_empty() {
            return Vec::new();
        }
        let rounds = wanted.rounds.iter().flat_map(|round| files_of(round));
        let tournament = file(0, TOURNAMENT.to_owned(), Bytes::from(wanted.tournament.clone()), None);
        rounds.chain([tournament]).collect()
    }

    fn deliver(&mut self, job: &Job<'_>) -> Delivered {
        if let Some(missing) = self.missing() {
            return Delivered::failed(Failure::unreachable(missing));
        }
        let mut delivered = Delivered::default();
        let goes_on = || !job.end.has_come();
        for parcel in job.work.changed.iter().take_while(|_| goes_on()) {
            if let Err(error) = self.write(parcel) {
                delivered.failure = Some(self.failure(&error, &parcel.key));
                return delivered;
            }
            delivered.taken.push(parcel.key.clone());
        }
        for key in job.work.gone.iter().take_while(|_| goes_on()) {
            if let Err(error) = self.remove(key) {
                delivered.failure = Some(self.failure(&error, key));
                return delivered;
            }
            delivered.removed.push(key.clone());
        }
        delivered.answer = Some(OutputSentence::FilesWritten { files: delivered.taken.len() }.coded());
        delivered
    }

    fn test(&mut self) -> Result<Vec<CodedText>, Failure> {
        if let Some(missing) = self.missing() {
            return Err(Failure::unreachable(missing));
        }
        let tried = tempfile::Builder::new().prefix(".").tempfile_in(&self.target.path);
        tried.map_err(|error| self.failure(&error, TOURNAMENT))?;
        Ok(vec![OutputSentence::FolderWorks.coded()])
    }

    fn warnings(&self, _wanted: &Wanted) -> Vec<CodedText> {
        // Also while nothing changes, so that no attempt would notice it.
        self.missing().map(|missing| missing.coded()).into_iter().collect()
    }

    fn may_lose(&self) -> bool {
        true
    }

    fn lost(&mut self, sent: &[&Parcel]) -> Vec<String> {
        if !self.target.path.is_dir() {
            return Vec::new();
        }
        let there = self.names_below(sent);
        // After a power cut some file systems have a file with its name, but without its bytes.
        let measures = !std::mem::replace(&mut self.measured, true);
        let is_lost = |parcel: &&&Parcel| {
            let path = self.target.path.join(&parcel.key);
            let is_listed = there.contains(&path);
            if is_listed && !measures {
                return false;
            }
            // What is not listed is asked for: a file system may give its names in other letters.
            match fs::symlink_metadata(&path) {
                Ok(about) => !about.is_file() || (measures && about.len() != parcel.bytes.len() as u64),
                Err(error) => matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory),
            }
        };
        sent.iter().filter(is_lost).map(|parcel| parcel.key.clone()).collect()
    }
}

fn files_of(round: &WantedRound) -> Vec<Parcel> {
    let number = round.number;
    let mut files = Vec::new();
    for (place, game) in round.games.iter().enumerate() {
        let name = |ending: &str| format!("round-{number}/game-{}.{ending}", place + 1);
        files.push(file(number, name("pgn"), game.pgn.clone(), Some(game.digest.clone())));
        files.push(file(number, name("json"), Bytes::from(game.json.clone()), None));
    }
    files.push(file(number, format!("round-{number}/games.pgn"), round.pgn.clone(), Some(round.digest.clone())));
    files.push(file(number, format!("round-{number}/index.json"), Bytes::from(round.index.clone()), None));
    files
}

fn file(round: u32, key: String, bytes: Bytes, digest: Option<String>) -> Parcel {
    let digest = digest.unwrap_or_else(|| etag_of(&bytes));
    Parcel { label: Box::new(CodedText::in_words(&key)), key, round, digest, bytes, game: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_names_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = tempfile::tempfile_in(folder.path().join("none")).unwrap_err();
        assert_eq!(reason(&error), reason(&io::Error::from_raw_os_error(2)));
        let error = tempfile::Builder::new().tempfile_in(folder.path().join("none")).unwrap_err();
        assert_eq!(reason(&error), reason(&io::Error::from_raw_os_error(2)));
    }
}
