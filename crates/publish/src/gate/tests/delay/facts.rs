//! Facts of the hall that wait with the games they follow from: starts and ends of rounds, results by hand, forfeits, adjournments
//! and standings.

use game_core::event::{Event, Variant};
use notation::pgn::Outcome;
use tournament::{Delay, Fact, GameRef, LoadedStandings, Pair, RoundSettings, RoundState, SectionSettings};

use super::{MINUTE, Story};
use crate::bodies::{Bodies, Letters};
use crate::gate::View as _;
use crate::gate::tests::table;
use crate::selection::Selection;
use crate::test_hall::{START, paired, round, round_state, tags};

impl Story {
    fn load_standings(&self, after_round: u32, tie_break: &str) {
        let standings =
            LoadedStandings { after_round, tie_breaks: vec![tie_break.into()], ..LoadedStandings::default() };
        let fact = Fact::StandingsLoaded { section: "hall".into(), standings: standings.into() };
        self.hall.record(vec![fact], Vec::new());
        self.hall.settle();
    }

    fn standings(&self) -> String {
        self.hall.view.standings().map_or_else(String::new, |standings| {
            format!("{} {}", standings.after_round, standings.tie_breaks.concat())
        })
    }
}

#[test]
fn a_start_of_a_round_that_was_taken_back_is_never_public() {
    let story = Story::open(Delay::Seconds(900));
    story.start();
    story.pass(MINUTE);
    story.hall.record(vec![round_state("hall", 1, RoundState::Prepared)], Vec::new());
    assert_eq!(story.state(), "unknown");
    story.pass(20 * MINUTE);
    assert_eq!(story.state(), "unknown", "its start is not a round again");
    story.hall.record(vec![round_state("hall", 1, RoundState::Published)], Vec::new());
    assert_eq!(story.state(), "paired");
    let story = story.restart(MINUTE, 0, true);
    assert_eq!(story.state(), "paired");
    story.start();
    story.hall.play("a", 2);
    story.pass(14 * MINUTE);
    assert_eq!((story.state(), story.plies()), ("paired", 0), "the new start waits for its own delay");
    story.pass(MINUTE);
    assert_eq!((story.state(), story.plies()), ("playing", 2));
}

#[test]
fn a_forfeit_leaves_its_round_and_keeps_its_address() {
    let story = Story::open(Delay::Seconds(900));
    let of_round = || story.hall.view.round(1).map_or(0, |round| round.games.len());
    let bodies = Bodies::new(story.hall.public.clone(), story.hall.clock);
    let file = || {
        let body = bodies.get("hall", &Selection::Game("a".into()), Letters::Unicode)?;
        Some(String::from_utf8(body.text().to_vec()).unwrap())
    };
    let waits = file().unwrap();
    assert!(waits.contains("Adler, Ida") && waits.contains("[Result \"*\"]"), "{waits}");
    let score = pairings::score::Score::parse("+ - -").unwrap();
    let forfeit = |score: Option<pairings::score::Score>| {
        let outcome = score.map_or(Outcome::Unknown, pairings::score::Score::outcome);
        let event = Event::Result { result: outcome, reason: "forfeit".into() };
        story.hall.record(vec![Fact::ResultSet { game: "a".into(), result: score }], vec![("a", event)]);
        story.hall.settle();
    };
    forfeit(Some(score));
    assert_eq!((of_round(), file().unwrap()), (1, waits.clone()), "its delay is not over");
    story.pass(15 * MINUTE);
    assert_eq!(of_round(), 0, "the section does not show forfeits");
    let over = file().unwrap();
    assert!(over.contains("Adler, Ida") && over.contains("[Result \"1-0\"]"), "{over}");
    story.hall.record(Vec::new(), vec![("a", tags(&[("White", "A., I.")]))]);
    story.hall.settle();
    let renamed = file().unwrap();
    assert!(renamed.contains("A., I.") && !renamed.contains("Adler"), "{renamed}");
    story.hall.record(vec![Fact::Withdrawn { game: "a".into(), withdrawn: true }], Vec::new());
    story.hall.settle();
    assert_eq!(file(), None, "it is withdrawn");
}

#[test]
fn that_a_game_is_adjourned_and_goes_on_is_public_as_late_as_its_moves() {
    let story = Story::open(Delay::Seconds(900));
    story.start();
    story.hall.play("a", 1);
    story.pass(15 * MINUTE);
    let stream = |story: &Story| story.hall.view.round(1).unwrap().stream;
    let before = stream(&story);
    story.hall.record(vec![Fact::Adjourned { game: "a".into() }], Vec::new());
    story.pass(14 * MINUTE);
    assert_eq!((story.state(), stream(&story)), ("playing", before.clone()), "nothing tells of it");
    story.pass(MINUTE);
    assert_eq!(story.state(), "adjourned");
    assert_ne!(stream(&story), before, "viewers get a snapshot");
    let story = story.restart(MINUTE, 0, true);
    assert_eq!(story.state(), "adjourned");
    let to = Fact::Moved { game: "a".into(), from: None, to: "10002".into() };
    story.hall.record(vec![to], Vec::new());
    story.pass(14 * MINUTE);
    assert_eq!(story.state(), "adjourned");
    story.pass(MINUTE);
    assert_eq!(story.state(), "playing");
    story.hall.record(vec![Fact::Adjourned { game: "a".into() }], Vec::new());
    story.pass(15 * MINUTE);
    story.set_result(Some("1/2-1/2"));
    story.pass(15 * MINUTE);
    assert_eq!((story.state(), story.result()), ("playing", Outcome::Draw), "its result says that it is over");
}

