//! The protected part, called without sockets: a site as the organiser's browser, a program and a stranger meet it.

mod access;
mod bad_input;
mod outputs_api;
mod people;
mod planned_starts;
mod positions_socket;
mod privacy;
mod public;
mod refusals;
mod sources_api;
mod tournament;

use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::{Admin, Parts, PublicUrl};
use crate::alarms::AlarmBook;
use crate::director::{self, DirectorHandle};
use crate::metrics::{Latency, Metrics, Sources};
use crate::rehearsal::Rehearsals;
use crate::review::Review;
use crate::service::Liveness;
use crate::time_offer::TimeOffers;
use crate::transport::ports::Ports;
use accounts::{Accounts, Hashed, Name, Password, Role, SALT_BYTES};
use hall_clock::HallClock;
use journal;
use journal::{DataFolder, Past, Reader};
use public_web::CameIn;

use super::Rates;
use publish::gate::{self, History};

/// The password of everybody in these stories.
const PASSWORD: &str = "four words are good";

/// A round of two games as a pairing program writes it.
const PAIRINGS: &str = "[Event \"Open A\"]\n[Round \"1.1\"]\n[White \"Müller, Jörg\"]\n[Black \"Novák, Ivo\"]\n[Result \"*\"]\n\n*\n\n\
                        [Event \"Open A\"]\n[Round \"1.2\"]\n[White \"Anand, V\"]\n[Black \"Short, N\"]\n[Result \"*\"]\n\n*\n";

fn open_a() -> Value {
    json!({ "order": "set_section", "section": "open-a", "settings": { "name": "Open A", "zone": "Europe/Prague" } })
}

struct Site {
    router: Router,
    accounts: Accounts,
    director: DirectorHandle,
    alarms: AlarmBook,
    outputs: outputs::Outputs,
    first_link: Option<String>,
    came_in: CameIn,
    folder: tempfile::TempDir,
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

/// A browser with its cookie and token, a program with its key, or a stranger with neither.
#[derive(Clone, Default)]
struct Visitor {
    headers: Vec<(&'static str, String)>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// That it is a problem with this status, and its sentence.
    fn problem(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.body);
        assert_eq!(self.header("content-type"), "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["type"], "about:blank");
        assert_eq!(problem["status"], status);
        problem["detail"].as_str().unwrap().to_owned()
    }
}

impl Visitor {
    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    fn key(key: &str) -> Self {
        Self::default().with("authorization", &format!("Bearer {key}"))
    }

    fn without_token(&self) -> Self {
        Self { headers: self.headers.iter().filter(|(name, _)| *name != "x-csrf-token").cloned().collect() }
    }
}

impl Site {
    fn open() -> Self {
        Self::behind(None)
    }

    fn behind(public_url: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let parts = parts(folder.path(), public_url.map(|url| url.parse().unwrap()));
        let (accounts, director, alarms) =
            (parts.accounts.clone().unwrap(), parts.director.clone(), parts.alarms.clone());
        let outputs = parts.outputs.clone();
        let admin = Admin::new(parts);
        let first_link = admin.first_link(8080).unwrap();
        let (router, _) = super::routes(&admin.into());
        let came_in = CameIn { loopback: true, tls: false };
        Self { router, accounts, director, alarms, outputs, first_link, came_in, folder }
    }

    /// The protected part as the next start of the daemon makes it.
    fn next_start(&self) -> Admin {
        let folder = tempfile::tempdir().unwrap();
        Admin::new(Parts { accounts: Some(self.accounts.clone()), ..parts(folder.path(), None) })
    }

    /// With an account for each role, called by the role's name.
    fn with_people() -> Self {
        let site = Self::open();
        let password = Password::choose(PASSWORD).unwrap().hash([1; SALT_BYTES]).unwrap();
        for role in Role::ALL {
            site.accounts.add_user(&name(role.as_str()), role, &password).unwrap();
        }
        site
    }

    async fn ask(&self, visitor: &Visitor, method: Method, path: &str, body: Option<Value>) -> Answer {
        let body = body.map(|body| body.to_string());
        let kind = body.is_some().then_some("application/json");
        self.send(visitor, method, path, kind, body.unwrap_or_default().into()).await
    }

    async fn send(&self, visitor: &Visitor, method: Method, path: &str, kind: Option<&str>, body: Body) -> Answer {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", super::API));
        if !visitor.headers.iter().any(|(name, _)| *name == "host") {
            request = request.header(header::HOST, "localhost:8080");
        }
        for (name, value) in &visitor.headers {
            request = request.header(*name, value);
        }
        if let Some(kind) = kind {
            request = request.header(header::CONTENT_TYPE, kind);
        }
        let mut request = request.body(body).unwrap();
        request.extensions_mut().insert(self.came_in);
        let (parts, body) = self.router.clone().oneshot(request).await.unwrap().into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        Answer { status: parts.status, headers: parts.headers, body: String::from_utf8_lossy(&body).into_owned() }
    }

    async fn get(&self, visitor: &Visitor, path: &str) -> Answer {
        self.ask(visitor, Method::GET, path, None).await
    }

    /// The metrics, as a program on this machine reads them.
    async fn scrape(&self) -> String {
        let mut request = Request::get("/metrics").header(header::HOST, "localhost:8080").body(Body::empty()).unwrap();
        request.extensions_mut().insert(self.came_in);
        let body = self.router.clone().oneshot(request).await.unwrap().into_body();
        String::from_utf8_lossy(&to_bytes(body, usize::MAX).await.unwrap()).into_owned()
    }

