//! The JSON of the API, literally: what is written here is what programs of others send and read.

use super::facts::Fact;
use super::keys::Scope;
use super::orders::Order;
use super::users::Role;
use pairings::model::ByeKind;
use pairings::score::Score;
use tournament::{
    CorrectionText, Display, GameText, Pair, PlayerId, RoundSettings, RoundState, SectionSettings, StartPosition,
};

/// Every order, with each of its fields.
const ORDERS: [&str; 48] = [
    r#"{"order":"set_tournament","tournament":"festival","settings":{"name":"Festival","site":"Utrecht","zone":"Europe/Amsterdam","delay_s":600}}"#,
    r#"{"order":"set_section","section":"open-a","settings":{"tournament":"festival","name":"Open A","site":"?","zone":"UTC","first_table":1,"time_control":{"white":"300","black":"240"},"last_day":"2026-11-20","auto_publish":true,"arm_by_publishing":false,"result_rule":"by_rules","doubt_rule":"likely","doubt_wait_s":120,"boardless_games":true,"forfeits":true,"simultaneous":true,"open_play":false,"delay_s":1800,"board_delays":[{"board":1,"delay_s":"until_over"}]},"confirm":true}"#,
    r#"{"order":"end_event","section":"open-a","confirm":true}"#,
    r#"{"order":"remove_section","section":"open-a"}"#,
    r#"{"order":"restore_section","section":"open-a"}"#,
    r#"{"order":"resume_event","section":"open-a"}"#,
    r#"{"order":"set_round","section":"open-a","round":3,"settings":{"name":"Final","date":"2026-11-20","planned_start":1795176000000,"time_control":{"white":"300","black":"300"},"delay_s":0,"default_time_s":900}}"#,
    r#"{"order":"set_round","section":"open-a","round":3,"settings":{"delay_s":0}}"#,
    r#"{"order":"set_round","section":"open-a","round":3,"settings":{"delay_s":"until_over"}}"#,
    r#"{"order":"set_board_delay","section":"open-a","board":1,"delay_s":900}"#,
    r#"{"order":"set_start","section":"open-a","round":3,"start":{"chess960":518}}"#,
    r#"{"order":"set_start","section":"open-a","round":3,"start":{"fen":"8/8/8/8/8/8/8/K1k5 w - - 0 1"}}"#,
    r#"{"order":"load_pairings","section":"open-a","files":[{"name":"round.csv","text":"White;Black","guessed_encoding":"windows-1250"}],"round":2,"confirm":true}"#,
    r#"{"order":"pair","section":"open-a","round":3,"number":7,"white":1,"black":2,"boardless":true,"confirm":true}"#,
    r#"{"order":"unpair","game":"open-a-3-7","confirm":true}"#,
    r#"{"order":"set_bye","section":"open-a","round":3,"player":1,"kind":"half"}"#,
    r#"{"order":"add_player","section":"open-a","person":{"name":"Bos, Jan","title":"IM","rating":2400,"federation":"NED","fide_id":1000,"team":"Utrecht"},"number":5}"#,
    r#"{"order":"set_player","player":1,"person":{"name":"Bos, Jan"}}"#,
    r#"{"order":"remove_player","player":1}"#,
    r#"{"order":"restore_player","player":1}"#,
    r#"{"order":"set_display","player":1,"display":"initials"}"#,
    r#"{"order":"forget","player":1}"#,
    r#"{"order":"publish","section":"open-a","round":3,"confirm":true}"#,
    r#"{"order":"unpublish","section":"open-a","round":3,"confirm":true}"#,
    r#"{"order":"arm","section":"open-a","round":3,"confirm":true}"#,
    r#"{"order":"finish","section":"open-a","round":3}"#,
    r#"{"order":"reopen","section":"open-a","round":3}"#,
    r#"{"order":"welcome_board","board":"20077"}"#,
    r#"{"order":"blind_squares","board":"20077","squares":["e4"]}"#,
    r#"{"order":"start_from","board":"20077","fen":"8/8/8/8/8/8/8/K1k5 w - - 0 1","variant":"chess960"}"#,
    r#"{"order":"confirm_pairings","section":"open-a"}"#,
    r#"{"order":"assign_by_serial","boards":["20077"]}"#,
    r#"{"order":"identify_table","table":3}"#,
    r#"{"order":"seat_boards","seats":[{"table":1,"board":"20077"},{"table":2,"board":null}]}"#,
    r#"{"order":"set_result","game":"open-a-3-7","result":"1-0","reason":"resignation","confirm":true}"#,
    r#"{"order":"edit_moves","game":"open-a-3-7","edit":{"edit":"insert","ply":3,"played":{"san":"e4","clk_ms":1000,"emt_ms":2000}},"cut":true}"#,
    r#"{"order":"edit_moves","game":"open-a-3-7","edit":{"edit":"set","after":3,"moves":[{"san":"e4"}],"instead_of":9},"cut":false}"#,
    r#"{"order":"set_clock","game":"open-a-3-7","ply":3,"clk_ms":1000,"emt_ms":2000}"#,
    r#"{"order":"set_players","game":"open-a-3-7","white":1,"black":null,"confirm":true}"#,
    r#"{"order":"exchange_players","section":"open-a","round":3,"one":1,"other":2}"#,
    r#"{"order":"set_tags","game":"open-a-3-7","tags":{"Annotator":"Bos"}}"#,
    r#"{"order":"swap_board","game":"open-a-3-7","board":"20077"}"#,
    r#"{"order":"adjourn","game":"open-a-3-7"}"#,
    r#"{"order":"resume","game":"open-a-3-7","board":"20077"}"#,
    r#"{"order":"withdraw","game":"open-a-3-7"}"#,
    r#"{"order":"restore","game":"open-a-3-7"}"#,
    r#"{"order":"claim","parked":"kept-1","game":"open-a-3-7","confirm":true}"#,
    r#"{"order":"undo","number":12}"#,
];

