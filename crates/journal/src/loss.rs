//! The sentences on what is missing from a journal, and on what a rebuild could not bring back, with code and parameters.

use std::fmt;

use chrono::DateTime;
use coded_text::{CodedText, Entry, Param, coded_texts};
use game_core::time::UtcMs;

/// An instant in a sentence: day and time in UTC in English. Pages show it in their zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment(pub UtcMs);

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match i64::try_from(self.0).ok().and_then(DateTime::from_timestamp_millis) {
            Some(at) => write!(f, "{}", at.format("%Y-%m-%d %H:%M:%S UTC")),
            None => f.write_str("an unknown time"),
        }
    }
}

impl From<Moment> for Param {
    fn from(Moment(at): Moment) -> Self {
        Self::Number(at)
    }
}

coded_texts! {
    /// What is missing from a journal, or was not brought back by a rebuild.
    pub enum Loss {
        // From a journal.
        Entries { entries: u64, after_moment: Moment, until_moment: Moment } = "loss_entries",
            "Entries missing from the journal: {entries}, from after {after_moment} up to {until_moment}.";
        AllEntries { entries: u64, until_moment: Moment } = "loss_all_entries",
            "Entries missing from the journal: {entries}, all up to {until_moment}.";
        BoardSettings { settings: u64, until_moment: Moment } = "loss_board_settings",
            "Settings of boards missing from the journal: {settings}; it had been written up to {until_moment}.";
        OlderCopy { until_moment: Moment } = "loss_older_copy",
            "Entries are missing from the journal, as it went on from an older copy; the record that was written here went up to \
             {until_moment}.";
        // By a rebuild.
        OldJournal = "loss_old_journal", "The old journal is gone; everything comes from the captures.";
        OldJournalUnread { reason: String } = "loss_old_journal_unread",
            "Nothing of the old journal can be read ({reason}); everything comes from the captures.";
        Rows { rows: Box<CodedText>, count: u64 } = "loss_rows", "Not brought back, damaged in the old journal: {rows} ({count}).";
        RowsUncounted { rows: Box<CodedText> } = "loss_rows_uncounted",
            "Not brought back, in damaged places of the old journal: {rows}.";
        TagsRenewed { games: usize } = "loss_tags_renewed",
            "Damaged tags of games were replaced by what the pairings say: {games}.";
        StreamNumbers = "loss_stream_numbers",
            "Not brought back: the numbers that streams with a delay gave out after the first missing entry.";
        EventsOfGame { game: String, events: u64 } = "loss_events_of_game",
            "Not brought back: events of game {game} that do not fit its moves ({events}).";
        SectionSettings { section: String } = "loss_section_settings",
            "Not brought back: the settings of section {section}, such as its name and time zone.";
        Players { game: String } = "loss_players",
            "Not brought back: the players of game {game}. Load the pairings of the round again.";
        PairingOfGame { game: String, unassigned: String, board: String } = "loss_pairing_of_game",
            "Not brought back: the pairing of game {game}. Its moves are in the unassigned game {unassigned} of board {board}; load \
             the pairings again and assign it.";
        Refused { reason: Box<CodedText> } = "loss_refused", "The tournament could not begin as before: {reason}";
        OrdersOfPeople = "loss_orders_of_people",
            "Not brought back: orders of people of that time that went to no board: pairings, names, results of games without a \
             board.";
        Faults { faults: usize } = "loss_faults",
            "Faults in the new journal: {faults}. `boardcast check` names them.";
    }
}

coded_texts! {
    /// What the rows of a table of the journal are.
    pub enum RowKind {
        Events = "rows_events", "events of games";
        Facts = "rows_facts", "facts of the tournament";
        BoardSettings = "rows_board_settings", "settings of boards";
        Releases = "rows_releases", "releases of views with a delay";
        Persons = "rows_persons", "persons";
    }
}

/// All sentences of this crate on what is missing, for translators and tests.
pub fn loss_entries() -> impl Iterator<Item = &'static Entry> {
    Loss::ENTRIES.iter().chain(RowKind::ENTRIES)
}
