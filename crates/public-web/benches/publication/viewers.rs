//! Viewers of the live feed, thousands in one thread.

use std::io::{ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

/// A pong without payload; a client's frames are masked.
const PONG: [u8; 6] = [0x8a, 0x80, 0, 0, 0, 0];

/// Bytes of a payload that tell its kind.
const KIND_BYTES: usize = 11;

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
    /// The head of a frame, and what of its payload tells its kind, while that is incomplete.
    begun: Vec<u8>,
    /// The frame whose payload is arriving.
    incomplete: Option<Incomplete>,
    /// Messages, snapshots and heartbeats left out.
    texts: u64,
    has_snapshot: bool,
}

/// A frame of which bytes are to come.
struct Incomplete {
    rest: usize,
    counts: Counts,
}

/// How a frame counts at its end.
#[derive(Clone, Copy)]
enum Counts {
    AsText,
    AsSnapshot,
    AsPing,
    Not,
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
        let socket = TcpStream::from_std(socket);
        let mut viewer = Viewer { socket, begun: Vec::new(), incomplete: None, texts: 0, has_snapshot: false };
        viewer.take(&begun, &mut self.last_length);
        let token = Token(self.all.len());
        self.poll.registry().register(&mut viewer.socket, token, Interest::READABLE).expect("registered");
        self.all.push(viewer);
    }

    /// Viewers that joined.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
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
            let begun = std::mem::take(&mut self.begun);
            if begun.is_empty() {
                self.take(&buffer[..count], last_length);
            } else {
                self.take(&[&begun, &buffer[..count]].concat(), last_length);
            }
            // The system reports the next bytes when a read took all there were.
            if count < buffer.len() {
                return true;
            }
        }
    }

    /// Counts messages that end and answers pings. Payloads are not kept: a snapshot for each of thousands would fill the memory.
    fn take(&mut self, mut bytes: &[u8], last_length: &mut usize) {
        loop {
            if let Some(Incomplete { rest, counts }) = &mut self.incomplete {
                let taken = bytes.len().min(*rest);
                bytes = &bytes[taken..];
                *rest -= taken;
                if *rest > 0 {
                    return;
                }
                match counts {
                    Counts::AsText => self.texts += 1,
                    Counts::AsSnapshot => self.has_snapshot = true,
                    Counts::AsPing => {
                        let _ = self.socket.write(&PONG);
                    }
                    Counts::Not => {}
                }
                self.incomplete = None;
            }
            let Some((head, length)) = head_of(bytes) else { break };
            let payload = &bytes[head..];
            if payload.len() < length.min(KIND_BYTES) {
                break;
            }
            let counts = match bytes[0] & 0x0f {
                1 if payload.starts_with(b"{\"snapshot") => Counts::AsSnapshot,
                // Heartbeats come at times of their own.
                1 if payload.starts_with(b"{\"heartbeat") => Counts::Not,
                1 => {
                    *last_length = length;
                    Counts::AsText
                }
                9 => Counts::AsPing,
                _ => Counts::Not,
            };
            self.incomplete = Some(Incomplete { rest: length, counts });
            bytes = payload;
        }
        self.begun.extend_from_slice(bytes);
    }
}

/// Length of a frame's head and of its payload, when the head is complete.
fn head_of(bytes: &[u8]) -> Option<(usize, usize)> {
    let [_, second, rest @ ..] = bytes else { return None };
    match (second & 0x7f, rest) {
        (126, [high, low, ..]) => Some((4, usize::from(u16::from_be_bytes([*high, *low])))),
        (127, [0, 0, 0, 0, a, b, c, d, ..]) => Some((10, u32::from_be_bytes([*a, *b, *c, *d]) as usize)),
        (126 | 127, _) => None,
        (length, _) => Some((2, usize::from(length))),
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
