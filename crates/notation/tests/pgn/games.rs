//! Random games of legal moves.

use notation::pgn::{Element, Game, Outcome, Tags, is_tag_name};
use notation::time::Times;
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

/// A move with its annotations; `choice` picks one of the legal moves.
#[derive(Debug, Clone)]
struct Plan {
    choice: usize,
    nags: Vec<u8>,
    comments: Vec<String>,
    /// A comment before the first move, if the plan begins a variation.
    introduction: Option<String>,
    variations: Vec<Vec<Plan>>,
}

/// A game in the form that a reader returns: complete roster, comments with single spaces, times in
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
            let mut movetext: Vec<Element> = comments.into_iter().map(Element::Comment).collect();
            play(&position(start), &plans, &mut movetext);
            Game { tags, movetext, outcome }
        },
    )
}

fn position(start: Option<&str>) -> Chess {
    start.map_or_else(Chess::default, |fen| {
        let fen: Fen = fen.parse().expect("a FEN");
        fen.into_position(CastlingMode::Standard).expect("a legal position")
    })
}

/// Adds the planned moves from a position; nothing without a legal move.
fn play(start: &Chess, plans: &[Plan], movetext: &mut Vec<Element>) {
    let mut position = start.clone();
    for plan in plans {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let before = position.clone();
        let choice = legal[plan.choice % legal.len()];
        movetext.push(Element::Move(SanPlus::from_move_and_play_unchecked(&mut position, choice)));
        movetext.extend(plan.nags.iter().copied().map(Element::Nag));
        movetext.extend(plan.comments.iter().cloned().map(Element::Comment));
        for variation in &plan.variations {
            movetext.push(Element::Open);
            movetext.extend(variation.first().and_then(|plan| plan.introduction.clone()).map(Element::Comment));
            play(&before, variation, movetext);
            movetext.push(Element::Close);
        }
    }
}

fn plan() -> impl Strategy<Value = Plan> {
    fn with(variations: impl Strategy<Value = Vec<Vec<Plan>>>) -> impl Strategy<Value = Plan> {
        (any::<usize>(), nags(), comments(), option::weighted(0.3, comment()), variations).prop_map(
            |(choice, nags, comments, introduction, variations)| Plan {
                choice,
                nags,
                comments,
                introduction,
                variations,
            },
        )
    }
    let bare = with(Just(Vec::new()));
    bare.prop_recursive(4, 24, 4, |inner| with(prop_oneof![9 => Just(Vec::new()), 1 => vec(vec(inner, 1..4), 1..3)]))
}

fn nags() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![8 => Just(Vec::new()), 1 => vec(any::<u8>(), 1..3)]
}

/// Comments after a move, the first with the clock.
fn comments() -> impl Strategy<Value = Vec<String>> {
    let time = || option::weighted(0.7, (0..36_000_u64).prop_map(|seconds| seconds * 1000));
    let told = prop_oneof![8 => Just(Vec::new()), 1 => vec(comment(), 1..3)];
    (time(), time(), told).prop_map(|(clk_ms, emt_ms, mut told)| {
        let clock = Times { clk_ms, emt_ms, ..Times::default() }.commands();
        match told.first_mut() {
            _ if clock.is_empty() => {}
            Some(first) => first.insert_str(0, &format!("{clock} ")),
            None => told.push(clock),
        }
        told
    })
}

/// Words; few enough that words that must stay together fit on a line.
fn comment() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        20 => "[!-$&-Z^-z~äöß½“”…]{1,14}",
        1 => proptest::sample::select(&["[%csl Ra1,Gb2]", "[%x]", "[Event", "\"x\"]", "%off", "%", "[", "]", "[%clk"][..])
            .prop_map(str::to_owned),
    ];
    vec(word, 1..8)
        .prop_map(|words| words.join(" "))
        .prop_filter("commands alone share the braces of a neighbour", |text| {
            !text.contains("[%clk ") && text.split("[%").next().is_some_and(|words| !words.is_empty())
        })
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
