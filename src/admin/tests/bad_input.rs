//! What people get wrong: each told in a sentence, and nothing half applied.

use super::*;

const UPLOAD: &str = "/sections/open-a/pairings";

impl Site {
    /// That something is refused in these words and changes nothing.
    async fn refused(&self, visitor: &Visitor, order: Value, status: u16, words: &str) {
        let before = (self.director.hall(), self.director.persons());
        for path in ["/orders", "/orders/preview"] {
            let told = self.post(visitor, path, order.clone()).await.problem(status);
            // A sentence begins with a capital.
            assert!(told.to_lowercase().contains(&words.to_lowercase()), "{order}: {told}");
        }
        assert_eq!((self.director.hall(), self.director.persons()), before, "{order}");
    }

    /// That an order is asked about in these words, and that a preview asks the same.
    async fn asked(&self, visitor: &Visitor, order: Value, words: &str) {
        let before = (self.director.hall(), self.director.persons());
        let told = self.post(visitor, "/orders", order.clone()).await.problem(409);
        assert!(told.contains(words) && told.contains("To go ahead anyway, confirm."), "{told}");
        let preview = self.post(visitor, "/orders/preview", order.clone()).await.json();
        assert!(preview["questions"][0]["text"].as_str().unwrap().contains(words), "{preview}");
        assert_eq!((self.director.hall(), self.director.persons()), before, "{order}");
    }

    async fn upload_refused(&self, visitor: &Visitor, name: &str, bytes: &[u8], status: u16, words: &str) {
        let before = (self.director.hall(), self.director.persons());
        let told = self.upload(visitor, UPLOAD, &[(name, bytes)]).await.problem(status);
        assert!(told.contains(words), "{name}: {told}");
        assert_eq!((self.director.hall(), self.director.persons()), before, "{name}");
    }

    /// The players by name.
    async fn player(&self, visitor: &Visitor, name: &str) -> Value {
        let section = self.get(visitor, "/sections/open-a").await.json();
        let players = section["players"].as_array().unwrap();
        let found = players.iter().find(|player| player["person"]["name"] == name);
        found.unwrap_or_else(|| panic!("{section}"))["player"].clone()
    }
}

