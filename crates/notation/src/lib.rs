//! Chess notation standards: text in, text out.
//!
//! | module | knows |
//! | --- | --- |
//! | [`pgn`] | games as Portable Game Notation: types, reader, writer, rules |
//! | [`play`] | the bridge to the rules: moves as text in a position |
//! | [`fen`] | positions as Forsyth-Edwards Notation |
//! | [`epd`] | positions with operations as Extended Position Description |
//! | [`pgc`] | games in the binary form of PGN |
//! | [`presentation`] | piece letters of other languages, figurines, country codes |
//! | [`command`] | the commands embedded in comments |
//! | [`comment`] | comments: their normal form and their words |
//! | [`time`] | clock times and the clock commands inside comments |
//! | [`clock_tags`] | the tags that tell a running game's clocks |
//! | [`time_control`] | the `TimeControl` tag |
//! | [`collation`] | the order of games within a file |
//! | [`archive`] | file names and the tree of an archive |
//!
//! The crate knows how things are written and nothing else; legality it asks of `shakmaty`. It must not know boards,
//! files, the clock on the wall or who asks.
//!
//! "PGN standard" in the documentation is the *Portable Game Notation Specification and
//! Implementation Guide* of 1994.03.12, "PGN supplement" its proposed extension of 2001 with the
//! clock commands, "EPD standard" the *Extended Position Description Specification* of 1995.11.26.

pub mod archive;
pub mod clock_tags;
pub mod collation;
pub mod command;
pub mod comment;
mod encoding;
pub mod epd;
pub mod fen;
mod movers;
pub mod pgc;
pub mod pgn;
pub mod play;
pub mod presentation;
pub mod time;
pub mod time_control;
