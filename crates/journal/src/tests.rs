//! The journal over restarts: what is read again, what goes on, what loads on demand.

mod losses;
mod older_journals;
mod rebuilding;

use std::path::Path;

use coded_text::CodedText;
use game_core::event::{Author, Event, Evidence, Variant};
use notation::pgn::Outcome;
use rusqlite::Connection;

use super::check::Findings;
use super::{FILE, Journal, Reader};
use crate::{Batch, BoardFact, Committed, NewBoardFact, NewEvent, NewFact, RecordedEvent};
use tournament::GameRef;
use tournament::{Correction, CorrectionText, Fact, Person, PersonRecord, PlayerId, RoundState, SectionSettings, Undo};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn game(round: u32, table: u32) -> GameRef {
    GameRef { game: format!("cup-{round}-{table}").into(), event: "cup".into(), round, table }
}

fn batch(game: &GameRef, events: Vec<Event>) -> Batch {
    let new = |event| NewEvent { at: 7, game: game.clone(), author: Author::Board, evidence: Evidence::Lever, event };
    Batch { games: events.into_iter().map(new).collect(), ..Batch::default() }
}

fn start(game: &GameRef) -> Batch {
    let tags = [("White".to_owned(), "Adams".to_owned()), ("TimeControl".to_owned(), "600+5".to_owned())].into();
    let facing = BoardFact::Orientation { rotated: true, white_is_left: Some(false) };
    let blind = BoardFact::IgnoredSquares { squares: vec!["a1".into()] };
    let boards = [facing, blind].map(|fact| NewBoardFact { at: 7, board: "20077".into(), fact }).into();
    let started = Event::GameStarted { fen: START.into(), variant: Variant::Standard };
    Batch { boards, ..batch(game, vec![started, Event::Tags { tags }]) }
}

fn played(ply: u32, san: &str, uci: &str) -> Event {
    Event::Move { ply, san: san.into(), uci: uci.into(), clk_ms: Some(599_000), emt_ms: Some(1000) }
}

fn won() -> Event {
    Event::Result { result: Outcome::WhiteWins, reason: "kings in the centre".into() }
}

fn open(folder: &Path) -> (Journal, Reader) {
    let path = folder.join(FILE);
    (Journal::open(&path).unwrap(), Reader::open(&path).unwrap())
}

/// The events of games among what was committed.
fn games(committed: &[Committed]) -> Vec<RecordedEvent> {
    committed.iter().filter_map(Committed::game).map(|entry| (**entry).clone()).collect()
}

/// Number and step of each event of a game.
fn steps(committed: &[Committed]) -> Vec<(u64, u64)> {
    games(committed).iter().map(|entry| (entry.number, entry.step)).collect()
}

#[test]
fn after_a_restart_numbers_instants_and_boards_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let at = game(1, 3);
    let identity = {
        let (mut journal, _) = open(folder.path());
        let begun = journal.commit(1000, &[start(&at)]).unwrap();
        assert_eq!(steps(&begun), [(0, 0), (1, 0)], "the tags were recorded with the start of their game");
        journal.commit(2000, &[batch(&at, vec![played(1, "e4", "e2e4")])]).unwrap();
        journal.commit(3000, &[batch(&at, vec![played(2, "e5", "e7e5")])]).unwrap();
        journal.identity().unwrap()
    };

    let (mut journal, reader) = open(folder.path());
    assert_eq!(journal.identity().unwrap(), identity);
    let past = games(&reader.past().unwrap().entries);
    assert_eq!(past.iter().map(|entry| entry.step).collect::<Vec<_>>(), [0, 0, 2, 3]);
    assert!(matches!(&past[1].event, Event::Tags { tags } if tags["White"] == "Adams"));

    let board = reader.board("20077").unwrap();
    assert_eq!((board.orientation, reader.board("20078").unwrap().orientation), ((true, Some(false)), (false, None)));
    let resume = board.to_resume("cup-1-3", &reader.game("cup-1-3").unwrap().unwrap().fold());
    assert_eq!(resume.blind, ["a1"]);
    assert_eq!(resume.moves.iter().map(|mv| mv.uci.as_str()).collect::<Vec<_>>(), ["e2e4", "e7e5"]);
    assert_eq!((resume.time_control, resume.rotated, resume.white_is_left), (Some("600+5".into()), true, Some(false)));
    assert!(!resume.ended);

    // The last ply was another one: it counts from when the wrong one did.
    let corrected = batch(&at, vec![Event::Retract { to_ply: 1 }, played(2, "c5", "c7c5")]);
    let corrected = journal.commit(9000, &[corrected]).unwrap();
    let corrected = games(&corrected);
    let numbers: Vec<_> = corrected.iter().map(|entry| (entry.number, entry.step, entry.effective_at)).collect();
    assert_eq!(numbers, [(4, 4, 3000), (5, 4, 3000)]);
    let stored = reader.game("cup-1-3").unwrap().unwrap().entries;
    assert!(stored.iter().eq(past.iter().chain(&corrected)), "{stored:?}");
}

