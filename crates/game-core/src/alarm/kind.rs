//! The kinds of alarms, with the person each is for and the article of the FIDE Laws that applies.

use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// What an alarm is about; `VARIANTS` has every kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "snake_case")]
pub enum AlarmKind {
    /// The position stands for at least the third time: the player to move can claim a draw (9.2.2). A claim before the
    /// position appears (9.2.1) is made by the player.
    ThreefoldRepetition,
    /// A position stood five times: the game is drawn (9.6.1).
    FivefoldRepetition,
    /// Fifty moves of each player without a capture or a pawn move: a draw can be claimed (9.3.2).
    FiftyMoves,
    /// Seventy-five such moves: the game is drawn, unless the last one mates (9.6.2).
    SeventyFiveMoves,
    /// Neither player can mate by any series of legal moves: the game is drawn (5.2.2).
    DeadPosition,
    /// Both kings are in check: an illegal move was completed (7.5.1; in rapid and blitz A.5.4).
    BothKingsInCheck,
    /// A pawn was left on the last rank: with the press it becomes a queen (7.5.2; in rapid and blitz A.5.4).
    PawnOnLastRank,
    /// No legal moves lead to the position on the board (7.5.1).
    IllegalPosition,
    /// The game cannot begin because pieces stand on wrong squares (7.2.1).
    WrongStart,
    /// Several lines of play lead to the position on the board.
    MovesUnclear,
    /// Moves went unseen while the board could not be reached.
    MovesUnseen,
    /// A board shows the game of another table.
    BoardsExchanged,
    /// A flag is down: lost, unless the opponent cannot mate by any series of legal moves (6.9).
    FlagDown,
    /// A player has not moved within the default time (6.7.1).
    NotStarted,
    /// The clock is stopped while the game goes on (6.11.1 by the arbiter, 6.11.2 by a player).
    ClockStopped,
    /// The clock of the player who has just moved still runs (6.2.1). Reminding the player is forbidden (12.6).
    ClockAgainstMover,
    /// A board shows a result that a person must confirm.
    ResultUnconfirmed,
    /// The record and the pairings have different results, or differ about a bye.
    ResultDiffers,
    /// One board cannot be reached, or several since the same moment.
    BoardSilent,
    /// A piece comes and goes without being touched: its contact is bad.
    PieceUnsteady,
    /// A board has a dead square, crosstalk, a ghost or a misread piece.
    BoardFaulty,
    /// A clock shows that its battery is low.
    ClockBatteryLow,
    /// The battery of a board on Bluetooth is low.
    BoardBatteryLow,
    /// The journal cannot be written.
    RecordFailing,
    /// What boards send cannot be written to their captures.
    CapturesFailing,
    /// The disk with the data folder has little space left.
    DiskSpaceLow,
    /// Entries are missing from the journal, or it was rebuilt: a person has to look.
    RecordIncomplete,
    /// A pairing file that loads automatically was refused.
    PairingsRefused,
    /// A pairing file that loads automatically asks something, and waits for the answer.
    PairingsUnanswered,
    /// Boards are not assigned to tables, so that their moves belong to no game of the pairings.
    BoardWithoutTable,
    /// Moves are played at a table whose round is not armed, or were when it was armed.
    MovesBeforeRound,
    /// A board answers the question for its trademark with another text.
    TrademarkUnknown,
    /// Serial servers of the settings cannot be reached.
    ServerUnreachable,
    /// An output has failed for a while, or its consumer does not show what was sent.
    OutputFailing,
    /// A source of games has failed for a while.
    SourceFailing,
}

/// The person an alarm is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// The arbiter: the alarm concerns the game, and operators do not see it.
    Arbiter,
    /// The operator: the alarm concerns the equipment or the record.
    Operator,
}

impl AlarmKind {
    /// The person it is for.
    pub(crate) const fn audience(self) -> Audience {
        match self {
            Self::BoardSilent
            | Self::MovesUnseen
            | Self::BoardsExchanged
            | Self::PieceUnsteady
            | Self::BoardFaulty
            | Self::ClockBatteryLow
            | Self::BoardBatteryLow
            | Self::ResultDiffers
            | Self::RecordFailing
            | Self::CapturesFailing
            | Self::DiskSpaceLow
            | Self::RecordIncomplete
            | Self::PairingsRefused
            | Self::PairingsUnanswered
            | Self::BoardWithoutTable
            | Self::MovesBeforeRound
            | Self::TrademarkUnknown
            | Self::ServerUnreachable
            | Self::OutputFailing
            | Self::SourceFailing => Audience::Operator,
            _ => Audience::Arbiter,
        }
    }

    /// The article of the FIDE Laws of Chess that applies (in force from 1 January 2023, Handbook E.01); none for matters
    /// outside the Laws.
    pub(crate) const fn rule(self) -> Option<&'static str> {
        Some(match self {
            Self::ThreefoldRepetition => "9.2.2",
            Self::FivefoldRepetition => "9.6.1",
            Self::FiftyMoves => "9.3.2",
            Self::SeventyFiveMoves => "9.6.2",
            Self::DeadPosition => "5.2.2",
            Self::BothKingsInCheck | Self::IllegalPosition => "7.5.1",
            Self::PawnOnLastRank => "7.5.2",
            Self::WrongStart => "7.2.1",
            Self::FlagDown => "6.9",
            Self::NotStarted => "6.7.1",
            Self::ClockStopped => "6.11",
            Self::ClockAgainstMover => "6.2.1",
            Self::MovesUnclear
            | Self::MovesUnseen
            | Self::BoardsExchanged
            | Self::ResultUnconfirmed
            | Self::ResultDiffers
            | Self::BoardSilent
            | Self::PieceUnsteady
            | Self::BoardFaulty
            | Self::ClockBatteryLow
            | Self::BoardBatteryLow
            | Self::RecordFailing
            | Self::CapturesFailing
            | Self::DiskSpaceLow
            | Self::RecordIncomplete
            | Self::PairingsRefused
            | Self::PairingsUnanswered
            | Self::BoardWithoutTable
            | Self::MovesBeforeRound
            | Self::TrademarkUnknown
            | Self::ServerUnreachable
            | Self::OutputFailing
            | Self::SourceFailing => return None,
        })
    }

    /// Whether the alarm can wait until the game ends: a claim is up to the players, a result is compared once there is one,
    /// and a known fault does not stop the game.
    pub(crate) const fn can_wait(self) -> bool {
        matches!(
            self,
            Self::ThreefoldRepetition
                | Self::FiftyMoves
                | Self::ResultUnconfirmed
                | Self::ResultDiffers
                | Self::BoardFaulty
                | Self::ClockBatteryLow
                | Self::BoardBatteryLow
                | Self::TrademarkUnknown
                | Self::ServerUnreachable
        )
    }
}
