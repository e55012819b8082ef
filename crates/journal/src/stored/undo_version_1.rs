//! Undos of version 1: the JSON of the API commands of those builds. Only these seventeen were ever stored.

use std::collections::BTreeMap;
use std::sync::Arc;

use pairings::score::Score;
use serde::Deserialize;
use tournament::{PlayerId, Undo};

use super::FormError;
use super::moves::StoredEdit;
use super::settings::{StoredRound, StoredSection, StoredTournament};
use super::values::Word;

#[derive(Debug, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub(super) enum UndoVersion1 {
    SetResult {
        game: Arc<str>,
        result: String,
        #[serde(default)]
        reason: Option<String>,
    },
    EditMoves {
        game: Arc<str>,
        edit: StoredEdit,
    },
    SetClock {
        game: Arc<str>,
        ply: u32,
        #[serde(default)]
        clk_ms: Option<u64>,
        #[serde(default)]
        emt_ms: Option<u64>,
    },
    SetTags {
        game: Arc<str>,
        #[serde(default)]
        tags: BTreeMap<String, String>,
    },
    SetPlayers {
        game: Arc<str>,
        #[serde(default)]
        white: Option<u32>,
        #[serde(default)]
        black: Option<u32>,
    },
    Withdraw {
        game: Arc<str>,
    },
    Restore {
        game: Arc<str>,
    },
    SwapBoard {
        game: Arc<str>,
        board: Arc<str>,
    },
    Adjourn {
        game: Arc<str>,
    },
    Resume {
        game: Arc<str>,
        board: Arc<str>,
    },
    RestorePlayer {
        player: u32,
    },
    SetDisplay {
        player: u32,
        display: String,
    },
    SetTournament {
        tournament: Arc<str>,
        settings: StoredTournament,
    },
    SetSection {
        section: Arc<str>,
        settings: StoredSection,
    },
    EndEvent {
        section: Arc<str>,
    },
    ResumeEvent {
        section: Arc<str>,
    },
    SetRound {
        section: Arc<str>,
        round: u32,
        settings: StoredRound,
    },
}

impl TryFrom<UndoVersion1> for Undo {
    type Error = FormError;

    fn try_from(stored: UndoVersion1) -> Result<Self, FormError> {
        use UndoVersion1 as V1;
        Ok(match stored {
            V1::SetResult { game, result, reason } => Self::Result { game, result: read_result(&result)?, reason },
            V1::EditMoves { game, edit } => Self::Moves { game, edit: edit.try_into()? },
            V1::SetClock { game, ply, clk_ms, emt_ms } => Self::Clock { game, ply, clk_ms, emt_ms },
            V1::SetTags { game, tags } => Self::Tags { game, tags },
            V1::SetPlayers { game, white, black } => {
                Self::Players { game, white: white.map(PlayerId), black: black.map(PlayerId) }
            }
            V1::Withdraw { game } => Self::Withdrawn { game, withdrawn: true },
            V1::Restore { game } => Self::Withdrawn { game, withdrawn: false },
            V1::SwapBoard { game, board } => Self::Board { game, board, exchange: false },
            V1::Adjourn { game } => Self::Adjourned { game },
            V1::Resume { game, board } => Self::Resumed { game, board },
            V1::RestorePlayer { player } => Self::Player { player: PlayerId(player) },
            V1::SetDisplay { player, display } => {
                Self::Display { player: PlayerId(player), display: Word::read(&display)? }
            }
            V1::SetTournament { tournament, settings } => {
                Self::Tournament { tournament, settings: settings.try_into()? }
            }
            V1::SetSection { section, settings } => Self::Section { section, settings: settings.try_into()? },
            V1::EndEvent { section } => Self::EventEnded { section, ended: true },
            V1::ResumeEvent { section } => Self::EventEnded { section, ended: false },
            V1::SetRound { section, round, settings } => Self::Round { section, round, settings: settings.try_into()? },
        })
    }
}

/// A result as those commands wrote it: that of tables, or `*` for none.
fn read_result(text: &str) -> Result<Option<Score>, FormError> {
    if text == "*" {
        return Ok(None);
    }
    Score::parse(text).map(Some).ok_or_else(|| FormError::damaged(format!("\"{text}\" is not a result")))
}
