//! Simulated electronic boards, clocks and players: a whole hall over pseudo-terminals or TCP, for tests and demonstrations.
//!
//! Start at [`Hall`]: it opens the ports, lets the tables play and reports what was played. Tests without real time use one
//! [`table::Table`] instead. All modules but those of the last row are without I/O, time and global state: the caller passes
//! milliseconds of hall time, and a seed decides everything random.
//!
//! | module | job |
//! | --- | --- |
//! | [`board`], `scan`, `event_log`, `host_commands`, [`placement`] | the device side of the protocol |
//! | [`clock`] | a chess clock |
//! | `pieces`, `misread_piece` | the pieces on the board and what it reports of them |
//! | [`plan`], [`games`], [`random`], [`endings`], [`result`] | which games are played |
//! | [`hands`], `setup` | how moves are made, pieces set up, results shown |
//! | [`trouble`], [`pace`], [`play_options`] | what goes wrong at a table, and how fast it plays |
//! | `script`, `script_builder`, `play`, `two_hands`, `stochastic_hands` | a game as timed actions |
//! | `model` | what differs between models of boards and clocks |
//! | [`table`] | one table: executes scripts on board and clock |
//! | [`defects`] | what goes wrong in a board and on its line |
//! | [`mixture`] | troubles and defects combined by chance |
//! | [`hall`], `board_thread`, `options`, `link`, `faults`, `error` | threads, ports, real time |
//!
//! ```
//! use std::time::Duration;
//! use board_sim::{Beginning, Games, Hall, HallOptions};
//!
//! let hall = Hall::new(HallOptions {
//!     boards: 2,
//!     speed: 5_000.0,
//!     games: Games::Random,
//!     beginning: Beginning::Regardless, // no host opens the ports in this example
//!     ..HallOptions::default()
//! })?;
//! for port in hall.ports() {
//!     println!("board {} at {:?}", port.serial, port.address);
//! }
//! hall.start();
//! assert!(hall.wait_until_done(Duration::from_secs(60)));
//! for played in hall.played() {
//!     println!("{}", notation::pgn::write_game(&played.game));
//! }
//! # Ok::<(), board_sim::HallError>(())
//! ```
//!
//! The crate must not know the daemon or `game-core`: captures of real boards decide what the bytes mean, and the simulator
//! imitates those boards. The same seed always gives the same games, touches and messages.

pub mod board;
mod board_thread;
mod bus_line;
pub mod clock;
pub mod defects;
pub mod endings;
mod error;
mod event_log;
mod faults;
pub mod games;
pub mod hall;
pub mod hands;
mod host_commands;
mod link;
mod misread_piece;
pub mod mixture;
mod model;
mod options;
pub mod pace;
mod pieces;
pub mod placement;
pub mod plan;
mod play;
pub mod play_options;
pub mod random;
pub mod result;
mod scan;
mod script;
mod script_builder;
mod setup;
mod stochastic_hands;
pub mod table;
pub mod trouble;
mod two_hands;

pub use board::OwnLog;
pub use error::HallError;
pub use faults::Faults;
pub use games::Games;
pub use hall::Hall;
pub use hands::Style;
pub use host_commands::HostCommands;
pub use link::{Link, LinkError};
pub use options::{Beginning, Clocks, HallOptions};
pub use pace::Pace;
