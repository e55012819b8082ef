//! `boardcast pgn clean`, `reduce`, `sort` and `merge`: games in, games in export format out.

use std::io::Write;

use notation::pgn::{Game, Reader, repair_tags, write_game};

use super::input::{Files, Output};
use super::sorted::Sorted;
use crate::cli::Done;

/// Write games in export format, every move checked
///
/// The standard's export format: tags in order, moves in canonical notation, lines filled. Comments, glyphs and
/// variations stay. Result, number of plies, set-up mark and the forms of date, time control and termination are put
/// right where their meaning is clear.
#[derive(Debug, clap::Args)]
pub(super) struct CleanArgs {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    output: Output,
}

/// Write games in reduced export format: the seven tags and the moves
///
/// Comments, glyphs, variations and further tags are left out; a game from a set-up position keeps its position.
#[derive(Debug, clap::Args)]
pub(super) struct ReduceArgs {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    output: Output,
}

/// Write games in the standard's order: date, event, site, round, White, Black, result, moves
#[derive(Debug, clap::Args)]
pub(super) struct SortArgs {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    output: Output,
}

/// Join files in the standard's order; a game that is in several of them is written once
#[derive(Debug, clap::Args)]
pub(super) struct MergeArgs {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    output: Output,
}

pub(super) fn clean(args: &CleanArgs) -> anyhow::Result<Done> {
    rewrite(&args.files, &args.output, repair_tags)
}

pub(super) fn reduce(args: &ReduceArgs) -> anyhow::Result<Done> {
    rewrite(&args.files, &args.output, notation::pgn::reduce)
}

fn rewrite(files: &Files, output: &Output, change: impl Fn(&mut Game)) -> anyhow::Result<Done> {
    let mut output = output.open()?;
    let tally = files.each_game(
        || Reader::new().check_moves(),
        |mut game, _| {
            change(&mut game);
            Ok(output.write_all(write_game(&game).as_bytes())?)
        },
    )?;
    output.flush()?;
    Ok(tally.done())
}

pub(super) fn sort(args: &SortArgs) -> anyhow::Result<Done> {
    in_order(&args.files, &args.output, false)
}

pub(super) fn merge(args: &MergeArgs) -> anyhow::Result<Done> {
    in_order(&args.files, &args.output, true)
}

fn in_order(files: &Files, output: &Output, each_once: bool) -> anyhow::Result<Done> {
    let mut output = output.open()?;
    let mut sorted = Sorted::new()?;
    let tally = files.each_game(Reader::new, |game, _| sorted.add(&game))?;
    sorted.each(each_once, |text| Ok(output.write_all(text)?))?;
    output.flush()?;
    Ok(tally.done())
}
