//! `boardcast pgn`, `boardcast epd` and `boardcast export` as an organiser uses them, over files and standard input.

mod archive;
mod bad_input;
mod memory;

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Three whole games out of order and a damaged one among them, as four clubs sent them.
const SENT: &[u8] = b"[Event \"City Open\"]\r\n[Date \"2026.11.22\"]\r\n[Round \"2.1\"]\r\n[White \"M\xfcller, Eva\"]\r\n\
[Black \"Adler, Ida\"]\r\n[Result \"1-0\"]\r\n\r\n1.e4 e5 2.g1f3! Nb8-c6 {quiet} 1-0\r\n\r\n\
[Event \"City Open\"]\r\n[Date \"2026.11.21\"]\r\n[Round \"1.2\"]\r\n[White \"Zwick, Otto\"]\r\n\r\n1.e4 Ke7 *\r\n\r\n\
[Event \"City Open\"]\n[Date \"2026.11.21\"]\n[Round \"1.10\"]\n[White \"Brand, Ulf\"]\n[Black \"Young, Amy\"]\n\n0-1\n\n\
[Event \"City Open\"]\n[Date \"2026.11.21\"]\n[Round \"1.9\"]\n[White \"Adler, Ida\"]\n[Black \"BRAND, Ulf\"]\n\n1.d4 (1.c4) *\n";

fn boardcast(arguments: &[&str], folder: &Path, standard_input: &[u8]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_boardcast"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    match program.stdin.take().expect("a pipe").write_all(standard_input) {
        // A program that has to stop before it reads closes the pipe.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        written => written.expect("the program reads"),
    }
    program.wait_with_output().expect("the program ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("sent.pgn"), SENT).expect("a file");
    folder
}

/// Every file below a folder with its text, by name.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below").display().to_string();
                files.push((name, fs::read_to_string(&path).expect("UTF-8")));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn a_file_with_a_damaged_game_is_cleaned_and_the_game_is_named() {
    let folder = folder();
    let cleaned = boardcast(&["pgn", "clean", "sent.pgn"], folder.path(), b"");
    assert_eq!(cleaned.status.code(), Some(1), "one game is damaged");
    assert_eq!(
        text(&cleaned.stderr),
        "boardcast: sent.pgn, game 2 (Zwick, Otto - ?), move 1 (Black), line 15, column 6: the move Ke7 is not legal in the position \
         rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1; correct it or the moves before it\n"
    );
    let games = text(&cleaned.stdout);
    assert!(games.starts_with(
        "[Event \"City Open\"]\n[Site \"?\"]\n[Date \"2026.11.22\"]\n[Round \"2.1\"]\n[White \"Müller, Eva\"]\n\
         [Black \"Adler, Ida\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 $1 2... Nc6 {quiet} 1-0\n\n"
    ));
    // What is clean stays as it is, from standard input too.
    let again = boardcast(&["pgn", "clean"], folder.path(), games.as_bytes());
    assert_eq!((again.status.code(), text(&again.stdout)), (Some(0), games.clone()));
    let checked = boardcast(&["pgn", "check", "-"], folder.path(), games.as_bytes());
    assert_eq!(
        (checked.status.code(), text(&checked.stdout).as_str()),
        (Some(0), "3 sound, 0 with contradictions, 0 damaged\n")
    );
}

