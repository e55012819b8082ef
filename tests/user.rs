//! `boardcast user`: accounts managed on the machine, without a daemon.

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// What the command printed and its exit code; `password` goes to its standard input.
fn user(data: &Path, arguments: &[&str], password: &str) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boardcast"));
    command.arg("user").args(arguments).arg("--data").arg(data);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    match child.stdin.take().unwrap().write_all(password.as_bytes()) {
        // A command that asks for no password may be over already.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => panic!("{error}"),
        _ => {}
    }
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn accounts_are_managed_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let done = |arguments: &[&str], password: &str| {
        let (out, err, code) = user(data, arguments, password);
        assert_eq!(code, Some(0), "{arguments:?}: {err}");
        out
    };
    let refused = |arguments: &[&str], password: &str, code: i32| {
        let (out, err, given) = user(data, arguments, password);
        assert_eq!((given, &*out), (Some(code), ""), "{arguments:?}: {err}");
        err
    };
    assert_eq!(done(&["list"], ""), "");
    std::fs::write(data.join("journal.sqlite"), "").unwrap();
    let (out, err, _) = user(data, &["list"], "");
    assert_eq!(out, "");
    assert!(err.contains("it brings back the accounts in it where there are none"), "{err}");
    for arguments in [&["role", "Anna", "viewer"][..], &["remove", "Anna"], &["password", "Anna"]] {
        assert!(refused(arguments, "four words are good\n", 1).contains("there are no accounts in"));
    }
    assert!(!data.join("accounts.sqlite").exists(), "a command that only reads made the file of accounts");
    let add = ["add", "Anna", "--role", "administrator"];
    assert_eq!(done(&add, "four words are good\n"), "Anna can log in as administrator\n");
    assert!(refused(&add, "four words are good\n", 1).contains("The account «Anna» exists already"));
    assert!(refused(&["add", "Ben", "--role", "arbiter"], "short\n", 1).contains("at least 10 characters"));
    assert!(refused(&["add", "Ben", "--role", "king"], "", 2).contains("a role is viewer"));
    assert!(refused(&["add", "../Ben", "--role", "arbiter"], "", 2).contains("he name of an account has 1 to 64"));
    done(&["add", "Ben", "--role", "arbiter"], "other words are good");
    assert_eq!(done(&["role", "ben", "operator"], ""), "ben now has the role operator\n");
    assert_eq!(done(&["list"], ""), "Anna\tadministrator\nBen\toperator\n");
    done(&["password", "Ben"], "yet other words\r\n");
    assert!(refused(&["password", "Carl"], "yet other words\n", 1).contains("no account «Carl»"));
    assert!(refused(&["remove", "Anna"], "", 1).contains("This is the last administrator"));
    assert_eq!(done(&["remove", "Ben"], ""), "Ben is removed\n");
    assert_eq!(done(&["list"], ""), "Anna\tadministrator\n");
    let nowhere = data.join("nowhere");
    assert!(user(&nowhere, &["list"], "").1.contains("does not exist: start the daemon once"));
}
