//! A board's session together with its capture: every input of the session is written to the capture.
//!
//! Stamps each input with the time when it was read, writes it to the capture, runs every deadline at or before that stamp,
//! each at its own time, then the input: so a daemon that is scheduled late does not mistake bytes that wait for silence, and a
//! replay of the file gives exactly what was emitted live (docs/contracts.md, 1.1). Must not know where inputs come
//! from or what becomes of the outputs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use dgt_protocol::Command;
use game_core::capture::{CaptureLine, Entry};
use game_core::event::Record;
use game_core::input::{Input, Notice, Resume};
use game_core::placement::Placement;
use game_core::replay::Continued;
use game_core::session::{BatteryView, BoardSession, Doubts, Output};
use game_core::time::Timestamp;

use crate::transport::Gone;
use crate::transport::capture_file::{CaptureFile, CaptureFileError};
use hall_clock::{HallClock, UtcMs};
use tournament::{ClockShown, ResultShown};

/// An output of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionOutput {
    /// To be sent to the board; already in the capture.
    Send(Command),
    /// An event with its hall time; the instants in it are UTC.
    Event(UtcMs, Record),
}

/// A session with its capture.
pub struct CapturedSession {
    clock: HallClock,
    /// Hall time of the session's instant 0.
    zero: UtcMs,
    session: BoardSession,
    /// The time up to which inputs were taken and deadlines run.
    latest: Timestamp,
    capture: Option<CaptureFile>,
}

/// The session panicked; it must be started again.
#[derive(Debug, thiserror::Error)]
#[error("the board's session failed: {0}; it starts again from the moves known so far")]
pub struct SessionFailed(String);

impl CapturedSession {
    /// Begins a session at this hall time; without a capture it goes on all the same.
    pub fn begin(clock: HallClock, zero: UtcMs, capture: Option<CaptureFile>) -> Self {
        Self { clock, zero, session: BoardSession::new(), latest: Timestamp::ZERO, capture }
    }

    /// Goes on with the session that the capture ended with, and adds what did not reach the record. `recorded` is what the record
    /// has of its game.
    ///
    /// # Errors
    /// [`SessionFailed`] when the session panicked.
    pub fn go_on(
        &mut self,
        continued: Continued,
        recorded: Resume,
        outputs: &mut Vec<SessionOutput>,
    ) -> Result<(), SessionFailed> {
        let Continued { session, at, unrecorded, .. } = continued;
        self.session = *session;
        outputs.extend(unrecorded.into_iter().map(|record| self.dated(record)));
        self.take_at(at, Input::Notice(Notice::Resume(Resume { continued: true, ..recorded })), outputs)
    }

    /// Takes an input that was read at `at` and adds the outputs of the session.
    ///
    /// # Errors
    /// [`SessionFailed`] when the session panicked; the input is in the capture, and earlier outputs are in `outputs`.
    pub fn take(&mut self, at: Instant, input: Input, outputs: &mut Vec<SessionOutput>) -> Result<(), SessionFailed> {
        self.take_at(self.stamp(at), input, outputs)
    }

    /// Takes the answer to an output at the time of that output, as [`CapturedSession::take`]: what was read while it was waited for is
    /// later.
    ///
    /// # Errors
    /// As there.
    pub fn answer(&mut self, input: Input, outputs: &mut Vec<SessionOutput>) -> Result<(), SessionFailed> {
        self.take_at(self.latest, input, outputs)
    }

    fn take_at(&mut self, at: Timestamp, input: Input, outputs: &mut Vec<SessionOutput>) -> Result<(), SessionFailed> {
        let now = at.max(self.latest);
        self.latest = now;
        let line = CaptureLine { at: now, entry: Entry::In(input) };
        if let Some(capture) = &mut self.capture {
            capture.write(&line);
        }
        let taken = guard(|| {
            self.run_until(now, outputs);
            if let Entry::In(input) = &line.entry {
                self.session.handle_input(now, input);
            }
        });
        guard(|| self.drain(now, outputs))?;
        taken
    }

    /// Runs the deadlines that have come and adds the outputs of the session.
    ///
    /// # Errors
    /// [`SessionFailed`] when the session panicked; earlier outputs are in `outputs`.
    pub fn run_deadlines(&mut self, outputs: &mut Vec<SessionOutput>) -> Result<(), SessionFailed> {
        let now = self.stamp(Instant::now());
        guard(|| self.run_until(now, outputs))
    }

    /// Hall time at which [`CapturedSession::run_deadlines`] has something to do.
    pub fn next_deadline(&self) -> Option<UtcMs> {
        self.session.next_deadline().map(|deadline| self.zero + deadline.as_ms())
    }

    /// What the next session must know to go on; none when the session has panicked.
    pub fn resume(&self) -> Option<Resume> {
        guard(|| self.session.to_resume()).ok().flatten()
    }

    /// Whether the session itself goes on with this game, whose result is taken back.
    pub fn can_play_on(&self, game: &Resume) -> bool {
        guard(|| self.session.can_play_on(game)).unwrap_or(false)
    }

    /// Whether a game was started that has not ended for the board.
    pub fn game_is_open(&self) -> bool {
        self.session.game_is_open()
    }

    /// How the board lies: whether White sits at the far end, and whether the clock's left side is White's, once known.
    pub fn orientation(&self) -> (bool, Option<bool>) {
        let orientation = self.session.orientation();
        (orientation.rotated, orientation.white_is_left)
    }

