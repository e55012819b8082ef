//! PGC through the public API: bytes of the standard, round trips with PGN, damaged data.

#[path = "pgn/games.rs"]
mod games;

use notation::pgc::{self, Reason};
use notation::pgn::{Element, Game, read_games, write_game};
use proptest::collection::vec;
use proptest::prelude::*;

fn read_pgn(text: &str) -> Game {
    read_games(text).next().expect("a game").unwrap_or_else(|error| panic!("{error}"))
}

fn write(game: &Game) -> Vec<u8> {
    pgc::write_game(game).unwrap_or_else(|error| panic!("{error}\n{}", write_game(game)))
}

fn a_move(san: &str) -> Element {
    Element::Move(san.parse().expect("SAN"))
}

fn read_all(bytes: &[u8]) -> Vec<Game> {
    pgc::read_games(bytes).map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect()
}

#[test]
fn a_game_with_the_roster_only_is_one_record() {
    let game = read_pgn(
        "[Event \"F/S Return Match\"]\n[Site \"Belgrade, Serbia JUG\"]\n[Date \"1992.11.04\"]\n[Round \"29\"]\n\
         [White \"Fischer, Robert J.\"]\n[Black \"Müller\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 2. Nf3 1/2-1/2",
    );
    let bytes = write(&game);
    let mut expected = vec![1];
    for value in ["F/S Return Match", "Belgrade, Serbia JUG", "1992.11.04", "29", "Fischer, Robert J."] {
        expected.push(u8::try_from(value.len()).expect("short"));
        expected.extend(value.as_bytes());
    }
    expected.extend(b"\x06M\xfcller\x071/2-1/2");
    // Three moves, the lower byte first; e4 is the 14th of twenty, e5 the 13th, Nf3 the tenth of 29:
    // Ba6 Bb5 Bc4 Bd3 Be2 Ke2 Na3 Nc3 Ne2 Nf3 ...
    expected.extend([3, 0, 13, 12, 9]);
    assert_eq!(bytes, expected);
    assert_eq!(read_all(&bytes), [game]);
}

#[test]
fn every_kind_of_record_is_written_and_read() {
    let game = read_pgn(
        "[Event \"A\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 5 39\"]\n\n{before} 39. e4 $1 {[%clk 0:10:00] good} (39. e3 Kd7) Kd7 0-1",
    );
    let bytes = write(&game);
    let tag = |name: &str, value: &str| {
        let lengths = [name, value].map(|text| u8::try_from(text.len()).expect("short"));
        [&[2, lengths[0]], name.as_bytes(), &[lengths[1]], value.as_bytes()].concat()
    };
    let escape = |text: &str| [&[0x0a, u8::try_from(text.len()).expect("short"), 0], text.as_bytes()].concat();
    let expected = [
        vec![5],
        tag("Event", "A"),
        tag("Site", "?"),
        tag("Date", "????.??.??"),
        tag("Round", "?"),
        tag("White", "?"),
        tag("Black", "?"),
        tag("Result", "0-1"),
        tag("FEN", "4k3/8/8/8/8/8/4P3/4K3 w - - 5 39"),
        tag("SetUp", "1"),
        escape("{before}"),
        // Kd1 Kd2 Kf1 Kf2 e3 e4
        vec![3, 1, 5, 7, 1],
        escape("{[%clk 0:10:00] good}"),
        // Kd7 Kd8 Ke7 Kf7 Kf8
        vec![8, 3, 2, 4, 0, 9, 3, 1, 0, 6],
    ]
    .concat();
    assert_eq!(bytes, expected);
    assert_eq!(write_game(&read_all(&bytes)[0]), write_game(&game));
    // Records that say nothing, and a long sequence where a short one would do.
    let padded =
        [&[0, 5, 0][..], &tag("Result", "*"), &[0x0a, 3, 0], b"abc", &[4, 1, 0, 13, 6, 0, 0x0a, 0, 0]].concat();
    let games = read_all(&padded);
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].line().map(|ply| ply.san.to_string()).collect::<Vec<_>>(), ["e4"]);
}

#[test]
fn long_games_take_long_sequences() {
    // Knights go out and home again.
    let tour = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let line: Vec<Element> = tour.iter().cycle().take(65_536).map(|san| a_move(san)).collect();
    let game = Game { movetext: line[..65_535].to_vec(), ..Game::default() };
    let bytes = write(&game);
    assert_eq!(bytes[0], 1);
    assert!(read_all(&bytes)[0].movetext == game.movetext);
    let longer = Game { movetext: line, ..Game::default() };
    let bytes = write(&longer);
    assert_eq!(bytes[0], 5);
    assert!(read_all(&bytes)[0].movetext == longer.movetext);
}

