//! What real boards sent must come out as the moves that were played. The bytes are not part of the project; where they
//! are not at hand the tests say so and pass.

mod shared;

use game_core::capture::read_capture;
use game_core::event::{Event, Variant};
use game_core::game::Game;
use game_core::input::{Command, Input, Notice, Order};
use game_core::replay::replay;
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use serde_json::Value;
use shared::{dump, hex, shared};

#[test]
fn a_real_blitz_game_comes_out_move_by_move_with_every_clock() {
    let (Some(capture), Some(moves)) = (shared("captures/blitz-real-1.capture"), shared("captures/blitz-real-1.moves"))
    else {
        return;
    };
    let capture = read_capture(&capture);
    assert!(capture.errors.is_empty(), "{:?}", capture.errors);
    let replay = replay(&[capture]);
    assert!(!replay.records.iter().any(|(_, r)| matches!(r.event, Event::Retract { .. } | Event::Unexplained { .. })));
    let games = replay.games();
    assert_eq!(games.len(), 1);
    let expected: Vec<_> = std::str::from_utf8(&moves)
        .unwrap()
        .split_whitespace()
        .filter(|token| !token.ends_with('.') && *token != "*")
        .map(str::to_owned)
        .collect();
    let found: Vec<_> = games[0].moves().iter().map(|mv| mv.san.clone()).collect();
    assert_eq!(found, expected);
    assert!(games[0].moves().iter().all(|mv| mv.clk_ms.is_some() && mv.emt_ms.is_some()), "{:#?}", games[0].moves());
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
    let Some(capture) = shared("captures/blitz-real-1.capture") else { return };
    let first = replay(&[read_capture(&capture)]);
    let second = replay(&[read_capture(&capture)]);
    assert_eq!(first.records, second.records);
    let mut folded = Game::new();
    for (_, record) in &first.records {
        assert!(folded.apply(&record.event), "{record:?}");
    }
    assert_eq!(folded.moves(), first.games()[0].moves());
}
