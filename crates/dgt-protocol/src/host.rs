//! What computers send to boards, as a board hears it: for the simulator and for capture files.
//! Decodes everything, also what [`Command`] cannot express; sends nothing.

use crate::{Address, BusCommand, ClockCommand, Command, LedCommand, envelope::checksum};

/// One thing that a computer said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostMessage {
    /// A command that does no harm.
    Command(Command),
    /// 2b: a message to the clock.
    Clock(ClockCommand),
    /// 2b with a content that cannot be: the whole message.
    BadClock(Vec<u8>),
    /// 2c: a message to an I2C clock. Its layout is not public; what follows is read as if it stood
    /// alone.
    I2cClock,
    /// 4e: start the boot loader.
    BootLoader,
    /// 51: from now on scan the dark squares only; survives power-off.
    ScanDarkSquares,
    /// 53: from now on scan the light squares only; survives power-off.
    ScanLightSquares,
    /// 54: from now on scan all squares.
    ScanAllSquares,
    /// 60: LEDs.
    Leds(LedCommand),
    /// 63: a developer key for a Pegasus; the bytes behind the size byte.
    DeveloperKey(Vec<u8>),
    /// A bus command that disturbs games.
    ForbiddenBus {
        /// Which.
        command: ForbiddenBusCommand,
        /// To whom.
        address: Address,
    },
    /// A bus command with a right checksum that no source knows.
    UnknownBus {
        /// The command.
        code: u8,
        /// To whom.
        address: Address,
    },
    /// A bus command with a wrong checksum. A board does not answer it.
    BadChecksum([u8; 4]),
    /// The beginning of a message that another one interrupted.
    Interrupted(Vec<u8>),
    /// A byte that begins nothing.
    Unknown(u8),
}

/// Bus commands that [`BusCommand`] cannot express.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ForbiddenBusCommand {
    /// 88: leave bus mode.
    EndBusMode,
    /// 89: restart, which takes seconds.
    Restart,
    /// a0: configuration.
    Configuration,
    /// a1: clock message. Its layout on the bus is not public; what follows is read as if it stood
    /// alone.
    Clock,
    /// a2: message to an I2C clock, as `Clock`.
    I2cClock,
}

/// Takes what a computer sends in any chunks and gives it message by message. Every byte ends up in
/// one of them.
///
/// A byte with bit 7 begins a bus command of four bytes; 2b, 60 and 63 are followed by the number
/// of bytes behind them; all others stand alone.
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

    /// The next message. Takes from the front of `input` what it has read; call it until it gives
    /// `None`, then `input` is empty and the reader waits for the next chunk.
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

    /// Forgets the unfinished message: the computer has been silent for too long, or is a new one.
    pub fn abandon(&mut self) {
        self.unfinished.clear();
    }

    /// Bit 7 begins a bus command inside another one and in the place of a size, but not inside
    /// counted bytes: those of developer keys use all bits.
    fn is_interrupted_by(&self, byte: u8) -> bool {
        match *self.unfinished {
            [] | [0..=0x7f, _, ..] => false,
            _ => !byte.is_ascii(),
        }
    }
}

/// The message, if these bytes are a whole one.
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