#[test]
fn damaged_games_go_to_a_file_and_stray_tokens_cost_themselves() {
    let folder = folder();
    let cleaned = boardcast(&["pgn", "clean", "--rejects", "bad.pgn", "sent.pgn"], folder.path(), b"");
    assert_eq!(cleaned.status.code(), Some(1));
    let rejected = fs::read(folder.path().join("bad.pgn")).expect("the file is there");
    let at = SENT.windows(10).position(|bytes| bytes == b"2026.11.21").expect("the damaged game") - 30;
    let start = at + SENT[at..].iter().position(|&byte| byte == b'[').expect("a tag");
    assert!(rejected.starts_with(&SENT[start..start + 40]), "{}", String::from_utf8_lossy(&rejected));
    assert_eq!(String::from_utf8_lossy(&rejected).matches("[Event ").count(), 1);

    let cleaned = boardcast(&["pgn", "clean"], folder.path(), b"1. e4 $256 (1. Ke7) e5 } 2. d4 *");
    assert_eq!(cleaned.status.code(), Some(1), "something was left out");
    assert!(text(&cleaned.stdout).ends_with("\n\n1. e4 e5 2. d4 *\n\n"), "{}", text(&cleaned.stdout));
    assert_eq!(text(&cleaned.stderr).lines().count(), 3, "{}", text(&cleaned.stderr));
}

#[test]
fn what_contradicts_itself_is_told() {
    let folder = folder();
    let game = b"\n[Event \"A\"]\n[Result \"1-0\"]\n\n1. e4 0-1\n";
    let checked = boardcast(&["pgn", "check"], folder.path(), game);
    assert_eq!(checked.status.code(), Some(3), "only contradictions");
    assert_eq!(
        text(&checked.stderr),
        "boardcast: standard input, game 1, line 2: the Result tag is 1-0, but the moves end with 0-1; correct one of them\n"
    );
    assert_eq!(text(&checked.stdout), "0 sound, 1 with contradictions, 0 damaged\n       1  result\n");
}

#[test]
fn errors_are_counted_and_chosen_by_kind() {
    let folder = folder();
    let games =
        b"[White \"Adler, Ida\"]\n[Black \"Bos, Jan\"]\n[Result \"1-0\"]\n[WhiteElo \"strong\"]\n\n1. e4 0-1\n\n\
                  [White \"Clark, Ann\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5+ Qe6 *\n\n\
                  [White \"Davis, Tom\"]\n\n1. d4 $300 *\n\n1. c4 *\n";
    let check = |arguments: &[&str]| {
        let checked = boardcast(&[&["pgn", "check"], arguments].concat(), folder.path(), games);
        (checked.status.code(), text(&checked.stdout), text(&checked.stderr))
    };
    let (code, counts, told) = check(&[]);
    assert_eq!(code, Some(1), "a game is damaged");
    assert_eq!(
        counts,
        "1 sound, 1 with contradictions, 1 read in part, 1 damaged\n       1  illegal-move\n       1  left-out\n       \
         1  result\n       1  elo\n"
    );
    let lines: Vec<&str> = told.lines().collect();
    for (line, start) in lines.iter().zip([
        "boardcast: standard input, game 1 (Adler, Ida - Bos, Jan), line 1: the Result tag is 1-0",
        "boardcast: standard input, game 1 (Adler, Ida - Bos, Jan), line 1: “strong” in the WhiteElo",
        "boardcast: standard input, game 2 (Clark, Ann - ?), move 3 (Black), line 10, column 30: the move Qe6",
        "boardcast: standard input, game 3 (Davis, Tom - ?), move 1 (Black), line 14, column 7: a NAG",
    ]) {
        assert!(line.starts_with(start), "{line}");
    }
    assert_eq!(lines.len(), 4);
    let (code, counts, told) = check(&["--kind", "result,elo"]);
    assert_eq!((code, told.lines().count()), (Some(3), 2), "{told}");
    assert!(counts.ends_with("\n       1  result\n       1  elo\n"), "{counts}");
    assert_eq!(check(&["--kind", "country"]).0, Some(0));
    assert_eq!(check(&["--kind", "nonsense"]).0, Some(2));
}