/// An order as it is carried out in a hall without sections.
fn in_empty_hall(json: &str) -> Result<tournament::Order, String> {
    let order: Order = serde_json::from_str(json).map_err(|error| error.to_string())?;
    order.in_hall(&tournament::Hall::default())
}

#[test]
fn settings_of_a_section_that_are_not_named_stay() {
    let settings = SectionSettings {
        site: "Prague".into(),
        first_table: 11,
        auto_publish: true,
        last_day: Some("2026-11-29".parse().unwrap()),
        ..SectionSettings::named("Cup")
    };
    let fact = tournament::Fact::SectionSet { section: "cup".into(), settings: settings.clone() };
    let hall = tournament::Hall::of([&fact]);
    let ordered = |json: &str| serde_json::from_str::<Order>(json).unwrap().in_hall(&hall);
    let order = ordered(r#"{"order":"set_section","section":"cup","settings":{"site":"Brno","last_day":null}}"#);
    let changed = SectionSettings { site: "Brno".into(), last_day: None, ..settings };
    assert_eq!(order, Ok(tournament::Order::SetSection { section: "cup".into(), settings: changed, confirm: false }));
    let nameless = ordered(r#"{"order":"set_section","section":"other","settings":{"site":"Brno"}}"#).unwrap_err();
    assert!(nameless.contains("missing field `name`"), "{nameless}");
}

#[test]
fn every_order_keeps_its_json_through_the_domain() {
    for json in ORDERS {
        let order = in_empty_hall(json).unwrap_or_else(|error| panic!("{json}: {error}"));
        let back = serde_json::to_value(Order::from(order)).unwrap();
        assert_eq!(back, serde_json::from_str::<serde_json::Value>(json).unwrap());
    }
}

#[test]
fn what_may_be_left_out_has_its_usual_value() {
    for (short, long) in [
        (
            r#"{"order":"set_section","section":"a","settings":{"name":"A"}}"#,
            tournament::Order::SetSection {
                section: "a".into(),
                settings: SectionSettings::named("A"),
                confirm: false,
            },
        ),
        (
            r#"{"order":"set_round","section":"a","round":1,"settings":{}}"#,
            tournament::Order::SetRound { section: "a".into(), round: 1, settings: RoundSettings::default() },
        ),
        (
            r#"{"order":"publish","section":"a","round":1}"#,
            tournament::Order::Publish { section: "a".into(), round: 1, confirm: false },
        ),
    ] {
        assert_eq!(in_empty_hall(short).unwrap(), long, "{short}");
    }
}

#[test]
fn what_is_misspelt_is_refused() {
    for wrong in [
        r#"{"order":"publish","section":"open","rounds":1}"#,
        r#"{"order":"publich","section":"open","round":1}"#,
        r#"{"order":"set_section","section":"a","settings":{"name":"A","zone":"Mars/Olympus"}}"#,
        r#"{"order":"set_section","section":"a","settings":{"name":"A","auto_publich":true}}"#,
        r#"{"order":"add_player","section":"a","person":{"name":"A","sex":"m"}}"#,
        r#"{"order":"seat_boards","seats":[{"table":1,"serial":"20077"}]}"#,
        r#"{"order":"edit_moves","game":"a","edit":{"edit":"cut","ply":3}}"#,
        r#"{"order":"start_from","board":"1","fen":"8/8/8/8/8/8/8/K1k5 w - - 0 1","variant":"Chess960"}"#,
    ] {
        assert!(in_empty_hall(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn facts_are_told_as_before() {
    let (section, game) = (|| "open-a".into(), || "open-a-3-7".into());
    let pair = Pair {
        number: 7,
        boardless: false,
        team_match: Some((2, 1)),
        white: Some(PlayerId(1)),
        black: None,
        tags: [("Annotator".into(), "Bos".into())].into(),
    };
    let start = StartPosition { fen: "x".into(), variant: game_core::event::Variant::Chess960, number: Some(518) };
    let undo = tournament::Undo::Withdrawn { game: "open-a-3-7".into(), withdrawn: false };
    let correction = tournament::Correction {
        number: 4,
        what: Box::new(
            CorrectionText::Withdrawn {
                game: GameText::AtTable { game: "open-a-3-7".into(), round: 3, table: 7 }.into(),
            }
            .coded(),
        ),
        game: Some(game()),
        undo: Some(undo),
        undoes: None,
    };
    for (fact, json) in [
        (
            tournament::Fact::EventEnded { section: section(), ended: true },
            r#"{"fact":"event_ended","section":"open-a","ended":true}"#,
        ),
        (
            tournament::Fact::SectionRemoved { section: section(), removed: true },
            r#"{"fact":"section_removed","section":"open-a","removed":true}"#,
        ),
        (
            tournament::Fact::StartSet { section: section(), round: 3, start: Some(start) },
            r#"{"fact":"start_set","section":"open-a","round":3,"start":{"fen":"x","variant":"chess960","number":518}}"#,
        ),
        (
            tournament::Fact::RoundState { section: section(), round: 3, state: RoundState::Armed },
            r#"{"fact":"round_state","section":"open-a","round":3,"state":"armed"}"#,
        ),
        (
            tournament::Fact::Paired { section: section(), round: 3, game: game(), pair },
            r#"{"fact":"paired","section":"open-a","round":3,"game":"open-a-3-7","pair":{"number":7,"boardless":false,"team_match":[2,1],"white":1,"black":null,"tags":{"Annotator":"Bos"}}}"#,
        ),
        (
            tournament::Fact::ByeSet { section: section(), round: 3, player: PlayerId(1), kind: Some(ByeKind::Half) },
            r#"{"fact":"bye_set","section":"open-a","round":3,"player":1,"kind":"half"}"#,
        ),
        (
            tournament::Fact::PlayerSet {
                section: section(),
                player: PlayerId(1),
                number: Some(5),
                display: Display::Full,
            },
            r#"{"fact":"player_set","section":"open-a","player":1,"number":5,"display":"full"}"#,
        ),
        (tournament::Fact::Seated { table: 2, board: None }, r#"{"fact":"seated","table":2,"board":null}"#),
        (
            tournament::Fact::ResultSet { game: game(), result: Score::parse("1-0") },
            r#"{"fact":"result_set","game":"open-a-3-7","result":{"white":"one","black":"zero","kind":"played"}}"#,
        ),
        (
            tournament::Fact::Corrected(correction),
            r#"{"fact":"corrected","number":4,"what":"open-a-3-7 (round 3, table 7): withdrawn","sentence":{"code":"corrected_withdrawn","params":{"game":{"code":"game_at_table","params":{"game":"open-a-3-7","round":3,"table":7},"text":"open-a-3-7 (round 3, table 7)"}},"text":"open-a-3-7 (round 3, table 7): withdrawn"},"game":"open-a-3-7","undo":{"order":"restore","game":"open-a-3-7"}}"#,
        ),
    ] {
        assert_eq!(serde_json::to_string(&Fact::from(fact)).unwrap(), json);
    }
}

#[test]
fn roles_and_scopes_have_one_name_each() {
    for role in accounts::Role::ALL {
        assert_eq!(serde_json::to_value(Role::from(role)).unwrap(), role.as_str());
    }
    for scope in accounts::Scope::ALL {
        assert_eq!(serde_json::to_value(Scope::from(scope)).unwrap(), scope.as_str());
    }
}
