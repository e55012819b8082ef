//! Passwords and their hashes: Argon2id as PHC strings, which carry their parameters.
//!
//! A hash takes about 20 MiB and tens of milliseconds: callers run it on one of few threads that may block.

use std::fmt;

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};

use super::{AccountsError, AccountsRefusal};

/// Minimum length in characters.
const LEAST: usize = 10;

/// Maximum length in characters.
const MOST: usize = 256;

/// Size of a salt in bytes.
pub const SALT_BYTES: usize = 16;

/// A new password of valid length; `{:?}` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

/// The hash of a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hashed(String);

impl Password {
    /// A new password, if its length is valid.
    ///
    /// # Errors
    /// [`AccountsRefusal::PasswordShort`], [`AccountsRefusal::PasswordLong`].
    pub fn choose(text: &str) -> Result<Self, AccountsError> {
        match text.chars().count() {
            ..LEAST => Err(AccountsRefusal::PasswordShort { least: LEAST }.into()),
            LEAST..=MOST => Ok(Self(text.to_owned())),
            _ => Err(AccountsRefusal::PasswordLong { most: MOST }.into()),
        }
    }

    /// Its hash with this salt, which is used once.
    ///
    /// # Errors
    /// [`AccountsError::Hash`] when there is no memory for it.
    pub fn hash(&self, salt: [u8; SALT_BYTES]) -> Result<Hashed, AccountsError> {
        let (params, version) = (Params::default(), Version::default());
        let hash = PasswordHash {
            algorithm: Algorithm::default().ident(),
            version: Some(version.into()),
            params: ParamsString::try_from(&params).map_err(AccountsError::Hash)?,
            salt: Some(Salt::new(&salt).map_err(|error| AccountsError::Hash(error.into()))?),
            hash: Some(computed(Algorithm::default(), version, params, &self.0, &salt, Params::DEFAULT_OUTPUT_LEN)?),
        };
        Ok(Hashed(hash.to_string()))
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

impl Hashed {
    /// The hash as it is stored.
    pub(super) fn stored(text: String) -> Self {
        Self(text)
    }

    /// For the column of the database.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the hash is of this password; a damaged hash is of none.
    pub fn is_of(&self, password: &str) -> bool {
        PasswordHash::new(&self.0).is_ok_and(|hash| is_hash_of(&hash, password).is_some_and(|is_same| is_same))
    }

    /// A hash that no password has and that takes as long to check: used for accounts that do not exist, so that timing does
    /// not tell which exist.
    pub fn of_no_password() -> Self {
        Self(format!("$argon2id$v=19$m=19456,t=2,p=1${}${}", "A".repeat(22), "A".repeat(43)))
    }
}

/// Computes the hash of a password like another one, and compares; none when the other one is damaged. The comparison takes the
/// same time whatever the hashes are.
fn is_hash_of(hash: &PasswordHash, password: &str) -> Option<bool> {
    let (salt, expected) = (hash.salt.as_ref()?, hash.hash.as_ref()?);
    let (params, algorithm) = (Params::try_from(hash).ok()?, Algorithm::try_from(hash.algorithm.as_str()).ok()?);
    let version = hash.version.map_or(Ok(Version::default()), Version::try_from).ok()?;
    let computed = computed(algorithm, version, params, password, salt.as_ref(), expected.as_bytes().len());
    Some(computed.ok()? == *expected)
}

/// Computes a hash of this length.
///
/// The system gets the memory back at the end. glibc does so in any case only with what is larger than 32 MiB: of less, each thread
/// that ever checked a password would keep it. What is reserved beyond the blocks is never touched, and so takes no memory.
fn computed(
    algorithm: Algorithm,
    version: Version,
    params: Params,
    password: &str,
    salt: &[u8],
    length: usize,
) -> Result<Output, AccountsError> {
    const GIVEN_BACK: usize = (33 << 20) / Block::SIZE;
    let failed = |error: argon2::Error| AccountsError::Hash(error.into());
    let (blocks, mut memory) = (params.block_count(), Vec::new());
    memory.try_reserve_exact(blocks.max(GIVEN_BACK)).map_err(|_| failed(argon2::Error::OutOfMemory))?;
    memory.resize(blocks, Block::default());
    let mut hash = vec![0; length];
    let hasher = Argon2::new(algorithm, version, params);
    hasher.hash_password_into_with_memory(password.as_bytes(), salt, &mut hash, &mut memory).map_err(failed)?;
    Output::new(&hash).map_err(|error| AccountsError::Hash(error.into()))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_password_is_known_again_by_its_hash() {
        let password = Password::choose("vier Wörter für Anna").unwrap();
        let hashed = password.hash([7; SALT_BYTES]).unwrap();
        assert!(hashed.as_str().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", hashed.as_str());
        assert!(hashed.is_of("vier Wörter für Anna"));
        assert!(!hashed.is_of("vier Wörter für Anna "));
        assert_ne!(password.hash([8; SALT_BYTES]).unwrap(), hashed);
        assert!(!Hashed::stored("rubbish".into()).is_of("rubbish"));
        assert_eq!(format!("{password:?}"), "Password(..)");
    }

    #[test]
    fn what_is_too_short_or_too_long_is_refused() {
        let refused = |text: &str| Password::choose(text).unwrap_err().to_string();
        assert_eq!(refused("ninechars"), "A password has at least 10 characters, for example four words.");
        assert_eq!(refused(&"ß".repeat(257)), "A password has at most 256 characters.");
        assert!(Password::choose("tenchars10").is_ok() && Password::choose(&"ß".repeat(256)).is_ok());
    }

    #[test]
    fn an_account_that_does_not_exist_refuses_as_slowly() {
        let real = Password::choose("correct horse").unwrap().hash([7; SALT_BYTES]).unwrap();
        let time = |hashed: &Hashed| {
            let start = Instant::now();
            assert!(!hashed.is_of("wrong horse"));
            start.elapsed()
        };
        // The best of several: a busy machine only adds.
        let best = |hashed: &Hashed| (0..5).map(|_| time(hashed)).min().unwrap();
        assert!(best(&Hashed::of_no_password()) * 2 > best(&real));
    }
}
