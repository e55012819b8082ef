//! Games that the public sees later: when what happens at a board comes out.

mod corrections;
mod facts;

use std::sync::atomic::Ordering;

use game_core::event::{Event, Variant};
use hall_clock::HandSet;
use notation::pgn::Outcome;
use tournament::{Delay, Fact, RoundSettings, RoundState, SectionSettings};

use super::table;
use crate::gate::View as _;
use crate::test_hall::{Hall, START, paired, round, round_state, tags};

const MINUTE: u64 = 60_000;

/// The instant at which these halls begin.
const BEGIN: u64 = 1_800_000_000_000;

/// A hall with a published pairing `a` on board 1 of round 1, and a clock set by hand.
struct Story {
    hall: Hall,
    set: &'static HandSet,
    folder: tempfile::TempDir,
}

impl Story {
    fn open(delay: Delay) -> Self {
        let set: &HandSet = Box::leak(Box::default());
        set.time.store(BEGIN, Ordering::SeqCst);
        let folder = tempfile::tempdir().unwrap();
        let story = Self { hall: Hall::by_hand(set, folder.path()), set, folder };
        let at = table("a", 1, 1);
        story.hall.know(&at);
        let settings = RoundSettings { delay: Some(delay), ..RoundSettings::default() };
        let facts = vec![round("hall", 1, settings), paired(&at), round_state("hall", 1, RoundState::Published)];
        story.hall.record(facts, vec![("a", tags(&[("White", "Adler, Ida")]))]);
        story
    }

    fn pass(&self, ms: u64) {
        self.set.monotonic_ms.fetch_add(ms, Ordering::SeqCst);
        self.set.time.fetch_add(ms, Ordering::SeqCst);
        self.hall.settle();
    }

    /// The daemon ends and starts again after a time, with the date moved.
    fn restart(self, ms: u64, moved_ms: i64, same_boot: bool) -> Self {
        let Self { hall, set, folder } = self;
        let games = hall.end();
        set.monotonic_ms.fetch_add(ms, Ordering::SeqCst);
        set.boot.fetch_add(u64::from(!same_boot), Ordering::SeqCst);
        let now = set.time.load(Ordering::SeqCst);
        set.time.store((now + ms).saturating_add_signed(moved_ms), Ordering::SeqCst);
        let hall = Hall::by_hand(set, folder.path());
        hall.know_all(games);
        hall.settle();
        Self { hall, set, folder }
    }

    fn start(&self) {
        self.hall.begin(&table("a", 1, 1), &[("White", "Adler, Ida")]);
    }

    fn plies(&self) -> usize {
        self.hall.view.game("a").map_or(0, |game| game.game.moves().len())
    }

    fn state(&self) -> &'static str {
        self.hall.view.game("a").map_or("unknown", |game| crate::wire::state(&game))
    }

    fn delay(&self, delay: Delay) {
        let settings = RoundSettings { delay: Some(delay), ..RoundSettings::default() };
        self.hall.record(vec![round("hall", 1, settings)], Vec::new());
        self.hall.settle();
    }

    fn set_result(&self, result: Option<&str>) {
        let score = result.map(|text| pairings::score::Score::parse(text).unwrap());
        let outcome = score.map_or(Outcome::Unknown, pairings::score::Score::outcome);
        let event = Event::Result { result: outcome, reason: "operator".into() };
        self.hall.record(vec![Fact::ResultSet { game: "a".into(), result: score }], vec![("a", event)]);
        self.hall.settle();
    }

    fn result(&self) -> Outcome {
        self.hall.view.game("a").map_or(Outcome::Unknown, |game| game.game.result())
    }
}

#[test]
fn a_game_is_public_a_quarter_of_an_hour_later() {
    let story = Story::open(Delay::Seconds(900));
    assert_eq!(story.state(), "paired", "the pairing is public");
    story.pass(MINUTE);
    story.start();
    story.pass(MINUTE);
    story.hall.play("a", 1);
    story.pass(13 * MINUTE);
    assert_eq!(story.state(), "paired");
    story.pass(MINUTE - 1);
    assert_eq!(story.state(), "paired", "not a millisecond early");
    story.pass(1);
    assert_eq!((story.state(), story.plies()), ("ready", 0));
    story.pass(MINUTE);
    assert_eq!((story.state(), story.plies()), ("playing", 1));
}

#[test]
fn a_longer_delay_takes_nothing_back_and_a_shorter_one_releases_in_order() {
    let story = Story::open(Delay::Seconds(600));
    story.start();
    for _ in 0..20 {
        story.hall.play("a", 1);
        story.pass(MINUTE);
    }
    assert_eq!(story.plies(), 11);
    story.delay(Delay::Seconds(900));
    assert_eq!(story.plies(), 11, "nothing is taken back");
    story.pass(4 * MINUTE);
    assert_eq!(story.plies(), 11);
    story.pass(MINUTE);
    assert_eq!(story.plies(), 11);
    story.pass(MINUTE);
    assert_eq!(story.plies(), 12);
    story.delay(Delay::Seconds(600));
    assert_eq!(story.plies(), 17);
    story.delay(Delay::NONE);
    assert_eq!(story.plies(), 20);
    let seqs: Vec<_> = match super::since(&story.hall.view, 1, 0) {
        crate::gate::Since::Events(events) => events.iter().map(|event| event.seq).collect(),
        crate::gate::Since::NotKept => Vec::new(),
    };
    assert!(seqs.is_sorted());
    story.hall.play("a", 1);
    assert_eq!(story.plies(), 21, "at once again");
}

