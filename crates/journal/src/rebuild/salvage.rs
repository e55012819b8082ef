//! Reads what is sound from a journal that may be damaged anywhere: row by row, around what cannot be read.
//!
//! Must not know what is missing, nor captures.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::Arc;

use coded_text::CodedText;
use game_core::event::Event;
use game_core::time::UtcMs;
use rusqlite::types::Value;
use rusqlite::{Connection, Row};
use tournament::GameRef;

use crate::loss::{Loss, RowKind};
use crate::rows::hall_entry;
use crate::{RecordedFact, content_sum, stored, upgrade};

/// Rows beyond the last one that was read that are tried one by one.
const TRIED: i64 = 1000;

/// What could be read.
#[derive(Debug, Default)]
pub(super) struct Salvage {
    /// Entries in order of their numbers.
    pub(super) entries: Vec<Entry>,
    /// Facts of boards, as stored: when, board, fact.
    pub(super) boards: Vec<(UtcMs, Arc<str>, String)>,
    /// Persons, as stored.
    pub(super) persons: BTreeMap<u32, String>,
    /// When views with a delay released what, as stored, with the number of entries that each knew.
    pub(super) releases: Vec<(u64, Vec<Value>)>,
    /// Whether rows after the last one may be missing for damage.
    pub(super) is_cut: bool,
    /// What could not be read, one sentence each.
    pub(super) lost: Vec<CodedText>,
}

/// A sound entry.
#[derive(Debug)]
pub(super) enum Entry {
    Game(SavedEvent),
    Hall(SavedFact),
}

/// A row of an event, with the text of its tags.
#[derive(Debug)]
pub(super) struct SavedEvent {
    pub(super) number: u64,
    pub(super) step: u64,
    pub(super) at: UtcMs,
    pub(super) committed_at: UtcMs,
    pub(super) effective_at: UtcMs,
    pub(super) game: GameRef,
    pub(super) author: String,
    pub(super) evidence: String,
    /// As stored, without tags.
    pub(super) json: String,
    pub(super) tags: Option<String>,
    pub(super) event: Event,
}

/// A row of a fact, with its text.
#[derive(Debug)]
pub(super) struct SavedFact {
    pub(super) author: String,
    /// As stored, without tags.
    pub(super) json: String,
    pub(super) tags: Option<String>,
    pub(super) recorded: RecordedFact,
}

impl Entry {
    pub(super) fn number(&self) -> u64 {
        match self {
            Self::Game(event) => event.number,
            Self::Hall(fact) => fact.recorded.number,
        }
    }

    pub(super) fn committed_at(&self) -> UtcMs {
        match self {
            Self::Game(event) => event.committed_at,
            Self::Hall(fact) => fact.recorded.committed_at,
        }
    }
}

/// Reads a copy of a journal, which may be changed.
pub(super) fn read(path: &Path) -> Salvage {
    let mut salvage = Salvage::default();
    let connection = match opened(path) {
        Ok(connection) => connection,
        Err(reason) => {
            salvage.is_cut = true;
            salvage.lost.push(reason.into());
            return salvage;
        }
    };
    let mut entries = scan(&connection, &EVENTS, event, &mut salvage);
    entries.extend(scan(&connection, &FACTS, fact, &mut salvage));
    entries.sort_by_key(Entry::number);
    let tags = |entry: &&Entry| matches!(entry, Entry::Game(SavedEvent { event: Event::Tags { .. }, tags: None, .. }));
    let renewed = entries.iter().filter(tags).count();
    if renewed > 0 {
        salvage.lost.push(Loss::TagsRenewed { games: renewed }.into());
    }
    salvage.entries = entries;
    salvage.boards =
        scan(&connection, &BOARDS, |row| Some((row.get(0).ok()?, row.get(1).ok()?, row.get(2).ok()?)), &mut salvage);
    let person = |row: &Row<'_>| {
        let (id, person): (u32, String) = (row.get(0).ok()?, row.get(1).ok()?);
        stored::read_person(&person).is_ok().then_some((id, person))
    };
    let release = |row: &Row<'_>| {
        let values: Result<Vec<Value>, _> = (0..8).map(|column| row.get(column)).collect();
        Some((row.get(2).ok()?, values.ok()?))
    };
    salvage.releases = scan(&connection, &RELEASES, release, &mut salvage);
    salvage.persons = scan(&connection, &PERSONS, person, &mut salvage).into_iter().collect();
    salvage
}

