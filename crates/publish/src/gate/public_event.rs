//! Events as views show them.
//!
//! The vocabulary is closed: squares, authors and evidence have no form here, so they cannot become public.

use std::collections::BTreeMap;

use game_core::event::{Event, Side, Variant, shown_result};
use game_core::game::MoveRecord;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::game_view::GameView;
use hall_clock::UtcMs;

/// An event in the words of the public feed (docs/contracts.md, 3.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum PublicEvent {
    /// A game began.
    GameStarted {
        /// The start position.
        fen: String,
        /// The rules.
        variant: Variant,
        /// The number of the start position in Chess960.
        chess960_number: Option<u32>,
        /// The table.
        board: u32,
        /// The tags known at the start.
        tags: BTreeMap<String, String>,
    },
    /// A move was played.
    Move {
        /// Ply number, from 1.
        ply: u32,
        /// The move as it was released; a correction makes another one.
        #[serde(flatten)]
        played: Played,
    },
    /// Plies after this one are taken back.
    Retract {
        /// The last ply that stays.
        to_ply: u32,
    },
    /// The times of a move are corrected.
    Amend {
        /// Ply number, from 1.
        ply: u32,
        /// As in a move.
        clk_ms: Option<u64>,
        /// As in a move.
        emt_ms: Option<u64>,
    },
    /// Tags were set; an empty value removes one.
    Tags {
        /// Tag name to value.
        tags: BTreeMap<String, String>,
    },
    /// The clocks were read.
    Clock {
        /// White's time left in milliseconds.
        white_ms: Option<u64>,
        /// Black's time left in milliseconds.
        black_ms: Option<u64>,
        /// Whose time runs.
        running: Option<Side>,
        /// The instant of the reading, UTC.
        read_at: UtcMs,
    },
    /// Moves went unseen: the game goes on from another position, and its plies are counted on.
    Gap {
        /// The last ply before them; 0 when there is none.
        after_ply: u32,
        /// The position from which the game goes on; none when the moves are known after all.
        fen: Option<String>,
    },
    /// Whether the board shows a position that no legal moves explain.
    Waiting {
        /// It does.
        waiting: bool,
    },
    /// The game's result; `*` takes it back.
    Result {
        /// As PGN writes it, or a score that PGN has no marker for, `0-0`.
        result: &'static str,
        /// Why, for people.
        reason: String,
    },
    /// Nothing more on the board belongs to this game.
    GameEnded,
}

/// A move with the position after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move as it was released.
    pub record: MoveRecord,
    /// The position after it as FEN.
    pub fen: Box<str>,
}

impl Serialize for Played {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let MoveRecord { san, uci, clk_ms, emt_ms } = &self.record;
        let mut played = serializer.serialize_struct("Played", 5)?;
        played.serialize_field("san", san.as_str())?;
        played.serialize_field("uci", uci.as_str())?;
        played.serialize_field("fen", &*self.fen)?;
        played.serialize_field("clk_ms", clk_ms)?;
        played.serialize_field("emt_ms", emt_ms)?;
        played.end()
    }
}

impl PublicEvent {
    /// The public form of an event that was just applied to `game`.
    pub(super) fn of(event: &Event, game: &GameView) -> Self {
        match event {
            Event::GameStarted { fen, variant } => {
                let (board, tags) = (game.at.table, game.game.tags().clone());
                let chess960_number = game.game.chess960_number();
                Self::GameStarted { fen: fen.clone(), variant: *variant, chess960_number, board, tags }
            }
            Event::Move { ply, .. } => {
                let Some(&record) = game.game.moves().last() else { return Self::Waiting { waiting: false } };
                let fen = game.game.fen_after(game.game.moves().len()).unwrap_or_default();
                Self::Move { ply: *ply, played: Played { record, fen: fen.into() } }
            }
            Event::Retract { to_ply } => Self::Retract { to_ply: *to_ply },
            Event::Amend { ply, clk_ms, emt_ms } => Self::Amend { ply: *ply, clk_ms: *clk_ms, emt_ms: *emt_ms },
            Event::Tags { tags } => Self::Tags { tags: tags.clone() },
            Event::Clock { white_ms, black_ms, running, read_at, .. } => {
                Self::Clock { white_ms: *white_ms, black_ms: *black_ms, running: *running, read_at: *read_at }
            }
            Event::Gap { after_ply, fen } => Self::Gap { after_ply: *after_ply, fen: fen.clone() },
            Event::Unexplained { .. } | Event::PlayedOn => Self::Waiting { waiting: true },
            // Annotations are in the PGN only; an imported game is not being played.
            Event::Resolved | Event::Annotated { .. } => Self::Waiting { waiting: false },
            Event::Result { result, reason } => {
                Self::Result { result: shown_result(*result, reason), reason: reason.clone() }
            }
            Event::GameEnded => Self::GameEnded,
        }
    }
}
