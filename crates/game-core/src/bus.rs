//! Serves the boards of a bus: finds them, polls them in turn, repeats what was damaged, and notices boards that are gone.
//!
//! Boards on a bus send only answers, and two answers at once damage each other: one command is under way at a time
//! (docs/protocol.md, 7). A board keeps its changes until they are fetched (83), so a poll that is late loses nothing; a packet
//! that was damaged is sent again (84), and so is the last one when a line begins to ask: the daemon may have been killed between
//! fetching and keeping it. Changes that are lost for good are covered by a dump (82). New boards are looked for by a ping to all,
//! which the known boards are told to ignore.
//!
//! Must not know ports, chess, or what the sessions of the boards conclude.

mod answer_time;
mod station;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};

use dgt_protocol::{Address, BusCommand, BusMessage, FrameReader, Mode};

use self::answer_time::AnswerTime;
use self::station::{Station, StationState};
use crate::time::Timestamp;

/// How long answers to a ping to all are collected, in ms: boards answer at a random moment within 1.1 s
/// (docs/protocol.md, 7.2).
const COLLECT_MS: u64 = 1_300;
/// Time between two searches for new boards, in ms.
const SEARCH_EVERY_MS: u64 = 30_000;
/// A search on a slow line takes at most one part in so many of its time.
const SEARCH_SHARE: u64 = 15;
/// Time for the boards that are known before the first search, in ms.
const KNOWN_FIRST_MS: u64 = 1_000;
/// Searches one after another while each finds something: the answers of 30 boards to one ping damage each other.
const SEARCHES: u8 = 8;
/// A timer that is late by more than this, in ms, tells that the computer was busy: bytes that came meanwhile are still on their
/// way to the line.
const OVERSLEPT_MS: u64 = 2;
/// Attempts for each command.
const TRIES: u8 = 3;
/// Time between two pings to boards that do not answer, in ms.
const SILENT_PING_MS: u64 = 500;
/// Silence after which a board is gone, in ms (as for a board of its own; docs/protocol.md, 9).
const LOST_MS: u64 = 5_000;
/// Most boards of a line. A line of the maker's has a dozen, and 30 are polled within a second.
const MAX_BOARDS: usize = 64;
/// Most commands of a session that wait; more are dropped, since each session asks again.
const MAX_REQUESTS: usize = 8;

/// How often boards are polled and how long an answer may take, in ms of the line's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusPace {
    /// Time between two questions for a board's changes.
    pub changes_ms: u64,
    /// Time between two questions for a board's clock.
    pub clock_ms: u64,
    /// Longest time until an answer begins.
    pub answer_ms: u64,
}

impl Default for BusPace {
    /// Changes twice a second where the line allows it, clocks once a second. Boards answer within 20 ms; the maker
    /// recommends 80 ms, the one driver that is known waits 100 ms (docs/protocol.md, 7.4).
    fn default() -> Self {
        Self { changes_ms: 500, clock_ms: 1_000, answer_ms: 100 }
    }
}

/// What happened on a bus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BusEvent {
    /// A board answers, for the first time or again.
    Found {
        /// Its address.
        address: Address,
        /// Its firmware, main and sub; boards up to version 1.2 do not say it.
        version: Option<(u8, u8)>,
    },
    /// An undamaged reply, for the board's session.
    Reply {
        /// The board.
        address: Address,
        /// The reply as it was sent.
        bytes: Vec<u8>,
    },
    /// A board does not answer any more. It is pinged, and found again when it answers.
    Lost {
        /// Its address.
        address: Address,
    },
}

/// A command under way.
#[derive(Clone, Copy, Debug)]
struct Pending {
    command: BusCommand,
    tries: u8,
    /// A reply was damaged or did not come, so the board may answer late or send a packet that is known.
    doubtful: bool,
}

/// The search for new boards.
#[derive(Clone, Debug)]
enum Search {
    /// The next one begins at this time.
    Waiting(Timestamp),
    /// Known boards are told to ignore the ping, one after each other command that is due: where many do not answer, that takes
    /// longer than a board may go unasked.
    Silencing { left: VecDeque<Address>, number: u8, its_turn: bool },
    /// Answers are collected.
    Collecting { number: u8, found: bool },
}

/// The computer's side of one bus.
#[derive(Clone, Debug)]
pub struct BusLine {
    pace: BusPace,
    reader: FrameReader,
    boards: BTreeMap<Address, Station>,
    search: Search,
    /// When its last ping was prepared.
    search_began: Timestamp,
    pending: Option<Pending>,
    deadline: Timestamp,
    answer_time: AnswerTime,
    /// The deadline was put off because the computer was busy.
    overslept: bool,
    /// When a silent board is pinged next, and the one pinged last.
    next_ping: (Timestamp, Option<Address>),
    outbox: VecDeque<BusCommand>,
    events: VecDeque<BusEvent>,
}

