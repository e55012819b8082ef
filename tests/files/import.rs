//! `boardcast import` as an organiser uses it: games into the record and out again, pairings to the daemon.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::{boardcast, text};

/// Two rounds of one section as a broadcast leaves them, and a game of another one from a set-up position.
const PLAYED: &str = "[Event \"City Open\"]\n[Site \"Örebro\"]\n[Date \"2026.11.21\"]\n[Round \"1.1\"]\n\
[White \"Adler, Ida\"]\n[Black \"Müller, Jürgen\"]\n[Result \"1-0\"]\n[BlackElo \"2100\"]\n[ECO \"C20\"]\n\
[TimeControl \"5400+30\"]\n[WhiteElo \"2210\"]\n[WhiteTitle \"WIM\"]\n\n\
1. e4 {[%clk 1:30:25] [%emt 0:00:05]} 1... e5 {[%clk 1:30:20] [%emt 0:00:10]}\n1-0\n\n\
[Event \"City Open\"]\n[Site \"Örebro\"]\n[Date \"2026.11.21\"]\n[Round \"1.2\"]\n[White \"Clark, Ann\"]\n\
[Black \"Davis, Tom\"]\n[Result \"*\"]\n[TimeControl \"5400+30\"]\n\n1. d4 (1. c4) 1... d5 *\n\n\
[Event \"City Open\"]\n[Site \"Örebro\"]\n[Date \"2026.11.22\"]\n[Round \"2.1\"]\n[White \"Müller, Jürgen\"]\n\
[Black \"Clark, Ann\"]\n[Result \"1/2-1/2\"]\n[TimeControl \"5400+30\"]\n[WhiteElo \"2100\"]\n\n1. Nf3 1/2-1/2\n\n\
[Event \"Endings\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"1\"]\n[White \"Young, Amy\"]\n[Black \"Zwick, Eva\"]\n\
[Result \"1-0\"]\n[FEN \"8/8/4k3/8/8/3K4/3P4/8 w - - 3 61\"]\n[SetUp \"1\"]\n\n61. Kd4 1-0\n\n";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        fs::write(folder.path().join(name), content).expect("a file");
    }
    folder
}

/// Runs a command that succeeds; what it printed.
fn done(arguments: &[&str], folder: &Path) -> String {
    let output = boardcast(arguments, folder);
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""), "{arguments:?}");
    text(&output.stdout)
}

#[test]
fn games_go_in_and_come_out_the_same_as_pgn_and_as_pgc() {
    let folder = folder(&[("played.pgn", PLAYED)]);
    let told = done(&["import", "--data", "one", "played.pgn"], folder.path());
    assert_eq!(told, "4 games imported.\n");
    let again = done(&["import", "--data", "one", "played.pgn"], folder.path());
    assert!(again.starts_with("0 games imported.\n4 games were recorded already.\n"), "{again}");

    let own = ["Board", "GameId", "Mode", "PlyCount", "Termination"].map(|name| format!("[{name} "));
    let exported = done(&["export", "--data", "one", "--format", "pgn"], folder.path());
    let kept: String = exported
        .lines()
        .filter(|line| !own.iter().any(|own| line.starts_with(own)))
        .map(|line| line.to_owned() + "\n")
        .collect();
    assert_eq!(kept, PLAYED);

    done(&["export", "--data", "one", "--format", "pgc", "games.pgc"], folder.path());
    let told = done(&["import", "--data", "two", "games.pgc"], folder.path());
    assert_eq!(told, "4 games imported.\n");
    assert_eq!(done(&["export", "--data", "two", "--format", "pgn"], folder.path()), exported);
    done(&["export", "--data", "two", "--format", "pgc", "again.pgc"], folder.path());
    let read = |name| fs::read(folder.path().join(name)).expect("a file");
    assert_eq!(read("again.pgc"), read("games.pgc"));
    assert!(done(&["check", "--data", "two"], folder.path()).ends_with(": sound\n"));
    // Nobody knows when an imported move was played.
    let epd = done(&["export", "--data", "two", "--format", "epd", "--section", "endings"], folder.path());
    assert!(epd.starts_with("8/8/4k3/8/8/3K4/3P4/8 w - - fmvn 61;") && !epd.contains(" ts "), "{epd}");
    let table = done(&["export", "--data", "two", "--format", "csv", "--section", "city-open"], folder.path());
    assert_eq!(table.lines().count(), 4, "{table}");
}

