//! Writes batches as rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use game_core::event::Event;
use rusqlite::{CachedStatement, Connection, Transaction, TransactionBehavior, params};

use super::game_cache::{GameCache, NumberedEvent};
use crate::JournalError;
use crate::condition;
use crate::forget::Forgotten;
use crate::releases;
use crate::stored;
use crate::{Batch, Committed, NewEvent, NewFact, RecordedEvent, RecordedFact};
use game_core::time::UtcMs;
use tournament::{Fact, RoundState};

/// A transaction that is being written.
struct Writer<'a> {
    transaction: &'a Transaction<'a>,
    cache: &'a mut GameCache,
    now: UtcMs,
    next: u64,
    committed: Vec<Committed>,
    insert_event: CachedStatement<'a>,
}

/// Writes all batches in one transaction; returns their entries, and the sum of the last one.
pub(super) fn write(
    connection: &mut Connection,
    cache: &mut GameCache,
    next: u64,
    now: UtcMs,
    batches: &[Batch],
) -> Result<(Vec<Committed>, i64), JournalError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let committed = {
        let insert_event = transaction.prepare_cached(
            "INSERT INTO game_event SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, \
                 content_sum(?1, id, event, round, ?3, ?4, ?5, ?6, ?7, ?8, ?9) FROM game WHERE key = ?2",
        )?;
        let mut writer = Writer { transaction: &transaction, cache, now, next, committed: Vec::new(), insert_event };
        for batch in batches {
            writer.batch(batch)?;
        }
        writer.committed
    };
    let sum = condition::sum_before(&transaction, next + committed.len() as u64)?;
    transaction.commit()?;
    Ok((committed, sum.unwrap_or(0)))
}

impl Writer<'_> {
    fn batch(&mut self, batch: &Batch) -> Result<(), JournalError> {
        self.cache.batch += 1;
        let first = self.number();
        for board in &batch.boards {
            self.transaction
                .prepare_cached(
                    "INSERT INTO board_event SELECT next, ?1, ?2, ?3, content_sum(next, ?1, ?2, ?3) \
                     FROM (SELECT coalesce(max(number), 0) + 1 AS next FROM board_event)",
                )?
                .execute(params![board.at, board.board, written(stored::write_board_fact(&board.fact))?])?;
        }
        for new in &batch.hall {
            self.hall(new)?;
        }
        for draft in &batch.games {
            self.game(draft, first)?;
        }
        releases::write(self.transaction, &batch.releases)?;
        releases::write_rounds(self.transaction, &batch.released_rounds)?;
        self.persons(batch, first)
    }

    fn number(&self) -> u64 {
        self.next + self.committed.len() as u64
    }

    fn hall(&mut self, new: &NewFact) -> Result<(), JournalError> {
        let NewFact { by, reason, fact } = new.clone();
        self.note_round(&fact)?;
        let (number, now) = (self.number(), self.now);
        let mut bare = fact.clone();
        let tags = bare.tags_mut().map(std::mem::take).filter(|tags| !tags.is_empty());
        self.transaction
            .prepare_cached("INSERT INTO hall_event VALUES (?1, ?2, ?3, ?4, ?5, content_sum(?1, ?2, ?3, ?4, ?5))")?
            .execute(params![
                number,
                now,
                now,
                written(stored::write_author(&by))?,
                written(stored::write_fact(&bare))?
            ])?;
        if reason.is_some() || tags.is_some() {
            self.transaction
                .prepare_cached("INSERT INTO hall_text VALUES (?1, ?2, ?3, content_sum(?1, ?2, ?3))")?
                .execute(params![number, reason, tags.map(|tags| json(&tags)).transpose()?])?;
        }
        let entry = RecordedFact { number, committed_at: now, effective_at: now, by, reason, fact };
        self.committed.push(Committed::Hall(Arc::new(entry)));
        Ok(())
    }

    /// Updates the table of finished rounds.
    fn note_round(&mut self, fact: &Fact) -> Result<(), JournalError> {
        let Fact::RoundState { section, round, state } = fact else { return Ok(()) };
        let statement = if *state == RoundState::Finished {
            self.cache.lacks_snapshots = true;
            "INSERT INTO finished_round VALUES (?1, ?2) ON CONFLICT DO NOTHING"
        } else {
            "DELETE FROM finished_round WHERE event = ?1 AND number = ?2"
        };
        self.transaction.prepare_cached(statement)?.execute(params![section, round])?;
        Ok(())
    }

    /// An event of the batch whose first entry has the number `step`.
    fn game(&mut self, draft: &NewEvent, step: u64) -> Result<(), JournalError> {
        let NumberedEvent { key, effective_at } = self.cache.enter(self.transaction, draft, self.now)?;
        let NewEvent { at, author, evidence, event, .. } = draft;
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
            written(stored::write_author(author))?,
            stored::write_evidence(*evidence),
            event,
            step
        ])?;
        if let Some(tags) = tags {
            self.transaction
                .prepare_cached("INSERT INTO game_tags VALUES (?1, ?2, content_sum(?1, ?2))")?
                .execute(params![number, tags])?;
        }
        let NewEvent { at, game, author, evidence, event } = draft.clone();
        let committed_at = self.now;
        let entry = RecordedEvent { number, committed_at, effective_at, step, at, game, author, evidence, event };
        self.committed.push(Committed::Game(Arc::new(entry)));
        Ok(())
    }

    /// Writes changed persons; `first` is the number of the batch's first entry.
    fn persons(&mut self, batch: &Batch, first: u64) -> Result<(), JournalError> {
        let mut forgotten = Forgotten::default();
        for (id, person) in &batch.persons {
            if let Some(person) = person {
                self.transaction
                    .prepare_cached(
                        "INSERT INTO person VALUES (?1, ?2, content_sum(?1, ?2)) \
                         ON CONFLICT DO UPDATE SET (person, sum) = (?2, content_sum(?1, ?2))",
                    )?
                    .execute(params![id.0, written(stored::write_person(person))?])?;
            } else {
                forgotten.add(self.transaction, *id)?;
                self.transaction.prepare_cached("DELETE FROM person WHERE id = ?1")?.execute([id.0])?;
            }
        }
        if !forgotten.is_empty() {
            forgotten.note_tags(&batch.games);
            for game in forgotten.remove_from_tags(self.transaction, first)? {
                self.transaction.prepare_cached("DELETE FROM folded WHERE game = ?1")?.execute([game])?;
                self.cache.lacks_snapshots = true;
            }
            forgotten.remove_from_hall(self.transaction)?;
            self.cache.forgotten.push((forgotten, first));
        }
        Ok(())
    }
}

/// Events and tags, in forms that are not the journal's own.
fn json<T: serde::Serialize>(value: &T) -> Result<String, JournalError> {
    written(serde_json::to_string(value))
}

fn written(json: serde_json::Result<String>) -> Result<String, JournalError> {
    json.map_err(|source| JournalError::Damaged { place: "a new entry".into(), source })
}
