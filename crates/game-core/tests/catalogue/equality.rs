//! Sessions that are equal stay equal: of two that heard the same but for one message, and are equal again, neither tells
//! anything that the other one does not, whatever comes.

use std::collections::VecDeque;

use fastrand::Rng;
use game_core::event::Record;
use game_core::input::{Attach, Command, Detach, Input, Notice, Order};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;

use crate::classes::all;
use crate::table::watch;

/// Classes of which one message is lost or damaged.
const CLASSES: [&str; 6] =
    ["clean", "human", "takebacks", "human, no clock", "gap of 1 to 6 plies", "illegal, corrected"];
/// Messages of each class, one after the other, that something happens to.
const FAULTS: usize = 5;

/// A session, and what it tells.
#[derive(Clone, Default)]
struct Heard {
    session: BoardSession,
    told: VecDeque<Output>,
}

impl Heard {
    fn hear(&mut self, at: Timestamp, input: &Input) {
        while let Some(due) = self.session.next_deadline().filter(|due| *due <= at) {
            self.session.handle_timeout(due);
            self.drain();
        }
        self.session.handle_input(at, input);
        // Both know that messages get lost on this line.
        self.session.assume_damage();
        self.drain();
    }

    fn drain(&mut self) {
        while let Some(output) = self.session.poll_output() {
            self.told.push_back(output);
        }
    }
}

fn damaged(input: &Input, rng: &mut Rng) -> Input {
    let Input::Bytes(bytes) = input else { return input.clone() };
    let mut bytes = bytes.clone();
    if let Some(at) = (!bytes.is_empty()).then(|| rng.usize(0..bytes.len())) {
        bytes[at] ^= 1 << rng.u8(0..8);
    }
    Input::Bytes(bytes)
}

/// What comes in the end: what was heard at this table, of which more is lost and damaged, cables that are pulled, and orders.
fn future(rest: &[(Timestamp, Input)], rng: &mut Rng) -> Vec<(Timestamp, Input)> {
    let mut coming = Vec::new();
    for (at, input) in rest {
        match rng.u8(0..200) {
            0..4 => {}
            4..8 => coming.push((*at, damaged(input, rng))),
            8 => coming.extend([(*at, input.clone()), (*at, input.clone())]),
            9 => {
                coming.push((*at, Input::Notice(Notice::Detach(Detach::default()))));
                coming.push((*at, Input::Notice(Notice::Attach(Attach::default()))));
            }
            10 => {
                let order = Order::GoOn;
                let command = Command { by: "Ada".to_owned(), order };
                coming.push((*at, Input::Notice(Notice::Command(command))));
            }
            _ => coming.push((*at, input.clone())),
        }
    }
    coming
}

#[test]
fn sessions_that_are_equal_tell_the_same_whatever_comes() {
    let (mut equal, mut tried) = (0, 0);
    for (number, name) in (0..).zip(CLASSES) {
        let class = all().find(|class| class.name == name).expect(name);
        let inputs = watch((class.case)(number)).inputs;
        let mut rng = Rng::with_seed(number);
        let mut good = Heard::default();
        let step = inputs.len().min(900) / FAULTS;
        for at in 0..inputs.len().min(900) {
            if at % step.max(1) == step / 2 && matches!(inputs[at].1, Input::Bytes(_)) {
                tried += 1;
                equal += usize::from(stays_equal(&good, &inputs[at..], &mut rng, &format!("{name}, input {at}")));
            }
            let (now, input) = &inputs[at];
            good.hear(*now, input);
        }
    }
    println!("{equal} of {tried} pairs of sessions became equal");
    assert!(equal * 3 >= tried, "only {equal} of {tried} pairs of sessions became equal: the test shows little");
}

/// Whether a session to which something happened becomes equal to one to which nothing did; from there on both tell the same.
fn stays_equal(before: &Heard, inputs: &[(Timestamp, Input)], rng: &mut Rng, what: &str) -> bool {
    let (mut good, mut other) = (before.clone(), before.clone());
    let Some(((now, input), rest)) = inputs.split_first() else { return false };
    good.hear(*now, input);
    if rng.bool() {
        other.hear(*now, &damaged(input, rng));
    }
    for (number, (now, input)) in rest.iter().enumerate() {
        good.hear(*now, input);
        other.hear(*now, input);
        if !good.session.is_equivalent_to(&other.session, *now) {
            continue;
        }
        good.told.clear();
        other.told.clear();
        for (at, input) in future(&rest[number + 1..], rng) {
            good.hear(at, &input);
            other.hear(at, &input);
            let told = |heard: &Heard| heard.told.iter().map(public).collect::<Vec<_>>();
            assert_eq!(told(&good), told(&other), "{what}: equal at {now:?}, different at {at:?}");
            good.told.clear();
            other.told.clear();
        }
        return true;
    }
    false
}

/// What is given out: commands and events.
fn public(output: &Output) -> Result<Record, String> {
    match output {
        Output::Event(record) => Ok(record.clone()),
        Output::Send(command) => Err(format!("{command:?}")),
    }
}
