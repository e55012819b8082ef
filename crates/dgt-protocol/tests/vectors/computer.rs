//! Describes messages of computers in the terms of the vectors.

use dgt_protocol::{Address, BusCommand, ClockCommand, Command, Field, LedCommand};
use serde_json::{Value, json};

use crate::words::{square, to_hex};

pub(crate) fn describe_command(command: Command, bytes: &[u8]) -> Value {
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
            let name = match command {
                BusCommand::Clock(_) => "send-clock",
                BusCommand::Board(_) => "send-board",
                BusCommand::Changes(_) => "send-changes",
                BusCommand::RepeatChanges(_) => "repeat-changes",
                BusCommand::StartGame(_) => "set-start-game",
                BusCommand::FromStart(_) => "send-from-start",
                BusCommand::Ping(_) => "ping",
                BusCommand::IgnoreNextPing(_) => "ignore-next-ping",
                BusCommand::Version(_) => "send-version",
                BusCommand::Everything(_) => "send-all",
                other => panic!("no vector has {other:?}"),
            };
            return bus_command(name, command.address(), bytes);
        }
        other => panic!("no vector has {other:?}"),
    };
    let replies: Vec<String> = command.replies().iter().map(|id| format!("{id:02x}")).collect();
    let reply = (!replies.is_empty()).then(|| replies.join(" + "));
    json!({"type": "command", "name": name, "reply": reply})
}

pub(crate) fn bus_command(name: &str, address: Address, bytes: &[u8]) -> Value {
    json!({"type": "bus-command", "command": name, "address": address.number(), "checksum": bytes.last()})
}

pub(crate) fn describe_clock_command(command: &ClockCommand) -> Value {
    let (code, content) = match command {
        ClockCommand::Display { segments, icons, beep } => (1, [&segments[..], &[*icons, *beep]].concat()),
        ClockCommand::Icons(icons) => (2, icons.to_vec()),
        ClockCommand::End => (3, Vec::new()),
        ClockCommand::Buttons => (8, Vec::new()),
        ClockCommand::Version => (9, Vec::new()),
        ClockCommand::SetAndRun { left, right, control } => {
            let times = [left, right].map(|time| [time.hours, time.minutes, time.seconds]);
            (10, [times.as_flattened(), &[*control]].concat())
        }
        ClockCommand::Beep(duration) => (11, vec![*duration]),
        ClockCommand::Text(text, beep) => (12, [&text[..], &[*beep]].concat()),
        ClockCommand::LongText(text, beep) => (13, [&text[..], &[*beep]].concat()),
        ClockCommand::Other { .. } => panic!("no vector has {command:?}"),
    };
    json!({"type": "clock-command", "command": code, "content": to_hex(&content), "size_byte": content.len() + 3})
}

pub(crate) fn describe_leds(leds: LedCommand) -> Value {
    match leds {
        LedCommand::Squares { on, from, to } => {
            json!({"type": "leds", "pattern": u8::from(on), "from": square(from), "to": square(to)})
        }
        LedCommand::AllOff => json!({"type": "leds", "pattern": 0, "all": true}),
        LedCommand::Pegasus { speed, repeat, brightness, fields } => {
            let fields: Vec<u8> = fields.into_iter().map(Field::number).collect();
            json!({"type": "leds", "speed": speed, "repeat": repeat, "brightness": brightness, "fields": fields})
        }
        LedCommand::PegasusOff => json!({"type": "leds", "off": true}),
        other => panic!("no vector has {other:?}"),
    }
}