impl BusLine {
    /// A bus on which boards with these addresses are known; they are asked first.
    pub fn new(now: Timestamp, known: &[u16], pace: BusPace) -> Self {
        let first_search = if known.is_empty() { now } else { now.plus(KNOWN_FIRST_MS) };
        let known = known.iter().filter_map(|number| Address::new(*number)).filter(|address| *address != Address::ALL);
        let mut line = Self {
            pace,
            reader: FrameReader::new(Mode::Bus),
            boards: known.take(MAX_BOARDS).map(|address| (address, Station::new(now))).collect(),
            search: Search::Waiting(first_search),
            search_began: now,
            pending: None,
            deadline: now,
            answer_time: AnswerTime::new(pace.answer_ms),
            overslept: false,
            next_ping: (now, None),
            outbox: VecDeque::new(),
            events: VecDeque::new(),
        };
        line.go_on(now);
        line
    }

    /// The next command to send.
    pub fn poll_command(&mut self) -> Option<BusCommand> {
        self.outbox.pop_front()
    }

    /// What happened next.
    pub fn poll_event(&mut self) -> Option<BusEvent> {
        self.events.pop_front()
    }

    /// When [`Self::handle_timeout`] is due next.
    pub fn next_deadline(&self) -> Timestamp {
        self.deadline
    }

    /// The addresses of all boards that answered once.
    pub fn addresses(&self) -> Vec<u16> {
        self.boards.keys().map(|address| address.number()).collect()
    }

    /// Whether any board answers.
    pub fn is_alive(&self) -> bool {
        self.boards.values().any(|station| station.state == StationState::Served)
    }

    /// A board's session asks for something.
    pub fn request(&mut self, now: Timestamp, command: BusCommand) {
        let Some(station) = self.boards.get_mut(&command.address()) else { return };
        station.request(now, command);
        self.wake(now);
    }

    /// The replies of a board are not taken any more: it is offered again after some time.
    pub fn release(&mut self, now: Timestamp, address: Address) {
        if let Some(station) = self.boards.get_mut(&address) {
            *station = Station::new(now.plus(LOST_MS));
        }
    }

    /// Takes bytes from the line.
    pub fn handle_bytes(&mut self, now: Timestamp, mut bytes: &[u8]) {
        let dropped = self.reader.dropped();
        let mut damaged = false;
        while let Some(frame) = self.reader.next_frame(&mut bytes) {
            match frame.bus_message() {
                Ok(message) => {
                    let bytes = frame.bytes().to_vec();
                    self.handle_message(now, &message, bytes);
                }
                Err(_) => damaged = true,
            }
        }
        let damaged = damaged || self.reader.dropped() > dropped;
        let pause_ms = self.answer_time.pause_ms();
        match (&mut self.search, &self.pending) {
            (Search::Collecting { found, .. }, _) => *found |= damaged,
            // The rest of the damaged reply is waited for, then the command is repeated.
            (_, Some(_)) if damaged => self.deadline = now.plus(pause_ms),
            (_, Some(_)) => self.deadline = self.deadline.max(now.plus(pause_ms)),
            _ => {}
        }
    }

