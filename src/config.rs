//! Reads the configuration file: its keys, their defaults, and errors with the line.
//!
//! The file holds policy only; everything else the daemon finds out. Must not know what the settings do.

mod refused;

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use etcetera::BaseStrategy;
use serde::{Deserialize, Deserializer, de::Error as _};

use crate::admin::PublicUrl;
use crate::alarms::hook::HookUrl;
use crate::alarms::messages::AlarmsConfig;
use crate::app::TlsSettings;
use crate::director::by_serial::AllBoards;
use crate::input_file;
use crate::listeners::{self, ClientLimits, Listener};
use crate::transport::candidates::PortPattern;
use public_web::Proxies;
use tournament::Delay;

/// Maximum size of a configuration file in bytes.
const CONFIG_BYTES: u64 = 1024 * 1024;

/// Default address of the pages: this machine only.
pub const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8080);

/// Default port of the daemon's own HTTPS.
pub const TLS_PORT: u16 = 8443;

/// Default folder of pairings that load by themselves, below the data folder.
pub const PAIRINGS_FOLDER: &str = "pairings";

/// The settings of `boardcast run`; all are optional.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Address and port of the pages; [`DEFAULT_LISTEN`] when missing.
    #[serde(default, deserialize_with = "listen")]
    pub listen: Option<SocketAddr>,
    /// Address at which a proxy serves the pages over TLS, e.g. `https://games.example.org`; without it, everything that
    /// needs a login is served on this machine only.
    pub public_url: Option<PublicUrl>,
    /// Address of the daemon's own HTTPS, or `"off"`; when missing, port [`TLS_PORT`] where the pages are served to the network.
    pub tls_listen: Option<TlsListen>,
    /// The organiser's own certificate chain in PEM; needs `tls_key`.
    pub tls_certificate: Option<PathBuf>,
    /// Its private key in PEM.
    pub tls_key: Option<PathBuf>,
    /// The data folder; [`default_data_folder`] when missing.
    pub data: Option<PathBuf>,
    /// Further ports on which to look for boards, besides devices with the USB id of a board.
    #[serde(default, deserialize_with = "port_patterns")]
    pub ports: Vec<PortPattern>,
    /// Files of pairings that belong together, in any form: one name or a list.
    #[serde(default, deserialize_with = "one_or_more")]
    pub pairings: Vec<PathBuf>,
    /// Assign boards to tables in the order of their serial numbers: `true`, or the number of boards.
    #[serde(default, deserialize_with = "all_boards")]
    pub assign_by_serial: Option<AllBoards>,
    /// A folder of pairings that load by themselves; `pairings` in the data folder when missing.
    pub pairings_folder: Option<PathBuf>,
    /// Maximum size of all captures in megabytes; when missing, half of the space that is free without them.
    pub capture_megabytes: Option<u64>,
    /// Address to which alarms are sent, each change as a POST of JSON.
    pub alarm_hook: Option<HookUrl>,
    /// Address of the e-board socket; it is off when missing.
    #[serde(default, deserialize_with = "eboard_socket")]
    pub eboard_socket: Option<SocketAddr>,
    /// Origins of further web pages that may use the e-board socket, e.g. `https://club.example.org`.
    #[serde(default)]
    pub eboard_origins: Vec<String>,
    /// Whether the e-board socket shows boards whose game is delayed for the public.
    #[serde(default)]
    pub eboard_shows_delayed: bool,
    /// Further addresses at which the daemon serves.
    #[serde(default, rename = "listener", deserialize_with = "listeners::listeners")]
    pub listeners: Vec<Listener>,
    /// Proxies whose headers about the client are believed.
    #[serde(default, deserialize_with = "listeners::proxies")]
    pub trusted_proxies: Proxies,
    /// What clients may hold.
    #[serde(default)]
    pub limits: ClientLimits,
    /// What is sent to other programs and sites.
    #[serde(default, rename = "output", deserialize_with = "outputs")]
    pub outputs: Vec<outputs::Settings>,
    /// The engine that evaluates games whose delay allows it; none when missing.
    #[serde(default, deserialize_with = "engine")]
    pub engine: Option<evaluations::Settings>,
    /// Messages about alarms.
    #[serde(default)]
    pub alarms: AlarmsConfig,
    /// The event.
    #[serde(default)]
    pub event: EventConfig,
}

/// Where the daemon's own HTTPS is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TlsListen {
    /// Nowhere.
    Off,
    /// At this address.
    At(SocketAddr),
}

impl FromStr for TlsListen {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "off" => Ok(Self::Off),
            _ => text.parse().map(Self::At).map_err(|_| "this is an address with a port, e.g. 0.0.0.0:8443, or off"),
        }
    }
}

