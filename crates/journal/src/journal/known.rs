//! What the writer knows about games and rounds, as far as it was needed.

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

/// What the journal says about games and rounds, as far as it was needed.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) games: HashMap<Arc<str>, KnownGame>,
    rounds: Vec<KnownRound>,
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
    /// Its place in [`Known::rounds`].
    round: usize,
    instants: Instants,
    result: bool,
    ended: bool,
    /// Whether its folded form is kept.
    pub(super) folded: bool,
}

#[derive(Debug)]
struct KnownRound {
    event: Arc<str>,
    number: u32,
    seq: u64,
    first_move_at: Option<UtcMs>,
    changed: bool,
}

/// What an event becomes by its commit.
pub(super) struct Told {
    /// Of its game.
    pub(super) key: i64,
    /// The instant by which delay counts.
    pub(super) effective_at: UtcMs,
    /// Its number in the public stream of its round.
    pub(super) seq: Option<u64>,
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
        numbered: bool,
        now: UtcMs,
    ) -> Result<Told, JournalError> {
        let batch = self.batch;
        let game = self.game(transaction, &draft.game)?;
        let was_over = game.is_over();
        let effective_at = game.instants.effective(&draft.event, batch, now);
        game.note(&draft.event);
        let (key, is_over, round) = (game.key, game.is_over(), game.round);
        if is_over != was_over {
            transaction.prepare_cached("UPDATE game SET over = ?2 WHERE key = ?1")?.execute(params![key, is_over])?;
        }
        let was_folded = std::mem::take(&mut game.folded);
        if was_folded {
            transaction.prepare_cached("DELETE FROM folded WHERE game = ?1")?.execute([key])?;
        }
        self.over_or_unfolded |= was_folded || is_over && !was_over;
        let seq = self.rounds.get_mut(round).filter(|_| numbered).map(|round| round.tell(&draft.event, now));
        Ok(Told { key, effective_at, seq })
    }

    fn game(&mut self, transaction: &Transaction<'_>, at: &GameRef) -> Result<&mut KnownGame, JournalError> {
        if !self.games.contains_key(&at.game) {
            let game = self.recall(transaction, at)?;
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

    /// What the journal knows of a game; a game that it does not know is entered.
    fn recall(&mut self, transaction: &Transaction<'_>, at: &GameRef) -> Result<KnownGame, JournalError> {
        let stored = transaction
            .prepare_cached("SELECT key, tbl, EXISTS (SELECT 1 FROM folded WHERE game = key) FROM game WHERE id = ?1")?
            .query_row([&at.game], |row| {
                Ok(KnownGame { key: row.get(0)?, table: row.get(1)?, folded: row.get(2)?, ..KnownGame::default() })
            })
            .optional()?;
        let mut game = if let Some(mut game) = stored {
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
        game.round = self.round(transaction, &at.event, at.round)?;
        Ok(game)
    }

    /// Where a round stands among those that are known.
    fn round(&mut self, transaction: &Transaction<'_>, event: &Arc<str>, number: u32) -> rusqlite::Result<usize> {
        if let Some(known) = self.rounds.iter().position(|round| round.number == number && round.event == *event) {
            return Ok(known);
        }
        let stored = transaction
            .prepare_cached("SELECT seq, first_move_at FROM round WHERE event = ?1 AND number = ?2")?
            .query_row(params![event, number], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let (seq, first_move_at) = stored.unwrap_or_default();
        self.rounds.push(KnownRound { event: Arc::clone(event), number, seq, first_move_at, changed: false });
        Ok(self.rounds.len() - 1)
    }

    pub(super) fn write_rounds(&mut self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        for round in self.rounds.iter_mut().filter(|round| round.changed) {
            transaction
                .prepare_cached(
                    "INSERT INTO round VALUES (?1, ?2, ?3, ?4) \
                     ON CONFLICT DO UPDATE SET seq = ?3, first_move_at = ?4",
                )?
                .execute(params![round.event, round.number, round.seq, round.first_move_at])?;
            round.changed = false;
        }
        Ok(())
    }
}

impl KnownRound {
    /// The next number in its public stream.
    fn tell(&mut self, event: &Event, now: UtcMs) -> u64 {
        self.seq += 1;
        self.changed = true;
        if matches!(event, Event::Move { .. }) {
            self.first_move_at = self.first_move_at.or(Some(now));
        }
        self.seq
    }
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
