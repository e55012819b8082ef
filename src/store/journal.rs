//! The one writer: commits what was handed in, with the numbers and instants that it gets by its commit.
//!
//! Keeps what it needs to know about games in memory and forgets it when a commit fails, so that nothing is given twice.
//! Between commits it folds the games of finished rounds.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use game_core::event::Event;
use notation::pgn::Outcome;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::instants::Instants;
use super::reader::{folded_form, stored_events};
use super::{StoreError, upgrade};
use crate::hall_clock::UtcMs;
use crate::record::{Draft, Entry, GameRef, HandIn};

/// How long another process may hold the database before a commit fails and is tried again later.
const BUSY: Duration = Duration::from_secs(1);

/// Prepared statements that are kept.
const STATEMENTS: usize = 32;

/// Games that are folded in one commit; what is handed in meanwhile waits for so many.
const FOLDED_AT_ONCE: u32 = 8;

/// The journal, open for writing.
#[derive(Debug)]
pub struct Journal {
    connection: Connection,
    /// Number of the next entry.
    next: u64,
    known: Known,
    /// Whether there may be games to fold.
    unfolded: bool,
}

/// What the journal says about games and rounds, as far as it was needed.
#[derive(Debug, Default)]
struct Known {
    games: HashMap<Arc<str>, KnownGame>,
    rounds: BTreeMap<(Arc<str>, u32), KnownRound>,
    /// Counts what was handed in together.
    hand_in: u64,
    /// Whether a game is over now, or changed after it was folded.
    over_or_unfolded: bool,
}

#[derive(Debug, Default)]
struct KnownGame {
    key: i64,
    instants: Instants,
    result: bool,
    ended: bool,
    /// Whether its folded form is kept.
    folded: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct KnownRound {
    seq: u64,
    first_move_at: Option<UtcMs>,
    changed: bool,
}

impl Journal {
    /// Opens the file, which is made when it is missing, and brings it to this version's schema.
    ///
    /// # Errors
    /// A [`StoreError`] that names the file.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let closed = |source| StoreError::Closed { path: path.to_owned(), source };
        let connection = Connection::open(path).map_err(closed)?;
        Self::begin(connection, path).map_err(|error| match error {
            StoreError::Failed(source) => closed(source),
            other => other,
        })
    }

    /// A journal that ends with the process, for tests.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn in_memory() -> Result<Self, StoreError> {
        Self::begin(Connection::open_in_memory()?, Path::new(":memory:"))
    }

    fn begin(mut connection: Connection, path: &Path) -> Result<Self, StoreError> {
        connection.busy_timeout(BUSY)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        upgrade::upgrade(&mut connection, path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        let next = connection.query_row("SELECT coalesce(max(number) + 1, 0) FROM game_event", [], |row| row.get(0))?;
        Ok(Self { connection, next, known: Known::default(), unfolded: true })
    }

    /// Part of the names of the streams that this journal feeds.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn identity(&self) -> Result<Arc<str>, StoreError> {
        Ok(self.connection.query_row("SELECT identity FROM journal", [], |row| row.get(0))?)
    }

    /// Makes all of it durable at once; gives the entries in their order.
    ///
    /// # Errors
    /// When nothing of it is; the same can be handed in again.
    pub fn commit(&mut self, now: UtcMs, handed_in: &[HandIn]) -> Result<Vec<Arc<Entry>>, StoreError> {
        let Self { connection, next, known, unfolded } = self;
        let committed = write(connection, known, *next, now, handed_in);
        *unfolded |= std::mem::take(&mut known.over_or_unfolded);
        match &committed {
            Ok(entries) => *next += entries.len() as u64,
            // The games may have been told of events that never were.
            Err(_) => *known = Known { hand_in: known.hand_in, ..Known::default() },
        }
        committed
    }

    /// Whether [`Journal::fold_finished`] may have something to do.
    pub fn has_unfolded(&self) -> bool {
        self.unfolded
    }

    /// Folds some games of rounds in which every game is over; gives whether there may be more.
    ///
    /// # Errors
    /// When the journal cannot be written or is damaged; the same is tried again at the next call.
    pub fn fold_finished(&mut self) -> Result<bool, StoreError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let games = finished_unfolded(&transaction)?;
        for (key, at) in &games {
            let pgn = folded_form(&transaction, at)?;
            transaction.prepare_cached("INSERT INTO folded VALUES (?1, ?2)")?.execute(params![key, pgn])?;
        }
        transaction.commit()?;
        for (_, at) in &games {
            if let Some(known) = self.known.games.get_mut(&at.game) {
                known.folded = true;
            }
        }
        self.unfolded = games.len() == FOLDED_AT_ONCE as usize;
        Ok(self.unfolded)
    }
}

/// Some games to fold.
fn finished_unfolded(transaction: &Transaction<'_>) -> rusqlite::Result<Vec<(i64, GameRef)>> {
    let mut games = transaction.prepare_cached(
        "SELECT key, id, event, round, tbl FROM game g WHERE over \
           AND NOT EXISTS (SELECT 1 FROM folded WHERE game = g.key) \
           AND NOT EXISTS (SELECT 1 FROM game o WHERE o.event = g.event AND o.round = g.round AND NOT o.over) \
         LIMIT ?1",
    )?;
    games
        .query_map([FOLDED_AT_ONCE], |row| {
            let at = GameRef { game: row.get(1)?, event: row.get(2)?, round: row.get(3)?, table: row.get(4)? };
            Ok((row.get(0)?, at))
        })?
        .collect()
}

