//! Legality checks.

use notation::pgn::{Element, Game, Reader, Reason, RulesError, normalise, read_games, write_game};

use super::{movetext, read_one};

/// The movetext with every move in canonical form, after reading and normalising, and after reading with checks.
fn canonical(text: &str) -> String {
    let mut game = read_one(text);
    normalise(&mut game).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let read: Vec<Game> = read_games(text).check_moves().map(|game| game.expect("legal")).collect();
    assert_eq!(read, [game.clone()]);
    movetext(&game)
}

#[test]
fn every_form_of_a_move_becomes_canonical() {
    assert_eq!(
        canonical("1. e2-e4 e7e5 2. g1f3 Nb8-c6 3. Bf1b5! a7-a6 4. Bb5:c6 dc6 5. 0-0 Bd6 6. d4 e5xd4 7. qd4"),
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 $1 3... a6 4. Bxc6 dxc6 5. O-O Bd6 6. d4 exd4 7. Qxd4 *"
    );
    // Check and mate marks that are missing, superfluous or wrong; too much said about the piece.
    assert_eq!(canonical("1. e4+ e5# 2. Qd1h5 Ke8e7 3. Qh5xe5"), "1. e4 e5 2. Qh5 Ke7 3. Qxe5# *");
}

#[test]
fn pieces_are_told_apart_as_the_standard_says() {
    // A pinned knight does not count (PGN standard, 8.2.3.4).
    let pinned = "[FEN \"4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1\"]\n\n1. Nge2";
    assert_eq!(canonical(pinned), "1. Ne2 *");
    // By file, by rank, by both.
    let rooks = "[FEN \"4k3/8/8/R7/8/8/4K3/R6R w - - 0 1\"]\n\n1. Ra1a3 Kf8 2. Rh1-d1 Ke7 3. Rd1d5 Kf8 4. Rd5b5";
    assert_eq!(canonical(rooks), "1. R1a3 Kf8 2. Rd1 Ke7 3. Rdd5 Kf8 4. Rdb5 *");
    let queens = "[FEN \"1k6/8/8/8/Q2Q4/8/8/Q5K1 w - - 0 1\"]\n\n1. Qa4d1";
    assert_eq!(canonical(queens), "1. Qa4d1 *");
}

#[test]
fn pawns_promote_castle_and_pass() {
    let sharp = "[FEN \"r3k2r/1P6/8/3pP3/8/8/8/R3K2R w KQkq d6 0 20\"]\n\n";
    for (written, canonical_move) in [
        ("bxa8=Q+", "bxa8=Q+"),
        ("b7xa8q", "bxa8=Q+"),
        ("ba8N", "bxa8=N"),
        ("e5d6", "exd6"),
        ("exd6e.p.", "exd6"),
        ("0-0-0", "O-O-O"),
        ("e1g1", "O-O"),
        ("e1c1", "O-O-O"),
        ("e1f1", "Kf1"),
    ] {
        assert_eq!(canonical(&format!("{sharp}{written}")), format!("20. {canonical_move} *"), "{written}");
    }
    // A null move is legal where the king is not in check.
    assert_eq!(canonical("1. e4 (1. -- e5) (1. d4 Z0 2. c4) e5"), "1. e4 (1. -- e5) (1. d4 -- 2. c4) 1... e5 *");
}

#[test]
fn fischer_random_castles_with_the_right_rook() {
    for rights in ["KQkq", "FCfc"] {
        let fen = format!("bnrbkrnq/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRNQ w {rights} - 0 1");
        let text = format!("[Variant \"Fischerandom\"]\n[FEN \"{fen}\"]\n\n1. Nf3 Nf6 2. 0-0 O-O 3. d4");
        assert_eq!(canonical(&text), "1. Nf3 Nf6 2. O-O O-O 3. d4 *");
    }
}

#[test]
fn what_is_against_the_rules_is_named_with_its_place() {
    for (movetext, line, column, told) in [
        (
            "1. e4 e5 2. Ke3 *",
            3,
            13,
            "the move Ke3 is not legal in the position rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2; correct it or the moves before it",
        ),
        (
            "1. d3 d6 2. Nf3 e6 3. Nd2 *",
            3,
            23,
            "several pieces can make the move Nd2 in the position rnbqkbnr/ppp2ppp/3pp3/8/8/3P1N2/PPP1PPPP/RNBQKB1R w KQkq - 0 3; add the file or rank it starts from",
        ),
        ("1. e4 -- *", 3, 7, "a null move is allowed in variations only; delete it or put it into a variation"),
    ] {
        let text = format!("[Event \"A\"]\n\n{movetext}\n\n[Event \"B\"]\n\n1. d4 *");
        let games: Vec<_> = read_games(&text).check_moves().collect();
        let [Err(error), Ok(next)] = &games[..] else { panic!("{games:?}") };
        assert_eq!(error.to_string(), format!("line {line}, column {column}: {told}"));
        assert_eq!(next.tags.get("Event"), Some("B"));
    }
}

