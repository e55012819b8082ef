//! Cuts a byte stream of a board into whole messages and finds its way back after damage (protocol
//! paper, 2). Knows ids and lengths, not contents; time belongs to the caller.

use crate::{
    BusMessage, Message, MessageError,
    envelope::{self, HEADER, announced_length, bus_id, id},
};

/// How the line is used. The same ids mean different things in the two modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// One board on the line.
    Single,
    /// Several boards on one line; replies carry an address and a checksum. The state of a board
    /// after power-up.
    Bus,
}

/// Takes bytes in any chunks and gives whole messages.
///
/// Bytes that belong to no message are dropped and counted: low bytes between messages, a message
/// that another one interrupts, and a header with an unknown id or a length that its id cannot
/// have. The unfinished message is kept in one buffer that never exceeds the longest message, a
/// whole event log (7939 bytes; 7942 on a bus).
#[derive(Clone, Debug)]
pub struct FrameReader {
    mode: Mode,
    /// The unfinished message, or the one last given out if it did not lie in one chunk.
    buffer: Vec<u8>,
    /// The buffer's message was given out.
    given_out: bool,
    dropped: u64,
}

impl FrameReader {
    /// A reader at the start of a stream.
    pub fn new(mode: Mode) -> FrameReader {
        FrameReader { mode, buffer: Vec::new(), given_out: false, dropped: 0 }
    }

    /// The mode that incoming bytes are read in.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Reads what follows in another mode. An unfinished message is dropped and counted.
    pub fn set_mode(&mut self, mode: Mode) {
        self.abandon();
        self.mode = mode;
    }

    /// The next whole message. Takes from the front of `input` what it has read; call it until it
    /// gives `None`, then `input` is empty and the reader waits for the next chunk.
    pub fn next_frame<'a, 'i: 'a>(&'a mut self, input: &mut &'i [u8]) -> Option<Frame<'a>> {
        if self.given_out {
            self.buffer.clear();
            self.given_out = false;
        }
        loop {
            if self.buffer.is_empty() {
                let stray = take(input, low_bytes(input));
                self.dropped += stray.len() as u64;
                // Nearly every message lies whole in one chunk: nothing is copied.
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
            let within_reach = input.len().min(wanted - self.buffer.len());
            self.buffer.extend_from_slice(take(input, low_bytes(&input[..within_reach])));
            if self.buffer.len() < HEADER {
                continue;
            }
            match announced_length(self.mode, &self.buffer) {
                None => self.abandon(),
                Some(length) if length == self.buffer.len() => break,
                Some(_) => {}
            }
        }
        self.given_out = true;
        Some(Frame { mode: self.mode, bytes: &self.buffer })
    }

    /// The number of bytes dropped since the reader was made. When it grows, ask for a dump: a
    /// field update that was lost is never repeated.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The bytes of the unfinished message.
    pub fn pending(&self) -> &[u8] {
        if self.given_out { &[] } else { &self.buffer }
    }

    /// Drops and counts the unfinished message. To be called when 250 ms have passed since its last
    /// byte: the longest pause inside a message is far shorter.
    pub fn abandon(&mut self) {
        self.dropped += self.pending().len() as u64;
        self.buffer.clear();
        self.given_out = false;
    }
}

/// The first `count` bytes, which `input` no longer has afterwards.
fn take<'i>(input: &mut &'i [u8], count: usize) -> &'i [u8] {
    let (taken, rest) = input.split_at(count);
    *input = rest;
    taken
}

/// How many bytes come before the next start of a message.
fn low_bytes(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(bytes.len())
}

/// One whole message: a known id, a length that fits it, and no other byte with bit 7 set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    mode: Mode,
    bytes: &'a [u8],
}

impl<'a> Frame<'a> {
    /// The mode in which the frame was read.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// All bytes, the id first.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The message of a single board.
    ///
    /// # Errors
    /// A value out of range, with its place; [`MessageError::OtherMode`] for a frame that was read
    /// in bus mode.
    pub fn message(&self) -> Result<Message, MessageError> {
        match self.mode {
            Mode::Single => Message::decode(self.bytes),
            Mode::Bus => Err(MessageError::OtherMode),
        }
    }

    /// The reply of a board on a bus.
    ///
    /// # Errors
    /// A wrong checksum; a value out of range, with its place; [`MessageError::OtherMode`] for a
    /// frame that was read in single-board mode.
    pub fn bus_message(&self) -> Result<BusMessage, MessageError> {
        match self.mode {
            Mode::Bus => BusMessage::decode(self.bytes),
            Mode::Single => Err(MessageError::OtherMode),
        }
    }

    /// Bits 4 to 6 that are set in any piece byte of a field update or a dump, else 0. Decoding
    /// masks them away; a header of 2014 names an "S bit" that no text explains (protocol paper,
    /// 4.2 and 11), so they are worth a line in the log.
    pub fn unexplained_bits(&self) -> u8 {
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

impl Mode {
    /// The longest message of this mode, in bytes: what a reader's buffer can grow to.
    pub const fn longest_message(self) -> usize {
        envelope::longest_message(self)
    }
}
