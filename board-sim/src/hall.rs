//! A hall: many boards on ordinary threads, with ports that hosts open.
//!
//! Knows real time, threads and which table may start. Must not know moves or messages. Real time decides when bytes are
//! sent, never which bytes or in what order.

use std::{sync::Arc, time::Duration};

use fastrand::Rng;
use notation::pgn::{Game, Tags};

pub use crate::board_thread::BoardState;
use crate::{
    board_thread::{BoardThread, Command, HallState, TableDefects, serial_text},
    error::HallError,
    faults::FaultPlan,
    options::{HallOptions, mixture, table_settings},
    table::{Phase, Table},
};

/// A board and where it is plugged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its serial number, five digits.
    pub serial: String,
    /// The path or `tcp://` address that a host opens; `None` while it is unplugged.
    pub address: Option<String>,
}

/// A game that was played in the hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// The board it was played on.
    pub serial: String,
    /// The game. `clk_ms` is what the mover's clock showed after the press, in whole seconds with the increment; none for
    /// moves without a press.
    pub game: Game,
    /// The same clock times, ply by ply, without the PGN.
    pub clock_times: Vec<Option<u64>>,
}

/// The games of a board, in order.
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
    shared: Arc<HallState>,
    threads: Vec<BoardThread>,
    schedule: Vec<Schedule>,
}

impl Hall {
    /// Opens a hall: boards plugged in and silent, pieces at the start. No game begins before [`Hall::start`].
    ///
    /// # Errors
    /// [`HallError`] for options out of range, games that cannot be played, or when the system has no port or thread left.
    pub fn new(options: HallOptions) -> Result<Self, HallError> {
        if !options.are_valid() {
            return Err(HallError::Options);
        }
        let plans = options.games.plans(options.boards, options.rounds_per_board, options.seed)?;
        let shared = Arc::new(HallState::new(options)?);
        let mut hall = Self {
            shared: Arc::clone(&shared),
            threads: Vec::with_capacity(plans.len()),
            schedule: Vec::with_capacity(plans.len()),
        };
        let options = &shared.options;
        let mut rng = Rng::with_seed(options.seed);
        for (number, games) in plans.into_iter().enumerate() {
            let settings = table_settings(options, number, &mut rng);
            hall.schedule.push(Schedule {
                serial: serial_text(settings.serial),
                games: games.iter().map(|plan| plan.tags.clone()).collect(),
            });
            let faults = FaultPlan::new(options.faults, rng.u64(..));
            let seed = settings.seed;
            let defects = mixture(options, number).map(|mixture| TableDefects::new(mixture, seed)).unwrap_or_default();
            let table = Table::new(settings, games);
            hall.threads.push(BoardThread::new(&shared, number, table, faults, defects)?);
        }
        Ok(hall)
    }

    /// The arbiter starts the clocks: every table plays as soon as a host follows its board.
    pub fn start(&self) {
        self.shared.start();
    }

    /// No further game begins before the next [`Hall::start`]; games that are on go on.
    pub fn hold(&self) {
        self.shared.hold();
    }

    /// Ends all threads and pulls all plugs.
    pub fn stop(&mut self) {
        self.shared.stop();
        for thread in &mut self.threads {
            thread.join();
        }
    }

    /// Where each board is plugged in.
    pub fn ports(&self) -> Vec<Port> {
        let port = |state: BoardState| Port { serial: state.serial, address: state.address };
        self.boards().into_iter().map(port).collect()
    }

    /// The games of each board, known before they are played: the pairings.
    pub fn schedule(&self) -> &[Schedule] {
        &self.schedule
    }

    /// The games that are over, board by board in the order they were played.
    pub fn played(&self) -> Vec<PlayedGame> {
        self.threads
            .iter()
            .flat_map(|thread| {
                let serial = thread.state().serial;
                let played = thread.played().into_iter();
                played.map(move |(game, clock_times)| PlayedGame { serial: serial.clone(), game, clock_times })
            })
            .collect()
    }

    /// The state of a board, counted from 0; `None` if there is no such board.
    pub fn board(&self, board: usize) -> Option<BoardState> {
        self.threads.get(board).map(BoardThread::state)
    }

    /// The state of all boards.
    pub fn boards(&self) -> Vec<BoardState> {
        self.threads.iter().map(BoardThread::state).collect()
    }

    /// Waits until a condition holds; it is checked after each change in the hall. `false` if it does not hold within
    /// `timeout` of real time.
    pub fn wait_until(&self, timeout: Duration, mut condition: impl FnMut(&Self) -> bool) -> bool {
        self.shared.wait_until(timeout, || condition(self))
    }

    /// Waits until every board has played all its games. `false` if that takes longer than `timeout` of real time.
    pub fn wait_until_done(&self, timeout: Duration) -> bool {
        self.wait_until(timeout, |hall| hall.boards().iter().all(|board| board.phase == Phase::Done))
    }

    /// Pulls a board's plug: the port vanishes, the board loses its power, the players play on.
    ///
    /// # Errors
    /// [`HallError::NoBoard`], [`HallError::Stopped`].
    pub fn unplug(&self, board: usize) -> Result<(), HallError> {
        self.command(board, Command::Unplug)
    }

    /// Plugs a board in again, under a new name (a file name in the folder of links; for TCP any text gives a new port) or, with
    /// `None`, under the old one. The board comes back as after power-up.
    ///
    /// # Errors
    /// [`HallError::Link`] if no port can be opened, [`HallError::NoBoard`], [`HallError::Stopped`].
    pub fn plug(&self, board: usize, name: Option<&str>) -> Result<(), HallError> {
        self.command(board, Command::Plug(name.map(str::to_owned)))
    }

    /// Cuts the board's power for a moment; the port stays. The board comes back in bus mode, silent.
    ///
    /// # Errors
    /// [`HallError::NoBoard`], [`HallError::Stopped`].
    pub fn power_cycle(&self, board: usize) -> Result<(), HallError> {
        self.command(board, Command::PowerCycle)
    }

    /// A spare board of this serial number takes the place of a table's board, with the pieces as they stand, White at the
    /// other end if `rotated`, and the table's clock; it is plugged in under a new name. The board that was there is gone.
    ///
    /// # Errors
    /// [`HallError::Link`] if no port can be opened, [`HallError::NoBoard`], [`HallError::Stopped`].
    pub fn exchange(&self, board: usize, serial: u32, rotated: bool, name: &str) -> Result<(), HallError> {
        self.command(board, Command::Exchange { serial, rotated, name: name.to_owned() })
    }

    /// Play at a board stops, its clock stands.
    ///
    /// # Errors
    /// [`HallError::NoBoard`], [`HallError::Stopped`].
    pub fn pause(&self, board: usize) -> Result<(), HallError> {
        self.command(board, Command::Pause)
    }

    /// Play goes on after [`Hall::pause`].
    ///
    /// # Errors
    /// [`HallError::NoBoard`], [`HallError::Stopped`].
    pub fn resume(&self, board: usize) -> Result<(), HallError> {
        self.command(board, Command::Resume)
    }

    fn command(&self, board: usize, command: Command) -> Result<(), HallError> {
        let thread = self.threads.get(board).ok_or(HallError::NoBoard(board))?;
        Ok(thread.command(command).ok_or(HallError::Stopped)??)
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        self.stop();
    }
}
