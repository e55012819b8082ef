//! Messages of the chess clock: times, and acks of messages to the clock (`docs/protocol.md`, 4.4).
//! Left and right are seen from the display. Must not know which side is White.

use crate::error::{ClockPart, MessageError};

/// Content of a clock message (id 8d; on a bus 84).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockMessage {
    /// Times on the display and state of the clock.
    Times(ClockTimes),
    /// Ack of a message to the clock, or a report that the clock sends by itself. Carries no time.
    Ack(ClockAck),
    /// All zeros. Bluetooth boards send it around messages to the clock; ignore it.
    AllZero,
}

/// Both times and the state of the clock.
///
/// The default value encodes to the bytes of [`ClockMessage::AllZero`] and decodes as that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the fields are the bits of one status byte")]
pub struct ClockTimes {
    /// The left side.
    pub left: SideTime,
    /// The right side.
    pub right: SideTime,
    /// The clock runs. False while it is paused, before the start, and after a flag fall that blocks it.
    pub running: bool,
    /// Lever: the right side is up. The left side was pressed and the right player's time runs. False:
    /// the mirror case.
    pub right_side_up: bool,
    /// The clock shows a low battery.
    pub battery_low: bool,
    /// The left side is to move. A hint only: boards differ in it; use the lever
    /// (`docs/protocol.md`, 4.4).
    pub left_to_move: bool,
    /// The right side is to move. A hint only, as `left_to_move`.
    pub right_to_move: bool,
    /// No clock is connected; times and lever have no meaning.
    pub no_clock: bool,
}

/// One side of the clock, seen from its display.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
}

impl ClockTimes {
    /// Time of one side.
    pub fn side(&self, side: Side) -> SideTime {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }
}

/// Time and flags that one side of the clock shows. The largest time is 9:59:59; encoding lowers a
/// larger one to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideTime {
    /// 0 to 9.
    pub hours: u8,
    /// 0 to 59.
    pub minutes: u8,
    /// 0 to 59.
    pub seconds: u8,
    /// The flag has fallen; the clock is blocked at zero.
    pub flag_blocked: bool,
    /// The indicator of a mode with time per move (Fischer, Bronstein, delay) is on.
    pub per_move: bool,
    /// The flag has fallen and is shown; the clock may continue with the next period.
    pub flag_continues: bool,
}

/// Largest time on a clock, in seconds: 9:59:59 (`docs/protocol.md`, 4.4).
const MAX_SECONDS: u32 = 9 * 3600 + 59 * 60 + 59;

impl SideTime {
    /// A time of this many seconds, at most 9:59:59, without flags and indicator.
    pub fn from_seconds(seconds: u32) -> SideTime {
        let seconds = seconds.min(MAX_SECONDS);
        SideTime {
            hours: (seconds / 3600) as u8,
            minutes: (seconds / 60 % 60) as u8,
            seconds: (seconds % 60) as u8,
            ..SideTime::default()
        }
    }

    /// The time in seconds, 0 to 35999.
    pub fn total_seconds(&self) -> u32 {
        u32::from(self.hours) * 3600 + u32::from(self.minutes) * 60 + u32::from(self.seconds)
    }

    fn decode([hours, minutes, seconds]: [u8; 3], offset: usize) -> Result<SideTime, MessageError> {
        let error = |part, at, byte| MessageError::Clock { part, offset: offset + at, byte };
        if hours & 0x0f > 9 {
            return Err(error(ClockPart::Hours, 0, hours));
        }
        Ok(SideTime {
            hours: hours & 0x0f,
            minutes: from_bcd(minutes).ok_or(error(ClockPart::Minutes, 1, minutes))?,
            seconds: from_bcd(seconds).ok_or(error(ClockPart::Seconds, 2, seconds))?,
            flag_blocked: hours & 0x10 != 0,
            per_move: hours & 0x20 != 0,
            flag_continues: hours & 0x40 != 0,
        })
    }

    fn encode(self) -> [u8; 3] {
        let flags =
            u8::from(self.flag_blocked) << 4 | u8::from(self.per_move) << 5 | u8::from(self.flag_continues) << 6;
        let [hours, minutes, seconds] = to_bcd_time(self.total_seconds());
        [hours | flags, minutes, seconds]
    }
}

/// Decodes two decimal digits, 00 to 59.
pub(crate) fn from_bcd(byte: u8) -> Option<u8> {
    (byte >> 4 <= 5 && byte & 0x0f <= 9).then_some((byte >> 4) * 10 + (byte & 0x0f))
}

/// Encodes a time, at most 9:59:59: hours, then minutes and seconds in two decimal digits each.
pub(crate) fn to_bcd_time(seconds: u32) -> [u8; 3] {
    let time = SideTime::from_seconds(seconds);
    let bcd = |number: u8| ((number / 10) << 4) | (number % 10);
    [time.hours, bcd(time.minutes), bcd(time.seconds)]
}

