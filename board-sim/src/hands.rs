//! How hands make a move: a legal move becomes lifts and places of pieces on squares.
//!
//! Knows how players move pieces (docs/board-behaviour.md, 1 to 5): order of touches in captures, slides, hesitation,
//! castling with both hands. Must not know clocks, the scan of the board or the wire: it names squares of chess, not fields.

use std::ops::RangeInclusive;

use fastrand::Rng;
use shakmaty::{Bitboard, Board, CastlingSide, Move, Piece, Role, Square, attacks};

/// One touch of one square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// The piece on this square leaves it.
    Lift(Square),
    /// This piece is put on this square. What stood there is taken away in the same motion, so that a scan never finds the
    /// square empty.
    Place(Square, Piece),
}

impl Touch {
    /// What the touch does to the pieces.
    pub fn apply(self, pieces: &mut Board) {
        match self {
            Touch::Lift(square) => pieces.discard_piece_at(square),
            Touch::Place(square, piece) => pieces.set_piece_at(square, piece),
        }
    }
}

/// A touch and the time that passes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Milliseconds of hall time since the step before.
    pub pause_ms: u64,
    /// What is touched then.
    pub touch: Touch,
}

/// How the players move their pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Style {
    /// Tidy: lift and place, captures in the usual orders, castling king first,
    /// promotions with the pawn first or the new piece at once, en passant in both orders.
    #[default]
    Clean,
    /// Untidy: also slides, pieces carried low, hovering, second thoughts, adjusted pieces, castling rook first or with both hands, captured
    /// pieces that touch a neighbour square.
    Human,
}

/// Time until a hand touches the next square, in milliseconds; most touches.
const REACH_MS: RangeInclusive<u64> = 180..=550;
/// Time that a piece rests on a square in passing, in milliseconds: from less than a scan to several.
const TOUCH_MS: RangeInclusive<u64> = 90..=420;
/// Time until the new piece of a promotion is found, in milliseconds.
const FETCH_MS: RangeInclusive<u64> = 900..=3_000;
/// Time that a piece is held in the air, in milliseconds.
const HOVER_MS: RangeInclusive<u64> = 2_000..=9_000;

/// The touches that make the move `m` on `before`, ending exactly in the position after it.
///
/// The same board, move, style and state of `rng` always give the same touches.
pub fn make_move(before: &Board, m: Move, style: Style, rng: &mut Rng) -> Vec<Step> {
    let mut hand = Hand { steps: Vec::new(), pieces: before.clone(), human: style == Style::Human, hover_ms: 0, rng };
    if hand.human && hand.chance(3) {
        hand.adjust_another(m);
    }
    match m {
        Move::Normal { role, from, capture, to, promotion } => {
            hand.normal(from, to, role, capture.is_some(), promotion);
        }
        Move::EnPassant { from, to } => hand.en_passant(from, to),
        Move::Castle { king, rook } => hand.castle(king, rook),
        // Not a move of standard chess: no plan contains one.
        Move::Put { .. } => {}
    }
    hand.steps
}

struct Hand<'a> {
    steps: Vec<Step>,
    pieces: Board,
    human: bool,
    /// The piece in the hand is held this much longer before the next touch.
    hover_ms: u64,
    rng: &'a mut Rng,
}

