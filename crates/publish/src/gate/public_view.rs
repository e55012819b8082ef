//! The view of everyone under one policy: all that public addresses and outputs can name.

use std::sync::Arc;

use super::featured::Featured;
use super::projection::Projection;
#[cfg(any(test, feature = "test-hall"))]
use super::section_view::SectionView;
use super::view::{Projected, View};

/// What everyone may see under one policy; copies share it.
#[derive(Clone)]
pub struct PublicView {
    projection: Arc<Projection>,
}

impl PublicView {
    pub(super) fn new(projection: Arc<Projection>) -> Self {
        Self { projection }
    }

    /// What viewers get who ask for no section or no round.
    pub(crate) fn featured(&self) -> Featured {
        self.projection.state().featured()
    }

    /// A section that may not be there yet.
    #[cfg(any(test, feature = "test-hall"))]
    pub(crate) fn section_view(&self, slug: &str) -> SectionView<Self> {
        SectionView::new(&self.projection, &slug.into())
    }

    /// Entries of the record that the view knows, released or not.
    #[cfg(any(test, feature = "test-hall"))]
    pub(crate) fn taken(&self) -> u64 {
        self.projection.taken()
    }
}

impl Projected for PublicView {
    fn projection(&self) -> &Arc<Projection> {
        &self.projection
    }
}

impl View for PublicView {}
