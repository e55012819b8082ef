//! The undelayed view for holders of keys. Behind the feature `keys`, which only the daemon switches on: no crate that
//! serves the public can name it.

use std::sync::Arc;

use hall_clock::HallClock;
use journal::{Committed, Feed, WeakRecorder};

use crate::gate::{Audience, Gate, History, Projected, Projection, View};

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

impl KeyView {
    /// The view over a record that is complete, for exports.
    pub fn of_record(entries: Vec<Committed>, history: &History, clock: HallClock) -> Self {
        let (feed, audience) = (Feed::complete(entries), Audience::KeyHolders);
        let projection = Projection::open(audience, clock.now(), history, &feed, clock, &WeakRecorder::none());
        Self { projection: Arc::new(projection) }
    }
}

impl Projected for KeyView {
    fn projection(&self) -> &Arc<Projection> {
        &self.projection
    }
}

impl View for KeyView {}
