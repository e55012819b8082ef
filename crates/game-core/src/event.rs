//! The events of a game, each with its author and its evidence.
//!
//! The same events go into the journal, the live feed and `replay --events` (docs/contracts.md, 3.3), so their JSON
//! names do not change. Must not know boards, ports, storage or viewers.

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

/// The rules of a game.
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
    /// The castling rules of this variant.
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

/// An event of a game (docs/contracts.md, 3.3).
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
        /// The mover's time after the press in milliseconds; absent without a reliable reading.
        clk_ms: Option<u64>,
        /// Time spent on the move in milliseconds; absent when it is unknown.
        emt_ms: Option<u64>,
    },
    /// Moves are taken back; plies 1 to `to_ply` stay.
    Retract {
        /// The last ply that stays; 0 when none does.
        to_ply: u32,
    },
    /// The times of a published move change because of a later reading.
    Amend {
        /// Ply number, from 1.
        ply: u32,
        /// As in [`Event::Move`].
        clk_ms: Option<u64>,
        /// As in [`Event::Move`].
        emt_ms: Option<u64>,
    },
    /// PGN tags are set; an empty value removes a tag.
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
        /// The player whose time runs; absent when the clock is stopped or unknown.
        running: Option<Side>,
        /// The player whose flag is down, for arbiters; of two, the one whose flag fell first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        flag: Option<Side>,
        /// The instant of the reading in milliseconds: since the start of the capture in `replay`, UTC in the journal and the feed.
        read_at: u64,
    },
    /// Comments, glyphs and variations of an imported game. They are in its PGN as long as the moves and times are these.
    Annotated {
        /// The movetext as PGN.
        movetext: String,
    },
    /// No line of play explains the position on the board. For arbiters; the public feed says `waiting`.
    Unexplained {
        /// The squares concerned, as `e4`.
        squares: Vec<String>,
    },
    /// Moves went unseen that nothing explains: play goes on from another position, and its plies are counted on. The public feed
    /// has it as well.
    Gap {
        /// The last ply before it; 0 when there is none.
        after_ply: u32,
        /// The position from which the game goes on; absent when the gap was filled and is none any more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fen: Option<String>,
    },
    /// Play goes on from an illegal move that stands, or the last moves before the result went unseen. The record stops at its last
    /// move.
    PlayedOn,
    /// A line of play explains the board again.
    Resolved,
    /// The result of the game; `*` takes an earlier one back.
    Result {
        /// One of the four results of PGN.
        #[serde(with = "outcome_text")]
        result: Outcome,
        /// The reason: `checkmate`, `stalemate`, `kings in the centre` and the like.
        reason: String,
    },
    /// The game has ended: later changes on the board do not belong to it.
    GameEnded,
}

impl Event {
    /// The event with its instants moved by `offset_ms`, for example by the UTC start of the session.
    #[must_use]
    pub fn shifted(mut self, offset_ms: u64) -> Self {
        if let Self::Clock { read_at, .. } = &mut self {
            *read_at = read_at.saturating_add(offset_ms);
        }
        self
    }
}

/// A result as people read it: one of PGN's four, or a score that PGN has no marker for (`0-0`, `1/2-0`, `0-1/2`), whose event
/// has the outcome `*` and begins its reason with the score.
pub fn shown_result(result: Outcome, reason: &str) -> &'static str {
    if result != Outcome::Unknown {
        return result.as_str();
    }
    match reason.split(',').next().unwrap_or_default().trim() {
        "0-0" | "- - -" => "0-0",
        "1/2-0" => "1/2-0",
        "0-1/2" => "0-1/2",
        _ => result.as_str(),
    }
}

/// Results as PGN writes them.
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

/// The author of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Author {
    /// The board, through recognition.
    Board,
    /// A person, by name.
    Operator(String),
    /// A rule of the settings.
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

/// What made an event certain enough to publish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// The mover pressed the clock.
    Lever,
    /// The opponent's move was legal from it.
    Reply,
    /// The position stood for its confirmation delay.
    Quiet,
    /// A full dump of the board.
    Dump,
    /// The board's own log of events.
    Log,
    /// A reading of the clock.
    Clock,
    /// The rules of chess: mate, stalemate.
    Rules,
    /// A start position was on the board.
    StartPosition,
    /// A person or a pairing.
    Command,
}

/// An event with its instant, author and evidence. As JSON: one line of `replay --events`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// When the session gave it out.
    pub t: Timestamp,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
    /// Its author.
    pub author: Author,
    /// Its evidence.
    pub evidence: Evidence,
}
