//! One board of a bus: what it is asked next, and what its replies mean for the line.

use std::collections::VecDeque;

use dgt_protocol::{Address, BusCommand, BusMessage};

use super::{BusEvent, BusPace, LOST_MS, MAX_REQUESTS};
use crate::time::Timestamp;

/// Longest packet of changes that is given to a session, in bytes: a longer one is history from before the board was
/// followed. A move takes some 4 to 10 bytes.
const LONGEST_PACKET: usize = 300;
/// Commands in a row without a sound reply after which a board is only pinged.
const FAILURES: u8 = 2;

/// Longest time between two readings of a clock, as a multiple of the usual one: a session takes a board for silent after 9 s.
const MOST_CLOCK_ROUNDS: u64 = 5;

/// Dumps in a row that are asked for again at once because changes came after them; then the session asks when it wants one.
const OVERTAKEN_DUMPS: u8 = 3;

/// Whether a board answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StationState {
    /// It is asked for its version.
    New,
    /// It is polled.
    Served,
    /// It does not answer and is pinged.
    Silent,
}

/// What has to happen before changes are asked for again after a reply that was damaged, late or lost. A dump that came before
/// lost changes would show moves before they are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Recovery {
    /// A ping: boards answer in order, so late replies come before its answer and are not taken for answers to later commands.
    Flush {
        /// The last packet was never received.
        repeat: bool,
    },
    /// The last packet is sent again.
    Repeat,
    /// The last packet is sent again to a computer that has just begun to ask: the one before it, or this one before it was stopped,
    /// may have fetched it and lost it.
    Earlier,
}

/// A reply that waits for the changes after it.
#[derive(Clone, Debug)]
struct Held {
    dump: bool,
    bytes: Vec<u8>,
}

#[derive(Clone, Debug)]
pub(super) struct Station {
    pub(super) state: StationState,
    /// Commands of its session.
    requests: VecDeque<BusCommand>,
    /// When the first of them came, or the one before it was sent.
    requested_at: Timestamp,
    /// The clock is read next, after the changes.
    clock_next: bool,
    next_changes: Timestamp,
    next_clock: Timestamp,
    /// When its changes came last, also where there were none.
    changes_at: Option<Timestamp>,
    /// How long after the changes before them, in ms.
    round_ms: u64,
    /// A reading of the clock or a dump that came too long after them; it is passed on if nothing has changed since.
    held: Option<Held>,
    /// Dumps that were dropped because something had changed, in a row.
    overtaken: u8,
    /// When it answered last.
    answered_at: Timestamp,
    failures: u8,
    /// Whether its session was told that it is there.
    found: bool,
    /// The last packet of changes that was received, to know one that is sent again.
    last_packet: Vec<u8>,
    /// A dump is fetched next: the changes before it are fetched.
    dump_next: bool,
    recovery: Option<Recovery>,
}

impl Station {
    /// A board that is asked for the first time at this instant.
    pub(super) fn new(now: Timestamp) -> Self {
        Self {
            state: StationState::New,
            requests: VecDeque::new(),
            requested_at: now,
            clock_next: false,
            next_changes: now,
            next_clock: now,
            changes_at: None,
            round_ms: 0,
            held: None,
            overtaken: 0,
            answered_at: now,
            failures: 0,
            found: false,
            last_packet: Vec::new(),
            dump_next: false,
            recovery: None,
        }
    }

    /// Its session asks for something.
    pub(super) fn request(&mut self, now: Timestamp, command: BusCommand) {
        if self.requests.is_empty() {
            self.requested_at = now;
        }
        if self.requests.len() < MAX_REQUESTS && !self.requests.contains(&command) {
            self.requests.push_back(command);
        }
    }

    /// When it is asked next.
    pub(super) fn due(&self) -> Timestamp {
        if self.state == StationState::New {
            return self.next_changes;
        }
        if self.recovery.is_some() || self.held.is_some() || self.dump_next || self.clock_next {
            // What belongs to the last answer comes first; everything else in the order in which it became due, so that no
            // board waits for the requests of another.
            return Timestamp::ZERO;
        }
        if self.requests.is_empty() { self.next_changes } else { self.next_changes.min(self.requested_at) }
    }

    /// What it is asked next.
    pub(super) fn next_command(&mut self, address: Address, now: Timestamp, pace: BusPace) -> BusCommand {
        if self.state == StationState::New {
            return BusCommand::Version(address);
        }
        match self.recovery {
            Some(Recovery::Flush { .. }) => return BusCommand::Ping(address),
            Some(Recovery::Repeat | Recovery::Earlier) => return BusCommand::RepeatChanges(address),
            None => {}
        }
        if self.held.is_some() {
            self.next_changes = now.plus(pace.changes_ms);
            return BusCommand::Changes(address);
        }
        if std::mem::take(&mut self.dump_next) {
            return BusCommand::Board(address);
        }
        if std::mem::take(&mut self.clock_next) {
            self.next_clock = now.plus(self.clock_every_ms(pace));
            return BusCommand::Clock(address);
        }
        self.requested_at = now;
        match self.requests.pop_front() {
            Some(BusCommand::Clock(_)) => {
                self.next_clock = Timestamp::ZERO;
                self.changes(address, now, pace)
            }
            // A dump has what was not fetched yet: fetched after it, changes would arrive in the wrong order.
            Some(BusCommand::Board(_)) => {
                self.dump_next = true;
                self.changes(address, now, pace)
            }
            Some(other) => other,
            None => self.changes(address, now, pace),
        }
    }

    /// Time between two readings of the clock: where the line is too slow for its boards, changes come first.
    fn clock_every_ms(&self, pace: BusPace) -> u64 {
        self.round_ms.clamp(pace.clock_ms, MOST_CLOCK_ROUNDS * pace.clock_ms)
    }

