//! `boardcast check` says of a set-up what `boardcast run` would say.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use crate::{boardcast, text};

/// What a check of this configuration ends with and says.
fn checked(folder: &Path, config: &str) -> (Option<i32>, String) {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let config = if config.contains("listen") { config.to_owned() } else { format!("listen = \"{free}\"\n{config}") };
    fs::write(folder.join("boardcast.toml"), format!("data = \"data\"\n{config}")).expect("a file");
    let output = boardcast(&["check", "--config", "boardcast.toml"], folder);
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

#[test]
fn what_would_end_the_daemon_at_once_is_found_and_nothing_is_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let used = format!("listen = \"{}\"", taken.local_addr().expect("an address"));
    for (config, said) in [
        ("tls_certificate = \"/nope.pem\"", "tls_certificate and tls_key belong together"),
        ("tls_certificate = \"nope.pem\"\ntls_key = \"nope.key\"", "nope.pem"),
        ("pairings = \"nope.csv\"", "nope.csv cannot be read"),
        (&used, "is in use by another program"),
        ("eboard_socket = \"203.0.113.1:9\"", "203.0.113.1:9 is not free for the e-board socket"),
    ] {
        let (code, told) = checked(folder.path(), config);
        assert!(code == Some(1) && told.contains(said), "{config}: {told}");
    }
    let (code, told) = checked(folder.path(), "[engine]\nprogram = \"/nope/engine\"");
    assert!(code == Some(0) && told.contains("the engine /nope/engine cannot be started"), "the daemon starts: {told}");
    let (code, told) = checked(folder.path(), "");
    assert_eq!(code, Some(0), "{told}");
    for said in
        ["configuration: sound", "addresses: ", "data folder, look: ", "ports", "disk", "time", "record: none yet"]
    {
        assert!(told.contains(said), "{said} in {told}");
    }
    assert!(!folder.path().join("data").exists(), "a check makes nothing");
    fs::write(folder.path().join("data"), "").expect("a file");
    let (code, told) = checked(folder.path(), "");
    assert!(code == Some(1) && told.contains("data folder: the data folder data cannot be used"), "{told}");
}

#[test]
fn a_data_folder_whose_journal_is_lost_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    drop(journal::DataFolder::take(&data).expect("a folder").open_journal().expect("a journal"));
    let (code, told) = checked(folder.path(), "");
    assert!(code == Some(0) && told.contains("can be written") && told.trim_end().ends_with(": sound"), "{told}");
    fs::remove_file(data.join("journal.sqlite")).expect("a file");
    let (code, told) = checked(folder.path(), "");
    assert!(code == Some(1) && told.contains("run `boardcast rebuild` (with --pairings FILE"), "{told}");
    assert!(!told.contains("none yet"), "{told}");
}

#[test]
fn what_is_given_for_an_address_or_a_data_folder_and_is_none_is_refused_with_what_to_write() {
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, code, sentence) in [
        (&["run", "--listen", "localhost"][..], 2, "this is an address with a port, e.g. 0.0.0.0:8080"),
        (&["check", "--listen", "8080"], 2, "this is an address with a port, e.g. 0.0.0.0:8080"),
        (&["run", "--eboard-socket=x"], 2, "this is an address with a port, e.g. 0.0.0.0:8080"),
        (&["demo", "--listen", "x"], 2, "this is an address with a port, e.g. 0.0.0.0:8080"),
        (&["rebuild", "--open", "--data", "x"], 1, "x holds no journal"),
    ] {
        let output = boardcast(arguments, folder.path());
        let told = text(&output.stderr);
        assert!(output.status.code() == Some(code) && told.contains(sentence), "{arguments:?}: {told}");
    }
}

#[test]
#[cfg(unix)]
fn a_data_folder_of_another_user_is_not_taken_for_an_empty_one() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    drop(journal::DataFolder::take(&data).expect("a folder").open_journal().expect("a journal"));
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("permissions");
    fs::set_permissions(&data, fs::Permissions::from_mode(0o000)).expect("permissions");
    // The superuser may read everything.
    let command = |arguments: &[&str]| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(env!("CARGO_BIN_EXE_boardcast"));
        if fs::read_dir(&data).is_err() {
            command = Command::new(env!("CARGO_BIN_EXE_boardcast"));
        }
        command.args(arguments).arg("--data").arg(&data).output()
    };
    let may_start = command(&["export", "--format", "pgn"]).is_ok_and(|output| output.status.code() == Some(1));
    if !may_start {
        println!("skipped: another user of this machine cannot start the program");
        return;
    }
    for arguments in [&["export", "--format", "pgn"][..], &["user", "list"], &["rebuild", "--open"], &["backup", "x"]] {
        let output = command(arguments).expect("the program starts");
        let told = text(&output.stderr);
        assert!(
            output.status.code() == Some(1) && told.contains("run the command as the user of the daemon"),
            "{arguments:?}: {told}"
        );
    }
}
