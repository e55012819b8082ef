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
use rusqlite::{CachedStatement, Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::forget::Forgotten;
use super::instants::Instants;
use super::reader::{folded_form, stored_events};
use super::{StoreError, upgrade};
use crate::hall_clock::UtcMs;
use crate::record::{Committed, Draft, Entry, GameRef, HallDraft, HallEntry, HandIn};
use crate::tournament::{Fact, RoundState};

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
    rounds: Vec<KnownRound>,
    /// Counts what was handed in together.
    hand_in: u64,
    /// Whether a game is over now, or changed after it was folded.
    over_or_unfolded: bool,
    /// Whether a person is forgotten.
    forgetting: bool,
}

#[derive(Debug, Default)]
struct KnownGame {
    key: i64,
    table: u32,
    /// Its place in [`Known::rounds`].
    round: usize,
    instants: Instants,
    result: bool,
    ended: bool,
    /// Whether its folded form is kept.
    folded: bool,
}

#[derive(Debug)]
struct KnownRound {
    event: Arc<str>,
    number: u32,
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
        // What is removed (a person, a name in tags) is overwritten on the disk.
        connection.pragma_update(None, "secure_delete", true)?;
        let next = connection.query_row(
            "SELECT max((SELECT coalesce(max(number) + 1, 0) FROM game_event), \
                        (SELECT coalesce(max(number) + 1, 0) FROM hall_event))",
            [],
            |row| row.get(0),
        )?;
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
    pub fn commit(&mut self, now: UtcMs, handed_in: &[HandIn]) -> Result<Vec<Committed>, StoreError> {
        let Self { connection, next, known, unfolded } = self;
        let committed = write(connection, known, *next, now, handed_in);
        *unfolded |= std::mem::take(&mut known.over_or_unfolded);
        if known.forgetting && committed.is_ok() {
            // What was removed still stands in the log. Whatever keeps it there is over by a later commit.
            let checkpoint = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, bool>(0));
            known.forgetting = checkpoint.unwrap_or(true);
        }
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

    /// Folds some games of rounds that are over, or in which every game is; gives whether there may be more.
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
        "SELECT key, id, event, round, tbl FROM game g \
         WHERE NOT EXISTS (SELECT 1 FROM folded WHERE game = g.key) \
           AND (EXISTS (SELECT 1 FROM finished_round f WHERE f.event = g.event AND f.number = g.round) \
             OR NOT EXISTS (SELECT 1 FROM game o WHERE o.event = g.event AND o.round = g.round AND NOT o.over)) \
         LIMIT ?1",
    )?;
    games
        .query_map([FOLDED_AT_ONCE], |row| {
            let at = GameRef { game: row.get(1)?, event: row.get(2)?, round: row.get(3)?, table: row.get(4)? };
            Ok((row.get(0)?, at))
        })?
        .collect()
}

/// Everything that is handed in, as rows.
struct Writer<'a> {
    transaction: &'a Transaction<'a>,
    known: &'a mut Known,
    now: UtcMs,
    next: u64,
    committed: Vec<Committed>,
    insert_event: CachedStatement<'a>,
}

fn write(
    connection: &mut Connection,
    known: &mut Known,
    next: u64,
    now: UtcMs,
    handed_in: &[HandIn],
) -> Result<Vec<Committed>, StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let committed = {
        let insert_event =
            transaction.prepare_cached("INSERT INTO game_event VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")?;
        let mut writer = Writer { transaction: &transaction, known, now, next, committed: Vec::new(), insert_event };
        for hand_in in handed_in {
            writer.hand_in(hand_in)?;
        }
        writer.committed
    };
    known.write_rounds(&transaction)?;
    transaction.commit()?;
    Ok(committed)
}

