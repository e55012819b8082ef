//! Refusals that depend on the state of the tournament.

use coded_text::{CodedText, coded_texts};

coded_texts! {
    /// What an order names and the tournament does not have.
    pub enum Missing {
        Tournament { name: String } = "no_tournament", "There is no tournament \"{name}\": check the list and try again.";
        Section { name: String } = "no_section", "There is no section \"{name}\": check the list and try again.";
        Round { name: String } = "no_round", "There is no round \"{name}\": check the list and try again.";
        Game { name: String } = "no_game", "There is no game \"{name}\": check the list and try again.";
        UnassignedGame { name: String } = "no_unassigned_game",
            "There is no unassigned game \"{name}\": check the list and try again.";
        Player { name: String } = "no_player", "There is no player \"{name}\": check the list and try again.";
        Board { name: String } = "no_board", "There is no board \"{name}\": check the list and try again.";
        Move { name: String } = "no_move", "There is no move \"{name}\": check the list and try again.";
        Correction { name: String } = "no_correction",
            "There is no correction \"{name}\": check the list and try again.";
    }
}

coded_texts! {
    /// Why an order does not fit the state of the tournament.
    pub enum Conflict {
        // Sections and rounds.
        PairingsNotWaiting { section: String } = "pairings_not_waiting",
            "No pairings of \"{section}\" wait for an answer.";
        SectionHasRounds { section: String } = "section_has_rounds",
            "\"{section}\" already has rounds: create another section for play with or without pairings.";
        SectionPlayed { section: String, games: usize } = "section_played",
            "\"{section}\" stays. Its games that have moves or a result: {games}. End its event instead.";
        SectionPublic { section: String, round: u32 } = "section_public",
            "Round {round} of \"{section}\" is public: take it back first.";
        SectionOnly { section: String } = "section_only",
            "\"{section}\" is the only section: create another one first, or change the name of this one.";
        SectionThere { section: String } = "section_there", "\"{section}\" was not taken away.";
        TablesInPlay { section: String } = "tables_in_play",
            "Games of \"{section}\" are being played: its tables can change when they are over.";
        EventEnded { section: String } = "event_ended", "\"{section}\" has already ended.";
        EventNotEnded { section: String } = "event_not_ended",
            "\"{section}\" was not ended by a person: to reopen an event that ended by date, set a later last day.";
        DaysAreRounds { section: String } = "days_are_rounds",
            "In \"{section}\" each day is a round: create a section for your tournament.";
        NoFilesInOpenPlay { section: String } = "no_files_in_open_play",
            "\"{section}\" takes no pairings: create a section for your tournament.";
        NoPairsInOpenPlay { section: String } = "no_pairs_in_open_play",
            "\"{section}\" takes no pairings: name the players of a game instead.";
        StartInPlay { round: u32 } = "start_in_play",
            "Moves were made in round {round}: its start position cannot change.";
        RoundPublic { round: u32, section: String } = "round_public",
            "Round {round} of \"{section}\" is already public.";
        RoundNotPublic { round: u32 } = "round_not_public", "Round {round} is not public: publish it first.";
        RoundEmpty { round: u32, section: String } = "round_empty",
            "Round {round} of \"{section}\" has no pairings: load them first.";
        RoundOver { round: u32, section: String } = "round_over",
            "Round {round} of \"{section}\" is over: reopen it first.";
        RoundArmed { round: u32, section: String } = "round_armed",
            "Round {round} of \"{section}\" is already armed.";
        RoundFinished { round: u32, section: String } = "round_finished",
            "Round {round} of \"{section}\" is already over.";
        RoundInPlay { round: u32, section: String, games: usize } = "round_in_play",
            "Round {round} of \"{section}\" stays public. Games that have moves or a result: {games}.";
        RoundNotOver { round: u32, section: String } = "round_not_over",
            "Round {round} of \"{section}\" is not over.";
        // Players and pairings.
        NumberTaken { number: u32, player: String } = "number_taken",
            "Starting number {number} belongs to {player}: give another number.";
        PlayerKnown { player: String } = "player_known", "{player} already takes part.";
        PlayerInRound { player: String, round: u32 } = "player_in_round",
            "{player} stays: the player has a game or a bye in round {round}. Take that back first.";
        PlayerHasMoves { player: String } = "player_has_moves",
            "{player} stays: moves of the player are recorded.";
        NoEarlierVersion { player: String } = "no_earlier_version",
            "There is no earlier version of {player}: enter the facts again.";
        OtherSection { player: String, section: String } = "other_section",
            "{player} plays in section \"{section}\".";
        PlayerForgotten { player: String } = "player_forgotten",
            "Player {player} was forgotten for good: to bring the person back, add a new player.";
        PlaceTaken { number: u32, round: u32, game: Box<CodedText> } = "place_taken",
            "Board {number} of round {round} already has game {game}.";
        PairedAlready { player: String, number: u32 } = "paired_already",
            "{player} is paired on board {number}. Unpair them first.";
        NeitherPaired { players: String, round: u32 } = "neither_paired",
            "None of them has a game in round {round}: {players}. Pair them first.";
        HasBye { player: String, round: u32 } = "has_bye",
            "{player} has a bye in round {round}: remove the bye first.";
        PlayedNotInFiles { round: u32, games: usize, tables: String } = "played_not_in_files",
            "Round {round} has games with moves or results that are not in the files: {games} (tables {tables}). Nothing is \
             loaded: check that the files are of this round and this section. To load them all the same, first remove these games \
             from the round, one by one.";
        // Boards and games on them.
        NoGameOnBoard = "no_game_on_board", "No game is played on this board: set up a start position first.";
        NothingToSeat = "nothing_to_seat",
            "No board gets a table: either no connected board is without a table, or every table of the pairings has a board.";
        GameOnBoard { game: Box<CodedText>, board: String } = "game_on_board",
            "Game {game} is being played on board {board}: move the game to another board, adjourn it, or enter its result.";
        NotOnBoard { game: Box<CodedText> } = "not_on_board",
            "Game {game} is not being played on a board: give its table another board instead.";
        SameBoard { game: Box<CodedText>, board: String } = "same_board", "Game {game} is already played on board {board}.";
        NotPlayed { game: Box<CodedText> } = "not_played",
            "Game {game} is not being played: only a running game can be adjourned.";
        NotAdjourned { game: Box<CodedText> } = "not_adjourned",
            "Game {game} cannot be resumed: it is not adjourned and not waiting for a result.";
        TableWithoutBoard { game: Box<CodedText> } = "table_without_board",
            "The table of game {game} has no board: name the board on which to resume.";
        MovesUnknown { game: Box<CodedText> } = "moves_unknown",
            "The moves of game {game} are not known: enter them by hand first.";
        AdoptedAlready { unassigned: String, game: Box<CodedText> } = "adopted_already",
            "{unassigned} was already adopted as game {game}.";
        GameSettled { game: Box<CodedText> } = "game_settled", "Game {game} is withdrawn or has a result: undo that first.";
        NothingRecorded { unassigned: String } = "nothing_recorded",
            "No moves were recorded for {unassigned}: enter them by hand.";
        // Corrections.
        GameWithdrawn { game: Box<CodedText> } = "game_withdrawn", "Game {game} is already withdrawn.";
        GameNotWithdrawn { game: Box<CodedText> } = "game_not_withdrawn", "Game {game} is not withdrawn.";
        NotUndoable { number: u32, what: Box<CodedText> } = "not_undoable",
            "Correction {number} ({what}) cannot be undone.";
        UndoneAlready { number: u32, by: u32 } = "undone_already",
            "Correction {number} was already undone by correction {by}.";
        // Other recorders.
        BoardCounts { game: Box<CodedText>, board: String } = "board_counts",
            "Game {game} is played on board {board}, whose moves count.";
        OtherSource { game: Box<CodedText>, source: String } = "other_source",
            "Game {game} came from the source {source}: its moves stay as they are.";
        RecordedHere { game: Box<CodedText> } = "recorded_here",
            "Game {game} was recorded in this hall: its moves stay as they are.";
    }
}

coded_texts! {
    /// Why an order came too late: the same thing was changed after the person looked at it.
    pub enum Stale {
        MovesChanged { plies: usize } = "moves_changed", "The game now has {plies} plies: reload it and try again.";
        ChangedLater { number: u32 } = "changed_later",
            "Correction {number} changed the same thing later: undo it first.";
    }
}
