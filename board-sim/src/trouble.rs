//! What goes wrong at a table beyond untidy hands: takebacks, illegal moves, fallen pieces, odd presses, odd endings.
//!
//! Knows the cases of the board behaviour paper (sections 5 to 9) as players make them. Must not know boards, fields or the
//! wire. The game of the plan is still the game that was played: whatever is done beside it is undone, or comes after it.
//! Clocks, pieces, beginnings and endings have a file each.

pub(crate) mod beginnings;
mod clocks;
mod endings;
mod pieces;

use dgt_protocol::Side;
use fastrand::Rng;
use shakmaty::{Board, Chess, Color, Move, Piece, Position, Role, Square};

use crate::{
    clock::SimClock,
    hands::{Step, Touch},
    plan::Plan,
    script::{Deed, Manners, Script},
    setup,
};

/// Plies that leave a badly placed piece alone.
pub(crate) const UNTOUCHED_PLIES: usize = 6;

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
    /// The first moves are made before anybody starts the clock (paper, 8.7).
    LateStart,
    /// One or two pieces are set up wrongly; somebody sees it and mends it before the first move (paper, 8.3).
    WrongStart,
    /// One piece stands so badly that the board does not see it until some moves are made (paper, 8.3).
    MendedLate,
    /// The clock is switched off for good in the middle of the game (paper, 9.1).
    ClockOff,
    /// A flag falls after the last move, and nobody shows a result (paper, 9.5).
    FlagFall,
    /// The next game is set up and begun at once; nobody stops the clock or shows a result (paper, 8.6).
    NextAtOnce,
    /// The result is shown by a piece made for it, put on any square (paper, 7.6).
    ResultPiece,
    /// Pieces that stand where the kings shall go are pushed to other squares (paper, 7.1).
    PushedAside,
    /// The board is turned round between the games, and the players change sides of the table (paper, 8.2).
    BoardTurned,
    /// A rook upside down is the new queen: the board reports a rook (paper, 5.4).
    UpsideDown,
    /// From some ply on one piece is reported as another (paper, 10.8).
    Misread,
}

impl Trouble {
    /// Whether the end of the game is shown on the board as far as it can be.
    pub fn shows_result(self) -> bool {
        !matches!(
            self,
            Self::NoSign | Self::Analysis | Self::IllegalStands | Self::FlagFall | Self::NextAtOnce | Self::ClockOff
        )
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
    /// Before this ply the clock is started.
    start_at: usize,
    /// The piece that the board does not see at the start.
    badly_placed: Option<(Square, Piece)>,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(manners: Manners, clock: SimClock, plan: &Plan, rng: &'a mut Rng) -> Self {
        let plies = plan.plies.len();
        // Every game has its trouble, and at most one in about twenty plies.
        let first = rng.usize(2..(plies / 2).max(3));
        let incidents = match manners.trouble {
            Trouble::None | Trouble::LateStart => Vec::new(),
            Trouble::MendedLate => vec![rng.usize(1..=UNTOUCHED_PLIES)],
            Trouble::ClockOff | Trouble::Misread => vec![first],
            Trouble::Adjusting | Trouble::OddPresses => (1..plies).filter(|_| rng.u32(0..6) == 0).collect(),
            _ => (first..plies).step_by(rng.usize(20..40)).collect(),
        };
        let start_at = if manners.trouble == Trouble::LateStart { rng.usize(1..=5) } else { 0 };
        Self {
            script: Script::default(),
            clock,
            position: plan.start.clone(),
            rng,
            manners,
            incidents,
            clock_plugged: true,
            start_at,
            badly_placed: None,
        }
    }

    /// What happens before the mover of this ply begins.
    pub(crate) fn before_move(&mut self, index: usize, planned: Move) {
        if index == self.start_at {
            self.begin_clock();
        }
        if !self.incidents.contains(&index) {
            return;
        }
        match self.manners.trouble {
            Trouble::Arbiter => self.arbiter(),
            Trouble::LooseClock => self.loose_clock(index),
            Trouble::ClockOff => self.clock_off(),
            Trouble::MendedLate => self.mend_start(),
            Trouble::Misread => self.misread(),
            Trouble::Takeback => self.takeback(planned),
            Trouble::IllegalCorrected => self.illegal_corrected(),
            Trouble::KnockedOver => self.knocked_over(),
            Trouble::Adjusting => self.adjust(),
            _ => {}
        }
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

    /// The pieces go back to where the game has them.
    fn put_right(&mut self, pieces: &Board) {
        let mut steps = setup::set_up(pieces, self.position.board(), self.rng);
        for step in &mut steps {
            step.pause_ms += 200;
        }
        self.script.wait(self.rng.u64(1_000..4_000));
        self.script.steps(&steps);
    }
}

/// The side of the planner's clock.
fn side(color: Color) -> Side {
    match color {
        Color::White => Side::Left,
        Color::Black => Side::Right,
    }
}
