//! WebSocket frames as the hub writes and reads them (RFC 6455, 5).
//!
//! Viewers send pongs and close frames; anything else is checked and dropped. Must not know chess.

use std::io::Cursor;

use bytes::Bytes;
use tokio_tungstenite::tungstenite::protocol::frame::FrameHeader;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{CloseCode, Control, Data, OpCode};

/// The longest payload a viewer may send, in bytes.
pub(super) const MAX_PAYLOAD: u64 = 4096;

/// The longest payload of a control frame, in bytes.
const MAX_CONTROL: u64 = 125;

/// A text frame whose payload comes in two pieces; the second is shared, not copied.
pub(super) fn text(first: &str, second: Bytes) -> [Bytes; 2] {
    let mut start = head(OpCode::Data(Data::Text), first.len() + second.len());
    start.extend_from_slice(first.as_bytes());
    [start.into(), second]
}

/// A text frame.
pub(super) fn whole_text(text: &str) -> Bytes {
    frame(OpCode::Data(Data::Text), text.as_bytes())
}

/// A ping.
pub(super) fn ping() -> Bytes {
    frame(OpCode::Control(Control::Ping), &[])
}

/// The answer to a ping.
pub(super) fn pong(payload: &[u8]) -> Bytes {
    frame(OpCode::Control(Control::Pong), payload)
}

/// The last frame.
pub(super) fn close(code: CloseCode) -> Bytes {
    frame(OpCode::Control(Control::Close), &u16::from(code).to_be_bytes())
}

fn frame(opcode: OpCode, payload: &[u8]) -> Bytes {
    let mut frame = head(opcode, payload.len());
    frame.extend_from_slice(payload);
    frame.into()
}

fn head(opcode: OpCode, length: usize) -> Vec<u8> {
    let mut head = Vec::with_capacity(16);
    let header = FrameHeader { opcode, ..FrameHeader::default() };
    // Writing into a vector cannot fail.
    let _ = header.format(length as u64, &mut head);
    head
}

/// A message of a viewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ViewerMessage {
    /// A ping: answer with a pong of this payload.
    Ping(Vec<u8>),
    /// A close frame, with the code to answer.
    Close(CloseCode),
    /// Anything else.
    Other,
}

/// Splits what a viewer sends into frames.
#[derive(Debug, Default)]
pub(super) struct FrameReader {
    /// The start of an incomplete frame; nearly always empty.
    begun: Vec<u8>,
    in_message: bool,
}

impl FrameReader {
    /// Takes bytes in chunks of any size; calls `on_message` for each complete frame.
    ///
    /// # Errors
    /// With the code to close the connection with, when the bytes break the protocol or a limit.
    pub(super) fn read(&mut self, bytes: &[u8], mut on_message: impl FnMut(ViewerMessage)) -> Result<(), CloseCode> {
        let mut held = std::mem::take(&mut self.begun);
        let mut rest = if held.is_empty() {
            bytes
        } else {
            held.extend_from_slice(bytes);
            &held[..]
        };
        while let Some((message, length)) = self.frame(rest)? {
            on_message(message);
            rest = rest.get(length..).unwrap_or_default();
        }
        self.begun = rest.to_vec();
        Ok(())
    }

    /// The first frame in `bytes` and its length, if it is complete.
    fn frame(&mut self, bytes: &[u8]) -> Result<Option<(ViewerMessage, usize)>, CloseCode> {
        let mut cursor = Cursor::new(bytes);
        let Some((header, length)) = FrameHeader::parse(&mut cursor).map_err(|_| CloseCode::Protocol)? else {
            return Ok(None);
        };
        let mask = header.mask.ok_or(CloseCode::Protocol)?;
        let control = matches!(header.opcode, OpCode::Control(_));
        if header.rsv1 || header.rsv2 || header.rsv3 || (control && (!header.is_final || length > MAX_CONTROL)) {
            return Err(CloseCode::Protocol);
        }
        if length > MAX_PAYLOAD {
            return Err(CloseCode::Size);
        }
        let start = usize::try_from(cursor.position()).map_err(|_| CloseCode::Size)?;
        let end = start + usize::try_from(length).map_err(|_| CloseCode::Size)?;
        let Some(masked) = bytes.get(start..end) else {
            return Ok(None);
        };
        let payload = || masked.iter().zip(mask.iter().cycle()).map(|(byte, key)| byte ^ key).collect::<Vec<_>>();
        let message = match header.opcode {
            OpCode::Control(Control::Ping) => ViewerMessage::Ping(payload()),
            OpCode::Control(Control::Close) => ViewerMessage::Close(close_code(&payload())?),
            OpCode::Control(_) => ViewerMessage::Other,
            OpCode::Data(data) => {
                if (data == Data::Continue) != self.in_message {
                    return Err(CloseCode::Protocol);
                }
                self.in_message = !header.is_final;
                ViewerMessage::Other
            }
        };
        Ok(Some((message, end)))
    }
}

