//! What the daemon recorded, one game at a time.

use std::io::{self, IsTerminal, Write};

use anyhow::{Context, bail};

use super::Exported;
use crate::cli::check::DataArgs;
use crate::position_times::PositionTimes;
use crate::record::GameRef;
use crate::store::Reader;

/// Games between two signs of progress.
const PROGRESS_GAMES: usize = 500;

/// Which recorded games are meant.
#[derive(Debug, clap::Args)]
pub(super) struct Wanted {
    /// Only this section, named as in addresses
    #[arg(long, value_name = "SECTION")]
    section: Option<String>,
    /// Only this round
    #[arg(long, value_name = "N")]
    round: Option<u32>,
    /// Only the game with this id; may be repeated
    #[arg(long, value_name = "ID")]
    game: Vec<String>,
}

/// Hands over the games by section, round and table; the journal is read game by game, beside a daemon at work.
pub(super) fn each_game(
    wanted: &Wanted,
    folder: DataArgs,
    take: &mut impl FnMut(&Exported<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let reader = Reader::open_in(&folder.folder()?)?;
    let games = wanted.choose(reader.games(wanted.section.as_deref(), wanted.round)?)?;
    let mut progress = Progress { games: games.len(), terminal: io::stderr().is_terminal() };
    for (number, at) in games.iter().enumerate() {
        progress.show(number);
        let past = reader.game(&at.game)?.with_context(|| format!("game {} has vanished from the journal", at.game))?;
        let mut times = PositionTimes::default();
        for entry in &past.entries {
            times.note(&entry.draft.event, entry.draft.at, entry.effective_at);
        }
        take(&Exported { game: past.fold().to_pgn(), id: &at.game, times })?;
    }
    Ok(())
}

impl Wanted {
    fn choose(&self, mut games: Vec<GameRef>) -> anyhow::Result<Vec<GameRef>> {
        if let Some(id) = self.game.iter().find(|id| !games.iter().any(|game| *game.game == ***id)) {
            bail!("there is no game {id} in the record: its id is the tag GameId of its PGN");
        }
        if !self.game.is_empty() {
            games.retain(|game| self.game.iter().any(|id| *game.game == **id));
        }
        match (&self.section, self.round) {
            _ if !games.is_empty() => {}
            (Some(section), Some(round)) => bail!("there is no game of round {round} in the section {section}"),
            (Some(section), None) => {
                bail!("there is no game of a section {section}: give it as in the addresses of its games")
            }
            (None, Some(round)) => bail!("there is no game of round {round} in the record"),
            (None, None) => {}
        }
        Ok(games)
    }
}

/// A line on a terminal that says how far a long export is.
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
