//! Errors of a hall, each with what to do about it.

use crate::{
    games::GamesError,
    link::LinkError,
    options::{MOST_BOARDS, MOST_ROUNDS},
};

/// Why a hall cannot be opened or a command cannot be executed.
#[derive(Debug, thiserror::Error)]
pub enum HallError {
    /// A number of boards, of rounds, or a speed out of range.
    #[error("a hall needs 1 to {MOST_BOARDS} boards, 1 to {MOST_ROUNDS} rounds and a speed of 0.01 to 10000")]
    Options,
    /// The games cannot be played.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// A port cannot be opened.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// A thread cannot be started.
    #[error("no thread can be started for a board: {0}; use fewer boards")]
    Thread(#[source] std::io::Error),
    /// No board has this number.
    #[error("the hall has no board {0}; boards are counted from 0")]
    NoBoard(usize),
    /// The hall has been stopped.
    #[error("the hall has been stopped; open a new one")]
    Stopped,
}