#[test]
fn a_variant_that_is_not_supported_is_named() {
    for variant in ["Crazyhouse", "Three-check", "King of the Hill", "Racing Kings"] {
        let text = format!("[Event \"A\"]\n[Variant \"{variant}\"]\n\n1. e4 e5 *");
        let error = read_games(&text).check_moves().next().expect("a game").expect_err("a variant");
        let told = format!("the variant “{variant}” is not supported; only standard chess and Chess960 are");
        assert_eq!(error.reason.to_string(), told);
        assert_eq!(movetext(&read_one(&text)), "1. e4 e5 *", "without a check of the moves it is text");
    }
    for variant in ["Standard", "From Position", "chess 960", "normal"] {
        assert_eq!(canonical(&format!("[Variant \"{variant}\"]\n\n1. e4 e5")), "1. e4 e5 *");
    }
}

#[test]
fn a_start_that_is_none_is_named_at_its_tag() {
    let text = "[Event \"A\"]\n[FEN \"kkkkkkkk/8/8/8/8/8/8/KK6 w - - 0 1\"]\n\n1. e4 *";
    let error = read_games(text).check_moves().next().expect("a game").expect_err("no position");
    assert_eq!((error.line, error.column), (2, 1));
    assert!(matches!(error.reason, Reason::Rules(RulesError::Start(_))), "{error}");
    let mut game = read_one(text);
    assert!(matches!(normalise(&mut game), Err((0, RulesError::Start(_)))));
}

#[test]
fn ten_thousand_nested_variations_overflow_nothing() {
    let text = format!("1. e4{}{} *", " (1. e4".repeat(10_000), ")".repeat(10_000));
    let game = read_games(&text).check_moves().next().expect("a game").expect("legal");
    assert_eq!(game.movetext.iter().filter(|element| **element == Element::Open).count(), 10_000);
    assert!(read_one(&write_game(&game)).movetext == game.movetext, "it comes back");
}

#[test]
fn a_null_move_in_the_main_line_is_refused_unless_it_is_kept() {
    let text = "[White \"Ada\"]\n\n1. e4 -- 2. d4 *";
    let error = read_games(text).check_moves().next().expect("a game").expect_err("a null move");
    assert_eq!((&error.reason, error.players.as_str()), (&Reason::Rules(RulesError::Null), "Ada - ?"));
    assert_eq!(error.next_move.map(|next| next.to_string()).as_deref(), Some("move 1 (Black)"));
    let mut reader = Reader::new().check_moves().keep_null_moves();
    reader.feed(text.as_bytes());
    reader.finish();
    let game = reader.next_game().expect("a game").expect("the null move is kept");
    assert_eq!(game.line().count(), 3);
    let [notice] = reader.notices() else { panic!("{:?}", reader.notices()) };
    assert_eq!(notice.reason, Reason::NullMove);
}

#[test]
fn a_null_move_given_in_check_is_illegal() {
    // In a variation it costs the rest of the variation, in the main line the game, kept or not.
    let mut reader = Reader::new().check_moves().keep_null_moves();
    reader.feed(b"1. e4 e5 2. Qh5 Nc6 (2... d6 3. Qxf7+ -- 4. d4) 3. Bc4 *\n\n1. e4 f6 2. Qh5+ -- 3. d4 *");
    reader.finish();
    let game = reader.next_game().expect("a game").expect("its main line is legal");
    assert_eq!(movetext(&game), "1. e4 e5 2. Qh5 Nc6 (2... d6 3. Qxf7+) 3. Bc4 *");
    let [notice] = reader.notices() else { panic!("{:?}", reader.notices()) };
    assert!(
        matches!(&notice.reason, Reason::CutVariation(reason) if matches!(**reason, Reason::Rules(RulesError::Illegal { .. })))
    );
    assert_eq!(notice.next_move.map(|next| next.to_string()).as_deref(), Some("move 3 (Black)"));
    let error = reader.next_game().expect("a game").expect_err("a null move in check");
    assert!(matches!(error.reason, Reason::Rules(RulesError::Illegal { .. })), "{error}");
}
