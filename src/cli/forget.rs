//! `boardcast forget`: removes a person.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, BufRead as _, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use game_core::event::Author;

use super::data_args::{DataArgs, Folders};
use super::output;
use crate::admin::api::orders::Order as ApiOrder;
use crate::admin::client;
use crate::director;
use crate::input_file::read_bytes;
use accounts::{Accounts, Name, Role};
use hall_clock::HallClock;
use journal;
use journal::{DataFolder, JournalError, Reader};
use notation_commands::Done;
use pairings::MAX_BYTES;
use tournament::{Hall, Order, Persons, PlayerId};

/// Longest answer to the question in bytes.
const ANSWER_BYTES: u64 = 256;

/// Remove a person: name, title, rating and everything else that is known about a player
///
/// The games remain without the name. This cannot be undone: the command asks first, or needs --yes where it has no terminal. If the
/// daemon is running, it is asked to do it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The player's name as in the pairings, or the player's number
    #[arg(value_name = "PLAYER")]
    player: String,
    /// The administrator in whose name the daemon does it, needed when there are several
    #[arg(long, value_name = "ACCOUNT")]
    by: Option<Name>,
    /// Do it without a question
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    folder: DataArgs,
}

pub(super) async fn run(args: Args) -> anyhow::Result<Done> {
    let Args { player, by, yes, folder } = args;
    let Folders { data, pairings } = folder.folders()?;
    Reader::find_in(&data)?;
    let asked = match DataFolder::take(&data) {
        Ok(folder) => without_daemon(&folder, &player, yes).await?,
        Err(JournalError::InUse(_)) => through_the_daemon(&data, &player, by.as_ref(), yes)?,
        Err(error) => return Err(error.into()),
    };
    let mut said = String::new();
    for player in asked.players {
        writeln!(said, "player {player} is removed")?;
    }
    for note in asked.notes {
        writeln!(said, "{note}")?;
    }
    let left = files_with(&pairings, &asked.names);
    for path in &left {
        writeln!(said, "{} still contains the name: remove it there", path.display())?;
    }
    output::print(&said)?;
    Ok(if left.is_empty() { Done::Fully } else { Done::Partly })
}

/// The removed players.
struct Forgotten {
    players: Vec<PlayerId>,
    names: Vec<String>,
    /// Who that is, for the question.
    told: Vec<String>,
    notes: BTreeSet<String>,
}

impl Forgotten {
    /// The players to be removed.
    fn of(hall: &Hall, persons: &Persons, wanted: &str) -> anyhow::Result<Self> {
        let players = players(hall, persons, wanted)?;
        let records = players.iter().filter_map(|player| persons.record(*player));
        let all = records.flat_map(|record| record.earlier.iter().chain([&record.person]));
        let names = all.map(|person| person.name.clone()).collect();
        let told = players.iter().map(|player| told(hall, persons, *player)).collect();
        Ok(Self { players, names, told, notes: BTreeSet::new() })
    }

    /// Asks whether they are to be removed.
    ///
    /// # Errors
    /// When the answer is not yes, or no person can be asked.
    fn confirm(&self, yes: bool) -> anyhow::Result<()> {
        if yes {
            return Ok(());
        }
        let told = self.told.join("; ");
        if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
            bail!(
                "nothing was removed: here is no terminal for the question. With --yes this is removed for good: {told}"
            );
        }
        eprint!(
            "This is removed for good: {told}.\nThe moves stay; name, titles, ratings and numbers go, also from the history and \
             from texts with the name. This cannot be undone.\nType yes to remove it: "
        );
        let mut answer = String::new();
        io::stdin().lock().take(ANSWER_BYTES).read_line(&mut answer).context("there is no answer")?;
        if !answer.trim().eq_ignore_ascii_case("yes") {
            bail!("nothing was removed");
        }
        Ok(())
    }
}

/// A player for the question: number, name, section and games.
fn told(hall: &Hall, persons: &Persons, player: PlayerId) -> String {
    let name = persons.get(player).map_or("without a name", |person| &person.name);
    let section = hall.player(player).map_or("?", |(section, _)| &section.settings.name);
    let games = hall.games().filter(|found| found.game.has(player)).count();
    format!("player {player}, {name}, of the section «{section}», games: {games}")
}

