//! What the history says about orders that are none of the tournament: sentences with code and parameters.

use coded_text::coded_texts;

coded_texts! {
    /// What a person did to an output, a source or the files of pairings.
    pub(crate) enum HistoryNote {
        OutputAdded { output: String } = "history_output_added", "output {output} added";
        OutputChanged { output: String } = "history_output_changed", "output {output} changed";
        OutputRemoved { output: String } = "history_output_removed", "output {output} removed";
        OutputPaused { output: String } = "history_output_paused", "output {output} paused";
        OutputResumed { output: String } = "history_output_resumed", "output {output} resumed";
        OutputSendsRound { output: String, round: u32 } = "history_output_sends_round",
            "output {output} sends round {round} again";
        OutputSendsAll { output: String } = "history_output_sends_all", "output {output} sends everything again";
        OutputLichessRounds { output: String } = "history_output_lichess_rounds",
            "output {output}: rounds made at Lichess";
        PairingsNotLoaded { section: String } = "history_pairings_not_loaded",
            "\"{section}\": the pairings that waited in their folder are not loaded";
        SourceAdded { source: String } = "history_source_added", "source {source} added";
        SourceChanged { source: String } = "history_source_changed", "source {source} changed";
        SourceRemoved { source: String } = "history_source_removed", "source {source} removed";
    }
}
