//! An engine beside a hall: what it is given, what is given away, and what happens when it fails.

use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use game_core::event::Event;
use hall_clock::HandSet;
use publish::test_hall::{Hall, round};
use tournament::RoundSettings;

use super::*;

/// The instant at which the hall begins.
const BEGIN: u64 = 1_800_000_000_000;

const MINUTE: u64 = 60_000;

/// A hall whose time is set by hand, with an engine that fails in this way.
struct Story {
    hall: Hall,
    set: &'static HandSet,
    evaluations: Evaluations,
    folder: tempfile::TempDir,
}

impl Story {
    fn begin(engine: &str) -> Self {
        let set: &HandSet = Box::leak(Box::default());
        set.time.store(BEGIN, Ordering::SeqCst);
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join(engine);
        symlink(Path::new(env!("CARGO_MANIFEST_DIR")).join("../uci/tests/fake_engine.sh"), &program).unwrap();
        let hall = Hall::by_hand(set, folder.path());
        let settings = Settings { time_ms: 10, ..Settings::of(program) };
        let patience = if engine == "sound" { Pace::USUAL.patience } else { Duration::from_secs(1) };
        let pace = Pace { patience, first_pause: Duration::from_millis(1), ..Pace::USUAL };
        let evaluations = Evaluations::start_at(&hall.gate, settings, pace).unwrap();
        hall.start_game("g", 1, 1, &[]);
        Self { hall, set, evaluations, folder }
    }

    fn delay(&self, delay: Delay) {
        let settings = RoundSettings { delay: Some(delay), ..RoundSettings::default() };
        self.hall.record(vec![round("hall", 1, settings)], Vec::new());
        self.hall.settle();
    }

    fn pass(&self, ms: u64) {
        self.set.monotonic_ms.fetch_add(ms, Ordering::SeqCst);
        self.set.time.fetch_add(ms, Ordering::SeqCst);
        self.hall.settle();
    }

    /// The plies with an evaluation, once the engine has done what was asked for; none where none may be given.
    fn plies(&self) -> Option<Vec<usize>> {
        let game = || self.hall.public.game("g").map(|(_, game)| game);
        self.evaluations.of(&*game()?)?;
        self.evaluations.settle();
        Some(self.evaluations.of(&*game()?)?.positions.into_iter().map(|(ply, _)| ply).collect())
    }

    /// The placements that the engine was given.
    fn asked(&self) -> BTreeSet<String> {
        let text = std::fs::read_to_string(self.folder.path().join("asked")).unwrap_or_default();
        text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
    }
}

#[test]
fn a_game_with_a_delay_of_15_minutes_has_evaluations_as_soon_as_it_is_public() {
    let story = Story::begin("sound");
    story.delay(LEAST_DELAY);
    story.pass(16 * MINUTE);
    story.hall.play("g", 2);
    story.pass(15 * MINUTE - 1);
    assert_eq!(story.plies(), Some(vec![0]), "the moves are not public yet");
    assert_eq!(story.asked().len(), 1, "the engine saw the start alone: {:?}", story.asked());
    story.pass(1);
    assert_eq!(story.plies(), Some(vec![0, 1, 2]));
    let game = story.hall.public.game("g").unwrap().1;
    let known = story.evaluations.of(&game).unwrap();
    assert_eq!(&*known.engine, "Fake 1");
    let of = |centipawns| Evaluation { score: Score::Centipawns(centipawns), depth: 1 };
    assert_eq!(known.positions, [(0, of(20)), (1, of(-20)), (2, of(20))], "from White's side");
}

#[test]
fn a_shorter_delay_has_none_and_takes_those_away_that_were_there() {
    let story = Story::begin("sound");
    story.hall.play("g", 2);
    for delay in [Delay::NONE, Delay::Seconds(15 * 60 - 1)] {
        story.delay(delay);
        story.pass(60 * MINUTE);
        assert_eq!(story.plies(), None, "{delay}");
    }
    assert!(story.asked().is_empty(), "the engine was given nothing");
    story.delay(LEAST_DELAY);
    assert_eq!(story.plies(), Some(vec![0, 1, 2]));
    story.delay(Delay::Seconds(600));
    assert_eq!(story.plies(), None, "at once");
}

#[test]
fn a_delay_that_is_set_in_the_middle_of_a_game_brings_no_position_that_is_on_the_board() {
    let story = Story::begin("sound");
    story.pass(30 * MINUTE);
    story.hall.play("g", 3);
    story.delay(Delay::Seconds(1800));
    assert_eq!(story.hall.public.game("g").unwrap().1.game.moves().len(), 3, "it was public before the delay");
    assert_eq!(story.plies(), Some(vec![0]));
    assert_eq!(story.asked().len(), 1);
    story.pass(30 * MINUTE);
    assert_eq!(story.plies(), Some(vec![0, 1, 2, 3]));
}

