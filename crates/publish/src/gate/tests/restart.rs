//! The gate after a restart.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use game_core::event::{Author, Event, Evidence, Variant};
use notation::pgn::Outcome;

use super::{played, since, table};
use crate::bodies::{Bodies, Letters};
use crate::gate::game_view::Archived;
use crate::gate::past_games::PastGames;
use crate::gate::{self, History, Policy, PublicEvent, PublicView, Since, View};
use crate::selection::Selection;
use crate::test_hall::{START, paired, round, round_state, section};
use crate::wire::state;
use hall_clock::HallClock;
use journal::{Batch, NewEvent, NewFact, RecorderHandle};
use journal::{FILE, Journal, Reader};
use tournament::{Fact, RoundSettings, RoundState};

/// The daemon's half from the journal to the view, over a journal in this folder.
fn open_over(folder: &Path) -> (RecorderHandle, PublicView) {
    open_with(folder, |reader| Some(Arc::new(reader)))
}

/// The same with what reads the games of archived rounds.
fn open_with(folder: &Path, reads: impl FnOnce(Reader) -> Option<Arc<Reader>>) -> (RecorderHandle, PublicView) {
    let (journal, reader) = (Journal::open(&folder.join(FILE)).unwrap(), Reader::open(&folder.join(FILE)).unwrap());
    let clock = HallClock::start(1.0);
    let past = reader.past().unwrap();
    let history =
        History { identity: journal.identity().unwrap(), rounds: past.rounds, reader: reads(reader), closed: false };
    let (recorder, feed, _) = journal::start(clock, journal, past.entries).unwrap();
    let gate = gate::open(&feed, clock, history, recorder.downgrade()).unwrap().0;
    (recorder, gate.public(Policy::PUBLIC))
}

/// A journal in this folder that has the section `hall`.
fn begun(folder: &Path) -> Journal {
    let mut journal = Journal::open(&folder.join(FILE)).unwrap();
    journal.commit(1, &[facts([section("hall", "Spring Open")])]).unwrap();
    journal
}

/// Gets a message at each release.
fn releases(public: &PublicView) -> Receiver<()> {
    let (sender, released) = mpsc::channel();
    public.watch(move || sender.send(()).unwrap());
    released
}

fn started() -> Event {
    Event::GameStarted { fen: START.into(), variant: Variant::Standard }
}

fn events(round: u32, events: Vec<Event>) -> Batch {
    let game = table(&format!("hall-{round}-1"), round, 1);
    let draft = |event| NewEvent { at: 1, game: game.clone(), author: Author::Board, evidence: Evidence::Lever, event };
    Batch { games: events.into_iter().map(draft).collect(), ..Batch::default() }
}

fn facts(facts: impl IntoIterator<Item = Fact>) -> Batch {
    let by = Author::Operator("arbiter".into());
    let hall = facts.into_iter().map(|fact| NewFact { by: by.clone(), reason: None, fact }).collect();
    Batch { hall, ..Batch::default() }
}

fn running(number: u32) -> [Fact; 3] {
    [
        round("hall", number, RoundSettings::default()),
        round_state("hall", number, RoundState::Running),
        paired(&table(&format!("hall-{number}-1"), number, 1)),
    ]
}

#[test]
fn after_a_restart_the_view_is_as_it_was_and_archived_rounds_are_read_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = begun(folder.path());
    let (start, e4) = (started(), played(1, "e4", "e2e4"));
    let won = Event::Result { result: Outcome::WhiteWins, reason: "kings in the centre".into() };
    for round in 1..=3 {
        journal
            .commit(1, &[facts(running(round)), events(round, vec![start.clone(), e4.clone(), won.clone()])])
            .unwrap();
    }
    journal.commit(1, &[facts(running(4))]).unwrap();
    let tags = Event::Tags { tags: [("White".to_owned(), "Adams".to_owned())].into() };
    journal.commit(2, &[events(4, vec![start, tags, e4])]).unwrap();
    drop(journal);

    let (_, public) = open_over(folder.path());
    let view = public.section("hall").unwrap();
    let before: Vec<_> = view.rounds().iter().map(|round| (round.stream.clone(), round.seq)).collect();
    assert_eq!(before.iter().map(|(_, seq)| *seq).collect::<Vec<_>>(), [0, 0, 3, 2], "archived rounds count anew");
    let (recorder, public) = open_over(folder.path());
    let view = public.section("hall").unwrap();
    let rounds: Vec<_> = view.rounds().iter().map(|round| (round.stream.clone(), round.seq)).collect();
    assert_eq!(rounds[2..], before[2..]);
    for (now, before) in rounds[..2].iter().zip(&before) {
        assert_ne!(now.0, before.0, "an archived round has another stream at each start");
    }
    assert_eq!(view.current_round(), 4);
    assert_eq!(view.game("hall-4-1").unwrap().game.tags()["White"], "Adams");
    assert!(view.recent_rounds().iter().map(|round| round.number).eq([3, 4]), "the rest is long over");
    assert_eq!(Selection::All.select(&view, 0).unwrap().games.len(), 4);
    assert!(view.archived_pgn("hall-1-1").unwrap().contains("1. e4"));
    assert_eq!(since(&view, 1, 3), Since::NotKept, "events of archived rounds are not kept");
    let Since::Events(known) = since(&view, 4, 0) else { panic!("a round being played is kept") };
    assert!(matches!(&known[0].event, PublicEvent::GameStarted { tags, .. } if tags["White"] == "Adams"));

    // The arbiter finds that the old game was drawn.
    let released = releases(&public);
    let drawn = Event::Result { result: Outcome::Draw, reason: "operator".into() };
    recorder.record(events(1, vec![drawn]));
    released.recv().unwrap();
    let corrected = view.game("hall-1-1").unwrap();
    assert_eq!((corrected.game.moves().len(), corrected.game.result()), (1, Outcome::Draw));
    assert_eq!(view.round(1).unwrap().seq, 1);
    assert!(view.round(1).unwrap().games[0].live().is_some());
}

