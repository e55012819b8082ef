//! Corrections as text: every undo in both versions, and the lines of the history.

use std::borrow::Cow;

use coded_text::{CodedText, Param};
use tournament::GameText;

use super::*;

/// An undo as this version writes it, as version 1 had it (if that had it), and what both mean.
type Stored = (&'static str, Option<&'static str>, Undo);

fn results_and_moves() -> Vec<Stored> {
    let game = || "g-1".into();
    let entered = |san: &str| EnteredMove { san: san.into(), clk_ms: Some(5_395_000), emt_ms: Some(5000) };
    let moves = |edit| Undo::Moves { game: "g-1".into(), edit };
    vec![
        (
            r#"{"undo":"result","game":"g-1","result":"1-0","reason":"kings in the centre"}"#,
            Some(r#"{"order":"set_result","game":"g-1","result":"1-0","reason":"kings in the centre"}"#),
            Undo::Result { game: game(), result: Some(score("1-0")), reason: Some("kings in the centre".into()) },
        ),
        (
            r#"{"undo":"result","game":"g-1","result":"- - +"}"#,
            Some(r#"{"order":"set_result","game":"g-1","result":"- - +"}"#),
            Undo::Result { game: game(), result: Some(score("- - +")), reason: None },
        ),
        (
            r#"{"undo":"result","game":"g-1"}"#,
            Some(r#"{"order":"set_result","game":"g-1","result":"*","reason":null}"#),
            Undo::Result { game: game(), result: None, reason: None },
        ),
        (
            r#"{"undo":"result","game":"g-1","result":"0-1 unrated"}"#,
            None,
            Undo::Result { game: game(), result: Score::of_trf('L', 'W'), reason: None },
        ),
        (
            r#"{"undo":"moves","game":"g-1","edit":{"edit":"insert","ply":3,"played":{"san":"g1f3"}}}"#,
            Some(
                r#"{"order":"edit_moves","game":"g-1","edit":{"edit":"insert","ply":3,"played":{"san":"g1f3"}},"cut":false}"#,
            ),
            moves(MoveEdit::Insert { ply: 3, played: EnteredMove { san: "g1f3".into(), clk_ms: None, emt_ms: None } }),
        ),
        (
            r#"{"undo":"moves","game":"g-1","edit":{"edit":"replace","ply":2,"played":{"san":"c7c5","clk_ms":5395000,"emt_ms":5000}}}"#,
            Some(
                r#"{"order":"edit_moves","game":"g-1","edit":{"edit":"replace","ply":2,"played":{"san":"c7c5","clk_ms":5395000,"emt_ms":5000}},"cut":false}"#,
            ),
            moves(MoveEdit::Replace { ply: 2, played: entered("c7c5") }),
        ),
        (
            r#"{"undo":"moves","game":"g-1","edit":{"edit":"delete","ply":3}}"#,
            Some(r#"{"order":"edit_moves","game":"g-1","edit":{"edit":"delete","ply":3},"cut":false}"#),
            moves(MoveEdit::Delete { ply: 3 }),
        ),
        (
            r#"{"undo":"moves","game":"g-1","edit":{"edit":"cut","after":4}}"#,
            Some(r#"{"order":"edit_moves","game":"g-1","edit":{"edit":"cut","after":4},"cut":false}"#),
            moves(MoveEdit::Cut { after: 4 }),
        ),
        (
            r#"{"undo":"moves","game":"g-1","edit":{"edit":"set","after":0,"moves":[{"san":"e2e4","clk_ms":5395000,"emt_ms":5000}],"instead_of":2}}"#,
            Some(
                r#"{"order":"edit_moves","game":"g-1","edit":{"edit":"set","after":0,"moves":[{"san":"e2e4","clk_ms":5395000,"emt_ms":5000}],"instead_of":2},"cut":false}"#,
            ),
            moves(MoveEdit::Set { after: 0, moves: vec![entered("e2e4")], instead_of: Some(2) }),
        ),
    ]
}

fn games_and_players() -> Vec<Stored> {
    let game = || "g-1".into();
    vec![
        (
            r#"{"undo":"clock","game":"g-1","ply":2,"clk_ms":5395000}"#,
            Some(r#"{"order":"set_clock","game":"g-1","ply":2,"clk_ms":5395000,"emt_ms":null}"#),
            Undo::Clock { game: game(), ply: 2, clk_ms: Some(5_395_000), emt_ms: None },
        ),
        (
            r#"{"undo":"tags","game":"g-1","tags":{"Opening":"Spanish"}}"#,
            Some(r#"{"order":"set_tags","game":"g-1","tags":{"Opening":"Spanish"}}"#),
            Undo::Tags { game: game(), tags: [("Opening".to_owned(), "Spanish".to_owned())].into() },
        ),
        (
            r#"{"undo":"players","game":"g-1","white":5}"#,
            Some(r#"{"order":"set_players","game":"g-1","white":5,"black":null,"confirm":true}"#),
            Undo::Players { game: game(), white: Some(PlayerId(5)), black: None },
        ),
        (
            r#"{"undo":"exchanged","section":"open-a","round":1,"one":5,"other":6}"#,
            None,
            Undo::Exchanged { section: "open-a".into(), round: 1, one: PlayerId(5), other: PlayerId(6) },
        ),
        (
            r#"{"undo":"withdrawn","game":"g-1","withdrawn":true}"#,
            Some(r#"{"order":"withdraw","game":"g-1"}"#),
            Undo::Withdrawn { game: game(), withdrawn: true },
        ),
        (
            r#"{"undo":"withdrawn","game":"g-1","withdrawn":false}"#,
            Some(r#"{"order":"restore","game":"g-1"}"#),
            Undo::Withdrawn { game: game(), withdrawn: false },
        ),
        (
            r#"{"undo":"board","game":"g-1","board":"20001"}"#,
            Some(r#"{"order":"swap_board","game":"g-1","board":"20001"}"#),
            Undo::Board { game: game(), board: "20001".into(), exchange: false },
        ),
        (
            r#"{"undo":"adjourned","game":"g-1"}"#,
            Some(r#"{"order":"adjourn","game":"g-1"}"#),
            Undo::Adjourned { game: game() },
        ),
        (
            r#"{"undo":"resumed","game":"g-1","board":"20002"}"#,
            Some(r#"{"order":"resume","game":"g-1","board":"20002"}"#),
            Undo::Resumed { game: game(), board: "20002".into() },
        ),
        (r#"{"undo":"player_added","player":3}"#, None, Undo::PlayerAdded { player: PlayerId(3) }),
        (
            r#"{"undo":"player","player":3}"#,
            Some(r#"{"order":"restore_player","player":3}"#),
            Undo::Player { player: PlayerId(3) },
        ),
        (
            r#"{"undo":"display","player":2,"display":"hidden"}"#,
            Some(r#"{"order":"set_display","player":2,"display":"hidden"}"#),
            Undo::Display { player: PlayerId(2), display: Display::Hidden },
        ),
    ]
}

fn settings() -> Vec<Stored> {
    vec![
        (
            r#"{"undo":"tournament","tournament":"festival","settings":{"name":"Festival","site":"Utrecht","zone":"Europe/Amsterdam"}}"#,
            Some(
                r#"{"order":"set_tournament","tournament":"festival","settings":{"name":"Festival","site":"Utrecht","zone":"Europe/Amsterdam"}}"#,
            ),
            Undo::Tournament { tournament: "festival".into(), settings: festival() },
        ),
        (
            r#"{"undo":"section","section":"open-a","settings":{"tournament":"festival","name":"Open A","site":"Utrecht","zone":"Europe/Amsterdam","first_table":11,"time_control":"W300-B240","last_day":"2026-11-29","auto_publish":true,"arm_by_publishing":false,"result_rule":"by_rules","boardless_games":true,"forfeits":true,"simultaneous":true,"open_play":true}}"#,
            Some(
                r#"{"order":"set_section","section":"open-a","settings":{"tournament":"festival","name":"Open A","site":"Utrecht","zone":"Europe/Amsterdam","first_table":11,"time_control":{"white":"300","black":"240"},"last_day":"2026-11-29","auto_publish":true,"arm_by_publishing":false,"result_rule":"by_rules","boardless_games":true,"forfeits":true,"simultaneous":true,"open_play":true}}"#,
            ),
            Undo::Section { section: "open-a".into(), settings: section() },
        ),
        (
            r#"{"undo":"event_ended","section":"open-a","ended":true}"#,
            Some(r#"{"order":"end_event","section":"open-a","confirm":true}"#),
            Undo::EventEnded { section: "open-a".into(), ended: true },
        ),
        (
            r#"{"undo":"event_ended","section":"open-a","ended":false}"#,
            Some(r#"{"order":"resume_event","section":"open-a"}"#),
            Undo::EventEnded { section: "open-a".into(), ended: false },
        ),
        (
            r#"{"undo":"section_removed","section":"open-a","removed":false}"#,
            None,
            Undo::SectionRemoved { section: "open-a".into(), removed: false },
        ),
        (
            r#"{"undo":"section_removed","section":"open-a","removed":true}"#,
            None,
            Undo::SectionRemoved { section: "open-a".into(), removed: true },
        ),
        (
            r#"{"undo":"published","section":"open-a","round":1,"published":false}"#,
            None,
            Undo::Published { section: "open-a".into(), round: 1, published: false },
        ),
        (
            r#"{"undo":"published","section":"open-a","round":1,"published":true}"#,
            None,
            Undo::Published { section: "open-a".into(), round: 1, published: true },
        ),
        (
            r#"{"undo":"round","section":"open-a","round":1,"settings":{"name":"First","date":"2026-11-20","planned_start":1795176000000,"time_control":"5400+30","delay_s":0,"default_time_s":1800}}"#,
            Some(
                r#"{"order":"set_round","section":"open-a","round":1,"settings":{"name":"First","date":"2026-11-20","planned_start":1795176000000,"time_control":{"white":"5400+30","black":"5400+30"},"delay_s":0,"default_time_s":1800}}"#,
            ),
            Undo::Round { section: "open-a".into(), round: 1, settings: round() },
        ),
    ]
}

/// Lines that a person wrote, or a build before lines had codes, are in words.
#[test]
fn corrections_with_every_undo_of_both_versions() {
    for (json, version_1, undo) in [results_and_moves(), games_and_players(), settings()].concat() {
        let correction = |undo| {
            Fact::Corrected(Correction {
                number: 7,
                what: Box::new(CodedText::in_words("g-1: corrected")),
                game: Some("g-1".into()),
                undo,
                undoes: Some(3),
            })
        };
        let fact = correction(Some(undo));
        let with = |undo: &str| {
            format!(r#""fact":"corrected","number":7,"what":"g-1: corrected","game":"g-1","undo":{undo},"undoes":3}}"#)
        };
        let stored: Value = serde_json::from_str(&format!("{{\"v\":2,{}", with(json))).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&write_fact(&fact).unwrap()).unwrap(), stored);
        reads(&stored.to_string(), &fact);
        if let Some(version_1) = version_1 {
            reads(&format!("{{{}", with(version_1)), &fact);
        }
    }
    let none = Correction { number: 1, what: Box::new(CodedText::in_words("x")), game: None, undo: None, undoes: None };
    is_stored(r#"{"v":2,"fact":"corrected","number":1,"what":"x"}"#, &Fact::Corrected(none));
}

/// A correction that has nothing but its line.
fn line(what: CodedText) -> Fact {
    Fact::Corrected(Correction { number: 1, what: Box::new(what), game: None, undo: None, undoes: None })
}

/// A game as a line names it.
fn table_two() -> CodedText {
    GameText::AtTable { game: "g-1".into(), round: 1, table: 2 }.coded()
}

#[test]
fn a_line_of_the_history_keeps_its_code_and_its_parameters() {
    is_stored(
        r#"{"v":2,"fact":"corrected","number":1,"what":"g-1 (round 1, table 2): times of ply 2 changed","code":"corrected_times","params":{"game":{"what":"g-1 (round 1, table 2)","code":"game_at_table","params":{"game":"g-1","round":1,"table":2}},"ply":2}}"#,
        &line(CorrectionText::Times { game: Box::new(table_two()), ply: 2 }.coded()),
    );
    // An id of digits stays a text.
    is_stored(
        r#"{"v":2,"fact":"corrected","number":1,"what":"g-1 (round 1, table 2): resumed on board 20001","code":"corrected_resumed","params":{"board":"20001","game":{"what":"g-1 (round 1, table 2)","code":"game_at_table","params":{"game":"g-1","round":1,"table":2}}}}"#,
        &line(CorrectionText::Resumed { game: Box::new(table_two()), board: "20001".into() }.coded()),
    );
    let what = CorrectionText::Moves { game: Box::new(table_two()) }.coded();
    is_stored(
        r#"{"v":2,"fact":"corrected","number":1,"what":"correction 3 undone: g-1 (round 1, table 2): moves edited","code":"corrected_undone","params":{"number":3,"what":{"what":"g-1 (round 1, table 2): moves edited","code":"corrected_moves","params":{"game":{"what":"g-1 (round 1, table 2)","code":"game_at_table","params":{"game":"g-1","round":1,"table":2}}}}}}"#,
        &line(CorrectionText::Undone { number: 3, what: Box::new(what) }.coded()),
    );
}

#[test]
fn a_line_with_a_code_of_another_version_is_read_and_written_as_it_is() {
    let what = CodedText {
        code: Cow::Borrowed("corrected_orientation"),
        params: [("board".into(), Param::Text("20001".into()))].into(),
        english: "board 20001: turned round".into(),
        place: None,
    };
    is_stored(
        r#"{"v":2,"fact":"corrected","number":1,"what":"board 20001: turned round","code":"corrected_orientation","params":{"board":"20001"}}"#,
        &line(what),
    );
}
