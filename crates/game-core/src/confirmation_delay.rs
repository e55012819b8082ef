//! How long the newest move must stand before it is confirmed without a press or a reply.
//!
//! Knows what the hand may still do: slide on, castle, choose a promotion piece, declare a result. Must not know the board,
//! or when anything happened.

use shakmaty::{Color, Move, Rank, attacks};

use crate::board_faults::castling_targets;
use crate::line::Line;
use crate::result_signal::goes_to_centre;

/// Delay when a press should have confirmed the move, in ms. Wrong positions last about a second at most
/// (docs/board-behaviour.md,
/// 0), and forgotten presses are rare.
const DELAY_WITH_LEVER_MS: u64 = 6_000;
/// Delay without a clock when no further change of the move is possible, in ms.
const DELAY_FIRM_MS: u64 = 800;
/// Delay without a clock when the piece could still move on, in ms.
const DELAY_OPEN_MS: u64 = 2_500;
/// Delay of a king move to a centre square, in ms: it may be half of a result signal (docs/board-behaviour.md, 7.2).
const DELAY_CENTRE_MS: u64 = 6_000;
/// Delay of a move to a dead square, in ms: the piece looks like one in the hand (docs/board-behaviour.md, 1.4).
const DELAY_UNSEEN_MS: u64 = 60_000;
/// Delay of a promotion, in ms: the player may still be looking for another piece (docs/board-behaviour.md, 5.3).
const DELAY_PROMOTION_MS: u64 = 7_000;
/// Delay of a mate or stalemate, in ms: the game usually ends without a press.
const DELAY_MATE_MS: u64 = 2_000;

/// How long the newest move must stand when no press and no reply confirms it, in ms. `lever`: a clock runs, so a press is
/// expected.
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

/// Whether another legal move passes through this one, so that the piece may still move on.
fn may_go_on(line: &Line, mv: Move) -> bool {
    let Move::Normal { from, to, capture: None, .. } = mv else {
        return false;
    };
    line.alternatives().any(|other| match other {
        Move::Normal { from: start, to: end, .. } => start == from && attacks::between(from, end).contains(to),
        // The move may be one half of castling.
        Move::Castle { king, rook } => {
            let color = if king.rank() == Rank::First { Color::White } else { Color::Black };
            let (_, rook_to) = castling_targets(color, king, rook);
            (rook == from && rook_to == to) || (king == from && attacks::between(king, rook).contains(to))
        }
        _ => false,
    })
}
