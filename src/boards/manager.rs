//! The manager of boards: starts a task for each, and gives boards that are found to their tasks.
//!
//! Knows serial numbers. Must not know what a board's task does.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::boards::display::BoardDisplay;
use crate::boards::registry::BoardMessage;
use crate::boards::task::{self, BoardContext};
use crate::transport::ask::FoundBoard;

/// Messages that may wait for a board's task while it is busy; senders wait beyond that.
const MAILBOX: usize = 4;

/// The tasks of all boards.
struct Tasks {
    context: BoardContext,
    stop: CancellationToken,
    running: JoinSet<()>,
}

/// Gives each found board to its task until the stop, and starts that task when the board is new. Boards on which a game
/// is running have their task from the beginning, so that an order reaches it before the board does.
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
                if let Some(text) = &board.other_trademark {
                    tracing::warn!(%serial, "board {serial} answers with another trademark than the maker's boards ({text:?}): it is used");
                    tasks.context.director.boards().note_trademark(&serial);
                }
                tasks.context.director.register_board(&serial).await;
                if tasks.mailbox(&serial).send(BoardMessage::Found(board)).await.is_err() {
                    tracing::debug!("a board came while its task ended; it is found again");
                }
            }
        }
    }
    while tasks.running.join_next().await.is_some() {}
}

impl Tasks {
    /// The mailbox of a board's task, which is started when there is none.
    fn mailbox(&mut self, serial: &Arc<str>) -> mpsc::Sender<BoardMessage> {
        let boards = self.context.director.boards();
        if let Some(mailbox) = boards.mailbox(serial) {
            return mailbox;
        }
        let (sender, mailbox) = mpsc::channel(MAILBOX);
        let display = BoardDisplay::new(boards.register(serial, sender.clone())).counted(boards.counters(serial));
        let span = tracing::info_span!("board", %serial);
        let task = task::run(Arc::clone(serial), self.context.clone(), mailbox, display, self.stop.clone());
        self.running.spawn(task.instrument(span));
        sender
    }
}
