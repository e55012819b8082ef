//! The thread of one board: turns hall time into real time, sends messages to the port and executes commands of the hall.
//!
//! Knows one table, its port and the state that all tables share. Must not know the other tables.

use std::{
    ops::Range,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{self, Receiver, Sender, SyncSender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use notation::pgn::Game;

use crate::{
    board::BoardMode,
    bus_line::SharedLine,
    defects::Defects,
    error::HallError,
    faults::{Delivery, FaultPlan},
    host_commands::HostCommands,
    link::{LinkError, Plug, Received},
    mixture::Mixture,
    options::{Beginning, HallOptions},
    table::{Phase, Table},
};

/// Longest hall time that a thread waits for bytes before it checks for commands: a thousand threads that look more often cost more
/// than the daemon that follows their boards.
const LISTEN_MS: u64 = 100;
/// The same in real time where the hall is fast.
const LEAST_LISTEN: Duration = Duration::from_millis(20);

/// State that all boards of a hall share.
#[derive(Debug)]
pub(crate) struct HallState {
    opened: Instant,
    pub(crate) options: HallOptions,
    started: AtomicBool,
    stopped: AtomicBool,
    /// Games finished at each table.
    finished: Vec<AtomicUsize>,
    /// Counts changes of any board's state, so that waiting needs no polling.
    changes: Mutex<u64>,
    changed: Condvar,
    /// The lines of a hall in bus mode.
    lines: Vec<SharedLine>,
}

/// The state of a board and its table at one moment.
#[derive(Clone, Debug)]
pub struct BoardState {
    /// The serial number, five digits.
    pub serial: String,
    /// Where it is plugged in; `None` while it is not.
    pub address: Option<String>,
    /// A host has the port open.
    pub host: bool,
    /// What the board does by itself.
    pub mode: BoardMode,
    /// Where the table is in its games.
    pub phase: Phase,
    /// Plies made in all its games so far.
    pub plies: u64,
    /// Games that are over, their results shown.
    pub games_finished: usize,
    /// The commands that hosts have sent, forbidden ones too.
    pub host_commands: HostCommands,
}

/// A handle on the thread of one board.
#[derive(Debug)]
pub(crate) struct BoardThread {
    shared: Arc<Mutex<Shared>>,
    commands: Sender<(Command, SyncSender<Result<(), LinkError>>)>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    state: BoardState,
    /// The games that are over and their clock times.
    played: Vec<(Game, Vec<Option<u64>>)>,
}

/// What the hall can command a thread to do.
#[derive(Debug)]
pub(crate) enum Command {
    Unplug,
    Plug(Option<String>),
    PowerCycle,
    Exchange { serial: u32, rotated: bool, name: String },
    Pause,
    Resume,
}

impl HallState {
    pub(crate) fn new(options: HallOptions) -> Result<Self, LinkError> {
        let lines = if options.bus > 0 { options.boards.div_ceil(options.bus) } else { 0 };
        let lines = (0..lines).map(|line| SharedLine::new(&options.link, &format!("ttyBUS{line}"), options.speed));
        Ok(Self {
            lines: lines.collect::<Result<_, _>>()?,
            opened: Instant::now(),
            finished: (0..options.boards).map(|_| AtomicUsize::new(0)).collect(),
            options,
            started: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            changes: Mutex::new(0),
            changed: Condvar::new(),
        })
    }

    /// Plugs a table's board in: at a port of this name, or at its line.
    fn plug(&self, number: usize, name: &str) -> Result<Plug, LinkError> {
        match number.checked_div(self.options.bus).and_then(|line| self.lines.get(line)) {
            Some(line) => Ok(Plug::on_bus(line.tap(number), line.address())),
            None => Plug::new(&self.options.link, name),
        }
    }

    /// Tables may play.
    pub(crate) fn start(&self) {
        self.started.store(true, Ordering::Release);
    }

    /// Tables that do not play may not begin.
    pub(crate) fn hold(&self) {
        self.started.store(false, Ordering::Release);
    }

    /// Whether a table may begin this game, counted from 0, as far as the others are concerned.
    fn round_may_begin(&self, game: usize) -> bool {
        self.options.beginning != Beginning::RoundByRound
            || self.finished.iter().all(|finished| finished.load(Ordering::Acquire) >= game)
    }

    /// All threads end.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
    }

    /// Waits until a condition holds, checked after each change; `false` if it does not hold within `timeout`.
    pub(crate) fn wait_until(&self, timeout: Duration, mut condition: impl FnMut() -> bool) -> bool {
        let deadline = Instant::now() + timeout;
        loop {
            let seen = *lock(&self.changes);
            if condition() {
                return true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let unchanged = |changes: &mut u64| *changes == seen;
            drop(self.changed.wait_timeout_while(lock(&self.changes), left, unchanged));
        }
    }

    fn notify_change(&self) {
        *lock(&self.changes) += 1;
        self.changed.notify_all();
    }

    fn now_ms(&self) -> u64 {
        self.opened.elapsed().mul_f64(self.options.speed).as_millis() as u64
    }

    fn real(&self, hall_ms: u64) -> Duration {
        Duration::from_secs_f64(hall_ms as f64 / 1_000.0 / self.options.speed)
    }
}

impl BoardThread {
    /// The state of the board now.
    pub(crate) fn state(&self) -> BoardState {
        lock(&self.shared).state.clone()
    }

    /// The games that are over and what the clock showed after each ply.
    pub(crate) fn played(&self) -> Vec<(Game, Vec<Option<u64>>)> {
        lock(&self.shared).played.clone()
    }

    /// Executes a command; `None` if the thread has ended.
    pub(crate) fn command(&self, command: Command) -> Option<Result<(), LinkError>> {
        let (reply, answer) = mpsc::sync_channel(1);
        self.commands.send((command, reply)).ok()?;
        answer.recv().ok()
    }

    /// Waits for the end of the thread.
    pub(crate) fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic has been printed by its thread.
            let _ = thread.join();
        }
    }

    /// Plugs the board in and starts its thread.
    pub(crate) fn new(
        hall: &Arc<HallState>,
        number: usize,
        table: Table,
        faults: FaultPlan,
        defects: TableDefects,
    ) -> Result<Self, HallError> {
        let name = format!("ttySIM{number}");
        let plug = hall.plug(number, &name)?;
        let shared = Arc::new(Mutex::new(Shared {
            state: BoardState {
                serial: serial_text(table.board().serial()),
                address: Some(plug.address().to_owned()),
                host: false,
                mode: table.board().mode(),
                phase: table.phase(),
                plies: 0,
                games_finished: 0,
                host_commands: HostCommands::default(),
            },
            played: Vec::new(),
        }));
        let (commands, inbox) = mpsc::channel();
        let runner = Runner {
            number,
            name: plug_name(&plug, name),
            plug: Some(plug),
            host: false,
            replug_ms: None,
            hall: Arc::clone(hall),
            shared: Arc::clone(&shared),
            inbox,
            table,
            faults,
            defects,
        };
        let thread = thread::Builder::new()
            .name(format!("board {number}"))
            .spawn(move || runner.run())
            .map_err(HallError::Thread)?;
        Ok(Self { shared, commands, thread: Some(thread) })
    }
}

