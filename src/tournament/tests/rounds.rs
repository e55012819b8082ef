//! Rounds that run themselves.

use super::*;

#[test]
fn a_published_round_is_armed_opens_its_games_and_ends_with_its_last_result() {
    let mut office = Office::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;");
    assert_eq!(office.start(1).as_deref(), Some("10001-apart-1"), "nothing was published yet");
    office.order(publish("open", 1));
    assert_eq!(office.round_state("open", 1), RoundState::Running, "the board stood ready and its game began");
    assert_eq!(office.games["open-1-1"].tags()["White"], "Adams");
    assert_eq!(office.games["open-1-2"].tags()["Round"], "1.2", "a pairing is public before its game");
    assert_eq!(office.start(2).as_deref(), Some("open-1-2"));
    office.play(2, "e4 e5 Nf3");
    office.result(2, "1-0");
    assert_eq!(
        (office.state("open-1-2"), office.round_state("open", 1)),
        (PairingState::Finished, RoundState::Running)
    );
    office.order(Order::SetResult { game: "open-1-1".into(), result: "1/2-1/2".into(), reason: None });
    assert_eq!(office.round_state("open", 1), RoundState::Finished);
}

#[test]
fn a_game_without_a_result_never_holds_up_the_next() {
    let mut office = Office::with_round("1;1;Adams;Baker;, 1;2;Clark;Davis;");
    office.order(publish("open", 1));
    assert_eq!([office.start(1), office.start(2)].map(Option::unwrap), ["open-1-1", "open-1-2"]);
    office.play(1, "e4 e5");
    office.load("open", "2;1;Baker;Clark;, 2;2;Adams;Davis;");
    office.order(publish("open", 2));
    assert_eq!(office.start(1).as_deref(), Some("open-2-1"));
    assert_eq!(office.state("open-1-1"), PairingState::ResultMissing);
    assert_eq!(office.state("open-1-2"), PairingState::Playing, "the other table plays on");
    office.order(Order::SetResult { game: "open-1-1".into(), result: "0-1".into(), reason: None });
    assert_eq!(office.games["open-1-1"].result(), Outcome::BlackWins);
    assert_eq!(office.moves("open-1-1"), ["e4", "e5"]);
}

#[test]
fn rounds_publish_themselves_one_after_the_other_where_that_is_wanted() {
    let mut office = Office::new();
    let settings = SectionSettings { auto_publish: true, ..SectionSettings::named("Open") };
    office.order(Order::SetSection { section: "open".into(), settings });
    office.load("open", "1;1;Adams;Baker;, 2;1;Baker;Adams;, 3;1;Adams;Baker;");
    office.order(Order::WelcomeBoard { board: serial(1) });
    let states = |office: &Office| [1, 2, 3].map(|round| office.round_state("open", round));
    assert_eq!(states(&office), [RoundState::Armed, RoundState::Prepared, RoundState::Prepared]);
    office.start(1);
    assert_eq!(due(&office.hall), None);
    office.result(1, "1-0");
    office.order(due(&office.hall).unwrap());
    assert_eq!(states(&office), [RoundState::Finished, RoundState::Armed, RoundState::Prepared]);
    office.start(1);
    let at = office.hall.game_ref("open-2-1").unwrap();
    let facts = follow(&office.hall, &at, &Event::GameEnded);
    office.facts_of(&facts);
    assert_eq!(due(&office.hall), Some(Order::Publish { section: "open".into(), round: 3, confirm: true }));
}
