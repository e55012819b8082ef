//! Forms of PGN that real programs write.

use notation::pgn::Outcome;

use super::golden::PAIRINGS;
use super::{moves, movetext, read_all, read_one};

#[test]
fn a_livechess_file_gives_its_clocks() {
    let game = read_one(
        "[ePGN \"0.1;DGT LiveChess/2.2.6\"]\r\n[Event \"City Open\"]\r\n[Site \"Linz\"]\r\n[Result \"*\"]\r\n\r\n\
         1. e4 {[%clk 01:30:25]} {[%emt 00:00:05]} e5 {[%clk\r\n01:15:27]} 2. Nf3 {[%clk 0:15.16] [%emt 0:02:58.9]} Nc6 *\r\n",
    );
    assert_eq!(moves(&game), "e4 e5 Nf3 Nc6");
    let clocks: Vec<_> = game.line().map(|ply| (ply.times().clk_ms, ply.times().emt_ms)).collect();
    assert_eq!(
        clocks,
        [(Some(5_425_000), Some(5_000)), (Some(4_527_000), None), (Some(916_000), Some(178_900)), (None, None)]
    );
    let clean = "1. e4 {[%clk 1:30:25] [%emt 0:00:05]} 1... e5 {[%clk 1:15:27]} 2. Nf3 {[%clk 0:15:16] [%emt 0:02:58.9]} 2... Nc6 *";
    assert_eq!(movetext(&game), clean);
    assert_eq!(game.tags.get("ePGN"), Some("0.1;DGT LiveChess/2.2.6"));
}

#[test]
fn pairings_need_no_moves_no_result_and_no_empty_lines() {
    let pairings = read_all(PAIRINGS);
    assert_eq!(pairings.len(), 2);
    for bare in [PAIRINGS.replace("*\n\n", ""), PAIRINGS.replace("\n*\n\n", "")] {
        assert_eq!(read_all(&bare), pairings, "{bare}");
    }
    let ragged = "[Event\t\"A\" ] [Round \"1\"]\n [White\n\"Ada\"]\n\n\n\n  [Event \"A\"][Round \"2\"]\n[White \"Bo\"]";
    let games = read_all(ragged);
    let players: Vec<_> = games.iter().map(|game| (game.tags.get("Round"), game.tags.get("White"))).collect();
    assert_eq!(players, [(Some("1"), Some("Ada")), (Some("2"), Some("Bo"))]);
}

#[test]
fn values_may_hold_quotes_and_line_ends() {
    let game = read_one(
        "[Event \"The \\\"Big\\\" one \\\\ two\"]\n[White \"Smith, \"Bob\"\"]\n[Black \"a very\n long name\"]\n[Site \"C:\\dir\"]\n\n*",
    );
    assert_eq!(game.tags.get("Event"), Some("The \"Big\" one \\ two"));
    assert_eq!(game.tags.get("White"), Some("Smith, \"Bob\""));
    assert_eq!(game.tags.get("Black"), Some("a very long name"));
    assert_eq!(game.tags.get("Site"), Some("C:\\dir"));
}

#[test]
fn the_last_of_equal_tags_counts() {
    for text in ["[Board \"1\"]\n[Board \"2\"]\n\n*", "[Event \"A\"] [Event \"B\"] [Board \"2\"]\n\n*"] {
        assert_eq!(read_one(text).tags.get("Board"), Some("2"), "{text}");
    }
}

#[test]
fn empty_lines_and_repeated_tags_do_not_divide_a_game() {
    let spaced = "[Event \"A\"]\n\n[Site \"Linz\"]\n\n\n[White \"Ada\"]\r\n \r\n[Black \"Bo\"]\n\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
    let next = "[Event \"A\"]\n\n[White \"Cy\"]\n\n[Black \"Di\"]\n\n1. d4 *";
    let games = read_all(&format!("{spaced}{next}"));
    let players: Vec<_> = games.iter().map(|game| (game.tags.get("White"), game.tags.len(), moves(game))).collect();
    assert_eq!(players, [(Some("Ada"), 5, "e4".to_owned()), (Some("Cy"), 3, "d4".to_owned())]);
    // Pairings in the same form stay apart.
    assert_eq!(read_all(&format!("{spaced}{next}").replace("1. e4 1-0", "").replace("1. d4 *", "")).len(), 2);

    for repeated in [
        "[Event \"A\"]\n[White \"x\"]\n[White \"Ada\"]\n[Black \"Bo\"]\n\n1. e4 *",
        "[Event \"A\"]\n[White \"Ada\"]\n[Black \"Bo\"]\n[Result \"*\"]\n[Site \"x\"]\n[Result \"*\"]\n\n1. e4 *",
        "[Event \"x\"]\n[Event \"A\"]\n[White \"Ada\"]\n\n1. e4 *",
        "[Event \"x\"]\n[Site \"x\"]\n[Event \"A\"]\n[White \"Ada\"]\n\n1. e4 *",
    ] {
        let game = read_one(repeated);
        assert_eq!((game.tags.get("Event"), game.tags.get("White")), (Some("A"), Some("Ada")), "{repeated}");
    }
}

