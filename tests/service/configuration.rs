//! The example configuration: every key of the program is in it, each with an explanation.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Keys that the program knows, as it says itself when it refuses an unknown one. `table` is the heading in the file.
fn known_keys(table: &str) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("unknown.toml");
    let mut text = "unknown_key = 1\n".to_owned();
    if !table.is_empty() {
        text.insert_str(0, &format!("{table}\n"));
    }
    std::fs::write(&file, text).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_boardcast")).arg("run").arg("--config").arg(&file).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    let (_, expected) = said.split_once("known are ").unwrap_or_else(|| panic!("{said}"));
    expected.split(',').map(|key| key.trim().to_owned()).collect()
}

#[test]
fn the_example_has_every_key_with_an_explanation() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("systemd/example.toml")).unwrap();
    let mut table = String::new();
    let mut explained = false;
    let mut found = BTreeSet::new();
    for line in text.lines() {
        let bare = line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line);
        if line.starts_with("# ") {
            explained = true;
        } else if bare.starts_with('[') {
            table = bare.to_owned();
        } else if let Some((key, _)) = bare.split_once(" = ").filter(|(key, _)| !key.contains([' ', '"'])) {
            assert!(explained, "{key} has no explanation");
            // What is inside of a key (`target.folder.path`) is tried by the tests of the outputs.
            found.insert((table.clone(), key.split('.').next().unwrap_or_default().to_owned()));
        } else if bare.trim().is_empty() {
            explained = false;
        }
    }
    let tables: BTreeSet<_> = found.iter().map(|(table, _)| table.clone()).collect();
    for table in &tables {
        let in_example: BTreeSet<_> = found.iter().filter(|(of, _)| of == table).map(|(_, key)| key.clone()).collect();
        // The keys of the first level include the tables.
        let in_example = if table.is_empty() {
            let tables = tables.iter().filter(|name| !name.is_empty());
            in_example.into_iter().chain(tables.map(|name| name.trim_matches(['[', ']']).to_owned())).collect()
        } else {
            in_example
        };
        assert_eq!(in_example, known_keys(table), "{table}");
    }
}
