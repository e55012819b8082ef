//! Serial ports and pseudo-terminals; writes never wait.
//!
//! All ports are read with the poll of the runtime where the system can poll them, each with a thread of its own elsewhere.
//!
//! Settings of all boards: 9600 baud, 8N1, no handshake, DTR and RTS cleared (docs/protocol.md).

#[cfg(unix)]
mod polled;
#[cfg(not(unix))]
mod threaded;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serialport::{ErrorKind, SerialPort};
use tokio::sync::mpsc;

use super::address::Address;
use super::line::{Chunk, Gone, PortError};
#[cfg(unix)]
use polled as reader;
#[cfg(not(unix))]
use threaded as reader;

/// Chunks that are queued for the owner; the buffer of the kernel holds more.
const CHUNKS_WAITING: usize = 64;

/// An open serial port.
#[derive(Debug)]
pub(super) struct SerialLine {
    received: mpsc::Receiver<Result<Chunk, Gone>>,
    writer: Box<dyn SerialPort>,
}

impl SerialLine {
    /// Opens a port exclusively and starts its reader, which holds the lease until the port is closed.
    pub(super) async fn open(path: PathBuf, lease: Arc<()>) -> Result<Self, PortError> {
        let address = Address::Serial(path.clone());
        // Opening may wait for the driver.
        let opened = tokio::task::spawn_blocking(move || open(&path)).await;
        let opened = opened.unwrap_or_else(|panic| Err(serialport::Error::new(ErrorKind::Unknown, panic.to_string())));
        let (port, writer) = opened.map_err(|error| explain(error, address.clone()))?;
        let (sender, received) = mpsc::channel(CHUNKS_WAITING);
        reader::start(port, sender, lease).map_err(|source| PortError::Other { port: address, source })?;
        Ok(Self { received, writer })
    }

    /// The next bytes.
    pub(super) async fn receive(&mut self) -> Result<Chunk, Gone> {
        self.received.recv().await.unwrap_or_else(|| Err(Gone("the reader of the port ended".into())))
    }

    /// Writes byte by byte: after the port has reported room, one byte never waits.
    pub(super) fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        for byte in bytes {
            match self.writer.write(std::slice::from_ref(byte)) {
                Ok(1) => {}
                Ok(_) => return Err(Gone("the port accepts no more bytes".into())),
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                    return Err(Gone("the port accepts no more bytes".into()));
                }
                Err(error) => return Err(Gone(format!("unplugged ({error})"))),
            }
        }
        Ok(())
    }
}

/// A port to read from, and the same to write to.
fn open(path: &Path) -> Result<(reader::Port, Box<dyn SerialPort>), serialport::Error> {
    let mut port = reader::open(serialport::new(path.to_string_lossy(), 9600))?;
    // Bus lines fail while DTR or RTS is set. Pseudo-terminals have neither and refuse, which does not matter.
    if let Err(error) = port.write_data_terminal_ready(false).and_then(|()| port.write_request_to_send(false)) {
        tracing::trace!(port = %path.display(), %error, "no control lines");
    }
    let mut writer = port.try_clone()?;
    writer.set_timeout(Duration::ZERO)?;
    Ok((port, writer))
}

fn explain(error: serialport::Error, port: Address) -> PortError {
    match error.kind {
        // `serialport` reports a lock of another program as «no device».
        ErrorKind::NoDevice => PortError::InUse { port },
        ErrorKind::Io(io::ErrorKind::NotFound) => PortError::NotThere { port },
        ErrorKind::Io(io::ErrorKind::PermissionDenied) => PortError::NotPermitted { port },
        ErrorKind::Io(kind) => PortError::Other { port, source: io::Error::new(kind, error.description) },
        ErrorKind::InvalidInput | ErrorKind::Unknown => {
            PortError::Other { port, source: io::Error::other(error.description) }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::{Read, Write};

    use serialport::TTYPort;

    use super::*;

    /// A board's end and the path of the computer's end.
    fn pair() -> (TTYPort, Address) {
        let (board, computer) = TTYPort::pair().unwrap();
        let path = computer.name().unwrap();
        (board, Address::Serial(path.into()))
    }

    async fn open(address: &Address) -> Result<SerialLine, PortError> {
        let Address::Serial(path) = address else { panic!("{address} is not serial") };
        SerialLine::open(path.clone(), Arc::default()).await
    }

    #[tokio::test]
    async fn a_pseudo_terminal_carries_bytes_both_ways() {
        let (mut board, address) = pair();
        board.set_timeout(Duration::from_secs(10)).unwrap();
        let mut port = open(&address).await.unwrap();
        port.send(&[0x87, 0, 0, 7]).unwrap();
        let mut asked = [0; 4];
        board.read_exact(&mut asked).unwrap();
        assert_eq!(asked, [0x87, 0, 0, 7]);
        board.write_all(&[0x8d, 0x0a, 0x0d, 0x11, 0x13]).unwrap();
        let mut got = Vec::new();
        while got.len() < 5 {
            got.extend(port.receive().await.unwrap().bytes);
        }
        assert_eq!(got, [0x8d, 0x0a, 0x0d, 0x11, 0x13], "a line must not translate");
    }

    #[tokio::test]
    async fn a_pulled_cable_ends_the_line() {
        let (board, address) = pair();
        let mut port = open(&address).await.unwrap();
        drop(board);
        let gone = port.receive().await.unwrap_err();
        assert!(gone.0.starts_with("unplugged"), "{gone}");
        assert!(port.send(&[0x45]).is_err());
    }

    #[tokio::test]
    async fn a_board_that_reads_nothing_never_holds_us() {
        let (_board, address) = pair();
        let mut port = open(&address).await.unwrap();
        let refused = (0..100_000).find_map(|_| port.send(&[0x45; 4]).err());
        assert_eq!(refused, Some(Gone("the port accepts no more bytes".into())));
    }

    #[tokio::test]
    async fn a_port_in_use_and_a_missing_port_are_told_apart() {
        let (_board, address) = pair();
        let _first = open(&address).await.unwrap();
        let error = open(&address).await.unwrap_err();
        assert!(matches!(error, PortError::InUse { .. }), "{error:?}");
        let error = open(&Address::Serial("/dev/ttyNOTHERE".into())).await.unwrap_err();
        assert!(matches!(error, PortError::NotThere { .. }), "{error:?}");
        let error = open(&Address::Serial("/dev/null".into())).await.unwrap_err();
        assert!(matches!(error, PortError::Other { .. }), "{error:?}");
    }
}
