//! A whole game as deeds in time: touches of pieces, presses of the clock, the result, the pieces set up again.
//!
//! Knows how players spend their time and joins hands and clock. Must not know boards, fields or links: times count from the
//! start of the script.

use std::collections::VecDeque;

use fastrand::Rng;
use shakmaty::{Board, Color, Piece, Position, Square};

use crate::{
    clock::SimClock,
    hands::{self, Step, Style, Touch},
    plan::Plan,
    result::Ending,
    setup,
    trouble::{Scene, Trouble},
};
use dgt_protocol::Side;

/// Something that players do at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// A square is touched.
    Touch(Touch),
    /// The clock is set to its start values, lever up at White's side.
    SetClock,
    /// Start/Stop pressed: the clock runs.
    StartClock,
    /// Start/Stop pressed: the clock stands.
    StopClock,
    /// The next ply of the plan is complete.
    Ply {
        /// The mover presses the clock; otherwise it was forgotten.
        pressed: bool,
    },
    /// A player presses the clock although no move of the plan is complete.
    Lever(Color),
    /// The maker of the last ply presses once more: what the clock shows then is what counts.
    PressAgain,
    /// The arbiter sets a player's time left, in milliseconds.
    SetTime(Color, u64),
    /// The clock's cable is pulled out, or plugged in again.
    ClockPlugged(bool),
    /// Plies that were made and pressed are about to be taken back.
    TakenBack,
    /// A piece made for it declares the result: a winner, or a draw (`None`).
    ResultPiece(Square, Option<Color>),
    /// From now on the board takes the piece on this square for another, wherever it goes.
    Misread {
        /// Where it stands.
        square: Square,
        /// What it is.
        piece: Piece,
        /// What the board takes it for.
        as_piece: Piece,
    },
    /// The pieces stand, the clock is set, the players are ready.
    Seated,
    /// The result is clear and has been shown long enough.
    GameOver,
}

/// Deeds in the order of their times.
#[derive(Clone, Debug, Default)]
pub struct Script {
    deeds: VecDeque<(u64, Deed)>,
    end_ms: u64,
}

/// Shortest time between two touches, in milliseconds: a hand in a hurry.
const HASTE_MS: u64 = 60;
/// Shortest time from the last touch to the press: a whole scan, so that the board knows the move before the lever flips, as
/// in all captured moves (board behaviour paper, 0).
const SETTLE_MS: u64 = 270;

impl Script {
    /// The next deed and its time in milliseconds since the start of the script.
    pub fn next(&self) -> Option<(u64, Deed)> {
        self.deeds.front().copied()
    }

    /// Removes the next deed.
    pub fn pop(&mut self) {
        self.deeds.pop_front();
    }

    /// Puts a deed before all others.
    pub fn insert_first(&mut self, at_ms: u64, deed: Deed) {
        self.deeds.push_front((at_ms, deed));
    }

    /// When the last deed so far is over, in milliseconds since the start of the script.
    pub(crate) fn end_ms(&self) -> u64 {
        self.end_ms
    }

    pub(crate) fn wait(&mut self, pause_ms: u64) {
        self.end_ms += pause_ms;
    }

    pub(crate) fn add(&mut self, deed: Deed) {
        self.deeds.push_back((self.end_ms, deed));
    }

    pub(crate) fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            self.wait(step.pause_ms);
            self.add(Deed::Touch(step.touch));
        }
    }
}

/// Turning the pieces on the board into `wanted`, and setting the clock. Nothing to do for pieces that stand there already.
pub fn set_up(pieces: &Board, wanted: &Board, rng: &mut Rng) -> Script {
    let mut script = Script::default();
    let clock_first = rng.bool();
    script.wait(rng.u64(500..4_000));
    if clock_first {
        script.add(Deed::SetClock);
        script.wait(rng.u64(500..4_000));
    }
    script.steps(&setup::set_up(pieces, wanted, rng));
    if !clock_first {
        script.wait(rng.u64(500..4_000));
        script.add(Deed::SetClock);
    }
    // Handshakes; the scan has seen the last piece long before the first move.
    script.wait(rng.u64(1_000..5_000));
    script.add(Deed::Seated);
    script
}

