//! Viewers of the live feed, thousands in one thread.

use std::io::{ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

/// A pong without payload; a client's frames are masked.
const PONG: [u8; 6] = [0x8a, 0x80, 0, 0, 0, 0];

/// Viewers, and what they got.
pub(crate) struct Viewers {
    poll: Poll,
    events: Events,
    buffer: Vec<u8>,
    all: Vec<Viewer>,
    /// Connections that ended.
    pub(crate) lost: usize,
    /// Payload of the last text in bytes.
    pub(crate) last_length: usize,
}

pub(crate) struct Viewer {
    socket: TcpStream,
    /// The beginning of a frame.
    begun: Vec<u8>,
    /// Messages, snapshots and heartbeats left out.
    texts: u64,
    has_snapshot: bool,
}

impl Viewers {
    pub(crate) fn new() -> Self {
        Self {
            poll: Poll::new().expect("a poll"),
            events: Events::with_capacity(1024),
            buffer: vec![0; 128 * 1024],
            all: Vec::new(),
            lost: 0,
            last_length: 0,
        }
    }

    /// Another viewer.
    pub(crate) fn join(&mut self, address: &str, path: &str) {
        let (socket, begun) = upgraded(address, path);
        socket.set_nonblocking(true).expect("a socket");
        let mut viewer = Viewer { socket: TcpStream::from_std(socket), begun, texts: 0, has_snapshot: false };
        let token = Token(self.all.len());
        self.poll.registry().register(&mut viewer.socket, token, Interest::READABLE).expect("registered");
        self.all.push(viewer);
    }

    /// Reads until nothing came for a while; what came does not count.
    pub(crate) fn settle(&mut self, quiet: Duration) {
        while self.read(quiet, |_| {}) > 0 {}
        for viewer in &mut self.all {
            viewer.texts = 0;
        }
    }

    /// Waits until all have their first snapshot.
    pub(crate) fn wait_for_snapshots(&mut self) {
        while self.all.iter().any(|viewer| !viewer.has_snapshot) {
            self.read(Duration::from_millis(50), |_| {});
        }
    }

    /// Texts of all viewers since they settled.
    pub(crate) fn texts(&self) -> u64 {
        self.all.iter().map(|viewer| viewer.texts).sum()
    }

    /// Waits until every viewer has so many texts; gives the instants of the first and the last. None after five seconds.
    pub(crate) fn wait_for(&mut self, texts: u64) -> Option<(Instant, Instant)> {
        let (mut first, mut last, mut done) = (None, Instant::now(), 0);
        let (wanted, began) = (self.all.len() - self.lost, Instant::now());
        while done < wanted {
            if began.elapsed() > Duration::from_secs(5) {
                return None;
            }
            self.read(Duration::from_millis(50), |viewer| {
                if viewer.texts == texts {
                    done += 1;
                    last = Instant::now();
                    first.get_or_insert(last);
                }
            });
        }
        Some((first?, last))
    }

    /// Reads what is there, or waits for it; `heard` is called for each viewer that got texts. Gives the number of sockets read.
    pub(crate) fn read(&mut self, wait: Duration, mut heard: impl FnMut(&Viewer)) -> usize {
        let _ = self.poll.poll(&mut self.events, Some(wait));
        let mut count = 0;
        for event in &self.events {
            let Some(viewer) = self.all.get_mut(event.token().0) else { continue };
            count += 1;
            let before = viewer.texts;
            if !viewer.read(&mut self.buffer, &mut self.last_length) {
                let _ = self.poll.registry().deregister(&mut viewer.socket);
                self.lost += 1;
            }
            if viewer.texts > before {
                heard(viewer);
            }
        }
        count
    }
}

impl Viewer {
    fn read(&mut self, buffer: &mut [u8], last_length: &mut usize) -> bool {
        loop {
            let count = match self.socket.read(buffer) {
                Ok(0) => return false,
                Ok(count) => count,
                Err(error) => return error.kind() == ErrorKind::WouldBlock,
            };
            let mut begun = std::mem::take(&mut self.begun);
            if begun.is_empty() {
                let used = self.frames(&buffer[..count], last_length);
                self.begun.extend_from_slice(&buffer[used..count]);
            } else {
                begun.extend_from_slice(&buffer[..count]);
                let used = self.frames(&begun, last_length);
                begun.drain(..used);
                self.begun = begun;
            }
            // The system reports the next bytes when a read took all there were.
            if count < buffer.len() {
                return true;
            }
        }
    }

    /// Counts whole frames and answers pings; gives the bytes of these frames.
    fn frames(&mut self, bytes: &[u8], last_length: &mut usize) -> usize {
        let mut used = 0;
        while let Some([first, second, ..]) = bytes.get(used..) {
            let rest = &bytes[used + 2..];
            let (head, length) = match (second & 0x7f, rest) {
                (126, [high, low, ..]) => (4, usize::from(u16::from_be_bytes([*high, *low]))),
                (127, [0, 0, 0, 0, a, b, c, d, ..]) => (10, u32::from_be_bytes([*a, *b, *c, *d]) as usize),
                (126 | 127, _) => break,
                (length, _) => (2, usize::from(length)),
            };
            if bytes.len() < used + head + length {
                break;
            }
            match first & 0x0f {
                1 if bytes[used + head..].starts_with(b"{\"snapshot") => self.has_snapshot = true,
                // Heartbeats come at times of their own.
                1 if !bytes[used + head..].starts_with(b"{\"heartbeat") => {
                    self.texts += 1;
                    *last_length = length;
                }
                9 => {
                    let _ = self.socket.write(&PONG);
                }
                _ => {}
            }
            used += head + length;
        }
        used
    }
}

/// A connection after its handshake, and the bytes that came behind it.
pub(crate) fn upgraded(address: &str, path: &str) -> (std::net::TcpStream, Vec<u8>) {
    let address: SocketAddr = address.parse().expect("an address");
    let mut socket = std::net::TcpStream::connect(address).expect("a connection");
    socket.set_nodelay(true).expect("a socket");
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: hall\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    socket.write_all(request.as_bytes()).expect("a request");
    let (mut answer, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let count = socket.read(&mut buffer).expect("an answer");
        assert!(count > 0, "the connection ended: {}", String::from_utf8_lossy(&answer));
        answer.extend_from_slice(&buffer[..count]);
        if let Some(end) = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            assert!(answer.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&answer));
            return (socket, answer.split_off(end + 4));
        }
    }
}
