//! The line of play: positions, the moves between them, and every placement one legal move away from the last two positions.
//!
//! Knows the rules of chess and the faults of the board. Must not know time, clocks or what was published.

use shakmaty::{Chess, EnPassantMode, FromSetup, Move, Position, Square, fen::Fen, san::SanPlus};

use crate::board_faults::BoardFaults;
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
    let error = |reason: String| StartError { fen: fen.chars().take(100).collect(), reason };
    let parsed: Fen = fen.parse().map_err(|e: shakmaty::fen::ParseFenError| error(e.to_string()))?;
    Chess::from_setup(parsed.into_setup(), variant.castling_mode())
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .map_err(|e| error(e.to_string()))
}

/// A position of the line and the move that led to it.
#[derive(Clone, Debug)]
struct Node {
    position: Chess,
    /// The faults of the board at this position.
    faults: BoardFaults,
    /// Hash of the placement that the board shows of it.
    hash: u64,
    mv: Option<Move>,
}

/// The names of a ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyName {
    /// In SAN, with `+` or `#`.
    pub san: String,
    /// In UCI; castling as `e1g1`, in Chess960 as king takes rook.
    pub uci: String,
}

/// Moves from a start position, with every placement one legal move away from the last two positions, as a board with these
/// faults shows them.
#[derive(Clone, Debug)]
pub struct Line {
    variant: Variant,
    nodes: Vec<Node>,
    /// The plies after which moves went unseen, with the positions that they led to. The nodes have the positions from which play
    /// went on.
    gaps: Vec<(usize, Chess)>,
    /// Placement hashes one legal move from the head.
    ahead: Vec<(u64, Move)>,
    /// Placement hashes one legal move from the position before the head: the alternatives to the last move.
    beside: Vec<(u64, Move)>,
}

fn successors(node: &Node) -> Vec<(u64, Move)> {
    let hash_after = |mv| node.faults.hash_after(node.hash, &node.position, mv);
    node.position.legal_moves().into_iter().map(|mv| (hash_after(mv), mv)).collect()
}

/// The move that leads to a placement; none when several do because of a fault.
fn find(moves: &[(u64, Move)], hash: u64) -> Option<Move> {
    let mut found = moves.iter().filter(|(h, _)| *h == hash).map(|&(_, mv)| mv);
    found.next().filter(|_| found.next().is_none())
}

impl Line {
    /// A line without moves, on a board without faults.
    pub fn new(start: Chess, variant: Variant) -> Self {
        Self::with_faults(BoardFaults::default(), start, variant)
    }

    /// A line without moves, on a board with faults.
    pub(crate) fn with_faults(faults: BoardFaults, start: Chess, variant: Variant) -> Self {
        let hash = faults.shows(start.board()).hash();
        let node = Node { position: start, faults, hash, mv: None };
        let ahead = successors(&node);
        Self { variant, nodes: vec![node], gaps: Vec::new(), ahead, beside: Vec::new() }
    }

    /// The faults of the board after the last ply.
    pub(crate) fn faults(&self) -> BoardFaults {
        self.faults_at(self.plies())
    }

    /// The faults of the board after a ply.
    pub(crate) fn faults_at(&self, ply: usize) -> BoardFaults {
        self.node(ply).faults
    }

    /// Changes the faults of the whole line; `faults` are those after the last ply.
    pub(crate) fn set_faults(&mut self, faults: BoardFaults) {
        let mut faults = faults;
        for index in (0..self.nodes.len()).rev() {
            let mover = index.checked_sub(1).and_then(|before| self.nodes.get(before)).map(|node| node.position.turn());
            let Some(node) = self.nodes.get_mut(index) else { continue };
            (node.faults, node.hash) = (faults, faults.shows(node.position.board()).hash());
            if let (Some(mover), Some(mv)) = (mover, node.mv) {
                faults = faults.before(mover, mv);
            }
        }
        self.find_neighbours();
    }

    /// The rules it is played by.
    pub(crate) fn variant(&self) -> Variant {
        self.variant
    }

    /// Number of plies.
    pub fn plies(&self) -> usize {
        self.nodes.len() - 1
    }

    fn node(&self, ply: usize) -> &Node {
        &self.nodes[ply.min(self.nodes.len() - 1)]
    }

    /// The position after a ply (0: the start); after the last one when there are fewer.
    pub(crate) fn position(&self, ply: usize) -> &Chess {
        &self.node(ply).position
    }

    /// The position after the last ply.
    pub fn head(&self) -> &Chess {
        self.position(self.plies())
    }

    /// Hash of the placement that the board shows after a ply.
    pub(crate) fn hash(&self, ply: usize) -> u64 {
        self.node(ply).hash
    }

    /// The placement that the board shows after the last ply.
    pub(crate) fn head_placement(&self) -> Placement {
        self.faults().shows(self.head().board())
    }

    /// The move that made a ply, from 1.
    pub(crate) fn move_at(&self, ply: usize) -> Option<Move> {
        self.nodes.get(ply).and_then(|node| node.mv)
    }

    /// The player who made a ply, from 1.
    pub(crate) fn mover(&self, ply: usize) -> Side {
        Side::from(self.position(ply.saturating_sub(1)).turn())
    }

