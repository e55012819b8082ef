//! The lines of the history of corrections: sentences with code and parameters, which the journal keeps.

use coded_text::{CodedText, coded_texts};

coded_texts! {
    /// What a correction changed, without the name of a person.
    pub enum CorrectionText {
        // Games.
        Result { game: Box<CodedText>, result: String, before: String } = "corrected_result",
            "{game}: result {result} instead of {before}";
        Moves { game: Box<CodedText> } = "corrected_moves", "{game}: moves edited";
        GoesOn { game: Box<CodedText>, after: usize } = "corrected_goes_on",
            "{game}: goes on from what stands on the board, moves unseen after ply {after}";
        Times { game: Box<CodedText>, ply: u32 } = "corrected_times", "{game}: times of ply {ply} changed";
        Tags { game: Box<CodedText> } = "corrected_tags", "{game}: tags changed";
        Players { game: Box<CodedText> } = "corrected_players", "{game}: players changed";
        Withdrawn { game: Box<CodedText> } = "corrected_withdrawn", "{game}: withdrawn";
        Restored { game: Box<CodedText> } = "corrected_restored", "{game}: public again";
        // Games and their boards.
        Board { game: Box<CodedText>, board: String, before: String } = "corrected_board",
            "{game}: board {board} instead of {before}";
        BackOnBoard { game: Box<CodedText>, board: String } = "corrected_back_on_board", "{game}: back on board {board}";
        Adjourned { game: Box<CodedText> } = "corrected_adjourned", "{game}: adjourned";
        Resumed { game: Box<CodedText>, board: String } = "corrected_resumed", "{game}: resumed on board {board}";
        // Players.
        PlayerAdded { player: u32 } = "corrected_player_added", "player {player}: added";
        PlayerRemoved { player: u32 } = "corrected_player_removed", "player {player}: removed";
        Player { player: u32 } = "corrected_player", "player {player}: facts changed";
        PlayerRestored { player: u32 } = "corrected_player_restored", "player {player}: earlier facts restored";
        Display { player: u32 } = "corrected_display", "player {player}: public display changed";
        // Settings.
        Tournament { tournament: String } = "corrected_tournament", "tournament \"{tournament}\": settings changed";
        Section { section: String } = "corrected_section", "section \"{section}\": settings changed";
        SectionRemoved { section: String } = "corrected_section_removed", "section \"{section}\": taken away";
        SectionRestored { section: String } = "corrected_section_restored", "section \"{section}\": back again";
        EventEnded { section: String } = "corrected_event_ended", "\"{section}\": ended";
        EventResumed { section: String } = "corrected_event_resumed", "\"{section}\": resumed";
        PairingsLoaded { section: String, files: String, new: usize, changed: usize, gone: usize } =
            "corrected_pairings_loaded",
            "\"{section}\": pairings loaded from {files}; games new: {new}, changed: {changed}, taken out: {gone}";
        Exchanged { section: String, round: u32, one: u32, other: u32 } = "corrected_exchanged",
            "\"{section}\", round {round}: seats of players {one} and {other} exchanged";
        Round { section: String, round: u32 } = "corrected_round", "\"{section}\", round {round}: settings changed";
        RoundPublished { section: String, round: u32 } = "corrected_round_published",
            "\"{section}\", round {round}: published";
        RoundUnpublished { section: String, round: u32 } = "corrected_round_unpublished",
            "\"{section}\", round {round}: no longer public";
        // Undone.
        Undone { number: u32, what: Box<CodedText> } = "corrected_undone", "correction {number} undone: {what}";
    }
}
