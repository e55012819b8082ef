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

    fn missing(&self) -> Failure {
        Failure::unreachable(OutputSentence::FolderMissing { path: self.path() })
    }

    fn failure(&self, error: &io::Error) -> Failure {
        if !self.target.path.is_dir() {
            return self.missing();
        }
        let (path, reason) = (self.path(), error.to_string());
        Failure::unreachable(match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => OutputSentence::FolderFull { path, reason },
            io::ErrorKind::ReadOnlyFilesystem => OutputSentence::FolderReadOnly { path, reason },
            _ => OutputSentence::FolderDenied { path, reason },
        })
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
        if !self.target.path.is_dir() {
            return Delivered::failed(self.missing());
        }
        let mut delivered = Delivered::default();
        let goes_on = || !job.end.has_come();
        for parcel in job.work.changed.iter().take_while(|_| goes_on()) {
            if let Err(error) = self.write(parcel) {
                delivered.failure = Some(self.failure(&error));
                return delivered;
            }
            delivered.taken.push(parcel.key.clone());
        }
        for key in job.work.gone.iter().take_while(|_| goes_on()) {
            if let Err(error) = self.remove(key) {
                delivered.failure = Some(self.failure(&error));
                return delivered;
            }
            delivered.removed.push(key.clone());
        }
        delivered.answer = Some(OutputSentence::FilesWritten { files: delivered.taken.len() }.coded());
        delivered
    }

    fn test(&mut self) -> Result<Vec<CodedText>, Failure> {
        if !self.target.path.is_dir() {
            return Err(self.missing());
        }
        tempfile::Builder::new().prefix(".").tempfile_in(&self.target.path).map_err(|error| self.failure(&error))?;
        Ok(vec![OutputSentence::FolderWorks.coded()])
    }

    fn warnings(&self, _wanted: &Wanted) -> Vec<CodedText> {
        // Also while nothing changes, so that no attempt would notice it.
        if self.target.path.is_dir() { Vec::new() } else { vec![*self.missing().sentence] }
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
