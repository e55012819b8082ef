//! The writer's cache of games: what it needs to place the next events. Filled from the journal on demand.

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

/// Games that were needed since the start or the last failed commit.
#[derive(Debug, Default)]
pub(super) struct GameCache {
    pub(super) games: HashMap<Arc<str>, CachedGame>,
    /// Number of the current batch.
    pub(super) batch: u64,
    /// Whether a game ended, or lost its snapshot because it changed.
    pub(super) lacks_snapshots: bool,
    /// Persons forgotten by this commit, with the number of the first entry after the removal.
    pub(super) forgotten: Vec<(Forgotten, u64)>,
}

#[derive(Debug, Default)]
pub(super) struct CachedGame {
    key: i64,
    table: u32,
    instants: Instants,
    result: bool,
    ended: bool,
    /// Whether the journal has a snapshot of it.
    pub(super) has_snapshot: bool,
}

/// What the commit adds to an event.
pub(super) struct NumberedEvent {
    /// Key of its game.
    pub(super) key: i64,
    /// The instant by which delay counts.
    pub(super) effective_at: UtcMs,
}

impl GameCache {
    /// Empty cache, keeping the batch counter.
    pub(super) fn empty(batch: u64) -> Self {
        Self { batch, ..Self::default() }
    }

    /// Adds an event to its game.
    pub(super) fn enter(
        &mut self,
        transaction: &Transaction<'_>,
        draft: &NewEvent,
        now: UtcMs,
    ) -> Result<NumberedEvent, JournalError> {
        let batch = self.batch;
        let game = self.game(transaction, &draft.game)?;
        let was_over = game.is_over();
        let effective_at = game.instants.effective(&draft.event, batch, now);
        game.note(&draft.event);
        let (key, is_over) = (game.key, game.is_over());
        if is_over != was_over {
            transaction.prepare_cached("UPDATE game SET over = ?2 WHERE key = ?1")?.execute(params![key, is_over])?;
        }
        let had_snapshot = std::mem::take(&mut game.has_snapshot);
        if had_snapshot {
            transaction.prepare_cached("DELETE FROM folded WHERE game = ?1")?.execute([key])?;
        }
        self.lacks_snapshots |= had_snapshot || is_over && !was_over;
        Ok(NumberedEvent { key, effective_at })
    }

    fn game(&mut self, transaction: &Transaction<'_>, at: &GameRef) -> Result<&mut CachedGame, JournalError> {
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

/// Loads a game from the journal, or adds it there.
fn recall(transaction: &Transaction<'_>, at: &GameRef) -> Result<CachedGame, JournalError> {
    let stored = transaction
        .prepare_cached("SELECT key, tbl, EXISTS (SELECT 1 FROM folded WHERE game = key) FROM game WHERE id = ?1")?
        .query_row([&at.game], |row| {
            Ok(CachedGame { key: row.get(0)?, table: row.get(1)?, has_snapshot: row.get(2)?, ..CachedGame::default() })
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
        CachedGame { key: transaction.last_insert_rowid(), table: at.table, ..CachedGame::default() }
    };
    Ok(game)
}

impl CachedGame {
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
