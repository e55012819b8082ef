//! Stretches of a game that the bytes do not decide: plies whose squares came so close together that another legal line shows
//! the same.
//!
//! Knows the rules through shakmaty, what was played, and what the scan of the simulated board found. Must not call
//! `game-core`, whose results are compared with it. Errs on the generous side: of a line that is accepted here an observer
//! might still know more; one that is not accepted contradicts what the board showed.

use std::ops::Range;

use board_sim::placement::code;
use board_sim::plan::Plan;
use dgt_protocol::PieceCode;
use shakmaty::san::San;
use shakmaty::{Board, Chess, Move, Position, Square};

/// A change that the scan of the board found.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    pub(crate) at_ms: u64,
    pub(crate) square: Square,
    pub(crate) piece: PieceCode,
}

/// Two or more plies between two moments at which the board showed a position of the game.
#[derive(Clone)]
pub(crate) struct Stretch {
    /// The plies, counted from 0.
    pub(crate) plies: Range<usize>,
    begins: Chess,
    ends: Chess,
    played: Vec<Move>,
    changes: Vec<Change>,
    /// The longest time of a full scan.
    scan_ms: u64,
}

/// The stretches of a game of which so many plies were made, from the changes that the scan found during the game.
pub(crate) fn stretches(plan: &Plan, made: usize, changes: &[Change], scan_ms: u64) -> Vec<Stretch> {
    let mut positions = vec![plan.start.clone()];
    for ply in plan.plies.iter().take(made) {
        let mut next = positions.last().expect("there is a start").clone();
        next.play_unchecked(ply.m);
        positions.push(next);
    }
    let boards: Vec<[PieceCode; 64]> = positions.iter().map(|position| shown(position.board())).collect();
    let mut now = boards[0];
    let (mut stable, mut since) = (0, 0);
    let mut found = Vec::new();
    for (index, change) in changes.iter().enumerate() {
        now[usize::from(change.square)] = change.piece;
        let Some(ply) = (stable + 1..boards.len()).find(|&ply| boards[ply] == now) else { continue };
        if ply - stable > 1 {
            found.push(Stretch {
                plies: stable..ply,
                begins: positions[stable].clone(),
                ends: positions[ply].clone(),
                played: plan.plies[stable..ply].iter().map(|ply| ply.m).collect(),
                changes: changes[since..=index].to_vec(),
                scan_ms,
            });
        }
        (stable, since) = (ply, index + 1);
    }
    found
}

/// How many of the changes lead to the last moment at which the board showed the position after so many plies, and what it
/// showed.
pub(crate) fn shows(plan: &Plan, plies: usize, changes: &[Change]) -> Option<(usize, [PieceCode; 64])> {
    let mut position = plan.start.clone();
    let mut now = shown(position.board());
    plan.plies.iter().take(plies).for_each(|ply| position.play_unchecked(ply.m));
    let wanted = shown(position.board());
    let mut last = (now == wanted).then_some(0);
    for (index, change) in changes.iter().enumerate() {
        now[usize::from(change.square)] = change.piece;
        last = if now == wanted { Some(index + 1) } else { last };
    }
    last.map(|kept| (kept, wanted))
}

fn shown(board: &Board) -> [PieceCode; 64] {
    std::array::from_fn(|square| code(board.piece_at(Square::new(square as u32))))
}

impl Stretch {
    /// Whether this line, in SAN, shows the same as the one that was played.
    pub(crate) fn accepts<'a>(&self, line: impl Iterator<Item = &'a str>) -> bool {
        let mut position = self.begins.clone();
        let mut boards = vec![shown(position.board())];
        let mut moves = Vec::new();
        for san in line {
            let san = san.trim_end_matches(['+', '#']).parse::<San>();
            let Some(m) = san.ok().and_then(|san| san.to_move(&position).ok()) else { return false };
            position.play_unchecked(m);
            boards.push(shown(position.board()));
            moves.push(m);
        }
        moves.len() == self.played.len()
            && position.board() == self.ends.board()
            && position.legal_moves() == self.ends.legal_moves()
            && self.explains(&boards)
            && self.is_in_time(&moves)
    }

    /// Whether each reported piece that was played there stands there on this line too.
    fn explains(&self, boards: &[[PieceCode; 64]]) -> bool {
        let mut position = self.begins.clone();
        let mut played = vec![shown(position.board())];
        for &m in &self.played {
            position.play_unchecked(m);
            played.push(shown(position.board()));
        }
        let stands = |boards: &[[PieceCode; 64]], change: &Change| {
            boards.iter().any(|board| board[usize::from(change.square)] == change.piece)
        };
        self.changes.iter().all(|change| !stands(&played, change) || stands(boards, change))
    }

    /// Whether no two plies of the game are made in the other order although a full scan lies between their squares.
    fn is_in_time(&self, line: &[Move]) -> bool {
        let place = |m: &Move| line.iter().position(|other| other == m);
        self.played.iter().enumerate().all(|(index, first)| {
            self.played[index + 1..].iter().all(|second| {
                let (Some(one), Some(other)) = (place(first), place(second)) else { return true };
                let (Some((_, done_ms)), Some((begun_ms, _))) = (self.seen_ms(*first), self.seen_ms(*second)) else {
                    return true;
                };
                one < other || begun_ms < done_ms + self.scan_ms
            })
        })
    }

    /// When the first and the last change of the squares of a move were found.
    fn seen_ms(&self, m: Move) -> Option<(u64, u64)> {
        let squares = [m.from(), Some(m.to())];
        let of_move = self.changes.iter().filter(|change| squares.contains(&Some(change.square)));
        let times: Vec<u64> = of_move.map(|change| change.at_ms).collect();
        times.iter().copied().min().zip(times.iter().copied().max())
    }
}

