//! One output: reads its view, sends the difference to what its consumer acknowledged, and says how it is.
//!
//! Time and randomness come in as arguments. Must not know threads.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, PoisonError};

use hall_clock::{HallClock, UtcMs};
use publish::gate::PublicView;

use crate::consumer::{self, Consumer, Delivered, Found, Job};
use crate::end::End;
use crate::http::Http;
use crate::queue::{Failure, Parcel, Queue, Refused};
use crate::sentence::OutputSentence;
use crate::settings::Settings;
use crate::status::{ItemProblem, State, Status};
use crate::store::{Kept, Store};
use crate::wanted::{Source, Wanted};

/// Attempts that neither send nor fail, such as a smaller body after one was too large.
const MOST_IDLE_ATTEMPTS: u32 = 20;

/// Time between two looks whether the consumer has lost files, in milliseconds.
const LOST_EVERY_MS: u64 = 5_000;

/// Problems that are shown at once.
const MOST_PROBLEMS: usize = 100;

/// What a person orders.
#[derive(Clone, Debug)]
pub(crate) enum Order {
    /// By this account.
    Pause(String),
    Resume,
    /// Everything again, or one round, after the consumer was emptied if it can be.
    SendAgain(Option<u32>),
}

/// What is emptied at the consumer before anything else.
#[derive(Clone, Copy, Debug)]
struct Reset {
    /// None for all rounds.
    round: Option<u32>,
}

/// One output.
pub(crate) struct Output {
    name: String,
    target: String,
    source: Source,
    consumer: Box<dyn Consumer>,
    queue: Queue,
    paused_by: Option<String>,
    reset: Option<Reset>,
    found: Found,
    /// Digest of everything that is wanted.
    seen: Option<u64>,
    idle_attempts: u32,
    /// When it is looked whether the consumer has lost files.
    lost_look_at: UtcMs,
    store: Store,
    end: End,
    status: Arc<Mutex<Status>>,
}

impl Output {
    pub(crate) fn new(
        settings: &Settings,
        (view, hall): (PublicView, HallClock),
        http: &Arc<dyn Http>,
        (store, end): (Store, End),
        status: Arc<Mutex<Status>>,
    ) -> Self {
        let target = settings.identity();
        let kept = store.kept(&settings.name);
        let memory = if kept.target == target { kept.memory } else { crate::queue::Memory::default() };
        Self {
            name: settings.name.clone(),
            target,
            source: Source::new(view, hall, settings),
            consumer: consumer::of(settings, &end.before(http)),
            queue: Queue::with(memory),
            paused_by: kept.paused_by,
            reset: None,
            found: Found::default(),
            seen: None,
            idle_attempts: 0,
            lost_look_at: 0,
            store,
            end,
            status,
        }
    }

    pub(crate) fn order(&mut self, order: Order) {
        match order {
            Order::Pause(by) => self.paused_by = Some(by),
            Order::Resume => {
                self.paused_by = None;
                self.queue.try_now();
            }
            Order::SendAgain(round) => {
                self.reset = Some(Reset { round });
                self.queue.try_now();
            }
        }
        self.keep();
    }

