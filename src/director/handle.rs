//! The handle by which all other parts reach the director: snapshots to read, orders to give.
//!
//! Readers never wait. Must not know how an order is carried out.

use std::sync::Arc;

use chrono::NaiveDate;
use game_core::event::Author;
use tokio::sync::{mpsc, oneshot, watch};
use tournament::{BoardState, Hall, Order, PairingState, Persons, Preview, RoundState};

use super::board_link::BoardLink;
use super::changes::Basis;
use super::command::{Command, OrderRequest};
use super::orders::Request;
use super::receipt::{OrderError, Receipt};
use super::snapshot::Snapshot;
use super::waiting_pairings::WaitingPairings;
use crate::boards::registry::BoardRegistry;

/// A handle to the director, cheap to copy. The director ends when the last one is dropped.
#[derive(Clone, Debug)]
pub struct DirectorHandle {
    pub(super) mailbox: mpsc::Sender<Command>,
    pub(super) orders: mpsc::Sender<Request>,
    pub(super) snapshots: watch::Receiver<Arc<Snapshot>>,
    pub(super) boards: BoardRegistry,
    pub(super) waiting: WaitingPairings,
}

/// For readers.
impl DirectorHandle {
    /// The tournament as it is now: hall, persons and version of one instant.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshots.borrow())
    }

    /// The hall as it is now.
    pub fn hall(&self) -> Arc<Hall> {
        Arc::clone(&self.snapshots.borrow().hall)
    }

    /// Who the players are now.
    pub fn persons(&self) -> Arc<Persons> {
        Arc::clone(&self.snapshots.borrow().persons)
    }

    /// The version that an order may be based on, see [`Snapshot::version`].
    pub fn version(&self) -> u64 {
        self.snapshots.borrow().version
    }

    /// Every snapshot from now on, the latest when several were made meanwhile.
    pub fn changes(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.snapshots.clone()
    }

    /// The first day of play of the rounds that are not finished.
    pub fn first_open_day(&self) -> Option<NaiveDate> {
        let hall = self.hall();
        let open = hall.games().filter(|found| found.round.state != RoundState::Finished);
        open.filter_map(|found| found.game.day).min()
    }

    /// Whether the director takes messages; waits for its answer, for ever when it hangs.
    pub async fn is_alive(&self) -> bool {
        let (reply, answer) = oneshot::channel();
        self.mailbox.send(Command::Alive { reply }).await.is_ok() && answer.await.is_ok()
    }

    /// Serial numbers of the boards that are connected.
    pub fn connected_boards(&self) -> Vec<Arc<str>> {
        self.boards.connected()
    }

    /// The latest state of every board.
    pub fn board_states(&self) -> Vec<BoardState> {
        self.boards.states()
    }
}

/// For authors of orders.
impl DirectorHandle {
    /// Carries an order out; its facts are in the journal and in [`Self::snapshot`] when this returns. `based_on` is the
    /// version that its author saw. An order that was recorded is completed even if this future is dropped.
    ///
    /// # Errors
    /// An [`OrderError`]; only [`OrderError::NotDurable`] leaves something changed.
    pub async fn order(
        &self,
        by: Author,
        reason: Option<String>,
        based_on: Option<u64>,
        order: Order,
    ) -> Result<Receipt, OrderError> {
        self.order_on(by, reason, based_on.map_or(Basis::Any, Basis::Hall), order).await
    }

    /// The same on another basis.
    ///
    /// # Errors
    /// As [`Self::order`]; [`OrderError::Changed`] when another person changed the same.
    pub async fn order_on(
        &self,
        by: Author,
        reason: Option<String>,
        basis: Basis,
        order: Order,
    ) -> Result<Receipt, OrderError> {
        let request = Box::new(OrderRequest { by, reason, basis, order });
        self.request(|reply| Request::Order(request, reply)).await
    }

    /// What an order would lead to.
    ///
    /// # Errors
    /// As [`Self::order`].
    pub async fn preview(&self, order: Order) -> Result<Preview, OrderError> {
        self.request(|reply| Request::Preview(Box::new(order), reply)).await
    }

    async fn request<T>(
        &self,
        request: impl FnOnce(oneshot::Sender<Result<T, OrderError>>) -> Request,
    ) -> Result<T, OrderError> {
        let (reply, answer) = oneshot::channel();
        self.orders.send(request(reply)).await.map_err(|_| OrderError::Stopped)?;
        answer.await.map_err(|_| OrderError::Stopped)?
    }
}

/// For the folder of pairings.
impl DirectorHandle {
    /// The pairings that wait for an answer.
    pub(super) fn waiting_pairings(&self) -> &WaitingPairings {
        &self.waiting
    }

    /// Leaves the pairings of a section that wait for an answer unloaded; false when none wait. The folder asks again when one of
    /// the files is saved again, and not when the daemon starts again.
    pub(crate) async fn leave_waiting_pairings(&self, section: &str) -> bool {
        let Some(waiting) = self.waiting.remove(section) else { return false };
        if let Err(panic) = tokio::task::spawn_blocking(move || waiting.note_left()).await {
            tracing::error!(%panic, "that pairings are not to be loaded is not written");
        }
        true
    }
}

/// For boards and their manager.
impl DirectorHandle {
    /// The registry by which the director reaches boards.
    pub(crate) fn boards(&self) -> &BoardRegistry {
        &self.boards
    }

    /// Boards on which a game is running.
    pub(crate) fn boards_in_play(&self) -> Vec<Arc<str>> {
        let hall = self.hall();
        let in_play = |id: &str| hall.game(id).is_some_and(|found| found.game.state == PairingState::Playing);
        hall.on_boards.iter().filter(|(_, game)| in_play(game)).map(|(board, _)| Arc::clone(board)).collect()
    }

    /// A board was found: it gets a number when it has none.
    pub(crate) async fn register_board(&self, board: &Arc<str>) {
        if self.hall().numbers.contains_key(board) {
            return;
        }
        let (reply, done) = oneshot::channel();
        if self.mailbox.send(Command::RegisterBoard { board: Arc::clone(board), reply }).await.is_ok() {
            let _ = done.await;
        }
    }

    /// The link of a board's task.
    pub(crate) fn link(&self, board: Arc<str>) -> BoardLink {
        BoardLink::new(board, self.mailbox.clone())
    }
}
