//! PGN files answered straight from the socket: one read and one write a request, no allocation of the framework's.
//!
//! Must not know what is in a file.

use std::io;
use std::pin::Pin;

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::AsyncReadExt;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

use super::Limits;
use super::head::{self, FileRequest, Head};
use super::write;
use crate::pgn;
use crate::polled::{Payload, http_date};
use crate::web::Web;

/// Answers to requests that were sent together are written together up to this size in bytes.
const WRITTEN_TOGETHER: usize = 16 * 1024;

/// Bytes that are read at once; a request of a poller has about 300.
const READ: usize = 2 * 1024;

/// How serving files ended.
#[derive(Debug)]
pub(super) enum Ended {
    /// The connection is over.
    Closed,
    /// The bytes that were read are for the framework.
    Other(Bytes),
}

/// The answers of one connection as long as it asks for files.
pub(super) struct FileServer<'a> {
    pub(super) web: &'a Web,
    pub(super) limits: Limits,
    /// After this the connection ends with its next answer.
    pub(super) retire_at: Instant,
    out: Vec<u8>,
    /// The second of the last answer as HTTP writes it.
    date: (u64, String),
}

impl<'a> FileServer<'a> {
    pub(super) fn new(web: &'a Web, limits: Limits, began: Instant) -> Self {
        Self { web, limits, retire_at: began + limits.connection, out: Vec::new(), date: (0, String::new()) }
    }

    /// Serves until the connection ends, is too old, or asks for something else.
    pub(super) async fn serve(&mut self, socket: &mut TcpStream, stopping: impl Future<Output = ()>) -> Ended {
        let mut stopping = std::pin::pin!(stopping);
        let mut idle = Box::pin(tokio::time::sleep(self.limits.head));
        let mut read = BytesMut::with_capacity(READ);
        let mut heard = Instant::now();
        loop {
            if read.len() >= self.limits.head_bytes {
                return Ended::Other(read.freeze());
            }
            let begins = read.is_empty();
            let count = tokio::select! {
                biased;
                count = socket.read_buf(&mut read) => count,
                () = stopping.as_mut() => return Ended::Closed,
                () = quiet(&mut idle, heard, self.limits) => return Ended::Closed,
            };
            if !matches!(count, Ok(1..)) {
                return Ended::Closed;
            }
            match self.answer_all(socket, &mut read).await {
                Ok(Next::More) => {}
                Ok(Next::Other) => return Ended::Other(read.freeze()),
                Ok(Next::Close) | Err(_) => {
                    let _ = socket.shutdown().await;
                    return Ended::Closed;
                }
            }
            // The pause before a request counts from its predecessor, the time for a head from its first byte.
            if begins || read.is_empty() {
                heard = Instant::now();
            }
            read.reserve(READ.saturating_sub(read.capacity()));
        }
    }

    /// Answers the requests that arrived completely.
    async fn answer_all(&mut self, socket: &mut TcpStream, read: &mut BytesMut) -> io::Result<Next> {
        loop {
            let (next, length, body) = match head::read(read) {
                _ if read.is_empty() => (Next::More, 0, None),
                Head::Incomplete => (Next::More, 0, None),
                Head::Other => (Next::Other, 0, None),
                Head::File(request) => match self.answer(&request).await {
                    Some((close, body)) => (if close { Next::Close } else { Next::More }, request.length, Some(body)),
                    None => (Next::Other, 0, None),
                },
            };
            read.advance(length);
            let large = body.as_ref().filter(|body| body.length() > WRITTEN_TOGETHER);
            if let Some(body) = body.as_ref().filter(|_| large.is_none()) {
                self.out.extend_from_slice(&body.bytes());
            }
            let done = length == 0 || next != Next::More;
            if done || large.is_some() || self.out.len() > WRITTEN_TOGETHER {
                write::all(socket, &self.out, large, self.retire_at + self.limits.head).await?;
                self.out.clear();
            }
            if done {
                return Ok(next);
            }
        }
    }

    /// Writes the head of the answer; gives whether the connection ends with it, and the body. None when there is no such file.
    async fn answer(&mut self, request: &FileRequest<'_>) -> Option<(bool, Payload)> {
        let reply = pgn::at(self.web, request.path, &request.conditions).await?;
        if self.date.0 != reply.now_s() {
            self.date = (reply.now_s(), http_date(reply.now_s()).to_string());
        }
        let close = request.close || Instant::now() >= self.retire_at;
        let body = reply.write(request.head_only, close, &self.date.1, &mut self.out);
        Some((close, body))
    }
}

/// What follows the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    More,
    Other,
    Close,
}

/// Waits until nothing was heard for as long as a head may take. Set anew only when it is over: a timer for each request would
/// cost as much as its answer.
async fn quiet(idle: &mut Pin<Box<Sleep>>, heard: Instant, limits: Limits) {
    loop {
        idle.as_mut().await;
        let until = heard + limits.head;
        if until <= Instant::now() {
            return;
        }
        idle.as_mut().reset(until);
    }
}