impl ClockMessage {
    /// Decodes the seven content bytes, which begin at this offset of their message.
    pub(crate) fn decode(bytes: [u8; 7], offset: usize) -> Result<ClockMessage, MessageError> {
        let [r0, r1, r2, l0, l1, l2, status] = bytes;
        if r0 & 0x0f == 0x0a || l0 & 0x0f == 0x0a {
            return Ok(ClockMessage::Ack(ClockAck([
                r1 | l0 << 3 & 0x80,
                r2 | l0 << 2 & 0x80,
                l1 | r0 << 3 & 0x80,
                l2 | r0 << 2 & 0x80,
            ])));
        }
        let no_clock = status & 0x20 != 0;
        let time = |bytes, offset| match SideTime::decode(bytes, offset) {
            // Without a clock the bytes can be anything; `no_clock` is reported all the same.
            Err(_) if no_clock => Ok(SideTime::default()),
            result => result,
        };
        let times = ClockTimes {
            right: time([r0, r1, r2], offset)?,
            left: time([l0, l1, l2], offset + 3)?,
            running: status & 0x01 != 0,
            right_side_up: status & 0x02 != 0,
            battery_low: status & 0x04 != 0,
            left_to_move: status & 0x08 != 0,
            right_to_move: status & 0x10 != 0,
            no_clock,
        };
        // A bit without a known meaning makes no time of it.
        Ok(if times == ClockTimes::default() { ClockMessage::AllZero } else { ClockMessage::Times(times) })
    }

    /// The seven content bytes.
    pub(crate) fn encode(self) -> [u8; 7] {
        match self {
            ClockMessage::AllZero => [0; 7],
            ClockMessage::Ack(ClockAck([a0, a1, a2, a3])) => {
                let high_bits = |low: u8, high: u8| 0x0a | (low & 0x80) >> 3 | (high & 0x80) >> 2;
                [high_bits(a2, a3), a0 & 0x7f, a1 & 0x7f, high_bits(a0, a1), a2 & 0x7f, a3 & 0x7f, 0]
            }
            ClockMessage::Times(times) => {
                let [r0, r1, r2] = times.right.encode();
                let [l0, l1, l2] = times.left.encode();
                let status = u8::from(times.running)
                    | u8::from(times.right_side_up) << 1
                    | u8::from(times.battery_low) << 2
                    | u8::from(times.left_to_move) << 3
                    | u8::from(times.right_to_move) << 4
                    | u8::from(times.no_clock) << 5;
                [r0, r1, r2, l0, l1, l2, status]
            }
        }
    }
}

/// The four bytes of an ack of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockAck(pub [u8; 4]);

/// Subject of an ack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckKind {
    /// Display message.
    Display,
    /// Icons.
    Icons,
    /// Back to the time display.
    End,
    /// Request for the buttons. Carries no button.
    Buttons,
    /// Version of the clock, two numbers from 0 to 15.
    Version {
        /// Main version; 2 on a DGT3000.
        main: u8,
        /// Sub version.
        sub: u8,
    },
    /// Set and run.
    SetAndRun,
    /// Beep.
    Beep,
    /// Text.
    Text,
    /// Sent by the clock itself: it is ready.
    Ready,
    /// Sent by the clock itself: a button was pressed.
    Button(ClockButton),
    /// Sent by the clock itself: it is in mode 23, where times can be set (unsure; `docs/protocol.md`, 4.4).
    Mode23,
    /// Sent by the clock itself: it is not in mode 23 (unsure; `docs/protocol.md`, 4.4).
    NotMode23,
    /// Any other subject: the second byte of the ack.
    Other(u8),
}

/// A button of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockButton {
    /// Back.
    Back,
    /// Plus.
    Plus,
    /// Run or pause.
    RunPause,
    /// Minus.
    Minus,
    /// OK.
    Ok,
    /// Several buttons at once, or one that no source describes: the last two bytes of the ack.
    Other(u8, u8),
}

impl ClockAck {
    /// The clock accepted the message. An XL 1.14 sends neither this code nor the error code.
    pub fn is_ok(self) -> bool {
        self.0[0] == 0x10
    }

    /// The clock refused the message, for example set-and-run outside mode 23.
    pub fn is_error(self) -> bool {
        self.0[0] == 0x40
    }

    /// The clock sent this by itself, without a request.
    pub fn is_automatic(self) -> bool {
        self.0[1] & 0x80 != 0
    }

    /// Subject of the ack.
    pub fn kind(self) -> AckKind {
        let [_, subject, third, fourth] = self.0;
        match subject {
            0x01 => AckKind::Display,
            0x02 => AckKind::Icons,
            0x03 => AckKind::End,
            0x08 => AckKind::Buttons,
            0x09 => AckKind::Version { main: third >> 4, sub: third & 0x0f },
            0x0a => AckKind::SetAndRun,
            0x0b => AckKind::Beep,
            0x0c => AckKind::Text,
            0x81 => AckKind::Ready,
            0x88 => AckKind::Button(match fourth {
                0x31 => ClockButton::Back,
                0x32 => ClockButton::Plus,
                0x33 => ClockButton::RunPause,
                0x34 => ClockButton::Minus,
                0x35 => ClockButton::Ok,
                _ => ClockButton::Other(third, fourth),
            }),
            0x8a => AckKind::Mode23,
            0x90 => AckKind::NotMode23,
            other => AckKind::Other(other),
        }
    }
}
