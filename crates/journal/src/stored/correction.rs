//! Corrections, and what takes them back.

use std::collections::BTreeMap;
use std::sync::Arc;

use coded_text::KeptText;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tournament::{Correction, PlayerId, Undo};

use super::FormError;
use super::moves::StoredEdit;
use super::settings::{StoredRound, StoredSection, StoredTournament};
use super::undo_version_1::UndoVersion1;
use super::values::{StoredScore, Word};

#[derive(Serialize, Deserialize)]
pub(super) struct StoredCorrection {
    number: u32,
    #[serde(flatten)]
    what: KeptText,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<Arc<str>>,
    /// A [`StoredUndo`]; in version 1 an [`UndoVersion1`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    undo: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    undoes: Option<u32>,
}

/// Version 2.
#[derive(Serialize, Deserialize)]
#[serde(tag = "undo", rename_all = "snake_case")]
enum StoredUndo {
    Result {
        game: Arc<str>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<StoredScore>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Moves {
        game: Arc<str>,
        edit: StoredEdit,
    },
    Clock {
        game: Arc<str>,
        ply: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clk_ms: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        emt_ms: Option<u64>,
    },
    /// In a fact, the tags are in `hall_text`.
    Tags {
        game: Arc<str>,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        tags: BTreeMap<String, String>,
    },
    Players {
        game: Arc<str>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        white: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        black: Option<u32>,
    },
    Exchanged {
        section: Arc<str>,
        round: u32,
        one: u32,
        other: u32,
    },
    Withdrawn {
        game: Arc<str>,
        withdrawn: bool,
    },
    Board {
        game: Arc<str>,
        board: Arc<str>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        exchange: bool,
    },
    Adjourned {
        game: Arc<str>,
    },
    Resumed {
        game: Arc<str>,
        board: Arc<str>,
    },
    PlayerAdded {
        player: u32,
    },
    Player {
        player: u32,
    },
    Display {
        player: u32,
        display: String,
    },
    Tournament {
        tournament: Arc<str>,
        settings: StoredTournament,
    },
    Section {
        section: Arc<str>,
        settings: StoredSection,
    },
    EventEnded {
        section: Arc<str>,
        ended: bool,
    },
    SectionRemoved {
        section: Arc<str>,
        removed: bool,
    },
    Published {
        section: Arc<str>,
        round: u32,
        published: bool,
    },
    Round {
        section: Arc<str>,
        round: u32,
        settings: StoredRound,
    },
    #[serde(other)]
    Unknown,
}

impl TryFrom<&Correction> for StoredCorrection {
    type Error = serde_json::Error;

    fn try_from(correction: &Correction) -> serde_json::Result<Self> {
        let Correction { number, what, game, undo, undoes } = correction;
        let undo = undo.as_ref().map(|undo| serde_json::to_value(StoredUndo::from(undo))).transpose()?;
        Ok(Self { number: *number, what: (&**what).into(), game: game.clone(), undo, undoes: *undoes })
    }
}

impl TryFrom<StoredCorrection> for Correction {
    type Error = FormError;

    fn try_from(stored: StoredCorrection) -> Result<Self, FormError> {
        let StoredCorrection { number, what, game, undo, undoes } = stored;
        Ok(Self { number, what: Box::new(what.into()), game, undo: undo.map(read_undo).transpose()?, undoes })
    }
}

fn read_undo(undo: Value) -> Result<Undo, FormError> {
    if undo.get("order").is_some() {
        return serde_json::from_value::<UndoVersion1>(undo)?.try_into();
    }
    let kind = undo.get("undo").and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(match serde_json::from_value(undo)? {
        StoredUndo::Result { game, result, reason } => {
            Undo::Result { game, result: result.map(TryInto::try_into).transpose()?, reason }
        }
        StoredUndo::Moves { game, edit } => Undo::Moves { game, edit: edit.try_into()? },
        StoredUndo::Clock { game, ply, clk_ms, emt_ms } => Undo::Clock { game, ply, clk_ms, emt_ms },
        StoredUndo::Tags { game, tags } => Undo::Tags { game, tags },
        StoredUndo::Players { game, white, black } => {
            Undo::Players { game, white: white.map(PlayerId), black: black.map(PlayerId) }
        }
        StoredUndo::Exchanged { section, round, one, other } => {
            Undo::Exchanged { section, round, one: PlayerId(one), other: PlayerId(other) }
        }
        StoredUndo::Withdrawn { game, withdrawn } => Undo::Withdrawn { game, withdrawn },
        StoredUndo::Board { game, board, exchange } => Undo::Board { game, board, exchange },
        StoredUndo::Adjourned { game } => Undo::Adjourned { game },
        StoredUndo::Resumed { game, board } => Undo::Resumed { game, board },
        StoredUndo::PlayerAdded { player } => Undo::PlayerAdded { player: PlayerId(player) },
        StoredUndo::Player { player } => Undo::Player { player: PlayerId(player) },
        StoredUndo::Display { player, display } => {
            Undo::Display { player: PlayerId(player), display: Word::read(&display)? }
        }
        StoredUndo::Tournament { tournament, settings } => {
            Undo::Tournament { tournament, settings: settings.try_into()? }
        }
        StoredUndo::Section { section, settings } => Undo::Section { section, settings: settings.try_into()? },
        StoredUndo::EventEnded { section, ended } => Undo::EventEnded { section, ended },
        StoredUndo::SectionRemoved { section, removed } => Undo::SectionRemoved { section, removed },
        StoredUndo::Published { section, round, published } => Undo::Published { section, round, published },
        StoredUndo::Round { section, round, settings } => {
            Undo::Round { section, round, settings: settings.try_into()? }
        }
        StoredUndo::Unknown => return Err(FormError::Newer(format!("undo \"{kind}\""))),
    })
}

impl From<&Undo> for StoredUndo {
    fn from(undo: &Undo) -> Self {
        match undo.clone() {
            Undo::Result { game, result, reason } => Self::Result { game, result: result.map(Into::into), reason },
            Undo::Moves { game, edit } => Self::Moves { game, edit: (&edit).into() },
            Undo::Clock { game, ply, clk_ms, emt_ms } => Self::Clock { game, ply, clk_ms, emt_ms },
            Undo::Tags { game, tags } => Self::Tags { game, tags },
            Undo::Players { game, white, black } => {
                Self::Players { game, white: white.map(|id| id.0), black: black.map(|id| id.0) }
            }
            Undo::Exchanged { section, round, one, other } => {
                Self::Exchanged { section, round, one: one.0, other: other.0 }
            }
            Undo::Withdrawn { game, withdrawn } => Self::Withdrawn { game, withdrawn },
            Undo::Board { game, board, exchange } => Self::Board { game, board, exchange },
            Undo::Adjourned { game } => Self::Adjourned { game },
            Undo::Resumed { game, board } => Self::Resumed { game, board },
            Undo::PlayerAdded { player } => Self::PlayerAdded { player: player.0 },
            Undo::Player { player } => Self::Player { player: player.0 },
            Undo::Display { player, display } => Self::Display { player: player.0, display: display.word().to_owned() },
            Undo::Tournament { tournament, settings } => Self::Tournament { tournament, settings: (&settings).into() },
            Undo::Section { section, settings } => Self::Section { section, settings: (&settings).into() },
            Undo::EventEnded { section, ended } => Self::EventEnded { section, ended },
            Undo::SectionRemoved { section, removed } => Self::SectionRemoved { section, removed },
            Undo::Published { section, round, published } => Self::Published { section, round, published },
            Undo::Round { section, round, settings } => Self::Round { section, round, settings: (&settings).into() },
        }
    }
}
