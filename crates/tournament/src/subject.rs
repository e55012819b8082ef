//! What orders and facts are about: an order that is about the same as a later fact would overwrite another person's change.
//!
//! Orders that only add, or that the rules check anyway, are about nothing here.

use std::sync::Arc;

use coded_text::coded_texts;

use crate::fact::Fact;
use crate::hall::Hall;
use crate::order::Order;
use crate::person::PlayerId;

/// Something that one person sets as a whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The settings of a tournament.
    Tournament(Arc<str>),
    /// The settings of a section.
    Section(Arc<str>),
    /// Whether the event of a section is over.
    End(Arc<str>),
    /// The settings of a round.
    Round(Arc<str>, u32),
    /// The start position of a round.
    Start(Arc<str>, u32),
    /// Whether a round is public, can begin, or is over.
    State(Arc<str>, u32),
    /// All pairings of a section.
    Pairings(Arc<str>),
    /// The players of a game.
    Players(Arc<str>),
    /// The bye of a player in a round.
    Bye(Arc<str>, u32, PlayerId),
    /// Name and facts of a player.
    Person(PlayerId),
    /// What the public may see of a player.
    Display(PlayerId),
    /// The board of a table.
    Table(u32),
    /// The result of a game.
    Result(Arc<str>),
    /// Moves and times of a game.
    Moves(Arc<str>),
    /// The tags of a game.
    Tags(Arc<str>),
    /// Whether a game is withdrawn.
    Withdrawn(Arc<str>),
    /// The board of a game.
    Board(Arc<str>),
}

impl Subject {
    /// What an order would overwrite.
    pub fn of_order(order: &Order) -> Vec<Self> {
        let one = match order {
            Order::SetTournament { tournament, .. } => Self::Tournament(tournament.as_str().into()),
            Order::SetSection { section, .. } | Order::RestoreSection { section } => {
                Self::Section(section.as_str().into())
            }
            // Also the pairings that were loaded into it meanwhile.
            Order::RemoveSection { section } => {
                let section: Arc<str> = section.as_str().into();
                return vec![Self::Section(Arc::clone(&section)), Self::Pairings(section)];
            }
            Order::EndEvent { section, .. } | Order::ResumeEvent { section } => Self::End(section.as_str().into()),
            Order::SetRound { section, round, .. } => Self::Round(section.as_str().into(), *round),
            Order::SetStart { section, round, .. } => Self::Start(section.as_str().into(), *round),
            Order::Publish { section, round, .. }
            | Order::Unpublish { section, round, .. }
            | Order::Arm { section, round, .. }
            | Order::Finish { section, round }
            | Order::Reopen { section, round } => Self::State(section.as_str().into(), *round),
            Order::LoadPairings { section, .. }
            | Order::ConfirmPairings { section }
            | Order::ExchangePlayers { section, .. } => Self::Pairings(section.as_str().into()),
            Order::Unpair { game, .. } | Order::SetPlayers { game, .. } => Self::Players(game.as_str().into()),
            Order::SetBye { section, round, player, .. } => Self::Bye(section.as_str().into(), *round, *player),
            Order::RemovePlayer { player }
            | Order::SetPlayer { player, .. }
            | Order::RestorePlayer { player }
            | Order::Forget { player } => Self::Person(*player),
            Order::SetDisplay { player, .. } => Self::Display(*player),
            Order::SeatBoards { seats } => return seats.iter().map(|seat| Self::Table(seat.table)).collect(),
            Order::SetResult { game, .. } => Self::Result(game.as_str().into()),
            Order::EditMoves { game, .. } | Order::SetClock { game, .. } | Order::Adopt { game, .. } => {
                Self::Moves(game.as_str().into())
            }
            Order::SetTags { game, .. } => Self::Tags(game.as_str().into()),
            Order::Withdraw { game } | Order::Restore { game } => Self::Withdrawn(game.as_str().into()),
            Order::SwapBoard { game, .. } | Order::Adjourn { game } | Order::Resume { game, .. } => {
                Self::Board(game.as_str().into())
            }
            // An undo finds by itself what changed the same thing later.
            Order::SetBoardDelay { .. }
            | Order::Pair { .. }
            | Order::AddPlayer { .. }
            | Order::RegisterBoard { .. }
            | Order::IgnoreSquares { .. }
            | Order::GoOn { .. }
            | Order::StartFrom { .. }
            | Order::AssignBySerial { .. }
            | Order::IdentifyTable { .. }
            | Order::TakeMoves { .. }
            | Order::Note { .. }
            | Order::Undo { .. } => return Vec::new(),
        };
        vec![one]
    }

