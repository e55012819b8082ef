//! Outputs with stand-in consumers: what is sent, what happens in outages, and that everything is caught up exactly.

mod changes;
mod folder;
mod lichess;
mod network;
mod site;
mod stand_in;
mod web_dav;

use std::path::Path;
use std::sync::{Arc, Mutex};

use hall_clock::UtcMs;
use publish::gate::{Delay, Policy};
use publish::test_hall::Hall;

use crate::end::End;
use crate::http::Http;
use crate::output::Output;
use crate::settings::{Settings, Target};
use crate::status::Status;
use crate::store::Store;

/// An output driven by hand.
struct Driven {
    output: Output,
    status: Arc<Mutex<Status>>,
    now: UtcMs,
}

impl Driven {
    fn new(hall: &Hall, folder: &Path, http: &Arc<dyn Http>, delay: Delay, target: Target) -> Self {
        let settings = Settings { name: "out".into(), section: None, delay, target };
        settings.check().unwrap();
        let status = Arc::<Mutex<Status>>::default();
        let view = hall.gate.public(Policy::at_least(delay));
        let store = Store::new(folder.to_owned());
        let output = Output::new(&settings, (view, hall.clock), http, (store, End::default()), Arc::clone(&status));
        Self { output, status, now: 1_800_000_000_000 }
    }

    fn status(&self) -> Status {
        self.status.lock().unwrap().clone().at(self.now)
    }

    /// One step, now.
    fn step(&mut self) -> Option<UtcMs> {
        self.output.step(self.now, 0.5)
    }

    /// Lets time pass, with a step whenever the output asks for one; gives the number of steps.
    fn pass(&mut self, ms: u64) -> usize {
        let (until, mut steps) = (self.now + ms, 0);
        loop {
            let next = self.step();
            steps += 1;
            assert!(steps < 100_000, "it never rests");
            match next {
                Some(next) if next <= until => self.now = next.max(self.now),
                _ => break,
            }
        }
        self.now = until;
        steps
    }
}
