//! A disk that is full for a while: games go on, nothing is told that is not durable, and then all of it.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::hall::{furnish, lines, told_lines};
use crate::process::{PATIENCE, Recipe, in_time, wait_for};

const BOARDS: usize = 2;

/// Lets no file of a process grow beyond so many bytes; false when this system has no such tool.
fn limit_files(process: u32, bytes: &str) -> bool {
    let limit = Command::new("prlimit").arg(format!("--pid={process}")).arg(format!("--fsize={bytes}:")).status();
    limit.is_ok_and(|status| status.success())
}

#[test]
fn on_a_full_disk_the_games_go_on_and_are_told_once_they_are_durable() {
    let folder = tempfile::tempdir().unwrap();
    let mut hall = furnish(folder.path(), BOARDS, 3);
    let recipe = Recipe::new(folder.path());
    // A write beyond the limit shall fail as on a full disk, not end the process.
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_boardcast")]).stderr(Stdio::piped());
    let mut daemon = recipe.start_as(shell);
    let mut log = BufReader::new(daemon.0.stderr.take().unwrap()).lines();
    recipe.wait_until_ready();
    hall.start();
    wait_for("both games are told", || told_lines(&recipe).values().filter(|line| line.len() >= 2).count() == BOARDS);

    if !limit_files(daemon.0.id(), "1") {
        println!("skipped: prlimit is not here");
        return;
    }
    assert!(
        log.any(|line| line.unwrap().contains("the journal cannot be written: games go on in memory")),
        "no alarm was raised"
    );
    std::thread::spawn(move || log.for_each(drop));
    let told = told_lines(&recipe);
    let plies = |hall: &board_sim::Hall| hall.boards().iter().map(|board| board.plies).collect::<Vec<_>>();
    let before = plies(&hall);
    let played_on = |hall: &board_sim::Hall| plies(hall).iter().zip(&before).all(|(now, before)| *now >= before + 4);
    assert!(hall.wait_until(PATIENCE, played_on), "play does not go on");
    assert_eq!(told_lines(&recipe), told, "moves were told that are not durable");

    assert!(limit_files(daemon.0.id(), "unlimited"));
    assert!(hall.wait_until_done(PATIENCE), "the hall does not come to an end");
    let played = lines(&hall.played());
    in_time(|| told_lines(&recipe) == played);
    assert_eq!(told_lines(&recipe), played);
    hall.stop();
}
