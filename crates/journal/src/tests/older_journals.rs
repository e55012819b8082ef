//! Journals of earlier builds, as text: everything in them is read, and goes on in this version.

use std::path::Path;

use game_core::event::{Author, Variant};
use game_core::game::Game;
use game_core::input::ResultRule;
use notation::pgn::Outcome;
use rusqlite::Connection;
use tournament::{
    Display, Fact, GameRef, GamesKnown, Hall, MoveEdit, Order, PairingState, PlayerId, RoundState, Undo, decide,
};

use crate::check::Findings;
use crate::{Batch, Committed, FILE, Journal, JournalError, NewFact, Past, Reader};

/// Makes a journal of a dump.
fn restored(folder: &Path, dump: &str) -> (Journal, Reader) {
    let path = folder.join(FILE);
    Connection::open(&path).unwrap().execute_batch(dump).unwrap();
    (Journal::open(&path).unwrap(), Reader::open(&path).unwrap())
}

fn facts(past: &Past) -> Vec<Fact> {
    let hall = past.entries.iter().filter_map(|entry| match entry {
        Committed::Hall(entry) => Some(entry.fact.clone()),
        Committed::Game(_) => None,
    });
    hall.collect()
}

/// Games as the journal has them.
struct Games<'a>(&'a Reader);

impl GamesKnown for Games<'_> {
    fn game(&self, id: &str) -> Option<Game> {
        self.0.game(id).unwrap().map(|past| past.fold())
    }
}

const SCHEMA_2: &str = include_str!("../test_data/schema-2.sql");

#[test]
fn a_journal_of_the_build_before_the_stored_forms_is_read_whole() {
    let folder = tempfile::tempdir().unwrap();
    let (mut journal, reader) = restored(folder.path(), SCHEMA_2);
    let past = reader.past().unwrap();
    let hall = Hall::of(&facts(&past));
    assert_eq!(facts(&past).len(), 106);

    assert_eq!(hall.tournaments["festival"].name, "Festival", "its correction was undone");
    let section = hall.section("open-a").unwrap();
    let settings = &section.settings;
    assert_eq!((&*settings.name, &*settings.site), ("Open A of Utrecht", "Utrecht"));
    assert_eq!((settings.zone.name(), settings.result_rule), ("Europe/Amsterdam", ResultRule::ByRules));
    assert_eq!(
        (settings.time_control.white.as_deref(), settings.time_control.black.as_deref()),
        (Some("300"), Some("240"))
    );
    assert_eq!(settings.last_day.unwrap().to_string(), "2026-11-29");
    assert!(settings.boardless_games && settings.forfeits && settings.arm_by_publishing && !settings.auto_publish);
    let states: Vec<_> = section.rounds.values().map(|round| round.state).collect();
    assert_eq!(states, [RoundState::Finished, RoundState::Running, RoundState::Armed, RoundState::Armed]);
    let start = section.rounds[&2].start.as_ref().unwrap();
    assert_eq!((start.variant, start.number), (Variant::Chess960, Some(518)));

    let result = |game: &str| hall.game(game).unwrap().game.result.map(|score| score.to_string());
    assert_eq!(result("open-a-1-1").as_deref(), Some("1/2-1/2"));
    assert_eq!(result("open-a-1-2").as_deref(), Some("0-1"));
    let corrected = hall.game("open-a-1-3").unwrap().game;
    assert_eq!(corrected.imported.unwrap().to_string(), "+ - -");
    assert_eq!((corrected.pair.white, corrected.pair.black), (Some(PlayerId(6)), Some(PlayerId(5))));
    let unrated = hall.game("open-a-2-3").unwrap().game;
    assert_eq!((unrated.result.unwrap().trf(), unrated.pair.boardless), (('W', 'L'), true));
    assert_eq!(hall.game("open-a-2-2").unwrap().game.state, PairingState::ResultMissing);
    assert!(hall.game("open-a-2-4").is_none() && hall.knows_id("open-a-2-4"));
    assert_eq!(hall.game("open-a-1-1").unwrap().game.tags["Opening"], "Spanish");
    assert_eq!(hall.unassigned["20001-apart-1"].adopted_as.as_deref(), Some("open-a-2-1"));
    assert_eq!(hall.player(PlayerId(2)).unwrap().1.display, Display::Initials);
    assert!(hall.player(PlayerId(7)).unwrap().1.forgotten && past.persons.get(PlayerId(7)).is_none());
    let clarke = past.persons.record(PlayerId(3)).unwrap();
    assert_eq!((&*clarke.person.name, clarke.earlier[0].fide_id), ("Clarke, Ada", Some(1003)));

    let board = reader.board("20002").unwrap();
    assert_eq!(
        (board.orientation, board.ignored_squares),
        ((true, Some(true)), vec!["a1".to_owned(), "h8".to_owned()])
    );
    let archived: Vec<_> = past.rounds.iter().map(|round| (&*round.event, round.number, round.archived)).collect();
    assert_eq!(
        archived,
        [
            ("live-games", 1, false),
            ("open-a", 1, true),
            ("open-a", 2, false),
            ("open-a", 3, false),
            ("open-a", 4, false)
        ]
    );
    let drawn = reader.game("open-a-1-1").unwrap().unwrap().fold();
    assert_eq!((drawn.result(), drawn.moves().len(), drawn.moves()[1].clk_ms), (Outcome::Draw, 3, Some(5_300_000)));
    // They are made again, because results are written in another way now.
    while journal.write_snapshots().unwrap() {}
    let snapshots = reader.snapshots("open-a", 1).unwrap();
    assert_eq!(snapshots.len(), 3);
    assert!(snapshots[1].contains("[Black \"Dürer, Albrecht\"]") && snapshots[1].contains("1. e4 {"), "{snapshots:?}");
    let mut findings = Findings::default();
    reader.check(&mut findings).unwrap();
    assert_eq!((findings.facts, findings.faults), (106, Vec::new()));
}

