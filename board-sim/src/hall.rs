//! A hall: many tables on ordinary threads, with ports that hosts open.
//!
//! Knows real time, threads and who may start. Must not know moves or messages: those are the tables' business. Real time
//! decides when bytes are sent, never which or in what order.

use std::{
    ops::RangeInclusive,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, Sender, SyncSender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use dgt_protocol::Side;
use fastrand::Rng;
use notation::pgn::{Game, Tags};

use crate::{
    board::{BoardMode, Heard},
    faults::{Fate, FaultPlan, Faults},
    games::{Games, GamesError},
    hands::Style,
    link::{Link, LinkError, Plug, Received},
    script::Manners,
    station::{Phase, Station, StationSettings},
};

/// Most boards in one hall; each has a thread and a port.
pub const MOST_BOARDS: usize = 2_000;
/// Slowest and fastest hall time, in hall seconds for each real second.
pub const SPEEDS: RangeInclusive<f64> = 0.01..=10_000.0;
/// The serial number of the first board; the others follow.
pub const FIRST_SERIAL: u32 = 10_001;
/// How long a thread listens at most before it looks for orders.
const LISTEN: Duration = Duration::from_millis(20);

/// Which boards have a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Clocks {
    /// All.
    #[default]
    All,
    /// About two of three, by seed.
    Some,
    /// None.
    None,
}

/// What a hall is like. The same options always give the same games, hands and faults.
#[derive(Clone, Debug)]
pub struct HallOptions {
    /// Number of boards, 1 to [`MOST_BOARDS`].
    pub boards: usize,
    /// Hall seconds for each real second, within [`SPEEDS`].
    pub speed: f64,
    /// Decides all that is left to chance.
    pub seed: u64,
    /// How tidy the players are.
    pub style: Style,
    /// What goes wrong on the lines.
    pub faults: Faults,
    /// How hosts reach the boards.
    pub link: Link,
    /// What is played.
    pub games: Games,
    /// Games one after another on each board, at least 1.
    pub rounds_per_board: usize,
    /// Some boards, by seed, lie the other way round, and their clocks with them.
    pub rotated: bool,
    /// Which boards have a clock.
    pub clocks: Clocks,
    /// Now and then a player forgets to press the clock.
    pub forgetful: bool,
    /// Players start without waiting until a host follows their board.
    pub start_regardless: bool,
}

impl Default for HallOptions {
    /// Eight boards on TCP play master games, one each, cleanly and ten times as fast as real ones.
    fn default() -> Self {
        Self {
            boards: 8,
            speed: 10.0,
            seed: 1,
            style: Style::Clean,
            faults: Faults::None,
            link: Link::Tcp,
            games: Games::Masters,
            rounds_per_board: 1,
            rotated: false,
            clocks: Clocks::All,
            forgetful: false,
            start_regardless: false,
        }
    }
}

/// Why a hall cannot be opened or an order not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum HallError {
    /// A number of boards, rounds or a speed that cannot be.
    #[error(
        "a hall needs 1 to {MOST_BOARDS} boards, at least 1 round and a speed of 0.01 to 10000"
    )]
    Options,
    /// The games cannot be played.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// A port cannot be opened.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// A thread cannot be started.
    #[error("no thread can be started for a board: {0}; ask for fewer boards")]
    Thread(#[source] std::io::Error),
    /// No board has this number.
    #[error("the hall has no board {0}; boards are counted from 0")]
    NoBoard(usize),
    /// The hall has been stopped.
    #[error("the hall has been stopped; open a new one")]
    Stopped,
}

/// A board and where it is plugged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its serial number, five digits.
    pub serial: String,
    /// The path or `tcp://` address that a host opens; `None` while it is unplugged.
    pub address: Option<String>,
}

/// What is known about a board and its table at one moment.
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
    /// What hosts have said, forbidden commands too.
    pub heard: Heard,
}

/// A game that was played in the hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// The board it was played on.
    pub serial: String,
    /// The game. `clk_ms` is what the mover's clock showed after the press, in whole seconds with the increment; none for moves
    /// after which nobody pressed.
    pub game: Game,
}

/// The games that a board will play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The board.
    pub serial: String,
    /// The tags of its games, in order.
    pub games: Vec<Tags>,
}

/// A hall full of simulated boards. Stops when dropped.
#[derive(Debug)]
pub struct Hall {
    common: Arc<Common>,
    tables: Vec<Table>,
    schedule: Vec<Schedule>,
}

