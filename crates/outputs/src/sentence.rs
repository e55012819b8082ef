//! What outputs say of themselves and of their consumers: sentences with code and parameters.
//!
//! What a consumer or the system says is a parameter, as it came and of limited length.

use coded_text::{CodedText, Entry, coded_texts};

use crate::consumer::lichess::sentence::LichessSentence;
use crate::http::NoAnswer;
use crate::refusal::OutputRefusal;
use crate::secret::SecretProblem;

/// Every sentence with a code that this crate may give.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    OutputRefusal::ENTRIES
        .iter()
        .chain(OutputSentence::ENTRIES)
        .chain(LichessSentence::ENTRIES)
        .chain(NoAnswer::ENTRIES)
        .chain(SecretProblem::ENTRIES)
}

impl OutputSentence {
    /// With what the other side said, unless it said nothing.
    pub(crate) fn saying(self, said: String) -> Self {
        if said.is_empty() { self } else { Self::ItSays { sentence: self.into(), said } }
    }
}

coded_texts! {
    /// Why an output fails, what it sent, and what a person has to look at.
    pub(crate) enum OutputSentence {
        // Who answers; begins the sentences about answers.
        Server = "output_server", "The server";
        Receiver = "output_receiver", "The receiver of the web hook";
        // What is sent; within other sentences.
        RunningRounds = "output_running_rounds", "running rounds";
        Round { round: u32 } = "output_round", "round {round}";
        Table { round: u32, table: u32 } = "output_table", "round {round}, table {table}";
        // What an answer means.
        Redirect { who: Box<CodedText>, status: u16 } = "output_redirect",
            "{who} answers with a redirect (status {status}), which is not followed: enter the address that it leads to.";
        WrongToken { who: Box<CodedText>, status: u16 } = "output_wrong_token",
            "{who} does not accept the token or password (status {status}): enter it again.";
        Forbidden { who: Box<CodedText>, status: u16 } = "output_forbidden",
            "{who} does not allow this (status {status}): check what the token or the account may do.";
        NoSuchAddress { who: Box<CodedText>, status: u16 } = "output_no_such_address",
            "{who} knows no such address (status {status}): check it.";
        AskedTooMuch { who: Box<CodedText>, status: u16 } = "output_asked_too_much",
            "{who} is asked too much (status {status}) and gets a rest.";
        Refused { who: Box<CodedText>, status: u16 } = "output_refused",
            "{who} refuses what is sent (status {status}).";
        NoFolder { who: Box<CodedText>, status: u16, what: Box<CodedText> } = "output_no_folder",
            "{who} does not take {what} (status {status}), probably because its folder is missing: create the folder on the server.";
        ServerFault { who: Box<CodedText>, status: u16 } = "output_server_fault",
            "{who} has a fault (status {status}); it is tried again.";
        NotUnderstood { who: Box<CodedText>, status: u16 } = "output_not_understood",
            "{who} gives an answer that is not understood (status {status}).";
        ItSays { sentence: Box<CodedText>, said: String } = "output_it_says", "{sentence} It says: «{said}»";
        // Web addresses.
        Taken { status: u16, what: Box<CodedText> } = "output_file_taken", "Status {status}: {what} taken.";
        Answers { status: u16 } = "output_server_answers",
            "The server answers (status {status}). Whether it takes files shows with the first one.";
        GamesTaken { status: u16, round: u32, games: usize } = "output_games_taken",
            "Status {status}: round {round}, games taken: {games}.";
        TestTaken { status: u16 } = "output_test_taken", "Status {status}: the test message was taken.";
        // Folders and sites.
        FolderMissing { path: String } = "output_folder_missing",
            "The folder {path} is not there: create it, or plug in its disk.";
        FolderFull { path: String, reason: String } = "output_folder_full",
            "The folder {path} cannot be written ({reason}): free space on its disk.";
        FolderReadOnly { path: String, reason: String } = "output_folder_read_only",
            "The folder {path} cannot be written ({reason}): its disk can only be read, or the service needs ReadWritePaths for it.";
        FolderDenied { path: String, reason: String } = "output_folder_denied",
            "The folder {path} cannot be written ({reason}): give the daemon permission to write there.";
        FileForFolder { path: String } = "output_file_for_folder",
            "{path} is a file, and a folder is needed there: remove or rename the file.";
        FolderForFile { path: String } = "output_folder_for_file",
            "{path} is a folder, and a file is to be written there: remove or rename the folder.";
        FolderWorks = "output_folder_works", "The folder is there and can be written.";
        FilesWritten { files: usize } = "output_files_written", "Files written: {files}.";
        FilesTaken { files: usize } = "output_files_taken", "Files taken: {files}.";
        FilesLeft { files: usize, first: String } = "output_files_left",
            "Files of games that are no longer shown could not be removed ({files}), the first is {first}: remove them there.";
        // Servers for files.
        Sent { what: Box<CodedText>, file: String } = "output_file_sent", "Sent as {file}: {what}.";
        LoginDenied = "output_login_denied", "The server does not accept the user or the password: enter them again.";
        HostKey = "output_host_key",
            "The server has another key than its settings here say, or one that the daemon's user does not know: ask its administrator for the right one, and enter that.";
        NoTls = "output_no_tls",
            "The server does not offer TLS: enter its address with ftp:// to send without it, or ask its administrator for TLS.";
        NoRemoteFolder = "output_no_remote_folder",
            "The folder of the address is not on the server: create it there, or correct the address.";
        NotWritten = "output_not_written",
            "The server does not take the file: check the folder in the address, whether the user may write and rename files there, and whether the server's disk is full.";
        NotForFiles = "output_not_for_files",
            "The server does not answer as one for files does: check the address, its port and the network.";
        ServerWorks = "output_server_works", "The server lets the user in and lists the folder.";
        // Programs.
        NoTemporaryFile { reason: String } = "output_no_temporary_file",
            "There is no room for temporary files ({reason}): free space on the disk.";
        NoProgram { program: String } = "output_no_program",
            "There is no program {program}: install it, or check its path.";
        NotStarted { program: String, reason: String } = "output_program_not_started",
            "{program} cannot be started ({reason}): install it, or check its path.";
        ProgramFailed { program: String, status: String } = "output_program_failed", "{program} failed ({status}).";
        ProgramSlow { program: String, seconds: u64 } = "output_program_slow",
            "{program} did not end within {seconds} s and was ended.";
        ProgramThere { program: String } = "output_program_there",
            "{program} is there. Whether it works shows with the first round.";
        ProgramTook { what: Box<CodedText> } = "output_program_took", "The program took {what}.";
        // The output itself.
        NoSection { section: String } = "output_no_section",
            "There is no section «{section}»: give this output another section, or add that one.";
        Sections = "output_sections", "There are several sections: say which of them this output sends.";
        NothingGoes = "output_nothing_goes", "Nothing can be sent.";
        Hangs = "output_hangs", "It hangs while it sends: check the disk or the network.";
        Fault = "output_fault", "The output met a fault of this program, which is in the log; it tries again.";
        Differs { item: Box<CodedText>, reason: Box<CodedText> } = "output_differs", "{item}: {reason}";
        ManyDiffer { count: usize, item: Box<CodedText>, reason: Box<CodedText> } = "output_many_differ",
            "{count} games are not there as they were sent; {item}: {reason}";
    }
}