#[test]
fn while_a_daemon_is_at_work_games_wait_and_pairings_do_not() {
    let folder = folder(&[("played.pgn", PLAYED), ("round-3.csv", "Round;White;Black\n3;Adler, Ida;Clark, Ann\n")]);
    let mut daemon = Command::new(env!("CARGO_BIN_EXE_boardcast"))
        .args(["run", "--data", "data", "--listen", "127.0.0.1:0"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a daemon");
    let journal = folder.path().join("data/journal.sqlite");
    while !journal.exists() {
        assert!(daemon.try_wait().expect("a state").is_none(), "the daemon ended");
        std::thread::sleep(Duration::from_millis(10));
    }
    let refused = boardcast(&["import", "--data", "data", "played.pgn"], folder.path());
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused.stderr).starts_with("boardcast: games cannot be imported while the daemon is running: stop it"),
        "{}",
        text(&refused.stderr)
    );
    let told = done(&["import", "--data", "data", "round-3.csv"], folder.path());
    assert!(told.contains("Adler, Ida") && told.contains("Loaded into the section"), "{told}");
    // Both sections would play at table 1: a person is asked.
    let asked = boardcast(
        &["import", "--data", "data", "--section", "city-open", "--new-section", "round-3.csv"],
        folder.path(),
    );
    let told = text(&asked.stdout);
    assert_eq!(asked.status.code(), Some(1), "{told}");
    assert!(told.contains("data/pairings/city-open now") && told.contains("a button of this alarm"), "{told}");
    for place in ["data/pairings/round-3.csv", "data/pairings/city-open/round-3.csv"] {
        assert!(fs::read_to_string(folder.path().join(place)).expect("a file").starts_with("Round;"), "{place}");
    }
    daemon.kill().expect("an end");
    daemon.wait().expect("an end");
    let told = done(&["import", "--data", "data", "round-3.csv"], folder.path());
    assert!(told.contains("it loads them when it starts"), "{told}");
}

#[test]
fn what_does_not_fit_is_named_and_the_rest_is_done() {
    let mixed = "[Event \"Club\"]\n[White \"?\"]\n[Black \"?\"]\n\n1. e4 *\n\n\
                 [Event \"Club\"]\n[White \"Adler, Ida\"]\n[Black \"Bos, Jan\"]\n\n1. e4 Ke7 *\n\n\
                 [Event \"Club\"]\n[White \"Adler, Ida\"]\n[Black \"Bos, Jan\"]\n\n1. e4 0-1\n";
    let folder = folder(&[("mixed.pgn", mixed), ("bad.csv", "nothing\n"), ("played.pgn", PLAYED)]);
    let partly = boardcast(&["import", "--data", "data", "mixed.pgn"], folder.path());
    assert_eq!(partly.status.code(), Some(1));
    assert!(
        text(&partly.stdout).contains("1 game imported.\n1 game is left out because its tags do not name both players")
    );
    assert!(
        text(&partly.stderr).starts_with("boardcast: mixed.pgn, game 2 (Adler, Ida - Bos, Jan), move 1 (Black), line "),
        "{}",
        text(&partly.stderr)
    );
    assert_eq!(text(&partly.stderr).lines().count(), 1);
    for (arguments, said) in [
        (&["bad.csv"][..], "bad.csv, line 1, column 1: this is not a known form of pairings"),
        (&["missing.pgn"], "missing.pgn cannot be read"),
        (&["--section", "Open A", "played.pgn"], "«Open A» cannot be the name of a section in addresses"),
        (
            &["--section", "clbu", "played.pgn"],
            "there is no section «clbu», and nothing was imported. There are: «club». With --new-section it is made",
        ),
        (&["--section", "club", "played.pgn"], "the section «club» already has other games in these rounds"),
    ] {
        let refused = boardcast(&[&["import", "--data", "data"], arguments].concat(), folder.path());
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}");
        assert!(text(&refused.stderr).starts_with(&format!("boardcast: {said}")), "{}", text(&refused.stderr));
    }
    let kept = done(&["export", "--data", "data", "--format", "pgn"], folder.path());
    assert_eq!(kept.matches("[Event ").count(), 1, "nothing was half done: {kept}");
    let told = done(&["import", "--data", "data", "--section", "cup", "--new-section", "played.pgn"], folder.path());
    assert!(told.contains("imported"), "{told}");
}

#[test]
fn comments_glyphs_and_variations_stay_unless_a_comment_names_a_player() {
    let annotated = "[Event \"Club\"]\n[White \"Adler, Ida\"]\n[Black \"Bos, Jan\"]\n[Result \"0-1\"]\n\n\
                     {A quiet start.} 1. e4 $1 {[%clk 0:05:00] [%eval 0.3] best by test} 1... e5 (1... c5 $5 2. Nf3 (2. c3)) 2. Nf3 \
                     {Adler did not see it} 2... Nc6 {the end} 0-1\n";
    let folder = folder(&[("annotated.pgn", annotated)]);
    let told = done(&["import", "--data", "data", "annotated.pgn"], folder.path());
    assert_eq!(
        told,
        "1 game imported.\n1 game loses comments that name a player, because the journal could not forget them.\n"
    );
    let exported = done(&["export", "--data", "data", "--format", "pgn"], folder.path());
    let movetext = exported.split("\n\n").nth(1).unwrap_or_default().replace('\n', " ");
    assert_eq!(
        movetext,
        "{A quiet start.} 1. e4 $1 {[%clk 0:05:00] [%eval 0.3] best by test} 1... e5 (1... c5 $5 2. Nf3 (2. c3)) 2. Nf3 Nc6 \
         {the end} 0-1"
    );
    assert!(done(&["check", "--listen", "127.0.0.1:0", "--data", "data"], folder.path()).ends_with(": sound\n"));
}
