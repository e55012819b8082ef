//! What the documents say: links lead somewhere, addresses are answered, every alarm is explained.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use board_sim::HallOptions;
use game_core::alarm::AlarmKind;
use serde_json::Value;
use strum::VariantArray;

use crate::daemon::{Daemon, PATIENCE};

/// Documents about other programs and about earlier versions, whose addresses need not exist.
const OF_OTHERS: [&str; 2] = ["consumers.md", "CHANGELOG.md"];

/// The descriptions themselves, and the dashboard's feed, which is no interface for other programs.
const UNDESCRIBED: [&str; 4] =
    ["/api/v1/openapi.json", "/api/v1/asyncapi.yaml", "/api/v1/admin/live", "/api/v1/admin/sources/{name}/socket"];

/// Addresses that a program without pages does not have.
const PAGES: [&str; 5] = ["/admin", "/embed", "/game/", "/overlay/", "/screen"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every document with its text.
fn documents() -> Vec<(PathBuf, String)> {
    let kept = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let others = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "web/THIRD-PARTY.md", "fuzz/README.md"];
    let paths = kept.filter(|path| path.extension().is_some_and(|kind| kind == "md"));
    let paths = paths.chain(others.map(|name| root().join(name)));
    paths.map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

/// The text without its blocks of code.
fn prose(text: &str) -> String {
    let mut in_block = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if !in_block {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    prose
}

/// Code within the sentences.
fn code(text: &str) -> Vec<String> {
    prose(text).split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Names of the headings, as sites that show Markdown make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let heading = |line: &str| {
        let title = line.strip_prefix('#')?.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter));
        Some(kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect())
    };
    prose(text).lines().filter_map(heading).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut followed = 0;
    for (path, text) in documents() {
        for link in prose(&text).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link} leads to no file", path.display());
            if let Some(anchor) = anchor {
                let there = anchors(&std::fs::read_to_string(&target).unwrap());
                assert!(there.contains(anchor), "{}: {link} leads to no heading", path.display());
            }
            followed += 1;
        }
    }
    assert!(followed > 60, "only {followed} links were found");
}

#[test]
fn every_file_of_the_project_that_is_named_is_there() {
    // Each of the others names files of other projects, or of earlier versions.
    let of_others = ["consumers.md", "protocol.md", "board-behaviour.md", "CHANGELOG.md"];
    let folders = [
        "benches",
        "board-sim",
        "crates",
        "debian",
        "docs",
        "fuzz",
        "monitoring",
        "scripts",
        "src",
        "systemd",
        "tests",
        "web",
    ];
    let mut named = 0;
    for (document, text) in documents() {
        if of_others.iter().any(|name| document.ends_with(name)) {
            continue;
        }
        for path in code(&text) {
            let is_path = path.split_once('/').is_some_and(|(folder, _)| folders.contains(&folder));
            if is_path && !path.contains([' ', '*', '{']) {
                assert!(root().join(&path).exists(), "{}: {path} is not there", document.display());
                named += 1;
            }
        }
    }
    assert!(named > 40, "only {named} files were found");
}

#[test]
fn every_alarm_of_the_dashboard_is_explained() {
    let words = std::fs::read_to_string(root().join("web/src/admin/languages/en.json")).unwrap();
    let words: Value = serde_json::from_str(&words).unwrap();
    let explained = std::fs::read_to_string(root().join("docs/alarms.md")).unwrap();
    for kind in AlarmKind::VARIANTS {
        let kind = serde_json::to_value(kind).unwrap();
        let kind = kind.as_str().unwrap();
        let name = words[format!("alarm.{kind}")].as_str().unwrap_or_else(|| panic!("{kind} has no name"));
        assert!(explained.contains(&format!("\n| {name} |")), "docs/alarms.md does not explain «{name}»");
    }
    // Two tables, each with a head of two lines.
    let rows = explained.matches("\n| ").count();
    assert_eq!(rows, AlarmKind::VARIANTS.len() + 4, "docs/alarms.md explains an alarm that does not exist");
}

/// Whether a path of the description of the API is this one.
fn is_described(described: &Value, method: &str, path: &str) -> bool {
    let matches = |known: &str| {
        let same = |(known, wanted): (&str, &str)| known == wanted || known.starts_with('{');
        known.split('/').count() == path.split('/').count() && known.split('/').zip(path.split('/')).all(same)
    };
    let method = method.to_lowercase();
    let paths = described["paths"].as_object().unwrap();
    paths.iter().any(|(known, item)| matches(known) && (method.is_empty() || item[&method].is_object()))
}

