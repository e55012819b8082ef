//! How a game ends.
//!
//! Must not know moves, hands or boards.

use notation::pgn::Outcome;
use shakmaty::Color;

/// How a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// This side has mated.
    Mate(Color),
    /// The side to move has no move and is not in check.
    Stalemate,
    /// This side has won; the other resigned or lost otherwise away from the board.
    Resigned(Color),
    /// A draw was agreed or claimed.
    Drawn,
    /// The result is not known.
    Unknown,
}

impl Ending {
    /// Whether players show this result on the board, and then who has won; a mate shows itself.
    pub(crate) fn shown(self) -> Option<Option<Color>> {
        match self {
            Ending::Resigned(winner) => Some(Some(winner)),
            Ending::Drawn => Some(None),
            Ending::Mate(_) | Ending::Stalemate | Ending::Unknown => None,
        }
    }

    /// The ending as a PGN result.
    pub fn outcome(self) -> Outcome {
        match self {
            Ending::Mate(Color::White) | Ending::Resigned(Color::White) => Outcome::WhiteWins,
            Ending::Mate(Color::Black) | Ending::Resigned(Color::Black) => Outcome::BlackWins,
            Ending::Stalemate | Ending::Drawn => Outcome::Draw,
            Ending::Unknown => Outcome::Unknown,
        }
    }
}
