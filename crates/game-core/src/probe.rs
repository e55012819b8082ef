//! Finds out what is at the other end of a port, without disturbing a device that is not a board.
//!
//! A line that may be a bus is first asked as a bus (87 to address 0). Only silence allows a command that would switch every
//! board on a bus to single-board mode (docs/contracts.md, 1.7). A single board may be in bus mode too, as after
//! power-up: it is told to ignore the next ping, and the probe waits for the silence of all others. Damaged bytes do
//! not count as silence.
//!
//! The ping switches a single board's updates off, so they are switched on again with the first question after it. A line
//! that had one board before, at the same place, is asked for that board at once. On a new line of USB or Bluetooth the
//! probe listens before it sends: a board that reports moves or clock times is in single-board mode and never hears the
//! ping, and a device that talks another protocol never hears anything.
//!
//! A serial number is believed when the board says it twice: messages have no checksum, and a damaged one would be that of a board
//! that does not exist. Where a valid version is followed by numbers that differ, or by none that is valid, several boards answer at
//! once: one that was alone when its line was found, and others that were added to it. They are brought back to bus mode (4a).
//!
//! Must not know ports, nor what happens to the board afterwards.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, VecDeque};

use dgt_protocol::{Address, BusCommand, BusMessage, ClockMessage, Command, FrameReader, Message, Mode, SerialNumber};

use crate::time::Timestamp;

/// How long answers to a ping are collected, in ms: boards on a bus answer at a random moment within 1.1 s
/// (docs/protocol.md,
/// 7.2).
const BUS_MS: u64 = 1_300;
/// How long other answers are waited for, in ms: some boards answer late, or only when asked again
/// (docs/board-behaviour.md, 10.9).
const ANSWER_MS: u64 = 2_000;
/// How long the board of a line that is known is waited for before the line is asked as a bus, in ms; a board answers
/// within 0.2 s.
const KNOWN_MS: u64 = 1_000;
/// How long a line is listened to before anything is sent, in ms: a running clock reports every second.
const LISTEN_MS: u64 = 1_100;
/// Bytes of no message that show another protocol. Less may be the end of a message or damage.
const STRANGE_BYTES: u64 = 16;
/// How long a line that carries bytes without a pause is waited for, in ms: a board's whole log takes 8.3 s of the line, and the
/// board answers after it. A daemon that starts again meets the rest of a log that the one before asked for.
const LONGEST_MESSAGE_MS: u64 = 9_000;
/// Longest pause between bytes of one message, in ms, on a line that is a part of a network as well.
const PAUSE_MS: u64 = 200;
/// Largest size of the messages that are kept for the board's session, in bytes: some dumps and moves.
const MAX_HEARD: usize = 4_096;
/// Number of attempts for each question.
const TRIES: u8 = 3;

/// The result of a probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeOutcome {
    /// A board in single-board mode.
    Board {
        /// Its serial number.
        serial: String,
        /// Firmware, main and sub.
        version: (u8, u8),
    },
    /// Several boards on one line.
    Bus {
        /// The addresses that answered.
        addresses: Vec<u16>,
    },
    /// No answer.
    Silent,
    /// An answer in another protocol, or a board without a serial number, or one that says another one each time.
    NotABoard,
}

/// How a probe begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstQuestion {
    /// None: the line is listened to first, then asked as its messages say; without any, as on a bus.
    Listen,
    /// As on a bus: for a line that several boards may share.
    Ping,
    /// For a single board: a line that cannot be shared.
    Version,
    /// For a single board, then as on a bus: a line on which a single board was found before.
    VersionThenPing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    /// None yet: the probe listens.
    Listen,
    /// Which boards are on the bus?
    Bus,
    /// The one board that answered is told to ignore the next ping.
    IgnorePing {
        only: u16,
    },
    /// Which other boards are on the bus?
    Others {
        only: u16,
    },
    Version,
    Serial {
        version: (u8, u8),
    },
}

/// The probe of one port.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub struct Probe {
    question: Question,
    tries: u8,
    began: Timestamp,
    last_bytes: Timestamp,
    deadline: Option<Timestamp>,
    reader: FrameReader,
    addresses: BTreeSet<u16>,
    /// Whether damaged messages have arrived since the question was asked.
    damaged: bool,
    answered: bool,
    /// The serial number as the board said it last.
    serial: Option<SerialNumber>,
    /// Whether silence leads to the questions for a bus.
    then_ping: bool,
    /// Whether boards that answered at once were brought back to bus mode.
    brought_back: bool,
    /// Changes of squares, dumps and readings of the clock that arrived during the probe, encoded.
    heard: Vec<u8>,
    /// Reads bus messages while the probe listens.
    bus_listener: FrameReader,
    outbox: VecDeque<Command>,
    outcome: Option<ProbeOutcome>,
}

