//! `boardcast export` as an organiser uses it: over what a daemon recorded, and over files.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use game_core::event::{Author, Event, Evidence, Variant};
use journal::{Batch, NewEvent, NewFact};
use journal::{FILE, Journal};
use notation::pgn::Outcome;
use tournament::GameRef;
use tournament::{Fact, Pair, RoundSettings, SectionSettings};

use crate::{boardcast, text};

/// Noon of 20 November 2026, UTC.
const NOON: u64 = 1_795_176_000_000;

/// Records two rounds of a section and one of another; all of it is in the folder `data`.
fn recorded(folder: &Path) {
    fs::create_dir(folder.join("data")).expect("a folder");
    let mut journal = Journal::open(&folder.join("data").join(FILE)).expect("a journal");
    let mut game = |section: &str, round: u32, table: u32, white: &str, black: &str, result: Outcome| {
        let id = format!("{section}-{round}-{table}");
        let at = GameRef { game: id.as_str().into(), event: section.into(), round, table };
        let tags = [
            ("Event", section),
            ("Site", "Örebro"),
            ("Date", "2026.11.20"),
            ("Round", &format!("{round}.{table}")),
            ("White", white),
            ("Black", black),
            ("GameId", &id),
        ];
        let moved = |ply, san: &str, uci: &str, clk_s: u64| Event::Move {
            ply,
            san: san.into(),
            uci: uci.into(),
            clk_ms: Some(clk_s * 1000),
            emt_ms: Some(10_000),
        };
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
        let events = [
            Event::GameStarted { fen, variant: Variant::Standard },
            Event::Tags { tags: tags.map(|(name, value)| (name.to_owned(), value.to_owned())).into() },
            moved(1, "e4", "e2e4", 5390),
            moved(2, "c5", "c7c5", 5380),
            Event::Result { result, reason: "kings in the centre".into() },
        ];
        let draft =
            |event| NewEvent { at: NOON, game: at.clone(), author: Author::Board, evidence: Evidence::Lever, event };
        let games = events.into_iter().map(draft).collect();
        journal.commit(NOON, &[Batch { games, ..Batch::default() }]).expect("a commit");
    };
    game("open", 1, 2, "Clark, Ann", "Đukić, Nikola", Outcome::Draw);
    game("open", 1, 1, "Adler, Ida", "Müller, Jürgen", Outcome::WhiteWins);
    game("open", 2, 1, "Müller, Jürgen", "Clark, Ann", Outcome::BlackWins);
    game("women", 1, 11, "Zwick, Eva", "Young, Amy", Outcome::Unknown);
}

fn events_of(pgn: &str) -> Vec<&str> {
    pgn.lines().filter_map(|line| line.strip_prefix("[GameId \"")?.strip_suffix("\"]")).collect()
}

#[test]
fn what_was_recorded_comes_out_by_section_round_and_game() {
    let folder = tempfile::tempdir().expect("a folder");
    recorded(folder.path());
    for (wanted, ids) in [
        (&[][..], &["open-1-1", "open-1-2", "open-2-1", "women-1-11"][..]),
        (&["--section", "open"], &["open-1-1", "open-1-2", "open-2-1"]),
        (&["--section", "open", "--round", "1"], &["open-1-1", "open-1-2"]),
        (&["--round", "1"], &["open-1-1", "open-1-2", "women-1-11"]),
        (&["--game", "open-2-1", "--game", "women-1-11"], &["open-2-1", "women-1-11"]),
    ] {
        let exported = boardcast(&[&["export", "--data", "data", "--format", "pgn"], wanted].concat(), folder.path());
        assert_eq!((exported.status.code(), text(&exported.stderr).as_str()), (Some(0), ""), "{wanted:?}");
        assert_eq!(events_of(&text(&exported.stdout)), ids);
    }
    let first = boardcast(&["export", "--data", "data", "--format", "pgn", "--game", "open-1-1"], folder.path());
    assert_eq!(
        text(&first.stdout),
        "[Event \"open\"]\n[Site \"Örebro\"]\n[Date \"2026.11.20\"]\n[Round \"1.1\"]\n[White \"Adler, Ida\"]\n\
         [Black \"Müller, Jürgen\"]\n[Result \"1-0\"]\n[GameId \"open-1-1\"]\n[Mode \"OTB\"]\n[PlyCount \"2\"]\n[Termination \"normal\"]\n\n\
         1. e4 {[%clk 1:29:50] [%emt 0:00:10]} 1... c5 {[%clk 1:29:40] [%emt 0:00:10]}\n1-0\n\n"
    );
    for (wanted, said) in [
        (&["--game", "open-9-9"][..], "there is no game «open-9-9»"),
        (&["--section", "juniors"], "there is no section «juniors»: give its name in addresses"),
        (&["--round", "7"], "no section has games in round 7"),
    ] {
        let refused = boardcast(&[&["export", "--data", "data", "--format", "pgn"], wanted].concat(), folder.path());
        assert_eq!(refused.status.code(), Some(1));
        assert!(text(&refused.stderr).starts_with(&format!("boardcast: {said}")), "{}", text(&refused.stderr));
    }
    let nowhere = boardcast(&["export", "--data", "elsewhere", "--format", "pgn"], folder.path());
    assert!(text(&nowhere.stderr).starts_with("boardcast: elsewhere holds no journal"), "{}", text(&nowhere.stderr));
}

