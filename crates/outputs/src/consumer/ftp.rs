//! A PGN file of each round by FTP, FTPS or SFTP, as chess.com takes it: sent under another name, then renamed.
//!
//! The program `curl` does the transfer: it is part of every system, speaks all three, and is kept up to date with the system.
//! Passwords go to it over standard input, so that no list of processes shows them.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use coded_text::CodedText;

use crate::consumer::process::{no_temporary_file, run_known};
use crate::consumer::{Consumer, Delivered, Job, one_by_one, round_files};
use crate::http::NoAnswer;
use crate::queue::{Failure, Parcel};
use crate::sentence::OutputSentence;
use crate::settings::{FtpTarget, fingerprint};
use crate::wanted::Wanted;

/// Found in the path of the daemon.
const CURL: &str = "curl";

/// Time for a connection, and for a whole transfer, in seconds.
const CONNECTING_S: u32 = 15;
const TRANSFER_S: u32 = 60;

/// File of the keys of SFTP servers, below the home folder.
const KNOWN_HOSTS: &str = ".ssh/known_hosts";

/// A fingerprint that no key has.
const NO_KEY: &str = "none";

/// Ending of a file that is not complete.
const UNFINISHED: &str = ".part";

/// A server for files.
pub(super) struct Ftp {
    target: FtpTarget,
}

impl Ftp {
    pub(super) fn new(target: FtpTarget) -> Self {
        Self { target }
    }

    fn send(&self, parcel: &Parcel) -> Result<OutputSentence, Failure> {
        self.send_all(&[parcel])?;
        Ok(OutputSentence::Sent { what: parcel.label.clone(), file: parcel.key.clone() })
    }

    /// Sends several files over one connection, until one fails: their keys are their paths in the folder.
    pub(super) fn send_all(&self, parcels: &[&Parcel]) -> Result<(), Failure> {
        let secret = self.secret()?;
        let (mut config, mut files) = (String::new(), Vec::new());
        for (index, parcel) in parcels.iter().enumerate() {
            let mut file = tempfile::NamedTempFile::new().map_err(no_temporary_file)?;
            file.write_all(&parcel.bytes).map_err(no_temporary_file)?;
            config.push_str(if index == 0 { "fail-early\n" } else { "next\n" });
            config.push_str(&upload(&self.target, secret.as_deref(), file.path(), &parcel.key));
            files.push(file);
        }
        self.transfer(&config)
    }

    /// Removes files from the folder; those that are not there are no error.
    pub(super) fn remove_all(&self, paths: &[String]) -> Result<(), Failure> {
        self.transfer(&removal(&self.target, self.secret()?.as_deref(), paths))
    }

    fn transfer(&self, config: &str) -> Result<(), Failure> {
        let arguments = ["--disable", "--config", "-"].map(str::to_owned);
        let patience = Duration::from_secs(u64::from(TRANSFER_S) + 5);
        let is_sftp = folder(&self.target).0.starts_with("sftp://");
        run_known(Path::new(CURL), &arguments, config.as_bytes(), patience, |code| meaning(code, is_sftp))
    }

    fn secret(&self) -> Result<Option<String>, Failure> {
        self.target.password.as_ref().map(crate::Secret::read).transpose().map_err(Failure::refused)
    }
}

/// What an exit code of `curl` means (its manual, «EXIT CODES»), where a person can do something about it.
fn meaning(code: i32, is_sftp: bool) -> Option<Box<CodedText>> {
    match code {
        6 => Some(NoAnswer::NoHost.into()),
        7 => Some(NoAnswer::Refused.into()),
        28 => Some(NoAnswer::Late.into()),
        51 | 60 if is_sftp => Some(OutputSentence::HostKey.into()),
        35 | 51 | 60 => Some(NoAnswer::NotSecure.into()),
        64 => Some(OutputSentence::NoTls.into()),
        67 => Some(OutputSentence::LoginDenied.into()),
        78 => Some(OutputSentence::NoRemoteFolder.into()),
        // Of SFTP, `curl` gives back 2 where another service answers, and 79 for all that has no code of its own, as a full disk.
        2 if is_sftp => Some(OutputSentence::NotForFiles.into()),
        8 | 56 => Some(OutputSentence::NotForFiles.into()),
        79 if is_sftp => Some(OutputSentence::NotWritten.into()),
        9 | 21 | 25 | 70 => Some(OutputSentence::NotWritten.into()),
        _ => None,
    }
}

impl Consumer for Ftp {
    fn parcels(&self, wanted: &Wanted) -> Vec<Parcel> {
        round_files(wanted, &self.target.file)
    }

