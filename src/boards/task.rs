//! One task for each board: it owns the board's session, its capture and, while the board is within reach, its line.
//!
//! Knows when to begin a new capture, what to do when the line ends and which game an event belongs to. Must not know
//! chess, nor what becomes of the events.

mod recovery;
mod set_up;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::fs::File;
use std::sync::Arc;
use std::time::{self, Duration};

use chrono::NaiveDate;
use game_core::capture::CaptureHeader;
use game_core::event::{Event, Record};
use game_core::input::{Assign, Attach, Command, Detach, Input, Notice, Order, Resume};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use self::recovery::Recovery;
use self::set_up::{SetUp, SettingUp};
use crate::boards::registry::{Message, Showing};
use crate::boards::session::{CapturedSession, Given, SessionFailed};
use crate::director::{BoardPast, Director};
use crate::transport::ask::FoundBoard;
use crate::transport::capture_file::{CaptureFile, CaptureFolder};
use crate::transport::{Chunk, Gone, Port};
use hall_clock::{HallClock, UtcMs, local_date};
use journal::{Batch, BoardFact, NewBoardFact, NewEvent};
use tournament::GameRef;
use tournament::OpenedGame;

/// How long after midnight a game may keep its board's capture of the day before.
const HALF_A_DAY_MS: u64 = 12 * 3_600_000;
/// How often captures reach the disk (DESIGN 3.2) and the day is looked at.
pub(crate) const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// A board that says nothing for so long is out of reach, although its line is open: a session asks for a sign of life
/// far more often.
const SILENCE: Duration = Duration::from_secs(15);

/// How long a capture that could not be written is given up before it is tried again, and the longest that a session
/// which fails again and again waits.
const RETRY_CAP: Duration = Duration::from_mins(1);

/// What every board's task needs.
#[derive(Clone, Debug)]
pub struct BoardContext {
    /// Hall time.
    pub clock: HallClock,
    /// Which board plays which game, and where events go.
    pub director: Director,
    /// Where captures are kept.
    pub captures: CaptureFolder,
}

/// Runs one board until the stop; others see in `showing` what it shows.
pub async fn run(
    serial: Arc<str>,
    context: BoardContext,
    mut mailbox: mpsc::Receiver<Message>,
    showing: Showing,
    stop: CancellationToken,
) {
    let mut board = BoardTask::begin(serial, context, showing);
    let mut ticks = tokio::time::interval(SYNC_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let working = board.recovery.due.is_none();
        let deadline = board.session.next_deadline().filter(|_| working);
        tokio::select! {
            // What was read is older than what is due.
            biased;
            () = stop.cancelled() => return board.end(),
            message = mailbox.recv() => match message {
                Some(Message::Found(found)) => board.attach(found),
                Some(Message::Notice(notice, taken)) => {
                    board.order(notice);
                    // Whoever ordered it may have gone.
                    let _ = taken.send(());
                }
                None => return board.end(),
            },
            received = receive(&mut board.line), if working => match received {
                Ok(chunk) => board.bytes(chunk),
                Err(gone) => board.detach(gone),
            },
            () = board.context.clock.sleep_until(deadline.unwrap_or(0)), if deadline.is_some() => board.deadlines(),
            _ = ticks.tick() => board.tick(),
        }
    }
}

/// An open line and when it last brought bytes.
struct OpenLine {
    port: Port,
    attach: Attach,
    heard: Instant,
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
    showing: Showing,
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
    /// How the board lies, as far as it was recorded.
    facing: (bool, Option<bool>),
}

impl BoardTask {
    /// Goes on where the journal says that the board stood.
    fn begin(serial: Arc<str>, context: BoardContext, showing: Showing) -> Self {
        let zero = context.clock.now();
        let BoardPast { game, resume, facing } = context.director.past(&serial);
        let (capture, day) = open_capture(&context, &serial, zero);
        let mut board = Self {
            capture_retry: retry_time(capture.as_ref()),
            session: CapturedSession::begin(context.clock, zero, capture),
            serial,
            context,
            showing,
            day,
            recovery: Recovery::default(),
            syncing: None,
            line: None,
            game,
            setting_up: None,
            facing,
        };
        board.notice(Notice::Resume(resume.unwrap_or_default()));
        board.expect();
        board
    }

    fn attach(&mut self, found: FoundBoard) {
        let FoundBoard { port, serial, version } = found;
        if self.line.take().is_some() {
            let reason = "the board came within reach another way".into();
            self.notice(Notice::Detach(Detach { reason }));
        }
        tracing::info!(port = %port.address(), "board attached, firmware {}.{}", version.0, version.1);
        let attach = Attach { port: port.address().to_string(), serial: Some(serial), version: Some(version) };
        self.line = Some(OpenLine { port, attach: attach.clone(), heard: Instant::now() });
        self.notice(Notice::Attach(attach));
    }

