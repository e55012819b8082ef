//! What can go wrong with accounts.

use coded_text::{CodedText, coded_texts};

coded_texts! {
    /// Why a request about accounts is refused: one sentence for the person who asked.
    pub enum AccountsRefusal {
        NoAccount { name: String } = "no_account",
            "There is no account «{name}»: `boardcast user list` shows all accounts.";
        NoKey = "no_key", "There is no such key: it may have been revoked already.";
        HigherKey = "higher_key",
            "This key was created by an account of a higher role: ask an administrator to revoke it.";
        Taken { name: String } = "account_taken", "The account «{name}» exists already: choose another name.";
        Name = "account_name",
            "The name of an account has 1 to 64 letters, digits, spaces or . _ - @; it begins with a letter or digit and does not \
             end with a space.";
        PasswordShort { least: usize } = "password_short",
            "A password has at least {least} characters, for example four words.";
        PasswordLong { most: usize } = "password_long", "A password has at most {most} characters.";
        KeyHolder { most: usize } = "key_holder",
            "The holder of a key (a person, a device or a program) has 1 to {most} characters.";
        KeyEnd { days: u64 } = "key_end", "A key ends in the future and within {days} days.";
        KeyScopes = "key_scopes", "A key for the API needs at least one scope.";
        LastAdministrator = "last_administrator",
            "This is the last administrator: make another account an administrator first.";
        NotFirst = "not_first",
            "There is an administrator already: log in, or use `boardcast user` on the machine.";
    }
}

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
    /// The request is refused.
    #[error(transparent)]
    Refused(#[from] AccountsRefusal),
}

impl AccountsError {
    /// Whether the disk of the file is full or read-only.
    pub fn needs_space(&self) -> bool {
        use rusqlite::ErrorCode::{DiskFull, ReadOnly, SystemIoFailure};
        matches!(self, Self::Failed(error)
            if matches!(error.sqlite_error_code(), Some(DiskFull | ReadOnly | SystemIoFailure)))
    }

    /// The sentence of a refusal with its code and parameters; none when the machine failed.
    pub fn coded(&self) -> Option<CodedText> {
        match self {
            Self::Refused(refusal) => Some(refusal.coded()),
            _ => None,
        }
    }
}
