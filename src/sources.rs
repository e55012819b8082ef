//! Games of other recorders that join the rounds: PGN from a web address or a folder, PGN and positions that programs send.
//!
//! A source is read from time to time, or gets what a program posts. Its games are matched with pairings, and their moves go to the
//! director as orders: so they pass the journal and the gate like those of a board. Positions go to a board of their own
//! (`positions`), which is recognised like any other. Must not know HTTP addresses, or what the public sees.
//!
//! `manager` owns all sources, `one` is one of them, `reading` reads it again and again, `read` makes games of a text, `matching` finds their pairings, `pace` says when
//! a source is asked again, `refusal` and `note` have the sentences.

mod manager;
mod matching;
pub(crate) mod note;
mod one;
mod pace;
pub mod positions;
mod read;
mod reading;
mod refusal;
pub mod settings;

pub use manager::{GameSources, Known, MOST_BYTES as MOST_PGN_BYTES, Start};
pub use one::{GameLine, SourceState, Status};
pub use outputs::address::host;
pub use refusal::{Refusal, SourceRefusal};
pub use settings::{From, Settings};
