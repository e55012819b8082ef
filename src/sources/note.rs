//! What there is to look at in a game of a source: sentences with code and parameters.

use coded_text::{CodedText, coded_texts};

coded_texts! {
    /// Why a game is not taken, or what differs from the record.
    pub(crate) enum GameNote {
        // The game itself.
        NotReadable { reason: Box<CodedText> } = "source_game_not_readable", "The game cannot be read: {reason}";
        Start = "source_game_start", "Its start position is not one of a game.";
        OtherStart = "source_game_other_start",
            "The round begins from another position, the source gives none, and its moves do not fit: have it send the tags FEN and \
             Variant.";
        Illegal { ply: usize } = "source_game_illegal", "Ply {ply} is not legal: what comes before it counts.";
        // Which pairing it is.
        Second = "source_game_second", "Another game of the source is this pairing already.";
        SamePlayers = "source_game_same_players",
            "Several pairings have these players: give the board in the tag Board.";
        Colours { board: u32 } = "source_game_colours",
            "The colours are the other way round at board {board}: correct the pairing or the source.";
        NotPaired { round: u32 } = "source_game_not_paired",
            "Round {round} has no pairing of these players, and the game has no board number.";
        NoRound = "source_game_no_round", "No round is public that it could belong to.";
        NoBoard { board: u32 } = "source_game_no_board", "There is no board {board} in a public round.";
        NoBoardInRound { board: u32, round: u32 } = "source_game_no_board_in_round",
            "There is no board {board} in round {round}.";
        OtherPlayers { board: u32 } = "source_game_other_players",
            "Board {board} has other players: correct the pairing or the source.";
        // What is recorded of it.
        BoardCounts { board: String } = "source_game_board_counts", "Board {board} plays this game: its moves count.";
        FewerMoves = "source_game_fewer_moves",
            "The source has fewer moves than are recorded: these stay, unless that lasts a minute.";
        OtherResult { said: String, recorded: String } = "source_game_other_result",
            "The source says {said}, the record has {recorded}: enter the right result.";
    }
}
