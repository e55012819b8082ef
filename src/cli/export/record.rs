//! Reads recorded games one at a time.

use std::io::{self, IsTerminal, Write};

use anyhow::{Context, bail};

use super::exported::Exported;
use crate::cli::data_args::DataArgs;
use journal::PositionTimes;
use journal::Reader;
use pairings::{Pairings, Report};
use tournament::GameRef;
use tournament::results;
use tournament::{Hall, UNASSIGNED};

/// Games between two progress messages.
const PROGRESS_GAMES: usize = 500;

/// Selection of recorded games.
#[derive(Debug, clap::Args)]
pub(super) struct Wanted {
    /// Only this section, by its name in addresses
    #[arg(long, value_name = "SECTION")]
    pub(super) section: Option<String>,
    /// Only this round
    #[arg(long, value_name = "N")]
    pub(super) round: Option<u32>,
    /// Only the game with this id, even if it is withdrawn from the public; may be repeated
    #[arg(long, value_name = "ID")]
    pub(super) game: Vec<String>,
}

/// Calls `take` for each game, by section, round and board. Reads the journal game by game; the daemon may be running.
/// Withdrawn and unassigned games are left out unless they are named.
pub(super) fn each_game(
    wanted: &Wanted,
    folder: DataArgs,
    take: &mut impl FnMut(&Exported<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let reader = Reader::open_in(&folder.folder()?)?;
    let (hall, _) = reader.hall()?;
    let games = wanted.choose(reader.games(wanted.section.as_deref(), wanted.round)?, &hall)?;
    let mut progress = Progress { games: games.len(), terminal: io::stderr().is_terminal() };
    for (number, at) in games.iter().enumerate() {
        progress.show(number);
        let past = reader
            .game(&at.game)?
            .with_context(|| format!("game {} was removed from the journal meanwhile: try again", at.game))?;
        let mut times = PositionTimes::default();
        for entry in &past.entries {
            times.note(entry);
        }
        take(&Exported { game: past.fold().to_pgn(), id: &at.game, times })?;
    }
    Ok(())
}

/// The pairings and results of a section, with full names, and the report that was loaded into it.
pub(super) fn pairings(wanted: &Wanted, folder: DataArgs) -> anyhow::Result<(Pairings, Option<Report>)> {
    if !wanted.game.is_empty() {
        bail!("TRF and CSV hold whole rounds: select with --section and --round instead of --game");
    }
    let (hall, persons) = Reader::open_in(&folder.folder()?)?.hall()?;
    let paired: Vec<_> = hall.sections.values().filter(|section| !section.settings.open_play).collect();
    let section = match (&wanted.section, &paired[..]) {
        (Some(section), _) => section,
        (None, [only]) => &*only.slug,
        (None, []) => bail!("no section has pairings"),
        (None, several) => {
            let slugs: Vec<_> = several.iter().map(|section| &*section.slug).collect();
            bail!("there are several sections ({}): select one with --section", slugs.join(", "))
        }
    };
    let mut pairings = results(&hall, &persons, section).with_context(|| no_section(section))?;
    // A single round does not complete a report.
    let report = tournament::report(&hall, section).filter(|_| wanted.round.is_none());
    if let Some(round) = wanted.round {
        pairings.rounds.retain(|known| known.number == round);
        if pairings.rounds.is_empty() {
            bail!("the section «{section}» has no round {round}");
        }
    }
    Ok((pairings, report))
}

pub(super) fn no_section(section: &str) -> String {
    format!("there is no section «{section}»: give its name in addresses, as in /pgn/NAME/live.pgn")
}

impl Wanted {
    fn choose(&self, mut games: Vec<GameRef>, hall: &Hall) -> anyhow::Result<Vec<GameRef>> {
        if let Some(id) = self.game.iter().find(|id| !games.iter().any(|game| *game.game == ***id)) {
            bail!("there is no game «{id}»: the id is in the tag GameId of its PGN");
        }
        if self.game.is_empty() {
            let withdrawn = |game: &GameRef| hall.game(&game.game).is_some_and(|found| found.game.withdrawn);
            games.retain(|game| *game.event != *UNASSIGNED && !withdrawn(game));
        } else {
            games.retain(|game| self.game.iter().any(|id| *game.game == **id));
        }
        match (&self.section, self.round) {
            _ if !games.is_empty() => {}
            (Some(section), _) if hall.section(section).is_none() => bail!(no_section(section)),
            (Some(section), Some(round)) => bail!("the section «{section}» has no games in round {round}"),
            (None, Some(round)) => bail!("no section has games in round {round}"),
            (_, None) => {}
        }
        Ok(games)
    }
}

/// A progress line on the terminal.
struct Progress {
    games: usize,
    terminal: bool,
}

impl Progress {
    fn show(&mut self, done: usize) {
        if self.terminal && done > 0 && done.is_multiple_of(PROGRESS_GAMES) {
            eprint!("\r{done} of {} games", self.games);
            let _ = io::stderr().flush();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.terminal && self.games > PROGRESS_GAMES {
            eprint!("\r\x1b[K");
        }
    }
}
