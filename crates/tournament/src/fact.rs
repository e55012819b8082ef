//! The facts of the hall, whose fold is the [`Hall`](super::Hall).
//!
//! No fact has the name of a person (docs/contracts.md, 1.8), except in tags that a person wrote. Author, time and
//! reason are recorded beside each fact.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::NaiveDate;
use coded_text::CodedText;

use super::person::{Display, PlayerId};
use super::round::{Pair, RoundSettings, RoundState, StartPosition};
use super::section::{LoadedReport, LoadedStandings, SectionSettings, Tournament};
use super::undo::Undo;
use pairings::model::ByeKind;
use pairings::score::Score;

/// A change of the hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A tournament was created, or its settings changed.
    TournamentSet {
        /// Its slug.
        tournament: Arc<str>,
        /// All its settings.
        settings: Tournament,
    },
    /// A section was created, or its settings changed.
    SectionSet {
        /// Its slug.
        section: Arc<str>,
        /// All its settings.
        settings: SectionSettings,
    },
    /// The event of a section ended by order, or goes on again.
    EventEnded {
        /// The section.
        section: Arc<str>,
        /// Whether it is over.
        ended: bool,
    },
    /// A section was taken away with all that it has, or is back with it.
    SectionRemoved {
        /// The section.
        section: Arc<str>,
        /// Whether it is away.
        removed: bool,
    },
    /// A tournament report was loaded.
    ReportLoaded {
        /// The section.
        section: Arc<str>,
        /// The report without persons.
        report: LoadedReport,
    },
    /// Standings of a pairing program were loaded.
    StandingsLoaded {
        /// The section.
        section: Arc<str>,
        /// The standings without persons.
        standings: Arc<LoadedStandings>,
    },
    /// A round was created, or its settings changed.
    RoundSet {
        /// The section.
        section: Arc<str>,
        /// Its number.
        round: u32,
        /// All its settings.
        settings: RoundSettings,
    },
    /// The start position of all games of a round.
    StartSet {
        /// The section.
        section: Arc<str>,
        /// The round.
        round: u32,
        /// None for the usual position.
        start: Option<StartPosition>,
    },
    /// The state of a round changed.
    RoundState {
        /// The section.
        section: Arc<str>,
        /// The round.
        round: u32,
        /// Its new state.
        state: RoundState,
    },
    /// Two players are paired, or their pairing changed. With the id of a game that was taken out of the round, the game is
    /// back with its state and its result.
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
    /// Two players are no longer paired.
    Unpaired {
        /// The game's id, which no other pair gets; the same pair has it when it comes back.
        game: Arc<str>,
    },
    /// A player gets a bye in a round, or loses it.
    ByeSet {
        /// The section.
        section: Arc<str>,
        /// The round.
        round: u32,
        /// Who.
        player: PlayerId,
        /// What it is worth; none without a bye.
        kind: Option<ByeKind>,
    },
    /// A pairing file has a bye, or has it no more.
    ByeImported {
        /// The section.
        section: Arc<str>,
        /// The round.
        round: u32,
        /// Who.
        player: PlayerId,
        /// What it is worth; none without a bye.
        kind: Option<ByeKind>,
    },
    /// A player takes part, or the public display changed. The name is in [`Persons`](super::Persons).
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
    /// A player who was added by mistake no longer takes part. No other player gets this id.
    PlayerRemoved {
        /// The player, who is in no round.
        player: PlayerId,
    },
    /// A player's name and facts were removed for good.
    PlayerForgotten {
        /// The player.
        player: PlayerId,
    },
    /// A table gets a board, or loses it.
    Seated {
        /// The table, from 1.
        table: u32,
        /// Serial number of the board.
        board: Option<Arc<str>>,
    },
    /// A board was found for the first time.
    Registered {
        /// Serial number of the board.
        board: Arc<str>,
        /// The number that it keeps in open play.
        number: u32,
    },
    /// A table waits for the board that shows a king on e4, or no longer waits.
    Identifying {
        /// The table; none when no table waits.
        table: Option<u32>,
    },
    /// A game began. Told again on the day of its first move where its pieces were set up on an earlier one.
    Began {
        /// Serial number of the board; none when its moves are entered by hand.
        board: Option<Arc<str>>,
        /// The game's id.
        game: Arc<str>,
        /// The day at the venue.
        day: NaiveDate,
    },
    /// A game that began because pieces stood ready is a pairing again: what is played on its board is another game.
    NotBegun {
        /// The game's id.
        game: Arc<str>,
    },
    /// A game moves to another board.
    Moved {
        /// The game's id.
        game: Arc<str>,
        /// Serial number of the board it leaves, if any.
        from: Option<Arc<str>>,
        /// Serial number of its new board.
        to: Arc<str>,
    },
    /// A start position came onto a board for which no game was armed: a game begins there that belongs to no pairing.
    Unassigned {
        /// Serial number of the board.
        board: Arc<str>,
        /// The id of the unassigned game.
        game: Arc<str>,
    },
    /// An unassigned game becomes the game of a pairing.
    Adopted {
        /// The id of the unassigned game.
        unassigned: Arc<str>,
        /// The game's id.
        game: Arc<str>,
    },
    /// A game gets a result, or loses it.
    ResultSet {
        /// The game's id.
        game: Arc<str>,
        /// None when it was taken back.
        result: Option<Score>,
    },
    /// A pairing file has a result, or has it no more.
    ResultImported {
        /// The game's id.
        game: Arc<str>,
        /// None without a result.
        result: Option<Score>,
    },
    /// A game ended on its board without a result.
    ResultMissing {
        /// The game's id.
        game: Arc<str>,
    },
    /// A game is adjourned.
    Adjourned {
        /// The game's id.
        game: Arc<str>,
    },
    /// A game is withdrawn from the public, or public again.
    Withdrawn {
        /// The game's id.
        game: Arc<str>,
        /// Whether it is withdrawn.
        withdrawn: bool,
    },
    /// Tags of a game, set by an operator.
    TagsSet {
        /// The game's id.
        game: Arc<str>,
        /// All of them; an empty value hides a tag.
        tags: BTreeMap<String, String>,
    },
    /// The moves of a game come from another recorder from now on.
    Sourced {
        /// The game's id.
        game: Arc<str>,
        /// The name of the source.
        source: Arc<str>,
    },
    /// A correction: the line of the history for the facts of one order.
    Corrected(Correction),
}

impl Fact {
    /// The tags that it sets. People may write names into them, so the journal stores them apart, where a forgotten person
    /// can be removed.
    pub fn tags_mut(&mut self) -> Option<&mut BTreeMap<String, String>> {
        match self {
            Self::Paired { pair, .. } => Some(&mut pair.tags),
            Self::TagsSet { tags, .. } | Self::Corrected(Correction { undo: Some(Undo::Tags { tags, .. }), .. }) => {
                Some(tags)
            }
            _ => None,
        }
    }
}

/// A correction, and what takes it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// Counts the corrections of the hall, from 1.
    pub number: u32,
    /// What was changed, without the name of a person: a [`CorrectionText`](crate::CorrectionText), or a sentence of a
    /// newer version or of the daemon.
    pub what: Box<CodedText>,
    /// The game that it concerns.
    pub game: Option<Arc<str>>,
    /// What takes it back; none when nothing can.
    pub undo: Option<Undo>,
    /// The correction that this one undid.
    pub undoes: Option<u32>,
}
