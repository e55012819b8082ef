//! Sessions of browsers.
//!
//! A session ends 12 hours after its last use and 7 days after its begin: a laptop of the hall stays logged in for the
//! event, a forgotten one does not.

use rusqlite::{OptionalExtension, params};

use super::users::{id_of, role};
use super::{Accounts, AccountsError, Digest, Name, Who};
use hall_clock::UtcMs;

/// Lifetime of an unused session.
const IDLE_MS: UtcMs = 12 * 3_600_000;

/// Maximum lifetime of a session, in milliseconds.
pub const SESSION_MOST_MS: UtcMs = 7 * 24 * 3_600_000;

/// Precision of the stored last use: not every request writes.
pub(super) const USE_MS: UtcMs = 60_000;

impl Accounts {
    /// Begins a session of an account; deletes expired sessions.
    ///
    /// # Errors
    /// [`crate::AccountsRefusal::NoAccount`].
    pub fn begin_session(&self, name: &Name, digest: Digest, now: UtcMs) -> Result<(), AccountsError> {
        self.whole(|tables| {
            tables.execute(
                "DELETE FROM session WHERE used_at <= ?1 OR begun_at <= ?2",
                [now.saturating_sub(IDLE_MS), now.saturating_sub(SESSION_MOST_MS)],
            )?;
            tables.execute(
                "INSERT INTO session (digest, user, begun_at, used_at) VALUES (?1, ?2, ?3, ?3)",
                params![digest.bytes(), id_of(tables, name)?, now],
            )?;
            Ok(())
        })
    }

    /// The person of a session, unless it has ended.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn session(&self, digest: Digest, now: UtcMs) -> Result<Option<Who>, AccountsError> {
        self.with(|tables| {
            let mut statement = tables.prepare_cached(
                "SELECT name, role, used_at FROM session JOIN user ON user.id = user
                 WHERE digest = ?1 AND used_at > ?2 AND begun_at > ?3",
            )?;
            let limits = params![digest.bytes(), now.saturating_sub(IDLE_MS), now.saturating_sub(SESSION_MOST_MS)];
            let found = statement
                .query_row(limits, |row| {
                    Ok((Who { name: row.get(0)?, role: role(row, 1)?, scopes: None }, row.get::<_, UtcMs>(2)?))
                })
                .optional()?;
            let Some((who, used_at)) = found else {
                return Ok(None);
            };
            if now.saturating_sub(used_at) >= USE_MS {
                // A failed write, e.g. on a full disk, must not log a person out: then the pages are needed most.
                let _ =
                    tables.execute("UPDATE session SET used_at = ?2 WHERE digest = ?1", params![digest.bytes(), now]);
            }
            Ok(Some(who))
        })
    }

    /// Ends a session.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn end_session(&self, digest: Digest) -> Result<(), AccountsError> {
        self.with(|tables| Ok(tables.execute("DELETE FROM session WHERE digest = ?1", [digest.bytes()]).map(|_| ())?))
    }
}
