//! The board's own log of events, a ring that is overwritten from its oldest end (docs/protocol.md, 6).
//!
//! Knows which events a board writes and what the bus commands 83 to 86 take out of it. Must not know commands or modes.
//! Not simulated: real boards overwrite repeated changes of one piece to save room.

use std::collections::VecDeque;

use dgt_protocol::{EventLog, Field, Fields, LogEvent, PieceCode};

/// Bytes that the ring holds: a full download with its end mark is the longest message of the protocol, 1f00 bytes of data.
const CAPACITY: usize = 0x1eff;
/// Field events closer than this carry the mark for it, in milliseconds.
const TOGETHER_MS: u64 = 250;
/// Tags of a position are not repeated until more pieces than this have left it.
const STILL_THE_START: usize = 2;

/// The log of one board.
#[derive(Clone, Debug, Default)]
pub(crate) struct LogRing {
    bytes: VecDeque<u8>,
    /// Bytes written since the board was made; the ring holds the last of them.
    written: u64,
    /// Where the last changes packet began and ended (bus command 83), for 84 and 86.
    fetched: (u64, u64),
    /// Where the start tag stands (bus command 85).
    start: u64,
    last_field_ms: Option<u64>,
    /// The start position was noted and is still nearly there.
    at_start: bool,
}

impl LogRing {
    /// Power on: the mark for it, then every piece.
    pub(crate) fn power_up(&mut self, fields: &Fields) {
        self.write([LogEvent::Nop, LogEvent::Nop, LogEvent::Nop, LogEvent::PowerUp]);
        self.write_pieces(fields);
        self.at_start = false;
        self.last_field_ms = None;
    }

    /// A change found by the scan; `fields` is the board after it.
    pub(crate) fn field_changed(&mut self, now_ms: u64, field: Field, piece: PieceCode, fields: &Fields) {
        let within_250ms = self.last_field_ms.is_some_and(|last_ms| now_ms.saturating_sub(last_ms) < TOGETHER_MS);
        self.last_field_ms = Some(now_ms);
        self.write([LogEvent::Field { field, piece, within_250ms }]);
        self.note_position(fields);
    }

    /// The lever flipped or the log was downloaded.
    pub(crate) fn note(&mut self, event: LogEvent) {
        self.write([event]);
    }

    /// Bus command 85: the start tag and all pieces.
    pub(crate) fn start_game(&mut self, fields: &Fields) {
        self.start = self.written;
        self.write([LogEvent::StartTag]);
        self.write_pieces(fields);
    }

    /// Command 49: everything, with the end mark.
    pub(crate) fn download(&mut self) -> EventLog {
        let mut log = self.between(0, self.written);
        log.extend([LogEvent::EndOfLog]);
        self.note(LogEvent::Downloaded);
        log
    }

    /// Bus command 83: the changes since the last one.
    pub(crate) fn take_changes(&mut self) -> EventLog {
        self.fetched = (self.fetched.1, self.written);
        self.repeat_changes()
    }

    /// Bus command 84: the last changes once more.
    pub(crate) fn repeat_changes(&self) -> EventLog {
        self.between(self.fetched.0, self.fetched.1)
    }

    /// Bus command 86: from the start tag to what 83 has fetched.
    pub(crate) fn since_start(&self) -> EventLog {
        self.between(self.start, self.fetched.1)
    }

    fn note_position(&mut self, fields: &Fields) {
        let start = start_position();
        let rotated = rotated(&start);
        if *fields == start || *fields == rotated {
            if !std::mem::replace(&mut self.at_start, true) {
                let normal = *fields == start;
                self.write([if normal { LogEvent::StartPosition } else { LogEvent::StartPositionRotated }]);
            }
            return;
        }
        let left = |position: &Fields| fields.iter().zip(position).filter(|(now, then)| now != then).count();
        self.at_start &= left(&start).min(left(&rotated)) <= STILL_THE_START;
        if fields.iter().all(|&piece| piece == PieceCode::Empty) {
            self.write([LogEvent::EmptyBoard]);
        } else if fields.iter().zip(&start).all(|(&now, &then)| (now == PieceCode::Empty) == (then == PieceCode::Empty))
        {
            self.write([LogEvent::FourRows]);
        }
    }

