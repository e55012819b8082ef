//! The settings of one output: its name, section, delay, and where it sends what.
//!
//! Read from the configuration file, from the API and from the file of outputs. Must not know how anything is sent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hall_clock::UtcMs;
use publish::gate::Delay;
use serde::{Deserialize, Serialize};

use crate::secret::Secret;

/// Maximum length of a name.
const MOST_NAME: usize = 40;

/// Rounds of one broadcast at Lichess.
pub(crate) const MOST_ROUNDS: usize = 64;

/// The public Lichess.
pub const LICHESS: &str = "https://lichess.org";

/// Longest time that a command may be given, in seconds.
const MOST_COMMAND_S: u32 = 600;

/// One output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Its name in addresses: small letters, digits and `-`.
    pub name: String,
    /// The slug of the section that it sends; may be missing where there is one section only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// It sends nothing earlier than this, nor earlier than the public sees it.
    #[serde(default, with = "delay", skip_serializing_if = "no_delay")]
    pub delay: Delay,
    /// Where it sends what.
    pub target: Target,
}

/// Where an output sends what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Target {
    /// A broadcast of Lichess, by pushes.
    Lichess(LichessTarget),
    /// A folder in the layout of LiveChess.
    Folder(FolderTarget),
    /// A file of each round to a web address.
    Http(HttpTarget),
    /// Changed games as signed JSON to a web address.
    WebHook(WebHookTarget),
    /// A program on this machine for each changed round.
    Command(CommandTarget),
    /// A file of each round by FTP, FTPS or SFTP.
    Ftp(FtpTarget),
    /// A static site: pages, pictures and PGN as files.
    Site(SiteTarget),
}

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
    /// SHA-256 of the server's host key in Base64, for SFTP; without it the daemon's own `known_hosts` counts.
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