#[test]
fn every_undo_of_the_build_before_is_understood_and_can_be_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let (_, reader) = restored(folder.path(), SCHEMA_2);
    let past = reader.past().unwrap();
    let hall = Hall::of(&facts(&past));
    let undo = |number: usize| hall.corrections[number - 1].undo.clone().unwrap();
    let kinds: Vec<_> = (1..=23).map(|number| format!("{:?}", undo(number))).collect();
    let kinds: Vec<_> = kinds.iter().map(|undo| undo.split(' ').next().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "Tournament",
            "Section",
            "Round",
            "Display",
            "Player",
            "Clock",
            "Board",
            "Resumed",
            "Moves",
            "Moves",
            "Moves",
            "Moves",
            "Adjourned",
            "Tags",
            "Tags",
            "Withdrawn",
            "Withdrawn",
            "Result",
            "Result",
            "Players",
            "EventEnded",
            "EventEnded",
            "Tournament",
        ]
    );
    assert_eq!(undo(4), Undo::Display { player: PlayerId(2), display: Display::Full });
    assert_eq!(undo(7), Undo::Board { game: "open-a-1-1".into(), board: "20001".into(), exchange: false });
    assert_eq!(undo(10), Undo::Moves { game: "open-a-1-2".into(), edit: MoveEdit::Delete { ply: 3 } });
    let Undo::Tags { tags, .. } = undo(15) else { panic!("{:?}", undo(15)) };
    assert_eq!((tags["Annotator"].as_str(), tags["Opening"].as_str()), ("Baker, Ruth", "Ruy Lopez"));
    assert_eq!(
        undo(20),
        Undo::Players { game: "open-a-1-3".into(), white: Some(PlayerId(5)), black: Some(PlayerId(6)) }
    );

    let take_back = |number| {
        decide(&hall, &past.persons, &Games(&reader), 1_795_176_200_000, &Order::Undo { number }).map(|decision| {
            let mut after = hall.clone();
            after.apply_all(&decision.facts);
            after
        })
    };
    let drawn = take_back(18).unwrap();
    assert_eq!(drawn.game("open-a-1-1").unwrap().game.result.unwrap().to_string(), "1-0");
    assert_eq!(take_back(19).unwrap().game("open-a-1-3").unwrap().game.result.unwrap().to_string(), "+ - -");
    assert_eq!(take_back(2).unwrap().section("open-a").unwrap().settings.name, "Open A");
    assert_eq!(take_back(3).unwrap().round("open-a", 1).unwrap().settings.name.as_deref(), Some("First"));
    assert_eq!(take_back(23).unwrap().tournaments["festival"].name, "Festival of Utrecht");
    for number in [4, 5, 6, 12, 15, 17, 20, 22] {
        take_back(number).unwrap_or_else(|refusal| panic!("correction {number}: {refusal}"));
    }
}

