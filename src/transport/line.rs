//! What every kind of line has in common: received bytes, and the errors of opening and using it.

use std::io;
use std::time::Instant;

use super::address::Address;

/// Maximum size of a chunk in bytes; a board sends at most 960 bytes a second.
pub(super) const CHUNK_BYTES: usize = 4096;

/// Why a line cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum PortError {
    /// No such device.
    #[error("{port} does not exist: check the cable; `boardcast boards` lists the connected devices")]
    NotThere {
        /// The port asked for.
        port: Address,
    },
    /// Another program uses the port.
    #[error("{port} is in use by another program: close that program, or unplug the board from it")]
    InUse {
        /// The port asked for.
        port: Address,
    },
    /// The user lacks permission.
    #[error(
        "no permission to open {port}: add this user to the group dialout (`sudo usermod -aG dialout $USER`) and log in again"
    )]
    NotPermitted {
        /// The port asked for.
        port: Address,
    },
    /// The far end of a TCP line does not answer.
    #[error("{port} cannot be reached: check that the serial server is switched on and its address is right")]
    Unreachable {
        /// The address asked for.
        port: Address,
        /// What the network said.
        source: io::Error,
    },
    /// Another error.
    #[error("{port} cannot be opened as a serial port: check that it is one")]
    Other {
        /// The port asked for.
        port: Address,
        /// What the system said.
        source: io::Error,
    },
}

/// Received bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// When they were read, which may be long before they are processed.
    pub at: Instant,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Chunk {
    /// Bytes that were read now.
    pub fn now(bytes: &[u8]) -> Self {
        Self { at: Instant::now(), bytes: bytes.to_vec() }
    }
}

/// The line is gone: unplugged, closed by the other end, or it accepts no more bytes. The text tells which.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Gone(pub String);
