//! Every outgoing consumer of a broadcast (Lichess, folders, web addresses, FTP, web hooks, commands), each a queue of its own.
//!
//! An output compares what its view shows with what the consumer has acknowledged, and sends the difference: so after an outage
//! of any length it catches up exactly, and nothing waits in memory meanwhile. Each output has a thread, a view with its own
//! delay, and a file that remembers what was acknowledged.
//!
//! **Where to start:** [`Outputs`] owns all of them; `output` is one of them, driven by time that comes in as an argument; `queue`
//! decides when it tries; `wanted` reads the view; the folder `consumer` has one file for each kind.
//!
//! **Must not know** the journal, the tournament or anything undelayed: of the record it can name `publish` alone, and
//! `publish::keys` does not exist for this crate.

pub mod address;
mod consumer;
mod end;
mod http;
pub mod json_file;
mod manager;
mod output;
mod queue;
mod refusal;
mod secret;
mod sentence;
pub mod settings;
mod site;
mod status;
mod store;
#[cfg(test)]
mod tests;
mod wanted;
mod worker;

pub use consumer::lichess::broadcast::PlannedRound;
pub use http::{Http, NoAnswer, Request, Response, Web};
pub use manager::{Known, Outputs, Start, Views};
pub use refusal::{OutputRefusal, Refusal};
pub use secret::{Secret, SecretProblem};
pub use sentence::entries;
pub use settings::Settings;
pub use status::{ItemProblem, State, Status};

// `tests/wall` compiles this line and expects that it fails.
#[cfg(wall_proof)]
const _: Option<publish::keys::KeyView> = None;
