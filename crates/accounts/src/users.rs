//! Accounts of persons: create, list, change, remove.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use rusqlite::{Connection, ErrorCode, OptionalExtension, params};

use super::{Accounts, AccountsError, AccountsRefusal, Hashed, Role};

/// Maximum length of a name, in characters.
const MOST_CHARACTERS: usize = 64;

/// The name of an account; upper and lower case are the same.
#[derive(Clone, Debug)]
pub struct Name {
    shown: Arc<str>,
    folded: String,
}

/// An account in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Its name.
    pub name: Arc<str>,
    /// Its role.
    pub role: Role,
}

impl Name {
    /// The name in lower case, for comparison.
    pub(super) fn folded(&self) -> &str {
        &self.folded
    }

    /// The name as typed.
    pub fn as_str(&self) -> &str {
        &self.shown
    }
}

impl FromStr for Name {
    type Err = AccountsError;

    fn from_str(text: &str) -> Result<Self, AccountsError> {
        let fits = |character: char| character.is_alphanumeric() || " ._-@".contains(character);
        let good = text.chars().count() <= MOST_CHARACTERS
            && text.chars().all(fits)
            && text.starts_with(char::is_alphanumeric)
            && !text.ends_with(' ');
        if good {
            Ok(Self { shown: text.into(), folded: text.to_lowercase() })
        } else {
            Err(AccountsRefusal::Name.into())
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl Accounts {
    /// All accounts, sorted by name.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn users(&self) -> Result<Vec<User>, AccountsError> {
        self.with(|tables| {
            let mut statement = tables.prepare_cached("SELECT name, role FROM user ORDER BY folded")?;
            let users = statement.query_map([], |row| Ok(User { name: row.get(0)?, role: role(row, 1)? }))?;
            Ok(users.collect::<Result<_, _>>()?)
        })
    }

    /// Creates an account.
    ///
    /// # Errors
    /// [`AccountsRefusal::Taken`].
    pub fn add_user(&self, name: &Name, role: Role, password: &Hashed) -> Result<(), AccountsError> {
        self.whole(|tables| insert(tables, name, role, password))
    }

    /// Creates the first administrator.
    ///
    /// # Errors
    /// [`AccountsRefusal::NotFirst`] when there is one, [`AccountsRefusal::Taken`].
    pub fn add_first_administrator(&self, name: &Name, password: &Hashed) -> Result<(), AccountsError> {
        self.whole(|tables| match administrators(tables)? {
            0 => insert(tables, name, Role::Administrator, password),
            _ => Err(AccountsRefusal::NotFirst.into()),
        })
    }

    /// Whether there is an administrator.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn has_administrator(&self) -> Result<bool, AccountsError> {
        self.with(|tables| Ok(administrators(tables)? > 0))
    }

    /// The hash of an account's password; `None` when there is no such account.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn password(&self, name: &Name) -> Result<Option<Hashed>, AccountsError> {
        self.with(|tables| {
            let mut statement = tables.prepare_cached("SELECT password FROM user WHERE folded = ?1")?;
            Ok(statement.query_row([name.folded()], |row| row.get(0)).optional()?.map(Hashed::stored))
        })
    }

    /// Changes the password of an account, which ends all its sessions, or its role, which applies to its sessions and keys
    /// at once; `None` leaves it as it is.
    ///
    /// # Errors
    /// [`AccountsRefusal::NoAccount`], [`AccountsRefusal::LastAdministrator`]; then nothing is changed.
    pub fn change_user(&self, name: &Name, role: Option<Role>, password: Option<&Hashed>) -> Result<(), AccountsError> {
        self.whole(|tables| {
            let id = id_of(tables, name)?;
            let had = administrators(tables)?;
            if let Some(password) = password {
                tables.execute("UPDATE user SET password = ?2 WHERE id = ?1", params![id, password.as_str()])?;
                tables.execute("DELETE FROM session WHERE user = ?1", [id])?;
            }
            if let Some(role) = role {
                tables.execute("UPDATE user SET role = ?2 WHERE id = ?1", params![id, role.as_str()])?;
            }
            one_is_left(tables, had)
        })
    }

    /// Removes an account with its sessions and keys.
    ///
    /// # Errors
    /// [`AccountsRefusal::NoAccount`], [`AccountsRefusal::LastAdministrator`].
    pub fn remove_user(&self, name: &Name) -> Result<(), AccountsError> {
        self.whole(|tables| {
            let id = id_of(tables, name)?;
            let had = administrators(tables)?;
            tables.execute("DELETE FROM user WHERE id = ?1", [id])?;
            one_is_left(tables, had)
        })
    }
}

/// The row id of an account.
pub(super) fn id_of(tables: &Connection, name: &Name) -> Result<i64, AccountsError> {
    let found = tables
        .prepare_cached("SELECT id FROM user WHERE folded = ?1")?
        .query_row([name.folded()], |row| row.get(0))
        .optional()?;
    found.ok_or_else(|| AccountsRefusal::NoAccount { name: name.to_string() }.into())
}

/// The role in a column.
pub(super) fn role(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Role> {
    row.get_ref(column)?.as_str()?.parse().map_err(|error: &str| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, error.into())
    })
}

fn insert(tables: &Connection, name: &Name, role: Role, password: &Hashed) -> Result<(), AccountsError> {
    let inserted = tables.execute(
        "INSERT INTO user (name, folded, role, password) VALUES (?1, ?2, ?3, ?4)",
        params![name.as_str(), name.folded(), role.as_str(), password.as_str()],
    );
    match inserted {
        Ok(_) => Ok(()),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
            Err(AccountsRefusal::Taken { name: name.to_string() }.into())
        }
        Err(error) => Err(error.into()),
    }
}

fn administrators(tables: &Connection) -> rusqlite::Result<u32> {
    tables.query_row("SELECT count(*) FROM user WHERE role = 'administrator'", [], |row| row.get(0))
}

fn one_is_left(tables: &Connection, had: u32) -> Result<(), AccountsError> {
    if had > 0 && administrators(tables)? == 0 { Err(AccountsRefusal::LastAdministrator.into()) } else { Ok(()) }
}
