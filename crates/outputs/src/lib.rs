//! Every outgoing consumer of a broadcast (Lichess, FTP, folders, web hooks), each a queue of its own fed by public views.
//!
//! **Where to start:** there are no consumers yet.
//!
//! **Must not know** the journal, the tournament or anything undelayed: it can name `publish` alone, and `publish::keys` does not
//! exist for this crate.

// `tests/wall` compiles this line and expects that it fails.
#[cfg(wall_proof)]
const _: Option<publish::keys::KeyView> = None;
