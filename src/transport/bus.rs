//! The line of a bus and its boards: runs `game_core::bus` on a real line, and gives every board a port of its own.
//!
//! Must not know what the replies mean, nor what becomes of the boards.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use dgt_protocol::{Address as BusAddress, BusCommand, Command, CommandReader, HostMessage};
use game_core::bus::{BusEvent, BusLine, BusPace};
use game_core::time::Timestamp;
use tokio::sync::mpsc;

use super::address::Address;
use super::ask::FoundBoard;
use super::line::{Chunk, Gone};
use super::port::Port;
use hall_clock::HallClock;

/// Replies that wait for a board's task: those of a minute.
const REPLIES_WAITING: usize = 256;
/// Commands of all boards that wait for the line.
const COMMANDS_WAITING: usize = 256;
/// Silence of all boards after which the line is probed anew: another device may be there now.
const NONE_ANSWERS: Duration = Duration::from_secs(20);
/// Longest wait for the beginning of an answer over TCP, where a serial server collects bytes before it sends them, and from the
/// boards of a rehearsal, which are threads of a busy machine.
const SLOW_ANSWER_MS: u64 = 400;

/// A board on a bus, as a port of its own.
#[derive(Debug)]
pub(super) struct BusPort {
    address: BusAddress,
    replies: mpsc::Receiver<Result<Chunk, Gone>>,
    commands: mpsc::Sender<BusCommand>,
}

impl BusPort {
    /// Its address on the bus.
    pub(super) fn number(&self) -> u16 {
        self.address.number()
    }

    /// The next reply of the board.
    pub(super) async fn receive(&mut self) -> Result<Chunk, Gone> {
        self.replies.recv().await.unwrap_or_else(|| Err(Gone("the line of the bus ended".into())))
    }

    /// Hands commands to the line, which sends them in their turn. Others than those of a bus are never sent.
    pub(super) fn send(&mut self, mut bytes: &[u8]) -> Result<(), Gone> {
        let mut reader = CommandReader::new();
        while let Some(message) = reader.next_message(&mut bytes) {
            let HostMessage::Command(Command::Bus(command)) = message else {
                tracing::error!("a single-board command was kept from a bus");
                continue;
            };
            match self.commands.try_send(command) {
                // The line is busy: the session asks again.
                Ok(()) | Err(mpsc::error::TrySendError::Full(_)) => {}
                Err(mpsc::error::TrySendError::Closed(_)) => return Err(Gone("the line of the bus ended".into())),
            }
        }
        Ok(())
    }
}

/// Serves a bus for as long as its boards are taken, and gives each as it is found.
pub fn boards_of(line: Port, known: &[u16], clock: HallClock) -> mpsc::Receiver<FoundBoard> {
    let (found, boards) = mpsc::channel(COMMANDS_WAITING);
    tokio::spawn(BusServer::new(line, known, clock, found).run());
    boards
}

/// A bus that is being served.
pub(super) struct BusServer {
    port: Port,
    line: BusLine,
    /// Real time of the line's instant 0.
    began: Instant,
    boards: BTreeMap<BusAddress, mpsc::Sender<Result<Chunk, Gone>>>,
    commands: (mpsc::Sender<BusCommand>, mpsc::Receiver<BusCommand>),
    found: mpsc::Sender<FoundBoard>,
    /// Boards that were found and are not taken yet: the line does not wait until they are.
    offered: VecDeque<FoundBoard>,
    alive: Instant,
}

impl BusServer {
    /// A server of this line, on which these addresses are known; found boards are sent on with their ports.
    pub(super) fn new(port: Port, known: &[u16], clock: HallClock, found: mpsc::Sender<FoundBoard>) -> Self {
        let began = Instant::now();
        let default = BusPace::default();
        // Hall time decides how often boards are polled, real time how long an answer may take.
        let real = |hall_ms| {
            let real = Duration::from_millis(hall_ms).div_f64(clock.speed());
            u64::try_from(real.as_millis()).unwrap_or(u64::MAX).max(1)
        };
        let rehearsal = (clock.speed() - 1.0).abs() > f64::EPSILON;
        let slow = matches!(port.address(), Address::Tcp(_)) || rehearsal;
        let answer_ms = if slow { SLOW_ANSWER_MS } else { default.answer_ms };
        let pace = BusPace { changes_ms: real(default.changes_ms), clock_ms: real(default.clock_ms), answer_ms };
        Self {
            line: BusLine::new(Timestamp::ZERO, known, pace),
            port,
            began,
            boards: BTreeMap::new(),
            commands: mpsc::channel(COMMANDS_WAITING),
            found,
            offered: VecDeque::new(),
            alive: began,
        }
    }