/// Removes the players in the journal itself.
async fn without_daemon(folder: &DataFolder, wanted: &str, yes: bool) -> anyhow::Result<Forgotten> {
    let (journal, reader) = folder.open_journal()?;
    let past = reader.past()?;
    let clock = HallClock::start(1.0);
    let (recorder, _feed, thread) = journal::start(clock, journal, Vec::new()).context("the recorder cannot start")?;
    let (director, running) = director::start(clock, recorder, reader, &past).context("the director cannot start")?;
    let mut asked = Forgotten::of(&director.hall(), &director.persons(), wanted)?;
    asked.confirm(yes)?;
    for player in &asked.players {
        let by = Author::Rule("boardcast forget".into());
        let receipt = director.order(by, None, None, Order::Forget { player: *player }).await?;
        asked.notes.extend(receipt.notes.iter().map(ToString::to_string));
    }
    drop(director);
    running.ended().await?;
    if thread.join().is_err() {
        bail!("the recorder failed: run this command again");
    }
    Ok(asked)
}

/// Asks the running daemon, so that its memory forgets the players too.
fn through_the_daemon(data: &Path, wanted: &str, by: Option<&Name>, yes: bool) -> anyhow::Result<Forgotten> {
    let (hall, persons) = Reader::open_in(data)?.hall()?;
    let mut asked = Forgotten::of(&hall, &persons, wanted)?;
    let accounts = Accounts::open(data)?;
    let by = match by {
        Some(by) => by.clone(),
        None => only_administrator(&accounts)?,
    };
    let address = DataFolder::read_address(data).context("the daemon is still starting: try again")?;
    asked.confirm(yes)?;
    for player in &asked.players {
        asked.notes.extend(client::order(&accounts, &by, address, &ApiOrder::Forget { player: (*player).into() })?);
    }
    Ok(asked)
}

fn only_administrator(accounts: &Accounts) -> anyhow::Result<Name> {
    let mut users = accounts.users()?.into_iter().filter(|user| user.role == Role::Administrator);
    match (users.next(), users.next()) {
        (Some(only), None) => Ok(only.name.parse()?),
        (None, _) => bail!(
            "the daemon is running and there is no administrator: add one with `boardcast user add`, or stop the daemon \
             first"
        ),
        _ => bail!("the daemon is running and there are several administrators: name one with --by"),
    }
}

/// The players: the one with this number, or one of this name in each section.
fn players(hall: &Hall, persons: &Persons, wanted: &str) -> anyhow::Result<Vec<PlayerId>> {
    if let Ok(number) = wanted.parse() {
        return Ok(vec![PlayerId(number)]);
    }
    let named: Vec<_> = persons.iter().filter(|(_, person)| person.name == wanted).map(|(id, _)| id).collect();
    if named.is_empty() {
        bail!("there is no player «{wanted}»: write the name as in the pairings, or give the player's number");
    }
    for section in hall.sections.values() {
        let here: Vec<_> =
            named.iter().filter(|id| section.players.contains_key(id)).map(ToString::to_string).collect();
        if here.len() > 1 {
            let (numbers, slug) = (here.join(" and "), &section.slug);
            bail!("players {numbers} of the section «{slug}» have the name «{wanted}»: give the number of one of them");
        }
    }
    Ok(named)
}

/// Files of pairings that contain one of the names.
fn files_with(folder: &Path, names: &[String]) -> Vec<PathBuf> {
    let pattern = folder.join("**/*");
    let files = glob::glob(&pattern.to_string_lossy()).into_iter().flatten().filter_map(Result::ok);
    let holds = |path: &PathBuf| {
        let bytes = read_bytes(path, MAX_BYTES).unwrap_or_default();
        let text = pairings::encoding::decode(&bytes).map(|(text, _)| text).unwrap_or_default();
        names.iter().any(|name| text.contains(name.as_str()))
    };
    files.filter(|path| path.is_file()).filter(holds).collect()
}