impl Probe {
    /// Starts a probe.
    pub fn new(now: Timestamp, first: FirstQuestion) -> Self {
        let mut probe = Self {
            question: Question::Bus,
            tries: 0,
            began: now,
            last_bytes: now,
            deadline: None,
            reader: FrameReader::new(Mode::Bus),
            addresses: BTreeSet::new(),
            damaged: false,
            answered: false,
            serial: None,
            then_ping: first == FirstQuestion::VersionThenPing,
            brought_back: false,
            heard: Vec::new(),
            bus_listener: FrameReader::new(Mode::Bus),
            outbox: VecDeque::new(),
            outcome: None,
        };
        match first {
            FirstQuestion::Listen => probe.listen(now),
            FirstQuestion::Ping => probe.ask(now, Question::Bus),
            FirstQuestion::Version | FirstQuestion::VersionThenPing => probe.ask(now, Question::Version),
        }
        probe
    }

    /// The result; none while the probe goes on.
    pub fn outcome(&self) -> Option<&ProbeOutcome> {
        self.outcome.as_ref()
    }

    /// The next command to send.
    pub fn poll_command(&mut self) -> Option<Command> {
        self.outbox.pop_front()
    }

    /// When [`Self::handle_timeout`] is due next.
    pub fn next_deadline(&self) -> Option<Timestamp> {
        self.outcome.is_none().then_some(self.deadline).flatten()
    }

    /// Takes bytes from the port.
    pub fn handle_bytes(&mut self, now: Timestamp, mut bytes: &[u8]) {
        self.answered |= !bytes.is_empty();
        self.last_bytes = self.last_bytes.max(now);
        if self.reader.mode() == Mode::Bus {
            self.handle_bus_bytes(now, bytes);
            return;
        }
        if self.question == Question::Listen {
            self.listen_for_bus(now, bytes);
            if self.question != Question::Listen {
                return;
            }
        }
        while let Some(frame) = self.reader.next_frame(&mut bytes) {
            let message = frame.message();
            if let Ok(Message::FieldUpdate { .. } | Message::BoardDump(_) | Message::Clock(ClockMessage::Times(_))) =
                message
                && self.heard.len() + frame.bytes().len() <= MAX_HEARD
            {
                self.heard.extend_from_slice(frame.bytes());
            }
            match (self.question, message) {
                // Only a board in single-board mode sends these, and unasked only while its updates are on.
                (Question::Listen, Ok(Message::FieldUpdate { .. } | Message::Clock(_))) => {
                    self.ask(now, Question::Version);
                }
                (Question::Version, Ok(Message::Version { main, sub })) => {
                    self.ask(now, Question::Serial { version: (main, sub) });
                }
                (Question::Serial { version }, Ok(Message::Serial(serial))) => self.hear_serial(now, version, serial),
                _ => {}
            }
        }
    }

    fn hear_serial(&mut self, now: Timestamp, version: (u8, u8), serial: SerialNumber) {
        if self.serial.replace(serial) == Some(serial) {
            self.outcome = Some(ProbeOutcome::Board { serial: serial.to_string(), version });
        } else if self.tries < TRIES {
            self.ask_again(now);
        } else if self.brought_back {
            self.outcome = Some(ProbeOutcome::NotABoard);
        } else {
            self.bring_back(now);
        }
    }

    /// Several boards may have heard a question for a single one, which took them out of bus mode.
    fn bring_back(&mut self, now: Timestamp) {
        (self.then_ping, self.brought_back, self.serial) = (false, true, None);
        self.outbox.push_back(Command::ToBus);
        self.ask(now, Question::Bus);
    }

    /// Asks the same question once more; it counts as a try.
    fn ask_again(&mut self, now: Timestamp) {
        let tries = self.tries;
        self.ask(now, self.question);
        self.tries = tries + 1;
    }

    /// A reply that arrives unasked is a late one of a bus.
    fn listen_for_bus(&mut self, now: Timestamp, mut bytes: &[u8]) {
        while let Some(message) = self.bus_listener.next_frame(&mut bytes).map(|frame| frame.bus_message()) {
            if message.is_ok_and(|message| message.address() != Address::ALL) {
                self.ask(now, Question::Bus);
                return;
            }
        }
    }

