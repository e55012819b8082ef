//! All outputs: those of the configuration and those that people added, with their states.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use coded_text::CodedText;
use hall_clock::{HallClock, UtcMs};
use publish::gate::{Policy, PublicView, View};

use crate::consumer::lichess::broadcast::PlannedRound;
use crate::consumer::lichess::sentence::LichessSentence;
use crate::consumer::{self, lichess};
use crate::end::End;
use crate::http::Http;
use crate::output::{Order, Output};
use crate::queue::Failure;
use crate::refusal::{OutputRefusal, Refusal};
use crate::settings::{Settings, Target};
use crate::status::Status;
use crate::store::{Added, Store};
use crate::worker::{self, Bell};

/// Outputs of one daemon: each has a thread.
const MOST_OUTPUTS: usize = 32;

/// Makes the view of a policy.
pub type Views = Box<dyn Fn(Policy) -> PublicView + Send + Sync>;

/// What outputs begin with.
pub struct Start {
    /// Makes their views.
    pub views: Views,
    /// Hall time.
    pub hall: HallClock,
    /// Sends their requests.
    pub http: Arc<dyn Http>,
    /// The data folder.
    pub folder: PathBuf,
    /// The outputs of the configuration.
    pub configured: Vec<Settings>,
}

/// All outputs; copies share them.
#[derive(Clone)]
pub struct Outputs {
    shared: Arc<Shared>,
}

struct Shared {
    views: Views,
    hall: HallClock,
    /// Real time, also in a demonstration at higher speed: consumers live in it.
    clock: HallClock,
    http: Arc<dyn Http>,
    store: Store,
    running: Mutex<BTreeMap<String, Running>>,
    /// Held while outputs are added, changed or removed, until the list is written.
    changing: Mutex<()>,
}

struct Running {
    settings: Settings,
    /// Who added it and when; none for one of the configuration.
    added: Option<(String, UtcMs)>,
    bell: Bell,
    end: End,
    thread: JoinHandle<()>,
    status: Arc<Mutex<Status>>,
    /// Why the starts of its rounds at Lichess are not those that are planned.
    starts: Option<CodedText>,
}

/// An output and how it is.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its settings.
    pub settings: Settings,
    /// Who added it and when; none for one of the configuration.
    pub added: Option<(String, UtcMs)>,
    /// How it is.
    pub status: Status,
}

impl Outputs {
    /// Starts all outputs.
    ///
    /// # Errors
    /// One sentence when the outputs of the configuration cannot work.
    pub fn start(start: Start) -> Result<Self, String> {
        let Start { views, hall, http, folder, configured } = start;
        let store = Store::new(folder);
        let added = store.added();
        let clock = HallClock::start(1.0);
        let (running, changing) = <(Mutex<_>, Mutex<_>)>::default();
        let outputs = Self { shared: Arc::new(Shared { views, hall, clock, http, store, running, changing }) };
        for settings in configured {
            settings.check().map_err(|refusal| refusal.to_string())?;
            let name = settings.name.clone();
            outputs.run(settings, None, &mut None).map_err(|refusal| match refusal {
                Refusal::Conflict(_) => format!("Two outputs of the configuration have the name «{name}»: change one."),
                other => other.to_string(),
            })?;
        }
        for Added { settings, by, at } in added {
            let name = settings.name.clone();
            let run = settings
                .check()
                .map_err(Refusal::Invalid)
                .and_then(|()| outputs.run(settings, Some((by, at)), &mut None));
            if let Err(refusal) = run {
                tracing::error!(%refusal, "the output {name}, which was added by hand, does not start");
            }
        }
        Ok(outputs)
    }

    /// All outputs by name.
    pub fn list(&self) -> Vec<Known> {
        let now = self.shared.clock.now();
        let known = |running: &Running| {
            let mut status = running.status.lock().unwrap_or_else(PoisonError::into_inner).clone().at(now);
            status.warnings.extend(running.starts.clone());
            Known { settings: running.settings.clone(), added: running.added.clone(), status }
        };
        self.running().values().map(known).collect()
    }

