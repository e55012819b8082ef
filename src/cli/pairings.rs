//! `boardcast pairings`: shows how files of pairings are read.

use std::path::PathBuf;

use super::output;
use crate::director::initial::read_pairings;
use notation_commands::Done;
use pairings::difference::difference;
use pairings::model::Round;
use pairings::preview::{SHOWN_WARNINGS, preview};
use pairings::results::{as_csv, as_pgn, as_trf, encoding};

/// Show how files of pairings are read: rounds, tables and warnings
///
/// Reads PGN headers, TRF16 and TRF26, tables (CSV, or text copied from a page) and the output of a pairing engine with a
/// list of players; several files are read together. The exit code is 1 when there are warnings or no game is to be played.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files that belong together
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print the pairings as PGN headers
    #[arg(long, group = "form")]
    pgn: bool,
    /// Print the pairings as a comma-separated table
    #[arg(long, group = "form")]
    csv: bool,
    /// Print the pairings as a tournament report: the one among the files, completed, in its encoding and with its line ends,
    /// or a new one
    #[arg(long, group = "form")]
    trf: bool,
    /// Print only the differences from these pairings; may be repeated
    #[arg(long, value_name = "FILE", group = "form")]
    since: Vec<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Done> {
    let loaded = read_pairings(&args.files)?;
    let pairings = &loaded.pairings;
    let shown = if args.pgn {
        Some(as_pgn(pairings).into_bytes())
    } else if args.csv {
        Some(as_csv(pairings).into_bytes())
    } else if args.trf {
        let report = loaded.report.as_ref();
        Some(encoding(report).encode(&as_trf(pairings, report)))
    } else if args.since.is_empty() {
        None
    } else {
        let changes = difference(&read_pairings(&args.since)?.pairings, pairings);
        let lines: Vec<_> = changes.iter().map(ToString::to_string).collect();
        let text = if lines.is_empty() { "no differences\n".into() } else { lines.join("\n") + "\n" };
        Some(text.into_bytes())
    };
    match shown {
        Some(text) => {
            output::print_bytes(&text)?;
            // The preview includes the warnings; other forms leave standard output to the pairings.
            for warning in pairings.warnings.iter().take(SHOWN_WARNINGS) {
                eprintln!("boardcast: {warning}");
            }
        }
        None => output::print(&preview(pairings))?,
    }
    let ready = pairings.warnings.is_empty() && pairings.rounds.iter().any(Round::is_open);
    Ok(if ready { Done::Fully } else { Done::Partly })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_says_whether_a_round_can_begin() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("round.csv");
        for (text, done) in [
            ("Round;White;Black;Result\n1;Adler, Ida;Bos, Jan;\n", Done::Fully),
            ("Round;White;Black;Result\n1;Adler, Ida;Bos, Jan;1-0\n", Done::Partly),
            ("White;Black;Result\nAdler, Ida;Bos, Jan;\n", Done::Partly),
        ] {
            std::fs::write(&file, text).unwrap();
            let args = Args { files: vec![file.clone()], pgn: false, csv: false, trf: false, since: Vec::new() };
            assert_eq!(run(&args).unwrap(), done, "{text}");
            assert_eq!(run(&Args { since: vec![file.clone()], ..args }).unwrap(), done, "{text}");
        }
    }
}