/// What the threads share.
#[derive(Debug)]
struct Common {
    opened: Instant,
    options: HallOptions,
    started: AtomicBool,
    stopped: AtomicBool,
    /// Counts changes of any board's state, so that waiting needs no polling.
    changes: Mutex<u64>,
    changed: Condvar,
}

#[derive(Debug)]
struct Table {
    shared: Arc<Mutex<Shared>>,
    orders: Sender<(Order, SyncSender<Result<(), LinkError>>)>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    state: BoardState,
    played: Vec<Game>,
}

#[derive(Debug)]
enum Order {
    Unplug,
    Plug(Option<String>),
    PowerCycle,
    Pause,
    Resume,
}

impl Hall {
    /// Opens a hall: boards plugged in and silent, pieces at the start, nobody moves before [`Hall::start`].
    ///
    /// # Errors
    /// [`HallError`] if options or games cannot be, or ports or threads are not to be had.
    pub fn new(options: HallOptions) -> Result<Self, HallError> {
        let speed_ok = options.speed.is_finite() && options.speed > 0.0;
        if !speed_ok
            || !(1..=MOST_BOARDS).contains(&options.boards)
            || options.rounds_per_board == 0
        {
            return Err(HallError::Options);
        }
        let plans = options
            .games
            .plans(options.boards, options.rounds_per_board, options.seed)?;
        let common = Arc::new(Common {
            opened: Instant::now(),
            started: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            options,
            changes: Mutex::new(0),
            changed: Condvar::new(),
        });
        let mut hall = Self {
            common: Arc::clone(&common),
            tables: Vec::with_capacity(plans.len()),
            schedule: Vec::with_capacity(plans.len()),
        };
        let options = &common.options;
        let mut rng = Rng::with_seed(options.seed);
        for (number, games) in plans.into_iter().enumerate() {
            let settings = furnish(options, number, &mut rng);
            hall.schedule.push(Schedule {
                serial: serial_text(settings.serial),
                games: games.iter().map(|plan| plan.tags.clone()).collect(),
            });
            let faults = FaultPlan::new(options.faults, rng.u64(..));
            let station = Station::new(settings, games);
            hall.tables
                .push(Table::new(&hall.common, number, station, faults)?);
        }
        Ok(hall)
    }

    /// The arbiter starts the clocks: every table plays as soon as a host follows its board.
    pub fn start(&self) {
        self.common.started.store(true, Ordering::Release);
    }

    /// Ends all threads and pulls all plugs.
    pub fn stop(&mut self) {
        self.common.stopped.store(true, Ordering::Release);
        for table in &mut self.tables {
            if let Some(thread) = table.thread.take() {
                // A panic in a table has been printed; the others are still to be joined.
                let _ = thread.join();
            }
        }
    }

    /// Where each board is plugged in.
    pub fn ports(&self) -> Vec<Port> {
        let port = |state: BoardState| Port {
            serial: state.serial,
            address: state.address,
        };
        self.boards().into_iter().map(port).collect()
    }

    /// The games of each board, known before they are played: the pairings.
    pub fn schedule(&self) -> &[Schedule] {
        &self.schedule
    }

    /// The games that are over, board by board in the order they were played.
    pub fn played(&self) -> Vec<PlayedGame> {
        self.tables
            .iter()
            .flat_map(|table| {
                let shared = lock(&table.shared);
                let serial = shared.state.serial.clone();
                shared
                    .played
                    .clone()
                    .into_iter()
                    .map(move |game| PlayedGame {
                        serial: serial.clone(),
                        game,
                    })
            })
            .collect()
    }

    /// What is known about a board, counted from 0; `None` if there is no such board.
    pub fn board(&self, board: usize) -> Option<BoardState> {
        self.tables
            .get(board)
            .map(|table| lock(&table.shared).state.clone())
    }

    /// What is known about all boards.
    pub fn boards(&self) -> Vec<BoardState> {
        self.tables
            .iter()
            .map(|table| lock(&table.shared).state.clone())
            .collect()
    }

