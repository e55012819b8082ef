//! Lines to boards: serial ports and TCP connections behind one type, the search for boards on them, and capture files.
//!
//! Must not know what the bytes mean. [`Port`] is an open line; [`discovery`] finds boards and gives them on with their line;
//! [`capture_file`] keeps what a line carried.

mod address;
pub mod ask;
mod bus;
pub mod candidates;
pub mod capture_check;
pub mod capture_file;
pub mod capture_space;
pub mod discovery;
pub mod known_lines;
mod line;
mod lines_runtime;
pub mod physical;
mod port;
pub mod ports;
mod positions_line;
mod serial;

pub use address::{Address, AddressError};
pub use ask::FoundBoard;
pub use bus::boards_of;
pub use line::{Chunk, Gone, PortError};
pub use port::Port;
pub use positions_line::PositionsLine;
