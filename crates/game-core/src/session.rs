//! The session of one board: frames, placement, recognition, clock and game joined into one state machine.
//!
//! Inputs and instants go in (`handle_input`, `handle_timeout`); commands for the board, events of the game and the next
//! deadline come out. The owner drains [`BoardSession::poll_output`] after each call. The same inputs at the same instants
//! always give the same outputs, so a replayed capture equals the live record.
//!
//! The files build on each other from the bottom up: `state` (what a session holds), `result` and `clock_events` (events that
//! stand alone), `late_press`, `conclusions` (recognition into events), `clock_input` and `commands` (what the clock, the
//! board's log, pairings and operators say), and this one, which receives every input.
//!
//! Must not know ports, files, sockets, the date, or which game of a tournament this is.

mod bus;
mod clock_events;
mod clock_input;
mod commands;
mod conclusions;
mod doubts;
#[cfg(feature = "equivalence")]
mod equivalence;
mod late_press;
mod published_clock;
mod result;
mod resume;
mod state;

use dgt_protocol::{Command, Fields, Message, PieceCode};

use crate::event::Side;
use crate::input::{Attach, Input, Notice, Resume};
use crate::link::LinkState;
use crate::placement::Placement;
pub use crate::search::{Explanation, PaidTerm, RunnerUp};
use crate::time::Timestamp;
pub use doubts::Doubts;
pub use state::{BoardSession, Output, ResultClaim};

/// Longest pause within a message, in ms: a radio line may stand still for a second. After a longer one the rest was lost
/// (docs/protocol.md, 2).
const MESSAGE_PAUSE_MS: u64 = 2_000;
/// Minimum squares changed by an unreported move (2); a lost message changes one.
const SQUARES_OF_A_MOVE: usize = 2;

/// Squares that differ in a dump although the board was in reach: more are another position (`search/weights.rs`, `MANY_SQUARES`).
const SQUARES_OF_HANDS: usize = 8;

/// How the players sit, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orientation {
    /// Whether White sits at the far end of the board.
    pub rotated: bool,
    /// Whether the left side of the clock is White's; none before the clock has told.
    pub white_is_left: Option<bool>,
}

/// What the clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockView {
    /// White's time left, in ms.
    pub white_ms: u64,
    /// Black's time left, in ms.
    pub black_ms: u64,
    /// The player whose time runs; none while the clock stands.
    pub running: Option<Side>,
    /// The player whose flag is down; of two, the one whose flag fell first.
    pub flag: Option<Side>,
    /// The instant of the reading.
    pub read_at: Timestamp,
}

/// What the battery of a board has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatteryView {
    /// 0 to 100.
    pub percent: u8,
    /// Whether it is being charged.
    pub charging: bool,
}

impl BatteryView {
    /// Percentage below which it does not last for another round.
    const LOW: u8 = 15;

    /// Whether a person has to charge it.
    pub fn is_low(self) -> bool {
        self.percent < Self::LOW && !self.charging
    }
}

