//! Snapshots of a round, joined from pieces of JSON, one a game.
//!
//! A piece is written again only when its game changed. Must not know who gets a snapshot.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use bytes::Bytes;

use crate::gate::{GameView, SectionView, View};
use crate::wire;
use hall_clock::HallClock;

/// Games whose pieces are kept before all are dropped; more than the biggest hall has boards.
const KEPT: usize = 8 * 1024;

/// Makes snapshots of the rounds of a view.
pub struct Snapshots<V> {
    view: V,
    clock: HallClock,
    pieces: HashMap<Arc<str>, (u64, Arc<str>)>,
}

/// The state of a round up to an event.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Number of the last event in it.
    pub(crate) seq: u64,
    pub(crate) stream: Arc<str>,
    rest: Bytes,
    clock: HallClock,
}

impl Snapshot {
    /// The JSON in two pieces: the first holds the time of this call, the second is shared.
    pub fn pieces(&self) -> (String, Bytes) {
        (wire::snapshot_start(&self.stream, self.seq, self.clock), self.rest.clone())
    }
}

impl<V: View> Snapshots<V> {
    /// Snapshots of a view.
    pub fn new(view: V, clock: HallClock) -> Self {
        Self { view, clock, pieces: HashMap::new() }
    }

    /// A round of the section with this slug as it is now, or these games of it; `None` when it is not known.
    pub fn take(&mut self, slug: &str, round: u32, only: Option<&BTreeSet<Arc<str>>>) -> Option<Snapshot> {
        let section = self.view.section(slug)?;
        let round = section.round(round)?;
        let latest = match only {
            // A game that was chosen stays, also when the next one has begun at its table.
            Some(only) => round.games.iter().filter(|game| only.contains(&game.at().game)).cloned().collect(),
            None => round.latest(),
        };
        let games = latest.iter().filter_map(|game| section.listed(game));
        let games: Vec<_> = games.map(|game| self.piece(&game)).collect();
        let sections: Vec<_> = self.view.sections().iter().filter_map(SectionView::info).collect();
        let event = section.info()?;
        let rest = wire::snapshot_rest(self.clock, &event, &sections, &round, games.iter().map(|game| &**game));
        Some(Snapshot { seq: round.seq, stream: round.stream, rest: rest.into(), clock: self.clock })
    }

    fn piece(&mut self, game: &GameView) -> Arc<str> {
        if let Some((version, piece)) = self.pieces.get(&game.at.game)
            && *version == game.version
        {
            return Arc::clone(piece);
        }
        let piece: Arc<str> = wire::game(game).into();
        if self.pieces.len() >= KEPT {
            self.pieces.clear();
        }
        self.pieces.insert(Arc::clone(&game.at.game), (game.version, Arc::clone(&piece)));
        piece
    }
}
