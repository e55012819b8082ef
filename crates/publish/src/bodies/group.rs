//! A run of games of a file, with what its file needs of them together.
//!
//! Shared by all versions of a file in which none of these games changed: a move in one of 100 games costs one group and the
//! list of groups, not 100 games. Must not know views.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use flate2::Crc;
use sha2::{Digest, Sha256};

use super::block::{Block, SMALL, deflate};

/// Number of games in a group: about the root of the number of games in a large round.
pub(super) const GROUP: usize = 16;

/// Up to [`GROUP`] games.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) games: Vec<Arc<Block>>,
    /// Digest of the games' digests.
    pub(super) digest: [u8; 32],
    /// Bytes of the text.
    pub(super) length: usize,
    crc: OnceLock<Crc>,
    packed: OnceLock<Bytes>,
}

impl Group {
    /// The group of these games: the `known` one if it has the same.
    pub(super) fn join(games: &[Arc<Block>], known: Option<&Arc<Self>>) -> Arc<Self> {
        if let Some(known) = known
            && known.games.len() == games.len()
            && known.games.iter().zip(games).all(|(own, other)| Block::is_same(own, other))
        {
            return Arc::clone(known);
        }
        let digests: Vec<_> = games.iter().map(|game| game.digest).collect();
        Arc::new(Self {
            games: games.to_vec(),
            digest: Sha256::digest(digests.as_flattened()).into(),
            length: games.iter().map(|game| game.text.len()).sum(),
            crc: OnceLock::new(),
            packed: OnceLock::new(),
        })
    }

    /// Checksum of the text, computed at the first call: to read the text again takes half of the time that joining the games'
    /// checksums does.
    pub(super) fn crc(&self) -> &Crc {
        self.crc.get_or_init(|| {
            let mut crc = Crc::new();
            for game in &self.games {
                crc.update(&game.text);
            }
            crc
        })
    }

    /// The games compressed as one run of deflate, at the first call: about half of what they take one by one and at once, for
    /// games share their words.
    pub(super) fn packed(&self) -> &Bytes {
        self.packed.get_or_init(|| {
            let texts: Vec<_> = self.games.iter().map(|game| &game.text[..]).collect();
            deflate(&SMALL, &texts.concat()).into()
        })
    }

    /// Whether they are compressed together already.
    pub(super) fn is_packed(&self) -> bool {
        self.packed.get().is_some()
    }
}
