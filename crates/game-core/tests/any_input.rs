//! Whatever arrives, and whenever: a session never panics, never runs away, and what it tells is a game that can be
//! folded.

use dgt_protocol::{ClockMessage, ClockTimes, Field, Fields, Message, PieceCode, SideTime};
use game_core::capture::{CaptureLine, Entry, read_capture};
use game_core::event::Event;
use game_core::game::Game;
use game_core::input::{Attach, Detach, Input, Notice};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use proptest::prelude::*;

fn side_time() -> impl Strategy<Value = SideTime> {
    (0u32..36_000).prop_map(SideTime::from_seconds)
}

fn clock() -> impl Strategy<Value = Message> {
    (side_time(), side_time(), any::<[bool; 4]>()).prop_map(|(left, right, [running, up, low, none])| {
        Message::Clock(ClockMessage::Times(ClockTimes {
            left,
            right,
            running,
            right_side_up: up,
            battery_low: low,
            left_to_move: !up,
            right_to_move: up,
            no_clock: none && low,
        }))
    })
}

fn piece() -> impl Strategy<Value = PieceCode> {
    prop_oneof![3 => Just(PieceCode::Empty), 2 => (0u8..16).prop_map(PieceCode::from_byte)]
}

fn start() -> Fields {
    let back = [8u8, 9, 10, 12, 11, 10, 9, 8];
    let mut fields = [PieceCode::Empty; 64];
    for (file, code) in back.into_iter().enumerate() {
        fields[file] = PieceCode::from_byte(code);
        fields[8 + file] = PieceCode::BlackPawn;
        fields[48 + file] = PieceCode::WhitePawn;
        fields[56 + file] = PieceCode::from_byte(code - 6);
    }
    fields
}

/// Inputs as a bad hall makes them: mostly moves and clocks, some dumps, cuts and rubbish.
fn input() -> impl Strategy<Value = Input> {
    let update = (0u8..64, piece())
        .prop_map(|(field, piece)| Message::FieldUpdate { field: Field::new(field).unwrap(), piece }.encode());
    prop_oneof![
        8 => update.prop_map(Input::Bytes),
        3 => clock().prop_map(|message| Input::Bytes(message.encode())),
        1 => Just(Input::Bytes(Message::BoardDump(start()).encode())),
        1 => proptest::collection::vec(piece(), 64).prop_map(|codes| {
            let mut fields = [PieceCode::Empty; 64];
            fields.copy_from_slice(&codes);
            Input::Bytes(Message::BoardDump(fields).encode())
        }),
        2 => proptest::collection::vec(any::<u8>(), 0..80).prop_map(Input::Bytes),
        1 => Just(Input::Notice(Notice::Attach(Attach::default()))),
        1 => Just(Input::Notice(Notice::Detach(Detach::default()))),
    ]
}

/// Runs a session as its owner does; gives everything it told, as text.
fn run(inputs: &[(u64, Input)]) -> Vec<String> {
    let mut session = BoardSession::new();
    let mut game = Game::new();
    let mut now = Timestamp::ZERO;
    let mut told = Vec::new();
    let mut deadlines = 0;
    for (wait, input) in inputs {
        now = now.plus(*wait);
        while let Some(due) = session.next_deadline().filter(|due| *due <= now) {
            session.handle_timeout(due);
            deadlines += 1;
        }
        session.handle_input(now, input);
        while let Some(output) = session.poll_output() {
            if let Output::Event(record) = &output {
                assert!(game.apply(&record.event), "{record:?} does not fit what was told before");
                assert!(!matches!(record.event, Event::Move { clk_ms: Some(ms), .. } if ms > 36_000_000));
            }
            told.push(format!("{output:?}"));
        }
    }
    assert!(deadlines < 10_000 + inputs.len() * 100, "deadlines without end");
    told
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_inputs_at_any_times_make_a_sound_record_and_the_same_one_again(
        inputs in proptest::collection::vec((0u64..4_000, input()), 1..120)
    ) {
        prop_assert_eq!(run(&inputs), run(&inputs));
    }

    #[test]
    fn any_bytes_are_a_capture_or_are_refused_line_by_line(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let capture = read_capture(&bytes);
        prop_assert!(capture.errors.iter().all(|e| e.line >= 1));
        let _ = game_core::replay::replay(&[capture]);
    }

    #[test]
    fn inputs_read_back_from_their_capture_line(at in any::<u64>(), input in input()) {
        let line = CaptureLine { at: Timestamp::from_ms(at), entry: Entry::In(input) };
        let text = format!("# boardcast-capture 1\n{line}\n");
        let read = read_capture(text.as_bytes());
        prop_assert!(read.errors.is_empty(), "{:?}", read.errors);
        prop_assert_eq!(read.lines, vec![line]);
    }
}
