//! What recognition concludes, for the session.
//!
//! Must not know how it was found.

use notation::pgn::Outcome;
use shakmaty::Square;

use crate::event::Evidence;
use crate::time::Timestamp;

/// A conclusion of recognition, for the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Conclusion {
    /// A new game begins; an earlier one has ended.
    Started,
    /// A ply of the line is confirmed.
    Confirmed {
        /// From 1, in order.
        ply: usize,
        /// When it was first on the board.
        seen: Timestamp,
        /// In a long stretch that is told at once: when the next ply of the same player was.
        next: Option<Timestamp>,
        /// What confirmed it.
        evidence: Evidence,
    },
    /// Confirmed plies after this one were not played.
    Retracted {
        /// The last ply that stays.
        to_ply: usize,
        /// Whether their presses stay and belong to the moves that replace them.
        pressed: bool,
    },
    /// Moves after this ply went unseen: play goes on from the position that the line has there now.
    Gap {
        /// The last ply before them.
        after_ply: usize,
    },
    /// The moves after this ply, which went unseen, are known, and follow.
    Filled {
        /// The last ply before them.
        after_ply: usize,
    },
    /// No line explains these squares.
    Unexplained(Vec<Square>),
    /// Play goes on from an unexplained placement.
    PlayedOn,
    /// A line explains the board again.
    Resolved,
    /// The game is over by the rules or by a result signal.
    Over {
        /// The result.
        outcome: Outcome,
        /// The reason, as in the `result` event.
        reason: &'static str,
        /// What shows it.
        evidence: Evidence,
    },
    /// The board has undone the end of the game: play goes on.
    Undone,
}
