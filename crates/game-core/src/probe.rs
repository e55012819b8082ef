//! Finds out what is at the other end of a port, without disturbing a device that is not a board.
//!
//! A line that may be a bus is first asked as a bus (87 to address 0). Only silence allows a command that would switch every
//! board on a bus to single-board mode (docs/contracts.md, 1.7). A single board may be in bus mode too, as after
//! power-up: it is told to ignore the next ping, and the probe waits for the silence of all others. Damaged bytes do
//! not count as silence.
//!
//! The ping switches a single board's updates off, so they are switched on again with the first question after it. A line
//! that had one board before, at the same place, is asked for that board at once.
//!
//! Must not know ports, nor what happens to the board afterwards.

use std::collections::{BTreeSet, VecDeque};

use dgt_protocol::{Address, BusCommand, BusMessage, Command, FrameReader, Message, Mode};

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
    /// An answer in another protocol, or a board without a serial number.
    NotABoard,
}

/// How a probe begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstQuestion {
    /// As on a bus: for a line that several boards may share.
    Ping,
    /// For a single board: a line that cannot be shared.
    Version,
    /// For a single board, then as on a bus: a line on which a single board was found before.
    VersionThenPing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
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
pub struct Probe {
    question: Question,
    tries: u8,
    deadline: Option<Timestamp>,
    reader: FrameReader,
    addresses: BTreeSet<u16>,
    /// Whether damaged messages have arrived since the question was asked.
    damaged: bool,
    answered: bool,
    /// Whether silence leads to the questions for a bus.
    then_ping: bool,
    outbox: VecDeque<Command>,
    outcome: Option<ProbeOutcome>,
}

impl Probe {
    /// Starts a probe.
    pub fn new(now: Timestamp, first: FirstQuestion) -> Self {
        let mut probe = Self {
            question: Question::Bus,
            tries: 0,
            deadline: None,
            reader: FrameReader::new(Mode::Bus),
            addresses: BTreeSet::new(),
            damaged: false,
            answered: false,
            then_ping: first == FirstQuestion::VersionThenPing,
            outbox: VecDeque::new(),
            outcome: None,
        };
        probe.ask(now, if first == FirstQuestion::Ping { Question::Bus } else { Question::Version });
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
        if self.reader.mode() == Mode::Bus {
            self.handle_bus_bytes(now, bytes);
            return;
        }
        while let Some(message) = self.reader.next_frame(&mut bytes).map(|frame| frame.message()) {
            match (self.question, message) {
                (Question::Version, Ok(Message::Version { main, sub })) => {
                    self.ask(now, Question::Serial { version: (main, sub) });
                }
                (Question::Serial { version }, Ok(Message::Serial(serial))) => {
                    self.outcome = Some(ProbeOutcome::Board { serial: serial.to_string(), version });
                    return;
                }
                _ => {}
            }
        }
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
        let damaged = self.damaged || !self.reader.pending().is_empty();
        let mut addresses = self.addresses.iter().copied();
        match (self.question, addresses.next(), addresses.next()) {
            (Question::Bus | Question::Others { .. }, None, _) if !damaged => {
                self.outbox.push_back(Command::UpdateNice);
                self.ask(now, Question::Version);
            }
            (Question::Version | Question::Serial { .. }, ..) if self.then_ping => {
                self.then_ping = false;
                self.ask(now, Question::Bus);
            }
            (Question::Bus, Some(only), None) if !damaged => self.ask(now, Question::IgnorePing { only }),
            (Question::Bus | Question::IgnorePing { .. }, Some(_), _) => self.outcome = Some(self.bus(None)),
            (Question::Others { only }, Some(_), _) => self.outcome = Some(self.bus(Some(only))),
            (question, ..) if self.tries < TRIES => {
                let tries = self.tries;
                self.ask(now, question);
                self.tries = tries + 1;
            }
            _ if self.answered => self.outcome = Some(ProbeOutcome::NotABoard),
            _ => self.outcome = Some(ProbeOutcome::Silent),
        }
    }

    fn bus(&self, ignoring: Option<u16>) -> ProbeOutcome {
        let addresses: BTreeSet<_> = self.addresses.iter().copied().chain(ignoring).collect();
        ProbeOutcome::Bus { addresses: addresses.into_iter().collect() }
    }

