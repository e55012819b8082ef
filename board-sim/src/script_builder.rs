//! Builds the script of a game ply by ply, with everything that goes wrong at its table.
//!
//! Knows the planner's clock, the position after the last ply and the chosen [`Trouble`]s. Must not know boards, fields or the
//! wire. The planned game is still the game that was played: every other action is undone, or comes after its end.

pub(crate) mod beginnings;
mod clocks;
mod endings;
mod pieces;

use dgt_protocol::Side;
use fastrand::Rng;
use shakmaty::{Board, Chess, Color, Move, Piece, Position, Rank, Role, Square};

use crate::{
    clock::SimClock,
    hands::{Step, Touch},
    plan::Plan,
    play_options::PlayOptions,
    script::{Action, Script},
    setup,
    trouble::{Trouble, Troubles},
};

/// Plies that do not touch a badly placed piece.
pub(crate) const UNTOUCHED_PLIES: usize = 6;

/// The script of a game as far as it is written, and the table at that moment.
pub(crate) struct ScriptBuilder<'a> {
    pub(crate) script: Script,
    /// The planner's clock, White at its left.
    pub(crate) clock: SimClock,
    /// After the last ply written.
    pub(crate) position: Chess,
    pub(crate) rng: &'a mut Rng,
    options: PlayOptions,
    /// The plies before which something goes wrong, and what.
    incidents: Vec<(usize, Trouble)>,
    clock_plugged: bool,
    /// Before this ply the clock is started.
    start_at: usize,
    /// The piece that the board does not see at the start.
    badly_placed: Option<(Square, Piece)>,
}

impl<'a> ScriptBuilder<'a> {
    pub(crate) fn new(options: PlayOptions, clock: SimClock, plan: &Plan, rng: &'a mut Rng) -> Self {
        let plies = plan.plies.len();
        let mut incidents = Vec::new();
        let some = options.troubles.iter().map(Some);
        for trouble in some.chain((options.troubles == Troubles::default()).then_some(None)) {
            // At least once in every game, at most once in about twenty plies.
            let first = rng.usize(2..(plies / 2).max(3));
            let Some(trouble) = trouble else { continue };
            let at: Vec<usize> = match trouble {
                Trouble::None | Trouble::LateStart => Vec::new(),
                Trouble::CorrectedLate => vec![rng.usize(1..=UNTOUCHED_PLIES)],
                Trouble::ClockOff | Trouble::Misread => vec![first],
                Trouble::Adjusting | Trouble::OddPresses => (1..plies).filter(|_| rng.u32(0..6) == 0).collect(),
                _ => (first..plies).step_by(rng.usize(20..40)).collect(),
            };
            incidents.extend(at.into_iter().map(|ply| (ply, trouble)));
        }
        let start_at = if options.troubles.has(Trouble::LateStart) { rng.usize(1..=5) } else { 0 };
        Self {
            script: Script::default(),
            clock,
            position: plan.start.clone(),
            rng,
            options,
            incidents,
            clock_plugged: true,
            start_at,
            badly_placed: None,
        }
    }

    /// What happens before this ply (index from 0) is made.
    pub(crate) fn before_move(&mut self, index: usize, planned: Move) {
        if index == self.start_at {
            self.begin_clock();
        }
        for trouble in self.options.troubles.iter() {
            if !self.incidents.contains(&(index, trouble)) {
                continue;
            }
            match trouble {
                Trouble::Arbiter => self.arbiter(),
                Trouble::LooseClock => self.loose_clock(index),
                Trouble::ClockOff => self.clock_off(),
                Trouble::CorrectedLate => self.correct_start(),
                Trouble::Misread => self.misread(),
                Trouble::Takeback => self.takeback(planned),
                Trouble::IllegalCorrected => self.illegal_corrected(),
                Trouble::KnockedOver => self.knocked_over(),
                Trouble::Adjusting => self.adjust(),
                _ => {}
            }
        }
    }

    /// Lets the pawn of a promotion wait on the last rank. Returns how long the move takes then, 0 if it does not wait.
    pub(crate) fn delay_promotion(&mut self, steps: &mut [Step]) -> u64 {
        let waits = |touch| {
            matches!(touch, Touch::Place(square, Piece { role: Role::Pawn, .. })
                if matches!(square.rank(), Rank::First | Rank::Eighth))
        };
        let pawn = steps.iter().position(|step| waits(step.touch));
        let Some(pawn) = pawn.filter(|_| self.options.troubles.has(Trouble::LatePromotion)) else {
            return 0;
        };
        if let Some(next) = steps.get_mut(pawn + 1) {
            next.pause_ms = self.rng.u64(8_000..90_000);
        }
        steps.iter().map(|step| step.pause_ms).sum::<u64>() + 2_000
    }

    fn press(&mut self, color: Color) {
        if self.options.clock {
            self.script.add(Action::Press(color));
            self.clock.press(side(color), self.script.end_ms());
        }
    }

    fn stop(&mut self) {
        if self.options.clock {
            self.script.add(Action::StopClock);
            self.clock.stop(self.script.end_ms());
        }
    }

    fn start(&mut self) {
        if self.options.clock {
            self.script.add(Action::StartClock);
            self.clock.start(self.script.end_ms());
        }
    }

    /// The pieces go back to the position of the game.
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
