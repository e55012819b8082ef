//! When views with a delay released what they held back: rows that the gate writes and reads.
//!
//! Must not know what is held back, nor why.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use game_core::time::UtcMs;
use rusqlite::{Connection, Transaction, params};

use super::{JournalError, Reader};
use hall_clock::BootTime;

/// A moment of a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// Names the view.
    pub view: Arc<str>,
    /// The view knows the entries with smaller numbers.
    pub known: u64,
    /// Hall time.
    pub at: UtcMs,
    /// What happens.
    pub kind: ReleaseKind,
}

/// What happens at a moment of a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReleaseKind {
    /// What is due is released.
    Due,
    /// The daemon starts.
    Start {
        /// Hall time gained over true time since the last start, in milliseconds; none when true time is not known.
        shift_ms: Option<i64>,
        /// The machine's own time at this moment, if it has one.
        boot: Option<BootTime>,
    },
}

/// A round of which a view holds nothing back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleasedRound {
    /// Names the view.
    pub view: Arc<str>,
    /// Slug of the section.
    pub event: Arc<str>,
    /// Round number.
    pub number: u32,
    /// Number of the last entry of its games.
    pub last: u64,
}

impl Reader {
    /// All moments of a view, the first one first.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn releases(&self, view: &str) -> Result<Vec<Release>, JournalError> {
        let connection = self.connection();
        let mut rows = connection.prepare(
            "SELECT view, known, at, is_start, shift_ms, boot, monotonic_ms FROM release WHERE view = ?1 ORDER BY number",
        )?;
        let rows = rows.query_map([view], |row| {
            let boot = row.get::<_, Option<String>>(5)?.zip(row.get(6)?);
            let boot = boot.map(|(boot, monotonic_ms)| BootTime { boot: boot.into(), monotonic_ms });
            let is_start: bool = row.get(3)?;
            let kind = if is_start { ReleaseKind::Start { shift_ms: row.get(4)?, boot } } else { ReleaseKind::Due };
            Ok(Release { view: row.get(0)?, known: row.get(1)?, at: row.get(2)?, kind })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

pub(super) fn write(transaction: &Transaction<'_>, releases: &[Release]) -> rusqlite::Result<()> {
    for Release { view, known, at, kind } in releases {
        let (is_start, shift_ms, boot) = match kind {
            ReleaseKind::Due => (false, None, None),
            ReleaseKind::Start { shift_ms, boot } => (true, *shift_ms, boot.as_ref()),
        };
        transaction
            .prepare_cached(
                "INSERT INTO release (view, known, at, is_start, shift_ms, boot, monotonic_ms) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                view,
                known,
                at,
                is_start,
                shift_ms,
                boot.map(|boot| &boot.boot),
                boot.map(|boot| boot.monotonic_ms)
            ])?;
    }
    Ok(())
}

pub(super) fn write_rounds(transaction: &Transaction<'_>, rounds: &[ReleasedRound]) -> rusqlite::Result<()> {
    for ReleasedRound { view, event, number, last } in rounds {
        transaction
            .prepare_cached(
                "INSERT INTO released_round VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET last = excluded.last",
            )?
            .execute(params![view, event, number, last])?;
    }
    Ok(())
}

/// What views released.
pub(super) struct ReleasedRounds {
    /// Views that ever had something to release.
    views: Vec<Arc<str>>,
    rounds: HashMap<(Arc<str>, Arc<str>, u32), u64>,
    /// The last entry of each round.
    last: BTreeMap<(Arc<str>, u32), u64>,
}

impl ReleasedRounds {
    pub(super) fn read(connection: &Connection) -> rusqlite::Result<Self> {
        let mut views = connection.prepare("SELECT DISTINCT view FROM release")?;
        let views = views.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        let mut rounds = connection.prepare("SELECT view, event, number, last FROM released_round")?;
        let rounds = rounds.query_map([], |row| Ok(((row.get(0)?, row.get(1)?, row.get(2)?), row.get(3)?)))?;
        let rounds = rounds.collect::<rusqlite::Result<_>>()?;
        let mut last = connection.prepare(
            "SELECT g.event, g.round, max(e.number) FROM game_event e JOIN game g ON g.key = e.game GROUP BY g.event, g.round",
        )?;
        let last = last.query_map([], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?;
        Ok(Self { views, rounds, last: last.collect::<rusqlite::Result<_>>()? })
    }

    /// Whether no view holds anything of a round with a delay back.
    pub(super) fn are_all_out(&self, event: &Arc<str>, number: u32) -> bool {
        let last = self.last.get(&(Arc::clone(event), number)).copied().unwrap_or(0);
        let out = |view: &Arc<str>| {
            let released = self.rounds.get(&(Arc::clone(view), Arc::clone(event), number));
            released.is_some_and(|released| *released >= last)
        };
        !self.views.is_empty() && self.views.iter().all(out)
    }
}
