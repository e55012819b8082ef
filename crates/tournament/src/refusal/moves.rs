//! Refusals of corrections of moves.

use coded_text::coded_texts;
use game_core::game::{EditError, MAX_PLIES};
use notation::play::MoveError;

coded_texts! {
    /// Why moves cannot be corrected.
    pub enum MovesRefusal {
        NoSuchPly { ply: u32, plies: usize } = "no_ply",
            "The game has {plies} plies, so that ply {ply} cannot be corrected; count from 1.";
        NotAMove { ply: u32, text: String } = "not_a_move",
            "Ply {ply}: «{text}» is not a move; write it in standard algebraic notation.";
        Illegal { ply: u32, text: String } = "illegal_move",
            "Ply {ply}: the move {text} is not legal in this position; correct the move or the position.";
        Ambiguous { ply: u32, text: String } = "ambiguous_move",
            "Ply {ply}: several pieces can make the move {text}; add the file or rank it starts from.";
        Later { san: String, was: u32 } = "later_move_impossible",
            "After this correction {san} (ply {was}) is not possible any more; correct it too or cut the game before it.";
        NoGap { after: u32 } = "no_gap",
            "No moves went unseen after ply {after}; reload the game and look where the record has a gap.";
        LeadsElsewhere { after: u32, last: u32, squares: String } = "leads_elsewhere",
            "These moves end in another position than that from which the game went on after ply {after}: {squares} differ; \
             check the last move (ply {last}).";
        OtherSideToMove { after: u32, last: u32 } = "other_side_to_move",
            "These moves end with the wrong player to move: compare them with the position from which the game went on after \
             ply {after}, and check the last move (ply {last}).";
        BeforeGap { after: u32 } = "before_gap",
            "The moves after ply {after} went unseen, so that what comes before them cannot be corrected alone; give the unseen \
             moves first, or cut the game.";
        TooLong { most: usize } = "too_long", "A game has at most {most} plies; leave some out.";
    }
}

/// The sentence for an edit that is refused.
pub(super) fn text(error: &EditError) -> MovesRefusal {
    match error {
        EditError::NoSuchPly { ply, plies } => MovesRefusal::NoSuchPly { ply: *ply, plies: *plies },
        EditError::Entered { ply, source } => {
            let ply = *ply;
            match source {
                MoveError::NotAMove(text) => MovesRefusal::NotAMove { ply, text: text.clone() },
                MoveError::Illegal(text) => MovesRefusal::Illegal { ply, text: text.clone() },
                MoveError::Ambiguous(text) => MovesRefusal::Ambiguous { ply, text: text.clone() },
            }
        }
        EditError::Later { was, san, .. } => MovesRefusal::Later { san: san.clone(), was: *was },
        EditError::NoGap { after } => MovesRefusal::NoGap { after: *after },
        EditError::LeadsElsewhere { after, last, squares } if squares.is_empty() => {
            MovesRefusal::OtherSideToMove { after: *after, last: *last }
        }
        EditError::LeadsElsewhere { after, last, squares } => {
            MovesRefusal::LeadsElsewhere { after: *after, last: *last, squares: squares.join(", ") }
        }
        EditError::BeforeGap { after } => MovesRefusal::BeforeGap { after: *after },
        EditError::TooLong => MovesRefusal::TooLong { most: MAX_PLIES },
    }
}