/// How a game is played.
#[derive(Clone, Copy, Debug)]
pub struct Manners {
    /// How tidy the players are.
    pub style: Style,
    /// A clock stands at the board.
    pub clock: bool,
    /// Now and then a player forgets to press, and the opponent, whose side is down already, cannot.
    pub forgetful: bool,
    /// What goes wrong at the table beyond untidy hands.
    pub trouble: Trouble,
}

/// Playing a game whose pieces stand as in `standing`, from the start of the clock to the result shown.
pub fn play(plan: &Plan, standing: &Board, manners: Manners, rng: &mut Rng) -> Script {
    // The planner's own clock runs beside the script, so that the moves take the time that the PGN tells. Which side is whose
    // does not matter for the times: White is at the left.
    let clock = plan.clock_at(Side::Left, 0);
    let mut scene = Scene::new(manners, clock, plan, rng);
    scene.before_start(standing);
    scene.script.wait(scene.rng.u64(800..3_000));
    let mut forgotten = false;
    for (index, ply) in plan.plies.iter().enumerate() {
        scene.before_move(index, ply.m);
        if manners.clock && scene.clock.time_is_short() {
            scene.flag_fall();
            return scene.script;
        }
        let mut steps = hands::make_move(scene.position.board(), ply.m, manners.style, scene.rng);
        let available_ms = think_ms(&scene.clock, index, ply.clk_ms, scene.rng);
        let waited_ms = manners.trouble.delay_promotion(&mut steps, scene.rng);
        // After a forgotten press the opponent's side is down already.
        let could_press = manners.clock && !forgotten && scene.clock_runs(index);
        forgotten = could_press && manners.forgetful && scene.rng.u32(0..25) == 0;
        let pressed = could_press && !forgotten;
        make_move(&mut scene.script, steps, available_ms.max(waited_ms), scene.rng);
        scene.script.add(Deed::Ply { pressed });
        if pressed || !manners.clock {
            scene.clock.press(scene.clock.side_to_move(), scene.script.end_ms);
        } else {
            scene.clock.advance(scene.script.end_ms);
        }
        scene.position.play_unchecked(ply.m);
        scene.after_press(pressed);
    }
    scene.end(plan.ending);
    scene.script
}

/// How the end of a game is shown, as far as it is: the kings' sign, the clock stopped.
pub(crate) fn show_result(script: &mut Script, manners: Manners, pieces: &Board, ending: Ending, rng: &mut Rng) {
    if manners.clock {
        script.wait(rng.u64(300..2_500));
        script.add(Deed::StopClock);
    }
    if let Some(winner) = ending.shown() {
        script.wait(rng.u64(1_000..4_000));
        script.steps(&setup::kings_to_centre(pieces, winner, rng));
    }
    // The result has to stand for more than 5 s (board behaviour paper, 7.1).
    script.wait(rng.u64(6_500..15_000));
    script.add(Deed::GameOver);
}

/// Lays the touches of a move so that the press comes `available_ms` after the one before, or as soon as hands can.
fn make_move(script: &mut Script, mut steps: Vec<Step>, available_ms: u64, rng: &mut Rng) {
    let shortest_ms = steps.len() as u64 * HASTE_MS + SETTLE_MS;
    let available_ms = available_ms.max(shortest_ms);
    let settle_ms = rng.u64(SETTLE_MS..1_600).min(available_ms / 3).max(SETTLE_MS);
    let for_touches_ms = available_ms - settle_ms;
    let wanted_ms: u64 = steps.iter().map(|step| step.pause_ms).sum();
    if wanted_ms <= for_touches_ms {
        script.wait(for_touches_ms - wanted_ms);
        script.steps(&steps);
    } else {
        for step in &mut steps {
            step.pause_ms = step.pause_ms * for_touches_ms / wanted_ms;
        }
        let hurried_ms: u64 = steps.iter().map(|step| step.pause_ms).sum();
        script.wait(for_touches_ms - hurried_ms);
        script.steps(&steps);
    }
    script.wait(settle_ms);
}

