//! One case of a class: which games are played at which table, what goes wrong, and what a right record of it is.
//!
//! Knows the simulated table and the vocabulary of pairings and operators. Knows nothing of how well sessions do.

use std::sync::OnceLock;

use board_sim::OwnLog;
use board_sim::defects::{Defect, Defects};
use board_sim::games;
use board_sim::hands::Style;
use board_sim::pace::Pace;
use board_sim::placement;
use board_sim::plan::Plan;
use board_sim::play_options::PlayOptions;
use board_sim::random::{self, Theme};
use board_sim::table::TableSettings;
use board_sim::trouble::{Trouble, Troubles};
use dgt_protocol::Field;
use game_core::event::Variant;
use game_core::input::Assign;
use notation::pgn::{Game, Tags, read_games};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Square, fen::Fen};

/// The moves of a club blitz game.
const BLITZ: &str = "\
    1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. d3 Bc5 5. Bxc6 dxc6 6. Nc3 O-O 7. Be3 Bd6 8. Bg5 Re8 9. h3 c5 10. Nd5 Be7 \
    11. Nxe7+ Qxe7 12. O-O h6 13. Be3 Nd7 14. Nd2 Nb8 15. f4 exf4 16. Rxf4 Nc6 17. Qh5 b6 18. Raf1 Rf8 19. Nf3 \
    Be6 20. Rh4 f6 21. Qg6 Qf7 22. Qg3 Nb4 23. Bxh6 Nxc2 24. Ne5 fxe5 25. Rxf7 Rxf7 26. Qg6 Bxa2 27. Bg5 Rff8 \
    28. Rh7 Rf7 29. Bf6 *";

/// Positions of three club games of 2022.
const PLAYED_POSITIONS: [&str; 18] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqk2r/pppp1ppp/2n2n2/1Bb1p3/4P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 1 5",
    "r1bqk2r/pppp1ppp/2B2n2/2b1p3/4P3/3P1N2/PPP2PPP/RNBQK2R b KQkq - 0 5",
    "r1bqk2r/ppp2ppp/2p2n2/2b1p3/4P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 1 6",
    "r1bqr1k1/ppp1bppp/5n2/2pNp1B1/4P3/3P1N1P/PPP2PP1/R2QK2R w KQ - 2 11",
    "r1bqr1k1/ppp1Nppp/5n2/2p1p1B1/4P3/3P1N1P/PPP2PP1/R2QK2R b KQ - 0 11",
    "r1b1r1k1/p1p1qpp1/1pn4p/2p4Q/4PR2/3PB2P/PPPN2P1/R5K1 w - - 0 18",
    "r1b2rk1/p1p1qpp1/1pn4p/2p4Q/4PR2/3PBN1P/PPP3P1/5RK1 b - - 3 19",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1r3k1/1p1bbppp/3p1n2/q1n1p3/pPP1P3/2N1BP2/P2QB1PP/1RN2RK1 b - b3 0 15",
    "rnb1k2r/ppppn1pp/5q2/2b2p2/2N1P3/2NP4/PPP2PPP/R1BQKB1R b KQkq - 0 6",
    "rnb2rk1/p2pn1pp/2p5/1p3p2/4P3/3PNQ2/PqP1NPPP/2R1KB1R b K - 1 11",
    "r4rk1/4Q2p/2ppb1p1/pp2np2/4P3/3PN1P1/PqP1NPBP/2R2RK1 b - - 0 17",
    "3r1rk1/3n1b1p/2p3p1/p1Q2P2/1p1P4/4N1P1/PqP1NPBP/2R2RK1 w - - 1 22",
    "r4bk1/2qn1pp1/1pbp4/r7/2P1Pp1P/1PN2P1B/2NR1Q1P/3R2K1 w - - 0 31",
    "r4bk1/5pp1/1pqp4/8/2PNPp1P/1r3P2/3R1Q1P/3R2K1 b - - 1 35",
    "r4bk1/2qn1pp1/1pbpn3/r3p3/2P1P2P/1PN1BP1B/2NR1Q1P/3R2K1 b - - 0 29",
    "r4bk1/2qn1pp1/1pbp4/r3p3/2P1PB1P/1PN2P1B/2NR1Q1P/3R2K1 b - - 0 30",
];

/// A table, what is wrong with it, and what is to be told of it.
pub(crate) struct Case {
    pub(crate) settings: TableSettings,
    pub(crate) plans: Vec<Plan>,
    pub(crate) defect: Defect,
    /// Defects beside the first one.
    pub(crate) more_defects: Vec<Defect>,
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
    /// The daemon is killed and started again; the board keeps its power and its mode.
    Killed,
    /// The same, and the board has no power in the meantime.
    KilledAndPower,
    /// The same, and the daemon starts with what its journal knew alone: its captures are lost.
    KilledAndCaptures,
}

