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

/// A state of a game: its id and its version.
pub(super) type GameState = (Arc<str>, u64);

/// Up to [`GROUP`] games.
#[derive(Debug)]
pub(super) struct Group {
    /// The states of its games when it was made.
    made_of: Vec<GameState>,
    pub(super) games: Vec<Arc<Block>>,
    /// Digest of the games' digests.
    pub(super) digest: [u8; 32],
    /// Bytes of the text.
    pub(super) length: usize,
    crc: OnceLock<Crc>,
    packed: OnceLock<Bytes>,
}

impl Group {
    /// The group of these games, each with the state that it was made of.
    pub(super) fn join(games: Vec<(GameState, Arc<Block>)>) -> Self {
        let (made_of, games): (Vec<_>, Vec<_>) = games.into_iter().unzip();
        let digests: Vec<_> = games.iter().map(|game: &Arc<Block>| game.digest).collect();
        Self {
            made_of,
            digest: Sha256::digest(digests.as_flattened()).into(),
            length: games.iter().map(|game| game.text.len()).sum(),
            games,
            crc: OnceLock::new(),
            packed: OnceLock::new(),
        }
    }

    /// Whether it is made of games in these states. Reads no text, and no id that is shared.
    pub(super) fn is_of<'a>(&self, states: impl ExactSizeIterator<Item = (&'a Arc<str>, u64)>) -> bool {
        let is_same = |(own, (game, version)): (&GameState, (&Arc<str>, u64))| {
            own.1 == version && (Arc::ptr_eq(&own.0, game) || own.0 == *game)
        };
        self.made_of.len() == states.len() && self.made_of.iter().zip(states).all(is_same)
    }

    /// Whether both have the same text. Nothing is read for games that are shared.
    pub(super) fn is_same(one: &Arc<Self>, other: &Arc<Self>) -> bool {
        Arc::ptr_eq(one, other) || one.digest == other.digest
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
