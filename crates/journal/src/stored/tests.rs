//! Every stored form as text: what it reads as, and what is written.
//!
//! The texts are journals of people. A change here is a new version of the form, never another text for the same version.

mod undos;

use game_core::event::{Author, Evidence, Variant};
use game_core::input::ResultRule;
use pairings::model::ByeKind;
use pairings::score::{Kind, Points, Score};
use pairings::time_controls::TimeControls;
use tournament::{
    Correction, CorrectionText, Delay, Display, EnteredMove, Fact, LoadedPlace, LoadedReport, LoadedStandings,
    MoveEdit, Pair, Person, PersonRecord, PlayerId, RoundSettings, RoundState, SectionSettings, StartPosition,
    Tournament, Undo,
};

use super::values::{StoredScore, StoredTimeControls, Word};
use super::*;
use crate::BoardFact;

/// Reads a fact, which must be written as the same text again.
#[track_caller]
fn is_stored(json: &str, fact: &Fact) {
    assert_eq!(&read_fact(json).unwrap(), fact);
    assert_eq!(write_fact(fact).unwrap(), json);
}

#[track_caller]
fn reads(json: &str, fact: &Fact) {
    assert_eq!(&read_fact(json).unwrap(), fact, "{json}");
}

fn score(text: &str) -> Score {
    Score::parse(text).unwrap()
}

fn section() -> SectionSettings {
    SectionSettings {
        tournament: "festival".into(),
        site: "Utrecht".into(),
        zone: "Europe/Amsterdam".parse().unwrap(),
        first_table: 11,
        time_control: TimeControls { white: Some("300".into()), black: Some("240".into()) },
        last_day: "2026-11-29".parse().ok(),
        auto_publish: true,
        arm_by_publishing: false,
        result_rule: ResultRule::ByRules,
        boardless_games: true,
        forfeits: true,
        simultaneous: true,
        open_play: true,
        ..SectionSettings::named("Open A")
    }
}

fn round() -> RoundSettings {
    RoundSettings {
        name: Some("First".into()),
        date: "2026-11-20".parse().ok(),
        planned_start: Some(1_795_176_000_000),
        time_control: TimeControls::same("5400+30"),
        delay: None,
        default_time_s: Some(1800),
    }
}

fn festival() -> Tournament {
    Tournament {
        name: "Festival".into(),
        site: "Utrecht".into(),
        zone: "Europe/Amsterdam".parse().unwrap(),
        delay: None,
    }
}

#[test]
fn a_report_is_stored_with_its_encoding() {
    let report = LoadedReport { text: "012 Cup\r\nXXR 5\r\n".into(), encoding: Some("windows-1250".into()) };
    is_stored(
        r#"{"v":2,"fact":"report_loaded","section":"open","text":"012 Cup\r\nXXR 5\r\n","encoding":"windows-1250"}"#,
        &Fact::ReportLoaded { section: "open".into(), report },
    );
}

#[test]
fn standings_are_stored_with_their_tie_breaks() {
    let place = LoadedPlace { rank: 2, points: Some(25), tie_breaks: vec!["11½".into(), "7.25".into()] };
    let standings = LoadedStandings {
        after_round: 3,
        tie_breaks: vec!["BH".into(), "SB".into()],
        places: [(PlayerId(7), place)].into(),
    };
    is_stored(
        r#"{"v":2,"fact":"standings_loaded","section":"open","after_round":3,"tie_breaks":["BH","SB"],"places":[{"player":7,"rank":2,"points":25,"tie_breaks":["11½","7.25"]}]}"#,
        &Fact::StandingsLoaded { section: "open".into(), standings: standings.into() },
    );
}