    /// Real time, in which states are given.
    pub fn now(&self) -> UtcMs {
        self.shared.clock.now()
    }

    /// What a person has to know at once: the name of an output and its sentence; none while all work.
    pub fn failing(&self) -> Vec<(String, CodedText)> {
        let known = self.list().into_iter();
        known.filter_map(|known| Some((known.settings.name, known.status.alarm()?))).collect()
    }

    /// Adds an output.
    ///
    /// # Errors
    /// A [`Refusal`].
    pub fn add(&self, settings: Settings, by: &str) -> Result<(), Refusal> {
        check_added(&settings)?;
        let _changing = self.changing();
        let name = settings.name.clone();
        self.run(settings, Some((by.to_owned(), self.now())), &mut None)?;
        if let Err(refusal) = self.keep_added() {
            self.end(&name);
            return Err(refusal);
        }
        tracing::info!(by, "the output {name} was added");
        Ok(())
    }

    /// Changes the settings of an output that a person added; its name stays. What its consumer has acknowledged counts on, unless
    /// it sends to another place now. A secret that is left empty stays as it is.
    ///
    /// # Errors
    /// A [`Refusal`]; the output is as it was then.
    pub fn change(&self, name: &str, settings: Settings, by: &str) -> Result<(), Refusal> {
        let _changing = self.changing();
        self.change_to(name, settings, by)
    }

    /// The same; the caller holds `changing`.
    fn change_to(&self, name: &str, mut settings: Settings, by: &str) -> Result<(), Refusal> {
        if settings.name != name {
            return Err(Refusal::Invalid(OutputRefusal::NameStays));
        }
        let (before, added) = {
            let running = self.running();
            let known = running.get(name).ok_or(Refusal::Unknown)?;
            (known.settings.clone(), known.added.clone())
        };
        let Some(added) = added else {
            return Err(Refusal::Conflict(OutputRefusal::Configured));
        };
        settings.keep_secrets(&before);
        check_added(&settings)?;
        let mut ended = self.end(name).map(|ended| ended.thread);
        let changed = self.run(settings, Some(added.clone()), &mut ended).and_then(|()| self.keep_added());
        if let Err(refusal) = changed {
            let mut ended = self.end(name).map(|ended| ended.thread).or(ended);
            self.run(before, Some(added), &mut ended)?;
            return Err(refusal);
        }
        tracing::info!(by, "the output {name} was changed");
        Ok(())
    }

    /// Makes the broadcast of an output at Lichess and the rounds that it lacks there, and takes their ids over; a sentence for
    /// people. What is there is used, so that nothing is made twice.
    ///
    /// # Errors
    /// A [`Refusal`]; the rounds that were made before a failure are taken over. [`OutputRefusal::ChangedMeanwhile`] when the output
    /// sends another section or to another broadcast by then.
    pub fn make_rounds(
        &self,
        name: &str,
        event: &str,
        rounds: &[PlannedRound],
        by: &str,
    ) -> Result<CodedText, Refusal> {
        let (before, configured) = {
            let running = self.running();
            let known = running.get(name).ok_or(Refusal::Unknown)?;
            (known.settings.clone(), known.added.is_none())
        };
        let mut settings = before.clone();
        let Target::Lichess(target) = &mut settings.target else {
            return Err(Refusal::Conflict(OutputRefusal::NotLichess));
        };
        if configured {
            return Err(Refusal::Conflict(OutputRefusal::ConfiguredRounds));
        }
        let made = lichess::broadcast::complete(target, &self.shared.http, event, rounds, self.now());
        if settings != before {
            // Lichess took its time: what was made joins the settings as they are now.
            let _changing = self.changing();
            let now = self.running().get(name).ok_or(Refusal::Unknown)?.settings.clone();
            let joined = now.with_rounds_made(&before, &settings);
            self.change_to(name, joined.ok_or(Refusal::Conflict(OutputRefusal::ChangedMeanwhile))?, by)?;
        }
        made.map_err(|failure| Refusal::Consumer(failure.sentence))
    }

