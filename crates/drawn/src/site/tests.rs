//! What the files of a site hold, and which of them a move changes.

use std::collections::BTreeMap;

use game_core::event::Event;
use notation::pgn::Outcome;
use publish::bodies::{Bodies, Letters};
use publish::gate::{PublicView, RoundView, SectionView, View as _};
use publish::livechess;
use publish::selection::Selection;
use publish::standings::{RoundResults, Standings};
use publish::test_hall::{Hall, tags};

use super::{File, Site};
use crate::words::words;

const HOSTILE: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>";

/// All files of the section of a hall by path.
fn files(hall: &Hall) -> BTreeMap<String, String> {
    let section: SectionView<PublicView> = hall.public.section("hall").unwrap();
    let bodies = Bodies::new(hall.public.clone(), hall.clock);
    let rounds: Vec<_> = section.rounds().into_iter().filter(RoundView::is_known).collect();
    let results: Vec<_> = rounds.iter().map(|round| RoundResults::of(&section, round)).collect();
    let standings = Standings::new(&results, section.standings().as_ref());
    let site = Site::new(words("en"), section.info().unwrap(), &rounds, section.current_round());
    let site = site.with_standings(&standings);
    let mut files: Vec<File> = Site::parts().into();
    for round in &rounds {
        let games = livechess::games(&section, round);
        for game in &games {
            let body = bodies.get("hall", &Selection::Game(game.at.game.to_string()), Letters::Unicode).unwrap();
            files.extend(site.game(round, game, body.text()));
        }
        files.extend(site.round(round, &games, bytes::Bytes::new()));
    }
    files.extend(site.standings(&standings));
    files.push(site.index(&files));
    let text = |file: File| (file.path, String::from_utf8(file.bytes.to_vec()).unwrap());
    files.into_iter().map(text).collect()
}

fn changed(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<String> {
    after.iter().filter(|(path, text)| before.get(*path) != Some(*text)).map(|(path, _)| path.clone()).collect()
}

#[test]
fn a_move_changes_the_files_of_its_game_and_the_state_of_its_round() {
    let hall = Hall::open(0.0);
    hall.start_game("a", 1, 1, &[("White", "Adler, Ida"), ("WhiteTitle", "WGM")]);
    hall.start_game("b", 1, 2, &[("White", "Novák, Ivo")]);
    let before = files(&hall);
    for part in
        ["Adler, Ida", "<b>WGM</b>", "game/a.svg", "href=\"game/b.html\"", "round-1-results.html", "round-1.pgn"]
    {
        assert!(before["index.html"].contains(part), "{part}");
    }
    hall.play("a", 1);
    let moved = files(&hall);
    assert_eq!(changed(&before, &moved), ["game/a.html", "game/a.pgn", "game/a.svg", "round-1.json"]);
    assert!(moved["game/a.html"].contains("data-uci=\"g1f3\">Nf3<"), "{}", moved["game/a.html"]);
    assert!(moved["round-1.json"].contains("1. Nf3"));
    hall.happen("a", Event::Result { result: Outcome::WhiteWins, reason: "resignation".into() });
    let over = files(&hall);
    assert!(over["round-1-results.html"].contains("1–0") && over["index.html"].contains("1–0"));
    assert!(!over["game/a.html"].contains("http-equiv=\"refresh\""), "a page of a game that is over stays as it is");
    assert!(over["round-1.html"].contains("http-equiv=\"refresh\""));
    // The first result brings the standings, and a link to them on the pages of rounds.
    assert!(!moved.contains_key("standings.html") && over["round-1.html"].contains("href=\"standings.html\""));
    let standings = &over["standings.html"];
    assert!(standings.contains("Adler, Ida") && standings.contains("href=\"game/a.html\""), "{standings}");
    assert!(standings.contains("Byes are not included"));
    // Signs of letters would be dark for White on light ground, and light for Black on dark ground.
    assert!(standings.contains("<span class=\"mark white\"></span>") && !standings.contains('◻'), "{standings}");
    assert!(over["standings.csv"].contains("1,WGM,\"Adler, Ida\",,,,,1,1"), "{}", over["standings.csv"]);
    hall.play("b", 1);
    assert_eq!(files(&hall)["standings.html"], *standings, "a move changes no standings");
}

#[test]
fn hostile_text_stays_text() {
    let hall = Hall::open(0.0);
    hall.start_game("a\"><script>", 1, 1, &[("White", "x")]);
    let long = "ж".repeat(200);
    let known =
        [("White", HOSTILE), ("WhiteTitle", HOSTILE), ("WhiteElo", HOSTILE), ("Black", &long), ("Site", HOSTILE)];
    hall.happen("a\"><script>", tags(&known));
    hall.play("a\"><script>", 2);
    let files = files(&hall);
    for (path, text) in &files {
        let harmless = path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte));
        assert!(harmless && !path.contains(".."), "{path}");
        if !matches!(path.rsplit('.').next(), Some("html" | "svg")) {
            continue;
        }
        assert!(!text.contains("<script>") && !text.contains("<img src=x"), "{path}: {text}");
        assert!(!text.contains(&long), "{path}");
    }
    assert!(files["index.html"].contains("&lt;script&gt;"));
}

#[test]
fn there_are_pages_for_no_board_and_for_three_hundred() {
    let hall = Hall::open(0.0);
    let none = files(&hall);
    assert_eq!(none.keys().map(String::as_str).collect::<Vec<_>>(), ["index.html", "site.css", "site.js"]);
    assert!(none["index.html"].contains("No games yet."));
    for table in 1..=300 {
        hall.start_game(&format!("g{table}"), 1, table, &[("White", "Adler, Ida"), ("Black", "Novák, Ivo")]);
    }
    let many = files(&hall);
    assert_eq!(many["index.html"].matches("class=\"tile\"").count(), 300);
    assert_eq!(many.len(), 3 + 4 + 300 * 3);
    // What a move costs on the line: three small files and the state of the round.
    let size = |path: &str| many[path].len();
    assert!(size("game/g1.svg") + size("game/g1.html") + size("game/g1.pgn") < 20_000);
    assert!(size("round-1.json") < 60_000, "{}", size("round-1.json"));
}

#[test]
fn links_lead_to_files_that_are_there() {
    let hall = Hall::open(0.0);
    hall.start_game("a", 1, 1, &[]);
    hall.start_game("b", 2, 1, &[]);
    let files = files(&hall);
    for (path, text) in files.iter().filter(|(path, _)| path.rsplit('.').next() == Some("html")) {
        let folder = path.rsplit_once('/').map(|(folder, _)| folder);
        let links = ["href=\"", "src=\""].into_iter().flat_map(|name| text.split(name).skip(1));
        for link in links.filter_map(|rest| rest.split('"').next()).filter(|link| !link.starts_with("data:")) {
            let target = match (link.strip_prefix("../"), folder) {
                (Some(rest), Some(_)) => rest.to_owned(),
                (None, Some(folder)) => format!("{folder}/{link}"),
                _ => link.to_owned(),
            };
            assert!(files.contains_key(&target), "{path} links to {link}");
        }
    }
}