fn write(
    connection: &mut Connection,
    known: &mut Known,
    next: u64,
    now: UtcMs,
    handed_in: &[HandIn],
) -> Result<Vec<Arc<Entry>>, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut entries = Vec::new();
    for hand_in in handed_in {
        known.hand_in += 1;
        for board in &hand_in.boards {
            transaction
                .prepare_cached("INSERT INTO board_event (at, event, board, fact) VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![board.at, board.event, board.board, json(&board.fact)?])?;
        }
        let mut previous: Option<&Draft> = None;
        for draft in &hand_in.games {
            let with_start = matches!(draft.event, Event::Tags { .. })
                && previous.is_some_and(|previous| {
                    previous.game == draft.game && matches!(previous.event, Event::GameStarted { .. })
                });
            previous = Some(draft);
            let effective_at = known.tell(&transaction, draft, now)?;
            let seq = if with_start { None } else { Some(known.number(&transaction, draft, now)?) };
            let number = next + entries.len() as u64;
            let entry = Entry { number, committed_at: now, effective_at, seq, draft: draft.clone() };
            insert(&transaction, known.game(&transaction, &draft.game)?.key, &entry)?;
            entries.push(Arc::new(entry));
        }
    }
    known.write_rounds(&transaction)?;
    transaction.commit()?;
    Ok(entries)
}

fn insert(transaction: &Transaction<'_>, key: i64, entry: &Entry) -> Result<(), StoreError> {
    let Draft { at, author, evidence, event, .. } = &entry.draft;
    let tags = match event {
        Event::Tags { tags } => Some(json(tags)?),
        _ => None,
    };
    let event = if tags.is_some() { json(&Event::Tags { tags: BTreeMap::new() })? } else { json(event)? };
    transaction.prepare_cached("INSERT INTO game_event VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")?.execute(
        params![
            entry.number,
            key,
            at,
            entry.committed_at,
            entry.effective_at,
            entry.seq,
            json(author)?,
            json(evidence)?,
            event
        ],
    )?;
    if let Some(tags) = tags {
        transaction.prepare_cached("INSERT INTO game_tags VALUES (?1, ?2)")?.execute(params![entry.number, tags])?;
    }
    Ok(())
}

fn json<T: serde::Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|source| StoreError::Damaged { place: "an event handed in".into(), source })
}

impl Known {
    /// Tells a game what happened in it; gives the instant by which delay counts.
    fn tell(&mut self, transaction: &Transaction<'_>, draft: &Draft, now: UtcMs) -> Result<UtcMs, StoreError> {
        let hand_in = self.hand_in;
        let game = self.game(transaction, &draft.game)?;
        let was_over = game.is_over();
        let effective_at = game.instants.effective(&draft.event, hand_in, now);
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
        Ok(effective_at)
    }

    fn game(&mut self, transaction: &Transaction<'_>, at: &GameRef) -> Result<&mut KnownGame, StoreError> {
        if !self.games.contains_key(&at.game) {
            let stored = transaction
                .prepare_cached("SELECT key, EXISTS (SELECT 1 FROM folded WHERE game = key) FROM game WHERE id = ?1")?
                .query_row([&at.game], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            let mut game = KnownGame::default();
            if let Some((key, folded)) = stored {
                (game.key, game.folded) = (key, folded);
                for (event, effective_at) in stored_events(transaction, key)? {
                    game.instants.recall(&event, effective_at);
                    game.note(&event);
                }
            } else {
                transaction
                    .prepare_cached("INSERT INTO game (id, event, round, tbl, over) VALUES (?1, ?2, ?3, ?4, 0)")?
                    .execute(params![at.game, at.event, at.round, at.table])?;
                game.key = transaction.last_insert_rowid();
            }
            self.games.insert(Arc::clone(&at.game), game);
        }
        Ok(self.games.entry(Arc::clone(&at.game)).or_default())
    }

    /// The next number in the public stream of a round.
    fn number(&mut self, transaction: &Transaction<'_>, draft: &Draft, now: UtcMs) -> rusqlite::Result<u64> {
        let place = (Arc::clone(&draft.game.event), draft.game.round);
        if !self.rounds.contains_key(&place) {
            let stored = transaction
                .prepare_cached("SELECT seq, first_move_at FROM round WHERE event = ?1 AND number = ?2")?
                .query_row(params![place.0, place.1], |row| {
                    Ok(KnownRound { seq: row.get(0)?, first_move_at: row.get(1)?, changed: false })
                })
                .optional()?;
            self.rounds.insert(place.clone(), stored.unwrap_or_default());
        }
        let round = self.rounds.entry(place).or_default();
        round.seq += 1;
        round.changed = true;
        if matches!(draft.event, Event::Move { .. }) {
            round.first_move_at = round.first_move_at.or(Some(now));
        }
        Ok(round.seq)
    }

    fn write_rounds(&mut self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        for ((event, number), round) in self.rounds.iter_mut().filter(|(_, round)| round.changed) {
            transaction.prepare_cached("INSERT OR REPLACE INTO round VALUES (?1, ?2, ?3, ?4)")?.execute(params![
                event,
                number,
                round.seq,
                round.first_move_at
            ])?;
            round.changed = false;
        }
        Ok(())
    }
}

impl KnownGame {
    fn note(&mut self, event: &Event) {
        match event {
            Event::Result { result, .. } => self.result = *result != Outcome::Unknown,
            Event::GameEnded => self.ended = true,
            _ => {}
        }
    }

    fn is_over(&self) -> bool {
        self.result || self.ended
    }
}
