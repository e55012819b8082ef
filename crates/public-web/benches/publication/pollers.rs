//! Clients that ask for a file again and again, each as soon as it has its answer, on connections that are kept.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

/// What pollers ask for.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) path: String,
    pub(crate) gzip: bool,
    /// Asks only for what is newer than the last answer.
    pub(crate) conditional: bool,
}

/// What they got.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// Number of answers by their status.
    pub(crate) statuses: BTreeMap<u16, u64>,
    /// Longest body in bytes.
    pub(crate) longest: usize,
    pub(crate) elapsed: Duration,
    /// Clients that lost their connection.
    pub(crate) lost: usize,
}

impl Answers {
    pub(crate) fn count(&self) -> u64 {
        self.statuses.values().sum()
    }

    pub(crate) fn per_second(&self) -> f64 {
        self.count() as f64 / self.elapsed.as_secs_f64()
    }
}

struct Poller {
    socket: TcpStream,
    request: Vec<u8>,
    etag: String,
    /// Bytes of an answer's head that is not complete.
    head: Vec<u8>,
    /// Bytes of the body to come; none while a head is awaited.
    body: Option<usize>,
}

/// Has so many pollers ask for a time; `began` is called when all are connected and have had a first answer.
pub(crate) fn ask(address: &str, question: &Question, pollers: usize, time: Duration, began: impl FnOnce()) -> Answers {
    let address: SocketAddr = address.parse().expect("an address");
    let mut poll = Poll::new().expect("a poll");
    let mut all: Vec<_> = (0..pollers)
        .map(|index| {
            let socket = std::net::TcpStream::connect(address).expect("a connection");
            socket.set_nodelay(true).expect("a socket");
            socket.set_nonblocking(true).expect("a socket");
            let mut socket = TcpStream::from_std(socket);
            poll.registry().register(&mut socket, Token(index), Interest::READABLE).expect("registered");
            let mut poller = Poller { socket, request: Vec::new(), etag: String::new(), head: Vec::new(), body: None };
            poller.write_request(question);
            poller.ask();
            poller
        })
        .collect();
    let (mut events, mut buffer) = (Events::with_capacity(1024), vec![0; 256 * 1024]);
    let (mut answers, mut began) = (Answers::default(), Some(began));
    let mut start = Instant::now();
    loop {
        let _ = poll.poll(&mut events, Some(Duration::from_millis(100)));
        for event in &events {
            let Some(poller) = all.get_mut(event.token().0) else { continue };
            if !poller.hear(question, &mut buffer, &mut answers) {
                answers.lost += 1;
            }
        }
        if began.is_some() && answers.count() >= 4 * pollers as u64 {
            answers = Answers::default();
            if let Some(began) = began.take() {
                began();
            }
            start = Instant::now();
        }
        answers.elapsed = start.elapsed();
        if answers.elapsed >= time && began.is_none() || answers.elapsed > time * 4 {
            return answers;
        }
    }
}

impl Poller {
    fn write_request(&mut self, question: &Question) {
        let mut request = format!("GET {} HTTP/1.1\r\nHost: hall\r\nUser-Agent: bench\r\n", question.path);
        if question.gzip {
            request.push_str("Accept-Encoding: gzip\r\n");
        }
        if question.conditional && !self.etag.is_empty() {
            request.push_str("If-None-Match: ");
            request.push_str(&self.etag);
            request.push_str("\r\n");
        }
        request.push_str("\r\n");
        self.request = request.into_bytes();
    }

    fn ask(&mut self) {
        let _ = self.socket.write(&self.request);
    }

    /// Reads what came, and asks again after the end of an answer; false when the connection is lost.
    fn hear(&mut self, question: &Question, buffer: &mut [u8], answers: &mut Answers) -> bool {
        loop {
            let count = match self.socket.read(buffer) {
                Ok(0) => return false,
                Ok(count) => count,
                Err(error) => return error.kind() == ErrorKind::WouldBlock,
            };
            let mut arrived = count;
            if self.body.is_none() {
                self.head.extend_from_slice(&buffer[..count]);
                let Some(end) = self.head.windows(4).position(|bytes| bytes == b"\r\n\r\n") else { continue };
                arrived = self.head.len() - end - 4;
                let head = std::mem::take(&mut self.head);
                let (status, length, etag) = read_head(&head[..end]);
                *answers.statuses.entry(status).or_default() += 1;
                answers.longest = answers.longest.max(length);
                if question.conditional && etag.is_some_and(|etag| etag != self.etag.as_bytes()) {
                    self.etag = String::from_utf8_lossy(etag.unwrap_or_default()).into_owned();
                    self.write_request(question);
                }
                self.head = head;
                self.head.clear();
                self.body = Some(length);
            }
            let rest = self.body.unwrap_or(0).saturating_sub(arrived);
            self.body = Some(rest);
            if rest == 0 {
                self.body = None;
                self.ask();
            }
            // The system reports the next bytes when a read took all there were.
            if count < buffer.len() {
                return true;
            }
        }
    }
}

/// Status, length of the body, and entity tag.
fn read_head(head: &[u8]) -> (u16, usize, Option<&[u8]>) {
    let status = head.get(9..12).and_then(|status| str::from_utf8(status).ok()?.parse().ok()).unwrap_or(0);
    let (mut length, mut etag) = (0, None);
    for line in head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii) {
        if line.len() > 15 && line[..15].eq_ignore_ascii_case(b"content-length:") {
            length = str::from_utf8(line[15..].trim_ascii()).ok().and_then(|number| number.parse().ok()).unwrap_or(0);
        } else if line.len() > 5 && line[..5].eq_ignore_ascii_case(b"etag:") {
            etag = Some(line[5..].trim_ascii());
        }
    }
    (status, if status == 304 { 0 } else { length }, etag)
}
