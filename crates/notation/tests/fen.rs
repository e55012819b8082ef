//! FEN through the public API: the standard's examples, every error with its place, any text.

use notation::fen::{
    Castling, FenError, Field, MAX_COUNTER, Reading, Reason, Style, read_fen, read_fen_noting, write_fen, write_fens,
};
use notation::pgn::{game_positions, read_games};
use proptest::prelude::*;
use shakmaty::{Chess, Color, EnPassantMode, Position};

/// The start, then 1. e4 c5 2. Nf3, and the two kings with a pawn (PGN standard, 16.1.4).
const EXAMPLES: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 5 39",
];

fn strict(fen: &str) -> Chess {
    read_fen(fen, Reading::STRICT).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn refused(fen: &str, reading: Reading) -> FenError {
    match read_fen(fen, reading) {
        Ok(position) => panic!("{fen} was read as {}", write_fen(&position, Style::STANDARD)),
        Err(error) => error,
    }
}

#[test]
fn the_examples_of_the_standard_come_back_byte_for_byte() {
    for fen in EXAMPLES {
        assert_eq!(write_fen(&strict(fen), Style::STANDARD), fen);
    }
    assert_eq!(strict(EXAMPLES[0]), Chess::default());
}

#[test]
fn a_game_leaves_the_positions_that_the_standard_prints() {
    let game = read_games("1. e4 c5 2. Nf3 *").next().expect("a game").expect("a sound one");
    let positions = game_positions(&game).expect("legal moves");
    assert_eq!(write_fens(&positions, Style::STANDARD), EXAMPLES[..4].join("\n") + "\n");
    let wrong = read_games("1. e4 c5 2. Nf6 *").next().expect("a game").expect("a sound one");
    let error = game_positions(&wrong).expect_err("no knight gets there");
    assert_eq!(
        error.to_string(),
        "ply 3: the move Nf6 is not legal in this position; correct the move or the position"
    );
    let lost = read_games("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*").next().expect("a game").expect("a sound one");
    assert_eq!(
        game_positions(&lost).expect_err("no king").to_string(),
        "the FEN tag is not valid: piece placement, character 1: White has no king; add it"
    );
}

#[test]
fn en_passant_is_written_by_the_rule_that_is_asked_for() {
    // The pawn on d4 stands beside e4 but is pinned to its king.
    let pinned = strict("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1");
    let square =
        |en_passant| write_fen(&pinned, Style { en_passant, ..Style::STANDARD }).split(' ').nth(3).map(str::to_owned);
    assert_eq!(square(EnPassantMode::Always).as_deref(), Some("e3"));
    assert_eq!(square(EnPassantMode::PseudoLegal).as_deref(), Some("e3"));
    assert_eq!(square(EnPassantMode::Legal).as_deref(), Some("-"));
    let alone = write_fen(&strict(EXAMPLES[1]), Style { en_passant: EnPassantMode::PseudoLegal, ..Style::STANDARD });
    assert_eq!(alone, EXAMPLES[1].replace("e3", "-"));
}

#[test]
fn chess960_castles_in_both_spellings() {
    // Two rooks on the queen's side, the inner one castles: X-FEN names its file.
    let inner = "rr2k3/8/8/8/8/8/8/RR2K2R w KBb - 0 1";
    let shredder = "rr2k3/8/8/8/8/8/8/RR2K2R w HBb - 0 1";
    let reading = Reading::STRICT.chess960();
    for fen in [inner, shredder] {
        let position = read_fen(fen, reading).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(write_fen(&position, Style::STANDARD), inner);
        assert_eq!(write_fen(&position, Style { castling: Castling::Shredder, ..Style::STANDARD }), shredder);
    }
    let start = "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1";
    let position = read_fen(start, reading).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(position.castles().castling_rights().count(), 4);
    // Without a word about Chess960 the letters break the standard, but their meaning is clear.
    assert_eq!(refused(start, Reading::STRICT).reason, Reason::NoCastling('K'));
    assert_eq!(read_fen(start, Reading::LAX), Ok(position));
    // The usual position in Shredder-FEN.
    let usual = write_fen(&Chess::default(), Style { castling: Castling::Shredder, ..Style::STANDARD });
    assert!(usual.contains(" w HAha - "), "{usual}");
    assert_eq!(read_fen(&usual, Reading::LAX), Ok(Chess::default()));
    // Two rooks on one side of the king.
    let two = "4k3/8/8/8/8/8/8/RR2K3 w AB - 0 1";
    assert_eq!(refused(two, Reading::LAX.chess960()).reason, Reason::CastlingTwice);
}

#[test]
fn every_refusal_has_its_field_its_place_and_its_rule() {
    let nine_kings = "kkkkkkkkk/8/8/8/8/8/8/4K3 w - - 0 1";
    for (fen, field, column, reason) in [
        ("", Field::Placement, 1, Reason::Missing),
        (nine_kings, Field::Placement, 2, Reason::ManyKings(Color::Black)),
        ("8/8/8/8/8/8/8/8 w - - 0 1", Field::Placement, 1, Reason::NoKing(Color::White)),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", Field::Placement, 1, Reason::NoKing(Color::White)),
        ("4k3/8/8/8/8/8/8/7 w - - 0 1", Field::Placement, 18, Reason::ShortRank { rank: 1, squares: 7 }),
        ("4k3/7/8/8/8/8/8/4K3 w - - 0 1", Field::Placement, 6, Reason::ShortRank { rank: 7, squares: 7 }),
        ("4k4/8/8/8/8/8/8/4K3 w - - 0 1", Field::Placement, 3, Reason::LongRank(8)),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", Field::Placement, 18, Reason::Ranks(7)),
        ("4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", Field::Placement, 20, Reason::Ranks(9)),
        ("4k3/8/8/9/8/8/8/4K3 w - - 0 1", Field::Placement, 9, Reason::Stray('9')),
        ("4k3/8/8/ü7/8/8/8/4K3 w - - 0 1", Field::Placement, 9, Reason::Stray('ü')),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", Field::Placement, 4, Reason::PawnOnBackRank),
        ("QQQQQQQQ/QQQ5/8/8/8/k7/8/4K3 b - - 0 1", Field::Placement, 1, Reason::TooMuchMaterial),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", Field::ActiveColor, 23, Reason::OppositeCheck),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", Field::ActiveColor, 21, Reason::NotAColor("x".to_owned())),
        ("4k3/8/8/8/8/8/8/4K2R w KX - 0 1", Field::Castling, 25, Reason::Stray('X')),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", Field::EnPassant, 25, Reason::NotASquare("e9".to_owned())),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", Field::HalfmoveClock, 27, Reason::NotANumber("-1".to_owned())),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 2147483648",
            Field::FullmoveNumber,
            29,
            Reason::NotANumber("2147483648".to_owned()),
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", Field::FullmoveNumber, 31, Reason::Superfluous("2".to_owned())),
    ] {
        let error = refused(fen, Reading::STRICT);
        assert_eq!(error, FenError { field, column, reason }, "{fen}");
        assert_eq!(refused(fen, Reading::LAX), error, "{fen}");
    }
    let five = refused("4k3/8/8/8/8/8/8/4K2R w KKKKK - 0 1", Reading::LAX);
    assert_eq!((five.column, five.reason), (28, Reason::CastlingTwice));
    let long = "8/".repeat(200);
    assert_eq!(refused(&long, Reading::LAX).reason, Reason::TooLong);
    assert_eq!(
        refused(nine_kings, Reading::LAX).to_string(),
        "piece placement, character 2: Black has more than one king; remove this one"
    );
}

