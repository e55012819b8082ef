//! A hall: many tables on ordinary threads, with ports that hosts open.
//!
//! Knows real time, threads and who may start. Must not know moves or messages: those are the tables' business. Real time
//! decides when bytes are sent, never which or in what order.

use std::{sync::Arc, time::Duration};

use fastrand::Rng;
use notation::pgn::{Game, Tags};

pub use crate::table::BoardState;
use crate::{
    error::HallError,
    faults::FaultPlan,
    options::{HallOptions, furnish},
    station::{Phase, Station},
    table::{Common, Order, Table, serial_text},
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

impl Hall {
    /// Opens a hall: boards plugged in and silent, pieces at the start, nobody moves before [`Hall::start`].
    ///
    /// # Errors
    /// [`HallError`] if options or games cannot be, or ports or threads are not to be had.
    pub fn new(options: HallOptions) -> Result<Self, HallError> {
        if !options.are_sound() {
            return Err(HallError::Options);
        }
        let plans = options.games.plans(options.boards, options.rounds_per_board, options.seed)?;
        let common = Arc::new(Common::new(options));
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
            hall.tables.push(Table::new(&common, number, station, faults)?);
        }
        Ok(hall)
    }

    /// The arbiter starts the clocks: every table plays as soon as a host follows its board.
    pub fn start(&self) {
        self.common.start();
    }

    /// The arbiter has everybody wait: tables that play go on, those that are ready wait for the next [`Hall::start`].
    pub fn hold(&self) {
        self.common.hold();
    }

    /// Ends all threads and pulls all plugs.
    pub fn stop(&mut self) {
        self.common.stop();
        for table in &mut self.tables {
            table.join();
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
        self.tables
            .iter()
            .flat_map(|table| {
                let serial = table.state().serial;
                table.played().into_iter().map(move |game| PlayedGame { serial: serial.clone(), game })
            })
            .collect()
    }

    /// What is known about a board, counted from 0; `None` if there is no such board.
    pub fn board(&self, board: usize) -> Option<BoardState> {
        self.tables.get(board).map(Table::state)
    }

    /// What is known about all boards.
    pub fn boards(&self) -> Vec<BoardState> {
        self.tables.iter().map(Table::state).collect()
    }

    /// Waits until a fact holds, looking again after each change in the hall. `false` if it still does not after `timeout` of
    /// real time.
    pub fn wait_until(&self, timeout: Duration, mut fact: impl FnMut(&Self) -> bool) -> bool {
        self.common.wait_until(timeout, || fact(self))
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

    /// A spare board of this serial number takes the place of a table's board, with the pieces as they stand, White at the
    /// other end if `rotated`, and the table's clock; it is plugged in under a new name. The board that was there is gone.
    ///
    /// # Errors
    /// [`HallError::Link`] if there is no port to be had, [`HallError::NoBoard`], [`HallError::Stopped`].
    pub fn exchange(&self, board: usize, serial: u32, rotated: bool, name: &str) -> Result<(), HallError> {
        self.order(board, Order::Exchange { serial, rotated, name: name.to_owned() })
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
        Ok(table.order(order).ok_or(HallError::Stopped)??)
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        self.stop();
    }
}