    async fn post(&self, visitor: &Visitor, path: &str, body: Value) -> Answer {
        self.ask(visitor, Method::POST, path, Some(body)).await
    }

    async fn try_log_in(&self, visitor: &Visitor, name: &str, password: &str) -> Answer {
        self.post(visitor, "/session", json!({ "name": name, "password": password })).await
    }

    async fn log_in(&self, role: Role) -> Visitor {
        let answer = self.try_log_in(&Visitor::default(), role.as_str(), PASSWORD).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(answer.json()["role"], role.as_str());
        browser(&answer)
    }
}

/// Orders.
impl Site {
    /// Somebody orders something that works.
    async fn order(&self, visitor: &Visitor, order: Value) -> Value {
        let answer = self.post(visitor, "/orders", order.clone()).await;
        assert_eq!(answer.status, 200, "{order}: {}", answer.body);
        answer.json()
    }

    /// Sends files as a form in a page does.
    async fn upload(&self, visitor: &Visitor, path: &str, files: &[(&str, &[u8])]) -> Answer {
        let mut body = Vec::new();
        for (name, bytes) in files {
            let head = format!("--limit\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n");
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(bytes);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(b"--limit--\r\n");
        self.send(visitor, Method::POST, path, Some("multipart/form-data; boundary=limit"), body.into()).await
    }

    /// With a published round of two games; the operator who did it.
    async fn with_round() -> (Self, Visitor) {
        let site = Self::with_people();
        let operator = site.log_in(Role::Operator).await;
        site.order(&operator, open_a()).await;
        let loaded = site.upload(&operator, "/sections/open-a/pairings", &[("round1.pgn", PAIRINGS.as_bytes())]).await;
        assert_eq!(loaded.status, 200, "{}", loaded.body);
        site.order(&operator, json!({ "order": "publish", "section": "open-a", "round": 1 })).await;
        (site, operator)
    }

    /// The id of the first game of round 1.
    async fn first_game(&self, visitor: &Visitor) -> String {
        let round = self.get(visitor, "/sections/open-a/rounds/1").await.json();
        round["round"]["games"][0]["id"].as_str().unwrap().to_owned()
    }
}

/// A daemon without boards over a data folder.
pub(crate) fn parts(data: &Path, public_url: Option<PublicUrl>) -> Parts {
    let clock = HallClock::start(1.0);
    let (journal, reader) = DataFolder::take(data).unwrap().open_journal().unwrap();
    let reader = Arc::new(reader);
    let (recorder, feed, _) = journal::start(clock, journal, Vec::new()).unwrap();
    let own_reader = Reader::open_in(data).unwrap();
    let (director, _) = director::start(clock, recorder.clone(), own_reader, &Past::default()).unwrap();
    let accounts = Some(Accounts::open(data).unwrap());
    let (gate, _) = gate::open(&feed, clock, History::none("test".into()), recorder.downgrade()).unwrap();
    let start = outputs::Start {
        views: Box::new(move |policy| gate.public(policy)),
        hall: clock,
        http: Arc::new(outputs::Web::default()),
        folder: data.to_owned(),
        configured: Vec::new(),
    };
    let outputs = outputs::Outputs::start(start).unwrap();
    let (found, mut boards) = tokio::sync::mpsc::channel(1);
    // In place of the manager of boards: keeps them plugged in.
    std::thread::spawn(move || std::iter::from_fn(|| boards.blocking_recv()).collect::<Vec<_>>());
    let stop = CancellationToken::new();
    let game_sources = crate::sources::GameSources::start(crate::sources::Start {
        director: director.clone(),
        reader: Arc::clone(&reader),
        http: Arc::new(outputs::Web::default()),
        positions: crate::sources::positions::Positions::new(found),
        folder: data.to_owned(),
        stop: stop.clone(),
    });
    let (alarms, review, data) = (AlarmBook::default(), Review::of(data.to_owned()), data.to_owned());
    let liveness = Liveness::default();
    let sources = Sources {
        director: director.clone(),
        recorder: recorder.clone(),
        viewers: Arc::new(|| 0),
        alarms: alarms.clone(),
        outputs: outputs.clone(),
        clock,
        liveness: liveness.clone(),
        data: data.clone(),
    };
    let metrics = Arc::new(Metrics::new(sources, &Latency::default()));
    Parts {
        accounts,
        public_url,
        https: None,
        plain: None,
        director,
        reader,
        alarms,
        hall_clock: clock,
        // Stands still: limits of attempts do not depend on how long this machine computes passwords.
        real_clock: HallClock::start(0.0),
        recorder,
        review,
        data,
        feed,
        outputs,
        sources: game_sources,
        rates: Rates::default(),
        time: TimeOffers::none(),
        metrics,
        liveness,
        ports: Ports::default(),
        is_rehearsal: false,
        rehearsals: Rehearsals::default(),
        stop,
    }
}

/// The browser that got this answer to its login.
fn browser(answer: &Answer) -> Visitor {
    let (cookie, _) = answer.header("set-cookie").split_once(';').unwrap();
    Visitor::default().with("cookie", cookie).with("x-csrf-token", answer.json()["csrf_token"].as_str().unwrap())
}

fn name(text: &str) -> Name {
    text.parse().unwrap()
}

/// A password that nobody has.
fn no_password() -> Hashed {
    Hashed::of_no_password()
}
