//! One task for each board: it owns the board's session, its capture and, while the board is within reach, its line.
//!
//! Decides when another capture begins, what follows when the line ends and which game an event belongs to. Must not know
//! chess, nor what becomes of the events.

mod king_shown;
mod recovery;
mod set_up;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{self, Duration};

use chrono::NaiveDate;
use game_core::event::{Event, Record};
use game_core::input::{Assign, Attach, Command, Detach, Input, Notice, Order, Resume};
use game_core::replay::Continued;
use game_core::time::Timestamp;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use self::king_shown::KingWatch;
use self::recovery::Recovery;
use self::set_up::{SetUp, SettingUp};
use crate::boards::display::BoardDisplay;
use crate::boards::past_sessions::{PastSession, PastSessions};
use crate::boards::registry::BoardMessage;
use crate::boards::session::{CapturedSession, SessionFailed, SessionOutput};
use crate::director::{BoardLink, BoardPast, DirectorHandle};
use crate::transport::ask::FoundBoard;
use crate::transport::capture_file::{self, CaptureFile, CaptureFolder};
use crate::transport::{Chunk, Gone, Port};
use hall_clock::{HallClock, UtcMs, local_date};
use journal::{Batch, BoardFact, NewBoardFact, NewEvent};
use tournament::GameRef;
use tournament::OpenedGame;

/// How long after midnight a game may keep its board's capture of the day before.
const HALF_A_DAY_MS: u64 = 12 * 3_600_000;
/// How often captures reach the disk (docs/contracts.md, 3.2) and the day is looked at.
pub(crate) const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// A board that sends nothing for this long is out of reach although its line is open: the session polls it far more often.
const SILENCE: Duration = Duration::from_secs(15);

/// Bytes in a second that no board sends: a line of 9600 baud carries 960, and the longest message, a whole log, has 7,942.
const CHATTER_BYTES: f64 = 20_000.0;

/// Wait before a capture that could not be written is tried again.
const RETRY_CAP: Duration = Duration::from_mins(1);

/// What every board's task needs.
#[derive(Clone, Debug)]
pub struct BoardContext {
    /// Hall time.
    pub clock: HallClock,
    /// The owner of the tournament: which board plays which game, and where events go.
    pub director: DirectorHandle,
    /// Where captures are kept.
    pub captures: CaptureFolder,
    /// The sessions of the daemon that was stopped.
    pub past_sessions: PastSessions,
}

/// Runs one board until the stop, and publishes its state in `display`.
pub async fn run(
    serial: Arc<str>,
    context: BoardContext,
    mut mailbox: mpsc::Receiver<BoardMessage>,
    display: BoardDisplay,
    stop: CancellationToken,
) {
    let mut board = BoardTask::begin(serial, context, display).await;
    let mut ticks = tokio::time::interval(SYNC_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let working = board.recovery.due.is_none();
        let deadline = board.session.next_deadline().filter(|_| working);
        tokio::select! {
            // What was read is older than what is due.
            biased;
            () = stop.cancelled() => return board.end().await,
            message = mailbox.recv() => match message {
                Some(BoardMessage::Found(found)) => board.attach(found).await,
                Some(BoardMessage::Notice(notice, taken)) => {
                    board.take_notice(notice).await;
                    // The order is complete when the director has what follows from it.
                    board.link.flush().await;
                    // The sender may have gone.
                    let _ = taken.send(());
                }
                None => return board.end().await,
            },
            received = receive(&mut board.line), if working => match received {
                Ok(chunk) => board.bytes(chunk).await,
                Err(gone) => board.detach(gone).await,
            },
            () = board.context.clock.sleep_until(deadline.unwrap_or(0)), if deadline.is_some() => {
                board.deadlines().await;
            }
            _ = ticks.tick() => board.tick().await,
        }
    }
}

/// An open line and when it last brought bytes.
struct OpenLine {
    port: Port,
    attach: Attach,
    last_received: Instant,
    /// Bytes of the present second, and when it began.
    received: (u64, Instant),
}

impl OpenLine {
    /// Counts bytes; gives how many came in a second if no board sends as many.
    fn chatter(&mut self, bytes: usize, most: f64) -> Option<u64> {
        let now = Instant::now();
        self.last_received = now;
        self.received.0 += bytes as u64;
        if now < self.received.1 + SYNC_INTERVAL {
            return None;
        }
        let (received, _) = std::mem::replace(&mut self.received, (0, now));
        (received as f64 > most).then_some(received)
    }
}

