//! The state behind the protected API: the parts of the daemon that handlers use, and the limits on password work.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::hashing::{Hashing, Queue, Unhashed};
use super::live::entries::Live;
use super::problem::accounts_problem;
use super::rates::{Counted, Rates, of_address};
use super::reach::PublicUrl;
use super::reports::Reports;
use super::sources::socket::Places;
use crate::alarms::AlarmBook;
use crate::director::{Change, DirectorHandle};
use crate::first_link::ShownLink;
use crate::metrics::Metrics;
use crate::rehearsal::Rehearsals;
use crate::review::Review;
use crate::service::Liveness;
use crate::sources::GameSources;
use crate::time_offer::TimeOffers;
use crate::transport::ports::Ports;
use accounts::{Accounts, AccountsError, Attempts, Digest, Hashed, Name, Password, SALT_BYTES, Secret};
use hall_clock::{HallClock, UtcMs};
use journal::{Feed, Reader, RecorderHandle};
use outputs::Outputs;
use public_web::Client;
use public_web::Report;
use public_web::problem::{Problem, failing};

/// Path of the protected API.
pub(super) const API: &str = "/api/v1/admin";

/// Sockets of the dashboard at once.
const WATCHERS: usize = 256;

/// After this time a refused password may be sent again.
const HASH_AGAIN_MS: u64 = 2_000;

/// The state of the protected API.
pub struct Admin {
    pub(super) parts: Parts,
    attempts: Mutex<Attempts>,
    /// Attempts to log in, by address.
    logins: Counted<u128>,
    /// Requests that change something, by account or key.
    writes: Counted<String>,
    /// None when the system gave no threads: then no login is possible.
    hashing: Option<Hashing>,
    /// Digest of the token in the link for the first administrator.
    first_token: Mutex<Option<Digest>>,
    /// The file with the link of that token.
    first_link: Mutex<Option<ShownLink>>,
    /// What the dashboard shows.
    pub(super) live: Live,
    /// Who changed an output last, since the start.
    pub(super) output_changes: tokio::sync::Mutex<BTreeMap<String, Change>>,
    /// What visitors report.
    pub(super) reports: Reports,
    /// Places for sockets of the dashboard.
    pub(super) watchers: Arc<Semaphore>,
    /// Places for sockets of programs that send positions.
    pub(super) positions: Places,
    /// When it began, in real time.
    pub(super) started_at: UtcMs,
}

/// The parts of the daemon that the protected API uses.
pub struct Parts {
    /// Accounts, sessions and keys; none when their file cannot be used, and then no login is possible.
    pub accounts: Option<Accounts>,
    /// Where a proxy serves the API over TLS; none when it is served on this machine only.
    pub public_url: Option<PublicUrl>,
    /// Where browsers of the network reach the daemon's own HTTPS; none without it.
    pub https: Option<SocketAddr>,
    /// Where programs of the network reach the public pages without TLS; none when they do not, or the address is not known.
    pub plain: Option<SocketAddr>,
    /// The owner of the tournament.
    pub director: DirectorHandle,
    /// The journal, for history and backup.
    pub reader: Arc<Reader>,
    /// The alarms.
    pub alarms: AlarmBook,
    /// Hall time, which alarms use.
    pub hall_clock: HallClock,
    /// Real time, also in a demo at higher speed: sessions and keys of persons end by it, and attempts are counted by it.
    pub real_clock: HallClock,
    /// The writer of the journal, for its health.
    pub recorder: RecorderHandle,
    /// What a person has to look at in the record.
    pub review: Review,
    /// The data folder; a backup is written there before it is sent.
    pub data: PathBuf,
    /// The committed events, for the dashboard.
    pub feed: Feed,
    /// What is sent to other programs and sites.
    pub outputs: Outputs,
    /// Where games of other recorders come from.
    pub sources: GameSources,
    /// How often one client may log in and change something.
    pub rates: Rates,
    /// The time that a person's device gives to a computer without a clock.
    pub time: TimeOffers,
    /// What monitoring asks about.
    pub metrics: Arc<Metrics>,
    /// Whether the owners of the daemon's state answer.
    pub liveness: Liveness,
    /// The ports of the machine.
    pub ports: Ports,
    /// Whether this daemon is a rehearsal beside that of the event.
    pub is_rehearsal: bool,
    /// The rehearsal beside this daemon.
    pub rehearsals: Rehearsals,
    /// The stop of the daemon, which ends the sockets of the dashboard.
    pub stop: CancellationToken,
}

impl Admin {
    /// The state over these parts.
    pub fn new(parts: Parts) -> Self {
        Self {
            started_at: parts.real_clock.now(),
            live: Live::new(&parts.feed),
            output_changes: tokio::sync::Mutex::default(),
            reports: Reports::default(),
            watchers: Arc::new(Semaphore::new(WATCHERS)),
            positions: Places::default(),
            logins: Counted::new(parts.rates.logins_per_minute),
            writes: Counted::new(parts.rates.writes_per_minute),
            parts,
            attempts: Mutex::default(),
            hashing: Hashing::start().inspect_err(|error| tracing::error!(%error, "no one can log in")).ok(),
            first_token: Mutex::default(),
            first_link: Mutex::default(),
        }
    }