fn file_of_round() -> String {
    "round-{round}.pgn".to_owned()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn no_delay(delay: &Delay) -> bool {
    *delay == Delay::NONE
}

/// A delay: seconds, or a text like `15 min`.
mod delay {
    use publish::gate::Delay;
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a delay is a number of seconds, or a text like \"15 min\" or \"until_over\"")]
    enum Written {
        Seconds(i64),
        Text(String),
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    pub(super) fn serialize<S: Serializer>(delay: &Delay, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(delay)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Delay, D::Error> {
        let text = match Written::deserialize(deserializer)? {
            Written::Seconds(seconds) => seconds.to_string(),
            Written::Text(text) => text,
        };
        text.parse().map_err(D::Error::custom)
    }
}

impl Settings {
    /// Checks everything that can be checked without sending.
    ///
    /// # Errors
    /// One sentence: what is wrong, and what to write.
    pub fn check(&self) -> Result<(), String> {
        let letters =
            |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        if self.name.is_empty() || self.name.len() > MOST_NAME || !letters(&self.name) {
            let name = &self.name;
            return Err(format!("«{name}» is no name for an output: use at most 40 small letters, digits and «-»."));
        }
        match &self.target {
            Target::Lichess(lichess) => lichess.check(),
            Target::Folder(folder) if folder.path.as_os_str().is_empty() => Err("The folder has no path.".to_owned()),
            Target::Folder(_) => Ok(()),
            Target::Http(http) => web_address(&http.url),
            Target::WebHook(hook) => web_address(&hook.url),
            Target::Command(command) => command.check(),
            Target::Ftp(ftp) => ftp.check(),
            Target::Site(site) => site.check(),
        }
    }

    /// What the output sends where, without secrets: an output with another identity begins anew.
    pub(crate) fn identity(&self) -> String {
        let section = self.section.as_deref().unwrap_or_default();
        let target = match &self.target {
            Target::Lichess(lichess) => {
                format!("{} {} {:?}", lichess.site, lichess.rounds.join(" "), lichess.tables)
            }
            Target::Folder(folder) => folder.path.display().to_string(),
            Target::Http(http) => publish::bodies::etag_of(http.url.as_bytes()),
            Target::WebHook(hook) => publish::bodies::etag_of(hook.url.as_bytes()),
            Target::Command(command) => format!("{} {:?}", command.program.display(), command.arguments),
            Target::Ftp(ftp) => format!("{} {} {}", ftp.url, ftp.user, ftp.file),
            Target::Site(site) => match &site.to {
                SitePlace::Folder(folder) => folder.path.display().to_string(),
                SitePlace::Http(http) => publish::bodies::etag_of(http.url.as_bytes()),
                SitePlace::Ftp(ftp) => format!("{} {}", ftp.url, ftp.user),
            },
        };
        format!("{} {section} {target}", self.target.kind())
    }

    /// Takes the web address of earlier settings where these have none, and their secrets where these have none and send to a
    /// consumer of the same kind and place. A secret never goes to another host.
    pub(crate) fn keep_secrets(&mut self, before: &Self) {
        fn known(secret: &mut Option<Secret>, before: Option<&Secret>) {
            if secret.as_ref().is_none_or(Secret::is_empty) {
                *secret = before.cloned();
            }
        }
        self.keep_address(before);
        if self.target.place_of_secrets() != before.target.place_of_secrets() {
            return;
        }
        match (&mut self.target, &before.target) {
            (Target::Lichess(new), Target::Lichess(old)) => {
                if new.token.is_empty() {
                    new.token = old.token.clone();
                }
                // Only this program knows it.
                new.broadcast = new.broadcast.take().or_else(|| old.broadcast.clone());
                if new.starts.is_empty() {
                    new.starts.clone_from(&old.starts);
                }
            }
            (Target::Http(new), Target::Http(old)) => known(&mut new.token, old.token.as_ref()),
            (Target::WebHook(new), Target::WebHook(old)) if new.secret.is_empty() => new.secret = old.secret.clone(),
            (Target::Ftp(new), Target::Ftp(old)) => known(&mut new.password, old.password.as_ref()),
            (Target::Site(new), Target::Site(old)) => match (&mut new.to, &old.to) {
                (SitePlace::Http(new), SitePlace::Http(old)) => known(&mut new.token, old.token.as_ref()),
                (SitePlace::Ftp(new), SitePlace::Ftp(old)) => known(&mut new.password, old.password.as_ref()),
                _ => {}
            },
            _ => {}
        }
    }

    /// Takes the web address of earlier settings of the same kind where these have none.
    fn keep_address(&mut self, before: &Self) {
        let addresses = match (&mut self.target, &before.target) {
            (Target::Http(new), Target::Http(old)) => Some((&mut new.url, &old.url)),
            (Target::WebHook(new), Target::WebHook(old)) => Some((&mut new.url, &old.url)),
            (Target::Site(new), Target::Site(old)) => match (&mut new.to, &old.to) {
                (SitePlace::Http(new), SitePlace::Http(old)) => Some((&mut new.url, &old.url)),
                _ => None,
            },
            _ => None,
        };
        if let Some((new, old)) = addresses.filter(|(new, _)| new.is_empty()) {
            new.clone_from(old);
        }
    }

    /// Paths that begin at this folder: that of the configuration file.
    pub fn resolve(&mut self, folder: &Path) {
        let secret = |secret: &mut Secret| {
            if let Secret::File { file } = secret {
                *file = folder.join(&*file);
            }
        };
        match &mut self.target {
            Target::Lichess(lichess) => secret(&mut lichess.token),
            Target::Folder(target) => target.path = folder.join(&target.path),
            Target::Http(http) => http.token.iter_mut().for_each(secret),
            Target::WebHook(hook) => secret(&mut hook.secret),
            Target::Command(_) => {}
            Target::Ftp(ftp) => {
                ftp.password.iter_mut().for_each(secret);
                ftp.key_file.iter_mut().for_each(|key| *key = folder.join(&*key));
            }
            Target::Site(site) => match &mut site.to {
                SitePlace::Folder(target) => target.path = folder.join(&target.path),
                SitePlace::Http(http) => http.token.iter_mut().for_each(secret),
                SitePlace::Ftp(ftp) => {
                    ftp.password.iter_mut().for_each(secret);
                    ftp.key_file.iter_mut().for_each(|key| *key = folder.join(&*key));
                }
            },
        }
    }
}

impl Target {
    /// Its kind, as in settings.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Lichess(_) => "lichess",
            Self::Folder(_) => "folder",
            Self::Http(_) => "http",
            Self::WebHook(_) => "web_hook",
            Self::Command(_) => "command",
            Self::Ftp(_) => "ftp",
            Self::Site(_) => "site",
        }
    }

    /// Where it sends, for people: never with a password, a token, or what stands behind the host of a web hook.
    pub fn place(&self) -> String {
        match self {
            Self::Lichess(lichess) => {
                let rounds = lichess.rounds.iter().filter(|round| !round.is_empty()).count();
                format!("{}: {rounds} rounds", host(&lichess.site))
            }
            Self::Folder(folder) => folder.path.display().to_string(),
            Self::Http(http) => host(&http.url),
            Self::WebHook(hook) => host(&hook.url),
            Self::Command(command) => command.program.display().to_string(),
            Self::Ftp(ftp) => host(&ftp.url),
            Self::Site(site) => match &site.to {
                SitePlace::Folder(folder) => folder.path.display().to_string(),
                SitePlace::Http(http) => host(&http.url),
                SitePlace::Ftp(ftp) => host(&ftp.url),
            },
        }
    }

    /// The kind and the server that its secrets are for.
    fn place_of_secrets(&self) -> String {
        let server = match self {
            Self::Lichess(lichess) => host(&lichess.site),
            Self::Folder(_) | Self::Site(SiteTarget { to: SitePlace::Folder(_), .. }) => String::new(),
            _ => self.place(),
        };
        format!("{} {server}", self.kind())
    }

    /// The folder of this machine that it writes to.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder) | Self::Site(SiteTarget { to: SitePlace::Folder(folder), .. }) => Some(&folder.path),
            _ => None,
        }
    }
}

