//! Everything that can reach a board's session, in one closed type.
//!
//! Each input is one line of a capture file (docs/contracts.md, 3.2 and 1.1), so nothing else can influence a game. The
//! JSON names are part of that file format and do not change. Must not know how inputs arrive.

use notation::pgn::Outcome;
use serde::{Deserialize, Serialize};
use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Square};

use crate::controls::Controls;
use crate::event::{Evidence, Variant};
use crate::line::{Line, start_position};

/// One input of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Bytes from the board, in chunks of any size.
    Bytes(Vec<u8>),
    /// An input other than bytes.
    Notice(Notice),
}

/// An input other than bytes: the JSON object of a `!` line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// The board was plugged in.
    Attach(Attach),
    /// The board was unplugged.
    Detach(Detach),
    /// The pairing of the next or the current game.
    Assign(Assign),
    /// A command of an operator.
    Command(Command),
    /// The recorded state of the game: the first line after a restart or a change of day.
    Resume(Resume),
    /// The board shows another game than its own.
    ShowsOther(ShowsOther),
    /// The capture was ended on purpose: deadlines still due do not run.
    End {},
}

/// A board was plugged in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Attach {
    /// The name of the port, for people.
    pub port: String,
    /// The board's serial number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<String>,
    /// Firmware version, main and sub.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<(u8, u8)>,
    /// The address of a board on a bus; none for a board of its own. It decides how the bytes are read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bus: Option<u16>,
    /// Whether it is reached over Bluetooth, and so has a battery that can be asked for.
    #[serde(skip_serializing_if = "is_false")]
    pub bluetooth: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(value: &bool) -> bool {
    !value
}

/// A board was unplugged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Detach {
    /// The reason: «unplugged», «no answer for 5 s».
    pub reason: String,
}

/// Which results on the board are published without a person's confirmation, half a minute after they appear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultRule {
    /// Mate, stalemate, kings in the centre, and result pieces.
    #[default]
    Shown,
    /// Mate and stalemate.
    ByRules,
    /// No result.
    Confirmed,
}

impl ResultRule {
    /// Whether a result on this evidence is published without a person's confirmation.
    pub const fn trusts(self, evidence: Evidence) -> bool {
        match self {
            Self::Shown => true,
            Self::ByRules => matches!(evidence, Evidence::Rules),
            Self::Confirmed => false,
        }
    }
}

/// What becomes of two lines of play that explain the board equally well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DoubtRule {
    /// The likelier one is published when no person has decided for [`Doubting::wait_s`].
    #[default]
    Likely,
    /// Neither is published before a person has decided.
    Confirmed,
}

/// How long two lines of play that explain the board equally well wait for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Doubting {
    /// What becomes of them.
    #[serde(rename = "doubt_rule", skip_serializing_if = "is_usual")]
    pub rule: DoubtRule,
    /// How long a decision is waited for, in seconds.
    #[serde(rename = "doubt_wait_s", skip_serializing_if = "is_usual_wait")]
    pub wait_s: u32,
}

impl Doubting {
    /// How long a decision is waited for without a setting, in seconds.
    pub const USUAL_WAIT_S: u32 = 120;

    /// When the likelier line is published, in ms after the doubt began; none for never.
    pub const fn wait_ms(self) -> Option<u64> {
        match self.rule {
            DoubtRule::Likely => Some(self.wait_s as u64 * 1_000),
            DoubtRule::Confirmed => None,
        }
    }
}

impl Default for Doubting {
    fn default() -> Self {
        Self { rule: DoubtRule::default(), wait_s: Self::USUAL_WAIT_S }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references to the functions that it calls")]
fn is_usual(rule: &DoubtRule) -> bool {
    *rule == DoubtRule::default()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references to the functions that it calls")]
fn is_usual_wait(wait_s: &u32) -> bool {
    *wait_s == Doubting::USUAL_WAIT_S
}

/// The position of another running game stands on the board: boards or players were exchanged. What is played there is none of the
/// board's own game until that is set up on it again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ShowsOther {
    /// The id of that game.
    pub game: String,
}

/// A pairing: which game is played on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Assign {
    /// The game's id.
    pub game: String,
    /// Start position; none for the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// The rules of the start position that is named; a game from the usual one is of standard chess.
    pub variant: Variant,
    /// The time control.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_control: Option<Controls>,
    /// Which results are published without a person's confirmation.
    pub result_rule: ResultRule,
    /// What becomes of lines of play that are equally likely.
    #[serde(flatten)]
    pub doubting: Doubting,
}

/// A command of an operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// The operator's name.
    pub by: String,
    /// The order.
    #[serde(flatten)]
    pub order: Order,
}

