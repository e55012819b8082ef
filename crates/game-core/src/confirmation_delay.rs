//! How long the newest move must stand before quiet alone makes it certain.
//!
//! Knows what the hand could still be doing: sliding on, castling, choosing a piece, declaring a result. Knows nothing of
//! the board at hand or of when anything happened.

use shakmaty::{Color, Move, Rank, attacks};

use crate::board_faults::castling_targets;
use crate::line::Line;
use crate::result_signal::goes_to_centre;

/// A move stands for good after this much quiet when a lever should have confirmed it. A wrong position stands for
/// about a second at most on the way to the right one (behaviour paper, 0); forgetting to press is rare.
const DELAY_WITH_LEVER_MS: u64 = 6_000;
/// The same where there is no lever and nothing can change the move any more.
const DELAY_FIRM_MS: u64 = 800;
/// The same where the piece could still go on.
const DELAY_OPEN_MS: u64 = 2_500;
/// A king on a centre square may be half of the result sign (behaviour paper, 7.2).
const DELAY_CENTRE_MS: u64 = 6_000;
/// A piece that goes to a square which shows nothing looks like one in the hand (behaviour paper, 1.4).
const DELAY_UNSEEN_MS: u64 = 60_000;
/// A new piece may still be exchanged for another, which has to be found first (behaviour paper, 5.3).
const DELAY_PROMOTION_MS: u64 = 7_000;
/// A mate usually ends the game without a press.
const DELAY_MATE_MS: u64 = 2_000;

/// How long the newest move must stand when nothing else confirms it, in ms. `lever`: a clock is at work whose lever
/// should confirm it.
pub(crate) fn confirmation_delay_ms(line: &Line, lever: bool) -> u64 {
    let Some(mv) = line.move_at(line.plies()) else { return DELAY_FIRM_MS };
    if line.faults().dead.contains(mv.to()) {
        return DELAY_UNSEEN_MS;
    }
    if mv.promotion().is_some() {
        return DELAY_PROMOTION_MS;
    }
    if line.is_finished() {
        return DELAY_MATE_MS;
    }
    let quiet = if goes_to_centre(mv) {
        DELAY_CENTRE_MS
    } else if may_go_on(line, mv) {
        DELAY_OPEN_MS
    } else {
        DELAY_FIRM_MS
    };
    if lever { quiet.max(DELAY_WITH_LEVER_MS) } else { quiet }
}

/// Whether the hand could be on its way to another legal move that passes through this one.
fn may_go_on(line: &Line, mv: Move) -> bool {
    let Move::Normal { from, to, capture: None, .. } = mv else {
        return false;
    };
    line.alternatives().any(|other| match other {
        Move::Normal { from: start, to: end, .. } => start == from && attacks::between(from, end).contains(to),
        // The rook's or the king's half of castling.
        Move::Castle { king, rook } => {
            let color = if king.rank() == Rank::First { Color::White } else { Color::Black };
            let (_, rook_to) = castling_targets(color, king, rook);
            (rook == from && rook_to == to) || (king == from && attacks::between(king, rook).contains(to))
        }
        _ => false,
    })
}
