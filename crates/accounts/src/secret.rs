//! Secrets that are shown once: sessions, keys, the link for the first administrator.
//!
//! Only their digests are stored. A secret has 128 random bits, so that a plain SHA-256 digest is enough.

use std::fmt::{self, Write as _};

use sha2::{Digest as _, Sha256};

/// Random bytes of a secret.
const BYTES: usize = 16;

/// A secret as its holder shows it; never logged, and `{:?}` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// SHA-256 digest of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest([u8; 32]);

impl Secret {
    /// The secret with these random bytes.
    pub(super) fn new(random: [u8; BYTES]) -> Self {
        Self(hexadecimal(&random))
    }

    /// A new secret from the system's randomness.
    ///
    /// # Errors
    /// When the system provides no random bytes.
    pub fn draw() -> Result<Self, getrandom::Error> {
        let mut random = [0; BYTES];
        getrandom::fill(&mut random)?;
        Ok(Self::new(random))
    }

    /// The secret in a request; `None` when the text does not have the form of a secret.
    pub fn shown(text: &str) -> Option<Self> {
        let fits = text.len() == 2 * BYTES && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        fits.then(|| Self(text.to_owned()))
    }

    /// The text for its holder.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Its digest.
    pub fn digest(&self) -> Digest {
        Digest(Sha256::digest(&self.0).into())
    }

    /// A secret derived from this one, from which this one cannot be computed: the token against forged requests (CSRF).
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
    /// Its bytes, for the database.
    pub(super) fn bytes(&self) -> &[u8] {
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