async fn receive(line: &mut Option<OpenLine>) -> Result<Chunk, Gone> {
    match line {
        Some(line) => line.port.receive().await,
        None => std::future::pending().await,
    }
}

struct BoardTask {
    serial: Arc<str>,
    context: BoardContext,
    link: BoardLink,
    display: BoardDisplay,
    session: CapturedSession,
    /// The day of the capture at the venue.
    day: NaiveDate,
    /// When a capture that could not be written is tried again.
    capture_retry: Option<Instant>,
    recovery: Recovery,
    syncing: Option<JoinHandle<()>>,
    line: Option<OpenLine>,
    game: Option<GameRef>,
    /// The position that is being set up: a game came from another board.
    setting_up: Option<SettingUp>,
    /// For a table that is identified by a king on its board.
    king: KingWatch,
    /// How the board lies, as it was recorded last.
    orientation: (bool, Option<bool>),
}

impl BoardTask {
    /// Resumes what the board was doing.
    async fn begin(serial: Arc<str>, context: BoardContext, display: BoardDisplay) -> Self {
        let mut link = context.director.link(Arc::clone(&serial));
        let BoardPast { game, resume, orientation } = link.past().await;
        let OpenCapture { file, zero, day } = open_capture(&context, &serial);
        let past_session = match &file {
            Some(file) => {
                let now = Timestamp::from_ms(context.clock.now().saturating_sub(zero));
                context.past_sessions.take(file.path(), resume.clone(), now).await
            }
            None => PastSession::Unknown,
        };
        let mut board = Self {
            capture_retry: retry_time(file.as_ref()),
            session: CapturedSession::begin(context.clock, zero, file),
            serial,
            context,
            link,
            display,
            day,
            recovery: Recovery::default(),
            syncing: None,
            line: None,
            game,
            setting_up: None,
            king: KingWatch::default(),
            orientation,
        };
        let resume = resume.unwrap_or_default();
        match past_session {
            PastSession::GoesOn(continued) => board.go_on_as_before(continued, resume).await,
            // What stands there is of the game before, until people have set up this one.
            PastSession::OfAnotherGame => {
                board.setting_up = SettingUp::of(&resume);
                board.notice(Notice::Resume(Resume { set_up: true, ..resume })).await;
            }
            PastSession::Unknown => board.notice(Notice::Resume(resume)).await,
        }
        board.expect().await;
        board
    }

    /// Goes on with the session of the daemon that was stopped.
    async fn go_on_as_before(&mut self, continued: Continued, resume: Resume) {
        tracing::debug!("the board's session goes on from its capture");
        if !continued.unexplained.is_empty() {
            self.display.note(&Event::Unexplained { squares: continued.unexplained.clone() });
        }
        let recorded = SettingUp::of(&resume);
        let mut outputs = Vec::new();
        let taken = self.session.go_on(continued, resume, &mut outputs);
        // People may be setting the game up, on a board that lies the other way round.
        self.setting_up = recorded.filter(|_| self.session.resume().is_some_and(|own| own.set_up));
        self.handle_outputs(outputs, taken).await;
    }

    async fn attach(&mut self, found: FoundBoard) {
        let FoundBoard { port, serial, version, heard, .. } = found;
        if self.line.take().is_some() {
            let reason = "the board came within reach another way".into();
            self.notice(Notice::Detach(Detach { reason })).await;
        }
        let firmware = version.map_or_else(|| "unknown".into(), |(main, sub)| format!("{main}.{sub}"));
        let bus = port.bus_address();
        let shared = bus.map_or_else(String::new, |address| format!(" on a bus, address {address}"));
        tracing::info!(port = %port.address(), "board attached{shared}, firmware {firmware}");
        let bluetooth = port.address().is_bluetooth();
        let attach = Attach { port: port.address().to_string(), serial: Some(serial), version, bus, bluetooth };
        self.line = Some(OpenLine {
            port,
            attach: attach.clone(),
            last_received: Instant::now(),
            received: (0, Instant::now()),
        });
        // What the line has brought since then was read later.
        self.input(heard.at, Input::Notice(Notice::Attach(attach))).await;
        if !heard.bytes.is_empty() {
            // Moves that were made while the board was being found.
            self.bytes(heard).await;
        }
    }

