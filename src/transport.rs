//! Lines to boards: serial ports and TCP, behind one type.
//!
//! Knows how bytes come and go and what can be wrong with a line, said so that a person can mend it. Must not know what
//! the bytes mean.

pub mod ask;
pub mod candidates;
pub mod capture_check;
pub mod capture_file;
pub mod capture_space;
pub mod discovery;
mod serial;

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serialport::SerialPort;
use tokio::net::TcpStream;
use tokio::sync::mpsc;

/// How long a TCP connection may take to come about.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// The most bytes that one chunk holds; a board sends at most 960 a second.
const CHUNK_BYTES: usize = 4096;

/// Where a board may be reached.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Address {
    /// A serial port or a pseudo-terminal, by its path.
    Serial(PathBuf),
    /// A serial server or a simulator, as `host:port`.
    Tcp(String),
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

/// A text that names no port.
#[derive(Debug, thiserror::Error)]
#[error("«{0}» names no port: give a path like /dev/ttyUSB0 or an address like tcp://192.168.1.20:4001")]
pub struct AddressError(String);

/// Why a line cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum PortError {
    /// No such device.
    #[error("{port} is not there: check the cable, or see `boardcast boards` for what is plugged in")]
    NotThere {
        /// The port asked for.
        port: Address,
    },
    /// Somebody else holds the port.
    #[error("{port} is in use by another program: close that program, or unplug the board from it")]
    InUse {
        /// The port asked for.
        port: Address,
    },
    /// The system does not allow it.
    #[error(
        "no permission to open {port}: add this user to the group dialout (`sudo usermod -aG dialout $USER`) and log in again"
    )]
    NotPermitted {
        /// The port asked for.
        port: Address,
    },
    /// The far end of a TCP line does not answer.
    #[error("{port} cannot be reached: check that the serial server is switched on and its address is right")]
    Unreachable {
        /// The address asked for.
        port: Address,
        /// What the network said.
        source: io::Error,
    },
    /// Something else.
    #[error("{port} cannot be opened as a serial port: check that it is one")]
    Other {
        /// The port asked for.
        port: Address,
        /// What the system said.
        source: io::Error,
    },
}

/// Bytes from a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// When they were read. Their owner may come to them later.
    pub at: Instant,
    /// As they came.
    pub bytes: Vec<u8>,
}

impl Chunk {
    fn now(bytes: &[u8]) -> Self {
        Self { at: Instant::now(), bytes: bytes.to_vec() }
    }
}

/// The line is gone: unplugged, closed by the far end, or it takes no more bytes. The text says what was seen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Gone(pub String);

/// An open line to one board or one bus. Closed when dropped.
#[derive(Debug)]
pub struct Port {
    address: Address,
    line: Line,
    /// Shared with the reader of the line: discovery sees by its weak twin when the line is given back and closed.
    lease: Arc<()>,
}

#[derive(Debug)]
enum Line {
    Serial { received: mpsc::Receiver<Result<Chunk, Gone>>, writer: Box<dyn SerialPort> },
    Tcp(TcpStream),
}

impl Port {
    /// Opens a line; nothing is sent.
    ///
    /// # Errors
    /// A [`PortError`] that names the port and the remedy.
    pub async fn open(address: &Address) -> Result<Self, PortError> {
        let lease = Arc::default();
        let line = match address {
            Address::Serial(path) => serial::open(path.clone(), Arc::clone(&lease)).await?,
            Address::Tcp(host) => {
                let unreachable = |source| PortError::Unreachable { port: address.clone(), source };
                let stream = tokio::time::timeout(CONNECT_TIMEOUT, TcpStream::connect(host))
                    .await
                    .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
                    .map_err(unreachable)?;
                stream.set_nodelay(true).map_err(unreachable)?;
                Line::Tcp(stream)
            }
        };
        Ok(Self { address: address.clone(), line, lease })
    }

    /// The port's name, for people and for discovery; never a board's identity.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The next bytes, as they came. Nothing is lost when the future is dropped.
    ///
    /// # Errors
    /// [`Gone`] when the line has ended; it does not come back, drop the port.
    pub async fn receive(&mut self) -> Result<Chunk, Gone> {
        match &mut self.line {
            Line::Serial { received, .. } => {
                received.recv().await.unwrap_or_else(|| Err(Gone("the reader of the port ended".into())))
            }
            Line::Tcp(stream) => loop {
                stream.readable().await.map_err(|error| Gone(error.to_string()))?;
                let mut buffer = vec![0; CHUNK_BYTES];
                match stream.try_read(&mut buffer) {
                    Ok(0) => return Err(Gone("the far end closed the connection".into())),
                    Ok(length) => return Ok(Chunk::now(&buffer[..length])),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(error) => return Err(Gone(error.to_string())),
                }
            },
        }
    }

    /// Sends bytes without ever waiting: a line that does not take a few bytes at once is broken.
    ///
    /// # Errors
    /// [`Gone`] when the line is closed or full.
    pub fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        match &mut self.line {
            Line::Serial { writer, .. } => serial::write(writer.as_mut(), bytes),
            Line::Tcp(stream) => match stream.try_write(bytes) {
                Ok(length) if length == bytes.len() => Ok(()),
                Ok(_) => Err(Gone("the connection takes no more bytes".into())),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    Err(Gone("the connection takes no more bytes".into()))
                }
                Err(error) => Err(Gone(error.to_string())),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[test]
    fn addresses_are_paths_or_tcp() {
        assert_eq!("/dev/ttyUSB0".parse::<Address>().unwrap(), Address::Serial("/dev/ttyUSB0".into()));
        assert_eq!("tcp://[::1]:4001".parse::<Address>().unwrap().to_string(), "tcp://[::1]:4001");
        for wrong in ["", "tcp://", "tcp://host", "tcp://:1", "tcp://host:0", "tcp://host:99999"] {
            assert!(wrong.parse::<Address>().is_err(), "{wrong} was taken");
        }
    }

    #[tokio::test]
    async fn a_tcp_line_carries_bytes_both_ways_and_tells_its_end() {
        let server = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = Address::Tcp(server.local_addr().unwrap().to_string());
        let mut port = Port::open(&address).await.unwrap();
        let (mut board, _) = server.accept().await.unwrap();
        port.send(&[0x4d]).unwrap();
        assert_eq!(board.read_u8().await.unwrap(), 0x4d);
        board.write_all(&[0x93, 0, 5, 1, 8]).await.unwrap();
        let mut got = Vec::new();
        while got.len() < 5 {
            got.extend(port.receive().await.unwrap().bytes);
        }
        assert_eq!(got, [0x93, 0, 5, 1, 8]);
        drop(board);
        assert!(port.receive().await.is_err());
    }

    #[tokio::test]
    async fn nobody_behind_a_tcp_address_is_said_with_the_remedy() {
        let server = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = Address::Tcp(server.local_addr().unwrap().to_string());
        drop(server);
        let error = Port::open(&address).await.unwrap_err();
        assert!(error.to_string().contains("cannot be reached: check that"), "{error}");
    }
}
