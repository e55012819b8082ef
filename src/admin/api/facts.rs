//! Facts: what an order made true.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use super::history::Correction;
use super::players::{Display, PlayerId};
use super::results::{ByeKind, Score};
use super::rounds::{Pair, RoundSettings, RoundState, StartPosition};
use super::sections::{SectionSettings, Tournament};

/// Something that became true in the hall.
#[derive(Serialize, ToSchema)]
#[serde(tag = "fact", rename_all = "snake_case")]
pub(crate) enum Fact {
    /// A tournament is there, or is called something else.
    TournamentSet {
        /// Its slug.
        tournament: String,
        /// What it is called.
        settings: Tournament,
    },
    /// A section is there, or its settings changed.
    SectionSet {
        /// Its slug.
        section: String,
        /// All its settings.
        settings: SectionSettings,
    },
    /// The event of a section is over, or goes on after all.
    EventEnded {
        /// The section.
        section: String,
        /// Whether it is over.
        ended: bool,
    },
    /// A round is there, or its settings changed.
    RoundSet {
        /// The section.
        section: String,
        /// Its number.
        round: u32,
        /// All its settings.
        settings: RoundSettings,
    },
    /// From where all games of a round start.
    StartSet {
        /// The section.
        section: String,
        /// The round.
        round: u32,
        /// None for the usual position.
        start: Option<StartPosition>,
    },
    /// A round came further.
    RoundState {
        /// The section.
        section: String,
        /// The round.
        round: u32,
        /// How far it is now.
        state: RoundState,
    },
    /// Two players are paired, or something about their pairing changed.
    Paired {
        /// The section.
        section: String,
        /// The round.
        round: u32,
        /// The game's id.
        game: String,
        /// Who plays where.
        pair: Pair,
    },
    /// Two players are not paired any more.
    Unpaired {
        /// The game's id; no other game ever gets it.
        game: String,
    },
    /// A player does not play in a round, or does after all.
    ByeSet {
        /// The section.
        section: String,
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
        section: String,
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
        section: String,
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
        board: Option<String>,
    },
    /// A game began.
    Began {
        /// Serial number of the board; none when its moves are entered by hand.
        board: Option<String>,
        /// The game's id.
        game: String,
        /// The day at the venue.
        day: NaiveDate,
    },
    /// A game goes on on another board.
    Moved {
        /// The game's id.
        game: String,
        /// Serial number of the board that it comes from, if it was on one.
        from: Option<String>,
        /// Serial number of the board that it is played on now.
        to: String,
    },
    /// A start position came onto a board for which no game was armed: what is played there is kept apart.
    Parked {
        /// Serial number of the board.
        board: String,
        /// The id of what is played there.
        game: String,
    },
    /// What was kept apart is this game.
    Claimed {
        /// The id of what was kept apart.
        parked: String,
        /// The game's id.
        game: String,
    },
    /// A game has a result, or has it no more.
    ResultSet {
        /// The game's id.
        game: String,
        /// None takes it back.
        result: Option<Score>,
    },
    /// A file of pairings says a result.
    ResultImported {
        /// The game's id.
        game: String,
        /// None when a later file has none.
        result: Option<Score>,
    },
    /// A game is over on its board, and nobody said how it ended.
    ResultMissing {
        /// The game's id.
        game: String,
    },
    /// A game goes on later.
    Adjourned {
        /// The game's id.
        game: String,
    },
    /// A game is kept from the public, or is public again.
    Withdrawn {
        /// The game's id.
        game: String,
        /// Whether it is kept from the public.
        withdrawn: bool,
    },
    /// Tags of a game, set by an operator.
    TagsSet {
        /// The game's id.
        game: String,
        /// All of them; an empty value hides a tag.
        tags: BTreeMap<String, String>,
    },
    /// A correction was made: the line of the history that stands behind the facts of one order.
    Corrected(Correction),
}

impl From<tournament::Fact> for Fact {
    fn from(fact: tournament::Fact) -> Self {
        use tournament::Fact as Domain;
        match fact {
            Domain::TournamentSet { tournament, settings } => {
                Self::TournamentSet { tournament: tournament.to_string(), settings: settings.into() }
            }
            Domain::SectionSet { section, settings } => {
                Self::SectionSet { section: section.to_string(), settings: settings.into() }
            }
            Domain::EventEnded { section, ended } => Self::EventEnded { section: section.to_string(), ended },
            Domain::RoundSet { section, round, settings } => {
                Self::RoundSet { section: section.to_string(), round, settings: settings.into() }
            }
            Domain::StartSet { section, round, start } => {
                Self::StartSet { section: section.to_string(), round, start: start.map(Into::into) }
            }
            Domain::RoundState { section, round, state } => {
                Self::RoundState { section: section.to_string(), round, state: state.into() }
            }
            Domain::Paired { section, round, game, pair } => {
                Self::Paired { section: section.to_string(), round, game: game.to_string(), pair: pair.into() }
            }
            Domain::Unpaired { game } => Self::Unpaired { game: game.to_string() },
            Domain::ByeSet { section, round, player, kind } => {
                Self::ByeSet { section: section.to_string(), round, player: player.into(), kind: kind.map(Into::into) }
            }
            Domain::ByeImported { section, round, player, kind } => Self::ByeImported {
                section: section.to_string(),
                round,
                player: player.into(),
                kind: kind.map(Into::into),
            },
            Domain::PlayerSet { section, player, number, display } => {
                Self::PlayerSet { section: section.to_string(), player: player.into(), number, display: display.into() }
            }
            Domain::PlayerForgotten { player } => Self::PlayerForgotten { player: player.into() },
            Domain::Seated { table, board } => Self::Seated { table, board: board.as_deref().map(str::to_owned) },
            Domain::Began { board, game, day } => {
                Self::Began { board: board.as_deref().map(str::to_owned), game: game.to_string(), day }
            }
            Domain::Moved { game, from, to } => {
                Self::Moved { game: game.to_string(), from: from.as_deref().map(str::to_owned), to: to.to_string() }
            }
            Domain::Parked { board, game } => Self::Parked { board: board.to_string(), game: game.to_string() },
            Domain::Claimed { parked, game } => Self::Claimed { parked: parked.to_string(), game: game.to_string() },
            Domain::ResultSet { game, result } => {
                Self::ResultSet { game: game.to_string(), result: result.map(Into::into) }
            }
            Domain::ResultImported { game, result } => {
                Self::ResultImported { game: game.to_string(), result: result.map(Into::into) }
            }
            Domain::ResultMissing { game } => Self::ResultMissing { game: game.to_string() },
            Domain::Adjourned { game } => Self::Adjourned { game: game.to_string() },
            Domain::Withdrawn { game, withdrawn } => Self::Withdrawn { game: game.to_string(), withdrawn },
            Domain::TagsSet { game, tags } => Self::TagsSet { game: game.to_string(), tags },
            Domain::Corrected(correction) => Self::Corrected(correction.into()),
        }
    }
}
