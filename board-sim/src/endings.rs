//! Games that end, or nearly end, in rare ways: kings that walk through the centre, positions that come five times, 75 moves
//! without progress, positions in which mate is impossible.
//!
//! Knows the rules through shakmaty and nothing else.

use fastrand::Rng;
use shakmaty::{Board, CastlingMode, Chess, Color, FromSetup, Move, Piece, Position, Role, Setup, Square};

use crate::{random::RandomGame, result::Ending};

/// Plies after a new queen has shown what it is: time for a person to look.
const AFTER_QUEEN: usize = 8;

const CENTRE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

/// An ending and a game from it in which kings go to squares of the centre and leave them again; a player resigns or a draw
/// is agreed when a king stands in the centre or beside it.
pub fn kings_walk(seed: u64) -> (Chess, RandomGame) {
    let mut rng = Rng::with_seed(seed);
    loop {
        let pieces = [Color::White.pawn(), Color::Black.pawn(), Color::White.knight(), Color::Black.bishop()];
        let start = scattered(&pieces, &mut rng);
        let plies = rng.usize(30..70);
        let walked = walk(&start, plies, &mut rng, |m| match m {
            Move::Normal { role: Role::King, to, .. } if CENTRE.contains(&to) => 40,
            Move::Normal { role: Role::King, to, .. } => 9 - nearest(to),
            Move::Normal { capture: Some(_), .. } => 1,
            _ => 2,
        });
        let ending = match rng.u32(0..3) {
            0 => Ending::Resigned(Color::White),
            1 => Ending::Resigned(Color::Black),
            _ => Ending::Drawn,
        };
        let near = |position: &Chess| position.board().kings().into_iter().any(|king| nearest(king) <= 1);
        if let Some((moves, end)) = walked
            && near(&end)
        {
            return (start, RandomGame { moves, ending });
        }
    }
}

/// A game in which one position comes `times` times and more: in its middle both sides move a piece out and back, again and
/// again. The game itself if there is no place for it.
pub fn repeated(start: &Chess, game: &RandomGame, times: usize, seed: u64) -> RandomGame {
    let mut rng = Rng::with_seed(seed);
    let mut position = start.clone();
    let mut places = Vec::new();
    for (ply, &m) in game.moves.iter().enumerate() {
        if let Some(round) = out_and_back(&position, &mut rng) {
            places.push((ply, round));
        }
        position.play_unchecked(m);
    }
    let mut moves = game.moves.clone();
    if let Some((ply, round)) = rng.choice(&places) {
        let rounds = round.repeat(times.saturating_sub(1));
        moves.splice(ply..ply, rounds);
    }
    RandomGame { moves, ending: game.ending }
}

/// An ending with rooks, and a game from it of 75 moves each side in which no pawn moves and nothing is taken; a draw.
pub fn without_progress(seed: u64) -> (Chess, RandomGame) {
    let mut rng = Rng::with_seed(seed);
    loop {
        let start = scattered(&[Color::White.rook(), Color::Black.rook(), Color::White.bishop()], &mut rng);
        let quiet = |m: Move| u32::from(!m.is_zeroing());
        if let Some((moves, end)) = walk(&start, 150, &mut rng, quiet)
            && end.halfmoves() >= 150
        {
            return (start, RandomGame { moves, ending: Ending::Drawn });
        }
    }
}

/// An ending, and a game from it that ends when neither side has material to mate with.
pub fn dead(seed: u64) -> (Chess, RandomGame) {
    let mut rng = Rng::with_seed(seed);
    loop {
        let start = scattered(&[Color::White.knight(), Color::Black.pawn(), Color::White.pawn()], &mut rng);
        let mut position = start.clone();
        let mut moves = Vec::new();
        while moves.len() < 120 && !position.is_game_over() {
            let next = choose(&position, &mut rng, |m| if m.is_capture() { 500 } else { 4 });
            let Some(m) = next else { break };
            moves.push(m);
            position.play_unchecked(m);
        }
        if moves.len() >= 10 && position.is_insufficient_material() && !position.legal_moves().is_empty() {
            return (start, RandomGame { moves, ending: Ending::Drawn });
        }
    }
}

/// An ending and a game from it in which a pawn becomes a queen that goes on to move as no rook can, some plies before the end.
pub fn new_queen(seed: u64) -> (Chess, RandomGame) {
    let mut rng = Rng::with_seed(seed);
    loop {
        let pieces = [Color::White.pawn(), Color::Black.pawn(), Color::White.rook(), Color::Black.knight()];
        let start = scattered(&pieces, &mut rng);
        let plies = rng.usize(30..70);
        let walked = walk(&start, plies, &mut rng, |m| match m {
            Move::Normal { promotion: Some(Role::Queen), .. } => 200,
            Move::Normal { promotion: Some(_), .. } => 0,
            Move::Normal { role: Role::Queen | Role::Pawn, .. } => 12,
            _ => 3,
        });
        if let Some((moves, _)) = walked
            && let Some(at) = moves.iter().position(|m| m.promotion().is_some())
            && let Some(before_end) = moves.len().checked_sub(AFTER_QUEEN)
            && shows_queen(moves.get(at..before_end).unwrap_or_default())
        {
            return (start, RandomGame { moves, ending: Ending::Drawn });
        }
    }
}