/// Plies that are made after the power comes back and before the line does.
pub(crate) const LOGGED_PLIES: u64 = 3;

impl Loss {
    /// Whether the session goes on after the daemon was killed.
    pub(crate) fn continues(self) -> bool {
        matches!(self, Self::Killed | Self::KilledAndPower)
    }
}

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

pub(crate) fn settings(seed: u64, style: Style, clock: bool) -> TableSettings {
    let rotated = seed % 3 == 1;
    TableSettings {
        serial: 10_001,
        version: (1, 8),
        rotated,
        white_side: if rotated { dgt_protocol::Side::Right } else { dgt_protocol::Side::Left },
        own_log: OwnLog::Kept,
        play: PlayOptions { style, clock, forgetful: false, pace: Pace::InTurn, troubles: Troubles::default() },
        seed,
    }
}

/// The time controls of most cases.
pub(crate) const USUAL_CONTROLS: [&str; 5] = ["300+3", "5400+30", "180+2", "40/5400+30:1800+30", "900"];

pub(crate) fn tags(seed: u64, controls: &[&str]) -> Tags {
    let mut tags = Tags::new();
    tags.set("White", format!("White {seed}"));
    tags.set("Black", format!("Black {seed}"));
    tags.set("TimeControl", controls[(seed % controls.len() as u64) as usize]);
    tags
}

/// A random game, and another or, for every fourth seed, one that was really played; or two of the file of games.
pub(crate) fn plans(seed: u64, controls: &[&str]) -> Vec<Plan> {
    plans_of(seed, seed, controls)
}

/// The same, where the themes of random games follow from a number of their own.
pub(crate) fn plans_of(seed: u64, themes: u64, controls: &[&str]) -> Vec<Plan> {
    if let Some(games) = games_of_file() {
        let plan = |number: u64| without_times(&games[(number % games.len() as u64) as usize], tags(seed, controls));
        return [2 * seed, 2 * seed + 1].into_iter().map(|number| plan(number).expect("it is legal")).collect();
    }
    let random = |later: u64| {
        let theme = Theme::ALL[(themes % Theme::ALL.len() as u64) as usize];
        Plan::from_random(tags(seed + later, controls), &random::play(theme, seed + later))
    };
    let second = if seed % 4 == 3 { played(seed / 4, tags(seed, controls)) } else { None };
    vec![random(0), second.unwrap_or_else(|| random(1_000))]
}

/// The legal games of the PGN file that `BOARDCAST_PGN` names, of twenty plies and more, from the usual start.
#[expect(clippy::disallowed_methods, reason = "the file is an argument of the person who measures")]
fn games_of_file() -> Option<&'static [Game]> {
    static GAMES: OnceLock<Option<Vec<Game>>> = OnceLock::new();
    let read = || {
        let text = std::fs::read(std::env::var_os("BOARDCAST_PGN")?).expect("the file of games can be read");
        let is_whole = |game: &Game| {
            game.tags.get("FEN").is_none() && Plan::from_pgn(game).is_ok_and(|plan| plan.plies.len() >= 20)
        };
        Some(read_games(&text).filter_map(Result::ok).filter(is_whole).collect())
    };
    GAMES.get_or_init(read).as_deref()
}

/// One of twelve master games or a blitz game.
fn played(number: u64, tags: Tags) -> Option<Plan> {
    let game = match usize::try_from(number % 13).ok()? {
        12 => read_games(BLITZ).next()?.ok()?,
        number => games::shipped().unwrap().into_iter().nth(number)?,
    };
    without_times(&game, tags)
}

/// A game with other tags, without its times.
fn without_times(game: &Game, tags: Tags) -> Option<Plan> {
    let game = Game { tags, ..game.clone() };
    let mut plan = Plan::from_pgn(&game).ok()?;
    plan.plies.iter_mut().for_each(|ply| ply.clk_ms = None);
    Some(plan)
}

/// A position of a club game.
pub(crate) fn played_position(number: u64) -> Chess {
    let fen = PLAYED_POSITIONS[number as usize % PLAYED_POSITIONS.len()];
    fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
}

/// The position as a FEN, written by shakmaty alone.
pub(crate) fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

pub(crate) fn case(seed: u64, style: Style, clock: bool) -> Case {
    let plans = plans(seed, &USUAL_CONTROLS);
    Case {
        settings: settings(seed, style, clock),
        plans,
        defect: Defect::None,
        more_defects: Vec::new(),
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
    case.settings.play.troubles = trouble.into();
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
