//! What a person should know about an order that is carried out: sentences with code and parameters.

use std::fmt;

use coded_text::{CodedText, Param, coded_texts};
use pairings::model::ByeKind;

/// A kind of bye, or none, in a sentence: its name in English, and the word of the API for pages, which translate it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByeShown(pub Option<ByeKind>);

impl fmt::Display for ByeShown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.map_or("no bye", ByeKind::name))
    }
}

impl From<ByeShown> for Param {
    fn from(ByeShown(kind): ByeShown) -> Self {
        let word = match kind {
            Some(ByeKind::Pairing) => "pairing",
            Some(ByeKind::Full) => "full",
            Some(ByeKind::Half) => "half",
            Some(ByeKind::Zero) => "zero",
            None => "none",
        };
        Self::Text(word.into())
    }
}

coded_texts! {
    /// A note about an order: what it leads to, or what should be checked. What a load of pairings changes is a
    /// [`Change`](pairings::difference::Change).
    pub enum Note {
        NothingChanges = "nothing_changes", "Nothing changes.";
        // Files of pairings.
        OnlyBoards = "files_only_boards", "The files have no pairings: only the tables of boards were loaded.";
        OnlyPlayers = "files_only_players", "The files have no pairings: only players were loaded.";
        SpellingsKept { names: String } = "spellings_kept",
            "These names keep the spelling that is known, because that of the files (in brackets) has fewer accents or only other \
             capitals: {names}.";
        CorrectedNamesKept { names: String } = "corrected_names_kept",
            "These names keep what was entered here, because the files have the names of before (in brackets): {names}. Correct \
             them in the pairing program too.";
        RoundOfPage { round: u32 } = "round_of_page",
            "The table names no round and is taken for round {round}, from whose page it is loaded.";
        RoundOfPairs { round: u32 } = "round_of_pairs",
            "The table names no round and is taken for round {round}, which has the same pairs.";
        TablesShared { tables: String, section: String, round: u32 } = "tables_shared",
            "Tables {tables} also belong to round {round} of \"{section}\", which is not over: the board of a table plays for one \
             section only. Where each has its own boards, change «First table of this section» in the settings of one of them.";
        GameBack { game: Box<CodedText>, moves: usize, result: String } = "game_back",
            "Game {game} is back in the round, with its moves ({moves}) and the result {result}.";
        StandingsLoaded { round: u32 } = "standings_loaded", "The standings after round {round} were loaded.";
        ResultsDiffer { game: Box<CodedText>, files: String, own: String } = "results_differ",
            "Game {game}: the files have {files}, the tournament has {own}.";
        ByesDiffer { round: u32, section: String, player: String, files_bye: ByeShown, own_bye: ByeShown } = "byes_differ",
            "Round {round} of \"{section}\", {player}: the files have \"{files_bye}\", the tournament has \"{own_bye}\".";
        // Sections and rounds.
        SectionBack { section: String } = "section_back",
            "\"{section}\" was taken away before: it is back with the players and the rounds that it had.";
        RoundBoards { round: u32, with_board: usize, games: usize } = "round_boards",
            "Round {round}: {with_board} of {games} games have a board.";
        BoardlessPublic { numbers: String } = "boardless_public",
            "The games on these board numbers have no board and are public without moves: {numbers}. Assign boards to their \
             tables, or enter the results by hand.";
        BoardlessHidden { numbers: String } = "boardless_hidden",
            "The games on these board numbers have no board and are not public: {numbers}. Assign boards to their tables, or \
             switch on «Show games without an e-board to the public» in the settings of the section.";
        ForfeitHidden { game: Box<CodedText> } = "forfeit_hidden",
            "The public does not see the forfeit of game {game}, so the score of its team match lacks it: switch on «Show \
             forfeits to the public» in the settings of the section.";
        GamesOpen { round: u32, games: usize } = "games_without_result",
            "Games without a result in round {round}: {games}.";
        // Boards and tables.
        TableBoard { table: u32, board: String } = "table_board", "Table {table}: board {board}.";
        TableKeepsBoard { table: u32, board: String } = "table_keeps_board",
            "Table {table} keeps its board: a game is being played on board {board}.";
        BoardLeftTable { board: String } = "board_left_table", "Board {board} has no table now.";
        BoardLeftOver { board: String } = "board_left_over",
            "Board {board} gets no table: every table of the pairings has a board.";
        PutKing { table: u32 } = "put_king",
            "Put a king on e4 of the board at table {table} and leave it there for two seconds: that board gets the table.";
        // Games.
        GameCut { game: Box<CodedText>, san: String, ply: u32 } = "game_cut", "Game {game} now ends before {san} (ply {ply}).";
        GameGoesOn { game: Box<CodedText>, board: String } = "game_goes_on", "Game {game} goes on on board {board}.";
        OpenPlayEnds { game: Box<CodedText> } = "open_play_ends", "Game {game} of open play ends without a result.";
        Adopted { unassigned: String, game: Box<CodedText>, moves: usize } = "game_adopted",
            "{unassigned} is now game {game}; number of its moves: {moves}.";
        EarlierMoves { board: String, unassigned: String, game: Box<CodedText>, moves: usize } = "earlier_moves",
            "Board {board} had moves before the round was armed ({moves}): to use them, adopt {unassigned} as {game}.";
        // Persons.
        NameInFiles = "name_in_files", "Backups and pairing files still hold the name: remove it there too.";
    }
}
