//! One task for each board: it owns the board's session, its capture and, while the board is within reach, its line.
//!
//! Knows when to begin a new capture, what to do when the line ends and which game an event belongs to. Must not know
//! chess, nor what becomes of the events.

use std::collections::VecDeque;
use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

use chrono::NaiveDate;
use game_core::capture::CaptureHeader;
use game_core::event::{Author, Event, Evidence, Record};
use game_core::input::{Assign, Attach, Detach, Input, Notice, Resume};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use crate::captured_session::{CapturedSession, Given, SessionFailed};
use crate::hall_clock::{HallClock, UtcMs};
use crate::record::{BoardDraft, BoardFact, Draft, GameRef, HandIn, RecorderHandle};
use crate::store::{BoardPast, Reader};
use crate::supervisor::Backoff;
use crate::tournament::until_office::{OpenedGame, Tournament, venue_date};
use crate::transport::ask::FoundBoard;
use crate::transport::capture_file::{CaptureFile, CaptureFolder};
use crate::transport::{Gone, Port};

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
    /// Which board plays which game.
    pub tournament: Arc<Tournament>,
    /// Where events go.
    pub recorder: RecorderHandle,
    /// Where captures are kept.
    pub captures: CaptureFolder,
    /// What was recorded before; none for a journal that ends with the process.
    pub journal: Option<Arc<Reader>>,
}

