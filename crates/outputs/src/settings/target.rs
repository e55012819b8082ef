//! What each kind of consumer needs to know. Must not know how anything is sent.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hall_clock::UtcMs;
use serde::{Deserialize, Serialize};

use crate::secret::Secret;

/// The public Lichess.
pub const LICHESS: &str = "https://lichess.org";

/// A static site.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteTarget {
    /// Where its files go.
    pub to: SitePlace,
    /// The language of its pages: `en`, `de`, `es`, `fr`, `it` or `pl`.
    #[serde(default = "english")]
    pub language: String,
}

/// Where the files of a site go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SitePlace {
    /// A folder of this machine, such as that of its web server.
    Folder(FolderTarget),
    /// Addresses below one of a web server that takes PUT and DELETE, such as `WebDAV`.
    Http(SiteAddress),
    /// A folder of a server, by FTP, FTPS or SFTP.
    Ftp(SiteServer),
}

/// A web server that takes files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteAddress {
    /// The address of the site's folder.
    pub url: String,
    /// Sent as `Authorization: Bearer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<Secret>,
}

/// A folder of a server for files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SiteServer {
    /// The folder, e.g. `sftp://host/srv/www/chess/`.
    pub url: String,
    /// The user.
    pub user: String,
    /// The password, or that of `key_file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Secret>,
    /// A private key for SFTP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_file: Option<PathBuf>,
    /// As in [`FtpTarget`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_key: Option<String>,
}

/// A broadcast of Lichess.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LichessTarget {
    /// Addresses or ids of the rounds there, that of round 1 first; an empty text for a round that is not sent.
    pub rounds: Vec<String>,
    /// A token with the permission `study:write`.
    pub token: Secret,
    /// First and last table that are sent: a round at Lichess has at most 100 games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<(u32, u32)>,
    /// The id of the broadcast, once it was made from here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broadcast: Option<String>,
    /// The starts that Lichess was given for rounds made from here, by our number, UTC milliseconds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub starts: BTreeMap<u32, UtcMs>,
    /// Another Lichess than lichess.org.
    #[serde(default = "lichess_org")]
    pub site: String,
}

/// A folder in the layout of LiveChess.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FolderTarget {
    /// The folder. It must exist, so that files do not go to another disk while its own is unplugged.
    pub path: PathBuf,
}

/// How a file is sent to a web address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Method {
    /// PUT.
    #[default]
    #[serde(rename = "PUT")]
    Put,
    /// POST.
    #[serde(rename = "POST")]
    Post,
}

/// A web address for files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpTarget {
    /// The address; `{section}` and `{round}` in it are replaced. Without `{round}` the file of the running rounds is sent.
    pub url: String,
    /// PUT or POST.
    #[serde(default)]
    pub method: Method,
    /// Sent as `Authorization: Bearer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<Secret>,
}

/// A web address for changed games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebHookTarget {
    /// The address.
    pub url: String,
    /// The key of the signature; `whsec_` and Base64, or a text.
    pub secret: Secret,
}

/// A program on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandTarget {
    /// The program.
    pub program: PathBuf,
    /// Its arguments; `{file}`, `{section}` and `{round}` in them are replaced. The PGN is on standard input too.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Seconds after which it is ended.
    #[serde(default = "a_minute")]
    pub timeout_s: u32,
}

/// A server for files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FtpTarget {
    /// Folder of the server, e.g. `ftp://host/games/`; `ftps://` for FTP with TLS, `sftp://` for SFTP.
    pub url: String,
    /// Name of the file of a round; `{section}` and `{round}` in it are replaced. Without `{round}` the file of the running
    /// rounds is sent.
    #[serde(default = "file_of_round")]
    pub file: String,
    /// The user.
    pub user: String,
    /// The password, or that of `key_file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<Secret>,
    /// A private key for SFTP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_file: Option<PathBuf>,
    /// SHA-256 of the server's host key in Base64, for SFTP, with or without `SHA256:` before it, as `ssh-keygen -lf` prints it.
    /// Without it the daemon's own `known_hosts` counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_key: Option<String>,
}

fn lichess_org() -> String {
    LICHESS.to_owned()
}

fn english() -> String {
    "en".to_owned()
}

const fn a_minute() -> u32 {
    60
}

pub(super) fn file_of_round() -> String {
    "round-{round}.pgn".to_owned()
}

/// The SHA-256 of a host key in Base64, without the prefix that `ssh-keygen` writes before it.
pub(crate) fn fingerprint(host_key: &str) -> &str {
    host_key.strip_prefix("SHA256:").unwrap_or(host_key)
}

impl SiteServer {
    /// The server for any file.
    pub(crate) fn as_ftp(&self) -> FtpTarget {
        let Self { url, user, password, key_file, host_key } = self.clone();
        FtpTarget { url, file: file_of_round(), user, password, key_file, host_key }
    }
}

impl LichessTarget {
    /// The id of a round at Lichess, by our number.
    pub(crate) fn id_of(&self, round: u32) -> Option<&str> {
        let index = usize::try_from(round).ok()?.checked_sub(1)?;
        round_id(self.rounds.get(index)?)
    }
}

/// The id of a round in its address, or the id itself.
pub(super) fn round_id(address: &str) -> Option<&str> {
    let path = address.trim().split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    // A page of one game has a second id behind that of the round.
    let mut parts = path.rsplit('/').filter(|part| !part.is_empty());
    let is_id = |part: &&str| part.len() == 8 && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let last = parts.next().filter(is_id)?;
    let before = parts.next().filter(is_id).filter(|_| path.contains("/broadcast/") && path.split('/').count() > 7);
    Some(before.unwrap_or(last))
}
