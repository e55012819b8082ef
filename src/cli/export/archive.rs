//! Writes the folder tree of PGN files that the PGN standard suggests.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Context;
use notation::archive::{places, read_me};
use notation::pgn::{Game, read_games};
use notation_commands::{NewFiles, SortedGames};

/// Collects games for the tree.
pub(super) struct Archive {
    sorted: SortedGames,
}

impl Archive {
    /// An empty collection.
    ///
    /// # Errors
    /// When a temporary file cannot be created.
    pub(super) fn new() -> anyhow::Result<Self> {
        Ok(Self { sorted: SortedGames::new()? })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When the temporary file cannot be written.
    pub(super) fn add(&mut self, game: &Game) -> anyhow::Result<()> {
        self.sorted.add(game)
    }

    /// Writes the files: one for each event, each player and each day, the games of each in the standard's order.
    ///
    /// # Errors
    /// When a file exists already or cannot be written.
    pub(super) fn write(self, folder: &Path) -> anyhow::Result<()> {
        let mut files = NewFiles::below(folder);
        self.sorted.each(true, |text| {
            let game = read_games(text).next().context("an exported game cannot be read back")??;
            for place in places(&game) {
                files.add(&place, text)?;
            }
            Ok(())
        })?;
        let folders: BTreeSet<String> = files.names().flat_map(folders_of).collect();
        for folder in folders {
            if let Some(text) = read_me(&folder) {
                let name = if folder.is_empty() { "ReadMe".to_owned() } else { format!("{folder}/ReadMe") };
                files.add(&name, text.as_bytes())?;
            }
        }
        files.close_all()
    }
}

/// The folders of a path, outermost first.
fn folders_of(path: &str) -> Vec<String> {
    let inner = path.match_indices('/').map(|(end, _)| path.get(..end).unwrap_or_default());
    std::iter::once("").chain(inner).map(str::to_owned).collect()
}
