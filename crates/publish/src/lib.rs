//! Publication: what the public may see of a broadcast, and when.
//!
//! The gate reads the committed feed of the journal, decides what is released and numbers it. Everything else here works on
//! its views: PGN bodies, snapshots, the hub that serves live viewers.
//!
//! **Where to start:** [`gate::open`] makes a [`gate::Gate`]; a [`gate::PublicView`] of it is all that public addresses and
//! outputs can name. `gate/release.rs` says what each entry of the record changes for viewers (a takeback, for example);
//! [`wire`] says how it is written. Undelayed views exist only with the feature `keys`, in the module `keys`; only the daemon
//! switches it on.
//!
//! **Must not know** boards, HTTP or who may log in. No type of the journal through which the record can be read leaves this
//! crate.

pub mod bodies;
pub mod following;
pub mod gate;
pub mod hub;
#[cfg(feature = "keys")]
pub mod keys;
pub mod livechess;
pub mod selection;
pub mod snapshot;
pub mod standings;
#[cfg(any(test, feature = "test-hall"))]
pub mod test_hall;
pub mod wire;
