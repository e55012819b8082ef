//! Snapshots of a round, joined from pieces of JSON, one a game.
//!
//! Like the PGN bodies: a piece is written again only when its game changed. Must not know who gets a snapshot.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;

use crate::hall_clock::HallClock;
use crate::publish::gate::{GameView, View};
use crate::publish::wire;

/// Makes snapshots of a view's rounds.
pub struct Snapshots {
    view: View,
    clock: HallClock,
    pieces: HashMap<Arc<str>, (u64, Arc<str>)>,
}

/// The state of a round up to an event.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Number of the last event in it.
    pub seq: u64,
    stream: Arc<str>,
    rest: Bytes,
    clock: HallClock,
}

impl Snapshot {
    /// The JSON in two pieces: the first tells the time of this call, the second is shared.
    pub fn pieces(&self) -> (String, Bytes) {
        (wire::snapshot_start(&self.stream, self.seq, self.clock), self.rest.clone())
    }

    /// Size of the shared piece in bytes.
    pub fn size(&self) -> usize {
        self.rest.len()
    }
}

impl Snapshots {
    /// Snapshots of this view.
    pub fn new(view: View, clock: HallClock) -> Self {
        Self { view, clock, pieces: HashMap::new() }
    }

    /// The round as it is now; `None` when it is not known.
    pub fn take(&mut self, round: u32) -> Option<Snapshot> {
        let round = self.view.round(round)?;
        let games: Vec<_> = round.latest().iter().map(|game| self.piece(game)).collect();
        let rest = wire::snapshot_rest(self.clock, self.view.event(), round.number, games.iter().map(|game| &**game));
        Some(Snapshot { seq: round.seq, stream: round.stream, rest: rest.into(), clock: self.clock })
    }

    fn piece(&mut self, game: &GameView) -> Arc<str> {
        if let Some((version, piece)) = self.pieces.get(&game.at.game)
            && *version == game.version
        {
            return Arc::clone(piece);
        }
        let piece: Arc<str> = wire::game(game).into();
        self.pieces.insert(Arc::clone(&game.at.game), (game.version, Arc::clone(&piece)));
        piece
    }
}
