//! Outputs: what is sent to other programs and sites, and how they are. A secret is taken once and never given out.

use std::collections::BTreeMap;

use ::outputs::settings::{
    FolderTarget, FtpTarget, HttpTarget, LICHESS, LichessTarget, Method, SiteAddress, SitePlace, SiteServer,
    SiteTarget, Target, WebHookTarget,
};
use ::outputs::{ItemProblem, Known, Refusal, Secret, Settings, State};
use coded_text::CodedText;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::same_variants;
use hall_clock::UtcMs;
use public_web::problem::CodedLine;
use tournament::Delay;

use crate::admin::problem::AdminRefusal;

/// On what a change is based.
#[derive(Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Seen {
    /// The version of the hall that was shown: the change is refused (412, code `changed`) if another person has changed the output
    /// since.
    pub(crate) seen: Option<u64>,
}

/// An output to be added.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewOutput {
    /// Its name in addresses: small letters, digits and `-`.
    #[schema(min_length = 1, max_length = 40, pattern = "^[a-z0-9-]+$")]
    pub(crate) name: String,
    /// The slug of the section that it sends; may be missing where there is one section only.
    pub(crate) section: Option<String>,
    /// Nothing is sent earlier than this, nor earlier than the public sees it: like `15 min`, or `until_over`.
    pub(crate) delay: Option<String>,
    /// Where it sends what.
    pub(crate) target: NewTarget,
}

/// An output as it is to be, or as it is. What may hold a secret is not given out: tokens, passwords, and addresses of web servers,
/// which are empty. An address that is left empty in a change stays as it is.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangedOutput {
    /// The slug of the section that it sends; may be missing where there is one section only.
    pub(crate) section: Option<String>,
    /// Its own delay; none without it.
    pub(crate) delay: Option<String>,
    /// Where it sends what; as it is without it.
    pub(crate) target: Option<NewTarget>,
}

/// Where an output sends what. Commands can be set in the configuration file only.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum NewTarget {
    /// A broadcast of Lichess.
    Lichess(NewLichess),
    /// A folder of the daemon's machine in the layout of LiveChess.
    Folder(NewFolder),
    /// A PGN file of each round to a web address.
    Http(NewHttp),
    /// Changed games as signed JSON to a web address.
    WebHook(NewWebHook),
    /// A PGN file of each round by FTP, FTPS or SFTP.
    Ftp(NewFtp),
    /// A static site: pages, pictures and PGN as files.
    Site(NewSite),
}

/// A static site.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewSite {
    /// Where its files go.
    pub(crate) to: NewSitePlace,
    /// The language of its pages: `en` (without it), `de`, `es`, `fr`, `it` or `pl`.
    pub(crate) language: Option<String>,
}

/// Where the files of a site go.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum NewSitePlace {
    /// A folder of the daemon's machine.
    Folder(NewFolder),
    /// A web server that takes PUT and DELETE.
    Http(NewSiteAddress),
    /// A folder of a server, by FTP, FTPS or SFTP.
    Ftp(NewSiteServer),
}

/// A web server that takes files.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewSiteAddress {
    /// The address of the site's folder.
    pub(crate) url: String,
    /// Sent as `Authorization: Bearer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<String>,
}

/// A server for the files of a site.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewSiteServer {
    /// Folder of the server, beginning with `ftp://`, `ftps://` or `sftp://`.
    pub(crate) url: String,
    /// The user.
    pub(crate) user: String,
    /// The password.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) password: Option<String>,
    /// SHA-256 of the host key in Base64, for SFTP, as `ssh-keygen -lf` prints it; `SHA256:` before it may be missing.
    pub(crate) host_key: Option<String>,
}

/// A broadcast of Lichess.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewLichess {
    /// Addresses of the rounds there, that of round 1 first; an empty text for a round that is not sent.
    pub(crate) rounds: Vec<String>,
    /// A token with the permission `study:write`. A change without it keeps the one that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<String>,
    /// First and last table.
    pub(crate) tables: Option<(u32, u32)>,
}

