//! Reads games from PGN files or standard input, one at a time.
//!
//! Reports damaged games and continues; shows progress on a terminal. Must not know what the games are used for.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use notation::pgn::{Game, Reader};

use crate::done::Done;
use crate::terminal::warn;

/// Bytes read at a time.
const PIECE_BYTES: usize = 256 * 1024;

/// Bytes between two updates of the progress line.
const PROGRESS_BYTES: u64 = 16 * 1024 * 1024;

/// PGN files to read games from, as command-line arguments.
#[derive(Debug, clap::Args)]
pub struct PgnFiles {
    /// PGN files; without one, or for `-`, standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the damaged games, as they are, to this new file
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,
}

/// Number of games read.
#[derive(Debug, Default)]
pub struct Tally {
    /// Valid games.
    pub games: u64,
    /// Damaged games and files that could not be read.
    pub damaged: u64,
    /// Valid games of which a part was left out.
    pub incomplete: u64,
}

impl Tally {
    /// How a command ended whose only failures are these.
    pub fn done(&self) -> Done {
        if self.damaged == 0 && self.incomplete == 0 { Done::Fully } else { Done::Partly }
    }
}

/// Place of a game, for messages.
pub struct Place<'a> {
    /// The file's name.
    pub file: &'a str,
    /// First line of the game, from 1.
    pub line: usize,
    /// Whether something was reported about the game while it was read.
    pub reported: bool,
}

impl PgnFiles {
    /// Files to read; `-` is standard input.
    pub fn new(files: Vec<PathBuf>) -> Self {
        Self { files, rejects: None }
    }

    /// Passes every valid game to `take`. `reader` creates the reader of each file. Damaged games and unreadable files are
    /// reported on standard error and counted.
    ///
    /// # Errors
    /// An error of `take`, or the file for damaged games cannot be written.
    pub fn each_game(
        &self,
        reader: impl Fn() -> Reader,
        mut take: impl FnMut(Game, &Place<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Tally> {
        let mut tally = Tally::default();
        let mut rejects = self.rejects.as_deref().map(Rejects::create).transpose()?;
        let standard_input = [PathBuf::from("-")];
        let files = if self.files.is_empty() { &standard_input[..] } else { &self.files };
        for path in files {
            let (name, source) = open(path);
            let reader = if rejects.is_some() { reader().keep_refused() } else { reader() };
            let read = source.and_then(|source| read(source, &name, reader, &mut tally, rejects.as_mut(), &mut take));
            if let Err(failure) = read {
                match failure {
                    Failure::Unreadable(error) => {
                        tally.damaged += 1;
                        warn(format_args!("{name} cannot be read: {error}"));
                    }
                    Failure::Taking(error) => return Err(error),
                }
            }
        }
        Ok(tally)
    }
}

/// The file for damaged games.
struct Rejects {
    file: File,
    name: String,
}

impl Rejects {
    fn create(path: &Path) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let file = File::create_new(path)
            .with_context(|| format!("{name} cannot be created; name a new file in a folder that you can write to"))?;
        Ok(Self { file, name })
    }

    fn write(&mut self, text: &[u8]) -> Result<(), Failure> {
        let written = self.file.write_all(text).with_context(|| format!("{} cannot be written", self.name));
        written.map_err(Failure::Taking)
    }
}

/// Why a file was not read to the end.
enum Failure {
    Unreadable(io::Error),
    /// `take` failed.
    Taking(anyhow::Error),
}

/// A source of bytes and its length, if known.
struct Source {
    bytes: Box<dyn Read>,
    length: Option<u64>,
}

fn open(path: &Path) -> (String, Result<Source, Failure>) {
    if path == Path::new("-") {
        return ("standard input".to_owned(), Ok(Source { bytes: Box::new(io::stdin().lock()), length: None }));
    }
    let open = || {
        let file = File::open(path)?;
        let data = file.metadata()?;
        if data.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; name the PGN files in it"));
        }
        Ok(Source { bytes: Box::new(file), length: data.is_file().then_some(data.len()) })
    };
    (path.display().to_string(), open().map_err(Failure::Unreadable))
}

fn read(
    mut source: Source,
    name: &str,
    mut reader: Reader,
    tally: &mut Tally,
    mut rejects: Option<&mut Rejects>,
    take: &mut impl FnMut(Game, &Place<'_>) -> anyhow::Result<()>,
) -> Result<(), Failure> {
    let damaged_before = tally.damaged;
    let mut piece = vec![0; PIECE_BYTES];
    let mut progress = Progress::new(name, source.length);
    loop {
        let length = match source.bytes.read(&mut piece) {
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Failure::Unreadable(error)),
        };
        if length == 0 {
            reader.finish();
        } else {
            reader.feed(piece.get(..length).unwrap_or_default());
        }
        while let Some(game) = reader.next_game() {
            match game {
                Ok(game) => {
                    tally.games += 1;
                    let reported = !reader.notices().is_empty();
                    tally.incomplete += u64::from(reported);
                    for notice in reader.notices() {
                        progress.clear();
                        warn(format_args!("{name}, game {}, {notice}", notice.game));
                    }
                    take(game, &Place { file: name, line: reader.start_line(), reported }).map_err(Failure::Taking)?;
                }
                Err(error) => {
                    tally.damaged += 1;
                    progress.clear();
                    warn(format_args!("{name}, game {}, {error}", error.game));
                }
            }
        }
        if let Some(rejects) = &mut rejects {
            rejects.write(&reader.take_refused())?;
        }
        if length == 0 {
            if let Some(rejects) = rejects.filter(|_| tally.damaged > damaged_before) {
                rejects.write(b"\n\n")?;
            }
            return Ok(());
        }
        progress.add(length as u64);
    }
}

/// A line on a terminal with the progress within a long file.
struct Progress<'a> {
    name: &'a str,
    length: Option<u64>,
    done: u64,
    shown: bool,
    terminal: bool,
}

impl<'a> Progress<'a> {
    fn new(name: &'a str, length: Option<u64>) -> Self {
        Self { name, length, done: 0, shown: false, terminal: io::stderr().is_terminal() }
    }

    fn add(&mut self, bytes: u64) {
        let before = self.done;
        self.done += bytes;
        if !self.terminal || before / PROGRESS_BYTES == self.done / PROGRESS_BYTES {
            return;
        }
        self.shown = true;
        let megabytes = self.done / 1_000_000;
        match self.length.filter(|&length| length > 0) {
            Some(length) => eprint!("\r{}: {megabytes} MB, {} %", self.name, self.done.min(length) * 100 / length),
            None => eprint!("\r{}: {megabytes} MB", self.name),
        }
        let _ = io::stderr().flush();
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            eprint!("\r\x1b[K");
        }
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.clear();
    }
}
