//! Secrets that are handed out once: sessions, keys, the link for the first administrator.
//!
//! Only digests are kept. A secret has 128 bits of the system's randomness, so that a plain digest of it is enough.
//! Pure but for [`Secret::draw`].

use std::fmt::{self, Write as _};

use sha2::{Digest as _, Sha256};

/// Bytes of randomness.
const BYTES: usize = 16;

/// What its holder shows; never logged, and not shown by `{:?}`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// What is kept of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest([u8; 32]);

impl Secret {
    /// The secret made of these random bytes.
    pub fn new(random: [u8; BYTES]) -> Self {
        Self(hexadecimal(&random))
    }

    /// A new secret from the system's randomness.
    ///
    /// # Errors
    /// When the system has none to give.
    pub fn draw() -> Result<Self, getrandom::Error> {
        let mut random = [0; BYTES];
        getrandom::fill(&mut random)?;
        Ok(Self::new(random))
    }

    /// What somebody shows; `None` when it cannot be a secret of ours.
    pub fn shown(text: &str) -> Option<Self> {
        let fits = text.len() == 2 * BYTES && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        fits.then(|| Self(text.to_owned()))
    }

    /// For the one to whom it is handed out.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is kept of it.
    pub fn digest(&self) -> Digest {
        Digest(Sha256::digest(&self.0).into())
    }

    /// A further secret that follows from this one and tells nothing about it: the token against forged requests.
    #[must_use]
    pub fn derived(&self, purpose: &str) -> Self {
        let digest = Sha256::new().chain_update(purpose).chain_update([0]).chain_update(&self.0).finalize();
        Self(hexadecimal(digest.get(..BYTES).unwrap_or_default()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Digest {
    /// For a column of the database.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_handed_out_is_known_again_and_nothing_else() {
        let secret = Secret::new([0xab; BYTES]);
        assert_eq!(secret.reveal(), "ab".repeat(BYTES));
        assert_eq!(Secret::shown(secret.reveal()).unwrap().digest(), secret.digest());
        assert_ne!(Secret::new([0xac; BYTES]).digest(), secret.digest());
        for rubbish in ["", "ab", &"AB".repeat(BYTES), &"ab".repeat(BYTES + 1), &"é".repeat(BYTES)] {
            assert_eq!(Secret::shown(rubbish), None, "{rubbish}");
        }
        assert_ne!(Secret::draw().unwrap(), Secret::draw().unwrap());
    }

    #[test]
    fn a_derived_secret_is_another_one() {
        let secret = Secret::new([1; BYTES]);
        assert_eq!(secret.derived("csrf"), secret.derived("csrf"));
        assert_ne!(secret.derived("csrf"), secret);
        assert_ne!(secret.derived("csrf"), secret.derived("other"));
        assert!(Secret::shown(secret.derived("csrf").reveal()).is_some());
    }

    #[test]
    fn a_log_never_shows_it() {
        assert_eq!(format!("{:?}", Secret::new([1; BYTES])), "Secret(..)");
    }
}
