//! How a game ends in other ways than with two kings put in the centre at once.
//!
//! Part of the script builder; see there.

use fastrand::Rng;
use shakmaty::{Board, CastlingMode, Chess, FromSetup, Move, Position, Role, Setup, Square, attacks};

use super::ScriptBuilder;
use crate::{
    hands::{self, Step, Style, Touch},
    result::Ending,
    script::Action,
    setup,
    trouble::Trouble,
};

impl ScriptBuilder<'_> {
    /// What happens after the last ply of the plan.
    pub(crate) fn end(&mut self, ending: Ending) {
        match self.options.troubles.ending() {
            Trouble::IllegalStands => self.play_on_illegally(),
            Trouble::NoResultShown | Trouble::ClockOff => {
                self.script.wait(self.rng.u64(1_000..4_000));
                self.stop();
                self.script.wait(self.rng.u64(500..3_000));
                self.script.add(Action::GameOver);
            }
            Trouble::Analysis => self.analyse(),
            Trouble::KingsOneByOne => self.kings_one_by_one(ending),
            Trouble::FlagFall => self.flag_fall(),
            Trouble::NextAtOnce => {
                self.script.wait(self.rng.u64(300..1_500));
                self.script.add(Action::GameOver);
            }
            Trouble::ResultPiece => self.result_piece(ending),
            Trouble::PushedAside => self.pushed_aside(ending),
            _ => self.show_result(ending),
        }
    }

    /// The clock is stopped, and both kings are put in the centre if the result is shown so.
    fn show_result(&mut self, ending: Ending) {
        let runs_on = self.options.troubles.has(Trouble::ClockRunsOn);
        if self.options.clock && !runs_on {
            self.script.wait(self.rng.u64(300..2_500));
            self.script.add(Action::StopClock);
        }
        if ending.is_shown() {
            self.script.wait(self.rng.u64(1_000..4_000));
            self.script.steps(&setup::kings_to_centre(self.position.board(), ending.winner(), self.rng));
        }
        // The result has to stand for more than 5 s (docs/board-behaviour.md, 7.1).
        self.script.wait(self.rng.u64(6_500..15_000));
        if runs_on && self.rng.bool() {
            self.stop();
            self.script.wait(self.rng.u64(1_000..5_000));
        }
        self.script.add(Action::GameOver);
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
        self.script.add(Action::GameOver);
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
        self.script.add(Action::GameOver);
    }

    fn kings_one_by_one(&mut self, ending: Ending) {
        self.script.wait(self.rng.u64(300..8_000));
        self.stop();
        if ending.is_shown() {
            self.script.wait(self.rng.u64(1_000..30_000));
            let steps = setup::kings_to_centre(self.position.board(), ending.winner(), self.rng);
            self.script.steps(&one_by_one(&steps, self.rng));
        }
        self.script.wait(self.rng.u64(6_500..60_000));
        self.script.add(Action::GameOver);
    }

    /// The player to move thinks until the flag falls, and the game is over.
    pub(crate) fn flag_fall(&mut self) {
        while let Some(at_ms) = self.clock.next_change() {
            self.clock.advance(at_ms);
            self.script.wait(at_ms.saturating_sub(self.script.end_ms()));
        }
        self.script.wait(self.rng.u64(3_000..40_000));
        self.stop();
        self.script.wait(self.rng.u64(500..5_000));
        self.script.add(Action::GameOver);
    }

    fn result_piece(&mut self, ending: Ending) {
        self.script.wait(self.rng.u64(300..2_500));
        self.stop();
        let free: Vec<Square> = (!self.position.board().occupied()).into_iter().collect();
        let square = self.rng.choice(&free);
        if let Some(&square) = square
            && ending.is_shown()
        {
            self.script.wait(self.rng.u64(1_000..20_000));
            self.script.add(Action::ResultPiece(square, ending.winner()));
        }
        self.script.wait(self.rng.u64(6_500..30_000));
        self.script.add(Action::GameOver);
    }

    /// The kings show the result after the pieces in their way were pushed to squares beside.
    fn pushed_aside(&mut self, ending: Ending) {
        self.script.wait(self.rng.u64(300..2_500));
        self.stop();
        if ending.is_shown() {
            self.script.wait(self.rng.u64(1_200..4_000));
            let mut pieces = self.position.board().clone();
            let steps = setup::kings_to_centre(&pieces, ending.winner(), self.rng);
            let targets =
                steps.iter().filter(|step| matches!(step.touch, Touch::Place(..))).map(|step| square_of(*step));
            let targets: Vec<Square> = targets.collect();
            for &square in &targets {
                let beside = attacks::king_attacks(square) & !pieces.occupied();
                let beside: Vec<Square> = beside.into_iter().filter(|square| !targets.contains(square)).collect();
                if let Some(piece) = pieces.piece_at(square).filter(|piece| piece.role != Role::King)
                    && let Some(&to) = self.rng.choice(&beside)
                {
                    for touch in [Touch::Lift(square), Touch::Place(to, piece)] {
                        touch.apply(&mut pieces);
                        self.script.steps(&[Step { pause_ms: self.rng.u64(200..900), touch }]);
                    }
                }
            }
            // What has been pushed aside is not in the way any more.
            let lifted = |step: &Step| matches!(step.touch, Touch::Lift(square) if pieces.piece_at(square).is_none());
            let steps: Vec<Step> = steps.into_iter().filter(|step| !lifted(step)).collect();
            self.script.wait(self.rng.u64(500..4_000));
            self.script.steps(&steps);
        }
        self.script.wait(self.rng.u64(6_500..60_000));
        self.script.add(Action::GameOver);
    }
}

/// The touches that show the result, in another order: pieces in the way first, then one king from its square to the centre, and
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