/// How long the side to move takes until it presses: what leads to the clock time in the PGN, or a plausible time.
fn think_ms(clock: &SimClock, index: usize, clk_ms: Option<u64>, rng: &mut Rng) -> u64 {
    let side = clock.side_to_move();
    let left_ms = clock.remaining_ms(side);
    if let Some(clk_ms) = clk_ms {
        // A display shows a second until it has passed, so the press falls somewhere within it.
        let after_press_ms = (clk_ms / 1_000 * 1_000).saturating_sub(rng.u64(0..950));
        let before_press_ms = after_press_ms.saturating_sub(clock.credit_ms(side));
        return left_ms.saturating_sub(before_press_ms);
    }
    // The opening is known, then about a fortieth of the time a move, most moves faster, a few much slower.
    let increment_ms = clock.credit_ms(side).min(60_000);
    let total_ms = left_ms + clock.reserve_ms(side);
    let usual_ms = total_ms / 45 + increment_ms * 3 / 4;
    let percent = match index {
        0..12 => rng.u64(3..25),
        _ => match rng.u32(0..10) {
            0..6 => rng.u64(10..80),
            6..9 => rng.u64(60..160),
            _ => rng.u64(160..320),
        },
    };
    (usual_ms * percent / 100).min(total_ms / 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    /// Plays the script of a plan and checks the pieces at every ply.
    fn check(plan: &Plan, style: Style, seed: u64) {
        let manners = Manners { style, clock: true, forgetful: false, trouble: Trouble::None };
        let script = play(plan, plan.start.board(), manners, &mut Rng::with_seed(seed));
        let mut pieces = plan.start.board().clone();
        let mut position = plan.start.clone();
        let mut plies = plan.plies.iter();
        let mut last_touch_ms = 0;
        for &(at_ms, deed) in &script.deeds {
            match deed {
                Deed::Touch(touch) => {
                    touch.apply(&mut pieces);
                    last_touch_ms = at_ms;
                }
                Deed::Ply { pressed } => {
                    let ply = plies.next().expect("no more plies than planned");
                    position.play_unchecked(ply.m);
                    assert_eq!(&pieces, position.board(), "seed {seed} {style:?} {}", ply.san);
                    assert!(pressed && at_ms >= last_touch_ms + SETTLE_MS, "seed {seed}");
                }
                _ => {}
            }
        }
        assert_eq!(plies.next().map(|ply| &ply.san), None, "seed {seed}");
    }

    #[test]
    fn thousands_of_games_stand_right_at_every_ply_whatever_the_hands_did() {
        for plan in games::random_plans(64, 1) {
            for seed in 0..20 {
                check(&plan, Style::Clean, seed);
                check(&plan, Style::Human, seed);
            }
        }
    }

    #[test]
    fn after_a_forgotten_press_the_opponent_does_not_press_either() {
        let plan = games::random_plans(1, 3).remove(0);
        let manners = Manners { style: Style::Clean, clock: true, forgetful: true, trouble: Trouble::None };
        let mut forgotten = 0;
        for seed in 0..20 {
            let script = play(&plan, plan.start.board(), manners, &mut Rng::with_seed(seed));
            let presses: Vec<bool> = script
                .deeds
                .iter()
                .filter_map(|(_, deed)| match deed {
                    Deed::Ply { pressed } => Some(*pressed),
                    _ => None,
                })
                .collect();
            for gap in presses.split(|pressed| *pressed).filter(|gap| !gap.is_empty()) {
                forgotten += 1;
                assert!(gap.len() % 2 == 0 || presses.ends_with(&[false]), "seed {seed}: {presses:?}");
            }
        }
        assert!(forgotten > 0);
    }
}
