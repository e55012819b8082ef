//! The settings of listeners: their addresses, what they serve, and what clients may hold.
//!
//! Must not open anything.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use public_web::{Proxies, Proxy};
use publish::hub;
use serde::{Deserialize, Deserializer, de::Error as _};

use crate::admin::Rates;

/// Where a Unix socket begins in a setting.
const UNIX: &str = "unix:";

/// Who may connect to a Unix socket without a setting: the daemon's account and its group.
const MODE: u32 = 0o660;

/// Everything about serving beyond the first addresses.
#[derive(Clone, Debug, Default)]
pub struct Serving {
    /// Further addresses.
    pub listeners: Vec<Listener>,
    /// The organiser's own certificate and key in PEM, for those with TLS.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// Proxies whose headers are believed.
    pub proxies: Proxies,
    /// What clients may hold.
    pub limits: ClientLimits,
}

/// A further address at which the daemon serves.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listener {
    /// Where.
    pub address: Address,
    /// Whether with TLS.
    #[serde(default)]
    pub tls: bool,
    /// What.
    #[serde(default)]
    pub serves: Serves,
    /// The permissions of a Unix socket; its owner and group without this.
    pub mode: Option<Mode>,
}

/// What a listener serves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Serves {
    /// Everything.
    #[default]
    All,
    /// The public addresses alone: there is no login.
    Public,
    /// The dashboard and the addresses that need a login or a key alone.
    Admin,
}

/// An address of a listener: an address with a port, or a Unix socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// An address of the network.
    Network(SocketAddr),
    /// A Unix socket.
    Unix(PathBuf),
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Network(address) => address.fmt(formatter),
            Self::Unix(path) => write!(formatter, "{UNIX}{}", path.display()),
        }
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || {
            format!(
                "«{text}» is no address of a listener: write an address with a port, e.g. 0.0.0.0:80, or a Unix socket with its \
                 whole path, e.g. unix:/run/boardcast/pages.sock"
            )
        };
        match text.strip_prefix(UNIX).map(PathBuf::from) {
            Some(_) if cfg!(not(unix)) => Err("this system has no Unix sockets: write an address with a port".into()),
            Some(path) if path.is_absolute() && path.file_name().is_some() => Ok(Self::Unix(path)),
            Some(_) => Err(wrong()),
            None => text.parse().map(Self::Network).map_err(|_| wrong()),
        }
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Permissions of a Unix socket, e.g. `0660`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode(pub u32);

impl<'de> Deserialize<'de> for Mode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let mode = u32::from_str_radix(&text, 8).ok().filter(|mode| *mode <= 0o777 && mode & 0o600 == 0o600);
        mode.map(Self).ok_or_else(|| {
            D::Error::custom(format!(
                "«{text}» is no permission of a Unix socket: write three octal digits, e.g. \"0660\""
            ))
        })
    }
}

impl Listener {
    /// The permissions of its Unix socket.
    pub fn mode(&self) -> u32 {
        self.mode.map_or(MODE, |Mode(mode)| mode)
    }

    /// Whether its settings fit together.
    ///
    /// # Errors
    /// One sentence that says what does not.
    pub fn check(&self) -> Result<(), String> {
        match (&self.address, self.tls, self.mode) {
            (Address::Unix(_), true, _) => {
                Err(format!("{} is a Unix socket, which has no TLS: remove tls", self.address))
            }
            (Address::Network(_), _, Some(_)) => {
                Err(format!("{} is no Unix socket, and only these have a mode: remove it", self.address))
            }
            _ => Ok(()),
        }
    }
}

/// Reads the listeners of a configuration.
///
/// # Errors
/// Where one cannot be used, or two have one address.
pub(crate) fn listeners<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Listener>, D::Error> {
    let listeners = Vec::<Listener>::deserialize(deserializer)?;
    for (index, listener) in listeners.iter().enumerate() {
        listener.check().map_err(D::Error::custom)?;
        if listeners[..index].iter().any(|other| other.address == listener.address) {
            return Err(D::Error::custom(format!("two listeners have the address {}: remove one", listener.address)));
        }
    }
    Ok(listeners)
}

/// Reads the proxies of a configuration.
///
/// # Errors
/// Where one is none.
pub(crate) fn proxies<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Proxies, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    let proxies: Result<Vec<Proxy>, _> = texts.iter().map(|text| text.parse()).collect();
    proxies.map(Proxies::new).map_err(D::Error::custom)
}

/// A number within bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Within<const LEAST: u32, const MOST: u32>(u32);

impl<const LEAST: u32, const MOST: u32> Within<LEAST, MOST> {
    fn number(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }

    fn seconds(self) -> Duration {
        Duration::from_secs(self.0.into())
    }
}

impl<'de, const LEAST: u32, const MOST: u32> Deserialize<'de> for Within<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = i64::deserialize(deserializer)?;
        let fitting = u32::try_from(number).ok().filter(|number| (LEAST..=MOST).contains(number));
        fitting
            .map(Self)
            .ok_or_else(|| D::Error::custom(format!("{number} is not allowed here: write {LEAST} to {MOST}")))
    }
}

/// What clients may hold; what is missing has its default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClientLimits {
    /// HTTP connections at once, at each listener.
    connections: Option<Within<1, 1_000_000>>,
    /// Those of one address.
    connections_per_address: Option<Within<1, 1_000_000>>,
    /// Live viewers at once.
    viewers: Option<Within<0, 1_000_000>>,
    /// Those of one address.
    viewers_per_address: Option<Within<1, 1_000_000>>,
    /// Bytes of the head of a request.
    head_bytes: Option<Within<8192, 1_048_576>>,
    /// Seconds for the head of a request.
    head_s: Option<Within<1, 600>>,
    /// Requests with a body that has not arrived.
    bodies: Option<Within<1, 100_000>>,
    /// Seconds for the body of a request.
    body_s: Option<Within<1, 3600>>,
    /// Seconds for a connection altogether.
    connection_s: Option<Within<10, 86_400>>,
    /// Attempts to log in of one address, in a minute.
    logins_per_minute: Option<Within<1, 10_000>>,
    /// Requests of one account or key that change something, in a minute.
    writes_per_minute: Option<Within<1, 1_000_000>>,
}