/// What an operator commands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub enum Order {
    /// A new game starts from this position, whatever is on the board.
    StartFrom {
        /// The start position.
        fen: String,
        /// The rules.
        #[serde(default)]
        variant: Variant,
    },
    /// The moves after the first plies of the game are exactly these: a correction, or a whole list of moves. Recognition
    /// goes on from there.
    Moves {
        /// Number of plies that stay.
        keep: u32,
        /// The moves after them in UCI, all of them up to the position on the board.
        moves: Vec<String>,
    },
    /// The moves after this ply, which went unseen, and all that came after them are exactly these.
    FillGap {
        /// The last ply before the gap.
        after: u32,
        /// The moves after it in UCI, all of them up to the position on the board.
        moves: Vec<String>,
    },
    /// The game goes on from what stands on the board: what was played before went unseen.
    GoOn,
    /// The dead squares of the board, all of them: their reports are ignored in this game and the next ones. «Blind» is
    /// their name in captures and in the API.
    Blind {
        /// The squares as `e4`, in the present orientation.
        squares: Vec<String>,
    },
    /// The game's result.
    Result {
        /// One of `1-0`, `0-1`, `1/2-1/2`, `*`.
        result: String,
        /// The reason; none when it is not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// The result that an order set is taken back: the game goes on with all that the board has said since.
    PlayOn,
}

impl Order {
    /// The result that the order sets; none for other orders and for an unreadable one.
    pub(crate) fn result(&self) -> Option<Outcome> {
        match self {
            Self::Result { result, .. } => Outcome::parse(result),
            Self::StartFrom { .. }
            | Self::Moves { .. }
            | Self::FillGap { .. }
            | Self::GoOn
            | Self::Blind { .. }
            | Self::PlayOn => None,
        }
    }

    /// The squares that the order declares dead; none for other orders and when one of them is unreadable.
    pub fn blind(&self) -> Option<Bitboard> {
        match self {
            Self::Blind { squares } => squares.iter().map(|name| name.parse::<Square>().ok()).collect(),
            Self::StartFrom { .. }
            | Self::Moves { .. }
            | Self::FillGap { .. }
            | Self::GoOn
            | Self::Result { .. }
            | Self::PlayOn => None,
        }
    }
}

/// The state of a game, for the session that continues it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub struct Resume {
    /// The game's id, once it has one.
    pub game: String,
    /// Start position.
    pub fen: String,
    /// The rules.
    pub variant: Variant,
    /// Published moves in order.
    pub moves: Vec<ResumedMove>,
    /// Where moves went unseen, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<ResumedGap>,
    /// The time control.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_control: Option<Controls>,
    /// Which results are published without a person's confirmation.
    pub result_rule: ResultRule,
    /// What becomes of lines of play that are equally likely.
    #[serde(flatten)]
    pub doubting: Doubting,
    /// Whether White sits at the far end (field = 63 - wire field).
    pub rotated: bool,
    /// Whether White sits at the left side of the clock; none before the clock has told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white_is_left: Option<bool>,
    /// The dead squares, as `e4`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blind: Vec<String>,
    /// The result; `*` while there is none.
    pub result: String,
    /// Whether the game has ended on the board.
    pub ended: bool,
    /// Whether people set its last position up on this board before they play on: until then, what stands there is of another game.
    #[serde(skip_serializing_if = "is_false")]
    pub set_up: bool,
    /// Whether the session before goes on, because the capture shows all that it heard; otherwise another one begins, which
    /// knows what is written here alone.
    #[serde(skip_serializing_if = "is_false")]
    pub continued: bool,
}

impl Resume {
    /// The line of its moves and gaps, up to a move that is not legal; none where the start is no position.
    pub fn line(&self) -> Option<Line> {
        let mut line = Line::new(start_position(&self.fen, self.variant).ok()?, self.variant);
        let go_on = |line: &mut Line| {
            let here = |gap: &&ResumedGap| usize::try_from(gap.after_ply) == Ok(line.plies());
            let gap = self.gaps.iter().find(here).and_then(|gap| start_position(&gap.fen, self.variant).ok());
            if let Some(position) = gap {
                line.go_on_from(position);
            }
        };
        go_on(&mut line);
        for played in &self.moves {
            let uci = played.uci.parse::<UciMove>().ok();
            let Some(mv) = uci.and_then(|uci| uci.to_move(line.head()).ok()) else { break };
            line.push(mv);
            go_on(&mut line);
        }
        Some(line)
    }

    /// Whether both are the same game with the same moves, whatever their times and results.
    pub(crate) fn has_moves_of(&self, other: &Self) -> bool {
        let moves = |resume: &Self| resume.moves.iter().map(|mv| mv.uci.clone()).collect::<Vec<_>>();
        (&self.game, &self.fen, self.variant, &self.gaps) == (&other.game, &other.fen, other.variant, &other.gaps)
            && moves(self) == moves(other)
    }

    /// Whether both have the same record of the same game: its moves with their times, its gaps, its result and its rules.
    pub(crate) fn has_record_of(&self, other: &Self) -> bool {
        // How the board lies and which of its squares are dead belongs to the board.
        let of_this_board = Self {
            rotated: self.rotated,
            white_is_left: self.white_is_left,
            blind: self.blind.clone(),
            set_up: self.set_up,
            continued: self.continued,
            ..other.clone()
        };
        *self == of_this_board
    }
}

/// A published move of a resumed game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResumedMove {
    /// The move in UCI.
    pub uci: String,
    /// As in [`crate::event::Event::Move`].
    pub clk_ms: Option<u64>,
    /// As in [`crate::event::Event::Move`].
    pub emt_ms: Option<u64>,
}

/// Moves of a resumed game that went unseen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResumedGap {
    /// The last ply before them.
    pub after_ply: u32,
    /// The position from which play went on.
    pub fen: String,
}