#[test]
fn variations_are_as_deep_as_they_are() {
    let text = format!("1. e4{}{} *", " (1. d4 {so} (1. c4".repeat(5_000), "))".repeat(5_000));
    let game = read_pgn(&text);
    assert!(read_all(&write(&game))[0].movetext == game.movetext);
}

#[test]
fn what_pgc_cannot_hold_is_refused_with_its_place() {
    let tag = |value: String| Game { tags: [("White", value)].into_iter().collect(), ..Game::default() };
    let comment = |text: String| Game { movetext: vec![a_move("e4"), Element::Comment(text)], ..Game::default() };
    for (game, message) in [
        (tag("Łukasz".to_owned()), "the tag White has the character “Ł”, but PGC allows Latin-1 only; replace it"),
        (tag("é".repeat(256)), "the tag White is longer than 255 bytes; shorten it"),
        (
            comment("“so”".to_owned()),
            "a comment at ply 1 has the character ““”, but PGC allows Latin-1 only; replace it",
        ),
        (comment("é".repeat(65_535)), "a comment at ply 1 is longer than 65535 bytes; shorten it"),
        (
            read_pgn("1. e4 (1. d4 d5 2. --) e5 *"),
            "ply 3: the move -- is not legal in this position; correct the move or the position",
        ),
        (
            read_pgn("[FEN \"x\"]\n\n1. e4 *"),
            "the FEN tag is not valid: piece placement, character 1: “x” is not allowed here; correct it",
        ),
    ] {
        assert_eq!(pgc::write_game(&game).map_err(|error| error.to_string()), Err(message.to_owned()));
    }
    write(&tag("é".repeat(255)));
}

/// A damaged game between two valid ones, which are read.
fn damage_between_neighbours(damaged: &[u8]) -> (usize, Reason) {
    let before = write(&read_pgn("[White \"Before\"]\n\n1. e4 e5 1-0"));
    let after = write(&read_pgn("[White \"After\"]\n[Board \"2\"]\n\n1. d4 {quiet} d5 0-1"));
    let bytes = [&before[..], damaged, &after, &before].concat();
    let (whole, damage): (Vec<_>, Vec<_>) = pgc::read_games(&bytes).partition(Result::is_ok);
    let names: Vec<_> =
        whole.iter().flatten().map(|game| game.tags.get("White").unwrap_or_default().to_owned()).collect();
    assert_eq!(names, ["Before", "After", "Before"], "{damage:?}");
    let mut errors = damage.into_iter().filter_map(Result::err);
    let error = errors.next().expect("the damage is noticed");
    assert_eq!(error.game, 2);
    assert_eq!(errors.next(), None);
    (error.offset - before.len(), error.reason)
}

#[test]
fn every_damage_has_its_place_and_loses_no_neighbour() {
    for (damaged, offset, reason) in [
        (&b"\x05\x03\x02\x0c\x14\x06"[..], 1, Reason::Ordinal { ply: 2, ordinal: 20, moves: 20 }),
        (b"\x05\x03\x01\x0c\x08\x03\x02\x0c\x63\x09\x06", 5, Reason::Ordinal { ply: 2, ordinal: 99, moves: 20 }),
        (b"\x01\x00\x00\x00\x00\x00\x00\x01*\x01\x00\xff", 0, Reason::Ordinal { ply: 1, ordinal: 255, moves: 20 }),
        (b"\x05\x02\x05Event\x01A\x03\x01\x0c", 13, Reason::Nested),
        (b"\x05\xff\x06", 1, Reason::UnknownMarker(255)),
        (b"\x0b", 0, Reason::UnknownMarker(11)),
        (b"\x03\x01\x0c", 0, Reason::Outside),
        (b"\x05\x03\x01\x0c\x02\x05White\x01A\x06", 4, Reason::LateTag),
        (b"\x05\x02\x01?\x01A\x06", 1, Reason::TagName("?".to_owned())),
        (b"\x05\x08\x06", 1, Reason::VariationWithoutMove),
        (b"\x05\x09\x06", 1, Reason::NoVariation),
        (b"\x05\x03\x01\x0c\x08\x06", 5, Reason::OpenVariation),
    ] {
        let (found, told) = damage_between_neighbours(damaged);
        // The game that is missing its end is noticed where the next one begins.
        assert_eq!((found, told), (offset, reason), "{damaged:02x?}");
    }
    let fen = [&b"\x05\x02\x03FEN\x11"[..], b"9/8/8/8/8/8/8/8 w", b"\x06"].concat();
    assert!(matches!(damage_between_neighbours(&fen), (24, Reason::Start(_))));
    let tags: Vec<u8> = (0..300).flat_map(|index| format!("\x02\x04T{index:03}\x01x").into_bytes()).collect();
    let (_, reason) = damage_between_neighbours(&[b"\x05", &tags[..], b"\x06"].concat());
    assert_eq!(reason, Reason::TooManyTags);
    let ordinal = pgc::read_games(b"\x05\x03\x02\x0c\x14\x06").next().expect("a game").expect_err("a damaged one");
    assert_eq!(
        ordinal.to_string(),
        "byte 1: ply 2: ordinal 20 is out of range, because the position has 20 moves; the data is damaged"
    );
}

