//! Games that the public sees later.

use std::sync::atomic::Ordering;

use game_core::event::{Event, Variant};
use hall_clock::HandSet;
use notation::pgn::Outcome;
use tournament::{Delay, Fact, LoadedStandings, Pair, RoundSettings, RoundState, SectionSettings};

use super::table;
use crate::bodies::{Bodies, Letters};
use crate::gate::View as _;
use crate::selection::Selection;
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
fn a_start_that_is_set_up_instead_of_another_one_is_public_after_its_own_delay() {
    const DRAWN: &str = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    let set_up = |story: &Story| {
        let started = Event::GameStarted { fen: DRAWN.into(), variant: Variant::Chess960 };
        story.hall.record(Vec::new(), vec![("a", started), ("a", tags(&[("White", "Adler, Ida")]))]);
        story.hall.settle();
    };
    let shown = |story: &Story| {
        let game = story.hall.view.game("a").unwrap();
        (story.state(), game.game.fen().to_owned(), game.game.tags()["White"].clone())
    };
    let [usual, drawn] = [START, DRAWN].map(|fen| ("ready", fen.to_owned(), "Adler, Ida".to_owned()));

    let story = Story::open(Delay::Seconds(900));
    story.start();
    story.pass(15 * MINUTE);
    assert_eq!(shown(&story), usual);
    set_up(&story);
    story.pass(14 * MINUTE);
    assert_eq!(shown(&story), usual, "the start before it is public");
    story.pass(MINUTE);
    assert_eq!(shown(&story), drawn);

    let story = Story::open(Delay::Seconds(900));
    story.start();
    story.pass(5 * MINUTE);
    set_up(&story);
    story.pass(14 * MINUTE);
    assert_eq!(story.state(), "paired", "no start is public");
    story.pass(MINUTE);
    assert_eq!(shown(&story), drawn);
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

fn played(ply: u32, san: &str, uci: &str) -> Event {
    Event::Move { ply, san: san.into(), uci: uci.into(), clk_ms: None, emt_ms: None }
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
fn a_mistake_that_was_put_right_inside_the_delay_is_never_seen() {
    let story = Story::open(Delay::Seconds(900));
    story.start();
    story.pass(MINUTE);
    story.hall.play("a", 2);
    story.pass(MINUTE);
    let corrected = [Event::Retract { to_ply: 1 }, played(2, "e5", "e7e5"), played(3, "e4", "e2e4")];
    story.hall.record(Vec::new(), corrected.into_iter().map(|event| ("a", event)).collect());
    story.pass(14 * MINUTE);
    let san =
        || story.hall.view.game("a").unwrap().game.moves().iter().map(|ply| ply.san.to_string()).collect::<Vec<_>>();
    assert_eq!(san(), ["Nf3", "e5"], "the right move, at the time of the wrong one");
    story.pass(MINUTE);
    assert_eq!(san(), ["Nf3", "e5", "e4"]);
    let seq = story.hall.view.round(1).unwrap().seq;
    assert_eq!(seq, 5, "pairing, start and three moves: no number tells of the mistake");
    // A correction of what is public is public at once.
    story.hall.happen("a", Event::Retract { to_ply: 2 });
    story.hall.settle();
    assert_eq!(san(), ["Nf3", "e5"]);
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
    // Another boot: nobody knows how much time passed.
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
fn in_open_play_a_game_and_its_day_are_public_together() {
    let story = Story::open(Delay::NONE);
    let settings =
        SectionSettings { open_play: true, delay: Some(Delay::Seconds(600)), ..SectionSettings::named("Club") };
    story.hall.record(vec![Fact::SectionSet { section: "club".into(), settings }], Vec::new());
    let at = tournament::GameRef { game: "20001-1".into(), event: "club".into(), round: 1, table: 1 };
    story.hall.know(&at);
    let opens = |at: &tournament::GameRef| {
        let (section, round, game) = (at.event.clone(), at.round, at.game.clone());
        let pair = Pair { number: at.table, ..Pair::default() };
        vec![
            Fact::RoundSet { section: section.clone(), round, settings: RoundSettings::default() },
            Fact::RoundState { section: section.clone(), round, state: RoundState::Running },
            Fact::Paired { section, round, game: game.clone(), pair },
            Fact::Began { board: Some("20001".into()), game, day: chrono::NaiveDate::default() },
        ]
    };
    let started =
        Event::GameStarted { fen: crate::test_hall::START.into(), variant: game_core::event::Variant::Standard };
    story.hall.record(opens(&at), vec![("20001-1", started), ("20001-1", tags(&[("White", "Bos, Jan")]))]);
    story.hall.play("20001-1", 2);
    let club = || story.hall.public.section("club").unwrap();
    assert!(club().rounds().iter().all(|round| !round.is_known()) && club().game("20001-1").is_none());
    story.pass(10 * MINUTE);
    assert_eq!(club().game("20001-1").unwrap().game.moves().len(), 2);
    assert_eq!(club().game("20001-1").unwrap().game.tags()["White"], "Bos, Jan");
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

#[test]
fn names_change_at_once_and_the_start_that_is_held_back_has_the_new_ones() {
    let story = Story::open(Delay::Seconds(900));
    story.start();
    story.pass(MINUTE);
    story.hall.happen("a", tags(&[("White", "Adler, Ida M."), ("Annotator", "Bos")]));
    let shown = |name: &str| story.hall.view.game("a").unwrap().game.tags().get(name).cloned();
    assert_eq!((shown("White").as_deref(), shown("Annotator")), (Some("Adler, Ida M."), None));
    story.pass(14 * MINUTE);
    assert_eq!(story.state(), "ready");
    assert_eq!((shown("White").as_deref(), shown("Annotator")), (Some("Adler, Ida M."), None));
    story.pass(MINUTE);
    assert_eq!(shown("Annotator").as_deref(), Some("Bos"));
}

#[test]
fn a_tag_that_is_removed_inside_the_delay_is_never_seen() {
    let story = Story::open(Delay::Seconds(900));
    let tag = |value: &str| {
        story.hall.happen("a", tags(&[("Opening", value)]));
        story.hall.settle();
    };
    let seen = || {
        let tags = story.hall.view.game("a").map(|game| game.game.tags().clone()).unwrap_or_default();
        (story.hall.view.round(1).map_or(0, |round| round.seq), tags.get("Opening").cloned())
    };
    story.start();
    story.pass(20 * MINUTE);
    let before = seen();
    tag("Knights");
    story.pass(MINUTE);
    tag("");
    assert_eq!(seen(), before, "neither the tag nor that it is gone");
    story.pass(20 * MINUTE);
    assert_eq!(seen(), before, "nor later");
    tag("Bishops");
    story.pass(20 * MINUTE);
    assert_eq!(seen(), (before.0 + 1, Some("Bishops".to_owned())));
    tag("Rooks");
    tag("");
    assert_eq!(seen(), (before.0 + 2, None), "what is public is removed at once");
    story.pass(20 * MINUTE);
    assert_eq!(seen(), (before.0 + 2, None));
}

#[test]
fn moves_that_are_entered_after_a_result_do_not_move_the_result() {
    let story = Story::open(Delay::Seconds(900));
    let other = Story::open(Delay::Seconds(900));
    story.set_result(Some("1-0"));
    other.set_result(Some("1-0"));
    story.pass(5 * MINUTE);
    other.pass(5 * MINUTE);
    // As an operator enters the moves of a game that has a result.
    let started =
        Event::GameStarted { fen: crate::test_hall::START.into(), variant: game_core::event::Variant::Standard };
    let result = Event::Result { result: Outcome::WhiteWins, reason: "operator".into() };
    let entered = [started, tags(&[("White", "Adler, Ida")]), played(1, "e4", "e2e4"), result];
    story.hall.record(Vec::new(), entered.into_iter().map(|event| ("a", event)).collect());
    story.pass(10 * MINUTE - 1);
    assert_eq!(story.result(), Outcome::Unknown);
    story.pass(1);
    other.pass(10 * MINUTE);
    let seq = |story: &Story| story.hall.view.round(1).unwrap().seq;
    assert_eq!((story.result(), story.plies()), (Outcome::WhiteWins, 0), "the result comes at its own time");
    assert_eq!((other.result(), seq(&other)), (story.result(), seq(&story)), "nothing tells of the moves");
    story.pass(5 * MINUTE);
    assert_eq!((story.result(), story.plies()), (Outcome::WhiteWins, 1), "and stays with the moves");
}

#[test]
fn a_game_that_is_recorded_anew_keeps_the_time_of_its_result() {
    let story = Story::open(Delay::Seconds(900));
    story.start();
    story.hall.play("a", 1);
    story.pass(MINUTE);
    story.set_result(Some("1-0"));
    story.pass(MINUTE);
    let started =
        Event::GameStarted { fen: crate::test_hall::START.into(), variant: game_core::event::Variant::Standard };
    let result = Event::Result { result: Outcome::BlackWins, reason: "operator".into() };
    let anew = [started, tags(&[("White", "Adler, Ida")]), played(1, "e4", "e2e4"), result];
    story.hall.record(Vec::new(), anew.into_iter().map(|event| ("a", event)).collect());
    story.pass(13 * MINUTE);
    assert_eq!((story.plies(), story.result()), (1, Outcome::Unknown));
    story.pass(MINUTE);
    assert_eq!(story.result(), Outcome::BlackWins, "the corrected result, at the time of the first one");
    // A new start without a result takes the result back.
    story.pass(20 * MINUTE);
    assert_eq!(story.result(), Outcome::BlackWins);
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
