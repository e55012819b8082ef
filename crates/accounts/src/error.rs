//! What can go wrong with accounts.

/// Why a request about accounts failed: one sentence for the person who asked.
#[derive(Debug, thiserror::Error)]
pub enum AccountsError {
    /// The file cannot be opened.
    #[error("the accounts in {} cannot be opened: check its permissions and its disk", path.display())]
    Closed {
        /// The file.
        path: std::path::PathBuf,
        /// What the system or SQLite said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A later version or another program wrote the file.
    #[error("{} was written by another version or another program: use the version that wrote it, or move the file away", .0.display())]
    Foreign(std::path::PathBuf),
    /// Reading or writing the file failed.
    #[error("the accounts cannot be read or written: check the disk")]
    Failed(#[from] rusqlite::Error),
    /// A password cannot be hashed.
    #[error("the password cannot be hashed: check that the machine has free memory")]
    Hash(#[source] argon2::password_hash::Error),
    /// There is no such account.
    #[error("there is no account «{0}»: `boardcast user list` shows all accounts")]
    NoAccount(String),
    /// There is no such key.
    #[error("there is no such key: it may have been revoked already")]
    NoKey,
    /// The key belongs to a higher role.
    #[error("this key was created by an account of a higher role: ask an administrator to revoke it")]
    HigherKey,
    /// The name is taken.
    #[error("the account «{0}» exists already: choose another name")]
    Taken(String),
    /// The name of an account is not valid.
    #[error(
        "the name of an account has 1 to 64 letters, digits, spaces or . _ - @; it begins with a letter or digit and does not \
         end with a space"
    )]
    Name,
    /// The password is too short or too long.
    #[error("{0}")]
    Password(&'static str),
    /// The holder, the scopes or the end of a key is not valid.
    #[error("{0}")]
    Key(&'static str),
    /// The last administrator cannot be removed.
    #[error("this is the last administrator: make another account an administrator first")]
    LastAdministrator,
    /// There is an administrator already.
    #[error("there is an administrator already: log in, or use `boardcast user` on the machine")]
    NotFirst,
}