#[test]
fn what_is_recorded_after_a_game_left_memory_is_not_read_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = begun(folder.path());
    journal.commit(1, &[facts(running(1)), events(1, vec![started(), played(1, "e4", "e2e4")])]).unwrap();
    let reader = Arc::new(Reader::open(&folder.path().join(FILE)).unwrap());
    let at = table("hall-1-1", 1, 1);
    let next = reader.game("hall-1-1").unwrap().unwrap().entries.last().unwrap().number + 1;
    let archived = |next, version| Archived { at: at.clone(), version, changed_at: None, next };
    let won = Event::Result { result: Outcome::WhiteWins, reason: "operator".into() };
    journal.commit(2, &[events(1, vec![won, Event::GameEnded])]).unwrap();
    journal.commit(2, &[facts([round_state("hall", 1, RoundState::Finished)])]).unwrap();
    let past = PastGames::new(Some(reader));
    let result = |archived: &Archived| past.game(archived).unwrap().game.result();
    let pgn = |archived: &Archived| past.pgn(archived).unwrap();
    let before = archived(next, 0);
    assert_eq!(result(&before), Outcome::Unknown);
    assert!(pgn(&before).ends_with("1. e4 *\n\n"), "{}", pgn(&before));
    assert_eq!(past.take(&before).unwrap().game.result(), Outcome::Unknown);
    // The game was in memory meanwhile, and has left it again with its result.
    let after = archived(next + 9, 7);
    assert_eq!((result(&before), result(&after)), (Outcome::Unknown, Outcome::WhiteWins));
    assert!(pgn(&after).contains("1-0"), "{}", pgn(&after));
}

#[test]
fn a_game_that_is_adjourned_in_a_round_that_was_ended_is_so_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = begun(folder.path());
    let (start, e4, e5) = (started(), played(1, "e4", "e2e4"), played(2, "e5", "e7e5"));
    for round in 1..=3 {
        journal.commit(1, &[facts(running(round)), events(round, vec![start.clone(), e4.clone()])]).unwrap();
        let adjourned = Fact::Adjourned { game: format!("hall-{round}-1").into() };
        journal.commit(1, &[facts([adjourned, round_state("hall", round, RoundState::Finished)])]).unwrap();
    }
    drop(journal);
    let (recorder, public) = open_over(folder.path());
    let view = public.section("hall").unwrap();
    let state = || state(&view.game("hall-1-1").unwrap());
    assert!(view.round(1).unwrap().games[0].live().is_none(), "it is archived");
    assert_eq!(state(), "adjourned");
    let released = releases(&public);
    let version = view.version();
    recorder.record(facts([Fact::Moved { game: "hall-1-1".into(), from: None, to: "10002".into() }]));
    released.recv().unwrap();
    assert_eq!(state(), "playing");
    assert_ne!(view.version(), version);
    for (then, becomes) in
        [(events(1, vec![e5]), "playing"), (facts([Fact::Adjourned { game: "hall-1-1".into() }]), "adjourned")]
    {
        recorder.record(then);
        released.recv().unwrap();
        assert_eq!(state(), becomes);
    }
}

#[test]
fn a_round_that_an_older_version_stored_with_a_delay_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let older = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../journal/src/test_data/schema-2.sqlite"));
    std::fs::write(folder.path().join(FILE), older).unwrap();
    // A reader opens no older journal: the writer brings it up to date first.
    drop(Journal::open(&folder.path().join(FILE)).unwrap());
    let (recorder, public) = open_over(folder.path());
    let section = public.section("cup").unwrap();
    assert!(public.game("cup-3-1").is_none(), "it is withdrawn");
    // The last number that the older version gave in this round: what was hidden has none.
    assert_eq!(section.round(3).unwrap().seq, 14);
    let game = || public.game("cup-4-1").map(|(_, game)| game.game.moves().len());
    assert!(game().is_none_or(|plies| plies == 0), "its delay begins anew");

    let released = releases(&public);
    let no_delay = RoundSettings { delay: Some(gate::Delay::NONE), ..RoundSettings::default() };
    recorder.record(facts([round("cup", 4, no_delay)]));
    while game() != Some(1) {
        released.recv().unwrap();
    }
    assert_eq!(public.game("cup-4-1").unwrap().1.game.tags()["Annotator"], "Bos");
}

#[test]
fn a_file_whose_games_cannot_be_read_is_not_made_without_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = begun(folder.path());
    for round in 1..=3 {
        let over = Event::Result { result: Outcome::Draw, reason: "agreed".into() };
        let game = events(round, vec![started(), played(1, "e4", "e2e4"), over]);
        journal.commit(1, &[facts(running(round)), game]).unwrap();
    }
    drop(journal);
    for (is_there, games) in [(true, Some(1)), (false, None)] {
        let (_recorder, public) = open_with(folder.path(), |reader| is_there.then(|| Arc::new(reader)));
        let bodies = Bodies::new(public, HallClock::start(1.0));
        let file = bodies.get("hall", &Selection::Round(1), Letters::Unicode);
        assert_eq!(file.map(|file| notation::pgn::read_games(&file.text()[..]).count()), games);
    }
}
