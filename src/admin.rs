//! The protected part: who is logged in, and what they may see and order.
//!
//! All its addresses stand on this page, each under the right that it asks for. Everything here is refused without TLS
//! except on the machine itself. Must not know boards; the tournament is ordered through a [`Desk`].

mod alarms;
pub(crate) mod api;
mod arbiter;
pub(crate) mod client;
mod daemon;
mod files;
mod first_page;
mod guard;
mod hall;
mod history;
mod keys;
mod openapi;
mod orders;
mod problem;
mod reach;
mod session;
#[cfg(test)]
pub(super) mod tests;
mod users;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::any;
use tokio::sync::Semaphore;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::alarms::AlarmBook;
use crate::director::Director;
use accounts::{Accounts, AccountsError, Attempts, Digest, Hashed, Name, Password, Right, SALT_BYTES, Secret, Who};
use guard::{Session, Shown};
use hall_clock::{HallClock, UtcMs};
use journal::Reader;
use journal::RecorderHandle;
use problem::accounts_problem;
use public_web::Web;
use public_web::openapi::complete;
use public_web::problem::{Problem, failing};

pub use reach::PublicUrl;

/// Where the protected API is.
const API: &str = "/api/v1/admin";

/// The most bytes of a request's body, where a route says nothing else.
const MOST_BODY_BYTES: usize = 64 * 1024;

/// Passwords that are looked at at once; each takes 20 MiB.
const HASHING: usize = 2;

/// What the protected part works with.
pub struct Admin {
    parts: Parts,
    attempts: Mutex<Attempts>,
    hashing: Semaphore,
    first: Mutex<Option<Digest>>,
    /// Persons log in by real time, also in a rehearsal.
    clock: HallClock,
}

/// The parts of the daemon on which the protected part works.
pub struct Parts {
    /// Who may do what.
    pub accounts: Accounts,
    /// Where a proxy serves this over TLS; without, it is served on this machine only.
    pub public_url: Option<PublicUrl>,
    /// The owner of the tournament.
    pub director: Director,
    /// The journal, for the history and the backup.
    pub reader: Arc<Reader>,
    /// What should be looked at.
    pub alarms: AlarmBook,
    /// Hall time, by which alarms are told.
    pub hall_clock: HallClock,
    /// Whether the journal can be written.
    pub recorder: RecorderHandle,
    /// The data folder, where a backup is made before it is sent.
    pub data: PathBuf,
}

impl Admin {
    /// The protected part over these parts.
    pub fn new(parts: Parts) -> Self {
        Self {
            parts,
            attempts: Mutex::default(),
            hashing: Semaphore::new(HASHING),
            first: Mutex::default(),
            clock: HallClock::start(1.0),
        }
    }

    /// What does not work at this moment, one sentence each.
    pub(super) fn troubles(&self) -> Vec<&'static str> {
        let unwritable = "The journal cannot be written: free space on the disk. Games go on in memory meanwhile.";
        self.parts.recorder.is_failing().then_some(unwritable).into_iter().collect()
    }

    /// The link that makes the first administrator; `None` when there is one. Each call ends the last link. `port` is the
    /// one served on this machine.
    ///
    /// # Errors
    /// When the accounts cannot be read or the system gives no randomness.
    pub fn first_link(&self, port: u16) -> anyhow::Result<Option<String>> {
        if self.parts.accounts.has_administrator()? {
            return Ok(None);
        }
        let token = Secret::draw()?;
        *self.first.lock().unwrap_or_else(PoisonError::into_inner) = Some(token.digest());
        // Behind the «#» it is in no request, and so in no log.
        let path = format!("/admin/first#{}", token.reveal());
        Ok(Some(match &self.parts.public_url {
            Some(public) => public.address(&path),
            None => format!("http://localhost:{port}{path}"),
        }))
    }

    /// Whether the event of a section goes on; none when there is no such section.
    fn goes_on(&self, section: &str) -> Option<bool> {
        let hall = self.parts.director.hall();
        hall.section(section).map(|section| !section.is_over(self.parts.hall_clock.now()))
    }

    fn is_first_token(&self, digest: Digest) -> bool {
        *self.first.lock().unwrap_or_else(PoisonError::into_inner) == Some(digest)
    }

    fn forget_first_token(&self) {
        *self.first.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn count_attempt(&self, name: &str) -> Result<(), Problem> {
        let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        attempts.begin(name, self.clock.now()).map_err(|too_many| Problem::wait(too_many.wait_ms))
    }

    fn forgive_attempts(&self, name: &Name) {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner).succeeded(name.as_str());
    }

    /// Does something with the accounts on a thread that may wait for the disk.
    async fn accounts<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Accounts, UtcMs) -> Result<T, AccountsError> + Send + 'static,
    ) -> Result<T, Problem> {
        let (accounts, now) = (self.parts.accounts.clone(), self.clock.now());
        waiting(move || work(&accounts, now)).await?.map_err(accounts_problem)
    }

    /// Looks at a password on a thread of its own, few at a time.
    async fn hashing<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
        let _place = self.hashing.acquire().await.map_err(|_| failing())?;
        waiting(work).await
    }

    async fn hash(&self, password: Password) -> Result<Hashed, Problem> {
        let mut salt = [0; SALT_BYTES];
        getrandom::fill(&mut salt).map_err(no_randomness)?;
        self.hashing(move || password.hash(salt)).await?.map_err(accounts_problem)
    }

    /// Who shows this.
    async fn identify(&self, shown: Shown) -> Result<(Who, Option<Session>), Problem> {
        let (digest, session) = match shown {
            Shown::Key(key) => (key.digest(), None),
            Shown::Session(session) => (session.0.digest(), Some(session)),
        };
        let by_session = session.is_some();
        let find = move |accounts: &Accounts, now| {
            if by_session { accounts.session(digest, now) } else { accounts.api_key(digest, now) }
        };
        let who = self.accounts(find).await?.ok_or_else(guard::unknown)?;
        Ok((who, session))
    }
}

