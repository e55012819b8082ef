//! Pairings and results as TRF or CSV, from the headers of games in files.

use anyhow::bail;
use notation::pgn::{Game, write_game};

use pairings::results::{as_csv, as_trf, encoding};
use pairings::{MAX_BYTES, Pairings, Report, load};

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

    /// The table.
    ///
    /// # Errors
    /// When the tags of the games contradict each other.
    pub(super) fn bytes(&self) -> anyhow::Result<Vec<u8>> {
        let loaded = load(&[("the games", self.headers.as_bytes())])?;
        for warning in &loaded.pairings.warnings {
            eprintln!("boardcast: {warning}");
        }
        Ok(self.table.bytes(&loaded.pairings, None))
    }
}

impl Table {
    /// Pairings in this format; a report that was read is completed.
    pub(super) fn bytes(self, pairings: &Pairings, report: Option<&Report>) -> Vec<u8> {
        match self {
            Self::Trf => encoding(report).encode(&as_trf(pairings, report)),
            Self::Csv => as_csv(pairings).into_bytes(),
        }
    }
}
