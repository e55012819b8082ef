//! Describes messages of boards in the terms of the vectors.

use dgt_protocol::{
    AckKind, Battery, BusMessage, ChangesParity, ClockMessage, ClockPart, ClockTimes, EventLog, Fields, HalfBoard,
    LogEvent, Message, MessageError, PieceCode, Side, SideTime,
};
use serde_json::{Map, Value, json};

use crate::words::{name, placement, square, time, to_hex};

pub(crate) fn describe(message: &Message) -> Value {
    match message {
        Message::BoardDump(fields) => describe_fields("board-dump", fields),
        Message::DraughtsDump(squares) => {
            json!({"type": "board-dump-draughts", "squares": squares.len()})
        }
        Message::HalfDump { half: HalfBoard::Dark | HalfBoard::Light, pieces } => {
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
            let version = serial.eeprom_version.map(|version| format!(" {version}")).unwrap_or_default();
            json!({"type": "serial", "text": format!("{serial}{version}")})
        }
        Message::Trademark(text) => json!({"type": "trademark", "text": text}),
        Message::Version { main, sub } => json!({"type": "version", "main": main, "sub": sub}),
        Message::HardwareVersion { main, sub } => {
            json!({"type": "hardware-version", "main": main, "sub": sub})
        }
        Message::Battery(battery) => describe_battery(*battery),
        Message::LongSerial(serial) => json!({"type": "long-serial", "text": serial.as_str()}),
        other => panic!("no vector has {other:?}"),
    }
}

pub(crate) fn describe_bus(message: &BusMessage, bytes: &[u8]) -> Value {
    let mut description = match message {
        BusMessage::Ping { .. } => json!({"type": "bus-ping"}),
        BusMessage::Version { version: Some((main, sub)), .. } => {
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
        other => panic!("no vector has {other:?}"),
    };
    description["address"] = json!(message.address().number());
    description["checksum"] = json!(bytes.last());
    description
}

pub(crate) fn describe_error(error: MessageError, expected: &Map<String, Value>) -> Value {
    let reason = match error {
        MessageError::Checksum { .. } => "checksum",
        MessageError::Length { announced: 0..3, .. } => "length < 3",
        MessageError::Length { .. } => "wrong length for this id",
        MessageError::UnknownId { .. } => "unknown id",
        MessageError::Field { .. } => "field > 63",
        MessageError::Clock { part: ClockPart::Hours, .. } => "hours > 9 and not an ack",
        MessageError::Clock { part: ClockPart::Minutes, byte, .. } if byte & 0x0f > 9 => "minutes not BCD",
        MessageError::Clock { part: ClockPart::Seconds, byte, .. } if byte & 0x0f <= 9 => "seconds > 59",
        other => panic!("no vector has {other:?}"),
    };
    let mut description = json!({"type": "invalid", "reason": reason});
    if let (MessageError::Checksum { expected: sum, .. }, true) = (error, expected.contains_key("expected_checksum")) {
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
        ClockMessage::AllZero => ClockTimes::default(),
        ClockMessage::Ack(ack) => {
            let mut description =
                json!({"type": "clock-ack", "ack": ack.0, "ok": ack.is_ok(), "automatic": ack.is_automatic()});
            if let AckKind::Version { main, sub } = ack.kind() {
                description["clock_version"] = json!([main, sub]);
            }
            return description;
        }
    };
    let lever = if times.right_side_up { "right-side-high (left pressed)" } else { "left-side-high (right pressed)" };
    json!({
        "type": kind, "right": side(times.side(Side::Right)), "left": side(times.side(Side::Left)),
        "running": times.running, "lever": lever, "battery_low": times.battery_low,
        "left_to_move": times.left_to_move, "right_to_move": times.right_to_move, "no_clock": times.no_clock,
        "all_zero": clock == ClockMessage::AllZero,
    })
}

fn describe_battery(battery: Battery) -> Value {
    let left = battery.time_left.map_or([127, 127], |left| [left.hours, left.minutes]);
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
            LogEvent::Field { field, piece, within_250ms } => json!({
                "ev": "field", "field": field.number(), "square_if_unrotated": square(field),
                "piece": piece.to_byte(), "within_250ms": within_250ms,
            }),
            LogEvent::Clock { side, total_seconds } => {
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
