//! The view of everyone under one policy: all that public addresses and outputs can name.

use std::sync::Arc;

use super::featured::Featured;
use super::projection::Projection;
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

    /// Entries of the record that were released.
    #[cfg(any(test, feature = "test-hall"))]
    pub(crate) fn version(&self) -> u64 {
        self.projection.version()
    }
}

impl Projected for PublicView {
    fn projection(&self) -> &Arc<Projection> {
        &self.projection
    }
}

impl View for PublicView {}
