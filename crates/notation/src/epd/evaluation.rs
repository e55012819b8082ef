//! The evaluation of a `ce` operation (EPD standard, 6.7).

/// Value of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evaluation {
    /// Hundredths of a pawn.
    Centipawns(i64),
    /// The side to move mates in this many moves, from 1.
    MatesIn(u32),
    /// The side to move is mated in this many moves; 0 if it is checkmate.
    MatedIn(u32),
}

/// A mate in n plies is encoded as this value minus n.
const MATE: i64 = 32_767;
/// Highest value in centipawns; higher values are mates.
const MAX_CENTIPAWNS: i64 = 32_000;

impl Evaluation {
    /// The operand of `ce`. A value above the scale, and a mate in 384 moves or more, becomes the highest value that is not a
    /// mate.
    pub fn to_ce(self) -> i64 {
        let value = match self {
            Self::Centipawns(value) => value.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
            Self::MatesIn(moves) => MATE - (2 * i64::from(moves.max(1)) - 1),
            Self::MatedIn(moves) => 2 * i64::from(moves) - MATE,
        };
        match self {
            Self::MatesIn(_) => value.max(MAX_CENTIPAWNS),
            Self::MatedIn(_) => value.min(-MAX_CENTIPAWNS),
            Self::Centipawns(_) => value,
        }
    }

    /// The evaluation of a `ce` operand; `None` for -32768, which marks an illegal position, and for numbers out of range.
    pub fn from_ce(value: i64) -> Option<Self> {
        let moves = |plies: i64| u32::try_from((plies + 1) / 2).ok();
        if value.unsigned_abs() <= MAX_CENTIPAWNS.unsigned_abs() {
            Some(Self::Centipawns(value))
        } else if (MAX_CENTIPAWNS..MATE).contains(&value) {
            moves(MATE - value).map(Self::MatesIn)
        } else if (-MATE..-MAX_CENTIPAWNS).contains(&value) {
            moves(MATE + value).map(Self::MatedIn)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mates_of_the_standard_have_their_numbers() {
        for (evaluation, value) in [
            (Evaluation::MatesIn(1), 32_766),
            (Evaluation::MatesIn(5), 32_758),
            (Evaluation::MatedIn(0), -32_767),
            (Evaluation::MatedIn(1), -32_765),
            (Evaluation::MatedIn(5), -32_757),
            (Evaluation::Centipawns(0), 0),
            (Evaluation::Centipawns(-32_000), -32_000),
            (Evaluation::MatesIn(383), 32_002),
            (Evaluation::MatedIn(383), -32_001),
        ] {
            assert_eq!(evaluation.to_ce(), value, "{evaluation:?}");
            assert_eq!(Evaluation::from_ce(value), Some(evaluation), "{value}");
        }
        assert_eq!(Evaluation::from_ce(-32_768), None);
        assert_eq!(Evaluation::from_ce(32_767), None);
        assert_eq!(Evaluation::Centipawns(99_999).to_ce(), 32_000);
        assert_eq!(Evaluation::MatesIn(9_999).to_ce(), 32_000);
        assert_eq!(Evaluation::MatedIn(9_999).to_ce(), -32_000);
    }
}