#[test]
fn every_address_of_the_interface_for_programs_is_described() {
    let described = std::fs::read_to_string(root().join("docs/openapi.json")).unwrap();
    let described: Value = serde_json::from_str(&described).unwrap();
    let mut checked = 0;
    for (document, text) in documents() {
        if OF_OTHERS.iter().any(|name| document.ends_with(name)) {
            continue;
        }
        for code in code(&text) {
            let words: Vec<_> = code.split_whitespace().collect();
            let (method, path) = match words[..] {
                [method @ ("GET" | "POST" | "PUT" | "DELETE"), path] => (method, path),
                [path] if path.starts_with("/api/") => ("", path),
                _ => continue,
            };
            let path = path.split('?').next().unwrap_or_default();
            let path = path.strip_prefix("...").map_or(path.to_owned(), |rest| format!("/api/v1/admin{rest}"));
            if path.starts_with("/api/v1/") && !path.contains("...") && !UNDESCRIBED.contains(&&*path) {
                assert!(is_described(&described, method, &path), "{}: {code}", document.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 25, "only {checked} addresses were found");
}

/// An address of a document as the rehearsed hall has it.
fn filled(address: &str) -> String {
    let names = [
        ("SLUG", "rehearsal"),
        ("SECTION", "rehearsal"),
        ("{event}", "rehearsal"),
        ("{section}", "rehearsal"),
        ("{game}", "rehearsal-1-1"),
        ("{id}", "rehearsal-1-1"),
        ("ID", "rehearsal-1-1"),
        ("{round}", "1"),
        ("{n}", "1"),
        ("round-N", "round-1"),
        ("/N", "/1"),
        ("game-K", "game-1"),
        ("boards-A-B", "boards-1-2"),
        ("WHO", "1"),
    ];
    names.iter().fold(address.to_owned(), |address, (name, value)| address.replace(name, value))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_public_address_is_answered() {
    let options = HallOptions { boards: 2, speed: 20.0, seed: 5, ..HallOptions::default() };
    let without_pages = std::env::var("BOARDCAST_WEB").is_ok_and(|wanted| wanted == "none");
    if without_pages {
        println!("skipped: addresses of pages, because the program was built without them");
    }
    let daemon = Daemon::start(options).await;
    assert!(daemon.hall.wait_until(PATIENCE, |hall| hall.boards().iter().all(|board| board.plies >= 2)));
    let deadline = Instant::now() + PATIENCE;
    while daemon.pgn(1, 1).is_none() {
        assert!(Instant::now() < deadline, "the first game is not public");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let sections: Value = serde_json::from_str(&daemon.get("/api/v1/sections").1).unwrap();
    let livechess = sections["sections"][0]["livechess_id"].as_str().unwrap().to_owned();
    // Folders of the machine, undelayed addresses that need a key, and the feed, which is a WebSocket.
    let elsewhere =
        ["/etc/", "/var/", "/run/", "/dev/", "/srv/", "/arbiter/", "/api/v1/admin", "/api/v1/live", "/metrics"];
    let mut asked = BTreeSet::new();
    for (document, text) in documents() {
        if OF_OTHERS.iter().any(|name| document.ends_with(name)) {
            continue;
        }
        for address in code(&text) {
            if without_pages && PAGES.iter().any(|page| address.starts_with(page)) {
                continue;
            }
            let is_address = address.starts_with('/') && !address.contains([' ', '*', '…', '<']);
            if !is_address || address.contains("...") || elsewhere.iter().any(|other| address.starts_with(other)) {
                continue;
            }
            // A visitor's report is posted; the others are the beginnings of addresses.
            if address.ends_with("/reports") || ["/embed/", "/ascii/", "/meta/{id}"].contains(&&*address) {
                continue;
            }
            let address = filled(
                &address.replace("{livechess_id}", &livechess).replace("/get/{id}", &format!("/get/{livechess}")),
            );
            if asked.insert(address.clone()) {
                // This daemon has no engine.
                let answer = if address.ends_with("/evaluations") { 404 } else { 200 };
                assert_eq!(daemon.status(&address), answer, "{}: {address}", document.display());
            }
        }
    }
    assert!(asked.len() > 15, "only these were found: {asked:?}");
    daemon.stop().await;
}
