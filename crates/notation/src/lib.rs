//! Chess notation standards: text in, text out.
//!
//! | module | knows |
//! | --- | --- |
//! | [`pgn`] | games as Portable Game Notation: types, reader, writer |
//! | [`play`] | the bridge to the rules: moves as text in a position |
//! | [`fen`] | positions as Forsyth-Edwards Notation |
//! | [`epd`] | positions with operations as Extended Position Description |
//! | [`pgc`] | games in the binary form of PGN |
//! | [`presentation`] | piece letters of other languages, figurines, country codes |
//! | [`time`] | clock times and the clock commands inside comments |
//! | [`time_control`] | the `TimeControl` tag |
//!
//! The crate knows how things are written and nothing else. It must not know boards, files, the
//! clock on the wall or who asks. To [`pgn`] a move is a piece of text that looks like a move; only
//! the notations of positions ask the rules of chess, through [`play`] and `shakmaty`.
//!
//! "PGN standard" in the documentation is the *Portable Game Notation Specification and
//! Implementation Guide* of 1994.03.12, "PGN supplement" its proposed extension of 2001 with the
//! clock commands, "EPD standard" the *Extended Position Description Specification* of 1995.11.26.

mod command;
pub mod epd;
pub mod fen;
pub mod pgc;
pub mod pgn;
pub mod play;
pub mod presentation;
pub mod time;
pub mod time_control;