impl Writer<'_> {
    fn hand_in(&mut self, hand_in: &HandIn) -> Result<(), StoreError> {
        self.known.hand_in += 1;
        let first = self.number();
        for board in &hand_in.boards {
            self.transaction
                .prepare_cached("INSERT INTO board_event (at, board, fact) VALUES (?1, ?2, ?3)")?
                .execute(params![board.at, board.board, json(&board.fact)?])?;
        }
        for draft in &hand_in.hall {
            self.hall(draft)?;
        }
        let mut previous: Option<&Draft> = None;
        for draft in &hand_in.games {
            let with_start = matches!(draft.event, Event::Tags { .. })
                && previous.is_some_and(|previous| {
                    previous.game.game == draft.game.game && matches!(previous.event, Event::GameStarted { .. })
                });
            previous = Some(draft);
            self.game(draft, with_start)?;
        }
        self.persons(hand_in, first)
    }

    fn number(&self) -> u64 {
        self.next + self.committed.len() as u64
    }

    fn hall(&mut self, draft: &HallDraft) -> Result<(), StoreError> {
        let HallDraft { by, reason, fact } = draft.clone();
        self.note_round(&fact)?;
        let (number, now) = (self.number(), self.now);
        self.transaction.prepare_cached("INSERT INTO hall_event VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?.execute(params![
            number,
            now,
            now,
            json(&by)?,
            reason,
            json(&fact)?
        ])?;
        let entry = HallEntry { number, committed_at: now, effective_at: now, by, reason, fact };
        self.committed.push(Committed::Hall(Arc::new(entry)));
        Ok(())
    }

    /// Keeps which rounds are over.
    fn note_round(&mut self, fact: &Fact) -> Result<(), StoreError> {
        let Fact::RoundState { section, round, state } = fact else { return Ok(()) };
        let statement = if *state == RoundState::Finished {
            self.known.over_or_unfolded = true;
            "INSERT INTO finished_round VALUES (?1, ?2) ON CONFLICT DO NOTHING"
        } else {
            "DELETE FROM finished_round WHERE event = ?1 AND number = ?2"
        };
        self.transaction.prepare_cached(statement)?.execute(params![section, round])?;
        Ok(())
    }

    /// Tags that are handed in together with the start of their game get no number of their own.
    fn game(&mut self, draft: &Draft, with_start: bool) -> Result<(), StoreError> {
        let Told { key, effective_at, seq } = self.known.tell(self.transaction, draft, with_start, self.now)?;
        let Draft { at, author, evidence, event, .. } = draft;
        let tags = match event {
            Event::Tags { tags } => Some(json(tags)?),
            _ => None,
        };
        let event = if tags.is_some() { json(&Event::Tags { tags: BTreeMap::new() })? } else { json(event)? };
        let number = self.number();
        self.insert_event.execute(params![
            number,
            key,
            at,
            self.now,
            effective_at,
            seq,
            json(author)?,
            json(evidence)?,
            event
        ])?;
        if let Some(tags) = tags {
            self.transaction.prepare_cached("INSERT INTO game_tags VALUES (?1, ?2)")?.execute(params![number, tags])?;
        }
        let entry = Entry { number, committed_at: self.now, effective_at, seq, draft: draft.clone() };
        self.committed.push(Committed::Game(Arc::new(entry)));
        Ok(())
    }

    /// Persons as they are now; `first` is the number of the first entry of this hand-in.
    fn persons(&mut self, hand_in: &HandIn, first: u64) -> Result<(), StoreError> {
        let mut forgotten = Forgotten::default();
        for (id, person) in &hand_in.persons {
            if let Some(person) = person {
                self.transaction
                    .prepare_cached("INSERT INTO person VALUES (?1, ?2) ON CONFLICT DO UPDATE SET person = ?2")?
                    .execute(params![id.0, json(person)?])?;
            } else {
                forgotten.add(self.transaction, *id)?;
                self.transaction.prepare_cached("DELETE FROM person WHERE id = ?1")?.execute([id.0])?;
            }
        }
        if !forgotten.is_empty() {
            forgotten.note_tags(&hand_in.games);
            for game in forgotten.remove_from_tags(self.transaction, first)? {
                self.transaction.prepare_cached("DELETE FROM folded WHERE game = ?1")?.execute([game])?;
                self.known.over_or_unfolded = true;
            }
            self.known.forgetting = true;
        }
        Ok(())
    }
}

fn json<T: serde::Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|source| StoreError::Damaged { place: "an event handed in".into(), source })
}

/// What an event becomes by its commit.
struct Told {
    /// Of its game.
    key: i64,
    /// The instant by which delay counts.
    effective_at: UtcMs,
    /// Its number in the public stream of its round.
    seq: Option<u64>,
}

impl Known {
    /// Tells a game what happened in it.
    fn tell(
        &mut self,
        transaction: &Transaction<'_>,
        draft: &Draft,
        with_start: bool,
        now: UtcMs,
    ) -> Result<Told, StoreError> {
        let hand_in = self.hand_in;
        let game = self.game(transaction, &draft.game)?;
        let was_over = game.is_over();
        let effective_at = game.instants.effective(&draft.event, hand_in, now);
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
        let seq = self.rounds.get_mut(round).filter(|_| !with_start).map(|round| round.tell(&draft.event, now));
        Ok(Told { key, effective_at, seq })
    }

    fn game(&mut self, transaction: &Transaction<'_>, at: &GameRef) -> Result<&mut KnownGame, StoreError> {
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
    fn recall(&mut self, transaction: &Transaction<'_>, at: &GameRef) -> Result<KnownGame, StoreError> {
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

    fn write_rounds(&mut self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
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
