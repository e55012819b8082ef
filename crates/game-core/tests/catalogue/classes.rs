//! The classes of the catalogue, what is expected of each, and what is known to be wrong.

use board_sim::clock::{Bonus, other_side};
use board_sim::defects::{Defect, LineFault};
use board_sim::endings;
use board_sim::hands::Style;
use board_sim::plan::Plan;
use board_sim::random::{self, RandomGame, Theme};
use board_sim::trouble::{Trouble, Troubles};
use game_core::event::Variant;
use shakmaty::{Chess, Position};

use crate::case::{
    Case, Expects, LOGGED_PLIES, Loss, Operator, Out, Slip, case, chess960, defect, from_positions, human, plans,
    played_position, tags, trouble,
};
use crate::two_ways;

/// A class of cases.
#[derive(Clone, Copy)]
pub(crate) struct Class {
    pub(crate) name: &'static str,
    pub(crate) case: fn(u64) -> Case,
    /// Every game has to be right.
    pub(crate) clean: bool,
    pub(crate) clocks: Clocks,
    /// Without a clock a move that nothing can change any more is published soon.
    pub(crate) prompt: bool,
}

/// Which clock times have to be told; a time that was not there is never told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clocks {
    /// All that the clock told the board.
    All,
    /// Those that arrived while the game was known.
    AsRead,
}

const fn class(name: &'static str, case: fn(u64) -> Case) -> Class {
    Class { name, case, clean: false, clocks: Clocks::All, prompt: false }
}

/// Games of which every single one has to be right.
const fn clean(name: &'static str, case: fn(u64) -> Case) -> Class {
    Class { clean: true, ..class(name, case) }
}

/// Games that are followed without a clock.
const fn prompt(name: &'static str, case: fn(u64) -> Case) -> Class {
    Class { prompt: true, ..class(name, case) }
}

/// Games of which not every reading arrives, or not while it is known which game is played.
pub(crate) const fn unread(name: &'static str, case: fn(u64) -> Case) -> Class {
    Class { clocks: Clocks::AsRead, ..class(name, case) }
}

/// What hands do.
pub(crate) const HANDS: &[Class] = &[
    clean("clean", |seed| case(seed, Style::Clean, true)),
    Class { prompt: true, ..clean("clean, no clock", |seed| case(seed, Style::Clean, false)) },
    class("human", human),
    prompt("human, no clock", |seed| case(seed, Style::Human, false)),
    class("bullet", |seed| Case { plans: plans(seed, &["60", "60+1", "120+1"]), ..human(seed) }),
    class("adjusting", |seed| trouble(seed, Trouble::Adjusting)),
    class("late promotion", |seed| {
        let theme = if seed % 2 == 0 { Theme::Promotion } else { Theme::Underpromotion };
        let plans = vec![Plan::from_random(tags(seed, &["5400+30", "900+10"]), &random::play(theme, seed))];
        Case { plans, ..trouble(seed, Trouble::LatePromotion) }
    }),
];

/// What is illegal or odd on the board.
pub(crate) const ODD: &[Class] = &[
    class("takebacks", |seed| trouble(seed, Trouble::Takeback)),
    class("illegal, corrected", |seed| trouble(seed, Trouble::IllegalCorrected)),
    class("illegal, stands", |seed| trouble(seed, Trouble::IllegalStands)),
    class("knocked over", |seed| trouble(seed, Trouble::KnockedOver)),
    unread("rook as a queen", |seed| Case {
        operator: Operator::Explains,
        ..ending(seed, Trouble::UpsideDown, endings::new_queen)
    }),
    unread("piece read as another", |seed| trouble(seed, Trouble::Misread)),
];

