//! Planned starts that change, and a Lichess that is told.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc;

use ::tournament::Delay;
use outputs::Settings;
use outputs::settings::{LichessTarget, Target};

use super::*;
use crate::planned_starts;

const NINE: u64 = 1_795_176_000_000;

/// A Lichess that fails at its first request and takes the others; each is given out as its first line and its body.
fn lichess() -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, (asked, asks)) = (listener.local_addr().unwrap(), mpsc::channel());
    std::thread::spawn(move || {
        for (number, socket) in listener.incoming().enumerate() {
            let mut socket = BufReader::new(socket.unwrap());
            let (mut lines, mut length) = (Vec::new(), 0);
            loop {
                let mut line = String::new();
                socket.read_line(&mut line).unwrap();
                if let Some(text) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = text.trim().parse().unwrap();
                }
                if line.trim().is_empty() {
                    break;
                }
                lines.push(line);
            }
            let mut body = vec![0; length];
            socket.read_exact(&mut body).unwrap();
            let (status, answer) = match number {
                0 => ("502 Bad Gateway", "<html>"),
                _ => ("200 OK", r#"{"round":{"id":"round000","name":"Round 1"}}"#),
            };
            let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", answer.len());
            let _ = socket.get_mut().write_all(format!("{head}{answer}").as_bytes());
            if asked.send(format!("{} {}", lines[0].trim(), String::from_utf8_lossy(&body))).is_err() {
                return;
            }
        }
    });
    (format!("http://{address}"), asks)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_that_is_planned_anew_is_changed_at_lichess_later_by_the_delay() {
    let (site, operator) = Site::with_round().await;
    let (address, asks) = lichess();
    let target = LichessTarget {
        rounds: vec!["round000".into()],
        token: outputs::Secret::Text("lip_secret".into()),
        tables: None,
        broadcast: Some("tour0000".into()),
        starts: BTreeMap::from([(1, NINE)]),
        site: address,
    };
    let delay = Delay::Seconds(900);
    let output = Settings { name: "lichess".into(), section: None, delay, target: Target::Lichess(target) };
    site.outputs.add(output, "anna").unwrap();
    let plan = |at: u64| json!({ "order": "set_round", "section": "open-a", "round": 1, "settings": { "name": "Round 1", "planned_start": at } });
    site.order(&operator, plan(NINE)).await;
    // Ends with the test.
    let stop = CancellationToken::new();
    let following = tokio::spawn(planned_starts::follow(site.director.clone(), site.outputs.clone(), stop.clone()));
    let ask = |later: u64| format!("POST /broadcast/round/round000/edit?patch=1 HTTP/1.1 startsAt={}", NINE + later);
    let next = async || {
        let began = std::time::Instant::now();
        loop {
            if let Ok(asked) = asks.try_recv() {
                return asked;
            }
            assert!(began.elapsed() < std::time::Duration::from_mins(2), "Lichess was not asked");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    assert_eq!(next().await, ask(900_000));
    let warnings = async || site.get(&operator, "/outputs").await.json()[0]["warnings"].to_string();
    let wait_for = async |words: &str, there: bool| {
        let began = std::time::Instant::now();
        while warnings().await.contains(words) != there {
            assert!(began.elapsed() < std::time::Duration::from_mins(2), "{}", warnings().await);
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    wait_for("start of a round could not be changed", true).await;
    // Half an hour later, and with a longer delay of the round.
    let mut later = plan(NINE + 1_800_000);
    later["settings"]["delay_s"] = json!(1200);
    site.order(&operator, later).await;
    let mut asked = next().await;
    // The failed one may be tried again between the two orders.
    while asked == ask(900_000) {
        asked = next().await;
    }
    assert_eq!(asked, ask(1_800_000 + 1_200_000));
    wait_for("start of a round could not be changed", false).await;
    let kept = std::fs::read_to_string(site.folder.path().join("outputs.json")).unwrap();
    assert!(kept.contains(&(NINE + 3_000_000).to_string()), "{kept}");
    stop.cancel();
    following.await.unwrap().unwrap();
}
