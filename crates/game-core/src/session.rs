//! One board's session: frames, placement, recognition, clocks and game joined into one machine without I/O.
//!
//! Inputs go in with their time (`handle_input`, `handle_timeout`); commands for the board, events of the game and the
//! next deadline come out. After each call the owner drains [`BoardSession::poll_output`]. The same inputs at the same
//! times always give the same outputs, which is what makes a replay of a capture equal to the live record.
//!
//! Knows nothing of ports, files, sockets, the date, or which game of a tournament this is.

mod alike;
mod doubts;
mod orders;
mod presses;
mod result;
mod resume;
mod told;

use std::collections::VecDeque;

use dgt_protocol::{Command, FrameReader, Message, Mode};
use notation::pgn::Outcome;

use crate::clock::ClockTracker;
use crate::controls::Controls;
use crate::event::{Author, Event, Evidence, Record};
use crate::input::{Attach, Input, Notice, ResultRule};
use crate::line::square_names;
use crate::link::{Link, LinkState};
use crate::placement::Placement;
use crate::press::Press;
use crate::recognise::{Conclusion, Recogniser};
use crate::time::Timestamp;
use crate::times::Times;
use crate::unsteady::Unsteady;
pub use doubts::Doubts;
use presses::LatePress;
pub use result::ResultClaim;
use told::ToldClock;

/// A message that is not complete this long after its last byte is dead (protocol paper, 2), in ms.
const MESSAGE_DEAD_MS: u64 = 250;
/// A move that was not told changes so many squares at least; a message that was lost, one.
const SQUARES_OF_A_MOVE: usize = 2;
/// What a session gives out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// To be sent to the board.
    Send(Command),
    /// To be recorded.
    Event(Record),
}

/// What is known about the board itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// How it can be reached.
    pub link: LinkState,
    /// The port it is on.
    pub port: String,
    /// Its serial number.
    pub serial: Option<String>,
    /// Firmware, main and sub.
    pub version: Option<(u8, u8)>,
    /// Bytes that belonged to no message.
    pub bytes_dropped: u64,
    /// Messages whose content was impossible.
    pub messages_refused: u64,
}

/// The session of one board.
#[derive(Clone, Debug)]
pub struct BoardSession {
    reader: FrameReader,
    last_bytes: Timestamp,
    link: Link,
    recogniser: Recogniser,
    unsteady: Unsteady,
    clock: ClockTracker,
    times: Times,
    status: Status,
    game: String,
    time_control: Option<Controls>,
    result_rule: ResultRule,
    result: Outcome,
    /// A game was started and has not ended.
    open: bool,
    closing_at: Option<Timestamp>,
    claim: Option<ResultClaim>,
    /// The latest time that was ever given.
    now: Timestamp,
    /// The board or its clock was out of reach, and what the lever says about the moves made meanwhile is not used yet.
    catching_up: bool,
    /// A press that is given to its move when the board has shown that nothing went unseen.
    waiting_press: Option<LatePress>,
    told_clock: ToldClock,
    /// Who is behind what happens during this input.
    author: Author,
    outputs: VecDeque<Output>,
}

impl Default for BoardSession {
    fn default() -> Self {
        Self::new()
    }
}

impl BoardSession {
    /// A session that has seen nothing.
    pub fn new() -> Self {
        Self {
            reader: FrameReader::new(Mode::Single),
            last_bytes: Timestamp::ZERO,
            link: Link::default(),
            recogniser: Recogniser::new(),
            unsteady: Unsteady::default(),
            clock: ClockTracker::default(),
            times: Times::default(),
            status: Status::default(),
            game: String::new(),
            time_control: None,
            result_rule: ResultRule::default(),
            result: Outcome::Unknown,
            open: false,
            closing_at: None,
            claim: None,
            now: Timestamp::ZERO,
            catching_up: false,
            waiting_press: None,
            told_clock: ToldClock::default(),
            author: Author::Board,
            outputs: VecDeque::new(),
        }
    }

