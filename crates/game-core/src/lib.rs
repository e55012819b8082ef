//! From the bytes of a board to the record of a game: the pure core of boardcast.
//!
//! ```text
//! bytes -> frames -> placement -> recognition -> game record
//! ```
//!
//! * [`input`] is everything that can reach a session; [`capture`] is how inputs are written down.
//! * [`session`] joins the parts for one board; start reading there.
//! * [`placement`] is what stands on the board, [`lens`] what a faulty board makes of it, [`unsteady`] where a piece comes and
//!   goes; [`line`], [`bridge`] and
//!   [`recognise`] find out what was played; [`clock`], [`press`] and [`times`] find out what the clock says about it.
//!   `docs/recognition.md` tells what decides what.
//! * [`link`] and [`probe`] are the dialogues with a board and with an unknown port.
//! * [`event`] is the vocabulary of what happened; [`game`] is its fold into one game; [`replay`] computes all of it
//!   again from captures. [`alarm`] says what an arbiter must look at; [`mating`] whether a player can still mate.
//!
//! There is no clock, no I/O, no thread and no chance in this crate: time comes in as a [`time::Timestamp`], and the
//! same inputs at the same times always give the same events.

pub mod alarm;
pub mod bridge;
pub mod capture;
pub mod chess960;
pub mod clock;
pub mod controls;
mod correspondence;
pub mod event;
pub mod game;
mod heard;
pub mod input;
pub mod lens;
pub mod line;
pub mod link;
pub mod mating;
pub mod placement;
mod play;
pub mod press;
pub mod probe;
mod quiet;
pub mod recognise;
pub mod replay;
pub mod search;
pub mod session;
mod sign;
pub mod time;
pub mod times;
pub mod touched;
pub mod unsteady;
