//! Compares a journal with its mark: whether something is missing, and since when.
//!
//! Must not know what is made of it.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension as _, params};

use super::loss::{Loss, Moment};
use super::mark::{Found, Mark, file_id};
use game_core::time::UtcMs;

/// How a journal compares with its mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Nothing is missing.
    Whole,
    /// It has no mark: it is new, or was restored, or comes from a version that wrote none.
    Unmarked,
    /// Its mark cannot be read, so that it is not known whether something is missing.
    MarkDamaged,
    /// It is another file than the one that was written last: a copy.
    Copied,
    /// Something is missing.
    Missing(Missing),
}

/// What is missing from a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Entries of the record that are missing; none when the journal went on from an older copy.
    pub entries: Option<u64>,
    /// Facts of boards that are missing.
    pub board_facts: u64,
    /// Hall time of the last entry that is there.
    pub after: Option<UtcMs>,
    /// Hall time of the last entry that was there.
    pub until: UtcMs,
}

impl Missing {
    /// What is missing, as a sentence.
    pub fn loss(&self) -> Loss {
        let until_moment = Moment(self.until);
        match (self.entries, self.after) {
            (None, _) => Loss::OlderCopy { until_moment },
            (Some(0), _) => Loss::BoardSettings { settings: self.board_facts, until_moment },
            (Some(entries), Some(after)) => Loss::Entries { entries, after_moment: Moment(after), until_moment },
            (Some(entries), None) => Loss::AllEntries { entries, until_moment },
        }
    }
}

/// How far a journal goes, as its mark would say it.
pub(super) fn extent(connection: &Connection, path: &Path) -> rusqlite::Result<Mark> {
    let mut mark = connection.query_row(
        "SELECT (SELECT identity FROM journal), \
           max((SELECT coalesce(max(number) + 1, 0) FROM game_event), \
               (SELECT coalesce(max(number) + 1, 0) FROM hall_event)), \
           (SELECT coalesce(max(number), 0) FROM board_event), \
           max((SELECT coalesce(max(committed_at), 0) FROM game_event), \
               (SELECT coalesce(max(committed_at), 0) FROM hall_event))",
        [],
        |row| {
            Ok(Mark {
                identity: row.get(0)?,
                next: row.get(1)?,
                boards: row.get(2)?,
                at: row.get(3)?,
                ..Mark::default()
            })
        },
    )?;
    mark.sum = sum_before(connection, mark.next)?.unwrap_or(0);
    mark.file = file_id(path);
    Ok(mark)
}

/// The sum of the entry before this number.
pub(super) fn sum_before(connection: &Connection, next: u64) -> rusqlite::Result<Option<i64>> {
    let Some(last) = next.checked_sub(1) else { return Ok(None) };
    connection
        .prepare_cached(
            "SELECT sum FROM game_event WHERE number = ?1 UNION ALL SELECT sum FROM hall_event WHERE number = ?1",
        )?
        .query_row(params![last], |row| row.get(0))
        .optional()
}

/// Compares a journal with the mark that was found beside it before.
pub(super) fn compare(connection: &Connection, found: &Found, extent: &Mark) -> rusqlite::Result<Condition> {
    let mark = match found {
        Found::None => return Ok(Condition::Unmarked),
        Found::Damaged => return Ok(Condition::MarkDamaged),
        Found::Mark(mark) => mark,
    };
    let missing = |entries| {
        let board_facts = mark.boards.saturating_sub(extent.boards);
        let after = (extent.next > 0).then_some(extent.at);
        Condition::Missing(Missing { entries, board_facts, after, until: mark.at })
    };
    if extent.next < mark.next || extent.boards < mark.boards {
        return Ok(missing(Some(mark.next.saturating_sub(extent.next))));
    }
    if mark.identity != extent.identity {
        // A backup was restored: its streams have names of their own.
        return Ok(Condition::Copied);
    }
    if mark.next > 0 && sum_before(connection, mark.next)? != Some(mark.sum) {
        return Ok(missing(None));
    }
    Ok(if mark.file == extent.file { Condition::Whole } else { Condition::Copied })
}
