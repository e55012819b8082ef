//! Golden files: the writer's output, byte by byte.

use notation::pgn::{Element, Game, Outcome, Tags, write_game};
use notation::time::Times;

use super::{moves, read_all, read_one, second_reader, write_all};

/// The standard's own example of the export format.
const FISCHER_SPASSKY: &str = include_str!("golden/fischer-spassky.pgn");
/// A game with every piece but the pawns given away, and the game of the clock proposal with its clocks.
const IMMORTAL: &str = include_str!("golden/immortal.pgn");
const BELIAVSKY_TIMMAN: &str = include_str!("golden/beliavsky-timman.pgn");
const ANNOTATED: &str = include_str!("golden/annotated.pgn");
const BLACK_BEGINS: &str = include_str!("golden/black-begins.pgn");
pub(super) const PAIRINGS: &str = include_str!("golden/pairings.pgn");

#[test]
fn export_format_comes_back_byte_for_byte() {
    for text in [FISCHER_SPASSKY, IMMORTAL, BELIAVSKY_TIMMAN, ANNOTATED, BLACK_BEGINS, PAIRINGS] {
        let games = read_all(text);
        assert_eq!(write_all(&games), text);
        assert_eq!(second_reader::read(text), games.iter().map(second_reader::expected).collect::<Vec<_>>());
    }
}

/// The clock proposal prints its game in the import format: tags in another order, no number after a comment, no result
/// after the moves (PGN supplement, 8).
#[test]
fn the_game_of_the_clock_proposal_is_brought_to_export_format() {
    let printed = r#"[Event "?"]
[Site "Madrid"]
[Date "1995.??.??"]
[White "Beliavsky, A "]
[Black "Timman, J "]
[Result "1-0"]
[ECO "E35"]
[Round "2"]
[TimeControl "40/7200:3600"]
[WhiteClock "2:00:00"]
[BlackClock "2:00:00"]
[Clock "W/1:34:56"]

1. d4 {[%clk 1:59:01]} Nf6 {[%clk 1:59:32] Timman hesitates slightly} 2. c4
{[%clk 1:58:00]} e6 {[%clk 1:57:01]} 3. Nc3 {[%clk 1:37:00] Beliavsky clearly
suprised here takes a full [%emt 0:20:00] on this move} Bb4 {[%clk 1:54:25]}
"#;
    let game = read_one(printed);
    assert_eq!(write_game(&game), BELIAVSKY_TIMMAN);
    let clocks: Vec<_> = game.line().map(|ply| (ply.times().clk_ms, ply.times().emt_ms)).collect();
    let ms = |hours: u64, minutes: u64, seconds: u64| Some(((hours * 60 + minutes) * 60 + seconds) * 1000);
    assert_eq!(
        clocks,
        [
            (ms(1, 59, 1), None),
            (ms(1, 59, 32), None),
            (ms(1, 58, 0), None),
            (ms(1, 57, 1), None),
            (ms(1, 37, 0), ms(0, 20, 0)),
            (ms(1, 54, 25), None),
        ]
    );
}

#[test]
fn every_line_end_and_a_byte_order_mark_mean_the_same_games() {
    for text in [FISCHER_SPASSKY, IMMORTAL, BELIAVSKY_TIMMAN, ANNOTATED, BLACK_BEGINS, PAIRINGS] {
        let games = read_all(text);
        for line_end in ["\r\n", "\r", "\r\r\n"] {
            assert_eq!(read_all(&text.replace('\n', line_end)), games, "{line_end:?}");
        }
        assert_eq!(read_all(&format!("\u{feff}{text}\u{feff}{text}")), [&games[..], &games[..]].concat());
    }
}

