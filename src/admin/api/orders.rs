//! Orders: every request that changes the tournament is one JSON object, e.g.
//! `{"order": "publish", "section": "open-a", "round": 3}`.

mod conversion;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::delays::Delay;
use super::moves::{EnteredMove, MoveEdit};
use super::players::{Display, Person, PlayerId};
use super::results::ByeKind;
use super::rounds::{RoundSettings, Variant};
use super::sections::{SectionChanges, SectionSettings, Tournament};

/// An order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "order", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Order {
    /// Create or change a tournament.
    SetTournament {
        /// Its slug.
        tournament: String,
        /// All its settings.
        settings: Tournament,
    },
    /// Create or change a section.
    SetSection {
        /// Its slug, `{event}` in addresses; it never changes.
        section: String,
        /// The settings that change; those of an existing section that are not named stay. A new section needs a name.
        #[schema(value_type = SectionSettings)]
        settings: SectionChanges,
        /// Whether warnings are confirmed.
        #[serde(default)]
        confirm: bool,
    },
    /// End the event of a section: keys for its undelayed games become invalid. Without this order the event ends by itself
    /// eight days after its last day.
    EndEvent {
        /// The section's slug.
        section: String,
        /// Whether warnings are confirmed.
        #[serde(default)]
        confirm: bool,
    },
    /// Continue an event that was ended by order.
    ResumeEvent {
        /// The section's slug.
        section: String,
    },
    /// Take a section away with its players and its rounds, while none of them is public and nothing of it was played.
    RemoveSection {
        /// The section's slug.
        section: String,
    },
    /// Bring a section back that was taken away, with what it had.
    RestoreSection {
        /// The section's slug.
        section: String,
    },
    /// Create or change a round.
    SetRound {
        /// The section's slug.
        section: String,
        /// Its number.
        round: u32,
        /// All its settings.
        settings: RoundSettings,
    },
    /// Set by how much the public sees the games of a board later, in every round of its section.
    SetBoardDelay {
        /// The section's slug.
        section: String,
        /// Number of the board in the section, from 1.
        board: u32,
        /// None for the delay of the round.
        #[serde(default)]
        delay_s: Option<Delay>,
    },
    /// Set the start position of all games of a round, until its first move. A game that has begun without a move begins anew as soon
    /// as the position is set up.
    SetStart {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// The position; none for the standard start position.
        #[serde(default)]
        start: Option<DrawnStart>,
    },
    /// Load files of pairings.
    LoadPairings {
        /// The section's slug.
        section: String,
        /// Files that belong together.
        files: Vec<PairingFile>,
        /// The round of a table that names none; without one it is that with the same pairs, else the first that is not over.
        #[serde(default)]
        round: Option<u32>,
        /// Whether warnings are confirmed.
        #[serde(default)]
        confirm: bool,
    },
    /// Load the pairings of the watched folder that wait for an answer (alarm `pairings_unanswered`): all its questions are
    /// answered with yes.
    ConfirmPairings {
        /// The section's slug.
        section: String,
    },
    /// Pair two players by hand.
    Pair {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// Number of the board in the section, from 1; none for the next free one.
        #[serde(default)]
        number: Option<u32>,
        /// White.
        white: PlayerId,
        /// Black.
        black: PlayerId,
        /// Whether the game is played without an e-board.
        #[serde(default)]
        boardless: bool,
        /// Whether warnings are confirmed.
        #[serde(default)]
        confirm: bool,
    },
    /// Remove a pairing.
    Unpair {
        /// The game's id.
        game: String,
        /// Whether warnings are confirmed.
        #[serde(default)]
        confirm: bool,
    },
    /// Give a player a bye in a round, or remove it.
    SetBye {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// The player.
        player: PlayerId,
        /// The kind of the bye; none when the player plays.
        #[serde(default)]
        kind: Option<ByeKind>,
    },
    /// Add a player.
    AddPlayer {
        /// The section's slug.
        section: String,
        /// The person.
        person: Person,
        /// Starting number.
        #[serde(default)]
        number: Option<u32>,
    },
    /// Remove a player who is in no round, with name and facts. Adding the player again gives a new id.
    RemovePlayer {
        /// The player.
        player: PlayerId,
    },
    /// Correct the person of a player.
    SetPlayer {
        /// The player.
        player: PlayerId,
        /// The person, with all known facts.
        person: Person,
    },
    /// Undo the last correction of a player's person.
    RestorePlayer {
        /// The player.
        player: PlayerId,
    },
    /// Set what the public can see of a player.
    SetDisplay {
        /// The player.
        player: PlayerId,
        /// For all rounds, from now on.
        display: Display,
    },
    /// Remove the person of a player for ever. The moves remain. This cannot be undone.
    Forget {
        /// The player.
        player: PlayerId,
    },
    /// Publish the pairings of a round.
    Publish {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// Whether warnings are confirmed.
        #[serde(default)]
        confirm: bool,
    },
    /// Take back that a round was published, while none of its games has a move or a result. Games that have begun are paired again.
    Unpublish {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// Whether warnings are confirmed.
        #[serde(default)]
        confirm: bool,
    },
    /// Arm a round: from now on, a start position on a board begins its game of this round.
    Arm {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// Whether warnings are confirmed.
        #[serde(default)]
        confirm: bool,
    },
    /// Finish a round, whatever the state of its games.
    Finish {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
    },
    /// Reopen a finished round.
    Reopen {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
    },
    /// Register a board that was found: it keeps its number in open play, or gets the next one. It gets no table.
    #[serde(rename = "welcome_board")]
    RegisterBoard {
        /// Serial number of the board.
        board: String,
    },
    /// Ignore the reports of these squares of a board, and of no others.
    #[serde(rename = "blind_squares")]
    IgnoreSquares {
        /// Serial number of the board.
        board: String,
        /// The squares, e.g. `e4`, in the current orientation; none when all squares work.
        squares: Vec<String>,
    },
    /// Let the game on a board go on from what stands there: what was played before went unseen. The record has a gap there,
    /// which the order `edit_moves` with `fill_gap` fills later.
    GoOn {
        /// Serial number of the board.
        board: String,
    },
    /// Begin a new game on a board from a position, which the board must show. A game on this board is left as it is.
    StartFrom {
        /// Serial number of the board.
        board: String,
        /// The position.
        fen: String,
        /// The rules: `standard` or `chess960`.
        #[serde(default)]
        #[schema(value_type = String)]
        variant: Variant,
    },
    /// Assign boards to tables; tables that are not listed keep their boards.
    SeatBoards {
        /// The tables with their boards.
        seats: Vec<Seat>,
    },
    /// Confirm the proposal for boards without a table: in the order of their serial numbers they get the tables of the
    /// pairings that have no board. Before there are pairings, the tables are counted from 1.
    AssignBySerial {
        /// Serial numbers of the boards; without it all boards that are connected and have no table.
        #[serde(default)]
        boards: Vec<String>,
    },
    /// Identify the board of a table: the next board without a running game that shows a king on e4 for two seconds gets
    /// the table.
    IdentifyTable {
        /// The table; none to stop.
        #[serde(default)]
        table: Option<u32>,
    },
    /// Set the result of a game: `1-0`, `1/2-1/2`, `0-0`, `+ - -`; `*` removes it.
    SetResult {
        /// The game's id.
        game: String,
        /// The result.
        result: String,
        /// How the game ended, e.g. `resignation`, `time forfeit`; it determines the PGN tag `Termination`.
        #[serde(default)]
        reason: Option<String>,
        /// Whether warnings are confirmed.
        #[serde(default)]
        confirm: bool,
    },
    /// Insert, replace or delete moves.
    EditMoves {
        /// The game's id.
        game: String,
        /// The change.
        edit: MoveEdit,
        /// Whether later moves that become illegal are deleted.
        #[serde(default)]
        cut: bool,
    },
    /// Correct the times of a move.
    SetClock {
        /// The game's id.
        game: String,
        /// The ply, from 1.
        ply: u32,
        /// Clock time of the player after the press, in milliseconds; none when unknown.
        #[serde(default)]
        clk_ms: Option<u64>,
        /// Time spent on the move, in milliseconds.
        #[serde(default)]
        emt_ms: Option<u64>,
    },
    /// Correct the players of a game.
    SetPlayers {
        /// The game's id.
        game: String,
        /// White; none when unknown.
        #[serde(default)]
        white: Option<PlayerId>,
        /// Black.
        #[serde(default)]
        black: Option<PlayerId>,
        /// Whether warnings are confirmed.
        #[serde(default)]
        confirm: bool,
    },
    /// Exchange the seats of two players in a round. Moves and results stay at their tables; a player without a game takes the
    /// seat of the other.
    ExchangePlayers {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// One of them.
        one: PlayerId,
        /// The other one.
        other: PlayerId,
    },
    /// Set tags of a game. Tags of players, place and result cannot be set: they follow from the tournament.
    SetTags {
        /// The game's id.
        game: String,
        /// Tag name to value, for all tags set by hand; an empty value hides a tag.
        tags: BTreeMap<String, String>,
    },
    /// Continue a running game on another board, with its moves and clocks; the two boards exchange their tables.
    SwapBoard {
        /// The game's id.
        game: String,
        /// Serial number of the new board.
        board: String,
        /// Whether a game that is played on the new board goes on on the one that is left. Otherwise such a board is refused.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        exchange: bool,
    },
    /// Adjourn a running game.
    Adjourn {
        /// The game's id.
        game: String,
    },
    /// Resume an adjourned game.
    Resume {
        /// The game's id.
        game: String,
        /// Serial number of the board; none for the board of its table.
        #[serde(default)]
        board: Option<String>,
    },
    /// Withdraw a game from the public.
    Withdraw {
        /// The game's id.
        game: String,
    },
    /// Make a withdrawn game public again.
    Restore {
        /// The game's id.
        game: String,
    },
    /// Adopt an unassigned game, or a game of open play, as the game of a pairing, with its moves and clocks.
    #[serde(rename = "claim")]
    Adopt {
        /// The id of the unassigned game, or of the game of open play, which leaves its section.
        #[serde(rename = "parked")]
        unassigned: String,
        /// The id of the pairing's game. Moves that were recorded for it before are removed.
        game: String,
        /// Whether warnings are confirmed.
        #[serde(default)]
        confirm: bool,
    },
    /// Take the moves of a game as another recorder has them. A game that a board of this hall plays, or that a person or another
    /// recorder recorded, is refused.
    TakeMoves {
        /// The game's id.
        game: String,
        /// The name of the recorder.
        source: String,
        /// All moves so far.
        moves: Vec<EnteredMove>,
        /// The position from which it starts, where that is not the round's.
        #[serde(default)]
        start: Option<TakenStart>,
        /// The result, as PGN writes it; it is entered if the game has none.
        #[serde(default)]
        result: Option<String>,
    },
    /// Write a line into the history.
    Note {
        /// What was done, without the name of a person.
        what: String,
    },
    /// Undo a correction.
    Undo {
        /// Its number in the history.
        number: u32,
    },
}

/// The start position of a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DrawnStart {
    /// A number of Chess960, 0 to 959; 518 is the standard start position.
    Chess960(u32),
    /// A position of orthodox chess.
    Fen(String),
}

/// A start position as another recorder has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TakenStart {
    /// The position.
    pub(crate) fen: String,
    /// The rules.
    pub(crate) variant: Variant,
}

/// A table and its board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seat {
    /// The table, from 1.
    pub(crate) table: u32,
    /// Serial number of the board; none for a table without a board.
    #[serde(default)]
    pub(crate) board: Option<String>,
}

/// A file of pairings as text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PairingFile {
    /// Its name, for messages.
    pub(crate) name: String,
    /// Its content.
    pub(crate) text: String,
    /// The encoding that the file was read in, if that was guessed: `windows-1250`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) guessed_encoding: Option<String>,
}