impl ClientLimits {
    /// For connections.
    pub(crate) fn web(&self) -> public_web::Limits {
        let usual = public_web::Limits::default();
        let connections = self.connections.map_or(usual.connections, Within::number);
        public_web::Limits {
            connections,
            connections_per_address: self.connections_per_address.map_or((connections / 2).max(1), Within::number),
            head_bytes: self.head_bytes.map_or(usual.head_bytes, Within::number),
            bodies: self.bodies.map_or(usual.bodies, Within::number),
            body: self.body_s.map_or(usual.body, Within::seconds),
            head: self.head_s.map_or(usual.head, Within::seconds),
            connection: self.connection_s.map_or(usual.connection, Within::seconds),
            stopping: usual.stopping,
        }
    }

    /// For live viewers.
    pub(crate) fn hub(&self) -> hub::Limits {
        let usual = hub::Limits::default();
        hub::Limits { viewers: self.viewers.map_or(usual.viewers, Within::number), ..usual }
    }

    /// Live viewers of one address, of so many places.
    pub(crate) fn viewers_per_address(&self, viewers: usize) -> usize {
        self.viewers_per_address.map_or(viewers / 2, Within::number)
    }

    /// How often something may be asked.
    pub(crate) fn rates(&self) -> Rates {
        let usual = Rates::default();
        Rates {
            logins_per_minute: self.logins_per_minute.map_or(usual.logins_per_minute, |number| number.0.into()),
            writes_per_minute: self.writes_per_minute.map_or(usual.writes_per_minute, |number| number.0.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Read {
        #[serde(default, deserialize_with = "listeners")]
        listener: Vec<Listener>,
        #[serde(default)]
        limits: ClientLimits,
    }

    fn wrong(text: &str) -> String {
        toml::from_str::<Read>(text).unwrap_err().to_string()
    }

    #[test]
    fn a_listener_is_an_address_or_a_unix_socket() {
        let read: Read = toml::from_str(
            "[[listener]]\naddress = \"0.0.0.0:80\"\nserves = \"public\"\n\
             [[listener]]\naddress = \"[::]:443\"\ntls = true\n\
             [[listener]]\naddress = \"unix:/run/boardcast/admin.sock\"\nserves = \"admin\"\nmode = \"0600\"",
        )
        .unwrap();
        let shown: Vec<_> = read.listener.iter().map(|l| (l.address.to_string(), l.tls, l.serves, l.mode())).collect();
        assert_eq!(
            shown,
            [
                ("0.0.0.0:80".into(), false, Serves::Public, 0o660),
                ("[::]:443".into(), true, Serves::All, 0o660),
                ("unix:/run/boardcast/admin.sock".into(), false, Serves::Admin, 0o600),
            ]
        );
    }

    #[test]
    fn what_cannot_be_a_listener_is_refused_with_a_sentence() {
        for (text, sentence) in [
            ("[[listener]]\naddress = \"80\"", "«80» is no address of a listener"),
            ("[[listener]]\naddress = \"unix:pages.sock\"", "with its whole path"),
            ("[[listener]]\naddress = \"unix:/run/x\"\ntls = true", "which has no TLS"),
            ("[[listener]]\naddress = \"127.0.0.1:80\"\nmode = \"0660\"", "only these have a mode"),
            ("[[listener]]\naddress = \"unix:/run/x\"\nmode = \"rw\"", "three octal digits"),
            ("[[listener]]\naddress = \"unix:/run/x\"\nmode = \"0066\"", "three octal digits"),
            ("[[listener]]\naddress = \"127.0.0.1:80\"\nserves = \"everything\"", "unknown variant `everything`"),
            ("[[listener]]\ntls = true", "missing field `address`"),
            (
                "[[listener]]\naddress = \"[::]:1\"\n[[listener]]\naddress = \"[::]:1\"",
                "two listeners have the address",
            ),
        ] {
            assert!(wrong(text).contains(sentence), "{text}: {}", wrong(text));
        }
    }

    #[test]
    fn limits_have_defaults_and_bounds() {
        let usual = ClientLimits::default();
        assert_eq!(format!("{:?}", usual.web()), format!("{:?}", public_web::Limits::default()));
        assert_eq!((usual.hub().viewers, usual.viewers_per_address(20)), (hub::Limits::default().viewers, 10));
        let text = "[limits]\nconnections = 100\nhead_bytes = 8192\nhead_s = 3\nviewers_per_address = 7\nwrites_per_minute = 5";
        let limits = toml::from_str::<Read>(text).unwrap().limits;
        let web = limits.web();
        assert_eq!((web.connections, web.connections_per_address, web.head_bytes), (100, 50, 8192));
        assert_eq!((web.head, limits.viewers_per_address(20)), (Duration::from_secs(3), 7));
        assert_eq!((limits.rates().writes_per_minute, limits.rates().logins_per_minute), (5, 20));
        for text in ["connections = 0", "head_bytes = 100", "head_s = 0", "body_s = -1", "writes_per_minute = 0"] {
            assert!(wrong(&format!("[limits]\n{text}")).contains("is not allowed here: write"), "{text}");
        }
    }
}