/// Whether the piece that the first of these moves makes moves diagonally before it is taken.
fn shows_queen(moves: &[Move]) -> bool {
    let Some((promotion, rest)) = moves.split_first() else { return false };
    let mut square = promotion.to();
    for m in rest {
        if m.from() == Some(square) {
            if m.to().file() != square.file() && m.to().rank() != square.rank() {
                return true;
            }
            square = m.to();
        } else if m.to() == square {
            return false;
        }
    }
    false
}

/// Squares from the centre.
fn nearest(square: Square) -> u32 {
    CENTRE.into_iter().map(|centre| centre.distance(square)).min().unwrap_or_default()
}

/// A random legal position of both kings and these pieces, White to move.
fn scattered(pieces: &[Piece], rng: &mut Rng) -> Chess {
    loop {
        let mut board = Board::empty();
        for &piece in [Color::White.king(), Color::Black.king()].iter().chain(pieces) {
            board.set_piece_at(Square::new(rng.u32(8..56)), piece);
        }
        let setup = Setup { board, castling_rights: shakmaty::Bitboard::EMPTY, ..Setup::initial() };
        if let Ok(position) = Chess::from_setup(setup, CastlingMode::Standard)
            && !position.is_check()
            && !position.is_game_over()
        {
            return position;
        }
    }
}

/// Random moves that do not end the game; `None` if there are too few of them.
fn walk(start: &Chess, plies: usize, rng: &mut Rng, weight: impl Fn(Move) -> u32) -> Option<(Vec<Move>, Chess)> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    while moves.len() < plies {
        let m = choose(&position, rng, &weight)?;
        moves.push(m);
        position.play_unchecked(m);
    }
    (!position.is_insufficient_material()).then_some((moves, position))
}

/// A random move after which there is another.
fn choose(position: &Chess, rng: &mut Rng, weight: impl Fn(Move) -> u32) -> Option<Move> {
    let goes_on = |&m: &Move| position.clone().play(m).is_ok_and(|next| !next.legal_moves().is_empty());
    let legal: Vec<(Move, u32)> = position.legal_moves().into_iter().filter(goes_on).map(|m| (m, weight(m))).collect();
    let total: u32 = legal.iter().map(|(_, weight)| weight).sum();
    let mut pick = (total > 0).then(|| rng.u32(0..total))?;
    for (m, weight) in legal {
        if pick < weight {
            return Some(m);
        }
        pick -= weight;
    }
    None
}

/// Four moves after which the same position stands again: a piece of each side goes out and comes back.
fn out_and_back(position: &Chess, rng: &mut Rng) -> Option<[Move; 4]> {
    let (first, after_first) = out(position, rng)?;
    let (second, after_second) = out(&after_first, rng)?;
    let (third, after_third) = back(&after_second, first)?;
    let (fourth, end) = back(&after_third, second)?;
    let same =
        end.board() == position.board() && end.castles().castling_rights() == position.castles().castling_rights();
    (same && position.maybe_ep_square().is_none()).then_some([first, second, third, fourth])
}

fn out(position: &Chess, rng: &mut Rng) -> Option<(Move, Chess)> {
    let reversible = |m: &Move| {
        let role = m.role();
        !m.is_zeroing() && !m.is_castle() && matches!(role, Role::Knight | Role::Bishop | Role::Queen)
    };
    let moves: Vec<Move> = position.legal_moves().into_iter().filter(reversible).collect();
    let m = *rng.choice(&moves)?;
    let after = position.clone().play(m).ok()?;
    (!after.legal_moves().is_empty()).then_some((m, after))
}

fn back(position: &Chess, out: Move) -> Option<(Move, Chess)> {
    let returns = |m: &Move| m.from() == Some(out.to()) && Some(m.to()) == out.from() && !m.is_capture();
    let m = position.legal_moves().into_iter().find(returns)?;
    Some((m, position.clone().play(m).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{self, Theme};

    fn end(start: &Chess, game: &RandomGame) -> Chess {
        game.moves.iter().fold(start.clone(), |position, &m| position.play(m).expect("a legal move"))
    }

    #[test]
    fn kings_go_to_the_centre_in_their_endings_and_end_near_it() {
        for seed in 0..20 {
            let (start, game) = kings_walk(seed);
            let walks = game.moves.iter().filter(|m| m.role() == Role::King && CENTRE.contains(&m.to())).count();
            assert!(walks > 0, "seed {seed}");
            assert!(end(&start, &game).board().kings().into_iter().any(|king| nearest(king) <= 1));
        }
    }

    #[test]
    fn a_position_is_repeated_and_the_game_goes_on_as_before() {
        for seed in 0..20 {
            let game = random::play(Theme::Agreement, seed);
            let repeated = repeated(&Chess::default(), &game, 5, seed);
            assert_eq!(repeated.moves.len(), game.moves.len() + 16, "seed {seed}");
            let ends = [&game, &repeated].map(|game| end(&Chess::default(), game).board().clone());
            assert_eq!(ends[0], ends[1]);
        }
    }

    #[test]
    fn nothing_happens_for_75_moves_and_dead_positions_are_dead() {
        for seed in 0..10 {
            let (start, game) = without_progress(seed);
            assert!(end(&start, &game).halfmoves() >= 150, "seed {seed}");
            let (start, game) = dead(seed);
            assert!(end(&start, &game).is_insufficient_material(), "seed {seed}");
        }
    }
}
