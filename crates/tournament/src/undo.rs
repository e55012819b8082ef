//! What takes a correction back: the values that it replaced.
//!
//! Kept with each [`Correction`](crate::Correction) as long as the record itself, so it has only the tournament's own
//! data: a field that an [`Order`] gains or loses changes nothing here. How it is carried out is `decide`'s matter.

use std::collections::BTreeMap;
use std::sync::Arc;

use pairings::score::Score;

use crate::order::{MoveEdit, Order};
use crate::person::{Display, PlayerId};
use crate::round::RoundSettings;
use crate::section::{SectionSettings, Tournament};

/// What takes a correction back. Taking a correction back is itself a correction with an undo of the kinds below, so
/// that no chain of undos refers to another undo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undo {
    /// A game gets this result.
    Result {
        /// The game's id.
        game: Arc<str>,
        /// None when it had no result.
        result: Option<Score>,
        /// How the game ended, if that was known.
        reason: Option<String>,
    },
    /// The moves of a game are edited.
    Moves {
        /// The game's id.
        game: Arc<str>,
        /// The edit that restores the earlier moves.
        edit: MoveEdit,
    },
    /// A move gets these times.
    Clock {
        /// The game's id.
        game: Arc<str>,
        /// The move, from 1.
        ply: u32,
        /// What the mover's clock showed after the press, in milliseconds.
        clk_ms: Option<u64>,
        /// Time spent on the move, in milliseconds.
        emt_ms: Option<u64>,
    },
    /// A game gets these tags as those set by hand.
    Tags {
        /// The game's id.
        game: Arc<str>,
        /// All of them; an empty value hides a tag.
        tags: BTreeMap<String, String>,
    },
    /// A game gets these players.
    Players {
        /// The game's id.
        game: Arc<str>,
        /// White; none when unknown.
        white: Option<PlayerId>,
        /// Black.
        black: Option<PlayerId>,
    },
    /// Two players exchange their seats in a round.
    Exchanged {
        /// The section.
        section: Arc<str>,
        /// Its number.
        round: u32,
        /// One of them.
        one: PlayerId,
        /// The other one.
        other: PlayerId,
    },
    /// A game is withdrawn from the public, or public again.
    Withdrawn {
        /// The game's id.
        game: Arc<str>,
        /// Whether it is withdrawn.
        withdrawn: bool,
    },
    /// A running game moves to this board.
    Board {
        /// The game's id.
        game: Arc<str>,
        /// Serial number of the board.
        board: Arc<str>,
        /// Whether the game that is played there goes back as well.
        exchange: bool,
    },
    /// A running game is adjourned again.
    Adjourned {
        /// The game's id.
        game: Arc<str>,
    },
    /// An adjourned game goes on.
    Resumed {
        /// The game's id.
        game: Arc<str>,
        /// Serial number of the board on which it was played.
        board: Arc<str>,
    },
    /// A player who was added is removed.
    PlayerAdded {
        /// The player.
        player: PlayerId,
    },
    /// The facts about a player before the last change.
    Player {
        /// The player. The facts themselves are in the person's record, where they can be removed.
        player: PlayerId,
    },
    /// What the public may see of a player.
    Display {
        /// The player.
        player: PlayerId,
        /// In all rounds.
        display: Display,
    },
    /// A tournament gets these settings.
    Tournament {
        /// Its slug.
        tournament: Arc<str>,
        /// All its settings.
        settings: Tournament,
    },
    /// A section gets these settings.
    Section {
        /// Its slug.
        section: Arc<str>,
        /// All its settings.
        settings: SectionSettings,
    },
    /// The event of a section is over, or goes on.
    EventEnded {
        /// The section.
        section: Arc<str>,
        /// Whether it is over.
        ended: bool,
    },
    /// A section is taken away, or is back.
    SectionRemoved {
        /// The section.
        section: Arc<str>,
        /// Whether it is away.
        removed: bool,
    },
    /// A round is public, or is not public again.
    Published {
        /// The section.
        section: Arc<str>,
        /// Its number.
        round: u32,
        /// Whether it is public.
        published: bool,
    },
    /// A round gets these settings.
    Round {
        /// The section.
        section: Arc<str>,
        /// Its number.
        round: u32,
        /// All its settings.
        settings: RoundSettings,
    },
}