    /// Moves the starts at Lichess of rounds that were made from here and are planned for another time now; says how many. While that
    /// fails, the output has a warning.
    ///
    /// # Errors
    /// A [`Refusal`]; starts that were moved before a failure are noted.
    pub fn move_starts(&self, name: &str, rounds: &[PlannedRound]) -> Result<usize, Refusal> {
        let Target::Lichess(mut target) = self.running().get(name).ok_or(Refusal::Unknown)?.settings.target.clone()
        else {
            return Ok(0);
        };
        if lichess::broadcast::moves(&target, rounds).is_empty() {
            if let Some(running) = self.running().get_mut(name) {
                running.starts = None;
            }
            return Ok(0);
        }
        let moved = lichess::broadcast::move_starts(&mut target, &self.shared.http, rounds);
        let _changing = self.changing();
        if let Some(running) = self.running().get_mut(name) {
            // Other settings may have changed meanwhile.
            if let Target::Lichess(now) = &mut running.settings.target
                && now.broadcast == target.broadcast
            {
                now.starts = target.starts;
            }
        }
        let kept = self.keep_added();
        // A warning ends only once the start is kept.
        if let Some(running) = self.running().get_mut(name) {
            let not_moved = |failure: &Failure| LichessSentence::StartNotMoved { reason: failure.sentence.clone() };
            running.starts = moved.as_ref().err().map(|failure| not_moved(failure).coded());
        }
        kept?;
        moved.map_err(|failure| Refusal::Consumer(failure.sentence))
    }

    /// Removes an output that a person added.
    ///
    /// # Errors
    /// A [`Refusal`]; the output is as it was then.
    pub fn remove(&self, name: &str, by: &str) -> Result<(), Refusal> {
        let _changing = self.changing();
        let (settings, added) = {
            let running = self.running();
            let known = running.get(name).ok_or(Refusal::Unknown)?;
            (known.settings.clone(), known.added.clone())
        };
        if added.is_none() {
            return Err(Refusal::Conflict(OutputRefusal::ConfiguredRemove));
        }
        let Some(Running { end, thread, .. }) = self.end(name) else { return Err(Refusal::Unknown) };
        if let Err(refusal) = self.keep_added() {
            self.run(settings, added, &mut Some(thread))?;
            return Err(refusal);
        }
        end.remove(|| self.shared.store.forget(name));
        tracing::info!(by, "the output {name} was removed");
        Ok(())
    }

    /// Stops sending until [`Outputs::resume`], also over restarts.
    ///
    /// # Errors
    /// A [`Refusal`].
    pub fn pause(&self, name: &str, by: &str) -> Result<(), Refusal> {
        self.order(name, by, Order::Pause(by.to_owned()))
    }

    /// Goes on sending: first what changed meanwhile.
    ///
    /// # Errors
    /// A [`Refusal`].
    pub fn resume(&self, name: &str, by: &str) -> Result<(), Refusal> {
        self.order(name, by, Order::Resume)
    }

    /// Sends a round, or everything, again; Lichess' round is emptied before.
    ///
    /// # Errors
    /// A [`Refusal`].
    pub fn send_again(&self, name: &str, round: Option<u32>, by: &str) -> Result<(), Refusal> {
        self.order(name, by, Order::SendAgain(round))
    }

    /// Tries whether the consumer of an output would take something, and waits for that; sentences for people.
    ///
    /// # Errors
    /// A [`Refusal`]; [`Refusal::Consumer`] with what the consumer says.
    pub fn test(&self, name: &str) -> Result<Vec<CodedText>, Refusal> {
        let settings = self.running().get(name).ok_or(Refusal::Unknown)?.settings.clone();
        self.test_settings(&settings)
    }