impl BoardSession {
    /// The next output, in order; none when nothing is to be done before the next input or deadline.
    pub fn poll_output(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// When [`Self::handle_timeout`] is due next.
    pub fn next_deadline(&self) -> Option<Timestamp> {
        let claim = self.claim.and_then(|claim| claim.due);
        let deadlines =
            [self.link.next_deadline(), self.recogniser.next_deadline(), self.closing_at, claim, self.end_due()];
        // A deadline in the past is due now.
        deadlines.into_iter().flatten().min().map(|due| due.max(self.now))
    }

    /// Positions whose moves the search has listed so far in this game: what calls cost, without a clock. It begins anew with each
    /// game.
    pub fn positions_listed(&self) -> u64 {
        self.recogniser.positions_listed()
    }

    /// The placement on the board; until the board has reported it, the expected one.
    pub fn placement(&self) -> &Placement {
        self.recogniser.placement()
    }

    /// Whether the board has reported its placement.
    pub fn has_seen_board(&self) -> bool {
        self.recogniser.has_seen_board()
    }

    /// The last reading of the clock; none while no clock is connected.
    pub fn clock(&self) -> Option<ClockView> {
        let (read_at, reading) = self.clock.last().filter(|_| self.clock.is_connected())?;
        let [white_ms, black_ms] = [Side::White, Side::Black].map(|side| self.clock.time_of(side, reading));
        Some(ClockView { white_ms, black_ms, running: self.clock.running(), flag: self.clock.flag(), read_at })
    }

    /// What the board's battery has left; none for a board without one, and before it has said so.
    pub fn battery(&self) -> Option<BatteryView> {
        self.battery
    }

    /// How the players sit.
    pub fn orientation(&self) -> Orientation {
        Orientation { rotated: self.recogniser.rotated(), white_is_left: self.clock.white_is_left() }
    }

    /// Whether a game has started on the board and not ended.
    pub fn game_is_open(&self) -> bool {
        self.open
    }

    /// Whether the board shows what the likeliest line of play in its game leads to, told or not; true as well while that is still
    /// looked for.
    pub fn follows_game(&self) -> bool {
        self.recogniser.follows_game()
    }

    /// The other game that is played on this board, while that is known: nothing of it is told.
    pub fn shows_other(&self) -> Option<&str> {
        self.shows_other.as_deref()
    }

    /// The serial number of another board that answers on the line now: its cable was exchanged. Nothing that it says is used.
    pub fn other_board(&self) -> Option<&str> {
        self.link.other_board()
    }

    /// Bytes from the board that belong to no message, since the session began.
    pub fn damaged_bytes(&self) -> u64 {
        self.reader.dropped()
    }

    /// The likeliest hypotheses, the best first, for engineers: what each costs, its last plies, and what is open in it.
    pub fn hypotheses(&self, count: usize) -> Vec<String> {
        self.recogniser.hypotheses(count)
    }

    /// Keeps from now on why plies are published: slower, and without a bound on memory. For replays.
    pub fn explain_itself(&mut self) {
        self.recogniser.explain_itself();
    }

    /// Why plies were published since the last call.
    pub fn take_explained(&mut self) -> Vec<Explanation> {
        self.recogniser.take_explained()
    }

    /// Takes an input at `now`. The owner runs every deadline at or before `now` first.
    pub fn handle_input(&mut self, now: Timestamp, input: &Input) {
        self.now = self.now.max(now);
        match input {
            Input::Bytes(bytes) => self.handle_bytes(now, bytes),
            Input::Notice(notice) => self.handle_notice(now, notice),
        }
        self.finish_input(now);
    }

    /// Runs what is due at `now`.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        self.now = self.now.max(now);
        self.link.handle_timeout(now);
        self.recogniser.handle_timeout(now);
        if self.claim.and_then(|claim| claim.due).is_some_and(|due| due <= now) {
            self.emit_claim(now);
        }
        if self.closing_at.is_some_and(|at| at <= now) {
            self.end_game(now);
        }
        self.finish_input(now);
    }

    fn handle_bytes(&mut self, now: Timestamp, mut bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let log_begun = self.reader.pending().first().is_some_and(|id| Command::Log.replies().contains(id));
        if !self.reader.pending().is_empty() && now.since(self.last_bytes) > MESSAGE_PAUSE_MS {
            self.reader.abandon();
            if log_begun {
                self.recogniser.log_was_cut();
            }
        }
        self.last_bytes = now;
        if self.link.state() == LinkState::NotResponding {
            // The board may have been without power, so moves may have gone unseen. The clock says so itself.
            self.recogniser.lost_contact();
        }
        self.recogniser.hear(now);
        self.link.note_message(now);
        let dropped = self.reader.dropped();
        let mut refused = false;
        if self.bus.is_some() {
            refused |= self.handle_bus_bytes(now, &mut bytes);
        }
        while let Some(message) = self.reader.next_frame(&mut bytes).map(|frame| frame.message()) {
            match message {
                Ok(message) => self.handle_message(now, &message),
                Err(_) => refused = true,
            }
        }
        if refused || self.reader.dropped() > dropped {
            // The lost bytes may have reported a change on the board.
            self.recogniser.lost_message();
            if log_begun {
                self.recogniser.log_was_cut();
            }
            self.link.message_damaged(now);
        }
    }

    fn handle_message(&mut self, now: Timestamp, message: &Message) {
        if self.link.may_be_another() && !matches!(message, Message::Serial(_)) {
            return;
        }
        match message {
            Message::BoardDump(fields) => {
                self.link.dump_arrived(now);
                if self.is_no_work_of_hands(fields) && self.link.suspects(now) {
                    return;
                }
                self.end_at_start(now, fields);
                let before = *self.placement();
                self.recogniser.handle_dump(now, fields);
                if self.placement().difference(&before).len() >= SQUARES_OF_A_MOVE {
                    self.link.arm_again(now);
                }
            }
            Message::FieldUpdate { field, piece } => {
                self.recogniser.handle_update(now, *field, *piece);
                if *piece != PieceCode::Empty {
                    self.confirm(now);
                }
            }
            Message::Clock(message) => self.handle_clock(now, message),
            Message::Serial(serial) => self.handle_serial(now, serial.number.as_str()),
            Message::Battery(battery) => {
                self.battery = Some(BatteryView { percent: battery.percent.min(100), charging: battery.charging });
            }
            Message::Log(log) => {
                self.handle_log(now, log);
                self.begin_logged_game(now);
            }
            _ => {}
        }
        self.conclude(now);
    }

