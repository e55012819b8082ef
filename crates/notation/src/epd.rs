//! Positions with operations as Extended Position Description (EPD standard; PGN standard, 16.2).
//!
//! A [`Record`] is a position with operations; it checks the operands of each opcode. Must not know engines or where the
//! text comes from.
//!
//! ```
//! use notation::epd::{Operand, read_record};
//! use notation::fen::Reading;
//!
//! let text = "4k3/8/8/8/8/8/4P3/4K3 w - -  id \"A.1\"; bm  e4 Kd2 ;";
//! let mut record = read_record(text, Reading::LAX)?;
//! assert_eq!(record.moves("bm").collect::<Vec<_>>(), ["Kd2", "e4"]);
//! record.set("ce", vec![Operand::Integer(35)]).expect("35 is in range");
//! assert_eq!(record.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - bm Kd2 e4; ce 35; id \"A.1\";");
//!
//! let error = read_record("4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;", Reading::LAX).unwrap_err();
//! assert_eq!(error.to_string(), "column 32: the move e5 is not legal in this position; correct the move or the position");
//! # Ok::<(), notation::epd::EpdError>(())
//! ```

mod error;
mod evaluation;
mod game;
mod limits;
mod opcode;
mod operand;
mod read;
mod record;
mod registers;
mod stream;
mod used_time;
mod verdict;

pub use error::{EpdError, Reason, StreamError};
pub use evaluation::Evaluation;
pub use game::{GameExtras, MomentExtras, game_records};
pub use limits::MAX_RECORD_BYTES;
pub use opcode::{OperandType, is_opcode, operand_type};
pub use operand::{Clock, Date, Operand, TimeOfDay};
pub use read::read_record;
pub use record::Record;
pub use registers::Registers;
pub use stream::{Records, read_records};
pub use verdict::Verdict;
