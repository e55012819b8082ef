//! Files that are right to the byte.

use notation::pgn::{Game, Outcome, Ply, Tags, write_game};

use super::{moves, read_all, second_reader, write_all};

/// The standard's own example of the export format.
const FISCHER_SPASSKY: &str = include_str!("golden/fischer-spassky.pgn");
const ANNOTATED: &str = include_str!("golden/annotated.pgn");
const BLACK_BEGINS: &str = include_str!("golden/black-begins.pgn");
pub(super) const PAIRINGS: &str = include_str!("golden/pairings.pgn");

#[test]
fn export_format_comes_back_byte_for_byte() {
    for text in [FISCHER_SPASSKY, ANNOTATED, BLACK_BEGINS, PAIRINGS] {
        let games = read_all(text);
        assert_eq!(write_all(&games), text);
        assert_eq!(second_reader::read(text), games.iter().map(second_reader::expected).collect::<Vec<_>>());
    }
}

#[test]
fn every_line_end_and_a_byte_order_mark_mean_the_same_games() {
    for text in [FISCHER_SPASSKY, ANNOTATED, BLACK_BEGINS, PAIRINGS] {
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
    let ply = |san: &str, clk_s: u64, emt_s: u64| Ply {
        clk_ms: Some(clk_s * 1000 + 999),
        emt_ms: Some(emt_s * 1000),
        ..Ply::new(san)
    };
    let line = |moves: &[&str]| moves.iter().copied().map(Ply::new).collect::<Vec<_>>();
    let mut solid = line(&["e4", "Nc6", "d3", "d5"]);
    solid[2].comments = vec!["solid".to_owned()];
    solid[2].variations = vec![line(&["c3", "d5", "Qa4"])];
    solid[2].variations[0][0].nags = vec![5];
    solid[3].nags = vec![1];
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
        comments: vec![
            "The clock of board 12 was\nstarted two minutes late; the arbiter added  the time to both sides."
                .to_owned(),
        ],
        line: vec![
            ply("f3", 5425, 5),
            Ply { comments: vec!["An inviting answer".to_owned()], ..ply("e5", 5428, 2) },
            Ply {
                nags: vec![4],
                comments: vec!["[%csl Re1,Rh4]".to_owned()],
                variations: vec![solid, line(&["Nh3"])],
                ..ply("g4", 5390, 65)
            },
            Ply {
                comments: vec![String::new(), "The shortest mate".to_owned(), "Ada was watching.".to_owned()],
                ..ply("Qh4#", 5441, 17)
            },
        ],
        outcome: Outcome::BlackWins,
    };
    assert_eq!(write_game(&game), ANNOTATED);
}

#[test]
fn a_game_of_which_nothing_is_known_has_its_roster() {
    let text = write_game(&Game { line: vec![Ply::new("e4")], ..Game::default() });
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
        line: vec![Ply { comments: vec![told.repeat(9)], ..Ply::new("e4") }, Ply::new("e5")],
        ..Game::default()
    };
    let text = write_game(&game);
    let games = read_all(&text);
    assert_eq!(moves(&games[0]), "e4 e5");
    assert!(
        games[0].line[0].comments[0].starts_with("a ) b ( c d [Event \"x\"] %hidden ; \" [%clk $1 ( 1-0a )"),
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