    /// Does what is due; says when it wants to be called again if nothing changes. `random` is from 0 to 1.
    pub(crate) fn step(&mut self, now: UtcMs, random: f64) -> Option<UtcMs> {
        if self.paused_by.is_some() {
            self.tell(|status| {
                *status = Status { state: State::Paused, ..status.clone() };
                (status.next_attempt_at, status.attempt_since) = (None, None);
            });
            return None;
        }
        let wanted = match self.source.read() {
            Ok(wanted) => wanted,
            Err(sentence) => {
                self.tell(|status| (status.state, status.warnings) = (State::Idle, vec![sentence.coded()]));
                return None;
            }
        };
        let parcels = self.consumer.parcels(&wanted);
        if self.consumer.may_lose() && now >= self.lost_look_at {
            self.lost_look_at = now + LOST_EVERY_MS;
            self.look_for_lost(&parcels);
        }
        if self.end.has_come() {
            return None;
        }
        if self.reset.is_some() && self.queue.is_due(now) {
            self.empty(&wanted, &parcels, now, random);
        }
        let work = self.queue.work(&parcels);
        let is_behind = !work.is_empty() || self.reset.is_some();
        let waiting = work.len();
        let due = self.reset.is_none() && !work.is_empty() && self.queue.is_due(now);
        if due {
            self.tell(|status| {
                status.attempt_since = Some(now);
                if status.state != State::Failing && status.state != State::Retrying {
                    status.state = State::Sending;
                }
                status.waiting = waiting;
            });
            let job = Job {
                wanted: &wanted,
                parcels: &parcels,
                work: &work,
                memory: &self.queue.memory,
                end: &self.end,
                now,
            };
            let delivered = self.consumer.deliver(&job);
            let gone = work.gone;
            self.apply(delivered, &parcels, &gone, now, random);
        } else if !is_behind && self.consumer.look_at(&self.queue.memory).is_some_and(|at| at <= now) {
            self.tell(|status| status.attempt_since = Some(now));
            if let Some(found) = self.consumer.look(&wanted, &parcels, &self.queue.memory, now) {
                for key in &found.removed {
                    self.queue.removed(key);
                }
                if !found.removed.is_empty() {
                    self.keep();
                }
                self.found = found;
            }
        }
        let work = self.queue.work(&parcels);
        let is_behind = !work.is_empty() || self.reset.is_some();
        let waiting = work.len();
        self.queue.note_behind(now, is_behind);
        self.report(&wanted, &parcels, waiting, now);
        let next_attempt = is_behind.then(|| self.queue.not_before().max(now));
        let next_look = if is_behind { None } else { self.consumer.look_at(&self.queue.memory) };
        let lost = self.consumer.may_lose().then_some(self.lost_look_at);
        [next_attempt, next_look, lost].into_iter().flatten().min()
    }

    /// What the consumer has lost is sent again.
    fn look_for_lost(&mut self, parcels: &[Parcel]) {
        let sent = &self.queue.memory.sent;
        let sent: Vec<_> = parcels.iter().filter(|parcel| sent.get(&parcel.key) == Some(&parcel.digest)).collect();
        let lost = self.consumer.lost(&sent);
        if !lost.is_empty() {
            tracing::warn!(output = self.name, files = lost.len(), "the consumer has lost files: they are sent again");
            self.queue.lost(&lost);
        }
    }

    /// Empties what is to be sent again.
    fn empty(&mut self, wanted: &Wanted, parcels: &[Parcel], now: UtcMs, random: f64) {
        let Some(Reset { round }) = self.reset else { return };
        if let Err(failure) = self.consumer.reset(wanted, round) {
            self.queue.failed(now, failure, random);
            return;
        }
        self.reset = None;
        self.found = Found::default();
        match round {
            None => self.queue.forget(parcels),
            Some(round) => {
                let keys = parcels.iter().filter(|parcel| parcel.round == round);
                self.queue.forget_round(round, keys.map(|parcel| parcel.key.as_str()));
            }
        }
        self.keep();
    }

    fn apply(&mut self, delivered: Delivered, parcels: &[Parcel], gone: &[String], now: UtcMs, random: f64) {
        let Delivered { taken, refused, removed, left, ordered, answer, failure } = delivered;
        let by_key: BTreeMap<_, _> = parcels.iter().map(|parcel| (parcel.key.as_str(), parcel)).collect();
        let moved =
            !(taken.is_empty() && refused.is_empty() && removed.is_empty() && left.is_empty() && ordered.is_empty());
        for parcel in taken.iter().filter_map(|key| by_key.get(key.as_str())) {
            self.queue.acknowledged(parcel);
        }
        for (key, reason) in refused {
            if let Some(parcel) = by_key.get(key.as_str()) {
                self.queue.refused(parcel, &reason);
            }
        }
        for key in removed.iter().filter(|key| gone.contains(key)) {
            self.queue.removed(key);
        }
        for key in left.iter().filter(|key| gone.contains(key)) {
            self.queue.left(key);
        }
        for (round, keys) in ordered {
            self.queue.ordered(round, keys);
        }
        self.idle_attempts = if moved { 0 } else { self.idle_attempts + 1 };
        let stuck =
            || (self.idle_attempts > MOST_IDLE_ATTEMPTS).then(|| Failure::unreachable(OutputSentence::NothingGoes));
        let failure = failure.or_else(stuck);
        let said = failure.as_ref().map(|failure| (*failure.sentence).clone()).or(answer);
        match failure {
            Some(failure) => {
                tracing::debug!(output = self.name, reason = %failure.sentence, "an output could not send");
                self.queue.failed(now, failure, random);
            }
            None => self.queue.succeeded(now, self.consumer.spacing_ms()),
        }
        self.tell(|status| {
            if said.is_some() {
                (status.answer, status.answered_at) = (said, Some(now));
            }
        });
        if moved {
            self.keep();
        }
    }

