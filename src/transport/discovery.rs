//! Finds boards: watches which ports appear and disappear, and probes them.
//!
//! A board is identified by its serial number; the name of a port may change. Each port is probed by itself, and a found board
//! is sent on with its open line at once: a port without an answer delays no other.

#[cfg(all(test, unix))]
mod tests;

use std::collections::{HashMap, HashSet};
use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use anyhow::Context;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};

use super::address::Address;
use super::ask::{Found, FoundBoard, NoBoard, ask_trademark, find_board};
use super::bus::BusServer;
use super::candidates::{Candidate, Scope, candidates};
use super::known_lines::KnownLines;
use super::line::{Gone, PortError};
use super::lines_runtime::lines_runtime;
use super::port::Port as OpenPort;
use super::ports::{PortLine, PortUse, Ports};
use crate::supervisor::Backoff;
use game_core::probe::FirstQuestion;
use hall_clock::{HallClock, UtcMs};

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
    /// The task of a board, or the server of a bus, uses it until the lease ends.
    Held { lease: Weak<()>, serial: Option<String> },
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
    /// The device for people.
    device: String,
    /// Since when a serial server there cannot be reached, hall time.
    unreachable_since: Option<UtcMs>,
}

/// Serial numbers of the boards that were asked for their trademark.
type Asked = Arc<Mutex<HashSet<String>>>;

/// Scans the ports every `interval` and sends found boards, until the receiver is closed.
///
/// # Errors
/// When the thread of the lines cannot be started, or a scan or a probe panicked.
pub async fn discover(
    scope: Scope,
    interval: Duration,
    clock: HallClock,
    known: KnownLines,
    found: mpsc::Sender<FoundBoard>,
) -> anyhow::Result<()> {
    let (on_bus, mut boards_of_buses) = mpsc::channel(1);
    let mut discovery = Discovery {
        ports: HashMap::new(),
        probing: JoinSet::new(),
        buses: JoinSet::new(),
        serials_on_buses: HashMap::new(),
        on_bus,
        clock,
        known,
        asked: Asked::default(),
        found,
        shown: scope.ports.clone(),
        lines: lines_runtime().context("no thread can be started for the lines of boards")?,
    };
    let mut ticks = tokio::time::interval(interval);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {
                let scanned = scope.clone();
                discovery.scan(tokio::task::spawn_blocking(move || candidates(&scanned)).await?);
                discovery.show();
            }
            Some(answer) = discovery.probing.join_next() => {
                let (address, answer) = answer?;
                match answer {
                    Ok(Found::Board(board)) => discovery.send_on(address, board).await,
                    Ok(Found::Bus { port, addresses }) => discovery.serve_bus(address, port, &addresses),
                    Err(reason) => discovery.probe_failed(&address, &reason),
                }
            }
            Some(board) = boards_of_buses.recv() => discovery.send_on_from_bus(board).await,
            Some(ended) = discovery.buses.join_next() => {
                let (address, addresses, gone) = ended?;
                discovery.bus_ended(&address, &addresses, &gone);
            }
            () = discovery.found.closed() => return Ok(()),
        }
    }
}

struct Discovery {
    ports: HashMap<Address, Port>,
    probing: JoinSet<(Address, Result<Found, NoBoard>)>,
    /// The servers of buses; each gives the addresses that were found, and why it ended.
    buses: JoinSet<(Address, Vec<u16>, Gone)>,
    /// Boards of buses that are in use.
    serials_on_buses: HashMap<String, Weak<()>>,
    /// Where the servers of buses send boards.
    on_bus: mpsc::Sender<FoundBoard>,
    clock: HallClock,
    known: KnownLines,
    asked: Asked,
    found: mpsc::Sender<FoundBoard>,
    /// Where the dashboard reads which ports there are.
    shown: Ports,
    /// Where ports are opened, and so read, and where buses are served.
    lines: Handle,
}

