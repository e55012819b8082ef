//! A person removed by the command, from a daemon at work and without one.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::process::{Recipe, boardcast, said};

const NAME: &str = "Zwischenzug, Zacharias";

/// Two rounds of the same two; the first one is over.
const PAIRINGS: &str = "[Event \"Cup\"]\n[Round \"1.1\"]\n[White \"Zwischenzug, Zacharias\"]\n[Black \"Baker, Ruth\"]\n\
                        [Result \"1-0\"]\n\n1-0\n\n\
                        [Event \"Cup\"]\n[Round \"2.1\"]\n[White \"Baker, Ruth\"]\n[Black \"Zwischenzug, Zacharias\"]\n\
                        [Result \"*\"]\n\n*\n";

/// The files of a data folder in which the name stands.
fn files_with_the_name(data: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(data).unwrap().map(|file| file.unwrap().path()).filter(|path| path.is_file());
    let holds = |path: &PathBuf| {
        let bytes = std::fs::read(path).unwrap();
        bytes.windows(NAME.len()).any(|part| part == NAME.as_bytes())
    };
    files.filter(holds).collect()
}

fn make_administrator(data: &Path, name: &str) {
    let mut add = boardcast();
    add.args(["user", "add", name, "--role", "administrator", "--data"]).arg(data);
    let mut add = add.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    add.stdin.take().unwrap().write_all(b"four words are good\n").unwrap();
    assert!(add.wait().unwrap().success());
}

#[test]
fn a_daemon_at_work_forgets_a_person_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let recipe = Recipe::new(folder.path());
    std::fs::write(&recipe.pairings, PAIRINGS).unwrap();
    let data = &recipe.data;
    let mut daemon = recipe.start();
    recipe.wait_until_ready();
    let (code, refused) = said(&["forget", NAME], data);
    assert!(code == Some(1) && refused.contains("add one with `boardcast user add`"), "{refused}");
    make_administrator(data, "Anna");
    make_administrator(data, "Ben");
    let (code, refused) = said(&["forget", NAME], data);
    assert!(code == Some(1) && refused.contains("name one with --by"), "{refused}");
    let (code, refused) = said(&["forget", NAME, "--by", "Carla", "--yes"], data);
    assert!(code == Some(1) && refused.contains("no account «Carla»"), "{refused}");

    let list = data.join("pairings/round-2.csv");
    std::fs::create_dir_all(list.parent().unwrap()).unwrap();
    assert!(!files_with_the_name(data).is_empty(), "the name never was there");
    std::fs::write(&list, format!("Round;White;Black\n2;{NAME};Baker, Ruth\n")).unwrap();
    let (code, refused) = said(&["forget", NAME, "--by", "ben"], data);
    assert!(code == Some(1) && refused.contains("nothing was removed: here is no terminal"), "{refused}");
    assert!(
        refused.contains(&format!("With --yes this is removed for good: player 1, {NAME}, of the section")),
        "{refused}"
    );
    let (code, forgotten) = said(&["forget", NAME, "--by", "ben", "--yes"], data);
    assert!(code == Some(1) && forgotten.contains("player 1 is removed"), "{forgotten}");
    assert!(forgotten.contains("round-2.csv still contains the name: remove it there"), "{forgotten}");
    std::fs::remove_file(&list).unwrap();
    assert_eq!(files_with_the_name(data), Vec::<PathBuf>::new());
    let (code, again) = said(&["forget", NAME, "--by", "Anna"], data);
    assert!(code == Some(1) && again.contains(&format!("there is no player «{NAME}»")), "{again}");
    let (code, again) = said(&["forget", "1", "--by", "Anna", "--yes"], data);
    assert!(code == Some(1) && again.contains("the daemon refuses: Player 1 was forgotten"), "{again}");
    let (code, sound) = said(&["check", "--listen", "127.0.0.1:0"], data);
    assert!(code == Some(0), "{sound}");
    daemon.kill();
}

#[test]
fn a_person_is_forgotten_while_no_daemon_is_at_work() {
    let folder = tempfile::tempdir().unwrap();
    let recipe = Recipe::new(folder.path());
    std::fs::write(&recipe.pairings, PAIRINGS).unwrap();
    let data = &recipe.data;
    let (code, missing) = said(&["forget", NAME], data);
    assert!(code == Some(1) && missing.contains("holds no journal"), "{missing}");
    let mut daemon = recipe.start();
    recipe.wait_until_ready();
    daemon.kill();
    assert!(!files_with_the_name(data).is_empty(), "the name never was there");
    let (code, nobody) = said(&["forget", "Adams"], data);
    assert!(code == Some(1) && nobody.contains("there is no player «Adams»"), "{nobody}");
    let (code, refused) = said(&["forget", NAME], data);
    assert!(code == Some(1) && refused.contains("nothing was removed"), "{refused}");
    assert!(!files_with_the_name(data).is_empty());
    let (code, forgotten) = said(&["forget", NAME, "--yes"], data);
    assert!(code == Some(0) && forgotten.contains("is removed"), "{forgotten}");
    assert!(forgotten.contains("Backups and pairing files still hold the name"), "{forgotten}");
    assert_eq!(files_with_the_name(data), Vec::<PathBuf>::new());
    let (code, sound) = said(&["check", "--listen", "127.0.0.1:0"], data);
    assert!(code == Some(0), "{sound}");
}
