//! What the public may know of one section: the games as far as the gate has released them, and the latest events of
//! each round.
//!
//! Knows nothing of the record behind the gate, of wire formats or of who is watching.

use std::sync::Arc;

use notation::pgn::write_game;

use super::game_view::GameView;
use super::hall::SectionInfo;
use super::round::{News, RoundView};
use super::state::{FIRST_ROUND, SectionState, Shared};
use hall_clock::UtcMs;

/// Public knowledge about one section; copies share it.
#[derive(Clone)]
pub struct View {
    pub(super) shared: Arc<Shared>,
    pub(super) slug: Arc<str>,
}

impl View {
    /// The section's part of addresses.
    pub fn slug(&self) -> &Arc<str> {
        &self.slug
    }

    /// The section.
    pub fn info(&self) -> Option<Arc<SectionInfo>> {
        self.read(|section| Some(Arc::clone(&section.info)))
    }

    /// When the view was opened, hall time.
    pub fn opened_at(&self) -> UtcMs {
        self.shared.opened_at
    }

    /// Changes whenever anything in the section changes.
    pub fn version(&self) -> u64 {
        self.read(|section| Some(section.version)).unwrap_or(0)
    }

    /// Number of the round that most boards play.
    pub fn current_round(&self) -> u32 {
        self.read(|section| Some(section.current)).unwrap_or(FIRST_ROUND)
    }

    /// One round, if it is known.
    pub fn round(&self, number: u32) -> Option<RoundView> {
        self.read(|section| section.rounds.get(&number).map(|round| section.view(number, round)))
    }

    /// All rounds that are known, in order.
    pub fn rounds(&self) -> Vec<RoundView> {
        self.cut_rounds(true)
    }

    /// The rounds that were not over long before the view was opened, in order.
    pub fn recent_rounds(&self) -> Vec<RoundView> {
        self.cut_rounds(false)
    }

    fn cut_rounds(&self, archived: bool) -> Vec<RoundView> {
        let cut = self.read(|section| {
            let rounds = section.rounds.iter().filter(|(_, round)| archived || !round.archived);
            Some(rounds.map(|(number, round)| section.view(*number, round)).collect())
        });
        cut.unwrap_or_default()
    }

    /// One game, by its id; nobody waits for one of the archive but the caller.
    pub fn game(&self, id: &str) -> Option<Arc<GameView>> {
        let archived = {
            let state = self.shared.state();
            let section = state.sections.get(&self.slug)?;
            if !section.is_public(id) {
                return None;
            }
            if let Some(game) = section.games.get(id) {
                return Some(Arc::clone(game));
            }
            Arc::clone(section.archived.get_key_value(id)?.0)
        };
        self.shared.archive.as_ref()?.game(&archived, |past| GameView::of_the_past(&past))
    }

    /// The PGN of a game of the archive; none when it cannot be read at this moment, which is logged.
    pub fn archived_pgn(&self, id: &str) -> Option<String> {
        let stored = self.shared.reader.as_ref()?.snapshot(id).unwrap_or_else(|error| {
            tracing::error!(game = %id, %error, "a game of the past cannot be shown");
            None
        });
        stored.or_else(|| Some(write_game(&self.game(id)?.game.to_pgn())))
    }

    /// What the stream of a round says after number `seq`, if the round is known.
    pub fn news(&self, round: u32, seq: u64) -> Option<News> {
        self.read(|section| section.rounds.get(&round).map(|round| round.news(seq)))
    }

    fn read<T>(&self, read: impl FnOnce(&SectionState) -> Option<T>) -> Option<T> {
        self.shared.state().sections.get(&self.slug).and_then(read)
    }
}
