//! The sentences of alarms about games, clocks and boards, with code and parameters.

use std::fmt;

use coded_text::{Param, coded_texts};

use crate::event::Side;

/// A player in a sentence: named in English, and the word of the API for pages, which translate it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideShown(pub Side);

impl fmt::Display for SideShown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Side::White => "White",
            Side::Black => "Black",
        })
    }
}

impl From<SideShown> for Param {
    fn from(SideShown(side): SideShown) -> Self {
        let word = match side {
            Side::White => "white",
            Side::Black => "black",
        };
        Self::Text(word.into())
    }
}

/// An instant in a sentence: the time of day at the venue in English, `14:03`, and UTC milliseconds for pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VenueTime {
    /// UTC ms.
    pub at: u64,
    /// How far the clocks of the venue are ahead of UTC, in s.
    pub utc_offset_s: i32,
}

impl fmt::Display for VenueTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = i64::try_from(self.at / 1_000).unwrap_or(0).saturating_add(i64::from(self.utc_offset_s));
        let minutes = seconds.rem_euclid(86_400) / 60;
        write!(f, "{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

impl From<VenueTime> for Param {
    fn from(time: VenueTime) -> Self {
        Self::Number(time.at)
    }
}

coded_texts! {
    /// What has happened at a table, and what to do. Parameters that end with `_side` are players, with `_at` instants.
    pub enum AlarmSentence {
        // Before the others where there are several sections.
        OfSection { section: String } = "alarm_of_section", "{section}.";
        // Results.
        ResultDiffers { table: u32, own: String, paired: String } = "alarm_result_differs",
            "Table {table}: our record says {own} and the pairings say {paired}; ask the arbiter and correct one of them.";
        ResultUnconfirmed { table: u32, result: String } = "alarm_result_unconfirmed",
            "Table {table}: the board shows {result}; see whether that is right and enter the result.";
        // Draws.
        DeadPosition { table: u32 } = "alarm_dead_position",
            "Table {table}: neither player can mate by any series of legal moves; check the board and end the game as a draw.";
        ThirdTime { table: u32, player_side: SideShown } = "alarm_third_time",
            "Table {table}: the position stands for the third time; {player_side} can claim a draw, do not remind anybody.";
        FourthTime { table: u32, player_side: SideShown } = "alarm_fourth_time",
            "Table {table}: the position stands for the fourth time; {player_side} can claim a draw, do not remind anybody.";
        FifthTime { table: u32, last: String } = "alarm_fifth_time",
            "Table {table}: the position after {last} stood for the fifth time; the game is drawn, end it.";
        FiftyMoves { table: u32, player_side: SideShown } = "alarm_fifty_moves",
            "Table {table}: 50 moves of each player without a capture or a pawn move; {player_side} can claim a draw, do not \
             remind anybody.";
        SeventyFiveMoves { table: u32, last: String } = "alarm_seventy_five_moves",
            "Table {table}: 75 moves of each player without a capture or a pawn move up to {last}; the game is drawn, end it.";
        SeventyFiveAtStart { table: u32 } = "alarm_seventy_five_at_start",
            "Table {table}: the position from which the game began has 75 moves of each player without a capture or a pawn move; \
             the game is drawn, end it.";
        // What stands on the board.
        WrongStart { table: u32, squares: String } = "alarm_wrong_start",
            "Table {table}: pieces stand wrong at the start (look at {squares}); have them put right, the game begins by itself.";
        MovesUnclear { table: u32, lines: String } = "alarm_moves_unclear",
            "Table {table}: each of these lines leads to what the board shows: {lines}; ask the players and enter the moves.";
        MovesUnseen { table: u32, after: u32 } = "alarm_moves_unseen",
            "Table {table}: the moves after ply {after} went unseen; take them from the score sheets and fill the gap.";
        UnseenInOutage { table: u32, from_at: VenueTime, to_at: VenueTime } = "alarm_unseen_in_outage",
            "Table {table}: moves went unseen (cable out {from_at} to {to_at}); ask the players and enter them, or let the game go \
             on from what stands on the board.";
        UnseenInShortOutage { table: u32, from_at: VenueTime } = "alarm_unseen_in_short_outage",
            "Table {table}: moves went unseen (cable out at {from_at}); ask the players and enter them, or let the game go on from \
             what stands on the board.";
        BoardsExchanged { table: u32, other: u32 } = "alarm_boards_exchanged",
            "Table {table}: its board shows the game of table {other}, and nothing is recorded from it. If the boards were exchanged, \
             exchange them here too; otherwise have the own game set up on it again.";
        PawnOnLastRank { table: u32, square: String } = "alarm_pawn_on_last_rank",
            "Table {table}: a pawn stands on {square}; if the clock was pressed, the move is illegal and the pawn becomes a queen.";
        BothKingsInCheck { table: u32 } = "alarm_both_kings_in_check",
            "Table {table}: both kings are in check; look for the illegal move and have the position before it set up again.";
        IllegalPosition { table: u32, squares: String } = "alarm_illegal_position",
            "Table {table}: no legal moves lead to what stands on the board (look at {squares}); check whether an illegal move was \
             made.";
        // Equipment.
        BoardSilent { table: u32 } = "alarm_board_silent",
            "The board of table {table} does not answer: check its cable and its power; the game goes on.";
        BoardsSilent { count: usize, tables: String } = "alarm_boards_silent",
            "{count} boards do not answer: power or cable? Check what tables {tables} share.";
        PieceUnsteady { table: u32, squares: String } = "alarm_piece_unsteady",
            "Table {table}: a piece comes and goes on {squares}; put it in the middle of its square, or change it after the game.";
        BoardFaulty { table: u32, squares: String } = "alarm_board_faulty",
            "Table {table}: reports of {squares} cannot be true and are ignored; try the piece on another board, and change the \
             board after the game if the square is dead.";
        ClockBatteryLow { table: u32 } = "alarm_clock_battery_low",
            "Table {table}: the clock shows that its battery is low; have another clock ready, and change the battery after the \
             game.";
        BoardBatteryLow { table: u32, percent: u32 } = "alarm_board_battery_low",
            "Table {table}: the battery of the board has {percent} % left; connect its charger.";
        // Clocks. What a flag means follows it.
        FlagDown { table: u32, player_side: SideShown, made: usize } = "alarm_flag_down",
            "Table {table}: {player_side}'s flag is down (moves made: {made}); check the clock and the moves.";
        FlagDownOf { table: u32, player_side: SideShown, made: usize, asked: usize } = "alarm_flag_down_of",
            "Table {table}: {player_side}'s flag is down after {made} of the {asked} moves asked for; check the clock and the moves.";
        FlagLost { opponent_side: SideShown } = "alarm_flag_lost",
            "The game is lost unless {opponent_side} cannot mate by any series of legal moves.";
        FlagDrawn { opponent_side: SideShown } = "alarm_flag_drawn",
            "{opponent_side} cannot mate by any series of legal moves, so the game is drawn.";
        ClockStopped { table: u32 } = "alarm_clock_stopped",
            "Table {table}: the clock stands and the game has no result; ask for the result or start the clock.";
        ClockAgainstMover { table: u32, player_side: SideShown } = "alarm_clock_against_mover",
            "Table {table}: {player_side} has moved and {player_side}'s time runs; see whether the clock stands the right way \
             round, and do not remind anybody of a press.";
        NotStarted { table: u32, player_side: SideShown, minutes: u64 } = "alarm_not_started",
            "Table {table}: {player_side} has not moved and the default time of {minutes} min has passed; see who is at the board.";
    }
}