/// A folder.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewFolder {
    /// The whole path; the folder must exist.
    pub(crate) path: String,
}

/// PUT or POST.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum HttpMethod {
    /// PUT.
    Put,
    /// POST.
    Post,
}

/// A web address for files.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewHttp {
    /// The address; `{section}` and `{round}` in it are replaced.
    pub(crate) url: String,
    /// PUT without it.
    pub(crate) method: Option<HttpMethod>,
    /// Sent as `Authorization: Bearer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<String>,
}

/// A web address for changed games.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewWebHook {
    /// The address.
    pub(crate) url: String,
    /// The key of the signature. A change without it keeps the one that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) secret: Option<String>,
}

/// A server for files.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewFtp {
    /// Folder of the server, beginning with `ftp://`, `ftps://` or `sftp://`.
    pub(crate) url: String,
    /// Name of the file of a round; `round-{round}.pgn` without it.
    pub(crate) file: Option<String>,
    /// The user.
    pub(crate) user: String,
    /// The password.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) password: Option<String>,
    /// SHA-256 of the host key in Base64, for SFTP, as `ssh-keygen -lf` prints it; `SHA256:` before it may be missing.
    pub(crate) host_key: Option<String>,
}

/// What is sent again.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SendAgain {
    /// A round; everything without it.
    pub(crate) round: Option<u32>,
}

/// What a test found.
#[derive(Serialize, ToSchema)]
pub(crate) struct Tested {
    /// Whether the consumer would take something.
    pub(crate) ok: bool,
    /// What it said, and what to do, one after the other.
    pub(crate) sentences: Vec<CodedLine>,
}

impl Tested {
    /// What the consumer said, unless the order was refused before it was asked.
    ///
    /// # Errors
    /// The refusal.
    pub(crate) fn of(answer: Result<Vec<CodedText>, Refusal>) -> Result<Self, Refusal> {
        let (ok, sentences) = match answer {
            Ok(sentences) => (true, sentences),
            Err(Refusal::Consumer(sentence)) => (false, vec![*sentence]),
            Err(refusal) => return Err(refusal),
        };
        Ok(Self { ok, sentences: sentences.into_iter().map(CodedLine::from).collect() })
    }
}

/// What an output does.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OutputState {
    /// It has just begun.
    Starting,
    /// A person paused it.
    Paused,
    /// There is nothing to send yet.
    Idle,
    /// The consumer has everything.
    UpToDate,
    /// It sends.
    Sending,
    /// An attempt failed; it tries again by itself.
    Retrying,
    /// Attempts have failed for more than a minute.
    Failing,
}

same_variants!(from OutputState, State, Starting, Paused, Idle, UpToDate, Sending, Retrying, Failing);

/// An output and how it is. Instants are UTC milliseconds, real time.
#[derive(Serialize, ToSchema)]
pub(crate) struct OutputLine {
    /// Its name.
    pub(crate) name: String,
    /// `lichess`, `folder`, `http`, `web_hook`, `command`, `ftp` or `site`.
    pub(crate) kind: &'static str,
    /// Where it sends to, without secrets.
    pub(crate) place: String,
    /// The slug of its section; none for the only one.
    pub(crate) section: Option<String>,
    /// Its own delay, like `900 s`; none without one.
    pub(crate) delay: Option<String>,
    /// Whether it is in the configuration file, and cannot be removed here.
    pub(crate) configured: bool,
    /// Who added it.
    pub(crate) added_by: Option<String>,
    /// When it was added.
    pub(crate) added_at: Option<UtcMs>,
    /// What it does.
    pub(crate) state: OutputState,
    /// Why it fails, and what to do.
    pub(crate) trouble: Option<CodedLine>,
    /// What to look at although it works.
    pub(crate) warnings: Vec<CodedLine>,
    /// When something that it sends changed last.
    pub(crate) changed_at: Option<UtcMs>,
    /// When the consumer took something last.
    pub(crate) sent_at: Option<UtcMs>,
    /// What the consumer answered last.
    pub(crate) answer: Option<CodedLine>,
    /// When it answered.
    pub(crate) answered_at: Option<UtcMs>,
    /// Since when the oldest change waits: its lag.
    pub(crate) behind_since: Option<UtcMs>,
    /// Games or files that wait.
    pub(crate) waiting: usize,
    /// Games or files that the consumer has.
    pub(crate) sent: usize,
    /// When it tries again.
    pub(crate) next_attempt_at: Option<UtcMs>,
    /// Since when attempts have failed.
    pub(crate) failing_since: Option<UtcMs>,
    /// Games or files that the consumer refused, or shows otherwise.
    pub(crate) problems: Vec<OutputProblem>,
}

