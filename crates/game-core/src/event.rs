//! The vocabulary of what happened: the events of a game, who says so and on what evidence.
//!
//! The same words go into the journal, the live feed and `replay --events` (DESIGN 3.3). Knows nothing of boards, ports,
//! storage or the people who watch.

use std::collections::BTreeMap;
use std::fmt;

use notation::pgn::Outcome;
use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Color};

use crate::time::Timestamp;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The player of the white pieces.
    White,
    /// The player of the black pieces.
    Black,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

/// The rules a game is played by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Orthodox chess, from its start position or from a FEN.
    #[default]
    Standard,
    /// Chess960: castling may start from other files.
    Chess960,
}

impl Variant {
    /// How castling is understood and written in this variant.
    pub const fn castling_mode(self) -> CastlingMode {
        match self {
            Self::Standard => CastlingMode::Standard,
            Self::Chess960 => CastlingMode::Chess960,
        }
    }

    /// The value of the `Variant` tag.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "Standard",
            Self::Chess960 => "Chess960",
        }
    }
}

/// Something that happened in a game (DESIGN 3.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A game began from this position.
    GameStarted {
        /// The start position.
        fen: String,
        /// The rules.
        variant: Variant,
    },
    /// A confirmed move.
    Move {
        /// Ply number, from 1.
        ply: u32,
        /// The move in SAN, with `+` or `#`.
        san: String,
        /// The move in UCI; castling as `e1g1`, in Chess960 as king takes rook.
        uci: String,
        /// What the mover's clock showed after the press, in milliseconds; absent when no reading tells.
        clk_ms: Option<u64>,
        /// Time spent on the move, in milliseconds; absent when nothing tells.
        emt_ms: Option<u64>,
    },
    /// Moves are taken back; plies 1 to `to_ply` stay.
    Retract {
        /// The last ply that stays; 0 when none does.
        to_ply: u32,
    },
    /// A later reading gives the times of a move already published.
    Amend {
        /// Ply number, from 1.
        ply: u32,
        /// As in [`Event::Move`].
        clk_ms: Option<u64>,
        /// As in [`Event::Move`].
        emt_ms: Option<u64>,
    },
    /// PGN tags of the game are set; an empty value removes one.
    Tags {
        /// Tag name to value.
        tags: BTreeMap<String, String>,
    },
    /// The clocks were read after a lever flip, a start, a stop, a jump or a loss, never for ticks.
    Clock {
        /// White's time left in milliseconds; absent when unknown.
        white_ms: Option<u64>,
        /// Black's time left in milliseconds; absent when unknown.
        black_ms: Option<u64>,
        /// Whose time runs; nobody's when stopped or unknown.
        running: Option<Side>,
        /// Whose flag is down, for arbiters: of two the one that fell first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        flag: Option<Side>,
        /// The instant of the reading in milliseconds: since the start of the capture in `replay`, UTC in the journal and the feed.
        read_at: u64,
    },
    /// The board shows a position that no line of play explains. For arbiters; the public feed says `waiting`.
    Unexplained {
        /// The squares concerned, as `e4`.
        squares: Vec<String>,
    },
    /// The game goes on from what nothing explains: from an illegal move that stands. Its record stops at its last move.
    PlayedOn,
    /// The board is explained again.
    Resolved,
    /// The game's result; `*` takes an earlier one back.
    Result {
        /// One of the four results of PGN.
        #[serde(with = "outcome_text")]
        result: Outcome,
        /// What tells it: `checkmate`, `stalemate`, `kings in the centre` and the like.
        reason: String,
    },
    /// Nothing that happens on the board belongs to this game any more.
    GameEnded,
}

impl Event {
    /// The event with its instants moved by `offset_ms`: from session time to UTC when given the session's start.
    #[must_use]
    pub fn shifted(mut self, offset_ms: u64) -> Self {
        if let Self::Clock { read_at, .. } = &mut self {
            *read_at = read_at.saturating_add(offset_ms);
        }
        self
    }
}

/// Results travel as PGN writes them.
mod outcome_text {
    use notation::pgn::Outcome;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references to the functions that it calls")]
    pub(super) fn serialize<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(outcome.as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
        let text = String::deserialize(deserializer)?;
        Outcome::parse(&text).ok_or_else(|| D::Error::custom("a result is one of 1-0, 0-1, 1/2-1/2 and *"))
    }
}

/// Who says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// The board's own evidence, weighed by recognition.
    Board,
    /// A person, by name.
    Operator(String),
    /// A rule in the settings.
    Rule(String),
}

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board => f.write_str("board"),
            Self::Operator(name) => write!(f, "operator {name}"),
            Self::Rule(name) => write!(f, "rule {name}"),
        }
    }
}

/// What made an event certain enough to give out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// The mover pressed the clock.
    Lever,
    /// The opponent's move was legal from it.
    Reply,
    /// The position stood long enough.
    Quiet,
    /// A full dump of the board.
    Dump,
    /// The board's own log of events.
    Log,
    /// A reading of the clock.
    Clock,
    /// The rules of chess: mate, stalemate.
    Rules,
    /// The start position stood on the board.
    StartPosition,
    /// A person or a pairing said so.
    Command,
}

/// An event as a session gives it out. As JSON: one line of `replay --events`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// When the session gave it out.
    pub t: Timestamp,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
    /// Who says so.
    pub author: Author,
    /// Why it is believed.
    pub evidence: Evidence,
}