impl SiteTarget {
    fn check(&self) -> Result<(), String> {
        if !drawn::words::codes().any(|code| code == self.language) {
            let known: Vec<_> = drawn::words::codes().collect();
            return Err(format!("«{}» is no language of the pages: use {}.", self.language, known.join(", ")));
        }
        match &self.to {
            SitePlace::Folder(folder) if folder.path.as_os_str().is_empty() => {
                Err("The folder has no path.".to_owned())
            }
            SitePlace::Folder(_) => Ok(()),
            SitePlace::Http(http) if http.url.contains(['{', '?', '#']) => {
                Err("Write the address of the site's folder: the names of files are added to it.".to_owned())
            }
            SitePlace::Http(http) => web_address(&http.url),
            SitePlace::Ftp(server) => server.as_ftp().check(),
        }
    }
}

impl SiteServer {
    /// The server for any file.
    pub(crate) fn as_ftp(&self) -> FtpTarget {
        let Self { url, user, password, key_file, host_key } = self.clone();
        FtpTarget { url, file: file_of_round(), user, password, key_file, host_key }
    }
}

/// Scheme and host of an address, without user and password.
fn host(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    format!("{scheme}://{}", host.rsplit('@').next().unwrap_or_default())
}

fn web_address(url: &str) -> Result<(), String> {
    let plain = url.replace("{section}", "s").replace("{round}", "1");
    let uri = plain.parse::<ureq::http::Uri>().ok();
    let host = uri.as_ref().and_then(|uri| uri.host()).is_some_and(|host| !host.is_empty());
    let shown = self::host(url);
    match uri.as_ref().and_then(|uri| uri.scheme_str()).filter(|_| host) {
        Some("http") => Ok(()),
        Some("https") if cfg!(feature = "tls") => Ok(()),
        Some("https") => Err("This build has no TLS: give an address that begins with http://.".to_owned()),
        _ => Err(format!("«{shown}» is no web address: write one that begins with http:// or https://.")),
    }
}

impl LichessTarget {
    fn check(&self) -> Result<(), String> {
        web_address(&self.site)?;
        if self.rounds.len() > MOST_ROUNDS {
            return Err(format!("A broadcast has at most {MOST_ROUNDS} rounds."));
        }
        if let Some(wrong) = self.rounds.iter().find(|round| !round.is_empty() && round_id(round).is_none()) {
            return Err(format!(
                "«{wrong}» is no round of Lichess: copy the address of the round's page, which ends in eight letters and \
                 digits."
            ));
        }
        let ids: Vec<_> = self.rounds.iter().filter_map(|round| round_id(round)).collect();
        if ids.iter().enumerate().any(|(index, id)| ids[..index].contains(id)) {
            return Err("Two rounds have the same address: give each round its own.".to_owned());
        }
        if self.tables.is_some_and(|(first, last)| first == 0 || first > last) {
            return Err("The tables are a first and a last number, the lower one first.".to_owned());
        }
        Ok(())
    }

    /// The id of a round at Lichess, by our number.
    pub(crate) fn id_of(&self, round: u32) -> Option<&str> {
        let index = usize::try_from(round).ok()?.checked_sub(1)?;
        round_id(self.rounds.get(index)?)
    }
}

