//! Games in the binary form of PGN, PGN Game Coding (PGN standard, 20).
//!
//! Must not know the text form of PGN; both forms share [`crate::pgn::Game`].
//!
//! The standard has no record for comments. They are written as escape strings with braces, `{[%clk 1:39:58] quiet}`; other
//! escape strings are skipped, as PGN readers skip escape lines. Text is Latin-1 (20.1).
//!
//! ```
//! use notation::{pgc, pgn};
//!
//! let game = pgn::read_games("[Event \"Club\"]\n\n1. a3 h5 2. Na2 *").next().expect("a game")?;
//! let error = pgc::write_game(&game).unwrap_err();
//! assert_eq!(error.to_string(), "ply 3: the move Na2 is not legal in this position; correct the move or the position");
//!
//! let game = pgn::read_games("[Event \"Club\"]\n\n1. a3 {[%clk 1:30:00]} h5 *").next().expect("a game")?;
//! let bytes = pgc::write_game(&game).expect("a game that can be played");
//! let again = pgc::read_games(&bytes).next().expect("a game").expect("a valid game");
//! assert_eq!(pgn::write_game(&again), pgn::write_game(&game));
//! # Ok::<(), pgn::PgnError>(())
//! ```

mod error;
mod item;
mod ordinal;
mod read;
mod write;

pub use error::{PgcError, Reason, WriteError};
pub use read::{Games, read_games};
pub use write::write_game;
