//! The last plies of a game whose end went unseen: the kings stand in the centre in the first dump after a gap, so no position of
//! the game is on the board, but the other pieces stand where these plies have left them.
//!
//! Knows what stands there and where a line has come to. Must not know why the game is over.

use shakmaty::{Bitboard, Color, Move, Position};

use super::Game;
use crate::search::bridge::{Target, Way};
use crate::search::line::{NodeId, after};
use crate::search::sign::Sign;
use crate::search::weights as w;

impl Game {
    /// The likeliest line up to an observation, and the plies after it that went unseen before a sign of the result: what all the
    /// shortest lines to the pieces beside the sign have in common.
    pub(crate) fn line_to_end(&mut self, end: usize, sign: Option<Sign>) -> NodeId {
        let line = self.line_before(end);
        let plies = sign.and_then(|sign| self.unseen_before_sign(end, sign, line));
        self.lines.extended(line, &plies.unwrap_or_default())
    }

    fn unseen_before_sign(&self, end: usize, sign: Sign, line: NodeId) -> Option<Vec<Move>> {
        let seen = |index: usize| self.history.get(index);
        if !(end..=sign.at).filter_map(seen).any(|seen| seen.kind.is_gap()) {
            return None;
        }
        let shown = &seen(sign.at)?.shown;
        let position = self.position(line);
        let kings = shown.kings(Color::White) | shown.kings(Color::Black) | position.board().kings();
        let target = Target {
            shown,
            ignored: kings | shown.odd() | self.suspects() | self.dead(),
            held: Bitboard::EMPTY,
            late: Bitboard::EMPTY,
            most: w::STRETCH,
        };
        let mut positions = w::GAP_POSITIONS;
        let mut ways = target.ways(&position, &mut positions);
        // No hand holds a piece any more.
        let ignored = target.ignored;
        ways.retain(|way| (shown.differs(after(&position, &way.moves).board()) & !ignored).is_empty());
        let shortest = ways.iter().map(|way| way.moves.len()).min()?;
        let mut ways = ways.into_iter().filter(|way| way.moves.len() == shortest);
        let Way { mut moves, mut sure, .. } = ways.next()?;
        for other in ways {
            let same = moves.iter().zip(&other.moves).take_while(|(one, other)| one == other).count();
            // A line that was found twice is as sure as the search that was complete says.
            sure = if same == moves.len() { sure.max(other.sure) } else { same.min(sure).min(other.sure) };
        }
        moves.truncate(sure);
        Some(moves)
    }
}