#[test]
fn standings_come_after_the_results_they_follow_from() {
    let story = Story::open(Delay::Seconds(900));
    story.start();
    story.pass(MINUTE);
    story.set_result(Some("1-0"));
    story.load_standings(1, "BH");
    story.pass(15 * MINUTE - 1);
    assert_eq!((story.standings(), story.result()), (String::new(), Outcome::Unknown), "not a millisecond early");
    story.pass(1);
    assert_eq!((&*story.standings(), story.result()), ("1 BH", Outcome::WhiteWins));
    story.load_standings(2, "wrong");
    story.pass(5 * MINUTE);
    story.load_standings(2, "SB");
    let story = story.restart(MINUTE, 0, true);
    assert_eq!(story.standings(), "1 BH", "they are kept over a restart");
    story.pass(10 * MINUTE);
    assert_eq!(story.standings(), "1 BH", "a file that was put right in time is never seen");
    story.pass(4 * MINUTE);
    assert_eq!(story.standings(), "2 SB");
}

#[test]
fn standings_wait_until_the_game_is_over_with_it() {
    let story = Story::open(Delay::UntilOver);
    story.start();
    story.hall.play("a", 1);
    story.load_standings(1, "BH");
    story.pass(600 * MINUTE);
    assert_eq!(story.standings(), "");
    story.set_result(Some("1/2-1/2"));
    story.pass(2 * MINUTE);
    assert_eq!(story.standings(), "1 BH");
    let open = Story::open(Delay::NONE);
    open.load_standings(1, "BH");
    assert_eq!(open.standings(), "1 BH", "at once where nothing waits");
}

#[test]
fn a_result_typed_by_hand_and_the_end_of_the_round_wait_too() {
    let story = Story::open(Delay::Seconds(900));
    let seq = story.hall.view.round(1).unwrap().seq;
    let version = story.hall.view.version();
    story.start();
    story.set_result(Some("1-0"));
    story.hall.record(vec![round_state("hall", 1, RoundState::Finished)], Vec::new());
    story.pass(15 * MINUTE - 1);
    let now = story.hall.view.round(1).unwrap();
    assert_eq!((now.seq, now.ended(), story.result()), (seq, false, Outcome::Unknown));
    assert_eq!(story.hall.view.version(), version, "nothing at all changed");
    story.pass(1);
    assert_eq!((story.hall.view.round(1).unwrap().ended(), story.result()), (true, Outcome::WhiteWins));
}

#[test]
fn in_open_play_a_game_and_its_day_are_public_together() {
    let story = Story::open(Delay::NONE);
    let settings =
        SectionSettings { open_play: true, delay: Some(Delay::Seconds(600)), ..SectionSettings::named("Club") };
    story.hall.record(vec![Fact::SectionSet { section: "club".into(), settings }], Vec::new());
    let at = GameRef { game: "20001-1".into(), event: "club".into(), round: 1, table: 1 };
    story.hall.know(&at);
    let opens = |at: &GameRef| {
        let (section, round, game) = (at.event.clone(), at.round, at.game.clone());
        let pair = Pair { number: at.table, ..Pair::default() };
        vec![
            Fact::RoundSet { section: section.clone(), round, settings: RoundSettings::default() },
            Fact::RoundState { section: section.clone(), round, state: RoundState::Running },
            Fact::Paired { section, round, game: game.clone(), pair },
            Fact::Began { board: Some("20001".into()), game, day: chrono::NaiveDate::default() },
        ]
    };
    let started = Event::GameStarted { fen: START.into(), variant: Variant::Standard };
    story.hall.record(opens(&at), vec![("20001-1", started), ("20001-1", tags(&[("White", "Bos, Jan")]))]);
    story.hall.play("20001-1", 2);
    let club = || story.hall.public.section("club").unwrap();
    assert!(club().rounds().iter().all(|round| !round.is_known()) && club().game("20001-1").is_none());
    story.pass(10 * MINUTE);
    assert_eq!(club().game("20001-1").unwrap().game.moves().len(), 2);
    assert_eq!(club().game("20001-1").unwrap().game.tags()["White"], "Bos, Jan");
}

#[test]
fn a_round_that_publishes_itself_does_not_say_that_a_game_is_over() {
    let story = Story::open(Delay::Seconds(900));
    let next = table("n", 2, 1);
    story.hall.know(&next);
    story.hall.record(vec![round("hall", 2, RoundSettings::default()), paired(&next)], Vec::new());
    story.start();
    story.pass(MINUTE);
    story.set_result(Some("1-0"));
    let published = round_state("hall", 2, RoundState::Published);
    story.hall.record_by("auto_publish", vec![published], vec![("n", tags(&[("White", "Clark, Ann")]))]);
    let is_public = || story.hall.view.round(2).is_some_and(|round| round.is_known());
    story.pass(15 * MINUTE - 1);
    assert!(!is_public());
    story.pass(1);
    assert!(is_public());
}
