//! Play that goes on from a position that no line explains: with a clock two presses show it, without one the moves of both
//! players that are legal from there.
//!
//! Knows what stands there. Must not know the game before it.

use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, FromSetup, Setup, Square};

use super::game::Game;
use super::history::Event;
use super::tell::decide;
use crate::placement::{Placement, piece_of};
use crate::time::Timestamp;

/// Presses after the report of the unexplained position by which play goes on.
const PRESSES: usize = 2;
/// Plies by which play goes on without a clock: two moves of each player, because putting pieces right looks like moves too.
const PLIES: u32 = 4;

/// A game from the position that stands there, as far as it is one.
#[derive(Clone, Debug, Default)]
pub(super) struct PlayedOn {
    game: Option<Box<Game>>,
    presses: usize,
    told: bool,
}

impl PlayedOn {
    /// A line explains the board again.
    pub(super) fn end(&mut self) {
        if self.game.is_some() || self.presses > 0 || self.told {
            *self = Self::default();
        }
    }

    /// The unexplained position is told.
    pub(super) fn tell(&mut self) {
        self.presses = 0;
    }

    /// A player has pressed. Says once that play goes on.
    pub(super) fn press(&mut self) -> bool {
        self.presses += 1;
        self.presses >= PRESSES && !std::mem::replace(&mut self.told, true)
    }

    /// A game may go on from here, with this side to move.
    pub(super) fn suppose(&mut self, now: Timestamp, placement: &Placement, turn: Color, game: &Game) {
        if self.game.is_none()
            && let Some(start) = position_of(placement, turn)
        {
            let white_left = game.beam.best().is_none_or(|best| best.white_left);
            self.game = Some(Box::new(Game::new(now.as_ms(), start, game.variant, game.rotated, white_left)));
        }
    }

    /// The board says something.
    pub(super) fn hear(&mut self, now: Timestamp, event: &Event) {
        if let Some(game) = &mut self.game {
            game.observe(now.as_ms(), event.clone());
        }
    }

    /// Says once that play goes on.
    pub(super) fn goes_on(&mut self, now: Timestamp) -> bool {
        if self.told {
            return false;
        }
        let Some(game) = &mut self.game else { return false };
        let Some(decision) = decide(game, now.as_ms()) else { return false };
        self.told = game.lines.depth(decision.tell) >= PLIES;
        self.told
    }
}

/// The position with these pieces and this player to move, kings and rooks at home still allowed to castle; none when the
/// rules do not allow it.
fn position_of(placement: &Placement, turn: Color) -> Option<Chess> {
    let mut board = Board::empty();
    for square in placement.occupied() {
        board.set_piece_at(square, piece_of(placement.get(square))?);
    }
    let mut castling_rights = Bitboard::EMPTY;
    for color in Color::ALL {
        let (king, rooks) =
            color.fold_wb((Square::E1, [Square::A1, Square::H1]), (Square::E8, [Square::A8, Square::H8]));
        if board.king_of(color) == Some(king) {
            castling_rights |= board.by_piece(color.rook()) & rooks.into_iter().collect::<Bitboard>();
        }
    }
    let setup = Setup { board, turn, castling_rights, ..Setup::empty() };
    Chess::from_setup(setup, CastlingMode::Standard).or_else(shakmaty::PositionError::ignore_too_much_material).ok()
}