impl Discovery {
    /// Compares the existing ports with the known ones, and probes the ports that are due.
    fn scan(&mut self, candidates: Vec<Candidate>) {
        let there: HashSet<_> = candidates.iter().map(|candidate| &candidate.address).collect();
        self.ports.retain(|address, _| there.contains(address));
        for candidate in candidates {
            let place = candidate.physical.clone().unwrap_or_else(|| candidate.address.to_string());
            let known = self.known.board(&place).map(str::to_owned);
            let first = candidate.first_question(known.is_some());
            let Candidate { address, device, may_ask, physical, .. } = candidate;
            let port = self.ports.entry(address.clone()).or_insert_with(|| Port {
                state: PortState::Waiting { until: Instant::now() },
                backoff: Backoff::new(RETRY_START, RETRY_CAP),
                logged: String::new(),
                physical: None,
                device: String::new(),
                unreachable_since: None,
            });
            port.physical = physical;
            let ask = match &port.state {
                PortState::Probing => false,
                // Allowed since the last scan.
                PortState::Ignored => true,
                PortState::Held { lease, .. } => lease.strong_count() == 0,
                PortState::Waiting { until } => *until <= Instant::now(),
            };
            port.device.clone_from(&device);
            // A board in use stays in use when its port is no longer allowed.
            if !may_ask && !matches!(&port.state, PortState::Held { lease, .. } if lease.strong_count() > 0) {
                port.state = PortState::Ignored;
                port.log(format!("{address} ({device}) is not probed: to allow it, use --port {address}, or the page System of the dashboard"));
            } else if may_ask && ask {
                port.state = PortState::Probing;
                let (clock, asked) = (self.clock, Arc::clone(&self.asked));
                let bus = self.known.bus(&place);
                let probing = async move {
                    let answer = match bus {
                        // A bus is asked for the boards that it had before.
                        Some(addresses) => OpenPort::open(&address)
                            .await
                            .map(|port| Found::Bus { port, addresses })
                            .map_err(NoBoard::from),
                        None => probe(&address, first, clock, known.as_deref(), &asked).await,
                    };
                    (address, answer)
                };
                self.probing.spawn_on(probing, &self.lines);
            }
        }
    }

    /// The ports for the dashboard, sorted by address.
    fn show(&self) {
        let mut ports: Vec<_> = self.ports.iter().collect();
        ports.sort_by_key(|(address, _)| *address);
        let lines = ports.into_iter().map(|(address, port)| {
            let name = address.to_string();
            let (use_of, board) = match &port.state {
                PortState::Ignored => (PortUse::NotAsked, None),
                PortState::Held { lease, serial } if lease.strong_count() > 0 => (PortUse::Board, serial.clone()),
                PortState::Held { .. } | PortState::Probing | PortState::Waiting { .. } => (PortUse::Asked, None),
            };
            let since = port.unreachable_since.filter(|_| use_of == PortUse::Asked);
            let (allowed, device) = (self.shown.allows(&name), port.device.clone());
            PortLine { allowed, port: name, device, use_of, board, unreachable_since: since }
        });
        self.shown.show(lines.collect());
    }

    fn probe_failed(&mut self, address: &Address, reason: &NoBoard) {
        // A port that disappeared is probed again when it returns.
        if let Some(port) = self.ports.get_mut(address) {
            let unreachable = matches!(reason, NoBoard::Port(PortError::Unreachable { .. }));
            port.unreachable_since = unreachable.then(|| port.unreachable_since.unwrap_or_else(|| self.clock.now()));
            port.log(reason.to_string());
            // Looking for it disturbs nothing, and a cable that is put back is awaited.
            if matches!(reason, NoBoard::Port(PortError::NotThere { .. })) {
                port.backoff.reset();
            }
            port.wait();
        }
    }

