//! Rows of the record: each is numbered, written with its sum and folded.

use std::collections::BTreeMap;
use std::sync::Arc;

use game_core::event::{Author, Event, Evidence};
use game_core::game::Game;
use game_core::time::UtcMs;
use rusqlite::params;
use tournament::{Fact, GameRef, RoundState};

use super::{Builder, Written};
use crate::{JournalError, stored};

impl<I> Builder<'_, I> {
    /// A fact that is new in the record, with its names and free text apart.
    pub(super) fn new_fact(&mut self, fact: &Fact, by: &Author) -> Result<(), JournalError> {
        let mut bare = fact.clone();
        let tags = bare.tags_mut().map(std::mem::take).filter(|tags| !tags.is_empty());
        let tags = tags.map(|tags| json(&tags)).transpose()?;
        let (stored, author) = (written(stored::write_fact(&bare))?, written(stored::write_author(by))?);
        let now = self.committed_at;
        self.fact((fact, &stored, tags.as_deref()), (now, now), &author, None)
    }

    /// A fact as it is written, folded.
    pub(super) fn fact(
        &mut self,
        (fact, json, tags): (&Fact, &str, Option<&str>),
        (committed_at, effective_at): (UtcMs, UtcMs),
        author: &str,
        reason: Option<&str>,
    ) -> Result<(), JournalError> {
        let number = self.next;
        self.transaction
            .prepare_cached("INSERT INTO hall_event VALUES (?1, ?2, ?3, ?4, ?5, content_sum(?1, ?2, ?3, ?4, ?5))")?
            .execute(params![number, committed_at, effective_at, author, json])?;
        if reason.is_some() || tags.is_some() {
            self.transaction
                .prepare_cached("INSERT INTO hall_text VALUES (?1, ?2, ?3, content_sum(?1, ?2, ?3))")?
                .execute(params![number, reason, tags])?;
        }
        self.next += 1;
        self.hall.apply(fact);
        if let Fact::RoundState { section, round, state } = fact {
            let round = (Arc::clone(section), *round);
            if *state == RoundState::Finished {
                self.finished.insert(round);
            } else {
                self.finished.remove(&round);
            }
        }
        Ok(())
    }

    /// An event that is new in the record; `after` is the game with it, if it is known.
    pub(super) fn event(
        &mut self,
        at: &GameRef,
        given_out: UtcMs,
        author: &Author,
        evidence: Evidence,
        event: &Event,
        after: Option<Game>,
    ) -> Result<(), JournalError> {
        let (number, key) = (self.next, self.key(at)?);
        let step = self.step.as_ref().map_or(number, |(_, _, step)| *step);
        let (batch, now) = (self.batch, self.committed_at);
        let game = self.games.entry(Arc::clone(&at.game)).or_default();
        let effective_at = game.instants.effective(event, batch, now);
        match after {
            Some(after) => game.fold = after,
            None => {
                game.fold.apply(event);
            }
        }
        let tags = match event {
            Event::Tags { tags } => Some(json(tags)?),
            _ => None,
        };
        let event = if tags.is_some() { json(&Event::Tags { tags: BTreeMap::new() })? } else { json(event)? };
        let author = written(stored::write_author(author))?;
        self.row(
            (number, key, step),
            (given_out, now, effective_at),
            (&author, stored::write_evidence(evidence).as_ref(), &event),
            tags.as_deref(),
        )
    }

    /// The row of an event.
    pub(super) fn row(
        &mut self,
        (number, key, step): (u64, i64, u64),
        (at, committed_at, effective_at): (UtcMs, UtcMs, UtcMs),
        (author, evidence, event): (&str, &str, &str),
        tags: Option<&str>,
    ) -> Result<(), JournalError> {
        self.transaction
            .prepare_cached(
                "INSERT INTO game_event SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, \
                 content_sum(?1, id, event, round, ?3, ?4, ?5, ?6, ?7, ?8, ?9) FROM game WHERE key = ?2",
            )?
            .execute(params![number, key, at, committed_at, effective_at, author, evidence, event, step])?;
        if let Some(tags) = tags {
            self.transaction
                .prepare_cached("INSERT INTO game_tags VALUES (?1, ?2, content_sum(?1, ?2))")?
                .execute(params![number, tags])?;
        }
        self.next += 1;
        Ok(())
    }

    /// The key of a game, which is added when it is new.
    pub(super) fn key(&mut self, at: &GameRef) -> Result<i64, JournalError> {
        if let Some(known) = self.games.get(&at.game) {
            return Ok(known.key);
        }
        self.transaction
            .prepare_cached("INSERT INTO game (id, event, round, tbl, over) VALUES (?1, ?2, ?3, ?4, 0)")?
            .execute(params![at.game, at.event, at.round, at.table])?;
        let key = self.transaction.last_insert_rowid();
        self.games.insert(Arc::clone(&at.game), Written { key, ..Written::default() });
        Ok(key)
    }
}

/// A value as the journal has it.
pub(super) fn json<T: serde::Serialize>(value: &T) -> Result<String, JournalError> {
    written(serde_json::to_string(value))
}

/// What was written of a new entry.
pub(super) fn written(json: serde_json::Result<String>) -> Result<String, JournalError> {
    json.map_err(|source| JournalError::Damaged { place: "a new entry".into(), source })
}