#[test]
fn what_the_world_writes_is_forgiven_in_lax_reading_only() {
    let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    for (fen, field, column, reason, meant) in [
        ("4k3/8/8/8/8/8/8/4K3", Field::ActiveColor, 20, Reason::Missing, kings),
        ("4k3/8/8/8/8/8/8/4K3 w -", Field::EnPassant, 24, Reason::Missing, kings),
        ("4k3/8/8/8/8/8/8/4K3  w - - 0 1", Field::Placement, 1, Reason::Spacing, kings),
        (" 4k3/8/8/8/8/8/8/4K3 w - - 0 1\n", Field::Placement, 1, Reason::Spacing, kings),
        ("4k3/8/8/8/8/8/8/4K3 W - - 0 1", Field::ActiveColor, 21, Reason::NotAColor("W".to_owned()), kings),
        ("4k3/44/8/8/8/8/8/4K3 w - - 0 1", Field::Placement, 6, Reason::AdjacentDigits, kings),
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", Field::Castling, 23, Reason::NoCastling('K'), kings),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", Field::EnPassant, 25, Reason::NoDoubleStep("e6".to_owned()), kings),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", Field::EnPassant, 25, Reason::NoDoubleStep("e3".to_owned()), kings),
        ("4k3/8/8/8/8/8/8/4K3 w - - 00 1", Field::HalfmoveClock, 27, Reason::NumberForm(0), kings),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", Field::FullmoveNumber, 29, Reason::MoveZero, kings),
        ("4k3/8/8/8/8/8/8/4K3 w - - - -", Field::HalfmoveClock, 27, Reason::NotANumber("-".to_owned()), kings),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 1",
            Field::Castling,
            27,
            Reason::CastlingForm("KQkq".to_owned()),
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1",
            Field::Castling,
            28,
            Reason::CastlingTwice,
            "r3k2r/8/8/8/8/8/8/R3K2R w K - 0 1",
        ),
        (
            "4k3/8/8/4p3/8/8/8/4K3 w - e6 4 9",
            Field::HalfmoveClock,
            30,
            Reason::ClockAfterDoubleStep,
            "4k3/8/8/4p3/8/8/8/4K3 w - e6 4 9",
        ),
        // Three pieces give check at once.
        (
            "R3k2R/8/8/8/8/4R3/8/4K3 b - - 0 1",
            Field::Placement,
            1,
            Reason::ImpossibleCheck,
            "R3k2R/8/8/8/8/4R3/8/4K3 b - - 0 1",
        ),
    ] {
        assert_eq!(refused(fen, Reading::STRICT), FenError { field, column, reason }, "{fen}");
        let position = read_fen(fen, Reading::LAX).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(write_fen(&position, Style::STANDARD), meant, "{fen}");
    }
}

