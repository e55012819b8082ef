//! A scrape of a hall with troubles: complete, in the format of Prometheus, and for this machine only.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use board_sim::{Faults, HallOptions};

use crate::daemon::{Daemon, PATIENCE};

/// What an address answers to this name and these header lines, as head and body.
fn ask(address: SocketAddr, path: &str, headers: &str) -> (String, String) {
    let mut socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(socket, "GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

/// The value of a metric by its name with labels.
fn value(text: &str, name: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

fn skipped(sentence: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {sentence}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scrape_is_complete_during_a_chaotic_hall() {
    let options = HallOptions { boards: 6, speed: 40.0, faults: Faults::Many, ..HallOptions::default() };
    let daemon = Daemon::start(options).await;
    let local = format!("Host: {}\r\n", daemon.address);
    let boards: BTreeSet<_> = daemon.hall.schedule().iter().map(|board| board.serial.clone()).collect();
    let deadline = Instant::now() + PATIENCE;
    let text = loop {
        let (head, text) = ask(daemon.address, "/metrics", &local);
        assert!(head.starts_with("HTTP/1.1 200") && head.contains("application/openmetrics-text"), "{head}");
        let all = boards.iter().all(|board| {
            let value = |name: &str| value(&text, &format!("{name}{{board=\"{board}\"}}"));
            value("boardcast_board_received_bytes_total") > Some(0.0)
                && value("boardcast_board_moves_total") > Some(2.0)
                && value("boardcast_board_dumps_total") > Some(0.0)
                && value("boardcast_board_silence_seconds").is_some()
                && value("boardcast_board_unexplained_seconds_total").is_some()
                && value("boardcast_board_connected").is_some()
        });
        let damaged =
            text.lines().any(|line| line.starts_with("boardcast_board_resyncs_total") && !line.ends_with(" 0"));
        let lost = text.lines().any(|line| line.starts_with("boardcast_board_losses_total") && !line.ends_with(" 0"));
        if all && damaged && lost && value(&text, "boardcast_move_public_seconds_count") > Some(5.0) {
            break text;
        }
        assert!(Instant::now() < deadline, "the scrape stays incomplete: {text}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    for name in ["boardcast_live", "boardcast_build{version=\"0.1.0\"}"] {
        assert_eq!(value(&text, name), Some(1.0), "{name}");
    }
    for name in
        ["boardcast_journal_backlog", "boardcast_journal_size_bytes", "boardcast_disk_free_bytes", "boardcast_sockets"]
    {
        assert!(value(&text, name).is_some(), "{name} is missing: {text}");
    }
    assert!(text.ends_with("# EOF\n"));
    check_with_promtool(&text);
    only_for_this_machine(daemon.address);
    names_in_the_dashboard_exist(&text);
    every_metric_has_a_panel(&text);
    every_alert_is_explained();
    daemon.stop().await;
}

/// Neither a name of another machine nor a forwarded request is taken for this machine.
fn only_for_this_machine(address: SocketAddr) {
    for headers in [
        "Host: evil.example\r\n".to_owned(),
        format!("Host: {address}\r\nX-Forwarded-For: 192.0.2.1\r\n"),
        format!("Host: {address}\r\nForwarded: for=192.0.2.1\r\n"),
        format!("Host: {address}\r\nVia: 1.1 proxy\r\n"),
    ] {
        let (head, body) = ask(address, "/metrics", &headers);
        assert!(head.starts_with("HTTP/1.1 403"), "{headers}: {head}");
        assert!(!body.contains("boardcast_"), "{body}");
        let (_, health) = ask(address, "/health", &headers);
        assert_eq!(health.lines().count(), 1, "the reasons are not public: {health}");
    }
}

fn check_with_promtool(text: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("monitoring");
    if Command::new("promtool").arg("--version").output().is_err() {
        return skipped("metrics and alert rules: promtool is not here (Debian package prometheus)");
    }
    // promtool reads the older text format: there a counter is called with its suffix in the comments, too.
    let counters: BTreeSet<_> =
        text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.strip_suffix(" counter")).collect();
    let older: String = text
        .lines()
        .filter(|line| !line.starts_with("# UNIT") && *line != "# EOF")
        .map(|line| match line.split(' ').collect::<Vec<_>>()[..] {
            ["#", what @ ("TYPE" | "HELP"), name, ref rest @ ..] if counters.contains(name) => {
                format!("# {what} {name}_total {}\n", rest.join(" "))
            }
            _ => format!("{line}\n"),
        })
        .collect();
    let mut promtool = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    promtool.stdin.take().unwrap().write_all(older.as_bytes()).unwrap();
    let checked = promtool.wait_with_output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    for arguments in [
        &["check", "rules", "boardcast.rules.yml"][..],
        &["test", "rules", "rules.test.yml"],
        &["check", "config", "prometheus.yml"],
    ] {
        let checked = Command::new("promtool").args(arguments).current_dir(&folder).output().unwrap();
        let said = String::from_utf8_lossy(&[checked.stdout, checked.stderr].concat()).into_owned();
        assert!(checked.status.success(), "{said}");
    }
}

/// Every metric of the daemon is in a panel of the dashboard.
fn every_metric_has_a_panel(text: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("monitoring");
    let dashboard: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("grafana.json")).unwrap()).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let shown: Vec<_> = panels
        .flat_map(|panel| panel["targets"].as_array().unwrap())
        .map(|target| target["expr"].as_str().unwrap())
        .collect();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for family in text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()) {
        let names = [family.to_owned(), format!("{family}_total"), format!("{family}_bucket")];
        let is_shown =
            shown.iter().any(|asked| asked.split(|c| !is_word(c)).any(|word| names.iter().any(|n| n == word)));
        assert!(is_shown, "no panel of grafana.json shows {family}");
    }
}

/// The documents say of every alert what to do.
fn every_alert_is_explained() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rules = std::fs::read_to_string(root.join("monitoring/boardcast.rules.yml")).unwrap();
    let explained = std::fs::read_to_string(root.join("docs/operating.md")).unwrap();
    let alerts: Vec<_> = rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert!(alerts.len() > 10);
    for alert in alerts {
        assert!(explained.contains(&format!("`{alert}`")), "docs/operating.md does not explain {alert}");
    }
}

/// Every metric that the dashboard and the alert rules name is one that the daemon has.
fn names_in_the_dashboard_exist(text: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("monitoring");
    for file in ["grafana.json", "boardcast.rules.yml"] {
        let asking = std::fs::read_to_string(folder.join(file)).unwrap();
        let mut names = BTreeSet::new();
        for (at, _) in asking.match_indices("boardcast_") {
            let name: String = asking[at..].chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
            names.insert(name);
        }
        assert!(names.len() > 5, "{file}");
        for name in names {
            let family = name.strip_suffix("_bucket").unwrap_or(&name);
            let family = family.strip_suffix("_total").unwrap_or(family);
            assert!(text.contains(&format!("# TYPE {family} ")), "{file} names {name}, which the daemon does not have");
        }
    }
}
