//! What goes wrong with the pieces in the middle of a game.
//!
//! Part of the script builder; see there.

use shakmaty::{Board, Move, Piece, Position, Role, Square};

use super::ScriptBuilder;
use crate::{
    hands::{self, Step, Style, Touch},
    script::Action,
};

impl ScriptBuilder<'_> {
    /// Plies that are played and pressed and then taken back, the lever where it was.
    pub(super) fn takeback(&mut self, planned: Move) {
        let mut position = self.position.clone();
        for ply in 0..self.rng.usize(1..=4) {
            let ends = |m: &Move| position.clone().play(*m).is_ok_and(|next| next.legal_moves().is_empty());
            let others: Vec<Move> =
                position.legal_moves().into_iter().filter(|m| (ply > 0 || *m != planned) && !ends(m)).collect();
            let Some(&m) = self.rng.choice(&others) else { break };
            let steps = hands::make_move(position.board(), m, Style::Clean, self.rng);
            self.script.wait(self.rng.u64(500..8_000));
            self.script.steps(&steps);
            self.script.wait(self.rng.u64(300..2_000));
            self.press(position.turn());
            position.play_unchecked(m);
        }
        self.script.wait(self.rng.u64(4_000..20_000));
        self.stop();
        self.script.add(Action::TakenBack);
        self.put_right(position.board());
        if position.turn() != self.position.turn() {
            self.press(position.turn());
        }
        // The arbiter looks whether everything stands as it stood.
        self.script.wait(self.rng.u64(4_000..9_000));
        self.start();
    }

    /// The touches of an illegal move, a piece put where no legal move puts it, and the board after it.
    pub(super) fn illegal_move(&mut self) -> Option<(Vec<Step>, Board)> {
        let color = self.position.turn();
        let board = self.position.board().clone();
        let movable: Vec<Square> = (board.by_color(color) & !board.kings() & !board.pawns()).into_iter().collect();
        let from = *self.rng.choice(&movable)?;
        let piece = board.piece_at(from)?;
        let free: Vec<Square> = (!board.occupied()).into_iter().collect();
        let targets: Vec<Square> = free
            .into_iter()
            .filter(|&to| {
                let legal = |m: &Move| m.from() == Some(from) && m.to() == to;
                !self.position.legal_moves().iter().any(legal)
            })
            .collect();
        let to = *self.rng.choice(&targets)?;
        let touches = [Touch::Lift(from), Touch::Place(to, piece)];
        let mut after = board;
        let steps = touches.map(|touch| {
            touch.apply(&mut after);
            Step { pause_ms: self.rng.u64(200..600), touch }
        });
        Some((steps.to_vec(), after))
    }

    pub(super) fn illegal_corrected(&mut self) {
        let Some((steps, after)) = self.illegal_move() else { return };
        let mover = self.position.turn();
        self.script.wait(self.rng.u64(500..8_000));
        self.script.steps(&steps);
        self.script.wait(self.rng.u64(300..2_000));
        let pressed = self.rng.u32(0..4) > 0;
        if pressed {
            self.press(mover);
        }
        self.script.wait(self.rng.u64(500..20_000));
        self.stop();
        self.put_right(&after);
        if pressed {
            self.press(!mover);
        }
        self.script.wait(self.rng.u64(1_000..5_000));
        self.start();
    }

    pub(super) fn knocked_over(&mut self) {
        let mut pieces = self.position.board().clone();
        let mut fallen: Vec<(Square, Piece)> = pieces.clone().into_iter().collect();
        self.rng.shuffle(&mut fallen);
        fallen.truncate(self.rng.usize(2..=9));
        self.script.wait(self.rng.u64(300..3_000));
        for &(square, _) in &fallen {
            Touch::Lift(square).apply(&mut pieces);
            self.script.steps(&[Step { pause_ms: self.rng.u64(0..60), touch: Touch::Lift(square) }]);
        }
        self.script.wait(self.rng.u64(800..2_500));
        self.stop();
        // Some come back to wrong squares first.
        for &(_, piece) in fallen.iter().take(2) {
            let free: Vec<Square> = (!pieces.occupied()).into_iter().collect();
            if let Some(&square) = self.rng.choice(&free) {
                let touch = Touch::Place(square, piece);
                touch.apply(&mut pieces);
                self.script.steps(&[Step { pause_ms: self.rng.u64(400..1_500), touch }]);
            }
        }
        self.put_right(&pieces);
        self.script.wait(self.rng.u64(1_000..6_000));
        self.start();
    }

    pub(super) fn adjust(&mut self) {
        let standing: Vec<(Square, Piece)> = self.position.board().clone().into_iter().collect();
        for _ in 0..self.rng.usize(1..=3) {
            if let Some(&(square, piece)) = self.rng.choice(&standing) {
                let lift = Step { pause_ms: self.rng.u64(300..1_500), touch: Touch::Lift(square) };
                let place = Step { pause_ms: self.rng.u64(100..1_800), touch: Touch::Place(square, piece) };
                self.script.steps(&[lift, place]);
            }
        }
    }

    /// From now on the board reports one of the pieces as another one of its colour.
    pub(super) fn misread(&mut self) {
        let board = self.position.board();
        let standing: Vec<(Square, Piece)> = (board.occupied() & !board.kings())
            .into_iter()
            .filter_map(|square| Some((square, board.piece_at(square)?)))
            .collect();
        let Some(&(square, piece)) = self.rng.choice(&standing) else { return };
        let others = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        let others: Vec<Role> = others.into_iter().filter(|&role| role != piece.role).collect();
        let Some(&role) = self.rng.choice(&others) else { return };
        self.script.wait(self.rng.u64(300..3_000));
        self.script.add(Action::Misread { square, piece, as_piece: Piece { color: piece.color, role } });
    }
}