    /// Ends when the line is closed; discovery watches it.
    pub(super) fn lease(&self) -> Weak<()> {
        Arc::downgrade(&self.port.lease)
    }

    /// Serves the bus until its line ends, no board answers any more, or nobody takes boards. Gives the addresses that the line
    /// is asked for next time, and the reason.
    pub(super) async fn run(mut self) -> (Vec<u16>, Gone) {
        let (gone, known) = loop {
            if let Err(gone) = self.hand_on() {
                break (gone, true);
            }
            if self.line.is_alive() {
                self.alive = Instant::now();
            } else if self.alive.elapsed() > NONE_ANSWERS {
                // The line may have another device now.
                break (Gone("no board of the bus answers".into()), false);
            }
            let due =
                tokio::time::Instant::from_std(self.began + Duration::from_millis(self.line.next_deadline().as_ms()));
            tokio::select! {
                // What was read is older than what is due.
                biased;
                chunk = self.port.receive() => match chunk {
                    // Stamped now: the next command goes out now, and its answer has its whole time.
                    Ok(Chunk { bytes, .. }) => self.line.handle_bytes(self.now(), &bytes),
                    Err(gone) => break (gone, true),
                },
                Some(command) = self.commands.1.recv() => self.line.request(self.now(), command),
                () = tokio::time::sleep_until(due) => self.line.handle_timeout(self.now()),
                Ok(permit) = self.found.reserve(), if !self.offered.is_empty() => {
                    if let Some(board) = self.offered.pop_front() {
                        permit.send(board);
                    }
                }
                () = self.found.closed() => break (Gone("the daemon stops".into()), true),
            }
        };
        for replies in self.boards.values() {
            // A task that is busy sees the end of the channel.
            let _ = replies.try_send(Err(gone.clone()));
        }
        (if known { self.line.addresses() } else { Vec::new() }, gone)
    }

    /// Sends commands, and gives replies to the boards' ports.
    fn hand_on(&mut self) -> Result<(), Gone> {
        while let Some(command) = self.line.poll_command() {
            self.port.send(&Command::Bus(command).encode())?;
        }
        while let Some(event) = self.line.poll_event() {
            match event {
                BusEvent::Found { address, version } => self.offer(address, version),
                BusEvent::Reply { address, bytes } => {
                    let chunk = Chunk { at: Instant::now(), bytes };
                    let taken = self.boards.get(&address).map(|replies| replies.try_send(Ok(chunk)));
                    // A task that takes nothing has lost replies and must begin anew.
                    if !matches!(taken, Some(Ok(()))) {
                        self.boards.remove(&address);
                        self.line.release(self.now(), address);
                    }
                }
                BusEvent::Lost { address } => {
                    if let Some(replies) = self.boards.remove(&address) {
                        let _ = replies.try_send(Err(Gone("it does not answer on the bus".into())));
                    }
                }
            }
        }
        Ok(())
    }

    fn offer(&mut self, address: BusAddress, version: Option<(u8, u8)>) {
        let (sender, replies) = mpsc::channel(REPLIES_WAITING);
        let commands = self.commands.0.clone();
        let port = Port::on_bus(self.port.address().clone(), BusPort { address, replies, commands });
        self.boards.insert(address, sender);
        let board = FoundBoard {
            port,
            serial: serial_of(address.number()),
            version,
            other_trademark: None,
            heard: Chunk::now(&[]),
        };
        self.offered.push_back(board);
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_ms(self.began.elapsed().as_millis() as u64)
    }
}

/// The serial number of a board with this address, which is that number in binary (docs/protocol.md, 4.6). Serial numbers
/// above 16383 have no address of their own: such a board is known by its address.
pub(super) fn serial_of(address: u16) -> String {
    format!("{address:05}")
}
