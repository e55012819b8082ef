//! Removes forgotten persons from the tags of games and from texts that people wrote.
//!
//! The tags that replace theirs are ordinary events of the same batch.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use game_core::event::Event;
use rusqlite::{OptionalExtension, Transaction, params};

use super::JournalError;
use super::rows::{converted, parse};
use super::stored::read_person;
use crate::{Committed, NewEvent, RecordedFact};
use tournament::{Names, PlayerId, remove_names};

/// Tags that begin with a colour and are not about its player.
const OF_THE_GAME: [&str; 2] = ["Clock", "TimeControl"];

type Tags = BTreeMap<String, String>;

/// Persons to remove, and the tags that replace theirs.
#[derive(Debug, Default)]
pub(super) struct Forgotten {
    names: Names,
    /// By the id of a game, the tags that were set anew when its player was forgotten.
    renewed: BTreeMap<String, BTreeSet<String>>,
}

impl Forgotten {
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Adds a person, whose row must still exist.
    pub(super) fn add(&mut self, transaction: &Transaction<'_>, id: PlayerId) -> Result<(), JournalError> {
        let stored: Option<String> =
            transaction.query_row("SELECT person FROM person WHERE id = ?1", [id.0], |row| row.get(0)).optional()?;
        if let Some(stored) = stored {
            self.names.add(&converted(read_person(&stored), || Ok(format!("person {id}")))?);
        }
        Ok(())
    }

    /// Notes the tags that replace those of the persons.
    pub(super) fn note_tags(&mut self, events: &[NewEvent]) {
        for new in events {
            if let Event::Tags { tags } = &new.event {
                self.renewed.entry(new.game.game.to_string()).or_default().extend(tags.keys().cloned());
            }
        }
    }

    /// Removes them from all tags recorded before a number; returns the keys of the changed games.
    pub(super) fn remove_from_tags(
        &self,
        transaction: &Transaction<'_>,
        before: u64,
    ) -> Result<BTreeSet<i64>, JournalError> {
        let mut rows = transaction.prepare(
            "SELECT t.number, g.key, g.id, t.tags FROM game_tags t JOIN game_event e USING (number) \
             JOIN game g ON g.key = e.game WHERE t.number < ?1",
        )?;
        let mut rows = rows.query([before])?;
        let mut changed = Vec::new();
        while let Some(row) = rows.next()? {
            let (number, game, id): (i64, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let place = || format!("game_tags {number}");
            let tags: Tags = parse(&row.get::<_, String>(3)?, || Ok(place()))?;
            let left = self.without(&id, &tags);
            if left != tags {
                let json =
                    serde_json::to_string(&left).map_err(|source| JournalError::Damaged { place: place(), source })?;
                changed.push((number, game, json));
            }
        }
        for (number, _, json) in &changed {
            transaction.execute(
                "UPDATE game_tags SET (tags, sum) = (?2, content_sum(?1, ?2)) WHERE number = ?1",
                params![number, json],
            )?;
        }
        Ok(changed.into_iter().map(|(_, game, _)| game).collect())
    }

    /// Removes them from reasons and tags of hall facts.
    pub(super) fn remove_from_hall(&self, transaction: &Transaction<'_>) -> Result<(), JournalError> {
        let mut rows = transaction.prepare("SELECT number, reason, tags FROM hall_text")?;
        let mut rows = rows.query([])?;
        let mut changed = Vec::new();
        while let Some(row) = rows.next()? {
            let (number, reason, tags): (i64, Option<String>, Option<String>) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let place = || format!("hall_text {number}");
            let left = match &tags {
                Some(tags) => {
                    let mut tags: Tags = parse(tags, || Ok(place()))?;
                    remove_names(&mut tags, &self.names);
                    Some(
                        serde_json::to_string(&tags)
                            .map_err(|source| JournalError::Damaged { place: place(), source })?,
                    )
                }
                None => None,
            };
            let kept = self.reason(reason.clone());
            if left != tags || kept != reason {
                changed.push((number, kept, left));
            }
        }
        for (number, reason, tags) in changed {
            transaction.execute(
                "UPDATE hall_text SET (reason, tags, sum) = (?2, ?3, content_sum(?1, ?2, ?3)) WHERE number = ?1",
                params![number, reason, tags],
            )?;
        }
        Ok(())
    }

    /// Removes them from an entry that was committed before.
    pub(super) fn remove_from_entry(&self, entry: &mut Committed) {
        match entry {
            Committed::Game(entry) => {
                let Event::Tags { tags } = &entry.event else { return };
                let left = self.without(&entry.game.game, tags);
                if left != *tags {
                    Arc::make_mut(entry).event = Event::Tags { tags: left };
                }
            }
            Committed::Hall(entry) => {
                let mut left = RecordedFact::clone(entry);
                left.reason = self.reason(left.reason);
                if let Some(tags) = left.fact.tags_mut() {
                    remove_names(tags, &self.names);
                }
                if left != **entry {
                    *entry = Arc::new(left);
                }
            }
        }
    }

    fn reason(&self, reason: Option<String>) -> Option<String> {
        reason.filter(|reason| !self.names.stand_in(reason))
    }

    /// Earlier tags of a game without those that were set anew, and without a player who is forgotten.
    fn without(&self, game: &str, tags: &Tags) -> Tags {
        let renewed = self.renewed.get(game);
        let gone: Vec<_> = ["White", "Black"]
            .into_iter()
            .filter(|colour| tags.get(*colour).is_some_and(|name| self.names.are_shown_as(name)))
            .collect();
        let of_gone = |name: &str| {
            gone.iter().any(|colour| name.strip_prefix(colour).is_some_and(|what| !OF_THE_GAME.contains(&what)))
        };
        let mut left = tags.clone();
        left.retain(|name, _| !renewed.is_some_and(|renewed| renewed.contains(name)) && !of_gone(name));
        remove_names(&mut left, &self.names);
        left
    }
}
