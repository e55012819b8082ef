//! The test vectors of the protocol, where they are installed beside the repository: the crate decodes
//! each vector, and its description in the vectors' own terms must equal the expected one exactly.
//! Without them the tests print that they are skipped. The bytes that the project may ship are checked
//! in `messages.rs`, `clock.rs`, `line.rs` and `log_and_bus.rs`.

mod board;
mod computer;
mod words;

use std::io::Write;
use std::path::Path;

use board::{describe, describe_bus, describe_error};
use computer::{bus_command, describe_clock_command, describe_command, describe_leds};
use dgt_protocol::{
    ClockCommand, ClockCommandError, ClockMessage, ClockTimes, CommandReader, ForbiddenBusCommand, FrameReader,
    HostMessage, Message, Mode, PieceCode,
};
use serde_json::{Map, Value, json};
use words::{from_hex, letter, square, text, time, to_hex};

/// The vectors, from the folder `shared` beside the repository or beside a folder around it.
#[expect(clippy::disallowed_methods, reason = "the ban on files is for the crate, not for its tests")]
fn vectors() -> Option<Value> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Some(file) =
        here.ancestors().map(|folder| folder.join("shared/protocol/vectors.json")).find(|file| file.exists())
    else {
        // Past the capture of the test harness: a check that did not run must not look like one that passed.
        let test = std::thread::current().name().unwrap_or("a test").to_owned();
        let _ = writeln!(std::io::stderr(), "skipped: {test}: shared/protocol/vectors.json is not beside the project");
        return None;
    };
    Some(serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap())
}

#[test]
fn every_vector_decodes_as_described() {
    let Some(file) = vectors() else { return };
    let vectors = file["vectors"].as_array().unwrap();
    assert_eq!(vectors.len(), 148);
    for vector in vectors {
        let id = text(&vector["id"]);
        let bytes = from_hex(text(&vector["hex"]));
        let link = text(&vector["link"]);
        let mut expected = vector["decoded"].as_object().unwrap().clone();
        expected.remove("do"); // advice to the caller
        let found = if text(&vector["direction"]) == "host-to-board" {
            read_from_host(&bytes)
        } else if expected["type"] == "ee-moves-header" {
            read_log_header(&bytes)
        } else {
            read_from_board(&bytes, link, &expected)
        };
        assert_eq!(found, Value::Object(expected), "{id}: {}", vector["name"]);
    }
}

#[test]
fn damaged_streams_give_the_same_frames_in_chunks_of_any_size() {
    let Some(file) = vectors() else { return };
    let streams = file["streams"].as_array().unwrap();
    assert_eq!(streams.len(), 13);
    for stream in streams {
        let bytes = from_hex(text(&stream["hex"]));
        for size in 1..=bytes.len() {
            let mut reader = FrameReader::new(Mode::Single);
            let mut frames = Vec::new();
            for mut chunk in bytes.chunks(size) {
                while let Some(frame) = reader.next_frame(&mut chunk) {
                    frames.push(to_hex(frame.bytes()));
                }
            }
            assert_eq!(json!(frames), stream["expected_frames"], "{} in chunks of {size}", stream["id"]);
            assert_eq!(json!(reader.dropped()), stream["dropped_bytes"], "{} in chunks of {size}", stream["id"]);
            assert_eq!(to_hex(reader.pending()), text(&stream["incomplete_tail"]), "{}", stream["id"]);
        }
    }
}