    async fn detach(&mut self, gone: Gone) {
        let Some(line) = self.line.take() else { return };
        tracing::warn!(port = %line.port.address(), "board out of reach: {gone}; it is looked for");
        self.notice(Notice::Detach(Detach { reason: gone.0 })).await;
    }

    /// Takes a notice of the director's.
    async fn take_notice(&mut self, notice: Notice) {
        match notice {
            // The session has heard the board since the result.
            Notice::Resume(resume) if self.recovery.due.is_none() && self.session.can_play_on(&resume) => {
                self.game = self.context.director.hall().game_ref(&resume.game);
                let order = Order::PlayOn;
                self.notice(Notice::Command(Command { by: String::new(), order })).await;
            }
            Notice::Resume(resume) => self.go_on_with(resume).await,
            // Another board has the game now, or it goes on later.
            Notice::Assign(assign) if assign == Assign::default() => self.go_on_with(Resume::default()).await,
            Notice::Assign(assign) => {
                self.game = self.context.director.hall().game_ref(&assign.game).or_else(|| self.game.take());
                self.notice(Notice::Assign(assign)).await;
            }
            other => {
                if let Notice::Command(Command { order: Order::Blind { squares }, .. }) = &other {
                    let fact = BoardFact::IgnoredSquares { squares: squares.clone() };
                    let boards = vec![self.board_fact(fact)];
                    self.link.hand_in(Batch { boards, ..Batch::default() });
                }
                self.notice(other).await;
            }
        }
    }

    /// Goes on with a game that was played on another board, or with none because another board has it now. The board's
    /// orientation stays until the position shows it.
    async fn go_on_with(&mut self, resume: Resume) {
        let (rotated, white_is_left) = self.session.orientation();
        self.game = self.context.director.hall().game_ref(&resume.game);
        self.setting_up = SettingUp::of(&resume);
        let blind = self.session.resume().map(|own| own.blind).unwrap_or_default();
        self.begin_anew(Some(Resume { rotated, white_is_left, blind, ..resume })).await;
    }

    /// Gives the session the start position of the board's next game when it is not the usual one.
    async fn expect(&mut self) {
        if let Some(assign) = self.link.expected().await {
            self.notice(Notice::Assign(assign)).await;
        }
    }

    /// While a position is set up: checks whether it stands there. When it stands there turned, a session that knows the
    /// turned orientation takes over.
    async fn check_set_up(&mut self) {
        let wanted = self.setting_up.as_ref().filter(|_| self.session.has_seen_board());
        match wanted.map(|wanted| wanted.look(self.session.placement())) {
            None | Some(SetUp::NotYet) => {}
            Some(SetUp::Stands) => self.setting_up = None,
            Some(SetUp::StandsTurned) => {
                self.setting_up = None;
                let resume = self.session.resume();
                self.begin_anew(resume.map(|resume| Resume {
                    rotated: !resume.rotated,
                    white_is_left: None,
                    ..resume
                }))
                .await;
            }
        }
    }

    async fn bytes(&mut self, Chunk { at, bytes }: Chunk) {
        let most = CHATTER_BYTES * self.context.clock.speed().max(1.0);
        let chatter = self.line.as_mut().and_then(|line| line.chatter(bytes.len(), most));
        if let Some(received) = chatter {
            let reason = format!("it sent {received} bytes in a second, more than a board can; check the cable");
            return self.detach(Gone(reason)).await;
        }
        let damaged = self.session.damaged_bytes();
        let alone = self.line.as_ref().is_some_and(|line| line.attach.bus.is_none());
        let received = bytes.clone();
        self.input(at, Input::Bytes(bytes)).await;
        // A session that began again counts from 0.
        let damaged = self.session.damaged_bytes().saturating_sub(damaged);
        self.display.counters().received(&received, damaged, alone);
        if let Some(exchanged) = self.session.exchanged() {
            return self.detach(exchanged).await;
        }
        self.check_set_up().await;
    }

    async fn input(&mut self, at: time::Instant, input: Input) {
        if self.recovery.due.is_none() {
            let mut outputs = Vec::new();
            let taken = self.session.take(at, input, &mut outputs);
            self.handle_outputs(outputs, taken).await;
        }
    }

