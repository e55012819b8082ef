//! Counts the commands that hosts have sent to a board; tests check them for forbidden ones.
//!
//! Knows the codes of commands. Must not know what a board does about them.

use std::collections::BTreeMap;

use dgt_protocol::{ForbiddenBusCommand, HostMessage};

/// The commands that hosts have sent to a board since it was made.
#[derive(Clone, Debug, Default)]
pub struct HostCommands {
    /// How often each first byte of a command came.
    counts: BTreeMap<u8, u64>,
    /// Commands that a broadcast program must never send: 2b, 2c, 4e, 51, 53, 54, 63, 88, 89, a0 to a2, in the order they came.
    pub forbidden: Vec<u8>,
    /// How many bytes and bus commands the board did not know.
    pub unknown: u64,
}

impl HostCommands {
    /// Counts a message from the host.
    pub(crate) fn record(&mut self, message: &HostMessage) {
        let code = match message {
            HostMessage::Command(command) => command.encode().first().copied(),
            HostMessage::Leds(_) => Some(0x60),
            other => forbidden_code(other),
        };
        let Some(code) = code else {
            self.unknown += 1;
            return;
        };
        *self.counts.entry(code).or_default() += 1;
        self.forbidden.extend(forbidden_code(message));
    }

    /// The number of all commands, unknown ones included.
    pub(crate) fn total(&self) -> u64 {
        self.counts.values().sum::<u64>() + self.unknown
    }

    /// How often a command with this first byte came.
    pub fn count(&self, command: u8) -> u64 {
        self.counts.get(&command).copied().unwrap_or_default()
    }
}

/// The first byte of a message that a broadcast program must never send.
fn forbidden_code(message: &HostMessage) -> Option<u8> {
    Some(match message {
        HostMessage::Clock(_) | HostMessage::BadClock(_) => 0x2b,
        HostMessage::I2cClock => 0x2c,
        HostMessage::BootLoader => 0x4e,
        HostMessage::ScanDarkSquares => 0x51,
        HostMessage::ScanLightSquares => 0x53,
        HostMessage::ScanAllSquares => 0x54,
        HostMessage::DeveloperKey(_) => 0x63,
        HostMessage::ForbiddenBus { command, .. } => match command {
            ForbiddenBusCommand::EndBusMode => 0x88,
            ForbiddenBusCommand::Restart => 0x89,
            ForbiddenBusCommand::Configuration => 0xa0,
            ForbiddenBusCommand::Clock => 0xa1,
            ForbiddenBusCommand::I2cClock => 0xa2,
        },
        _ => return None,
    })
}