/// What is wrong with a board and its cable for the whole time.
#[derive(Debug, Default)]
pub(crate) struct TableDefects {
    defects: Vec<Defects>,
    /// The plies of the table during which the cable is out; the board keeps its power.
    cable_out: Option<Range<u64>>,
}

impl TableDefects {
    /// The defects of a mixture.
    pub(crate) fn new(mixture: Mixture, seed: u64) -> Self {
        let seeds = (0..).map(|number| seed.wrapping_add(number));
        let defects = mixture.defects.into_iter().zip(seeds).map(|(defect, seed)| Defects::new(defect, seed));
        Self { defects: defects.collect(), cable_out: mixture.cable_out }
    }

    /// What arrives of a message that was sent.
    fn pass(&mut self, message: Vec<u8>) -> Vec<Vec<u8>> {
        let passes = |messages: Vec<Vec<u8>>, defects: &mut Defects| {
            messages.into_iter().flat_map(|message| defects.pass(message)).collect()
        };
        self.defects.iter_mut().fold(vec![message], passes)
    }
}

/// The thread of one board.
struct Runner {
    /// Which table it is, from 0.
    number: usize,
    hall: Arc<HallState>,
    shared: Arc<Mutex<Shared>>,
    inbox: Receiver<(Command, SyncSender<Result<(), LinkError>>)>,
    table: Table,
    faults: FaultPlan,
    defects: TableDefects,
    plug: Option<Plug>,
    /// The name to come back under.
    name: String,
    host: bool,
    /// A fault has pulled the plug until this hall time.
    replug_ms: Option<u64>,
}

impl Runner {
    fn run(mut self) {
        let mut buffer = [0; 256];
        while !self.hall.stopped.load(Ordering::Acquire) {
            while let Ok((command, reply)) = self.inbox.try_recv() {
                let done = self.execute(command);
                self.publish();
                // The caller may have gone.
                let _ = reply.send(done);
            }
            let now_ms = self.advance();
            if self.replug_ms.is_some_and(|at_ms| at_ms <= now_ms) {
                self.replug_ms = self.plug_in(None).is_err().then_some(now_ms + 1_000);
            }
            self.move_cable();
            self.write();
            self.publish();
            let listen = self.hall.real(LISTEN_MS).max(LEAST_LISTEN);
            let due = self.table.next_due().map_or(listen, |due_ms| self.hall.real(due_ms.saturating_sub(now_ms)));
            self.listen(&mut buffer, due.min(listen));
        }
    }