#[test]
fn until_the_game_is_over_counts_once_it_has_opened() {
    let story = Story::begin("sound");
    story.delay(Delay::UntilOver);
    story.hall.play("g", 2);
    story.pass(60 * MINUTE);
    assert_eq!(story.plies().unwrap_or_default(), Vec::<usize>::new());
    let result = Event::Result { result: notation::pgn::Outcome::Draw, reason: "agreed".into() };
    let fact = tournament::Fact::ResultSet { game: "g".into(), result: pairings::score::Score::parse("1/2-1/2") };
    story.hall.record(vec![fact], vec![("g", result)]);
    assert!(story.asked().len() <= 1, "{:?}", story.asked());
    story.pass(15 * MINUTE);
    assert_eq!(story.plies(), Some(vec![0, 1, 2]));
}

#[test]
fn a_game_that_is_public_before_the_delay_and_unknown_to_the_late_view_has_none_yet() {
    let story = Story::begin("sound");
    story.hall.play("g", 1);
    story.delay(LEAST_DELAY);
    let known = story.evaluations.of(&story.hall.public.game("g").unwrap().1);
    assert_eq!(known.map(|known| known.positions), Some(Vec::new()), "there will be some");
    assert!(story.asked().is_empty());
}

#[test]
fn a_board_with_a_shorter_delay_of_its_own_has_none() {
    let story = Story::begin("sound");
    story.hall.play("g", 2);
    story.delay(LEAST_DELAY);
    story.pass(16 * MINUTE);
    assert!(story.plies().is_some());
    let own = |delay| {
        let settings = tournament::SectionSettings {
            boardless_games: true,
            board_delays: [(1, delay)].into(),
            ..tournament::SectionSettings::named("Spring Open")
        };
        story.hall.record(vec![tournament::Fact::SectionSet { section: "hall".into(), settings }], Vec::new());
        story.hall.settle();
    };
    own(Delay::NONE);
    assert_eq!(story.plies(), None);
    own(Delay::Seconds(3600));
    assert!(story.plies().is_some());
    story.delay(Delay::NONE);
    assert_eq!(story.plies(), None, "a long delay of a board alone would tell of it");
}

#[test]
fn a_move_that_is_taken_back_takes_its_evaluation_with_it() {
    let story = Story::begin("sound");
    story.delay(LEAST_DELAY);
    story.hall.play("g", 3);
    story.pass(16 * MINUTE);
    assert_eq!(story.plies(), Some(vec![0, 1, 2, 3]));
    story.hall.happen("g", Event::Retract { to_ply: 1 });
    story.hall.settle();
    assert_eq!(story.plies(), Some(vec![0, 1]));
}

/// White's positions are evaluated although the engine fails at each of Black's.
fn fails_at_black(engine: &str) {
    let story = Story::begin(engine);
    story.delay(LEAST_DELAY);
    story.hall.play("g", 2);
    story.pass(16 * MINUTE);
    assert_eq!(story.plies(), Some(vec![0, 2]), "{engine}");
    assert_eq!(story.plies(), Some(vec![0, 2]), "{engine}: what failed twice is left");
}

#[test]
fn an_engine_that_dies_is_started_again() {
    fails_at_black("dying");
}

#[test]
fn an_engine_that_hangs_is_killed_and_started_again() {
    fails_at_black("hanging");
}

#[test]
fn an_engine_that_writes_rubbish_without_end_is_killed_and_started_again() {
    fails_at_black("babbling");
}

#[test]
fn a_program_that_is_no_engine_hinders_nothing() {
    for program in ["mute", "missing/engine"] {
        let story = Story::begin("sound");
        let settings = Settings::of(story.folder.path().join(program));
        if program == "mute" {
            symlink(Path::new(env!("CARGO_MANIFEST_DIR")).join("../uci/tests/fake_engine.sh"), &settings.program)
                .unwrap();
        }
        let pace = Pace { patience: Duration::from_millis(50), ..Pace::USUAL };
        let evaluations = Evaluations::start_at(&story.hall.gate, settings, pace).unwrap();
        story.delay(LEAST_DELAY);
        story.pass(16 * MINUTE);
        let game = story.hall.public.game("g").unwrap().1;
        let known = evaluations.of(&game).unwrap();
        assert_eq!((&*known.engine, known.positions.len()), ("", 0), "{program}");
    }
}
