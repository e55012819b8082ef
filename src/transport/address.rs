//! Addresses of ports: paths of serial ports, or `tcp://host:port`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Where a board can be reached.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Address {
    /// A serial port or a pseudo-terminal, by its path.
    Serial(PathBuf),
    /// A serial server or a simulator, as `host:port`.
    Tcp(String),
}

impl Address {
    /// Whether it is a link over Bluetooth: Linux names these ports `rfcomm`.
    pub fn is_bluetooth(&self) -> bool {
        let Self::Serial(path) = self else { return false };
        let name = path.file_name().and_then(|name| name.to_str());
        let number = name.and_then(|name| name.strip_prefix("rfcomm"));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Serial(path) => write!(f, "{}", path.display()),
            Self::Tcp(host) => write!(f, "tcp://{host}"),
        }
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        if text.is_empty() {
            return Err(AddressError(text.to_owned()));
        }
        let Some(host) = text.strip_prefix("tcp://") else {
            return Ok(Self::Serial(PathBuf::from(text)));
        };
        match host.rsplit_once(':') {
            Some((name, port)) if !name.is_empty() && port.parse::<u16>().is_ok_and(|port| port > 0) => {
                Ok(Self::Tcp(host.to_owned()))
            }
            _ => Err(AddressError(text.to_owned())),
        }
    }
}

/// The text is not the address of a port.
#[derive(Debug, thiserror::Error)]
#[error("«{0}» is not a port: give a path like /dev/ttyUSB0 or an address like tcp://192.168.1.20:4001")]
pub struct AddressError(pub(super) String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_paths_or_tcp() {
        assert_eq!("/dev/ttyUSB0".parse::<Address>().unwrap(), Address::Serial("/dev/ttyUSB0".into()));
        assert_eq!("tcp://[::1]:4001".parse::<Address>().unwrap().to_string(), "tcp://[::1]:4001");
        assert!("/dev/rfcomm0".parse::<Address>().unwrap().is_bluetooth());
        for other in ["/dev/ttyUSB0", "/dev/rfcomm", "/dev/rfcommon1", "tcp://rfcomm0:1"] {
            assert!(!other.parse::<Address>().unwrap().is_bluetooth(), "{other}");
        }
        for wrong in ["", "tcp://", "tcp://host", "tcp://:1", "tcp://host:0", "tcp://host:99999"] {
            assert!(wrong.parse::<Address>().is_err(), "{wrong} was taken");
        }
    }
}
