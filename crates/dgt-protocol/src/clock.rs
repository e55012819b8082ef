//! What the chess clock reports: times, and answers to clock messages (protocol paper, 4.4). Sides
//! are those of the clock seen from its display; which side is White is not known here.

use crate::{ClockPart, MessageError};

/// The content of a clock message (id 8d, on a bus 84).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockMessage {
    /// What the clock shows.
    Times(ClockTimes),
    /// The clock's answer to a message, or a report of its own. Carries no time.
    Ack(ClockAck),
    /// Nothing but zeros: Bluetooth boards send it around clock commands. To be ignored.
    Blank,
}

/// Both times and the state of the clock.
///
/// All fields zero or false is the same bytes as [`ClockMessage::Blank`] and comes back as that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are the bits of one status byte")]
pub struct ClockTimes {
    /// The left side.
    pub left: SideTime,
    /// The right side.
    pub right: SideTime,
    /// The clock runs; not set while it is paused, before the start and after a flag that blocks.
    pub running: bool,
    /// The lever: the right side is up, the left side was pressed, so the right player's time runs.
    /// Not set: the mirror.
    pub right_side_up: bool,
    /// The clock shows a low battery.
    pub battery_low: bool,
    /// A hint only; boards differ in it, the lever is to be trusted (protocol paper, 4.4, conflict
    /// on bits 3 and 4).
    pub left_to_move: bool,
    /// A hint only, as `left_to_move`.
    pub right_to_move: bool,
    /// No clock is connected: times and lever mean nothing.
    pub no_clock: bool,
}

/// A side of the clock, seen from its display.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
}

impl ClockTimes {
    /// One side's time.
    pub fn side(&self, side: Side) -> SideTime {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }
}

/// What one side of the clock shows. A clock shows 9:59:59 at most; encoding lowers what is greater
/// to that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideTime {
    /// 0 to 9.
    pub hours: u8,
    /// 0 to 59.
    pub minutes: u8,
    /// 0 to 59.
    pub seconds: u8,
    /// The flag has fallen and the clock is blocked at zero.
    pub flag_blocked: bool,
    /// The indicator of a bonus per move (Fischer, Bronstein, delay) is on.
    pub per_move: bool,
    /// The flag has fallen and is shown; the clock may go on in the next period.
    pub flag_continues: bool,
}

/// The longest time a clock shows, in seconds: 9:59:59.
const LONGEST_SECONDS: u32 = 9 * 3600 + 59 * 60 + 59;

impl SideTime {
    /// This many seconds, 9:59:59 at most, with no flag and no indicator.
    pub fn from_seconds(seconds: u32) -> SideTime {
        let seconds = seconds.min(LONGEST_SECONDS);
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

    fn decode([hours, minutes, seconds]: [u8; 3], place: usize) -> Result<SideTime, MessageError> {
        let error = |part, at, byte| MessageError::Clock { part, place: place + at, byte };
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

/// Two decimal digits, 00 to 59.
pub(crate) fn from_bcd(byte: u8) -> Option<u8> {
    (byte >> 4 <= 5 && byte & 0x0f <= 9).then_some((byte >> 4) * 10 + (byte & 0x0f))
}

/// Hours, and minutes and seconds in two decimal digits each; 9:59:59 at most.
pub(crate) fn to_bcd_time(seconds: u32) -> [u8; 3] {
    let time = SideTime::from_seconds(seconds);
    let bcd = |number: u8| ((number / 10) << 4) | (number % 10);
    [time.hours, bcd(time.minutes), bcd(time.seconds)]
}

impl ClockMessage {
    /// Reads the seven content bytes, the first of which has this place in its message.
    pub(crate) fn decode(bytes: [u8; 7], place: usize) -> Result<ClockMessage, MessageError> {
        let [r0, r1, r2, l0, l1, l2, status] = bytes;
        if bytes == [0; 7] {
            return Ok(ClockMessage::Blank);
        }
        if r0 & 0x0f == 0x0a || l0 & 0x0f == 0x0a {
            return Ok(ClockMessage::Ack(ClockAck([
                r1 | l0 << 3 & 0x80,
                r2 | l0 << 2 & 0x80,
                l1 | r0 << 3 & 0x80,
                l2 | r0 << 2 & 0x80,
            ])));
        }
        let no_clock = status & 0x20 != 0;
        let time = |bytes, place| match SideTime::decode(bytes, place) {
            // Without a clock the bytes may be anything, and that there is no clock must not be
            // lost over it.
            Err(_) if no_clock => Ok(SideTime::default()),
            result => result,
        };
        Ok(ClockMessage::Times(ClockTimes {
            right: time([r0, r1, r2], place)?,
            left: time([l0, l1, l2], place + 3)?,
            running: status & 0x01 != 0,
            right_side_up: status & 0x02 != 0,
            battery_low: status & 0x04 != 0,
            left_to_move: status & 0x08 != 0,
            right_to_move: status & 0x10 != 0,
            no_clock,
        }))
    }

    /// The seven content bytes.
    pub(crate) fn encode(self) -> [u8; 7] {
        match self {
            ClockMessage::Blank => [0; 7],
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

/// The four bytes of an answer of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockAck(pub [u8; 4]);

/// What an answer of the clock is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AckKind {
    /// Display message.
    Display,
    /// Icons.
    Icons,
    /// Back to the time display.
    End,
    /// Question for the buttons; carries no button.
    Buttons,
    /// Version of the clock, a pair of numbers 0 to 15.
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
    /// By itself: the clock is ready.
    Ready,
    /// By itself: a button was pressed.
    Button(ClockButton),
    /// By itself: the clock is in mode 23, where times can be set. The header puts a question mark.
    Mode23,
    /// By itself: the clock is not in mode 23. The header puts a question mark.
    NotMode23,
    /// Anything else: the second byte.
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
    /// Several at once, or one that no source describes: the last two bytes.
    Other(u8, u8),
}

impl ClockAck {
    /// The clock did what it was told. An XL 1.14 sends neither this nor the error code.
    pub fn is_ok(self) -> bool {
        self.0[0] == 0x10
    }

    /// The clock refused, for example set-and-run outside mode 23.
    pub fn is_error(self) -> bool {
        self.0[0] == 0x40
    }

    /// The clock reports by itself; nobody asked.
    pub fn is_automatic(self) -> bool {
        self.0[1] & 0x80 != 0
    }

    /// What it is about.
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