    async fn notice(&mut self, notice: Notice) {
        self.input(time::Instant::now(), Input::Notice(notice)).await;
    }

    async fn deadlines(&mut self) {
        let mut outputs = Vec::new();
        let run = self.session.run_deadlines(&mut outputs);
        self.handle_outputs(outputs, run).await;
    }

    /// To be called every second.
    async fn tick(&mut self) {
        self.link.try_flush();
        let now = Instant::now();
        if let Some(due) = self.recovery.due {
            if due <= now {
                self.recover().await;
            }
            return;
        }
        if self.line.as_ref().is_some_and(|line| line.last_received + self.silence() < now) {
            self.detach(Gone(format!("no answer for {} s", SILENCE.as_secs()))).await;
        }
        let seen = Some(self.session.placement()).filter(|_| self.line.is_some() && self.session.has_seen_board());
        if self.king.look(self.context.director.hall().identifying.is_some(), seen) {
            self.link.king_shown().await;
        }
        let day_changed = day_is_over(self.day, self.context.clock.now(), self.session.game_is_open());
        if day_changed || self.capture_retry.is_some_and(|at| at <= now) {
            self.renew_capture(day_changed).await;
        }
        if self.syncing.as_ref().is_none_or(JoinHandle::is_finished)
            && let Some(file) = self.session.capture().and_then(CaptureFile::take_unsynced)
        {
            self.syncing = Some(self.context.captures.sync(file));
        }
    }

    /// [`SILENCE`] in real time; a rehearsal may be slower than life, and then its boards are too.
    fn silence(&self) -> Duration {
        SILENCE.div_f64(self.context.clock.speed().min(1.0))
    }

    /// Sends commands to the board and hands events in, in the order of the outputs.
    async fn handle_outputs(&mut self, outputs: Vec<SessionOutput>, mut outcome: Result<(), SessionFailed>) {
        let mut queue = VecDeque::from(outputs);
        let mut events = Vec::new();
        let mut sent = Ok(());
        while let Some(output) = queue.pop_front() {
            match output {
                SessionOutput::Send(command) => {
                    if command == dgt_protocol::Command::Board {
                        self.display.counters().dump_requested();
                    }
                    if let Some(line) = &mut self.line {
                        sent = sent.and(line.port.send(&command.encode()));
                    }
                }
                SessionOutput::Event(at, record) if matches!(record.event, Event::GameStarted { .. }) => {
                    self.display.note(&record.event);
                    self.flush_capture();
                    self.hand_in(std::mem::take(&mut events));
                    if let Some(assign) = self.open_game(at, record).await
                        && outcome.is_ok()
                    {
                        let mut more = Vec::new();
                        outcome = self.session.answer(Input::Notice(Notice::Assign(assign)), &mut more);
                        queue.extend(more);
                    }
                }
                SessionOutput::Event(at, Record { event, author, evidence, .. }) => {
                    self.display.note(&event);
                    // What happens before the first game of a board belongs to none.
                    if let Some(game) = self.game.clone() {
                        events.push(NewEvent { at, game, author, evidence, event });
                    }
                }
            }
        }
        self.flush_capture();
        self.hand_in(events);
        self.display.update(self.line.is_some(), &self.session, self.game.as_ref());
        if let Err(failure) = outcome {
            tracing::error!("{failure}");
            self.recovery.begin(Instant::now());
        }
        if let Err(gone) = sent {
            // Boxed, because detaching is an input of the session, whose outputs come here again.
            Box::pin(self.detach(gone)).await;
        }
    }

    /// Writes the capture first: a process that is killed must not leave a move in the journal without its evidence.
    fn flush_capture(&mut self) {
        let captures = &self.context.captures;
        match captures.write(|| self.session.flush()) {
            Ok(true) => captures.written(),
            Ok(false) => {}
            Err(error) => {
                captures.failed(&error);
                self.capture_retry = retry_time(None);
            }
        }
    }

    fn hand_in(&mut self, games: Vec<NewEvent>) {
        let orientation = self.session.orientation();
        let mut boards = Vec::new();
        if self.game.is_some() && orientation != self.orientation {
            self.orientation = orientation;
            let (rotated, white_is_left) = orientation;
            boards.push(self.board_fact(BoardFact::Orientation { rotated, white_is_left }));
        }
        if !games.is_empty() || !boards.is_empty() {
            self.link.hand_in(Batch { boards, games, ..Batch::default() });
        }
    }

