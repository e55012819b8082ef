//! The units as systemd itself judges them.

use std::path::{Path, PathBuf};
use std::process::Command;

use journal::ReleaseKind;

use crate::daemon::{Process, command, free_address, wait_for};
use crate::skipped;

/// The highest exposure that `systemd-analyze security` may show, in tenths.
const MOST_EXPOSURE: &str = "12";

fn systemd(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("systemd").join(file)
}

fn analyze() -> Option<Command> {
    let there = Command::new("systemd-analyze").arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        skipped("units: systemd-analyze is not here (Debian package systemd)");
    }
    there.then(|| Command::new("systemd-analyze"))
}

#[test]
fn systemd_finds_nothing_wrong_with_the_units() {
    let Some(mut analyze) = analyze() else { return };
    // The program has to be there under the name in the unit.
    let folder = tempfile::tempdir().unwrap();
    let unit = std::fs::read_to_string(systemd("boardcast.service")).unwrap();
    let unit = unit.replace("/usr/bin/boardcast", env!("CARGO_BIN_EXE_boardcast"));
    for name in ["boardcast.service", "boardcast@.service"] {
        std::fs::write(folder.path().join(name), &unit).unwrap();
    }
    let others = ["boardcast.socket", "boardcast-https.socket", "boardcast-backup.service", "boardcast-backup.timer"];
    for name in others {
        std::fs::copy(systemd(name), folder.path().join(name)).unwrap();
    }
    let names: Vec<_> = ["boardcast.service", "boardcast@open.service"].into_iter().chain(others).collect();
    let verified = analyze.arg("verify").args(names.into_iter().map(|name| folder.path().join(name))).output().unwrap();
    let said = String::from_utf8_lossy(&verified.stderr);
    // Whatever it says about units of this machine is none of ours.
    let ours: Vec<_> = said.lines().filter(|line| line.contains("boardcast")).collect();
    assert!(verified.status.success() && ours.is_empty(), "{said}");
}

#[test]
fn the_unit_is_as_tight_as_the_work_allows() {
    let Some(mut analyze) = analyze() else { return };
    let arguments = ["security", "--offline=true", "--no-pager", "--threshold", MOST_EXPOSURE];
    let judged = analyze.args(arguments).arg(systemd("boardcast.service")).output().unwrap();
    let said = String::from_utf8_lossy(&judged.stdout);
    assert!(judged.status.success(), "{said}{}", String::from_utf8_lossy(&judged.stderr));
    assert!(said.contains("Overall exposure level"), "{said}");
}

#[test]
fn the_unit_says_which_boot_of_the_machine_it_is() {
    let unit = std::fs::read_to_string(systemd("boardcast.service")).unwrap();
    assert!(unit.contains("\nProcSubset=pid\n"), "the kernel's own name of the boot can be read");
    assert!(unit.contains("\nEnvironment=BOARDCAST_BOOT_ID=%b\n"));
    let data = tempfile::tempdir().unwrap();
    let address = free_address();
    let _daemon = Process(command(data.path(), address).env("BOARDCAST_BOOT_ID", "of-a-test").spawn().unwrap());
    let start = wait_for("the daemon has noted its start", || {
        let releases = journal::Reader::open_in(data.path()).ok()?.releases("public").ok()?;
        releases.into_iter().find_map(|release| match release.kind {
            ReleaseKind::Start { boot, .. } => Some(boot),
            ReleaseKind::Due => None,
        })
    });
    assert_eq!(&*start.unwrap().boot, "of-a-test");
}
