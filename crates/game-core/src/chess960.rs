//! Recognises Chess960 start positions and their numbers.
//!
//! Must not know time, or what is played.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, File, FromSetup, Piece, Position, Rank, Role, Setup, Square,
};

use crate::placement::{Placement, code_of};

/// The number of the usual start position.
const USUAL: u32 = 518;
/// The usual start with king and queen exchanged on both sides, the commonest mistake in setting up.
const KING_AND_QUEEN_EXCHANGED: u32 = 534;

/// The Chess960 start on the board and its number; none for the usual start and for the start that is probably meant to be
/// it.
pub(crate) fn chess960_start(placement: &Placement) -> Option<(Chess, u32)> {
    any_start(placement).filter(|(_, number)| ![USUAL, KING_AND_QUEEN_EXCHANGED].contains(number))
}

/// The number of a position as a Chess960 start, 0 to 959; none for another position.
pub(crate) fn start_number(position: &Chess) -> Option<u32> {
    any_start(&Placement::from_board(position.board())).map(|(_, number)| number)
}

fn any_start(placement: &Placement) -> Option<(Chess, u32)> {
    let mut back = [Role::Pawn; 8];
    for (file, role) in File::ALL.into_iter().zip(&mut back) {
        let square = Square::from_coords(file, Rank::First);
        let found = [Role::Rook, Role::Knight, Role::Bishop, Role::Queen, Role::King]
            .into_iter()
            .find(|&role| placement.get(square) == code_of(Piece { color: Color::White, role }))?;
        *role = found;
    }
    let number = number(back)?;
    let mut setup = Setup { board: Board::empty(), castling_rights: Bitboard::EMPTY, ..Setup::initial() };
    for (file, &role) in File::ALL.into_iter().zip(&back) {
        for (color, first, second) in
            [(Color::White, Rank::First, Rank::Second), (Color::Black, Rank::Eighth, Rank::Seventh)]
        {
            let square = Square::from_coords(file, first);
            setup.board.set_piece_at(square, Piece { color, role });
            setup.board.set_piece_at(Square::from_coords(file, second), Piece { color, role: Role::Pawn });
            if role == Role::Rook {
                setup.castling_rights.add(square);
            }
        }
    }
    if Placement::from_board(&setup.board) != *placement {
        return None;
    }
    Some((Chess::from_setup(setup, CastlingMode::Chess960).ok()?, number))
}

/// The number of a first rank, 0 to 959; none if it breaks a rule.
fn number(back: [Role; 8]) -> Option<u32> {
    let files = |role| (0u32..).zip(back).filter(move |&(_, r)| r == role).map(|(file, _)| file);
    let mut bishops = files(Role::Bishop);
    let (first, second) = (bishops.next()?, bishops.next()?);
    let (light, dark) = if first % 2 == 1 { (first, second) } else { (second, first) };
    if light % 2 != 1 || dark % 2 != 0 {
        return None;
    }
    let rest: Vec<Role> = back.into_iter().filter(|&role| role != Role::Bishop).collect();
    let queen = rest.iter().position(|&role| role == Role::Queen)?;
    let five: Vec<Role> = rest.into_iter().filter(|&role| role != Role::Queen).collect();
    let mut knights = (0u32..).zip(&five).filter(|&(_, &role)| role == Role::Knight).map(|(place, _)| place);
    let (low, high) = (knights.next()?, knights.next()?);
    let others: Vec<Role> = five.iter().copied().filter(|&role| role != Role::Knight).collect();
    if others != [Role::Rook, Role::King, Role::Rook] {
        return None;
    }
    // The ten ways to put two knights on five files, in their order.
    let ways = (0..5u32).flat_map(|a| (a + 1..5).map(move |b| (a, b)));
    let (way, _) = (0u32..).zip(ways).find(|&(_, pair)| pair == (low, high))?;
    Some(way * 96 + u32::try_from(queen).ok()? * 16 + dark / 2 * 4 + light / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_start_is_known_by_its_number_and_nothing_else_is_a_start() {
        let found = (0..960).filter(|&wanted| {
            let start = board_sim::random::chess960_start(wanted);
            let found = chess960_start(&Placement::from_board(start.board()));
            if let Some((position, number)) = &found {
                assert_eq!((position, *number), (&start, wanted));
            }
            assert_eq!(start_number(&start), Some(wanted));
            found.is_some()
        });
        assert_eq!(found.count(), 958, "all but the usual one and the usual mistake");
        let mut lacking = Placement::from_board(board_sim::random::chess960_start(0).board());
        lacking.set(Square::E2, dgt_protocol::PieceCode::Empty);
        assert_eq!(chess960_start(&lacking), None);
    }
}