    /// The same for settings that are not an output yet.
    ///
    /// # Errors
    /// A [`Refusal`].
    pub fn test_settings(&self, settings: &Settings) -> Result<Vec<CodedText>, Refusal> {
        settings.check().map_err(Refusal::Invalid)?;
        consumer::of(settings, &self.shared.http).test().map_err(|failure| Refusal::Consumer(failure.sentence))
    }

    /// Ends all threads after what they do now.
    pub fn stop(&self) {
        for running in self.running().values() {
            running.bell.stop();
        }
    }

    fn order(&self, name: &str, by: &str, order: Order) -> Result<(), Refusal> {
        let running = self.running();
        let output = running.get(name).ok_or(Refusal::Unknown)?;
        tracing::info!(by, ?order, "an order to the output {name}");
        output.bell.order(order);
        Ok(())
    }

    /// Starts an output once the thread of `before` has ended, which is taken with it.
    fn run(
        &self,
        settings: Settings,
        added: Option<(String, UtcMs)>,
        before: &mut Option<JoinHandle<()>>,
    ) -> Result<(), Refusal> {
        let mut running = self.running();
        if running.contains_key(&settings.name) {
            return Err(Refusal::Conflict(OutputRefusal::Taken { name: settings.name }));
        }
        if running.len() >= MOST_OUTPUTS {
            return Err(Refusal::Conflict(OutputRefusal::Count { most: MOST_OUTPUTS }));
        }
        if let Some(folder) = settings.target.folder()
            && running.values().any(|other| other.settings.target.folder() == Some(folder))
        {
            return Err(Refusal::Conflict(OutputRefusal::FolderTaken));
        }
        let (bell, end, status) = (Bell::default(), End::default(), Arc::<Mutex<Status>>::default());
        let shared = Arc::clone(&self.shared);
        let (own, own_bell, own_status) = (settings.clone(), bell.clone(), Arc::clone(&status));
        let kept = (shared.store.clone(), end.clone());
        let make = move || {
            let view = (shared.views)(Policy::at_least(own.delay));
            view.watch_while(own_bell.watcher());
            Output::new(&own, (view, shared.hall), &shared.http, kept, own_status)
        };
        let thread = worker::start(&settings.name, bell.clone(), self.shared.clock, before.take(), make)
            .map_err(|error| Refusal::Failed(OutputRefusal::Thread { reason: error.to_string() }))?;
        let name = settings.name.clone();
        running.insert(name, Running { settings, added, bell, end, thread, status, starts: None });
        Ok(())
    }

    /// Ends an output: what it sends at the moment is the last thing.
    fn end(&self, name: &str) -> Option<Running> {
        let ended = self.running().remove(name)?;
        ended.end.begin();
        ended.bell.stop();
        Some(ended)
    }

    fn keep_added(&self) -> Result<(), Refusal> {
        let added: Vec<_> = self
            .running()
            .values()
            .filter_map(|running| {
                let (by, at) = running.added.clone()?;
                Some(Added { settings: running.settings.clone(), by, at })
            })
            .collect();
        self.shared
            .store
            .keep_added(&added)
            .map_err(|error| Refusal::Failed(OutputRefusal::NotKept { reason: error.to_string() }))
    }

    fn changing(&self) -> MutexGuard<'_, ()> {
        self.shared.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self) -> MutexGuard<'_, BTreeMap<String, Running>> {
        self.shared.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        for running in self.running.get_mut().unwrap_or_else(PoisonError::into_inner).values() {
            running.bell.stop();
        }
    }
}

/// Checks the settings of an output that a person adds or changes.
fn check_added(settings: &Settings) -> Result<(), Refusal> {
    settings.check().map_err(Refusal::Invalid)?;
    match settings.target.folder() {
        Some(path) if !path.is_absolute() => {
            Err(Refusal::Invalid(OutputRefusal::FolderNotFull { path: path.display().to_string() }))
        }
        _ => Ok(()),
    }
}
