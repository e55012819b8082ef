//! All boards: which task has which board.
//!
//! Knows serial numbers. Must not know what a board's task does.

use std::collections::HashMap;

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::board_task::{self, BoardContext};
use crate::transport::ask::FoundBoard;

/// Boards that come within reach while their task is busy.
const MAILBOX: usize = 4;

/// Gives each found board to its task, which is begun when the board is new, until the stop.
pub async fn run(
    context: BoardContext,
    mut found: mpsc::Receiver<FoundBoard>,
    stop: CancellationToken,
) -> anyhow::Result<()> {
    let mut mailboxes = HashMap::<String, mpsc::Sender<FoundBoard>>::new();
    let mut tasks = JoinSet::new();
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            Some(ended) = tasks.join_next() => {
                // A task that panicked gave its line back: discovery finds the board again.
                if let Err(panic) = ended {
                    tracing::error!(%panic, "a board's task failed; the board is looked for again");
                }
                mailboxes.retain(|_, mailbox| !mailbox.is_closed());
            }
            next = found.recv() => {
                let Some(board) = next else { break };
                context.tournament.seat(&board.serial);
                let serial = board.serial.clone();
                let mailbox = mailboxes.entry(serial.clone()).or_insert_with(|| {
                    let (sender, mailbox) = mpsc::channel(MAILBOX);
                    let span = tracing::info_span!("board", %serial);
                    let task = board_task::run(serial, context.clone(), mailbox, stop.clone());
                    tasks.spawn(task.instrument(span));
                    sender
                });
                if mailbox.send(board).await.is_err() {
                    tracing::debug!("a board came while its task ended; it is found again");
                }
            }
        }
    }
    while tasks.join_next().await.is_some() {}
    Ok(())
}
