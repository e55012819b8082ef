//! Finds boards: watches which ports appear and disappear, and probes them.
//!
//! A board is identified by its serial number; the name of a port may change. Each port is probed by itself, and a found board
//! is sent on with its open line at once: a port without an answer delays no other.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};

use super::address::Address;
use super::ask::{FoundBoard, NoBoard, ask_trademark, find_board};
use super::candidates::{Candidate, Scope, candidates};
use super::known_lines::KnownLines;
use crate::supervisor::Backoff;
use game_core::probe::FirstQuestion;
use hall_clock::HallClock;

/// Interval between two scans of the ports.
pub const INTERVAL: Duration = Duration::from_secs(2);

/// Shortest delay before a port without an answer is probed again.
const RETRY_START: Duration = Duration::from_secs(2);

/// Longest delay before a port is probed again.
const RETRY_CAP: Duration = Duration::from_secs(20);

/// State of a port that exists.
enum PortState {
    /// It must not be probed.
    Ignored,
    /// A probe is running.
    Probing,
    /// The task of a board uses it until the lease ends.
    Held { lease: Weak<()>, serial: String },
    /// The last probe found no board.
    Waiting { until: Instant },
}

struct Port {
    state: PortState,
    backoff: Backoff,
    /// The last log message about it; a message is not repeated.
    logged: String,
    /// Its physical path.
    physical: Option<String>,
}

/// Serial numbers of the boards that were asked for their trademark.
type Asked = Arc<Mutex<HashSet<String>>>;

/// Scans the ports every `interval` and sends found boards, until the receiver is closed.
///
/// # Errors
/// When a scan or a probe panicked.
pub async fn discover(
    scope: Scope,
    interval: Duration,
    clock: HallClock,
    known: KnownLines,
    found: mpsc::Sender<FoundBoard>,
) -> anyhow::Result<()> {
    let (ports, probing, asked) = (HashMap::new(), JoinSet::new(), Asked::default());
    let mut discovery = Discovery { ports, probing, clock, known, asked, found };
    let mut ticks = tokio::time::interval(interval);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {
                let scanned = scope.clone();
                discovery.scan(tokio::task::spawn_blocking(move || candidates(&scanned)).await?);
            }
            Some(answer) = discovery.probing.join_next() => {
                let (address, answer) = answer?;
                match answer {
                    Ok(board) => discovery.send_on(address, board).await,
                    Err(reason) => discovery.probe_failed(&address, &reason),
                }
            }
            () = discovery.found.closed() => return Ok(()),
        }
    }
}

struct Discovery {
    ports: HashMap<Address, Port>,
    probing: JoinSet<(Address, Result<FoundBoard, NoBoard>)>,
    clock: HallClock,
    known: KnownLines,
    asked: Asked,
    found: mpsc::Sender<FoundBoard>,
}

impl Discovery {
    /// Compares the existing ports with the known ones, and probes the ports that are due.
    fn scan(&mut self, candidates: Vec<Candidate>) {
        let there: HashSet<_> = candidates.iter().map(|candidate| &candidate.address).collect();
        self.ports.retain(|address, _| there.contains(address));
        for candidate in candidates {
            let known = candidate.physical.as_ref().is_some_and(|physical| self.known.has(physical));
            let first = candidate.first_question(known);
            let Candidate { address, device, may_ask, physical, .. } = candidate;
            let port = self.ports.entry(address.clone()).or_insert_with(|| Port {
                state: PortState::Waiting { until: Instant::now() },
                backoff: Backoff::new(RETRY_START, RETRY_CAP),
                logged: String::new(),
                physical: None,
            });
            port.physical = physical;
            let ask = match &port.state {
                PortState::Ignored | PortState::Probing => false,
                PortState::Held { lease, .. } => lease.strong_count() == 0,
                PortState::Waiting { until } => *until <= Instant::now(),
            };
            if !may_ask {
                port.state = PortState::Ignored;
                port.log(format!("{address} ({device}) is not probed: to allow it, use --port {address}"));
            } else if ask {
                port.state = PortState::Probing;
                let (clock, asked) = (self.clock, Arc::clone(&self.asked));
                self.probing.spawn(async move {
                    let answer = probe(&address, first, clock, &asked).await;
                    (address, answer)
                });
            }
        }
    }