/// What clocks do.
pub(crate) const CLOCKS: &[Class] = &[
    class("forgotten presses", |seed| {
        let mut case = human(seed);
        case.settings.play.forgetful = true;
        case
    }),
    class("odd presses", |seed| trouble(seed, Trouble::OddPresses)),
    class("clock turned round", |seed| {
        let mut case = human(seed);
        case.settings.white_side = other_side(case.settings.white_side);
        case
    }),
    class("arbiter at the clock", |seed| trouble(seed, Trouble::Arbiter)),
    class("stopped in hand", |seed| trouble(seed, Trouble::StoppedInHand)),
    class("loose clock", |seed| trouble(seed, Trouble::LooseClock)),
    class("clock off", |seed| trouble(seed, Trouble::ClockOff)),
    class("noisy clock", |seed| defect(seed, Defect::NoisyClock)),
    class("Bronstein", |seed| bonus(seed, &["300+3", "900+10"], Bonus::Bronstein)),
    class("US delay", |seed| bonus(seed, &["300+3", "900+10"], Bonus::Delay)),
    class("byo-yomi", |seed| bonus(seed, &["60", "180"], Bonus::ByoYomi { seconds: 10, periods: 5 })),
    class("periods", |seed| {
        let mut case = Case { plans: plans(seed, &["20/600+5:10/300+5:120+5", "10/120:10/120:60"]), ..human(seed) };
        case.plans.iter_mut().for_each(|plan| plan.clock.counts_moves = seed % 4 < 2);
        case
    }),
    class("Armageddon", |seed| {
        let mut case = human(seed);
        // Five minutes against four, or with three seconds a move from move 61 on.
        let (white, black) = if seed % 2 == 0 { ("300", "240") } else { ("60/300:0+3", "60/240:0+3") };
        case.plans = case.plans.into_iter().map(|plan| plan.with_controls(white, black)).collect();
        case
    }),
    class("flag fall", |seed| Case { plans: plans(seed, &["60", "120+1", "300"]), ..trouble(seed, Trouble::FlagFall) }),
];

/// How games begin.
pub(crate) const BEGINNINGS: &[Class] = &[
    class("late start", |seed| trouble(seed, Trouble::LateStart)),
    class("wrong start", |seed| trouble(seed, Trouble::WrongStart)),
    unread("start mended late", |seed| trouble(seed, Trouble::CorrectedLate)),
    unread("joined, log", |seed| joined(seed, false, Operator::Absent)),
    unread("joined, told", |seed| joined(seed, true, Operator::NamesPosition(joined_at(seed)))),
    unread("joined, dump only", |seed| joined(seed, true, Operator::Absent)),
    class("only stands there", |seed| {
        let mut case = Case { expects: Expects::Nothing, ..joined(seed, true, Operator::Absent) };
        case.settings.play.troubles = Trouble::NoResultShown.into();
        case.plans.truncate(1);
        case.plans[0].plies.truncate(joined_at(seed) as usize);
        case
    }),
    class("start from a FEN", |seed| from_middle_games(human(seed))),
    class("next game at once", |seed| trouble(seed, Trouble::NextAtOnce)),
    class("board turned", |seed| trouble(seed, Trouble::BoardTurned)),
];

/// How games end.
pub(crate) const ENDINGS: &[Class] = &[
    class("kings one by one", |seed| trouble(seed, Trouble::KingsOneByOne)),
    class("kings near the centre", |seed| ending(seed, Trouble::None, endings::kings_walk)),
    class("kings late, near the centre", |seed| ending(seed, Trouble::KingsOneByOne, endings::kings_walk)),
    class("kings walk, no sign", |seed| ending(seed, Trouble::NoResultShown, endings::kings_walk)),
    prompt("kings walk, no clock", |seed| {
        let mut case = ending(seed, Trouble::NoResultShown, endings::kings_walk);
        case.settings.play.clock = false;
        case
    }),
    class("pieces in the way", |seed| trouble(seed, Trouble::PushedAside)),
    class("result piece", |seed| trouble(seed, Trouble::ResultPiece)),
    class("no sign", |seed| trouble(seed, Trouble::NoResultShown)),
    prompt("no sign, no clock", |seed| {
        let mut case = trouble(seed, Trouble::NoResultShown);
        case.settings.play.clock = false;
        case
    }),
    unread("last move not pressed, no sign", |seed| {
        let mut case = human(seed);
        let next = if seed % 4 < 2 { Trouble::NoResultShown } else { Trouble::NextAtOnce };
        case.settings.play.troubles = Troubles::from(Trouble::LastNotPressed).with(next);
        case
    }),
    class("analysis after", |seed| trouble(seed, Trouble::Analysis)),
    class("five repetitions", |seed| {
        let game = random::play(Theme::Agreement, seed);
        let game = endings::repeated(&Chess::default(), &game, 5, seed);
        let plans = vec![Plan::from_random(tags(seed, &["300+3", "900+10"]), &game)];
        Case { plans, ..trouble(seed, Trouble::NoResultShown) }
    }),
    class("75 moves", |seed| ending(seed, Trouble::NoResultShown, endings::without_progress)),
    class("dead position", |seed| ending(seed, Trouble::NoResultShown, endings::dead)),
    class("stalemate", |seed| {
        let plans = vec![Plan::from_random(tags(seed, &["300+3", "900+10"]), &random::play(Theme::Stalemate, seed))];
        Case { plans, ..human(seed) }
    }),
];