    /// Changes of squares, dumps and readings of the clock that arrived during the probe, as the board sent them, for the board's session.
    pub fn take_heard(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.heard)
    }

    fn handle_bus_bytes(&mut self, now: Timestamp, mut bytes: &[u8]) {
        let dropped = self.reader.dropped();
        while let Some(message) = self.reader.next_frame(&mut bytes).map(|frame| frame.bus_message()) {
            match message {
                Ok(BusMessage::Ping { address }) => {
                    self.addresses.insert(address.number());
                }
                _ => self.damaged = true,
            }
        }
        self.damaged |= self.reader.dropped() > dropped;
        if let Question::IgnorePing { only } = self.question
            && self.addresses.contains(&only)
        {
            self.ask(now, Question::Others { only });
        }
    }

    /// Runs what is due.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        if self.outcome.is_some() || self.deadline.is_none_or(|at| at > now) {
            return;
        }
        if self.is_within_a_message(now) {
            self.deadline = Some(now.plus(LISTEN_MS));
            return;
        }
        let damaged = self.damaged || !self.reader.pending().is_empty();
        let mut addresses = self.addresses.iter().copied();
        match (self.question, addresses.next(), addresses.next()) {
            (Question::Listen, ..) if self.reader.dropped().min(self.bus_listener.dropped()) >= STRANGE_BYTES => {
                self.outcome = Some(ProbeOutcome::NotABoard);
            }
            (Question::Listen, ..) => self.ask(now, Question::Bus),
            (Question::Bus | Question::Others { .. }, None, _) if !damaged => {
                self.outbox.push_back(Command::UpdateNice);
                self.ask(now, Question::Version);
            }
            (Question::Version | Question::Serial { .. }, ..) if self.then_ping => self.bring_back(now),
            (Question::Bus, Some(only), None) if !damaged => self.ask(now, Question::IgnorePing { only }),
            (Question::Bus | Question::IgnorePing { .. }, Some(_), _) => self.outcome = Some(self.bus(None)),
            (Question::Others { only }, Some(_), _) => self.outcome = Some(self.bus(Some(only))),
            _ if self.tries < TRIES => self.ask_again(now),
            (Question::Serial { .. }, ..) if self.serial.is_none() && !self.brought_back => self.bring_back(now),
            _ => self.outcome = Some(self.after_silence()),
        }
    }

    /// The result where the last try has no answer.
    fn after_silence(&self) -> ProbeOutcome {
        match (self.question, self.serial) {
            // It answered this question once only.
            (Question::Serial { version }, Some(serial)) => ProbeOutcome::Board { serial: serial.to_string(), version },
            _ if self.answered => ProbeOutcome::NotABoard,
            _ => ProbeOutcome::Silent,
        }
    }

    /// Whether a long message passes, whose beginning was not heard: what the line is can be told only after it.
    fn is_within_a_message(&self, now: Timestamp) -> bool {
        let listens = matches!(self.question, Question::Listen | Question::Version | Question::Serial { .. });
        listens
            && self.reader.dropped() >= STRANGE_BYTES
            && now.since(self.last_bytes) <= PAUSE_MS
            && now.since(self.began) < LONGEST_MESSAGE_MS
    }

    fn bus(&self, ignoring: Option<u16>) -> ProbeOutcome {
        let addresses: BTreeSet<_> = self.addresses.iter().copied().chain(ignoring).collect();
        ProbeOutcome::Bus { addresses: addresses.into_iter().collect() }
    }

    fn listen(&mut self, now: Timestamp) {
        self.question = Question::Listen;
        self.reader = FrameReader::new(Mode::Single);
        self.deadline = Some(now.plus(LISTEN_MS));
    }

    fn ask(&mut self, now: Timestamp, question: Question) {
        let answer_ms = if self.then_ping { KNOWN_MS } else { ANSWER_MS };
        let (wait_ms, command, mode) = match question {
            Question::Listen => return self.listen(now),
            Question::Bus | Question::Others { .. } => {
                // What was heard before came from no single board, or this question ends its updates: a dump follows.
                self.heard.clear();
                (BUS_MS, Command::Bus(BusCommand::Ping(Address::ALL)), Mode::Bus)
            }
            Question::IgnorePing { only } => {
                let address = Address::new(only).unwrap_or(Address::ALL);
                (ANSWER_MS, Command::Bus(BusCommand::IgnoreNextPing(address)), Mode::Bus)
            }
            Question::Version => (answer_ms, Command::Version, Mode::Single),
            Question::Serial { .. } => (answer_ms, Command::Serial, Mode::Single),
        };
        if self.reader.mode() != mode || mode == Mode::Bus {
            self.reader = FrameReader::new(mode);
        }
        self.addresses.clear();
        self.damaged = false;
        self.question = question;
        self.tries = 1;
        self.deadline = Some(now.plus(wait_ms));
        self.outbox.push_back(command);
    }
}
