//! Reconstructs moves from settled positions of a board, for one client: from a position that it set up, by legal moves.
//!
//! Independent of the record, so that a client's set-up cannot disturb it. Pure; must not know time or sockets.

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{Board, CastlingMode, Chess, Move, Position};

/// A game that is reconstructed from settled positions.
#[derive(Clone, Debug)]
pub(super) struct Reconstruction {
    /// The text that the client gave.
    start: String,
    /// The start and the position after each move.
    positions: Vec<Chess>,
    moves: Vec<String>,
    /// Whether the board has shown the start.
    has_begun: bool,
    agrees: bool,
}

/// Why a position cannot be set up.
#[derive(Debug, thiserror::Error)]
#[error("This is not a position to play from: {0}")]
pub(super) struct NoStart(String);

impl Reconstruction {
    /// A game that begins once the board shows the position of `fen`.
    ///
    /// # Errors
    /// [`NoStart`] when the rules do not allow the position.
    pub(super) fn new(fen: &str) -> Result<Self, NoStart> {
        let parsed: Fen = fen.parse().map_err(|error: shakmaty::fen::ParseFenError| NoStart(error.to_string()))?;
        let mode = CastlingMode::detect(parsed.as_setup());
        let start: Chess = parsed
            .into_position(mode)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .map_err(|error| NoStart(error.to_string()))?;
        let (positions, moves) = (vec![start], Vec::new());
        Ok(Self { start: fen.to_owned(), positions, moves, has_begun: false, agrees: false })
    }

    /// The position that was set up, as the client wrote it.
    pub(super) fn start(&self) -> &str {
        &self.start
    }

    /// The moves since the start, in SAN.
    pub(super) fn moves(&self) -> &[String] {
        &self.moves
    }

    /// Whether the pieces stand as after the last move.
    pub(super) fn agrees(&self, board: &Board) -> bool {
        board == self.head().board()
    }

    /// Takes a position that has stood for a while. Returns what changed, one step after the other: a move that is replaced
    /// is first taken back, because clients see only that the list became longer.
    pub(super) fn settle(&mut self, board: &Board) -> Vec<Step> {
        let before = (self.agrees, self.has_begun);
        let mut steps = Vec::new();
        self.agrees = true;
        if *board == *self.head().board() {
            self.has_begun = true;
        } else if !self.has_begun {
            self.agrees = false;
        } else if let Some(line) = line_to(self.head(), board) {
            self.play(&line);
            steps.push(self.step());
        } else if let Some(kept) = self.positions.iter().rposition(|position| position.board() == board) {
            self.keep(kept);
            steps.push(self.step());
        } else if let Some(line) = self.positions.iter().rev().nth(1).and_then(|position| line_to(position, board)) {
            self.keep(self.moves.len() - 1);
            self.agrees = false;
            steps.push(self.step());
            self.agrees = true;
            self.play(&line);
            steps.push(self.step());
        } else {
            self.agrees = false;
        }
        if steps.is_empty() && (self.agrees, self.has_begun) != before {
            steps.push(self.step());
        }
        steps
    }

    fn head(&self) -> &Chess {
        self.positions.last().expect("the start is never removed")
    }

    fn play(&mut self, line: &[Move]) {
        for &m in line {
            let mut position = self.head().clone();
            self.moves.push(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
            self.positions.push(position);
        }
    }

    /// Keeps so many moves.
    fn keep(&mut self, moves: usize) {
        self.moves.truncate(moves);
        self.positions.truncate(moves + 1);
    }

    fn step(&self) -> Step {
        Step { moves: self.moves.clone(), agrees: self.agrees }
    }
}

/// A state of the list that the client must see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// All moves since the start.
    pub(super) moves: Vec<String>,
    /// Whether the board shows the position after them.
    pub(super) agrees: bool,
}

/// One move, else two in quick succession, that lead to this placement. No more: a longer line would explain a piece in a hand
/// as one that was captured.
fn line_to(position: &Chess, board: &Board) -> Option<Vec<Move>> {
    let after = |position: &Chess, m| {
        let mut next = position.clone();
        next.play_unchecked(m);
        next
    };
    let moves = position.legal_moves();
    if let Some(&m) = moves.iter().find(|&&m| after(position, m).board() == board) {
        return Some(vec![m]);
    }
    moves.iter().find_map(|&first| {
        let next = after(position, first);
        let second = next.legal_moves().into_iter().find(|&second| after(&next, second).board() == board)?;
        Some(vec![first, second])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn board(placement: &str) -> Board {
        Board::from_ascii_board_fen(placement.as_bytes()).unwrap()
    }

    /// The lists that a client sees for these placements.
    fn lists(start: &str, placements: &[&str]) -> Vec<String> {
        let mut game = Reconstruction::new(start).unwrap();
        let steps = placements.iter().flat_map(|placement| game.settle(&board(placement)));
        steps.map(|step| format!("{} {}", step.moves.join(" "), step.agrees).trim().to_owned()).collect()
    }

    const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    const E4_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
    const D4: &str = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR";
    const AT_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    #[test]
    fn moves_count_once_the_board_has_shown_the_start() {
        assert!(lists(START, &[E4, E4_E5]).is_empty());
        assert_eq!(lists(START, &[AT_START, E4, E4_E5]), ["true", "e4 true", "e4 e5 true"]);
    }

    #[test]
    fn two_moves_in_quick_succession_come_as_one_step() {
        assert_eq!(lists(START, &[AT_START, E4_E5]), ["true", "e4 e5 true"]);
    }

    #[test]
    fn a_piece_in_a_hand_is_not_explained_by_captures() {
        let lifted = "rnbqkb1r/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
        assert_eq!(lists(START, &[AT_START, E4, lifted]), ["true", "e4 true", "e4 false"]);
    }

    #[test]
    fn a_replaced_move_is_first_taken_back() {
        assert_eq!(lists(START, &[AT_START, E4, D4]), ["true", "e4 true", "false", "d4 true"]);
        assert_eq!(lists(START, &[AT_START, E4, AT_START]), ["true", "e4 true", "true"]);
    }

    #[test]
    fn a_knocked_over_board_agrees_with_nothing_and_changes_no_move() {
        assert_eq!(lists(START, &[AT_START, E4, "8/8/8/8/8/8/8/8", E4]), ["true", "e4 true", "e4 false", "e4 true"]);
    }

    #[test]
    fn castling_promotion_and_en_passant_are_written_as_clients_parse_them() {
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(lists(castling, &["r3k2r/8/8/8/8/8/8/R3K2R", "r3k2r/8/8/8/8/8/8/R4RK1"]), ["true", "O-O true"]);
        let pawn = "7k/P7/8/8/8/8/8/7K w - - 0 1";
        assert_eq!(lists(pawn, &["7k/P7/8/8/8/8/8/7K", "N6k/8/8/8/8/8/8/7K"]), ["true", "a8=N true"]);
        let passing = "7k/8/8/Pp6/8/8/8/7K w - b6 0 2";
        assert_eq!(lists(passing, &["7k/8/8/Pp6/8/8/8/7K", "7k/8/1P6/8/8/8/8/7K"]), ["true", "axb6 true"]);
    }

    #[test]
    fn rubbish_is_refused_with_the_reason() {
        for wrong in ["", "8/8", "8/8/8/8/8/8/8/8 w - - 0 1", &"x".repeat(10_000)] {
            let refused = Reconstruction::new(wrong).unwrap_err().to_string();
            assert!(refused.starts_with("This is not a position to play from: "), "{refused}");
        }
    }
}
