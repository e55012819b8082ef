//! Messages with several events, choices of games, heartbeats.

use super::*;

/// Messages wait so long that a test records everything before the second one.
fn patient() -> hub::Limits {
    hub::Limits { message_every: Duration::from_secs(2), ..hub::Limits::default() }
}

#[tokio::test]
async fn the_first_event_comes_at_once_and_those_after_it_in_one_message() {
    let server = Server::open(patient(), Limits::default()).await;
    server.hall.start_game("a", 1, 1, &[]);
    let (mut one, mut other) = (server.watch("").await, server.watch("").await);
    assert_eq!(json(&mut one).await["snapshot"]["seq"], 1);
    json(&mut other).await;
    server.hall.play("a", 1);
    let first = whole(&mut one).await;
    assert_eq!(first["events"].as_array().unwrap().len(), 1, "{first}");
    server.hall.play("a", 5);
    let second = whole(&mut one).await;
    let numbers: Vec<_> = second["events"].as_array().unwrap().iter().map(seq).collect();
    assert_eq!(numbers, [3, 4, 5, 6, 7]);
    assert_eq!([whole(&mut other).await, whole(&mut other).await], [first, second], "the same messages for all");
}

#[tokio::test]
async fn a_move_and_its_clock_are_one_message() {
    let server = Server::usual().await;
    server.hall.start_game("a", 1, 1, &[]);
    let mut viewer = server.watch("").await;
    json(&mut viewer).await;
    let played = Event::Move { ply: 1, san: "e4".into(), uci: "e2e4".into(), clk_ms: Some(5000), emt_ms: None };
    let read_at = server.hall.clock.now();
    let (white_ms, black_ms, running) = (Some(5000), Some(9000), Some(game_core::event::Side::Black));
    let clock = Event::Clock { white_ms, black_ms, running, flag: None, read_at };
    server.hall.record(Vec::new(), vec![("a", played), ("a", clock)]);
    let message = whole(&mut viewer).await;
    let events: Vec<_> = message["events"].as_array().unwrap().iter().map(|event| event["event"].clone()).collect();
    assert_eq!(events, ["move", "clock"]);
}

#[tokio::test]
async fn who_comes_back_in_the_middle_of_a_message_gets_the_rest_of_it() {
    let server = Server::open(patient(), Limits::default()).await;
    server.hall.start_game("a", 1, 1, &[]);
    let mut first = server.watch("").await;
    let stream = json(&mut first).await["snapshot"]["stream"].as_str().unwrap().to_owned();
    server.hall.play("a", 1);
    json(&mut first).await;
    server.hall.play("a", 5);
    assert_eq!(whole(&mut first).await["events"].as_array().unwrap().len(), 5);
    for since in 2..7 {
        let mut back = server.watch(&format!("?stream={stream}&since={since}")).await;
        assert_eq!(json(&mut back).await["resumed"]["seq"], since);
        for expected in since + 1..=7 {
            assert_eq!(seq(&json(&mut back).await), expected);
        }
    }
}

#[tokio::test]
async fn who_comes_while_events_wait_gets_each_of_them_once() {
    let server = Server::open(patient(), Limits::default()).await;
    server.hall.start_game("a", 1, 1, &[]);
    let mut first = server.watch("").await;
    json(&mut first).await;
    server.hall.play("a", 1);
    json(&mut first).await;
    server.hall.play("a", 2);
    // The snapshot has the events that the others wait for.
    let mut late = server.watch("").await;
    let have = json(&mut late).await["snapshot"]["seq"].as_u64().unwrap();
    server.hall.play("a", 2);
    for expected in have + 1..=6 {
        assert_eq!(seq(&json(&mut late).await), expected);
    }
    for expected in 3..=6 {
        assert_eq!(seq(&json(&mut first).await), expected);
    }
}

