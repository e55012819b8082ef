//! Orders: every request that changes the tournament is one JSON object, e.g.
//! `{"order": "publish", "section": "open-a", "round": 3}`.

mod conversion;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::moves::MoveEdit;
use super::players::{Display, Person, PlayerId};
use super::results::ByeKind;
use super::rounds::{RoundSettings, Variant};
use super::sections::{SectionSettings, Tournament};

/// An order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "order", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Order {
    /// A tournament is made or renamed.
    SetTournament {
        /// Its slug.
        tournament: String,
        /// What it is called.
        settings: Tournament,
    },
    /// A section is made or its settings are changed.
    SetSection {
        /// Its slug: `{event}` in addresses, never changed.
        section: String,
        /// All its settings.
        settings: SectionSettings,
    },
    /// The event of a section is over: keys to its undelayed games end. Without this order it is over by itself, eight days
    /// after its last day.
    EndEvent {
        /// The section's slug.
        section: String,
        /// Whether questions are answered with yes.
        #[serde(default)]
        confirm: bool,
    },
    /// An event that was ended by order goes on after all.
    ResumeEvent {
        /// The section's slug.
        section: String,
    },
    /// A round is made or its settings are changed.
    SetRound {
        /// The section's slug.
        section: String,
        /// Its number.
        round: u32,
        /// All its settings.
        settings: RoundSettings,
    },
    /// All games of a round start from a position that was drawn.
    SetStart {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// None for the usual position.
        #[serde(default)]
        start: Option<DrawnStart>,
    },
    /// Files of pairings are loaded.
    LoadPairings {
        /// The section's slug.
        section: String,
        /// Files that belong together.
        files: Vec<PairingFile>,
        /// Whether questions are answered with yes.
        #[serde(default)]
        confirm: bool,
    },
    /// Two players are paired by hand.
    Pair {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// Board number in the section, from 1; none for the next free one.
        #[serde(default)]
        number: Option<u32>,
        /// White.
        white: PlayerId,
        /// Black.
        black: PlayerId,
        /// Whether the game is played without an electronic board.
        #[serde(default)]
        boardless: bool,
        /// Whether questions are answered with yes.
        #[serde(default)]
        confirm: bool,
    },
    /// Two players are not paired any more.
    Unpair {
        /// The game's id.
        game: String,
        /// Whether questions are answered with yes.
        #[serde(default)]
        confirm: bool,
    },
    /// A player does not play in a round, or does after all.
    SetBye {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// The player.
        player: PlayerId,
        /// What it is worth; none when he plays.
        #[serde(default)]
        kind: Option<ByeKind>,
    },
    /// A player takes part.
    AddPlayer {
        /// The section's slug.
        section: String,
        /// Who it is.
        person: Person,
        /// Starting number.
        #[serde(default)]
        number: Option<u32>,
    },
    /// What is known of a player is corrected.
    SetPlayer {
        /// The player.
        player: PlayerId,
        /// Who it is, everything that is known.
        person: Person,
    },
    /// What was known of a player before his last correction counts again.
    RestorePlayer {
        /// The player.
        player: PlayerId,
    },
    /// What the public may see of a player.
    SetDisplay {
        /// The player.
        player: PlayerId,
        /// From now on and in all rounds.
        display: Display,
    },
    /// A player's person is removed for good. His moves stay. It cannot be taken back.
    Forget {
        /// The player.
        player: PlayerId,
    },
    /// The pairings of a round become public.
    Publish {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// Whether questions are answered with yes.
        #[serde(default)]
        confirm: bool,
    },
    /// From now on a start position on a board opens its game of this round.
    Arm {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
        /// Whether questions are answered with yes.
        #[serde(default)]
        confirm: bool,
    },
    /// A round is over, whatever its games say.
    Finish {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
    },
    /// A round that is over goes on.
    Reopen {
        /// The section's slug.
        section: String,
        /// The round.
        round: u32,
    },
    /// A board that was found gets a table: the one that it has, else the next free one.
    WelcomeBoard {
        /// Serial number of the board.
        board: String,
    },
    /// What these squares of a board report is not believed any more, and what all others report is.
    BlindSquares {
        /// Serial number of the board.
        board: String,
        /// The squares, as `e4`, seen as the players sit now; none when all are sound again.
        squares: Vec<String>,
    },
    /// A new game starts on a board from a position, whatever was played there before: what stands on the board must be it.
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
    /// Boards stand at these tables; other tables keep theirs.
    SeatBoards {
        /// Tables and boards.
        seats: Vec<Seat>,
    },
    /// A game has a result: `1-0`, `1/2-1/2`, `0-0`, `+ - -`; `*` takes it back.
    SetResult {
        /// The game's id.
        game: String,
        /// The result.
        result: String,
        /// How the game ended, e.g. `resignation`, `time forfeit`: the PGN tag `Termination` follows from it.
        #[serde(default)]
        reason: Option<String>,
    },
    /// Moves are entered, replaced or deleted.
    EditMoves {
        /// The game's id.
        game: String,
        /// How.
        edit: MoveEdit,
        /// Whether later moves that become illegal are cut off.
        #[serde(default)]
        cut: bool,
    },
    /// The times of a move are corrected.
    SetClock {
        /// The game's id.
        game: String,
        /// The move, from 1.
        ply: u32,
        /// What the mover's clock showed after the press, in milliseconds; none when it is not known.
        #[serde(default)]
        clk_ms: Option<u64>,
        /// Time spent on the move, in milliseconds.
        #[serde(default)]
        emt_ms: Option<u64>,
    },
    /// The players of a game are corrected.
    SetPlayers {
        /// The game's id.
        game: String,
        /// White; none when nobody knows.
        #[serde(default)]
        white: Option<PlayerId>,
        /// Black.
        #[serde(default)]
        black: Option<PlayerId>,
        /// Whether questions are answered with yes.
        #[serde(default)]
        confirm: bool,
    },
    /// Tags of a game are set; those that tell who plays, where and how it ended follow from the rest.
    SetTags {
        /// The game's id.
        game: String,
        /// Tag name to value, all tags that were ever set by hand; an empty value hides a tag.
        tags: BTreeMap<String, String>,
    },
    /// Another board takes a running game over, moves and clocks included; the boards exchange their tables.
    SwapBoard {
        /// The game's id.
        game: String,
        /// Serial number of the board that takes it over.
        board: String,
    },
    /// A running game goes on later.
    Adjourn {
        /// The game's id.
        game: String,
    },
    /// An adjourned game goes on.
    Resume {
        /// The game's id.
        game: String,
        /// Serial number of the board; none for its table's.
        #[serde(default)]
        board: Option<String>,
    },
    /// A game is kept from the public.
    Withdraw {
        /// The game's id.
        game: String,
    },
    /// A withdrawn game is public again.
    Restore {
        /// The game's id.
        game: String,
    },
    /// What was kept apart, or played in open play, is this game, moves and clocks included.
    Claim {
        /// The id of what was kept apart, or of a game of a section with open play: there it is gone then.
        parked: String,
        /// The game's id. What was recorded of it before, by a start that was none, is taken back.
        game: String,
        /// Whether questions are answered with yes.
        #[serde(default)]
        confirm: bool,
    },
    /// A correction is taken back.
    Undo {
        /// Its number in the history.
        number: u32,
    },
}

/// A start position that was drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DrawnStart {
    /// A number of Chess960, 0 to 959; 518 is the usual position.
    Chess960(u32),
    /// A position of orthodox chess.
    Fen(String),
}

/// A board at a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seat {
    /// The table, from 1.
    pub(crate) table: u32,
    /// Serial number of the board; none to leave the table without.
    #[serde(default)]
    pub(crate) board: Option<String>,
}

/// A file of pairings as text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PairingFile {
    /// Its name, for messages.
    pub(crate) name: String,
    /// What is in it.
    pub(crate) text: String,
    /// Whether it was no UTF-8 and was read as Windows-1252.
    #[serde(default)]
    pub(crate) windows_1252: bool,
}
