//! The state behind the protected API: the parts of the daemon that handlers use, and the limits on password work.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::live::entries::Live;
use super::problem::accounts_problem;
use super::reach::PublicUrl;
use crate::alarms::AlarmBook;
use crate::director::DirectorHandle;
use accounts::{Accounts, AccountsError, Attempts, Digest, Hashed, Name, Password, SALT_BYTES, Secret};
use hall_clock::{HallClock, UtcMs};
use journal::{Feed, Reader, RecorderHandle};
use public_web::problem::{Problem, failing};

/// Path of the protected API.
pub(super) const API: &str = "/api/v1/admin";

/// Passwords that are hashed at the same time; each takes 20 MiB.
const PARALLEL_HASHES: usize = 2;

/// Passwords that wait for their turn; further ones are refused. They take less than a second.
const HASHES_WAITING: usize = 16;

/// Sockets of the dashboard at once.
const WATCHERS: usize = 256;

/// After this time a refused password may be sent again.
const HASH_AGAIN_MS: u64 = 2_000;

/// The state of the protected API.
pub struct Admin {
    pub(super) parts: Parts,
    attempts: Mutex<Attempts>,
    hashing: Semaphore,
    /// Places for passwords that are hashed or wait for it.
    hashing_places: Semaphore,
    /// Digest of the token in the link for the first administrator.
    first_token: Mutex<Option<Digest>>,
    /// What the dashboard shows.
    pub(super) live: Live,
    /// Places for sockets of the dashboard.
    pub(super) watchers: Arc<Semaphore>,
    /// When it began, in real time.
    pub(super) started_at: UtcMs,
    /// Real time, also in a demo at higher speed: sessions and keys of persons end by it.
    clock: HallClock,
}

/// The parts of the daemon that the protected API uses.
pub struct Parts {
    /// Accounts, sessions and keys; none when their file cannot be used, and then nobody can log in.
    pub accounts: Option<Accounts>,
    /// Where a proxy serves the API over TLS; none when it is served on this machine only.
    pub public_url: Option<PublicUrl>,
    /// The owner of the tournament.
    pub director: DirectorHandle,
    /// The journal, for history and backup.
    pub reader: Arc<Reader>,
    /// The alarms.
    pub alarms: AlarmBook,
    /// Hall time, which alarms use.
    pub hall_clock: HallClock,
    /// The writer of the journal, for its health.
    pub recorder: RecorderHandle,
    /// The data folder; a backup is written there before it is sent.
    pub data: PathBuf,
    /// The committed events, for the dashboard.
    pub feed: Feed,
    /// The stop of the daemon, which ends the sockets of the dashboard.
    pub stop: CancellationToken,
}

impl Admin {
    /// The state over these parts.
    pub fn new(parts: Parts) -> Self {
        let clock = HallClock::start(1.0);
        Self {
            started_at: clock.now(),
            live: Live::new(&parts.feed),
            watchers: Arc::new(Semaphore::new(WATCHERS)),
            parts,
            attempts: Mutex::default(),
            hashing: Semaphore::new(PARALLEL_HASHES),
            hashing_places: Semaphore::new(PARALLEL_HASHES + HASHES_WAITING),
            first_token: Mutex::default(),
            clock,
        }
    }

    /// What does not work now, one sentence each.
    pub(crate) fn troubles(&self) -> Vec<&'static str> {
        let unwritable = "The journal cannot be written: free space on the disk. The games continue in memory only.";
        let gone = "The data folder was removed or unmounted: put it back, or restart the daemon. What happens now is lost \
                    when the daemon ends.";
        let recorder = &self.parts.recorder;
        let no_accounts = "The accounts cannot be read and no one can log in: restore accounts.sqlite from a backup or move \
                           it away, and restart the daemon.";
        let troubles = [
            recorder.is_failing().then_some(unwritable),
            recorder.is_gone().then_some(gone),
            self.parts.accounts.is_none().then_some(no_accounts),
        ];
        troubles.into_iter().flatten().collect()
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
        Ok(Some(match &self.parts.public_url {
            Some(public) => public.address(&path),
            None => format!("http://localhost:{port}{path}"),
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

    pub(super) fn forget_first_token(&self) {
        *self.first_token.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(super) fn count_attempt(&self, name: &str) -> Result<(), Problem> {
        let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        attempts.begin(name, self.clock.now()).map_err(|too_many| Problem::wait(too_many.wait_ms))
    }

    pub(super) fn forgive_attempts(&self, name: &Name) {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner).succeeded(name.as_str());
    }

    /// Uses the accounts on a thread that may block on the disk.
    pub(super) async fn accounts<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Accounts, UtcMs) -> Result<T, AccountsError> + Send + 'static,
    ) -> Result<T, Problem> {
        let (accounts, now) = (self.parts.accounts.clone().ok_or_else(failing)?, self.clock.now());
        blocking(move || work(&accounts, now)).await?.map_err(accounts_problem)
    }

    /// Runs password work on a blocking thread, [`PARALLEL_HASHES`] at a time; refuses it when too many wait.
    pub(super) async fn hashing<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let _place = self.hashing_places.try_acquire().map_err(|_| Problem::wait(HASH_AGAIN_MS))?;
        let _permit = self.hashing.acquire().await.map_err(|_| failing())?;
        blocking(work).await
    }

    pub(super) async fn hash(&self, password: Password) -> Result<Hashed, Problem> {
        let mut salt = [0; SALT_BYTES];
        getrandom::fill(&mut salt).map_err(no_randomness)?;
        self.hashing(move || password.hash(salt)).await?.map_err(accounts_problem)
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
