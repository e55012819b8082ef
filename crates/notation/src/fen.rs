//! Positions as Forsyth-Edwards Notation (PGN standard, 16.1), with X-FEN and Shredder-FEN for
//! Chess960.
//!
//! A position that is read is one that can be played from. Must not know operations, which are [`crate::epd`]'s.
//!
//! ```
//! use notation::fen::{Reading, Style, read_fen, write_fen};
//!
//! let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
//! let position = read_fen(fen, Reading::STRICT)?;
//! assert_eq!(write_fen(&position, Style::STANDARD), fen);
//! assert_eq!(write_fen(&position, Style::MODERN), fen.replace("e3", "-"));
//!
//! let error = read_fen(&fen.replace("4P3", "4P4"), Reading::LAX).unwrap_err();
//! assert_eq!(error.to_string(), "piece placement, character 25: rank 4 has more than 8 squares; correct it");
//! # Ok::<(), notation::fen::FenError>(())
//! ```

mod error;
mod limits;
mod read;
mod rights;
mod write;

pub use error::{FenError, Field, Reason};
pub use limits::MAX_COUNTER;
pub use read::{Reading, read_fen, read_fen_noting};
pub use write::{Castling, Style, write_fen, write_fens};

pub(crate) use read::{FieldText, read_counter, read_position};
pub(crate) use write::write_four_fields;
