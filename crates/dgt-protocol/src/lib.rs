//! The wire protocol of DGT electronic chess boards, both directions, without dependencies.
//!
//! A board sends messages whose first byte, the id, is the only one with bit 7 set. The computer sends
//! commands of mostly one byte. The same ids mean different things on a line with several boards (bus
//! mode), so every reader takes a [`Mode`].
//!
//! The crate converts between bytes and their meaning. It must not know chess rules, time, ports or
//! files: bytes come in as slices, and the caller measures the time after which an unfinished message
//! is dropped ([`FrameReader::abandon`]).
//!
//! | to decode | use |
//! | --- | --- |
//! | the bytes of a board | [`FrameReader`], then [`Frame::message`] or [`Frame::bus_message`] |
//! | the bytes of a computer (simulator, capture files) | [`CommandReader`] |
//! | the board's event log | [`EventLog::events`] |
//!
//! | to encode | use |
//! | --- | --- |
//! | commands to a board | [`Command::encode`]; commands that disturb a game cannot be expressed |
//! | messages of a simulated board | [`Message::encode`], [`BusMessage::encode`] |
//!
//! Where to start: `message.rs` has the messages of a board, `command.rs` the commands to it, `frame.rs`
//! finds messages in a damaged byte stream, `envelope.rs` has ids and lengths. `docs/protocol.md` of the
//! project describes every byte with its source.
//!
//! ```
//! use dgt_protocol::{Field, FrameReader, Message, Mode, PieceCode};
//!
//! let mut reader = FrameReader::new(Mode::Single);
//! // A stray byte, then "white pawn on field 36" (e4 on an unrotated board), in two chunks.
//! let mut messages = Vec::new();
//! for chunk in [&[0x17, 0x8e, 0x00][..], &[0x05, 0x24, 0x01]] {
//!     let mut input = chunk;
//!     while let Some(frame) = reader.next_frame(&mut input) {
//!         messages.push(frame.message()?);
//!     }
//! }
//! let field = Field::new(36).ok_or("a board has fields 0 to 63")?;
//! assert_eq!(messages, [Message::FieldUpdate { field, piece: PieceCode::WhitePawn }]);
//! assert_eq!(reader.dropped(), 1); // a reason to request a dump: Command::Board
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! "DGT" is a trade mark of its owner; the name is used to say which boards this crate works with.

mod address;
mod battery;
mod bus_command;
mod bus_message;
mod clock;
mod clock_command;
mod command;
mod envelope;
mod error;
mod field;
mod frame;
mod host;
mod leds;
mod log;
mod message;
mod mode;
mod piece;
mod text;

pub use address::Address;
pub use battery::{Battery, HoursMinutes, Standby};
pub use bus_command::BusCommand;
pub use bus_message::{BusMessage, ChangesParity, RawReply};
pub use clock::{AckKind, ClockAck, ClockButton, ClockMessage, ClockTimes, Side, SideTime};
pub use clock_command::{ClockCommand, ClockCommandError, SetTime};
pub use command::Command;
pub use error::{ClockPart, MessageError};
pub use field::Field;
pub use frame::{Frame, FrameReader};
pub use host::{CommandReader, ForbiddenBusCommand, HostMessage};
pub use leds::LedCommand;
pub use log::{EventLog, Events, LogEvent};
pub use message::{HalfBoard, Message};
pub use mode::Mode;
pub use piece::{Fields, PieceCode};
pub use text::{Ascii, SerialNumber};
