//! Every test vector of the protocol papers, if they lie beside the repository: what the crate reads is described in the
//! vectors' own words and must be the same description, nothing missing and nothing more.

use std::path::Path;

use dgt_protocol::{
    Address, Battery, BusMessage, ChangesParity, ClockCommand, ClockCommandError, ClockMessage,
    ClockPart, ClockTimes, Command, CommandReader, EventLog, Field, Fields, FrameReader, HalfBoard,
    HostMessage, LedCommand, LogEvent, Message, MessageError, Mode, PieceCode, Side, SideTime,
};
use serde_json::{Map, Value, json};

/// The vectors, from the folder `shared` beside the repository or beside a folder around it.
#[expect(
    clippy::disallowed_methods,
    reason = "the ban on files is for the crate, not for its tests"
)]
fn papers() -> Option<Value> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Some(file) = here
        .ancestors()
        .map(|folder| folder.join("shared/protocol/vectors.json"))
        .find(|file| file.exists())
    else {
        println!(
            "skipped: there is no folder `shared` with the protocol papers beside the repository"
        );
        return None;
    };
    Some(serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap())
}

#[test]
fn every_vector_reads_as_the_papers_say() {
    let Some(papers) = papers() else { return };
    let vectors = papers["vectors"].as_array().unwrap();
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
fn damaged_streams_read_alike_in_chunks_of_any_size() {
    let Some(papers) = papers() else { return };
    let streams = papers["streams"].as_array().unwrap();
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
            assert_eq!(
                json!(frames),
                stream["expected_frames"],
                "{} in chunks of {size}",
                stream["id"]
            );
            assert_eq!(
                json!(reader.dropped()),
                stream["dropped_bytes"],
                "{} in chunks of {size}",
                stream["id"]
            );
            assert_eq!(
                to_hex(reader.pending()),
                text(&stream["incomplete_tail"]),
                "{}",
                stream["id"]
            );
        }
    }
}

#[test]
fn moves_of_real_players_read_as_the_papers_say() {
    let Some(papers) = papers() else { return };
    let streams = papers["move_streams"].as_array().unwrap();
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
                    format!(
                        "{square} {}",
                        letter(piece).map_or("empty".into(), String::from)
                    )
                }
                Message::Clock(ClockMessage::Times(ClockTimes {
                    left,
                    right,
                    right_side_up,
                    ..
                })) => format!(
                    "clock L {} R {} lever-{}-high",
                    time(left.total_seconds()),
                    time(right.total_seconds()),
                    if right_side_up { "right" } else { "left" }
                ),
                other => panic!("{}: {other:?} is no part of a move", stream["id"]),
            });
        }
        assert_eq!(
            (reader.dropped(), reader.pending()),
            (0, &[][..]),
            "{}",
            stream["id"]
        );
        if let Some(expected) = stream.get("events_real_squares") {
            assert_eq!(&json!(events), expected, "{}", stream["id"]);
        }
    }
}

// From the board.

fn read_from_board(bytes: &[u8], link: &str, expected: &Map<String, Value>) -> Value {
    let mode = if link == "bus" {
        Mode::Bus
    } else {
        Mode::Single
    };
    let mut reader = FrameReader::new(mode);
    let mut input = bytes;
    let Some(frame) = reader.next_frame(&mut input) else {
        // Not even a frame: the reader skipped it.
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
            if frame.unexplained_bits() == 0 {
                assert_eq!(message.encode(), bytes);
            } else {
                assert_ne!(message.encode(), bytes);
            }
            describe(&message)
        }
        Err(error) => describe_error(error, expected),
    }
}

/// The header of a full log makes the reader wait for all of it.
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

fn describe(message: &Message) -> Value {
    match message {
        Message::BoardDump(fields) => describe_fields("board-dump", fields),
        Message::DraughtsDump(squares) => {
            json!({"type": "board-dump-draughts", "squares": squares.len()})
        }
        Message::HalfDump {
            half: HalfBoard::Dark | HalfBoard::Light,
            pieces,
        } => {
            json!({"type": "board-dump-50", "squares": pieces.len()})
        }
        Message::FieldUpdate { field, piece } => json!({
            "type": "field-update", "field": field.number(), "piece": piece.to_byte(), "piece_name": name(*piece),
            "square_if_unrotated": square(*field), "square_if_rotated": square(field.rotated()),
        }),
        Message::Clock(clock) => describe_clock("clock-time", *clock),
        Message::Log(log) => json!({"type": "ee-moves", "events": describe_log(log)}),
        Message::BusAddress(address) => json!({"type": "bus-address", "address": address.number()}),
        Message::Serial(serial) => {
            let version = serial
                .eeprom_version
                .map(|version| format!(" {version}"))
                .unwrap_or_default();
            json!({"type": "serial", "text": format!("{serial}{version}")})
        }
        Message::Trademark(text) => json!({"type": "trademark", "text": text}),
        Message::Version { main, sub } => json!({"type": "version", "main": main, "sub": sub}),
        Message::HardwareVersion { main, sub } => {
            json!({"type": "hardware-version", "main": main, "sub": sub})
        }
        Message::Battery(battery) => describe_battery(*battery),
        Message::LongSerial(serial) => json!({"type": "long-serial", "text": serial.as_str()}),
        other => panic!("the vectors have no words for {other:?}"),
    }
}

