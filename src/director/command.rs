//! The messages that the director takes, with what it replies.
//!
//! One closed type, so that the order of the mailbox is the order of everything that changes the tournament.

use std::collections::BTreeSet;
use std::sync::Arc;

use game_core::event::{Author, Record};
use game_core::input::{Assign, Notice, Resume};
use hall_clock::UtcMs;
use journal::Batch;
use tokio::sync::oneshot;
use tournament::{GameRef, OpenedGame, Order, Preview};

use super::changes::Basis;
use super::receipt::{OrderError, Receipt};

/// Length of the director's mailbox: one message of each board at the biggest event ever held (1,000 boards), and room for
/// orders. When it is full, an order waits; a board's batch stays with its [`super::BoardLink`].
pub(super) const MAILBOX: usize = 1024;

/// A message to the director.
#[derive(Debug)]
pub(super) enum Command {
    /// A board was found; it gets a number when it has none.
    RegisterBoard { board: Arc<str>, reply: oneshot::Sender<()> },
    /// A board shows a king on e4: it may be the one that a table waits for.
    KingShown { board: Arc<str> },
    /// What a board's session emitted.
    HandIn { board: Arc<str>, batch: Batch },
    /// A start position came onto a board: which game begins?
    OpenGame { board: Arc<str>, at: UtcMs, started: Record, reply: oneshot::Sender<Option<OpenedGame>> },
    /// From where does the board's next game start, when not from the usual position?
    Expected { board: Arc<str>, reply: oneshot::Sender<Option<Assign>> },
    /// What was the board doing?
    Past { board: Arc<str>, reply: oneshot::Sender<BoardPast> },
    /// Does the director take messages?
    Alive { reply: oneshot::Sender<()> },
    /// When is everything durable that was handed in before this message?
    Barrier { reply: oneshot::Sender<Barrier> },
    /// These games are in the journal completely, and leave memory unless a board plays them again.
    Unload { games: BTreeSet<Arc<str>> },
    /// Carries an order out; the barrier before it is durable.
    CarryOut { request: Box<OrderRequest>, reply: oneshot::Sender<Result<CarriedOut, OrderError>> },
    /// Considers an order without carrying it out; the barrier before it is durable.
    Preview { order: Box<Order>, reply: oneshot::Sender<Result<Preview, OrderError>> },
}

/// An order with its author.
#[derive(Clone, Debug)]
pub(super) struct OrderRequest {
    pub(super) by: Author,
    pub(super) reason: Option<String>,
    pub(super) basis: Basis,
    pub(super) order: Order,
}

/// An order that was handed to the recorder, and what is still to be done.
#[derive(Debug)]
pub(super) struct CarriedOut {
    pub(super) receipt: Receipt,
    /// Answered when the journal has it.
    pub(super) durable: oneshot::Receiver<()>,
    /// For boards, once it is durable.
    pub(super) notices: Vec<(Arc<str>, Notice)>,
}

/// A point in the stream of facts.
#[derive(Debug)]
pub(super) struct Barrier {
    /// Whether the journal cannot be written at this moment.
    pub(super) journal_fails: bool,
    /// Answered when the journal has everything before this point.
    pub(super) durable: oneshot::Receiver<()>,
    /// Games in memory that are on no board.
    pub(super) off_board: BTreeSet<Arc<str>>,
}

/// What a board was doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardPast {
    /// The game on it, running or the last one.
    pub game: Option<GameRef>,
    /// That game for its session.
    pub resume: Option<Resume>,
    /// How it lay: whether White sits at the far end, and whether the clock's left side is White's.
    pub orientation: (bool, Option<bool>),
}
