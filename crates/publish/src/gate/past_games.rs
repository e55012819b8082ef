//! Games of rounds that were over before the daemon started: the only place of publication that reads the journal.
//!
//! Everything that a view says of such a game comes from here, so that the view's delay holds for it. Must not know who asks.

use std::sync::Arc;

use journal::Archive;
use journal::{PastGame, Reader};
use notation::pgn::write_game;

use super::audience::Audience;
use super::game_view::GameView;

/// The games of the past as far as a view has them.
#[derive(Debug)]
pub(super) struct PastGames {
    audience: Audience,
    source: Option<Source>,
}

#[derive(Debug)]
struct Source {
    reader: Arc<Reader>,
    latest: Archive<GameView>,
}

impl PastGames {
    pub(super) fn new(audience: Audience, reader: Option<Arc<Reader>>) -> Self {
        let source = reader.map(|reader| Source { latest: Archive::new(Arc::clone(&reader)), reader });
        Self { audience, source }
    }

    /// A game by its id; none when the journal cannot be read at this moment, which is logged.
    pub(super) fn game(&self, id: &Arc<str>) -> Option<Arc<GameView>> {
        self.source.as_ref()?.latest.game(id, |past| released(&past))
    }

    /// A game as PGN; none as in [`PastGames::game`]. The journal keeps the text of whole games: it serves views without a
    /// delay.
    pub(super) fn pgn(&self, id: &Arc<str>) -> Option<String> {
        let stored = if self.audience.delay_ms() == 0 { self.stored(id) } else { None };
        stored.or_else(|| Some(write_game(&self.game(id)?.game.to_pgn())))
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

/// A game of the past in a view: all its events, as no view has a delay. A view with a delay leaves out here what its cut has
/// not reached.
fn released(past: &PastGame) -> GameView {
    let mut view = GameView::new(past.at.clone());
    for entry in &past.entries {
        view.apply(entry, 0);
    }
    view
}
