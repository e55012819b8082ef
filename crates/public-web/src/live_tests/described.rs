//! The description for programs, `docs/asyncapi.yaml`: its examples are what the server sends.

use super::*;
use publish::test_hall::round;
use tournament::RoundSettings;

const DOCUMENT: &str = include_str!("../../../../docs/asyncapi.yaml");

/// An instant of the examples; those of a run count as the same.
const INSTANT: u64 = 1_795_000_000_000;

/// The payload of the example of a message. Examples are written as JSON, which is also YAML.
fn example(message: &str) -> Value {
    let messages = DOCUMENT.split_once("\ncomponents:").unwrap().1;
    let described = messages.split_once(&format!("\n    {message}:\n")).unwrap().1;
    let (_, payload) = described.split_once("\n          payload: {").expect("every message has an example");
    let text = format!("{{{payload}");
    serde_json::Deserializer::from_str(&text).into_iter().next().unwrap().unwrap()
}

/// The same with one instant and one name of the stream for all.
fn masked(mut value: Value) -> Value {
    fn mask(name: &str, value: &mut Value) {
        match value {
            Value::Number(number) if number.as_u64().is_some_and(|number| number > INSTANT / 2) => {
                *value = INSTANT.into();
            }
            Value::String(text) if name == "stream" => "STREAM".clone_into(text),
            Value::Array(values) => values.iter_mut().for_each(|value| mask(name, value)),
            Value::Object(fields) => fields.iter_mut().for_each(|(name, value)| mask(name, value)),
            _ => {}
        }
    }
    mask("", &mut value);
    value
}

/// Fails unless a message looks like its example, numbers and texts aside.
pub(super) fn looks_like_its_example(name: &str, message: &Value) {
    fn names(value: &Value) -> Value {
        match value {
            Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), names(value))).collect(),
            _ => Value::Null,
        }
    }
    assert_eq!(names(message), names(&example(name)));
}

#[tokio::test]
async fn the_examples_are_what_the_server_sends() {
    let server = Server::open(
        hub::Limits { beat_every: Duration::from_millis(300), ..hub::Limits::default() },
        Limits::default(),
    )
    .await;
    let at = GameRef { game: "open-1-3".into(), event: "open".into(), round: 1, table: 3 };
    let listed = vec![section("open", "Open, group A"), round("hall", 1, RoundSettings::default())];
    server.hall.record(listed, Vec::new());
    server.hall.start(&at, &[("White", "Hou, Yifan"), ("Black", "Polgár, Judit")]);
    let mut viewer = server.watch("?event=open").await;
    let snapshot = whole(&mut viewer).await;
    assert_eq!(masked(snapshot.clone()), masked(example("snapshot")));

    let (clk_ms, emt_ms) = (Some(5_418_000), Some(12_000));
    let played = Event::Move { ply: 1, san: "e4".into(), uci: "e2e4".into(), clk_ms, emt_ms };
    let (white_ms, black_ms, read_at) = (clk_ms, Some(5_400_000), server.hall.clock.now());
    let clock = Event::Clock { white_ms, black_ms, running: Some(Side::Black), flag: None, read_at };
    server.hall.next_instant();
    server.hall.record(Vec::new(), vec![("open-1-3", played), ("open-1-3", clock)]);
    let events = whole(&mut viewer).await;
    assert_eq!(masked(events), masked(example("events")));

    let stream = snapshot["snapshot"]["stream"].as_str().unwrap();
    let mut back = server.watch(&format!("?event=open&stream={stream}&since=1")).await;
    assert_eq!(masked(whole(&mut back).await), masked(example("resumed")));
    loop {
        let any: Value = serde_json::from_str(message(&mut viewer).await.to_text().unwrap()).unwrap();
        if any.get("heartbeat").is_some() {
            assert_eq!(masked(any), masked(example("heartbeat")));
            break;
        }
    }
}

#[tokio::test]
async fn the_description_is_at_an_address_of_its_own() {
    let server = Server::usual().await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let request = "GET /api/v1/asyncapi.yaml HTTP/1.1\r\nHost: hall\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("content-type: application/yaml"), "{head}");
    assert_eq!(body, DOCUMENT);
}