#[test]
fn facts_of_settings() {
    let settings = festival();
    is_stored(
        r#"{"v":2,"fact":"tournament_set","tournament":"festival","settings":{"name":"Festival","site":"Utrecht","zone":"Europe/Amsterdam"}}"#,
        &Fact::TournamentSet { tournament: "festival".into(), settings },
    );
    is_stored(
        r#"{"v":2,"fact":"section_set","section":"open-a","settings":{"tournament":"festival","name":"Open A","site":"Utrecht","zone":"Europe/Amsterdam","first_table":11,"time_control":"W300-B240","last_day":"2026-11-29","auto_publish":true,"arm_by_publishing":false,"result_rule":"by_rules","boardless_games":true,"forfeits":true,"simultaneous":true,"open_play":true}}"#,
        &Fact::SectionSet { section: "open-a".into(), settings: section() },
    );
    is_stored(
        r#"{"v":2,"fact":"event_ended","section":"open-a","ended":true}"#,
        &Fact::EventEnded { section: "open-a".into(), ended: true },
    );
    is_stored(
        r#"{"v":2,"fact":"section_removed","section":"open-a","removed":true}"#,
        &Fact::SectionRemoved { section: "open-a".into(), removed: true },
    );
    is_stored(
        r#"{"v":2,"fact":"round_set","section":"open-a","round":1,"settings":{"name":"First","date":"2026-11-20","planned_start":1795176000000,"time_control":"5400+30","delay_s":0,"default_time_s":1800}}"#,
        &Fact::RoundSet { section: "open-a".into(), round: 1, settings: round() },
    );
    reads(
        r#"{"v":2,"fact":"round_set","section":"open-a","round":2,"settings":{"delay_s":60}}"#,
        &Fact::RoundSet {
            section: "open-a".into(),
            round: 2,
            settings: RoundSettings { delay: Some(Delay::Seconds(60)), ..RoundSettings::default() },
        },
    );
    let start = StartPosition { fen: "8/8/8/8/8/8/8/8 w - - 0 1".into(), variant: Variant::Chess960, number: Some(7) };
    is_stored(
        r#"{"v":2,"fact":"start_set","section":"open-a","round":2,"start":{"fen":"8/8/8/8/8/8/8/8 w - - 0 1","variant":"chess960","number":7}}"#,
        &Fact::StartSet { section: "open-a".into(), round: 2, start: Some(start) },
    );
    is_stored(
        r#"{"v":2,"fact":"round_state","section":"open-a","round":2,"state":"armed"}"#,
        &Fact::RoundState { section: "open-a".into(), round: 2, state: RoundState::Armed },
    );
}

#[test]
fn delays() {
    let delay = Some(Delay::Seconds(600));
    is_stored(
        r#"{"v":2,"fact":"tournament_set","tournament":"festival","settings":{"name":"Festival","site":"Utrecht","zone":"Europe/Amsterdam","delay":"600 s"}}"#,
        &Fact::TournamentSet { tournament: "festival".into(), settings: Tournament { delay, ..festival() } },
    );
    let board_delays = [(1, Delay::UntilOver), (2, Delay::Seconds(1800))].into();
    let settings = SectionSettings { delay: Some(Delay::NONE), board_delays, ..section() };
    is_stored(
        r#"{"v":2,"fact":"section_set","section":"open-a","settings":{"tournament":"festival","name":"Open A","site":"Utrecht","zone":"Europe/Amsterdam","first_table":11,"time_control":"W300-B240","last_day":"2026-11-29","auto_publish":true,"arm_by_publishing":false,"result_rule":"by_rules","boardless_games":true,"forfeits":true,"simultaneous":true,"open_play":true,"delay":"0 s","board_delays":[[1,"until_over"],[2,"1800 s"]]}}"#,
        &Fact::SectionSet { section: "open-a".into(), settings },
    );
    is_stored(
        r#"{"v":2,"fact":"section_set","section":"club","settings":{"tournament":"","name":"Club","site":"?","video":"https://video.example/?a=1&b=2","zone":"UTC","first_table":1,"auto_publish":false,"arm_by_publishing":true,"result_rule":"shown","boardless_games":false,"forfeits":false,"simultaneous":false,"open_play":false}}"#,
        &Fact::SectionSet {
            section: "club".into(),
            settings: SectionSettings {
                video: Some("https://video.example/?a=1&b=2".into()),
                ..SectionSettings::named("Club")
            },
        },
    );
    for (json, delay) in [("900 s", Delay::Seconds(900)), ("0 s", Delay::NONE), ("until_over", Delay::UntilOver)] {
        let settings = RoundSettings { delay: Some(delay), ..RoundSettings::default() };
        is_stored(
            &format!(
                r#"{{"v":2,"fact":"round_set","section":"open-a","round":2,"settings":{{"delay_s":0,"delay":"{json}"}}}}"#
            ),
            &Fact::RoundSet { section: "open-a".into(), round: 2, settings },
        );
    }
    let unknown = r#"{"v":2,"fact":"round_set","section":"a","round":2,"settings":{"delay":"3 moons"}}"#;
    assert!(matches!(read_fact(unknown), Err(FormError::Newer(what)) if what == "delay \"3 moons\""));
}

