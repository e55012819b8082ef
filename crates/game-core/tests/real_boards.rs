//! Recordings of boards come out as the games that were played. Those of simulated boards are committed; those of real boards
//! are not part of the project, and a test that lacks them prints that it skips them.

#[path = "support/recordings.rs"]
mod recordings;

use game_core::capture::{Entry, read_capture};
use game_core::event::{Event, Variant};
use game_core::game::Game;
use game_core::input::{Command, Input, Notice, Order};
use game_core::replay::replay;
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use recordings::{Recording, dump, hex, recordings, shared, shown_at_presses};
use serde_json::Value;

#[test]
fn a_recorded_game_comes_out_move_by_move_with_every_clock_time() {
    for Recording { name, capture, sans, clocks, rotated } in recordings() {
        let capture = read_capture(&capture);
        assert!(capture.errors.is_empty(), "{name}: {:?}", capture.errors);
        let messages = capture.lines.iter().filter_map(|line| match &line.entry {
            Entry::In(Input::Bytes(bytes)) => Some(bytes.clone()),
            _ => None,
        });
        let start = dump("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", rotated);
        assert!(messages.clone().any(|bytes| bytes == start), "{name}: the pieces do not stand at the start");
        let clocks = clocks.unwrap_or_else(|| shown_at_presses(messages));
        let replay = replay(&[capture]);
        let withdrawn = |event: &Event| matches!(event, Event::Retract { .. } | Event::Unexplained { .. });
        assert!(!replay.records.iter().any(|(_, record)| withdrawn(&record.event)), "{name}");
        let games = replay.games();
        let [game] = &games[..] else { panic!("{name}: {} games", games.len()) };
        let found: Vec<_> = game.moves().iter().map(|mv| mv.san.to_string()).collect();
        assert_eq!(found, sans, "{name}");
        let found: Vec<_> = game.moves().iter().map(|mv| mv.clk_ms).collect();
        assert_eq!(found, clocks.into_iter().map(Some).collect::<Vec<_>>(), "{name}");
        assert!(game.moves().iter().all(|mv| mv.emt_ms.is_some()), "{name}: {:#?}", game.moves());
    }
}

fn start_from(fen: &str) -> Input {
    let order = Order::StartFrom { fen: fen.to_owned(), variant: Variant::Standard };
    Input::Notice(Notice::Command(Command { by: "test".to_owned(), order }))
}

/// Plays the frames of a stream into a session 210 ms apart, and lets a minute pass.
fn play(session: &mut BoardSession, bytes: &[u8]) -> Vec<Event> {
    let mut now = Timestamp::from_ms(1_000);
    let mut at = 0;
    while at < bytes.len() {
        let end = (at + usize::from(bytes[at + 1]) * 128 + usize::from(bytes[at + 2])).min(bytes.len());
        now = now.plus(210);
        while let Some(due) = session.next_deadline().filter(|due| *due <= now) {
            session.handle_timeout(due);
        }
        session.handle_input(now, &Input::Bytes(bytes[at..end].to_vec()));
        at = end;
    }
    while let Some(due) = session.next_deadline().filter(|due| *due <= now.plus(60_000)) {
        session.handle_timeout(due);
    }
    std::iter::from_fn(|| session.poll_output())
        .filter_map(|output| match output {
            Output::Event(record) => Some(record.event),
            Output::Send(_) => None,
        })
        .collect()
}

#[test]
fn streams_of_real_moves_give_exactly_the_move_that_was_played() {
    let Some(vectors) = shared("protocol/vectors.json") else { return };
    let vectors: Value = serde_json::from_slice(&vectors).unwrap();
    let streams = vectors["move_streams"].as_array().unwrap();
    assert!(streams.len() >= 19);
    for stream in streams {
        let id = stream["id"].as_str().unwrap();
        let rotated = stream["rotated_board"].as_bool().unwrap();
        let bytes = hex(stream["hex"].as_str().unwrap());
        // The one stream that ends a game names no position: kings still on g8 and g1, a pawn on d4.
        let fen =
            stream["fen_before"].as_str().unwrap_or("3r1rk1/3n1b1p/2Q3p1/p4P2/1p1P4/4N1P1/PqP1NPBP/2R2RK1 b - - 0 40");
        let mut session = BoardSession::new();
        let now = Timestamp::ZERO;
        session.handle_input(now, &Input::Bytes(dump(fen, rotated)));
        session.handle_input(now, &start_from(fen));
        let events = play(&mut session, &bytes);
        assert!(!events.iter().any(|e| matches!(e, Event::Retract { .. })), "{id}: {events:?}");
        let moves: Vec<_> = events
            .iter()
            .filter_map(|event| match event {
                Event::Move { san, uci, clk_ms, .. } => Some((san.as_str(), uci.as_str(), clk_ms.is_some())),
                _ => None,
            })
            .collect();
        if let Some(result) = stream["expected_result"].as_str() {
            let told = events
                .iter()
                .find_map(|e| if let Event::Result { result, .. } = e { Some(result.as_str()) } else { None });
            assert_eq!((told, moves.len()), (Some(result), 0), "{id}");
            continue;
        }
        let expected = (stream["expected_san"].as_str().unwrap(), stream["expected_move"].as_str().unwrap());
        assert_eq!(moves.iter().map(|m| (m.0, m.1)).collect::<Vec<_>>(), [expected], "{id}: {events:?}");
        let mut levers: Vec<_> = stream["events_real_squares"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|event| event.as_str()?.split_once(" lever-").map(|(_, lever)| lever))
            .collect();
        levers.dedup();
        assert_eq!(moves[0].2, levers.len() > 1, "{id}: the lever flip gives the clock, and nothing else does");
    }
}

#[test]
fn the_same_game_read_twice_is_the_same_record() {
    for Recording { name, capture, .. } in recordings() {
        let first = replay(&[read_capture(&capture)]);
        let second = replay(&[read_capture(&capture)]);
        assert_eq!(first.records, second.records, "{name}");
        let mut folded = Game::new();
        for (_, record) in &first.records {
            assert!(folded.apply(&record.event), "{name}: {record:?}");
        }
        assert_eq!(folded.moves(), first.games()[0].moves(), "{name}");
    }
}