/// Reads an address with its port.
///
/// # Errors
/// Says what such an address looks like.
pub fn address_with_port(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(|_| "this is an address with a port, e.g. 0.0.0.0:8080")
}

fn listen<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<SocketAddr>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "this is an address with a port, e.g. \"0.0.0.0:8080\"")]
    enum Wanted {
        At(SocketAddr),
    }
    let Wanted::At(address) = Wanted::deserialize(deserializer)?;
    Ok(Some(address))
}

impl<'de> Deserialize<'de> for TlsListen {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "this is an address with a port, e.g. \"0.0.0.0:8443\", or \"off\"")]
        enum Wanted {
            Text(String),
        }
        let Wanted::Text(text) = Wanted::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

/// The organiser's own certificate and key.
///
/// # Errors
/// One sentence when only one of certificate and key is given.
pub fn own_certificate(
    certificate: Option<PathBuf>,
    key: Option<PathBuf>,
) -> anyhow::Result<Option<(PathBuf, PathBuf)>> {
    match (certificate, key) {
        (Some(certificate), Some(key)) => Ok(Some((certificate, key))),
        (None, None) => Ok(None),
        _ => anyhow::bail!("tls_certificate and tls_key belong together: give both, or neither"),
    }
}

/// The settings of the daemon's own HTTPS beside pages at `listen`; none when it is off.
pub fn tls_settings(
    listen: SocketAddr,
    wanted: Option<TlsListen>,
    own: Option<(PathBuf, PathBuf)>,
) -> Option<TlsSettings> {
    match wanted {
        Some(TlsListen::Off) => None,
        Some(TlsListen::At(listen)) => Some(TlsSettings { listen, required: true, own, opened: None }),
        None if listen.ip().is_loopback() && own.is_none() => None,
        None => Some(TlsSettings {
            listen: SocketAddr::new(listen.ip(), TLS_PORT),
            required: own.is_some(),
            own,
            opened: None,
        }),
    }
}

/// The event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventConfig {
    /// Its name, as in the PGN tag `Event`.
    pub name: Option<String>,
    /// Its place, as in the PGN tag `Site`.
    pub site: Option<String>,
    /// Its name in addresses: lower-case letters, digits and `-`; derived from the name when missing.
    pub slug: Option<String>,
    /// By how much the public sees its games later; none for no delay.
    #[serde(default, deserialize_with = "delay")]
    pub delay_s: Option<Delay>,
}

/// A delay: seconds, or a text like `15 min`.
fn delay<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Delay>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a delay is a number of seconds, or a text like \"15 min\" or \"until_over\"")]
    enum Written {
        Seconds(i64),
        Text(String),
    }
    let text = match Written::deserialize(deserializer)? {
        Written::Seconds(seconds) => seconds.to_string(),
        Written::Text(text) => text,
    };
    text.parse().map(Some).map_err(D::Error::custom)
}

/// Why the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("the configuration file {} cannot be read: check its name and permissions", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line is not valid.
    #[error("{}, line {line}: {reason}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The system has no data folder for the user.
    #[error("this system has no data folder for the user: name a folder with --data")]
    NoDataFolder(#[source] etcetera::HomeDirError),
}

impl Config {
    /// Reads a file.
    ///
    /// # Errors
    /// A [`ConfigError`] that names the file and the line.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = input_file::read_text(path, CONFIG_BYTES)
            .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
        Self::parse(&text, path)
    }

    /// Reads the text of the file `path`; relative paths in it start at the folder of the file.
    ///
    /// # Errors
    /// [`ConfigError::Wrong`] with the line.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        let mut config: Self = toml::from_str(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            let line = 1 + text.bytes().take(start).filter(|byte| *byte == b'\n').count();
            ConfigError::Wrong { path: path.to_owned(), line, reason: refused::sentence(error.message()) }
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let files = config.pairings.iter_mut().chain(&mut config.tls_certificate).chain(&mut config.tls_key);
        for relative in files.chain(&mut config.data).chain(&mut config.pairings_folder) {
            *relative = folder.join(&relative);
        }
        for output in &mut config.outputs {
            output.resolve(folder);
        }
        if let Some(engine) = &mut config.engine {
            engine.resolve(folder);
        }
        Ok(config)
    }
}

fn port_patterns<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PortPattern>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| text.parse().map_err(D::Error::custom)).collect()
}

fn outputs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<outputs::Settings>, D::Error> {
    let outputs = Vec::<outputs::Settings>::deserialize(deserializer)?;
    for (place, output) in outputs.iter().enumerate() {
        if outputs[..place].iter().any(|other| other.name == output.name) {
            return Err(D::Error::custom(format!("two outputs have the name «{}»: change one", output.name)));
        }
        output.check().map_err(|sentence| D::Error::custom(format!("output «{}»: {sentence}", output.name)))?;
    }
    Ok(outputs)
}

