//! Tokens and passwords: written in settings, in a file of their own, or in the environment; never shown and never logged.

use std::fmt;
use std::path::PathBuf;

use coded_text::coded_texts;
use serde::{Deserialize, Serialize};

/// Maximum size of a secret in bytes.
const MOST_BYTES: u64 = 4096;

coded_texts! {
    /// Why a token or password cannot be used.
    pub enum SecretProblem {
        File { file: String, reason: String } = "secret_file",
            "The file {file} cannot be read ({reason}): check its name and permissions.";
        LargeFile { file: String } = "secret_large_file", "The file {file} is too large for a token or password.";
        Variable { name: String } = "secret_variable",
            "The environment has no variable {name}: set it where the daemon is started.";
        NotValid = "secret_not_valid", "The token or password is empty or not valid: enter it again.";
    }
}

/// A token or password, or the place where it is.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a secret is a text, { file = \"PATH\" } or { env = \"NAME\" }")]
pub enum Secret {
    /// The secret itself.
    Text(String),
    /// A file that contains nothing else. It is read at each use, so that it can be replaced.
    File {
        /// Its path.
        file: PathBuf,
    },
    /// A variable of the daemon's environment.
    Environment {
        /// Its name.
        env: String,
    },
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place())
    }
}

impl Secret {
    /// Whether it is a text without letters.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Text(text) if text.trim().is_empty())
    }

    /// Where it is, for people; never the secret.
    pub fn place(&self) -> String {
        match self {
            Self::Text(_) => "set".to_owned(),
            Self::File { file } => format!("in the file {}", file.display()),
            Self::Environment { env } => format!("in the environment as {env}"),
        }
    }

    /// Reads it.
    ///
    /// # Errors
    /// Where it is missing, and what to do.
    pub fn read(&self) -> Result<String, SecretProblem> {
        let text = match self {
            Self::Text(text) => text.clone(),
            Self::File { file } => {
                let shown = || file.display().to_string();
                let missing = |error: std::io::Error| SecretProblem::File { file: shown(), reason: error.to_string() };
                let length = file.metadata().map_err(missing)?.len();
                if length > MOST_BYTES {
                    return Err(SecretProblem::LargeFile { file: shown() });
                }
                std::fs::read_to_string(file).map_err(missing)?
            }
            Self::Environment { env } => {
                std::env::var(env).map_err(|_| SecretProblem::Variable { name: env.clone() })?
            }
        };
        let text = text.trim();
        if text.is_empty() || text.chars().any(char::is_control) || text.len() as u64 > MOST_BYTES {
            return Err(SecretProblem::NotValid);
        }
        Ok(text.to_owned())
    }
}