#[tokio::test]
async fn pairings_that_are_half_filled_are_asked_about_with_line_and_column() {
    let (site, operator) = Site::with_round().await;
    let half = b"Round;Board;White;Black\n2;1;Anand, V;M\xc3\xbcller, J\xc3\xb6rg\n2;2;Short, N;\n";
    let words = "round-2.csv, line 3, column 1: round 2, table 2: a player is missing";
    site.upload_refused(&operator, "round-2.csv", half, 409, words).await;
    let preview = site.upload(&operator, "/sections/open-a/pairings/preview", &[("round-2.csv", half)]).await.json();
    assert_eq!(
        preview["questions"],
        json!([{
            "code": "row_without_player",
            "params": {"round": 2, "table": 2},
            "place": {"file": "round-2.csv", "line": 3, "column": 1},
            "text": format!("{words}, so the row is left out."),
        }])
    );
    let confirmed = site.upload(&operator, "/sections/open-a/pairings?confirm=true", &[("round-2.csv", half)]).await;
    assert_eq!(confirmed.status, 200, "{}", confirmed.body);
    let round = site.get(&operator, "/sections/open-a/rounds/2").await.json();
    assert_eq!(round["round"]["games"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn the_same_player_twice_in_a_round_is_asked_and_not_refused() {
    let (site, operator) = Site::with_round().await;
    let twice = b"Round;Board;White;Black\n2;1;Anand, V;Short, N\n2;2;Anand, V;Nov\xc3\xa1k, Ivo\n";
    site.upload_refused(&operator, "r2.csv", twice, 409, "Anand, V is paired on boards 1 and 2 in round 2.").await;
    let preview = site.upload(&operator, "/sections/open-a/pairings/preview", &[("r2.csv", twice)]).await.json();
    assert_eq!(
        preview["questions"],
        json!([{
            "code": "on_two_boards",
            "params": {"player": "Anand, V", "one": 1, "other": 2, "round": 2},
            "text": "Anand, V is paired on boards 1 and 2 in round 2.",
        }])
    );
    assert!(preview["notes"][0]["text"].as_str().unwrap().contains("Round 2"), "{preview}");
    let confirmed = site.upload(&operator, "/sections/open-a/pairings?confirm=true", &[("r2.csv", twice)]).await;
    assert_eq!(confirmed.status, 200, "{}", confirmed.body);

    let (white, black) = (site.player(&operator, "Anand, V").await, site.player(&operator, "Short, N").await);
    let pair = |confirm: bool| json!({ "order": "pair", "section": "open-a", "round": 1, "white": white, "black": black, "confirm": confirm });
    site.asked(&operator, pair(false), "is already paired on board 2.").await;
    site.order(&operator, pair(true)).await;
    let himself = json!({ "order": "pair", "section": "open-a", "round": 3, "white": white, "black": white });
    site.refused(&operator, himself, 422, "name two different players").await;
}

#[tokio::test]
async fn a_board_stands_at_one_table_at_a_time() {
    let (site, operator) = Site::with_round().await;
    let seat = |tables: [(u32, &str); 2]| {
        let seats = tables.map(|(table, board)| json!({ "table": table, "board": board }));
        json!({ "order": "seat_boards", "seats": seats })
    };
    site.refused(&operator, seat([(1, "20077"), (2, "20077")]), 422, "Board 20077 is listed for two tables").await;
    site.refused(&operator, seat([(1, "20077"), (1, "20078")]), 422, "Table 1 is listed twice").await;
    site.refused(&operator, seat([(0, "20077"), (1, "20078")]), 422, "A table number is between 1 and").await;
    site.order(&operator, seat([(1, "20077"), (2, "20078")])).await;
    site.order(&operator, json!({ "order": "seat_boards", "seats": [{ "table": 3, "board": "20077" }] })).await;
    assert_eq!(site.get(&operator, "/hall").await.json()["seats"], json!({ "2": "20078", "3": "20077" }));
}

#[tokio::test]
async fn codes_that_nobody_knows_are_named() {
    let (site, operator) = Site::with_round().await;
    let player = site.player(&operator, "Anand, V").await;
    let set = |person: Value| json!({ "order": "set_player", "player": player, "person": person });
    let anand = |what: &str, value: Value| set(json!({ "name": "Anand, V", what: value }));
    site.refused(&operator, anand("title", json!("XX")), 422, "\"XX\" is not a FIDE title").await;
    site.refused(&operator, anand("federation", json!("QQQ")), 422, "\"QQQ\" is not a FIDE federation code.").await;
    site.refused(&operator, anand("rating", json!(9999)), 422, "a rating is between 1 and 4000").await;
    site.refused(&operator, set(json!({ "name": "bye" })), 422, "is not a player's name").await;
    let zone =
        json!({ "order": "set_section", "section": "open-a", "settings": { "name": "A", "zone": "Mars/Crater" } });
    site.refused(&operator, zone, 422, "Mars/Crater").await;
    let control =
        json!({ "order": "set_section", "section": "open-a", "settings": { "name": "A", "time_control": "5400+30" } });
    site.refused(&operator, control, 422, r#"expected the time control of each side, {"white": "5400+30""#).await;
    let kind = json!({ "order": "set_bye", "section": "open-a", "round": 1, "player": player, "kind": "quarter" });
    site.refused(&operator, kind, 422, "quarter").await;
    let start = json!({ "order": "set_start", "section": "open-a", "round": 1, "start": { "chess960": 960 } });
    site.refused(&operator, start, 422, "between 0 and 959").await;
    let result = b"Round;Board;White;Black;Result\n1;1;Anand, V;Short, N;won\n";
    site.upload_refused(&operator, "r.csv", result, 409, "r.csv, line 2, column 5: «won» is not a result").await;
    let table = b"Round;Board;White;Black\n1;x;Anand, V;Short, N\n";
    site.upload_refused(&operator, "r.csv", table, 422, "r.csv, line 2, column 2: «x» is not a table number").await;
    let refused = site.upload(&operator, UPLOAD, &[("r.csv", table)]).await.json();
    assert_eq!((&refused["code"], &refused["params"]["text"]), (&json!("cell_not_a_table"), &json!("x")));
    assert_eq!(refused["place"], json!({ "file": "r.csv", "line": 2, "column": 2 }));
    let binary = site.upload(&operator, UPLOAD, &[("r.csv", b"White;Black\n\0")]).await.json();
    assert_eq!((&binary["code"], &binary["place"]["line"]), (&json!("file_not_text"), &json!(2)), "{binary}");
    // In a file that is otherwise good, a code that nobody knows costs only itself.
    let list = b"No.;Name;Title;FED\n1;Carlsen, M;XX;QQQ\n";
    let loaded = site.upload(&operator, "/sections/open-a/pairings?confirm=true", &[("players.csv", list)]).await;
    assert_eq!(loaded.status, 200, "{}", loaded.body);
    let section = site.get(&operator, "/sections/open-a").await.json();
    assert!(section["players"].as_array().unwrap().iter().any(|it| it["person"] == json!({ "name": "Carlsen, M" })));
}

#[tokio::test]
async fn ten_megabytes_of_rubbish_are_refused() {
    const SIZE: usize = 10_000_000;
    let (site, operator) = Site::with_round().await;
    let text = "the quick brown fox ".repeat(SIZE / 20);
    site.upload_refused(&operator, "fox.txt", text.as_bytes(), 422, "fox.txt: the file is larger than 8 MB").await;
    let noise: Vec<u8> = (0..SIZE as u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    site.upload_refused(&operator, "noise.bin", &noise, 422, "noise.bin").await;
    site.upload_refused(&operator, "less.bin", &noise[..7_000_000], 422, "less.bin").await;
    let body = Some(json!({ "order": "set_result", "game": "x".repeat(SIZE), "result": "1-0" }));
    site.ask(&operator, Method::POST, "/orders", body).await.problem(413);
}

#[tokio::test]
async fn a_bye_has_no_result() {
    let (site, operator) = Site::with_round().await;
    let with_bye = b"Round;Board;White;Black;Result\n2;1;Anand, V;Short, N;\n2;2;Nov\xc3\xa1k, Ivo;bye;1\n";
    assert_eq!(site.upload(&operator, UPLOAD, &[("r2.csv", with_bye)]).await.status, 200);
    let round = site.get(&operator, "/sections/open-a/rounds/2").await.json();
    assert_eq!(
        (round["round"]["games"].as_array().unwrap().len(), round["round"]["byes"].as_object().unwrap().len()),
        (1, 1)
    );
    let result = json!({ "order": "set_result", "game": "open-a-2-2", "result": "1-0" });
    site.refused(&operator, result, 404, "There is no game \"open-a-2-2\"").await;
    let player = site.player(&operator, "Anand, V").await;
    let bye = json!({ "order": "set_bye", "section": "open-a", "round": 2, "player": player, "kind": "half" });
    site.refused(&operator, bye, 409, "is paired on board 1. Unpair them first.").await;
}

#[tokio::test]
async fn an_edit_that_makes_a_later_move_illegal_says_which_and_offers_the_cut() {
    let (site, operator) = Site::with_round().await;
    let arbiter = site.log_in(Role::Arbiter).await;
    let game = site.first_game(&operator).await;
    let played = |san: &str| json!({ "san": san });
    let edit = |edit: Value, cut: bool| json!({ "order": "edit_moves", "game": game, "edit": edit, "cut": cut });
    let moves: Vec<_> = ["e4", "e5", "Nf3", "Nc6", "Bb5"].into_iter().map(played).collect();
    site.order(&arbiter, edit(json!({ "edit": "set", "after": 0, "moves": moves }), false)).await;
    let replace = json!({ "edit": "replace", "ply": 1, "played": played("d4") });
    site.refused(&arbiter, edit(replace.clone(), false), 409, "Bb5 (ply 5) is not possible any more").await;
    let cut = site.order(&arbiter, edit(replace, true)).await;
    assert!(cut["notes"][0]["text"].as_str().unwrap().contains("ends before Bb5 (ply 5)"), "{cut}");
    site.refused(&arbiter, edit(json!({ "edit": "delete", "ply": 9 }), false), 422, "ply 9").await;
    site.refused(&arbiter, edit(json!({ "edit": "replace", "ply": 2, "played": played("Qxh7") }), true), 422, "ply 2")
        .await;
}

#[tokio::test]
async fn the_second_of_two_operators_is_told_also_when_both_send_at_the_same_moment() {
    let (site, operator) = Site::with_round().await;
    let version = site.get(&operator, "/hall").await.header("etag").to_owned();
    let based = operator.with("if-match", &version);
    let name =
        |name: &str| json!({ "order": "set_round", "section": "open-a", "round": 1, "settings": { "name": name } });
    let (one, other) = tokio::join!(
        site.post(&based, "/orders", name("Semi-final")),
        site.post(&based, "/orders", name("Small final")),
    );
    let (done, told) = if one.status == 200 { (&one, &other) } else { (&other, &one) };
    assert_eq!(done.status, 200, "{}", done.body);
    assert!(told.problem(412).contains("Another person changed the tournament in the meantime"), "{}", told.body);
    let round = site.get(&based, "/sections/open-a/rounds/1").await.json();
    assert_eq!(done.json()["facts"][0]["settings"]["name"], round["round"]["settings"]["name"]);
}