#[test]
fn archived_rounds_stay_in_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let (mut journal, reader) = open(folder.path());
    for round in 1..=4 {
        for table in 1..=2 {
            let at = game(round, table);
            journal.commit(u64::from(round), &[start(&at), batch(&at, vec![played(1, "e4", "e2e4")])]).unwrap();
            // One game of the second round is without a result for ever.
            if (round, table) != (2, 2) {
                journal.commit(u64::from(round), &[batch(&at, vec![won(), Event::GameEnded])]).unwrap();
            }
        }
    }
    let past = reader.past().unwrap();
    let archived: Vec<_> = past.rounds.iter().map(|round| (round.number, round.archived)).collect();
    assert_eq!(archived, [(1, true), (2, false), (3, false), (4, false)]);
    assert_eq!(past.rounds[0].games.len(), 2);
    assert!(games(&past.entries).iter().all(|entry| entry.game.round > 1));
    assert!(past.entries.is_sorted_by_key(Committed::number));
    assert_eq!(reader.game("cup-1-2").unwrap().unwrap().fold().result(), Outcome::WhiteWins);
    assert!(reader.game("cup-9-9").unwrap().is_none());
}

#[test]
fn games_of_finished_rounds_have_snapshots_until_they_change() {
    let folder = tempfile::tempdir().unwrap();
    let (mut journal, reader) = open(folder.path());
    let games = (1..=20).map(|table| game(1, table)).collect::<Vec<_>>();
    for at in &games {
        journal.commit(1, &[start(at), batch(at, vec![played(1, "e4", "e2e4")])]).unwrap();
    }
    let (last, others) = games.split_last().unwrap();
    for at in others {
        journal.commit(2, &[batch(at, vec![won(), Event::GameEnded])]).unwrap();
    }
    assert!(!journal.write_snapshots().unwrap(), "one game is still played");
    assert!(!journal.lacks_snapshots());
    journal.commit(3, &[batch(last, vec![won()])]).unwrap();
    while journal.lacks_snapshots() {
        journal.write_snapshots().unwrap();
    }
    let kept = reader.snapshots("cup", 1).unwrap();
    assert_eq!(kept.len(), 20);
    assert!(kept[19].ends_with("1. e4 {[%clk 0:09:59] [%emt 0:00:01]} 1-0\n\n"), "{}", kept[19]);
    assert_eq!(reader.snapshot("cup-1-20", u64::from(u32::MAX)).unwrap().as_ref(), kept.last());
    let last_entry = reader.game("cup-1-20").unwrap().unwrap().entries.last().unwrap().number;
    assert_eq!(reader.snapshot("cup-1-20", last_entry).unwrap(), None, "it has what was recorded later");

    let drawn = Event::Result { result: Outcome::Draw, reason: "operator".into() };
    drop((journal, reader));
    let (mut journal, reader) = open(folder.path());
    journal.commit(9, &[batch(last, vec![drawn])]).unwrap();
    assert_eq!(reader.snapshots("cup", 1).unwrap().len(), 19, "a form that holds no longer was kept");
    journal.write_snapshots().unwrap();
    assert!(reader.snapshot("cup-1-20", u64::from(u32::MAX)).unwrap().unwrap().contains("1/2-1/2"));
    let hand = Connection::open(folder.path().join(FILE)).unwrap();
    hand.execute_batch("UPDATE folded SET pgn = replace(pgn, 'Adams', 'Baker') WHERE game = 1").unwrap();
    let mut findings = Findings::default();
    reader.check(&mut findings).unwrap();
    let [fault] = &findings.faults[..] else { panic!("{:?}", findings.faults) };
    assert!(fault.to_string().starts_with("game cup-1-1: its snapshot does not follow"), "{fault}");
}