fn close_code(payload: &[u8]) -> Result<CloseCode, CloseCode> {
    match *payload {
        [] => Ok(CloseCode::Normal),
        [high, low, ..] => Some(CloseCode::from(u16::from_be_bytes([high, low])))
            .filter(|code| code.is_allowed())
            .ok_or(CloseCode::Protocol),
        [_] => Err(CloseCode::Protocol),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MASK: [u8; 4] = [1, 2, 3, 4];

    fn from_client(first_byte: u8, payload: &[u8]) -> Vec<u8> {
        let mut bytes = vec![first_byte];
        match u8::try_from(payload.len()) {
            Ok(length) if length < 126 => bytes.push(0x80 | length),
            _ => {
                bytes.push(0xfe);
                bytes.extend_from_slice(&u16::try_from(payload.len()).unwrap().to_be_bytes());
            }
        }
        bytes.extend_from_slice(&MASK);
        bytes.extend(payload.iter().zip(MASK.iter().cycle()).map(|(byte, key)| byte ^ key));
        bytes
    }

    fn all_messages(bytes: &[u8], chunk: usize) -> Result<Vec<ViewerMessage>, CloseCode> {
        let mut reader = FrameReader::default();
        let mut all = Vec::new();
        for chunk in bytes.chunks(chunk) {
            reader.read(chunk, |message| all.push(message))?;
        }
        Ok(all)
    }

    #[test]
    fn messages_are_read_from_chunks_of_any_size() {
        let mut bytes = from_client(0x89, b"are you there");
        bytes.extend(from_client(0x81, &[b'x'; 4096]));
        bytes.extend(from_client(0x01, b"begun"));
        bytes.extend(from_client(0x8a, b""));
        bytes.extend(from_client(0x80, b"ended"));
        bytes.extend(from_client(0x88, &[0x03, 0xe9, b'b', b'y', b'e']));
        let expected = vec![
            ViewerMessage::Ping(b"are you there".to_vec()),
            ViewerMessage::Other,
            ViewerMessage::Other,
            ViewerMessage::Other,
            ViewerMessage::Other,
            ViewerMessage::Close(CloseCode::Away),
        ];
        for chunk in [1, 2, 7, 4096, 100_000] {
            assert_eq!(all_messages(&bytes, chunk), Ok(expected.clone()), "in chunks of {chunk}");
        }
    }

    #[test]
    fn a_broken_frame_gets_the_right_close_code() {
        let unmasked = [0x81, 0x02, b'h', b'i'];
        let cases = [
            (unmasked.to_vec(), CloseCode::Protocol),
            (from_client(0xc1, b"reserved bit"), CloseCode::Protocol),
            (from_client(0x83, b"reserved opcode"), CloseCode::Protocol),
            (from_client(0x09, b"ping in pieces"), CloseCode::Protocol),
            (from_client(0x89, &[0; 126]), CloseCode::Protocol),
            (from_client(0x80, b"continues nothing"), CloseCode::Protocol),
            (from_client(0x88, &[3]), CloseCode::Protocol),
            (from_client(0x88, &[0x03, 0xed]), CloseCode::Protocol),
            (from_client(0x82, &[0; 4097]), CloseCode::Size),
            ([&[0x82, 0xff][..], &[0x7f; 8], &MASK].concat(), CloseCode::Size),
        ];
        for (bytes, code) in cases {
            assert_eq!(all_messages(&bytes, 3), Err(code), "{bytes:02x?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_handled_in_bounded_memory(bytes in proptest::collection::vec(any::<u8>(), 0..6_000), chunk in 1_usize..5_000) {
            let mut reader = FrameReader::default();
            for chunk in bytes.chunks(chunk) {
                if reader.read(chunk, |_| ()).is_err() {
                    break;
                }
                prop_assert!(reader.begun.len() <= 4096 + 14);
            }
        }
    }
}