    /// Changes, and the clock after them when it is due: a reading never comes before the moves that led to it.
    fn changes(&mut self, address: Address, now: Timestamp, pace: BusPace) -> BusCommand {
        self.next_changes = now.plus(pace.changes_ms);
        self.clock_next = self.next_clock <= now.plus(pace.changes_ms / 2);
        BusCommand::Changes(address)
    }

    /// A sound reply to a command; gives what the session gets. A reading or dump that comes late waits for the
    /// changes after it.
    pub(super) fn take_reply(
        &mut self,
        now: Timestamp,
        pace: BusPace,
        doubtful: bool,
        message: &BusMessage,
        bytes: Vec<u8>,
    ) -> Option<BusEvent> {
        self.answered(now);
        let address = message.address();
        match message {
            // They may show what came of moves that were not fetched yet.
            BusMessage::Clock { .. } | BusMessage::Board { .. } if self.unfetched_ms(now) > pace.changes_ms => {
                self.held = Some(Held { dump: matches!(message, BusMessage::Board { .. }), bytes });
                return None;
            }
            BusMessage::Board { .. } => self.overtaken = 0,
            BusMessage::Version { version, .. } => {
                let found = self.found_now(now, address, *version);
                return Some(found);
            }
            BusMessage::Changes { log, .. } => {
                self.round_ms = self.changes_at.map_or(0, |before| now.since(before));
                self.changes_at = Some(now);
                let packet = log.as_bytes();
                let repeated = doubtful || matches!(self.recovery, Some(Recovery::Repeat | Recovery::Earlier));
                // A board that did not get 83 sends the packet before it when it is asked to repeat.
                let known = repeated && packet == self.last_packet;
                let too_long = packet.len() > LONGEST_PACKET;
                self.last_packet = packet.to_vec();
                if doubtful {
                    // The same packet may still come as a late reply.
                    self.recovery = Some(Recovery::Flush { repeat: false });
                } else if repeated {
                    self.catch_up(now, address);
                }
                self.dump_next |= too_long;
                if let Some(Held { dump, bytes }) = self.held.take() {
                    if packet.is_empty() && !repeated {
                        self.overtaken = 0;
                        return Some(BusEvent::Reply { address, bytes });
                    }
                    if dump && self.overtaken < OVERTAKEN_DUMPS {
                        self.overtaken += 1;
                        self.ask_for_dump(now, address);
                    }
                }
                if packet.is_empty() || known || too_long {
                    return None;
                }
            }
            BusMessage::Ping { .. } => {
                match self.recovery {
                    Some(Recovery::Flush { repeat: true }) => self.recovery = Some(Recovery::Repeat),
                    Some(Recovery::Flush { repeat: false }) => self.catch_up(now, address),
                    Some(Recovery::Repeat | Recovery::Earlier) | None => {}
                }
                return None;
            }
            _ => {}
        }
        Some(BusEvent::Reply { address, bytes })
    }

    /// What was lost is here: what came since, and then a dump.
    fn catch_up(&mut self, now: Timestamp, address: Address) {
        self.recovery = None;
        self.dump_next = false;
        self.ask_for_dump(now, address);
    }

    /// The changes and then a dump are asked for before everything else that its session asks for.
    fn ask_for_dump(&mut self, due: Timestamp, address: Address) {
        self.requests.retain(|command| !matches!(command, BusCommand::Board(_)));
        self.requests.push_front(BusCommand::Board(address));
        self.requested_at = due;
    }

    /// Time whose changes were not fetched yet, in ms; of a board that was never asked all that it remembers.
    pub(super) fn unfetched_ms(&self, now: Timestamp) -> u64 {
        self.changes_at.map_or(u64::MAX, |at| now.since(at))
    }

    /// It answered something.
    pub(super) fn answered(&mut self, now: Timestamp) {
        (self.answered_at, self.failures) = (now, 0);
        if self.state == StationState::Silent {
            self.state = if self.found { StationState::Served } else { StationState::New };
            (self.next_changes, self.next_clock) = (now, now);
            if self.found {
                self.recovery = Some(Recovery::Flush { repeat: true });
            }
        }
    }

    /// A command had no sound reply; gives whether the board is gone now.
    pub(super) fn give_up(&mut self, now: Timestamp, command: BusCommand) -> bool {
        self.failures = self.failures.saturating_add(1);
        match (self.state, command) {
            // A board that has sent none yet may have nothing to say.
            (_, BusCommand::RepeatChanges(_)) if self.recovery == Some(Recovery::Earlier) => self.recovery = None,
            (_, BusCommand::Changes(_) | BusCommand::RepeatChanges(_)) => {
                self.recovery = Some(Recovery::Flush { repeat: true });
            }
            (_, BusCommand::Board(_)) => self.request(now, command),
            _ => {}
        }
        // A board that did not answer yet holds up none that do.
        if self.failures >= FAILURES || self.state == StationState::New {
            self.state = StationState::Silent;
        }
        let gone = self.found && self.state == StationState::Silent && now.since(self.answered_at) >= LOST_MS;
        if gone {
            self.found = false;
            self.requests.clear();
            // Its next session asks for them, after the changes. A packet that was lost is still asked for again.
            (self.dump_next, self.clock_next, self.held) = (false, false, None);
        }
        gone
    }

    fn found_now(&mut self, now: Timestamp, address: Address, version: Option<(u8, u8)>) -> BusEvent {
        if self.changes_at.is_none() {
            self.recovery = Some(Recovery::Earlier);
        }
        self.state = StationState::Served;
        self.found = true;
        (self.next_changes, self.next_clock) = (now, now);
        BusEvent::Found { address, version }
    }
}
