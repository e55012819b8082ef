//! Accounts: who may do what, kept in a database of its own beside the journal.
//!
//! Knows names, roles, passwords, sessions and keys. Of secrets only digests are kept. Time and randomness come in as
//! arguments. Must not know HTTP: cookies, headers and routes are `web::admin`'s.

mod attempts;
mod keys;
mod password;
mod rights;
mod secret;
mod sessions;
mod store;
#[cfg(test)]
mod tests;
mod users;

pub use attempts::{Attempts, TooMany};
pub use keys::{Key, KeyKind, NewKey};
pub use password::{Hashed, Password, SALT_BYTES};
pub use rights::{Right, Role, Scope, Who};
pub use secret::{Digest, Secret};
pub use sessions::SESSION_MOST_MS;
pub use store::{Accounts, FILE};
pub use users::{Name, User};

/// Why something about accounts could not be done.
#[derive(Debug, thiserror::Error)]
pub enum AccountsError {
    /// The file cannot be used.
    #[error("the accounts in {} cannot be opened: check its permissions and its disk", path.display())]
    Closed {
        /// The file.
        path: std::path::PathBuf,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A later version wrote it, or another program.
    #[error("{} was not written by this version: use the version that wrote it, or move the file away", .0.display())]
    Foreign(std::path::PathBuf),
    /// It cannot be read or written at this moment.
    #[error("the accounts cannot be read or written: check the disk")]
    Failed(#[from] rusqlite::Error),
    /// A password cannot be hashed.
    #[error("the password could not be hashed: is there enough memory?")]
    Hash(#[source] argon2::password_hash::Error),
    /// No such account.
    #[error("there is no account «{0}»: `boardcast user list` shows them")]
    NoAccount(String),
    /// No such key.
    #[error("there is no such key: it may have been revoked already")]
    NoKey,
    /// The name is taken.
    #[error("there is an account «{0}» already: choose another name")]
    Taken(String),
    /// The name cannot be one.
    #[error(
        "a name has 1 to 64 letters, digits, spaces and . _ - @, begins with a letter or digit and does not end with a space"
    )]
    Name,
    /// The password is not good enough.
    #[error("{0}")]
    Password(&'static str),
    /// A key needs somebody or something that holds it, scopes or a section, and an end.
    #[error("{0}")]
    Key(&'static str),
    /// Nobody would be left who can manage accounts.
    #[error("this is the last administrator: make another one first")]
    LastAdministrator,
    /// The first administrator exists.
    #[error("there is an administrator already: log in, or ask on the machine with `boardcast user`")]
    NotFirst,
}
