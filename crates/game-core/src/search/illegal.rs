//! An illegal move that stands, and from which play goes on.
//!
//! Must not know other hypotheses.

use shakmaty::{Bitboard, Board, Chess, Color, FromSetup, Move, Piece, Position, PositionError, Role, Setup, Square};

use super::history::Observation;
use super::hypothesis::{Hypothesis, index};
use super::line::Lines;
use super::terms::Term;
use super::weights as w;
use crate::board_faults::BoardFaults;
use crate::placement::code_of;

impl Hypothesis {
    /// Goes on from an illegal move, if the player to move has made one that leads to what the board shows: his pieces stand on
    /// other squares, and no legal move leaves them there.
    /// `ends`: he has pressed, or there is no clock to press, so a king that has castled may be all that he has moved; otherwise it
    /// waits for its rook, however long the clock is stopped.
    pub(crate) fn after_illegal_move(&self, seen: &Observation, ends: bool, lines: &mut Lines) -> Option<Self> {
        let color = self.position.turn();
        let (was, is) = (self.position.board(), &seen.shown);
        let differs = self.differs_from(&seen.shown) & !self.faulty & !self.lost;
        let arrived = differs & is.pieces();
        let left = differs & was.by_color(color);
        let only_his = (arrived & is.by_color(color.other()) | differs & seen.shown.odd()).is_empty();
        let moved = (1..=2).contains(&arrived.count()) && left.count() == arrived.count();
        let pieces = |squares: Bitboard, at: &dyn Fn(Square) -> Option<Piece>| {
            let mut roles: Vec<Role> = squares.into_iter().filter_map(|square| Some(at(square)?.role)).collect();
            roles.sort_unstable();
            roles
        };
        let changed = || pieces(left, &|square| was.piece_at(square)) != pieces(arrived, &|square| is.piece_at(square));
        let misread = self.misread.misread().next().is_some();
        if self.off || misread || !only_his || !moved || changed() {
            return None;
        }
        let mut board = was.clone();
        left.into_iter().for_each(|square| board.discard_piece_at(square));
        for square in arrived {
            board.set_piece_at(square, is.piece_at(square)?);
        }
        let leads_there = |mv| {
            let mut after = self.position.clone();
            after.play_unchecked(mv);
            *after.board() == board
        };
        let castles = |mv: Move| {
            let to = mv.castling_side().map(|side| side.king_to(color));
            to.is_some_and(|to| mv.from().map(Bitboard::from) == Some(left) && Bitboard::from(to) == arrived)
        };
        if self.position.legal_moves().into_iter().any(|mv| leads_there(mv) || castles(mv) && !ends) {
            return None;
        }
        let (position, misread) = match self.left_by(&board) {
            Some(position) => (position, self.misread),
            None => self.ignoring_check(&board)?,
        };
        let mut next = self.clone();
        next.pay(Term::Illegal, w::VERY_RARE);
        let (from, to) = (left.first()?, arrived.first()?);
        let mv = Move::Normal { role: was.piece_at(from)?.role, from, capture: None, to, promotion: None };
        (next.position, next.misread, next.illegal) = (position, misread, Some(lines.child(self.line, mv)));
        let pressed = std::mem::take(&mut next.early[index(color)]).last_at();
        next.unpressed[index(color)] = pressed.is_none();
        if let Some(at) = pressed {
            next.ends(lines.depth(next.played()), at);
        }
        Some(next)
    }

    /// The line without the illegal move after it, of a board whose pieces are read as what they are.
    pub(crate) fn before_illegal(&self, start: &Chess, lines: &Lines) -> Self {
        let position = lines.position(start, self.line);
        let mut before = Self { position, misread: BoardFaults::default(), illegal: None, off: false, ..self.clone() };
        before.presses.keep(lines.depth(self.line));
        before
    }

    /// The position from which the other player goes on where an illegal move has left these pieces.
    fn left_by(&self, board: &Board) -> Option<Chess> {
        let rights = self.position.castles().castling_rights();
        let home = |color: Color| board.king_of(color) == self.position.board().king_of(color);
        let castling_rights = Color::ALL
            .into_iter()
            .filter(|&color| home(color))
            .fold(Bitboard::EMPTY, |kept, color| kept | rights & color.backrank() & board.by_piece(color.rook()));
        let turn = self.position.turn().other();
        let setup = Setup { board: board.clone(), turn, castling_rights, ..Setup::empty() };
        let position = Chess::from_setup(setup, self.position.castles().mode());
        position.or_else(PositionError::ignore_too_much_material).ok()
    }

    /// The same where the king could be taken, which is no position: the piece that gives check is one that gives none, and is read
    /// as what it is.
    fn ignoring_check(&self, board: &Board) -> Option<(Chess, BoardFaults)> {
        let king = board.king_of(self.position.turn())?;
        let giver = board.attacks_to(king, self.position.turn().other(), board.occupied()).single_square()?;
        let piece = board.piece_at(giver)?;
        let misread = self.misread.with_misread(giver, code_of(piece))?;
        let harmless = |role| {
            let mut board = board.clone();
            board.set_piece_at(giver, Piece { role, ..piece });
            self.left_by(&board)
        };
        let roles = Role::ALL.into_iter().filter(|&role| role != Role::King);
        Some((roles.into_iter().find_map(harmless)?, misread))
    }
}