    fn probe_failed(&mut self, address: &Address, reason: &NoBoard) {
        // A port that disappeared is probed again when it returns.
        if let Some(port) = self.ports.get_mut(address) {
            port.log(reason.to_string());
            port.wait();
        }
    }

    async fn send_on(&mut self, address: Address, board: FoundBoard) {
        let holder = self.ports.iter().find_map(|(other, port)| match &port.state {
            PortState::Held { lease, serial } if *serial == board.serial && lease.strong_count() > 0 => {
                Some(other.clone())
            }
            _ => None,
        });
        let Some(port) = self.ports.get_mut(&address) else {
            return;
        };
        if let Some(holder) = holder {
            port.log(format!(
                "{address}: the board has the serial number {} like the board on {holder}, which stays in use: disconnect one of them",
                board.serial
            ));
            port.wait();
            return;
        }
        if let Some(physical) = &port.physical {
            self.known.remember(physical.clone(), &board.serial);
        }
        port.state = PortState::Held { lease: Arc::downgrade(&board.port.lease), serial: board.serial.clone() };
        port.backoff.reset();
        port.logged.clear();
        // The receiver is closed when the daemon stops.
        let _ = self.found.send(board).await;
    }
}

impl Port {
    fn wait(&mut self) {
        self.state = PortState::Waiting { until: Instant::now() + self.backoff.wait() };
    }

    fn log(&mut self, text: String) {
        if self.logged != text {
            tracing::info!("{text}");
            self.logged = text;
        }
    }
}

