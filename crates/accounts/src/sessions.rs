//! Browsers that are logged in.
//!
//! A session ends twelve hours after it was last used, and a week after it began: a hall's laptop stays logged in for the
//! event, a forgotten one does not.

use rusqlite::{OptionalExtension, params};

use super::users::{id_of, role};
use super::{Accounts, AccountsError, Digest, Name, Who};
use hall_clock::UtcMs;

/// How long a session lasts when it is not used.
const IDLE_MS: UtcMs = 12 * 3_600_000;

/// How long a session lasts at most, in milliseconds.
pub const SESSION_MOST_MS: UtcMs = 7 * 24 * 3_600_000;

/// How exactly the last use is kept: not every request writes.
pub(super) const USE_MS: UtcMs = 60_000;

impl Accounts {
    /// Begins a session of this account; ends those that are over.
    ///
    /// # Errors
    /// [`AccountsError::NoAccount`].
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

    /// Whose session this is, when it has not ended.
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
                // On a full disk whoever is logged in stays it: that is when the pages are needed.
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