/// A game or file with a problem.
#[derive(Serialize, ToSchema)]
pub(crate) struct OutputProblem {
    /// The game or file.
    pub(crate) item: CodedLine,
    /// What is wrong with it.
    pub(crate) reason: CodedLine,
}

impl From<Known> for OutputLine {
    fn from(known: Known) -> Self {
        let Known { settings, added, status } = known;
        let (added_by, added_at) = added.unzip();
        let problems = status
            .problems
            .into_iter()
            .map(|ItemProblem { item, reason }| OutputProblem { item: (*item).into(), reason: (*reason).into() });
        Self {
            kind: settings.target.kind(),
            place: settings.target.place(),
            name: settings.name,
            section: settings.section,
            delay: (settings.delay != Delay::NONE).then(|| settings.delay.to_string()),
            configured: added_by.is_none(),
            added_by,
            added_at,
            state: status.state.into(),
            trouble: status.trouble.map(CodedLine::from),
            warnings: status.warnings.into_iter().map(CodedLine::from).collect(),
            changed_at: status.changed_at,
            sent_at: status.sent_at,
            answer: status.answer.map(CodedLine::from),
            answered_at: status.answered_at,
            behind_since: status.behind_since,
            waiting: status.waiting,
            sent: status.sent,
            next_attempt_at: status.next_attempt_at,
            failing_since: status.failing_since,
            problems: problems.collect(),
        }
    }
}

impl NewOutput {
    /// The settings of the output.
    ///
    /// # Errors
    /// [`AdminRefusal::NotADelay`].
    pub(crate) fn into_settings(self) -> Result<Settings, AdminRefusal> {
        let Self { name, section, delay, target } = self;
        let section = section.filter(|section| !section.is_empty());
        Ok(Settings { name, section, delay: delay_of(delay)?, target: target.into() })
    }
}

impl ChangedOutput {
    /// The settings of an output that had these before.
    ///
    /// # Errors
    /// [`AdminRefusal::NotADelay`].
    pub(crate) fn into_settings(self, before: Settings) -> Result<Settings, AdminRefusal> {
        let Self { section, delay, target } = self;
        let section = section.filter(|section| !section.is_empty());
        let target = target.map_or(before.target, Into::into);
        Ok(Settings { name: before.name, section, delay: delay_of(delay)?, target })
    }
}

/// What a form shows of the settings of an output.
impl From<Settings> for ChangedOutput {
    fn from(settings: Settings) -> Self {
        let delay = (settings.delay != Delay::NONE).then(|| settings.delay.to_string());
        Self { section: settings.section, delay, target: shown(settings.target) }
    }
}

