//! The support bundle of a running daemon: complete, and without what must not leave the machine.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use crate::daemon::{Process, command, free_address, get, wait_for};

#[test]
fn a_bundle_has_what_a_report_needs_and_no_secret_and_no_name() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let address = free_address();
    let _daemon = Process(command(&data, address).env("RUST_LOG", "info").stderr(Stdio::null()).spawn().unwrap());
    wait_for("the daemon answers", || get(address, "/health").filter(|(status, _)| *status == 200));
    let boardcast = || Command::new(env!("CARGO_BIN_EXE_boardcast"));
    let mut add = boardcast();
    add.args(["user", "add", "Zwieback", "--role", "administrator", "--data"]).arg(&data).stdin(Stdio::piped());
    let mut added = add.spawn().unwrap();
    added.stdin.take().unwrap().write_all(b"four words are good\n").unwrap();
    assert!(added.wait().unwrap().success());
    std::fs::write(data.join("sources.json"), r#"[{"name":"a","url":"https://example.org/token-of-the-hook"}]"#)
        .unwrap();
    let settings = folder.path().join("hall.toml");
    let text = format!(
        "data = {data:?}\nalarm_hook = \"https://example.org/token-of-the-hook\"\n[event]\nname = \"Memorial of Zwieback\"\n"
    );
    std::fs::write(&settings, text).unwrap();
    let captures = data.join("captures/12345");
    std::fs::create_dir_all(&captures).unwrap();
    let capture = "# boardcast-capture 1\n# started: 2026-01-01T10:00:00Z\n12 < 8e000503\n13 ! {\"resume\":{}}\n";
    std::fs::write(captures.join("2026-01-01.capture"), capture).unwrap();

    let bundle = folder.path().join("report.tar.gz");
    let made = boardcast().arg("support-bundle").arg(&bundle).arg("--config").arg(&settings).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(std::fs::File::open(&bundle).unwrap()));
    let mut files = BTreeMap::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let name = entry.path().unwrap().display().to_string();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        files.insert(name, text);
    }
    let of =
        |name: &str| files.get(&format!("boardcast-support/{name}")).unwrap_or_else(|| panic!("{name}: {files:?}"));
    assert!(of("about.txt").starts_with("boardcast "));
    assert!(of("settings.toml").contains("alarm_hook = \"(set)\""));
    assert!(of("check.txt").contains("0 games"));
    assert!(of("metrics.txt").contains("boardcast_live 1"), "{}", of("metrics.txt"));
    assert!(of("health.txt").starts_with("ok"));
    assert!(!of("log.txt").is_empty());
    let recent = of("recent-log.txt");
    assert!(recent.contains(" INFO serving ") || recent.contains(" info serving "), "{recent}");
    assert!(of("sources.json").contains("\"url\": \"(set)\""), "{}", of("sources.json"));
    assert!(of("captures/12345/2026-01-01.capture").contains("12 < 8e000503\n"));
    for secret in ["token-of-the-hook", "Zwieback"] {
        assert!(files.values().all(|text| !text.contains(secret)), "{secret} is in the bundle");
    }

    let again = boardcast().arg("support-bundle").arg(&bundle).arg("--config").arg(&settings).output().unwrap();
    assert_eq!(again.status.code(), Some(1), "an earlier report is not overwritten");
    let said = |output: std::process::Output| String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said(again).contains("name a file that is not there yet"));
    assert!(std::fs::metadata(&bundle).unwrap().len() > 100);

    // Another folder by mistake: the next attempt has its place.
    let none = folder.path().join("none.tar.gz");
    let refused =
        boardcast().arg("support-bundle").arg(&none).arg("--data").arg(folder.path().join("x")).output().unwrap();
    assert!(said(refused).contains("holds no journal") && !none.exists());
}