#[test]
fn after_a_restart_what_was_released_stays_under_its_numbers_and_the_delay_goes_on() {
    let mut story = Story::open(Delay::Seconds(900));
    story.start();
    for _ in 0..20 {
        story.hall.play("a", 1);
        story.pass(MINUTE);
    }
    let shown = |story: &Story| {
        let round = story.hall.view.round(1).unwrap();
        (round.stream, round.seq, story.plies())
    };
    let before = shown(&story);
    assert_eq!(before.2, 6);
    // The same boot: elapsed time is known, whatever the date says.
    for moved in [0, 3_600_000, -3_600_000] {
        story = story.restart(0, moved, true);
        assert_eq!(shown(&story), before, "the date moved by {moved} ms");
    }
    story = story.restart(2 * MINUTE, 3_600_000, true);
    assert_eq!(story.plies(), 8, "two minutes passed");
    // Another boot: how much time passed is not known.
    story = story.restart(5 * MINUTE, 3_600_000, false);
    assert_eq!(story.plies(), 8);
    story.pass(15 * MINUTE - 1);
    assert_eq!(story.plies(), 8, "the delay begins anew");
    story.pass(1);
    assert_eq!(story.plies(), 20);
    let all = shown(&story);
    story = story.restart(0, 0, false);
    assert_eq!(shown(&story), all);
}

#[test]
fn until_the_game_is_over_nothing_of_it_is_public() {
    let story = Story::open(Delay::UntilOver);
    story.start();
    for _ in 0..200 {
        story.hall.play("a", 1);
        story.pass(3 * MINUTE);
    }
    assert_eq!(story.state(), "paired");
    story.set_result(Some("1-0"));
    story.pass(2 * MINUTE - 1);
    assert_eq!((story.state(), story.result()), ("paired", Outcome::Unknown));
    // The arbiter takes it back: the game goes on.
    story.set_result(None);
    story.pass(60 * MINUTE);
    assert_eq!(story.state(), "paired");
    story.set_result(Some("0-1"));
    story.pass(MINUTE);
    story.set_result(Some("1/2-1/2"));
    story.pass(MINUTE - 1);
    assert_eq!(story.state(), "paired");
    story.pass(1);
    assert_eq!((story.plies(), story.result()), (200, Outcome::Draw), "the corrected result");
}

#[test]
fn a_board_can_have_a_delay_of_its_own_and_the_round_does_not_say_so() {
    let story = Story::open(Delay::NONE);
    let b = table("b", 1, 2);
    story.hall.know(&b);
    let board_delays = [(2, Delay::Seconds(1800))].into();
    let settings = SectionSettings { boardless_games: true, board_delays, ..SectionSettings::named("Spring Open") };
    story.hall.record(vec![Fact::SectionSet { section: "hall".into(), settings }, paired(&b)], Vec::new());
    story.start();
    story.hall.begin(&b, &[("White", "Clark, Ann")]);
    story.hall.play("a", 3);
    story.hall.play("b", 3);
    assert_eq!(story.plies(), 3);
    let moves = || story.hall.view.game("b").map_or(0, |game| game.game.moves().len());
    assert_eq!(moves(), 0);
    assert_eq!(story.hall.view.round(1).unwrap().info.delay, crate::gate::Wait::default());
    story.pass(30 * MINUTE);
    assert_eq!(moves(), 3);
}

#[test]
fn a_second_view_has_a_longer_delay_of_its_own() {
    let story = Story::open(Delay::Seconds(600));
    let slower = story.hall.gate.public(crate::gate::Policy::at_least(Delay::Seconds(1800)));
    story.start();
    story.hall.play("a", 1);
    story.pass(10 * MINUTE);
    let moves = || slower.game("a").map_or(0, |(_, game)| game.game.moves().len());
    assert_eq!((story.plies(), moves()), (1, 0));
    story.pass(20 * MINUTE);
    assert_eq!(moves(), 1);
}

/// The pieces stand ready when the pairings are published: the game begins in the same step.
#[test]
fn a_pairing_is_public_at_once_and_its_start_later() {
    for delay in [Delay::Seconds(900), Delay::UntilOver] {
        let set: &HandSet = Box::leak(Box::default());
        set.time.store(BEGIN, Ordering::SeqCst);
        let folder = tempfile::tempdir().unwrap();
        let hall = Hall::by_hand(set, folder.path());
        let at = table("a", 1, 1);
        hall.know(&at);
        let settings = SectionSettings { delay: Some(delay), ..SectionSettings::named("Spring Open") };
        let facts = vec![
            Fact::SectionSet { section: "hall".into(), settings },
            Fact::Seated { table: 1, board: Some("10001".into()) },
            round("hall", 1, RoundSettings::default()),
            paired(&at),
            round_state("hall", 1, RoundState::Published),
            round_state("hall", 1, RoundState::Running),
            Fact::Began { board: Some("10001".into()), game: "a".into(), day: chrono::NaiveDate::default() },
        ];
        let started = Event::GameStarted { fen: START.into(), variant: Variant::Standard };
        let names = || tags(&[("White", "Adler, Ida")]);
        hall.record(facts, vec![("a", names()), ("a", started), ("a", names())]);
        hall.settle();
        let shown = hall.view.game("a").unwrap();
        assert_eq!((crate::wire::state(&shown), shown.game.tags()["White"].as_str()), ("paired", "Adler, Ida"));
    }
}
