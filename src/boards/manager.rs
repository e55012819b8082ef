//! All boards: which task has which board, and how others reach it.
//!
//! Knows serial numbers. Must not know what a board's task does.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::boards::registry::Message;
use crate::boards::task::{self, BoardContext};
use crate::transport::ask::FoundBoard;

/// What may wait for a board's task while it is busy.
const MAILBOX: usize = 4;

/// The tasks of all boards.
struct Tasks {
    context: BoardContext,
    stop: CancellationToken,
    running: JoinSet<()>,
}

/// Gives each found board to its task, which is begun when the board is new, until the stop. Boards on which a game is
/// played have their task from the beginning, so that an order reaches it before the board does.
pub async fn run(context: BoardContext, mut found: mpsc::Receiver<FoundBoard>, stop: CancellationToken) {
    let mut tasks = Tasks { context, stop, running: JoinSet::new() };
    for board in tasks.context.director.boards_in_play() {
        tasks.mailbox(&board);
    }
    loop {
        tokio::select! {
            () = tasks.stop.cancelled() => break,
            Some(ended) = tasks.running.join_next() => {
                // A task that panicked gave its line back: discovery finds the board again.
                if let Err(panic) = ended {
                    tracing::error!(%panic, "a board's task failed; the board is looked for again");
                }
            }
            next = found.recv() => {
                let Some(board) = next else { break };
                let serial: Arc<str> = board.serial.as_str().into();
                tasks.context.director.welcome(&serial);
                if tasks.mailbox(&serial).send(Message::Found(board)).await.is_err() {
                    tracing::debug!("a board came while its task ended; it is found again");
                }
            }
        }
    }
    while tasks.running.join_next().await.is_some() {}
}

impl Tasks {
    /// The mailbox of a board's task, which is begun when there is none.
    fn mailbox(&mut self, serial: &Arc<str>) -> mpsc::Sender<Message> {
        let switchboard = self.context.director.switchboard();
        if let Some(mailbox) = switchboard.mailbox(serial) {
            return mailbox;
        }
        let (sender, mailbox) = mpsc::channel(MAILBOX);
        let showing = switchboard.connect(serial, sender.clone());
        let span = tracing::info_span!("board", %serial);
        let task = task::run(Arc::clone(serial), self.context.clone(), mailbox, showing, self.stop.clone());
        self.running.spawn(task.instrument(span));
        sender
    }
}
