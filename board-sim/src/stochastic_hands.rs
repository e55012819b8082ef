//! A second model of two hands, independent of [`crate::hands`] and [`crate::two_hands`]: a process in continuous time.
//!
//! Each player has a speed and habits of his own; thinking, reaching, carrying and pressing take random times that grow with
//! the way of the hand. Written from docs/board-behaviour.md alone, so that no recogniser is judged by one model of hands
//! alone. Must not know the scan, fields or the wire.

use fastrand::Rng;
use shakmaty::{Board, ByColor, CastlingSide, Color, Move, Piece, Position, Role, Square, attacks};

use crate::{hands::Touch, script::Action, script_builder::ScriptBuilder};

/// What a player is like.
#[derive(Clone, Copy)]
struct Player {
    /// Factor of all times of the hand, 0.6 to 1.5.
    slowness: f64,
    /// Chance of a slide, a brush or a nudge, 0 to 0.2.
    untidiness: f64,
}

/// Both players during a game. Times are milliseconds since the start of the script.
pub(crate) struct StochasticHands {
    players: ByColor<Player>,
    free_ms: ByColor<f64>,
    touched_ms: [f64; 64],
    /// When the first square of the ply before was touched, and when its last piece was released.
    before: (f64, f64),
    before_to: Option<Square>,
    pressed_ms: f64,
    completed_ms: f64,
}

/// The touches of one ply.
struct Ply<'a> {
    at_ms: f64,
    pieces: Board,
    touches: Vec<(f64, Touch)>,
    touched_ms: &'a mut [f64; 64],
    player: Player,
    hand: Option<Square>,
    rng: &'a mut Rng,
}

impl StochasticHands {
    pub(crate) fn new(rng: &mut Rng) -> Self {
        let mut player = |_: Color| Player { slowness: 0.6 + rng.f64() * 0.9, untidiness: rng.f64() * 0.2 };
        Self {
            players: ByColor::new_with(&mut player),
            free_ms: ByColor::default(),
            touched_ms: [0.0; 64],
            before: (0.0, 0.0),
            before_to: None,
            pressed_ms: 0.0,
            completed_ms: 0.0,
        }
    }

    /// Writes a ply and, if there is one, its press. Returns `false`, with nothing written, if the flag falls before it.
    pub(crate) fn make_ply(&mut self, builder: &mut ScriptBuilder<'_>, m: Move, pressed: bool) -> bool {
        let mover = builder.position.turn();
        let player = *self.players.get(mover);
        if self.before_to.is_none() {
            let now_ms = builder.script.end_ms() as f64;
            self.before = (now_ms, now_ms);
            (self.pressed_ms, self.completed_ms) = (now_ms, now_ms);
            self.free_ms = ByColor::new_with(|_| now_ms);
        }
        let left_ms = builder.clock.remaining_ms(builder.clock.side_to_move()) as f64;
        let replies = builder.position.legal_moves().len();
        let expected = Some(m.to()) == self.before_to || replies == 1;
        let rng = &mut *builder.rng;
        let thinks_ms = if rng.f64() < if expected { 0.6 } else { 0.12 } {
            exponential(90.0, rng)
        } else {
            (log_normal(left_ms / 60.0, 0.9, rng)).min(left_ms / 6.0)
        };
        let reacts_ms = 130.0 + exponential(120.0, rng);
        // A hand that knows its move sets out while the other piece is still in the air.
        let sees_ms = if expected && rng.f64() < 0.3 { self.before.0.midpoint(self.before.1) } else { self.before.1 };
        let starts_ms = (sees_ms + reacts_ms + thinks_ms).max(*self.free_ms.get(mover));
        let mut touched_ms = self.touched_ms;
        let mut ply = Ply {
            at_ms: starts_ms,
            pieces: builder.position.board().clone(),
            touches: Vec::new(),
            touched_ms: &mut touched_ms,
            player,
            hand: None,
            rng,
        };
        ply.make(m, &builder.position);
        let (released_ms, touches) = (ply.at_ms, std::mem::take(&mut ply.touches));
        let reaches_clock_ms = player.slowness * 110.0 + exponential(120.0 * player.slowness, rng);
        // One press in fifty comes late, when the player notices that his time runs.
        let notices_ms = if rng.u32(0..50) == 0 { 1_000.0 + exponential(3_000.0, rng) } else { 0.0 };
        let press_ms = (released_ms + reaches_clock_ms + notices_ms).max(self.completed_ms + 40.0).ceil();
        let done_ms = if pressed { press_ms } else { released_ms.max(self.completed_ms + 1.0).ceil() };
        let mut clock = builder.clock.clone();
        clock.advance(whole_ms(done_ms));
        if builder.clock.is_running() && !clock.is_running() {
            return false;
        }
        let first_ms = touches.first().map_or(starts_ms, |(at_ms, _)| *at_ms);
        for (at_ms, touch) in touches {
            builder.script.insert(whole_ms(at_ms), Action::Touch(touch));
        }
        builder.script.insert(whole_ms(done_ms), Action::Ply { pressed });
        self.touched_ms = touched_ms;
        self.before = (first_ms, released_ms);
        self.before_to = Some(m.to());
        self.completed_ms = done_ms;
        self.pressed_ms = if pressed { done_ms } else { self.pressed_ms };
        *self.free_ms.get_mut(mover) = done_ms + 50.0;
        true
    }
}

