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
    /// Whether players show this result with the kings or a result piece; mate and stalemate show themselves.
    pub(crate) fn is_shown(self) -> bool {
        matches!(self, Ending::Resigned(_) | Ending::Drawn)
    }

    /// The side that has won.
    pub(crate) fn winner(self) -> Option<Color> {
        match self {
            Ending::Mate(winner) | Ending::Resigned(winner) => Some(winner),
            Ending::Stalemate | Ending::Drawn | Ending::Unknown => None,
        }
    }

    /// The ending as a PGN result.
    pub fn outcome(self) -> Outcome {
        match (self, self.winner()) {
            (_, Some(Color::White)) => Outcome::WhiteWins,
            (_, Some(Color::Black)) => Outcome::BlackWins,
            (Ending::Unknown, None) => Outcome::Unknown,
            (_, None) => Outcome::Draw,
        }
    }
}