    /// What a fact changes, in the hall before it.
    pub fn of_fact(fact: &Fact, before: &Hall) -> Vec<Self> {
        let one = match fact {
            Fact::TournamentSet { tournament, .. } => Self::Tournament(Arc::clone(tournament)),
            Fact::SectionSet { section, .. } | Fact::SectionRemoved { section, .. } => {
                Self::Section(Arc::clone(section))
            }
            Fact::EventEnded { section, .. } => Self::End(Arc::clone(section)),
            Fact::RoundSet { section, round, .. } => Self::Round(Arc::clone(section), *round),
            Fact::StartSet { section, round, .. } => Self::Start(Arc::clone(section), *round),
            Fact::RoundState { section, round, .. } => Self::State(Arc::clone(section), *round),
            Fact::Paired { section, game, .. } => {
                return vec![Self::Players(Arc::clone(game)), Self::Pairings(Arc::clone(section))];
            }
            Fact::Unpaired { game } => {
                let section = before.game(game).map(|found| Self::Pairings(Arc::clone(&found.section.slug)));
                return [Self::Players(Arc::clone(game))].into_iter().chain(section).collect();
            }
            Fact::ByeSet { section, round, player, .. } => {
                return vec![Self::Bye(Arc::clone(section), *round, *player), Self::Pairings(Arc::clone(section))];
            }
            Fact::PlayerSet { player, .. } => Self::Display(*player),
            Fact::PlayerRemoved { player } | Fact::PlayerForgotten { player } => Self::Person(*player),
            Fact::Seated { table, .. } => Self::Table(*table),
            Fact::Moved { game, .. } | Fact::Adjourned { game } => Self::Board(Arc::clone(game)),
            Fact::Adopted { game, .. } => Self::Moves(Arc::clone(game)),
            Fact::ResultSet { game, .. } => Self::Result(Arc::clone(game)),
            Fact::Withdrawn { game, .. } => Self::Withdrawn(Arc::clone(game)),
            Fact::TagsSet { game, .. } => Self::Tags(Arc::clone(game)),
            Fact::Corrected(correction) => match (&correction.undo, &correction.game) {
                (Some(undo), _) => return Self::of_order(&undo.to_order()),
                // Moves around a gap have no undo.
                (None, Some(game)) => Self::Moves(Arc::clone(game)),
                (None, None) => return Vec::new(),
            },
            Fact::ReportLoaded { .. }
            | Fact::StandingsLoaded { .. }
            | Fact::ByeImported { .. }
            | Fact::Registered { .. }
            | Fact::Identifying { .. }
            | Fact::Began { .. }
            | Fact::NotBegun { .. }
            | Fact::Unassigned { .. }
            | Fact::ResultImported { .. }
            | Fact::ResultMissing { .. }
            | Fact::Sourced { .. } => return Vec::new(),
        };
        vec![one]
    }

    /// What it is, in a word or two.
    pub fn text(&self) -> SubjectText {
        match self {
            Self::Tournament(_) => SubjectText::Tournament,
            Self::Section(_) => SubjectText::Section,
            Self::End(_) => SubjectText::End,
            Self::Round(..) => SubjectText::Round,
            Self::Start(..) => SubjectText::Start,
            Self::State(..) => SubjectText::State,
            Self::Pairings(_) => SubjectText::Pairings,
            Self::Players(_) => SubjectText::Players,
            Self::Bye(..) => SubjectText::Bye,
            Self::Person(_) => SubjectText::Person,
            Self::Display(_) => SubjectText::Display,
            Self::Table(_) => SubjectText::Table,
            Self::Result(_) => SubjectText::Result,
            Self::Moves(_) => SubjectText::Moves,
            Self::Tags(_) => SubjectText::Tags,
            Self::Withdrawn(_) => SubjectText::Withdrawn,
            Self::Board(_) => SubjectText::Board,
        }
    }
}

coded_texts! {
    /// What was changed, where the history has no line about it.
    pub enum SubjectText {
        Tournament = "subject_tournament", "settings of the tournament";
        Section = "subject_section", "settings of the section";
        End = "subject_end", "end of the event";
        Round = "subject_round", "settings of the round";
        Start = "subject_start", "start position of the round";
        State = "subject_state", "state of the round";
        Pairings = "subject_pairings", "pairings";
        Players = "subject_players", "players of the game";
        Bye = "subject_bye", "bye";
        Person = "subject_person", "facts about the player";
        Display = "subject_display", "public display of the player";
        Table = "subject_table", "board of the table";
        Result = "subject_result", "result";
        Moves = "subject_moves", "moves";
        Tags = "subject_tags", "tags";
        Withdrawn = "subject_withdrawn", "withdrawal of the game";
        Board = "subject_board", "board of the game";
    }
}
