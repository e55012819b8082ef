//! The wire protocol of DGT electronic chess boards, both directions, without dependencies.
//!
//! A board speaks in messages whose first byte, the id, is the only one with bit 7 set; the
//! computer speaks in commands of mostly one byte. The same ids mean other things while several
//! boards share one line (bus mode), so every reader here is told the [`Mode`]. The crate knows
//! bytes and their meaning. It does not know chess, time, ports or who calls: bytes come in as
//! slices, the 250 ms after which an unfinished message is dead are measured by the caller
//! ([`FrameReader::abandon`]).
//!
//! | to read | use |
//! | --- | --- |
//! | what a board sends | [`FrameReader`], then [`Frame::message`] or [`Frame::bus_message`] |
//! | what a computer sends (simulator, capture files) | [`CommandReader`] |
//! | the board's own event log | [`EventLog::events`] |
//!
//! | to write | use |
//! | --- | --- |
//! | to a board | [`Command::encode`]: what could disturb a game cannot be expressed |
//! | as a board (simulator) | [`Message::encode`], [`BusMessage::encode`] |
//!
//! ```
//! use dgt_protocol::{Field, FrameReader, Message, Mode, PieceCode};
//!
//! let mut reader = FrameReader::new(Mode::Single);
//! // A stray byte, then "white pawn on field 36" (e4 on an unrotated board), cut by the read.
//! let mut messages = Vec::new();
//! for chunk in [&[0x17, 0x8e, 0x00][..], &[0x05, 0x24, 0x01]] {
//!     let mut input = chunk;
//!     while let Some(frame) = reader.next_frame(&mut input) {
//!         messages.push(frame.message()?);
//!     }
//! }
//! let field = Field::new(36).ok_or("a board has fields 0 to 63")?;
//! assert_eq!(messages, [Message::FieldUpdate { field, piece: PieceCode::WhitePawn }]);
//! assert_eq!(reader.dropped(), 1); // a reason to ask for a dump: Command::Board
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! "DGT" is a trade mark of its owner; this crate only says what works with those boards.

mod battery;
mod bus;
mod bus_command;
mod clock;
mod clock_command;
mod command;
mod envelope;
mod error;
mod frame;
mod host;
mod leds;
mod log;
mod message;
mod piece;
mod square;
mod text;

pub use battery::{Battery, HoursMinutes, Standby};
pub use bus::{Address, BusMessage, ChangesParity, RawReply};
pub use bus_command::BusCommand;
pub use clock::{AckKind, ClockAck, ClockButton, ClockMessage, ClockTimes, Side, SideTime};
pub use clock_command::{ClockCommand, ClockCommandError, SetTime};
pub use command::Command;
pub use error::{ClockPart, MessageError};
pub use frame::{Frame, FrameReader, Mode};
pub use host::{CommandReader, ForbiddenBusCommand, HostMessage};
pub use leds::LedCommand;
pub use log::{EventLog, Events, LogEvent};
pub use message::{HalfBoard, Message};
pub use piece::{Fields, PieceCode};
pub use square::Field;
pub use text::{Ascii, SerialNumber};