#[test]
fn a_file_cut_anywhere_keeps_the_games_before_the_cut() {
    let first = write(&read_pgn("[White \"A\"]\n\n1. e4 e5 1-0"));
    let second = write(&read_pgn("[White \"B\"]\n[Board \"2\"]\n\n1. d4 {quiet} (1. c4) d5 0-1"));
    let bytes = [first.clone(), second].concat();
    for end in first.len() + 1..bytes.len() {
        let games: Vec<_> = pgc::read_games(&bytes[..end]).collect();
        assert_eq!(games.len(), 2, "{end}");
        assert!(games[0].is_ok());
        assert!(
            matches!(&games[1], Err(error) if matches!(error.reason, Reason::Cut | Reason::NoEnd)),
            "{:?}",
            games[1]
        );
    }
}

/// The same game with Latin-1 characters only.
fn in_latin1(mut game: Game) -> Game {
    fn plain(text: &str) -> String {
        text.chars().map(|c| if u32::from(c) < 256 { c } else { '?' }).collect()
    }
    game.tags = game.tags.iter().map(|(name, value)| (name.to_owned(), plain(value))).collect();
    for element in &mut game.movetext {
        if let Element::Comment(comment) = element {
            *comment = plain(comment);
        }
    }
    game
}

proptest! {
    #[test]
    fn games_come_back_and_pgn_does_not_notice(games in vec(games::game().prop_map(in_latin1), 1..4)) {
        let bytes: Vec<u8> = games.iter().flat_map(write).collect();
        let again = read_all(&bytes);
        prop_assert_eq!(&again, &games);
        prop_assert_eq!(again.iter().flat_map(write).collect::<Vec<_>>(), bytes);
        for (again, game) in again.iter().zip(&games) {
            prop_assert_eq!(write_game(again), write_game(game));
        }
    }

    #[test]
    fn rubbish_is_refused_without_panic(bytes in vec(any::<u8>(), 0..400)) {
        no_panic(&bytes)?;
    }

    #[test]
    fn scrambled_records_are_refused_without_panic(parts in vec(proptest::sample::select(PIECES), 0..60)) {
        no_panic(&parts.concat())?;
    }
}

const PIECES: &[&[u8]] = &[
    b"\x00",
    b"\x01",
    b"\x05",
    b"\x06",
    b"\x06",
    b"\x02\x05Event\x01A",
    b"\x02\x03FEN\x01x",
    b"\x03\x01\x0c",
    b"\x03\x02\x0c\x0c",
    b"\x04\x01\x00\x00",
    b"\x07\x03",
    b"\x08",
    b"\x09",
    b"\x0a\x03\x00{a}",
    b"\x0a\x02\x00%%",
    b"\xff",
    b"\x01\x00\x00\x00\x00\x00\x00\x01*\x01\x00\x00",
    b"\x03\xff",
    b"\x04\xff\xff",
];

/// Reading ends, errors lie inside the data, and what was read can be written and read.
fn no_panic(bytes: &[u8]) -> Result<(), TestCaseError> {
    let mut count = 0;
    for game in pgc::read_games(bytes) {
        count += 1;
        prop_assert!(count <= bytes.len());
        match game {
            Ok(game) => prop_assert_eq!(read_all(&write(&game)).len(), 1),
            Err(error) => {
                prop_assert_eq!(error.game, count);
                prop_assert!(error.offset < bytes.len());
            }
        }
    }
    Ok(())
}