    /// Waits until a fact holds, looking again after each change in the hall. `false` if it still does not after `timeout` of
    /// real time.
    pub fn wait_until(&self, timeout: Duration, mut fact: impl FnMut(&Self) -> bool) -> bool {
        let deadline = Instant::now() + timeout;
        loop {
            let seen = *lock(&self.common.changes);
            if fact(self) {
                return true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let changes = lock(&self.common.changes);
            let unchanged = |changes: &mut u64| *changes == seen;
            drop(
                self.common
                    .changed
                    .wait_timeout_while(changes, left, unchanged),
            );
        }
    }

    /// Waits until every board has played all its games. `false` if that takes longer than `timeout` of real time.
    pub fn wait_until_done(&self, timeout: Duration) -> bool {
        self.wait_until(timeout, |hall| {
            hall.boards().iter().all(|board| board.phase == Phase::Done)
        })
    }

    /// Pulls a board's plug: the port vanishes, the board loses its power, the players play on.
    ///
    /// # Errors
    /// [`HallError::NoBoard`], [`HallError::Stopped`].
    pub fn unplug(&self, board: usize) -> Result<(), HallError> {
        self.order(board, Order::Unplug)
    }

    /// Plugs a board in again, under a new name (a file name in the folder of links; for TCP any text gives a new port) or, with
    /// `None`, under the old one. The board comes back as after power-up.
    ///
    /// # Errors
    /// [`HallError::Link`] if there is no port to be had, [`HallError::NoBoard`], [`HallError::Stopped`].
    pub fn plug(&self, board: usize, name: Option<&str>) -> Result<(), HallError> {
        self.order(board, Order::Plug(name.map(str::to_owned)))
    }

    /// Cuts the board's power for a moment; the port stays. The board comes back in bus mode, silent.
    ///
    /// # Errors
    /// [`HallError::NoBoard`], [`HallError::Stopped`].
    pub fn power_cycle(&self, board: usize) -> Result<(), HallError> {
        self.order(board, Order::PowerCycle)
    }

    /// Play at a board stops, its clock stands.
    ///
    /// # Errors
    /// [`HallError::NoBoard`], [`HallError::Stopped`].
    pub fn pause(&self, board: usize) -> Result<(), HallError> {
        self.order(board, Order::Pause)
    }

    /// Play goes on after [`Hall::pause`].
    ///
    /// # Errors
    /// [`HallError::NoBoard`], [`HallError::Stopped`].
    pub fn resume(&self, board: usize) -> Result<(), HallError> {
        self.order(board, Order::Resume)
    }

    fn order(&self, board: usize, order: Order) -> Result<(), HallError> {
        let table = self.tables.get(board).ok_or(HallError::NoBoard(board))?;
        let (reply, answer) = mpsc::sync_channel(1);
        table
            .orders
            .send((order, reply))
            .map_err(|_| HallError::Stopped)?;
        Ok(answer.recv().map_err(|_| HallError::Stopped)??)
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Common {
    fn now_ms(&self) -> u64 {
        self.opened
            .elapsed()
            .mul_f64(self.options.speed)
            .as_millis() as u64
    }

    fn real(&self, hall_ms: u64) -> Duration {
        Duration::from_secs_f64(hall_ms as f64 / 1_000.0 / self.options.speed)
    }
}

impl Table {
    fn new(
        common: &Arc<Common>,
        number: usize,
        station: Station,
        faults: FaultPlan,
    ) -> Result<Self, HallError> {
        let name = format!("ttySIM{number}");
        let plug = Plug::new(&common.options.link, &name)?;
        let shared = Arc::new(Mutex::new(Shared {
            state: BoardState {
                serial: serial_text(station.board().serial()),
                address: Some(plug.address().to_owned()),
                host: false,
                mode: station.board().mode(),
                phase: station.phase(),
                plies: 0,
                games_finished: 0,
                heard: Heard::default(),
            },
            played: Vec::new(),
        }));
        let (orders, inbox) = mpsc::channel();
        let runner = Runner {
            name: plug_name(&plug, name),
            plug: Some(plug),
            host: false,
            replug_ms: None,
            common: Arc::clone(common),
            shared: Arc::clone(&shared),
            inbox,
            station,
            faults,
        };
        let thread = thread::Builder::new()
            .name(format!("board {number}"))
            .spawn(move || runner.run())
            .map_err(HallError::Thread)?;
        Ok(Self {
            shared,
            orders,
            thread: Some(thread),
        })
    }
}

/// The thread of one board.
struct Runner {
    common: Arc<Common>,
    shared: Arc<Mutex<Shared>>,
    inbox: Receiver<(Order, SyncSender<Result<(), LinkError>>)>,
    station: Station,
    faults: FaultPlan,
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
        while !self.common.stopped.load(Ordering::Acquire) {
            while let Ok((order, reply)) = self.inbox.try_recv() {
                let done = self.obey(order);
                self.publish();
                // Who ordered it may have gone.
                let _ = reply.send(done);
            }
            let now_ms = self.advance();
            if self.replug_ms.is_some_and(|at_ms| at_ms <= now_ms) {
                self.replug_ms = self.plug_in(None).is_err().then_some(now_ms + 1_000);
            }
            self.write();
            self.publish();
            let due = self.station.next_due().map_or(LISTEN, |due_ms| {
                self.common.real(due_ms.saturating_sub(now_ms))
            });
            self.listen(&mut buffer, due.min(LISTEN));
        }
    }

    fn advance(&mut self) -> u64 {
        let now_ms = self.common.now_ms();
        let started = self.common.started.load(Ordering::Acquire);
        let may_start =
            started && (self.common.options.start_regardless || self.station.board().is_followed());
        self.station.advance(now_ms, may_start);
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
        if let Received::Bytes(length) = received {
            let now_ms = self.advance();
            if let Some(bytes) = buffer.get(..length) {
                self.station.board_mut().host_bytes(now_ms, bytes);
            }
        }
    }

    fn write(&mut self) {
        while let Some(message) = self.station.board_mut().next_outgoing() {
            match self.faults.fate(message) {
                Fate::Written(pieces) => {
                    if let Some(plug) = &mut self.plug {
                        for piece in pieces {
                            plug.write(&piece);
                        }
                    }
                }
                Fate::Unplugged(for_ms) => {
                    self.unplug();
                    self.replug_ms = Some(self.common.now_ms() + for_ms);
                }
            }
        }
    }

    fn obey(&mut self, order: Order) -> Result<(), LinkError> {
        let now_ms = self.advance();
        match order {
            Order::Unplug => {
                self.unplug();
                self.replug_ms = None;
            }
            Order::Plug(name) => self.plug_in(name)?,
            Order::PowerCycle => self.station.board_mut().power_on(),
            Order::Pause => self.station.pause(now_ms),
            Order::Resume => self.station.resume(now_ms),
        }
        Ok(())
    }

    fn unplug(&mut self) {
        self.plug = None;
        self.station.board_mut().power_off();
    }

    fn plug_in(&mut self, name: Option<String>) -> Result<(), LinkError> {
        self.plug = None;
        let name = name.unwrap_or_else(|| self.name.clone());
        let plug = Plug::new(&self.common.options.link, &name)?;
        self.name = plug_name(&plug, name);
        self.plug = Some(plug);
        self.replug_ms = None;
        self.station.board_mut().power_on();
        Ok(())
    }

    /// Tells what has changed since the last time.
    fn publish(&mut self) {
        let board = self.station.board();
        let address = self.plug.as_ref().map(Plug::address);
        let mut shared = lock(&self.shared);
        let state = &mut shared.state;
        let same = state.plies == self.station.plies()
            && state.phase == self.station.phase()
            && state.mode == board.mode()
            && state.host == self.host
            && state.address.as_deref() == address
            && state.heard.total() == board.heard().total();
        if same {
            return;
        }
        state.plies = self.station.plies();
        state.phase = self.station.phase();
        state.mode = board.mode();
        state.host = self.host;
        state.address = address.map(str::to_owned);
        state.heard = board.heard().clone();
        state.games_finished = self.station.played().len();
        let known = shared.played.len();
        shared
            .played
            .extend(self.station.played().iter().skip(known).cloned());
        drop(shared);
        *lock(&self.common.changes) += 1;
        self.common.changed.notify_all();
    }
}

/// What is chosen by seed for a board.
fn furnish(options: &HallOptions, number: usize, rng: &mut Rng) -> StationSettings {
    const VERSIONS: [(u8, u8); 4] = [(1, 8), (1, 8), (3, 1), (4, 0)];
    // Every choice draws from the seed, so that one option does not change what another gives.
    let turn = rng.u32(0..3) == 0;
    let across = rng.u32(0..6) == 0;
    let without = rng.u32(0..3) == 0;
    let rotated = options.rotated && turn;
    let clock_across = options.style == Style::Human && across;
    StationSettings {
        serial: FIRST_SERIAL + number as u32,
        version: VERSIONS[rng.usize(0..VERSIONS.len())],
        rotated,
        white_side: if rotated == clock_across {
            Side::Left
        } else {
            Side::Right
        },
        manners: Manners {
            style: options.style,
            clock: match options.clocks {
                Clocks::All => true,
                Clocks::Some => !without,
                Clocks::None => false,
            },
            forgetful: options.forgetful,
        },
        seed: rng.u64(..),
    }
}

/// The name under which a board comes back when no other is wished.
fn plug_name(plug: &Plug, name: String) -> String {
    if plug.address().starts_with("tcp://") {
        plug.address().to_owned()
    } else {
        name
    }
}

fn serial_text(serial: u32) -> String {
    format!("{serial:05}")
}

/// A panic in another thread does not make the numbers behind a lock worse.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