    fn detach(&mut self, gone: Gone) {
        let Some(line) = self.line.take() else { return };
        tracing::warn!(port = %line.port.address(), "board out of reach: {gone}; it is looked for");
        self.notice(Notice::Detach(Detach { reason: gone.0 }));
    }

    /// The director has something for the session.
    fn order(&mut self, notice: Notice) {
        match notice {
            Notice::Resume(resume) => self.go_on_with(resume),
            // Another board has the game now, or it goes on later.
            Notice::Assign(assign) if assign == Assign::default() => self.go_on_with(Resume::default()),
            Notice::Assign(assign) => {
                self.game = self.context.director.hall().game_ref(&assign.game).or_else(|| self.game.take());
                self.notice(Notice::Assign(assign));
            }
            other => {
                if let Notice::Command(Command { order: Order::Blind { squares }, .. }) = &other {
                    let fact = BoardFact::IgnoredSquares { squares: squares.clone() };
                    let boards = vec![self.board_draft(fact)];
                    self.context.director.batch(&self.serial, Batch { boards, ..Batch::default() });
                }
                self.notice(other);
            }
        }
    }

    /// Goes on with a game that was played on another board, or with none because another board has it now. The board
    /// lies as it ever did until the position tells.
    fn go_on_with(&mut self, resume: Resume) {
        let (rotated, white_is_left) = self.session.facing();
        self.game = self.context.director.hall().game_ref(&resume.game);
        self.setting_up = SettingUp::of(&resume);
        let blind = self.session.resume().map(|own| own.blind).unwrap_or_default();
        self.begin_anew(Some(Resume { rotated, white_is_left, blind, ..resume }));
    }

    /// Tells the session from which position the board's next game starts, when it is not the usual one.
    fn expect(&mut self) {
        if let Some(assign) = self.context.director.expected(&self.serial) {
            self.notice(Notice::Assign(assign));
        }
    }

