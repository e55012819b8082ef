//! What goes wrong at a table beyond untidy hands: takebacks, illegal moves, fallen pieces, odd presses, odd endings.
//!
//! Knows the cases of the board behaviour paper (sections 5 to 9) as players make them. Must not know boards, fields or the
//! wire. The game of the plan is still the game that was played: whatever is done beside it is undone, or comes after it.

use dgt_protocol::Side;
use fastrand::Rng;
use shakmaty::{Board, CastlingMode, Chess, Color, FromSetup, Move, Piece, Position, Role, Setup, Square};

use crate::{
    clock::SimClock,
    hands::{self, Step, Style, Touch},
    plan::{Ending, Plan},
    script::{Deed, Manners, Script, show_result},
    setup,
};

/// What goes wrong at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Trouble {
    /// Nothing.
    #[default]
    None,
    /// Players press twice, or press back and again (paper, 9.7).
    OddPresses,
    /// The clock is stopped for a while, and the arbiter may correct a time (paper, 9.3 and 9.6).
    Arbiter,
    /// The clock's cable comes loose for some moves (paper, 9.1).
    LooseClock,
    /// One to four plies are played, pressed and taken back (paper, 6.2).
    Takeback,
    /// An illegal move is made, mostly pressed, and corrected (paper, 6.1).
    IllegalCorrected,
    /// An illegal move ends the legal part of the game, and play goes on from there (paper, 6.1).
    IllegalStands,
    /// Pieces fall and are set up again, not always right at first (paper, 6.6).
    KnockedOver,
    /// The pawn waits on the last rank until a queen is found (paper, 5.5).
    LatePromotion,
    /// Pieces are set straight between the moves, both players' (paper, 6.5).
    Adjusting,
    /// The kings come to the centre one at a time and late, pieces in the way pushed aside (paper, 7.1).
    KingsOneByOne,
    /// Nobody shows the result; the pieces are set up again at once (paper, 7.3 and 8.6).
    NoSign,
    /// The players analyse after the game, with takebacks (paper, 7.4).
    Analysis,
}

impl Trouble {
    /// Whether the end of the game is shown on the board as far as it can be.
    pub fn shows_result(self) -> bool {
        !matches!(self, Self::NoSign | Self::Analysis | Self::IllegalStands)
    }

    /// Lets the pawn of a promotion wait; gives back how long the move takes then, 0 if it does not.
    pub(crate) fn delay_promotion(self, steps: &mut [Step], rng: &mut Rng) -> u64 {
        let waits = |touch| {
            matches!(touch, Touch::Place(square, Piece { role: Role::Pawn, .. })
                if matches!(square.rank(), shakmaty::Rank::First | shakmaty::Rank::Eighth))
        };
        let Some(pawn) = steps.iter().position(|step| waits(step.touch)).filter(|_| self == Self::LatePromotion) else {
            return 0;
        };
        if let Some(next) = steps.get_mut(pawn + 1) {
            next.pause_ms = rng.u64(8_000..90_000);
        }
        steps.iter().map(|step| step.pause_ms).sum::<u64>() + 2_000
    }
}