    /// Runs what is due.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        if self.deadline > now {
            return;
        }
        let waits = self.pending.is_some() || matches!(self.search, Search::Collecting { .. });
        if waits && !self.overslept && now.since(self.deadline) > OVERSLEPT_MS {
            (self.overslept, self.deadline) = (true, now.plus(self.answer_time.pause_ms()));
            return;
        }
        let unfinished = !self.reader.pending().is_empty();
        self.reader.abandon();
        if let Search::Collecting { number, found } = self.search {
            let found = found || unfinished;
            // New boards are told to ignore the next ping; then those answer whose replies were damaged.
            self.search = if found && number < SEARCHES {
                self.search_began = now;
                self.silencing(number + 1)
            } else {
                let lasted_ms = now.since(self.search_began);
                Search::Waiting(now.plus(SEARCH_EVERY_MS.max(SEARCH_SHARE * lasted_ms)))
            };
        } else if let Some(pending) = self.pending.take() {
            self.repeat_or_give_up(now, pending);
        }
        self.go_on(now);
    }

    fn handle_message(&mut self, now: Timestamp, message: &BusMessage, bytes: Vec<u8>) {
        let address = message.address();
        if let (Search::Collecting { found, .. }, BusMessage::Ping { .. }) = (&mut self.search, message) {
            if address != Address::ALL && !self.boards.contains_key(&address) && self.boards.len() < MAX_BOARDS {
                *found = true;
                self.boards.insert(address, Station::new(now));
            } else if let Some(station) = self.boards.get_mut(&address) {
                station.answered(now);
            }
            return;
        }
        let answers = |pending: &Pending| pending.command.address() == address && is_answer(pending.command, message);
        let Some(pending) = self.pending.take_if(|pending| answers(pending)) else {
            // A late answer to a command that was repeated or given up: the board is there, and the line is slow.
            if let Some(station) = self.boards.get_mut(&address) {
                station.answered(now);
                self.answer_time.late();
            }
            return;
        };
        if !pending.doubtful {
            self.answer_time.in_time();
        }
        if let Some(station) = self.boards.get_mut(&address) {
            self.events.extend(station.take_reply(now, self.pace, pending.doubtful, message, bytes));
        }
        self.go_on(now);
    }

    /// A command had no sound reply.
    fn repeat_or_give_up(&mut self, now: Timestamp, pending: Pending) {
        let address = pending.command.address();
        let Some(station) = self.boards.get_mut(&address) else { return };
        if pending.tries < TRIES && station.state == StationState::Served {
            // 83 has emptied the board's buffer: its packet is sent again.
            let command = match pending.command {
                BusCommand::Changes(address) => BusCommand::RepeatChanges(address),
                other => other,
            };
            self.send(now, Pending { command, tries: pending.tries + 1, doubtful: true });
        } else {
            let lost = station.give_up(now, pending.command);
            self.events.extend(lost.then_some(BusEvent::Lost { address }));
        }
    }

    /// Sends the next command that is due.
    fn go_on(&mut self, now: Timestamp) {
        if self.pending.is_some() || matches!(self.search, Search::Collecting { .. }) {
            return;
        }
        if matches!(self.search, Search::Waiting(at) if at <= now) {
            (self.search, self.search_began) = (self.silencing(1), now);
        }
        let silences = match &mut self.search {
            Search::Silencing { its_turn, .. } => std::mem::replace(its_turn, !*its_turn),
            _ => false,
        };
        let due = if silences { None } else { self.next_command(now) };
        if let Some(command) = due {
            self.send(now, Pending { command, tries: 1, doubtful: false });
        } else if let Search::Silencing { left, number, .. } = &mut self.search {
            let number = *number;
            if let Some(address) = left.pop_front() {
                let command = BusCommand::IgnoreNextPing(address);
                self.send(now, Pending { command, tries: TRIES, doubtful: false });
                return;
            }
            self.search = Search::Collecting { number, found: false };
            self.outbox.push_back(BusCommand::Ping(Address::ALL));
            (self.deadline, self.overslept) = (now.plus(COLLECT_MS), false);
        } else {
            self.sleep(now);
        }
    }

    /// The board that has waited longest is asked first; one that does not answer waits for a moment of its own.
    fn next_command(&mut self, now: Timestamp) -> Option<BusCommand> {
        let silent = |station: &Station| station.state == StationState::Silent;
        if self.next_ping.0 <= now {
            let after =
                |last: Address| self.boards.iter().find(|(address, station)| **address > last && silent(station));
            let next = self.next_ping.1.and_then(after).or_else(|| self.boards.iter().find(|(_, it)| silent(it)));
            if let Some((address, _)) = next {
                let address = *address;
                self.next_ping = (now.plus(SILENT_PING_MS), Some(address));
                return Some(BusCommand::Ping(address));
            }
        }
        let active = self.boards.iter_mut().filter(|(_, station)| !silent(station));
        let (address, station) = active.min_by_key(|(_, station)| station.due())?;
        (station.due() <= now).then(|| station.next_command(*address, now, self.pace))
    }

    fn silencing(&self, number: u8) -> Search {
        let answering = self.boards.iter().filter(|(_, station)| station.state != StationState::Silent);
        Search::Silencing { left: answering.map(|(address, _)| *address).collect(), number, its_turn: true }
    }

    fn send(&mut self, now: Timestamp, pending: Pending) {
        self.reader.abandon();
        self.outbox.push_back(pending.command);
        let station = self.boards.get(&pending.command.address());
        let unfetched_ms = station.map_or(0, |station| station.unfetched_ms(now));
        let wait_ms = self.answer_time.wait_ms(pending.command, unfetched_ms);
        (self.deadline, self.overslept) = (now.plus(wait_ms), false);
        self.pending = Some(pending);
    }

    /// Sleeps until something is due.
    fn sleep(&mut self, now: Timestamp) {
        let search = if let Search::Waiting(at) = self.search { Some(at) } else { None };
        let active = self.boards.values().filter(|station| station.state != StationState::Silent);
        let silent = self.boards.values().any(|station| station.state == StationState::Silent);
        let ping = silent.then_some(self.next_ping.0);
        let due = active.map(Station::due).chain(search).chain(ping).min();
        self.deadline = due.unwrap_or_else(|| now.plus(SEARCH_EVERY_MS)).max(now);
    }

    /// A request came while nothing was due.
    fn wake(&mut self, now: Timestamp) {
        if self.pending.is_none() && !matches!(self.search, Search::Collecting { .. }) {
            self.go_on(now);
        }
    }
}

/// Whether a message is what a command asks for.
fn is_answer(command: BusCommand, message: &BusMessage) -> bool {
    match command {
        BusCommand::Changes(_) | BusCommand::RepeatChanges(_) => matches!(message, BusMessage::Changes { .. }),
        BusCommand::Board(_) => matches!(message, BusMessage::Board { .. }),
        BusCommand::Clock(_) => matches!(message, BusMessage::Clock { .. }),
        BusCommand::FromStart(_) => matches!(message, BusMessage::FromStart { .. }),
        BusCommand::StartGame(_) => matches!(message, BusMessage::StartWritten { .. }),
        BusCommand::Version(_) => matches!(message, BusMessage::Version { .. }),
        BusCommand::Ping(_) | BusCommand::IgnoreNextPing(_) => matches!(message, BusMessage::Ping { .. }),
        _ => false,
    }
}