    /// While a position is set up: whether it stands there, or stands there the other way round, which takes a session that
    /// knows so.
    fn look_at_set_up(&mut self) {
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
                }));
            }
        }
    }

    fn bytes(&mut self, Chunk { at, bytes }: Chunk) {
        if let Some(line) = &mut self.line {
            line.heard = Instant::now();
        }
        self.input(at, Input::Bytes(bytes));
        self.look_at_set_up();
    }

    fn input(&mut self, at: time::Instant, input: Input) {
        if self.recovery.due.is_none() {
            let mut given = Vec::new();
            let taken = self.session.take(at, input, &mut given);
            self.give_on(given, taken);
        }
    }

    fn notice(&mut self, notice: Notice) {
        self.input(time::Instant::now(), Input::Notice(notice));
    }

    fn deadlines(&mut self) {
        let mut given = Vec::new();
        let run = self.session.run_deadlines(&mut given);
        self.give_on(given, run);
    }

    /// Every second.
    fn tick(&mut self) {
        let now = Instant::now();
        if let Some(due) = self.recovery.due {
            if due <= now {
                self.recover();
            }
            return;
        }
        if self.line.as_ref().is_some_and(|line| line.heard + self.silence() < now) {
            self.detach(Gone(format!("no answer for {} s", SILENCE.as_secs())));
        }
        let day_changed = day_is_over(self.day, self.context.clock.now(), self.session.game_is_open());
        if day_changed || self.capture_retry.is_some_and(|at| at <= now) {
            self.renew_capture(day_changed);
        }
        if self.syncing.as_ref().is_none_or(JoinHandle::is_finished)
            && let Some(file) = self.session.capture().and_then(CaptureFile::take_unsynced)
        {
            self.syncing = Some(tokio::task::spawn_blocking(move || sync(&file)));
        }
    }

    /// [`SILENCE`] in real time; a rehearsal may be slower than life, and then its boards are too.
    fn silence(&self) -> Duration {
        SILENCE.div_f64(self.context.clock.speed().min(1.0))
    }

    /// Does what the session asks, in its order.
    fn give_on(&mut self, given: Vec<Given>, mut outcome: Result<(), SessionFailed>) {
        let mut queue = VecDeque::from(given);
        let mut drafts = Vec::new();
        let mut sent = Ok(());
        while let Some(given) = queue.pop_front() {
            match given {
                Given::Send(command) => {
                    if let Some(line) = &mut self.line {
                        sent = sent.and(line.port.send(&command.encode()));
                    }
                }
                Given::Event(at, record) if matches!(record.event, Event::GameStarted { .. }) => {
                    self.keep_evidence();
                    self.batch(std::mem::take(&mut drafts));
                    if let Some(assign) = self.open_game(at, record)
                        && outcome.is_ok()
                    {
                        let mut more = Vec::new();
                        outcome =
                            self.session.take(time::Instant::now(), Input::Notice(Notice::Assign(assign)), &mut more);
                        queue.extend(more);
                    }
                }
                Given::Event(at, Record { event, author, evidence, .. }) => {
                    self.showing.note(&event);
                    // What happens before the first game of a board belongs to none.
                    if let Some(game) = self.game.clone() {
                        drafts.push(NewEvent { at, game, author, evidence, event });
                    }
                }
            }
        }
        self.keep_evidence();
        self.batch(drafts);
        self.showing.update(self.line.is_some(), &self.session, self.game.as_ref());
        if let Err(failure) = outcome {
            tracing::error!("{failure}");
            self.recovery.begin(Instant::now());
        }
        if let Err(gone) = sent {
            self.detach(gone);
        }
    }

    /// The evidence first: a process that is killed must not leave the record ahead of it.
    fn keep_evidence(&mut self) {
        if let Err(error) = self.session.flush() {
            self.context.captures.failed(&error);
            self.capture_retry = retry_time(None);
        }
    }

    fn batch(&mut self, games: Vec<NewEvent>) {
        let facing = self.session.facing();
        let mut boards = Vec::new();
        if self.game.is_some() && facing != self.facing {
            self.facing = facing;
            let (rotated, white_is_left) = facing;
            boards.push(self.board_draft(BoardFact::Orientation { rotated, white_is_left }));
        }
        if !games.is_empty() || !boards.is_empty() {
            self.context.director.batch(&self.serial, Batch { boards, games, ..Batch::default() });
        }
    }

    fn board_draft(&self, fact: BoardFact) -> NewBoardFact {
        NewBoardFact { at: self.context.clock.now(), board: Arc::clone(&self.serial), fact }
    }

    /// A start position came onto the board; gives what the session must be told about the game.
    fn open_game(&mut self, at: UtcMs, record: Record) -> Option<Assign> {
        let Event::GameStarted { variant, .. } = record.event else { return None };
        self.setting_up = None;
        self.game = None;
        let OpenedGame { game, time_control, result_rule, .. } =
            self.context.director.open_game(&self.serial, at, record)?;
        tracing::info!(game = %game.game, table = game.table, "game started");
        let assign = Assign { game: game.game.to_string(), fen: None, variant, time_control, result_rule };
        self.game = Some(game);
        Some(assign)
    }

    /// Begins a new capture, with a session that goes on where the old one stands: at a change of day, and when the old
    /// capture could not be written.
    fn renew_capture(&mut self, day_changed: bool) {
        let zero = self.context.clock.now();
        let (capture, day) = open_capture(&self.context, &self.serial, zero);
        // A session does not lose its thread for a file that cannot be written.
        if capture.is_some() || day_changed {
            self.notice(Notice::End {});
            if self.recovery.due.is_some() {
                return;
            }
            let resume = self.session.resume();
            self.replace_session(zero, capture, day, resume);
        } else {
            self.capture_retry = retry_time(None);
        }
    }

    /// Begins a session that knows this and nothing else, with a capture of its own.
    fn begin_anew(&mut self, resume: Option<Resume>) {
        self.notice(Notice::End {});
        if self.recovery.due.is_none() {
            let zero = self.context.clock.now();
            let (capture, day) = open_capture(&self.context, &self.serial, zero);
            self.replace_session(zero, capture, day, resume);
        }
    }

    /// Begins a session after one failed: from what that one knew, or from nothing when it failed again at once.
    fn recover(&mut self) {
        let resume = if self.recovery.again { None } else { self.session.resume() };
        let zero = self.context.clock.now();
        let (capture, day) = open_capture(&self.context, &self.serial, zero);
        self.recovery.due = None;
        if let Some(line) = &mut self.line {
            line.heard = Instant::now();
        }
        self.replace_session(zero, capture, day, resume);
    }

    fn replace_session(&mut self, zero: UtcMs, capture: Option<CaptureFile>, day: NaiveDate, resume: Option<Resume>) {
        self.capture_retry = retry_time(capture.as_ref());
        self.session = CapturedSession::begin(self.context.clock, zero, capture);
        self.day = day;
        // Nothing is told as nothing, so that a replay of several captures begins anew here too.
        self.notice(Notice::Resume(resume.unwrap_or_default()));
        self.expect();
        if let Some(attach) = self.line.as_ref().map(|line| line.attach.clone()) {
            self.notice(Notice::Attach(attach));
        }
    }

    fn end(mut self) {
        self.notice(Notice::End {});
        if let Some(file) = self.session.capture().and_then(CaptureFile::take_unsynced) {
            sync(&file);
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

/// A new capture of today, if it can be written; games go on without.
fn open_capture(context: &BoardContext, serial: &str, zero: UtcMs) -> (Option<CaptureFile>, NaiveDate) {
    let day = local_date(zero);
    let header = CaptureHeader { started: Some(zero), board: Some(serial.to_owned()), ..CaptureHeader::default() };
    (context.captures.create(serial, day, &header), day)
}

fn retry_time(capture: Option<&CaptureFile>) -> Option<Instant> {
    capture.is_none().then(|| Instant::now() + RETRY_CAP)
}

fn sync(file: &File) {
    if let Err(error) = file.sync_data() {
        tracing::warn!(%error, "a capture does not reach the disk: check the disk");
    }
}
