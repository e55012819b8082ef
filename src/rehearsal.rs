//! A rehearsal beside the event: a hall of simulated boards with a daemon of its own in the same process, for the browsers that
//! entered it.
//!
//! It has a data folder of its own, so that nothing of it reaches the record of the event, its outputs or its public pages; only
//! the accounts are shared, so that one login is enough. A browser enters it with a cookie, and all addresses then lead there.
//! How such a daemon begins is given from outside ([`Start`]): the parts of the event's daemon must not know of simulated boards.

#[cfg(all(feature = "demo", unix))]
pub mod begin;

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use accounts::Accounts;
use axum::Router;
use axum::extract::Request;
use axum::http::header::{self, HeaderMap};
use axum::response::Response;
use cookie::Cookie;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::admin::PublicUrl;
use crate::listeners::Routers;

/// The name of the cookie of browsers in the rehearsal.
pub(crate) const COOKIE: &str = "boardcast-rehearsal";

/// Where a browser enters and leaves; served by the event's daemon also for browsers in the rehearsal.
pub(crate) const ADDRESS: &str = "/api/v1/admin/rehearsal";

/// What the daemon of a rehearsal shares with that of the event.
#[derive(Clone)]
pub struct Shared {
    /// The accounts of the event's daemon.
    pub accounts: Accounts,
    /// Where a proxy serves it.
    pub public_url: Option<PublicUrl>,
    /// Ends with the event's daemon.
    pub stop: CancellationToken,
    /// Boards of the hall.
    pub boards: usize,
    /// Whether things go wrong at the tables.
    pub troubles: bool,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("boards", &self.boards).finish_non_exhaustive()
    }
}

/// A rehearsal under way.
#[derive(Clone, Debug)]
pub struct Running {
    /// All its addresses.
    pub(crate) routers: Routers,
    /// Ends it.
    pub stop: CancellationToken,
    /// Ended when this is cancelled, by itself or by the stop.
    pub ended: CancellationToken,
}

/// Begins a rehearsal.
pub type Start = fn(Shared) -> Pin<Box<dyn Future<Output = anyhow::Result<Running>> + Send>>;

/// The rehearsal of a daemon, if there is one; copies share it.
#[derive(Clone, Debug, Default)]
pub struct Rehearsals {
    start: Option<Start>,
    running: Arc<Mutex<Option<(String, Running)>>>,
    /// One begins at a time.
    beginning: Arc<tokio::sync::Mutex<()>>,
}

impl Rehearsals {
    /// With the way to begin one; none where there can be none.
    pub fn new(start: Option<Start>) -> Self {
        Self { start, ..Self::default() }
    }

    /// Whether one can be held.
    pub(crate) fn can_begin(&self) -> bool {
        self.start.is_some()
    }

    /// The name of the rehearsal under way.
    pub(crate) fn name(&self) -> Option<String> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.as_ref().is_some_and(|(_, it)| it.ended.is_cancelled()) {
            *running = None;
        }
        running.as_ref().map(|(name, _)| name.clone())
    }

    /// The rehearsal under way, or a new one with this name.
    ///
    /// # Errors
    /// When it cannot begin.
    pub(crate) async fn enter(&self, name: String, shared: Shared) -> anyhow::Result<String> {
        let Some(start) = self.start else { anyhow::bail!("this daemon holds no rehearsals") };
        let _one = self.beginning.lock().await;
        if let Some(name) = self.name() {
            return Ok(name);
        }
        let begun = start(shared).await?;
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = Some((name.clone(), begun));
        Ok(name)
    }

    /// Ends it; false when there was none.
    pub(crate) fn end(&self) -> bool {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        running.inspect(|(_, it)| it.stop.cancel()).is_some()
    }

    /// The addresses of the rehearsal that a browser entered.
    fn chosen(&self, headers: &HeaderMap) -> Option<Routers> {
        let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
        let mut cookies = lines.flat_map(Cookie::split_parse).flatten();
        let entered = cookies.find(|cookie| cookie.name() == COOKIE)?;
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let (name, it) = running.as_ref()?;
        (entered.value() == name && !it.ended.is_cancelled()).then(|| it.routers.clone())
    }

    /// The event's addresses of each kind of listener, with those of the rehearsal in their place for browsers that entered it.
    pub(crate) fn beside(&self, event: &Routers) -> Routers {
        Routers {
            all: self.instead_of(event.all.clone(), |rehearsal| rehearsal.all),
            public: self.instead_of(event.public.clone(), |rehearsal| rehearsal.public),
            admin: self.instead_of(event.admin.clone(), |rehearsal| rehearsal.admin),
        }
    }

    fn instead_of(&self, event: Router, kind: fn(Routers) -> Router) -> Router {
        let here = self.clone();
        Router::new().fallback(move |request: Request| {
            let router = match request.uri().path() {
                ADDRESS => None,
                _ => here.chosen(request.headers()).map(kind),
            };
            let router = router.unwrap_or_else(|| event.clone());
            async move {
                let answered: Result<Response, Infallible> = router.oneshot(request).await;
                answered.unwrap_or_else(|never| match never {})
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::extract::Path;
    use axum::routing::get;

    use super::*;

    fn says(words: &'static str) -> Router {
        Router::new().route("/say/{name}", get(async move |Path(name): Path<String>| format!("{words} {name}")))
    }

    fn all_say(words: &'static str) -> Routers {
        Routers { all: says("all of it"), public: says(words), admin: says("admin") }
    }

    fn begin(_: Shared) -> Pin<Box<dyn Future<Output = anyhow::Result<Running>> + Send>> {
        let stop = CancellationToken::new();
        Box::pin(async { Ok(Running { routers: all_say("rehearsal"), ended: stop.clone(), stop }) })
    }

    async fn asked(router: &Router, cookie: &str) -> String {
        let request = Request::get("/say/x").header("cookie", cookie).body(Body::empty()).unwrap();
        let answer = router.clone().oneshot(request).await.unwrap();
        let bytes = axum::body::to_bytes(answer.into_body(), 1000).await.unwrap();
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    #[tokio::test]
    async fn only_a_browser_that_entered_sees_it_and_after_its_end_the_event_again() {
        let folder = tempfile::tempdir().unwrap();
        let rehearsals = Rehearsals::new(Some(begin));
        let router = rehearsals.beside(&all_say("event")).public;
        let shared = Shared {
            accounts: Accounts::open(folder.path()).unwrap(),
            public_url: None,
            stop: CancellationToken::new(),
            boards: 2,
            troubles: false,
        };
        assert_eq!(asked(&router, "boardcast-rehearsal=one").await, "event x");
        assert_eq!(rehearsals.enter("one".into(), shared.clone()).await.unwrap(), "one");
        assert_eq!(rehearsals.enter("two".into(), shared).await.unwrap(), "one", "one at a time");
        assert_eq!(asked(&router, "a=b; boardcast-rehearsal=one").await, "rehearsal x");
        for other in ["boardcast-rehearsal=two", "boardcast-rehearsal=", "a=b"] {
            assert_eq!(asked(&router, other).await, "event x", "{other}");
        }
        assert!(rehearsals.end() && !rehearsals.end());
        assert_eq!(asked(&router, "boardcast-rehearsal=one").await, "event x");
    }
}