fn describe_bus(message: &BusMessage, bytes: &[u8]) -> Value {
    let mut description = match message {
        BusMessage::Ping { .. } => json!({"type": "bus-ping"}),
        BusMessage::Version {
            version: Some((main, sub)),
            ..
        } => {
            json!({"type": "bus-version", "main": main, "sub": sub})
        }
        BusMessage::StartWritten { .. } => json!({"type": "bus-start-game-written"}),
        BusMessage::Changes { parity, log, .. } => {
            let kind = match parity {
                ChangesParity::Odd => "bus-update-odd",
                ChangesParity::Even => "bus-update-even",
            };
            json!({"type": kind, "events": describe_log(log)})
        }
        BusMessage::FromStart { log, .. } => {
            json!({"type": "bus-from-start", "events": describe_log(log)})
        }
        BusMessage::Board { fields, .. } => describe_fields("bus-board-dump", fields),
        BusMessage::Clock { clock, .. } => describe_clock("bus-clock-time", *clock),
        other => panic!("the vectors have no words for {other:?}"),
    };
    description["address"] = json!(message.address().number());
    description["checksum"] = json!(bytes.last());
    description
}

fn describe_error(error: MessageError, expected: &Map<String, Value>) -> Value {
    let reason = match error {
        MessageError::Checksum { .. } => "checksum",
        MessageError::Length {
            announced: 0..3, ..
        } => "length < 3",
        MessageError::Length { .. } => "wrong length for this id",
        MessageError::UnknownId { .. } => "unknown id",
        MessageError::Field { .. } => "field > 63",
        MessageError::Clock {
            part: ClockPart::Hours,
            ..
        } => "hours > 9 and not an ack",
        MessageError::Clock {
            part: ClockPart::Minutes,
            byte,
            ..
        } if byte & 0x0f > 9 => "minutes not BCD",
        MessageError::Clock {
            part: ClockPart::Seconds,
            byte,
            ..
        } if byte & 0x0f <= 9 => "seconds > 59",
        other => panic!("the vectors have no words for {other:?}"),
    };
    let mut description = json!({"type": "invalid", "reason": reason});
    if let (MessageError::Checksum { expected: sum, .. }, true) =
        (error, expected.contains_key("expected_checksum"))
    {
        description["expected_checksum"] = json!(sum);
    }
    description
}

fn describe_fields(kind: &str, fields: &Fields) -> Value {
    let mut rotated = *fields;
    rotated.reverse();
    json!({
        "type": kind, "fields_0_to_63": to_hex(&fields.map(PieceCode::to_byte)),
        "placement_if_unrotated": placement(fields), "placement_if_rotated": placement(&rotated),
    })
}

fn describe_clock(kind: &str, clock: ClockMessage) -> Value {
    let side = |side: SideTime| {
        json!({
            "time": time(side.total_seconds()), "flag_fallen_blocked": side.flag_blocked,
            "per_move_indicator": side.per_move, "flag_shown": side.flag_continues,
        })
    };
    let times = match clock {
        ClockMessage::Times(times) => times,
        ClockMessage::Blank => ClockTimes::default(),
        ClockMessage::Ack(ack) => {
            let mut description = json!({"type": "clock-ack", "ack": ack.0, "ok": ack.is_ok(), "automatic": ack.is_automatic()});
            if let dgt_protocol::AckKind::Version { main, sub } = ack.kind() {
                description["clock_version"] = json!([main, sub]);
            }
            return description;
        }
    };
    let lever = if times.right_side_up {
        "right-side-high (left pressed)"
    } else {
        "left-side-high (right pressed)"
    };
    json!({
        "type": kind, "right": side(times.side(Side::Right)), "left": side(times.side(Side::Left)),
        "running": times.running, "lever": lever, "battery_low": times.battery_low,
        "left_to_move": times.left_to_move, "right_to_move": times.right_to_move, "no_clock": times.no_clock,
        "all_zero": clock == ClockMessage::Blank,
    })
}