    fn write_pieces(&mut self, fields: &Fields) {
        let pieces = Field::all()
            .zip(fields)
            .filter(|(_, piece)| **piece != PieceCode::Empty)
            .map(|(field, &piece)| LogEvent::Field { field, piece, within_250ms: true });
        let pieces: Vec<LogEvent> = pieces.collect();
        self.write(pieces);
    }

    fn write(&mut self, events: impl IntoIterator<Item = LogEvent>) {
        let events = EventLog::from_iter(events);
        let new = events.as_bytes();
        self.bytes.extend(new);
        self.written += new.len() as u64;
        let excess = self.bytes.len().saturating_sub(CAPACITY);
        self.bytes.drain(..excess);
    }

    /// The bytes written from `begin` to `end`, as far as the ring still holds them.
    fn between(&self, begin: u64, end: u64) -> EventLog {
        let oldest = self.written - self.bytes.len() as u64;
        let skip = begin.saturating_sub(oldest) as usize;
        let take = end.saturating_sub(begin.max(oldest)) as usize;
        let bytes: Vec<u8> = self.bytes.iter().copied().skip(skip).take(take).collect();
        EventLog::from_bytes(&bytes)
    }
}

/// The pieces at the start of a game, White with the connector at the left hand.
fn start_position() -> Fields {
    const BLACK: [u8; 8] = [8, 9, 10, 12, 11, 10, 9, 8];
    let mut fields = [PieceCode::Empty; 64];
    for (file, black) in BLACK.into_iter().enumerate() {
        fields[file] = PieceCode::from_byte(black);
        fields[8 + file] = PieceCode::BlackPawn;
        fields[48 + file] = PieceCode::WhitePawn;
        fields[56 + file] = PieceCode::from_byte(black - 6);
    }
    fields
}

fn rotated(fields: &Fields) -> Fields {
    let mut rotated = *fields;
    rotated.reverse();
    rotated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ring_keeps_the_newest_events_and_ends_with_the_end_mark() {
        let mut log = LogRing::default();
        let mut fields = start_position();
        log.power_up(&fields);
        let field = Field::new(36).expect("a field");
        for round in 0..5_000_u64 {
            let piece = PieceCode::from_byte((round % 2) as u8);
            fields[36] = piece;
            log.field_changed(round * 200, field, piece, &fields);
        }
        let download = log.download();
        assert_eq!(download.as_bytes().len(), CAPACITY + 1);
        let events: Vec<LogEvent> = download.events().collect();
        assert_eq!(events.last(), Some(&LogEvent::EndOfLog));
        let before_end = events[events.len() - 2];
        assert_eq!(before_end, LogEvent::Field { field, piece: PieceCode::WhitePawn, within_250ms: true });
    }

    #[test]
    fn the_start_position_is_noted_once_for_each_side_of_the_board() {
        let mut log = LogRing::default();
        let mut fields = start_position();
        let e4 = Field::new(36).expect("a field");
        let mut set = |log: &mut LogRing, piece| {
            fields[36] = piece;
            log.field_changed(0, e4, piece, &fields);
        };
        set(&mut log, PieceCode::WhitePawn);
        set(&mut log, PieceCode::Empty);
        set(&mut log, PieceCode::WhitePawn);
        set(&mut log, PieceCode::Empty);
        let tags = log.download().events().filter(|event| *event == LogEvent::StartPosition).count();
        assert_eq!(tags, 1, "one piece more or less is no new start");

        let mut other = LogRing::default();
        let turned = rotated(&start_position());
        other.field_changed(0, e4, PieceCode::Empty, &turned);
        let events: Vec<LogEvent> = other.download().events().collect();
        assert!(events.contains(&LogEvent::StartPositionRotated));
    }
}
