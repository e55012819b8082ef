//! What can be wrong with a hall, said so that its owner can mend it.
//!
//! Knows the errors of its parts. Must not know where they arise.

use crate::{
    games::GamesError,
    link::LinkError,
    options::{MOST_BOARDS, MOST_ROUNDS},
};

/// Why a hall cannot be opened or an order not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum HallError {
    /// A number of boards, rounds or a speed that cannot be.
    #[error("a hall needs 1 to {MOST_BOARDS} boards, 1 to {MOST_ROUNDS} rounds and a speed of 0.01 to 10000")]
    Options,
    /// The games cannot be played.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// A port cannot be opened.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// A thread cannot be started.
    #[error("no thread can be started for a board: {0}; ask for fewer boards")]
    Thread(#[source] std::io::Error),
    /// No board has this number.
    #[error("the hall has no board {0}; boards are counted from 0")]
    NoBoard(usize),
    /// The hall has been stopped.
    #[error("the hall has been stopped; open a new one")]
    Stopped,
}
