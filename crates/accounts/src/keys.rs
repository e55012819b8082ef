//! Keys: for programs to use the API, for persons and devices to see undelayed games.
//!
//! The secret of a key is shown once, when it is created. A key is deleted with the account that created it.

use std::collections::BTreeSet;
use std::sync::Arc;

use rusqlite::{OptionalExtension, Row, params};

use super::sessions::USE_MS;
use super::users::{id_of, role};
use super::{Accounts, AccountsError, AccountsRefusal, Digest, Name, Role, Scope, Who};
use hall_clock::UtcMs;

/// Maximum length of the name of a holder, in characters.
const MOST_CHARACTERS: usize = 64;

/// Maximum lifetime of a key: 400 days, a season.
const MOST_MS: UtcMs = 400 * 24 * 3_600_000;

/// What a key opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// The API, for these scopes.
    Api(BTreeSet<Scope>),
    /// The undelayed games of a section, at `/arbiter/{key}/...`.
    Undelayed {
        /// The section's slug.
        section: Arc<str>,
    },
}

/// A key to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewKey {
    /// The person, device or program that will have it.
    pub holder: String,
    /// What it opens.
    pub kind: KeyKind,
    /// When it ends.
    pub ends_at: UtcMs,
}

/// A key without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its number, never given again.
    pub id: i64,
    /// The account that created it.
    pub made_by: Arc<str>,
    /// The person, device or program that has it.
    pub holder: String,
    /// What it opens.
    pub kind: KeyKind,
    /// When it was created.
    pub made_at: UtcMs,
    /// When it was last used, within a minute.
    pub used_at: Option<UtcMs>,
    /// When it ends.
    pub ends_at: UtcMs,
}

impl Accounts {
    /// Creates a key, given by its digest; gives its number.
    ///
    /// # Errors
    /// [`AccountsError::Refused`].
    pub fn add_key(&self, by: &Name, key: &NewKey, digest: Digest, now: UtcMs) -> Result<i64, AccountsError> {
        let holder = key.holder.trim();
        if holder.is_empty() || holder.chars().count() > MOST_CHARACTERS || holder.chars().any(char::is_control) {
            return Err(AccountsRefusal::KeyHolder { most: MOST_CHARACTERS }.into());
        }
        if key.ends_at <= now || key.ends_at > now.saturating_add(MOST_MS) {
            return Err(AccountsRefusal::KeyEnd { days: MOST_MS / (24 * 60 * 60 * 1000) }.into());
        }
        let (scopes, section) = match &key.kind {
            KeyKind::Api(scopes) if scopes.is_empty() => {
                return Err(AccountsRefusal::KeyScopes.into());
            }
            KeyKind::Api(scopes) => {
                let names: Vec<_> = scopes.iter().map(|scope| scope.as_str()).collect();
                (Some(names.join(" ")), None)
            }
            KeyKind::Undelayed { section } => (None, Some(section)),
        };
        self.whole(|tables| {
            tables.execute("DELETE FROM key WHERE ends_at <= ?1", [now])?;
            tables.execute(
                "INSERT INTO key (digest, user, holder, scopes, section, made_at, ends_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![digest.bytes(), id_of(tables, by)?, holder, scopes, section, now, key.ends_at],
            )?;
            Ok(tables.last_insert_rowid())
        })
    }

    /// All keys that have not ended, the newest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn keys(&self, now: UtcMs) -> Result<Vec<Key>, AccountsError> {
        self.with(|tables| {
            let mut statement = tables.prepare_cached(
                "SELECT key.id, name, holder, scopes, section, made_at, used_at, ends_at
                 FROM key JOIN user ON user.id = user WHERE ends_at > ?1 ORDER BY key.id DESC",
            )?;
            let keys = statement.query_map([now], |row| {
                Ok(Key {
                    id: row.get(0)?,
                    made_by: row.get(1)?,
                    holder: row.get(2)?,
                    kind: kind(row, 3, 4)?,
                    made_at: row.get(5)?,
                    used_at: row.get(6)?,
                    ends_at: row.get(7)?,
                })
            })?;
            Ok(keys.collect::<Result<_, _>>()?)
        })
    }

    /// The account and the scopes of an API key; `None` when there is no such key or it has ended.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn api_key(&self, digest: Digest, now: UtcMs) -> Result<Option<Who>, AccountsError> {
        Ok(self.used_key(digest, now)?.and_then(|(kind, who)| match kind {
            KeyKind::Api(scopes) => Some(Who { scopes: Some(scopes), ..who }),
            KeyKind::Undelayed { .. } => None,
        }))
    }

    /// The section whose undelayed games a key opens; `None` when there is no such key or it has ended.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn undelayed_key(&self, digest: Digest, now: UtcMs) -> Result<Option<Arc<str>>, AccountsError> {
        Ok(self.used_key(digest, now)?.and_then(|(kind, _)| match kind {
            KeyKind::Undelayed { section } => Some(section),
            KeyKind::Api(_) => None,
        }))
    }

    /// Revokes a key on behalf of this role.
    ///
    /// # Errors
    /// [`AccountsRefusal::NoKey`]; [`AccountsRefusal::HigherKey`] when an account of a higher role created it.
    pub fn revoke_key(&self, id: i64, by: Role) -> Result<(), AccountsError> {
        self.whole(|tables| {
            let made_by = tables
                .prepare_cached("SELECT role FROM key JOIN user ON user.id = user WHERE key.id = ?1")?
                .query_row([id], |row| role(row, 0))
                .optional()?
                .ok_or(AccountsRefusal::NoKey)?;
            if made_by > by {
                return Err(AccountsRefusal::HigherKey.into());
            }
            tables.execute("DELETE FROM key WHERE id = ?1", [id])?;
            Ok(())
        })
    }

    fn used_key(&self, digest: Digest, now: UtcMs) -> Result<Option<(KeyKind, Who)>, AccountsError> {
        self.with(|tables| {
            let mut statement = tables.prepare_cached(
                "SELECT scopes, section, name, role, coalesce(used_at, 0) FROM key JOIN user ON user.id = user
                 WHERE digest = ?1 AND ends_at > ?2",
            )?;
            let found = statement
                .query_row(params![digest.bytes(), now], |row| {
                    let who = Who { name: row.get(2)?, role: role(row, 3)?, scopes: None };
                    Ok((kind(row, 0, 1)?, who, row.get::<_, UtcMs>(4)?))
                })
                .optional()?;
            let Some((kind, who, used_at)) = found else {
                return Ok(None);
            };
            if now.saturating_sub(used_at) >= USE_MS {
                // A failed write, e.g. on a full disk, must not refuse the key.
                let _ = tables.execute("UPDATE key SET used_at = ?2 WHERE digest = ?1", params![digest.bytes(), now]);
            }
            Ok(Some((kind, who)))
        })
    }
}

fn kind(row: &Row<'_>, scopes: usize, section: usize) -> rusqlite::Result<KeyKind> {
    Ok(match row.get::<_, Option<Arc<str>>>(section)? {
        Some(section) => KeyKind::Undelayed { section },
        // Scopes of other versions are skipped.
        None => KeyKind::Api(row.get_ref(scopes)?.as_str()?.split(' ').filter_map(Scope::named).collect()),
    })
}