/// A secret for somebody who asked.
fn draw() -> Result<Secret, Problem> {
    Secret::draw().map_err(no_randomness)
}

fn no_randomness(error: getrandom::Error) -> Problem {
    tracing::error!(%error, "the system gives no randomness");
    failing()
}

async fn waiting<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "a request failed");
        failing()
    })
}

/// Every address: the public ones, the protected ones and the description of all.
pub fn router(web: &Arc<Web>, admin: &Arc<Admin>) -> Router {
    let (public, mut document) = public_web::routes(web);
    openapi::introduce(&mut document);
    let (protected, described) = routes(admin);
    document.merge(described);
    let router = public.merge(protected).merge(arbiter::routes(web, admin));
    public_web::with_description(router, &document)
}

/// Every protected address, and its description.
fn routes(admin: &Arc<Admin>) -> (Router, OpenApi) {
    let with = |right, mut routes: OpenApiRouter<Arc<Admin>>| {
        openapi::ask(routes.get_openapi_mut(), right);
        routes.route_layer(from_fn_with_state((Arc::clone(admin), right), guard::allowed))
    };
    let for_all = OpenApiRouter::default().routes(routes!(session::log_in)).routes(routes!(session::make_first));
    let own_account = OpenApiRouter::default()
        .routes(routes!(session::logged_in, session::log_out))
        .routes(routes!(session::change_password));
    let keys =
        OpenApiRouter::default().routes(routes!(keys::list_keys, keys::add_key)).routes(routes!(keys::revoke_key));
    let administer = OpenApiRouter::default()
        .routes(routes!(users::list_users, users::add_user))
        .routes(routes!(users::change_user, users::remove_user));
    let watch = OpenApiRouter::default()
        .routes(routes!(hall::see_hall))
        .routes(routes!(hall::see_section))
        .routes(routes!(hall::see_round))
        .routes(routes!(hall::check_ready))
        .routes(routes!(hall::see_boards))
        .routes(routes!(history::see_history))
        .routes(routes!(files::take_results))
        .routes(routes!(daemon::see_health));
    let alarms =
        OpenApiRouter::default().routes(routes!(alarms::list_alarms)).routes(routes!(alarms::acknowledge_alarm));
    let order = OpenApiRouter::default().routes(routes!(orders::give_order)).routes(routes!(orders::preview_order));
    let upload = OpenApiRouter::default()
        .routes(routes!(files::load_pairings))
        .routes(routes!(files::preview_pairings))
        .layer(DefaultBodyLimit::max(files::MOST_UPLOAD_BYTES));
    let backup = OpenApiRouter::default().routes(routes!(daemon::download_backup));
    let (routes, mut document) = for_all
        .merge(with(Right::OwnAccount, own_account))
        .merge(with(Right::Watch, watch))
        .merge(with(Right::Alarms, alarms))
        // Which right an order really asks for is known when it was read.
        .merge(with(Right::Arbitrate, order))
        .merge(with(Right::Operate, upload))
        .merge(with(Right::Backup, backup))
        .merge(with(Right::Keys, keys))
        .merge(with(Right::Administer, administer))
        .split_for_parts();
    openapi::guard(&mut document);
    complete(&mut document);
    let routes = routes
        .merge(first_page::routes())
        .route(&format!("{API}/{{*rest}}"), any(unknown_address))
        .method_not_allowed_fallback(method_not_allowed)
        .layer(DefaultBodyLimit::max(MOST_BODY_BYTES))
        .layer(from_fn_with_state(Arc::clone(admin), guard::near))
        .with_state(Arc::clone(admin));
    (routes, document)
}

async fn unknown_address() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "There is no such address: /api/v1/openapi.json lists all.")
}

async fn method_not_allowed() -> Problem {
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "This address has other methods: /api/v1/openapi.json lists them.")
}