/// What lines and boards do.
pub(crate) const LINES: &[Class] = &[
    unread("bad line", |seed| defect(seed, Defect::Line { per_mille: 2, fault: LineFault::Any })),
    unread("very bad line", |seed| defect(seed, Defect::Line { per_mille: 15, fault: LineFault::Any })),
    unread("messages reordered", |seed| defect(seed, Defect::Line { per_mille: 30, fault: LineFault::Overtaken })),
    unread("messages cut short", |seed| defect(seed, Defect::Line { per_mille: 15, fault: LineFault::Cut })),
    unread("noise between messages", |seed| defect(seed, Defect::Line { per_mille: 30, fault: LineFault::Noise })),
    unread("line stands still", |seed| defect(seed, Defect::StandsStill { messages: 20 })),
    unread("dead square found", |seed| Case { expects: Expects::Decided, ..defect(seed, Defect::DeadSquare) }),
    class("dead square declared", |seed| Case {
        operator: Operator::DeclaresBlind,
        expects: Expects::Decided,
        ..defect(seed, Defect::DeadSquare)
    }),
    class("flicker", |seed| defect(seed, Defect::Flicker { in_dumps: false })),
    unread("gap of 1 to 6 plies", |seed| gap(seed, 1 + seed % 6)),
    unread("gap of 7 to 20 plies", |seed| gap(seed, 7 + seed % 14)),
    unread("gap, no log", |seed| {
        let mut case = gap(seed, 1 + seed % 6);
        case.out.iter_mut().for_each(|out| out.how = Loss::CableAndPower);
        Case { expects: Expects::AnyOrder, operator: Operator::Explains, ..case }
    }),
];

/// What people at the dashboard do.
pub(crate) const OPERATORS: &[Class] = &[
    unread("a move replaced", |seed| slip(seed, Slip::Replaces)),
    unread("moves inserted", |seed| slip(seed, Slip::Inserts)),
    unread("moves deleted", |seed| slip(seed, Slip::Deletes)),
    class("a position set", |seed| {
        let at = joined_at(seed);
        Case { operator: Operator::NamesPosition(at), expects: Expects::Split(at as usize), ..human(seed) }
    }),
];

/// Chess960.
pub(crate) const CHESS960: &[Class] = &[
    class("chess960", |seed| chess960(human(seed), true)),
    class("chess960, not told", |seed| chess960(human(seed), false)),
    prompt("chess960, no clock", |seed| chess960(case(seed, Style::Human, false), true)),
    class("chess960, takebacks", |seed| chess960(trouble(seed, Trouble::Takeback), true)),
    class("chess960, knocked over", |seed| chess960(trouble(seed, Trouble::KnockedOver), true)),
    class("chess960, late start", |seed| chess960(trouble(seed, Trouble::LateStart), true)),
    unread("chess960, gap", |seed| chess960(gap(seed, 1 + seed % 6), true)),
    unread("chess960, very bad line", |seed| {
        chess960(defect(seed, Defect::Line { per_mille: 15, fault: LineFault::Any }), true)
    }),
];