#[test]
fn what_an_older_build_recorded_is_the_same_in_the_forms_of_this_version() {
    let folder = tempfile::tempdir().unwrap();
    let (_, reader) = restored(folder.path(), SCHEMA_2);
    let past = reader.past().unwrap();
    let new = folder.path().join("new.sqlite");
    let mut journal = Journal::open(&new).unwrap();
    let hall = facts(&past).into_iter().map(|fact| NewFact { by: Author::Board, reason: None, fact }).collect();
    let persons = past.persons.iter().map(|(id, _)| (id, past.persons.record(id).cloned())).collect();
    journal.commit(1, &[Batch { hall, persons, ..Batch::default() }]).unwrap();
    let again = Reader::open(&new).unwrap().past().unwrap();
    assert_eq!((facts(&again), again.persons), (facts(&past), past.persons));
    let stored = Connection::open(&new).unwrap();
    let old: u32 = stored
        .query_row(
            "SELECT count(*) FROM hall_event WHERE fact LIKE '%\"order\"%' OR fact ->> '$.v' IS NOT 2",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(old, 0, "a fact was written in the form of an older version");
}

#[test]
fn a_journal_of_an_older_build_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (mut journal, reader) = restored(folder.path(), SCHEMA_2);
    let before = reader.past().unwrap();
    let fact = Fact::RoundState { section: "open-a".into(), round: 4, state: RoundState::Finished };
    let hall = vec![NewFact { by: Author::Operator("Ada".into()), reason: None, fact }];
    let added = journal.commit(1_795_176_200_000, &[Batch { hall, ..Batch::default() }]).unwrap();
    assert_eq!(added[0].number(), 163, "after the last number of the dump");
    drop((journal, reader));
    let path = folder.path().join(FILE);
    let reader = (Journal::open(&path).unwrap(), Reader::open(&path).unwrap()).1;
    assert_eq!(reader.past().unwrap().entries, [before.entries, added].concat());
    let (hall, _) = reader.hall().unwrap();
    assert_eq!(hall.round("open-a", 4).unwrap().state, RoundState::Finished);
    let at: Vec<GameRef> = reader.games(Some("open-a"), Some(4)).unwrap();
    assert_eq!(at.len(), 1);
}

#[test]
fn an_entry_of_a_newer_version_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let (journal, reader) = restored(folder.path(), SCHEMA_2);
    drop(journal);
    let hand = Connection::open(folder.path().join(FILE)).unwrap();
    let add = |fact: &str| {
        hand.execute_batch(
            "DROP TRIGGER IF EXISTS hall_event_is_not_removed; DELETE FROM hall_event WHERE number = 9000",
        )
        .unwrap();
        hand.execute("INSERT INTO hall_event VALUES (9000, 1, 1, '\"board\"', ?1, 0)", [fact]).unwrap();
        reader.past().unwrap_err()
    };
    let refused = add(r#"{"v":3,"fact":"paired"}"#);
    assert_eq!(
        refused.to_string(),
        "the journal was written by a newer version of boardcast (unknown version 3 at hall_event 9000): use that \
         version, or a later one"
    );
    assert!(matches!(add(r#"{"v":2,"fact":"relocated"}"#), JournalError::NewerEntry { .. }));
    assert!(matches!(add(r#"{"v":2,"fact":"unpaired"}"#), JournalError::Damaged { .. }));
}
