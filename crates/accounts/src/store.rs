//! The accounts file: readable by its owner only, one schema.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::AccountsError;

/// Name of the file in the data folder.
const FILE: &str = "accounts.sqlite";

/// SQLite application id: «bcac» in ASCII.
const APPLICATION: i64 = 0x6263_6163;

/// Version of the schema.
const VERSION: i64 = 2;

/// Maximum wait for another process (`boardcast user`) that writes the file.
const BUSY: Duration = Duration::from_secs(5);

/// The accounts of a data folder. Calls block on the disk: async code makes them on a blocking thread.
#[derive(Clone, Debug)]
pub struct Accounts {
    connection: Arc<Mutex<Connection>>,
}

impl Accounts {
    /// Opens the accounts of an existing data folder; creates the file when it is missing.
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
            let is_new = found == (0, 0) && is_empty(&transaction).map_err(closed)?;
            if is_new {
                transaction.execute_batch(include_str!("schema.sql")).map_err(closed)?;
            }
            if is_new || found == (APPLICATION, 1) {
                transaction.execute_batch(include_str!("schema_2.sql")).map_err(closed)?;
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
        // Deleted data is overwritten, so that the file no longer holds the hash of a removed account.
        connection.pragma_update(None, "secure_delete", true).map_err(closed)?;
        Ok(Self { connection: Arc::new(Mutex::new(connection)) })
    }

    /// The accounts as a file for a backup, without sessions and known devices: its name in the data folder and its bytes.
    ///
    /// # Errors
    /// When the file cannot be read or copied.
    pub fn copy(&self) -> Result<(&'static str, Vec<u8>), AccountsError> {
        let failed = |source: std::io::Error| closed(Path::new(FILE), source);
        let folder = tempfile::TempDir::with_prefix("boardcast-accounts-").map_err(failed)?;
        let copy = folder.path().join(FILE);
        self.with(|tables| Ok(tables.execute("VACUUM INTO ?1", [copy.to_string_lossy()]).map(|_| ())?))?;
        let hand = Connection::open(&copy)?;
        hand.execute_batch("PRAGMA secure_delete = true; DELETE FROM session; DELETE FROM device;")?;
        hand.close().map_err(|(_, source)| source)?;
        Ok((FILE, std::fs::read(&copy).map_err(failed)?))
    }

    /// Whether a data folder has accounts.
    pub fn are_in(data: &Path) -> bool {
        data.join(FILE).exists()
    }

    /// Runs statements.
    pub(super) fn with<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, AccountsError>,
    ) -> Result<T, AccountsError> {
        work(&self.lock())
    }

    /// Runs statements in one transaction.
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
        // After a panic the open transaction was rolled back when it was dropped.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn closed(path: &Path, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> AccountsError {
    AccountsError::Closed { path: PathBuf::from(path), source: source.into() }
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0))
}

/// Creates the file if it is missing and makes it readable by its owner only; SQLite's journal gets the same permissions.
#[cfg(unix)]
fn private_file(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    let file = File::options().create(true).truncate(false).write(true).mode(0o600).open(path)?;
    file.set_permissions(std::fs::Permissions::from_mode(0o600))
}

/// Creates the file if it is missing; its permissions are those of the folder.
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
        assert_eq!(mode(), 0o600, "wider permissions, e.g. of a copy, are narrowed again");
    }

    #[test]
    fn a_file_of_a_later_version_or_another_program_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let refused = || Accounts::open(folder.path()).unwrap_err().to_string();
        drop(Accounts::open(folder.path()).unwrap());
        Connection::open(folder.path().join(FILE)).unwrap().pragma_update(None, "user_version", 3).unwrap();
        assert!(
            refused().contains("was written by another version or another program: use the version"),
            "{}",
            refused()
        );
        std::fs::write(folder.path().join(FILE), "x".repeat(4096)).unwrap();
        assert!(refused().contains("cannot be opened: check its permissions"), "{}", refused());
    }

    #[test]
    fn work_that_fails_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let accounts = Accounts::open(folder.path()).unwrap();
        let failed: Result<(), _> = accounts.whole(|tables| {
            tables.execute("INSERT INTO user (name, folded, role, password) VALUES ('A', 'a', 'viewer', '')", [])?;
            Err(crate::AccountsRefusal::NoKey.into())
        });
        assert!(failed.is_err());
        assert_eq!(accounts.users().unwrap(), []);
    }
}
