//! A damaged game yields an error with its place; the games before and after it are read.

use notation::pgn::{
    Game, MAX_COMMENT_BYTES, MAX_GAME_BYTES, MAX_PLIES, MAX_TAG_VALUE_BYTES, MAX_TAGS, Reader, Reason, read_games,
    write_game,
};
use proptest::prelude::*;

use super::games::game;
use super::{movetext, read_all, read_one, write_all};

const BEFORE: &str = "[Event \"A\"]\n[Round \"1\"]\n\n1. e4 e5 1-0\n\n";
const AFTER: &str = "[Event \"A\"]\n[Round \"3\"]\n\n1. d4 {quiet} d5 0-1\n\n";
/// Line of the damaged game's first tag.
const FIRST_LINE: usize = 6;

/// The error of a damaged game between two valid ones.
fn error_between_neighbours(damaged: &str) -> notation::pgn::PgnError {
    let text = format!("{BEFORE}{damaged}\n\n{AFTER}");
    let mut games: Vec<_> = read_games(&text).collect();
    assert_eq!(games.len(), 3, "{games:?}");
    assert_eq!(games[0], Ok(read_one(BEFORE)));
    assert_eq!(games[2], Ok(read_one(AFTER)));
    let error = games.swap_remove(1).expect_err("the damage is noticed");
    assert_eq!(error.game, 2);
    error
}

#[test]
fn every_damage_has_its_place_and_its_sentence() {
    for (damaged, line, column, reason) in [
        ("[Event \"A\"]\n\n1. e4 resigns", 2, 7, Reason::NotAMove("resigns".to_owned())),
        ("[Event \"A\"]\n\n1. é4", 2, 4, Reason::NotAMove("é4".to_owned())),
        ("[Event \"A\"]\n\n1. e4 [%clk 1:00:00] e5", 2, 7, Reason::Stray('[')),
        ("[Event \"A\"]\n\n1. e4 <x> e5", 2, 7, Reason::Stray('<')),
        ("[Event \"A\"]\n\n1. e4\n{ never closed e5", 3, 1, Reason::OpenComment),
        ("[Event \"A\"]\n\n1. e4 (1. d4 (1. c4 d5", 2, 14, Reason::OpenVariation),
        ("[Event \"A\"]\n\n(1. d4) 1. e4", 2, 1, Reason::VariationWithoutMove),
        ("[Event \"A\"]\n[White \"Ada]\n[Black \"Bo\"]\n\n1. e4 *", 1, 8, Reason::OpenTagValue),
        ("[Event \"A\"]\n[White \"Ada\n\n1. e4 *", 1, 8, Reason::OpenTagValue),
        ("[Event \"A\"]\n [White-Elo \"1\"]\n\n1. e4 *", 1, 3, Reason::TagName("White-Elo".to_owned())),
        ("[Event \"A\"]\n[White Ada]\n\n1. e4 *", 1, 1, Reason::NotATag),
        ("[Event \"A\"]\n[]\n\n1. e4 *", 1, 1, Reason::NotATag),
    ] {
        let error = error_between_neighbours(damaged);
        assert_eq!((error.line, error.column, &error.reason), (FIRST_LINE + line, column, &reason), "{damaged}");
        assert_eq!(error.to_string(), format!("line {}, column {column}: {reason}", FIRST_LINE + line));
    }
}

/// The only game of a text, read with checks, and what was left out of it.
fn read_with_notices(text: &str) -> (Game, Vec<String>) {
    let mut reader = Reader::new().check_moves().keep_null_moves();
    reader.feed(text.as_bytes());
    reader.finish();
    let game = reader.next_game().expect("a game").unwrap_or_else(|error| panic!("{text}: {error}"));
    let notices = reader.notices().iter().map(ToString::to_string).collect();
    assert_eq!(reader.next_game(), None, "{text}");
    (game, notices)
}

