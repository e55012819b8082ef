//! Reads games from PGN files or standard input, one at a time.
//!
//! Reports damaged games and continues; shows progress on a terminal. Must not know what the games are used for.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use notation::pgn::{Game, PgnError, Reader};

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
    /// Files that could not be read.
    pub unreadable: u64,
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
    /// Number of the game in the file, from 1; damaged games count.
    pub game: usize,
    /// First line of the game, from 1.
    pub line: usize,
    /// What was reported about the game while it was read.
    pub notices: &'a [PgnError],
}

impl Place<'_> {
    /// The place with the players of the game there: `a.pgn, game 2 (Adler, Ida - Bos, Jan), line 15`.
    pub fn of(&self, game: &Game) -> String {
        format!("{}, game {}{}, line {}", self.file, self.game, in_brackets(&game.tags.players()), self.line)
    }
}

/// What was reported about a game of a file, with its place.
fn report(file: &str, error: &PgnError) -> String {
    let at_move = error.next_move.map(|next| format!(", {next}")).unwrap_or_default();
    format!("{file}, game {}{}{at_move}, {error}", error.game, in_brackets(&error.players))
}

fn in_brackets(players: &str) -> String {
    if players.is_empty() { String::new() } else { format!(" ({players})") }
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
        take: impl FnMut(Game, &Place<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Tally> {
        self.each_game_reporting(reader, |_| true, take)
    }

    /// As [`PgnFiles::each_game`], but passes each error of a game to `is_wanted` and reports only those that it wants.
    pub(crate) fn each_game_reporting(
        &self,
        reader: impl Fn() -> Reader,
        mut is_wanted: impl FnMut(&PgnError) -> bool,
        mut take: impl FnMut(Game, &Place<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Tally> {
        let mut tally = Tally::default();
        let mut rejects = self.rejects.as_deref().map(Rejects::create).transpose()?;
        let standard_input = [PathBuf::from("-")];
        let files = if self.files.is_empty() { &standard_input[..] } else { &self.files };
        for path in files {
            let (name, source) = open(path);
            let reader = if rejects.is_some() { reader().keep_refused() } else { reader() };
            let read = source.and_then(|source| {
                read(source, &name, reader, &mut tally, rejects.as_mut(), &mut is_wanted, &mut take)
            });
            if let Err(failure) = read {
                match failure {
                    Failure::Unreadable(error) => {
                        tally.damaged += 1;
                        tally.unreadable += 1;
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
    is_wanted: &mut impl FnMut(&PgnError) -> bool,
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
                    tally.incomplete += u64::from(!reader.notices().is_empty());
                    for notice in reader.notices().iter().filter(|notice| is_wanted(notice)) {
                        progress.clear();
                        warn(report(name, notice));
                    }
                    let (number, line, notices) = (reader.game_number(), reader.start_line(), reader.notices());
                    take(game, &Place { file: name, game: number, line, notices }).map_err(Failure::Taking)?;
                }
                Err(error) => {
                    tally.damaged += 1;
                    if is_wanted(&error) {
                        progress.clear();
                        warn(report(name, &error));
                    }
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
