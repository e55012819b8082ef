//! How others reach a board's task, and what they see of its board without asking it.
//!
//! Knows mailboxes and what was shown last. What boards show is private: for those with access, never for the public.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use game_core::event::Event;
use game_core::input::Notice;
use game_core::placement::Placement;
use game_core::session::Doubts;
use tokio::sync::{mpsc, oneshot};

use crate::boards::session::CapturedSession;
use crate::transport::ask::FoundBoard;
use tournament::BoardState;
use tournament::GameRef;

/// What reaches a board's task.
#[derive(Debug)]
pub enum Message {
    /// The board came within reach.
    Found(FoundBoard),
    /// Something for the board's session, and who waits until the session took it.
    Notice(Notice, oneshot::Sender<()>),
}

/// All boards that have a task; copies share it.
#[derive(Clone, Debug, Default)]
pub struct Switchboard {
    lines: Arc<Mutex<BTreeMap<Arc<str>, Line>>>,
}

#[derive(Debug)]
struct Line {
    mailbox: mpsc::Sender<Message>,
    showing: Showing,
}

impl Switchboard {
    /// Connects the task of a board; gives where it shows its board.
    pub fn connect(&self, board: &Arc<str>, mailbox: mpsc::Sender<Message>) -> Showing {
        let state = BoardState { board: Arc::clone(board), ..BoardState::default() };
        let showing = Showing { shown: Arc::new(Mutex::new(Shown { state, placement: Placement::EMPTY })) };
        self.lock().insert(Arc::clone(board), Line { mailbox, showing: showing.clone() });
        showing
    }

    /// The mailbox of a board's task; none when the board has none.
    pub fn mailbox(&self, board: &str) -> Option<mpsc::Sender<Message>> {
        self.lock().get(board).map(|line| &line.mailbox).filter(|mailbox| !mailbox.is_closed()).cloned()
    }

    /// What every board shows, in the order of serial numbers.
    pub fn states(&self) -> Vec<BoardState> {
        self.lock().values().map(|line| line.showing.lock().state.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Arc<str>, Line>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where a board's task shows what it knows; copies share it.
#[derive(Clone, Debug)]
pub struct Showing {
    shown: Arc<Mutex<Shown>>,
}

#[derive(Debug)]
struct Shown {
    state: BoardState,
    /// That of the state, to be compared with the next one.
    placement: Placement,
}

impl Showing {
    /// Notes what an event says of the board itself.
    pub fn note(&self, event: &Event) {
        match event {
            Event::Unexplained { squares } => self.lock().state.unexplained.clone_from(squares),
            Event::Resolved | Event::GameStarted { .. } | Event::GameEnded => self.lock().state.unexplained.clear(),
            _ => {}
        }
    }

    /// Shows what the session knows now.
    pub fn update(&self, connected: bool, session: &CapturedSession, game: Option<&GameRef>) {
        let mut shown = self.lock();
        if shown.placement != *session.placement() {
            shown.placement = *session.placement();
            shown.state.fen = shown.placement.fen();
        }
        let (rotated, white_is_left) = session.facing();
        shown.state.connected = connected;
        (shown.state.rotated, shown.state.white_is_left) = (rotated, white_is_left);
        shown.state.clock = session.clock_shown();
        shown.state.claim = session.result_shown();
        let Doubts { wrong_start, unsteady, faulty, candidates } = session.doubts();
        (shown.state.wrong_start, shown.state.unsteady) = (wrong_start, unsteady);
        (shown.state.faulty, shown.state.candidates) = (faulty, candidates);
        shown.state.game = game.map(|game| Arc::clone(&game.game));
    }

    fn lock(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
