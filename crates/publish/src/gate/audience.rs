//! For whom a view is: the public under a policy, or holders of keys.
//!
//! Decides which games of the hall a view shows, and how long it waits. Must not know events of games.

use hall_clock::UtcMs;
use tournament::{Delay, Found, Hall, is_shown};

/// What a public view holds back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Held back at least so long, whatever the organiser's delay is.
    at_least: Delay,
}

impl Policy {
    /// What everyone sees: every game with the delay that the organiser set for its board, round, section or tournament.
    pub const PUBLIC: Self = Self { at_least: Delay::NONE };

    /// The same, but no game with a shorter delay than this one: for an output with a delay of its own. An output cannot be
    /// ahead of the public.
    #[must_use]
    pub const fn at_least(delay: Delay) -> Self {
        Self { at_least: delay }
    }
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

/// How long a view waits with something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wait {
    /// Seconds from the effective instant.
    pub seconds: u32,
    /// Whether also until the game is over.
    pub until_over: bool,
}

impl Wait {
    /// Whether it does not wait.
    pub(super) fn is_none(self) -> bool {
        self == Self::default()
    }

    pub(super) fn ms(self) -> UtcMs {
        u64::from(self.seconds) * 1000
    }

    /// The longer of both.
    pub(super) fn and(self, delay: Delay) -> Self {
        match delay {
            Delay::Seconds(seconds) => Self { seconds: self.seconds.max(seconds), ..self },
            Delay::UntilOver => Self { until_over: true, ..self },
        }
    }
}

impl Audience {
    /// Names the audience in the names of streams and in the journal.
    pub(super) fn id(self) -> String {
        match self {
            Self::Public(Policy::PUBLIC) => "public".to_owned(),
            Self::Public(Policy { at_least }) => format!("public, {at_least}"),
            #[cfg(feature = "keys")]
            Self::KeyHolders => "keys".to_owned(),
        }
    }

    /// How long the view waits with the game of a board.
    pub(super) fn wait(self, hall: &Hall, section: &str, round: u32, board: u32) -> Wait {
        self.wait_for(hall.section(section).map(|section| hall.delay(section, round, board)))
    }

    /// How long the view waits with the games of a round, single boards apart.
    pub(super) fn round_wait(self, hall: &Hall, section: &str, round: u32) -> Wait {
        self.wait_for(hall.section(section).map(|section| hall.round_delay(section, round)))
    }

    /// How long the view waits with what concerns a whole round: as long as with the slowest of its boards.
    pub(super) fn longest_wait(self, hall: &Hall, section: &str, round: u32) -> Wait {
        let wait = self.round_wait(hall, section, round);
        match (self, hall.section(section)) {
            (Self::Public(_), Some(section)) => {
                section.settings.board_delays.values().fold(wait, |wait, delay| wait.and(*delay))
            }
            _ => wait,
        }
    }

    fn wait_for(self, delay: Option<Delay>) -> Wait {
        match self {
            Self::Public(Policy { at_least }) => Wait::default().and(at_least).and(delay.unwrap_or_default()),
            #[cfg(feature = "keys")]
            Self::KeyHolders => Wait::default(),
        }
    }

    /// Whether the view keeps what it releases in the journal: one that never waits needs not.
    pub(super) fn may_wait(self) -> bool {
        matches!(self, Self::Public(_))
    }
}

/// Whether a view shows a game of the hall, which is the hall as far as it was released.
pub(super) fn shows(hall: &Hall, found: &Found<'_>) -> bool {
    is_shown(hall, found)
}
