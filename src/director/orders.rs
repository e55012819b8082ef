//! Orders of people, one after the other: each is decided on what the one before recorded.
//!
//! An order waits for the disk twice: until everything before it is in the journal, and until it is there itself. These
//! waits happen here, in a task of their own, between two messages to the director: so the director takes what boards hand
//! in meanwhile, and an order that was recorded reaches its boards even if its author hung up. Must not know what orders
//! mean.

use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tournament::{Order, Preview};

use super::command::{Barrier, CarriedOut, Command, OrderRequest};
use super::receipt::{OrderError, Receipt};
use crate::boards::registry::BoardRegistry;

/// Orders that may wait for the one at work. Authors beyond that wait until there is room.
pub(super) const WAITING_ORDERS: usize = 64;

/// How long an order waits for the disk before its author gets an error.
const DISK_PATIENCE: Duration = Duration::from_secs(10);

/// Something that is done between orders, with everything before it in the journal.
#[derive(Debug)]
pub(super) enum Request {
    Order(Box<OrderRequest>, oneshot::Sender<Result<Receipt, OrderError>>),
    Preview(Box<Order>, oneshot::Sender<Result<Preview, OrderError>>),
}

/// Orders on their way to the director.
#[derive(Debug)]
pub(super) struct Orders {
    pub(super) requests: mpsc::Receiver<Request>,
    pub(super) director: mpsc::Sender<Command>,
    pub(super) boards: BoardRegistry,
}

impl Orders {
    /// Ends when every handle is gone and every order is answered.
    pub(super) async fn run(mut self) {
        while let Some(request) = self.requests.recv().await {
            match request {
                // The author hung up: an order without its author is not carried out.
                Request::Order(_, reply) if reply.is_closed() => {}
                Request::Preview(_, reply) if reply.is_closed() => {}
                Request::Order(request, reply) => {
                    let receipt = self.order(request, &reply).await;
                    let _ = reply.send(receipt);
                }
                Request::Preview(order, reply) => {
                    let preview = self.preview(order).await;
                    let _ = reply.send(preview);
                }
            }
        }
    }

    async fn order<T>(&self, request: Box<OrderRequest>, author: &oneshot::Sender<T>) -> Result<Receipt, OrderError> {
        self.settle().await?;
        if author.is_closed() {
            return Err(OrderError::Stopped);
        }
        let carried_out = self.ask(|reply| Command::CarryOut { request, reply }).await??;
        let CarriedOut { receipt, durable, notices } = carried_out;
        in_time(durable).await.ok_or(OrderError::NotDurable)?;
        if !notices.is_empty() {
            self.boards.notify(notices).await;
            // What the sessions concluded from it is part of it.
            let Barrier { durable, .. } = self.ask(|reply| Command::Barrier { reply }).await?;
            in_time(durable).await.ok_or(OrderError::NotDurable)?;
        }
        Ok(receipt)
    }

    async fn preview(&self, order: Box<Order>) -> Result<Preview, OrderError> {
        self.settle().await?;
        self.ask(|reply| Command::Preview { order, reply }).await?
    }

    /// Waits until the journal has everything that was handed in, so that games that left their boards can be read there.
    async fn settle(&self) -> Result<(), OrderError> {
        let Barrier { journal_fails, durable, off_board } = self.ask(|reply| Command::Barrier { reply }).await?;
        if journal_fails {
            return Err(OrderError::NotRecorded);
        }
        in_time(durable).await.ok_or(OrderError::NotRecorded)?;
        self.director.send(Command::Unload { games: off_board }).await.map_err(|_| OrderError::Stopped)
    }

    async fn ask<T>(&self, command: impl FnOnce(oneshot::Sender<T>) -> Command) -> Result<T, OrderError> {
        let (reply, answer) = oneshot::channel();
        self.director.send(command(reply)).await.map_err(|_| OrderError::Stopped)?;
        answer.await.map_err(|_| OrderError::Stopped)
    }
}

/// Waits for the disk; none when it takes longer than [`DISK_PATIENCE`].
async fn in_time(durable: oneshot::Receiver<()>) -> Option<()> {
    tokio::time::timeout(DISK_PATIENCE, durable).await.ok()?.ok()
}
