//! A line that several boards share: all hear the host, and answers at the same time damage each other.
//!
//! A thread moves bytes between the port and the boards, at 9600 baud of hall time. Must not know what the bytes mean.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use crate::link::{Link, LinkError, Plug, Received};

/// Hall time of one byte: 10 bits at 9600 baud.
const BYTE: Duration = Duration::from_micros(1_042);
/// Longest wait for bytes of the host: an answer of a board is at most that late.
const LISTEN: Duration = Duration::from_millis(1);
/// The same while no host has the port open.
const NO_HOST: Duration = Duration::from_millis(20);

/// A shared line with its port. The port closes when it is dropped.
#[derive(Debug)]
pub(crate) struct SharedLine {
    shared: Arc<Shared>,
    says: Sender<Said>,
    address: String,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Where each board hears the host.
    boards: Mutex<BTreeMap<usize, Sender<Vec<u8>>>>,
    host: AtomicBool,
    stopped: AtomicBool,
}

/// What a board begins to send, and when.
#[derive(Debug)]
struct Said {
    at: Instant,
    board: usize,
    bytes: Vec<u8>,
}

/// A board's place on a shared line. Pulled out when dropped.
#[derive(Debug)]
pub(crate) struct BusTap {
    board: usize,
    shared: Arc<Shared>,
    hears: Receiver<Vec<u8>>,
    says: Sender<Said>,
    /// Bytes of the host that did not fit into the reader's buffer.
    rest: Vec<u8>,
}

impl SharedLine {
    /// Opens the port under a name, as [`Plug::new`]; `speed` is that of the hall.
    pub(crate) fn new(link: &Link, name: &str, speed: f64) -> Result<Self, LinkError> {
        let plug = Plug::new(link, name)?;
        let (shared, (says, answers)) = (Arc::<Shared>::default(), mpsc::channel());
        let address = plug.address().to_owned();
        let traffic =
            Traffic { plug, shared: Arc::clone(&shared), answers, byte: BYTE.div_f64(speed), under_way: None };
        let thread =
            thread::Builder::new().name(name.to_owned()).spawn(move || traffic.run()).map_err(LinkError::Thread)?;
        Ok(Self { shared, says, address, thread: Some(thread) })
    }

    /// Puts a board on the line.
    pub(crate) fn tap(&self, board: usize) -> BusTap {
        let (sender, hears) = mpsc::channel();
        lock(&self.shared.boards).insert(board, sender);
        BusTap { board, shared: Arc::clone(&self.shared), hears, says: self.says.clone(), rest: Vec::new() }
    }

    /// The path or `tcp://` address that a host opens.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }
}

impl Drop for SharedLine {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            // A panic has been printed by its thread.
            let _ = thread.join();
        }
    }
}

impl BusTap {
    /// Waits up to `timeout` for bytes of the host.
    pub(crate) fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> Received {
        if self.rest.is_empty() {
            match self.hears.recv_timeout(timeout) {
                Ok(bytes) => self.rest = bytes,
                Err(RecvTimeoutError::Timeout) if self.shared.host.load(Ordering::Acquire) => return Received::Silence,
                Err(RecvTimeoutError::Timeout) => return Received::NoHost,
                Err(RecvTimeoutError::Disconnected) => {
                    thread::sleep(timeout);
                    return Received::NoHost;
                }
            }
        }
        let length = self.rest.len().min(buffer.len());
        for (place, byte) in buffer.iter_mut().zip(self.rest.drain(..length)) {
            *place = byte;
        }
        Received::Bytes(length)
    }

    /// Begins to send.
    pub(crate) fn write(&self, bytes: &[u8]) {
        // A line that is closed loses everything.
        let _ = self.says.send(Said { at: Instant::now(), board: self.board, bytes: bytes.to_vec() });
    }
}

impl Drop for BusTap {
    fn drop(&mut self) {
        // A board is pulled out before it comes back.
        lock(&self.shared.boards).remove(&self.board);
    }
}

