//! `boardcast rebuild`: makes a damaged or incomplete journal anew.

use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;
use game_core::capture::read_capture;
use game_core::replay::{BoardSetting, replay};

use super::data_args::DataArgs;
use super::output::{self, counted};
use crate::director::initial::{EventSettings, InitialTournament};
use crate::input_file::read_bytes;
use crate::transport::capture_check::CAPTURE_BYTES;
use hall_clock::HallClock;
use journal::{BoardFact, Captured, CapturedEvent, DataFolder, JournalError, NewBoardFact, Notice, Reader, Rebuilt};
use notation_commands::Done;

/// Make the journal anew from what is sound and the captures
///
/// For a journal that is damaged, or from which entries are missing: `boardcast check` says so. Stop the daemon first. The
/// old files are kept in a folder beside the new journal. What cannot be brought back is listed, and nothing is public until
/// someone has looked: then use --open, or «record reviewed» on the running daemon. An interrupted rebuild can be repeated.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The record was looked at: make it public again. The daemon may be running
    #[arg(long)]
    open: bool,
    /// Pairings for a journal of which nothing is left, as for `boardcast run`; may be repeated
    #[arg(long, value_name = "FILE")]
    pairings: Vec<PathBuf>,
    #[command(flatten)]
    folder: DataArgs,
}

pub(super) fn run(args: Args) -> anyhow::Result<Done> {
    let Args { open, pairings, folder } = args;
    let config = folder.config()?;
    let data = folder.folder()?;
    if open {
        return confirm(&data);
    }
    let event = config.event;
    let asked = !pairings.is_empty();
    let pairings = if pairings.is_empty() { config.pairings } else { pairings };
    let initial = InitialTournament::of(EventSettings {
        name: event.name,
        site: event.site,
        slug: event.slug,
        pairings,
        delay: event.delay_s,
    })?;
    if !data.is_dir() {
        return Err(JournalError::Missing(data).into());
    }
    let owner = DataFolder::take(&data)?;
    let mut unread = Vec::new();
    let captured = read_captured(&data.join("captures"), &mut unread)?;
    let rebuilt = journal::rebuild(&owner, HallClock::start(1.0).now(), captured, |hall| initial.orders(hall))?;
    let (mut said, mut done) = (String::new(), Done::Fully);
    let unused = matches!(rebuilt, Rebuilt::NothingToDo { .. });
    match rebuilt {
        Rebuilt::NothingToDo { missing } if missing.is_empty() => {
            writeln!(said, "the journal is sound and the captures have nothing more: nothing was changed")?;
        }
        Rebuilt::NothingToDo { missing } => {
            done = Done::Partly;
            for missing in missing {
                writeln!(said, "{missing} No capture has it.")?;
            }
            writeln!(said, "nothing was changed; `boardcast rebuild --open` confirms that it stays away")?;
        }
        Rebuilt::Anew { kept, restored, aside, not_had } => {
            // The new journal gets its mark, and its file the right permissions.
            drop(owner.open_journal()?);
            writeln!(
                said,
                "the journal was made anew: {} kept, {} brought back from the captures; the old files are in {}",
                if kept == 1 { "1 entry".to_owned() } else { format!("{kept} entries") },
                counted(restored, "event"),
                aside.display()
            )?;
            for not_had in not_had {
                writeln!(said, "{not_had}")?;
            }
            writeln!(
                said,
                "nothing is public yet: start the daemon, look at the rounds, and make it public with `boardcast rebuild --open`"
            )?;
        }
    }
    if asked && unused {
        done = Done::Partly;
        writeln!(
            said,
            "the pairings are not loaded: --pairings is only for a journal that is made anew. Start the daemon and load them at \
             the dashboard or with `boardcast import`; moves of games that others began can be assigned there"
        )?;
    }
    for unread in unread {
        done = Done::Partly;
        writeln!(said, "{unread}")?;
    }
    output::print(&said)?;
    Ok(done)
}

/// A person has looked.
fn confirm(data: &Path) -> anyhow::Result<Done> {
    Reader::find_in(data)?;
    if Notice::read(data).is_none() {
        output::print("there is nothing to look at: everything is public as it should be\n")?;
        return Ok(Done::Fully);
    }
    Notice::remove(data)
        .with_context(|| format!("the notice in {} cannot be removed: check its permissions", data.display()))?;
    output::print("the record was looked at: it is public again, on a running daemon within seconds\n")?;
    Ok(Done::Fully)
}

/// What all captures below a folder tell, board by board. Files that cannot be read are named.
fn read_captured(folder: &Path, unread: &mut Vec<String>) -> anyhow::Result<Captured> {
    let mut told = Captured::default();
    let boards = match std::fs::read_dir(folder) {
        Ok(boards) => boards,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(told),
        Err(error) => {
            return Err(error).with_context(|| format!("{} cannot be listed: check its permissions", folder.display()));
        }
    };
    for board in boards {
        let pattern = board?.path().join("*.capture");
        let mut captures = Vec::new();
        for path in glob::glob(&pattern.to_string_lossy())?.filter_map(Result::ok) {
            match read_bytes(&path, CAPTURE_BYTES) {
                Ok(bytes) => captures.push(read_capture(&bytes)),
                Err(error) => unread.push(format!("{} cannot be read ({error}): it was left out", path.display())),
            }
        }
        let Some(serial) = captures.iter().find_map(|capture| capture.header.board.clone()) else { continue };
        let replayed = replay(&captures);
        told.boards.extend(replayed.settings.into_iter().map(|(at, setting)| {
            let fact = match setting {
                BoardSetting::Orientation { rotated, white_is_left } => {
                    BoardFact::Orientation { rotated, white_is_left }
                }
                BoardSetting::DeadSquares(squares) => BoardFact::IgnoredSquares { squares },
            };
            NewBoardFact { at, board: serial.as_str().into(), fact }
        }));
        told.events.extend(replayed.records.into_iter().zip(replayed.games).filter_map(|((started, record), game)| {
            Some(CapturedEvent {
                board: serial.as_str().into(),
                game: game?,
                at: started + record.t.as_ms(),
                author: record.author,
                evidence: record.evidence,
                event: record.event.shifted(started),
            })
        }));
    }
    Ok(told)
}
