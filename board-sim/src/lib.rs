//! Simulated electronic boards, clocks and players: a whole hall over pseudo-terminals or TCP.
//!
//! For tests and for rehearsals. [`Hall`] is the door: it makes boards, lets them play games and tells what happened.
//! Everything below it is a machine without I/O, time or chance of its own:
//!
//! | module | knows |
//! | --- | --- |
//! | [`board`], [`scan`], [`event_log`], [`heard`] | the device side of the protocol, as far as a host can see it |
//! | [`clock`] | a chess clock |
//! | [`hands`], [`setup`] | how moves are made, pieces set up, results shown |
//! | [`plan`], [`games`], [`random`], [`endings`] | which games are played |
//! | [`script`], [`station`] | one table in hall time |
//! | [`trouble`], [`defects`] | what goes wrong at a table and in its board |
//! | [`faults`], [`link`], [`options`], [`HallError`], [`hall`] | threads, ports, real time |
//!
//! ```
//! use std::time::Duration;
//! use board_sim::{Beginning, Games, Hall, HallOptions};
//!
//! let hall = Hall::new(HallOptions {
//!     boards: 2,
//!     speed: 5_000.0,
//!     games: Games::Random,
//!     beginning: Beginning::Regardless, // nobody opens the ports in this example
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
//! The crate must not know the daemon or its view of the games: what the bytes mean is decided by real captures, and the
//! simulator is only a careful imitation.

pub mod board;
pub mod clock;
pub mod defects;
pub mod endings;
mod error;
pub mod event_log;
pub mod faults;
pub mod games;
pub mod hall;
pub mod hands;
pub mod heard;
mod impostor;
pub mod link;
mod men;
pub mod options;
pub mod placement;
pub mod plan;
pub mod random;
pub mod result;
pub mod scan;
pub mod script;
pub mod setup;
pub mod station;
mod table;
pub mod trouble;

pub use error::HallError;
pub use faults::Faults;
pub use games::Games;
pub use hall::Hall;
pub use hands::Style;
pub use link::Link;
pub use options::{Beginning, Clocks, HallOptions};
