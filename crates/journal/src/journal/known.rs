//! What the writer knows about games, as far as it was needed.

use std::collections::HashMap;
use std::sync::Arc;

use game_core::event::Event;
use notation::pgn::Outcome;
use rusqlite::{OptionalExtension, Transaction, params};

use crate::JournalError;
use crate::NewEvent;
use crate::forget::Forgotten;
use crate::instants::Instants;
use crate::rows::stored_events;
use game_core::time::UtcMs;
use tournament::GameRef;

/// What the journal says about games, as far as it was needed.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) games: HashMap<Arc<str>, KnownGame>,
    /// Counts what was handed in together.
    pub(super) batch: u64,
    /// Whether a game is over now, or changed after it was folded.
    pub(super) over_or_unfolded: bool,
    /// Who is forgotten with this commit, and before which entry he was known.
    pub(super) forgotten: Vec<(Forgotten, u64)>,
}

#[derive(Debug, Default)]
pub(super) struct KnownGame {
    key: i64,
    table: u32,
    instants: Instants,
    result: bool,
    ended: bool,
    /// Whether its folded form is kept.
    pub(super) folded: bool,
}

/// What an event becomes by its commit.
pub(super) struct Told {
    /// Of its game.
    pub(super) key: i64,
    /// The instant by which delay counts.
    pub(super) effective_at: UtcMs,
}

impl Known {
    /// Nothing, after so many hand-ins.
    pub(super) fn after(batch: u64) -> Self {
        Self { batch, ..Self::default() }
    }

    /// Tells a game what happened in it.
    pub(super) fn tell(
        &mut self,
        transaction: &Transaction<'_>,
        draft: &NewEvent,
        now: UtcMs,
    ) -> Result<Told, JournalError> {
        let batch = self.batch;
        let game = self.game(transaction, &draft.game)?;
        let was_over = game.is_over();
        let effective_at = game.instants.effective(&draft.event, batch, now);
        game.note(&draft.event);
        let (key, is_over) = (game.key, game.is_over());
        if is_over != was_over {
            transaction.prepare_cached("UPDATE game SET over = ?2 WHERE key = ?1")?.execute(params![key, is_over])?;
        }
        let was_folded = std::mem::take(&mut game.folded);
        if was_folded {
            transaction.prepare_cached("DELETE FROM folded WHERE game = ?1")?.execute([key])?;
        }
        self.over_or_unfolded |= was_folded || is_over && !was_over;
        Ok(Told { key, effective_at })
    }

    fn game(&mut self, transaction: &Transaction<'_>, at: &GameRef) -> Result<&mut KnownGame, JournalError> {
        if !self.games.contains_key(&at.game) {
            let game = recall(transaction, at)?;
            self.games.insert(Arc::clone(&at.game), game);
        }
        let game = self.games.entry(Arc::clone(&at.game)).or_default();
        if game.table != at.table {
            transaction
                .prepare_cached("UPDATE game SET tbl = ?2 WHERE key = ?1")?
                .execute(params![game.key, at.table])?;
            game.table = at.table;
        }
        Ok(game)
    }
}

/// What the journal knows of a game; a game that it does not know is entered.
fn recall(transaction: &Transaction<'_>, at: &GameRef) -> Result<KnownGame, JournalError> {
    let stored = transaction
        .prepare_cached("SELECT key, tbl, EXISTS (SELECT 1 FROM folded WHERE game = key) FROM game WHERE id = ?1")?
        .query_row([&at.game], |row| {
            Ok(KnownGame { key: row.get(0)?, table: row.get(1)?, folded: row.get(2)?, ..KnownGame::default() })
        })
        .optional()?;
    let game = if let Some(mut game) = stored {
        for (event, effective_at) in stored_events(transaction, game.key)? {
            game.instants.recall(&event, effective_at);
            game.note(&event);
        }
        game
    } else {
        transaction
            .prepare_cached("INSERT INTO game (id, event, round, tbl, over) VALUES (?1, ?2, ?3, ?4, 0)")?
            .execute(params![at.game, at.event, at.round, at.table])?;
        KnownGame { key: transaction.last_insert_rowid(), table: at.table, ..KnownGame::default() }
    };
    Ok(game)
}

impl KnownGame {
    fn note(&mut self, event: &Event) {
        match event {
            Event::GameStarted { .. } => (self.result, self.ended) = (false, false),
            Event::Result { result, .. } => self.result = *result != Outcome::Unknown,
            Event::GameEnded => self.ended = true,
            _ => {}
        }
    }

    fn is_over(&self) -> bool {
        self.result || self.ended
    }
}