impl Hand<'_> {
    fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(0..100) < percent
    }

    fn step(&mut self, pause: RangeInclusive<u64>, touch: Touch) {
        touch.apply(&mut self.pieces);
        let pause_ms = self.rng.u64(pause) + std::mem::take(&mut self.hover_ms);
        self.steps.push(Step { pause_ms, touch });
    }

    fn lift(&mut self, square: Square) {
        self.step(REACH_MS, Touch::Lift(square));
    }

    fn place(&mut self, square: Square, piece: Piece) {
        self.step(REACH_MS, Touch::Place(square, piece));
    }

    fn normal(&mut self, from: Square, to: Square, role: Role, capture: bool, promotion: Option<Role>) {
        let Some(piece) = self.pieces.piece_at(from) else {
            return;
        };
        let victim = self.pieces.piece_at(to).filter(|_| capture);
        // 24, 7 and 2 of the 33 plain captures in the real games were in these three orders
        // (docs/board-behaviour.md, 3).
        let (victim_first, mover_first) = match self.rng.u32(0..33) {
            0..24 => (false, false),
            24..31 => (true, false),
            _ => (false, self.human),
        };
        if victim.is_some() && victim_first {
            self.lift(to);
        }
        if self.human && self.chance(4) {
            self.second_thought(from, piece);
        }
        self.lift(from);
        if self.human && self.chance(4) {
            self.hover_ms = self.rng.u64(HOVER_MS);
        } else if self.human && self.chance(9) {
            self.slide(from, to, piece);
        } else if self.human && self.chance(5) {
            self.carry_low(from, to, piece);
        }
        if victim.is_some() && mover_first {
            self.lift(to);
        }
        match promotion {
            None => self.place(to, piece),
            Some(promoted) => self.promote(to, role.of(piece.color), promoted.of(piece.color)),
        }
        if let Some(victim) = victim
            && self.human
            && self.chance(14)
        {
            self.victim_touches_neighbour(to, victim);
        }
    }

    /// Lifts the piece, puts it back and thinks again (docs/board-behaviour.md, 6.5 and 1.4).
    fn second_thought(&mut self, from: Square, piece: Piece) {
        self.lift(from);
        self.place(from, piece);
    }

    /// Sets another piece of one's own straight.
    fn adjust_another(&mut self, m: Move) {
        let Some(color) = m.from().and_then(|square| self.pieces.color_at(square)) else {
            return;
        };
        let others: Vec<Square> = self
            .pieces
            .by_color(color)
            .into_iter()
            .filter(|&square| Some(square) != m.from() && square != m.to())
            .collect();
        if let Some(&square) = self.rng.choice(&others)
            && let Some(piece) = self.pieces.piece_at(square)
        {
            self.step(REACH_MS, Touch::Lift(square));
            self.step(TOUCH_MS, Touch::Place(square, piece));
        }
    }

    /// Pushes the piece along its line, so that it rests on squares between (docs/board-behaviour.md, 2.1 and 2.2).
    fn slide(&mut self, from: Square, to: Square, piece: Piece) {
        if matches!(piece.role, Role::Knight | Role::King) {
            return;
        }
        let mut between: Vec<Square> = attacks::between(from, to).into_iter().collect();
        between.sort_by_key(|&square| from.distance(square));
        let rests = self.rng.usize(0..=between.len().min(3));
        let skip = between.len() - rests;
        for square in between.into_iter().skip(skip) {
            self.step(TOUCH_MS, Touch::Place(square, piece));
            self.step(TOUCH_MS, Touch::Lift(square));
        }
    }

    /// Carries the piece so low that a square on the way sees it (docs/board-behaviour.md, 2.3).
    fn carry_low(&mut self, from: Square, to: Square, piece: Piece) {
        let near = (attacks::king_attacks(from) | attacks::king_attacks(to))
            & !self.pieces.occupied()
            & !Bitboard::from(from)
            & !Bitboard::from(to);
        self.brush(near, piece);
    }

    /// The captured piece touches a square beside the board of play on its way off, after the move is complete
    /// (docs/board-behaviour.md, 3.1).
    fn victim_touches_neighbour(&mut self, to: Square, victim: Piece) {
        let near = attacks::king_attacks(to) & !self.pieces.occupied();
        self.brush(near, victim);
    }

    fn brush(&mut self, squares: Bitboard, piece: Piece) {
        let squares: Vec<Square> = squares.into_iter().collect();
        if let Some(&square) = self.rng.choice(&squares) {
            self.step(TOUCH_MS, Touch::Place(square, piece));
            self.step(TOUCH_MS, Touch::Lift(square));
        }
    }

    fn promote(&mut self, to: Square, pawn: Piece, promoted: Piece) {
        match self.rng.u32(0..3) {
            0 => self.place(to, promoted),
            way => {
                self.place(to, pawn);
                if way == 1 {
                    self.step(FETCH_MS, Touch::Lift(to));
                    self.place(to, promoted);
                } else {
                    self.step(FETCH_MS, Touch::Place(to, promoted));
                }
            }
        }
        if self.human && promoted.role != Role::Queen && self.chance(40) {
            // Reached for the queen first (docs/board-behaviour.md, 5.3).
            if let Some(last) = self.steps.last_mut() {
                last.touch = Touch::Place(to, Role::Queen.of(promoted.color));
            }
            self.step(FETCH_MS, Touch::Lift(to));
            self.place(to, promoted);
        }
    }

    fn en_passant(&mut self, from: Square, to: Square) {
        let Some(pawn) = self.pieces.piece_at(from) else {
            return;
        };
        let victim = Square::from_coords(to.file(), from.rank());
        if self.chance(35) {
            self.lift(victim);
            self.lift(from);
            self.place(to, pawn);
        } else {
            self.lift(from);
            self.place(to, pawn);
            self.lift(victim);
        }
    }

    fn castle(&mut self, king: Square, rook: Square) {
        let Some(color) = self.pieces.color_at(king) else {
            return;
        };
        let side = CastlingSide::from_king_side(king < rook);
        let king_walk = Walk::new(king, side.king_to(color), color.king());
        let rook_walk = Walk::new(rook, side.rook_to(color), color.rook());
        // In Chess960 one piece may land where the other stands: then both must be up first.
        let entangled = king_walk.to == rook || rook_walk.to == king;
        match self.rng.u32(0..100) {
            0..20 if self.human => self.both_hands(king_walk, rook_walk),
            20..40 if self.human && !entangled => {
                self.walk(rook_walk);
                self.walk(king_walk);
            }
            _ if entangled => self.both_hands(king_walk, rook_walk),
            _ => {
                self.walk(king_walk);
                self.walk(rook_walk);
            }
        }
    }

    fn walk(&mut self, walk: Walk) {
        if walk.from != walk.to {
            self.lift(walk.from);
            self.place(walk.to, walk.piece);
        }
    }

    /// Both pieces in the air or on their way at once, the four touches in any possible order
    /// (docs/board-behaviour.md, 4.3).
    fn both_hands(&mut self, king: Walk, rook: Walk) {
        const TOGETHER_MS: RangeInclusive<u64> = 0..=160;
        let mut walks: Vec<Walk> = [king, rook].into_iter().filter(|w| w.from != w.to).collect();
        self.rng.shuffle(&mut walks);
        let mut in_air: Vec<Walk> = Vec::new();
        while !walks.is_empty() || !in_air.is_empty() {
            self.rng.shuffle(&mut in_air);
            let landing = in_air.iter().position(|walk| self.pieces.piece_at(walk.to).is_none());
            match landing {
                Some(index) if walks.is_empty() || self.rng.bool() => {
                    let walk = in_air.remove(index);
                    self.step(TOGETHER_MS, Touch::Place(walk.to, walk.piece));
                }
                _ => {
                    let Some(walk) = walks.pop() else {
                        break;
                    };
                    self.step(TOGETHER_MS, Touch::Lift(walk.from));
                    in_air.push(walk);
                }
            }
        }
    }
}

/// One of the two pieces that castle.
#[derive(Clone, Copy)]
struct Walk {
    from: Square,
    to: Square,
    piece: Piece,
}

impl Walk {
    fn new(from: Square, to: Square, piece: Piece) -> Self {
        Self { from, to, piece }
    }
}
