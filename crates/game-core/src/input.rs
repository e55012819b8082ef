//! Everything that can reach a board's session, in one closed type.
//!
//! Each input is one line of a capture file (DESIGN 3.2, invariant 1): what is not here cannot influence a game. Knows
//! nothing of how inputs arrive.

use notation::pgn::Outcome;
use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Square};

use crate::controls::Controls;
use crate::event::{Evidence, Variant};

/// One thing that reaches a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Bytes from the board; the borders of chunks mean nothing.
    Bytes(Vec<u8>),
    /// Something that is not bytes.
    Notice(Notice),
}

/// An input that is not bytes: the JSON object of a `!` line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// The board can be reached.
    Attach(Attach),
    /// The board cannot be reached any more.
    Detach(Detach),
    /// The next or current game on this board is this one.
    Assign(Assign),
    /// An operator's hand.
    Command(Command),
    /// What the record knew when this capture began: the first line after a restart or a change of day.
    Resume(Resume),
    /// The capture ends here on purpose; deadlines still due do not run.
    End {},
}

/// A board came within reach.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Attach {
    /// The port's name, for people.
    pub port: String,
    /// The board's serial number as it told it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// Firmware version, main and sub.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<(u8, u8)>,
}

/// A board went out of reach.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Detach {
    /// What was seen: «unplugged», «no answer for 5 s».
    pub reason: String,
}

/// Which results that a board shows are the game's half a minute later unless they are undone. All others wait for a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultRule {
    /// Mate, stalemate, and what the players show: kings in the centre, a piece made for it.
    #[default]
    Shown,
    /// Mate and stalemate.
    ByRules,
    /// None.
    Confirmed,
}

impl ResultRule {
    /// Whether a result on this evidence needs nobody's word.
    pub const fn trusts(self, evidence: Evidence) -> bool {
        match self {
            Self::Shown => true,
            Self::ByRules => matches!(evidence, Evidence::Rules),
            Self::Confirmed => false,
        }
    }
}

/// Which game is played on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Assign {
    /// The game's id.
    pub game: String,
    /// Start position, when not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The rules.
    pub variant: Variant,
    /// The time control.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_control: Option<Controls>,
    /// Whose word its result needs.
    pub result_rule: ResultRule,
}

/// What an operator orders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// The operator's name.
    pub by: String,
    /// The order.
    #[serde(flatten)]
    pub order: Order,
}

/// An operator's order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub enum Order {
    /// A new game starts from this position, whatever was played before.
    StartFrom {
        /// The start position.
        fen: String,
        /// The rules.
        #[serde(default)]
        variant: Variant,
    },
    /// After the first plies of the game these moves were played, and none else: a move is inserted, replaced or deleted,
    /// or the whole list is set. Recognition goes on from there.
    Moves {
        /// How many plies stay as they are.
        keep: u32,
        /// The moves after them in UCI, all of them up to the position on the board.
        moves: Vec<String>,
    },
    /// These squares of the board cannot be believed, and all others can: what they report is ignored in this game and the
    /// next ones.
    Blind {
        /// The squares, as `e4`, seen as the players sit now.
        squares: Vec<String>,
    },
    /// The game's result.
    Result {
        /// One of `1-0`, `0-1`, `1/2-1/2`, `*`.
        result: String,
        /// How the game ended; none when nobody said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

impl Order {
    /// The result an order sets, if it is one and can be read.
    pub(crate) fn result(&self) -> Option<Outcome> {
        match self {
            Self::Result { result, .. } => Outcome::parse(result),
            Self::StartFrom { .. } | Self::Moves { .. } | Self::Blind { .. } => None,
        }
    }

    /// The squares an order declares blind, if it does and all of them can be read.
    pub fn blind(&self) -> Option<Bitboard> {
        match self {
            Self::Blind { squares } => squares.iter().map(|name| name.parse::<Square>().ok()).collect(),
            Self::StartFrom { .. } | Self::Moves { .. } | Self::Result { .. } => None,
        }
    }
}

/// A game as the record knew it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Resume {
    /// The game's id, once it has one.
    pub game: String,
    /// Start position.
    pub fen: String,
    /// The rules.
    pub variant: Variant,
    /// Published moves in order.
    pub moves: Vec<ResumedMove>,
    /// The time control.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_control: Option<Controls>,
    /// Whose word its result needs.
    pub result_rule: ResultRule,
    /// Whether White sits at the far end (field = 63 - wire field).
    pub rotated: bool,
    /// Whether the clock's left side is White's; unknown until the clock told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white_is_left: Option<bool>,
    /// The squares that are not believed, as `e4`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blind: Vec<String>,
    /// The result, `*` while there is none.
    pub result: String,
    /// Whether the game has ended for the board.
    pub ended: bool,
}

/// A published move of a resumed game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResumedMove {
    /// The move in UCI.
    pub uci: String,
    /// As in [`crate::event::Event::Move`].
    pub clk_ms: Option<u64>,
    /// As in [`crate::event::Event::Move`].
    pub emt_ms: Option<u64>,
}
