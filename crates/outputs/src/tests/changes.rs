//! Outputs that are changed and removed while their threads are at work.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hall_clock::HallClock;
use publish::gate::Delay;
use publish::test_hall::Hall;

use super::lichess::{not_made, planned};
use super::stand_in::StandIn;
use crate::consumer::lichess::broadcast::PlannedRound;
use crate::end::End;
use crate::http::{Http, NoAnswer, Request, Response};
use crate::manager::{Outputs, Start};
use crate::output::{Order, Output};
use crate::refusal::{OutputRefusal, Refusal};
use crate::settings::{HttpTarget, LichessTarget, Method, Settings, Target};
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

/// What is done while Lichess is asked.
type Meanwhile = Box<dyn FnOnce(&Outputs) + Send>;

/// A Lichess that takes its time: a person changes something while a round is made.
#[derive(Clone, Default)]
struct Slow {
    lichess: StandIn,
    outputs: Arc<Mutex<Option<Outputs>>>,
    meanwhile: Arc<Mutex<Option<Meanwhile>>>,
}

impl Http for Slow {
    fn send(&self, request: Request) -> Result<Response, NoAnswer> {
        if request.method == "POST" && request.url.ends_with("/new") {
            let (meanwhile, outputs) = (self.meanwhile.lock().unwrap().take(), self.outputs.lock().unwrap().clone());
            if let (Some(meanwhile), Some(outputs)) = (meanwhile, outputs) {
                meanwhile(&outputs);
            }
        }
        self.lichess.http().send(request)
    }
}

/// Makes two rounds; `meanwhile` changes the settings. What became of it, and the settings then.
fn make_rounds(meanwhile: impl FnOnce(&mut Settings) + Send + 'static) -> (Result<(), Refusal>, Settings) {
    let (hall, folder, slow) = (Hall::open(0.0), tempfile::tempdir().unwrap(), Slow::default());
    let outputs = outputs(&hall, folder.path(), Arc::new(slow.clone()));
    let target = Target::Lichess(not_made());
    outputs.add(Settings { name: "out".into(), section: None, delay: Delay::NONE, target }, "Ada").unwrap();
    *slow.outputs.lock().unwrap() = Some(outputs.clone());
    let settings = || outputs.list().remove(0).settings;
    let mut changed = settings();
    *slow.meanwhile.lock().unwrap() = Some(Box::new(move |outputs| {
        meanwhile(&mut changed);
        outputs.change("out", changed, "Bo").unwrap();
    }));
    let rounds: [PlannedRound; 2] = [planned(1, None), planned(2, None)];
    let made = outputs.make_rounds("out", "Spring Open", &rounds, "Ada").map(drop);
    let settings = settings();
    *slow.outputs.lock().unwrap() = None;
    (made, settings)
}

fn lichess(settings: &mut Settings) -> &mut LichessTarget {
    match &mut settings.target {
        Target::Lichess(target) => target,
        _ => unreachable!(),
    }
}

#[test]
fn rounds_that_are_made_join_what_was_changed_meanwhile() {
    let (made, mut settings) = make_rounds(|settings| {
        settings.delay = Delay::Seconds(900);
        lichess(settings).rounds = vec!["https://lichess.org/broadcast/open/round-1/aB3dE6gH".into()];
    });
    assert_eq!((made, settings.delay), (Ok(()), Delay::Seconds(900)));
    let target = lichess(&mut settings);
    assert_eq!(target.rounds, ["https://lichess.org/broadcast/open/round-1/aB3dE6gH", "round001"]);
    assert!(target.broadcast.is_some());
}

#[test]
fn rounds_of_another_section_are_not_taken_over() {
    let (made, mut settings) = make_rounds(|settings| settings.section = Some("juniors".into()));
    assert_eq!(made, Err(Refusal::Conflict(OutputRefusal::ChangedMeanwhile)));
    let target = lichess(&mut settings);
    assert_eq!((target.rounds.len(), &target.broadcast), (0, &None));
}