#[test]
fn a_stray_token_costs_the_token() {
    for (text, kept, places) in [
        ("1. e4 {a\nb } } e5", "1. e4 {a b} 1... e5 *", &["line 2, column 5: “}”"][..]),
        ("1. e4 ) e5", "1. e4 e5 *", &["line 1, column 7: “)”"]),
        ("1. e4 $256 e5 $ 2. d4", "1. e4 e5 2. d4 *", &["line 1, column 7: a NAG", "line 1, column 15: a NAG"]),
        ("1. e4?!? e5", "1. e4 e5 *", &["line 1, column 6: “?!?”"]),
        ("1. e4 ⟳ e5", "1. e4 e5 *", &["line 1, column 7: “⟳”"]),
        ("1. e4 -- 2. d4 d5", "1. e4 -- 2. d4 d5 *", &["line 1, column 7: a null move"]),
        (
            "1. e4 (1. d4 d5 2. Kd3 (2. c4) {x} $1 c6) (1. Ke7 e5) e5 2. d4",
            "1. e4 (1. d4 d5) 1... e5 2. d4 *",
            &["line 1, column 20: the move Kd3", "line 1, column 47: the move Ke7"],
        ),
        // Glyphs that are written as characters are NAGs.
        ("1. e4 +- e5 ± 2. d4‼ d5-+ 3. Nf3+/- =", "1. e4 $18 1... e5 $16 2. d4 $3 2... d5 $19 3. Nf3 $16 $10 *", &[]),
    ] {
        let (game, notices) = read_with_notices(text);
        assert_eq!(movetext(&game), kept, "{text}");
        assert_eq!(notices.len(), places.len(), "{notices:?}");
        for (notice, place) in notices.iter().zip(places) {
            assert!(notice.starts_with(place) && notice.contains(['l', 's']), "{notice}");
        }
    }
}

#[test]
fn a_comment_that_holds_tags_is_a_comment() {
    let text = "[Event \"A\"]\n\n1. e4 {from\n\n[Event \"B\"]\n[White \"Ada\"]\n\n1. d4 d5 *\n} e5 {[Site \"x\"]\n[Event \"C\"]} *\n\n[Event \"D\"]\n\n*";
    let games = read_all(text);
    assert_eq!(games.len(), 2, "{games:?}");
    assert_eq!(games[0].line().count(), 2);
    // The brace of another comment, or of a tag's value, does not close this one.
    for next in [
        "[Event \"B\"]\n\n1. d4 {x} *",
        "[Event \"B\"]\n[White \"a}b\"]\n\n1. d4 *",
        "[Event \"B\"]\n[White \"[a]}b\"]\n\n1. d4 *",
        "[Event \"B\"]\n[White \"]}\"]\n\n1. d4 *",
        "[Event \"B\"]\n[White \"a\\\"]}\"]\n\n1. d4 *",
    ] {
        let text = format!("[Event \"A\"]\n\n1. e4 {{open e5\n\n{next}");
        let games: Vec<_> = read_games(&text).collect();
        assert!(matches!(&games[..], [Err(error), Ok(_)] if error.reason == Reason::OpenComment), "{games:?}");
    }
}

#[test]
fn refused_games_can_be_taken_as_they_were() {
    let damaged = "[Event \"X\"]\n[White \"M\"]\n\n1. e4 resigns {a}\n\n1. e5 *\n\n";
    let text = format!("{BEFORE}{damaged}{AFTER}{damaged}");
    for size in [1, 7, 1000] {
        let mut reader = Reader::new().keep_refused();
        let (mut refused, mut whole) = (Vec::new(), 0);
        for piece in text.as_bytes().chunks(size) {
            reader.feed(piece);
            whole += std::iter::from_fn(|| reader.next_game()).flatten().count();
            refused.extend(reader.take_refused());
        }
        reader.finish();
        whole += std::iter::from_fn(|| reader.next_game()).flatten().count();
        refused.extend(reader.take_refused());
        assert_eq!((String::from_utf8(refused).expect("UTF-8"), whole), (damaged.repeat(2), 2), "{size}");
    }
}

#[test]
fn a_running_game_does_not_answer_for_the_next_one() {
    let games: Vec<_> = read_games("1. e4 e5\n\n[Event A]\n\n1. d4 *\n\n[Event \"A\"]\n\n*").collect();
    assert_eq!(games.first(), Some(&Ok(read_one("1. e4 e5"))));
    let places: Vec<_> =
        games.iter().filter_map(|game| game.as_ref().err()).map(|error| (error.game, error.line)).collect();
    assert_eq!(places, [(2, 3)]);
    assert_eq!(games.len(), 3);
}