#[test]
fn results_that_differ_are_named_and_move_numbers_checked() {
    let folder = folder();
    for command in ["clean", "reduce"] {
        let rewritten = boardcast(&["pgn", command], folder.path(), b"[Result \"1-0\"]\n\n1. e4 0-1\n");
        assert_eq!(rewritten.status.code(), Some(1));
        assert_eq!(
            text(&rewritten.stderr),
            "boardcast: standard input, game 1, line 1: the Result tag is 1-0, but the moves end with 0-1; correct one of them; \
             0-1 is written\n"
        );
    }
    let games = b"1. e4 e5 3. Nf3 (3. d4 exd4) Nc6 *\n\n1.e4 e5 2.Nf3 (2.d4 exd4 3.Qxd4) 2... Nc6 1/2-1/2\n";
    let checked = boardcast(&["pgn", "check"], folder.path(), games);
    assert_eq!(
        text(&checked.stderr),
        "boardcast: standard input, game 1, move 2 (White), line 1, column 10: the move number is 3, but this is move 2; correct it\n"
    );
    assert_eq!(text(&checked.stdout), "1 sound, 1 with contradictions, 0 damaged\n       1  move-number\n");
    assert_eq!(checked.status.code(), Some(3));
}

#[test]
fn games_are_sorted_as_the_standard_says() {
    let folder = folder();
    let sorted = boardcast(&["pgn", "sort", "sent.pgn"], folder.path(), b"");
    assert_eq!(sorted.status.code(), Some(1), "the game with an illegal move is named and left out");
    assert!(text(&sorted.stderr).contains("line 15, column 6: the move Ke7 is not legal"));
    let rounds: Vec<String> =
        text(&sorted.stdout).lines().filter(|line| line.starts_with("[Round")).map(str::to_owned).collect();
    assert_eq!(rounds, ["[Round \"1.9\"]", "[Round \"1.10\"]", "[Round \"2.1\"]"]);
    // Merging the file with itself gives each game once.
    let merged = boardcast(&["pgn", "merge", "sent.pgn", "-"], folder.path(), SENT);
    assert_eq!(text(&merged.stdout), text(&sorted.stdout));
    // The same game in another spelling of its moves is one game.
    let spelled = String::from_utf8_lossy(SENT).replace("Nb8-c6", "b8c6").replace("1.d4", "1. d2-d4").replace('\r', "");
    fs::write(folder.path().join("spelled.pgn"), spelled.replace('\u{fffd}', "ü")).expect("a file");
    let merged = boardcast(&["pgn", "merge", "sent.pgn", "spelled.pgn"], folder.path(), b"");
    assert_eq!(text(&merged.stdout), text(&sorted.stdout));
}

#[test]
fn reduced_games_have_seven_tags_and_moves() {
    let folder = folder();
    let game = b"[WhiteElo \"2000\"]\n[SetUp \"1\"]\n[FEN \"8/8/4k3/8/8/3K4/3P4/8 b - - 3 61\"]\n\n61... Kd5 $1 (61... Kd6) {good} *";
    let reduced = boardcast(&["pgn", "reduce", "-o", "out.pgn"], folder.path(), game);
    assert_eq!(reduced.status.code(), Some(0));
    let written = fs::read_to_string(folder.path().join("out.pgn")).expect("the file is there");
    assert!(
        written.ends_with("[FEN \"8/8/4k3/8/8/3K4/3P4/8 b - - 3 61\"]\n[SetUp \"1\"]\n\n61... Kd5 *\n\n"),
        "{written}"
    );
    assert!(!written.contains("WhiteElo"));
    let again = boardcast(&["pgn", "reduce", "-o", "out.pgn"], folder.path(), game);
    assert_eq!(again.status.code(), Some(1), "a file that is there is not touched");
    assert!(
        text(&again.stderr).starts_with("boardcast: out.pgn cannot be created; name a new file"),
        "{}",
        text(&again.stderr)
    );
}

