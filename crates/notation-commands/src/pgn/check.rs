//! `boardcast pgn check`: reports damaged games, illegal moves and contradictory tags.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use notation::pgn::{Kind, Reader, findings};

use crate::done::Done;
use crate::pgn_files::PgnFiles;
use crate::terminal::{print, warn};

/// Report errors in games
///
/// Checks that every game can be read, that every move is legal, variations included, and that the tags agree with each
/// other and with the moves: results, mate, number of plies, move numbers, set-up position, ratings, dates. Prints one line
/// for each error, with file, number of the game, players and move, then the number of games without errors and the number
/// of errors of each kind.
///
/// Exit code 0: no errors. 1: a game is damaged, or a part of it cannot be read. 3: every game is whole, but some contradict
/// themselves. With --kind only the errors of these kinds count.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    files: PgnFiles,
    /// Report only errors of these kinds, separated by commas
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = kinds())]
    kind: Vec<Kind>,
}

fn kinds() -> impl TypedValueParser<Value = Kind> {
    let names = PossibleValuesParser::new(Kind::ALL.map(Kind::name));
    names.map(|name| Kind::ALL.into_iter().find(|kind| kind.name() == name).unwrap_or(Kind::Syntax))
}

pub(super) fn run(args: &Args) -> anyhow::Result<Done> {
    let is_wanted = |kind: Kind| args.kind.is_empty() || args.kind.contains(&kind);
    let counts = RefCell::new(BTreeMap::<Kind, u64>::new());
    let count = |kind| *counts.borrow_mut().entry(kind).or_default() += 1;
    // Games whose errors are contradictions only, and games of which a part is left out.
    let (mut contradictory, mut partial) = (0, 0);
    let tally = args.files.each_game_reporting(
        || Reader::new().check_moves().keep_null_moves().check_numbers().skip_comments(),
        |error| {
            let wanted = is_wanted(error.reason.kind());
            if wanted {
                count(error.reason.kind());
            }
            wanted
        },
        |game, place| {
            let mut kinds: Vec<_> = place.notices.iter().map(|notice| notice.reason.kind()).collect();
            for finding in findings(&game).iter().filter(|finding| is_wanted(finding.kind())) {
                warn(format_args!("{}: {finding}", place.of(&game)));
                count(finding.kind());
                kinds.push(finding.kind());
            }
            kinds.retain(|kind| is_wanted(*kind));
            if !kinds.is_empty() {
                let whole = kinds.into_iter().all(Kind::is_contradiction);
                *(if whole { &mut contradictory } else { &mut partial }) += 1;
            }
            Ok(())
        },
    )?;
    let counts = counts.into_inner();
    let sound = tally.games - contradictory - partial;
    let read_in_part = if partial == 0 { String::new() } else { format!(", {partial} read in part") };
    let mut text =
        format!("{sound} sound, {contradictory} with contradictions{read_in_part}, {} damaged\n", tally.damaged);
    for (kind, count) in &counts {
        let _ = writeln!(text, "{count:>8}  {}", kind.name());
    }
    print(&text)?;
    let damaged = tally.unreadable > 0 || counts.keys().any(|kind| !kind.is_contradiction());
    Ok(match (damaged, counts.is_empty()) {
        (true, _) => Done::Partly,
        (false, true) => Done::Fully,
        (false, false) => Done::Contradictions,
    })
}