#[test]
fn moves_of_real_players_decode_as_described() {
    let Some(file) = vectors() else { return };
    let streams = file["move_streams"].as_array().unwrap();
    assert_eq!(streams.len(), 19);
    for stream in streams {
        let bytes = from_hex(text(&stream["hex"]));
        let rotated = stream["rotated_board"] == true;
        let mut reader = FrameReader::new(Mode::Single);
        let mut input = &bytes[..];
        let mut events = Vec::new();
        while let Some(frame) = reader.next_frame(&mut input) {
            events.push(match frame.message().unwrap() {
                Message::FieldUpdate { field, piece } => {
                    let square = square(if rotated { field.rotated() } else { field });
                    format!("{square} {}", letter(piece).map_or("empty".into(), String::from))
                }
                Message::Clock(ClockMessage::Times(ClockTimes { left, right, right_side_up, .. })) => format!(
                    "clock L {} R {} lever-{}-high",
                    time(left.total_seconds()),
                    time(right.total_seconds()),
                    if right_side_up { "right" } else { "left" }
                ),
                other => panic!("{}: {other:?} is not part of a move", stream["id"]),
            });
        }
        assert_eq!((reader.dropped(), reader.pending()), (0, &[][..]), "{}", stream["id"]);
        if let Some(expected) = stream.get("events_real_squares") {
            assert_eq!(&json!(events), expected, "{}", stream["id"]);
        }
    }
}

fn read_from_board(bytes: &[u8], link: &str, expected: &Map<String, Value>) -> Value {
    let mode = if link == "bus" { Mode::Bus } else { Mode::Single };
    let mut reader = FrameReader::new(mode);
    let mut input = bytes;
    let Some(frame) = reader.next_frame(&mut input) else {
        // Not a frame: the reader dropped it.
        assert_eq!(reader.dropped(), bytes.len() as u64);
        return describe_error(Message::decode(bytes).unwrap_err(), expected);
    };
    assert_eq!(frame.bytes(), bytes);
    assert!(input.is_empty());
    if mode == Mode::Bus {
        return match frame.bus_message() {
            Ok(message) => {
                assert_eq!(message.encode(), bytes);
                describe_bus(&message, bytes)
            }
            Err(error) => describe_error(error, expected),
        };
    }
    match frame.message() {
        Ok(Message::FieldUpdate { field, piece }) if link == "pegasus-ble" => {
            json!({"type": "field-update", "field": field.number(), "occupied": piece != PieceCode::Empty})
        }
        Ok(message) => {
            if frame.unknown_bits() == 0 {
                assert_eq!(message.encode(), bytes);
            } else {
                assert_ne!(message.encode(), bytes);
            }
            describe(&message)
        }
        Err(error) => describe_error(error, expected),
    }
}

/// After the header of a full log the reader waits for the whole log.
fn read_log_header(header: &[u8]) -> Value {
    let mut reader = FrameReader::new(Mode::Single);
    assert!(reader.next_frame(&mut &header[..]).is_none());
    assert_eq!(reader.pending(), header);
    let content = [0x7f; 8000];
    let mut input = &content[..];
    let length = reader.next_frame(&mut input).unwrap().bytes().len();
    let seconds = (length as f64 * 10.0 / 9600.0 * 100.0).round() / 100.0;
    json!({"type": "ee-moves-header", "total_length": length, "data_length": length - 3, "seconds_at_9600": seconds})
}

fn read_from_host(bytes: &[u8]) -> Value {
    let mut reader = CommandReader::new();
    let mut input = bytes;
    let Some(message) = reader.next_message(&mut input) else {
        // The size byte is too large: the reader waits for more bytes.
        assert_eq!(reader.pending(), bytes);
        let error = ClockCommand::decode(bytes).unwrap_err();
        assert!(matches!(error, ClockCommandError::Size { .. }), "{error:?}");
        return json!({"type": "wrong", "reason": "size byte must be 3"});
    };
    assert!(input.is_empty());
    match message {
        HostMessage::Command(command) => {
            assert_eq!(command.encode(), bytes);
            describe_command(command, bytes)
        }
        HostMessage::ForbiddenBus { command, address } => {
            let name = match command {
                ForbiddenBusCommand::EndBusMode => "end-bus-mode",
                ForbiddenBusCommand::Restart => "reset",
                other => panic!("no vector has {other:?}"),
            };
            bus_command(name, address, bytes)
        }
        HostMessage::BootLoader => json!({"type": "forbidden", "name": "start boot loader"}),
        HostMessage::Clock(command) => describe_clock_command(&command),
        HostMessage::Leds(leds) => describe_leds(leds),
        other => panic!("no vector has {other:?}"),
    }
}
