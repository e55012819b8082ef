//! The undelayed view for holders of keys. Behind the feature `keys`, which only the daemon switches on: no crate that
//! serves the public can name it.

use std::sync::Arc;

use crate::gate::{Audience, Gate, Projected, Projection, View};

/// What holders of keys see: every round without delay; withdrawn games and hidden names are not in it. Copies share it.
#[derive(Clone)]
pub struct KeyView {
    projection: Arc<Projection>,
}

impl Gate {
    /// The view for holders of keys. What is in the feed already is released when this returns.
    pub fn keys(&self) -> KeyView {
        KeyView { projection: self.projection(Audience::KeyHolders) }
    }
}

impl Projected for KeyView {
    fn projection(&self) -> &Arc<Projection> {
        &self.projection
    }
}

impl View for KeyView {}