    fn deliver(&mut self, job: &Job<'_>) -> Delivered {
        one_by_one(job, |parcel| self.send(parcel))
    }

    fn spacing_ms(&self) -> u64 {
        5_000
    }

    fn test(&mut self) -> Result<Vec<CodedText>, Failure> {
        let mut config = access(&self.target, self.secret()?.as_deref());
        line(&mut config, "url", &folder(&self.target).0);
        config.push_str("list-only\n");
        self.transfer(&config)?;
        Ok(vec![OutputSentence::ServerWorks.coded()])
    }
}

/// Address of the folder as `curl` wants it, and whether it must use TLS. `ftps://` means TLS on the usual port, as nearly every
/// server has it; with port 990 it means TLS from the first byte.
fn folder(target: &FtpTarget) -> (String, bool) {
    let url = format!("{}/", target.url.trim_end_matches('/'));
    match url.strip_prefix("ftps://") {
        Some(rest) if !rest.split('/').next().is_some_and(|host| host.ends_with(":990")) => {
            (format!("ftp://{rest}"), true)
        }
        _ => (url, false),
    }
}

/// The settings of `curl` for a server.
fn access(target: &FtpTarget, secret: Option<&str>) -> String {
    let mut config = String::from("silent\nshow-error\ngloboff\n");
    line(&mut config, "connect-timeout", &CONNECTING_S.to_string());
    line(&mut config, "max-time", &TRANSFER_S.to_string());
    // The list of protocols keeps an address from meaning anything else.
    line(&mut config, "proto", "=ftp,ftps,sftp");
    let secret = secret.unwrap_or_default();
    if let Some(key) = &target.key_file {
        line(&mut config, "key", &key.to_string_lossy());
        line(&mut config, "pass", secret);
        line(&mut config, "user", &format!("{}:", target.user));
    } else {
        line(&mut config, "user", &format!("{}:{secret}", target.user));
    }
    if let Some(key) = host_key(target, std::env::home_dir().as_deref()) {
        line(&mut config, "hostpubsha256", key);
    }
    if folder(target).1 {
        config.push_str("ssl-reqd\n");
    }
    config
}

/// The key that an SFTP server must have, if it is not to be found in the file of known keys. Where there is no such file, `curl`
/// would take any server and send it the password.
fn host_key<'a>(target: &'a FtpTarget, home: Option<&Path>) -> Option<&'a str> {
    if let Some(key) = &target.host_key {
        return Some(fingerprint(key));
    }
    let is_known = || home.is_some_and(|home| std::fs::File::open(home.join(KNOWN_HOSTS)).is_ok());
    (folder(target).0.starts_with("sftp://") && !is_known()).then_some(NO_KEY)
}

/// Everything that `curl` needs to replace a file in one step.
fn upload(target: &FtpTarget, secret: Option<&str>, from: &Path, name: &str) -> String {
    let mut config = access(target, secret);
    let (folder, _) = folder(target);
    let unfinished = format!("{name}{UNFINISHED}");
    config.push_str("ftp-create-dirs\n");
    line(&mut config, "upload-file", &from.to_string_lossy());
    line(&mut config, "url", &format!("{folder}{unfinished}"));
    // Commands after the transfer; with «*» they may fail.
    if folder.starts_with("sftp://") {
        let path = path_of(&folder);
        line(&mut config, "quote", &format!("-*rm \"{path}{name}\""));
        line(&mut config, "quote", &format!("-rename \"{path}{unfinished}\" \"{path}{name}\""));
    } else {
        // The transfer ends in the folder of the file.
        let file = name.rsplit('/').next().unwrap_or(name);
        line(&mut config, "quote", &format!("-RNFR {file}{UNFINISHED}"));
        line(&mut config, "quote", &format!("-RNTO {file}"));
    }
    config
}

/// The path of an address for SFTP.
fn path_of(folder: &str) -> String {
    let path = folder.splitn(4, '/').nth(3).unwrap_or_default();
    path.strip_prefix("~/").map_or_else(|| format!("/{path}"), str::to_owned)
}

/// Everything that `curl` needs to remove files.
fn removal(target: &FtpTarget, secret: Option<&str>, paths: &[String]) -> String {
    let mut config = access(target, secret);
    let (folder, _) = folder(target);
    line(&mut config, "url", &folder);
    config.push_str("list-only\n");
    for path in paths {
        // After the folder was listed; with «*» they may fail.
        let command = if folder.starts_with("sftp://") {
            format!("-*rm \"{}{path}\"", path_of(&folder))
        } else {
            format!("-*DELE {path}")
        };
        line(&mut config, "quote", &command);
    }
    config
}

