//! The games of files or of standard input, one at a time.
//!
//! Says what is damaged and goes on; shows on a terminal how far it is. Must not know what the games are for.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use notation::pgn::{Game, Reader};

use crate::cli::Done;

/// What is read at a time.
const PIECE_BYTES: usize = 256 * 1024;

/// Bytes between two signs of progress.
const PROGRESS_BYTES: u64 = 16 * 1024 * 1024;

/// Files to read games from.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Files {
    /// PGN files; none or `-` is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// What was read.
#[derive(Debug, Default)]
pub(in crate::cli) struct Tally {
    /// Whole games.
    pub(in crate::cli) games: u64,
    /// Damaged games and files that could not be read.
    pub(in crate::cli) damaged: u64,
}

impl Tally {
    /// How a command ended that has read this.
    pub(in crate::cli) fn done(&self) -> Done {
        if self.damaged == 0 { Done::Fully } else { Done::Partly }
    }
}

/// A game's place, for messages.
pub(in crate::cli) struct Place<'a> {
    /// The file's name.
    pub(in crate::cli) file: &'a str,
    /// Line on which the game begins, from 1.
    pub(in crate::cli) line: usize,
}

impl Files {
    pub(in crate::cli) fn new(files: Vec<PathBuf>) -> Self {
        Self { files }
    }

    /// Hands over every whole game. `reader` makes the reader of each file.
    ///
    /// # Errors
    /// What `take` says; damage is printed and counted.
    pub(in crate::cli) fn each_game(
        &self,
        reader: impl Fn() -> Reader,
        mut take: impl FnMut(Game, &Place<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Tally> {
        let mut tally = Tally::default();
        let standard_input = [PathBuf::from("-")];
        let files = if self.files.is_empty() { &standard_input[..] } else { &self.files };
        for path in files {
            let (name, source) = open(path);
            let read = source.and_then(|source| read(source, &name, reader(), &mut tally, &mut take));
            if let Err(failure) = read {
                match failure {
                    Failure::Unreadable(error) => {
                        tally.damaged += 1;
                        eprintln!("boardcast: {name} cannot be read: {error}");
                    }
                    Failure::Taking(error) => return Err(error),
                }
            }
        }
        Ok(tally)
    }
}

/// Why a file was not read to its end.
enum Failure {
    Unreadable(io::Error),
    /// What the command wanted with a game failed.
    Taking(anyhow::Error),
}

/// A source of bytes, and how many there are if that is known.
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
    take: &mut impl FnMut(Game, &Place<'_>) -> anyhow::Result<()>,
) -> Result<(), Failure> {
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
                    take(game, &Place { file: name, line: reader.start_line() }).map_err(Failure::Taking)?;
                }
                Err(error) => {
                    tally.damaged += 1;
                    progress.clear();
                    eprintln!("boardcast: {name}, game {}, {error}", error.game);
                }
            }
        }
        if length == 0 {
            return Ok(());
        }
        progress.add(length as u64);
    }
}

/// A line on a terminal that says how far a long file is.
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

/// Where a command writes to.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Output {
    /// Write to this file, which must not exist yet, in place of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Output {
    /// Opens it.
    ///
    /// # Errors
    /// The file exists or cannot be made.
    pub(in crate::cli) fn open(&self) -> anyhow::Result<Box<dyn Write>> {
        Ok(match &self.output {
            Some(path) => {
                let file = File::create_new(path).with_context(|| {
                    format!("{} cannot be made; name a new file in a folder you may write to", path.display())
                })?;
                Box::new(io::BufWriter::new(file))
            }
            None => Box::new(io::BufWriter::new(io::stdout().lock())),
        })
    }
}