    /// Keeps what a visitor reports about a game; false when there are too many reports.
    pub(crate) fn take_report(&self, report: Report) -> bool {
        self.reports.take(report, self.parts.hall_clock.now())
    }

    /// A new link for the first administrator; `None` when there is an administrator. The previous link becomes invalid.
    /// `port` is the port served on this machine.
    ///
    /// # Errors
    /// When the accounts cannot be read or the system provides no random bytes.
    pub fn first_link(&self, port: u16) -> anyhow::Result<Option<String>> {
        if self.parts.accounts.as_ref().map_or(Ok(true), Accounts::has_administrator)? {
            return Ok(None);
        }
        let token = Secret::draw()?;
        *self.first_token.lock().unwrap_or_else(PoisonError::into_inner) = Some(token.digest());
        // Browsers do not send the part after «#», so no log has the token.
        let path = format!("/admin/first#{}", token.reveal());
        Ok(Some(match (&self.parts.public_url, self.parts.https) {
            (Some(public), _) => public.address(&path),
            (None, Some(https)) => format!("https://{https}{path}"),
            (None, None) => format!("http://localhost:{port}{path}"),
        }))
    }

    /// Whether the event of a section continues; none when there is no such section.
    pub(super) fn goes_on(&self, section: &str) -> Option<bool> {
        let hall = self.parts.director.hall();
        hall.section(section).map(|section| !section.is_over(self.parts.hall_clock.now()))
    }

    pub(super) fn is_first_token(&self, digest: Digest) -> bool {
        *self.first_token.lock().unwrap_or_else(PoisonError::into_inner) == Some(digest)
    }

    /// Whether there is no administrator yet.
    pub(super) async fn awaits_first(&self) -> bool {
        // Without a link there was one at the start. One may have been made since, by `boardcast user`.
        let printed = self.first_token.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        printed && self.accounts(|accounts, _| accounts.has_administrator()).await.is_ok_and(|has| !has)
    }

    /// Keeps the file with the link until there is an administrator or the daemon ends.
    pub(crate) fn keep_first_link(&self, shown: Option<ShownLink>) {
        *self.first_link.lock().unwrap_or_else(PoisonError::into_inner) = shown;
    }

    pub(super) fn forget_first_token(&self) {
        self.keep_first_link(None);
        *self.first_token.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Counts an attempt to log in from an address.
    pub(super) fn count_login(&self, Client(address): Client) -> Result<(), Problem> {
        let Some(address) = of_address(address) else { return Ok(()) };
        self.logins.one_more(address, self.parts.real_clock.now()).map_err(Problem::wait)
    }

    /// Counts a request of an account or key that changes something.
    pub(super) fn count_write(&self, name: &str) -> Result<(), Problem> {
        self.writes.one_more(name.to_owned(), self.parts.real_clock.now()).map_err(Problem::wait)
    }

    pub(super) fn count_attempt(&self, name: &str, queue: Queue) -> Result<(), Problem> {
        let (mut attempts, now) =
            (self.attempts.lock().unwrap_or_else(PoisonError::into_inner), self.parts.real_clock.now());
        let counted = if queue == Queue::Known { attempts.begin_known(name, now) } else { attempts.begin(name, now) };
        counted.map_err(|too_many| Problem::wait(too_many.wait_ms))
    }

    pub(super) fn forgive_attempts(&self, name: &Name) {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner).succeeded(name.as_str());
    }

    /// Uses the accounts on a thread that may block on the disk.
    pub(super) async fn accounts<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Accounts, UtcMs) -> Result<T, AccountsError> + Send + 'static,
    ) -> Result<T, Problem> {
        let (accounts, now) = (self.parts.accounts.clone().ok_or_else(failing)?, self.parts.real_clock.now());
        blocking(move || work(&accounts, now)).await?.map_err(accounts_problem)
    }

    /// Runs password work on a thread of its queue; refuses it when too many wait.
    pub(super) async fn hashing<T: Send + 'static>(
        &self,
        queue: Queue,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let hashed = self.hashing.as_ref().ok_or_else(failing)?.run(queue, work).await;
        hashed.map_err(|unhashed| match unhashed {
            Unhashed::Busy => Problem::wait(HASH_AGAIN_MS),
            Unhashed::Failed => failing(),
        })
    }

    pub(super) async fn hash(&self, password: Password) -> Result<Hashed, Problem> {
        let mut salt = [0; SALT_BYTES];
        getrandom::fill(&mut salt).map_err(no_randomness)?;
        self.hashing(Queue::Known, move || password.hash(salt)).await?.map_err(accounts_problem)
    }
}

/// A new secret.
pub(super) fn draw() -> Result<Secret, Problem> {
    Secret::draw().map_err(no_randomness)
}

fn no_randomness(error: getrandom::Error) -> Problem {
    tracing::error!(%error, "the system provides no random bytes");
    failing()
}

/// Runs work that blocks on a thread of its own.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "a request failed");
        failing()
    })
}
