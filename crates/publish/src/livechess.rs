//! The JSON of LiveChess Cloud: a tournament, its rounds and its games, for programs that read that layout.
//!
//! Every key is always there, `null` where nothing is known. Serial numbers of boards are not public and stay empty. Must not
//! know addresses, folders, or who reads it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use game_core::event::Variant;
use notation::pgn::Outcome;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::gate::{GameView, Listed, RoundView, SectionView, View};

/// Number of the usual start position in Chess960: LiveChess sends it for every game of standard chess.
const STANDARD_START: u32 = 518;

/// The identifier of a section in addresses of LiveChess Cloud: always the same for the same slug.
pub fn id_of(slug: &str) -> String {
    let digest = Sha256::digest(format!("boardcast, LiveChess Cloud: {slug}"));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    // Version 8 and variant of RFC 9562: a UUID whose other bits its maker chose.
    bytes[6] = 0x80 | (bytes[6] & 0x0f);
    bytes[8] = 0x80 | (bytes[8] & 0x3f);
    let mut hex = String::new();
    for byte in bytes {
        let _ = write!(hex, "{byte:02x}");
    }
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

/// The section with this identifier.
pub fn section_of<V: View>(view: &V, id: &str) -> Option<SectionView<V>> {
    view.all_sections().into_iter().find(|section| id_of(section.slug()) == id)
}

/// `tournament.json`; none for a section that is not there.
pub fn tournament<V>(section: &SectionView<V>) -> Option<String> {
    let info = section.info()?;
    let rounds: Vec<_> = section.rounds().into_iter().filter(RoundView::is_known).map(|round| round.latest()).collect();
    let games = || rounds.iter().flatten().filter_map(Listed::live);
    let chess960 = games().any(|game| game.game.variant() == Variant::Chess960);
    let control = games().find_map(|game| game.game.tags().get("TimeControl").cloned());
    let known: BTreeMap<u32, Value> = section
        .rounds()
        .into_iter()
        .filter(RoundView::is_known)
        .map(|round| {
            let games = round.latest();
            let live = games.iter().filter(|game| is_live(game)).count();
            (round.number, json!({ "count": games.len(), "live": live }))
        })
        .collect();
    let last = known.keys().next_back().copied().unwrap_or(0);
    let rounds: Vec<_> = (1..=last)
        .map(|number| known.get(&number).cloned().unwrap_or_else(|| json!({ "count": 0, "live": 0 })))
        .collect();
    let tournament = json!({
        "id": info.slug,
        "name": info.name,
        "location": Some(&info.site).filter(|site| !site.is_empty() && *site != "?"),
        "country": null,
        "website": null,
        "rules": "STANDARD",
        "chess960": if chess960 { "ANY" } else { "STANDARD" },
        "timecontrol": control,
        "rounds": rounds,
        "eboards": [],
    });
    Some(tournament.to_string())
}

/// The games of a round as LiveChess counts them: game 1 is the first.
pub fn games<V>(section: &SectionView<V>, round: &RoundView) -> Vec<Arc<GameView>> {
    round.latest().iter().filter_map(|game| section.listed(game)).collect()
}

/// `index.json` of a round with these [`games`].
pub fn index(round: &RoundView, games: &[Arc<GameView>]) -> String {
    let pairing = |game: &Arc<GameView>| {
        json!({
            "white": player(game.game.tags(), "White"),
            "black": player(game.game.tags(), "Black"),
            "result": game.game.shown_result(),
            "live": game.is_being_played(),
        })
    };
    json!({ "date": round.info.date, "pairings": games.iter().map(pairing).collect::<Vec<_>>() }).to_string()
}

/// `game-K.json`.
pub fn game(view: &GameView) -> String {
    let game = &view.game;
    // LiveChess has no word for a game that is adjourned.
    let live = view.is_being_played();
    let clock = game.clock().filter(|_| live).and_then(|clock| {
        Some(json!({ "white": clock.white_ms? / 1000, "black": clock.black_ms? / 1000, "time": clock.read_at }))
    });
    let number = match game.variant() {
        Variant::Chess960 => game.chess960_number(),
        Variant::Standard => game.has_usual_start().then_some(STANDARD_START),
    };
    // Readers play the moves from the start: those after a gap would be illegal to them.
    let moves: Vec<_> = game.moves_before_gap().iter().map(|mv| with_times(&mv.san, mv.clk_ms, mv.emt_ms)).collect();
    json!({
        "live": live,
        "serialNr": "",
        "firstMove": view.first_move_at().unwrap_or(0),
        "chess960": number,
        // LiveChess has no key for a start without a number.
        "fen": number.is_none().then_some(game.fen()),
        "result": result(game.result(), game.shown_result()),
        "comment": null,
        "clock": clock,
        "moves": moves,
    })
    .to_string()
}

/// A move, then the clock after it and the time used, in whole seconds as far as they are known.
fn with_times(san: &str, clk_ms: Option<u64>, emt_ms: Option<u64>) -> String {
    let used = emt_ms.map(|ms| format!("+{}", ms / 1000));
    match (clk_ms, used) {
        (Some(clk), used) => format!("{san} {}{}", clk / 1000, used.unwrap_or_default()),
        (None, Some(used)) => format!("{san} {used}"),
        (None, None) => san.to_owned(),
    }
}

fn result(result: Outcome, shown: &str) -> &'static str {
    match result {
        Outcome::WhiteWins => "WHITEWIN",
        Outcome::BlackWins => "BLACKWIN",
        Outcome::Draw => "DRAW",
        Outcome::Unknown if shown == "0-0" => "NOTPLAYED",
        Outcome::Unknown => "*",
    }
}

