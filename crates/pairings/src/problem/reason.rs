//! Every reason why a file of pairings is refused or needs a look. A sentence begins in small letters: the place stands
//! before it.

use coded_text::coded_texts;

coded_texts! {
    /// What is wrong with a file, or should be checked by a person.
    pub enum FileProblem {
        // The file as a whole.
        NotText = "file_not_text",
            "this is not a text file: export the pairings as PGN, TRF or CSV in UTF-8.";
        IsSpreadsheet = "file_is_spreadsheet",
            "this is a spreadsheet or an archive: open it and save the sheet with the pairings as CSV.";
        IsPdf = "file_is_pdf",
            "this is a PDF file: open it and copy the table as text into a text file, or export the pairings as CSV.";
        IsRtf = "file_is_rtf",
            "this is formatted text (RTF): open it and save it as plain text, or copy the table and paste it as text.";
        IsHtml = "file_is_html",
            "this is a web page: open it in a browser, mark the table, copy it and save or paste it as text.";
        IsXml = "file_is_xml", "this is an XML file: export the pairings from their program as PGN, TRF or CSV.";
        IsJson = "file_is_json", "this is a JSON file: export the pairings from their program as PGN, TRF or CSV.";
        TooLarge { most: u64 } = "file_too_large", "the file is larger than {most} MB, the maximum for pairings.";
        UnknownForm = "file_form_unknown",
            "this is not a known form of pairings: give PGN, TRF, the output of a pairing engine, or a table; above the \
             rows of a table write a header, for example «Table, White, Black, Result» or «No., Name, Rating», with the \
             same separator between its words.";
        TeamsWithoutColours = "file_teams_without_colours",
            "these are boards of teams, and nothing says who has White: export the games of the round as PGN, or write \
             «Table, White, Black, Result» above them, number the tables, and put White first in each row.";
        GuessedEncoding { encoding: String } = "file_encoding_guessed",
            "the file does not say how it is encoded and was read as {encoding}: check names with accents.";
        // Tables.
        NotATable = "table_not_readable", "this is not a table.";
        ManyRows { most: usize } = "table_many_rows", "the table has more than {most} rows: split the file.";
        ManyCells = "table_many_cells", "this row has too many cells: check the separator.";
        OpenQuote = "table_open_quote", "a quotation mark is opened here and never closed.";
        NoRows = "table_no_rows", "the table has a header but no rows: export it with the pairings.";
        PairingsWithoutHeader = "table_pairings_without_header",
            "the table has no header, so its first names are read as White and its second as Black: check them, or write \
             a header such as «Table, White, Black, Result» above it.";
        PlayersWithoutHeader = "table_players_without_header",
            "the table has no header and is read as a list of players: check it, or write a header such as «No., Name, \
             Rating» above it.";
        ColoursNotNamed = "table_colours_not_named",
            "the header does not say who has White, so the first column of names is read as White and the second as Black: \
             check them, or write «White» and «Black» there.";
        RoundNotNamed = "table_round_not_named",
            "the table does not name a round and is read as round 1: for another round, write e.g. «Round 3» above it.";
        NotATableNumber { text: String, most: u32 } = "cell_not_a_table",
            "«{text}» is not a table number: write 1 to {most}.";
        NotARank { text: String, most: u32 } = "cell_not_a_rank", "«{text}» is not a rank number: write 1 to {most}.";
        NotARound { text: String, most: u32 } = "cell_not_a_round",
            "«{text}» is not a round number: write 1 to {most}.";
        CellOfAGame { text: String, most: u32 } = "cell_game_of_a_round",
            "«{text}» is not a round number: write 1 to {most}; if these are games of one match, give each of them a round \
             of its own.";
        LongName { text: String, most: usize } = "cell_long_name",
            "«{text}» is longer than {most} characters or has control characters: shorten the name.";
        NotASerial { text: String } = "cell_not_a_serial",
            "«{text}» is not a board's serial number: write it as on its label.";
        NotAResult { text: String } = "cell_not_a_result",
            "«{text}» is not a result, so the game is taken without one: write 1-0, 0-1, 1/2-1/2, + - - or nothing.";
        RowWithoutPlayer { round: u32, table: u32 } = "row_without_player",
            "round {round}, table {table}: a player is missing, so the row is left out.";
        // PGN headers; damage of PGN is below.
        ManyGames { most: usize } = "pgn_many_games",
            "the file has more than {most} games: load only the rounds to be played.";
        HighRound { game: usize, most: u32 } = "pgn_high_round",
            "game {game}: the round number is above {most}.";
        GameLongName { game: usize, text: String, most: usize } = "pgn_long_name",
            "game {game}: «{text}» is longer than {most} characters or has control characters: shorten the name.";
        GameTimeControl { game: usize, text: String } = "pgn_time_control",
            "game {game}: the time control «{text}» is not in the form of PGN: write e.g. 5400+30.";
        GamesTimeControl { game: usize, more: usize, text: String } = "pgn_time_controls",
            "game {game} and {more} more: the time control «{text}» is not in the form of PGN: write e.g. 5400+30.";
        SeveralEvents { events: String } = "pgn_several_events",
            "the file has several events ({events}): they are read as one event.";
        TablesNotUnique { round: u32 } = "pgn_tables_not_unique",
            "round {round}: the table numbers are not unique, so the tables follow the order of the games.";
        GameWithoutPlayer { game: usize, round: u32, table: u32 } = "pgn_without_player",
            "game {game} (round {round}, table {table}): a player is missing, so it is left out.";
        // Damage of PGN.
        NotAMove { text: String } = "pgn_not_a_move",
            "“{text}” is not a move; correct it or put it into a comment in braces.";
        StrayCharacter { text: String } = "pgn_stray_character",
            "“{text}” is not allowed here; delete it or put it into a comment in braces.";
        NotATag = "pgn_not_a_tag", "this is not a tag; write [Name \"value\"].";
        NotATagName { text: String } = "pgn_not_a_tag_name",
            "“{text}” is not a tag name; use letters, digits and underscores only.";
        OpenTagValue = "pgn_open_tag_value", "the tag value has no end; close it with \"].";
        LongTagValue { most: usize } = "pgn_long_tag_value",
            "the tag value is longer than {most} bytes; shorten it or close it with \"].";
        ManyTags { most: usize } = "pgn_many_tags",
            "the game has more than {most} tags besides the seven of the roster; delete some.";
        OpenComment = "pgn_open_comment", "the comment has no end; close it with a brace.";
        LongComment { most: usize } = "pgn_long_comment",
            "the comment is longer than {most} bytes; shorten it or close it with a brace.";
        NotANag = "pgn_not_a_nag", "a NAG must be from $0 to $255; correct it.";
        NotASuffix { text: String } = "pgn_not_a_suffix",
            "“{text}” is not a move suffix; use ! ? !! ?? !? or ?!.";
        VariationWithoutMove = "pgn_variation_without_move",
            "a variation needs a move before it; put it after the move that it replaces.";
        OpenVariation = "pgn_open_variation", "the variation has no end; close it with a parenthesis.";
        ManyPlies { most: usize } = "pgn_many_plies",
            "the game has more than {most} plies, variations included; split it.";
        LongGame { most: usize } = "pgn_long_game",
            "the game is longer than {most} bytes; split it or end it with a result.";
        DamagedGame = "pgn_damaged_game", "the game is not valid PGN here; export it again.";
        // The output of a pairing engine.
        NotAPairCount = "engine_no_count", "the first line is not the number of pairs.";
        ManyPairs { count: usize, most: usize } = "engine_many_pairs",
            "the number of pairs in the first line is {count}: the maximum is {most}.";
        NotAPair = "engine_not_a_pair",
            "a pair is two starting numbers, White's and Black's (0 for a bye).";
        MorePairs { count: usize } = "engine_more_pairs",
            "the number of pairs in the first line is {count}, but more follow: is the file complete?";
        FewerPairs { count: usize, found: usize } = "engine_fewer_pairs",
            "the number of pairs in the first line is {count}, but the file has {found}: is it complete?";
        // Reports.
        NoPlayers = "trf_no_players",
            "the report lists no players (records 001): export it with players and pairings.";
        ManyPlayers { most: usize } = "trf_many_players", "the report has more than {most} players.";
        ManyRounds { most: u32 } = "trf_many_rounds", "the record has more than {most} rounds.";
        NumberUsed { number: u32, first: usize } = "trf_number_used",
            "starting number {number} is already used in line {first}: give each player a different one.";
        NotAStartingNumber { text: String } = "trf_not_a_number",
            "«{text}» is not a starting number: write 1 to 9999 in columns 5 to 8.";
        NoName = "trf_no_name", "the player has no name: write it in columns 15 to 47.";
        NotAnOpponent { text: String } = "trf_not_an_opponent",
            "«{text}» is not the starting number of an opponent.";
        NotAColour { text: String } = "trf_not_a_colour", "«{text}» is not a colour: write w, b or -.";
        NotATrfResult { text: String } = "trf_not_a_result",
            "«{text}» is not a result: write 1, 0, =, +, -, W, L, D, H, F, U or Z.";
        GameOfARound { text: String, round: u32 } = "csv_game_of_a_round",
            "«{text}» is read as round {round}: if these are games of one match, give each of them a round of its own.";
        NotATimeControl { text: String } = "trf_not_a_time_control",
            "the time control «{text}» is not understood: write e.g. 5400+30 or W300-B240.";
        NotADate { text: String } = "trf_not_a_date", "«{text}» is not a date: write YY/MM/DD.";
        UnknownOpponent { player: u32, opponent: u32, round: usize } = "trf_unknown_opponent",
            "player {player} meets {opponent} in round {round}, but the list has no such opponent: the game is left out.";
        OtherOpponent { player: u32, opponent: u32, round: usize, other: usize } = "trf_other_opponent",
            "player {player} meets {opponent} in round {round}, but line {other} names another opponent: the game is \
             left out.";
        BothWhite { player: u32, opponent: u32, round: usize } = "trf_both_white",
            "players {player} and {opponent} both have White in round {round}: the game is left out.";
        BothBlack { player: u32, opponent: u32, round: usize } = "trf_both_black",
            "players {player} and {opponent} both have Black in round {round}: the game is left out.";
        NoColour { player: u32, opponent: u32, round: usize } = "trf_no_colour",
            "the colour of player {player} or {opponent} is missing in round {round}: the game is left out.";
        ResultsDiffer { player: u32, opponent: u32, white: String, black: String, round: usize } = "trf_results_differ",
            "players {player} and {opponent} have contradicting results «{white}» and «{black}» in round {round}: the \
             game is left out.";
        // Several files together.
        RoundTwice { round: u32, other: String } = "files_round_twice",
            "round {round} is in this file and in {other}: load only one of them; in the folder of pairings, delete the one \
             that is out of date.";
        NumbersOnly = "files_numbers_only",
            "the output of a pairing engine has only starting numbers: load the report or the list of players with it.";
        NumberUnknown { number: u32 } = "files_number_unknown",
            "starting number {number} is not in the list of players.";
        TeamNumbers = "files_team_numbers",
            "the numbers are those of teams, and the tables of a team match do not follow from them: export the games of \
             the round as PGN, as a table, or in the report.";
        ManyTables { most: u32 } = "files_many_tables", "the round has more than {most} tables.";
        OtherPairsOpen { round: u32, open: u32 } = "files_other_pairs_open",
            "the pairs of the engine are taken for round {round}, but round {open} of the report has no results yet, and \
             other pairs: do the files belong together?";
        HaveMet { round: u32, white: String, black: String, earlier: u32 } = "files_have_met",
            "the pairs of the engine are taken for round {round}, but {white} and {black} have met in round {earlier}: do \
             the files belong together?";
        FewPaired { round: u32, paired: usize, players: usize } = "files_few_paired",
            "the pairs of the engine are taken for round {round}, but only {paired} of {players} players are in them: do \
             the files belong together?";
        // What was read.
        TwoGamesAtTable { round: u32, table: u32 } = "read_two_games_at_table",
            "round {round} has two games at table {table}: give one of them another table.";
        IdShared { id: u32, one: String, other: String } = "read_id_shared",
            "{one} and {other} have the same FIDE id {id}: it is left out for both, correct it in the pairing program.";
        PairedTwice { player: String, round: u32, one: u32, other: u32 } = "read_paired_twice",
            "{player} is paired twice in round {round}, at tables {one} and {other}: is that right?";
    }
}