fn describe_battery(battery: Battery) -> Value {
    let left = battery
        .time_left
        .map_or([127, 127], |left| [left.hours, left.minutes]);
    json!({
        "type": "battery", "percent": battery.percent, "time_left_hm": left,
        "on_time_hm": [battery.time_on.hours, battery.time_on.minutes],
        "standby_dhm": [battery.standby.days, battery.standby.hours, battery.standby.minutes],
        "charging": battery.charging, "discharging": battery.discharging,
    })
}

fn describe_log(log: &EventLog) -> Vec<Value> {
    let mut events = log.events();
    let mut descriptions: Vec<Value> = events
        .by_ref()
        .map(|event| match event {
            LogEvent::Field {
                field,
                piece,
                within_250ms,
            } => json!({
                "ev": "field", "field": field.number(), "square_if_unrotated": square(field),
                "piece": piece.to_byte(), "within_250ms": within_250ms,
            }),
            LogEvent::Clock {
                side,
                total_seconds,
            } => {
                let side = if side == Side::Left { "left" } else { "right" };
                json!({"ev": "clock", "side": side, "time": time(total_seconds)})
            }
            LogEvent::PowerUp => json!({"ev": "power-up"}),
            LogEvent::EndOfLog => json!({"ev": "end-of-log"}),
            LogEvent::FourRows => json!({"ev": "four-rows"}),
            LogEvent::EmptyBoard => json!({"ev": "empty-board"}),
            LogEvent::Downloaded => json!({"ev": "downloaded"}),
            LogEvent::StartPosition => json!({"ev": "begin-position"}),
            LogEvent::StartPositionRotated => json!({"ev": "begin-position-rotated"}),
            LogEvent::StartTag => json!({"ev": "start-tag"}),
            LogEvent::Watchdog => json!({"ev": "watchdog"}),
            LogEvent::Reserved7d => json!({"ev": "future-1"}),
            LogEvent::Reserved7e => json!({"ev": "future-2"}),
            LogEvent::Nop => json!({"ev": "nop"}),
            LogEvent::NopZero => json!({"ev": "nop2"}),
            LogEvent::Unknown(byte) => json!({"ev": "unknown", "byte": byte}),
        })
        .collect();
    if !events.remainder().is_empty() {
        descriptions.push(json!({"truncated": to_hex(events.remainder())}));
    }
    descriptions
}

// From the computer.

fn read_from_host(bytes: &[u8]) -> Value {
    let mut reader = CommandReader::new();
    let mut input = bytes;
    let Some(message) = reader.next_message(&mut input) else {
        // A size byte that counts too much: the reader waits for more.
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
                dgt_protocol::ForbiddenBusCommand::EndBusMode => "end-bus-mode",
                dgt_protocol::ForbiddenBusCommand::Restart => "reset",
                other => panic!("the vectors have no words for {other:?}"),
            };
            bus_command(name, address, bytes)
        }
        HostMessage::BootLoader => json!({"type": "forbidden", "name": "start boot loader"}),
        HostMessage::Clock(command) => describe_clock_command(&command),
        HostMessage::Leds(leds) => describe_leds(leds),
        other => panic!("the vectors have no words for {other:?}"),
    }
}

fn describe_command(command: Command, bytes: &[u8]) -> Value {
    let name = match command {
        Command::Reset => "reset to idle",
        Command::Clock => "send clock",
        Command::Board => "send board",
        Command::Update => "update mode",
        Command::UpdateBoard => "update-board mode",
        Command::Serial => "serial number",
        Command::BusAddress => "bus address",
        Command::Trademark => "trademark",
        Command::HardwareVersion => "hardware version",
        Command::Log => "EE moves",
        Command::ToBus => "to bus mode",
        Command::UpdateNice => "update-nice mode",
        Command::Battery => "battery",
        Command::Version => "version",
        Command::LongSerial => "long serial number",
        Command::I2cClock => "send I2C clock",
        Command::UpdateI2c => "update mode with I2C clock",
        Command::UpdateNiceI2c => "update-nice mode with I2C clock",
        Command::Bus(command) => {
            use dgt_protocol::BusCommand as Bus;
            let name = match command {
                Bus::Clock(_) => "send-clock",
                Bus::Board(_) => "send-board",
                Bus::Changes(_) => "send-changes",
                Bus::RepeatChanges(_) => "repeat-changes",
                Bus::StartGame(_) => "set-start-game",
                Bus::FromStart(_) => "send-from-start",
                Bus::Ping(_) => "ping",
                Bus::IgnoreNextPing(_) => "ignore-next-ping",
                Bus::Version(_) => "send-version",
                Bus::Everything(_) => "send-all",
                other => panic!("the vectors have no words for {other:?}"),
            };
            return bus_command(name, command.address(), bytes);
        }
        other => panic!("the vectors have no words for {other:?}"),
    };
    let replies: Vec<String> = command
        .replies()
        .iter()
        .map(|id| format!("{id:02x}"))
        .collect();
    let reply = (!replies.is_empty()).then(|| replies.join(" + "));
    json!({"type": "command", "name": name, "reply": reply})
}