#[test]
fn rights_that_cannot_be_are_understood_where_they_are_clear_and_named_otherwise() {
    let castling = |reason| (Field::Castling, reason);
    let en_passant = |square: &str| (Field::EnPassant, Reason::NoDoubleStep(square.to_owned()));
    for (fen, meant, ignored) in [
        // Chess960 without a word about it: both sides face each other.
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq -", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", vec![]),
        ("1r3kr1/8/8/8/8/8/8/1R3KR1 w Kq -", "1r3kr1/8/8/8/8/8/8/1R3KR1 w Kq - 0 1", vec![]),
        // Files of rooks: Shredder-FEN.
        ("4k3/8/8/8/8/8/8/R4K1R w HA -", "4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1", vec![]),
        // A king that has moved, and a program that always writes the same letters.
        (
            "r4rk1/8/8/8/8/8/8/R4RK1 w KQkq -",
            "r4rk1/8/8/8/8/8/8/R4RK1 w - - 0 1",
            ["K", "Q", "k", "q"].map(|c| castling(Reason::NoCastling(c.parse().expect("a letter")))).to_vec(),
        ),
        // One side alone is not clear.
        ("4k3/8/8/8/8/8/8/R4K2 w Q -", "4k3/8/8/8/8/8/8/R4K2 w - - 0 1", vec![castling(Reason::NoCastling('Q'))]),
        // One right is possible, the other is not.
        ("4k3/8/8/8/8/8/8/R3K3 w KQ -", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", vec![castling(Reason::NoCastling('K'))]),
        // The pawn's square, and capitals.
        ("4k3/8/8/8/4P3/8/8/4K3 b - e4", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", vec![]),
        ("4k3/8/8/8/4P3/8/8/4K3 b - E3", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", vec![]),
        ("4k3/8/8/8/4P3/8/4P3/4K3 b - e3", "4k3/8/8/8/4P3/8/4P3/4K3 b - - 0 1", vec![en_passant("e3")]),
        ("4k3/8/8/8/4P3/8/8/4K3 b - d3", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", vec![en_passant("d3")]),
    ] {
        let mut named = Vec::new();
        let position = read_fen_noting(fen, Reading::LAX, &mut named).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(write_fen(&position, Style::STANDARD), meant, "{fen}");
        let named: Vec<_> = named.into_iter().map(|error| (error.field, error.reason)).collect();
        assert_eq!(named, ignored, "{fen}");
        assert!(read_fen(fen, Reading::STRICT).is_err(), "{fen}");
    }
}

#[test]
fn the_highest_numbers_do_no_harm() {
    let fen = format!("4k3/8/8/8/8/8/8/4K3 b - - {MAX_COUNTER} {MAX_COUNTER}");
    let mut position = strict(&fen);
    assert_eq!(write_fen(&position, Style::STANDARD), fen);
    let m = position.legal_moves()[0];
    position.play_unchecked(m);
    assert_eq!(u64::from(position.halfmoves()), u64::from(MAX_COUNTER) + 1);
}

const PIECES: &[&str] = &[
    "4k3/",
    "8/",
    "8/8/8/8/8/8/",
    "4K3",
    "4K2R",
    "R3K2R",
    "r3k2r/",
    "pppppppp/",
    "4P3/",
    "kkkkkkkk/",
    "QQQQQQQQ/",
    " ",
    "  ",
    " w ",
    " b ",
    "KQkq",
    "HAha",
    "-",
    " - ",
    "e3",
    "e6",
    "0 1",
    " 4294967296",
    "é",
    "_",
    "\0",
    "/",
    "9",
    "1",
    "~",
];

const CHESS960_STARTS: [&str; 4] = ["BBQNNRKR", "RKRNNQBB", "NRBKQBRN", "RNBQKBNR"];

proptest! {
    /// Any game of legal moves: every position of it is written and read in every style.
    #[test]
    fn positions_of_games_come_back(choices in proptest::collection::vec(any::<usize>(), 0..120)) {
        let mut position = Chess::default();
        for choice in choices {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            position.play_unchecked(legal[choice % legal.len()]);
            for style in [Style::STANDARD, Style::MODERN, Style { castling: Castling::Shredder, ..Style::STANDARD }] {
                let fen = write_fen(&position, style);
                let reading = if style.castling == Castling::XFen { Reading::STRICT } else { Reading::LAX };
                let again = read_fen(&fen, reading);
                prop_assert_eq!(again.as_ref(), Ok(&position), "{}", fen);
                prop_assert_eq!(again.map(|again| write_fen(&again, style)), Ok(fen));
            }
        }
    }

    /// The same in Chess960, where both spellings of the castling rights say the same.
    #[test]
    fn positions_of_chess960_games_come_back(start in proptest::sample::select(&CHESS960_STARTS[..]),
                                             choices in proptest::collection::vec(any::<usize>(), 0..80)) {
        let reading = Reading::STRICT.chess960();
        let fen = format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{start} w KQkq - 0 1", start.to_lowercase());
        let mut position = read_fen(&fen, reading).unwrap_or_else(|error| panic!("{error}"));
        for choice in choices {
            for castling in [Castling::XFen, Castling::Shredder] {
                let style = Style { castling, ..Style::STANDARD };
                let fen = write_fen(&position, style);
                let again = read_fen(&fen, reading);
                prop_assert_eq!(again.as_ref(), Ok(&position), "{}", fen);
                prop_assert_eq!(again.map(|again| write_fen(&again, style)), Ok(fen));
            }
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            position.play_unchecked(legal[choice % legal.len()]);
        }
    }

    #[test]
    fn scrambled_fen_is_read_or_refused(parts in proptest::collection::vec(proptest::sample::select(PIECES), 0..24), chess960: bool) {
        no_panic(&parts.concat(), chess960)?;
    }

    #[test]
    fn rubbish_is_refused_without_panic(text in any::<String>(), chess960: bool) {
        no_panic(&text, chess960)?;
    }
}

/// Any text: a position that is read is written and read again, and an error has a place within the text.
fn no_panic(text: &str, chess960: bool) -> Result<(), TestCaseError> {
    for reading in [Reading::STRICT, Reading::LAX] {
        let reading = if chess960 { reading.chess960() } else { reading };
        match read_fen(text, reading) {
            Ok(position) => {
                prop_assert!(position.legal_moves().len() < 256);
                let fen = write_fen(&position, Style::STANDARD);
                if reading.is_strict() && !chess960 {
                    prop_assert_eq!(&fen, text);
                }
                prop_assert_eq!(read_fen(&fen, Reading::LAX.chess960()), Ok(position));
            }
            Err(error) => prop_assert!((1..=text.chars().count() + 1).contains(&error.column), "{}", error),
        }
    }
    Ok(())
}
