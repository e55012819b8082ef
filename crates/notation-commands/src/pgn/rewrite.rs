//! `boardcast pgn clean`, `reduce`, `sort` and `merge`: rewrite games in export format.

use std::io::Write;

use notation::pgn::{Game, Reader, differing_results, repair_tags, write_game};

use super::output_file::OutputFile;
use crate::done::Done;
use crate::pgn_files::PgnFiles;
use crate::sorted_games::SortedGames;
use crate::terminal::warn;

/// Write games in export format and check every move
///
/// The standard's export format: tags in order, moves in canonical notation, lines filled. Comments, NAGs and variations
/// stay. The tags of result, number of plies and set-up position are corrected, and the forms of date, time control and
/// termination where the meaning is clear.
#[derive(Debug, clap::Args)]
pub(super) struct CleanArgs {
    #[command(flatten)]
    files: PgnFiles,
    #[command(flatten)]
    output: OutputFile,
}

/// Write games in reduced export format: the seven tags and the moves
///
/// Comments, NAGs, variations and other tags are left out; a game from a set-up position keeps its position.
#[derive(Debug, clap::Args)]
pub(super) struct ReduceArgs {
    #[command(flatten)]
    files: PgnFiles,
    #[command(flatten)]
    output: OutputFile,
}

/// Write games in the standard's order: date, event, site, round, White, Black, result, moves
///
/// Every move is checked and written in canonical notation.
#[derive(Debug, clap::Args)]
pub(super) struct SortArgs {
    #[command(flatten)]
    files: PgnFiles,
    #[command(flatten)]
    output: OutputFile,
}

/// Merge files in the standard's order; a game that is in several files is written once
///
/// Every move is checked and written in canonical notation, so that a game is found again in another spelling of its moves.
/// Games that differ in a tag, a comment or a variation are different games.
#[derive(Debug, clap::Args)]
pub(super) struct MergeArgs {
    #[command(flatten)]
    files: PgnFiles,
    #[command(flatten)]
    output: OutputFile,
}

pub(super) fn clean(args: &CleanArgs) -> anyhow::Result<Done> {
    rewrite(&args.files, &args.output, repair_tags)
}

pub(super) fn reduce(args: &ReduceArgs) -> anyhow::Result<Done> {
    rewrite(&args.files, &args.output, notation::pgn::reduce)
}

fn rewrite(files: &PgnFiles, output: &OutputFile, change: impl Fn(&mut Game)) -> anyhow::Result<Done> {
    let mut output = output.open()?;
    let mut differ = false;
    let tally = files.each_game(
        || Reader::new().check_moves().keep_null_moves(),
        |mut game, place| {
            if let Some(finding) = differing_results(&game) {
                differ = true;
                warn(format_args!("{}: {finding}; {} is written", place.of(&game), game.outcome));
            }
            change(&mut game);
            Ok(output.write_all(write_game(&game).as_bytes())?)
        },
    )?;
    output.finish()?;
    Ok(if differ { Done::Partly } else { tally.done() })
}

pub(super) fn sort(args: &SortArgs) -> anyhow::Result<Done> {
    in_order(&args.files, &args.output, false)
}

pub(super) fn merge(args: &MergeArgs) -> anyhow::Result<Done> {
    in_order(&args.files, &args.output, true)
}

fn in_order(files: &PgnFiles, output: &OutputFile, each_once: bool) -> anyhow::Result<Done> {
    let mut output = output.open()?;
    let mut sorted = SortedGames::new()?;
    let reader = || Reader::new().check_moves().keep_null_moves();
    let tally = files.each_game(reader, |game, _| sorted.add(&game))?;
    sorted.each(each_once, |text| Ok(output.write_all(text)?))?;
    output.finish()?;
    Ok(tally.done())
}
