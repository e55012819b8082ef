//! The session that a test watches with, with the recogniser that `BOARDCAST_RECOGNISER` names: `rules`, or the usual one.

use game_core::session::{BoardSession, Recognition};

#[allow(clippy::disallowed_methods, reason = "which recogniser is tested is asked for by an environment variable")]
pub(crate) fn recognition() -> Recognition {
    match std::env::var("BOARDCAST_RECOGNISER").as_deref() {
        Ok("rules") => Recognition::Rules,
        _ => Recognition::default(),
    }
}

/// A session without inputs so far.
pub(crate) fn new_session() -> BoardSession {
    BoardSession::with(recognition())
}
