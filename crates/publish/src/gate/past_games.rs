//! Games that are not in memory, as their rounds were over before the daemon started or are long over: the only place of publication
//! that reads the journal.
//!
//! What is done to such a game later may be held back, and is not read. Must not know who asks.

use std::sync::Arc;

use journal::Archive;
use journal::{PastGame, Reader};
use notation::pgn::write_game;

use super::game_view::{Archived, GameView};

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

    /// Whether there is a journal to read them from.
    pub(super) fn can_be_read(&self) -> bool {
        self.source.is_some()
    }

    /// A game; none when the journal cannot be read at this moment, which is logged.
    pub(super) fn game(&self, archived: &Archived) -> Option<Arc<GameView>> {
        let latest = &self.source.as_ref()?.latest;
        let id = &archived.at.game;
        let game = latest.game(id, |past| released(past, archived))?;
        if game.version == archived.version {
            return Some(game);
        }
        // It was in memory meanwhile.
        Some(Arc::new(released(latest.take(id)?, archived)))
    }

    /// A game as PGN; none as in [`PastGames::game`].
    pub(super) fn pgn(&self, archived: &Archived) -> Option<String> {
        self.stored(archived).or_else(|| Some(write_game(&self.game(archived)?.game.to_pgn())))
    }

    fn stored(&self, archived: &Archived) -> Option<String> {
        let id = &archived.at.game;
        self.source.as_ref()?.reader.snapshot(id, archived.next).unwrap_or_else(|error| {
            tracing::error!(game = %id, %error, "the stored PGN of an archived game cannot be read");
            None
        })
    }

    /// A game to which something happened, as it was before that. It is in memory from now on.
    pub(super) fn take(&self, archived: &Archived) -> Option<GameView> {
        Some(released(self.source.as_ref()?.latest.take(&archived.at.game)?, archived))
    }
}

/// A game of the past in a view: all its events that were released when it left memory.
fn released(past: PastGame, archived: &Archived) -> GameView {
    let mut view = GameView::new(past.at);
    for entry in past.entries.iter().filter(|entry| entry.number < archived.next) {
        view.apply(entry, entry.committed_at, 0);
    }
    view.version = archived.version;
    view.changed_at = archived.changed_at.unwrap_or(view.changed_at);
    view
}
