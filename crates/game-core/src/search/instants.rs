//! When the plies of a line were first on the board, read again from what was heard.
//!
//! For plies that are told together, long after they were made. Must not know costs.

use shakmaty::{Bitboard, Board, Position};

use super::game::Game;
use super::history::Kind;
use super::line::NodeId;
use super::weights as w;

impl Game {
    /// When each ply of a line after its first `told` plies was first on the board, UTC ms; none for one that never stood there
    /// by itself. Squares of `wrong` are not compared.
    ///
    /// As many plies as possible find an observation, in their order: a position that comes back later takes no place of a ply between.
    pub(crate) fn instants(&self, line: NodeId, told: u32, wrong: Bitboard) -> Vec<Option<u64>> {
        let boards = self.boards(line, told);
        let mut instants = vec![None; boards.len()];
        let skipped = boards.len().saturating_sub(w::LINE_PLIES);
        let plies = boards.get(skipped..).unwrap_or_default();
        let history = &self.history;
        let first = history.first().max(history.end().saturating_sub(w::KEPT));
        let heard: Vec<_> = (first..history.end())
            .filter_map(|index| history.get(index))
            .filter(|heard| matches!(heard.kind, Kind::Board | Kind::Gap { .. }))
            .collect();
        let shows = |ply: usize, at: usize| {
            let (board, heard) = (plies.get(ply), heard.get(at));
            board.zip(heard).is_some_and(|(board, heard)| (heard.shown.differs(board) & !wrong).is_empty())
        };
        // How many of the plies from one on find their place in the observations from one on.
        let width = heard.len() + 1;
        let mut found = vec![0_u16; (plies.len() + 1) * width];
        let count = |found: &[u16], ply: usize, at: usize| found.get(ply * width + at).copied().unwrap_or(0);
        for ply in (0..plies.len()).rev() {
            for at in (0..heard.len()).rev() {
                let here = if shows(ply, at) { count(&found, ply + 1, at + 1) + 1 } else { 0 };
                let most = here.max(count(&found, ply + 1, at)).max(count(&found, ply, at + 1));
                if let Some(slot) = found.get_mut(ply * width + at) {
                    *slot = most;
                }
            }
        }
        let (mut ply, mut at) = (0, 0);
        while ply < plies.len() && at < heard.len() {
            let most = count(&found, ply, at);
            if shows(ply, at) && most == count(&found, ply + 1, at + 1) + 1 {
                if let (Some(slot), Some(heard)) = (instants.get_mut(skipped + ply), heard.get(at)) {
                    *slot = Some(heard.at);
                }
                (ply, at) = (ply + 1, at + 1);
            } else if most == count(&found, ply, at + 1) {
                at += 1;
            } else {
                ply += 1;
            }
        }
        instants
    }

    /// What stands after each ply of a line beyond its first `told` plies.
    fn boards(&self, line: NodeId, told: u32) -> Vec<Board> {
        let mut position = self.start.clone();
        let after = self.lines.moves(line).into_iter().map(|mv| {
            position.play_unchecked(mv);
            position.board().clone()
        });
        after.skip(told as usize).collect()
    }
}

#[cfg(test)]
mod tests {
    use dgt_protocol::{Field, PieceCode};
    use shakmaty::uci::UciMove;
    use shakmaty::{Chess, Square};

    use super::*;
    use crate::event::Variant;
    use crate::placement::square_of;
    use crate::search::history::Event;
    use crate::search::line::ROOT;

    /// A game in which these squares change, each with its instant in seconds, and the line of these moves.
    fn heard(changes: &[(u64, Square, PieceCode)], moves: &[&str]) -> (Game, NodeId) {
        let mut game = Game::new(0, Chess::default(), Variant::Standard, false, true);
        for &(seconds, square, piece) in changes {
            let field = Field::all().find(|&field| square_of(field, false) == square).unwrap();
            game.observe(1_000 * seconds, Event::Square(field, piece));
        }
        let (mut position, mut line) = (Chess::default(), ROOT);
        for uci in moves {
            let mv = uci.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(mv);
            line = game.lines.child(line, mv);
        }
        (game, line)
    }

    fn seconds(instants: &[Option<u64>]) -> Vec<Option<u64>> {
        instants.iter().map(|instant| instant.map(|ms| ms / 1_000)).collect()
    }

    /// Both knights out and home again.
    const THERE_AND_BACK: [(u64, Square, PieceCode); 8] = [
        (10, Square::G1, PieceCode::Empty),
        (11, Square::F3, PieceCode::WhiteKnight),
        (20, Square::G8, PieceCode::Empty),
        (21, Square::F6, PieceCode::BlackKnight),
        (30, Square::F3, PieceCode::Empty),
        (31, Square::G1, PieceCode::WhiteKnight),
        (40, Square::F6, PieceCode::Empty),
        (41, Square::G8, PieceCode::BlackKnight),
    ];
    const THERE_AND_BACK_MOVES: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

    #[test]
    fn a_ply_has_the_instant_at_which_it_came_to_stand() {
        let (game, line) = heard(&THERE_AND_BACK, &THERE_AND_BACK_MOVES);
        let all = game.instants(line, 0, Bitboard::EMPTY);
        assert_eq!(seconds(&all), [Some(11), Some(21), Some(31), Some(41)]);
        assert_eq!(game.instants(line, 2, Bitboard::EMPTY), all[2..], "plies that were told are left out");
    }

    #[test]
    fn a_ply_that_never_stood_there_by_itself_has_none_and_the_others_keep_theirs() {
        let overlapping = [
            (10, Square::E2, PieceCode::Empty),
            (11, Square::E7, PieceCode::Empty),
            (12, Square::E4, PieceCode::WhitePawn),
            (13, Square::E5, PieceCode::BlackPawn),
            (20, Square::G1, PieceCode::Empty),
            (21, Square::F3, PieceCode::WhiteKnight),
        ];
        let (game, line) = heard(&overlapping, &["e2e4", "e7e5", "g1f3"]);
        assert_eq!(seconds(&game.instants(line, 0, Bitboard::EMPTY)), [None, Some(13), Some(21)]);
        let wrong = Bitboard::from(Square::E7);
        assert_eq!(
            seconds(&game.instants(line, 0, wrong)),
            [Some(12), Some(13), Some(21)],
            "a square that is not believed is not compared"
        );
    }
}
