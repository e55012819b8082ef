//! What is damaged is told in one line with place and reason, the exit code is 1, and everything else is done.

use super::{boardcast, folder, text};

const BEFORE: &str = "[Event \"Before\"]\n\n1. e4 *\n\n";
const BEHIND: &str = "[Event \"Behind\"]\n\n1. d4 *\n\n";

/// Damaged PGN between two whole games: both come out, and this is what is said.
fn told_of_games(damaged: &[u8]) -> String {
    let input = [BEFORE.as_bytes(), damaged, b"\n\n", BEHIND.as_bytes()].concat();
    let cleaned = boardcast(&["pgn", "clean"], folder().path(), &input);
    let events: Vec<String> =
        text(&cleaned.stdout).lines().filter(|line| line.starts_with("[Event")).map(str::to_owned).collect();
    let said = text(&cleaned.stderr);
    assert_eq!(events, ["[Event \"Before\"]", "[Event \"Behind\"]"], "{said}");
    assert_eq!(cleaned.status.code(), Some(1), "{said}");
    one_line(&said)
}

/// Damaged EPD between two whole records.
fn told_of_records(damaged: &str) -> String {
    let whole = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    let input = format!("{whole} id \"before\";\n{damaged}\n{whole} id \"behind\";\n");
    let normal = boardcast(&["epd", "normalise"], folder().path(), input.as_bytes());
    let said = text(&normal.stderr);
    assert_eq!(text(&normal.stdout), format!("{whole} id \"before\";\n{whole} id \"behind\";\n"), "{said}");
    assert_eq!(normal.status.code(), Some(1), "{said}");
    one_line(&said)
}