    /// The player to move after the last ply.
    pub(crate) fn to_move(&self) -> Side {
        Side::from(self.head().turn())
    }

    /// The legal move from the head that leads to this placement.
    pub(crate) fn next_move_to(&self, hash: u64) -> Option<Move> {
        find(&self.ahead, hash)
    }

    /// Whether a legal move from the head leads to this placement, perhaps one of several.
    pub(crate) fn may_lead_to(&self, hash: u64) -> bool {
        self.ahead.iter().any(|&(after, _)| after == hash)
    }

    /// The legal move, other than the last one, that leads to this placement from the position before the head.
    pub(crate) fn other_move_to(&self, hash: u64) -> Option<Move> {
        find(&self.beside, hash)
    }

    /// Whether there is no legal move from the head: mate or stalemate.
    pub(crate) fn is_finished(&self) -> bool {
        self.ahead.is_empty()
    }

    /// Every legal move in place of the last one, including that one.
    pub(crate) fn alternatives(&self) -> impl Iterator<Item = Move> {
        self.beside.iter().map(|&(_, mv)| mv)
    }

    /// Whether it has the start, the moves and the faults of another line.
    #[cfg(feature = "equivalence")]
    pub(crate) fn is_same_line(&self, other: &Self) -> bool {
        self.variant == other.variant
            && self.plies() == other.plies()
            && self.nodes.iter().zip(&other.nodes).all(|(one, other)| one.mv == other.mv && one.hash == other.hash)
            && self.faults() == other.faults()
            && self.position(0) == other.position(0)
    }

    /// Adds a move. False, and the line is unchanged, when the move is not legal.
    pub fn push(&mut self, mv: Move) -> bool {
        let Ok(position) = self.head().clone().play(mv) else {
            return false;
        };
        let (turn, faults) = (self.head().turn(), self.faults());
        let hash = faults.hash_after(self.hash(self.plies()), self.head(), mv);
        let node = Node { position, faults: faults.after(turn, mv), hash, mv: Some(mv) };
        self.beside = std::mem::replace(&mut self.ahead, successors(&node));
        self.nodes.push(node);
        true
    }

    /// Takes the last moves back until `plies` are left.
    pub(crate) fn truncate(&mut self, plies: usize) {
        if plies >= self.plies() {
            return;
        }
        self.nodes.truncate(plies + 1);
        self.gaps.retain(|&(after, _)| after <= plies);
        self.find_neighbours();
    }

    /// Play goes on from another position than that after the last move: what came between went unseen.
    pub(crate) fn go_on_from(&mut self, position: Chess) {
        let plies = self.plies();
        if self.last_gap().is_none_or(|after| after != plies) {
            self.gaps.push((plies, self.head().clone()));
        }
        self.set_head(position);
    }

    /// What came after the last move was seen after all; false when play did not go on from another position there.
    pub(crate) fn close_gap(&mut self) -> bool {
        let plies = self.plies();
        let Some((_, position)) = self.gaps.pop_if(|(after, _)| *after == plies) else { return false };
        self.set_head(position);
        true
    }

    fn set_head(&mut self, position: Chess) {
        let Some(node) = self.nodes.last_mut() else { return };
        node.hash = node.faults.shows(position.board()).hash();
        node.position = position;
        self.find_neighbours();
    }

    /// The last ply after which moves went unseen.
    pub(crate) fn last_gap(&self) -> Option<usize> {
        self.gaps.last().map(|&(after, _)| after)
    }

    /// The plies after which moves went unseen, each with the position from which play went on.
    pub(crate) fn gaps(&self) -> impl Iterator<Item = (usize, &Chess)> {
        self.gaps.iter().map(|&(after, _)| (after, self.position(after)))
    }

    /// The start position.
    pub(crate) fn start(&self) -> &Chess {
        match self.gaps.first() {
            Some((0, start)) => start,
            _ => self.position(0),
        }
    }

    fn find_neighbours(&mut self) {
        let plies = self.plies();
        self.ahead = successors(self.node(plies));
        let follows = plies > 0 && self.last_gap() != Some(plies);
        self.beside = if follows { successors(self.node(plies - 1)) } else { Vec::new() };
    }

    /// The latest ply, at most `back` plies before the head, with this placement.
    pub(crate) fn last_ply_with(&self, hash: u64, back: usize) -> Option<usize> {
        (self.plies().saturating_sub(back)..=self.plies()).rev().find(|&ply| self.hash(ply) == hash)
    }

    /// The names of a ply, from 1.
    pub fn name(&self, ply: usize) -> Option<PlyName> {
        let mv = self.move_at(ply)?;
        let san = SanPlus::from_move(self.position(ply - 1).clone(), mv).to_string();
        Some(PlyName { san, uci: mv.to_uci(self.variant.castling_mode()).to_string() })
    }

    /// The start position as FEN.
    pub(crate) fn start_fen(&self) -> String {
        fen_of(self.start())
    }
}

/// A position as FEN, with the en passant square only where a capture is legal.
pub fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// Squares as text: `e4`.
pub(crate) fn square_names(squares: impl IntoIterator<Item = Square>) -> Vec<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}