impl Ply<'_> {
    fn make(&mut self, m: Move, position: &impl Position) {
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                let Some(piece) = self.pieces.piece_at(from) else { return };
                let victim = capture.and_then(|_| self.pieces.piece_at(to));
                self.other_thought(position, from, piece);
                self.take(from, to, piece, victim);
                if let Some(promotion) = promotion {
                    self.promote(to, promotion.of(piece.color));
                } else {
                    self.put(to, piece);
                }
                let off = victim.filter(|_| self.is_untidy(1.0));
                if let Some(victim) = off {
                    self.brush(to, victim);
                } else if role != Role::King && self.is_untidy(0.4) {
                    self.nudge(to, piece.role == role && promotion.is_none());
                }
            }
            Move::EnPassant { from, to } => {
                let Some(pawn) = self.pieces.piece_at(from) else { return };
                let victim = Square::from_coords(to.file(), from.rank());
                match self.rng.u32(0..4) {
                    0 => {
                        self.lift(victim);
                        self.lift(from);
                        self.put(to, pawn);
                    }
                    1 => {
                        self.lift(from);
                        self.lift(victim);
                        self.put(to, pawn);
                    }
                    _ => {
                        self.lift(from);
                        self.put(to, pawn);
                        self.lift(victim);
                    }
                }
            }
            Move::Castle { king, rook } => self.castle(king, rook),
            // No move of standard chess.
            Move::Put { .. } => {}
        }
    }

    /// Lifts the mover, and the captured piece before, after or not at all; then carries the mover.
    fn take(&mut self, from: Square, to: Square, piece: Piece, victim: Option<Piece>) {
        let order = self.rng.f64();
        if victim.is_some() && order < 0.25 {
            self.lift(to);
            // It goes beside the board first, or stays in the hand.
            self.at_ms += if self.rng.bool() { self.way_ms(4.0) } else { 0.0 };
        }
        self.lift(from);
        if self.rng.u32(0..30) == 0 {
            self.at_ms += exponential(2_500.0, self.rng);
        }
        let slides = !matches!(piece.role, Role::Knight | Role::King);
        if slides && self.is_untidy(1.0) {
            let mut between: Vec<Square> = attacks::between(from, to).into_iter().collect();
            between.sort_by_key(|&square| from.distance(square));
            for square in between {
                self.pass(square, piece);
            }
        }
        if victim.is_some() && (0.25..0.35).contains(&order) {
            self.lift(to);
        }
    }

    /// The new piece lies beside the board; the pawn goes to the last rank first, or leaves the board on the way.
    fn promote(&mut self, to: Square, promoted: Piece) {
        let fetches_ms = 350.0 + exponential(600.0, self.rng);
        if self.rng.f64() < 0.6 {
            self.put(to, Role::Pawn.of(promoted.color));
            self.at_ms += fetches_ms / 2.0;
            if self.rng.bool() {
                self.lift(to);
            }
        }
        self.at_ms += fetches_ms / 2.0;
        self.put(to, promoted);
    }

    fn castle(&mut self, king: Square, rook: Square) {
        let Some(color) = self.pieces.color_at(king) else { return };
        let side = CastlingSide::from_king_side(king < rook);
        let king_walk = (king, side.king_to(color), color.king());
        let rook_walk = (rook, side.rook_to(color), color.rook());
        let crossed = king_walk.1 == rook || rook_walk.1 == king;
        match self.rng.u32(0..20) {
            // A hand for each piece.
            0..3 => self.both(king_walk, rook_walk),
            _ if crossed => self.both(king_walk, rook_walk),
            3..5 => self.walks([rook_walk, king_walk]),
            _ => self.walks([king_walk, rook_walk]),
        }
    }

    fn walks(&mut self, walks: [(Square, Square, Piece); 2]) {
        for (from, to, piece) in walks {
            if from != to {
                self.lift(from);
                self.put(to, piece);
            }
        }
    }

    fn both(&mut self, one: (Square, Square, Piece), other: (Square, Square, Piece)) {
        for (from, to, _) in [one, other] {
            if from != to {
                self.lift(from);
            }
        }
        for (from, to, piece) in [other, one] {
            if from != to {
                self.put(to, piece);
            }
        }
    }

    /// Now and then a player sets the piece down on another square where it could go, or back, and thinks again.
    fn other_thought(&mut self, position: &impl Position, from: Square, piece: Piece) {
        if self.rng.u32(0..60) > 0 {
            return;
        }
        let others: Vec<Square> = position
            .legal_moves()
            .iter()
            .filter(|other| {
                other.from() == Some(from) && !other.is_capture() && !other.is_castle() && !other.is_promotion()
            })
            .map(|other| other.to())
            .chain([from])
            .collect();
        if let Some(&square) = self.rng.choice(&others) {
            self.lift(from);
            self.put(square, piece);
            self.at_ms += exponential(700.0, self.rng);
            self.lift(square);
            if square != from {
                // The piece is in the hand again, and its own square has long been empty.
                return;
            }
            self.put(from, piece);
        }
    }

    fn is_untidy(&mut self, factor: f64) -> bool {
        self.rng.f64() < self.player.untidiness * factor
    }

    /// The captured piece touches a square beside on its way off.
    fn brush(&mut self, to: Square, victim: Piece) {
        let near: Vec<Square> = (attacks::king_attacks(to) & !self.pieces.occupied()).into_iter().collect();
        if let Some(&square) = self.rng.choice(&near) {
            self.pass(square, victim);
        }
    }

    /// The piece that was just put down is set straight.
    fn nudge(&mut self, to: Square, same: bool) {
        if let Some(piece) = self.pieces.piece_at(to).filter(|_| same) {
            self.lift(to);
            self.at_ms += exponential(100.0, self.rng);
            self.put(to, piece);
        }
    }

    /// A piece comes over a square so low that it is sensed there.
    fn pass(&mut self, square: Square, piece: Piece) {
        self.touch(square, Touch::Place(square, piece), 0.4);
        self.at_ms += exponential(60.0 * self.player.slowness, self.rng);
        self.touch(square, Touch::Lift(square), 0.0);
    }

    fn lift(&mut self, square: Square) {
        if self.pieces.piece_at(square).is_some() {
            self.touch(square, Touch::Lift(square), 1.0);
        }
    }

    fn put(&mut self, square: Square, piece: Piece) {
        self.touch(square, Touch::Place(square, piece), 1.0);
    }

    /// The hand goes to a square, which takes the longer the farther it is, and touches it there.
    fn touch(&mut self, square: Square, touch: Touch, factor: f64) {
        let squares = self.hand.map_or(3.0, |hand| f64::from(hand.distance(square)));
        self.at_ms += self.way_ms(squares) * factor;
        // Another hand may be there still.
        let last_ms = &mut self.touched_ms[usize::from(square)];
        self.at_ms = self.at_ms.max(*last_ms + 15.0 + exponential(20.0, self.rng));
        *last_ms = self.at_ms;
        self.hand = Some(square);
        touch.apply(&mut self.pieces);
        self.touches.push((self.at_ms, touch));
    }

    fn way_ms(&mut self, squares: f64) -> f64 {
        (60.0 + 55.0 * squares.sqrt()) * self.player.slowness * (0.6 + self.rng.f64() * 0.9)
    }
}

#[expect(clippy::cast_sign_loss, reason = "no time is before the script begins")]
fn whole_ms(ms: f64) -> u64 {
    ms as u64
}

fn exponential(mean: f64, rng: &mut Rng) -> f64 {
    -(1.0 - rng.f64()).ln() * mean
}

fn log_normal(median: f64, spread: f64, rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.f64()).ln()).sqrt();
    median * (spread * radius * (std::f64::consts::TAU * rng.f64()).cos()).exp()
}
