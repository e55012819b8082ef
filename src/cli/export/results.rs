//! Pairings and results as TRF or CSV, from the headers of games in files.

use anyhow::bail;
use notation::pgn::{Game, write_game};

use pairings::results::{as_csv, as_trf};
use pairings::{MAX_BYTES, Pairings, load};

/// A table format.
#[derive(Debug, Clone, Copy)]
pub(super) enum Table {
    /// A tournament report.
    Trf,
    /// A comma-separated table.
    Csv,
}

/// Collects the headers of games.
pub(super) struct Results {
    table: Table,
    headers: String,
}

impl Results {
    /// An empty collection.
    pub(super) fn new(table: Table) -> Self {
        Self { table, headers: String::new() }
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When there are too many games.
    pub(super) fn add(&mut self, game: &Game) -> anyhow::Result<()> {
        let header = Game { tags: game.tags.clone(), movetext: Vec::new(), outcome: game.outcome };
        self.headers.push_str(&write_game(&header));
        if self.headers.len() as u64 > MAX_BYTES {
            bail!("these are too many games for one file: export fewer files at a time");
        }
        Ok(())
    }

    /// The table as text.
    ///
    /// # Errors
    /// When the tags of the games contradict each other.
    pub(super) fn text(&self) -> anyhow::Result<String> {
        let loaded = load(&[("the games", self.headers.as_bytes())])?;
        for warning in &loaded.pairings.warnings {
            eprintln!("boardcast: {warning}");
        }
        Ok(self.table.text(&loaded.pairings))
    }
}

impl Table {
    /// Pairings in this format.
    pub(super) fn text(self, pairings: &Pairings) -> String {
        match self {
            Self::Trf => as_trf(pairings, None),
            Self::Csv => as_csv(pairings),
        }
    }
}