impl Undo {
    /// The order that does the same when a person gives it: for showing what an undo does, and for the rights that it
    /// needs. Never [`Order::Undo`].
    pub fn to_order(&self) -> Order {
        match self.clone() {
            Self::Result { game, result, reason } => {
                Order::SetResult { game: game.to_string(), result: written(result), reason, confirm: true }
            }
            Self::Moves { game, edit } => Order::EditMoves { game: game.to_string(), edit, cut: false },
            Self::Clock { game, ply, clk_ms, emt_ms } => {
                Order::SetClock { game: game.to_string(), ply, clk_ms, emt_ms }
            }
            Self::Tags { game, tags } => Order::SetTags { game: game.to_string(), tags },
            Self::Players { game, white, black } => {
                Order::SetPlayers { game: game.to_string(), white, black, confirm: true }
            }
            Self::Exchanged { section, round, one, other } => {
                Order::ExchangePlayers { section: section.to_string(), round, one, other }
            }
            Self::Withdrawn { game, withdrawn: true } => Order::Withdraw { game: game.to_string() },
            Self::Withdrawn { game, withdrawn: false } => Order::Restore { game: game.to_string() },
            Self::Board { game, board, exchange } => {
                Order::SwapBoard { game: game.to_string(), board: board.to_string(), exchange }
            }
            Self::Adjourned { game } => Order::Adjourn { game: game.to_string() },
            Self::Resumed { game, board } => Order::Resume { game: game.to_string(), board: Some(board.to_string()) },
            Self::PlayerAdded { player } => Order::RemovePlayer { player },
            Self::Player { player } => Order::RestorePlayer { player },
            Self::Display { player, display } => Order::SetDisplay { player, display },
            Self::Tournament { tournament, settings } => {
                Order::SetTournament { tournament: tournament.to_string(), settings }
            }
            Self::Section { section, settings } => {
                Order::SetSection { section: section.to_string(), settings, confirm: true }
            }
            Self::EventEnded { section, ended: true } => {
                Order::EndEvent { section: section.to_string(), confirm: true }
            }
            Self::EventEnded { section, ended: false } => Order::ResumeEvent { section: section.to_string() },
            Self::SectionRemoved { section, removed: true } => Order::RemoveSection { section: section.to_string() },
            Self::SectionRemoved { section, removed: false } => Order::RestoreSection { section: section.to_string() },
            Self::Published { section, round, published: true } => {
                Order::Publish { section: section.to_string(), round, confirm: true }
            }
            Self::Published { section, round, published: false } => {
                Order::Unpublish { section: section.to_string(), round, confirm: true }
            }
            Self::Round { section, round, settings } => {
                Order::SetRound { section: section.to_string(), round, settings }
            }
        }
    }

    /// What it changes, besides its game: two corrections of the same subject are taken back in reverse order.
    pub(crate) fn subject(&self) -> String {
        match self {
            Self::Result { .. } => "result".into(),
            Self::Moves { .. } | Self::Clock { .. } => "moves".into(),
            Self::Tags { .. } => "tags".into(),
            Self::Players { .. } => "players".into(),
            // Seats that were exchanged one after the other go back in reverse order.
            Self::Exchanged { section, round, .. } => format!("seats {section} {round}"),
            Self::Withdrawn { .. } => "withdrawn".into(),
            Self::Board { .. } | Self::Adjourned { .. } | Self::Resumed { .. } => "board".into(),
            Self::PlayerAdded { player } | Self::Player { player } => format!("player {player}"),
            Self::Display { player, .. } => format!("display {player}"),
            Self::Tournament { tournament, .. } => format!("tournament {tournament}"),
            Self::Section { section, .. } | Self::SectionRemoved { section, .. } => format!("section {section}"),
            Self::EventEnded { section, .. } => format!("end {section}"),
            Self::Published { section, round, .. } => format!("published {section} {round}"),
            Self::Round { section, round, .. } => format!("round {section} {round}"),
        }
    }
}

/// A result as an operator writes it; `*` for none.
pub(crate) fn written(result: Option<Score>) -> String {
    result.map_or_else(|| "*".into(), |score| score.to_string())
}