fn engine<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<evaluations::Settings>, D::Error> {
    let engine = evaluations::Settings::deserialize(deserializer)?;
    engine.check().map_err(D::Error::custom)?;
    Ok(Some(engine))
}

fn all_boards<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<AllBoards>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "this is true, false or the number of boards")]
    enum Wanted {
        All(bool),
        Number(usize),
    }
    match Wanted::deserialize(deserializer)? {
        Wanted::All(all) => Ok(all.then_some(AllBoards::AsTables)),
        Wanted::Number(0) => Err(D::Error::custom("this is the number of boards that are connected, from 1")),
        Wanted::Number(number) => Ok(Some(AllBoards::Number(number))),
    }
}

fn eboard_socket<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<SocketAddr>, D::Error> {
    #[derive(Deserialize)]
    #[serde(
        untagged,
        expecting = "this is the address of the e-board socket, usually \"127.0.0.1:1982\"; without the setting it is off"
    )]
    enum Wanted {
        At(SocketAddr),
    }
    let Wanted::At(address) = Wanted::deserialize(deserializer)?;
    Ok(Some(address))
}

fn one_or_more<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "this is a file or a list of files")]
    enum Files {
        One(PathBuf),
        More(Vec<PathBuf>),
    }
    Ok(match Files::deserialize(deserializer)? {
        Files::One(file) => vec![file],
        Files::More(files) => files,
    })
}

