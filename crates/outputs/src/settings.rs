//! The settings of one output: its name, section, delay, and where it sends what.
//!
//! Read from the configuration file, from the API and from the file of outputs. Must not know how anything is sent.

mod check;
mod target;

use std::path::Path;

use publish::gate::Delay;
use serde::{Deserialize, Serialize};

use crate::address::{MOST_NAME, host, is_name, web_address};
use crate::refusal::OutputRefusal;
use crate::secret::Secret;

pub(crate) use check::MOST_ROUNDS;
pub(crate) use target::fingerprint;
pub use target::{
    CommandTarget, FolderTarget, FtpTarget, HttpTarget, LICHESS, LichessTarget, Method, SiteAddress, SitePlace,
    SiteServer, SiteTarget, WebHookTarget,
};

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
    /// What is wrong, and what to write.
    pub fn check(&self) -> Result<(), OutputRefusal> {
        if !is_name(&self.name) {
            return Err(OutputRefusal::Name { name: self.name.clone(), most: MOST_NAME });
        }
        match &self.target {
            Target::Lichess(lichess) => lichess.check(),
            Target::Folder(folder) if folder.path.as_os_str().is_empty() => Err(OutputRefusal::FolderEmpty),
            Target::Folder(_) => Ok(()),
            Target::Http(http) => web_address(&http.url),
            Target::WebHook(hook) => hook.check(),
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

    /// These settings with the rounds that were made at Lichess: `made` is `before` with them. What a person changed since stays, also
    /// the round of an address that was entered. None when the rounds do not belong to these settings any more.
    pub(crate) fn with_rounds_made(mut self, before: &Self, made: &Self) -> Option<Self> {
        let (Target::Lichess(now), Target::Lichess(old), Target::Lichess(made)) =
            (&mut self.target, &before.target, &made.target)
        else {
            return None;
        };
        if self.section != before.section || now.site != old.site || now.broadcast != old.broadcast {
            return None;
        }
        now.broadcast.clone_from(&made.broadcast);
        for (place, id) in made.rounds.iter().enumerate().filter(|(_, id)| !id.is_empty()) {
            if now.rounds.len() <= place {
                now.rounds.resize(place + 1, String::new());
            }
            // A person may have entered the address for another round, or removed a round that was there before.
            let is_known = old.rounds.get(place) == Some(id) || now.rounds.iter().any(|known| known.ends_with(&**id));
            if let Some(round) = now.rounds.get_mut(place).filter(|round| round.is_empty() && !is_known) {
                round.clone_from(id);
            }
        }
        for (round, at) in made.starts.iter().filter(|(round, at)| old.starts.get(round) != Some(at)) {
            now.starts.insert(*round, *at);
        }
        Some(self)
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
            Self::Lichess(lichess) => host(&lichess.site),
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
