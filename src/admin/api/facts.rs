//! Facts, the entries of the tournament's record.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use super::history::Correction;
use super::players::{Display, PlayerId};
use super::results::{ByeKind, Score};
use super::rounds::{Pair, RoundSettings, RoundState, StartPosition};
use super::sections::{SectionSettings, Tournament};

/// A fact: one change of the hall.
#[derive(Serialize, ToSchema)]
#[serde(tag = "fact", rename_all = "snake_case")]
pub(crate) enum Fact {
    /// A tournament is created or changed.
    TournamentSet {
        /// Its slug.
        tournament: String,
        /// All its settings.
        settings: Tournament,
    },
    /// A section is created or changed.
    SectionSet {
        /// Its slug.
        section: String,
        /// All its settings.
        settings: SectionSettings,
    },
    /// The event of a section is over, or continues.
    EventEnded {
        /// The section.
        section: String,
        /// Whether it is over.
        ended: bool,
    },
    /// A section was taken away with all that it has, or is back with it.
    SectionRemoved {
        /// The section.
        section: String,
        /// Whether it is away.
        removed: bool,
    },
    /// A tournament report is loaded, into which the results are written.
    ReportLoaded {
        /// The section.
        section: String,
    },
    /// Standings of a pairing program are loaded.
    StandingsLoaded {
        /// The section.
        section: String,
        /// The last round that they include.
        after_round: u32,
    },
    /// A round is created or changed.
    RoundSet {
        /// The section.
        section: String,
        /// Its number.
        round: u32,
        /// All its settings.
        settings: RoundSettings,
    },
    /// The start position of all games of a round is set.
    StartSet {
        /// The section.
        section: String,
        /// The round.
        round: u32,
        /// The position; none for the standard start position.
        start: Option<StartPosition>,
    },
    /// The state of a round changes.
    RoundState {
        /// The section.
        section: String,
        /// The round.
        round: u32,
        /// The new state.
        state: RoundState,
    },
    /// Two players are paired, or their pairing changes.
    Paired {
        /// The section.
        section: String,
        /// The round.
        round: u32,
        /// The game's id.
        game: String,
        /// The players and their table.
        pair: Pair,
    },
    /// A pairing is removed.
    Unpaired {
        /// The game's id, which is never given again.
        game: String,
    },
    /// A player gets a bye in a round, or loses it.
    ByeSet {
        /// The section.
        section: String,
        /// The round.
        round: u32,
        /// The player.
        player: PlayerId,
        /// The kind of the bye; none when the player plays.
        kind: Option<ByeKind>,
    },
    /// A file of pairings gives a player a bye in a round.
    ByeImported {
        /// The section.
        section: String,
        /// The round.
        round: u32,
        /// The player.
        player: PlayerId,
        /// The kind of the bye; none when a later file has no bye.
        kind: Option<ByeKind>,
    },
    /// A player is added, or shown differently. The facts do not have the name.
    PlayerSet {
        /// The section.
        section: String,
        /// The player.
        player: PlayerId,
        /// Starting number.
        number: Option<u32>,
        /// What the public can see.
        display: Display,
    },
    /// A player who was added by mistake no longer takes part.
    PlayerRemoved {
        /// The player.
        player: PlayerId,
    },
    /// The person of a player is removed.
    PlayerForgotten {
        /// The player.
        player: PlayerId,
    },
    /// A table gets a board, or loses it.
    Seated {
        /// The table, from 1.
        table: u32,
        /// Serial number of the board.
        board: Option<String>,
    },
    /// A board is found for the first time.
    Registered {
        /// Serial number of the board.
        board: String,
        /// The number that it keeps in open play.
        number: u32,
    },
    /// A table waits for the board that shows a king on e4.
    Identifying {
        /// The table; none when no table waits.
        table: Option<u32>,
    },
    /// A game begins.
    Began {
        /// Serial number of the board; none when the moves are entered by hand.
        board: Option<String>,
        /// The game's id.
        game: String,
        /// The day at the venue.
        day: NaiveDate,
    },
    /// A game that began because pieces stood ready is a pairing again: what is played on its board is another game.
    NotBegun {
        /// The game's id.
        game: String,
    },
    /// A game moves to another board.
    Moved {
        /// The game's id.
        game: String,
        /// Serial number of the previous board, if any.
        from: Option<String>,
        /// Serial number of the new board.
        to: String,
    },
    /// A game begins on a board for which no game was armed: it is unassigned.
    #[serde(rename = "parked")]
    Unassigned {
        /// Serial number of the board.
        board: String,
        /// The id of the unassigned game.
        game: String,
    },
    /// An unassigned game is adopted: it is the game of a pairing.
    #[serde(rename = "claimed")]
    Adopted {
        /// The id of the unassigned game.
        #[serde(rename = "parked")]
        unassigned: String,
        /// The game's id.
        game: String,
    },
    /// A game gets a result, or loses it.
    ResultSet {
        /// The game's id.
        game: String,
        /// The result; none when it is taken back.
        result: Option<Score>,
    },
    /// A file of pairings gives a result.
    ResultImported {
        /// The game's id.
        game: String,
        /// The result; none when a later file has none.
        result: Option<Score>,
    },
    /// A game ends on its board without a result.
    ResultMissing {
        /// The game's id.
        game: String,
    },
    /// A game is adjourned.
    Adjourned {
        /// The game's id.
        game: String,
    },
    /// A game is withdrawn from the public, or restored.
    Withdrawn {
        /// The game's id.
        game: String,
        /// Whether it is withdrawn.
        withdrawn: bool,
    },
    /// The moves of a game come from another recorder from now on.
    Sourced {
        /// The game's id.
        game: String,
        /// The name of the source.
        source: String,
    },
    /// An operator sets tags of a game.
    TagsSet {
        /// The game's id.
        game: String,
        /// All tags that operators set; an empty value hides a tag.
        tags: BTreeMap<String, String>,
    },
    /// A correction: the line of the history after the facts of one order.
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
            Domain::SectionRemoved { section, removed } => {
                Self::SectionRemoved { section: section.to_string(), removed }
            }
            Domain::ReportLoaded { section, .. } => Self::ReportLoaded { section: section.to_string() },
            Domain::StandingsLoaded { section, standings } => {
                Self::StandingsLoaded { section: section.to_string(), after_round: standings.after_round }
            }
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
            Domain::PlayerRemoved { player } => Self::PlayerRemoved { player: player.into() },
            Domain::PlayerForgotten { player } => Self::PlayerForgotten { player: player.into() },
            Domain::Seated { table, board } => Self::Seated { table, board: board.as_deref().map(str::to_owned) },
            Domain::Registered { board, number } => Self::Registered { board: board.to_string(), number },
            Domain::Identifying { table } => Self::Identifying { table },
            Domain::Began { board, game, day } => {
                Self::Began { board: board.as_deref().map(str::to_owned), game: game.to_string(), day }
            }
            Domain::NotBegun { game } => Self::NotBegun { game: game.to_string() },
            Domain::Moved { game, from, to } => {
                Self::Moved { game: game.to_string(), from: from.as_deref().map(str::to_owned), to: to.to_string() }
            }
            Domain::Unassigned { board, game } => Self::Unassigned { board: board.to_string(), game: game.to_string() },
            Domain::Adopted { unassigned, game } => {
                Self::Adopted { unassigned: unassigned.to_string(), game: game.to_string() }
            }
            Domain::ResultSet { game, result } => {
                Self::ResultSet { game: game.to_string(), result: result.map(Into::into) }
            }
            Domain::ResultImported { game, result } => {
                Self::ResultImported { game: game.to_string(), result: result.map(Into::into) }
            }
            Domain::ResultMissing { game } => Self::ResultMissing { game: game.to_string() },
            Domain::Adjourned { game } => Self::Adjourned { game: game.to_string() },
            Domain::Withdrawn { game, withdrawn } => Self::Withdrawn { game: game.to_string(), withdrawn },
            Domain::Sourced { game, source } => Self::Sourced { game: game.to_string(), source: source.to_string() },
            Domain::TagsSet { game, tags } => Self::TagsSet { game: game.to_string(), tags },
            Domain::Corrected(correction) => Self::Corrected(correction.into()),
        }
    }
}
