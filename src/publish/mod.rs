//! Publication: from the committed feed to what everybody may see.
//!
//! The [`gate`] alone reads the feed; everything else here can name nothing but its [`View`](gate::View). Knows nothing
//! of boards.

pub mod bodies;
pub mod gate;
pub mod hub;
pub mod selection;
pub mod snapshot;
#[cfg(test)]
pub(crate) mod test_hall;
pub(crate) mod wire;
