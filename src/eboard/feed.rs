//! A feed of one board to one client: raw positions and clocks at once, and moves when the client has set up a position.
//!
//! Each feed is a task; while its client does not read, it waits, and then sends the latest state. Must not know calls.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use shakmaty::Board;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};
use tournament::BoardState;

use super::Boards;
use super::reconstruction::{NoStart, Reconstruction, Step};
use super::wire::{self, Clock};

/// How long pieces must stand, in hall time, until moves are reconstructed: the king of a castling, or a piece slid over squares, has gone
/// on by then.
const SETTLED: Duration = Duration::from_millis(300);

/// How often a board whose task ended is looked for.
const AGAIN: Duration = Duration::from_secs(1);

/// What a client wants of a feed.
#[derive(Debug)]
pub(super) enum Wish {
    /// Reconstruct moves from here.
    SetUp(Box<Reconstruction>),
    /// Show the board from the other side.
    Flip(bool),
}

impl Wish {
    /// Reconstruct moves from this position.
    ///
    /// # Errors
    /// [`NoStart`] when the rules do not allow it.
    pub(super) fn set_up(fen: &str) -> Result<Self, NoStart> {
        Reconstruction::new(fen).map(|game| Self::SetUp(Box::new(game)))
    }
}

/// One feed.
pub(super) struct Feed {
    /// The board.
    pub(super) serial: Arc<str>,
    /// Chosen by the client.
    pub(super) id: Value,
    /// To the client.
    pub(super) out: mpsc::Sender<String>,
}

/// What the client has been sent.
#[derive(Default)]
struct Sent {
    /// Whether anything was sent.
    begun: bool,
    board: Option<String>,
    clock: Option<Clock>,
}

/// Sends until the client leaves, which drops the other end of `wishes`.
pub(super) async fn run(feed: Feed, boards: Arc<Boards>, mut wishes: mpsc::Receiver<Wish>) {
    let mut states = boards.registry().watch(&feed.serial);
    let mut sent = Sent::default();
    let (mut flipped, mut game, mut settles) = (false, None::<Box<Reconstruction>>, None::<Instant>);
    let mut steps = Vec::new();
    let pause = SETTLED.div_f64(boards.clock.speed());
    loop {
        let state = states.as_mut().map(|states| states.borrow_and_update().clone());
        if let Some(state) = state.filter(|_| boards.shows(&feed.serial)) {
            let raw = placement(&state);
            if sent.board != placed(raw.as_ref(), flipped) {
                settles = game.is_some().then(|| Instant::now() + pause);
            }
            if settles.is_some_and(|at| at <= Instant::now()) {
                settles = None;
                if let (Some(game), Some(raw)) = (&mut game, &raw) {
                    steps.extend(game.settle(&turned(raw, flipped)));
                }
            }
            for message in sent.messages(&feed.serial, &state, flipped, game.as_deref(), std::mem::take(&mut steps)) {
                if feed.out.send(wire::feed(&feed.id, &message, boards.clock.now())).await.is_err() {
                    return;
                }
            }
        }
        tokio::select! {
            gone = changed(&mut states) => if gone {
                states = boards.registry().watch(&feed.serial);
            },
            () = sleep_until(settles.unwrap_or_else(Instant::now)), if settles.is_some() => {}
            wish = wishes.recv() => match wish {
                None => return,
                Some(Wish::Flip(flip)) => flipped = flip,
                Some(Wish::SetUp(set_up)) => {
                    let step = Step { moves: set_up.moves().to_vec(), agrees: false };
                    (game, settles) = (Some(set_up), Some(Instant::now() + pause));
                    steps = vec![step];
                }
            },
        }
    }
}

/// Waits for a change; `true` when the task of the board ended.
async fn changed(states: &mut Option<watch::Receiver<BoardState>>) -> bool {
    if let Some(states) = states
        && states.changed().await.is_ok()
    {
        return false;
    }
    tokio::time::sleep(AGAIN).await;
    true
}

fn placement(state: &BoardState) -> Option<Board> {
    Board::from_ascii_board_fen(state.fen.as_bytes()).ok()
}

fn turned(board: &Board, flipped: bool) -> Board {
    let mut board = board.clone();
    if flipped {
        board.rotate_180();
    }
    board
}

fn placed(board: Option<&Board>, flipped: bool) -> Option<String> {
    board.map(|board| turned(board, flipped).board_fen().to_string())
}

impl Sent {
    /// What the client does not know yet: at most one message for the pieces and the clock, and one for each step.
    fn messages(
        &mut self,
        serial: &str,
        state: &BoardState,
        flipped: bool,
        game: Option<&Reconstruction>,
        steps: Vec<Step>,
    ) -> Vec<Value> {
        let mut change = Map::new();
        let raw = placement(state).map(|board| turned(&board, flipped));
        let board = raw.as_ref().map(|board| board.board_fen().to_string());
        if !self.begun || board != self.board {
            change.insert("board".into(), json!(board));
            self.board = board;
        }
        let clock = Clock::of(state);
        let differs = match (&clock, &self.clock) {
            (Some(now), Some(before)) => now.differs_from(before),
            (now, before) => now.is_some() != before.is_some(),
        };
        if !self.begun || differs {
            change.insert("clock".into(), json!(clock));
            self.clock = clock;
        }
        self.begun = true;
        let mut messages = Vec::new();
        let mut send = |mut change: Map<String, Value>| {
            change.insert("serialnr".into(), json!(serial));
            change.insert("flipped".into(), json!(flipped));
            messages.push(Value::Object(change));
        };
        if let Some(game) = game {
            for step in steps {
                let mut change = std::mem::take(&mut change);
                change.insert("start".into(), json!(game.start()));
                change.insert("san".into(), json!(step.moves));
                change.insert("match".into(), json!(step.agrees));
                send(change);
            }
            if !change.is_empty() {
                change.insert("start".into(), json!(game.start()));
                change.insert("san".into(), json!(game.moves()));
                change.insert("match".into(), json!(raw.is_some_and(|board| game.agrees(&board))));
            }
        }
        if !change.is_empty() {
            send(change);
        }
        messages
    }
}