fn is_live(game: &Listed) -> bool {
    game.live().is_some_and(|game| game.is_being_played())
}

/// One side of a game. What stands before the comma is the family name; a name without a comma is one as a whole.
fn player(tags: &BTreeMap<String, String>, side: &str) -> Value {
    let tag = |what: &str| tags.get(&format!("{side}{what}")).filter(|value| !value.is_empty());
    let name = tag("").map_or("?", String::as_str);
    let (family, given) = name.split_once(',').map_or((name, None), |(family, given)| (family, Some(given.trim())));
    json!({
        "fname": given.filter(|given| !given.is_empty()),
        "mname": null,
        "lname": family.trim(),
        "title": tag("Title"),
        "federation": tag("Fed"),
        "gender": null,
        "fideid": tag("FideId").and_then(|id| id.parse::<u32>().ok()).filter(|id| *id != 0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_hall::Hall;
    use game_core::event::Event;
    use tournament::Fact;

    fn read(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn identifiers_are_stable_and_have_the_form_of_a_uuid() {
        let id = id_of("spring-open");
        assert_eq!(id, id_of("spring-open"));
        assert_ne!(id, id_of("spring-open-b"));
        let lengths: Vec<_> = id.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12], "{id}");
        assert!(id.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)));
    }

    #[test]
    fn a_running_game_has_its_moves_with_clocks_and_times() {
        let hall = Hall::open(0.0);
        let names = [("White", "Adler, Ida"), ("Black", "Plato"), ("WhiteFideId", "12345"), ("TimeControl", "5400+30")];
        hall.start_game("a", 1, 1, &names);
        hall.play("a", 2);
        let (section, game_view) = hall.public.game("a").unwrap();
        let game = read(&game(&game_view));
        assert_eq!(game["moves"], json!(["Nf3 5399+1", "Nf6 5398+1"]));
        assert_eq!((&game["live"], &game["result"], &game["chess960"]), (&json!(true), &json!("*"), &json!(518)));
        assert_eq!(game["firstMove"], hall.clock.now());
        let round = section.round(1).unwrap();
        let index = read(&index(&round, &games(&section, &round)));
        let pairing = &index["pairings"][0];
        assert_eq!((&pairing["white"]["lname"], &pairing["white"]["fname"]), (&json!("Adler"), &json!("Ida")));
        assert_eq!((&pairing["white"]["fideid"], &pairing["black"]["lname"]), (&json!(12_345), &json!("Plato")));
        assert_eq!((&pairing["result"], &pairing["live"]), (&json!("*"), &json!(true)));
        let tournament = read(&tournament(&section).unwrap());
        assert_eq!(tournament["rounds"], json!([{ "count": 1, "live": 1 }]));
        assert_eq!((&tournament["timecontrol"], &tournament["location"]), (&json!("5400+30"), &json!("Örebro")));
    }

    #[test]
    fn a_game_from_a_position_without_a_number_has_the_position_and_the_moves_that_can_be_played_from_it() {
        let hall = Hall::open(0.0);
        hall.start_game("a", 1, 1, &[]);
        let file = || read(&game(&hall.public.game("a").unwrap().1));
        assert_eq!((&file()["chess960"], &file()["fen"]), (&json!(518), &Value::Null));
        let odds = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1";
        hall.happen("a", Event::GameStarted { fen: odds.into(), variant: Variant::Standard });
        assert_eq!((&file()["chess960"], &file()["fen"]), (&Value::Null, &json!(odds)));
        hall.play("a", 2);
        let unseen = "r1bqkbnr/pppppppp/2n5/8/4P3/8/PPPP1PPP/R1BQKBNR w KQkq - 0 3";
        hall.happen("a", Event::Gap { after_ply: 2, fen: Some(unseen.into()) });
        hall.happen("a", Event::Move { ply: 3, san: "d4".into(), uci: "d2d4".into(), clk_ms: None, emt_ms: None });
        assert_eq!(file()["moves"].as_array().map(Vec::len), Some(2), "what follows a gap is illegal to a reader");
    }

    #[test]
    fn a_game_that_is_over_says_so_in_both_files() {
        let hall = Hall::open(0.0);
        hall.start_game("a", 2, 1, &[("White", "Adler, Ida")]);
        hall.play("a", 1);
        hall.happen("a", Event::Result { result: Outcome::Draw, reason: String::new() });
        let (section, game_view) = hall.public.game("a").unwrap();
        assert_eq!(
            (read(&game(&game_view))["result"].clone(), read(&game(&game_view))["clock"].clone()),
            (json!("DRAW"), Value::Null)
        );
        let round = section.round(2).unwrap();
        assert_eq!(read(&index(&round, &games(&section, &round)))["pairings"][0]["result"], "1/2-1/2");
        let tournament = read(&tournament(&section).unwrap());
        assert_eq!(tournament["rounds"], json!([{ "count": 0, "live": 0 }, { "count": 1, "live": 0 }]));
    }

    #[test]
    fn a_game_that_is_adjourned_is_not_live_until_it_goes_on() {
        let hall = Hall::open(0.0);
        hall.start_game("a", 1, 1, &[("White", "Adler, Ida")]);
        hall.play("a", 2);
        let live = || {
            let (section, view) = hall.public.game("a").unwrap();
            let round = section.round(1).unwrap();
            let file = read(&game(&view));
            let index = read(&index(&round, &games(&section, &round)));
            let tournament = read(&tournament(&section).unwrap());
            assert_eq!((&file["result"], &index["pairings"][0]["result"]), (&json!("*"), &json!("*")));
            (file["live"] == true, index["pairings"][0]["live"] == true, tournament["rounds"][0]["live"] == 1)
        };
        assert_eq!(live(), (true, true, true));
        hall.record(vec![Fact::Adjourned { game: "a".into() }], Vec::new());
        assert_eq!(live(), (false, false, false));
        hall.record(vec![Fact::Moved { game: "a".into(), from: None, to: "10002".into() }], Vec::new());
        assert_eq!(live(), (true, true, true));
    }

    #[test]
    fn what_is_not_known_of_a_move_is_left_out() {
        assert_eq!(with_times("Qe2", None, None), "Qe2");
        assert_eq!(with_times("Nc6", None, Some(26_400)), "Nc6 +26");
        assert_eq!(with_times("Kxg3", Some(1_521_900), None), "Kxg3 1521");
    }
}
