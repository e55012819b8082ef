//! Games by chance, every move of them legal.

use notation::pgn::{Game, Line, Outcome, Ply, Tags, is_tag_name};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Position};

const STARTS: [&str; 3] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 2 23",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 120",
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
];

/// What is said about a move; `choice` picks one of the legal moves.
#[derive(Debug, Clone)]
struct Plan {
    choice: usize,
    notes: Ply,
    variations: Vec<Vec<Plan>>,
}

/// A game in the form that a reader gives: whole roster, comments with single spaces, times in
/// whole seconds.
pub(super) fn game() -> impl Strategy<Value = Game> {
    let start = option::weighted(0.3, proptest::sample::select(&STARTS[..]));
    (start, tags(), vec(comment(), 0..2), vec(plan(), 0..40), outcome()).prop_map(
        |(start, mut tags, comments, plans, outcome)| {
            if let Some(fen) = start {
                tags.set("FEN", fen);
                tags.set("SetUp", "1");
            }
            tags.set("Result", outcome.as_str());
            Game { tags, comments, line: play(&position(start), &plans), outcome }
        },
    )
}

fn position(start: Option<&str>) -> Chess {
    start.map_or_else(Chess::default, |fen| {
        let fen: Fen = fen.parse().expect("a FEN");
        fen.into_position(CastlingMode::Standard).expect("a legal position")
    })
}

fn play(start: &Chess, plans: &[Plan]) -> Line {
    let mut position = start.clone();
    let mut line = Line::new();
    for plan in plans {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let variations = plan.variations.iter().map(|plans| play(&position, plans)).collect();
        let san = SanPlus::from_move_and_play_unchecked(&mut position, legal[plan.choice % legal.len()]);
        line.push(Ply { san: san.to_string(), variations, ..plan.notes.clone() });
    }
    line
}

fn plan() -> impl Strategy<Value = Plan> {
    fn with(variations: impl Strategy<Value = Vec<Vec<Plan>>>) -> impl Strategy<Value = Plan> {
        (any::<usize>(), notes(), variations).prop_map(|(choice, notes, variations)| Plan { choice, notes, variations })
    }
    let bare = with(Just(Vec::new()));
    bare.prop_recursive(4, 24, 4, |inner| with(prop_oneof![9 => Just(Vec::new()), 1 => vec(vec(inner, 1..4), 1..3)]))
}

fn notes() -> impl Strategy<Value = Ply> {
    let time = || option::weighted(0.7, (0..36_000_u64).prop_map(|seconds| seconds * 1000));
    let nags = prop_oneof![8 => Just(Vec::new()), 1 => vec(any::<u8>(), 1..3)];
    let comments = prop_oneof![8 => Just(Vec::new()), 1 => vec(comment(), 1..3)];
    (nags, time(), time(), comments).prop_map(|(nags, clk_ms, emt_ms, comments)| Ply {
        nags,
        clk_ms,
        emt_ms,
        comments,
        ..Ply::default()
    })
}

/// Few enough words that even the stickiest of them fit on a line.
fn comment() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        20 => "[!-$&-Z^-z~äöß½“”…]{1,14}",
        1 => proptest::sample::select(&["[%csl Ra1,Gb2]", "[%x]", "[Event", "\"x\"]", "%off", "%", "[", "]", "[%clk"][..])
            .prop_map(str::to_owned),
    ];
    vec(word, 1..8)
        .prop_map(|words| words.join(" "))
        .prop_filter("a clock is no comment", |text| !text.contains("[%clk "))
}

fn tags() -> impl Strategy<Value = Tags> {
    let roster = ["Event", "Site", "Date", "Round", "White", "Black"].map(|name| (Just(name.to_owned()), "\\PC{1,30}"));
    let further = vec(("[A-Za-z0-9][A-Za-z0-9_]{0,9}", "\\PC{0,30}"), 0..6);
    (roster.to_vec(), further).prop_map(|(roster, further)| {
        let further = further.into_iter().filter(|(name, _)| is_tag_name(name) && name != "FEN" && name != "SetUp");
        further.chain(roster).collect()
    })
}

pub(super) fn outcome() -> impl Strategy<Value = Outcome> {
    proptest::sample::select(&[Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::Unknown][..])
}