/// Looks for a board on a port. A board that was not asked before is asked for its trademark.
async fn probe(
    address: &Address,
    first: FirstQuestion,
    clock: HallClock,
    asked: &Mutex<HashSet<String>>,
) -> Result<FoundBoard, NoBoard> {
    let mut board = find_board(address, first, clock).await?;
    let new = asked.lock().unwrap_or_else(PoisonError::into_inner).insert(board.serial.clone());
    // The board that is known here was asked before it was known.
    if new && first != FirstQuestion::VersionThenPing {
        ask_trademark(&mut board, clock).await?;
    }
    Ok(board)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use dgt_protocol::{Message, SerialNumber};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use std::io::{Read as _, Write as _};

    use serialport::{SerialPort as _, TTYPort};

    use crate::transport::candidates::PortPattern;
    use crate::transport::physical::PhysicalPaths;

    /// A board behind a serial server, which answers one host after another with this trademark; gives its address and the
    /// bytes that it heard.
    async fn board(serial: &'static str, trademark: &'static str) -> (Address, Arc<Mutex<Vec<u8>>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = Address::Tcp(listener.local_addr().unwrap().to_string());
        let heard = Arc::new(Mutex::new(Vec::new()));
        let hearing = Arc::clone(&heard);
        tokio::spawn(async move {
            while let Ok((mut host, _)) = listener.accept().await {
                while let Ok(command) = host.read_u8().await {
                    hearing.lock().unwrap().push(command);
                    if let Some(answer) = answer(command, serial, trademark)
                        && host.write_all(&answer).await.is_err()
                    {
                        break;
                    }
                }
            }
        });
        (address, heard)
    }

    /// What a board in single-board mode answers; one without a serial number is silent.
    fn answer(command: u8, serial: &str, trademark: &str) -> Option<Vec<u8>> {
        let message = match command {
            0x4d => Message::Version { main: 1, sub: 8 },
            0x45 => Message::Serial(SerialNumber::new(serial).unwrap()),
            0x47 => Message::Trademark(trademark.into()),
            _ => return None,
        };
        (!serial.is_empty()).then(|| message.encode())
    }

    /// The same on a pseudo-terminal.
    fn board_on_terminal(serial: &'static str) -> (Address, Arc<Mutex<Vec<u8>>>) {
        let (mut board, computer) = TTYPort::pair().unwrap();
        let path = computer.name().unwrap();
        board.set_timeout(Duration::from_millis(50)).unwrap();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let hearing = Arc::downgrade(&heard);
        std::thread::spawn(move || {
            // The computer's end stays open between two hosts.
            let _computer = computer;
            while let Some(heard) = hearing.upgrade() {
                let mut command = [0];
                if board.read_exact(&mut command).is_ok() {
                    heard.lock().unwrap().push(command[0]);
                    if let Some(answer) = answer(command[0], serial, "") {
                        board.write_all(&answer).unwrap();
                    }
                }
            }
        });
        (Address::Serial(path.into()), heard)
    }

    const PING: u8 = 0x87;
    const VERSION: u8 = 0x4d;

    fn looking(
        scope: Scope,
        known: KnownLines,
    ) -> (mpsc::Receiver<FoundBoard>, tokio::task::JoinHandle<anyhow::Result<()>>) {
        let (sender, found) = mpsc::channel(4);
        (found, tokio::spawn(discover(scope, Duration::from_millis(20), HallClock::start(1.0), known, sender)))
    }

    #[tokio::test]
    async fn a_serial_number_comes_once() {
        let mut allowed = Vec::new();
        for serial in ["20077", "01025", "20077"] {
            allowed.push(PortPattern::One(board(serial, "").await.0));
        }
        let (mut found, looking) =
            looking(Scope { machine: false, allowed, ..Scope::default() }, KnownLines::default());
        let mut both = [found.recv().await.unwrap(), found.recv().await.unwrap()];
        both.sort_by(|a, b| a.serial.cmp(&b.serial));
        let [first, second] = both;
        assert_eq!((first.serial.as_str(), second.serial.as_str()), ("01025", "20077"));
        assert_eq!(second.version, (1, 8));
        assert!(found.try_recv().is_err(), "one serial number was handed on twice");
        // The board's line is dropped: the number is free again, on any port.
        drop(second);
        assert_eq!(found.recv().await.unwrap().serial, "20077");
        drop(found);
        looking.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_board_on_the_line_of_the_last_run_is_asked_at_once_and_a_silent_port_delays_it_not() {
        let folder = tempfile::tempdir().unwrap();
        let lines = || KnownLines::open(folder.path().join("lines.json"));
        let (address, heard) = board_on_terminal("20077");
        let (silent, heard_silent) = board("", "").await;
        let allowed = vec![PortPattern::One(silent), PortPattern::One(address)];
        // The pseudo-terminal counts as a USB port with this path, the serial server has none.
        let physical = PhysicalPaths(|address| matches!(address, Address::Serial(_)).then(|| "usb 1-2".into()));
        let scope = Scope { machine: false, allowed, physical };
        let (mut found, _) = looking(scope.clone(), lines());
        assert_eq!(found.recv().await.unwrap().serial, "20077");
        drop(found);
        assert!(heard.lock().unwrap().contains(&PING), "the line was new: it may be a bus");
        // The port is closed once its reader has seen that.
        tokio::time::sleep(Duration::from_millis(600)).await;
        heard.lock().unwrap().clear();
        heard_silent.lock().unwrap().clear();

        let began = Instant::now();
        let (mut found, _) = looking(scope, lines());
        assert_eq!(found.recv().await.unwrap().serial, "20077");
        println!("found after {} ms", began.elapsed().as_millis());
        assert_eq!(heard.lock().unwrap()[..2], [VERSION, 0x45]);
        assert!(!heard_silent.lock().unwrap().contains(&VERSION), "the silent port was waited for");
    }

    #[tokio::test]
    async fn a_board_with_another_trademark_is_used_and_named_once() {
        let (address, heard) = board("01025", "Chess Boards Ltd.\r\nVs 1.00").await;
        let (makers, _) = board("01026", "Digital Game Technology\r\nCopyright 1998").await;
        let allowed = vec![PortPattern::One(address), PortPattern::One(makers)];
        let (mut found, _) = looking(Scope { machine: false, allowed, ..Scope::default() }, KnownLines::default());
        let mut both = [found.recv().await.unwrap(), found.recv().await.unwrap()];
        both.sort_by(|a, b| a.serial.cmp(&b.serial));
        let [first, second] = both;
        assert!(first.other_trademark.is_some_and(|text| text.starts_with("Chess Boards Ltd.")));
        assert_eq!(second.other_trademark, None);
        drop(first.port);
        assert_eq!(found.recv().await.unwrap().other_trademark, None, "it is said once");
        let heard = heard.lock().unwrap();
        let asked: Vec<_> = heard.iter().filter(|command| **command == 0x47).collect();
        assert_eq!(asked.len(), 1);
    }
}