#[test]
fn a_round_that_was_finished_by_order_gets_snapshots_although_a_game_has_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let (mut journal, reader) = open(folder.path());
    let state = |state| Batch {
        hall: vec![NewFact {
            by: Author::Operator("Ada".into()),
            reason: None,
            fact: Fact::RoundState { section: "cup".into(), round: 1, state },
        }],
        ..Batch::default()
    };
    for round in 1..=4 {
        journal.commit(1, &[start(&game(round, 1)), batch(&game(round, 1), vec![played(1, "e4", "e2e4")])]).unwrap();
    }
    while journal.write_snapshots().unwrap() {}
    assert!(!reader.past().unwrap().rounds[0].archived && reader.snapshots("cup", 1).unwrap().is_empty());
    journal.commit(2, &[state(RoundState::Finished)]).unwrap();
    assert!(journal.lacks_snapshots());
    journal.write_snapshots().unwrap();
    assert!(reader.past().unwrap().rounds[0].archived);
    assert!(reader.snapshots("cup", 1).unwrap()[0].contains("1. e4"));
    let faults = || {
        let mut findings = Findings::default();
        reader.check(&mut findings).unwrap();
        findings.faults
    };
    assert_eq!(faults(), []);
    journal.commit(3, &[state(RoundState::Running)]).unwrap();
    assert!(!reader.past().unwrap().rounds[0].archived);
    assert_eq!(faults(), []);
    let hand = Connection::open(folder.path().join(FILE)).unwrap();
    hand.execute_batch("INSERT INTO finished_round VALUES ('cup', 2)").unwrap();
    assert!(faults()[0].to_string().starts_with("hall: the rounds that are over do not follow"), "{:?}", faults());
}

#[test]
fn a_commit_that_fails_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let (mut journal, reader) = open(folder.path());
    journal.commit(1, &[start(&game(1, 1))]).unwrap();
    let holder = Connection::open(folder.path().join(FILE)).unwrap();
    // The disk ends in the middle of the commit.
    holder
        .execute_batch(
            "CREATE TRIGGER full BEFORE INSERT ON game_event WHEN new.number = 3 BEGIN SELECT RAISE(ABORT, 'full'); END",
        )
        .unwrap();
    let moves = [batch(&game(1, 1), vec![played(1, "e4", "e2e4"), played(2, "e5", "e7e5")]), start(&game(1, 2))];
    journal.commit(2, &moves).unwrap_err();
    assert_eq!(reader.past().unwrap().entries.len(), 2);
    holder.execute_batch("DROP TRIGGER full").unwrap();
    let committed = journal.commit(3, &moves).unwrap();
    assert_eq!(steps(&committed), [(2, 2), (3, 2), (4, 4), (5, 4)]);
    assert!(games(&committed).iter().all(|entry| entry.effective_at == 3));
    let mut findings = Findings::default();
    reader.check(&mut findings).unwrap();
    assert_eq!((findings.games, findings.events, findings.faults), (2, 6, Vec::new()));
}