/// A target without secrets; none for a command, which only the configuration file has.
fn shown(target: Target) -> Option<NewTarget> {
    let path = |path: &std::path::Path| path.display().to_string();
    Some(match target {
        Target::Lichess(LichessTarget { rounds, tables, .. }) => {
            NewTarget::Lichess(NewLichess { rounds, token: None, tables })
        }
        Target::Folder(folder) => NewTarget::Folder(NewFolder { path: path(&folder.path) }),
        Target::Http(HttpTarget { method, .. }) => {
            let method = match method {
                Method::Put => HttpMethod::Put,
                Method::Post => HttpMethod::Post,
            };
            NewTarget::Http(NewHttp { url: String::new(), method: Some(method), token: None })
        }
        Target::WebHook(_) => NewTarget::WebHook(NewWebHook { url: String::new(), secret: None }),
        Target::Command(_) => return None,
        Target::Ftp(FtpTarget { url, file, user, host_key, .. }) => {
            NewTarget::Ftp(NewFtp { url, file: Some(file), user, password: None, host_key })
        }
        Target::Site(SiteTarget { to, language }) => {
            let to = match to {
                SitePlace::Folder(folder) => NewSitePlace::Folder(NewFolder { path: path(&folder.path) }),
                SitePlace::Http(_) => NewSitePlace::Http(NewSiteAddress { url: String::new(), token: None }),
                SitePlace::Ftp(SiteServer { url, user, host_key, .. }) => {
                    NewSitePlace::Ftp(NewSiteServer { url, user, password: None, host_key })
                }
            };
            NewTarget::Site(NewSite { to, language: Some(language) })
        }
    })
}

fn delay_of(written: Option<String>) -> Result<Delay, AdminRefusal> {
    let written = written.filter(|delay| !delay.trim().is_empty());
    written.map_or(Ok(Delay::NONE), |delay| delay.parse()).map_err(|_| AdminRefusal::NotADelay)
}

impl From<NewTarget> for Target {
    fn from(new: NewTarget) -> Self {
        let secret = |text: Option<String>| text.filter(|text| !text.is_empty()).map(Secret::Text);
        match new {
            NewTarget::Lichess(NewLichess { rounds, token, tables }) => Self::Lichess(LichessTarget {
                rounds,
                token: Secret::Text(token.unwrap_or_default()),
                tables,
                broadcast: None,
                starts: BTreeMap::new(),
                site: LICHESS.to_owned(),
            }),
            NewTarget::Folder(NewFolder { path }) => Self::Folder(FolderTarget { path: path.into() }),
            NewTarget::Http(NewHttp { url, method, token }) => {
                let method = match method {
                    Some(HttpMethod::Post) => Method::Post,
                    Some(HttpMethod::Put) | None => Method::Put,
                };
                Self::Http(HttpTarget { url, method, token: secret(token) })
            }
            NewTarget::WebHook(NewWebHook { url, secret: new_secret }) => {
                Self::WebHook(WebHookTarget { url, secret: Secret::Text(new_secret.unwrap_or_default()) })
            }
            NewTarget::Ftp(NewFtp { url, file, user, password, host_key }) => Self::Ftp(FtpTarget {
                url,
                file: file.filter(|file| !file.is_empty()).unwrap_or_else(|| "round-{round}.pgn".to_owned()),
                user,
                password: secret(password),
                key_file: None,
                host_key: host_key.filter(|key| !key.is_empty()),
            }),
            NewTarget::Site(NewSite { to, language }) => {
                let to = match to {
                    NewSitePlace::Folder(NewFolder { path }) => SitePlace::Folder(FolderTarget { path: path.into() }),
                    NewSitePlace::Http(NewSiteAddress { url, token }) => {
                        SitePlace::Http(SiteAddress { url, token: secret(token) })
                    }
                    NewSitePlace::Ftp(NewSiteServer { url, user, password, host_key }) => SitePlace::Ftp(SiteServer {
                        url,
                        user,
                        password: secret(password),
                        key_file: None,
                        host_key: host_key.filter(|key| !key.is_empty()),
                    }),
                };
                let language = language.filter(|language| !language.is_empty());
                Self::Site(SiteTarget { to, language: language.unwrap_or_else(|| "en".to_owned()) })
            }
        }
    }
}
