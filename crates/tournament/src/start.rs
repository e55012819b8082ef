//! Start positions set for a round: Chess960 by number, or a FEN. Must not know rounds.

use game_core::event::Variant;
use game_core::line::position_to_play;

use super::order::DrawnStart;
use super::refusal::Invalid;
use super::round::StartPosition;

impl DrawnStart {
    /// The position.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn position(&self) -> Result<StartPosition, Invalid> {
        match self {
            Self::Chess960(number) => {
                let rank = first_rank(*number).ok_or(Invalid::Chess960Number)?;
                let fen = format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1", rank.to_lowercase());
                Ok(StartPosition { fen, variant: Variant::Chess960, number: Some(*number) })
            }
            Self::Fen(fen) => {
                let fen = fen.trim().to_owned();
                position_to_play(&fen, Variant::Standard)?;
                Ok(StartPosition { fen, variant: Variant::Standard, number: None })
            }
        }
    }
}

/// White's first rank: the bishops by the number's remainders of 4, then the queen by that of 6, then the knights by what
/// is left (the usual numbering of Chess960, in which 518 is the usual position).
fn first_rank(number: u32) -> Option<String> {
    let mut rank = [None; 8];
    let free = |rank: &[Option<char>; 8], place: u32| {
        let places = rank.iter().enumerate().filter(|(_, piece)| piece.is_none()).map(|(file, _)| file);
        places.clone().nth(place as usize)
    };
    *rank.get_mut((number % 4 * 2 + 1) as usize)? = Some('B');
    *rank.get_mut((number / 4 % 4 * 2) as usize)? = Some('B');
    let queen = free(&rank, number / 16 % 6)?;
    *rank.get_mut(queen)? = Some('Q');
    // The ten ways to put two knights on five files, in their order.
    let ways = (0..5u32).flat_map(|low| (low + 1..5).map(move |high| (low, high)));
    let (low, high) = ways.clone().nth((number / 96) as usize)?;
    // The higher file first: the lower one is counted among the five free files.
    for place in [high, low] {
        let knight = free(&rank, place)?;
        *rank.get_mut(knight)? = Some('N');
    }
    let mut rest = ['R', 'K', 'R'].into_iter();
    Some(rank.into_iter().filter_map(|piece| piece.or_else(|| rest.next())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_drawn_by_its_number() {
        for (number, rank) in [(518, "RNBQKBNR"), (0, "BBQNNRKR"), (959, "RKRNNQBB"), (534, "RNBKQBNR")] {
            assert_eq!(first_rank(number).as_deref(), Some(rank));
        }
        for number in 0..960 {
            let start = DrawnStart::Chess960(number).position().unwrap();
            assert!(position_to_play(&start.fen, start.variant).is_ok(), "{number}: {}", start.fen);
        }
        assert!(DrawnStart::Chess960(960).position().is_err());
    }

    #[test]
    fn a_position_from_which_no_game_can_be_played_is_refused() {
        for (fen, reason) in [
            ("8/8/8/8/8/8/8/8 w - - 0 1", "missing king"),
            ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "opposite check"),
            ("k7/1Q6/K7/8/8/8/8/8 b - - 0 1", "no move is legal"),
            ("k7/2Q5/K7/8/8/8/8/8 b - - 0 1", "no move is legal"),
            ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "too much material"),
            ("rnbqkbnr/pppppppp/8/8/8/Q7/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "too much material"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 4294967295", "above 9999"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4294967295 1", "above 9999"),
        ] {
            let refused = DrawnStart::Fen(fen.into()).position().unwrap_err().to_string();
            assert!(refused.contains("is not a position to play from") && refused.contains(reason), "{refused}");
        }
    }
}