    fn advance(&mut self) -> u64 {
        let now_ms = self.hall.now_ms();
        let started = self.hall.started.load(Ordering::Acquire);
        let followed = self.host && self.table.board().is_followed();
        let game = self.table.played().len();
        let may_start = started
            && (followed || self.hall.options.beginning == Beginning::Regardless)
            && self.table.phase() == Phase::Ready
            && self.hall.round_may_begin(game);
        self.table.advance(now_ms, may_start);
        if let Some(finished) = self.hall.finished.get(self.number) {
            finished.store(self.table.played().len(), Ordering::Release);
        }
        now_ms
    }

    fn listen(&mut self, buffer: &mut [u8], timeout: Duration) {
        let Some(plug) = &mut self.plug else {
            self.host = false;
            thread::sleep(timeout);
            return;
        };
        let received = plug.read(buffer, timeout);
        self.host = received != Received::NoHost;
        if !self.host {
            self.table.board_mut().host_left();
        }
        if let Received::Bytes(length) = received {
            let now_ms = self.advance();
            if let Some(bytes) = buffer.get(..length) {
                self.table.board_mut().host_bytes(now_ms, bytes);
            }
        }
    }

    /// The cable is pulled and plugged in again where that is one of the defects.
    fn move_cable(&mut self) {
        let Some(out) = &self.defects.cable_out else { return };
        let plies = self.table.plies();
        if self.plug.is_some() && out.contains(&plies) {
            self.plug = None;
        } else if plies >= out.end {
            self.defects.cable_out = None;
            if self.plug.is_none() && self.replug_ms.is_none() {
                // Without a port now, there is one a second later.
                self.plug = self.hall.plug(self.number, &self.name).ok();
                self.replug_ms = self.plug.is_none().then(|| self.hall.now_ms() + 1_000);
            }
        }
    }

    fn write(&mut self) {
        while let Some(sent) = self.table.board_mut().next_outgoing() {
            for message in self.defects.pass(sent) {
                self.deliver(message);
            }
        }
    }

    fn deliver(&mut self, message: Vec<u8>) {
        match self.faults.deliver(message) {
            Delivery::Written(pieces) => {
                if let Some(plug) = &mut self.plug {
                    for piece in pieces {
                        plug.write(&piece);
                    }
                }
            }
            Delivery::Unplugged(for_ms) => {
                self.unplug();
                self.replug_ms = Some(self.hall.now_ms() + for_ms);
            }
        }
    }

    fn execute(&mut self, command: Command) -> Result<(), LinkError> {
        let now_ms = self.advance();
        match command {
            Command::Unplug => {
                self.unplug();
                self.replug_ms = None;
            }
            Command::Plug(name) => self.plug_in(name)?,
            Command::PowerCycle if self.plug.is_none() => {} // without its cable it has no power
            Command::PowerCycle => self.table.board_mut().power_on(),
            Command::Exchange { serial, rotated, name } => {
                self.unplug();
                self.table.exchange_board(now_ms, serial, rotated);
                self.plug_in(Some(name))?;
            }
            Command::Pause => self.table.pause(now_ms),
            Command::Resume => self.table.resume(now_ms),
        }
        Ok(())
    }

    fn unplug(&mut self) {
        self.plug = None;
        self.table.board_mut().power_off();
    }

    fn plug_in(&mut self, name: Option<String>) -> Result<(), LinkError> {
        self.plug = None;
        let name = name.unwrap_or_else(|| self.name.clone());
        let plug = self.hall.plug(self.number, &name)?;
        self.name = plug_name(&plug, name);
        self.plug = Some(plug);
        self.replug_ms = None;
        self.table.board_mut().power_on();
        Ok(())
    }

    /// Publishes what has changed since the last call.
    fn publish(&mut self) {
        let board = self.table.board();
        let address = self.plug.as_ref().map(Plug::address);
        let mut shared = lock(&self.shared);
        let state = &mut shared.state;
        let serial = serial_text(board.serial());
        let same = state.serial == serial
            && state.plies == self.table.plies()
            && state.phase == self.table.phase()
            && state.mode == board.mode()
            && state.host == self.host
            && state.address.as_deref() == address
            && state.host_commands.total() == board.host_commands().total();
        if same {
            return;
        }
        state.serial = serial;
        state.plies = self.table.plies();
        state.phase = self.table.phase();
        state.mode = board.mode();
        state.host = self.host;
        state.address = address.map(str::to_owned);
        state.host_commands = board.host_commands().clone();
        state.games_finished = self.table.played().len();
        let known = shared.played.len();
        // The earlier ones are passed over before anything is copied.
        let played = self.table.played().iter().zip(self.table.clock_times()).skip(known);
        shared.played.extend(played.map(|(game, clock_times)| (game.clone(), clock_times.clone())));
        drop(shared);
        self.hall.notify_change();
    }
}

/// The name under which a board comes back unless another one is given.
fn plug_name(plug: &Plug, name: String) -> String {
    if plug.address().starts_with("tcp://") { plug.address().to_owned() } else { name }
}

/// A serial number as boards and pairings write it.
pub(crate) fn serial_text(serial: u32) -> String {
    format!("{serial:05}")
}

/// A panic in another thread does not damage the values behind a lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