#[cfg(test)]
mod tests {
    use board_sim::random::RandomGame;
    use board_sim::result::Ending;
    use notation::pgn::Tags;

    use super::*;

    /// The stretches of a game with these moves and changes of squares, each at its time.
    fn found(moves: &str, changes: &[(u64, Square)]) -> Vec<Stretch> {
        let mut position = Chess::default();
        let mut pieces: Vec<Board> = vec![position.board().clone()];
        let mut played = Vec::new();
        for san in moves.split(' ') {
            let m = san.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
            pieces.push(position.board().clone());
            played.push(m);
        }
        // A square shows what it holds after the next move that changes it.
        let mut at = [0; 64];
        let change = |&(at_ms, square): &(u64, Square)| {
            let shown = |ply: usize| pieces[ply].piece_at(square);
            let seen = &mut at[usize::from(square)];
            let next = (*seen + 1..pieces.len()).find(|&ply| shown(ply) != shown(*seen)).unwrap();
            *seen = next;
            Change { at_ms, square, piece: code(shown(next)) }
        };
        let changes: Vec<Change> = changes.iter().map(change).collect();
        let made = played.len();
        let plan = Plan::from_random(Tags::new(), &RandomGame { moves: played, ending: Ending::Unknown });
        stretches(&plan, made, &changes, 250)
    }

    fn accepts(stretch: &Stretch, line: &str) -> bool {
        stretch.accepts(line.split(' '))
    }

    #[test]
    fn plies_that_were_seen_one_after_another_are_decided() {
        use Square::{B1, C3, F3, F6, G1, G8};
        let seen = found("Nf3 Nf6 Nc3", &[(0, G1), (50, F3), (90, G8), (120, F6), (150, B1), (180, C3)]);
        assert!(seen.is_empty());
    }

    #[test]
    fn two_moves_of_a_player_within_one_scan_may_be_in_either_order() {
        use Square::{B1, C3, F3, F6, G1, G8};
        let seen = found("Nf3 Nf6 Nc3", &[(0, G1), (5, B1), (9, G8), (80, F3), (90, C3), (95, F6)]);
        assert_eq!((seen.len(), seen[0].plies.clone()), (1, 0..3));
        assert!(accepts(&seen[0], "Nc3 Nf6 Nf3"));
        for other in ["Nf3 Nf6", "Nf3 Nh6 Nc3", "Nc3 Nf6 Ng1", "Na3 Nf6 Nf3", "Nc3 Nf6 Qh5"] {
            assert!(!accepts(&seen[0], other), "{other}");
        }
    }

    #[test]
    fn a_full_scan_between_two_moves_of_a_player_decides_their_order() {
        use Square::{B1, C3, F3, F6, G1, G8};
        let seen = found("Nf3 Nf6 Nc3", &[(0, G1), (9, G8), (80, F3), (400, B1), (450, C3), (460, F6)]);
        assert!(!accepts(&seen[0], "Nc3 Nf6 Nf3"));
    }

    #[test]
    fn a_square_that_was_never_reported_may_have_been_another_one() {
        use Square::{F3, F6, G1, G5, G8};
        let seen = found("Nf3 Nf6 Ng5", &[(0, G1), (5, G8), (90, G5), (95, F6)]);
        assert!(accepts(&seen[0], "Nh3 Nf6 Ng5"));
        let seen = found("Nf3 Nf6 Ng5", &[(0, G1), (5, G8), (9, F3), (90, G5), (95, F6), (99, F3)]);
        assert!(!accepts(&seen[0], "Nh3 Nf6 Ng5"));
    }
}
