//! EPD through the public API: the standard's examples, every opcode, every error, streams with damaged records.

use notation::epd::{
    EpdError, Evaluation, GameExtras, MAX_RECORD_BYTES, MomentExtras, Operand, OperandType, Reason, Record, Registers,
    StreamError, Verdict, game_records, operand_type, read_record, read_records,
};
use notation::fen::{Reading, Style};
use notation::pgn::read_games;
use proptest::prelude::*;
use shakmaty::{Chess, Position};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

fn strict(text: &str) -> Record {
    read_record(text, Reading::STRICT).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn lax(text: &str) -> Record {
    read_record(text, Reading::LAX).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refused(operations: &str, reading: Reading) -> String {
    let text = format!("{START} {operations}");
    match read_record(&text, reading) {
        Ok(record) => panic!("{text} was read as {record}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_examples_of_the_standard_hold() {
    assert_eq!(strict(START).to_string(), START);
    // 6.8: a mate in three; 6.16: names of problems.
    for operation in ["dm 3;", "id \"WCSAC.0757\";", "id \"BK.15\";"] {
        let text = format!("{START} {operation}");
        assert_eq!(strict(&text).to_string(), text);
    }
    // 6.7: the mates, and what they mean.
    for (value, meant) in [
        (32_766, Some(Evaluation::MatesIn(1))),
        (32_758, Some(Evaluation::MatesIn(5))),
        (-32_765, Some(Evaluation::MatedIn(1))),
        (-32_757, Some(Evaluation::MatedIn(5))),
        (-32_767, Some(Evaluation::MatedIn(0))),
        (-32_768, None),
    ] {
        let record = strict(&format!("{START} ce {value};"));
        assert_eq!(record.integer("ce").and_then(Evaluation::from_ce), meant);
    }
}

#[test]
fn a_record_with_every_opcode_comes_back_byte_for_byte() {
    let texts =
        |family: char| (0..10).map(|rank| format!("{family}{rank} \"{family} {rank}\";")).collect::<Vec<_>>().join(" ");
    let head = format!("{START} Private word \"and a string\" -7; acn 4294967296; acs 15; am Nc3 a3; bm Nf3 d4 e4;");
    let middle = " cc 000:00:01:05 000:01:00:00; ce -25; dm 12; draw_offer; eco \"C20\"; fmvn 1; hmvc 0; id \"all\"; nic; \
        noop 1 \"two\" three; pm e4; ptp Black \"B\" White \"A\"; pv e4 e5 Nf3; rc 1; refcom respond; refreq reply; sm e4; sv e4 c5; \
        tcgs 1; tcri \"a@b.c\" \"Ann\"; tcsi \"d@e.f\" \"Dan\"; ts 1995.11.26 23:59:59;";
    let text = format!("{head} {}{middle} {}", texts('c'), texts('v'));
    // ASCII order puts the comments between `bm` and `cc`.
    let record = strict(&text);
    assert_eq!(record.to_string(), text);
    assert_eq!(record.operations().count(), 47);
    assert_eq!(record.fen(Style::STANDARD), format!("{START} 0 1"));
    for opcode in ["draw_accept;", "draw_claim; sm e4;", "draw_reject;", "resign;"] {
        let text = format!("{START} {opcode}");
        assert_eq!(strict(&text).to_string(), text);
    }
}

#[test]
fn normalisation_changes_the_form_and_nothing_else() {
    let untidy = format!("\t{START}   bm  e2e4 Nf3 N1c3!  e4 ; id A first problem; ce +007;; pm 1 ;");
    assert_eq!(
        read_record(&untidy, Reading::LAX).map_err(|error| error.to_string()),
        Err("column 115: “1” is not a move; write it in standard algebraic notation".to_owned())
    );
    let record = lax(&untidy.replace("pm 1 ;", "eco C20"));
    assert_eq!(record.to_string(), format!("{START} bm Nc3 Nf3 e4; ce 7; eco \"C20\"; id \"A first problem\";"));
    // A FEN with operations behind it.
    let fen = lax("4k3/8/8/8/8/8/4P3/4K3 w - - 5 39 bm e4;");
    assert_eq!(fen.to_string(), "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; fmvn 39; hmvc 5;");
    assert_eq!(fen.fen(Style::STANDARD), "4k3/8/8/8/8/8/4P3/4K3 w - - 5 39");
    // Rank and mark of a move are the standard's.
    let mate = lax("6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra1a8");
    assert_eq!(mate.moves("bm").collect::<Vec<_>>(), ["Ra8#"]);
}

#[test]
fn strict_reading_names_the_first_deviation() {
    for (operations, message) in [
        ("ce  1;", "column 56: separate the parts of a record by exactly one space"),
        ("ce 1 ;", "column 58: separate the parts of a record by exactly one space"),
        ("ce 1", "column 54: the operation has no end; close it with a semicolon"),
        ("ce +1;", "column 57: write the number as 1"),
        (
            "ce 1; acs 1;",
            "column 60: acs comes after an opcode that sorts after it; write the operations in ASCII order",
        ),
        ("bm e4 d4;", "column 54: the operands of bm are a set; write each once and in ASCII order"),
        ("bm e4 e4;", "column 54: the operands of bm are a set; write each once and in ASCII order"),
        ("bm e2e4;", "column 57: write the move as e4"),
        ("pv e4 e5 Nf3+;", "column 63: write the move as Nf3"),
        ("id A;", "column 57: write the string in quotes"),
        ("id \"é\";", "column 58: “é” is not a printing ASCII character; replace it"),
        ("0 1;", "column 54: “0” is not an opcode; write a letter and up to 14 letters, digits or underscores"),
        ("ce 1;;", "column 59: separate the parts of a record by exactly one space"),
    ] {
        assert_eq!(refused(operations, Reading::STRICT), message, "{operations}");
        lax(&format!("{START} {operations}"));
    }
}

#[test]
fn what_an_opcode_does_not_take_is_refused_with_place_and_reason() {
    for (operations, message) in [
        ("acn -1;", "column 58: -1 is out of range: acn takes 0 to 9223372036854775807"),
        ("ce 32767;", "column 57: 32767 is out of range: ce takes -32768 to 32766"),
        ("ce -32769;", "column 57: -32769 is out of range: ce takes -32768 to 32766"),
        ("dm 0;", "column 57: 0 is out of range: dm takes 1 to 2147483647"),
        ("hmvc -1;", "column 59: -1 is out of range: hmvc takes 0 to 2147483647"),
        ("acs 1.5;", "column 58: “1.5” is not a whole number; correct it"),
        ("acs 99999999999999999999;", "column 58: “99999999999999999999” is not a whole number; correct it"),
        ("acs \"1\";", "column 58: leave out the quotes around 1"),
        ("acs;", "column 54: acs takes one number; correct its operands"),
        ("rc 1 2;", "column 54: rc takes one number; correct its operands"),
        ("resign now;", "column 54: resign takes no operands; correct its operands"),
        ("bm e5;", "column 57: the move e5 is not legal in this position; correct the move or the position"),
        ("pm e4 d4;", "column 54: pm takes one move; correct its operands"),
        ("pv e4 e4;", "column 60: the move e4 is not legal in this position; correct the move or the position"),
        ("bm \"e4\";", "column 57: leave out the quotes around e4"),
        ("cc 000:00:00:00;", "column 54: cc takes two times, those of White and Black; correct its operands"),
        ("cc 000:00:00:00 0:00;", "column 70: “0:00” is not an amount of time, ddd:hh:mm:ss; correct it"),
        ("ts 1995.11.26 24:00:00;", "column 68: “24:00:00” is not a time of day, hh:mm:ss; correct it"),
        ("ts 1995.11.32 12:00:00;", "column 57: “1995.11.32” is not a date, yyyy.mm.dd; correct it"),
        ("refreq respond;", "column 61: refreq does not take “respond”; use one of fault, reply, sign_off, sign_on"),
        ("refcom \"reset\";", "column 61: leave out the quotes around reset"),
        ("ptp White;", "column 54: ptp takes pairs of tag name and value; correct its operands"),
        ("ptp White \"A\" White \"B\";", "column 54: the tag White occurs twice; keep one of the two"),
        ("tcri \"a@b.c\";", "column 54: tcri takes two strings, an address and a name; correct its operands"),
        ("id;", "column 54: id takes one string; correct its operands"),
        ("id \"open;", "column 57: the string has no end; close it with a quote"),
        ("c0 \"a\"; c0 \"b\";", "column 62: c0 occurs twice; keep one of the two"),
        ("bm? e4;", "column 54: “bm?” is not an opcode; write a letter and up to 14 letters, digits or underscores"),
        (
            "an_opcode_too_long 1;",
            "column 54: “an_opcode_too_long” is not an opcode; write a letter and up to 14 letters, digits or underscores",
        ),
        ("draw_offer;", "column 54: draw_offer needs the move that it belongs to; add sm"),
        (
            "draw_claim; draw_offer; sm e4;",
            "column 66: draw_offer and draw_claim exclude each other; keep one of the two",
        ),
        ("draw_accept; draw_reject;", "column 67: draw_reject and draw_accept exclude each other; keep one of the two"),
        ("draw_accept; resign;", "column 67: resign and draw_accept exclude each other; keep one of the two"),
        ("pm e4; pv d4;", "column 61: pm and the first move of pv differ; correct one of them"),
        ("sm e4; sv d4;", "column 61: sm and the first move of sv differ; correct one of them"),
    ] {
        assert_eq!(refused(operations, Reading::STRICT), message, "{operations}");
        assert_eq!(refused(operations, Reading::LAX), message, "{operations}");
    }
    let long = refused(&format!("id \"{}\";", "a".repeat(256)), Reading::LAX);
    assert_eq!(long, "column 57: the string is longer than 255 bytes; shorten it");
    strict(&format!("{START} id \"{}\";", "a".repeat(255)));
    let fields = read_record("4k3/8/8/8/8/8/8/4K3 w -", Reading::LAX).expect_err("three fields");
    assert_eq!(
        fields.to_string(),
        "column 24: a record starts with four fields (pieces, side to move, castling, en passant); add the missing ones"
    );
    let kings = read_record("kkkkkkkkk/8/8/8/8/8/8/4K3 w - - dm 1;", Reading::LAX).expect_err("nine kings");
    assert_eq!(kings.to_string(), "piece placement, character 2: Black has more than one king; remove this one");
}

#[test]
fn a_record_fits_its_line_whatever_is_set() {
    let mut record = lax(START);
    let comment = Operand::text(&"x".repeat(300));
    let mut fitted = 0;
    for index in 0..30 {
        if record.set(&format!("Note{index}"), vec![comment.clone()]).is_ok() {
            fitted += 1;
        }
    }
    assert_eq!(fitted, 15);
    assert!(record.to_string().len() <= MAX_RECORD_BYTES);
    assert_eq!(record.set("Note29", vec![comment]), Err(Reason::TooLong));
    assert_eq!(lax(&record.to_string()), record);
}

#[test]
fn a_refused_change_leaves_the_record_as_it_was() {
    let text = format!("{START} draw_offer; sm e4;");
    let mut record = strict(&text);
    assert_eq!(record.remove("sm"), Err(Reason::NeedsMove("draw_offer")));
    assert!(record.set("draw_claim", vec![]).is_err());
    assert!(record.set("sm", vec![Operand::Move("e5".to_owned())]).is_err());
    assert!(record.set("ts", vec![Operand::Integer(1)]).is_err());
    assert_eq!(record.set("id", vec![Operand::Text("a \"b\"".to_owned())]), Err(Reason::QuoteInString));
    assert!(record.set("my opcode", vec![]).is_err());
    assert!(record.set("x", vec![Operand::Word("a;b".to_owned())]).is_err());
    assert_eq!(record.to_string(), text);
    assert_eq!(record.remove("draw_offer"), Ok(Some(vec![])));
    assert_eq!(record.remove("draw_offer"), Ok(None));
    assert_eq!(record.to_string(), format!("{START} sm e4;"));
}

#[test]
fn comments_and_names_empty_the_registers_below_them() {
    let mut registers = Registers::default();
    let mut apply = |operations: &str| {
        registers.apply(&lax(&format!("{START} {operations}")));
        registers.clone()
    };
    let all = apply("c0 \"game\"; c1 \"opening\"; c3 \"detail\"; v1 \"Sicilian\"; eco \"B20\"; nic \"SI 1\"");
    assert_eq!(all.comments[3].as_deref(), Some("detail"));
    assert_eq!((all.eco.as_deref(), all.nic.as_deref()), (Some("B20"), Some("SI 1")));
    let next = apply("c1 \"middlegame\"; eco;");
    let told: Vec<_> = next.comments.iter().map(Option::as_deref).collect();
    assert_eq!(told[..4], [Some("game"), Some("middlegame"), None, None]);
    assert_eq!(next.variations[1].as_deref(), Some("Sicilian"));
    assert_eq!((next.eco, next.nic.as_deref()), (None, Some("SI 1")));
    assert_eq!(apply("c0; v0;"), Registers { nic: Some("SI 1".to_owned()), ..Registers::default() });
}

#[test]
fn a_damaged_record_loses_nothing_but_itself() {
    let long = "x".repeat(3 * MAX_RECORD_BYTES);
    let text = format!(
        "\u{feff}{START} id \"1\";\r\n# a remark\n\nnonsense\n{START} bm e5;\n{START} id \"2\";\n{START} id \"{long}\";\n{START} id \"3\""
    );
    let mut records = read_records(text.as_bytes(), Reading::LAX);
    let (mut names, mut errors) = (Vec::new(), Vec::new());
    while let Some(record) = records.next() {
        match record {
            Ok(record) => names.push((records.line(), record.text("id").unwrap_or_default().to_owned())),
            Err(error) => errors.push(error.to_string()),
        }
    }
    assert_eq!(names, [(1, "1".to_owned()), (6, "2".to_owned()), (8, "3".to_owned())]);
    assert_eq!(
        errors,
        [
            "line 4, column 9: a record starts with four fields (pieces, side to move, castling, en passant); add the missing ones",
            "line 5, column 57: the move e5 is not legal in this position; correct the move or the position",
            "line 7, column 1: the record is longer than 4096 bytes; delete some operations",
        ]
    );
    // Latin-1, as old files are.
    let latin: Vec<u8> = format!("{START} id \"M?ller\";").bytes().map(|b| if b == b'?' { 0xfc } else { b }).collect();
    let record = read_records(&latin[..], Reading::LAX).next().expect("a record").expect("a sound one");
    assert_eq!(record.text("id"), Some("Müller"));
}

#[test]
fn a_source_that_fails_ends_the_reading() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    let mut records = read_records(std::io::BufReader::new(Broken), Reading::LAX);
    let error = records.next().expect("an answer").expect_err("a failure");
    assert!(matches!(error, StreamError::Io { line: 1, .. }));
    assert_eq!(error.to_string(), "line 1: the text cannot be read: the disk is gone");
    assert!(records.next().is_none());
}

#[test]
fn a_problem_is_judged_by_its_best_moves_and_those_to_avoid() {
    for (operations, verdict) in [
        ("", Verdict::NoProblem),
        ("bm; pm e4;", Verdict::NoProblem),
        ("bm e4;", Verdict::Unanswered),
        ("bm e4; pv;", Verdict::Unanswered),
        ("bm e4 d4; pm d4;", Verdict::Solved),
        ("bm e4 d4; pv d4 d5;", Verdict::Solved),
        ("bm e4; pm d4;", Verdict::Missed),
        ("am e4; pm d4;", Verdict::Solved),
        ("am e4; pm e4;", Verdict::Missed),
        ("am e4; bm e4 d4; pm e4;", Verdict::Missed),
    ] {
        assert_eq!(Verdict::of(&lax(&format!("{START} {operations}"))), verdict, "{operations}");
    }
}

#[test]
fn a_game_becomes_one_record_a_position() {
    let game = read_games(
        "[White \"Adler, \\\"Ida\\\"\"]\n[Black \"B\"]\n[Board \"3\"]\n[Result \"*\"]\n\n1. Nf3 {[%emt 0:00:05]} Nf6 {[%emt 0:01:10]} \
         2. Ng1 {[%emt 0:00:02]} Ng8 {[%emt 0:00:03]} 3. e4 {later} d5 1/2-1/2",
    );
    let game = game.last().expect("a game").expect("a sound one");
    let moments = [MomentExtras { unix_seconds: Some(817_430_399), used_seconds: None }];
    let records = game_records(&game, GameExtras { id: "r1.3", moments: &moments }).expect("legal moves");
    let text: String = records.iter().map(|record| record.to_string() + "\n").collect();
    assert_eq!(
        text,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - cc 000:00:00:00 000:00:00:00; fmvn 1; hmvc 0; id \"r1.3.0\"; \
         ptp Black \"B\" Board \"3\" Result \"1/2-1/2\" White \"Adler, 'Ida'\"; rc 1; sm Nf3; ts 1995.11.26 23:59:59;\n\
         rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - cc 000:00:00:05 000:00:00:00; fmvn 1; hmvc 1; id \"r1.3.1\"; rc 1; sm Nf6;\n\
         rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - cc 000:00:00:05 000:00:01:10; fmvn 2; hmvc 2; id \"r1.3.2\"; rc 1; sm Ng1;\n\
         rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - cc 000:00:00:07 000:00:01:10; fmvn 2; hmvc 3; id \"r1.3.3\"; rc 1; sm Ng8;\n\
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - cc 000:00:00:07 000:00:01:13; fmvn 3; hmvc 4; id \"r1.3.4\"; rc 2; sm e4;\n\
         rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 fmvn 3; hmvc 0; id \"r1.3.5\"; rc 1; sm d5;\n\
         rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 fmvn 4; hmvc 0; id \"r1.3.6\"; rc 1;\n"
    );
    for line in text.lines() {
        assert_eq!(strict(line).to_string(), line);
    }
    // A thousand tags: as many as fit.
    let mut crowded = game.clone();
    for index in 0..1000 {
        crowded.tags.set(&format!("Tag{index}"), "x".repeat(100));
    }
    let records = game_records(&crowded, GameExtras::default()).expect("legal moves");
    let first = records[0].to_string();
    assert!((MAX_RECORD_BYTES - 120..=MAX_RECORD_BYTES).contains(&first.len()), "{}", first.len());
    assert!(records[0].get("id").is_none() && first.contains("White \"Adler, 'Ida'\""));
}

/// Operations that any record may hold, made of the position's own moves.
fn operations(position: &Chess, choices: &[(u8, i64, String)]) -> Vec<(String, Vec<Operand>)> {
    const OPCODES: [&str; 16] =
        ["acn", "acs", "am", "bm", "c0", "c9", "ce", "dm", "eco", "id", "noop", "Other", "rc", "v3", "fmvn", "pm"];
    let legal: Vec<String> = position.legal_moves().iter().map(|&m| notation::play::write_move(position, m)).collect();
    let pick =
        |number: i64| legal.get(usize::try_from(number.unsigned_abs()).unwrap_or(0) % legal.len().max(1)).cloned();
    choices
        .iter()
        .map(|(opcode, number, text)| {
            let opcode = OPCODES[usize::from(*opcode) % OPCODES.len()];
            let operands = match operand_type(opcode) {
                OperandType::Integer(least, most) => vec![Operand::Integer((*number).clamp(least, most))],
                OperandType::MoveSet => [pick(*number), pick(number.rotate_left(9)), pick(7)]
                    .into_iter()
                    .flatten()
                    .map(Operand::Move)
                    .collect(),
                OperandType::Move => pick(*number).into_iter().map(Operand::Move).collect(),
                OperandType::Anything => {
                    vec![Operand::Word("a-b".to_owned()), Operand::text(text), Operand::Word(number.to_string())]
                }
                _ => vec![Operand::text(text)],
            };
            (opcode.to_owned(), operands)
        })
        .collect()
}

const PIECES: &[&str] = &[
    START,
    " ",
    "  ",
    ";",
    "; ",
    "\"",
    "bm",
    " bm e4",
    "e4",
    "d4",
    " id \"x\"",
    "ce",
    " ce -32768",
    "99999999999999999999",
    "c0",
    "ptp White \"A\"",
    "pv e4 e5",
    "draw_offer",
    "sm e4",
    "cc 000:00:00:01 000:00:00:02",
    "ts 1995.11.26 12:00:00",
    "\t",
    "\u{e9}",
    "\0",
    "\n",
    "noop",
    "resign",
];

proptest! {
    /// Any position of a game, any operations: what is written is canonical and comes back.
    #[test]
    fn records_come_back(moves in proptest::collection::vec(any::<usize>(), 0..60),
                         choices in proptest::collection::vec((any::<u8>(), any::<i64>(), "[ -~]{0,40}"), 0..12)) {
        let mut position = Chess::default();
        for choice in moves {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            position.play_unchecked(legal[choice % legal.len()]);
        }
        let mut record = Record::new(position.clone());
        for (opcode, operands) in operations(&position, &choices) {
            // A move is missing where the game is over.
            let _ = record.set(&opcode, operands);
        }
        let text = record.to_string();
        let again = read_record(&text, Reading::STRICT).map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
        prop_assert_eq!(again.to_string(), &text[..]);
        // The order of operations does not matter.
        let mut parts: Vec<String> = record.operations().map(|(opcode, operands)| {
            let operands: Vec<String> = operands.iter().map(ToString::to_string).collect();
            format!("{opcode} {};", operands.join(" "))
        }).collect();
        parts.reverse();
        let fields: Vec<&str> = text.splitn(5, ' ').take(4).collect();
        let turned = format!("{} {}", fields.join(" "), parts.join(" "));
        prop_assert_eq!(read_record(&turned, Reading::LAX).map(|record| record.to_string()), Ok(text));
    }

    #[test]
    fn scrambled_records_are_read_or_refused(parts in proptest::collection::vec(proptest::sample::select(PIECES), 0..20)) {
        no_panic(&parts.concat())?;
    }

    #[test]
    fn operations_of_rubbish_are_read_or_refused(text in any::<String>()) {
        no_panic(&text)?;
        no_panic(&format!("{START} {text}"))?;
    }
}

/// Any text: a record that is read stays canonical, and an error has a place within the text.
fn no_panic(text: &str) -> Result<(), TestCaseError> {
    for reading in [Reading::STRICT, Reading::LAX] {
        match read_record(text, reading) {
            Ok(record) => {
                let canonical = record.to_string();
                prop_assert!(canonical.len() <= MAX_RECORD_BYTES);
                if reading.is_strict() {
                    prop_assert_eq!(&canonical, text);
                }
                let again = read_record(&canonical, Reading::LAX).map(|record| record.to_string());
                prop_assert_eq!(again, Ok(canonical));
            }
            Err(EpdError::Operation { column, .. }) => prop_assert!((1..=text.chars().count() + 1).contains(&column)),
            Err(EpdError::Position(error)) => prop_assert!((1..=text.chars().count() + 1).contains(&error.column)),
        }
    }
    Ok(())
}

/// The used times of all positions of a game.
fn used_times(text: &str) -> Vec<String> {
    let game = read_games(text).next().expect("a game").expect("a sound one");
    let records = game_records(&game, GameExtras::default()).expect("legal moves");
    let used = |record: &Record| record.get("cc").map(|operands| format!("{} {}", operands[0], operands[1]));
    records.iter().map(|record| used(record).unwrap_or_else(|| "-".to_owned())).collect()
}

#[test]
fn used_times_follow_from_the_clocks_too() {
    let short = |[white, black]: [&str; 2]| format!("000:00:0{white} 000:00:0{black}");
    assert_eq!(
        used_times(
            "[TimeControl \"180+2\"]\n\n1. e4 {[%clk 0:02:55]} e5 {[%clk 0:03:02]} 2. d4 {[%clk 0:02:50]} d5 3. c4 \
             {[%clk 0:02:52]} c5 {[%clk 0:03:00]} *"
        ),
        [["0:00", "0:00"], ["0:07", "0:00"], ["0:07", "0:00"], ["0:14", "0:00"]]
            .map(short)
            .into_iter()
            // The move without a time is known when the clock is read again.
            .chain(["-".to_owned(), "-".to_owned(), short(["0:14", "0:06"])])
            .collect::<Vec<_>>()
    );
    // The second period is added with its first move or later.
    assert_eq!(
        used_times(
            "[TimeControl \"2/60:30\"]\n\n1. Nf3 {[%clk 0:00:50]} Nf6 {[%clk 0:00:50]} 2. Ng1 {[%clk 0:01:15]} Ng8 \
             {[%clk 0:00:40]} *"
        )
        .last(),
        Some(&short(["0:15", "0:20"]))
    );
    // A clock that shows more than was given, and no time control: not known.
    for text in ["[TimeControl \"60\"]\n\n1. e4 {[%clk 0:02:00]} *", "1. e4 {[%clk 0:02:00]} *"] {
        assert_eq!(used_times(text).last().map(String::as_str), Some("-"), "{text}");
    }
}

#[test]
fn tags_have_the_result_of_the_movetext() {
    let tags = |text: &str| {
        let game = read_games(text).check_moves().next().expect("a game").expect("a sound one");
        let records = game_records(&game, GameExtras::default()).expect("legal moves");
        records[0].get("ptp").map(|operands| operands.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(tags("1. e4 1-0").as_deref(), Some("Result \"1-0\""));
    assert_eq!(tags("[Result \"?\"]\n\n1. e4 *").as_deref(), Some("Result \"*\""));
    assert_eq!(tags("[Result \"0-0\"]\n\n1. e4 *").as_deref(), Some("Result \"0-0\""));
}
