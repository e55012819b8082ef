//! Whether a board shows a king on e4, by which its table is identified.
//!
//! Must not know which table waits.

use dgt_protocol::PieceCode;
use game_core::placement::Placement;
use shakmaty::Square;

/// The square that people are asked to use, and the same square of a board that lies the other way round.
const SQUARES: [Square; 2] = [Square::E4, Square::D5];

/// Watches one board: looked at once a second while a table waits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KingWatch {
    /// Looks at which the king stood there, since it came after the order.
    looks: u8,
    /// Whether the king stood there before the order, or was reported already.
    ignored: bool,
}

impl KingWatch {
    /// Looks at the board; true once, when a king has come to e4 since the table waits and stands there at a second look.
    pub(super) fn look(&mut self, waiting: bool, placement: Option<&Placement>) -> bool {
        let Some(placement) = placement else {
            // What stands there when the board comes within reach is no answer.
            (self.looks, self.ignored) = (0, true);
            return false;
        };
        if !shows_king(placement) {
            (self.looks, self.ignored) = (0, false);
        } else if !waiting {
            // It stands there before the order.
            (self.looks, self.ignored) = (0, true);
        } else if !self.ignored {
            self.looks += 1;
            self.ignored = self.looks == 2;
            return self.ignored;
        }
        false
    }
}

/// Whether one king alone stands on e4: two kings in the centre show a result.
fn shows_king(placement: &Placement) -> bool {
    let king = |square: &Square| matches!(placement.get(*square), PieceCode::WhiteKing | PieceCode::BlackKing);
    let centre = [Square::D4, Square::E4, Square::D5, Square::E5];
    centre.iter().filter(|square| king(square)).count() == 1 && SQUARES.iter().any(king)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Board;

    fn placement(fen: &str) -> Placement {
        Placement::from_board(&Board::from_ascii_board_fen(fen.as_bytes()).unwrap())
    }

    #[test]
    fn a_king_that_comes_to_e4_after_the_order_and_stays_is_reported_once() {
        let start = placement("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        let king = placement("rnbqkbnr/pppppppp/8/8/4K3/8/PPPPPPPP/RNBQ1BNR");
        let turned = placement("rnbq1bnr/pppppppp/8/3k4/8/8/PPPPPPPP/RNBQKBNR");
        let both = placement("8/8/8/3k4/4K3/8/8/8");
        for shown in [&king, &turned] {
            let mut watch = KingWatch::default();
            let looks = [(false, &start), (true, &start), (true, shown), (true, shown), (true, shown)];
            let reported: Vec<_> =
                looks.iter().map(|(waiting, placement)| watch.look(*waiting, Some(placement))).collect();
            assert_eq!(reported, [false, false, false, true, false]);
        }
        let mut watch = KingWatch::default();
        for waiting in [false, true, true, true] {
            assert!(!watch.look(waiting, Some(&king)), "it stood there before the order");
        }
        assert!(!watch.look(true, Some(&start)));
        assert!(!watch.look(true, Some(&king)));
        assert!(!watch.look(true, None), "the board is not known");
        assert!(!watch.look(true, Some(&king)) && !watch.look(true, Some(&king)), "it stood there when the board came");
        let mut watch = KingWatch::default();
        for _ in 0..3 {
            assert!(!watch.look(true, Some(&both)), "kings in the centre show a result");
        }
    }
}
