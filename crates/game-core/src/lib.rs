//! Turns the bytes of one electronic chess board into the record of a game: the pure core of boardcast.
//!
//! ```text
//! bytes -> frames -> placement -> recognition + clock -> session -> events -> game record -> PGN
//! ```
//!
//! # What it must not know
//! Ports, files, sockets, storage, viewers, delay, tournaments. There is no I/O, no thread, no randomness and no system
//! clock here: every instant comes in as a [`time::Timestamp`]. The same inputs at the same times give the same events,
//! which is why a replayed capture equals the live record.
//!
//! # Where to start
//! [`session::BoardSession`] joins all parts for one board: inputs and instants go in, commands and events come out.
//! [`input`] lists everything that can go in, [`event`] everything that comes out.
//!
//! # The pipeline
//! 1. `link` keeps the dialogue with the board: switches its updates on, asks for dumps, notices silence, and by `identity` whether
//!    another board answers. [`probe`] finds out
//!    what is at the other end of an unknown port.
//! 2. [`placement`] holds the pieces on the 64 squares. `board_faults` has the pieces that a board misreads;
//!    `unsteady` has the pieces that are read only now and then.
//! 3. `search` finds the likeliest line of play behind what was heard. `docs/recognition.md` explains the model.
//! 4. `clock` turns clock messages into presses (`press`), `times` computes `%clk` and `%emt` of each move.
//! 5. [`game`] folds events into one game and its PGN. [`alarm`] derives what an arbiter must look at from games and boards.
//! 6. [`capture`] reads and writes the inputs as text; [`replay`] runs a session over captures.

pub mod alarm;
mod board_faults;
pub mod bus;
pub mod capture;
mod chess960;
mod clock;
pub mod controls;
mod correspondence;
pub mod event;
pub mod game;
mod identity;
pub mod input;
pub mod line;
mod link;
mod mating;
pub mod placement;
mod press;
pub mod probe;
mod reading;
pub mod replay;
mod search;
pub mod session;
pub mod time;
mod times;
mod unsteady;
