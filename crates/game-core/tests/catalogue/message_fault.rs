//! A fault of one message on a line that is good otherwise.

/// A fault of one message; messages are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MessageFault {
    Lost(usize),
    Damaged { message: usize, at: usize, bits: u8 },
}

impl MessageFault {
    /// Reads `message` as the loss of a message, `message:byte:bits` as damage to one of its bytes.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut numbers = text.split(':').map(str::parse);
        let message = numbers.next()?.ok()?;
        let (Some(at), Some(bits)) = (numbers.next(), numbers.next()) else { return Some(Self::Lost(message)) };
        Some(Self::Damaged { message, at: at.ok()?, bits: u8::try_from(bits.ok()?).ok()? })
    }

    /// What arrives of the message with this number.
    pub(crate) fn apply(self, number: usize, mut bytes: Vec<u8>) -> Option<Vec<u8>> {
        match self {
            MessageFault::Lost(message) if message == number => return None,
            MessageFault::Damaged { message, at, bits } if message == number => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= bits;
                }
            }
            _ => {}
        }
        Some(bytes)
    }

    /// The message concerned.
    pub(crate) fn message(self) -> usize {
        match self {
            MessageFault::Lost(message) | MessageFault::Damaged { message, .. } => message,
        }
    }
}