#[test]
fn every_form_says_what_it_can() {
    let folder = tempfile::tempdir().expect("a folder");
    recorded(folder.path());
    let export = |form: &str, more: &[&str]| {
        boardcast(&[&["export", "--data", "data", "--format", form], more].concat(), folder.path())
    };
    let epd = text(&export("epd", &["--game", "open-1-1"]).stdout);
    assert_eq!(epd.lines().count(), 3);
    assert!(
        epd.lines().nth(1).is_some_and(|line| line.contains("id \"open-1-1.1\"; rc 1; sm c5; ts 2026.11.20 12:00:00;"))
    );
    let fen = text(&export("fen", &["--game", "open-1-1"]).stdout);
    assert_eq!(fen.lines().last(), Some("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2"));
    fs::write(folder.path().join("games.pgn"), export("pgn", &["--section", "open"]).stdout).expect("a file");
    let of_file = |form| text(&boardcast(&["export", "--format", form, "-", "games.pgn"], folder.path()).stdout);
    let csv = of_file("csv");
    assert_eq!(csv.lines().count(), 4, "{csv}");
    assert!(csv.contains("\n1,1,,,\"Adler, Ida\",,,,,1-0,,,\"Müller, Jürgen\""), "{csv}");
    let trf = of_file("trf");
    assert_eq!(trf.lines().filter(|line| line.starts_with("001 ")).count(), 4, "{trf}");
    assert_eq!(text(&export("trf", &[]).stderr), "boardcast: no section has pairings\n");
    // PGC has Latin-1 only: one game does not fit, the rest is done.
    let pgc = export("pgc", &["games.pgc", "--round", "1"]);
    assert_eq!(pgc.status.code(), Some(1));
    assert!(text(&pgc.stderr).starts_with("boardcast: game open-1-2 is left out: "), "{}", text(&pgc.stderr));
    let again = boardcast(&["export", "--format", "pgn", "-", "games.pgc"], folder.path());
    assert_eq!(events_of(&text(&again.stdout)), ["open-1-1", "women-1-11"]);
    let exists = export("pgc", &["games.pgc"]);
    assert!(text(&exists.stderr).starts_with("boardcast: games.pgc cannot be created; name a new file"));
    let archive = export("archive", &["tree"]);
    assert_eq!((archive.status.code(), text(&archive.stderr).as_str()), (Some(0), ""));
    let tree = fs::read_to_string(folder.path().join("tree/MGR/2026/202611/20261120.pgn")).expect("the day's file");
    assert_eq!(events_of(&tree).len(), 4);
    assert!(text(&export("archive", &[]).stderr).starts_with("boardcast: an archive needs a folder"));
}