/// Opens a journal and brings it to this version's schema, or says what that loses.
fn opened(path: &Path) -> Result<Connection, Loss> {
    let open = || -> Result<Connection, String> {
        let mut connection = Connection::open(path).map_err(|error| error.to_string())?;
        content_sum::register(&connection).map_err(|error| error.to_string())?;
        upgrade::upgrade(&mut connection, path).map_err(|error| {
            std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string)
        })?;
        Ok(connection)
    };
    if !path.exists() {
        return Err(Loss::OldJournal);
    }
    open()
        .or_else(|_| {
            // The first bytes are the same in every journal.
            repair_header(path).map_err(|error| error.to_string())?;
            open()
        })
        .map_err(|reason| Loss::OldJournalUnread { reason })
}

/// Writes the parts of SQLite's header that are the same in every journal.
fn repair_header(path: &Path) -> std::io::Result<()> {
    const PAGE_BYTES: [u8; 2] = [0x10, 0];
    let mut file = fs::File::options().write(true).open(path)?;
    file.write_all(b"SQLite format 3\0")?;
    file.write_all(&PAGE_BYTES)?;
    // Write-ahead log, no reserved bytes, the fixed fractions.
    file.write_all(&[2, 2, 0, 64, 32, 32])?;
    // The format of the schema; UTF-8.
    for (at, value) in [(44, 4_u32), (56, 1)] {
        file.seek(SeekFrom::Start(at))?;
        file.write_all(&value.to_be_bytes())?;
    }
    file.sync_all()
}

fn event(row: &Row<'_>) -> Option<Entry> {
    let (author, evidence, json): (String, String, String) = (row.get(4).ok()?, row.get(5).ok()?, row.get(6).ok()?);
    stored::read_author(&author).ok()?;
    stored::read_evidence(&evidence).ok()?;
    let tags: Option<String> = row.get(12).ok()?;
    let mut event = serde_json::from_str(&json).ok()?;
    if let (Event::Tags { tags: all }, Some(apart)) = (&mut event, &tags) {
        *all = serde_json::from_str(apart).ok()?;
    }
    Some(Entry::Game(SavedEvent {
        number: row.get(0).ok()?,
        at: row.get(1).ok()?,
        committed_at: row.get(2).ok()?,
        effective_at: row.get(3).ok()?,
        step: row.get(7).ok()?,
        game: GameRef {
            game: row.get(8).ok()?,
            event: row.get(9).ok()?,
            round: row.get(10).ok()?,
            table: row.get(11).ok()?,
        },
        author,
        evidence,
        json,
        tags,
        event,
    }))
}

fn fact(row: &Row<'_>) -> Option<Entry> {
    let recorded = hall_entry(row).ok()?;
    Some(Entry::Hall(SavedFact { author: row.get(3).ok()?, json: row.get(4).ok()?, tags: row.get(6).ok()?, recorded }))
}

/// A table that is read around its damage.
struct Table {
    name: &'static str,
    rows: RowKind,
    columns: &'static str,
    from: &'static str,
    /// What holds for a sound row.
    sound: &'static str,
    key: &'static str,
}