    fn board_fact(&self, fact: BoardFact) -> NewBoardFact {
        NewBoardFact { at: self.context.clock.now(), board: Arc::clone(&self.serial), fact }
    }

    /// A start position came onto the board; returns what the session must know about the game.
    async fn open_game(&mut self, at: UtcMs, record: Record) -> Option<Assign> {
        let Event::GameStarted { variant, .. } = record.event else { return None };
        self.setting_up = None;
        self.game = None;
        let OpenedGame { game, time_control, result_rule, doubting, .. } = self.link.open_game(at, record).await?;
        tracing::info!(game = %game.game, table = game.table, "game started");
        let assign = Assign { game: game.game.to_string(), fen: None, variant, time_control, result_rule, doubting };
        self.game = Some(game);
        Some(assign)
    }

    /// Opens the capture of today again, with a session that goes on where the old one stopped: at a change of day, and when the old
    /// capture could not be written.
    async fn renew_capture(&mut self, day_changed: bool) {
        let capture = open_capture(&self.context, &self.serial);
        // The session is kept when the new file cannot be written either.
        if capture.file.is_some() || day_changed {
            self.notice(Notice::End {}).await;
            if self.recovery.due.is_some() {
                return;
            }
            let resume = self.session.resume();
            self.replace_session(capture, resume).await;
        } else {
            self.capture_retry = retry_time(None);
        }
    }

    /// Replaces the session by one that knows only `resume`, with a capture of its own.
    async fn begin_anew(&mut self, resume: Option<Resume>) {
        self.notice(Notice::End {}).await;
        if self.recovery.due.is_none() {
            let capture = open_capture(&self.context, &self.serial);
            self.replace_session(capture, resume).await;
        }
    }

    /// Replaces a session that failed: by one that knows what it knew, or nothing if that one failed at once, too.
    async fn recover(&mut self) {
        let resume = if self.recovery.again { None } else { self.session.resume() };
        let capture = open_capture(&self.context, &self.serial);
        self.recovery.due = None;
        if let Some(line) = &mut self.line {
            line.last_received = Instant::now();
        }
        self.replace_session(capture, resume).await;
    }

    async fn replace_session(&mut self, OpenCapture { file, zero, day }: OpenCapture, resume: Option<Resume>) {
        self.capture_retry = retry_time(file.as_ref());
        self.session = CapturedSession::begin(self.context.clock, zero, file);
        self.day = day;
        // An empty one is written, too, so that a replay starts over here as well.
        self.notice(Notice::Resume(resume.unwrap_or_default())).await;
        self.expect().await;
        if let Some(attach) = self.line.as_ref().map(|line| line.attach.clone()) {
            self.notice(Notice::Attach(attach)).await;
        }
    }

    async fn end(mut self) {
        self.notice(Notice::End {}).await;
        self.link.flush().await;
        if let Some(file) = self.session.capture().and_then(CaptureFile::take_unsynced) {
            capture_file::sync(&file);
        }
    }
}

/// Whether it is time for the next day's capture. A game that goes on past midnight stays in its capture: the next session
/// would know its moves, but not the turn that is being thought about or the result that is being shown. One that was left
/// open stays no longer than until noon.
fn day_is_over(day: NaiveDate, now: UtcMs, game_is_open: bool) -> bool {
    let earlier = if game_is_open { now.saturating_sub(HALF_A_DAY_MS) } else { now };
    local_date(earlier) > day
}

/// The capture of a day with the hall time of its t = 0. Without one, games go on.
struct OpenCapture {
    file: Option<CaptureFile>,
    zero: UtcMs,
    day: NaiveDate,
}

/// Opens the capture of today.
fn open_capture(context: &BoardContext, serial: &str) -> OpenCapture {
    let now = context.clock.now();
    let day = local_date(now);
    match context.captures.open(serial, day, now) {
        Some((file, zero)) => OpenCapture { file: Some(file), zero, day },
        None => OpenCapture { file: None, zero: now, day },
    }
}

fn retry_time(capture: Option<&CaptureFile>) -> Option<Instant> {
    capture.is_none().then(|| Instant::now() + RETRY_CAP)
}