    /// Serves a bus until its line ends.
    fn serve_bus(&mut self, address: Address, line: OpenPort, known: &[u16]) {
        let Some(port) = self.ports.get_mut(&address) else { return };
        tracing::info!(port = %address, boards = known.len(), "a bus: its boards are looked for and polled");
        let server = BusServer::new(line, known, self.clock, self.on_bus.clone());
        port.state = PortState::Held { lease: server.lease(), serial: None };
        port.unreachable_since = None;
        port.logged.clear();
        let serving = async move {
            let (addresses, gone) = server.run().await;
            (address, addresses, gone)
        };
        self.buses.spawn_on(serving, &self.lines);
    }

    fn bus_ended(&mut self, address: &Address, addresses: &[u16], gone: &Gone) {
        tracing::warn!(port = %address, "the bus is out of reach: {gone}; it is looked for");
        let physical = self.ports.get(address).and_then(|port| port.physical.clone());
        self.known.remember_bus(&physical.unwrap_or_else(|| address.to_string()), addresses);
        self.serials_on_buses.retain(|_, lease| lease.strong_count() > 0);
        if let Some(port) = self.ports.get_mut(address) {
            port.wait();
        }
    }

    /// A board of a bus, unless a board with its serial number is in use on a port of its own.
    async fn send_on_from_bus(&mut self, board: FoundBoard) {
        let line = board.port.address().clone();
        let holder = self.holder(&board.serial).filter(|holder| *holder != line);
        let Some(port) = self.ports.get_mut(&line) else { return };
        if let Some(holder) = holder {
            port.log(in_use_elsewhere(&line, &board.serial, &holder));
            return;
        }
        port.backoff.reset();
        let physical = port.physical.clone().unwrap_or_else(|| line.to_string());
        self.serials_on_buses.insert(board.serial.clone(), Arc::downgrade(&board.port.lease));
        let mut known = self.known.bus(&physical).unwrap_or_default();
        if let Some(number) = board.port.bus_address().filter(|number| !known.contains(number)) {
            known.push(number);
            known.sort_unstable();
            self.known.remember_bus(&physical, &known);
        }
        let _ = self.found.send(board).await;
    }

    /// The port on which a board with this serial number is in use.
    fn holder(&self, serial: &str) -> Option<Address> {
        self.ports.iter().find_map(|(address, port)| match &port.state {
            PortState::Held { lease, serial: Some(own) } if own == serial && lease.strong_count() > 0 => {
                Some(address.clone())
            }
            _ => None,
        })
    }

    async fn send_on(&mut self, address: Address, board: FoundBoard) {
        let on_bus = self.serials_on_buses.get(&board.serial).is_some_and(|lease| lease.strong_count() > 0);
        let holder = self.holder(&board.serial).map(|holder| holder.to_string());
        let holder = holder.or_else(|| on_bus.then(|| "a bus".to_owned()));
        let Some(port) = self.ports.get_mut(&address) else {
            return;
        };
        port.unreachable_since = None;
        if let Some(holder) = holder {
            port.log(in_use_elsewhere(&address, &board.serial, &holder));
            port.wait();
            return;
        }
        let place = port.physical.clone().unwrap_or_else(|| address.to_string());
        self.known.remember(place, &board.serial);
        port.state = PortState::Held { lease: Arc::downgrade(&board.port.lease), serial: Some(board.serial.clone()) };
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

fn in_use_elsewhere(address: &Address, serial: &str, holder: &impl Display) -> String {
    format!(
        "{address}: the board has the serial number {serial} like the board on {holder}, which stays in use: disconnect one of them"
    )
}

/// Looks for a board on a port. A board that was not asked before is asked for its trademark; the one that is `known` there was.
async fn probe(
    address: &Address,
    first: FirstQuestion,
    clock: HallClock,
    known: Option<&str>,
    asked: &Mutex<HashSet<String>>,
) -> Result<Found, NoBoard> {
    let mut board = match find_board(address, first, clock).await? {
        Found::Board(board) => board,
        bus @ Found::Bus { .. } => return Ok(bus),
    };
    let new = asked.lock().unwrap_or_else(PoisonError::into_inner).insert(board.serial.clone());
    if new && known != Some(&*board.serial) {
        ask_trademark(&mut board, clock).await?;
    }
    Ok(Found::Board(board))
}