/// The id of a round in its address, or the id itself.
fn round_id(address: &str) -> Option<&str> {
    let path = address.trim().split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    // A page of one game has a second id behind that of the round.
    let mut parts = path.rsplit('/').filter(|part| !part.is_empty());
    let is_id = |part: &&str| part.len() == 8 && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let last = parts.next().filter(is_id)?;
    let before = parts.next().filter(is_id).filter(|_| path.contains("/broadcast/") && path.split('/').count() > 7);
    Some(before.unwrap_or(last))
}

impl CommandTarget {
    fn check(&self) -> Result<(), String> {
        if !self.program.is_absolute() {
            return Err(format!("{} is no full path: write the program from «/» on.", self.program.display()));
        }
        if self.timeout_s == 0 || self.timeout_s > MOST_COMMAND_S {
            return Err(format!("timeout_s is 1 to {MOST_COMMAND_S} seconds."));
        }
        Ok(())
    }
}

impl FtpTarget {
    fn check(&self) -> Result<(), String> {
        let known = ["ftp://", "ftps://", "sftp://"].iter().any(|scheme| self.url.starts_with(scheme));
        let shown = host(&self.url);
        let texts = [Some(&self.url), Some(&self.file), Some(&self.user), self.host_key.as_ref()];
        if texts.into_iter().flatten().any(|text| text.chars().any(char::is_control)) {
            return Err("An address, a name or a key has a line break or another control character.".to_owned());
        }
        let host = self.url.split_once("://").map_or("", |(_, rest)| rest);
        if !known || host.is_empty() || host.starts_with('/') {
            return Err(format!("«{shown}» is no server: write ftp://HOST/FOLDER/, ftps:// or sftp://."));
        }
        if host.split('/').next().is_some_and(|host| host.contains('@')) {
            return Err("Write the user and the password in their own settings, not in the address.".to_owned());
        }
        if self.file.is_empty() || self.file.contains('/') || self.file.contains('\\') {
            return Err("«file» is the name of a file, without folders.".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_of_lichess_are_found_in_their_addresses() {
        let id = Some("aB3dE6gH");
        for address in [
            "aB3dE6gH",
            "https://lichess.org/broadcast/spring-open/round-1/aB3dE6gH",
            "https://lichess.org/broadcast/spring-open/round-1/aB3dE6gH/",
            "https://lichess.org/broadcast/spring-open/round-1/aB3dE6gH#boards",
            "https://lichess.org/broadcast/spring-open/round-1/aB3dE6gH/xYzzyX12",
            " https://lichess.org/api/broadcast/round/aB3dE6gH ",
        ] {
            assert_eq!(round_id(address), id, "{address}");
        }
        for wrong in ["", "https://lichess.org/broadcast/spring-open/round-1", "aB3dE6g", "aB3dE6gH.pgn", "../aB3d6gH"]
        {
            assert_eq!(round_id(wrong), None, "{wrong}");
        }
    }

    fn ftp(url: &str) -> Result<(), String> {
        let target = FtpTarget {
            url: url.into(),
            file: file_of_round(),
            user: "hall".into(),
            password: None,
            key_file: None,
            host_key: None,
        };
        Settings { name: "x".into(), section: None, delay: Delay::NONE, target: Target::Ftp(target) }.check()
    }

    #[test]
    fn what_cannot_work_is_refused_with_a_sentence() {
        assert_eq!(ftp("sftp://files.example.org/games/"), Ok(()));
        for wrong in ["http://x/", "ftp:///", "ftp://me:secret@host/", "ftp://host/\nuser = x"] {
            let refused = ftp(wrong).unwrap_err();
            assert!(refused.ends_with('.') && !refused.contains("secret"), "{refused}");
        }
        for wrong in ["", "ftp://host/", "http://", "https:///x", "/games", "http://ho st/"] {
            assert!(web_address(wrong).is_err(), "{wrong}");
        }
        assert_eq!(web_address("http://host/{section}/{round}.pgn"), Ok(()));
    }

    #[test]
    fn no_secret_is_shown() {
        let hook = WebHookTarget { url: "http://host/secret".into(), secret: Secret::Text("secret".into()) };
        assert_eq!(Target::WebHook(hook.clone()).place(), "http://host");
        assert!(!format!("{:?}", hook.secret).contains("secret"));
        assert_eq!(host("https://me:secret@host:1/x"), "https://host:1");
    }
}