fn bus_command(name: &str, address: Address, bytes: &[u8]) -> Value {
    json!({"type": "bus-command", "command": name, "address": address.number(), "checksum": bytes.last()})
}

fn describe_clock_command(command: &ClockCommand) -> Value {
    let (code, content) = match command {
        ClockCommand::Display {
            segments,
            icons,
            beep,
        } => (1, [&segments[..], &[*icons, *beep]].concat()),
        ClockCommand::Icons(icons) => (2, icons.to_vec()),
        ClockCommand::End => (3, Vec::new()),
        ClockCommand::Buttons => (8, Vec::new()),
        ClockCommand::Version => (9, Vec::new()),
        ClockCommand::SetAndRun {
            left,
            right,
            control,
        } => {
            let times = [left, right].map(|time| [time.hours, time.minutes, time.seconds]);
            (10, [times.as_flattened(), &[*control]].concat())
        }
        ClockCommand::Beep(duration) => (11, vec![*duration]),
        ClockCommand::Text(text, beep) => (12, [&text[..], &[*beep]].concat()),
        ClockCommand::LongText(text, beep) => (13, [&text[..], &[*beep]].concat()),
        ClockCommand::Other { .. } => panic!("the vectors have no words for {command:?}"),
    };
    json!({"type": "clock-command", "command": code, "content": to_hex(&content), "size_byte": content.len() + 3})
}

fn describe_leds(leds: LedCommand) -> Value {
    match leds {
        LedCommand::Squares { on, from, to } => {
            json!({"type": "leds", "pattern": u8::from(on), "from": square(from), "to": square(to)})
        }
        LedCommand::AllOff => json!({"type": "leds", "pattern": 0, "all": true}),
        LedCommand::Pegasus {
            speed,
            repeat,
            brightness,
            fields,
        } => {
            let fields: Vec<u8> = fields.into_iter().map(Field::number).collect();
            json!({"type": "leds", "speed": speed, "repeat": repeat, "brightness": brightness, "fields": fields})
        }
        LedCommand::PegasusOff => json!({"type": "leds", "off": true}),
        other => panic!("the vectors have no words for {other:?}"),
    }
}

// Words.

fn square(field: Field) -> String {
    let file = char::from(b'a' + field.number() % 8);
    format!("{file}{}", 8 - field.number() / 8)
}

fn time(seconds: u32) -> String {
    format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

/// The letter of a FEN; `?` for the magic pieces.
fn letter(piece: PieceCode) -> Option<char> {
    "?PRNBKQprnbkq???"
        .chars()
        .nth(piece as usize)
        .filter(|_| piece != PieceCode::Empty)
}

fn name(piece: PieceCode) -> &'static str {
    match piece {
        PieceCode::Empty => "empty",
        PieceCode::WhitePawn => "white pawn",
        PieceCode::WhiteRook => "white rook",
        PieceCode::WhiteKing => "white king",
        PieceCode::BlackBishop => "black bishop",
        PieceCode::BlackKing => "black king",
        PieceCode::DrawPiece => "magic: draw",
        other => panic!("the vectors have no words for {other:?}"),
    }
}

fn placement(fields: &Fields) -> String {
    let rows = fields.chunks(8).map(|row| {
        let mut text = String::new();
        let mut empty = 0;
        for piece in row.iter().map(|piece| letter(*piece)).chain([Some('/')]) {
            if let Some(letter) = piece {
                if empty > 0 {
                    text.push_str(&empty.to_string());
                }
                empty = 0;
                text.push(letter);
            } else {
                empty += 1;
            }
        }
        text
    });
    rows.collect::<String>().trim_end_matches('/').to_string()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn from_hex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap())
        .collect()
}

fn to_hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