#[tokio::test]
async fn a_choice_of_games_has_the_numbers_of_the_round_with_gaps() {
    let server = Server::usual().await;
    for (id, table) in [("a", 1), ("b", 2), ("c", 3)] {
        server.hall.start_game(id, 1, table, &[]);
    }
    let mut all = server.watch("").await;
    let mut some = server.watch("?games=b,c,b").await;
    let round = json(&mut all).await["snapshot"].clone();
    let snapshot = json(&mut some).await["snapshot"].clone();
    assert_eq!((&snapshot["stream"], &snapshot["seq"]), (&round["stream"], &round["seq"]));
    let games: Vec<_> = snapshot["games"].as_array().unwrap().iter().map(|game| game["game"].clone()).collect();
    assert_eq!(games, ["b", "c"]);
    for id in ["a", "b", "a", "c", "a", "b"] {
        server.hall.play(id, 1);
    }
    let (mut of_all, mut of_some) = (Vec::new(), Vec::new());
    while of_all.len() < 6 {
        of_all.push(json(&mut all).await);
    }
    while of_some.len() < 3 {
        of_some.push(json(&mut some).await);
    }
    assert_eq!(of_some, [of_all[1].clone(), of_all[3].clone(), of_all[5].clone()]);
    // It goes on from any number of the round, its own or not.
    let since = seq(&of_all[2]);
    let mut back =
        server.watch(&format!("?games=b,c&stream={}&since={since}", round["stream"].as_str().unwrap())).await;
    assert_eq!(json(&mut back).await["resumed"]["seq"], since);
    assert_eq!([json(&mut back).await, json(&mut back).await], [of_all[3].clone(), of_all[5].clone()]);
    // A withdrawn game is gone from a choice as well.
    server.hall.record(vec![Fact::Withdrawn { game: "b".into(), withdrawn: true }], Vec::new());
    let left = json(&mut some).await["snapshot"]["games"].as_array().unwrap().len();
    assert_eq!(left, 1);
}

#[tokio::test]
async fn a_choice_that_cannot_be_followed_is_refused_with_a_sentence() {
    let server = Server::usual().await;
    server.hall.start_game("a", 1, 1, &[]);
    server.hall.start_game("b", 2, 1, &[]);
    let many: Vec<_> = (0..101).map(|number| number.to_string()).collect();
    for (query, status) in [
        ("?games=nobody".to_owned(), 404),
        ("?games=".to_owned(), 400),
        ("?games=a,b".to_owned(), 400),
        ("?round=2&games=a".to_owned(), 400),
        ("?event=other&games=a".to_owned(), 400),
        (format!("?games={}", many.join(",")), 400),
        ("?since=-1".to_owned(), 400),
        ("?round=99999999999".to_owned(), 400),
    ] {
        let refused = server.shake_hands(TcpStream::connect(server.address).await.unwrap(), &query).await;
        assert!(matches!(&refused, Err(Error::Http(answer)) if answer.status() == status), "{query}");
    }
    let stream = TcpStream::connect(server.address).await.unwrap();
    let refused = server.shake_hands(stream, &format!("?games={}", "x,".repeat(20_000))).await;
    assert!(refused.is_err(), "a gigantic choice");
}

#[tokio::test]
async fn a_heartbeat_says_that_nothing_is_missing() {
    let beat_every = Duration::from_millis(60);
    let server = Server::open(hub::Limits { beat_every, ..hub::Limits::default() }, Limits::default()).await;
    server.hall.start_game("a", 1, 1, &[]);
    let mut viewer = server.watch("").await;
    json(&mut viewer).await;
    server.hall.play("a", 2);
    let heartbeat = loop {
        let json: Value = serde_json::from_str(message(&mut viewer).await.to_text().unwrap()).unwrap();
        if json["heartbeat"]["seq"] == 3 {
            break json["heartbeat"].clone();
        }
    };
    assert!(heartbeat["at"].as_u64().unwrap() >= server.hall.view.game("a").unwrap().changed_at);
}
