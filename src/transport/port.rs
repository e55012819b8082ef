//! An open line to one board or one bus, serial or TCP.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;

use super::address::Address;
use super::bus::BusPort;
use super::line::{CHUNK_BYTES, Chunk, Gone, PortError};
use super::positions_line::PositionsPort;
use super::serial::SerialLine;

/// Maximum time for a TCP connection to be established.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// An open line to one board or one bus. Closed when dropped.
#[derive(Debug)]
pub struct Port {
    address: Address,
    line: Line,
    /// Shared with the reader of the line; discovery holds a weak reference and so sees when the line is closed.
    pub(super) lease: Arc<()>,
}

#[derive(Debug)]
enum Line {
    Serial(SerialLine),
    Tcp(TcpStream),
    /// One board of a bus.
    Bus(BusPort),
    /// A board whose positions a program sends.
    Positions(PositionsPort),
}

impl Port {
    /// Opens a line without sending anything.
    ///
    /// # Errors
    /// A [`PortError`] that names the port and the remedy.
    pub async fn open(address: &Address) -> Result<Self, PortError> {
        let lease = Arc::default();
        let line = match address {
            Address::Serial(path) => Line::Serial(SerialLine::open(path.clone(), Arc::clone(&lease)).await?),
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

    /// The port of one board of the bus on this line.
    pub(super) fn on_bus(line: Address, board: BusPort) -> Self {
        Self { address: line, line: Line::Bus(board), lease: Arc::default() }
    }

    /// The port of a board whose positions a program sends.
    pub(super) fn of_positions(name: &str, board: PositionsPort) -> Self {
        Self { address: Address::Serial(name.into()), line: Line::Positions(board), lease: Arc::default() }
    }

    /// The board's address, if it shares the line with others.
    pub fn bus_address(&self) -> Option<u16> {
        match &self.line {
            Line::Bus(board) => Some(board.number()),
            Line::Serial(_) | Line::Tcp(_) | Line::Positions(_) => None,
        }
    }

    /// The address of the port. It does not identify the board.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The next bytes. Dropping the future loses none.
    ///
    /// # Errors
    /// [`Gone`] when the line has ended for good: drop the port.
    pub async fn receive(&mut self) -> Result<Chunk, Gone> {
        match &mut self.line {
            Line::Serial(line) => line.receive().await,
            Line::Bus(board) => board.receive().await,
            Line::Positions(board) => board.receive().await,
            Line::Tcp(stream) => loop {
                stream.readable().await.map_err(|error| Gone(error.to_string()))?;
                let mut buffer = vec![0; CHUNK_BYTES];
                match stream.try_read(&mut buffer) {
                    Ok(0) => return Err(Gone("the other end closed the connection".into())),
                    Ok(length) => return Ok(Chunk::now(&buffer[..length])),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(error) => return Err(Gone(error.to_string())),
                }
            },
        }
    }

    /// Sends bytes without waiting: a line that does not accept a few bytes at once is broken.
    ///
    /// # Errors
    /// [`Gone`] when the line is closed or full.
    pub fn send(&mut self, bytes: &[u8]) -> Result<(), Gone> {
        match &mut self.line {
            Line::Serial(line) => line.send(bytes),
            Line::Bus(board) => board.send(bytes),
            Line::Positions(board) => board.send(bytes),
            Line::Tcp(stream) => match stream.try_write(bytes) {
                Ok(length) if length == bytes.len() => Ok(()),
                Ok(_) => Err(Gone("the connection accepts no more bytes".into())),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    Err(Gone("the connection accepts no more bytes".into()))
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