/// Runs one board until the stop. Each message of the mailbox is the board coming within reach.
pub async fn run(
    serial: String,
    context: BoardContext,
    mut mailbox: mpsc::Receiver<FoundBoard>,
    stop: CancellationToken,
) {
    let mut board = BoardTask::begin(serial, context);
    let mut ticks = tokio::time::interval(SYNC_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let working = board.recovery.due.is_none();
        let deadline = board.session.next_deadline().filter(|_| working);
        tokio::select! {
            () = stop.cancelled() => return board.end(),
            found = mailbox.recv() => match found {
                Some(found) => board.attach(found),
                None => return board.end(),
            },
            received = receive(&mut board.line), if working => match received {
                Ok(bytes) => board.bytes(bytes),
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

async fn receive(line: &mut Option<OpenLine>) -> Result<Vec<u8>, Gone> {
    match line {
        Some(line) => line.port.receive().await,
        None => std::future::pending().await,
    }
}

struct BoardTask {
    serial: String,
    context: BoardContext,
    session: CapturedSession,
    /// The day of the capture at the venue.
    day: NaiveDate,
    /// When a capture that could not be written is tried again.
    capture_retry: Option<Instant>,
    recovery: Recovery,
    syncing: Option<JoinHandle<()>>,
    line: Option<OpenLine>,
    game: Option<GameRef>,
    /// How the board lies, as far as it was recorded.
    facing: (bool, Option<bool>),
    /// What happened to the board and is not handed in yet.
    facts: Vec<BoardFact>,
}

impl BoardTask {
    /// Goes on where the journal says that the board stood.
    fn begin(serial: String, context: BoardContext) -> Self {
        let zero = context.clock.now();
        let BoardPast { table: seated, game, resume, facing } = known_past(&context, &serial);
        let (capture, day) = open_capture(&context, &serial, zero);
        let mut board = Self {
            capture_retry: retry_time(capture.as_ref()),
            session: CapturedSession::begin(context.clock, zero, capture),
            serial,
            context,
            day,
            recovery: Recovery::default(),
            syncing: None,
            line: None,
            game,
            facing,
            facts: Vec::new(),
        };
        let table = board.context.tournament.seat(&board.serial);
        if seated != Some(table) {
            board.facts.push(BoardFact::Seated { table });
        }
        board.notice(Notice::Resume(resume.unwrap_or_default()));
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

    fn bytes(&mut self, bytes: Vec<u8>) {
        if let Some(line) = &mut self.line {
            line.heard = Instant::now();
        }
        self.input(Input::Bytes(bytes));
    }

    fn input(&mut self, input: Input) {
        if self.recovery.due.is_none() {
            let mut given = Vec::new();
            let taken = self.session.take(input, &mut given);
            self.give_on(given, taken);
        }
    }

    fn notice(&mut self, notice: Notice) {
        self.input(Input::Notice(notice));
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
        let day_changed = venue_date(self.context.clock.now()) != self.day;
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
                Given::Event(at, record) => {
                    if let Some(assign) = self.draft(at, record, &mut drafts)
                        && outcome.is_ok()
                    {
                        let mut more = Vec::new();
                        outcome = self.session.take(Input::Notice(Notice::Assign(assign)), &mut more);
                        queue.extend(more);
                    }
                }
            }
        }
        // The evidence first: a process that is killed must not leave the record ahead of it.
        if let Err(error) = self.session.flush() {
            self.context.captures.failed(&error);
            self.capture_retry = retry_time(None);
        }
        self.hand_in(drafts);
        if let Err(failure) = outcome {
            tracing::error!("{failure}");
            self.recovery.begin(Instant::now());
        }
        if let Err(gone) = sent {
            self.detach(gone);
        }
    }

    fn hand_in(&mut self, games: Vec<Draft>) {
        let facing = self.session.facing();
        if self.game.is_some() && facing != self.facing {
            self.facing = facing;
            let (rotated, white_is_left) = facing;
            self.facts.push(BoardFact::Facing { rotated, white_is_left });
        }
        if games.is_empty() && self.facts.is_empty() {
            return;
        }
        let event = self.context.tournament.slug();
        let board: Arc<str> = self.serial.as_str().into();
        let at = self.context.clock.now();
        let draft = |fact| BoardDraft { at, event: Arc::clone(event), board: Arc::clone(&board), fact };
        let boards = self.facts.drain(..).map(draft).collect();
        self.context.recorder.record(HandIn { boards, games });
    }

    /// Drafts of an event; for the start of a game also what the session must be told about it.
    fn draft(&mut self, at: UtcMs, record: Record, drafts: &mut Vec<Draft>) -> Option<Assign> {
        let Record { event, author, evidence, .. } = record;
        let Event::GameStarted { variant, .. } = event else {
            // What happens before the first game of a board belongs to none.
            let game = self.game.clone()?;
            drafts.push(Draft { at, game, author, evidence, event });
            return None;
        };
        self.game = None;
        let opened = self.context.tournament.open_game(&self.serial, at);
        self.facts.push(BoardFact::Began {
            game: opened.as_ref().map(|opened| opened.game.game.to_string()),
            round: opened.as_ref().map(|opened| opened.game.round),
        });
        let Some(opened) = opened else {
            tracing::info!("a game that no pairing knows is captured and not published");
            return None;
        };
        let OpenedGame { game, tags, time_control } = opened;
        tracing::info!(game = %game.game, table = game.table, "game started");
        self.game = Some(game.clone());
        let assign = Assign { game: game.game.to_string(), fen: None, variant, time_control };
        drafts.push(Draft { at, game: game.clone(), author, evidence, event });
        let (author, evidence) = (Author::Rule("pairing".into()), Evidence::Command);
        drafts.push(Draft { at, game, author, evidence, event: Event::Tags { tags } });
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

/// What is known about failures of the session.
struct Recovery {
    /// When a session that failed is begun again; until then nothing is fed to it.
    due: Option<Instant>,
    last: Option<Instant>,
    /// Whether it failed soon after it was begun again.
    again: bool,
    backoff: Backoff,
}

impl Default for Recovery {
    fn default() -> Self {
        Self { due: None, last: None, again: false, backoff: Backoff::new(SYNC_INTERVAL, RETRY_CAP) }
    }
}

impl Recovery {
    fn begin(&mut self, now: Instant) {
        self.again = self.last.replace(now).is_some_and(|last| last + 2 * RETRY_CAP > now);
        if !self.again {
            self.backoff.reset();
        }
        self.due = Some(now + self.backoff.wait());
    }
}

/// What the journal knows of a board; nothing when it cannot be read, which is logged.
fn known_past(context: &BoardContext, serial: &str) -> BoardPast {
    let Some(journal) = &context.journal else { return BoardPast::default() };
    journal.board(context.tournament.slug(), serial).unwrap_or_else(|error| {
        tracing::error!(%error, "what this board was playing is not known: its next game starts from the start position");
        BoardPast::default()
    })
}

/// A new capture of today, if it can be written; games go on without.
fn open_capture(context: &BoardContext, serial: &str, zero: UtcMs) -> (Option<CaptureFile>, NaiveDate) {
    let day = venue_date(zero);
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

#[cfg(test)]
mod tests {
    use super::*;

    use std::path::Path;

    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;

    use crate::record;
    use crate::store::Journal;
    use crate::tournament::until_office::EventInfo;
    use crate::transport::Address;

    /// A board's task in a hall of this speed, with its captures in a folder.
    struct Table {
        mailbox: mpsc::Sender<FoundBoard>,
        task: JoinHandle<()>,
        stop: CancellationToken,
    }

    impl Table {
        fn begin(folder: &Path, speed: f64) -> Self {
            let clock = HallClock::start(speed);
            let event = EventInfo::new(None, None, None, &[]);
            let tournament = Arc::new(Tournament::new(event, Vec::new(), clock.now()));
            let (recorder, _, _) = record::start(clock, Journal::in_memory().unwrap(), Vec::new()).unwrap();
            let captures = CaptureFolder::new(folder.to_owned());
            let (mailbox, received) = mpsc::channel(1);
            let stop = CancellationToken::new();
            let context = BoardContext { clock, tournament, recorder, captures, journal: None };
            let task = tokio::spawn(run("20077".into(), context, received, stop.clone()));
            Self { mailbox, task, stop }
        }

        async fn end(self) {
            self.stop.cancel();
            self.task.await.unwrap();
        }
    }

    fn captures(folder: &Path) -> Vec<String> {
        let mut paths: Vec<_> = std::fs::read_dir(folder.join("20077"))
            .map(|files| files.map(|file| file.unwrap().path()).collect())
            .unwrap_or_default();
        paths.sort();
        paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
    }

    /// Waits for the captures to be as they should, in steps of a second of tokio's time.
    async fn wait_for(folder: &Path, fact: impl Fn(&[String]) -> bool) {
        for _ in 0..300 {
            if fact(&captures(folder)) {
                return;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        panic!("the captures never became what they should: {:?}", captures(folder));
    }

    #[tokio::test]
    async fn a_new_day_begins_a_new_capture_with_what_is_known() {
        let folder = tempfile::tempdir().unwrap();
        // A day passes in four seconds.
        let table = Table::begin(folder.path(), 20_000.0);
        wait_for(folder.path(), |captures| captures.len() >= 2).await;
        table.end().await;
        for capture in captures(folder.path()) {
            assert!(capture.contains(" ! {\"resume\":"), "{capture}");
            assert!(capture.ends_with(" ! {\"end\":{}}\n"), "{capture}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn captures_begin_once_their_folder_can_be_written() {
        let folder = tempfile::tempdir().unwrap();
        let captures = folder.path().join("captures");
        std::fs::write(&captures, "in the way").unwrap();
        let table = Table::begin(&captures, 1.0);
        tokio::time::sleep(Duration::from_secs(90)).await;
        std::fs::remove_file(&captures).unwrap();
        wait_for(&captures, |captures| captures.iter().any(|capture| capture.contains("resume"))).await;
        table.end().await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_line_that_stays_silent_is_given_back() {
        let folder = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = Address::Tcp(listener.local_addr().unwrap().to_string());
        let port = Port::open(&address).await.unwrap();
        let (mut board, _) = listener.accept().await.unwrap();
        let table = Table::begin(folder.path(), 1.0);
        table.mailbox.send(FoundBoard { port, serial: "20077".into(), version: (1, 8) }).await.unwrap();
        wait_for(folder.path(), |captures| captures.iter().any(|capture| capture.contains("no answer for 15 s"))).await;
        let mut asked = Vec::new();
        board.read_to_end(&mut asked).await.unwrap();
        assert_eq!(asked.first(), Some(&0x4b), "the board was not armed");
        table.end().await;
    }

    #[test]
    fn a_session_that_fails_twice_in_a_row_begins_from_nothing() {
        let mut recovery = Recovery::default();
        let first = Instant::now();
        recovery.begin(first);
        assert!(!recovery.again);
        recovery.begin(first + Duration::from_secs(5));
        assert!(recovery.again);
        recovery.begin(first + Duration::from_hours(1));
        assert!(!recovery.again);
    }
}
