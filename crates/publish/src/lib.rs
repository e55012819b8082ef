//! Publication: from the committed feed to what everybody may see.
//!
//! The [`gate`] alone reads the feed; everything else here can name nothing but its [`View`](gate::View). Knows nothing
//! of boards.

pub mod bodies;
pub mod gate;
pub mod hub;
pub mod selection;
pub mod snapshot;
#[cfg(any(test, feature = "test-hall"))]
pub mod test_hall;
pub mod wire;
