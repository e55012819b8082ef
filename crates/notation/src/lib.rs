//! The notation standards of chess: reads and writes PGN, FEN, EPD, PGC and clock commands. Text or bytes in, text or
//! bytes out.
//!
//! It knows how chess is written and takes the rules of chess from `shakmaty`. It must not know boards, tournaments,
//! games in progress, the file system or the current time.
//!
//! Start with [`pgn`]: [`pgn::read_games`], [`pgn::write_game`] and the type [`pgn::Game`] that both share. Then:
//!
//! | module | content |
//! | --- | --- |
//! | [`fen`] | positions as Forsyth-Edwards Notation |
//! | [`play`] | moves as text in a position |
//! | [`pgn`] | games as Portable Game Notation |
//! | [`pgc`] | games in PGN's binary form |
//! | [`epd`] | positions with operations, Extended Position Description |
//! | [`command`], [`time`] | embedded commands of comments, clock times |
//! | [`time_control`], [`clock_tags`] | tags with a form of their own |
//! | [`collation`], [`archive`] | the order of games in a file, the files of an archive |
//! | [`presentation`] | piece letters of other languages, figurines, country codes |
//!
//! Imports point one way: `command`, `time`, `comment`, `san` and `fen` are lowest; `play` uses `san`; `pgn` uses these;
//! `pgc`, `epd`, `collation` and `archive` use `pgn`. A folder's files import each other, never the file that re-exports
//! them.
//!
//! In the documentation, "PGN standard" is the *Portable Game Notation Specification and Implementation Guide* of
//! 1994.03.12, "PGN supplement" its proposed extension of 2001 with the clock commands, and "EPD standard" the *Extended
//! Position Description Specification* of 1995.11.26.

pub mod archive;
pub mod clock_tags;
pub mod collation;
pub mod command;
mod comment;
mod encoding;
pub mod epd;
mod excerpt;
pub mod fen;
mod movers;
pub mod pgc;
pub mod pgn;
pub mod play;
pub mod presentation;
mod san;
pub mod time;
pub mod time_control;
