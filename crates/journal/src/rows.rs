//! Converts rows of the journal to entries.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use game_core::event::Event;
use notation::pgn::write_game;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::de::DeserializeOwned;

use super::stored::{self, FormError};
use super::{JournalError, PastGame};
use crate::{Committed, RecordedEvent, RecordedFact};
use game_core::time::UtcMs;
use tournament::GameRef;
use tournament::{Persons, PlayerId};

const EVENT_COLUMNS: &str = "e.number, e.at, e.committed_at, e.effective_at, e.author, e.evidence, e.event, \
                             (SELECT tags FROM game_tags WHERE number = e.number)";

/// What [`hall_entry`] reads.
pub(super) const HALL_COLUMNS: &str = "number, committed_at, effective_at, author, fact, reason, tags \
                                       FROM hall_event LEFT JOIN hall_text USING (number)";

/// Rounds that an organiser finished.
pub(super) fn finished_rounds(connection: &Connection) -> rusqlite::Result<HashSet<(Arc<str>, u32)>> {
    let mut rounds = connection.prepare("SELECT event, number FROM finished_round")?;
    rounds.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// The number of the entry that comes next.
pub(super) fn next_number(connection: &Connection) -> rusqlite::Result<u64> {
    connection.query_row(
        "SELECT max((SELECT coalesce(max(number) + 1, 0) FROM game_event), \
                    (SELECT coalesce(max(number) + 1, 0) FROM hall_event))",
        [],
        |row| row.get(0),
    )
}

pub(super) fn hall_entries(connection: &Connection) -> Result<Vec<RecordedFact>, JournalError> {
    let mut facts = connection.prepare(&format!("SELECT {HALL_COLUMNS} ORDER BY number"))?;
    collect(facts.query([])?, hall_entry)
}

/// A row of [`HALL_COLUMNS`].
pub(super) fn hall_entry(row: &Row<'_>) -> Result<RecordedFact, JournalError> {
    let number = row.get(0)?;
    let place = || Ok(format!("hall_event {number}"));
    let mut fact = converted(stored::read_fact(&row.get::<_, String>(4)?), place)?;
    if let (Some(tags), Some(apart)) = (fact.tags_mut(), row.get::<_, Option<String>>(6)?) {
        *tags = parse(&apart, || Ok(format!("hall_text {number}")))?;
    }
    Ok(RecordedFact {
        number,
        committed_at: row.get(1)?,
        effective_at: row.get(2)?,
        by: converted(stored::read_author(&row.get::<_, String>(3)?), place)?,
        reason: row.get(5)?,
        fact,
    })
}

pub(super) fn persons(connection: &Connection) -> Result<Persons, JournalError> {
    let mut rows = connection.prepare("SELECT id, person FROM person")?;
    let mut persons = Persons::default();
    for (id, person) in collect(rows.query([])?, |row| {
        let id = row.get(0)?;
        let person = stored::read_person(&row.get::<_, String>(1)?);
        Ok((PlayerId(id), converted(person, || Ok(format!("person {id}")))?))
    })? {
        persons.set(id, Some(person));
    }
    Ok(persons)
}

pub(super) fn find_game(connection: &Connection, id: &str) -> rusqlite::Result<Option<GameRef>> {
    connection
        .prepare_cached("SELECT id, event, round, tbl FROM game WHERE id = ?1")?
        .query_row([id], |row| {
            Ok(GameRef { game: row.get(0)?, event: row.get(1)?, round: row.get(2)?, table: row.get(3)? })
        })
        .optional()
}

pub(super) fn game_entries(connection: &Connection, game: &GameRef) -> Result<Vec<RecordedEvent>, JournalError> {
    read_game(connection, game, "e.step")
}

/// The same before schema 3, where each entry counts as a step of its own.
pub(super) fn game_entries_before_3(
    connection: &Connection,
    game: &GameRef,
) -> Result<Vec<RecordedEvent>, JournalError> {
    read_game(connection, game, "e.number")
}

fn read_game(connection: &Connection, game: &GameRef, step: &str) -> Result<Vec<RecordedEvent>, JournalError> {
    let mut events = connection.prepare_cached(&format!(
        "SELECT {EVENT_COLUMNS}, {step} FROM game_event e \
         WHERE e.game = (SELECT key FROM game WHERE id = ?1) ORDER BY e.number"
    ))?;
    collect(events.query([&game.game])?, |row| entry(row, game))
}

/// The entries with these numbers, in order.
pub(super) fn entries(connection: &Connection, numbers: &RangeInclusive<u64>) -> Result<Vec<Committed>, JournalError> {
    let range = [numbers.start(), numbers.end()];
    let mut facts =
        connection.prepare_cached(&format!("SELECT {HALL_COLUMNS} WHERE number BETWEEN ?1 AND ?2 ORDER BY number"))?;
    let facts = collect(facts.query(range)?, hall_entry)?.into_iter().map(Arc::new).map(Committed::Hall);
    let mut events = connection.prepare_cached(&format!(
        "SELECT {EVENT_COLUMNS}, e.step, g.id, g.event, g.round, g.tbl FROM game_event e JOIN game g ON g.key = e.game \
         WHERE e.number BETWEEN ?1 AND ?2 ORDER BY e.number"
    ))?;
    let events = collect(events.query(range)?, |row| {
        entry(row, &GameRef { game: row.get(9)?, event: row.get(10)?, round: row.get(11)?, table: row.get(12)? })
    })?;
    let mut entries: Vec<_> = facts.chain(events.into_iter().map(Arc::new).map(Committed::Game)).collect();
    entries.sort_by_key(Committed::number);
    Ok(entries)
}

/// The snapshot of a game: its PGN, as the table `folded` holds it.
pub(super) fn snapshot_of(connection: &Connection, at: &GameRef) -> Result<String, JournalError> {
    let past = PastGame { entries: game_entries(connection, at)?, at: at.clone() };
    Ok(write_game(&past.fold().to_pgn()))
}

/// The events of a game with their effective instants.
pub(super) fn stored_events(connection: &Connection, key: i64) -> Result<Vec<(Event, UtcMs)>, JournalError> {
    let mut events = connection
        .prepare_cached("SELECT number, event, effective_at FROM game_event WHERE game = ?1 ORDER BY number")?;
    collect(events.query(params![key])?, |row| {
        let event = parse(&row.get::<_, String>(1)?, || Ok(format!("game_event {}", row.get::<_, i64>(0)?)))?;
        Ok((event, row.get(2)?))
    })
}

fn entry(row: &Row<'_>, game: &GameRef) -> Result<RecordedEvent, JournalError> {
    let number = row.get(0)?;
    let place = || Ok(format!("game_event {number}"));
    let mut event = parse(&row.get::<_, String>(6)?, place)?;
    if let Event::Tags { tags } = &mut event
        && let Some(stored) = row.get::<_, Option<String>>(7)?
    {
        *tags = parse(&stored, || Ok(format!("game_tags {number}")))?;
    }
    Ok(RecordedEvent {
        number,
        committed_at: row.get(2)?,
        effective_at: row.get(3)?,
        step: row.get(8)?,
        at: row.get(1)?,
        game: game.clone(),
        author: converted(stored::read_author(&row.get::<_, String>(4)?), place)?,
        evidence: converted(stored::read_evidence(&row.get::<_, String>(5)?), place)?,
        event,
    })
}

/// What a document of the journal says; `place` names its table and row.
pub(super) fn converted<T>(
    read: Result<T, FormError>,
    place: impl FnOnce() -> rusqlite::Result<String>,
) -> Result<T, JournalError> {
    read.or_else(|error| {
        let place = place()?;
        Err(match error {
            FormError::Damaged(source) => JournalError::Damaged { place, source },
            FormError::Newer(what) => JournalError::NewerEntry { place, what },
        })
    })
}

/// A document in a form that is not the journal's own: events and tags.
pub(super) fn parse<T: DeserializeOwned>(
    json: &str,
    place: impl FnOnce() -> rusqlite::Result<String>,
) -> Result<T, JournalError> {
    serde_json::from_str(json).map_err(|source| match place() {
        Ok(place) => JournalError::Damaged { place, source },
        Err(error) => error.into(),
    })
}

pub(super) fn collect<T>(
    mut rows: rusqlite::Rows<'_>,
    read: impl Fn(&Row<'_>) -> Result<T, JournalError>,
) -> Result<Vec<T>, JournalError> {
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(read(row)?);
    }
    Ok(all)
}
