//! What an output says of Lichess: sentences with code and parameters.

use coded_text::{CodedText, coded_texts};

coded_texts! {
    /// Why Lichess does not take something, what it took, and what a person has to look at there.
    pub(crate) enum LichessSentence {
        // Pushes.
        GamesTaken { round: u32, games: usize } = "lichess_games_taken", "Round {round}, games taken: {games}.";
        GamesRefused { round: u32, games: usize, refused: usize } = "lichess_games_refused",
            "Round {round}, games taken: {games}, refused: {refused}.";
        GameRefused { said: String } = "lichess_game_refused", "Lichess refuses this game. It says: «{said}»";
        NoPushes { said: String } = "lichess_no_pushes",
            "Lichess does not take pushes to this round. It says: «{said}». Set the round's source to «push» there.";
        NotUnderstood = "lichess_not_understood",
            "Lichess gives an answer that is not understood: check the site, or try again later.";
        InRound { round: u32, reason: Box<CodedText> } = "lichess_in_round", "Round {round}: {reason}";
        // Tests.
        NotWriteable { round: u32 } = "lichess_not_writeable",
            "Round {round}: the owner of the token may not write there: use a token of the broadcast's owner or of a contributor.";
        RoundThere { round: u32, name: String } = "lichess_round_there", "Round {round}: «{name}».";
        NoRound = "lichess_no_round", "No round is set: add the addresses of the rounds at Lichess.";
        // What a person has to look at.
        ManyGames { round: u32, games: usize, most: usize } = "lichess_many_games",
            "Round {round} has {games} games, and a round at Lichess has at most {most}: make a second round there, and an output \
             for the further tables.";
        RoundNotSent { round: u32 } = "lichess_round_not_sent",
            "Round {round} is not sent: add the address of its round at Lichess.";
        Delayed { round: u32, minutes: u64 } = "lichess_delayed",
            "Lichess delays round {round} by another {minutes} min, on top of the delay here: set the delay to 0 there.";
        Ended { round: u32 } = "lichess_ended",
            "Lichess has ended round {round}, and games go on: set its status to «started» there.";
        Quiet { round: u32, minutes: u64 } = "lichess_quiet",
            "Round {round}: no game has changed for {minutes} minutes, and Lichess ends a round after an hour without a move: look \
             there, and set the round to «started» again if it ended.";
        // What it shows.
        NotShown = "lichess_not_shown", "Lichess does not show this game.";
        OtherMoves { number: usize } = "lichess_other_moves",
            "Lichess shows other moves from move {number} on: empty the round and send it again.";
        FewerPlies { shown: usize, sent: usize } = "lichess_fewer_plies", "Lichess shows {shown} of {sent} plies.";
        OtherResult { shown: String, sent: String } = "lichess_other_result",
            "Lichess shows the result {shown}, and {sent} was sent.";
        // Broadcasts.
        AllThere = "lichess_all_there", "Every round has its round at Lichess.";
        Made { made: usize, address: String } = "lichess_made", "Rounds made at {address}: {made}.";
        MadeAndFound { made: usize, found: usize, address: String } = "lichess_made_and_found",
            "Rounds made at {address}: {made}; that were there: {found}.";
        ManyRounds { round: u32 } = "lichess_many_rounds", "Round {round} is too many for one broadcast.";
        StartNotMoved { reason: Box<CodedText> } = "lichess_start_not_moved",
            "The start of a round could not be changed at Lichess: {reason} It is tried again.";
    }
}
