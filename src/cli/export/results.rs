//! Pairings and results as pairing programs take them back; those of files from the headers of the games.

use anyhow::bail;
use notation::pgn::{Game, write_game};

use pairings::results::{as_csv, as_trf};
use pairings::{MAX_BYTES, Pairings, load};

/// The forms.
#[derive(Debug, Clone, Copy)]
pub(super) enum Table {
    /// A tournament report.
    Trf,
    /// A table with commas.
    Csv,
}

/// Games whose headers wait.
pub(super) struct Results {
    table: Table,
    headers: String,
}

impl Results {
    /// No games.
    pub(super) fn new(table: Table) -> Self {
        Self { table, headers: String::new() }
    }

    /// Adds a game.
    ///
    /// # Errors
    /// There are more than any tournament has.
    pub(super) fn add(&mut self, game: &Game) -> anyhow::Result<()> {
        let header = Game { tags: game.tags.clone(), movetext: Vec::new(), outcome: game.outcome };
        self.headers.push_str(&write_game(&header));
        if self.headers.len() as u64 > MAX_BYTES {
            bail!("these are too many games for one report: choose with --section and --round");
        }
        Ok(())
    }

    /// The text.
    ///
    /// # Errors
    /// When the tags of the games do not go together.
    pub(super) fn text(&self) -> anyhow::Result<String> {
        let loaded = load(&[("the games", self.headers.as_bytes())])?;
        for warning in &loaded.pairings.warnings {
            eprintln!("boardcast: {warning}");
        }
        Ok(self.table.text(&loaded.pairings))
    }
}

impl Table {
    /// Pairings in this form.
    pub(super) fn text(self, pairings: &Pairings) -> String {
        match self {
            Self::Trf => as_trf(pairings, None),
            Self::Csv => as_csv(pairings),
        }
    }
}