    fn ask(&mut self, now: Timestamp, question: Question) {
        let answer_ms = if self.then_ping { KNOWN_MS } else { ANSWER_MS };
        let (wait_ms, command, mode) = match question {
            Question::Bus | Question::Others { .. } => {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Timestamp {
        Timestamp::from_ms(ms)
    }

    #[test]
    fn a_line_that_may_be_a_bus_hears_no_single_board_command_before_the_silence_is_over() {
        let mut probe = Probe::new(at(0), FirstQuestion::Ping);
        assert_eq!(probe.poll_command(), Some(Command::Bus(BusCommand::Ping(Address::ALL))));
        probe.handle_timeout(at(1_299));
        assert_eq!(probe.poll_command(), None);
        probe.handle_timeout(at(1_300));
        assert_eq!(probe.poll_command(), Some(Command::UpdateNice), "the ping muted a board that was playing");
        assert_eq!(probe.poll_command(), Some(Command::Version));
        probe.handle_bytes(at(1_400), &Message::Version { main: 1, sub: 8 }.encode());
        assert_eq!(probe.poll_command(), Some(Command::Serial));
        let serial = dgt_protocol::SerialNumber::new("01025").unwrap();
        probe.handle_bytes(at(1_500), &Message::Serial(serial).encode());
        let board = ProbeOutcome::Board { serial: "01025".into(), version: (1, 8) };
        assert_eq!(probe.outcome(), Some(&board));
    }

    #[test]
    fn a_line_on_which_a_board_was_found_before_is_asked_at_once_and_as_a_bus_when_it_is_silent() {
        let mut probe = Probe::new(at(0), FirstQuestion::VersionThenPing);
        assert_eq!(probe.poll_command(), Some(Command::Version));
        let mut gone = probe.clone();
        probe.handle_bytes(at(60), &Message::Version { main: 1, sub: 8 }.encode());
        assert_eq!(probe.poll_command(), Some(Command::Serial));
        let serial = dgt_protocol::SerialNumber::new("01025").unwrap();
        probe.handle_bytes(at(120), &Message::Serial(serial).encode());
        let board = ProbeOutcome::Board { serial: "01025".into(), version: (1, 8) };
        assert_eq!(probe.outcome(), Some(&board));
        assert_eq!(probe.poll_command(), None);

        gone.handle_timeout(at(1_000));
        assert_eq!(gone.poll_command(), Some(Command::Bus(BusCommand::Ping(Address::ALL))));
        for number in [1025, 1026] {
            let address = Address::new(number).unwrap();
            gone.handle_bytes(at(1_500), &BusMessage::Ping { address }.encode());
        }
        gone.handle_timeout(at(2_300));
        assert_eq!(gone.outcome(), Some(&ProbeOutcome::Bus { addresses: vec![1025, 1026] }));
    }

    #[test]
    fn a_bus_is_recognised_and_left_alone() {
        let mut probe = Probe::new(at(0), FirstQuestion::Ping);
        probe.poll_command();
        for number in [1025, 1026] {
            let address = Address::new(number).unwrap();
            probe.handle_bytes(at(500), &BusMessage::Ping { address }.encode());
        }
        probe.handle_timeout(at(1_300));
        assert_eq!(probe.outcome(), Some(&ProbeOutcome::Bus { addresses: vec![1025, 1026] }));
        assert_eq!(probe.poll_command(), None);
    }

    #[test]
    fn a_board_alone_that_woke_up_in_bus_mode_is_ignoring_and_found_after_the_others_silence() {
        let address = Address::new(1025).unwrap();
        let mut probe = Probe::new(at(0), FirstQuestion::Ping);
        probe.poll_command();
        probe.handle_bytes(at(500), &BusMessage::Ping { address }.encode());
        probe.handle_timeout(at(1_300));
        assert_eq!(probe.poll_command(), Some(Command::Bus(BusCommand::IgnoreNextPing(address))));
        probe.handle_bytes(at(1_310), &BusMessage::Ping { address }.encode());
        assert_eq!(probe.poll_command(), Some(Command::Bus(BusCommand::Ping(Address::ALL))));
        assert_eq!(probe.poll_command(), None);
        let mut crowded = probe.clone();
        probe.handle_timeout(at(2_610));
        assert_eq!(probe.poll_command(), Some(Command::UpdateNice));
        assert_eq!(probe.poll_command(), Some(Command::Version));

        let other = Address::new(1030).unwrap();
        crowded.handle_bytes(at(1_900), &BusMessage::Ping { address: other }.encode());
        crowded.handle_timeout(at(2_610));
        assert_eq!(crowded.outcome(), Some(&ProbeOutcome::Bus { addresses: vec![1025, 1030] }));
    }

    #[test]
    fn answers_that_damaged_each_other_are_no_silence() {
        let mut probe = Probe::new(at(0), FirstQuestion::Ping);
        probe.poll_command();
        for round in 1..=2 {
            probe.handle_bytes(at(round * 1_300 - 100), &[0x87, 0x00, 0x06, 0x08, 0x87, 0x01]);
            probe.handle_timeout(at(round * 1_300));
            assert_eq!(probe.poll_command(), Some(Command::Bus(BusCommand::Ping(Address::ALL))));
        }
        probe.handle_bytes(at(3_800), &[0x11, 0x22]);
        probe.handle_timeout(at(3_900));
        assert_eq!((probe.poll_command(), probe.outcome()), (None, Some(&ProbeOutcome::NotABoard)));
    }

    #[test]
    fn silence_and_strangers_are_told_apart_and_a_late_board_is_waited_for() {
        let mut silent = Probe::new(at(0), FirstQuestion::Version);
        let mut stranger = Probe::new(at(0), FirstQuestion::Version);
        stranger.handle_bytes(at(10), b"OK\r\n");
        for ms in [2_000, 4_000, 6_000] {
            assert_eq!(silent.outcome(), None);
            silent.handle_timeout(at(ms));
            stranger.handle_timeout(at(ms));
        }
        assert_eq!(silent.outcome(), Some(&ProbeOutcome::Silent));
        assert_eq!(stranger.outcome(), Some(&ProbeOutcome::NotABoard));
        assert_eq!(std::iter::from_fn(|| silent.poll_command()).count(), 3);
    }
}
