//! What every view offers, for the public and for holders of keys alike.

use std::sync::Arc;

use super::game_view::GameView;
use super::projection::Projection;
use super::section_view::SectionView;

/// Gives a view its data. Not public, so that only this crate can make a view.
pub(crate) trait Projected {
    /// What was released to it.
    fn projection(&self) -> &Arc<Projection>;
}

/// A view of the sections: [`PublicView`](super::PublicView), or the one of holders of keys. Copies share it.
#[expect(private_bounds, reason = "only this crate makes views")]
pub trait View: Projected + Clone + Send + Sync + 'static {
    /// The sections that are listed, by slug.
    fn sections(&self) -> Vec<SectionView<Self>> {
        let projection = self.projection();
        projection.state().listed.iter().map(|slug| SectionView::new(projection, slug)).collect()
    }

    /// All sections, also those that are not listed: their addresses may have been given out beforehand.
    fn all_sections(&self) -> Vec<SectionView<Self>> {
        let projection = self.projection();
        let state = projection.state();
        let known = state.hall.sections.keys().filter_map(|slug| state.section(slug));
        known.map(|(slug, _)| SectionView::new(projection, slug)).collect()
    }

    /// A section, by its slug.
    fn section(&self, slug: &str) -> Option<SectionView<Self>> {
        let projection = self.projection();
        projection.state().section(slug).map(|(slug, _)| SectionView::new(projection, slug))
    }

    /// The featured section; none before the first is made.
    fn featured_section(&self) -> Option<SectionView<Self>> {
        let projection = self.projection();
        projection.state().featured.as_ref().map(|slug| SectionView::new(projection, slug))
    }

    /// The section that a game is in and the game itself, by its id. An archived game is read from the disk.
    fn game(&self, id: &str) -> Option<(SectionView<Self>, Arc<GameView>)> {
        self.sections().into_iter().find_map(|section| section.game(id).map(|game| (section, game)))
    }

    /// The section and the round that a game is in, by the game's id. Reads nothing from the disk.
    fn round_of_game(&self, id: &str) -> Option<(SectionView<Self>, u32)> {
        self.sections().into_iter().find_map(|section| section.round_of_game(id).map(|round| (section, round)))
    }

    /// Has `notify` called, briefly and from the gate's thread, after every release.
    fn watch(&self, notify: impl Fn() + Send + Sync + 'static) {
        self.watch_while(move || {
            notify();
            true
        });
    }

    /// The same for one that may end before the view: it is called until it returns false.
    fn watch_while(&self, notify: impl Fn() -> bool + Send + Sync + 'static) {
        self.projection().watch(notify);
    }
}
