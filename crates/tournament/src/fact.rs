//! What is recorded of the hall: facts, whose fold is the [`Hall`](super::Hall).
//!
//! No fact names a person (invariant 8), unless somebody wrote a name into a tag. Who said it, when and why is written
//! beside it.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::order::Order;
use super::person::{Display, PlayerId};
use super::round::{Pair, RoundSettings, RoundState, StartPosition};
use super::section::{SectionSettings, Tournament};
use pairings::model::ByeKind;
use pairings::score::Score;

/// Something that became true in the hall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "snake_case")]
pub enum Fact {
    /// A tournament is there, or is called something else.
    TournamentSet {
        /// Its slug.
        tournament: Arc<str>,
        /// What it is called.
        settings: Tournament,
    },
    /// A section is there, or its settings changed.
    SectionSet {
        /// Its slug.
        section: Arc<str>,
        /// All its settings.
        settings: SectionSettings,
    },
    /// The event of a section is over, or goes on after all.
    EventEnded {
        /// The section.
        section: Arc<str>,
        /// Whether it is over.
        ended: bool,
    },
    /// A round is there, or its settings changed.
    RoundSet {
        /// The section.
        section: Arc<str>,
        /// Its number.
        round: u32,
        /// All its settings.
        settings: RoundSettings,
    },
    /// From where all games of a round start.
    StartSet {
        /// The section.
        section: Arc<str>,
        /// The round.
        round: u32,
        /// None for the usual position.
        start: Option<StartPosition>,
    },
    /// A round came further.
    RoundState {
        /// The section.
        section: Arc<str>,
        /// The round.
        round: u32,
        /// How far it is now.
        state: RoundState,
    },
    /// Two players are paired, or something about their pairing changed.
    Paired {
        /// The section.
        section: Arc<str>,
        /// The round.
        round: u32,
        /// The game's id.
        game: Arc<str>,
        /// Who plays where.
        pair: Pair,
    },
    /// Two players are not paired any more.
    Unpaired {
        /// The game's id; no other game ever gets it.
        game: Arc<str>,
    },
    /// A player does not play in a round, or does after all.
    ByeSet {
        /// The section.
        section: Arc<str>,
        /// The round.
        round: u32,
        /// Who.
        player: PlayerId,
        /// What it is worth; none when he plays.
        kind: Option<ByeKind>,
    },
    /// A file of pairings says that a player does not play in a round.
    ByeImported {
        /// The section.
        section: Arc<str>,
        /// The round.
        round: u32,
        /// Who.
        player: PlayerId,
        /// What it is worth; none when a later file has none.
        kind: Option<ByeKind>,
    },
    /// A player takes part, or is shown otherwise. Who it is lies with the persons.
    PlayerSet {
        /// The section.
        section: Arc<str>,
        /// The player.
        player: PlayerId,
        /// Starting number.
        number: Option<u32>,
        /// What the public may see.
        display: Display,
    },
    /// A player's person was removed for good.
    PlayerForgotten {
        /// The player.
        player: PlayerId,
    },
    /// A board stands at a table, or none does.
    Seated {
        /// The table, from 1.
        table: u32,
        /// Serial number of the board.
        board: Option<Arc<str>>,
    },
    /// A game began.
    Began {
        /// Serial number of the board; none when its moves are entered by hand.
        board: Option<Arc<str>>,
        /// The game's id.
        game: Arc<str>,
        /// The day at the venue.
        day: NaiveDate,
    },
    /// A game goes on on another board.
    Moved {
        /// The game's id.
        game: Arc<str>,
        /// Serial number of the board that it comes from, if it was on one.
        from: Option<Arc<str>>,
        /// Serial number of the board that it is played on now.
        to: Arc<str>,
    },
    /// A start position came onto a board for which no game was armed: what is played there is kept apart.
    Parked {
        /// Serial number of the board.
        board: Arc<str>,
        /// The id of what is played there.
        game: Arc<str>,
    },
    /// What was kept apart is this game.
    Claimed {
        /// The id of what was kept apart.
        parked: Arc<str>,
        /// The game's id.
        game: Arc<str>,
    },
    /// A game has a result, or has it no more.
    ResultSet {
        /// The game's id.
        game: Arc<str>,
        /// None takes it back.
        result: Option<Score>,
    },
    /// A file of pairings says a result.
    ResultImported {
        /// The game's id.
        game: Arc<str>,
        /// None when a later file has none.
        result: Option<Score>,
    },
    /// A game is over on its board, and nobody said how it ended.
    ResultMissing {
        /// The game's id.
        game: Arc<str>,
    },
    /// A game goes on later.
    Adjourned {
        /// The game's id.
        game: Arc<str>,
    },
    /// A game is kept from the public, or is public again.
    Withdrawn {
        /// The game's id.
        game: Arc<str>,
        /// Whether it is kept from the public.
        withdrawn: bool,
    },
    /// Tags of a game, set by an operator.
    TagsSet {
        /// The game's id.
        game: Arc<str>,
        /// All of them; an empty value hides a tag.
        tags: BTreeMap<String, String>,
    },
    /// A correction was made: the line of the history that stands behind the facts of one order.
    Corrected(Correction),
}

impl Fact {
    /// The tags that it sets. People write them as they like, names included: so they are kept apart from the journal,
    /// where a person who is forgotten can be removed from them.
    pub fn tags_mut(&mut self) -> Option<&mut BTreeMap<String, String>> {
        match self {
            Self::Paired { pair, .. } => Some(&mut pair.tags),
            Self::TagsSet { tags, .. }
            | Self::Corrected(Correction { undo: Some(Order::SetTags { tags, .. }), .. }) => Some(tags),
            _ => None,
        }
    }
}

/// A correction, and how it is taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    /// Counts the corrections of the hall, from 1.
    pub number: u32,
    /// What was done, without a person's name.
    pub what: String,
    /// The game that it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<Arc<str>>,
    /// What takes it back; none when nothing can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<Order>,
    /// The correction that this one took back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<u32>,
}
