//! How a game is played: tidy or not, with or without a clock, and what goes wrong.
//!
//! Vocabulary of the table's settings. Must not know how a script is written.

use crate::{hands::Style, pace::Pace, trouble::Troubles};

/// How the players of a table play.
#[derive(Clone, Copy, Debug)]
pub struct PlayOptions {
    /// How tidy the players are.
    pub style: Style,
    /// A clock stands at the board.
    pub clock: bool,
    /// Now and then a player forgets to press; the opponent, whose side is down already, cannot press either.
    pub forgetful: bool,
    /// How the hands of the two players follow each other.
    pub pace: Pace,
    /// What goes wrong at the table beyond untidy hands.
    pub troubles: Troubles,
}