    /// Something was done that ends a ply. What a bus delivers has checksums.
    fn confirm(&mut self, now: Timestamp) {
        if self.bus.is_none() {
            self.link.confirm(now);
        }
    }

    /// Whether a board that was in reach shows another position, of which it has told nothing.
    fn is_no_work_of_hands(&self, fields: &Fields) -> bool {
        let known = self.recogniser.has_seen_board() && !self.recogniser.has_gap();
        let shown = Placement::from_fields(fields, self.recogniser.rotated());
        known && self.placement().difference(&shown).len() > SQUARES_OF_HANDS
    }

    fn handle_serial(&mut self, now: Timestamp, serial: &str) {
        let known = self.link.other_board().is_some();
        if self.link.serial_arrived(now, serial) {
            // What was not used may have been changes on the board.
            self.recogniser.lost_message();
            self.link.request_dump(now);
        } else if !known && self.link.other_board().is_some() {
            // What seemed to be another game on this board was the game of the other board.
            self.recogniser.await_no_position();
            let right_at = self.link.right_at();
            if let Some(since) = self.recogniser.forget_since(right_at) {
                self.times.forget_since(since);
                self.waiting_press = None;
            }
            // Moves that were told meanwhile were made here, but may have the times of the other clock.
            for ply in self.times.doubt_presses_since(right_at) {
                self.amend(now, ply);
            }
        }
    }

    fn handle_notice(&mut self, now: Timestamp, notice: &Notice) {
        match notice {
            Notice::Attach(attach) => self.handle_attach(now, attach),
            // A daemon that was stopped did not hear the board either.
            Notice::Detach(_) | Notice::Resume(Resume { continued: true, .. }) => self.handle_detach(now),
            Notice::Assign(assign) => self.handle_assign(assign),
            Notice::Command(command) => self.handle_command(now, command),
            Notice::Resume(resume) => self.handle_resume(now, resume),
            Notice::ShowsOther(other) => self.show_other(&other.game),
            // Who comes after this session has not seen what the board shows now.
            Notice::End {} => self.emit_claim(now),
        }
        self.conclude(now);
    }

    /// What is played on the board is of another game, until its own one is set up there again. That may be said of an earlier
    /// position: where moves of its own game explain what stands there now, or all of it but a ply that is being made, nothing changes.
    fn show_other(&mut self, game: &str) {
        let is_another = self.recogniser.is_far_from_game() && !self.recogniser.follows_game();
        if self.open && is_another && self.recogniser.await_own_position() {
            self.shows_other = Some(game.to_owned());
        }
    }

    fn handle_attach(&mut self, now: Timestamp, attach: &Attach) {
        self.take_stop(now);
        self.recount(now, None);
        self.reader.abandon();
        self.set_bus(attach.bus);
        // On a bus a board keeps its changes until they are fetched.
        self.recogniser.attached(self.bus.is_some());
        self.battery = None;
        self.link.attach(now, self.bus.is_some(), attach.bluetooth, attach.serial.clone());
    }

    fn handle_detach(&mut self, now: Timestamp) {
        self.take_stop(now);
        self.recount(now, None);
        self.link.detach();
        self.battery = None;
        self.recogniser.unplugged(now);
        self.clock.lost_contact();
        self.catching_up = true;
    }

    /// Gives out what an input or a deadline has caused: conclusions, and commands for the board.
    fn finish_input(&mut self, now: Timestamp) {
        self.conclude(now);
        self.look_for_end(now);
        if !self.recogniser.awaits_position() {
            self.shows_other = None;
        }
        self.catch_up(now);
        if self.recogniser.take_log_request() {
            self.link.ask_log();
        }
        if self.recogniser.take_dump_request() {
            self.link.request_dump(now);
        }
        while let Some(command) = self.link.poll() {
            let command = self.bus.as_ref().map_or(Some(command), |bus| bus.command(command));
            self.outputs.extend(command.map(Output::Send));
        }
    }
}
