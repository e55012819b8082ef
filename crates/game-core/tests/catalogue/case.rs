//! One case of a class: which games are played at which table, what goes wrong, and what a right record of it is.
//!
//! Knows the simulated table and the vocabulary of pairings and operators. Knows nothing of how well sessions do.

use board_sim::defects::{Defect, Defects};
use board_sim::games;
use board_sim::hands::Style;
use board_sim::placement;
use board_sim::plan::Plan;
use board_sim::random::{self, Theme};
use board_sim::script::Manners;
use board_sim::station::StationSettings;
use board_sim::trouble::Trouble;
use dgt_protocol::Field;
use game_core::event::Variant;
use game_core::input::Assign;
use game_core::line::{fen_of, start_position};
use notation::pgn::{Tags, read_games};
use shakmaty::{Chess, Square};

use crate::shared::at_hand;

/// A table, what is wrong with it, and what is to be told of it.
pub(crate) struct Case {
    pub(crate) settings: StationSettings,
    pub(crate) plans: Vec<Plan>,
    pub(crate) defect: Defect,
    /// While the board is out of reach.
    pub(crate) out: Option<Out>,
    /// What the pairing tells about each game before its pieces are set up; nothing where there is none.
    pub(crate) pairings: Vec<Assign>,
    pub(crate) operator: Operator,
    pub(crate) expects: Expects,
}

/// The board is out of reach from after one ply of the table to after another; from ply 0 on, it was never in reach before.
#[derive(Clone, Copy)]
pub(crate) struct Out {
    pub(crate) from: u64,
    pub(crate) until: u64,
    pub(crate) how: Loss,
}

/// How a board gets out of reach.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loss {
    /// The cable is pulled.
    Cable,
    /// The same, and the board has no power without it: its log does not tell what was played.
    CableAndPower,
    /// The same, but power comes back before the line does: the log tells what stood there then, and what came after.
    PowerBeforeLine,
    /// The board is without power, and nothing announces that it went or came back.
    Power,
}

/// Plies that are made after the power comes back and before the line does.
pub(crate) const LOGGED_PLIES: u64 = 3;

impl Out {
    /// From which ply on the board told its log or its line again, as far as it is announced.
    pub(crate) fn told_from(self) -> u64 {
        if self.how == Loss::PowerBeforeLine { self.until - LOGGED_PLIES } else { self.until }
    }
}

/// What a person at the dashboard does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Absent,
    /// Names the position on the board after this ply of the table: a game goes on from there.
    NamesPosition(u64),
    /// Changes the record by mistake after this ply of the table, and mends it some seconds later.
    Errs(u64, Slip),
    /// Says what was played when the board has been unexplained for a while.
    Explains,
    /// Declares before the first game that the board's defective square is blind.
    DeclaresBlind,
}

/// A mistake of an operator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slip {
    Replaces,
    Inserts,
    Deletes,
}

/// What a right record of the first game is; all later games are told whole.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expects {
    /// All of it.
    Whole,
    /// A game from the position after this ply.
    From(usize),
    /// A game to this ply, and another from there.
    Split(usize),
    /// Nothing at all, of no game.
    Nothing,
    /// All of it; in which order the plies of the gap were made is not known to anybody.
    AnyOrder,
    /// Of every game as much as the bytes of a board with a fault decide.
    Decided,
    /// All of it, when a person has told what the bytes leave open. Until then the board is unexplained, the lines that
    /// explain it are shown, and no move is told that has to be taken back.
    Asked,
}

impl Case {
    /// The square of the board's defect.
    pub(crate) fn defect_square(&self) -> Square {
        self.square_of(Defects::new(self.defect, self.settings.seed).square())
    }

    /// The square that lights up together with it, where that is the defect.
    pub(crate) fn square_beside(&self) -> Square {
        self.square_of(Defects::new(self.defect, self.settings.seed).beside())
    }

    fn square_of(&self, field: Field) -> Square {
        let square = |&square: &Square| placement::field(square, self.settings.rotated) == Some(field);
        Square::ALL.into_iter().find(square).expect("every field has a square")
    }
}