const EVENTS: Table = Table {
    name: "game_event",
    rows: RowKind::Events,
    columns: "e.number, e.at, e.committed_at, e.effective_at, e.author, e.evidence, e.event, e.step, g.id, g.event, g.round, \
              g.tbl, t.tags",
    from: "game_event e JOIN game g ON g.key = e.game \
           LEFT JOIN game_tags t ON t.number = e.number AND t.sum = content_sum(t.number, t.tags)",
    sound: "e.sum = content_sum(e.number, g.id, g.event, g.round, e.at, e.committed_at, e.effective_at, e.author, e.evidence, \
            e.event, e.step)",
    key: "e.number",
};

const FACTS: Table = Table {
    name: "hall_event",
    rows: RowKind::Facts,
    columns: "h.number, h.committed_at, h.effective_at, h.author, h.fact, t.reason, t.tags",
    from: "hall_event h LEFT JOIN hall_text t ON t.number = h.number AND t.sum = content_sum(t.number, t.reason, t.tags)",
    sound: "h.sum = content_sum(h.number, h.committed_at, h.effective_at, h.author, h.fact)",
    key: "h.number",
};

const BOARDS: Table = Table {
    name: "board_event",
    rows: RowKind::BoardSettings,
    columns: "at, board, fact",
    from: "board_event",
    sound: "sum = content_sum(number, at, board, fact)",
    key: "number",
};

const RELEASES: Table = Table {
    name: "release",
    rows: RowKind::Releases,
    columns: "number, view, known, at, is_start, shift_ms, boot, monotonic_ms",
    from: "release",
    sound: "1",
    key: "number",
};

const PERSONS: Table = Table {
    name: "person",
    rows: RowKind::Persons,
    columns: "id, person",
    from: "person",
    sound: "sum = content_sum(id, person)",
    key: "id",
};

/// All sound rows of a table that `read` accepts.
fn scan<T>(
    connection: &Connection,
    table: &Table,
    read: impl Fn(&Row<'_>) -> Option<T>,
    salvage: &mut Salvage,
) -> Vec<T> {
    let Table { name, rows, columns, from, sound, key } = table;
    let query = format!("SELECT {columns}, {key} AS position FROM {from} WHERE {sound} AND {key}");
    let mut found = BTreeMap::new();
    let whole = walk(connection, &format!("{query} > ?1 ORDER BY {key}"), i64::MIN, &read, &mut found).is_ok();
    if !whole {
        // From the other end, and then one by one what lies between.
        let last = found.last_key_value().map_or(-1, |(last, _)| *last);
        let mut from_end = BTreeMap::new();
        // It ends where the damage is.
        let _ = walk(connection, &format!("{query} > ?1 ORDER BY {key} DESC"), last, &read, &mut from_end);
        let after = from_end.first_key_value().map(|(first, _)| *first);
        found.append(&mut from_end);
        for number in last + 1..after.unwrap_or(last + TRIED) {
            let _ = walk(connection, &format!("{query} = ?1"), number, &read, &mut found);
        }
        salvage.is_cut |= after.is_none();
    }
    let count =
        connection.query_row(&format!("SELECT count(*) FROM {name} NOT INDEXED"), [], |row| row.get::<_, u64>(0));
    match count.map(|count| count.saturating_sub(found.len() as u64)) {
        Ok(0) if whole => {}
        Ok(count) if count > 0 => salvage.lost.push(Loss::Rows { rows: Box::new(rows.coded()), count }.into()),
        _ => salvage.lost.push(Loss::RowsUncounted { rows: Box::new(rows.coded()) }.into()),
    }
    found.into_values().collect()
}

/// The sound rows of a query with one parameter, by their keys.
fn walk<T>(
    connection: &Connection,
    query: &str,
    parameter: i64,
    read: impl Fn(&Row<'_>) -> Option<T>,
    found: &mut BTreeMap<i64, T>,
) -> rusqlite::Result<()> {
    let mut rows = connection.prepare_cached(query)?;
    let mut rows = rows.query([parameter])?;
    while let Some(row) = rows.next()? {
        if let Some(read) = read(row) {
            found.insert(row.get("position")?, read);
        }
    }
    Ok(())
}
