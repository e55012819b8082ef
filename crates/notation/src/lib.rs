//! Chess notation standards: text in, text out.
//!
//! | module | knows |
//! | --- | --- |
//! | [`pgn`] | games as Portable Game Notation: types, reader, writer |
//! | [`time`] | clock times and the clock commands inside comments |
//! | [`time_control`] | the `TimeControl` tag |
//!
//! The crate knows how things are written and nothing else. It must not know the rules of chess (a
//! move is a piece of text that looks like a move), boards, files, the clock on the wall or who
//! asks.
//!
//! "PGN standard" in the documentation is the *Portable Game Notation Specification and
//! Implementation Guide* of 1994.03.12, "PGN supplement" its proposed extension of 2001 with the
//! clock commands.

mod command;
pub mod pgn;
pub mod time;
pub mod time_control;