#[test]
fn facts_of_pairings_and_players() {
    let pair = Pair {
        number: 3,
        boardless: true,
        team_match: Some((2, 4)),
        white: Some(PlayerId(5)),
        black: None,
        tags: [("Opening".to_owned(), "Ruy Lopez".to_owned())].into(),
    };
    is_stored(
        r#"{"v":2,"fact":"paired","section":"open-a","round":1,"game":"open-a-1-3","pair":{"number":3,"boardless":true,"team_match":[2,4],"white":5,"black":null,"tags":{"Opening":"Ruy Lopez"}}}"#,
        &Fact::Paired { section: "open-a".into(), round: 1, game: "open-a-1-3".into(), pair },
    );
    is_stored(r#"{"v":2,"fact":"unpaired","game":"open-a-1-3"}"#, &Fact::Unpaired { game: "open-a-1-3".into() });
    is_stored(
        r#"{"v":2,"fact":"bye_set","section":"open-a","round":1,"player":7,"kind":"half"}"#,
        &Fact::ByeSet { section: "open-a".into(), round: 1, player: PlayerId(7), kind: Some(ByeKind::Half) },
    );
    is_stored(
        r#"{"v":2,"fact":"bye_imported","section":"open-a","round":1,"player":7,"kind":null}"#,
        &Fact::ByeImported { section: "open-a".into(), round: 1, player: PlayerId(7), kind: None },
    );
    is_stored(
        r#"{"v":2,"fact":"player_set","section":"open-a","player":7,"number":12,"display":"initials"}"#,
        &Fact::PlayerSet {
            section: "open-a".into(),
            player: PlayerId(7),
            number: Some(12),
            display: Display::Initials,
        },
    );
    is_stored(r#"{"v":2,"fact":"player_removed","player":7}"#, &Fact::PlayerRemoved { player: PlayerId(7) });
    is_stored(r#"{"v":2,"fact":"player_forgotten","player":7}"#, &Fact::PlayerForgotten { player: PlayerId(7) });
}

#[test]
fn facts_of_boards_and_games() {
    let game = || "open-a-1-1".into();
    is_stored(
        r#"{"v":2,"fact":"seated","table":1,"board":"20001"}"#,
        &Fact::Seated { table: 1, board: Some("20001".into()) },
    );
    is_stored(
        r#"{"v":2,"fact":"registered","board":"20001","number":7}"#,
        &Fact::Registered { board: "20001".into(), number: 7 },
    );
    is_stored(r#"{"v":2,"fact":"identifying","table":3}"#, &Fact::Identifying { table: Some(3) });
    is_stored(
        r#"{"v":2,"fact":"began","board":null,"game":"open-a-1-1","day":"2026-11-20"}"#,
        &Fact::Began { board: None, game: game(), day: "2026-11-20".parse().unwrap() },
    );
    is_stored(
        r#"{"v":2,"fact":"moved","game":"open-a-1-1","from":"20001","to":"20005"}"#,
        &Fact::Moved { game: game(), from: Some("20001".into()), to: "20005".into() },
    );
    is_stored(
        r#"{"v":2,"fact":"parked","board":"20001","game":"20001-apart-1"}"#,
        &Fact::Unassigned { board: "20001".into(), game: "20001-apart-1".into() },
    );
    is_stored(
        r#"{"v":2,"fact":"claimed","parked":"20001-apart-1","game":"open-a-1-1"}"#,
        &Fact::Adopted { unassigned: "20001-apart-1".into(), game: game() },
    );
    is_stored(
        r#"{"v":2,"fact":"result_set","game":"open-a-1-1","result":"1/2-1/2"}"#,
        &Fact::ResultSet { game: game(), result: Some(score("1/2-1/2")) },
    );
    is_stored(
        r#"{"v":2,"fact":"result_imported","game":"open-a-1-1","result":"+ - -"}"#,
        &Fact::ResultImported { game: game(), result: Some(score("+ - -")) },
    );
    is_stored(r#"{"v":2,"fact":"not_begun","game":"open-a-1-1"}"#, &Fact::NotBegun { game: game() });
    is_stored(r#"{"v":2,"fact":"result_missing","game":"open-a-1-1"}"#, &Fact::ResultMissing { game: game() });
    is_stored(r#"{"v":2,"fact":"adjourned","game":"open-a-1-1"}"#, &Fact::Adjourned { game: game() });
    is_stored(
        r#"{"v":2,"fact":"withdrawn","game":"open-a-1-1","withdrawn":true}"#,
        &Fact::Withdrawn { game: game(), withdrawn: true },
    );
    is_stored(
        r#"{"v":2,"fact":"tags_set","game":"open-a-1-1","tags":{"Opening":"Spanish"}}"#,
        &Fact::TagsSet { game: game(), tags: [("Opening".to_owned(), "Spanish".to_owned())].into() },
    );
}

#[test]
fn facts_of_version_1() {
    reads(
        r#"{"fact":"section_set","section":"open-a","settings":{"tournament":"festival","name":"Open A","site":"Utrecht","zone":"Europe/Amsterdam","first_table":11,"time_control":{"white":"300","black":"240"},"last_day":"2026-11-29","auto_publish":true,"arm_by_publishing":false,"result_rule":"by_rules","boardless_games":true,"forfeits":true,"simultaneous":true,"open_play":true}}"#,
        &Fact::SectionSet { section: "open-a".into(), settings: section() },
    );
    // The first builds had fewer settings.
    reads(
        r#"{"fact":"section_set","section":"a","settings":{"name":"A","time_control":{}}}"#,
        &Fact::SectionSet { section: "a".into(), settings: SectionSettings::named("A") },
    );
    reads(
        r#"{"fact":"round_set","section":"open-a","round":1,"settings":{"name":"First","date":"2026-11-20","planned_start":1795176000000,"time_control":{"white":"5400+30","black":"5400+30"},"delay_s":0,"default_time_s":1800}}"#,
        &Fact::RoundSet { section: "open-a".into(), round: 1, settings: round() },
    );
    reads(
        r#"{"fact":"result_set","game":"g-1","result":{"white":"one","black":"zero","kind":"forfeit"}}"#,
        &Fact::ResultSet { game: "g-1".into(), result: Some(score("+ - -")) },
    );
    reads(
        r#"{"fact":"result_imported","game":"g-1","result":{"white":"half","black":"half","kind":"unrated"}}"#,
        &Fact::ResultImported { game: "g-1".into(), result: Score::of_trf('D', 'D') },
    );
    reads(
        r#"{"fact":"paired","section":"a","round":1,"game":"g-1","pair":{"number":4,"boardless":false,"white":null,"black":null}}"#,
        &Fact::Paired {
            section: "a".into(),
            round: 1,
            game: "g-1".into(),
            pair: Pair { number: 4, ..Pair::default() },
        },
    );
}

#[test]
fn a_field_of_a_newer_version_is_ignored_and_anything_else_is_refused() {
    let fact = Fact::Unpaired { game: "g-1".into() };
    reads(r#"{"v":2,"fact":"unpaired","game":"g-1","since":{"x":1}}"#, &fact);
    let refused = |json: &str| match read_fact(json).unwrap_err() {
        FormError::Newer(what) => what,
        FormError::Damaged(error) => format!("damaged: {error}"),
    };
    assert_eq!(refused(r#"{"v":3,"fact":"unpaired","game":[]}"#), "version 3");
    assert_eq!(refused(r#"{"v":2,"fact":"relocated","hall":"b"}"#), "fact \"relocated\"");
    assert_eq!(
        refused(r#"{"v":2,"fact":"corrected","number":1,"what":"","undo":{"undo":"rating","player":1}}"#),
        "undo \"rating\""
    );
    assert_eq!(
        refused(r#"{"v":2,"fact":"round_state","section":"a","round":1,"state":"paused"}"#),
        "state of a round \"paused\""
    );
    assert_eq!(refused(r#"{"v":2,"fact":"result_set","game":"g-1","result":"3-0"}"#), "result \"3-0\"");
    for damaged in ["{}", "[]", "", "null", r#"{"fact":"unpaired"}"#, r#"{"v":"2","fact":"unpaired","game":"g-1"}"#] {
        assert!(refused(damaged).starts_with("damaged"), "{damaged}: {}", refused(damaged));
    }
    assert!(matches!(read_board_fact(r#"{"tilted":{"degrees":3}}"#), Err(FormError::Newer(_))));
    assert!(matches!(read_person(r#"{"v":2,"person":{"given":"Ida"}}"#), Err(FormError::Newer(_))));
    assert!(matches!(read_author(r#"{"robot":"x"}"#), Err(FormError::Newer(_))));
    assert!(matches!(read_author("7"), Err(FormError::Damaged(_))));
    assert!(matches!(read_evidence("\"x-ray\""), Err(FormError::Newer(_))));
}

#[test]
fn persons_boards_authors_and_evidence() {
    let person = Person {
        name: "Adler, Ida".into(),
        title: Some("WGM".into()),
        rating: Some(2399),
        federation: Some("NED".into()),
        fide_id: Some(1001),
        team: Some("Utrecht".into()),
    };
    let record = PersonRecord::new(Person { name: "Adler, I".into(), ..Person::default() }).changed(person);
    let json = r#"{"person":{"name":"Adler, Ida","title":"WGM","rating":2399,"federation":"NED","fide_id":1001,"team":"Utrecht"},"earlier":[{"name":"Adler, I"}]}"#;
    assert_eq!((read_person(json).unwrap(), write_person(&record).unwrap().as_str()), (record, json));
    let nobody = PersonRecord::new(Person { name: "B".into(), ..Person::default() });
    assert_eq!(read_person(r#"{"person":{"name":"B","shoe":44}}"#).unwrap(), nobody);

    for (json, fact) in [
        (
            r#"{"facing":{"rotated":true,"white_is_left":false}}"#,
            BoardFact::Orientation { rotated: true, white_is_left: Some(false) },
        ),
        (
            r#"{"facing":{"rotated":false,"white_is_left":null}}"#,
            BoardFact::Orientation { rotated: false, white_is_left: None },
        ),
        (r#"{"blind":{"squares":["a1","h8"]}}"#, BoardFact::IgnoredSquares { squares: vec!["a1".into(), "h8".into()] }),
    ] {
        assert_eq!((read_board_fact(json).unwrap(), write_board_fact(&fact).unwrap().as_str()), (fact, json));
    }
    for (json, author) in [
        ("\"board\"", Author::Board),
        (r#"{"operator":"Ada"}"#, Author::Operator("Ada".into())),
        (r#"{"rule":"upgrade"}"#, Author::Rule("upgrade".into())),
    ] {
        assert_eq!((read_author(json).unwrap(), write_author(&author).unwrap().as_str()), (author, json));
    }
    let words = ["lever", "reply", "quiet", "dump", "log", "clock", "rules", "start_position", "command"];
    for word in words {
        let json = format!("\"{word}\"");
        assert_eq!(write_evidence(read_evidence(&json).unwrap()), json);
    }
    assert_eq!(read_evidence("\"start_position\"").unwrap(), Evidence::StartPosition);
}

#[test]
fn every_score_and_time_control_comes_back() {
    let sides = [Points::Zero, Points::Half, Points::One];
    let kinds = [Kind::Played, Kind::Unrated, Kind::Forfeit];
    for score in sides
        .into_iter()
        .flat_map(|white| sides.into_iter().flat_map(move |black| kinds.map(|kind| Score { white, black, kind })))
    {
        assert_eq!(Score::try_from(StoredScore::from(score)).unwrap(), score);
        let words = StoredScore::Words {
            white: score.white.word().into(),
            black: score.black.word().into(),
            kind: score.kind.word().into(),
        };
        assert_eq!(Score::try_from(words).unwrap(), score);
    }
    let side = |text: &str| Some(text.to_owned());
    for (white, black) in [
        (side("5400+30"), side("5400+30")),
        (side("300"), side("240")),
        (side("40/7200:3600"), None),
        (None, side("*180")),
        (None, None),
    ] {
        let controls = TimeControls { white, black };
        let stored = StoredTimeControls::of(&controls);
        assert_eq!(stored.map(TimeControls::from).unwrap_or_default(), controls);
    }
}
