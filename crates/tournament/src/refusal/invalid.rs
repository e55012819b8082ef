//! Refusals of orders that are never valid.

use coded_text::coded_texts;
use game_core::line::StartError;
use notation::time_control::TimeControlError;

coded_texts! {
    /// Why an order is never valid, whatever the state of the tournament.
    pub enum Invalid {
        // Settings.
        Slug { example: String } = "slug",
            "A section's short name uses small letters, digits and single dashes, for example \"{example}\".";
        Name { most: usize } = "name", "A name has 1 to {most} characters on one line.";
        Place { most: usize } = "place", "A place has 1 to {most} characters on one line.";
        Video { most: usize } = "video",
            "The video is an address that begins with https:// and has at most {most} characters: copy it from the browser's address bar.";
        TimeControl { text: String } = "time_control",
            "\"{text}\" is not a time control in seconds: write \"?\", \"-\", \"5400+30\", \"40/7200:3600\" or \"*180\".";
        FirstTable { most: u32 } = "first_table", "The first table is between 1 and {most}.";
        BoardNumber { most: u32 } = "board_number", "A board number is between 1 and {most}.";
        RoundNumber { most: u32 } = "round_number", "A round number is between 1 and {most}.";
        TableNumber { most: u32 } = "table_number", "A table number is between 1 and {most}.";
        Delay { seconds: u32 } = "delay", "A delay is at most 24 hours ({seconds} seconds).";
        DefaultTime { seconds: u32 } = "default_time", "A default time is at most a day ({seconds} seconds).";
        Chess960Number = "chess960_number", "A Chess960 position number is between 0 and 959.";
        StartPosition { fen: String, reason: String } = "start_position",
            "«{fen}» is not a position to play from ({reason}): correct it.";
        // Players and pairings.
        NotAName { name: String } = "not_a_name", "\"{name}\" is not a player's name: write \"Last, First\".";
        NameLong { name: String, most: usize } = "name_long",
            "\"{name}\" is longer than {most} characters or has control characters.";
        NotATitle { title: String } = "not_a_title", "\"{title}\" is not a FIDE title.";
        NotAFederation { federation: String } = "not_a_federation", "\"{federation}\" is not a FIDE federation code.";
        Rating = "rating", "A rating is between 1 and 4000.";
        SamePlayer = "same_player", "Name two different players.";
        FileCount { most: usize } = "file_count", "Load 1 to {most} files at a time.";
        PairedWithSelf { player: String, round: u32 } = "paired_with_self",
            "{player} is paired with themselves in round {round}: correct the file.";
        TwoGamesOnBoard { round: u32, number: u32 } = "two_games_on_board",
            "Round {round} has two games on board {number}: give one of them another board.";
        NotInList { player: String } = "not_in_list",
            "\"{player}\" is paired but not in the list of players: correct the file.";
        // Boards.
        Serial = "serial", "A board's serial number has 1 to 32 characters without spaces.";
        Squares = "squares", "Write squares as e4, h8 and so on.";
        TableTwice { table: u32 } = "table_twice", "Table {table} is listed twice: list each table once.";
        BoardTwice { board: String } = "board_twice",
            "Board {board} is listed for two tables: list each board once.";
        // Corrections.
        NotAResult { text: String } = "not_a_result",
            "\"{text}\" is not a result: write 1-0, 0-1, 1/2-1/2, 0-0, + - -, - - + or *.";
        ReasonLong { most: usize } = "reason_long",
            "Describe how the game ended in at most {most} characters on one line.";
        ReasonHasName { player: String } = "reason_has_name",
            "The reason of a result is kept for ever, so it must not have a name: write White or Black for player {player}.";
        TagCount { most: usize } = "tag_count", "A game can have at most {most} tags set by hand.";
        TagName { tag: String } = "tag_name",
            "\"{tag}\" is not the name of a tag: use letters, digits and underscores only.";
        TagDerived { tag: String } = "tag_derived",
            "The tag \"{tag}\" follows from the pairing, the players or the moves: correct those instead.";
        TagValue { tag: String, most: usize } = "tag_value",
            "The value of {tag} must be one line of at most {most} characters.";
        ClockTime = "clock_time", "A clock time is at most a day: give it in milliseconds.";
        Date = "date", "The date is out of range: check the clock of this computer.";
        NoteLine { most: usize } = "note_line", "A note is one line of 1 to {most} characters.";
        SourceName { most: usize } = "source_name", "The name of a source has 1 to {most} characters.";
        SourceStart = "source_start", "The start position is not one of a game.";
    }
}

impl From<StartError> for Invalid {
    fn from(StartError { fen, reason }: StartError) -> Self {
        Self::StartPosition { fen, reason }
    }
}

impl From<TimeControlError> for Invalid {
    fn from(TimeControlError { text }: TimeControlError) -> Self {
        Self::TimeControl { text }
    }
}