/// A setting with its value in quotes.
fn line(config: &mut String, name: &str, value: &str) {
    let value: String = value.chars().filter(|letter| !letter.is_control()).collect();
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    let _ = writeln!(config, "{name} = \"{value}\"");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(url: &str) -> FtpTarget {
        FtpTarget {
            url: url.into(),
            file: "round-{round}.pgn".into(),
            user: "hall".into(),
            password: None,
            key_file: None,
            host_key: None,
        }
    }

    #[test]
    fn a_file_is_sent_under_another_name_and_renamed() {
        let config = upload(&target("ftp://host/games"), Some("se\"cret\\"), Path::new("/tmp/x"), "round-3.pgn");
        for wanted in [
            "url = \"ftp://host/games/round-3.pgn.part\"\n",
            "quote = \"-RNFR round-3.pgn.part\"\n",
            "quote = \"-RNTO round-3.pgn\"\n",
            "user = \"hall:se\\\"cret\\\\\"\n",
        ] {
            assert!(config.contains(wanted), "{config}");
        }
        assert!(!config.contains("ssl-reqd"));
        let sftp = upload(&target("sftp://host/srv/games/"), None, Path::new("/tmp/x"), "round-3.pgn");
        assert!(
            sftp.contains(r#"quote = "-rename \"/srv/games/round-3.pgn.part\" \"/srv/games/round-3.pgn\"""#),
            "{sftp}"
        );
    }

    #[test]
    fn a_host_key_goes_to_curl_without_its_prefix() {
        let key = "+4u5zbkOtVpb6Oq7mDRUkDsxL0hmBwHYYzCcPdEGJvA";
        for written in [key.to_owned(), format!("SHA256:{key}")] {
            let target = FtpTarget { host_key: Some(written), ..target("sftp://host/games/") };
            let config = access(&target, None);
            assert!(config.contains(&format!("hostpubsha256 = \"{key}\"\n")), "{config}");
        }
    }

    #[test]
    fn an_sftp_server_without_a_known_key_gets_no_password() {
        let (home, server) = (tempfile::tempdir().unwrap(), target("sftp://host/games/"));
        assert_eq!(host_key(&server, Some(home.path())), Some(NO_KEY));
        assert_eq!(host_key(&server, None), Some(NO_KEY));
        assert_eq!(host_key(&target("ftps://host/games/"), None), None, "it has a certificate");
        std::fs::create_dir(home.path().join(".ssh")).unwrap();
        std::fs::write(home.path().join(KNOWN_HOSTS), "").unwrap();
        assert_eq!(host_key(&server, Some(home.path())), None, "the file decides");
        let config = access(&FtpTarget { host_key: Some("SHA256:abc".into()), ..server }, None);
        assert!(config.contains("hostpubsha256 = \"abc\"\n"), "{config}");
    }

    #[test]
    fn tls_is_required_where_it_is_asked_for() {
        assert_eq!(folder(&target("ftps://host/x")), ("ftp://host/x/".into(), true));
        assert_eq!(folder(&target("ftps://host:990/x")), ("ftps://host:990/x/".into(), false));
        assert_eq!(folder(&target("ftp://host")), ("ftp://host/".into(), false));
    }

    #[test]
    fn what_curl_gives_back_is_said_as_a_person_can_act_on_it() {
        let said_by = |code, is_sftp| meaning(code, is_sftp).map(|text| text.code.to_string());
        let said = |code| said_by(code, false);
        // SFTP has no certificates: there it is the key of the server.
        assert_eq!(said(60).as_deref(), Some("http_not_secure"));
        assert_eq!(said_by(60, true).as_deref(), Some("output_host_key"));
        assert_eq!(said(67).as_deref(), Some("output_login_denied"));
        assert_eq!(said(7).as_deref(), Some("http_refused"));
        assert_eq!(said(64).as_deref(), Some("output_no_tls"));
        for code in [9, 21, 25, 70] {
            assert_eq!(said(code).as_deref(), Some("output_not_written"));
        }
        // The SFTP of `curl` has no codes of its own for a full disk and for a service of another kind.
        assert_eq!(said_by(79, true).as_deref(), Some("output_not_written"));
        assert_eq!(said_by(78, true).as_deref(), Some("output_no_remote_folder"));
        assert_eq!(said_by(2, true).as_deref(), Some("output_not_for_files"));
        assert_eq!(said(56).as_deref(), Some("output_not_for_files"));
        assert_eq!((said(2), said(79)), (None, None), "curl's own words are shown");
    }

    #[test]
    fn a_value_cannot_begin_another_setting() {
        let mut config = String::new();
        line(&mut config, "user", "a\noutput = /etc/passwd");
        assert_eq!(config.lines().count(), 1);
    }
}