#[test]
fn the_sentence_says_what_to_do() {
    assert_eq!(
        error_between_neighbours("[Event \"A\"]\n\n1. e4 resigns").to_string(),
        "line 8, column 7: “resigns” is not a move; correct it or put it into a comment in braces"
    );
}

#[test]
fn limits_are_kept_and_named() {
    let tag = |value: &str| format!("[Event \"A\"]\n[White \"{value}\"]\n\n1. e4 *");
    let comment = |text: &str| format!("[Event \"A\"]\n\n1. e4 {{{text}}} e5 *");
    let tags = |count: usize| {
        (0..count).fold("[Event \"A\"]".to_owned(), |text, index| format!("{text}\n[T{index} \"x\"]")) + "\n\n*"
    };
    let plies = |count: usize| format!("[Event \"A\"]\n\n{}*", "Nf3\n".repeat(count));
    let nested = |depth: usize| format!("[Event \"A\"]\n\n1. e4{}{} *", " (1. e4".repeat(depth), ")".repeat(depth));
    let blanks = |count: usize| format!("[Event \"A\"]\n\n1. e4{}e5 *", " ".repeat(count));
    let (value, long) = ("x".repeat(MAX_TAG_VALUE_BYTES), "x".repeat(MAX_COMMENT_BYTES));
    for (whole, damaged, reason) in [
        (tag(&value), tag(&(value.clone() + "x")), Reason::LongTagValue),
        (comment(&long), comment(&(long.clone() + "x")), Reason::LongComment),
        (comment(&long), format!("[Event \"A\"]\n\n1. e4 ;{long}x"), Reason::LongComment),
        (tags(MAX_TAGS), tags(MAX_TAGS + 1), Reason::TooManyTags),
        (plies(MAX_PLIES), plies(MAX_PLIES + 1), Reason::TooManyPlies),
        (nested(MAX_PLIES - 1), nested(MAX_PLIES), Reason::TooManyPlies),
        (blanks(MAX_GAME_BYTES - 200), blanks(MAX_GAME_BYTES), Reason::LongGame),
    ] {
        let game = read_one(&whole);
        assert_eq!(read_one(&write_game(&game)).movetext, game.movetext);
        assert_eq!(error_between_neighbours(&damaged).reason, reason);
    }
}

#[test]
fn an_endless_file_of_nothing_is_one_error() {
    for piece in ["(", "[", "{", "\"", "[Event \"", "[%", "1. e4 (", "$", "{\n\n", "[A \"x\"]", "\\", "\0"] {
        let text = piece.repeat(1_000_000 / piece.len());
        let errors = read_games(&text).filter(Result::is_err).count();
        assert_eq!(errors, 1, "{piece:?}");
    }
    for blank in ["\r", "\n", " ", "\u{feff}", "%\n"] {
        assert_eq!(read_all(&blank.repeat(1_000_000)), []);
    }
}

proptest! {
    #[test]
    fn a_damaged_game_in_the_middle_loses_only_itself(before in game(), after in game(), rubbish in "\\PC{0,60}") {
        let text = format!("{}[Event \"A\"]\n[Round \"2\"]\n\n1. e4 {rubbish}\n\n{}", write_game(&before), write_game(&after));
        let games: Vec<_> = read_games(&text).collect();
        prop_assert_eq!(games.first(), Some(&Ok(before)));
        prop_assert_eq!(games.last(), Some(&Ok(after)));
    }

    #[test]
    fn a_file_cut_anywhere_keeps_what_was_whole(games in proptest::collection::vec(game(), 1..4), place in any::<prop::sample::Index>()) {
        let text = write_all(&games);
        let cut = text.floor_char_boundary(place.index(text.len() + 1));
        let whole = games.iter().scan(0, |end, game| {
            *end += write_game(game).trim_end().len() + 2;
            Some((*end <= cut).then_some(game))
        });
        let whole: Vec<Game> = whole.flatten().cloned().collect();
        let read: Vec<_> = read_games(&text[..cut]).take(whole.len()).collect();
        prop_assert_eq!(read, whole.into_iter().map(Ok).collect::<Vec<_>>());
    }
}