pub(crate) fn settings(seed: u64, style: Style, clock: bool) -> StationSettings {
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

pub(crate) fn tags(seed: u64, controls: &[&str]) -> Tags {
    let mut tags = Tags::new();
    tags.set("White", format!("White {seed}"));
    tags.set("Black", format!("Black {seed}"));
    tags.set("TimeControl", controls[(seed % controls.len() as u64) as usize]);
    tags
}

/// A random game, and another or, for every fourth seed, one that was really played.
pub(crate) fn plans(seed: u64, controls: &[&str]) -> Vec<Plan> {
    let random = |seed: u64| {
        let theme = Theme::ALL[(seed % Theme::ALL.len() as u64) as usize];
        Plan::from_random(tags(seed, controls), &random::play(theme, seed))
    };
    let second = if seed % 4 == 3 { played(seed / 4, tags(seed, controls)) } else { None };
    vec![random(seed), second.unwrap_or_else(|| random(seed + 1_000))]
}

/// One of twelve games of masters, or the one whose bytes were captured if it is at hand; without its times.
fn played(number: u64, tags: Tags) -> Option<Plan> {
    let mut game = match usize::try_from(number % 13).ok()? {
        12 => read_games(&String::from_utf8(at_hand("captures/blitz-real-1.moves")?).ok()?).next()?.ok()?,
        number => games::shipped().unwrap().into_iter().nth(number)?,
    };
    game.tags = tags;
    let mut plan = Plan::from_pgn(&game).ok()?;
    plan.plies.iter_mut().for_each(|ply| ply.clk_ms = None);
    Some(plan)
}

/// A position that was really played, if the streams of real moves are at hand.
pub(crate) fn played_position(number: u64) -> Option<Chess> {
    let vectors: serde_json::Value = serde_json::from_slice(&at_hand("protocol/vectors.json")?).ok()?;
    let streams = vectors["move_streams"].as_array()?;
    let fens: Vec<_> = streams.iter().filter_map(|stream| stream["fen_before"].as_str()).collect();
    start_position(fens.get(number as usize % fens.len().max(1))?, Variant::Standard).ok()
}

pub(crate) fn case(seed: u64, style: Style, clock: bool) -> Case {
    let plans = plans(seed, &["300+3", "5400+30", "180+2", "40/5400+30:1800+30", "900"]);
    Case {
        settings: settings(seed, style, clock),
        plans,
        defect: Defect::None,
        out: None,
        pairings: Vec::new(),
        operator: Operator::Absent,
        expects: Expects::Whole,
    }
}

/// Human hands at a table with a clock.
pub(crate) fn human(seed: u64) -> Case {
    case(seed, Style::Human, true)
}

pub(crate) fn trouble(seed: u64, trouble: Trouble) -> Case {
    let mut case = human(seed);
    case.settings.manners.trouble = trouble;
    case
}

pub(crate) fn defect(seed: u64, defect: Defect) -> Case {
    Case { defect, ..human(seed) }
}

/// Games that the pairing lets begin at other positions than the usual one.
pub(crate) fn from_positions(case: Case, variant: Variant) -> Case {
    let pairing = |plan: &Plan| Assign { fen: Some(fen_of(&plan.start)), variant, ..Assign::default() };
    let pairings = case.plans.iter().map(pairing).collect();
    Case { pairings, ..case }
}

/// A Chess960 game, which the pairing told or did not tell.
pub(crate) fn chess960(case: Case, told: bool) -> Case {
    let seed = case.settings.seed;
    let start = random::chess960_start(u32::try_from(seed * 137 % 960).unwrap());
    let theme = [Theme::CastlingShort, Theme::CastlingLong, Theme::Agreement][(seed % 3) as usize];
    let game = random::play_from(&start, theme, seed);
    let case = Case { plans: vec![Plan::from_random_at(tags(seed, &["900+10"]), start, &game)], ..case };
    if told { from_positions(case, Variant::Chess960) } else { case }
}

/// The position of a game after so many plies.
pub(crate) fn position_after(plan: &Plan, plies: usize) -> Chess {
    let mut position = plan.start.clone();
    for ply in plan.plies.iter().take(plies) {
        shakmaty::Position::play_unchecked(&mut position, ply.m);
    }
    position
}
