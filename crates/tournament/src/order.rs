//! The orders that a person can give. What they do is in [`decide`](super::decide::decide).
//!
//! As JSON `{"order": "publish", "section": "open-a", "round": 3}`.

mod words;

use std::collections::BTreeMap;

use coded_text::CodedText;
use game_core::event::Variant;

use super::delay::Delay;
use super::person::{Display, Person, PlayerId};
use super::round::RoundSettings;
use super::section::{SectionSettings, Tournament};
use pairings::model::ByeKind;

pub use words::{DrawnStart, EnteredMove, MoveEdit, PairingFile, Seat, TakenStart};

/// An order of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Creates a tournament or changes its settings.
    SetTournament {
        /// Its slug.
        tournament: String,
        /// All its settings.
        settings: Tournament,
    },
    /// Creates a section or changes its settings.
    SetSection {
        /// Its slug: `{event}` in addresses, never changed.
        section: String,
        /// All its settings.
        settings: SectionSettings,
        /// Confirms all questions.
        confirm: bool,
    },
    /// Ends the event of a section, and with it the keys to its undelayed games. Without this order it ends eight days after
    /// its last day.
    EndEvent {
        /// The section's slug.
        section: String,
        /// Confirms all questions.
        confirm: bool,
    },
    /// Reopens an event that was ended by order.
    ResumeEvent {
        /// The section's slug.
        section: String,
    },
    /// Takes a section away with its players and its rounds, while none of them is public and nothing of it was played.
    RemoveSection {
        /// The section's slug.
        section: String,
    },
    /// Brings a section back that was taken away, with what it had.
    RestoreSection {
        /// The section's slug.
        section: String,
    },
    /// Creates a round or changes its settings.
    SetRound {
        /// The section's slug.
        section: String,
        /// Its number.
        round: u32,
        /// All its settings.
        settings: RoundSettings,
    },
    /// Sets by how much the public sees the games of a board of a section later, in every round.
    SetBoardDelay {
        /// The section's slug.
        section: String,
        /// Number of the board in the section, from 1.
        board: u32,
        /// None for the delay of the round.
        delay: Option<Delay>,
    },
    /// Sets the start position of all games of a round, until its first move. A game that has begun without one begins anew with it.
    SetStart {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// None for the usual position.
        start: Option<DrawnStart>,
    },
    /// Loads pairing files.
    LoadPairings {
        /// The section's slug.
        section: String,
        /// Files that belong together.
        files: Vec<PairingFile>,
        /// The round of a table that names none; without one it is that with the same pairs, else the first that is not over.
        round: Option<u32>,
        /// Confirms all questions.
        confirm: bool,
    },
    /// Loads the pairings of the watched folder that wait for an answer, and answers all questions with yes.
    ConfirmPairings {
        /// The section's slug.
        section: String,
    },
    /// Pairs two players by hand.
    Pair {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// Board number in the section, from 1; none for the next free one.
        number: Option<u32>,
        /// White.
        white: PlayerId,
        /// Black.
        black: PlayerId,
        /// Whether the game is played without an electronic board.
        boardless: bool,
        /// Confirms all questions.
        confirm: bool,
    },
    /// Removes a pairing.
    Unpair {
        /// The game's id.
        game: String,
        /// Confirms all questions.
        confirm: bool,
    },
    /// Gives a player a bye in a round, or removes it.
    SetBye {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// The player.
        player: PlayerId,
        /// What it is worth; none removes it.
        kind: Option<ByeKind>,
    },
    /// Adds a player to a section.
    AddPlayer {
        /// The section's slug.
        section: String,
        /// The person.
        person: Person,
        /// Starting number.
        number: Option<u32>,
    },
    /// Removes a player who is in no round, with name and facts.
    RemovePlayer {
        /// The player.
        player: PlayerId,
    },
    /// Changes the facts about a player.
    SetPlayer {
        /// The player.
        player: PlayerId,
        /// All facts.
        person: Person,
    },
    /// Restores the facts about a player before the last change.
    RestorePlayer {
        /// The player.
        player: PlayerId,
    },
    /// Sets what the public may see of a player.
    SetDisplay {
        /// The player.
        player: PlayerId,
        /// From now on and in all rounds.
        display: Display,
    },
    /// Removes a player's name and facts for good; the moves stay. This cannot be undone.
    Forget {
        /// The player.
        player: PlayerId,
    },
    /// Publishes the pairings of a round.
    Publish {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// Confirms all questions.
        confirm: bool,
    },
    /// Takes back that a round was published, while none of its games has a move or a result. Games that have begun are paired
    /// again.
    Unpublish {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// Confirms all questions.
        confirm: bool,
    },
    /// Arms a round: from now on a start position on a board begins its game of this round.
    Arm {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// Confirms all questions.
        confirm: bool,
    },
    /// Ends a round, also with games that have no result.
    Finish {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
    },
    /// Reopens a round that is over.
    Reopen {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
    },
    /// Registers a board that was found: it keeps its number, or gets the next one. It gets no table by that.
    RegisterBoard {
        /// Serial number of the board.
        board: String,
    },
    /// Ignores the reports of these squares of a board, and of no others.
    IgnoreSquares {
        /// Serial number of the board.
        board: String,
        /// The squares, as `e4`, from the players' present seats; empty when all squares work again.
        squares: Vec<String>,
    },
    /// The game on a board goes on from what stands there; what was played before went unseen.
    GoOn {
        /// Serial number of the board.
        board: String,
    },
    /// Starts a new game on a board from a position, which must be set up there.
    StartFrom {
        /// Serial number of the board.
        board: String,
        /// The position.
        fen: String,
        /// The rules: `standard` or `chess960`.
        variant: Variant,
    },
    /// Sets the boards of these tables; other tables keep theirs.
    SeatBoards {
        /// Tables and boards.
        seats: Vec<Seat>,
    },
    /// Confirms the proposal for boards without a table: in the order of their serial numbers they get the tables of the
    /// pairings that have no board.
    AssignBySerial {
        /// Serial numbers of the boards; empty for all that are connected and have no table.
        boards: Vec<String>,
    },
    /// Waits for the board of a table: the next board without a running game that shows a king on e4 gets it.
    IdentifyTable {
        /// The table; none to wait no longer.
        table: Option<u32>,
    },
    /// Sets the result of a game: `1-0`, `1/2-1/2`, `0-0`, `+ - -`; `*` removes it.
    SetResult {
        /// The game's id.
        game: String,
        /// The result.
        result: String,
        /// How the game ended, e.g. `resignation`, `time forfeit`: the PGN tag `Termination` follows from it.
        reason: Option<String>,
        /// Confirms all questions.
        confirm: bool,
    },
    /// Enters, replaces or deletes moves.
    EditMoves {
        /// The game's id.
        game: String,
        /// The edit.
        edit: MoveEdit,
        /// Whether to cut off later moves that become illegal.
        cut: bool,
    },
    /// Sets the times of a move.
    SetClock {
        /// The game's id.
        game: String,
        /// The move, from 1.
        ply: u32,
        /// What the mover's clock showed after the press, in milliseconds; none when it is not known.
        clk_ms: Option<u64>,
        /// Time spent on the move, in milliseconds.
        emt_ms: Option<u64>,
    },
    /// Sets the players of a game.
    SetPlayers {
        /// The game's id.
        game: String,
        /// White; none when unknown.
        white: Option<PlayerId>,
        /// Black.
        black: Option<PlayerId>,
        /// Confirms all questions.
        confirm: bool,
    },
    /// Exchanges the seats of two players in a round; moves and results stay at their tables. One without a game takes the seat
    /// of the other.
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
    /// Sets tags of a game that are not derived from the pairing, the players and the moves.
    SetTags {
        /// The game's id.
        game: String,
        /// Tag name to value, all tags set by hand; an empty value hides a tag.
        tags: BTreeMap<String, String>,
    },
    /// Moves a running game to another board, with moves and clocks; the boards exchange their tables.
    SwapBoard {
        /// The game's id.
        game: String,
        /// Serial number of the new board.
        board: String,
        /// Whether a game that is played on the new board goes on on the one that is left; otherwise such a board is refused.
        exchange: bool,
    },
    /// Adjourns a running game.
    Adjourn {
        /// The game's id.
        game: String,
    },
    /// Resumes an adjourned game.
    Resume {
        /// The game's id.
        game: String,
        /// Serial number of the board; none for its table's.
        board: Option<String>,
    },
    /// Withdraws a game from the public.
    Withdraw {
        /// The game's id.
        game: String,
    },
    /// Makes a withdrawn game public again.
    Restore {
        /// The game's id.
        game: String,
    },
    /// Makes an unassigned game, or a game of open play, the game of a pairing, with moves and clocks.
    Adopt {
        /// The id of the unassigned game, or of a game of a section with open play, which leaves that section.
        unassigned: String,
        /// The pairing's game. Moves that were recorded for it before are replaced.
        game: String,
        /// Confirms all questions.
        confirm: bool,
    },
    /// Takes the moves of a game as another recorder has them. A game that a board of this hall plays, or that another recorder
    /// or a person recorded, is refused.
    TakeMoves {
        /// The game's id.
        game: String,
        /// The name of the source.
        source: String,
        /// All moves so far.
        moves: Vec<EnteredMove>,
        /// The position from which it starts, where that is not the round's.
        start: Option<TakenStart>,
        /// The result, as PGN writes it; it is entered if the game has none.
        result: Option<String>,
    },
    /// Writes a line into the history that nothing takes back, such as a change of the daemon's own settings.
    Note {
        /// What was done, without the name of a person.
        what: CodedText,
    },
    /// Undoes a correction.
    Undo {
        /// Its number in the history.
        number: u32,
    },
}

impl Order {
    /// Whether questions are answered with yes.
    pub(crate) fn is_confirmed(&self) -> bool {
        match self {
            Self::SetSection { confirm, .. }
            | Self::EndEvent { confirm, .. }
            | Self::LoadPairings { confirm, .. }
            | Self::Pair { confirm, .. }
            | Self::Unpair { confirm, .. }
            | Self::SetResult { confirm, .. }
            | Self::SetPlayers { confirm, .. }
            | Self::Publish { confirm, .. }
            | Self::Unpublish { confirm, .. }
            | Self::Arm { confirm, .. }
            | Self::Adopt { confirm, .. } => *confirm,
            // An undo needs no confirmation: it restores an earlier state.
            Self::Undo { .. } => true,
            _ => false,
        }
    }
}