#[test]
fn games_are_divided_among_files() {
    let folder = folder();
    for (by, names) in [
        (&["--by", "day"][..], &["20261121.pgn", "20261122.pgn"][..]),
        (&["--by", "round"], &["round-1.pgn", "round-2.pgn"]),
        (&["--by", "event"], &["City Open.pgn"]),
        (&["--by", "player"], &["Adler.pgn", "Brand.pgn", "Müller.pgn", "Young.pgn"]),
        (&["--games", "2"], &["part-1.pgn", "part-2.pgn"]),
    ] {
        let inside = folder.path().join(by.concat());
        let arguments = [&["pgn", "split", "sent.pgn", "--folder", inside.to_str().expect("UTF-8")][..], by].concat();
        let divided = boardcast(&arguments, folder.path(), b"");
        assert_eq!(divided.status.code(), Some(1), "the game with an illegal move is left out");
        assert_eq!(text(&divided.stderr).lines().count(), 1);
        let found: Vec<String> = files(&inside).into_iter().map(|(name, _)| name).collect();
        assert_eq!(found, names, "{by:?}");
        let again = boardcast(&arguments, folder.path(), b"");
        assert_eq!(again.status.code(), Some(1), "files that are there are not touched");
    }
    assert_eq!(boardcast(&["pgn", "split", "sent.pgn"], folder.path(), b"").status.code(), Some(2), "by what?");
}

#[test]
fn an_archive_has_the_tree_of_the_standard() {
    let folder = folder();
    let exported = boardcast(&["export", "--format", "archive", "archive", "sent.pgn"], folder.path(), b"");
    assert_eq!(exported.status.code(), Some(1), "one game is damaged, everything else is done");
    let files = files(&folder.path().join("archive"));
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "Events/City Open.pgn",
            "Events/ReadMe",
            "MGR/2026/202611/20261121.pgn",
            "MGR/2026/202611/20261122.pgn",
            "MGR/2026/ReadMe",
            "MGR/ReadMe",
            "Players/Adler.pgn",
            "Players/BRAND.pgn",
            "Players/Müller.pgn",
            "Players/ReadMe",
            "Players/Young.pgn",
            "ReadMe",
        ]
    );
    let games = |file: &str| {
        let text = files.iter().find(|(name, _)| name == file).map(|(_, text)| text.as_str()).unwrap_or_default();
        text.matches("[Round \"").count()
    };
    assert_eq!(games("Events/City Open.pgn"), 3);
    assert_eq!(games("Players/BRAND.pgn"), 2, "one player, however the name is written");
    assert_eq!(games("MGR/2026/202611/20261121.pgn"), 2);
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_done() {
    let folder = folder();
    let counted = boardcast(&["pgn", "check", "missing.pgn", ".", "-"], folder.path(), b"1. e4 *");
    assert_eq!(counted.status.code(), Some(1));
    assert_eq!(text(&counted.stdout), "1 sound, 0 with contradictions, 2 damaged\n");
    let told = text(&counted.stderr);
    assert!(told.starts_with("boardcast: missing.pgn cannot be read: "), "{told}");
    assert!(told.ends_with("boardcast: . cannot be read: it is a folder; name the PGN files in it\n"), "{told}");
}

#[test]
fn the_positions_of_games_are_a_fen_file_or_an_epd_file() {
    let folder = folder();
    let games = b"1. e4 c5 2. Nf3 *\n\n[Round \"2\"]\n\n1. Ke2 *\n\n[Round \"3\"]\n\n1. d4 1-0\n";
    let positions = |format: &str| boardcast(&["epd", "positions", "--format", format], folder.path(), games);
    let fen = positions("fen");
    // Those that the PGN standard prints (16.1.4), and those of the third game.
    assert_eq!(
        text(&fen.stdout),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
         rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n\
         rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2\n\
         rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\n\
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
         rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1\n"
    );
    assert_eq!(fen.status.code(), Some(1), "one game is against the rules");
    assert_eq!(
        text(&fen.stderr),
        "boardcast: standard input, game 2, move 1 (White), line 5, column 4: the move Ke2 is not legal in the position \
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; correct it or the moves before it\n"
    );
    let epd = text(&positions("epd").stdout);
    let records: Vec<&str> = epd.lines().collect();
    assert_eq!(records.len(), 6);
    assert!(records[1].ends_with(" fmvn 1; hmvc 0; id \"1.1\"; rc 1; sm c5;"), "{}", records[1]);
}
