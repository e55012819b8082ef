//! What a person has to confirm before an order is carried out.

use coded_text::{CodedText, coded_texts};

coded_texts! {
    /// A question about an order that looks like a mistake.
    pub enum Question {
        Confirm = "confirm", "To go ahead anyway, confirm.";
        GamesPlaying { section: String, games: usize } = "games_playing",
            "Games still being played in \"{section}\": {games}.";
        GamesStarted { round: u32, section: String, games: usize } = "games_started",
            "Games of round {round} of \"{section}\" that have begun, without a move: {games}. They will be pairings that wait.";
        GameBegun { game: Box<CodedText> } = "game_begun", "Game {game} has begun or has a result.";
        ForfeitWithMoves { game: Box<CodedText>, plies: usize, result: String } = "forfeit_with_moves",
            "Game {game} has moves ({plies}): {result} says that it was not played.";
        TableBusy { table: u32, section: String, round: u32 } = "table_busy",
            "Table {table} still has a game of \"{section}\", round {round}, that is not over.";
        TablesBusy { tables: String, section: String, round: u32 } = "tables_busy",
            "Tables {tables} still have games of \"{section}\", round {round}, that are not over. Where each section has its own \
             boards, change «First table of this section» in the settings of one of them.";
        StartsAgain { game: Box<CodedText> } = "starts_again", "Game {game} has begun, without a move; it starts again.";
        MovesReplaced { game: Box<CodedText>, plies: usize } = "moves_replaced",
            "Game {game} has begun. Recorded moves that will be replaced: {plies}.";
        OnAnotherBoard { player: String, number: u32 } = "on_another_board",
            "{player} is already paired on board {number}.";
        // Files of pairings.
        SamePerson { name: String, known: String } = "same_person",
            "{name} is new, and {known} is not in the files: is it the same person?";
        NotInFiles { round: u32, games: usize, tables: String } = "not_in_files",
            "Round {round} loses games with results, which are not in the files: {games} (tables {tables}).";
        RoundNotOver { round: u32 } = "round_not_named",
            "The table names no round and is taken for round {round}, the first that is not over.";
        OtherColours { game: Box<CodedText> } = "other_colours",
            "Game {game} has begun, and its colours are the other way round here.";
        PairedWithBye { player: String, round: u32, number: u32 } = "paired_with_bye",
            "{player} has a bye in round {round} and is paired on board {number}.";
        OnTwoBoards { player: String, one: u32, other: u32, round: u32 } = "on_two_boards",
            "{player} is paired on boards {one} and {other} in round {round}.";
        BoardsDerived { round: u32 } = "boards_derived",
            "The boards of round {round} were derived from points and starting numbers: compare them with the list.";
        TableTwoBoards { table: u32, boards: String } = "table_two_boards",
            "The files have several boards for table {table} ({boards}): it gets none of them.";
        BoardTwoTables { board: String, one: u32, other: u32 } = "board_two_tables",
            "The files have board {board} at tables {one} and {other}: it gets neither.";
        TableOtherBoard { table: u32, board: String, other: String } = "table_other_board",
            "Table {table} gets board {board} instead of {other}.";
        BoardOtherTable { board: String, other: u32, table: u32 } = "board_other_table",
            "Board {board} goes from table {other} to table {table}.";
        Alike { count: usize } = "alike", "The same holds for {count} more, which the notes name.";
    }
}
