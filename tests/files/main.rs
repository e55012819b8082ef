//! Games and pairings as files: into the record and out of it, by the commands that organisers use.

mod check;
mod export;
mod import;

use std::path::Path;
use std::process::{Command, Output};

/// What a command does in a folder.
fn boardcast(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_boardcast"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program starts")
}

/// What it printed.
fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}
