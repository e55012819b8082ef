//! The link from a board's task to the director.
//!
//! Handing in never waits: what does not fit into the director's mailbox stays in the link, is joined with what follows and
//! goes with the next message, so that nothing is lost and nothing overtakes. Questions wait for their answer, which is
//! never a commit. Must not know what the director does with it.

use std::sync::Arc;

use game_core::event::Record;
use game_core::input::Assign;
use hall_clock::UtcMs;
use journal::Batch;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tournament::OpenedGame;

use super::command::{BoardPast, Command};

/// One board's link to the director.
#[derive(Debug)]
pub(crate) struct BoardLink {
    board: Arc<str>,
    mailbox: mpsc::Sender<Command>,
    /// Found no room in the mailbox yet.
    unsent: Batch,
}

impl BoardLink {
    pub(super) fn new(board: Arc<str>, mailbox: mpsc::Sender<Command>) -> Self {
        Self { board, mailbox, unsent: Batch::default() }
    }

    /// Hands over what the board's session emitted, with facts of the board. Never waits.
    pub(crate) fn hand_in(&mut self, batch: Batch) {
        let Batch { boards, hall, persons, games, .. } = batch;
        self.unsent.boards.extend(boards);
        self.unsent.hall.extend(hall);
        self.unsent.persons.extend(persons);
        self.unsent.games.extend(games);
        self.try_flush();
    }

    /// Sends what found no room before, if there is room now.
    pub(crate) fn try_flush(&mut self) {
        if self.is_empty() {
            return;
        }
        let full = match self.mailbox.try_reserve() {
            Ok(permit) => {
                let batch = std::mem::take(&mut self.unsent);
                return permit.send(Command::HandIn { board: Arc::clone(&self.board), batch });
            }
            Err(error) => matches!(error, TrySendError::Full(())),
        };
        if full {
            tracing::debug!(waiting = self.unsent.games.len(), "the director is busy: events wait at the board");
        } else {
            self.lost();
        }
    }

    /// Waits until everything that was handed in is in the director's mailbox.
    pub(crate) async fn flush(&mut self) {
        if self.is_empty() {
            return;
        }
        let Ok(permit) = self.mailbox.reserve().await else { return self.lost() };
        let batch = std::mem::take(&mut self.unsent);
        permit.send(Command::HandIn { board: Arc::clone(&self.board), batch });
    }

    /// The board shows a king on e4.
    pub(crate) async fn king_shown(&mut self) {
        self.flush().await;
        // The director may have ended.
        let _ = self.mailbox.send(Command::KingShown { board: Arc::clone(&self.board) }).await;
    }

    /// A start position came onto the board: records which game begins; none when none does.
    pub(crate) async fn open_game(&mut self, at: UtcMs, started: Record) -> Option<OpenedGame> {
        let board = Arc::clone(&self.board);
        self.ask(|reply| Command::OpenGame { board, at, started, reply }).await.flatten()
    }

    /// From where the board's next game starts, when not from the usual position.
    pub(crate) async fn expected(&mut self) -> Option<Assign> {
        let board = Arc::clone(&self.board);
        self.ask(|reply| Command::Expected { board, reply }).await.flatten()
    }

    /// What the board was doing; nothing when the journal cannot be read, which is logged.
    pub(crate) async fn past(&mut self) -> BoardPast {
        let board = Arc::clone(&self.board);
        self.ask(|reply| Command::Past { board, reply }).await.unwrap_or_default()
    }

    /// None when the director has ended.
    async fn ask<T>(&mut self, command: impl FnOnce(oneshot::Sender<T>) -> Command) -> Option<T> {
        self.flush().await;
        let (reply, answer) = oneshot::channel();
        self.mailbox.send(command(reply)).await.ok()?;
        answer.await.ok()
    }

    fn is_empty(&self) -> bool {
        self.unsent == Batch::default()
    }

    fn lost(&mut self) {
        let lost = std::mem::take(&mut self.unsent).games.len();
        tracing::error!(board = %self.board, lost, "the director has stopped: events are lost; restart the daemon");
    }
}

impl Drop for BoardLink {
    /// A task that ends in a panic leaves what it handed in; it goes on without the task.
    fn drop(&mut self) {
        self.try_flush();
        if self.is_empty() {
            return;
        }
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return self.lost() };
        let (board, mailbox, batch) = (Arc::clone(&self.board), self.mailbox.clone(), std::mem::take(&mut self.unsent));
        runtime.spawn(async move { mailbox.send(Command::HandIn { board, batch }).await });
    }
}
