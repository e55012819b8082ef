//! For whom a view is: the public under a policy, or holders of keys.
//!
//! Decides which games of the hall a view shows. Must not know events of games.

use tournament::{Found, Hall, Round, is_shown};

/// What a public view holds back.
///
/// This version cannot delay a broadcast, so there is one policy. A delay of an event, a section, a round, a board or an output
/// becomes a policy, and a view, of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Seconds by which the view is behind the record.
    delay_s: u32,
}

impl Policy {
    /// Everything that is public, with the disk commit that records it.
    pub const NO_DELAY: Self = Self { delay_s: 0 };
}

/// For whom a view is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Everyone.
    Public(Policy),
    /// Holders of keys to undelayed games.
    #[cfg(feature = "keys")]
    KeyHolders,
}

impl Audience {
    /// Names the audience in the names of streams.
    pub(super) fn id(self) -> String {
        match self {
            Self::Public(Policy { delay_s }) => format!("public-{delay_s}"),
            #[cfg(feature = "keys")]
            Self::KeyHolders => "keys".to_owned(),
        }
    }

    /// Milliseconds by which the view is behind the record.
    pub(super) fn delay_ms(self) -> u64 {
        match self {
            Self::Public(Policy { delay_s }) => u64::from(delay_s) * 1000,
            #[cfg(feature = "keys")]
            Self::KeyHolders => 0,
        }
    }

    /// Whether the view may show a round at all: a public view shows no round that needs another delay than its own.
    pub(super) fn admits(self, round: &Round) -> bool {
        match self {
            Self::Public(Policy { delay_s }) => round.settings.delay_s == delay_s,
            #[cfg(feature = "keys")]
            Self::KeyHolders => true,
        }
    }

    /// Whether the view shows a game of the hall.
    pub(super) fn shows(self, hall: &Hall, found: &Found<'_>) -> bool {
        self.admits(found.round) && is_shown(hall, found)
    }
}
