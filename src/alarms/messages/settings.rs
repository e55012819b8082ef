//! The table `[alarms]` of the configuration, and the channels that it names.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use serde::Deserialize;

use super::Channel;
use super::email::{Email, Protection};
use super::ntfy::Ntfy;
use crate::alarms::hook::HookUrl;
use crate::input_file;

/// Pause between two messages when the settings have none.
const PAUSE_S: u32 = 60;

/// Maximum size of a file with a password or token in bytes.
const SECRET_BYTES: u64 = 4096;

/// The folder of passwords and tokens beside the configuration file.
const CREDENTIALS: &str = "credentials";

/// The table `[alarms]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlarmsConfig {
    /// Seconds between two messages; alarms in between come in one.
    pub pause_s: Option<u32>,
    /// Whether alarms about games are sent, too.
    #[serde(default)]
    pub arbiters: bool,
    /// Topic of a server of ntfy.
    pub ntfy: Option<HookUrl>,
    /// File with its access token.
    pub ntfy_token_file: Option<PathBuf>,
    /// Mail server with its port.
    pub email_server: Option<String>,
    /// How the connection is protected.
    #[serde(default)]
    pub email_protection: Protection,
    /// Name of the account.
    pub email_user: Option<String>,
    /// File with its password.
    pub email_password_file: Option<PathBuf>,
    /// Who writes.
    pub email_from: Option<String>,
    /// To whom.
    #[serde(default)]
    pub email_to: Vec<String>,
}

/// Messages about alarms.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    /// The ways to send them.
    pub channels: Vec<Channel>,
    /// Whether alarms about games are sent, too.
    pub arbiters: bool,
    /// Pause between two messages.
    pub pause: Duration,
}

impl AlarmsConfig {
    /// The channels, with passwords and tokens read; `folder` is that of the configuration file.
    ///
    /// # Errors
    /// One sentence about what is missing; never with a secret.
    pub fn messages(self, folder: &Path) -> anyhow::Result<Messages> {
        let secret = |file: Option<PathBuf>, key: &str| file.map(|file| read_secret(&file, folder, key)).transpose();
        let mut channels = Vec::new();
        match (self.ntfy, secret(self.ntfy_token_file, "ntfy_token_file")?) {
            (Some(topic), token) => channels.push(Channel::Ntfy(Ntfy { topic, token })),
            (None, Some(_)) => bail!("ntfy_token_file is set without ntfy: give the address of the topic as well"),
            (None, None) => {}
        }
        let password = secret(self.email_password_file, "email_password_file")?;
        match self.email_server {
            Some(server) => {
                let (host, port) =
                    server.rsplit_once(':').and_then(|(host, port)| Some((host, port.parse().ok()?))).with_context(
                        || format!("email_server is a name with a port, e.g. mail.example.org:587, and not «{server}»"),
                    )?;
                let account = match (self.email_user, password) {
                    (Some(user), Some(password)) => Some((user, password)),
                    (None, None) => None,
                    _ => bail!("email_user and email_password_file belong together: give both, or neither"),
                };
                let address = |text: &String, key: &str| {
                    text.parse().with_context(|| format!("{key} has «{text}», which is no e-mail address"))
                };
                let from = self.email_from.context("email_from is missing: the address that writes the messages")?;
                let to = self.email_to.iter().map(|to| address(to, "email_to")).collect::<anyhow::Result<Vec<_>>>()?;
                if to.is_empty() {
                    bail!("email_to is missing: a list of the addresses that get the messages");
                }
                channels.push(Channel::Email(Email {
                    host: host.to_owned(),
                    port,
                    protection: self.email_protection,
                    account,
                    from: address(&from, "email_from")?,
                    to,
                }));
            }
            None if password.is_some() || self.email_from.is_some() || !self.email_to.is_empty() => {
                bail!("email_server is missing: the mail server with its port, e.g. mail.example.org:587")
            }
            None => {}
        }
        let pause = Duration::from_secs(self.pause_s.unwrap_or(PAUSE_S).into());
        Ok(Messages { channels, arbiters: self.arbiters, pause })
    }
}

/// Reads a secret: a bare name is one of the service's credentials, or a file in the folder `credentials` beside the
/// configuration; a path is read as it is.
fn read_secret(file: &Path, folder: &Path, key: &str) -> anyhow::Result<String> {
    let is_bare = file.components().count() == 1 && file.is_relative();
    let path = if is_bare {
        // LoadCredential of a folder joins its name and that of each file.
        let loaded = std::env::var_os("CREDENTIALS_DIRECTORY")
            .map(|loaded| PathBuf::from(loaded).join(format!("boardcast_{}", file.display())));
        loaded.filter(|loaded| loaded.exists()).unwrap_or_else(|| folder.join(CREDENTIALS).join(file))
    } else {
        folder.join(file)
    };
    let text = input_file::read_text(&path, SECRET_BYTES)
        .with_context(|| format!("{} of {key} cannot be read: check its name and permissions", path.display()))?;
    let text = text.trim();
    if text.is_empty() || text.contains(char::is_control) {
        bail!("{} of {key} must have one line with the secret", path.display());
    }
    Ok(text.to_owned())
}
