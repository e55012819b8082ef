//! A static site in a folder, at a web server and at a server for files.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use game_core::event::Event;
use publish::gate::Delay;
use publish::test_hall::Hall;

use super::Driven;
use super::stand_in::StandIn;
use crate::settings::{FolderTarget, SitePlace, SiteTarget, Target};
use crate::status::State;

fn site(path: &Path, language: &str) -> Target {
    let to = SitePlace::Folder(FolderTarget { path: path.to_owned() });
    Target::Site(SiteTarget { to, language: language.into() })
}

fn read(folder: &Path, path: &str) -> String {
    fs::read_to_string(folder.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn a_folder_holds_a_site_that_follows_the_games() {
    let (hall, data, place) = (Hall::open(0.0), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    hall.start_game("a", 1, 1, &[("White", "Müller, Jürgen")]);
    hall.start_game("b", 1, 2, &[("White", "Adler, Ida")]);
    let http: Arc<dyn crate::Http> = StandIn::default().http();
    let mut output = Driven::new(&hall, data.path(), &http, Delay::NONE, site(place.path(), "de"));
    output.pass(10_000);
    assert_eq!(output.status().state, State::UpToDate);
    let index = read(place.path(), "index.html");
    assert!(index.contains("Müller, Jürgen") && index.contains("Brett 2") && index.contains("lang=\"de\""), "{index}");
    let (other, page) = (place.path().join("game/b.svg"), place.path().join("index.html"));
    let written = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
    let before = (written(&other), written(&page));
    hall.play("a", 3);
    output.pass(10_000);
    assert!(read(place.path(), "game/a.html").contains("Ng1"));
    assert!(read(place.path(), "game/a.pgn").contains("2. Ng1"));
    assert_eq!((written(&other), written(&page)), before, "a move changes the files of its game and the state alone");
    // A game that is withdrawn leaves nothing behind.
    hall.record(vec![tournament::Fact::Withdrawn { game: "b".into(), withdrawn: true }], Vec::new());
    output.pass(10_000);
    let left: BTreeSet<_> =
        fs::read_dir(place.path().join("game")).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left, ["a.html", "a.pgn", "a.svg"].map(Into::into).into());
    assert!(!read(place.path(), "round-1.json").contains("\"b\""));
}

#[test]
fn the_delay_of_the_output_holds_for_every_file() {
    let (hall, data, place) = (Hall::open(0.0), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    hall.start_game("a", 1, 1, &[("White", "Müller, Jürgen")]);
    let http: Arc<dyn crate::Http> = StandIn::default().http();
    let mut output = Driven::new(&hall, data.path(), &http, Delay::Seconds(900), site(place.path(), "en"));
    let all = |folder: &Path| {
        let mut text = String::new();
        for below in ["", "game"] {
            let Ok(entries) = fs::read_dir(folder.join(below)) else { continue };
            let mut paths: Vec<_> = entries.map(|it| it.unwrap().path()).filter(|path| path.is_file()).collect();
            paths.sort();
            for path in paths {
                text.push_str(&format!("{}\n{}\n", path.display(), fs::read_to_string(&path).unwrap()));
            }
        }
        text
    };
    output.pass(10_000);
    let before = all(place.path());
    hall.play("a", 2);
    hall.happen("a", Event::Result { result: notation::pgn::Outcome::Draw, reason: String::new() });
    output.pass(60_000);
    assert_eq!(all(place.path()), before);
    assert!(!before.contains("Nf3") && !before.contains("½"));
}
