//! The value of a position from White's side, and the positions that need no engine. Pure.

use notation::epd;
use notation::fen::{Reading, Style, read_fen, write_fen};
use shakmaty::{Chess, Color, Position};

/// Highest value in hundredths of a pawn; the engine's own scale is not trusted.
const MOST_CENTIPAWNS: i64 = 32_000;

/// Longest mate in moves.
const LONGEST_MATE: u32 = 1000;

/// The value of a position from White's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn, -32,000 to 32,000; above 0 White is better.
    Centipawns(i32),
    /// A mate in this many moves, up to 1,000: White mates when it is above 0, Black when it is below. 0 is a checkmate on the board.
    Mate(i32),
}

/// What the engine thinks of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The value.
    pub score: Score,
    /// The depth that the engine reached, in plies; 0 where none was needed.
    pub depth: u32,
}

/// A position that is to be evaluated.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// The game is over on the board: no engine is needed.
    Over(Evaluation),
    /// By the engine, as FEN, and whether Black is to move.
    Open { fen: String, black: bool },
}

impl Asked {
    /// Reads a position; none when it is not one that an engine could search.
    pub(crate) fn read(fen: &str) -> Option<Self> {
        let position: Chess = read_fen(fen, Reading::LAX.chess960()).ok()?;
        if position.legal_moves().is_empty() {
            let score = if position.is_check() { Score::Mate(0) } else { Score::Centipawns(0) };
            return Some(Self::Over(Evaluation { score, depth: 0 }));
        }
        let black = position.turn() == Color::Black;
        Some(Self::Open { fen: write_fen(&position, Style::MODERN), black })
    }
}

impl Score {
    /// The engine's evaluation, which is for the side to move.
    pub(crate) fn of(value: epd::Evaluation, black: bool) -> Self {
        let sign = if black { -1 } else { 1 };
        let mate = |moves: u32| i32::try_from(moves.clamp(1, LONGEST_MATE)).unwrap_or(1) * sign;
        match value {
            epd::Evaluation::Centipawns(value) => {
                let value = value.clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS);
                Self::Centipawns(i32::try_from(value).unwrap_or(0) * sign)
            }
            epd::Evaluation::MatesIn(moves) => Self::Mate(mate(moves)),
            epd::Evaluation::MatedIn(moves) => Self::Mate(-mate(moves)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_from_the_side_of_white() {
        use epd::Evaluation::{Centipawns, MatedIn, MatesIn};
        for (value, white, black) in [
            (Centipawns(35), Score::Centipawns(35), Score::Centipawns(-35)),
            (Centipawns(i64::MIN), Score::Centipawns(-32_000), Score::Centipawns(32_000)),
            (MatesIn(3), Score::Mate(3), Score::Mate(-3)),
            (MatedIn(2), Score::Mate(-2), Score::Mate(2)),
            // Not a checkmate: the engine was given a legal move.
            (MatedIn(0), Score::Mate(-1), Score::Mate(1)),
            (MatesIn(u32::MAX), Score::Mate(1000), Score::Mate(-1000)),
        ] {
            assert_eq!((Score::of(value, false), Score::of(value, true)), (white, black), "{value:?}");
        }
    }

    #[test]
    fn a_game_that_is_over_on_the_board_needs_no_engine() {
        let over = |score| Some(Asked::Over(Evaluation { score, depth: 0 }));
        assert_eq!(Asked::read("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"), over(Score::Mate(0)));
        assert_eq!(Asked::read("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), over(Score::Centipawns(0)));
    }

    #[test]
    fn only_a_position_that_can_be_played_from_reaches_the_engine() {
        for wrong in ["", "8/8/8/8/8/8/8/8 w - - 0 1", "kk6/8/8/8/8/8/8/K7 w - - 0 1", "quit\nquit"] {
            assert_eq!(Asked::read(wrong), None, "{wrong}");
        }
        let chess960 = "1rk1r3/8/8/8/8/8/8/1RK1R3 b EBeb - 0 1";
        let Some(Asked::Open { fen, black: true }) = Asked::read(chess960) else { panic!("a sound position") };
        assert!(fen.starts_with("1rk1r3/8/8/8/8/8/8/1RK1R3 b "), "{fen}");
    }
}
