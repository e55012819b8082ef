//! Games that are long over leave memory, and are read from the journal.

use std::sync::atomic::Ordering;

use game_core::event::Event;
use hall_clock::HandSet;
use notation::pgn::Outcome;
use tournament::RoundSettings;

use crate::bodies::{Bodies, Form, Letters};
use crate::gate::Delay;
use crate::selection::Selection;
use crate::test_hall::{Hall, round};
use crate::wire;

#[test]
fn games_that_are_long_over_are_read_from_the_journal_and_nothing_public_changes() {
    let set: &HandSet = Box::leak(Box::default());
    let folder = tempfile::tempdir().unwrap();
    let hall = Hall::by_hand(set, folder.path());
    let bodies = Bodies::new(hall.public.clone(), hall.clock);
    let pass = |minutes: u64| {
        set.time.fetch_add(minutes * 60_000, Ordering::SeqCst);
        hall.gate.catch_up();
    };
    let over = |id: &str| {
        hall.happen(id, Event::Result { result: Outcome::Draw, reason: "agreement".into() });
        hall.happen(id, Event::GameEnded);
    };
    let in_memory =
        |round: u32| hall.view.round(round).unwrap().games.iter().filter(|game| game.live().is_some()).count();
    // A second game at a table of the first round, whose first one is followed, and two rounds after it.
    for (id, round, table) in [("a", 1, 1), ("b", 1, 2), ("c", 1, 1), ("d", 2, 1), ("e", 3, 1)] {
        hall.start_game(id, round, table, &[("White", "Adler, Ida")]);
        hall.play(id, 3);
        if id != "b" && id != "e" {
            over(id);
        }
        pass(1);
        if id == "c" {
            pass(11);
            assert_eq!(in_memory(1), 2, "the game that was followed by another one is not needed any more");
        }
    }
    pass(11);
    assert_eq!((in_memory(1), in_memory(2), in_memory(3)), (1, 1, 1), "a game that runs, and two rounds, stay");
    over("b");
    let seen = || {
        let file = |selection: &Selection| bodies.get("hall", selection, Letters::Unicode).unwrap();
        let files =
            [Selection::Round(1), Selection::All, Selection::Live, Selection::Game("a".into())].map(|selection| {
                let body = file(&selection);
                (body.etag(Form::Plain).to_owned(), body.changed_at, body.text())
            });
        let game = hall.view.game("b").unwrap();
        let round = hall.view.round(1).unwrap();
        let of_game = (wire::game(&game), game.epd().unwrap(), game.changed_at, game.first_move_at());
        (files, of_game, round.stream, round.seq, hall.view.version(), hall.view.current_round())
    };
    let before = seen();
    pass(11);
    assert_eq!(in_memory(1), 0);
    assert!(hall.view.is_archived(1) && !hall.view.is_archived(2));
    assert!(seen() == before);
    bodies.forget_all();
    assert!(seen() == before, "also when all is made anew");

    // A correction brings the game back, and it leaves memory with what was corrected.
    hall.happen("b", Event::Result { result: Outcome::WhiteWins, reason: "operator".into() });
    assert_eq!(in_memory(1), 1);
    let corrected = seen();
    assert!(corrected.0[0].2 != before.0[0].2 && String::from_utf8_lossy(&corrected.0[0].2).contains("1-0"));
    pass(11);
    assert_eq!(in_memory(1), 0);
    assert!(seen() == corrected);
}

#[test]
fn a_game_of_which_something_is_held_back_stays_in_memory() {
    let set: &HandSet = Box::leak(Box::default());
    let folder = tempfile::tempdir().unwrap();
    let hall = Hall::by_hand(set, folder.path());
    let pass = |minutes: u64| {
        set.time.fetch_add(minutes * 60_000, Ordering::SeqCst);
        hall.gate.catch_up();
        hall.settle();
    };
    for (id, round) in [("a", 1), ("b", 2), ("c", 3)] {
        hall.start_game(id, round, 1, &[]);
        hall.play(id, 2);
        hall.happen(id, Event::Result { result: Outcome::Draw, reason: "agreement".into() });
    }
    let settings = RoundSettings { delay: Some(Delay::Seconds(3600)), ..RoundSettings::default() };
    hall.record(vec![round("hall", 1, settings)], Vec::new());
    hall.happen("a", Event::GameEnded);
    let in_memory = || hall.view.round(1).unwrap().games[0].live().is_some();
    let ended = || hall.view.game("a").unwrap().game.ended();
    pass(30);
    assert_eq!((in_memory(), ended()), (true, false));
    pass(31);
    assert_eq!((in_memory(), ended()), (true, true));
    pass(11);
    assert_eq!((in_memory(), ended()), (false, true));
}
