//! Outputs that are changed and removed while their threads are at work.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hall_clock::HallClock;
use publish::gate::Delay;
use publish::test_hall::Hall;

use super::stand_in::StandIn;
use crate::end::End;
use crate::http::{Http, NoAnswer, Request, Response};
use crate::manager::{Outputs, Start};
use crate::output::{Order, Output};
use crate::settings::{HttpTarget, Method, Settings, Target};
use crate::status::Status;
use crate::store::Store;
use crate::worker::{self, Bell};

/// Longer than anything here takes; only a defect waits so long.
const PATIENCE: Duration = Duration::from_mins(1);

/// A server whose answers are given by hand.
struct ByHand {
    asked: Sender<String>,
    answer: Mutex<Receiver<()>>,
}

impl Http for ByHand {
    fn send(&self, request: Request) -> Result<Response, NoAnswer> {
        let _ = self.asked.send(request.url);
        let _ = self.answer.lock().unwrap().recv();
        Ok(Response { status: 204, ..Response::default() })
    }
}

fn by_hand() -> (Arc<dyn Http>, Receiver<String>, Sender<()>) {
    let ((asked, requests), (answers, answer)) = (channel(), channel());
    (Arc::new(ByHand { asked, answer: Mutex::new(answer) }), requests, answers)
}

fn outputs(hall: &Hall, folder: &Path, http: Arc<dyn Http>) -> Outputs {
    let gate = hall.gate.clone();
    Outputs::start(Start {
        views: Box::new(move |policy| gate.public(policy)),
        hall: hall.clock,
        http,
        folder: folder.to_owned(),
        configured: Vec::new(),
    })
    .unwrap()
}

fn put(host: &str) -> Settings {
    let target = HttpTarget { url: format!("http://{host}/{{round}}.pgn"), method: Method::Put, token: None };
    Settings { name: "out".into(), section: None, delay: Delay::NONE, target: Target::Http(target) }
}

fn two_rounds() -> Hall {
    let hall = Hall::open(0.0);
    hall.start_game("a", 1, 1, &[("White", "Adler, Ida")]);
    hall.start_game("b", 2, 1, &[("White", "Adler, Ida")]);
    hall
}

#[test]
fn a_changed_output_waits_for_the_last_request_of_the_earlier_settings() {
    let (hall, folder) = (two_rounds(), tempfile::tempdir().unwrap());
    let (http, requests, answers) = by_hand();
    let outputs = outputs(&hall, folder.path(), http);
    outputs.add(put("old"), "Ada").unwrap();
    let first = requests.recv_timeout(PATIENCE).unwrap();
    assert!(first.starts_with("http://old/"), "{first}");
    outputs.change("out", put("new"), "Ada").unwrap();
    assert!(requests.recv_timeout(Duration::from_millis(200)).is_err(), "two threads send for one output");
    for _ in 0..2 {
        answers.send(()).unwrap();
        let next = requests.recv_timeout(PATIENCE).unwrap();
        assert!(next.starts_with("http://new/"), "sent with the earlier settings: {next}");
    }
    drop(answers);
}

#[test]
fn a_removed_output_sends_its_last_request_and_leaves_no_file() {
    let (hall, folder) = (two_rounds(), tempfile::tempdir().unwrap());
    let (http, requests, answers) = by_hand();
    let outputs = outputs(&hall, folder.path(), http);
    outputs.add(put("old"), "Ada").unwrap();
    requests.recv_timeout(PATIENCE).unwrap();
    outputs.remove("out", "Ada").unwrap();
    answers.send(()).unwrap();
    assert!(requests.recv_timeout(Duration::from_millis(200)).is_err(), "a removed output sends");
    drop(answers);
    assert!(!folder.path().join("outputs/out.json").exists(), "what was sent is noted for a later output of the name");
}

#[test]
fn a_pause_that_was_ordered_just_before_the_stop_lasts() {
    let (hall, folder) = (two_rounds(), tempfile::tempdir().unwrap());
    let (bell, store, clock) = (Bell::default(), Store::new(folder.path().to_owned()), HallClock::start(1.0));
    bell.order(Order::Pause("Ada".into()));
    bell.stop();
    let (view, own) = (hall.gate.public(publish::gate::Policy::at_least(Delay::NONE)), store.clone());
    let make = move || {
        let http: Arc<dyn Http> = StandIn::default().http();
        let status = Arc::<Mutex<Status>>::default();
        Output::new(&put("old"), (view, clock), &http, (own, End::default()), status)
    };
    worker::start("out", bell, clock, None, make).unwrap().join().unwrap();
    assert_eq!(store.kept("out").paused_by.as_deref(), Some("Ada"));
}
