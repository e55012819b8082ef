//! Every outgoing consumer of a broadcast (Lichess, FTP, folders, web hooks), each a queue of its own fed by public views.
//!
//! Must not know the journal, the tournament or anything undelayed: `publish` is the only crate it can name. It has no
//! consumers yet.