    /// Whether the board shows what play in its game leads to, told or not.
    pub fn follows_game(&self) -> bool {
        self.session.follows_game()
    }

    /// The other game that is played on this board, while that is known.
    pub fn shows_other(&self) -> Option<&str> {
        self.session.shows_other()
    }

    /// Why the line must be given back: the board at its other end is not this one any more.
    pub fn exchanged(&self) -> Option<Gone> {
        let other = self.session.other_board()?;
        Some(Gone(format!("board {other} answers on its line now, its cable was exchanged")))
    }

    /// Bytes from the board that belong to no message, since this session began.
    pub fn damaged_bytes(&self) -> u64 {
        self.session.damaged_bytes()
    }

    /// What the battery of the board has left.
    pub fn battery(&self) -> Option<BatteryView> {
        self.session.battery()
    }

    /// What a person should check.
    pub fn doubts(&self) -> Doubts {
        self.session.doubts()
    }

    /// The result that the board shows, while it is not confirmed.
    pub fn result_shown(&self) -> Option<ResultShown> {
        let claim = self.session.claim()?;
        let (result, reason) = (claim.outcome.as_str().to_owned(), claim.reason.to_owned());
        Some(ResultShown { result, reason, due: claim.due.map(|due| self.zero + due.as_ms()) })
    }

    /// The position on the board; before the board has sent one, the expected one.
    pub fn placement(&self) -> &Placement {
        self.session.placement()
    }

    /// Whether the board has sent its position.
    pub fn has_seen_board(&self) -> bool {
        self.session.has_seen_board()
    }

    /// What the clock shows; none without a clock.
    pub fn clock_shown(&self) -> Option<ClockShown> {
        let clock = self.session.clock()?;
        let (white_ms, black_ms) = (Some(clock.white_ms), Some(clock.black_ms));
        Some(ClockShown { white_ms, black_ms, running: clock.running, read_at: self.zero + clock.read_at.as_ms() })
    }

    /// The capture, unless it could not be written.
    pub fn capture(&mut self) -> Option<&mut CaptureFile> {
        self.capture.as_mut()
    }

    /// Hands the collected lines to the kernel; a capture that cannot be written is abandoned.
    ///
    /// # Errors
    /// When this happened.
    pub fn flush(&mut self) -> Result<bool, CaptureFileError> {
        let Some(capture) = &mut self.capture else {
            return Ok(false);
        };
        let flushed = capture.flush();
        if flushed.is_err() {
            self.capture = None;
        }
        flushed
    }

    fn stamp(&self, at: Instant) -> Timestamp {
        Timestamp::from_ms(self.clock.at(at).saturating_sub(self.zero))
    }

    fn run_until(&mut self, now: Timestamp, outputs: &mut Vec<SessionOutput>) {
        while let Some(deadline) = self.session.next_deadline().filter(|deadline| *deadline <= now) {
            self.latest = self.latest.max(deadline);
            self.session.handle_timeout(deadline);
            self.drain(deadline, outputs);
        }
    }

    fn drain(&mut self, at: Timestamp, outputs: &mut Vec<SessionOutput>) {
        while let Some(output) = self.session.poll_output() {
            outputs.push(match output {
                Output::Send(command) => {
                    if let Some(capture) = &mut self.capture {
                        capture.write(&CaptureLine { at, entry: Entry::Out(command.encode()) });
                    }
                    SessionOutput::Send(command)
                }
                Output::Event(record) => self.dated(record),
            });
        }
    }

    /// An event with its hall time.
    fn dated(&self, Record { t, event, author, evidence }: Record) -> SessionOutput {
        let record = Record { t, event: event.shifted(self.zero), author, evidence };
        SessionOutput::Event(self.zero + t.as_ms(), record)
    }
}

/// Keeps a mistake in the session from taking the board's task with it.
pub(super) fn guard<T>(work: impl FnOnce() -> T) -> Result<T, SessionFailed> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        SessionFailed(text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".into()))
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use board_sim::placement::code;
    use dgt_protocol::Message;
    use game_core::event::Event;
    use game_core::input::Attach;
    use shakmaty::{Chess, Position, Square};

    use super::*;

    #[test]
    fn what_was_read_in_time_is_taken_for_that_time_however_late_its_turn_is() {
        let clock = HallClock::start(1_000.0);
        let begun = Instant::now();
        let mut session = CapturedSession::begin(clock, clock.at(begun), None);
        let mut outputs = Vec::new();
        session.take(begun, Input::Notice(Notice::Attach(Attach::default())), &mut outputs).unwrap();
        // The daemon gets no turn for twenty seconds of the hall.
        std::thread::sleep(Duration::from_millis(20));
        let start = Chess::default();
        let fields = Square::ALL.map(|square| code(start.board().piece_at(square.flip_vertical())));
        let dump = Input::Bytes(Message::BoardDump(fields).encode());
        session.take(begun + Duration::from_millis(1), dump, &mut outputs).unwrap();
        let started = outputs.iter().find_map(|output| match output {
            SessionOutput::Event(at, Record { event: Event::GameStarted { .. }, .. }) => Some(at - clock.at(begun)),
            _ => None,
        });
        assert_eq!(started, Some(1_000));
    }

    #[test]
    fn a_mistake_in_a_session_ends_in_a_sentence() {
        let board = "e4";
        let failed = guard(|| assert_eq!(board, "e5", "the board disagrees")).unwrap_err();
        assert!(failed.to_string().contains("the board disagrees"), "{failed}");
        assert_eq!(guard(|| board).unwrap(), "e4");
    }
}
