//! What orders and facts are about: an order that is about the same as a later fact would overwrite another person's change.
//!
//! Orders that only add, or that the rules check anyway, are about nothing here.

use std::sync::Arc;

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
            Order::SetSection { section, .. } => Self::Section(section.as_str().into()),
            Order::EndEvent { section, .. } | Order::ResumeEvent { section } => Self::End(section.as_str().into()),
            Order::SetRound { section, round, .. } => Self::Round(section.as_str().into(), *round),
            Order::SetStart { section, round, .. } => Self::Start(section.as_str().into(), *round),
            Order::Publish { section, round, .. }
            | Order::Arm { section, round, .. }
            | Order::Finish { section, round }
            | Order::Reopen { section, round } => Self::State(section.as_str().into(), *round),
            Order::LoadPairings { section, .. } | Order::ConfirmPairings { section } => {
                Self::Pairings(section.as_str().into())
            }
            Order::Unpair { game, .. } | Order::SetPlayers { game, .. } => Self::Players(game.as_str().into()),
            Order::SetBye { section, round, player, .. } => Self::Bye(section.as_str().into(), *round, *player),
            Order::SetPlayer { player, .. } | Order::RestorePlayer { player } | Order::Forget { player } => {
                Self::Person(*player)
            }
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
            Fact::SectionSet { section, .. } => Self::Section(Arc::clone(section)),
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
            Fact::PlayerForgotten { player } => Self::Person(*player),
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
            | Fact::Unassigned { .. }
            | Fact::ResultImported { .. }
            | Fact::ResultMissing { .. }
            | Fact::Sourced { .. } => return Vec::new(),
        };
        vec![one]
    }

    /// What it is, in a word or two.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Tournament(_) => "settings of the tournament",
            Self::Section(_) => "settings of the section",
            Self::End(_) => "end of the event",
            Self::Round(..) => "settings of the round",
            Self::Start(..) => "start position of the round",
            Self::State(..) => "state of the round",
            Self::Pairings(_) => "pairings",
            Self::Players(_) => "players of the game",
            Self::Bye(..) => "bye",
            Self::Person(_) => "facts about the player",
            Self::Display(_) => "public display of the player",
            Self::Table(_) => "board of the table",
            Self::Result(_) => "result",
            Self::Moves(_) => "moves",
            Self::Tags(_) => "tags",
            Self::Withdrawn(_) => "withdrawal of the game",
            Self::Board(_) => "board of the game",
        }
    }
}
