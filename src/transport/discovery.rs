//! Finding boards: which ports came and went, and who answers on them.
//!
//! A board is its serial number; a port's name means nothing and may change. Found boards are handed on with their open
//! line, those of the first look around in the order of their serial numbers. Must not know what becomes of them.

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

/// How often a daemon looks around.
pub const INTERVAL: Duration = Duration::from_secs(2);

/// First wait before a port that did not answer is asked again.
const RETRY_START: Duration = Duration::from_secs(2);

/// Longest wait before a port is asked again.
const RETRY_CAP: Duration = Duration::from_secs(20);

/// How long the first boards wait for the others, so that their order does not depend on who answers first.
const FIRST_LOOK: Duration = Duration::from_secs(5);

/// What is known about a port that exists.
enum Known {
    /// It may not be asked.
    LeftAlone,
    /// It is being asked.
    Asking,
    /// A board's task has it until the lease ends.
    Held { lease: Weak<()>, serial: String },
    /// It was asked in vain.
    Waiting { until: Instant },
}

struct Port {
    state: Known,
    backoff: Backoff,
    /// What was said about it last; nothing is said twice.
    said: String,
}

/// Looks around every `interval` and hands on the boards that answer, until nobody takes them any more.
///
/// # Errors
/// When a part of the search panicked.
pub async fn discover(
    scope: Scope,
    interval: Duration,
    clock: HallClock,
    found: mpsc::Sender<FoundBoard>,
) -> anyhow::Result<()> {
    let mut discovery = Discovery { ports: HashMap::new(), asking: JoinSet::new(), clock, found };
    let mut first_look = Some((Instant::now() + FIRST_LOOK, Vec::new()));
    let mut ticks = tokio::time::interval(interval);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {
                let looked_at = scope.clone();
                discovery.look(tokio::task::spawn_blocking(move || candidates(&looked_at)).await?);
            }
            Some(answer) = discovery.asking.join_next() => {
                let (address, answer) = answer?;
                match (answer, &mut first_look) {
                    (Ok(board), Some((_, first))) => first.push((address, board)),
                    (Ok(board), None) => discovery.hand_on(address, board).await,
                    (Err(reason), _) => discovery.asked_in_vain(&address, &reason),
                }
            }
            () = discovery.found.closed() => return Ok(()),
        }
        if let Some((until, mut first)) = first_look.take() {
            if discovery.asking.is_empty() || Instant::now() >= until {
                first.sort_by(|(_, a), (_, b)| serial_order(&a.serial).cmp(&serial_order(&b.serial)));
                for (address, board) in first {
                    discovery.hand_on(address, board).await;
                }
            } else {
                first_look = Some((until, first));
            }
        }
    }
}

struct Discovery {
    ports: HashMap<Address, Port>,
    asking: JoinSet<(Address, Result<FoundBoard, NoBoard>)>,
    clock: HallClock,
    found: mpsc::Sender<FoundBoard>,
}

impl Discovery {
    /// Compares what there is with what is known, and asks what should be asked.
    fn look(&mut self, candidates: Vec<Candidate>) {
        let there: HashSet<_> = candidates.iter().map(|candidate| &candidate.address).collect();
        self.ports.retain(|address, _| there.contains(address));
        for Candidate { address, device, may_ask, may_be_bus } in candidates {
            let port = self.ports.entry(address.clone()).or_insert_with(|| Port {
                state: Known::Waiting { until: Instant::now() },
                backoff: Backoff::new(RETRY_START, RETRY_CAP),
                said: String::new(),
            });
            let ask = match &port.state {
                Known::LeftAlone | Known::Asking => false,
                Known::Held { lease, .. } => lease.strong_count() == 0,
                Known::Waiting { until } => *until <= Instant::now(),
            };
            if !may_ask {
                port.state = Known::LeftAlone;
                port.say(format!("{address} ({device}) is not asked: allow it with --port {address}"));
            } else if ask {
                port.state = Known::Asking;
                let clock = self.clock;
                self.asking.spawn(async move {
                    let answer = find_board(&address, may_be_bus, clock).await;
                    (address, answer)
                });
            }
        }
    }

    fn asked_in_vain(&mut self, address: &Address, reason: &NoBoard) {
        // A port that is no longer listed is asked anew when it returns.
        if let Some(port) = self.ports.get_mut(address) {
            port.say(reason.to_string());
            port.wait();
        }
    }

    async fn hand_on(&mut self, address: Address, board: FoundBoard) {
        let holder = self.ports.iter().find_map(|(other, port)| match &port.state {
            Known::Held { lease, serial } if *serial == board.serial && lease.strong_count() > 0 => Some(other.clone()),
            _ => None,
        });
        let Some(port) = self.ports.get_mut(&address) else {
            return;
        };
        if let Some(holder) = holder {
            port.say(format!(
                "{address} has a board with the serial number {}, like the one on {holder}, which is kept: unplug one of them",
                board.serial
            ));
            port.wait();
            return;
        }
        port.state = Known::Held { lease: Arc::downgrade(&board.port.lease), serial: board.serial.clone() };
        port.backoff.reset();
        port.said.clear();
        // Nobody takes boards any more when the daemon stops.
        let _ = self.found.send(board).await;
    }
}

impl Port {
    fn wait(&mut self) {
        self.state = Known::Waiting { until: Instant::now() + self.backoff.wait() };
    }

    fn say(&mut self, text: String) {
        if self.said != text {
            tracing::info!("{text}");
            self.said = text;
        }
    }
}

/// Where a serial number stands among others: shorter before longer, so that 9 comes before 10.
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
        // Whoever had the board gives its line back: the number is free again, behind whichever port.
        drop(second);
        assert_eq!(found.recv().await.unwrap().serial, "20077");
        drop(found);
        looking.await.unwrap().unwrap();
    }
}
