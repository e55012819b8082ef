//! Why an order about an output is refused: sentences with code and parameters.

use coded_text::{CodedText, coded_texts};

coded_texts! {
    /// Settings of an output that cannot work, and orders that contradict what is there.
    pub enum OutputRefusal {
        Unknown = "no_output", "There is no such output.";
        NameStays = "output_name_stays", "The name of an output stays: add another one for another name.";
        Configured = "output_configured",
            "This output is in the configuration file: change it there and restart.";
        ConfiguredRounds = "output_configured_rounds",
            "This output is in the configuration file: make the rounds at Lichess, and enter their addresses there.";
        ConfiguredRemove = "output_configured_remove",
            "This output is in the configuration file: pause it here, or remove it there and restart.";
        ChangedMeanwhile = "output_changed_meanwhile",
            "The output was changed while Lichess made the rounds: look at it, and make the rounds again.";
        NotLichess = "not_lichess", "This output does not send to Lichess.";
        Taken { name: String } = "output_taken", "There is an output «{name}» already: choose another name.";
        Count { most: usize } = "output_count", "There are {most} outputs already: remove one.";
        FolderTaken = "folder_taken", "Another output writes to this folder: give each its own.";
        FolderNotFull { path: String } = "folder_not_full",
            "{path} is no full path: write the folder from «/» on.";
        NotKept { reason: String } = "outputs_not_kept",
            "The list of outputs cannot be written ({reason}): free space on the disk.";
        Thread { reason: String } = "output_thread", "The system gives no thread for the output ({reason}).";
        // Settings.
        Name { name: String, most: usize } = "output_name",
            "«{name}» is no name for an output: use at most {most} small letters, digits and «-».";
        FolderEmpty = "folder_empty", "The folder has no path.";
        NoTls = "no_tls", "This build has no TLS: give an address that begins with http://.";
        WebAddress { address: String } = "web_address",
            "«{address}» is no web address: write one that begins with http:// or https://.";
        Rounds { most: usize } = "broadcast_rounds", "A broadcast has at most {most} rounds.";
        LichessRound { address: String } = "lichess_round",
            "«{address}» is no round of Lichess: copy the address of the round's page, which ends in eight letters and digits.";
        SameRound = "same_round_address", "Two rounds have the same address: give each round its own.";
        Tables = "output_tables", "The tables are a first and a last number, the lower one first.";
        Language { language: String, known: String } = "site_language",
            "«{language}» is no language of the pages: use {known}.";
        NoToken = "output_no_token",
            "Lichess takes games only with a token: enter one with the permission study:write.";
        NoSecret = "web_hook_no_secret",
            "A web hook is signed with a secret that its receiver knows as well: enter one.";
        SiteAddress = "site_address",
            "Write the address of the site's folder: the names of files are added to it.";
        ProgramNotFull { path: String } = "program_not_full",
            "{path} is no full path: write the program from «/» on.";
        CommandTime { most: u32 } = "command_time", "timeout_s is 1 to {most} seconds.";
        ControlCharacters = "control_characters",
            "An address, a name or a key has a line break or another control character.";
        Server { address: String } = "server_address",
            "«{address}» is no server: write ftp://HOST/FOLDER/, ftps:// or sftp://.";
        UserInAddress = "user_in_address",
            "Write the user and the password in their own settings, not in the address.";
        FileNotPlain = "file_not_plain", "«file» is the name of a file, without folders.";
        HostKey = "host_key",
            "The host key is no SHA-256 fingerprint: enter what ssh-keygen -lf prints, from «SHA256:» to the next space.";
    }
}

/// Why an order about an output was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such output.
    Unknown,
    /// It contradicts what is there.
    Conflict(OutputRefusal),
    /// The settings cannot work.
    Invalid(OutputRefusal),
    /// The machine failed.
    Failed(OutputRefusal),
    /// The consumer refused or did not answer.
    Consumer(Box<CodedText>),
}

impl Refusal {
    /// The sentence with its code and parameters.
    pub fn coded(&self) -> CodedText {
        match self {
            Self::Unknown => OutputRefusal::Unknown.coded(),
            Self::Conflict(refusal) | Self::Invalid(refusal) | Self::Failed(refusal) => refusal.coded(),
            Self::Consumer(sentence) => (**sentence).clone(),
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.coded().fmt(f)
    }
}
