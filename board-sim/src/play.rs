//! Writes the script of a whole game: setting up, the moves with their thinking times, the result.
//!
//! Knows how players spend their time and joins hands and clock. Must not know fields of the board or links: times count
//! from the start of the script.

use dgt_protocol::Side;
use fastrand::Rng;
use shakmaty::{Board, Position};

use crate::{
    clock::SimClock,
    hands::{self, Step},
    pace::Pace,
    plan::Plan,
    play_options::PlayOptions,
    script::{Action, Script},
    script_builder::ScriptBuilder,
    setup,
    stochastic_hands::StochasticHands,
    trouble::Trouble,
    two_hands::TwoHands,
};

/// Shortest time between two touches, in milliseconds.
const HASTE_MS: u64 = 60;
/// Shortest time from the last touch to the press: a whole scan, so that the board knows the move before the lever flips, as
/// in all captured moves (docs/board-behaviour.md, 0).
const SETTLE_MS: u64 = 270;

/// The script that sets up the pieces as in `wanted` and sets the clock. Pieces that stand right already are not touched.
pub(crate) fn set_up(pieces: &Board, wanted: &Board, rng: &mut Rng) -> Script {
    let mut script = Script::default();
    let clock_first = rng.bool();
    script.wait(rng.u64(500..4_000));
    if clock_first {
        script.add(Action::SetClock);
        script.wait(rng.u64(500..4_000));
    }
    script.steps(&setup::set_up(pieces, wanted, rng));
    if !clock_first {
        script.wait(rng.u64(500..4_000));
        script.add(Action::SetClock);
    }
    // Handshakes; the scan has seen the last piece long before the first move.
    script.wait(rng.u64(1_000..5_000));
    script.add(Action::Ready);
    script
}

/// The script of a game whose pieces stand as in `standing`, from the start of the clock to the result.
pub(crate) fn play(plan: &Plan, standing: &Board, options: PlayOptions, rng: &mut Rng) -> Script {
    // The planner's own clock runs beside the script, so that the moves take the time that the PGN tells. Which side is whose
    // does not matter for the times: White is at the left.
    let clock = plan.clock_at(Side::Left, 0);
    let mut builder = ScriptBuilder::new(options, clock, plan, rng);
    builder.before_start(standing);
    builder.script.wait(builder.rng.u64(800..3_000));
    let mut forgotten = false;
    let mut two_hands =
        options.pace.is_independent().then(|| TwoHands::new(options.pace, plan.plies.len(), builder.rng));
    let mut stochastic_hands = (options.pace == Pace::Stochastic).then(|| StochasticHands::new(builder.rng));
    for (index, ply) in plan.plies.iter().enumerate() {
        builder.before_move(index, ply.m);
        if two_hands.is_none() && options.clock && builder.clock.time_is_short() {
            builder.flag_fall();
            return builder.script;
        }
        let mut steps = hands::make_move(builder.position.board(), ply.m, options.style, builder.rng);
        let available_ms = think_ms(&builder.clock, index, ply.clk_ms, builder.rng);
        let waited_ms = builder.delay_promotion(&mut steps);
        // After a forgotten press the opponent's side is down already.
        let could_press = options.clock && !forgotten && builder.clock_runs(index);
        forgotten = could_press && options.forgetful && builder.rng.u32(0..25) == 0;
        let not_last = !options.troubles.has(Trouble::LastNotPressed) || index + 1 < plan.plies.len();
        let pressed = could_press && !forgotten && not_last;
        if let Some(hands) = &mut stochastic_hands {
            if !hands.make_ply(&mut builder, ply.m, pressed) {
                builder.flag_fall();
                return builder.script;
            }
        } else if let Some(hands) = &mut two_hands {
            let left_ms = builder.clock.remaining_ms(builder.clock.side_to_move());
            let thinks_ms = hands.think_ms(index, left_ms, builder.rng).unwrap_or(available_ms).max(waited_ms);
            if !hands.make_ply(&mut builder, index, &steps, thinks_ms, waited_ms == 0, pressed) {
                builder.flag_fall();
                return builder.script;
            }
        } else {
            let stopped = builder.is_stopped_in_hand(index);
            make_move(&mut builder, steps, available_ms.max(waited_ms), stopped);
            builder.script.add(Action::Ply { pressed });
        }
        if pressed || !options.clock {
            builder.clock.press(builder.clock.side_to_move(), builder.script.end_ms());
        } else {
            builder.clock.advance(builder.script.end_ms());
        }
        builder.position.play_unchecked(ply.m);
        builder.after_press(pressed);
    }
    builder.end(plan.ending);
    builder.script
}

/// Times the touches of a move so that the press comes `available_ms` after the one before, or as soon as hands can, beside the
/// time for which the clock is `stopped` before the last touch.
fn make_move(builder: &mut ScriptBuilder, mut steps: Vec<Step>, available_ms: u64, stopped: bool) {
    let shortest_ms = steps.len() as u64 * HASTE_MS + SETTLE_MS;
    let available_ms = available_ms.max(shortest_ms);
    let settle_ms = builder.rng.u64(SETTLE_MS..1_600).min(available_ms / 3).max(SETTLE_MS);
    let for_touches_ms = available_ms - settle_ms;
    let wanted_ms: u64 = steps.iter().map(|step| step.pause_ms).sum();
    if wanted_ms > for_touches_ms {
        for step in &mut steps {
            step.pause_ms = step.pause_ms * for_touches_ms / wanted_ms;
        }
    }
    let needed_ms: u64 = steps.iter().map(|step| step.pause_ms).sum();
    builder.script.wait(for_touches_ms - needed_ms);
    if stopped && let Some((last, before)) = steps.split_last() {
        builder.script.steps(before);
        builder.with_clock_stopped(std::slice::from_ref(last));
    } else {
        builder.script.steps(&steps);
    }
    builder.script.wait(settle_ms);
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
    use crate::{games, hands::Style, trouble::Troubles};

    /// Plays the script of a plan and checks the pieces at every ply.
    fn check(plan: &Plan, style: Style, seed: u64) {
        let options =
            PlayOptions { style, clock: true, forgetful: false, pace: Pace::InTurn, troubles: Troubles::default() };
        let script = play(plan, plan.start.board(), options, &mut Rng::with_seed(seed));
        let mut pieces = plan.start.board().clone();
        let mut position = plan.start.clone();
        let mut plies = plan.plies.iter();
        let mut last_touch_ms = 0;
        for (at_ms, action) in script.actions() {
            match action {
                Action::Touch(touch) => {
                    touch.apply(&mut pieces);
                    last_touch_ms = at_ms;
                }
                Action::Ply { pressed } => {
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
    fn pieces_stand_right_at_every_ply_of_thousands_of_games() {
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
        let options = PlayOptions {
            style: Style::Clean,
            clock: true,
            forgetful: true,
            pace: Pace::InTurn,
            troubles: Troubles::default(),
        };
        let mut forgotten = 0;
        for seed in 0..20 {
            let script = play(&plan, plan.start.board(), options, &mut Rng::with_seed(seed));
            let presses: Vec<bool> = script
                .actions()
                .filter_map(|(_, action)| match action {
                    Action::Ply { pressed } => Some(pressed),
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
