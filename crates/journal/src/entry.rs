//! The entries of the journal, before and after their commit: events of games, facts of the hall, facts of boards.
//!
//! Must not know how they are stored or read.

use std::sync::Arc;

use crate::releases::{Release, ReleasedRound};
use game_core::event::{Author, Event, Evidence};
use game_core::time::UtcMs;
use tournament::{Fact, GameRef, PersonRecord, PlayerId};

/// An event of a game, before its commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// When the session gave it out, hall time.
    pub at: UtcMs,
    /// The game.
    pub game: GameRef,
    /// Who says so.
    pub author: Author,
    /// Why it is believed.
    pub evidence: Evidence,
    /// What happened; its instants are UTC ([`Event::shifted`]).
    pub event: Event,
}

/// A fact of the hall, before its commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFact {
    /// Who says so.
    pub by: Author,
    /// Why, in the author's words.
    pub reason: Option<String>,
    /// What became true.
    pub fact: Fact,
}

/// A committed fact of the hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedFact {
    /// Position in the record; one count for events of games and facts of the hall.
    pub number: u64,
    /// Hall time of the commit.
    pub committed_at: UtcMs,
    /// The instant by which delay counts.
    pub effective_at: UtcMs,
    /// Who says so.
    pub by: Author,
    /// Why, in the author's words.
    pub reason: Option<String>,
    /// What became true.
    pub fact: Fact,
}

/// An entry of the committed feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Committed {
    /// An event of a game.
    Game(Arc<RecordedEvent>),
    /// A fact of the hall.
    Hall(Arc<RecordedFact>),
}

impl Committed {
    /// Position in the record.
    pub fn number(&self) -> u64 {
        match self {
            Self::Game(entry) => entry.number,
            Self::Hall(entry) => entry.number,
        }
    }

    /// The event of a game, if it is one.
    pub fn game(&self) -> Option<&Arc<RecordedEvent>> {
        match self {
            Self::Game(entry) => Some(entry),
            Self::Hall(_) => None,
        }
    }
}

/// A committed event of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedEvent {
    /// Position in the record, from 0; one count for events of games and facts of the hall.
    pub number: u64,
    /// Hall time of the commit.
    pub committed_at: UtcMs,
    /// The instant by which delay counts: that of the commit; for a correction, that of what it corrects
    /// (docs/contracts.md, 1.6).
    pub effective_at: UtcMs,
    /// Number of the first entry of its [`Batch`]: entries of one step were recorded together.
    pub step: u64,
    /// When the session gave it out, hall time.
    pub at: UtcMs,
    /// The game.
    pub game: GameRef,
    /// Who says so.
    pub author: Author,
    /// Why it is believed.
    pub evidence: Evidence,
    /// What happened.
    pub event: Event,
}

/// A fact of a board itself. Its table and the game on it are facts of the hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardFact {
    /// How the board and its clock are turned.
    Orientation {
        /// Whether White sits at the far end.
        rotated: bool,
        /// Whether the clock's left side is White's; none while unknown.
        white_is_left: Option<bool>,
    },
    /// All squares whose reports are ignored.
    IgnoredSquares {
        /// As `e4`.
        squares: Vec<String>,
    },
}

/// A fact of a board, before its commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBoardFact {
    /// Hall time.
    pub at: UtcMs,
    /// Serial number.
    pub board: Arc<str>,
    /// What happened.
    pub fact: BoardFact,
}

/// Entries that are committed together, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Facts of boards.
    pub boards: Vec<NewBoardFact>,
    /// Facts of the hall, in order.
    pub hall: Vec<NewFact>,
    /// Changed persons; none for a person who is forgotten. Then all tags of that person's games are among
    /// [`Batch::games`], and their earlier values are removed.
    pub persons: Vec<(PlayerId, Option<PersonRecord>)>,
    /// Events of games, in order.
    pub games: Vec<NewEvent>,
    /// Moments of views with a delay.
    pub releases: Vec<Release>,
    /// Rounds of which a view holds nothing back any more.
    pub released_rounds: Vec<ReleasedRound>,
}

impl Batch {
    /// Number of its events and facts.
    pub(crate) fn weight(&self) -> usize {
        self.games.len() + self.hall.len()
    }
}