/// Built by hand, so that reader and writer cannot be wrong together.
#[test]
fn an_annotated_game_is_written_as_the_standard_wants_it() {
    let mut movetext = Vec::new();
    let mut add = |element| movetext.push(element);
    let san = |san: &str| Element::Move(san.parse().expect("SAN"));
    let say = |text: &str| Element::Comment(text.to_owned());
    let clock = |clk_s: u64, emt_s: u64| {
        let (clk_ms, emt_ms) = (Some(clk_s * 1000 + 999), Some(emt_s * 1000));
        Element::Comment(Times { clk_ms, emt_ms, ..Times::default() }.commands())
    };
    add(say("The clock of board 12 was\nstarted two minutes late; the arbiter added  the time to both sides."));
    add(san("f3"));
    add(clock(5425, 5));
    add(san("e5"));
    add(clock(5428, 2));
    add(say("An inviting answer"));
    add(san("g4"));
    add(Element::Nag(4));
    add(clock(5390, 65));
    add(say("[%csl Re1,Rh4]"));
    add(Element::Open);
    for written in ["e4", "Nc6", "d3"] {
        add(san(written));
    }
    add(say("solid"));
    add(Element::Open);
    add(san("c3"));
    add(Element::Nag(5));
    add(san("d5"));
    add(san("Qa4"));
    add(Element::Close);
    add(san("d5"));
    add(Element::Nag(1));
    add(Element::Close);
    add(Element::Open);
    add(san("Nh3"));
    add(Element::Close);
    add(san("Qh4#"));
    add(clock(5441, 17));
    add(say(""));
    add(say("The shortest mate"));
    add(say("Ada was watching."));
    let game = Game {
        tags: [
            ("WhiteElo", "1984"),
            ("TimeControl", "5400+30"),
            ("Black", "O'Neil, Tom \\ Team B"),
            ("White", "Müller, Eva"),
            ("Round", "3.12"),
            ("Result", "*"),
            ("Date", "2026.11.20"),
            ("Site", "Graz, Austria"),
            ("Event", "Club Evening \"Open Door\""),
            ("Board", "12"),
        ]
        .into_iter()
        .collect(),
        movetext,
        outcome: Outcome::BlackWins,
    };
    assert_eq!(write_game(&game), ANNOTATED);
}

#[test]
fn a_game_of_which_nothing_is_known_has_its_roster() {
    let text = write_game(&Game { movetext: vec![Element::Move("e4".parse().expect("SAN"))], ..Game::default() });
    let tags = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n";
    assert_eq!(text, format!("{tags}\n1. e4 *\n\n"));
}

#[test]
fn a_start_position_sets_number_side_and_setup() {
    let mut games = read_all(BLACK_BEGINS);
    assert_eq!(moves(&games[0]), "Kd5 Ke3 Ke5 d4+ Kd5 Kd3");
    games[0].tags.remove("SetUp");
    assert_eq!(write_all(&games), BLACK_BEGINS);
    for (fen, first) in
        [("8/8/8/8/8/8/8/8 w - - 0 7", "7. Kd5"), ("8/8 b", "1... Kd5"), ("", "1. Kd5"), ("8 b - - 0 0", "1... Kd5")]
    {
        games[0].tags.set("FEN", fen);
        assert!(write_all(&games).contains(&format!("\n\n{first} ")), "{fen}");
    }
}

#[test]
fn no_comment_can_break_the_file() {
    let told = "a } b { c\0d\n\n[Event \"x\"]\n%hidden ; \" [%clk $1 ( 1-0";
    let game = Game {
        tags: Tags::new(),
        movetext: vec![
            Element::Move("e4".parse().expect("SAN")),
            Element::Comment(told.repeat(9)),
            Element::Move("e5".parse().expect("SAN")),
        ],
        ..Game::default()
    };
    let text = write_game(&game);
    let games = read_all(&text);
    assert_eq!(moves(&games[0]), "e4 e5");
    assert!(
        games[0]
            .line()
            .flat_map(|ply| ply.comments())
            .any(|comment| comment.starts_with("a ) b ( c d [Event \"x\"] %hidden ; \" [%clk $1 ( 1-0a )")),
        "{text}"
    );
    assert_eq!(write_all(&games), text);
    assert_eq!(second_reader::read(&text), [second_reader::expected(&games[0])]);
    let movetext = text.split_once("\n\n").map_or("", |(_, movetext)| movetext);
    assert!(
        movetext.lines().all(|line| line.len() < 80 && (line.starts_with("[%") || !line.starts_with(['%', '[']))),
        "{text}"
    );
}
