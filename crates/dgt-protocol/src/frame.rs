//! Divides the byte stream of a board into complete messages and resynchronises after damage
//! (`docs/protocol.md`, 2). Checks ids and lengths, not contents. The caller measures time.

use crate::{
    bus_message::BusMessage,
    envelope::{HEADER, announced_length, bus_id, id},
    error::MessageError,
    message::Message,
    mode::Mode,
};

/// Reads bytes in chunks of any size and returns complete messages.
///
/// Bytes that belong to no message are dropped and counted: low bytes between messages, a message
/// that another one interrupts, and a header with an unknown id or a length that is not valid for
/// its id. One buffer holds the unfinished message; it never exceeds the longest message, a full
/// event log (7939 bytes; 7942 on a bus).
#[derive(Clone, Debug)]
pub struct FrameReader {
    mode: Mode,
    /// The unfinished message, or the last returned one if it came in several chunks.
    buffer: Vec<u8>,
    /// The message in the buffer was returned.
    returned: bool,
    dropped: u64,
}

impl FrameReader {
    /// A reader at the start of a stream.
    pub fn new(mode: Mode) -> FrameReader {
        FrameReader { mode, buffer: Vec::new(), returned: false, dropped: 0 }
    }

    /// Mode in which incoming bytes are read.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Changes the mode for the bytes that follow. An unfinished message is dropped and counted.
    pub fn set_mode(&mut self, mode: Mode) {
        self.abandon();
        self.mode = mode;
    }

    /// The next complete message. Removes the bytes that it read from the front of `input`. `None`
    /// means that `input` is empty and the next chunk is needed.
    pub fn next_frame<'a, 'i: 'a>(&'a mut self, input: &mut &'i [u8]) -> Option<Frame<'a>> {
        if self.returned {
            self.buffer.clear();
            self.returned = false;
        }
        loop {
            if self.buffer.is_empty() {
                let stray = take(input, low_bytes(input));
                self.dropped += stray.len() as u64;
                // Nearly every message is complete in one chunk; it is returned without a copy.
                if let Some(length) = announced_length(self.mode, input)
                    && let Some(message) = input.get(..length)
                    && message[1..].is_ascii()
                {
                    return Some(Frame { mode: self.mode, bytes: take(input, length) });
                }
            }
            if !input.first()?.is_ascii() {
                self.abandon();
                self.buffer.extend_from_slice(take(input, 1));
            }
            let header_missing = self.buffer.len() < HEADER;
            let wanted = if header_missing { HEADER } else { announced_length(self.mode, &self.buffer)? };
            let available = input.len().min(wanted - self.buffer.len());
            self.buffer.extend_from_slice(take(input, low_bytes(&input[..available])));
            if self.buffer.len() < HEADER {
                continue;
            }
            match announced_length(self.mode, &self.buffer) {
                None => self.abandon(),
                Some(length) if length == self.buffer.len() => break,
                Some(_) => {}
            }
        }
        self.returned = true;
        Some(Frame { mode: self.mode, bytes: &self.buffer })
    }

    /// Number of bytes dropped since the reader was created. When it grows, request a dump: a board
    /// never repeats a lost field update.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The bytes of the unfinished message.
    pub fn pending(&self) -> &[u8] {
        if self.returned { &[] } else { &self.buffer }
    }

    /// Drops and counts the unfinished message. Call it 2 s after the message's last byte: a radio line may stand
    /// still for a second, and the next id drops it anyway.
    pub fn abandon(&mut self) {
        self.dropped += self.pending().len() as u64;
        self.buffer.clear();
        self.returned = false;
    }
}

/// Removes the first `count` bytes from `input` and returns them.
fn take<'i>(input: &mut &'i [u8], count: usize) -> &'i [u8] {
    let (taken, rest) = input.split_at(count);
    *input = rest;
    taken
}

/// Number of bytes before the next start of a message.
fn low_bytes(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(bytes.len())
}

/// One complete message: a known id, a valid length for it, and no other byte with bit 7 set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    mode: Mode,
    bytes: &'a [u8],
}

impl<'a> Frame<'a> {
    /// Mode in which the frame was read.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// All bytes, from the id.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Decodes the frame as a message in single-board mode.
    ///
    /// # Errors
    /// A value out of range, with its offset; [`MessageError::WrongMode`] for a frame that was read
    /// in bus mode.
    pub fn message(&self) -> Result<Message, MessageError> {
        match self.mode {
            Mode::Single => Message::decode(self.bytes),
            Mode::Bus => Err(MessageError::WrongMode),
        }
    }

    /// Decodes the frame as a reply in bus mode.
    ///
    /// # Errors
    /// A wrong checksum; a value out of range, with its offset; [`MessageError::WrongMode`] for a
    /// frame that was read in single-board mode.
    pub fn bus_message(&self) -> Result<BusMessage, MessageError> {
        match self.mode {
            Mode::Bus => BusMessage::decode(self.bytes),
            Mode::Single => Err(MessageError::WrongMode),
        }
    }

    /// Bits 4 to 6 that are set in any piece byte of a field update or a dump, else 0. Decoding
    /// ignores them. A header of 2014 names an "S bit" without explaining it (`docs/protocol.md`,
    /// 4.2), so a caller may want to log them.
    pub fn unknown_bits(&self) -> u8 {
        let pieces = match (self.mode, self.bytes) {
            (
                Mode::Single,
                [id::FIELD_UPDATE, _, _, _, pieces @ ..]
                | [id::BOARD | id::DARK_SQUARES | id::LIGHT_SQUARES, _, _, pieces @ ..],
            )
            | (Mode::Bus, [bus_id::BOARD | bus_id::HALF_BOARD, _, _, _, _, pieces @ .., _]) => pieces,
            _ => &[],
        };
        pieces.iter().fold(0, |bits, piece| bits | piece & 0x70)
    }
}
