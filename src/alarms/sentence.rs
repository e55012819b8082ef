//! The sentences of alarms about the daemon and about boards without a game, with code and parameters.

use coded_text::{CodedText, coded_texts};
use journal::RecorderHandle;

coded_texts! {
    /// What has happened in the hall or in the daemon, and what to do.
    pub(crate) enum HallSentence {
        // The record.
        RecordGone = "alarm_record_gone",
            "The data folder was removed or unmounted, and nothing new is published: put it back.";
        RecordFailing { events: usize } = "alarm_record_failing",
            "The journal cannot be written, {events} events wait in memory: free space on the disk or replace it.";
        CapturesFailing = "alarm_captures_failing",
            "The captures cannot be written: check the permissions of the folder captures in the data folder and the space on its disk. \
             Games go on, but what boards send meanwhile cannot be replayed.";
        DiskReadOnly = "alarm_disk_read_only",
            "The disk with the data folder has become read-only: moves wait in memory, and nothing new is published. Make it writable, or \
             replace it.";
        DiskSpaceLow { megabytes: u64 } = "alarm_disk_space_low",
            "The disk with the data folder has less than {megabytes} MB left: remove files from it. When it is full, moves wait in memory.";
        RecordRebuilt = "alarm_record_rebuilt",
            "The journal was rebuilt and nothing is public yet. Look at the rounds, then open the broadcast (page System of the dashboard, or `boardcast rebuild --open`).";
        RecordMissing = "alarm_record_missing",
            "Something is missing from the journal. Stop the daemon and run `boardcast rebuild`, which takes from the captures what \
             they have, or confirm that it can stay away (page System of the dashboard, or `boardcast rebuild --open`).";
        // Follows the first losses.
        RecordMoreLost { more: usize } = "alarm_record_more_lost",
            "Further sentences on what is missing: {more}. The file journal.sqlite-notice in the data folder has them.";
        // Follows the byes that differ.
        CorrectOne = "alarm_correct_one", "Ask the arbiter and correct one of them.";
        // Boards without a table.
        BoardNotAssigned { board: String } = "alarm_board_not_assigned",
            "Board {board} is not assigned to a table: its moves are kept, but no game of the pairings gets them until a person \
             assigns a table.";
        BoardsNotAssigned { boards: String } = "alarm_boards_not_assigned",
            "Boards {boards} are not assigned to tables: their moves are kept, but no game of the pairings gets them until a \
             person assigns a table.";
        SeatsBySerial { seats: String } = "alarm_seats_by_serial",
            "In the order of serial numbers (table: board): {seats}. If that is right, «Use the order of serial \
             numbers» under Rounds, Boards.";
        AssignOne = "alarm_assign_one",
            "To assign one table, use «Boards» on the page Rounds of the dashboard, or «Put a king on e4 of each \
             table» there.";
        // Moves that belong to no pairing.
        MovesBeforeRound { tables: String, round: u32, section: String } = "alarm_moves_before_round",
            "Moves are played at these tables: {tables}, but round {round} of {section} has not started: they are kept, but no \
             game of the pairings gets them. Publish the round, then «Assign to a game» on the page of each board.";
        PlayBeforeArming { boards: String, tables: String } = "alarm_play_before_arming",
            "Play on these boards began before their round was armed: {boards}. The moves are kept, but no game of the pairings \
             gets them. If these are the games of their tables ({tables}), «Assign to a game» on the page of each board; to start again, set up \
             the start position.";
        // Boards of another maker.
        OtherTrademark { board: String } = "alarm_other_trademark",
            "Board {board}: another trademark than that of the maker's boards. Acknowledge this if it is meant.";
        OtherTrademarks { boards: String } = "alarm_other_trademarks",
            "Boards {boards}: another trademark than that of the maker's boards. Acknowledge this if it is meant.";
        // Ports.
        ServersUnreachable { ports: String } = "alarm_servers_unreachable",
            "Serial servers cannot be reached: {ports}. Check that they are switched on, their network cables, and the addresses in \
             the settings. They are tried again by themselves.";
        // The reason is the sentence of the output or source.
        OutputFailing { output: String, reason: Box<CodedText> } = "alarm_output_failing", "Output {output}: {reason}";
        SourceFailing { source: String, reason: Box<CodedText> } = "alarm_source_failing", "Source {source}: {reason}";
        OutputHelp = "alarm_output_help",
            "On the page Event of the dashboard, the output says what helps. It tries again by itself.";
        SourceHelp = "alarm_source_help",
            "On the page Event of the dashboard, the source says what helps. What was taken stays. It tries again by itself.";
        SourceReceivesHelp = "alarm_source_receives_help",
            "On the page Event of the dashboard, the source says what helps. What was taken stays. It waits for the next games that are \
             sent to it.";
    }
}

impl HallSentence {
    /// Why the journal cannot be written; none while it can.
    pub(crate) fn of_recorder(recorder: &RecorderHandle) -> Option<Self> {
        if recorder.is_gone() {
            return Some(Self::RecordGone);
        }
        recorder.is_failing().then(|| Self::RecordFailing { events: recorder.backlog() })
    }
}
