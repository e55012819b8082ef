//! A disk that is full for a while: games go on, nothing is told that is not durable, and then all of it.

use std::fs::File;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::hall::{furnish, lines, told_lines};
use crate::process::{Daemon, PATIENCE, Recipe, boardcast, in_time, wait_for};

const BOARDS: usize = 2;

/// Lets no file of a process grow beyond so many bytes; false when this system has no such tool.
fn limit_files(process: u32, bytes: &str) -> bool {
    let limit = Command::new("prlimit").arg(format!("--pid={process}")).arg(format!("--fsize={bytes}:")).status();
    limit.is_ok_and(|status| status.success())
}

/// A small disk of its own, until dropped.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts it on a new folder; none where that is not permitted.
    fn mount(at: PathBuf, options: &str) -> Option<Self> {
        std::fs::create_dir_all(&at).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "boardcast-test"]).arg(&at).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success()).then_some(Self(at))
    }

    fn filler(&self) -> PathBuf {
        self.0.join("somebody else's file")
    }

    /// Leaves no byte free.
    fn fill(&self) {
        let mut file = File::create(self.filler()).unwrap();
        for piece in [1 << 20, 1 << 12, 1] {
            while file.write_all(&vec![0; piece]).is_ok() {}
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

/// Two games are played while the disk is `full` for a while; it says whether it could be.
fn play_on_a_full_disk(folder: &Path, command: Command, full: impl Fn(&Daemon, bool) -> bool) {
    let mut hall = furnish(folder, BOARDS, 3);
    let recipe = Recipe::new(folder);
    let mut command = command;
    command.stderr(Stdio::piped());
    let mut daemon = recipe.start_as(command);
    let mut log = BufReader::new(daemon.0.stderr.take().unwrap()).lines();
    recipe.wait_until_ready();
    hall.start();
    wait_for("both games are told", || told_lines(&recipe).values().filter(|line| line.len() >= 2).count() == BOARDS);

    if !full(&daemon, true) {
        println!("skipped: this system cannot limit a disk");
        return;
    }
    assert!(
        log.any(|line| line.unwrap().contains("the journal cannot be written: games go on in memory")),
        "no alarm was raised"
    );
    std::thread::spawn(move || log.for_each(drop));
    wait_for("health is not ok", || recipe.get("/health").is_none());
    wait_for("missing captures are an alarm", || {
        recipe.get("/metrics").is_some_and(|metrics| metrics.contains("boardcast_alarms{kind=\"captures_failing\"} 1"))
    });
    let told = told_lines(&recipe);
    let plies = |hall: &board_sim::Hall| hall.boards().iter().map(|board| board.plies).collect::<Vec<_>>();
    let before = plies(&hall);
    let played_on = |hall: &board_sim::Hall| plies(hall).iter().zip(&before).all(|(now, before)| *now >= before + 4);
    assert!(hall.wait_until(PATIENCE, played_on), "play does not go on");
    assert_eq!(told_lines(&recipe), told, "moves were told that are not durable");

    assert!(full(&daemon, false));
    assert!(hall.wait_until_done(PATIENCE), "the hall does not come to an end");
    let played = lines(&hall.played());
    in_time(|| told_lines(&recipe) == played);
    assert_eq!(told_lines(&recipe), played);
    wait_for("health is ok again", || recipe.get("/health").is_some());
    hall.stop();
}

#[test]
fn while_no_file_can_grow_the_games_go_on_and_are_told_once_they_are_durable() {
    let folder = tempfile::tempdir().unwrap();
    // A write beyond the limit shall fail as on a full disk, not end the process.
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_boardcast")]);
    play_on_a_full_disk(folder.path(), shell, |daemon, full| {
        limit_files(daemon.0.id(), if full { "1" } else { "unlimited" })
    });
}

#[test]
fn on_a_small_disk_that_somebody_fills_the_moves_still_have_room() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(folder.path().join("data"), "size=24m") else {
        println!("skipped: nothing can be mounted here");
        return;
    };
    let mut hall = furnish(folder.path(), BOARDS, 3);
    let recipe = Recipe::new(folder.path());
    let _daemon = recipe.start();
    hall.start();
    let told = || told_lines(&recipe).values().map(Vec::len).sum::<usize>();
    wait_for("both games are told", || told_lines(&recipe).values().filter(|line| line.len() >= 2).count() == BOARDS);
    disk.fill();
    let before = told();
    wait_for("moves are told that went into the room of the journal's log", || told() >= before + 8);
    std::fs::remove_file(disk.filler()).unwrap();
    assert!(hall.wait_until_done(PATIENCE), "the hall does not come to an end");
    let played = lines(&hall.played());
    in_time(|| told_lines(&recipe) == played);
    assert_eq!(told_lines(&recipe), played);
    hall.stop();
}

#[test]
fn little_space_is_said_in_the_log_too_for_who_starts_the_daemon_in_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(folder.path().join("data"), "size=1m") else {
        println!("skipped: nothing can be mounted here");
        return;
    };
    let log = folder.path().join("log");
    let daemon = boardcast()
        .args(["run", "--listen", "127.0.0.1:0", "--data"])
        .arg(&disk.0)
        .env("RUST_LOG", "warn")
        .stdout(Stdio::null())
        .stderr(File::create(&log).unwrap())
        .spawn()
        .unwrap();
    let _daemon = Daemon(daemon);
    let said = "The disk with the data folder has less than 100 MB left: remove files from it.";
    wait_for("the log says it", || std::fs::read_to_string(&log).unwrap().contains(said));
}