/// What boards do now and then, and what nobody can know.
pub(crate) const RARE: &[Class] = &[
    class("illegal, stands, no clock", |seed| {
        let mut case = trouble(seed, Trouble::IllegalStands);
        case.settings.play.clock = false;
        case
    }),
    class("dead square, from a FEN", |seed| {
        let case = Case { operator: Operator::DeclaresBlind, ..defect(seed, Defect::DeadSquare) };
        Case { expects: Expects::Decided, ..from_middle_games(case) }
    }),
    unread("stuck piece", |seed| Case { expects: Expects::Decided, ..defect(seed, Defect::Ghost) }),
    unread("two squares together", |seed| Case { expects: Expects::Decided, ..defect(seed, Defect::Crosstalk) }),
    class("log nobody asked for", |seed| defect(seed, Defect::UnaskedLog)),
    class("flicker in dumps", |seed| defect(seed, Defect::Flicker { in_dumps: true })),
    unread("power lost", |seed| {
        let mut case = gap(seed, 1 + seed % 6);
        case.out.iter_mut().for_each(|out| out.how = Loss::Power);
        Case { expects: Expects::AnyOrder, operator: Operator::Explains, ..case }
    }),
    unread("power back before the line", |seed| {
        let mut case = gap(seed, LOGGED_PLIES + 1 + seed % 6);
        case.out.iter_mut().for_each(|out| out.how = Loss::PowerBeforeLine);
        Case { expects: Expects::AnyOrder, operator: Operator::Explains, ..case }
    }),
    unread("gap, two explanations", |seed| {
        let (plan, from) = two_ways::game(seed, tags(seed, &["300+3", "5400+30", "900"]));
        let out = Some(Out { from, until: from + two_ways::PLIES, how: Loss::CableAndPower });
        let plans = vec![plan, plans(seed, &["300+3"]).remove(1)];
        Case { plans, out, expects: Expects::Asked, operator: Operator::Explains, ..human(seed) }
    }),
];

/// All classes.
pub(crate) fn all() -> impl Iterator<Item = &'static Class> {
    [HANDS, ODD, CLOCKS, BEGINNINGS, ENDINGS, LINES, OPERATORS, CHESS960, RARE].into_iter().flatten()
}

fn bonus(seed: u64, controls: &[&str], bonus: Bonus) -> Case {
    let mut case = Case { plans: plans(seed, controls), ..human(seed) };
    for plan in &mut case.plans {
        plan.clock.bonus = bonus;
        if seed % 2 == 1 {
            plan.tags.set("TimeControl", "?");
        }
    }
    case
}

fn gap(seed: u64, plies: u64) -> Case {
    let from = 4 + seed * 7 % 20;
    Case { out: Some(Out { from, until: from + plies, how: Loss::Cable }), ..human(seed) }
}

/// The ply after which the program is started.
fn joined_at(seed: u64) -> u64 {
    6 + seed * 5 % 16
}

/// The program is started in the middle of the first game.
fn joined(seed: u64, forgets: bool, operator: Operator) -> Case {
    let at = joined_at(seed);
    let how = if forgets { Loss::CableAndPower } else { Loss::Cable };
    let expects = if forgets { Expects::From(at as usize) } else { Expects::Whole };
    Case { out: Some(Out { from: 0, until: at, how }), operator, expects, ..human(seed) }
}

fn slip(seed: u64, slip: Slip) -> Case {
    Case { operator: Operator::Errs(6 + seed * 5 % 16, slip), ..human(seed) }
}

/// A game from an ending that the pairing names.
fn ending(seed: u64, how: Trouble, game: fn(u64) -> (Chess, RandomGame)) -> Case {
    let (start, game) = game(seed);
    let plans = vec![Plan::from_random_at(tags(seed, &["300+3", "900+10"]), start, &game)];
    from_positions(Case { plans, ..trouble(seed, how) }, Variant::Standard)
}

/// Games from positions that the pairing names.
fn from_middle_games(case: Case) -> Case {
    let seed = case.settings.seed;
    let plans = [seed, seed + 1_000].map(|seed| {
        let (start, game) = middle_game(seed);
        Plan::from_random_at(tags(seed, &["300+3", "900+10"]), start, &game)
    });
    from_positions(Case { plans: plans.into(), ..case }, Variant::Standard)
}

/// A position from the middle of a random game or, for every third seed, of one that was really played; and a game from there.
fn middle_game(seed: u64) -> (Chess, RandomGame) {
    let random = || {
        let moves = random::play(Theme::Agreement, seed).moves.into_iter().take(9 + (seed % 7) as usize);
        moves.fold(Chess::default(), |position, m| position.play(m).unwrap())
    };
    let start = if seed % 3 == 2 { played_position(seed) } else { random() };
    let game = random::play_from(&start, Theme::Agreement, seed + 1);
    (start, game)
}