    fn report(&mut self, wanted: &Wanted, parcels: &[Parcel], waiting: usize, now: UtcMs) {
        let mut digest = DefaultHasher::new();
        for parcel in parcels {
            (&parcel.key, &parcel.digest).hash(&mut digest);
        }
        let digest = digest.finish();
        // What a restart finds unchanged is no change.
        let changed = if self.seen.is_none() { waiting > 0 } else { self.seen != Some(digest) };
        self.seen = Some(digest);
        let memory = &self.queue.memory;
        let labels: BTreeMap<_, _> = parcels.iter().map(|parcel| (&parcel.key, parcel)).collect();
        let refused = memory.refused.iter().filter_map(|(key, Refused { digest, reason })| {
            let parcel = labels.get(key).filter(|parcel| parcel.digest == *digest)?;
            Some(ItemProblem { item: parcel.label.clone(), reason: Box::new(reason.clone().into()) })
        });
        let problems: Vec<_> = refused.chain(self.found.problems.iter().cloned()).take(MOST_PROBLEMS).collect();
        let mut warnings = self.consumer.warnings(wanted);
        // What makes attempts fail is said as the trouble.
        let trouble = self.queue.failing().map(|(_, failure)| &failure.sentence.code);
        warnings.retain(|warning| trouble != Some(&warning.code));
        warnings.extend(self.found.warnings.iter().cloned());
        if let Some(first) = memory.left.first() {
            warnings.push(OutputSentence::FilesLeft { files: memory.left.len(), first: first.clone() }.coded());
        }
        if let Some(ItemProblem { item, reason }) = problems.first().cloned() {
            let differs = match problems.len() {
                1 => OutputSentence::Differs { item, reason },
                count => OutputSentence::ManyDiffer { count, item, reason },
            };
            warnings.push(differs.coded());
        }
        let failing = self.queue.failing().map(|(since, failure)| (since, (*failure.sentence).clone()));
        let is_behind = waiting > 0 || self.reset.is_some() || self.queue.behind_since().is_some();
        let state = match (&failing, is_behind) {
            (Some(_), true) => State::Retrying,
            (_, true) => State::Sending,
            _ if parcels.is_empty() => State::Idle,
            _ => State::UpToDate,
        };
        let next_attempt_at = (state == State::Retrying).then(|| self.queue.not_before());
        let (sent, sent_at, behind_since) = (memory.sent.len(), memory.sent_at, self.queue.behind_since());
        let failures = self.queue.failures();
        self.tell(|status| {
            let changed_at = if changed { Some(now) } else { status.changed_at };
            *status = Status {
                state,
                trouble: failing.as_ref().filter(|_| is_behind).map(|(_, sentence)| sentence.clone()),
                warnings,
                changed_at,
                sent_at,
                answer: status.answer.take(),
                answered_at: status.answered_at,
                behind_since,
                waiting,
                sent,
                next_attempt_at,
                failing_since: failing.filter(|_| is_behind).map(|(since, _)| since),
                failures,
                attempt_since: None,
                problems,
            };
        });
    }

    /// A fault of the program in a step: it counts as a failed attempt.
    pub(crate) fn faulted(&mut self, now: UtcMs, random: f64) -> UtcMs {
        self.queue.failed(now, Failure::unreachable(OutputSentence::Fault), random);
        let failures = self.queue.failures();
        self.tell(|status| {
            status.failures = failures;
            status.state = State::Retrying;
            status.trouble = Some(OutputSentence::Fault.coded());
            status.failing_since.get_or_insert(now);
            status.attempt_since = None;
        });
        self.queue.not_before()
    }

    fn keep(&self) {
        let kept =
            Kept { target: self.target.clone(), paused_by: self.paused_by.clone(), memory: self.queue.memory.clone() };
        // Another output may have the name of a removed one by now.
        self.end.keep(|| {
            if let Err(error) = self.store.keep(&self.name, &kept) {
                tracing::warn!(output = self.name, %error, "what was sent cannot be noted: after a restart it is sent again");
            }
        });
    }

    fn tell(&self, change: impl FnOnce(&mut Status)) {
        change(&mut self.status.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
