//! The line of play: positions, the moves between them, and the plies after which moves went unseen.
//!
//! Knows the rules of chess. Must not know time, clocks or what was published.

use shakmaty::{Chess, EnPassantMode, FromSetup, Move, Position, PositionError, Square, fen::Fen, san::SanPlus};

use crate::event::{Side, Variant};
use crate::placement::Placement;

/// A start position that the rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("«{fen}» is not a position to play from: {reason}")]
pub struct StartError {
    /// The given text, at most 100 characters of it.
    pub fen: String,
    /// What is wrong with it.
    pub reason: String,
}

/// Reads a start position.
///
/// # Errors
/// [`StartError`] when the text is no FEN or the rules do not allow the position.
pub fn start_position(fen: &str, variant: Variant) -> Result<Chess, StartError> {
    read_position(fen, variant, PositionError::ignore_too_much_material)
}

/// Reads a position; `forgive` may take one against which there are objections.
fn read_position(
    fen: &str,
    variant: Variant,
    forgive: fn(PositionError<Chess>) -> Result<Chess, PositionError<Chess>>,
) -> Result<Chess, StartError> {
    let error = |reason: String| StartError { fen: fen.chars().take(100).collect(), reason };
    let parsed: Fen = fen.parse().map_err(|e: shakmaty::fen::ParseFenError| error(e.to_string()))?;
    Chess::from_setup(parsed.into_setup(), variant.castling_mode()).or_else(forgive).map_err(|e| error(e.to_string()))
}

/// Largest move number and half-move clock of a position that is set up.
const MOST_COUNTED: u32 = 9_999;

/// Reads a position that is to be played from: there is a legal move in it, and a game can reach it.
///
/// # Errors
/// [`StartError`] where [`start_position`] has one, where a side has more pawns and promoted pieces than eight, where no move is
/// legal, and where its numbers are larger than any game is long.
pub fn position_to_play(fen: &str, variant: Variant) -> Result<Chess, StartError> {
    let position = read_position(fen, variant, Err)?;
    let reason = if position.legal_moves().is_empty() {
        "no move is legal in it".to_owned()
    } else if position.fullmoves().get().max(position.halfmoves()) > MOST_COUNTED {
        format!("its move number or half-move clock is above {MOST_COUNTED}")
    } else {
        return Ok(position);
    };
    Err(StartError { fen: fen.chars().take(100).collect(), reason })
}

/// Moves that went unseen.
#[derive(Clone, Debug)]
struct Gap {
    /// The last ply before them.
    after: usize,
    /// The position to which it led.
    before: Chess,
    /// The position from which play went on.
    from: Chess,
}

/// The names of a ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyName {
    /// In SAN, with `+` or `#`.
    pub san: String,
    /// In UCI; castling as `e1g1`, in Chess960 as king takes rook.
    pub uci: String,
}

/// Moves from a start position. The positions between are played again where they are asked for.
#[derive(Clone, Debug)]
pub struct Line {
    variant: Variant,
    start: Chess,
    moves: Vec<Move>,
    head: Chess,
    /// In order.
    gaps: Vec<Gap>,
}

impl Line {
    /// A line without moves.
    pub fn new(start: Chess, variant: Variant) -> Self {
        Self { variant, head: start.clone(), start, moves: Vec::new(), gaps: Vec::new() }
    }

    /// The rules it is played by.
    pub(crate) fn variant(&self) -> Variant {
        self.variant
    }

    /// Number of plies.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The position after a ply (0: the start), or that from which play went on after it; after the last one when there are fewer.
    pub(crate) fn position(&self, ply: usize) -> Chess {
        if ply >= self.plies() {
            return self.head.clone();
        }
        let gap = self.gaps.iter().rfind(|gap| gap.after <= ply);
        let (played, mut position) = gap.map_or_else(|| (0, self.start.clone()), |gap| (gap.after, gap.from.clone()));
        for &mv in self.moves.get(played..ply).unwrap_or_default() {
            position.play_unchecked(mv);
        }
        position
    }

    /// The position after the last ply.
    pub fn head(&self) -> &Chess {
        &self.head
    }

    /// The placement after the last ply.
    pub(crate) fn head_placement(&self) -> Placement {
        Placement::from_board(self.head().board())
    }