    /// The next output, in order; none when there is nothing more to do until the next input or deadline.
    pub fn poll_output(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// When [`Self::handle_timeout`] is due next.
    pub fn next_deadline(&self) -> Option<Timestamp> {
        let claim = self.claim.and_then(|claim| claim.due);
        let deadlines = [self.link.next_deadline(), self.recogniser.next_deadline(), self.closing_at, claim];
        // What an input makes due is due now, not before it.
        deadlines.into_iter().flatten().min().map(|due| due.max(self.now))
    }

    /// What is known about the board.
    pub fn status(&self) -> Status {
        Status { link: self.link.state(), bytes_dropped: self.reader.dropped(), ..self.status.clone() }
    }

    /// What stands on the board, or should, as long as the board has not shown it.
    pub fn placement(&self) -> &Placement {
        self.recogniser.placement()
    }

    /// Whether the board has shown what stands on it.
    pub fn has_seen_board(&self) -> bool {
        self.recogniser.has_seen_board()
    }

    /// The clock.
    pub fn clock(&self) -> &ClockTracker {
        &self.clock
    }

    /// Whether White sits at the far end, as far as that is known.
    pub fn rotated(&self) -> bool {
        self.recogniser.rotated()
    }

    /// Whether a game was started that has not ended for the board.
    pub fn game_is_open(&self) -> bool {
        self.open
    }

    /// Takes an input.
    pub fn handle_input(&mut self, now: Timestamp, input: &Input) {
        self.now = self.now.max(now);
        match input {
            Input::Bytes(bytes) => self.handle_bytes(now, bytes),
            Input::Notice(notice) => self.handle_notice(now, notice),
        }
        self.settle(now);
    }

    /// Runs what is due at `now`.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        self.now = self.now.max(now);
        self.link.handle_timeout(now);
        self.recogniser.handle_timeout(now);
        if self.claim.and_then(|claim| claim.due).is_some_and(|due| due <= now) {
            self.tell_claim(now);
        }
        if self.closing_at.is_some_and(|at| at <= now) {
            self.end_game(now);
        }
        self.settle(now);
    }

    fn handle_bytes(&mut self, now: Timestamp, mut bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if !self.reader.pending().is_empty() && now.since(self.last_bytes) > MESSAGE_DEAD_MS {
            self.reader.abandon();
        }
        self.last_bytes = now;
        if self.link.state() == LinkState::NotResponding {
            // It may have been without power: what was played meanwhile went unseen. The clock told when it could.
            self.recogniser.lost_sight();
        }
        self.link.heard(now);
        let dropped = self.reader.dropped();
        let mut refused = 0;
        while let Some(message) = self.reader.next_frame(&mut bytes).map(|frame| frame.message()) {
            match message {
                Ok(message) => self.handle_message(now, &message),
                Err(_) => refused += 1,
            }
        }
        self.status.messages_refused += refused;
        if refused > 0 || self.reader.dropped() > dropped {
            // What was lost may have been a change on the board.
            self.recogniser.lost_message(now);
            self.link.wish_dump(now);
        }
    }

    fn handle_message(&mut self, now: Timestamp, message: &Message) {
        match message {
            Message::BoardDump(fields) => {
                let asked = self.link.dump_arrived(now);
                let before = *self.placement();
                self.recogniser.handle_dump(now, fields, asked);
                if self.placement().difference(&before).len() >= SQUARES_OF_A_MOVE {
                    self.link.arm_again(now);
                }
            }
            Message::FieldUpdate { field, piece } => {
                self.unsteady.update(now, *field, *piece);
                self.recogniser.handle_update(now, *field, *piece);
            }
            Message::Clock(message) => self.handle_clock(now, message),
            Message::Log(log) => {
                self.handle_log(now, log);
                self.begin_logged_game(now);
            }
            Message::Serial(serial) => self.status.serial = Some(serial.to_string()),
            Message::Version { main, sub } => self.status.version = Some((*main, *sub)),
            _ => {}
        }
        self.conclude(now);
    }

    fn handle_notice(&mut self, now: Timestamp, notice: &Notice) {
        match notice {
            Notice::Attach(attach) => self.handle_attach(now, attach),
            Notice::Detach(_) => {
                self.link.detach();
                self.recogniser.unplugged();
                self.clock.lost_sight();
                self.catching_up = true;
            }
            Notice::Assign(assign) => self.handle_assign(assign),
            Notice::Command(command) => self.handle_command(now, command),
            Notice::Resume(resume) => self.handle_resume(now, resume),
            Notice::End {} => {}
        }
        self.conclude(now);
    }

    fn handle_attach(&mut self, now: Timestamp, attach: &Attach) {
        self.reader.abandon();
        self.link.attach(now);
        self.status.port.clone_from(&attach.port);
        self.status.serial.clone_from(&attach.serial);
        self.status.version = attach.version;
    }