/// A game in the making: what has been written so far, and the table as it stands then.
pub(crate) struct Scene<'a> {
    pub(crate) script: Script,
    /// The planner's clock, White at its left.
    pub(crate) clock: SimClock,
    /// After the last ply written.
    pub(crate) position: Chess,
    pub(crate) rng: &'a mut Rng,
    manners: Manners,
    /// The plies before which something happens.
    incidents: Vec<usize>,
    clock_plugged: bool,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(manners: Manners, clock: SimClock, plan: &Plan, rng: &'a mut Rng) -> Self {
        let plies = plan.plies.len();
        // Every game has its trouble, and at most one in about twenty plies.
        let first = rng.usize(2..(plies / 2).max(3));
        let incidents = match manners.trouble {
            Trouble::None => Vec::new(),
            Trouble::Adjusting | Trouble::OddPresses => (1..plies).filter(|_| rng.u32(0..6) == 0).collect(),
            _ => (first..plies).step_by(rng.usize(20..40)).collect(),
        };
        Self {
            script: Script::default(),
            clock,
            position: plan.start.clone(),
            rng,
            manners,
            incidents,
            clock_plugged: true,
        }
    }

    /// What happens before the mover of this ply begins.
    pub(crate) fn before_move(&mut self, index: usize, planned: Move) {
        if !self.incidents.contains(&index) {
            return;
        }
        match self.manners.trouble {
            Trouble::Arbiter => self.arbiter(),
            Trouble::LooseClock => self.loose_clock(index),
            Trouble::Takeback => self.takeback(planned),
            Trouble::IllegalCorrected => self.illegal_corrected(),
            Trouble::KnockedOver => self.knocked_over(),
            Trouble::Adjusting => self.adjust(),
            _ => {}
        }
    }

    /// What happens after the mover has pressed.
    pub(crate) fn after_press(&mut self, pressed: bool) {
        if self.manners.trouble != Trouble::OddPresses || !pressed || self.rng.u32(0..8) > 0 {
            return;
        }
        let next = self.position.turn();
        if self.rng.bool() {
            self.script.wait(self.rng.u64(200..1_500));
            self.press(next);
        }
        self.script.wait(self.rng.u64(200..1_500));
        self.script.add(Deed::PressAgain);
        self.clock.press(side(!next), self.script.end_ms());
    }

    fn press(&mut self, color: Color) {
        if self.manners.clock {
            self.script.add(Deed::Lever(color));
            self.clock.press(side(color), self.script.end_ms());
        }
    }

    fn stop(&mut self) {
        if self.manners.clock {
            self.script.add(Deed::StopClock);
            self.clock.stop(self.script.end_ms());
        }
    }

    fn start(&mut self) {
        if self.manners.clock {
            self.script.add(Deed::StartClock);
            self.clock.start(self.script.end_ms());
        }
    }

    fn arbiter(&mut self) {
        self.script.wait(self.rng.u64(500..3_000));
        self.stop();
        self.script.wait(self.rng.u64(3_000..90_000));
        if self.manners.clock && self.rng.bool() {
            let color = if self.rng.bool() { Color::White } else { Color::Black };
            let ms = self.clock.remaining_ms(side(color)) + 120_000;
            self.script.add(Deed::SetTime(color, ms));
            self.clock.set_remaining(side(color), ms, self.script.end_ms());
            self.script.wait(self.rng.u64(1_000..5_000));
        }
        self.start();
    }

    fn loose_clock(&mut self, index: usize) {
        self.clock_plugged = !self.clock_plugged;
        self.script.wait(self.rng.u64(100..900));
        self.script.add(Deed::ClockPlugged(self.clock_plugged));
        if !self.clock_plugged {
            // It stays out for some plies.
            self.incidents.push(index + self.rng.usize(2..7));
        }
    }

    /// Plies that are played and pressed and then taken back, the lever where it was.
    fn takeback(&mut self, planned: Move) {
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
        self.put_right(position.board());
        if position.turn() != self.position.turn() {
            self.press(position.turn());
        }
        // The arbiter looks whether everything stands as it stood.
        self.script.wait(self.rng.u64(4_000..9_000));
        self.start();
    }

    /// The pieces go back to where the game has them.
    fn put_right(&mut self, pieces: &Board) {
        let mut steps = setup::set_up(pieces, self.position.board(), self.rng);
        for step in &mut steps {
            step.pause_ms += 200;
        }
        self.script.wait(self.rng.u64(1_000..4_000));
        self.script.steps(&steps);
    }

    /// A man on a square where no legal move puts it; the position without the move's legality, if it can be played on.
    fn illegal_move(&mut self) -> Option<(Vec<Step>, Board)> {
        let color = self.position.turn();
        let board = self.position.board().clone();
        let men: Vec<Square> = (board.by_color(color) & !board.kings() & !board.pawns()).into_iter().collect();
        let from = *self.rng.choice(&men)?;
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

    fn illegal_corrected(&mut self) {
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

    fn knocked_over(&mut self) {
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

    fn adjust(&mut self) {
        let men: Vec<(Square, Piece)> = self.position.board().clone().into_iter().collect();
        for _ in 0..self.rng.usize(1..=3) {
            if let Some(&(square, piece)) = self.rng.choice(&men) {
                let lift = Step { pause_ms: self.rng.u64(300..1_500), touch: Touch::Lift(square) };
                let place = Step { pause_ms: self.rng.u64(100..1_800), touch: Touch::Place(square, piece) };
                self.script.steps(&[lift, place]);
            }
        }
    }

    /// What happens after the last ply of the plan.
    pub(crate) fn end(&mut self, ending: Ending) {
        match self.manners.trouble {
            Trouble::IllegalStands => self.play_on_illegally(),
            Trouble::NoSign => {
                self.script.wait(self.rng.u64(1_000..4_000));
                self.stop();
                self.script.wait(self.rng.u64(500..3_000));
                self.script.add(Deed::GameOver);
            }
            Trouble::Analysis => self.analyse(),
            Trouble::KingsOneByOne => self.kings_one_by_one(ending),
            _ => {
                let pieces = self.position.board().clone();
                show_result(&mut self.script, self.manners, &pieces, ending, self.rng);
            }
        }
    }

    fn play_on_illegally(&mut self) {
        // An illegal move from which the rules allow to go on.
        let mover = self.position.turn();
        let playable = (0..50).find_map(|_| {
            let (steps, board) = self.illegal_move()?;
            let setup = Setup { board, turn: !mover, ..Setup::initial() };
            let setup = Setup { castling_rights: shakmaty::Bitboard::EMPTY, ..setup };
            Some((steps, Chess::from_setup(setup, CastlingMode::Standard).ok()?))
        });
        if let Some((steps, position)) = playable {
            self.script.wait(self.rng.u64(500..8_000));
            self.script.steps(&steps);
            self.script.wait(self.rng.u64(300..2_000));
            self.press(mover);
            self.free_play(position, 12, true);
        }
        self.script.wait(self.rng.u64(1_000..4_000));
        self.stop();
        self.script.wait(self.rng.u64(1_000..4_000));
        self.script.add(Deed::GameOver);
    }

    /// Moves that belong to no game of the plan.
    fn free_play(&mut self, mut position: Chess, plies: usize, presses: bool) -> Board {
        for _ in 0..plies {
            let legal: Vec<Move> = position.legal_moves().into_iter().collect();
            let Some(&m) = self.rng.choice(&legal) else { break };
            let steps = hands::make_move(position.board(), m, Style::Clean, self.rng);
            self.script.wait(self.rng.u64(500..6_000));
            self.script.steps(&steps);
            self.script.wait(self.rng.u64(300..1_500));
            if presses {
                self.press(position.turn());
            }
            position.play_unchecked(m);
        }
        position.board().clone()
    }

    fn analyse(&mut self) {
        self.script.wait(self.rng.u64(1_000..4_000));
        self.stop();
        self.script.wait(self.rng.u64(1_000..6_000));
        let plies = self.rng.usize(2..8);
        let pieces = self.free_play(self.position.clone(), plies, false);
        self.put_right(&pieces);
        self.script.wait(self.rng.u64(1_000..6_000));
        let plies = self.rng.usize(2..12);
        self.free_play(self.position.clone(), plies, false);
        self.script.wait(self.rng.u64(1_000..20_000));
        self.script.add(Deed::GameOver);
    }

    fn kings_one_by_one(&mut self, ending: Ending) {
        self.script.wait(self.rng.u64(300..8_000));
        self.stop();
        let winner = match ending {
            Ending::Resigned(winner) => Some(Some(winner)),
            Ending::Drawn => Some(None),
            Ending::Mate(_) | Ending::Stalemate | Ending::Unknown => None,
        };
        if let Some(winner) = winner {
            self.script.wait(self.rng.u64(1_000..30_000));
            let steps = setup::kings_to_centre(self.position.board(), winner, self.rng);
            self.script.steps(&one_by_one(&steps, self.rng));
        }
        self.script.wait(self.rng.u64(6_500..60_000));
        self.script.add(Deed::GameOver);
    }
}

/// The touches of the kings' sign in another order: pieces in the way first, then one king from its square to the centre, and
/// a while later the other.
fn one_by_one(steps: &[Step], rng: &mut Rng) -> Vec<Step> {
    let (places, mut lifts): (Vec<Step>, Vec<Step>) =
        steps.iter().partition(|step| matches!(step.touch, Touch::Place(..)));
    let mut order = lifts.split_off(places.len().min(lifts.len()));
    let mut kings: Vec<(Step, Step)> = lifts.into_iter().zip(places).collect();
    // A king cannot be put where the other still stands: that one goes first, or both are lifted.
    let blocked = |first: &(Step, Step), second: &(Step, Step)| square_of(first.1) == square_of(second.0);
    if let [first, second] = &kings[..] {
        match (blocked(first, second), blocked(second, first)) {
            (true, true) => return steps.to_vec(),
            (true, false) => kings.reverse(),
            _ => {}
        }
    }
    for (mut lift, place) in kings {
        lift.pause_ms += rng.u64(0..3_000);
        order.extend([lift, place]);
    }
    order
}

fn square_of(step: Step) -> Square {
    let (Touch::Lift(square) | Touch::Place(square, _)) = step.touch;
    square
}

/// The side of the planner's clock.
fn side(color: Color) -> Side {
    match color {
        Color::White => Side::Left,
        Color::Black => Side::Right,
    }
}