/// The thread of a line.
struct Traffic {
    plug: Plug,
    shared: Arc<Shared>,
    answers: Receiver<Said>,
    byte: Duration,
    under_way: Option<UnderWay>,
}

/// What is being sent.
struct UnderWay {
    end: Instant,
    bytes: Vec<u8>,
    /// The board that sends; none after a collision.
    board: Option<usize>,
}

impl Traffic {
    fn run(mut self) {
        let mut buffer = [0; 256];
        while !self.shared.stopped.load(Ordering::Acquire) {
            let wait = if self.shared.host.load(Ordering::Acquire) { LISTEN } else { NO_HOST };
            let received = self.plug.read(&mut buffer, wait);
            self.shared.host.store(received != Received::NoHost, Ordering::Release);
            if let Received::Bytes(length) = received
                && let Some(bytes) = buffer.get(..length)
            {
                for board in lock(&self.shared.boards).values() {
                    // A board that was pulled out hears nothing.
                    let _ = board.send(bytes.to_vec());
                }
            }
            let mut said: Vec<_> = self.answers.try_iter().collect();
            // This thread may be late, and the boards' threads each in another way.
            said.sort_by_key(|said| said.at);
            for said in said {
                self.finish(said.at);
                self.begin(said);
            }
            self.finish(Instant::now());
        }
    }

    /// Gives the host what was sent whole by now.
    fn finish(&mut self, now: Instant) {
        if let Some(sent) = self.under_way.take_if(|sent| sent.end <= now) {
            self.plug.write(&sent.bytes);
        }
    }

    /// A board begins to send: after what it sends already, or over what another one sends.
    fn begin(&mut self, Said { at, board, bytes }: Said) {
        let lasts = self.byte.mul_f64(bytes.len() as f64);
        match &mut self.under_way {
            None => self.under_way = Some(UnderWay { end: at + lasts, bytes, board: Some(board) }),
            Some(sent) if sent.board == Some(board) => {
                sent.bytes.extend(bytes);
                sent.end += lasts;
            }
            Some(sent) => {
                for (place, byte) in bytes.into_iter().enumerate() {
                    match sent.bytes.get_mut(place) {
                        Some(own) => *own |= byte,
                        None => sent.bytes.push(byte),
                    }
                }
                (sent.end, sent.board) = (sent.end.max(at + lasts), None);
            }
        }
    }
}

/// A panic in another thread does not damage the values behind a lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    #[test]
    fn all_boards_hear_the_host_and_answers_at_once_damage_each_other() {
        let line = SharedLine::new(&Link::Tcp, "line", 1.0).unwrap();
        let mut host = std::net::TcpStream::connect(line.address().strip_prefix("tcp://").unwrap()).unwrap();
        let mut boards: Vec<_> = (0..3).map(|board| line.tap(board)).collect();
        host.write_all(&[0x87, 0, 0, 7]).unwrap();
        let mut buffer = [0; 2];
        for board in &mut boards {
            let mut heard = Vec::new();
            while heard.len() < 4 {
                if let Received::Bytes(length) = board.read(&mut buffer, Duration::from_secs(10)) {
                    heard.extend_from_slice(&buffer[..length]);
                }
            }
            assert_eq!(heard, [0x87, 0, 0, 7]);
        }
        let mut answer = [0; 3];
        boards[1].write(&[1, 2]);
        boards[1].write(&[3]);
        host.read_exact(&mut answer).unwrap();
        assert_eq!(answer, [1, 2, 3]);
        // Long enough to overlap on a busy machine.
        let long = |byte: u8| vec![byte; 2_000];
        boards[0].write(&long(1));
        boards[2].write(&long(4));
        let mut answer = vec![0; 2_000];
        host.read_exact(&mut answer).unwrap();
        assert_eq!(answer, long(5));
    }
}
