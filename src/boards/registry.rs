//! The registry of boards: the mailbox of each board's task, and the latest state of its board.
//!
//! Must not know what a board's task does, nor who asks. States of boards are private: for those with access, never for the
//! public.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use game_core::input::Notice;
use tokio::sync::{mpsc, oneshot, watch};

use super::counters::{BoardCounters, BoardCounts};
use crate::transport::ask::FoundBoard;
use tournament::{BoardState, ClockShown};

/// A message to a board's task.
#[derive(Debug)]
pub enum BoardMessage {
    /// The board came within reach.
    Found(FoundBoard),
    /// An input for the board's session, answered once the session took it and what followed was handed to the director.
    Notice(Notice, oneshot::Sender<()>),
}

/// Every board that has or had a task, by serial number; copies share it.
#[derive(Clone, Debug)]
pub struct BoardRegistry {
    boards: watch::Sender<BTreeMap<Arc<str>, Registered>>,
    /// Boards with another trademark than the maker's.
    other_trademarks: Arc<Mutex<BTreeSet<Arc<str>>>>,
    /// What is counted of each board, over the restarts of its task.
    counters: Arc<Mutex<BTreeMap<Arc<str>, Arc<BoardCounters>>>>,
}

#[derive(Debug)]
struct Registered {
    mailbox: mpsc::Sender<BoardMessage>,
    state: watch::Receiver<BoardState>,
}

impl Default for BoardRegistry {
    fn default() -> Self {
        Self { boards: watch::Sender::new(BTreeMap::new()), other_trademarks: Arc::default(), counters: Arc::default() }
    }
}

impl BoardRegistry {
    /// Registers the task of a board, in place of an earlier one; returns where the task publishes the board's state.
    pub fn register(&self, board: &Arc<str>, mailbox: mpsc::Sender<BoardMessage>) -> watch::Sender<BoardState> {
        let (sender, state) = watch::channel(BoardState { board: Arc::clone(board), ..BoardState::default() });
        self.boards.send_modify(|boards| {
            boards.insert(Arc::clone(board), Registered { mailbox, state });
        });
        sender
    }

    /// The mailbox of a board's task; none when no task runs for this board.
    pub fn mailbox(&self, board: &str) -> Option<mpsc::Sender<BoardMessage>> {
        self.boards.borrow().get(board).map(|it| &it.mailbox).filter(|mailbox| !mailbox.is_closed()).cloned()
    }

    /// Where the task of a board counts.
    pub(super) fn counters(&self, board: &Arc<str>) -> Arc<BoardCounters> {
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(counters.entry(Arc::clone(board)).or_default())
    }

    /// What was counted of every board, in the order of serial numbers.
    pub fn counts(&self) -> Vec<(Arc<str>, BoardCounts)> {
        let counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        counters.iter().map(|(board, counters)| (Arc::clone(board), counters.read())).collect()
    }

    /// The latest state of every board, in the order of serial numbers.
    pub fn states(&self) -> Vec<BoardState> {
        self.boards.borrow().values().map(|it| it.state.borrow().clone()).collect()
    }

    /// What the clock of a board showed last; none without a clock.
    pub fn clock(&self, board: &str) -> Option<ClockShown> {
        self.boards.borrow().get(board)?.state.borrow().clock
    }

    /// Serial numbers of the boards that are connected, in their order.
    pub fn connected(&self) -> Vec<Arc<str>> {
        let boards = self.boards.borrow();
        let connected = boards.iter().filter(|(_, board)| board.state.borrow().connected);
        connected.map(|(serial, _)| Arc::clone(serial)).collect()
    }

    /// A board was found whose trademark is not the maker's.
    pub fn note_trademark(&self, board: &Arc<str>) {
        self.other_trademarks.lock().unwrap_or_else(PoisonError::into_inner).insert(Arc::clone(board));
    }

    /// The boards whose trademarks are not the maker's, since the start.
    pub fn other_trademarks(&self) -> Vec<Arc<str>> {
        self.other_trademarks.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The registered serial number that reads so.
    pub fn serial(&self, board: &str) -> Option<Arc<str>> {
        self.boards.borrow().get_key_value(board).map(|(serial, _)| Arc::clone(serial))
    }

    /// The state of a board and its changes, until its task ends; none without a task.
    pub fn watch(&self, board: &str) -> Option<watch::Receiver<BoardState>> {
        self.boards.borrow().get(board).map(|it| it.state.clone())
    }

    /// Sends each notice to its board's session and waits until the session took it. A board without a task is skipped: its
    /// next task starts from the journal, which has what the notice says.
    pub async fn notify(&self, notices: Vec<(Arc<str>, Notice)>) {
        for (board, notice) in notices {
            let Some(mailbox) = self.mailbox(&board) else { continue };
            let (sender, taken) = oneshot::channel();
            // The same holds for a task that ends at this moment.
            if mailbox.send(BoardMessage::Notice(notice, sender)).await.is_ok() {
                let _ = taken.await;
            }
        }
    }
}
