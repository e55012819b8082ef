//! Events of the board's EEPROM log and of changes on a bus, which have the same format
//! (`docs/protocol.md`, 6). Must not know games.

use crate::{
    clock::{Side, from_bcd, to_bcd_time},
    field::Field,
    piece::PieceCode,
};

/// A part of the event log. A full log can begin inside an event, since the board overwrites its oldest
/// data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventLog(Vec<u8>);

/// One event of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogEvent {
    /// 40 to 5f: the content of a field changed.
    Field {
        /// The field that changed.
        field: Field,
        /// Its new content.
        piece: PieceCode,
        /// Less than about 250 ms after the previous field event. Never set by boards of 1998.
        within_250ms: bool,
    },
    /// 60 to 69, 70 to 79: the lever flipped.
    Clock {
        /// The side that was stopped.
        side: Side,
        /// Its time in seconds, 0 to 35999; encoding lowers a larger time to 35999.
        total_seconds: u32,
    },
    /// 6a: power on. A field event for each piece follows, in any order.
    PowerUp,
    /// 6b: end of the log.
    EndOfLog,
    /// 6c: 16 men stand on the outer rows, but not in the usual start position (Chess960, or a
    /// mistake).
    FourRows,
    /// 6d: the board is empty.
    EmptyBoard,
    /// 6e: the log was downloaded.
    Downloaded,
    /// 6f: start position, White with the connector at the left hand.
    StartPosition,
    /// 7a: start position on a rotated board.
    StartPositionRotated,
    /// 7b: start of a game, written on request. All pieces follow as field events.
    StartTag,
    /// 7c: restart by the watchdog, then as after power on. Newer lists call it "debug".
    Watchdog,
    /// 7d: reserved. Newer lists: the clock's state changed; its data is unknown.
    Reserved7d,
    /// 7e: reserved. Newer lists: the bus address changed; its data is unknown.
    Reserved7e,
    /// 7f: no event.
    Nop,
    /// 00: no event.
    NopZero,
    /// A byte that begins no event: the rest of an event that was overwritten, a delay marker of newer
    /// boards (10, 20, 30), or damage. Decoding continues with the next byte.
    Unknown(u8),
}

impl EventLog {
    /// The log with these bytes; bit 7 of each is cleared.
    pub fn from_bytes(bytes: &[u8]) -> EventLog {
        EventLog(bytes.iter().map(|byte| byte & 0x7f).collect())
    }

    /// The bytes on the wire.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The events, oldest first.
    pub fn events(&self) -> Events<'_> {
        Events { rest: &self.0 }
    }
}

impl FromIterator<LogEvent> for EventLog {
    fn from_iter<I: IntoIterator<Item = LogEvent>>(events: I) -> EventLog {
        let mut log = EventLog::default();
        log.extend(events);
        log
    }
}

impl Extend<LogEvent> for EventLog {
    fn extend<I: IntoIterator<Item = LogEvent>>(&mut self, events: I) {
        for event in events {
            event.encode(&mut self.0);
        }
    }
}

/// Iterator over the events of a log. Every byte is in exactly one event or in
/// [`Events::remainder`].
#[derive(Clone, Debug)]
pub struct Events<'a> {
    rest: &'a [u8],
}

impl<'a> Events<'a> {
    /// The bytes not yet decoded. After the last event: the beginning of an incomplete event, which the
    /// next bytes continue.
    pub fn remainder(&self) -> &'a [u8] {
        self.rest
    }
}

impl Iterator for Events<'_> {
    type Item = LogEvent;

    fn next(&mut self) -> Option<LogEvent> {
        let (event, rest) = LogEvent::decode(self.rest)?;
        self.rest = rest;
        Some(event)
    }
}

impl LogEvent {
    /// The first event and the bytes after it; `None` without bytes or for an incomplete event.
    fn decode(bytes: &[u8]) -> Option<(LogEvent, &[u8])> {
        let (&first, rest) = bytes.split_first()?;
        let event = match first {
            0x40..=0x5f => {
                let (&number, after) = rest.split_first()?;
                let Some(field) = Field::new(number) else {
                    return Some((LogEvent::Unknown(first), rest));
                };
                let piece = PieceCode::from_byte(first);
                return Some((LogEvent::Field { field, piece, within_250ms: first & 0x10 != 0 }, after));
            }
            0x60..=0x69 | 0x70..=0x79 => {
                let (&minutes, after) = rest.split_first()?;
                let Some(minutes) = from_bcd(minutes) else {
                    return Some((LogEvent::Unknown(first), rest));
                };
                let (&seconds, after) = after.split_first()?;
                let Some(seconds) = from_bcd(seconds) else {
                    return Some((LogEvent::Unknown(first), rest));
                };
                let side = if first < 0x70 { Side::Right } else { Side::Left };
                let total_seconds = u32::from(first & 0x0f) * 3600 + u32::from(minutes) * 60 + u32::from(seconds);
                return Some((LogEvent::Clock { side, total_seconds }, after));
            }
            0x6a => LogEvent::PowerUp,
            0x6b => LogEvent::EndOfLog,
            0x6c => LogEvent::FourRows,
            0x6d => LogEvent::EmptyBoard,
            0x6e => LogEvent::Downloaded,
            0x6f => LogEvent::StartPosition,
            0x7a => LogEvent::StartPositionRotated,
            0x7b => LogEvent::StartTag,
            0x7c => LogEvent::Watchdog,
            0x7d => LogEvent::Reserved7d,
            0x7e => LogEvent::Reserved7e,
            0x7f => LogEvent::Nop,
            0x00 => LogEvent::NopZero,
            unknown => LogEvent::Unknown(unknown),
        };
        Some((event, rest))
    }

    fn encode(self, bytes: &mut Vec<u8>) {
        let single = match self {
            LogEvent::Field { field, piece, within_250ms } => {
                bytes.push(0x40 | u8::from(within_250ms) << 4 | piece.to_byte());
                field.number()
            }
            LogEvent::Clock { side, total_seconds } => {
                let [hours, minutes, seconds] = to_bcd_time(total_seconds);
                let side = match side {
                    Side::Right => 0x60,
                    Side::Left => 0x70,
                };
                bytes.extend([side | hours, minutes]);
                seconds
            }
            LogEvent::PowerUp => 0x6a,
            LogEvent::EndOfLog => 0x6b,
            LogEvent::FourRows => 0x6c,
            LogEvent::EmptyBoard => 0x6d,
            LogEvent::Downloaded => 0x6e,
            LogEvent::StartPosition => 0x6f,
            LogEvent::StartPositionRotated => 0x7a,
            LogEvent::StartTag => 0x7b,
            LogEvent::Watchdog => 0x7c,
            LogEvent::Reserved7d => 0x7d,
            LogEvent::Reserved7e => 0x7e,
            LogEvent::Nop => 0x7f,
            LogEvent::NopZero => 0x00,
            LogEvent::Unknown(byte) => byte & 0x7f,
        };
        bytes.push(single);
    }
}
