//! Reads files of pairings in every form that pairing programs and people produce, and writes results in the forms that
//! pairing programs read.
//!
//! # What it must not know
//! Files, clocks, networks, boards, and what a tournament makes of pairings. Everything comes in as bytes or values and
//! goes out as values or text.
//!
//! # Where to start
//! [`load`] takes the bytes of the files of one load. The content of a file decides how it is read, never its name: PGN
//! headers (`pgn`), a tournament report (`trf`), a table (`csv`) or the output of a pairing engine (`engine`). All of them
//! become [`model::Pairings`]; `merge` joins several files, [`roster`] finds a player again under another spelling.
//! [`difference`] lists what a load changes, [`preview`] shows pairings to a person, [`results`] writes them.
//! `docs/pairings.md` has the forms and their sources.

use std::collections::BTreeMap;

mod csv;
mod date;
pub mod difference;
pub mod encoding;
mod engine;
mod foreign;
mod merge;
pub mod model;
mod pgn;
pub mod player;
pub mod preview;
mod problem;
pub mod results;
pub mod roster;
pub mod score;
#[cfg(test)]
mod tests;
mod text;
mod time_control_words;
pub mod time_controls;
mod trf;

use encoding::{Encoding, decode, guess_warning};
pub use model::Pairings;
pub use pgn::{damage, is_pgn};
pub use problem::{FileProblem, Problem};
pub use trf::Document as Report;

/// Every sentence of this crate that has a code.
pub fn entries() -> impl Iterator<Item = &'static coded_text::Entry> {
    [FileProblem::ENTRIES, difference::Change::ENTRIES, time_controls::TimeControlDoubt::ENTRIES].into_iter().flatten()
}

/// Maximum size of a file of pairings, in bytes.
pub const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// The round of a table that names none, where nothing else says which one it is.
const FIRST_ROUND: u32 = 1;

/// The content of files that were loaded together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// The pairings.
    pub pairings: Pairings,
    /// The first report among the files; results can be written into it.
    pub report: Option<Report>,
}

/// The content of one file.
enum Content {
    Pairings(Pairings),
    Report(Pairings, Report),
    Pairs(engine::Pairs),
}

/// Reads files that belong together, as [`understand`], and warns about players who are paired twice in a round.
///
/// # Errors
/// As [`understand`].
pub fn load(files: &[(&str, &[u8])]) -> Result<Loaded, Problem> {
    let mut loaded = understand(files)?;
    loaded.pairings.note_doubles();
    Ok(loaded)
}

/// Reads files that belong together, each given by its name (for messages) and its bytes: several rounds, or the output of a
/// pairing engine with its list of players, or a report with a file that has the order of the tables.
///
/// # Errors
/// The file and the place that cannot be read, or the reason why two files do not fit together.
pub fn understand(files: &[(&str, &[u8])]) -> Result<Loaded, Problem> {
    understand_as(files, FIRST_ROUND)
}

/// The same; a table that names no round has the games of round `unnamed`.
///
/// # Errors
/// As [`understand`].
pub fn understand_as(files: &[(&str, &[u8])], unnamed: u32) -> Result<Loaded, Problem> {
    let mut loaded = Loaded::default();
    let mut engines = Vec::new();
    // The first file of each round.
    let mut origins: BTreeMap<u32, &str> = BTreeMap::new();
    for (name, bytes) in files {
        let (content, encoding) = read(bytes, unnamed).map_err(|problem| problem.in_file(name))?;
        let mut pairings = match content {
            Content::Pairings(pairings) => pairings,
            Content::Report(pairings, document) => {
                loaded.report.get_or_insert(document);
                pairings
            }
            Content::Pairs(pairs) => {
                engines.push((name, pairs));
                continue;
            }
        };
        merge::leave_out_shared_ids(&mut pairings);
        pairings.warnings.extend(encoding.guessed().map(guess_warning));
        pairings.warnings = pairings.warnings.into_iter().map(|warning| warning.in_file(name)).collect();
        let rounds: Vec<_> = pairings.rounds.iter().map(|round| round.number).collect();
        let origin = |round| origins.get(&round).copied().unwrap_or_default().to_owned();
        merge::join(&mut loaded.pairings, pairings, origin).map_err(|problem| problem.in_file(name))?;
        for round in rounds {
            origins.entry(round).or_insert(*name);
        }
    }
    // An engine's output has numbers only, so it is read when all players are known.
    for (name, pairs) in engines {
        let doubt = merge::enter_pairs(&mut loaded.pairings, &pairs).map_err(|problem| problem.in_file(name))?;
        loaded.pairings.warnings.extend(doubt.map(|doubt| doubt.in_file(name)));
    }
    merge::remove_placeholders(&mut loaded.pairings);
    merge::complete(&mut loaded.pairings);
    Ok(loaded)
}

/// The problem of a file of more than [`MAX_BYTES`].
pub fn too_large() -> Problem {
    Problem::of(FileProblem::TooLarge { most: MAX_BYTES / (1024 * 1024) })
}

fn read(bytes: &[u8], unnamed: u32) -> Result<(Content, Encoding), Problem> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_large());
    }
    if let Some(reason) = foreign::of_bytes(bytes) {
        return Err(Problem::of(reason));
    }
    let (text, encoding) = decode(bytes)?;
    let content = if pgn::is_pgn(&text) {
        Content::Pairings(pgn::read(&text)?)
    } else if engine::is_engine_output(&text) {
        Content::Pairs(engine::read(&text)?)
    } else if trf::is_trf(&text) {
        let (pairings, document) = trf::read(&text, encoding)?;
        Content::Report(pairings, document)
    } else if let Some(reason) = foreign::of_text(&text) {
        return Err(Problem::of(reason));
    } else if let Some(layout) = csv::layout(&text) {
        Content::Pairings(csv::read(&text, &layout, unnamed)?)
    } else if let Some(line) = csv::board_of_teams(&text) {
        return Err(Problem::at(line, 1, FileProblem::TeamsWithoutColours));
    } else {
        let line = 1 + text.lines().position(|line| !line.trim().is_empty()).unwrap_or(0);
        return Err(Problem::at(line, 1, FileProblem::UnknownForm));
    };
    Ok((content, encoding))
}
