//! What happens to one message of a line that is good otherwise.

/// What happens to one message; messages are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Lost(usize),
    Damaged { message: usize, at: usize, bits: u8 },
}

impl Fate {
    /// Reads `message` as the loss of a message, `message:byte:bits` as damage to one of its bytes.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut numbers = text.split(':').map(str::parse);
        let message = numbers.next()?.ok()?;
        let (Some(at), Some(bits)) = (numbers.next(), numbers.next()) else { return Some(Self::Lost(message)) };
        Some(Self::Damaged { message, at: at.ok()?, bits: u8::try_from(bits.ok()?).ok()? })
    }

    /// What arrives of the message of this number.
    pub(crate) fn befall(self, number: usize, mut bytes: Vec<u8>) -> Option<Vec<u8>> {
        match self {
            Fate::Lost(message) if message == number => return None,
            Fate::Damaged { message, at, bits } if message == number => {
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
            Fate::Lost(message) | Fate::Damaged { message, .. } => message,
        }
    }
}