#[test]
fn what_happened_cannot_be_rewritten_and_damage_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (mut journal, reader) = open(folder.path());
    let at = game(1, 1);
    let hall = Batch { hall: vec![founded("cup")], ..Batch::default() };
    journal.commit(1, &[start(&at), batch(&at, vec![played(1, "e4", "e2e4"), won()]), hall]).unwrap();
    let hand = Connection::open(folder.path().join(FILE)).unwrap();
    for rewriting in [
        "UPDATE game_event SET at = 0",
        "DELETE FROM game_event",
        "UPDATE board_event SET at = 0",
        "DELETE FROM hall_event",
    ] {
        let refused = hand.execute(rewriting, []).unwrap_err().to_string();
        assert!(refused.contains("what happened is never rewritten"), "{refused}");
    }
    let faults = || {
        let mut findings = Findings::default();
        reader.check(&mut findings).unwrap();
        findings.faults.into_iter().map(|fault| fault.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(faults(), Vec::<String>::new());
    hand.execute_batch("UPDATE game SET over = 0").unwrap();
    let [game] = &faults()[..] else { panic!("{:?}", faults()) };
    assert!(game.starts_with("game cup-1-1: its row does not follow from its events"), "{game}");
    hand.execute_batch("DROP TRIGGER game_event_is_not_changed; UPDATE game_event SET step = 9 WHERE number = 1")
        .unwrap();
    assert!(
        faults().iter().any(|fault| fault.starts_with("game cup-1-1, event 1: its step is not one")),
        "{:?}",
        faults()
    );
    hand.execute_batch("UPDATE game_event SET event = '{}' WHERE number = 2").unwrap();
    assert!(faults().iter().any(|fault| fault.contains("game_event 2")), "{:?}", faults());
}

#[test]
fn a_clock_that_was_set_back_is_no_damage() {
    let folder = tempfile::tempdir().unwrap();
    let (mut journal, reader) = open(folder.path());
    for (committed_at, table) in [(10_000, 2), (5_000, 1)] {
        let at = game(1, table);
        journal.commit(committed_at, &[start(&at), batch(&at, vec![played(1, "e4", "e2e4")])]).unwrap();
    }
    let mut findings = Findings::default();
    reader.check(&mut findings).unwrap();
    assert_eq!((findings.games, findings.faults), (2, Vec::new()));
}

#[test]
fn a_backup_is_complete_and_starts_new_stream_ids() {
    let folder = tempfile::tempdir().unwrap();
    let (mut journal, reader) = open(folder.path());
    journal.commit(1, &[start(&game(1, 1))]).unwrap();
    let copy = folder.path().join("copy.sqlite");
    reader.backup(&copy, &[]).unwrap();
    journal.commit(2, &[batch(&game(1, 1), vec![played(1, "e4", "e2e4")])]).unwrap();
    assert!(reader.backup(&copy, &[]).unwrap_err().to_string().contains("copy.sqlite exists already"));
    let nowhere = folder.path().join("nowhere/copy.sqlite");
    assert!(reader.backup(&nowhere, &[]).unwrap_err().to_string().contains("cannot be written: check the folder"));

    let restored = Reader::open(&copy).unwrap().past().unwrap();
    assert_eq!(restored.entries, reader.past().unwrap().entries[..2]);
    assert_ne!(Journal::open(&copy).unwrap().identity().unwrap(), journal.identity().unwrap());
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(!names.iter().any(|name| name.to_string_lossy().contains("backup")), "{names:?}");
}

fn founded(section: &str) -> NewFact {
    let settings = SectionSettings::named("Cup");
    NewFact {
        by: Author::Operator("Ada".into()),
        reason: Some("as announced".into()),
        fact: Fact::SectionSet { section: section.into(), settings },
    }
}

#[test]
fn facts_of_the_hall_and_events_of_games_are_one_record() {
    let folder = tempfile::tempdir().unwrap();
    let (mut journal, reader) = open(folder.path());
    let batch = Batch { hall: vec![founded("cup")], ..start(&game(1, 1)) };
    let committed = journal.commit(5, &[batch]).unwrap();
    assert_eq!(committed.iter().map(Committed::number).collect::<Vec<_>>(), [0, 1, 2]);
    drop(journal);
    let (mut journal, _) = open(folder.path());
    let more = journal.commit(6, &[Batch { hall: vec![founded("other")], ..Batch::default() }]).unwrap();
    assert_eq!(more[0].number(), 3);
    drop(journal);
    let (mut journal, _) = open(folder.path());
    let move_made = journal.commit(7, &[batch_of_a_move()]).unwrap();
    assert_eq!(steps(&move_made), [(4, 4)]);
    let past = reader.past().unwrap();
    assert_eq!(past.entries, [committed, more, move_made].concat());
    let mut findings = Findings::default();
    reader.check(&mut findings).unwrap();
    assert_eq!(findings.faults, []);
}

fn batch_of_a_move() -> Batch {
    batch(&game(1, 1), vec![played(1, "e4", "e2e4")])
}

#[test]
fn a_person_who_is_forgotten_is_in_no_file_any_more() {
    const NAME: &str = "Zwischenzug, Zacharias";
    let folder = tempfile::tempdir().unwrap();
    let (mut journal, reader) = open(folder.path());
    let tags = |name: &str| {
        let tags = [("White", name), ("WhiteElo", "2001"), ("Black", "Baker, Ruth"), ("BlackElo", "1999")];
        Event::Tags { tags: tags.map(|(name, value)| (name.to_owned(), value.to_owned())).into() }
    };
    let person = Person { name: NAME.into(), rating: Some(2001), ..Person::default() };
    let named = ("Annotator".to_owned(), "Z. Zwischenzug".to_owned());
    let other = ("Opening".to_owned(), "Ruy Lopez".to_owned());
    let undo = Undo::Tags { game: "cup-1-1".into(), tags: [named.clone(), other.clone()].into() };
    let what = Box::new(CorrectionText::Tags { game: Box::new(CodedText::in_words("cup-1-1")) }.coded());
    let corrected = Correction { number: 1, what, game: None, undo: Some(undo), undoes: None };
    let written =
        [Fact::TagsSet { game: "cup-1-1".into(), tags: [named, other.clone()].into() }, Fact::Corrected(corrected)];
    let written = written.map(|fact| NewFact {
        by: Author::Operator("Ada".into()),
        reason: Some("Zwischenzug asked for it".into()),
        fact,
    });
    let known = Batch {
        persons: vec![(PlayerId(7), Some(PersonRecord::new(person)))],
        hall: [vec![founded("cup")], written.into()].concat(),
        ..Batch::default()
    };
    journal.commit(1, &[known]).unwrap();
    // In a game of a finished round he sat where another one sits by now.
    for at in [game(1, 1), game(1, 2)] {
        let events = vec![tags(NAME), played(1, "e4", "e2e4"), won(), Event::GameEnded];
        journal.commit(2, &[batch(&at, events)]).unwrap();
    }
    let another = [("White".to_owned(), "Clark, Ada".to_owned())].into();
    journal.commit(3, &[batch(&game(1, 2), vec![Event::Tags { tags: another }])]).unwrap();
    while journal.write_snapshots().unwrap() {}
    let found = || {
        let files = std::fs::read_dir(folder.path()).unwrap().map(|file| std::fs::read(file.unwrap().path()).unwrap());
        files.filter(|bytes| bytes.windows(10).any(|part| part.eq_ignore_ascii_case(&NAME.as_bytes()[..10]))).count()
    };
    assert!(found() > 0);

    let hidden = [("White", "?"), ("WhiteElo", "")].map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let forgotten =
        Batch { persons: vec![(PlayerId(7), None)], ..batch(&game(1, 1), vec![Event::Tags { tags: hidden }]) };
    let mut told = reader.past().unwrap().entries;
    journal.commit(4, &[forgotten]).unwrap();
    assert_eq!(found(), 0, "the name is still there");
    journal.without_forgotten(&mut told);
    let after = reader.past().unwrap().entries;
    assert_eq!(told, after[..told.len()], "what is in memory is what a restart would read");
    let [_, Committed::Hall(set), Committed::Hall(corrected), ..] = &after[..] else { panic!("{after:?}") };
    assert!(matches!(&set.fact, Fact::TagsSet { tags, .. } if *tags == [other.clone()].into()), "{set:?}");
    assert_eq!((set.reason.as_deref(), corrected.reason.as_deref()), (None, None));
    let [kept] = &reader.corrections(None, 9).unwrap()[..] else { panic!("one correction") };
    assert_eq!(kept.by, Author::Operator("Ada".into()));
    while journal.write_snapshots().unwrap() {}
    let game = reader.game("cup-1-1").unwrap().unwrap().fold();
    assert_eq!((game.tags()["White"].as_str(), game.tags()["Black"].as_str()), ("?", "Baker, Ruth"));
    assert!(!game.tags().contains_key("WhiteElo") && game.tags()["BlackElo"] == "1999");
    assert_eq!(reader.game("cup-1-2").unwrap().unwrap().fold().tags()["White"], "Clark, Ada");
    assert!(reader.past().unwrap().persons.get(PlayerId(7)).is_none());
    let mut findings = Findings::default();
    reader.check(&mut findings).unwrap();
    assert_eq!(findings.faults, []);
}