#[test]
fn an_escape_line_is_not_an_empty_line() {
    let game = read_one("% made by hand\n[White \"Ada\"]\n% who else\n[Board \"2\"]\n\n*");
    assert_eq!(game.tags.len(), 2);
}

#[test]
fn numbers_may_stand_anywhere_or_be_missing() {
    for text in [
        "1. e4 e5 2. Nf3 Nc6 *",
        "e4 e5 Nf3 Nc6 *",
        "1.e4 e5 2.Nf3 Nc6*",
        "1 e4 1... e5 2 Nf3 2 ... Nc6 *",
        "1.e4 1...e5 2.Nf3 2…Nc6",
        "17. e4 . e5\n%2. d4\n2\n.Nf3 ;2... d5 *\nNc6",
        "1. e4 e5 () 2. Nf3 (2. d4 *) Nc6 *",
    ] {
        let game = read_one(text);
        assert_eq!(moves(&game), "e4 e5 Nf3 Nc6", "{text}");
        assert_eq!(game.outcome, Outcome::Unknown);
    }
}

#[test]
fn moves_are_brought_to_their_usual_form() {
    let game = read_one("1. 0-0 0-0-0+ 2. exd6e.p. exd3 e.p. 3. Z0 -- 4. Qh5++ e2-e4 5. e8Q");
    assert_eq!(moves(&game), "O-O O-O-O+ exd6 exd3 -- -- Qh5+ e2e4 e8=Q");
}

#[test]
fn suffixes_and_glyphs_are_one() {
    let game = read_one("1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6 ?! $14 $ 0".trim_end_matches("$ 0"));
    assert_eq!(movetext(&game), "1. e4 $1 1... e5 $2 2. Nf3 $3 2... Nc6 $4 3. Bb5 $5 3... a6 $6 $14 *");
    // Readers of other people take no glyph behind a variation.
    let late = read_one("1. e4 $7 {x} (1. d4 {y} $2 (1. c4) $3) $8 e5 *");
    assert_eq!(movetext(&late), "1. e4 $7 $8 {x} (1. d4 $3 {y} $2 (1. c4)) 1... e5 *");
}

#[test]
fn comments_find_their_move() {
    let games = read_all(
        "{before} ; the\n [Event \"x\"] {tags}\n\n{and moves [%clk 0:10:00]}\n1. e4 ; semicolon {not nested\n e5 {one\n\n  two} {} ( {first} 1... c5 {second} \
         ( {only words} ) 2. Nf3) ( $142 1... e6 ) 2. d4 1-0 {White\nwon}\n{on time}\n\n{next} [Event \"y\"] *",
    );
    let [game, next] = &games[..] else { panic!("{games:?}") };
    assert_eq!(movetext(next), "{next} *");
    assert_eq!(
        movetext(game),
        "{before} {the} {tags} {and moves [%clk 0:10:00]} 1. e4 {semicolon {not nested} 1... e5 {one two} \
         ({first} 1... c5 {second} {only words} 2. Nf3) (1... e6 $142) 2. d4 {White won} {on time} 1-0"
            .replace("{semicolon {", "{semicolon (")
    );
    let words: Vec<_> = game.line().map(|ply| ply.comments().collect::<Vec<_>>().join("|")).collect();
    assert_eq!(words, ["semicolon {not nested", "one two", "White won|on time"]);
}

#[test]
fn every_form_of_a_result_ends_the_game() {
    for (marker, outcome) in [
        ("1-0", Outcome::WhiteWins),
        ("0–1", Outcome::BlackWins),
        ("1:0", Outcome::WhiteWins),
        ("½-½", Outcome::Draw),
        ("0.5-0.5", Outcome::Draw),
        ("1/2", Outcome::Draw),
        ("2.1/2-1/2", Outcome::Draw),
        ("*", Outcome::Unknown),
    ] {
        let games = read_all(&format!("1. e4 {marker}\n1. d4 {marker}"));
        assert_eq!(games.len(), 2, "{marker}");
        assert!(games.iter().all(|game| game.outcome == outcome), "{marker}");
    }
}

#[test]
fn the_movetext_decides_unless_it_does_not_know() {
    for (tag, movetext, outcome) in [
        ("1-0", "e4", Outcome::WhiteWins),
        ("1-0", "e4 *", Outcome::WhiteWins),
        ("*", "e4 0-1", Outcome::BlackWins),
        ("1-0", "e4 0-1", Outcome::BlackWins),
        ("+:-", "", Outcome::WhiteWins),
        ("0-0", "*", Outcome::Unknown),
    ] {
        let game = read_one(&format!("[Result \"{tag}\"]\n\n{movetext}\n"));
        assert_eq!(game.outcome, outcome, "{tag} {movetext}");
        assert_eq!(game.tags.get("Result"), Some(tag));
    }
}

#[test]
fn nothing_is_no_game() {
    for text in ["", "\u{feff}", " \r\n\t\n", "% escaped", "{only a comment}", "; only a comment"] {
        assert_eq!(read_all(text), [], "{text:?}");
    }
}
