//! Classes with two independent hands, a scan that visits squares, and a clock line with delays of its own; troubles and
//! defects combined by chance. The recogniser in use does not tell all of them: [`crate::bars`] says how much is asserted.

use board_sim::defects::{Defect, LineFault};
use board_sim::hands::Style;
use board_sim::mixture::Mixture;
use board_sim::pace::Pace;
use board_sim::plan::Plan;
use board_sim::trouble::{Trouble, Troubles};

use crate::case::{self, Case, Expects, Loss, Operator, Out, USUAL_CONTROLS};
use crate::classes::{Class, unread};

/// All of them.
pub(crate) const SHARED_SCANS: &[Class] = &[
    unread("two hands", |seed| at(Pace::Unhurried, case(seed, Style::Clean, true))),
    unread("two hands, human", |seed| at(Pace::Unhurried, human(seed))),
    unread("plies share a scan", |seed| {
        let style = if half(seed) { Style::Human } else { Style::Clean };
        at(Pace::Quick, Case { plans: plans(seed, &["60", "180+2", "300"]), ..case(seed, style, true) })
    }),
    unread("time scramble", |seed| {
        let style = if half(seed) { Style::Human } else { Style::Clean };
        at(Pace::Scramble, Case { plans: plans(seed, &["180", "300", "120"]), ..case(seed, style, true) })
    }),
    unread("mixture", mixture),
    unread("storm", |seed| {
        let mut case = Case { plans: plans(seed, &["180+2", "300", "120+1"]), ..human(seed) };
        let late = if half(seed) { Trouble::ClockRunsOn } else { Trouble::LastNotPressed };
        case.settings.play.troubles =
            Troubles::from(Trouble::Adjusting).with(Trouble::OddPresses).with(Trouble::IllegalCorrected).with(late);
        case.defect = Defect::Line { per_mille: 2, fault: LineFault::Any };
        case.more_defects = vec![Defect::Flicker { in_dumps: false }];
        at(Pace::Storm, case)
    }),
    unread("result while the clock runs", |seed| {
        let mut case = human(seed);
        case.settings.play.troubles = Trouble::ClockRunsOn.into();
        at(Pace::Unhurried, case)
    }),
    unread("last move not pressed", |seed| {
        let mut case = human(seed);
        case.settings.play.troubles = Trouble::LastNotPressed.into();
        if half(seed) {
            case.settings.play.troubles = case.settings.play.troubles.with(Trouble::ClockRunsOn);
        }
        at(Pace::Unhurried, case)
    }),
    unread("second model of hands", |seed| {
        at(Pace::Stochastic, Case { plans: plans(seed, &["300+3", "900+10", "180+2", "300"]), ..human(seed) })
    }),
    unread("second model, blitz", |seed| {
        let mut case = Case { plans: plans(seed, &["60", "60+1", "120"]), ..human(seed) };
        let late = [Trouble::None, Trouble::ClockRunsOn, Trouble::LastNotPressed][(seed / 2 % 3) as usize];
        case.settings.play.troubles = late.into();
        at(Pace::Stochastic, case)
    }),
    unread("gap, log in order of events", |seed| out(seed, Loss::Cable)),
    unread("daemon killed, log", |seed| out(seed, Loss::Killed)),
    unread("daemon killed, no log", |seed| explained(out(seed, Loss::KilledAndPower))),
    unread("daemon killed, captures lost", |seed| explained(out(seed, Loss::KilledAndCaptures))),
];

/// A person says in which order plies were played that nobody saw.
fn explained(case: Case) -> Case {
    Case { expects: Expects::AnyOrder, operator: Operator::Explains, ..case }
}

fn case(seed: u64, style: Style, clock: bool) -> Case {
    Case { plans: plans(seed, &USUAL_CONTROLS), ..case::case(seed, style, clock) }
}

fn human(seed: u64) -> Case {
    case(seed, Style::Human, true)
}

/// Seeds of either parity have games of all themes.
fn plans(seed: u64, controls: &[&str]) -> Vec<Plan> {
    case::plans_of(seed, seed / 2, controls)
}

fn at(pace: Pace, mut case: Case) -> Case {
    case.settings.play.pace = pace;
    case
}

/// Half of the seeds of either parity: even ones are for tuning, odd ones for figures.
fn half(seed: u64) -> bool {
    seed / 2 % 2 == 1
}

/// One to eight plies are made, quickly, while nobody listens.
fn out(seed: u64, how: Loss) -> Case {
    let from = 4 + seed * 7 % 20;
    let out = Some(Out { from, until: from + 1 + seed * 5 % 8, how });
    at(Pace::Quick, Case { out, plans: plans(seed, &["180+2", "300+3", "300"]), ..human(seed) })
}

/// Three troubles and two defects, chosen by chance.
fn mixture(seed: u64) -> Case {
    let mixture = Mixture::new(seed);
    let mut case = Case { plans: plans(seed, &["180+2", "300+3", "900+10", "300"]), ..human(seed) };
    case.settings.play.troubles = mixture.troubles;
    case.out = mixture.cable_out.map(|plies| Out { from: plies.start, until: plies.end, how: Loss::Cable });
    let mut defects = mixture.defects.into_iter();
    case.defect = defects.next().unwrap_or_default();
    case.more_defects = defects.collect();
    at(if seed % 6 < 2 { Pace::Quick } else { Pace::Unhurried }, case)
}