#[test]
fn pgn_and_pgc_are_the_same_games() {
    let folder = tempfile::tempdir().expect("a folder");
    recorded(folder.path());
    let written = "[Event \"City Open\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"Müller, Eva\"]\n\
                   [Black \"?\"]\n[Result \"1/2-1/2\"]\n[WhiteElo \"2210\"]\n\n1. e4 {[%clk 1:30:00] best} 1... e5 $2 \
                   (1... c5 2. Nf3 (2. c3)) 2. Nf3 1/2-1/2\n\n";
    let own = boardcast(&["export", "--data", "data", "--format", "pgn", "--game", "open-2-1"], folder.path());
    fs::write(folder.path().join("in.pgn"), [written.as_bytes(), &own.stdout].concat()).expect("a file");
    for arguments in [
        &["export", "--format", "pgc", "games.pgc", "in.pgn"][..],
        &["export", "--format", "pgn", "out.pgn", "games.pgc"],
        &["export", "--format", "pgc", "again.pgc", "out.pgn"],
    ] {
        let done = boardcast(arguments, folder.path());
        assert_eq!((done.status.code(), text(&done.stderr).as_str()), (Some(0), ""), "{arguments:?}");
    }
    let read = |name| fs::read(folder.path().join(name)).expect("a file");
    assert_eq!(text(&read("out.pgn")), text(&read("in.pgn")));
    assert_eq!(read("again.pgc"), read("games.pgc"));
}

#[test]
fn a_withdrawn_game_comes_out_only_by_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    recorded(folder.path());
    let mut journal = Journal::open(&folder.path().join("data").join(FILE)).expect("a journal");
    let game = || Arc::<str>::from("open-1-1");
    let facts = [
        Fact::SectionSet { section: "open".into(), settings: SectionSettings::named("Open") },
        Fact::RoundSet { section: "open".into(), round: 1, settings: RoundSettings::default() },
        Fact::Paired { section: "open".into(), round: 1, game: game(), pair: Pair { number: 1, ..Pair::default() } },
        Fact::Withdrawn { game: game(), withdrawn: true },
    ];
    let hall = facts.map(|fact| NewFact { by: Author::Operator("Ada".into()), reason: None, fact }).into();
    journal.commit(NOON, &[Batch { hall, ..Batch::default() }]).expect("a commit");
    let export = |more: &[&str]| {
        text(&boardcast(&[&["export", "--data", "data", "--format", "pgn"], more].concat(), folder.path()).stdout)
    };
    assert_eq!(events_of(&export(&["--section", "open"])), ["open-1-2", "open-2-1"]);
    assert_eq!(events_of(&export(&["--game", "open-1-1"])), ["open-1-1"]);
}

#[test]
fn a_finished_event_becomes_a_site_of_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let game = |event: &str, round: &str, white: &str, black: &str, moves: &str| {
        format!("[Event \"{event}\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n{moves}\n\n")
    };
    let games = [
        game("Open", "1.1", "Adler, Ida", "Müller, Jürgen", "1. e4 c5 1-0"),
        game("Open", "1.2", "Clark, Ann", "Đukić, Nikola", "1. d4 d5 1/2-1/2"),
        game("Open", "2.1", "Müller, Jürgen", "Clark, Ann", "1. c4 0-1"),
        game("Women", "1.1", "Zwick, Eva", "Young, Amy", "1. e4 *"),
    ];
    fs::write(folder.path().join("games.pgn"), games.concat()).expect("a file");
    let imported = boardcast(&["import", "--data", "data", "games.pgn"], folder.path());
    assert_eq!(imported.status.code(), Some(0), "{}", text(&imported.stderr));
    let out = boardcast(&["export", "--data", "data", "--format", "site", "site"], folder.path());
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stderr).contains("open, women"), "{}", text(&out.stderr));
    let asked = ["export", "--data", "data", "--section", "open", "--language", "de", "--format", "site", "site"];
    let out = boardcast(&asked, folder.path());
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let read = |path: &str| fs::read_to_string(folder.path().join("site").join(path)).expect(path);
    assert!(read("index.html").contains("Clark, Ann") && read("index.html").contains("lang=\"de\""));
    assert!(read("round-1.html").contains("Đukić, Nikola") && read("round-1-results.html").contains("½–½"));
    let pages: Vec<_> = fs::read_dir(folder.path().join("site/game")).expect("games").collect();
    assert_eq!(pages.len(), 9, "picture, page and PGN of three games");
    assert_eq!(read("games.pgn").matches("[Event ").count(), 3);
    assert_eq!(read("round-1.pgn").matches("[Event ").count(), 2);
    assert!(!read("games.pgn").contains("Zwick"));
    // What is there is not overwritten, and other formats have no language.
    let again = boardcast(&asked, folder.path());
    assert!(text(&again.stderr).contains("is not an empty folder"), "{}", text(&again.stderr));
    let pgn = boardcast(&["export", "--data", "data", "--format", "pgn", "--language", "de"], folder.path());
    assert_eq!(pgn.status.code(), Some(1));
}
