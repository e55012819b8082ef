//! The director: the one owner of the tournament.
//!
//! ```text
//! people --orders (64)--> orders --+
//!                                  +--mailbox (1024)--> director --facts, events--> recorder
//! boards --link-------------------+                        |
//!                                                           +--snapshots (watch)--> every reader
//! ```
//! `actor` is a thread of its own, which reads the journal but never waits for a commit. `orders` is a task that takes one
//! order after the other and does the waiting. All other parts have a [`DirectorHandle`]. Must not know what an order may do
//! (`tournament`) nor what a board shows (recognition).

mod actor;
mod board_commands;
mod board_link;
pub mod by_serial;
mod changes;
mod command;
mod handle;
pub mod initial;
mod orders;
pub mod pairings_folder;
pub(crate) mod pairings_outcome;
mod receipt;
mod snapshot;
#[cfg(test)]
pub(crate) mod tests;
mod waiting_pairings;

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use anyhow::Context;
use tokio::runtime;
use tokio::sync::{mpsc, watch};
use tokio::task;

use self::actor::{Director, State};
use self::orders::Orders;
use self::waiting_pairings::WaitingPairings;
use crate::boards::registry::BoardRegistry;
use hall_clock::HallClock;
use journal::{Past, Reader, RecorderHandle};

pub(crate) use board_link::BoardLink;
pub use changes::{Basis, Change};
pub use command::BoardPast;
pub use handle::DirectorHandle;
#[cfg(test)]
pub(crate) use pairings_folder::FolderText;
#[cfg(test)]
pub(crate) use receipt::Failure;
pub(crate) use receipt::changed;
pub use receipt::{OrderError, Receipt};
pub use snapshot::Snapshot;

/// The parts of the director at work.
#[derive(Debug)]
pub struct Running {
    thread: JoinHandle<()>,
    orders: task::JoinHandle<()>,
}

impl Running {
    /// Waits until the director has ended: when every handle and every board's link is dropped, and everything that they
    /// sent is with the recorder.
    ///
    /// # Errors
    /// When it failed; the reason is in the log.
    pub async fn ended(self) -> anyhow::Result<()> {
        let Self { thread, orders } = self;
        let orders = async { orders.await.context("the task that takes orders failed") };
        let thread = async {
            let ended = task::spawn_blocking(|| thread.join()).await?;
            ended.map_err(|_| anyhow::anyhow!("its thread panicked; the reason is in the log"))
        };
        // The first failure counts: the other half goes on waiting for handles.
        tokio::try_join!(orders, thread)?;
        Ok(())
    }
}

/// Starts the director of the tournament that a journal holds; to be called within a tokio runtime.
///
/// # Errors
/// When the system gives no thread.
pub fn start(
    clock: HallClock,
    recorder: RecorderHandle,
    journal: Reader,
    past: &Past,
) -> io::Result<(DirectorHandle, Running)> {
    let (handle, orders, director) = assemble(clock, recorder, journal, past);
    let thread = thread::Builder::new().name("director".into()).spawn(|| director.run())?;
    Ok((handle, Running { thread, orders: tokio::spawn(orders.run()) }))
}

/// The director's parts, not yet at work.
fn assemble(
    clock: HallClock,
    recorder: RecorderHandle,
    journal: Reader,
    past: &Past,
) -> (DirectorHandle, Orders, Director) {
    let boards = BoardRegistry::default();
    let state = State::of(past);
    let (sender, mailbox) = mpsc::channel(command::MAILBOX);
    let (orders, requests) = mpsc::channel(orders::WAITING_ORDERS);
    let (snapshots, reader) = watch::channel(Arc::new(state.snapshot()));
    let runtime = runtime::Handle::current();
    let waiting = WaitingPairings::default();
    let handle = DirectorHandle {
        mailbox: sender.clone(),
        orders,
        snapshots: reader,
        boards: boards.clone(),
        waiting: waiting.clone(),
    };
    let orders = Orders { requests, director: sender, boards: boards.clone() };
    let director =
        Director { clock, recorder, journal, boards, waiting, runtime, mailbox, snapshots, state, leaving: None };
    (handle, orders, director)
}