    /// Turns what recognition concluded into events.
    fn conclude(&mut self, now: Timestamp) {
        while let Some(conclusion) = self.recogniser.poll() {
            match conclusion {
                Conclusion::Started => self.start_game(now),
                Conclusion::Confirmed { ply, seen, evidence } => self.publish(now, ply, seen, evidence),
                Conclusion::Retracted { to_ply, pressed } => {
                    let by_hand = self.author != Author::Board;
                    if pressed {
                        self.times.carry_over(to_ply + 1);
                    }
                    if pressed || by_hand {
                        self.times.truncate(to_ply);
                    } else {
                        self.times.take_back(to_ply);
                    }
                    let evidence = if by_hand { Evidence::Command } else { Evidence::Quiet };
                    self.tell(now, Event::Retract { to_ply: ply_number(to_ply) }, evidence);
                }
                Conclusion::Unexplained(squares) => {
                    let event = Event::Unexplained { squares: square_names(squares) };
                    self.tell(now, event, Evidence::Quiet);
                }
                Conclusion::PlayedOn => self.tell(now, Event::PlayedOn, Evidence::Quiet),
                Conclusion::Resolved => self.tell(now, Event::Resolved, Evidence::Quiet),
                Conclusion::Over { outcome, reason, evidence } => {
                    self.note_claim(now, outcome, reason, evidence);
                }
                Conclusion::Undone => self.claim = None,
            }
        }
        self.use_waiting_press(now);
    }

    fn start_game(&mut self, now: Timestamp) {
        self.end_game(now);
        let Some(line) = self.recogniser.line() else { return };
        let event = Event::GameStarted { fen: line.start_fen(), variant: line.variant() };
        self.clock.seat(self.recogniser.rotated());
        // Of a game that nobody saw begin, moves and presses were seen before it was understood.
        let seen_before = line.plies() > 0;
        self.times = std::mem::take(&mut self.times).next_game(self.time_control.as_ref(), line.mover(1), seen_before);
        if let Some((_, reading)) = self.clock.last().filter(|_| !seen_before) {
            self.times.set_start(reading);
        }
        self.game.clear();
        self.result = Outcome::Unknown;
        self.open = true;
        let evidence = if self.author == Author::Board { Evidence::StartPosition } else { Evidence::Command };
        self.tell(now, event, evidence);
        if self.clock.is_connected() {
            self.tell_clock(now);
        }
    }

    fn publish(&mut self, now: Timestamp, ply: usize, seen: Timestamp, evidence: Evidence) {
        let Some(line) = self.recogniser.line() else { return };
        let (Some(name), mover) = (line.name(ply), line.mover(ply)) else { return };
        let head = line.plies();
        if evidence == Evidence::Dump && self.times.has_unused() {
            let is_movers = |ply, press: Press| self.clock.side(press.left) == line.mover(ply);
            let complete = self.times.assign(ply, head, is_movers);
            if complete {
                let last_mover = line.mover(head);
                self.recogniser.handle_press(now, last_mover);
            }
        }
        let press = self.times.take_assigned(ply).or_else(|| {
            // What a person or the log tells is no move that a press has just ended.
            let told = matches!(evidence, Evidence::Command | Evidence::Log);
            let press = self.times.last_press().filter(|_| !told)?;
            let belongs = self.clock.side(press.left) == mover
                && (evidence == Evidence::Lever || press.at >= self.times.seen(ply - 1));
            belongs.then(|| {
                self.times.use_last_press();
                press
            })
        });
        self.times.publish(ply, seen, press);
        self.times.recompute(ply, mover, &self.clock);
        let (clk_ms, emt_ms) = self.times.published(ply);
        self.told_clock.played();
        let event = Event::Move { ply: ply_number(ply), san: name.san, uci: name.uci, clk_ms, emt_ms };
        self.tell(now, event, evidence);
    }

    /// Passes on what the parts want to send.
    fn settle(&mut self, now: Timestamp) {
        self.conclude(now);
        self.catch_up(now);
        if self.recogniser.take_log_wish() {
            self.link.ask_log();
        }
        if self.recogniser.take_dump_wish() {
            self.link.wish_dump(now);
        }
        while let Some(command) = self.link.poll() {
            self.outputs.push_back(Output::Send(command));
        }
    }

    fn tell(&mut self, t: Timestamp, event: Event, evidence: Evidence) {
        // What is wrong before a game begins is told too.
        let alone = matches!(event, Event::GameStarted { .. } | Event::Unexplained { .. } | Event::Resolved);
        if self.open || alone {
            self.outputs.push_back(Output::Event(Record { t, event, author: self.author.clone(), evidence }));
        }
    }
}

/// Plies are counted in 32 bits; no game comes near.
fn ply_number(ply: usize) -> u32 {
    u32::try_from(ply).unwrap_or(u32::MAX)
}
