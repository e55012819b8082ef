//! The classes of the catalogue: what each does to a table, and the figures that it has reached.

use board_sim::defects::Defect;
use board_sim::hands::Style;
use board_sim::plan::Plan;
use board_sim::random::{self, Theme};
use board_sim::script::Manners;
use board_sim::station::StationSettings;
use board_sim::trouble::Trouble;
use game_core::event::Variant;
use game_core::input::Assign;
use game_core::line::fen_of;
use notation::pgn::Tags;

use crate::table::Case;

/// A class of cases.
pub(crate) struct Class {
    pub(crate) name: &'static str,
    pub(crate) case: fn(u64) -> Case,
    pub(crate) floor: Floor,
}

/// What a class has reached and must not fall below, in percent; invented clocks and retracts at most, in 1,000 plies.
pub(crate) struct Floor {
    pub(crate) games: f64,
    pub(crate) results: f64,
    pub(crate) clocks: f64,
    pub(crate) invented: f64,
    pub(crate) retracts: f64,
}

const EXACT: Floor = Floor { games: 100.0, results: 100.0, clocks: 100.0, invented: 0.0, retracts: 0.0 };

/// Classes that are not at 100 %: games, results and clocks in percent, invented clocks and retracts in 1,000 plies.
const fn reached(name: &'static str, case: fn(u64) -> Case, floor: [f64; 5]) -> Class {
    let [games, results, clocks, invented, retracts] = floor;
    Class { name, case, floor: Floor { games, results, clocks, invented, retracts } }
}

const fn class(name: &'static str, case: fn(u64) -> Case) -> Class {
    Class { name, case, floor: EXACT }
}

pub(crate) const CLASSES: &[Class] = &[
    class("clean", |seed| case(seed, Style::Clean, true)),
    class("clean, no clock", |seed| case(seed, Style::Clean, false)),
    class("human", |seed| case(seed, Style::Human, true)),
    class("human, no clock", |seed| case(seed, Style::Human, false)),
    // What is moved after the flag has fallen is not told.
    reached(
        "bullet",
        |seed| Case { plans: plans(seed, &["60", "60+1", "120+1"]), ..case(seed, Style::Human, true) },
        [99.0, 99.0, 99.0, 0.0, 0.0],
    ),
    reached(
        "forgotten presses",
        |seed| {
            let mut case = case(seed, Style::Human, true);
            case.settings.manners.forgetful = true;
            case
        },
        [100.0, 100.0, 90.0, 0.0, 0.0],
    ),
    class("odd presses", |seed| trouble(seed, Trouble::OddPresses)),
    class("clock turned round", |seed| {
        let mut case = case(seed, Style::Human, true);
        case.settings.white_side = board_sim::clock::opposite(case.settings.white_side);
        case
    }),
    class("arbiter at the clock", |seed| trouble(seed, Trouble::Arbiter)),
    reached("loose clock", |seed| trouble(seed, Trouble::LooseClock), [100.0, 100.0, 80.0, 0.0, 0.1]),
    class("noisy clock", |seed| Case { defect: Defect::NoisyClock, ..case(seed, Style::Human, true) }),
    reached("adjusting", |seed| trouble(seed, Trouble::Adjusting), [100.0, 100.0, 95.0, 0.0, 0.0]),
    class("late promotion", |seed| {
        let theme = if seed % 2 == 0 { Theme::Promotion } else { Theme::Underpromotion };
        let tags = tags(seed, &["5400+30", "900+10"]);
        let plans = vec![Plan::from_random(tags, &random::play(theme, seed))];
        Case { plans, ..trouble(seed, Trouble::LatePromotion) }
    }),
    reached("takebacks", |seed| trouble(seed, Trouble::Takeback), [98.0, 100.0, 97.0, 0.0, 36.0]),
    reached("illegal, corrected", |seed| trouble(seed, Trouble::IllegalCorrected), [100.0, 100.0, 95.0, 0.0, 0.0]),
    reached("illegal, stands", |seed| trouble(seed, Trouble::IllegalStands), [97.0, 100.0, 100.0, 0.0, 0.0]),
    class("knocked over", |seed| trouble(seed, Trouble::KnockedOver)),
    class("kings one by one", |seed| trouble(seed, Trouble::KingsOneByOne)),
    class("no sign", |seed| trouble(seed, Trouble::NoSign)),
    reached("analysis after", |seed| trouble(seed, Trouble::Analysis), [100.0, 100.0, 100.0, 0.0, 0.0]),
    class("chess960", |seed| chess960(seed, true)),
    reached("chess960, not told", |seed| chess960(seed, false), [100.0, 100.0, 100.0, 0.0, 0.0]),
    reached(
        "bad line",
        |seed| Case { defect: Defect::Line { per_mille: 2 }, ..case(seed, Style::Human, true) },
        [99.5, 99.5, 99.8, 0.05, 0.05],
    ),
    reached(
        "very bad line",
        |seed| Case { defect: Defect::Line { per_mille: 15 }, ..case(seed, Style::Human, true) },
        [98.0, 98.0, 98.0, 1.0, 0.5],
    ),
    reached(
        "dead square",
        |seed| Case { defect: Defect::DeadSquare, ..case(seed, Style::Clean, true) },
        [0.0, 0.0, 0.0, 0.0, 1.0],
    ),
    class("flicker", |seed| Case { defect: Defect::Flicker, ..case(seed, Style::Human, true) }),
    reached("gap of 1 to 6 plies", |seed| gap(seed, 1 + seed % 6), [98.0, 99.0, 97.0, 0.0, 0.2]),
    reached("gap of 7 to 20 plies", |seed| gap(seed, 7 + seed % 14), [99.0, 99.0, 99.0, 0.0, 0.0]),
];

