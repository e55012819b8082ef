//! `boardcast forget`: a person removed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use game_core::event::Author;

use super::check::DataArgs;
use super::{Done, output};
use crate::hall_clock::HallClock;
use crate::input_file::read_bytes;
use crate::office::Office;
use crate::pairings::MAX_BYTES;
use crate::record;
use crate::store::DataFolder;
use crate::tournament::{Hall, Order, Persons, PlayerId};

/// Removes a person: name, title, rating and all else that is known of a player
///
/// The games stay, with nobody's name. It cannot be taken back. The daemon must not be at work on the data folder; while it
/// is, the same can be ordered over its API.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The player's name as it is written, or the number of the player
    #[arg(value_name = "PLAYER")]
    player: String,
    #[command(flatten)]
    folder: DataArgs,
}

pub(super) async fn run(args: Args) -> anyhow::Result<Done> {
    let data = args.folder.folder()?;
    let folder = DataFolder::take(&data)?;
    let (journal, reader) = folder.open_journal()?;
    let past = reader.past()?;
    let clock = HallClock::start(1.0);
    let (recorder, _feed, thread) = record::start(clock, journal, Vec::new()).context("the recorder does not start")?;
    let office = Office::open(clock, recorder, Arc::new(reader), &past);
    let players = players(&office.hall(), &office.persons(), &args.player)?;
    let mut said = String::new();
    let mut names = Vec::new();
    for player in players {
        let record = office.persons().record(player).cloned().unwrap_or_default();
        names.extend(record.earlier.into_iter().chain([record.person]).map(|person| person.name));
        let by = Author::Rule("boardcast forget".into());
        office.order(by, None, None, Order::Forget { player }).await?;
        writeln!(said, "player {player} is forgotten")?;
    }
    drop(office);
    if thread.join().is_err() {
        bail!("the recorder failed at the end: run this again");
    }
    said += "Backups of the journal and copies of pairings elsewhere are not reached: remove the name there too.\n";
    let left = files_with(&data.join("pairings"), &names);
    for path in &left {
        writeln!(said, "{} still names the player: remove the name there", path.display())?;
    }
    output::print(&said)?;
    Ok(if left.is_empty() { Done::Fully } else { Done::Partly })
}

/// The players that are meant: the one with this number, or one of this name in each section.
fn players(hall: &Hall, persons: &Persons, wanted: &str) -> anyhow::Result<Vec<PlayerId>> {
    if let Ok(number) = wanted.parse() {
        return Ok(vec![PlayerId(number)]);
    }
    let named: Vec<_> = persons.iter().filter(|(_, person)| person.name == wanted).map(|(id, _)| id).collect();
    if named.is_empty() {
        bail!("nobody is called «{wanted}»: write the name as the pairings write it, or give the player's number");
    }
    for section in hall.sections.values() {
        let here: Vec<_> =
            named.iter().filter(|id| section.players.contains_key(id)).map(ToString::to_string).collect();
        if here.len() > 1 {
            let (numbers, slug) = (here.join(" and "), &section.slug);
            bail!("players {numbers} of «{slug}» are both called «{wanted}»: give the number of the one who is meant");
        }
    }
    Ok(named)
}

/// Files of pairings that hold one of the names.
fn files_with(folder: &Path, names: &[String]) -> Vec<PathBuf> {
    let pattern = folder.join("**/*");
    let files = glob::glob(&pattern.to_string_lossy()).into_iter().flatten().filter_map(Result::ok);
    let holds = |path: &PathBuf| {
        let bytes = read_bytes(path, MAX_BYTES).unwrap_or_default();
        let text = crate::pairings::encoding::decode(&bytes).map(|(text, _)| text).unwrap_or_default();
        names.iter().any(|name| text.contains(name.as_str()))
    };
    files.filter(|path| path.is_file()).filter(holds).collect()
}
