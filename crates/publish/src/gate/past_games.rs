//! Games of rounds that were over before the daemon started: the only place of publication that reads the journal.
//!
//! The journal archives no round of which a view holds something back. Must not know who asks.

use std::sync::Arc;

use journal::Archive;
use journal::{PastGame, Reader};
use notation::pgn::write_game;

use super::game_view::GameView;

/// The games of the past as far as a view has them.
#[derive(Debug)]
pub(super) struct PastGames {
    source: Option<Source>,
}

#[derive(Debug)]
struct Source {
    reader: Arc<Reader>,
    latest: Archive<GameView>,
}

impl PastGames {
    pub(super) fn new(reader: Option<Arc<Reader>>) -> Self {
        let source = reader.map(|reader| Source { latest: Archive::new(Arc::clone(&reader)), reader });
        Self { source }
    }

    /// A game by its id; none when the journal cannot be read at this moment, which is logged.
    pub(super) fn game(&self, id: &Arc<str>) -> Option<Arc<GameView>> {
        self.source.as_ref()?.latest.game(id, |past| released(&past))
    }

    /// A game as PGN; none as in [`PastGames::game`].
    pub(super) fn pgn(&self, id: &Arc<str>) -> Option<String> {
        self.stored(id).or_else(|| Some(write_game(&self.game(id)?.game.to_pgn())))
    }

    fn stored(&self, id: &str) -> Option<String> {
        self.source.as_ref()?.reader.snapshot(id).unwrap_or_else(|error| {
            tracing::error!(game = %id, %error, "the stored PGN of an archived game cannot be read");
            None
        })
    }

    /// A game to which something happened, as it was before the entry with this number. It is in memory from now on.
    pub(super) fn take(&self, id: &str, before: u64) -> Option<GameView> {
        let mut past = self.source.as_ref()?.latest.take(id)?;
        past.entries.retain(|earlier| earlier.number < before);
        Some(released(&past))
    }
}

/// A game of the past in a view: all its events.
fn released(past: &PastGame) -> GameView {
    let mut view = GameView::new(past.at.clone());
    for entry in &past.entries {
        view.apply(entry, entry.committed_at, 0);
    }
    view
}