fn one_line(said: &str) -> String {
    println!("{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    let told = said.strip_prefix("boardcast: standard input, ").unwrap_or_else(|| panic!("{said}"));
    told.trim_end().to_owned()
}

#[test]
fn a_binary_file_is_no_pgn() {
    let utf16: Vec<u8> = "\u{feff}[Event \"A\"]".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for binary in
        [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", &b"PK\x03\x04\x14\0\x08"[..], b"\x1f\x8b\x08\0\0", b"\0\0\0", &utf16]
    {
        assert_eq!(
            told_of_games(binary),
            "game 2, line 5, column 1: this is binary data and not PGN; save the games as text in UTF-8"
        );
    }
}

#[test]
fn a_file_cut_anywhere_gives_what_was_whole() {
    let game = "[Event \"Cut\"]\n[White \"Adler, Ida\"]\n\n1. e4 {a remark} e5 (1... c5) 2. Nf3 $1 1-0\n\n";
    let whole = format!("{BEFORE}{game}");
    for end in BEFORE.len()..whole.len() {
        let cleaned = boardcast(&["pgn", "clean"], folder().path(), &whole.as_bytes()[..end]);
        let (games, said) = (text(&cleaned.stdout), text(&cleaned.stderr));
        assert!(games.starts_with("[Event \"Before\"]"), "{end}: {games}");
        // Where the cut falls between words, the game is simply shorter.
        let is_damaged = !said.is_empty();
        assert_eq!(cleaned.status.code(), Some(i32::from(is_damaged)), "{end}: {said}");
        // A cut glyph costs itself.
        let is_kept = !is_damaged || said.ends_with("this character or word is left out\n");
        assert_eq!(games.contains("[Event \"Cut\"]"), is_kept && end > BEFORE.len(), "{end}: {said}");
        if is_damaged {
            one_line(&said);
        }
    }
}

#[test]
fn a_comment_that_never_closes_is_named_where_it_opens() {
    assert_eq!(
        told_of_games(b"[Event \"A\"]\n\n1. e4 {and so on"),
        "game 2, move 1 (Black), line 7, column 7: the comment has no end; close it with a brace"
    );
}

#[test]
fn ten_thousand_nested_variations_are_read_or_named() {
    let nested = |close: &str| {
        let lines = "(1. d4 ".repeat(10_000);
        format!("[Event \"Nested\"]\n\n1. e4 {lines}{} *\n\n", close.repeat(10_000))
    };
    let checked = boardcast(&["pgn", "clean"], folder().path(), nested(")").as_bytes());
    let written = text(&checked.stdout);
    assert_eq!((checked.status.code(), text(&checked.stderr).as_str()), (Some(0), ""));
    assert_eq!((written.matches('(').count(), written.matches(')').count()), (10_000, 10_000));
    assert_eq!(
        told_of_games(nested("").as_bytes()),
        "game 2, line 7, column 70000: the variation has no end; close it with a parenthesis"
    );
}

#[test]
fn a_tag_without_end_is_named() {
    assert_eq!(
        told_of_games(b"[Event \"A\"]\n[White \"Ada]\n[Black \"Bo\"]\n\n1. e4 *"),
        "game 2, line 6, column 8: the tag value has no end; close it with \"]"
    );
    assert_eq!(
        told_of_games(b"[Event \"A\"]\n[White\n\n1. e4 *"),
        "game 2, line 6, column 1: this is not a tag; write [Name \"value\"]"
    );
}

#[test]
fn a_right_that_the_pieces_do_not_allow_is_named() {
    let folder = folder();
    let normal = boardcast(&["epd", "normalise"], folder.path(), b"4k3/8/8/8/8/8/8/R4K2 w Q e6 dm 1;\n");
    assert_eq!(text(&normal.stdout), "4k3/8/8/8/8/8/8/R4K2 w - - dm 1;\n");
    assert_eq!(
        text(&normal.stderr),
        "boardcast: standard input, line 1: castling availability, character 24: “Q” needs king and rook on their \
         castling squares; delete it; it is ignored\n\
         boardcast: standard input, line 1: en passant target square, character 26: no pawn has just passed e6; write - or \
         correct the square; it is ignored\n"
    );
    assert_eq!(normal.status.code(), Some(1));
    let game = b"[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R4K2 w Q - 0 1\"]\n\n1. Ra8+ *\n";
    for arguments in
        [&["epd", "positions", "--format", "fen"][..], &["pgn", "clean"], &["export", "--format", "fen", "-", "-"]]
    {
        let output = boardcast(arguments, folder.path(), game);
        let told = text(&output.stderr);
        assert!(
            told.contains("game 1, line 2, column 1: the FEN tag: castling availability, character 24: "),
            "{told}"
        );
        assert_eq!(output.status.code(), Some(1), "{told}");
    }
}

#[test]
fn nine_kings_are_too_many_in_games_and_in_records() {
    let kings = "kkkkkkkkk/8/8/8/8/8/8/4K3 w - -";
    assert_eq!(
        told_of_games(format!("[Event \"A\"]\n[FEN \"{kings} 0 1\"]\n\n1. Kd1 *").as_bytes()),
        "game 2, line 6, column 1: the FEN tag is not valid: piece placement, character 2: Black has more \
         than one king; remove this one"
    );
    assert_eq!(
        told_of_records(&format!("{kings} dm 1;")),
        "line 2, piece placement, character 2: Black has more than one king; remove this one; the record is left out"
    );
}

#[test]
fn an_operand_out_of_range_is_named_with_the_range() {
    assert_eq!(
        told_of_records("4k3/8/8/8/8/8/4P3/4K3 w - - ce 32767;"),
        "line 2, column 32: 32767 is out of range: ce takes -32768 to 32766; the record is left out"
    );
    assert_eq!(
        told_of_records("4k3/8/8/8/8/8/4P3/4K3 w - - dm 0;"),
        "line 2, column 32: 0 is out of range: dm takes 1 to 2147483647; the record is left out"
    );
}

#[test]
fn a_move_that_no_piece_can_make_is_named_with_the_position() {
    assert_eq!(
        told_of_games(b"[Event \"A\"]\n\n1. e4 e5 2. Ke3 *"),
        "game 2, move 2 (White), line 7, column 13: the move Ke3 is not legal in the position rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2; \
         correct it or the moves before it"
    );
}