#[test]
fn a_disk_on_which_no_daemon_can_start_is_found_by_a_check() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(folder.path().join("disk"), "size=1m") else {
        println!("skipped: nothing can be mounted here");
        return;
    };
    let data = disk.0.join("data");
    let check = || {
        let mut check = boardcast();
        let output = check.args(["check", "--listen", "127.0.0.1:0", "--data"]).arg(&data).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(check().0, Some(0), "there is room");
    disk.fill();
    for is_made in [false, true] {
        let (code, said) = check();
        assert!(
            code == Some(1) && said.contains("is full: make room on it"),
            "a folder that is there: {is_made}: {said}"
        );
        std::fs::remove_file(disk.filler()).unwrap();
        std::fs::create_dir_all(&data).unwrap();
        disk.fill();
    }
}

#[test]
fn a_disk_that_can_only_be_read_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(folder.path().join("data"), "ro,size=1m") else {
        println!("skipped: nothing can be mounted here");
        return;
    };
    let refused = boardcast().args(["run", "--listen", "127.0.0.1:0", "--data"]).arg(&disk.0).output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot be used: check its permissions and the space on its disk"), "{said}");
}

#[test]
fn a_data_folder_that_is_removed_is_told_within_ten_seconds() {
    let folder = tempfile::tempdir().unwrap();
    let recipe = Recipe::new(folder.path());
    std::fs::write(&recipe.pairings, "[White \"Adams\"]\n[Black \"Baker\"]\n\n*\n").unwrap();
    let _daemon = recipe.start();
    recipe.wait_until_ready();
    let aside = folder.path().join("aside");
    std::fs::rename(&recipe.data, &aside).unwrap();
    let gone = Instant::now();
    wait_for("the health tells it", || recipe.get("/health").is_none());
    assert!(gone.elapsed() < Duration::from_secs(10), "{:?}", gone.elapsed());
    // The daemon may have made its folder of pairings again.
    wait_for("the folder is put back", || {
        _ = std::fs::remove_dir_all(&recipe.data);
        std::fs::rename(&aside, &recipe.data).is_ok()
    });
    wait_for("the health tells that it is back", || recipe.get("/health").is_some());
}

#[test]
fn while_the_data_folder_is_gone_nothing_new_is_told_and_all_of_it_once_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut hall = furnish(folder.path(), BOARDS, 4);
    let recipe = Recipe::new(folder.path());
    let _daemon = recipe.start();
    recipe.wait_until_ready();
    hall.start();
    wait_for("both games are told", || told_lines(&recipe).values().filter(|line| line.len() >= 2).count() == BOARDS);

    let aside = folder.path().join("aside");
    std::fs::rename(&recipe.data, &aside).unwrap();
    wait_for("the health tells it", || recipe.get("/health").is_none());
    let told = told_lines(&recipe);
    let plies = |hall: &board_sim::Hall| hall.boards().iter().map(|board| board.plies).collect::<Vec<_>>();
    let before = plies(&hall);
    let played_on = |hall: &board_sim::Hall| plies(hall).iter().zip(&before).all(|(now, before)| *now >= before + 4);
    assert!(hall.wait_until(PATIENCE, played_on), "play does not go on");
    assert_eq!(told_lines(&recipe), told, "moves were told that are in a removed file");

    wait_for("the folder is put back", || {
        _ = std::fs::remove_dir_all(&recipe.data);
        std::fs::rename(&aside, &recipe.data).is_ok()
    });
    assert!(hall.wait_until_done(PATIENCE), "the hall does not come to an end");
    let played = lines(&hall.played());
    in_time(|| told_lines(&recipe) == played);
    assert_eq!(told_lines(&recipe), played);
    hall.stop();
}

#[test]
fn a_disk_that_becomes_read_only_is_seen_before_anything_is_written_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(folder.path().join("data"), "size=4m") else {
        println!("skipped: nothing can be mounted here");
        return;
    };
    drop(journal::DataFolder::take(&disk.0).unwrap());
    let remount = |how: &str| {
        let mounted = Command::new("mount").args(["-o", how]).arg(&disk.0).status();
        assert!(mounted.is_ok_and(|status| status.success()), "{how}");
    };
    assert!(!journal::DataFolder::is_read_only(&disk.0));
    remount("remount,ro");
    assert!(journal::DataFolder::is_read_only(&disk.0));
    remount("remount,rw");
    assert!(!journal::DataFolder::is_read_only(&disk.0));
}
