//! The file of accounts: opened for its owner alone, one schema.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::AccountsError;

/// The file in the data folder.
pub const FILE: &str = "accounts.sqlite";

/// «bcac» in ASCII.
const APPLICATION: i64 = 0x6263_6163;

/// The version of the schema.
const VERSION: i64 = 1;

/// How long another process (`boardcast user`) may hold the file.
const BUSY: Duration = Duration::from_secs(5);

/// The accounts of a data folder. Calls wait for the disk; async code makes them where that is no harm.
#[derive(Clone, Debug)]
pub struct Accounts {
    connection: Arc<Mutex<Connection>>,
}

impl Accounts {
    /// Opens the accounts of a data folder, which exists; the file is made when it is missing.
    ///
    /// # Errors
    /// An [`AccountsError`] that names the file.
    pub fn open(data: &Path) -> Result<Self, AccountsError> {
        let path = data.join(FILE);
        private_file(&path).map_err(|source| closed(&path, source))?;
        let connection = Connection::open(&path).map_err(|source| closed(&path, source))?;
        Self::begin(connection, &path)
    }

    fn begin(mut connection: Connection, path: &Path) -> Result<Self, AccountsError> {
        let closed = |source| closed(path, source);
        connection.busy_timeout(BUSY).map_err(closed)?;
        let version = {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(closed)?;
            let pragma = |name| transaction.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
            let found = (pragma("application_id").map_err(closed)?, pragma("user_version").map_err(closed)?);
            if found == (0, 0) && is_empty(&transaction).map_err(closed)? {
                transaction.execute_batch(include_str!("schema.sql")).map_err(closed)?;
                transaction.pragma_update(None, "application_id", APPLICATION).map_err(closed)?;
                transaction.pragma_update(None, "user_version", VERSION).map_err(closed)?;
                transaction.commit().map_err(closed)?;
                (APPLICATION, VERSION)
            } else {
                found
            }
        };
        if version != (APPLICATION, VERSION) {
            return Err(AccountsError::Foreign(path.to_owned()));
        }
        connection.pragma_update(None, "synchronous", "FULL").map_err(closed)?;
        connection.pragma_update(None, "foreign_keys", true).map_err(closed)?;
        // What is deleted is overwritten: a removed account's hash is gone from the file.
        connection.pragma_update(None, "secure_delete", true).map_err(closed)?;
        Ok(Self { connection: Arc::new(Mutex::new(connection)) })
    }

    /// Does something with the tables.
    pub(super) fn with<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, AccountsError>,
    ) -> Result<T, AccountsError> {
        work(&self.lock())
    }

    /// Does something with the tables that is done wholly or not at all.
    pub(super) fn whole<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, AccountsError>,
    ) -> Result<T, AccountsError> {
        let mut connection = self.lock();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = work(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // A transaction that a panic left open was rolled back when it was dropped.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn closed(path: &Path, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> AccountsError {
    AccountsError::Closed { path: PathBuf::from(path), source: source.into() }
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0))
}

/// Makes sure that the file exists and that nobody but its owner may read it; SQLite's journal gets the same permissions.
#[cfg(unix)]
fn private_file(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    let file = File::options().create(true).truncate(false).write(true).mode(0o600).open(path)?;
    file.set_permissions(std::fs::Permissions::from_mode(0o600))
}

/// Makes sure that the file exists; its folder's permissions are those of the user.
#[cfg(not(unix))]
fn private_file(path: &Path) -> std::io::Result<()> {
    File::options().create(true).truncate(false).write(true).open(path).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_else_on_the_machine_can_read_the_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let mode = || std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        drop(Accounts::open(folder.path()).unwrap());
        assert_eq!(mode(), 0o600);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        drop(Accounts::open(folder.path()).unwrap());
        assert_eq!(mode(), 0o600, "what a careless copy opened is closed again");
    }

    #[test]
    fn a_file_of_a_later_version_or_another_program_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let refused = || Accounts::open(folder.path()).unwrap_err().to_string();
        drop(Accounts::open(folder.path()).unwrap());
        Connection::open(folder.path().join(FILE)).unwrap().pragma_update(None, "user_version", 2).unwrap();
        assert!(refused().contains("was not written by this version: use the version"), "{}", refused());
        std::fs::write(folder.path().join(FILE), "x".repeat(4096)).unwrap();
        assert!(refused().contains("cannot be opened: check its permissions"), "{}", refused());
    }

    #[test]
    fn work_that_fails_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let accounts = Accounts::open(folder.path()).unwrap();
        let failed: Result<(), _> = accounts.whole(|tables| {
            tables.execute("INSERT INTO user (name, folded, role, password) VALUES ('A', 'a', 'viewer', '')", [])?;
            Err(AccountsError::NoKey)
        });
        assert!(failed.is_err());
        assert_eq!(accounts.users().unwrap(), []);
    }
}
