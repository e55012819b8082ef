//! Chess notation standards: text in, text out.
//!
//! | module | knows |
//! | --- | --- |
//! | [`pgn`] | games as Portable Game Notation: types, reader, writer, rules |
//! | [`comment`] | comments and the commands embedded in them |
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
//! clock commands.

pub mod archive;
pub mod clock_tags;
pub mod collation;
pub mod comment;
mod encoding;
pub mod pgn;
pub mod time;
pub mod time_control;
