//! Decodes the bytes that computers send to boards, for the simulator and for capture files. Decodes
//! commands that [`Command`] cannot express as well.

use crate::{
    address::Address, bus_command::BusCommand, clock_command::ClockCommand, command::Command, envelope::checksum,
    leds::LedCommand,
};

/// One message of a computer to a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostMessage {
    /// A harmless command.
    Command(Command),
    /// 2b: a message to the clock.
    Clock(ClockCommand),
    /// 2b with invalid content: the complete message.
    BadClock(Vec<u8>),
    /// 2c: a message to an I2C clock. Its layout is not public; the bytes after it are decoded as
    /// separate messages.
    I2cClock,
    /// 4e: start the boot loader.
    BootLoader,
    /// 51: scan the dark squares only; kept without power.
    ScanDarkSquares,
    /// 53: scan the light squares only; kept without power.
    ScanLightSquares,
    /// 54: scan all squares; kept without power.
    ScanAllSquares,
    /// 60: LEDs.
    Leds(LedCommand),
    /// 63: a developer key for a Pegasus: the bytes after the size byte.
    DeveloperKey(Vec<u8>),
    /// A bus command that disturbs games.
    ForbiddenBus {
        /// The command.
        command: ForbiddenBusCommand,
        /// Address of the board that it is for.
        address: Address,
    },
    /// An unknown bus command with a correct checksum.
    UnknownBus {
        /// The command.
        code: u8,
        /// Address of the board that it is for.
        address: Address,
    },
    /// A bus command with a wrong checksum; boards do not answer it.
    BadChecksum([u8; 4]),
    /// The beginning of a message that another message interrupted.
    Interrupted(Vec<u8>),
    /// A byte that begins no message.
    Unknown(u8),
}

/// Bus commands that [`BusCommand`] cannot express.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ForbiddenBusCommand {
    /// 88: leave bus mode.
    EndBusMode,
    /// 89: restart; takes some seconds.
    Restart,
    /// a0: configuration.
    Configuration,
    /// a1: message to the clock. Its layout on the bus is not public; the bytes after it are decoded as
    /// separate messages.
    Clock,
    /// a2: message to an I2C clock, decoded as `Clock` is.
    I2cClock,
}

/// Reads the bytes of a computer in chunks of any size and returns them message by message. Every byte
/// is part of exactly one message.
///
/// A byte with bit 7 set begins a bus command of four bytes. After 2b, 60 and 63 a size byte counts the
/// bytes that follow it. Every other byte is a message by itself.
#[derive(Clone, Debug, Default)]
pub struct CommandReader {
    /// The unfinished message: at most 2 + 127 bytes.
    unfinished: Vec<u8>,
}

impl CommandReader {
    /// A reader at the start of a stream.
    pub fn new() -> CommandReader {
        CommandReader::default()
    }

    /// The next message. Removes the bytes that it read from the front of `input`. `None` means that
    /// `input` is empty and the next chunk is needed.
    pub fn next_message(&mut self, input: &mut &[u8]) -> Option<HostMessage> {
        while let Some((&byte, rest)) = input.split_first() {
            if self.is_interrupted_by(byte) {
                return Some(HostMessage::Interrupted(std::mem::take(&mut self.unfinished)));
            }
            *input = rest;
            self.unfinished.push(byte);
            if let Some(message) = decode(&self.unfinished) {
                self.unfinished.clear();
                return Some(message);
            }
        }
        None
    }

    /// The bytes of the unfinished message.
    pub fn pending(&self) -> &[u8] {
        &self.unfinished
    }

    /// Drops the unfinished message. Call it when the computer was silent for too long or was replaced.
    pub fn abandon(&mut self) {
        self.unfinished.clear();
    }

    /// A byte with bit 7 set begins a new bus command inside another one and in place of a size byte. It
    /// does not inside counted bytes: developer keys use all bits.
    fn is_interrupted_by(&self, byte: u8) -> bool {
        match *self.unfinished {
            [] | [0..=0x7f, _, ..] => false,
            _ => !byte.is_ascii(),
        }
    }
}

/// The message; `None` while the bytes are incomplete.
fn decode(bytes: &[u8]) -> Option<HostMessage> {
    Some(match *bytes {
        [code @ 0x80..=0xff, high, low, found] => bus_message([code, high, low, found]),
        [] | [0x80..=0xff, ..] | [0x2b | 0x60 | 0x63] => return None,
        [_, size, ref content @ ..] if content.len() < usize::from(size) => return None,
        [0x2b, ..] => match ClockCommand::decode(bytes) {
            Ok(command) => HostMessage::Clock(command),
            Err(_) => HostMessage::BadClock(bytes.to_vec()),
        },
        [0x60, _, ref content @ ..] => HostMessage::Leds(LedCommand::decode(content)),
        [0x63, _, ref key @ ..] => HostMessage::DeveloperKey(key.to_vec()),
        [0x2c] => HostMessage::I2cClock,
        [0x4e] => HostMessage::BootLoader,
        [0x51] => HostMessage::ScanDarkSquares,
        [0x53] => HostMessage::ScanLightSquares,
        [0x54] => HostMessage::ScanAllSquares,
        [byte, ..] => Command::from_byte(byte).map_or(HostMessage::Unknown(byte), HostMessage::Command),
    })
}

fn bus_message([code, high, low, found]: [u8; 4]) -> HostMessage {
    if found != checksum(&[code, high, low]) {
        return HostMessage::BadChecksum([code, high, low, found]);
    }
    let address = Address::from_bytes(high, low);
    if let Some(command) = BusCommand::from_parts(code, address) {
        return HostMessage::Command(Command::Bus(command));
    }
    let command = match code {
        0x88 => ForbiddenBusCommand::EndBusMode,
        0x89 => ForbiddenBusCommand::Restart,
        0xa0 => ForbiddenBusCommand::Configuration,
        0xa1 => ForbiddenBusCommand::Clock,
        0xa2 => ForbiddenBusCommand::I2cClock,
        _ => return HostMessage::UnknownBus { code, address },
    };
    HostMessage::ForbiddenBus { command, address }
}
