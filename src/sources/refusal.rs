//! Why an order about a source is refused, and why nothing can be read from one: sentences with code and parameters.

use coded_text::{CodedText, coded_texts};

coded_texts! {
    /// Settings of a source that cannot work, orders that contradict what is there, and texts that are no games.
    pub enum SourceRefusal {
        Unknown = "no_source", "There is no such source.";
        Taken { name: String } = "source_taken", "There is a source «{name}» already: choose another name.";
        Count { most: usize } = "source_count", "There are {most} sources already: remove one.";
        NameStays = "source_name_stays", "The name of a source stays: the record has it.";
        GamesElsewhere = "source_elsewhere",
            "This source is read from elsewhere: send games to one of the kind «post».";
        PositionsElsewhere = "source_positions_elsewhere",
            "This source is read from elsewhere: send positions to one of the kind «post».";
        NotKept { reason: String } = "sources_not_kept",
            "The list of sources cannot be written ({reason}): free space on the disk.";
        // Settings.
        Name { name: String, most: usize } = "name_of_source",
            "«{name}» is no name for a source: use at most {most} small letters, digits and «-».";
        FirstBoard = "source_first_board",
            "Boards count from 1: give the board that the first board of the source is here.";
        Every { least: u32, most: u32 } = "source_every", "A source is asked every {least} to {most} seconds.";
        // What a server answers.
        Moved { status: u32 } = "source_moved",
            "The address leads to another one (status {status}): enter that one.";
        Forbidden { status: u32 } = "source_forbidden", "The server refuses (status {status}): check the token.";
        NoFile { status: u32 } = "source_no_file",
            "There is no such file (status {status}): check the address.";
        TooOften { status: u32 } = "source_too_often",
            "The server is asked too often (status {status}): choose more seconds between requests.";
        ServerError { status: u32 } = "source_server_error",
            "The server has an error (status {status}): the games stay as they are until it answers again.";
        Status { status: u32 } = "source_status",
            "The server answers with status {status}: check the address.";
        // What a folder holds.
        Folder { path: String, reason: String } = "source_folder",
            "The folder {path} cannot be read ({reason}): check its path, its disk and its permissions.";
        FolderFiles { path: String, most: usize } = "source_folder_files",
            "The folder {path} has more than {most} PGN files: name one round's.";
        FolderSize { path: String } = "source_folder_size",
            "The PGN files of {path} are larger than 4 MB together: name one round's.";
        // What a text holds.
        WebPage = "source_web_page",
            "The answer is a web page instead of PGN: give the address of the PGN file itself.";
        Games { most: usize } = "source_games", "The text has more than {most} games: send one round alone.";
        NoReadableGame { reason: Box<CodedText> } = "source_no_readable_game", "No game can be read. {reason}";
        NoGame = "source_no_game", "There is no game in the text: check that it is PGN.";
        // Positions that programs send.
        NotAPosition = "source_not_a_position",
            "The position is not the first field of a FEN: eight ranks with eight squares each.";
        OneClock = "source_one_clock", "Give the times of both sides, or of none.";
        Boards { most: usize } = "source_boards", "Positions of {most} boards come already: more are not taken.";
        Stopping = "source_stopping", "The daemon is stopping: send the position again when it runs.";
        Fault = "source_fault", "The source met a fault of this program, which is in the log; it tries again.";
        // Which pairings are meant.
        NoSection { section: String } = "source_no_section",
            "There is no section «{section}»: give this source another one.";
        NoPairings = "source_no_pairings",
            "There is no section with pairings: make one, and its games are taken.";
        Sections = "source_sections", "There are several sections: say which of them the games belong to.";
        RoundNotPublic { round: u32 } = "source_round_not_public",
            "The pairings of round {round} are not public yet: publish them, and its games are taken.";
        NothingPublic = "source_nothing_public",
            "No pairings are public yet: publish a round, and its games are taken.";
    }
}

/// Why an order was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such source.
    Unknown,
    /// It contradicts what is there.
    Conflict(SourceRefusal),
    /// It cannot work.
    Invalid(Box<CodedText>),
    /// The machine or the other side failed.
    Failed(Box<CodedText>),
}

impl Refusal {
    /// The sentence with its code and parameters.
    pub fn coded(self) -> CodedText {
        match self {
            Self::Unknown => SourceRefusal::Unknown.into(),
            Self::Conflict(refusal) => refusal.into(),
            Self::Invalid(reason) | Self::Failed(reason) => *reason,
        }
    }
}
