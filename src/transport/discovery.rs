//! Finds boards: watches which ports appear and disappear, and probes them.
//!
//! A board is identified by its serial number; the name of a port may change. Found boards are sent on with their open line,
//! those of the first scan in the order of their serial numbers.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};

use super::address::Address;
use super::ask::{FoundBoard, NoBoard, find_board};
use super::candidates::{Candidate, Scope, candidates};
use crate::supervisor::Backoff;
use hall_clock::HallClock;

/// Interval between two scans of the ports.
pub const INTERVAL: Duration = Duration::from_secs(2);

/// Shortest delay before a port without an answer is probed again.
const RETRY_START: Duration = Duration::from_secs(2);

/// Longest delay before a port is probed again.
const RETRY_CAP: Duration = Duration::from_secs(20);

/// Maximum time for the first scan; its boards are sorted, so that their order does not depend on the speed of answers.
const FIRST_SCAN: Duration = Duration::from_secs(5);

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
}

/// Scans the ports every `interval` and sends found boards, until the receiver is closed.
///
/// # Errors
/// When a scan or a probe panicked.
pub async fn discover(
    scope: Scope,
    interval: Duration,
    clock: HallClock,
    found: mpsc::Sender<FoundBoard>,
) -> anyhow::Result<()> {
    let mut discovery = Discovery { ports: HashMap::new(), probing: JoinSet::new(), clock, found };
    let mut first_scan = Some((Instant::now() + FIRST_SCAN, Vec::new()));
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
                match (answer, &mut first_scan) {
                    (Ok(board), Some((_, first))) => first.push((address, board)),
                    (Ok(board), None) => discovery.send_on(address, board).await,
                    (Err(reason), _) => discovery.probe_failed(&address, &reason),
                }
            }
            () = discovery.found.closed() => return Ok(()),
        }
        if let Some((until, mut first)) = first_scan.take() {
            if discovery.probing.is_empty() || Instant::now() >= until {
                first.sort_by(|(_, a), (_, b)| serial_order(&a.serial).cmp(&serial_order(&b.serial)));
                for (address, board) in first {
                    discovery.send_on(address, board).await;
                }
            } else {
                first_scan = Some((until, first));
            }
        }
    }
}

struct Discovery {
    ports: HashMap<Address, Port>,
    probing: JoinSet<(Address, Result<FoundBoard, NoBoard>)>,
    clock: HallClock,
    found: mpsc::Sender<FoundBoard>,
}

impl Discovery {
    /// Compares the existing ports with the known ones, and probes the ports that are due.
    fn scan(&mut self, candidates: Vec<Candidate>) {
        let there: HashSet<_> = candidates.iter().map(|candidate| &candidate.address).collect();
        self.ports.retain(|address, _| there.contains(address));
        for Candidate { address, device, may_ask, may_be_bus } in candidates {
            let port = self.ports.entry(address.clone()).or_insert_with(|| Port {
                state: PortState::Waiting { until: Instant::now() },
                backoff: Backoff::new(RETRY_START, RETRY_CAP),
                logged: String::new(),
            });
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
                let clock = self.clock;
                self.probing.spawn(async move {
                    let answer = find_board(&address, may_be_bus, clock).await;
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

/// Sort key of a serial number: shorter before longer, so that 9 comes before 10.
pub fn serial_order(serial: &str) -> (usize, &str) {
    (serial.len(), serial)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dgt_protocol::{Message, SerialNumber};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use crate::transport::candidates::PortPattern;

    /// A board behind a serial server, which answers one host after another; gives its address.
    async fn board(serial: &'static str) -> PortPattern {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = Address::Tcp(listener.local_addr().unwrap().to_string());
        tokio::spawn(async move {
            while let Ok((mut host, _)) = listener.accept().await {
                while let Ok(command) = host.read_u8().await {
                    let answer = match command {
                        0x4d => Message::Version { main: 1, sub: 8 },
                        0x45 => Message::Serial(SerialNumber::new(serial).unwrap()),
                        _ => continue,
                    };
                    if host.write_all(&answer.encode()).await.is_err() {
                        break;
                    }
                }
            }
        });
        PortPattern::One(address)
    }

    #[tokio::test]
    async fn boards_come_in_the_order_of_their_numbers_and_a_number_comes_once() {
        let allowed = vec![board("20077").await, board("01025").await, board("20077").await];
        let scope = Scope { machine: false, allowed };
        let (sender, mut found) = mpsc::channel(4);
        let looking = tokio::spawn(discover(scope, Duration::from_millis(20), HallClock::start(1.0), sender));
        let first = found.recv().await.unwrap();
        let second = found.recv().await.unwrap();
        assert_eq!((first.serial.as_str(), second.serial.as_str()), ("01025", "20077"));
        assert_eq!(second.version, (1, 8));
        assert!(found.try_recv().is_err(), "one serial number was handed on twice");
        // The board's line is dropped: the number is free again, on any port.
        drop(second);
        assert_eq!(found.recv().await.unwrap().serial, "20077");
        drop(found);
        looking.await.unwrap().unwrap();
    }
}
