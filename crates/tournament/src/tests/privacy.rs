//! What the public may see of players.

use super::*;

fn director() -> Director {
    let mut director = Director::new();
    director.section("open", 1);
    let rows = "No.;Name;Title;Rtg;FED;FideID\n1;Adams, Ann;GM;2600;ENG;400041\n2;Baker, Bob;;1900;ENG;\n";
    let games = "Round;Board;White;Black\n1;1;Adams, Ann;Baker, Bob\n2;1;Baker, Bob;Adams, Ann\n";
    let files =
        [("players", rows), ("games", games)].map(|(name, text)| PairingFile::read(name, text.as_bytes()).unwrap());
    director.order(Order::LoadPairings { section: "open".into(), files: files.to_vec(), round: None, confirm: true });
    director.seat(1);
    director.order(publish("open", 1));
    director.start(1);
    director.play(1, "e4 e5");
    director
}

#[test]
fn a_display_counts_at_once_in_all_games_and_moves_are_recorded_on() {
    let mut director = director();
    let player = director.player("Adams, Ann");
    assert_eq!(director.games["open-1-1"].tags()["WhiteFideId"], "400041");
    for (display, shown) in [(Display::Initials, "A., A."), (Display::Number, "Player 1"), (Display::Hidden, "?")] {
        director.order(Order::SetDisplay { player, display });
        let tags = director.games["open-1-1"].tags().clone();
        assert_eq!(tags["White"], shown);
        assert_eq!(tags["Black"], "Baker, Bob");
        for told in ["WhiteTitle", "WhiteElo", "WhiteFed", "WhiteFideId"] {
            assert!(!tags.contains_key(told), "{told} is told of a player who is shown as {shown}");
        }
        assert_eq!(
            public_tags(&director.hall, &director.persons, "open-1-1"),
            tags,
            "what is told is what may be seen"
        );
    }
    director.play(1, "Nf3");
    director.order(publish("open", 2));
    assert_eq!(director.games["open-2-1"].tags()["Black"], "?", "in all rounds");
    director.order(Order::SetDisplay { player, display: Display::Full });
    assert_eq!(director.games["open-1-1"].tags()["WhiteElo"], "2600");
}

#[test]
fn a_forgotten_player_is_gone_everywhere_and_does_not_come_back_with_the_next_file() {
    let mut director = director();
    let player = director.player("Adams, Ann");
    director.order(Order::Withdraw { game: "open-1-1".into() });
    director.order(Order::Forget { player });
    assert_eq!(director.persons.get(player), None);
    assert_eq!(director.games["open-1-1"].tags()["White"], "?", "a withdrawn game keeps no name either");
    let rows = "No.;Name\n1;Adams, Ann\n2;Baker, Bob\n";
    let files = vec![PairingFile::read("players", rows.as_bytes()).unwrap()];
    director.order(Order::LoadPairings { section: "open".into(), files, round: None, confirm: true });
    assert!(director.persons.iter().all(|(_, person)| !person.name.contains("Adams")));
    assert_eq!(director.moves("open-1-1"), ["e4", "e5"], "the moves stay");
    assert!(director.refused(&Order::Forget { player }).contains("forgotten for good"));
    let report = results(&director.hall, &director.persons, "open").unwrap();
    assert_eq!(report.rounds[0].games[0].white.name, "Player 1");
}
