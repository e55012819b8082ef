//! Pairings in, results out: every form in which programs and people hand them over.
//!
//! [`load`] takes the bytes of the files and looks at their content, never at their names. [`model`] is what all forms
//! become; [`difference`] tells what a load would change, [`preview`] shows it to a person, [`results`] writes it. Pure:
//! no file, no clock, no network below this module.
//!
//! "Pairings paper" in the documentation is the project's collection of facts on pairings and tags.

pub mod csv;
pub mod difference;
pub mod encoding;
pub mod engine;
mod merge;
pub mod model;
pub mod pgn;
pub mod player;
pub mod preview;
pub mod results;
pub mod roster;
pub mod score;
#[cfg(test)]
mod tests;
pub mod time_controls;
pub mod trf;

use encoding::{Encoding, decode};
pub use model::{Pairings, Problem};

/// The most that a file of pairings may hold, in bytes.
pub const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// What files say together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// The pairings.
    pub pairings: Pairings,
    /// The first report among the files, for results to be written into.
    pub report: Option<trf::Document>,
}

/// What one file holds.
enum Content {
    Pairings(Pairings),
    Report(Pairings, trf::Document),
    Pairs(engine::Pairs),
}

/// Reads files that belong together and notes who sits twice; [`understand`] tells the rest.
///
/// # Errors
/// As [`understand`].
pub fn load(files: &[(&str, &[u8])]) -> Result<Loaded, Problem> {
    let mut loaded = understand(files)?;
    loaded.pairings.note_doubles();
    Ok(loaded)
}

/// Reads files that belong together, each as its name (for messages) and its bytes: several rounds, a list of players
/// with an engine's output, a report with the table order from elsewhere.
///
/// # Errors
/// The file and the place where one cannot be understood, or why two do not go together.
pub fn understand(files: &[(&str, &[u8])]) -> Result<Loaded, Problem> {
    let mut loaded = Loaded::default();
    let mut engines = Vec::new();
    for (name, bytes) in files {
        let (content, encoding) = read(bytes).map_err(|problem| problem.in_file(name))?;
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
        if encoding == Encoding::Windows1252 {
            let reason = "the file is not in UTF-8 and was read as Windows-1252: look at the names with accents";
            pairings.warnings.push(Problem::of(reason));
        }
        pairings.warnings = pairings.warnings.into_iter().map(|warning| warning.in_file(name)).collect();
        merge::join(&mut loaded.pairings, pairings).map_err(|problem| problem.in_file(name))?;
    }
    // An engine says numbers: it comes last, when everybody is listed.
    for (name, pairs) in engines {
        merge::enter_pairs(&mut loaded.pairings, &pairs).map_err(|problem| problem.in_file(name))?;
    }
    merge::complete(&mut loaded.pairings);
    Ok(loaded)
}

/// What is wrong with a file of more than [`MAX_BYTES`].
pub fn too_large() -> Problem {
    Problem::of(format!("the file is larger than {} MB: no pairings are", MAX_BYTES / (1024 * 1024)))
}

fn read(bytes: &[u8]) -> Result<(Content, Encoding), Problem> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_large());
    }
    let (text, encoding) = decode(bytes)?;
    let content = if pgn::is_pgn(&text) {
        Content::Pairings(pgn::read(&text)?)
    } else if engine::is_engine_output(&text) {
        Content::Pairs(engine::read(&text)?)
    } else if trf::is_trf(&text) {
        let (pairings, document) = trf::read(&text)?;
        Content::Report(pairings, document)
    } else if let Some(layout) = csv::layout(&text) {
        Content::Pairings(csv::read(&text, &layout)?)
    } else {
        let line = 1 + text.lines().position(|line| !line.trim().is_empty()).unwrap_or(0);
        let reason = "this is no PGN, no TRF, no engine's output and no table with a header that names White and Black";
        return Err(Problem::at(line, 1, reason));
    };
    Ok((content, encoding))
}
