//! The least that does the job: one thread, bytes that are there, one read and one write.
//!
//! Nothing is checked, nothing changes: a server cannot be faster on this machine, and none that is correct is as fast.

use std::collections::HashMap;
use std::io::{ErrorKind, Read, Write};

use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token};
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

const LISTENER: Token = Token(usize::MAX);
const ORDERS: Token = Token(usize::MAX - 1);

/// A request, and what of its answer is not written.
struct Client {
    socket: TcpStream,
    answer: usize,
    written: usize,
}

fn listening(poll: &Poll) -> TcpListener {
    let mut listener = TcpListener::bind("127.0.0.1:0".parse().expect("an address")).expect("a listener");
    poll.registry().register(&mut listener, LISTENER, Interest::READABLE).expect("registered");
    println!("{}", listener.local_addr().expect("its address"));
    listener
}

/// Answers every request with one of three ready answers: 304, the gzip file or the plain one.
pub(crate) fn files(plain: &str, gzip: &str) {
    let head = |status: &str, more: &str| {
        format!(
            "HTTP/1.1 {status}\r\ncache-control: no-cache\r\netag: \"floor\"\r\ndate: Thu, 01 Jan 2026 00:00:00 GMT\r\n\
             {more}\r\n"
        )
    };
    let whole = |file: &str, encoding: &str| {
        let bytes = std::fs::read(file).expect("a file");
        let more = format!("content-type: application/x-chess-pgn\r\ncontent-length: {}\r\n{encoding}", bytes.len());
        [head("200 OK", &more).into_bytes(), bytes].concat()
    };
    let answers =
        [whole(plain, ""), whole(gzip, "content-encoding: gzip\r\n"), head("304 Not Modified", "").into_bytes()];
    let mut poll = Poll::new().expect("a poll");
    let listener = listening(&poll);
    let mut clients: Vec<Option<Client>> = Vec::new();
    let (mut events, mut buffer) = (Events::with_capacity(1024), vec![0; 64 * 1024]);
    loop {
        poll.poll(&mut events, None).expect("events");
        for event in &events {
            if event.token() == LISTENER {
                while let Ok((mut socket, _)) = listener.accept() {
                    let _ = socket.set_nodelay(true);
                    let both = Interest::READABLE | Interest::WRITABLE;
                    poll.registry().register(&mut socket, Token(clients.len()), both).expect("registered");
                    clients.push(Some(Client { socket, answer: 0, written: usize::MAX }));
                }
                continue;
            }
            let Some(slot) = clients.get_mut(event.token().0) else { continue };
            let Some(client) = slot else { continue };
            if !client.go_on(event.is_readable(), &answers, &mut buffer) {
                *slot = None;
            }
        }
    }
}

impl Client {
    /// Reads a request and writes its answer, as far as possible; false at the end.
    fn go_on(&mut self, readable: bool, answers: &[Vec<u8>; 3], buffer: &mut [u8]) -> bool {
        if readable && self.written == usize::MAX {
            match self.socket.read(buffer) {
                Ok(0) => return false,
                Ok(count) => {
                    let names = |word: &[u8]| buffer[..count].windows(word.len()).any(|found| found == word);
                    self.answer = if names(b"If-None-Match") { 2 } else { usize::from(names(b"gzip")) };
                    self.written = 0;
                }
                Err(error) => return error.kind() == ErrorKind::WouldBlock,
            }
        }
        while let Some(rest) = answers[self.answer].get(self.written..) {
            match self.socket.write(rest) {
                Ok(count) if count == rest.len() => self.written = usize::MAX,
                Ok(count) => self.written += count,
                Err(error) => return error.kind() == ErrorKind::WouldBlock,
            }
        }
        true
    }
}

/// Accepts `WebSocket`s without reading more than their keys, and writes a text frame with so many bytes to each at every line on
/// its standard input.
pub(crate) fn frames(size: usize) {
    let mut frame = vec![0x81];
    match size {
        0..126 => frame.push(size as u8),
        _ => frame.extend([&[126][..], &(size as u16).to_be_bytes()].concat()),
    }
    frame.resize(frame.len() + size, b'x');
    let mut poll = Poll::new().expect("a poll");
    let mut orders = mio::unix::pipe::Receiver::from(
        std::os::fd::AsFd::as_fd(&std::io::stdin()).try_clone_to_owned().expect("standard input"),
    );
    orders.set_nonblocking(true).expect("a pipe");
    poll.registry().register(&mut orders, ORDERS, Interest::READABLE).expect("registered");
    let listener = listening(&poll);
    let (mut joining, mut viewers) = (HashMap::new(), Vec::new());
    let (mut events, mut buffer, mut next) = (Events::with_capacity(1024), vec![0; 4096], 0);
    loop {
        poll.poll(&mut events, None).expect("events");
        for event in &events {
            match event.token() {
                LISTENER => {
                    while let Ok((mut socket, _)) = listener.accept() {
                        let _ = socket.set_nodelay(true);
                        poll.registry().register(&mut socket, Token(next), Interest::READABLE).expect("registered");
                        joining.insert(next, socket);
                        next += 1;
                    }
                }
                ORDERS => match orders.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(_) => {
                        for viewer in &mut viewers {
                            let _: &mut TcpStream = viewer;
                            let _ = viewer.write(&frame);
                        }
                    }
                    Err(_) => {}
                },
                Token(index) => {
                    let Some(mut socket) = joining.remove(&index) else { continue };
                    let count = socket.read(&mut buffer).unwrap_or(0);
                    let text = String::from_utf8_lossy(&buffer[..count]);
                    let key = text.lines().find_map(|line| line.strip_prefix("Sec-WebSocket-Key: "));
                    let accept = derive_accept_key(key.unwrap_or_default().trim().as_bytes());
                    let head = format!(
                        "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
                         sec-websocket-accept: {accept}\r\n\r\n"
                    );
                    let _ = socket.write(head.as_bytes());
                    viewers.push(socket);
                }
            }
        }
    }
}