    /// The move that made a ply, from 1.
    pub(crate) fn move_at(&self, ply: usize) -> Option<Move> {
        self.moves.get(ply.checked_sub(1)?).copied()
    }

    /// The player who made a ply, from 1.
    pub(crate) fn mover(&self, ply: usize) -> Side {
        Side::from(self.position(ply.saturating_sub(1)).turn())
    }

    /// Whether there is no legal move from the head: mate or stalemate.
    pub(crate) fn is_finished(&self) -> bool {
        self.head().legal_moves().is_empty()
    }

    /// Whether it has the start, the moves and the gaps of another line.
    #[cfg(feature = "equivalence")]
    pub(crate) fn is_same_line(&self, other: &Self) -> bool {
        self.variant == other.variant
            && self.moves == other.moves
            && self.start == other.start
            && self.gaps().eq(other.gaps())
    }

    /// Adds a move. False, and the line is unchanged, when the move is not legal.
    pub fn push(&mut self, mv: Move) -> bool {
        if !self.head.is_legal(mv) {
            return false;
        }
        self.head.play_unchecked(mv);
        self.moves.push(mv);
        true
    }

    /// Takes the last moves back until `plies` are left.
    pub(crate) fn truncate(&mut self, plies: usize) {
        if plies < self.plies() {
            self.head = self.position(plies);
            self.moves.truncate(plies);
            self.gaps.retain(|gap| gap.after <= plies);
        }
    }

    /// Play goes on from another position than that after the last move: what came between went unseen.
    pub(crate) fn go_on_from(&mut self, position: Chess) {
        let after = self.plies();
        let before = std::mem::replace(&mut self.head, position.clone());
        match self.gaps.last_mut().filter(|gap| gap.after == after) {
            Some(gap) => gap.from = position,
            None => self.gaps.push(Gap { after, before, from: position }),
        }
    }

    /// What came after the last move was seen after all; false when play did not go on from another position there.
    pub(crate) fn close_gap(&mut self) -> bool {
        let plies = self.plies();
        let Some(gap) = self.gaps.pop_if(|gap| gap.after == plies) else { return false };
        self.head = gap.before;
        true
    }

    /// What stood before moves that went unseen stands again: what was played after them is no part of the game. False,
    /// and the line is unchanged, where another position stands, or one in which less castling is allowed.
    pub(crate) fn go_back_before_gap(&mut self, position: &Chess) -> bool {
        let Some(at) = self.gaps.iter().rposition(|gap| stands_again(&gap.before, position)) else { return false };
        self.gaps.truncate(at + 1);
        let Some(after) = self.gaps.last().map(|gap| gap.after) else { return false };
        self.truncate(after);
        self.close_gap()
    }

    /// The last ply after which moves went unseen.
    pub(crate) fn last_gap(&self) -> Option<usize> {
        self.gaps.last().map(|gap| gap.after)
    }

    /// The plies after which moves went unseen, each with the position from which play went on.
    pub(crate) fn gaps(&self) -> impl Iterator<Item = (usize, &Chess)> {
        self.gaps.iter().map(|gap| (gap.after, &gap.from))
    }

    /// The positions after which moves went unseen, the earliest first.
    pub(crate) fn before_gaps(&self) -> Vec<Chess> {
        self.gaps.iter().map(|gap| gap.before.clone()).collect()
    }

    /// The start position.
    pub(crate) fn start(&self) -> &Chess {
        &self.start
    }

    /// The names of a ply, from 1.
    pub fn name(&self, ply: usize) -> Option<PlyName> {
        let mv = self.move_at(ply)?;
        let san = SanPlus::from_move(self.position(ply - 1), mv).to_string();
        Some(PlyName { san, uci: mv.to_uci(self.variant.castling_mode()).to_string() })
    }

    /// The start position as FEN.
    pub(crate) fn start_fen(&self) -> String {
        fen_of(self.start())
    }
}

/// Whether a position that stood there before stands there again: with the same player to move, and without less castling.
pub(crate) fn stands_again(before: &Chess, position: &Chess) -> bool {
    let castling = before.castles().castling_rights() & !position.castles().castling_rights();
    (before.board(), before.turn()) == (position.board(), position.turn()) && castling.is_empty()
}

/// A position as FEN, with the en passant square only where a capture is legal.
pub fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// Squares as text: `e4`.
pub(crate) fn square_names(squares: impl IntoIterator<Item = Square>) -> Vec<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}