/// The user's data folder for this program.
///
/// # Errors
/// [`ConfigError::NoDataFolder`] when the user has no home folder.
pub fn default_data_folder() -> Result<PathBuf, ConfigError> {
    let folders = etcetera::choose_base_strategy().map_err(ConfigError::NoDataFolder)?;
    Ok(folders.data_dir().join("boardcast"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_in_the_package_is_understood() {
        let text = include_str!("../systemd/example.toml");
        let example = Config::parse(text, Path::new("/etc/boardcast/boardcast.toml")).unwrap();
        assert_eq!(example.data, Some("/var/lib/boardcast".into()));
        // Every suggestion that is commented out is one that works.
        let suggestions: String = text
            .lines()
            .map(|line| line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line))
            .fold(String::new(), |all, line| all + line + "\n");
        let full = Config::parse(&suggestions, Path::new("/etc/boardcast/boardcast.toml")).unwrap();
        assert!(full.listen.is_some() && full.public_url.is_some());
        assert!(!full.pairings.is_empty() && full.event.slug.is_some());
        let kinds: Vec<_> = full.outputs.iter().map(|output| output.target.kind()).collect();
        assert_eq!(kinds, ["lichess", "folder", "ftp", "http", "site", "web_hook", "command"]);
        assert_eq!(
            full.engine,
            Some(evaluations::Settings::of("/usr/games/stockfish")),
            "the example shows the defaults"
        );
        assert!(!full.ports.is_empty() && full.capture_megabytes.is_some() && full.pairings_folder.is_some());
    }

    #[test]
    fn nothing_needs_to_be_said() {
        assert_eq!(Config::parse("", Path::new("empty.toml")).unwrap(), Config::default());
    }

    #[test]
    fn what_is_not_understood_is_named_with_its_line() {
        let wrong = |text| Config::parse(text, Path::new("hall.toml")).unwrap_err().to_string();
        let typo = wrong("listen = \"127.0.0.1:80\"\n\nlisten_on = 1\n");
        assert!(
            typo.starts_with("hall.toml, line 3: there is no setting «listen_on» here: «listen» may be meant"),
            "{typo}"
        );
        assert!(wrong("listen = 8080").starts_with("hall.toml, line 1: "));
        assert!(
            wrong("listen = \"localhost\"").starts_with("hall.toml, line 1: this is an address with a port, e.g. ")
        );
        assert!(wrong("\nports = [\"tcp://x\"]").starts_with("hall.toml, line 2: «tcp://x» is not a port"));
        assert!(wrong("[event]\ncolour = 1").contains("line 2: there is no setting «colour» here"));
        for text in
            ["-1", "90000", "\"soon\"", "\"25 h\""].map(|delay| format!("[event]\nname = \"Open\"\ndelay_s = {delay}"))
        {
            let refused = Config::parse(&text, Path::new("hall.toml")).unwrap_err().to_string();
            assert!(
                refused.starts_with("hall.toml, line 3: a delay is a number of seconds, or like \"15 min\""),
                "{refused}"
            );
        }
        assert!(wrong("[event]\ndelay_s = 1.5").contains("line 2: a delay is a number of seconds"));
    }

    #[test]
    fn a_delay_is_seconds_or_a_text() {
        let delay = |text: &str| Config::parse(&format!("[event]\ndelay_s = {text}"), Path::new("hall.toml"));
        for (text, expected) in [("0", 0), ("900", 900), ("\"15 min\"", 900), ("\"24 h\"", 86_400)] {
            assert_eq!(delay(text).unwrap().event.delay_s, Some(Delay::Seconds(expected)), "{text}");
        }
        assert_eq!(delay("\"until_over\"").unwrap().event.delay_s, Some(Delay::UntilOver));
    }

    #[test]
    fn the_e_board_socket_is_an_address() {
        let read = |text: &str| Config::parse(text, Path::new("hall.toml"));
        let address = "127.0.0.1:1982".parse().unwrap();
        assert_eq!(read("eboard_socket = \"127.0.0.1:1982\"").unwrap().eboard_socket, Some(address));
        assert_eq!(read("").unwrap().eboard_socket, None);
        for wrong in ["true", "1982", "\"localhost\""] {
            let refused = read(&format!("eboard_socket = {wrong}")).unwrap_err().to_string();
            assert!(
                refused.contains("line 1: this is the address of the e-board socket, usually \"127.0.0.1:1982\""),
                "{refused}"
            );
        }
    }

    #[test]
    fn boards_are_assigned_by_serial_numbers_only_where_that_is_wanted() {
        let read = |text: &str| Config::parse(text, Path::new("hall.toml")).map(|config| config.assign_by_serial);
        assert_eq!((read("").unwrap(), read("assign_by_serial = false").unwrap()), (None, None));
        assert_eq!(read("assign_by_serial = true").unwrap(), Some(AllBoards::AsTables));
        assert_eq!(read("assign_by_serial = 8").unwrap(), Some(AllBoards::Number(8)));
        for wrong in ["0", "-1", "\"all\""] {
            assert!(read(&format!("assign_by_serial = {wrong}")).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_output_that_cannot_work_is_named() {
        let read = |text: &str| Config::parse(text, Path::new("/etc/hall.toml")).map(|config| config.outputs);
        let known = read("[[output]]\nname = \"site\"\ndelay = \"15 min\"\ntarget.folder.path = \"games\"").unwrap();
        assert_eq!((known[0].delay, known[0].target.place()), (Delay::Seconds(900), "/etc/games".into()));
        let wrong = |text: &str| read(text).unwrap_err().to_string();
        let refused = wrong("[[output]]\nname = \"My site\"\ntarget.folder.path = \"games\"");
        assert!(refused.contains("line 1: output «My site»: «My site» is no name"), "{refused}");
        assert!(wrong("[[output]]\nname = \"x\"\ntarget.fax.number = 1").contains("there is no choice «fax» here"));
        assert!(wrong("[[output]]\nname = \"x\"").contains("the setting «target» is missing"));
    }

    #[test]
    fn an_engine_is_off_until_a_program_is_named() {
        let read = |text: &str| Config::parse(text, Path::new("/etc/hall.toml")).map(|config| config.engine);
        assert_eq!(read("").unwrap(), None);
        let named = read("[engine]\nprogram = \"engines/fish\"\nthreads = 2").unwrap().unwrap();
        assert_eq!((named.program, named.threads), ("/etc/engines/fish".into(), 2));
        let wrong = |text: &str| read(text).unwrap_err().to_string();
        assert!(wrong("[engine]\ndepth = 20").contains("the setting «program» is missing"));
        let refused = wrong("[engine]\nprogram = \"stockfish\"\ntime_ms = 0");
        assert!(refused.contains("time_ms is 0: write a number of milliseconds from 10 to 10000"), "{refused}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Config::read(Path::new("/nowhere/boardcast.toml")).unwrap_err();
        assert!(error.to_string().contains("/nowhere/boardcast.toml cannot be read"), "{error}");
    }

    #[test]
    fn paths_in_the_file_start_at_its_folder() {
        let pairings = |text| Config::parse(text, Path::new("/etc/hall/boardcast.toml")).unwrap().pairings;
        assert_eq!(pairings("pairings = \"round-1.pgn\""), [Path::new("/etc/hall/round-1.pgn")]);
        let both = ["/etc/hall/players.csv", "/round.txt"].map(PathBuf::from);
        assert_eq!(pairings("pairings = [\"players.csv\", \"/round.txt\"]"), both);
        let wrong = Config::parse("\npairings = 3", Path::new("hall.toml")).unwrap_err().to_string();
        assert!(wrong.starts_with("hall.toml, line 2: this is a file or a list of files"), "{wrong}");
    }
}