fn settings(seed: u64, style: Style, clock: bool) -> StationSettings {
    let rotated = seed % 3 == 1;
    StationSettings {
        serial: 10_001,
        version: (1, 8),
        rotated,
        white_side: if rotated { dgt_protocol::Side::Right } else { dgt_protocol::Side::Left },
        manners: Manners { style, clock, forgetful: false, trouble: Trouble::None },
        seed,
    }
}

fn tags(seed: u64, controls: &[&str]) -> Tags {
    let mut tags = Tags::new();
    tags.set("White", format!("White {seed}"));
    tags.set("Black", format!("Black {seed}"));
    tags.set("TimeControl", controls[(seed % controls.len() as u64) as usize]);
    tags
}

fn plans(seed: u64, controls: &[&str]) -> Vec<Plan> {
    [seed, seed + 1_000]
        .map(|seed| {
            let theme = Theme::ALL[(seed % Theme::ALL.len() as u64) as usize];
            Plan::from_random(tags(seed, controls), &random::play(theme, seed))
        })
        .into()
}

fn case(seed: u64, style: Style, clock: bool) -> Case {
    let plans = plans(seed, &["300+3", "5400+30", "180+2", "40/5400+30:1800+30", "900"]);
    Case { settings: settings(seed, style, clock), plans, defect: Defect::None, cable_out: None, assign: None }
}

fn trouble(seed: u64, trouble: Trouble) -> Case {
    let mut case = case(seed, Style::Human, true);
    case.settings.manners.trouble = trouble;
    case
}

fn gap(seed: u64, plies: u64) -> Case {
    let case = case(seed, Style::Human, true);
    let first = 4 + seed * 7 % 20;
    Case { cable_out: Some((first, first + plies)), ..case }
}

fn chess960(seed: u64, told: bool) -> Case {
    let start = random::chess960_start(u32::try_from(seed * 137 % 960).unwrap());
    let theme = [Theme::CastlingShort, Theme::CastlingLong, Theme::Agreement][(seed % 3) as usize];
    let game = random::play_from(&start, theme, seed);
    let plan = Plan::from_random_at(tags(seed, &["900+10"]), start.clone(), &game);
    let fen = Some(fen_of(&start));
    let assign = told.then(|| Assign { fen, variant: Variant::Chess960, ..Assign::default() });
    Case { plans: vec![plan], assign, ..case(seed, Style::Human, true) }
}
