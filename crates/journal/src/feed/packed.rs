//! Entries of the feed that every reader has read, in few bytes: only a view that is opened later reads them again.
//!
//! Events are compressed JSON; facts and the names of games are shared as they are. Must not know readers.

use std::io::{Read as _, Write as _};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use game_core::event::{Author, Event, Evidence};
use game_core::time::UtcMs;
use serde::{Deserialize, Serialize};
use tournament::GameRef;

use crate::entry::{Committed, RecordedEvent, RecordedFact};

/// Consecutive entries of the feed.
#[derive(Debug)]
pub(super) struct Packed {
    /// Number of the last one.
    pub(super) last: u64,
    /// How many they are.
    pub(super) length: usize,
    /// The games of the events.
    pub(super) games: Box<[GameRef]>,
    facts: Box<[Arc<RecordedFact>]>,
    /// Deflated JSON: an array with a [`PackedEvent`] for each event of a game, and null for each fact.
    pub(super) events: Box<[u8]>,
}

/// An event of a game. Its number and instant are differences to those of the event before.
#[derive(Deserialize, Serialize)]
struct PackedEvent {
    number: u64,
    at: i64,
    /// After `at`.
    committed_at: i64,
    /// After the commit.
    effective_at: i64,
    /// Numbers before its own.
    step: u64,
    /// Place of the game in the list.
    game: usize,
    author: Author,
    evidence: Evidence,
    event: Event,
}

/// What the next event differs from.
#[derive(Default)]
struct Before {
    number: u64,
    at: UtcMs,
}

impl Packed {
    /// Packs entries; none when they would not come out as they are.
    pub(super) fn of(entries: &[Committed]) -> Option<Self> {
        let (mut games, mut facts, mut before) = (Vec::new(), Vec::new(), Before::default());
        let mut events = Vec::with_capacity(entries.len());
        for entry in entries {
            events.push(match entry {
                Committed::Hall(fact) => {
                    facts.push(Arc::clone(fact));
                    None
                }
                Committed::Game(entry) => Some(before.difference(entry, place_of(&entry.game, &mut games))),
            });
        }
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::default());
        packed.write_all(&serde_json::to_vec(&events).ok()?).ok()?;
        let packed = Self {
            last: entries.last()?.number(),
            length: entries.len(),
            games: games.into(),
            facts: facts.into(),
            events: packed.finish().ok()?.into(),
        };
        (packed.unpack() == entries).then_some(packed)
    }

    /// The entries.
    pub(super) fn unpack(&self) -> Vec<Committed> {
        let mut json = Vec::new();
        // [`Self::of`] has tried: nothing of this fails.
        let read = DeflateDecoder::new(&*self.events).read_to_end(&mut json);
        let events: Vec<Option<PackedEvent>> =
            read.ok().and_then(|_| serde_json::from_slice(&json).ok()).unwrap_or_default();
        let (mut facts, mut before) = (self.facts.iter(), Before::default());
        let entry = |event: Option<PackedEvent>| match event {
            None => facts.next().map(|fact| Committed::Hall(Arc::clone(fact))),
            Some(event) => before.sum(event, &self.games).map(Arc::new).map(Committed::Game),
        };
        events.into_iter().filter_map(entry).collect()
    }
}

/// The place of a game in a list, at whose end it is put if it is not there.
fn place_of(game: &GameRef, games: &mut Vec<GameRef>) -> usize {
    games.iter().position(|known| known == game).unwrap_or_else(|| {
        games.push(game.clone());
        games.len() - 1
    })
}

impl Before {
    /// An event as it differs from the one before.
    fn difference(&mut self, entry: &RecordedEvent, game: usize) -> PackedEvent {
        let after = |one: UtcMs, other: UtcMs| one.wrapping_sub(other).cast_signed();
        let packed = PackedEvent {
            number: entry.number.wrapping_sub(self.number),
            at: after(entry.at, self.at),
            committed_at: after(entry.committed_at, entry.at),
            effective_at: after(entry.effective_at, entry.committed_at),
            step: entry.number.wrapping_sub(entry.step),
            game,
            author: entry.author.clone(),
            evidence: entry.evidence,
            event: entry.event.clone(),
        };
        (self.number, self.at) = (entry.number, entry.at);
        packed
    }

    /// The event that differs so from the one before; none without its game.
    fn sum(&mut self, packed: PackedEvent, games: &[GameRef]) -> Option<RecordedEvent> {
        let number = self.number.wrapping_add(packed.number);
        let at = self.at.wrapping_add_signed(packed.at);
        let committed_at = at.wrapping_add_signed(packed.committed_at);
        (self.number, self.at) = (number, at);
        Some(RecordedEvent {
            number,
            committed_at,
            effective_at: committed_at.wrapping_add_signed(packed.effective_at),
            step: number.wrapping_sub(packed.step),
            at,
            game: games.get(packed.game)?.clone(),
            author: packed.author,
            evidence: packed.evidence,
            event: packed.event,
        })
    }
}
