//! Wiring: the one place that knows every part of the daemon.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, bail};
use axum::http::HeaderMap;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::admin::{Admin, Parts, PublicUrl};
use crate::alarms::hook::HookUrl;
use crate::alarms::messages::Messages;
use crate::alarms::{self, AlarmBook};
use crate::boards::manager;
use crate::boards::task::BoardContext;
use crate::director::by_serial::{self, AllBoards};
use crate::director::initial::InitialTournament;
use crate::director::pairings_folder::PairingsFolder;
use crate::director::{self, DirectorHandle};
use crate::eboard::{self, Access, Boards};
use crate::first_link::ShownLink;
use crate::listeners::{self, Routers, Serving, Shares};
use crate::metrics::{self, Latency, Metrics, Sources};
use crate::rehearsal::{self, Rehearsals};
use crate::review::Review;
use crate::secure::Secure;
use crate::service::{self, Liveness};
use crate::sources::positions::Positions;
use crate::sources::{self, GameSources};
use crate::supervisor::Supervisor;
use crate::time_offer::TimeOffers;
use crate::transport::ask::FoundBoard;
use crate::transport::candidates::Scope;
use crate::transport::capture_file::CaptureFolder;
use crate::transport::capture_space::Limit;
use crate::transport::discovery;
use crate::transport::known_lines::KnownLines;
use crate::{admin, assets, planned_starts};
use accounts::Accounts;
use game_core::alarm::AlarmKind;
use hall_clock::{HallClock, UtcMs, local_date};
use journal::{Condition, DataFolder, Feed, Journal, JournalWatch, Reader, RecorderHandle};
use outputs::Outputs;
use public_web::{Served, Web};
use publish::gate::{self, Gate, History, Policy, PublicView};
use publish::hub::{self, HubHandle};

pub use crate::listeners::listen;

/// Boards that wait for their task; discovery waits when there are more.
const FOUND_WAITING: usize = 16;

/// The ports that a person allowed, in the data folder.
const PORTS: &str = "ports.json";

/// Where boards were found, in the data folder.
const LINES: &str = "lines.json";

/// How often room is made among the captures.
const TIDYING: Duration = Duration::from_hours(1);

/// How often the outputs and sources are asked whether they fail.
const OUTPUTS: Duration = Duration::from_secs(1);

/// How often the daemon looks whether its data folder is still there.
const PRESENCE: Duration = Duration::from_secs(2);

/// The settings of a daemon.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Hall time.
    pub clock: HallClock,
    /// The data folder.
    pub data: PathBuf,
    /// Which ports are looked at.
    pub scope: Scope,
    /// How often.
    pub look_around: Duration,
    /// Where a proxy serves the protected part over TLS; without, it is served on this machine only.
    pub public_url: Option<PublicUrl>,
    /// How much room captures may take.
    pub capture_space: Limit,
    /// The tournament of a new data folder.
    pub initial: InitialTournament,
    /// Whether boards get tables in the order of their serial numbers without a person, and when all are there.
    pub assign_by_serial: Option<AllBoards>,
    /// A folder of pairings that load by themselves.
    pub pairings_folder: PathBuf,
    /// Where alarms are sent.
    pub alarm_hook: Option<HookUrl>,
    /// What is sent to other programs and sites, besides the outputs that people added.
    pub outputs: Vec<outputs::Settings>,
    /// Messages about alarms.
    pub messages: Messages,
    /// HTTPS of the daemon itself; off when missing.
    pub tls: Option<TlsSettings>,
    /// The e-board socket for programs that speak the protocol of LiveChess; off when missing.
    pub eboard: Option<EboardSettings>,
    /// The accounts of the daemon beside which this one is a rehearsal; its own when missing.
    pub accounts: Option<Accounts>,
    /// How a rehearsal begins beside this daemon; none where there can be none.
    pub rehearsal: Option<rehearsal::Start>,
    /// Further addresses, proxies, and what clients may hold.
    pub serving: Serving,
    /// The time that a person's device gives to a computer without a clock.
    pub time: TimeOffers,
}

/// HTTPS of the daemon itself.
#[derive(Clone, Debug)]
pub struct TlsSettings {
    /// Its address.
    pub listen: SocketAddr,
    /// Whether the daemon must not start without it; else it starts with a warning.
    pub required: bool,
    /// The organiser's own certificate and key, in PEM; without them the daemon makes a certificate.
    pub own: Option<(PathBuf, PathBuf)>,
    /// A listener that the service manager opened, in place of the address.
    pub opened: Option<Arc<std::net::TcpListener>>,
}

/// The e-board socket.
#[derive(Clone, Debug)]
pub struct EboardSettings {
    /// Its address.
    pub listen: SocketAddr,
    /// Who may use it.
    pub access: Access,
}

/// A daemon at work.
#[derive(Debug)]
pub struct Daemon {
    supervisor: Supervisor,
    /// Locked for as long as the daemon runs.
    folder: DataFolder,
    /// The owner of its tournament. A copy that is kept keeps the daemon from ending.
    pub director: DirectorHandle,
    /// All its addresses.
    pub(crate) routers: Routers,
}

/// Runs the daemon until the stop.
///
/// # Errors
/// When a part without which nothing works fails.
pub async fn run(settings: Settings, listener: TcpListener, stop: CancellationToken) -> anyhow::Result<()> {
    start(settings, listener, stop).await?.run().await
}

/// Starts the daemon; it serves once this returned, and ends with the stop.
///
/// # Errors
/// When a part without which nothing works cannot start.
#[expect(clippy::too_many_lines, reason = "the order in which the parts begin, in one place")]
pub async fn start(settings: Settings, listener: TcpListener, stop: CancellationToken) -> anyhow::Result<Daemon> {
    let Settings {
        clock,
        data,
        scope,
        look_around,
        public_url,
        capture_space,
        initial,
        assign_by_serial,
        pairings_folder,
        alarm_hook,
        outputs,
        messages,
        tls,
        eboard,
        accounts,
        rehearsal,
        serving,
        time,
    } = settings;
    let mut supervisor = Supervisor::new(stop.clone());
    let shares = listeners::shares(&serving.limits, 1 + usize::from(tls.is_some()) + serving.listeners.len());

    let folder = DataFolder::take(&data)?;
    let (journal, reader) = folder.open_journal()?;
    let review = review_of(&journal, &data);
    // Before anything is served: the file of this name is the one that was opened.
    let watched = folder.watch_journal();
    let clock = go_on_from(clock, reader.latest()?);
    let (reader, identity) = (Arc::new(reader), journal.identity()?);
    let past = reader.past()?;
    let history = History {
        identity,
        rounds: past.rounds.clone(),
        reader: Some(Arc::clone(&reader)),
        closed: review.is_closed(),
    };
    let (recorder, feed, recorder_thread) =
        journal::start(clock, journal, past.entries.clone()).context("the recorder does not start")?;
    // The director reads for itself: a long listing for a page must not hold up a board.
    let (director, director_running) = director::start(clock, recorder.clone(), Reader::open_in(&data)?, &past)
        .context("the director does not start")?;
    drop(past);
    let is_rehearsal = accounts.is_some();
    let liveness = watch_owners(&mut supervisor, (&recorder, &director), !is_rehearsal, &stop);
    initial.order(&director).await?;
    let (gate, gate_thread) =
        gate::open(&feed, clock, history, recorder.downgrade()).context("the gate does not start")?;
    let review = review.with(gate.clone());
    let public = gate.public(Policy::PUBLIC);
    let (hub, hub_thread) = hub::start(public.clone(), clock, shares.hub).context("the hub does not start")?;
    supervisor.essential("director", director_running.ended());
    for (name, thread) in [("recorder", recorder_thread), ("gate", gate_thread), ("hub", hub_thread)] {
        supervisor.essential(name, end_of(thread));
    }
    let local = listener.local_addr()?;
    keep_address(&folder, local);
    let (secure, further, https) = open_listeners(tls, &serving, &data, &stop).await?;
    warn_of_login(local, public_url.as_ref(), https);
    let alarms = AlarmBook::default();
    let outputs = start_outputs(&mut supervisor, (&gate, &data, outputs), &alarms, clock, &stop)?;
    let (planning, planned) = (director.clone(), outputs.clone());
    let until = stop.clone();
    supervisor.replaceable("starts of rounds at Lichess", move || {
        planned_starts::follow(planning.clone(), planned.clone(), until.clone())
    });
    let (found_sender, found) = mpsc::channel(FOUND_WAITING);
    let sources =
        start_sources(&mut supervisor, (&director, &reader), &data, found_sender.clone(), (&alarms, clock), &stop);
    let owners = (&director, &recorder, &hub, (&alarms, &outputs));
    let metrics = measure(&mut supervisor, owners, (&feed, &public), (clock, &liveness, &data), &stop);
    let rehearsals = Rehearsals::new(rehearsal);
    let admin = Admin::new(Parts {
        accounts: accounts.or_else(|| open_accounts(&data)),
        public_url,
        https,
        plain: in_network(local, secure.as_ref()),
        director: director.clone(),
        reader,
        alarms: alarms.clone(),
        hall_clock: clock,
        recorder: recorder.clone(),
        review: review.clone(),
        data: data.clone(),
        feed: feed.clone(),
        outputs,
        sources,
        rates: serving.limits.rates(),
        time,
        metrics,
        liveness,
        ports: scope.ports.clone(),
        is_rehearsal,
        rehearsals: rehearsals.clone(),
        stop: stop.clone(),
    });
    tell_first_link(&admin, local, secure.as_ref(), &data)?;
    let admin = Arc::new(admin);
    let web = public_pages(public, hub.clone(), clock, &admin, shares);
    let routers = admin::routers(&web, gate.keys(), &admin);
    let (opened, proxies) = ((listener, secure, further), Arc::new(serving.proxies));
    let served = rehearsals.beside(&routers);
    listeners::serve(&mut supervisor, opened, (served, &web, &proxies), hub, shares.web, &stop);
    serve_eboards(&mut supervisor, eboard, &director, clock, shares.web, &stop).await?;

    let captures = tidy_captures(&mut supervisor, &data, capture_space, &director, clock, &stop);
    watch_folder(&mut supervisor, watched, recorder.clone(), review.clone(), &stop);
    send_messages(&mut supervisor, &messages, &alarms, &stop);
    watch_alarms(&mut supervisor, &alarms, alarm_hook, (director.clone(), feed, recorder, review), clock, &stop);
    watch_pairings(&mut supervisor, pairings_folder, alarms, director.clone(), clock, stop.clone());
    assign_boards(&mut supervisor, assign_by_serial, &director, &stop);
    let context = BoardContext { clock, director: director.clone(), captures };
    run_boards(&mut supervisor, context, found, &stop);
    look_for_boards(&mut supervisor, (scope, look_around), data.join(LINES), found_sender, clock, stop);
    Ok(Daemon { supervisor, folder, director, routers })
}

/// Opens HTTPS and the further listeners; gives them, and where browsers of the network log in.
async fn open_listeners(
    tls: Option<TlsSettings>,
    serving: &Serving,
    data: &Path,
    stop: &CancellationToken,
) -> anyhow::Result<(Option<Secure>, Vec<listeners::Open>, Option<SocketAddr>)> {
    let secure = Secure::open(tls, data, stop).await?;
    let further = listeners::open(serving, data, stop).await?;
    let https = secure.as_ref().map(Secure::address).or(further.iter().find_map(listeners::Open::secure_address));
    Ok((secure, further, https))
}

/// The public addresses, which ask the protected ones for the daemon's health and give reports of visitors to them.
fn public_pages(public: PublicView, hub: HubHandle, clock: HallClock, admin: &Arc<Admin>, shares: Shares) -> Arc<Web> {
    let taking = Arc::clone(admin);
    let web = Web::new(public, hub, clock, assets::asset, health_of(admin));
    let web = web.with_seats_per_address(shares.viewers_per_address);
    Arc::new(web.with_reports(Box::new(move |report| taking.take_report(report))))
}

impl Daemon {
    /// Waits for the stop, then for the daemon's tasks to end.
    ///
    /// # Errors
    /// When a part without which nothing works fails.
    pub async fn run(self) -> anyhow::Result<()> {
        let Self { supervisor, folder, director, routers } = self;
        // The director ends with its last handle, and the recorder with the director.
        drop((director, routers));
        let ended = supervisor.run().await;
        drop(folder);
        ended
    }
}

/// Collects metrics, with how long moves take to the journal and to the public.
fn measure(
    supervisor: &mut Supervisor,
    (director, recorder, hub, (alarms, outputs)): (
        &DirectorHandle,
        &RecorderHandle,
        &HubHandle,
        (&AlarmBook, &Outputs),
    ),
    (feed, public): (&Feed, &PublicView),
    (clock, liveness, data): (HallClock, &Liveness, &Path),
    stop: &CancellationToken,
) -> Arc<Metrics> {
    let latency = Latency::default();
    let hub = hub.clone();
    let sources = Sources {
        director: director.clone(),
        recorder: recorder.clone(),
        viewers: Arc::new(move || hub.viewers()),
        alarms: alarms.clone(),
        outputs: outputs.clone(),
        clock,
        liveness: liveness.clone(),
        data: data.to_owned(),
    };
    let metrics = Arc::new(Metrics::new(sources, &latency));
    let (feed, public, director, stop) = (feed.clone(), public.clone(), director.clone(), stop.clone());
    supervisor.replaceable("measuring of moves", move || {
        let watched = (feed.clone(), public.clone());
        let observing = metrics::observe(latency.clone(), watched, director.clone(), clock, stop.clone());
        async {
            observing.await;
            Ok(())
        }
    });
    metrics
}

/// Lets commands on this machine find the daemon.
fn keep_address(folder: &DataFolder, local: SocketAddr) {
    if let Err(error) = folder.write_address(local) {
        tracing::warn!(error = &error as &dyn std::error::Error, "commands on this machine do not find the daemon");
    }
}

/// How the daemon is, for `/health`.
fn health_of(admin: &Arc<Admin>) -> public_web::Health {
    let admin = Arc::clone(admin);
    Box::new(move |came_in, headers: &HeaderMap| admin.health(came_in, headers))
}

/// Warns when no other machine can log in although the pages are served to them.
fn warn_of_login(local: SocketAddr, public_url: Option<&PublicUrl>, https: Option<SocketAddr>) {
    let served = !local.ip().is_loopback() && !local.ip().is_unspecified();
    if public_url.is_none() && https.is_none() && served {
        tracing::warn!(
            "logging in is not possible at {local}: listen at 0.0.0.0 instead, or put a proxy's address into public_url"
        );
    }
}

/// Runs the tasks of all boards that are found.
fn run_boards(
    supervisor: &mut Supervisor,
    context: BoardContext,
    found: mpsc::Receiver<FoundBoard>,
    stop: &CancellationToken,
) {
    let hall = manager::run(context, found, stop.clone());
    supervisor.essential("hall of boards", async {
        hall.await;
        Ok(())
    });
}

/// Notes whether recorder and director answer; the daemon that is the service also feeds the watchdog.
fn watch_owners(
    supervisor: &mut Supervisor,
    (recorder, director): (&RecorderHandle, &DirectorHandle),
    is_service: bool,
    stop: &CancellationToken,
) -> Liveness {
    let liveness = Liveness::default();
    let (recorder, director, stop, noted) = (recorder.clone(), director.clone(), stop.clone(), liveness.clone());
    supervisor.replaceable("watch of recorder and director", move || {
        let watching = service::watch((recorder.clone(), director.clone()), noted.clone(), is_service, stop.clone());
        async {
            watching.await;
            Ok(())
        }
    });
    liveness
}

/// Loads pairings that are saved to their folder.
fn watch_pairings(
    supervisor: &mut Supervisor,
    path: PathBuf,
    alarms: AlarmBook,
    director: DirectorHandle,
    clock: HallClock,
    stop: CancellationToken,
) {
    supervisor.replaceable("folder of pairings", move || {
        let folder = PairingsFolder::new(path.clone(), director.clone(), alarms.clone(), clock);
        let watching = folder.watch(stop.clone());
        async { Ok(watching.await?) }
    });
}

/// Assigns boards to tables by their serial numbers where the organiser wants that.
fn assign_boards(
    supervisor: &mut Supervisor,
    all: Option<AllBoards>,
    director: &DirectorHandle,
    stop: &CancellationToken,
) {
    let Some(all) = all else { return };
    let (director, stop) = (director.clone(), stop.clone());
    supervisor.replaceable("assignment by serial numbers", move || {
        let assigning = by_serial::assign(all, director.clone(), stop.clone());
        async {
            assigning.await;
            Ok(())
        }
    });
}

/// Serves the e-board socket on its own listener, if it is wanted.
async fn serve_eboards(
    supervisor: &mut Supervisor,
    settings: Option<EboardSettings>,
    director: &DirectorHandle,
    clock: HallClock,
    limits: public_web::Limits,
    stop: &CancellationToken,
) -> anyhow::Result<()> {
    let Some(settings) = settings else { return Ok(()) };
    let listener = TcpListener::bind(settings.listen).await.with_context(|| {
        format!(
            "{} is not free for the e-board socket: end LiveChess or whatever uses it, or set another address in \
             eboard_socket",
            settings.listen
        )
    })?;
    tracing::info!("the e-board socket is open, without delay: ws://{}/api/v1.0", listener.local_addr()?);
    let boards = Arc::new(Boards::new(director.clone(), clock, settings.access, stop.clone()));
    let serving = public_web::serve(listener, Served::new(eboard::router(boards)), limits, stop.clone(), || ());
    supervisor.essential("e-board socket", async {
        serving.await;
        Ok(())
    });
    Ok(())
}

/// Looks for boards on the ports of the scope from time to time.
fn look_for_boards(
    supervisor: &mut Supervisor,
    (scope, every): (Scope, Duration),
    known_lines: PathBuf,
    found: mpsc::Sender<FoundBoard>,
    clock: HallClock,
    stop: CancellationToken,
) {
    scope.ports.keep_in(known_lines.with_file_name(PORTS));
    supervisor.replaceable("discovery", move || {
        let known = KnownLines::open(known_lines.clone());
        let looking = discovery::discover(scope.clone(), every, clock, known, found.clone());
        let stopped = stop.clone();
        async move {
            tokio::select! {
                ended = looking => ended,
                () = stopped.cancelled() => Ok(()),
            }
        }
    });
}

/// Watches over the data folder.
fn watch_folder(
    supervisor: &mut Supervisor,
    watched: JournalWatch,
    recorder: RecorderHandle,
    review: Review,
    stop: &CancellationToken,
) {
    let stop = stop.clone();
    supervisor.replaceable("watch of the data folder", move || {
        watching_journal(watched.clone(), recorder.clone(), review.clone(), stop.clone())
    });
}

/// Watches the hall for alarms, and sends them to the organiser's address if there is one.
fn watch_alarms(
    supervisor: &mut Supervisor,
    alarms: &AlarmBook,
    hook: Option<HookUrl>,
    (director, feed, recorder, review): (DirectorHandle, Feed, RecorderHandle, Review),
    clock: HallClock,
    stop: &CancellationToken,
) {
    let (book, until) = (alarms.clone(), stop.clone());
    supervisor.replaceable("alarms", move || {
        let (recorder, review) = (recorder.clone(), review.clone());
        let watching =
            alarms::run(book.clone(), director.clone(), feed.clone(), recorder, review, clock, until.clone());
        async {
            watching.await;
            Ok(())
        }
    });
    let Some(url) = hook else { return };
    let (book, until) = (alarms.clone(), stop.clone());
    supervisor.replaceable("alarms by web hook", move || {
        let sending = alarms::hook::run(url.clone(), book.changes(), until.clone());
        async {
            sending.await;
            Ok(())
        }
    });
}

/// Starts what sends the games to other programs and sites, each with a view of its own delay.
fn start_outputs(
    supervisor: &mut Supervisor,
    (gate, data, configured): (&Gate, &Path, Vec<outputs::Settings>),
    alarms: &AlarmBook,
    clock: HallClock,
    stop: &CancellationToken,
) -> anyhow::Result<Outputs> {
    let gate = gate.clone();
    let views = Box::new(move |policy| gate.public(policy));
    let http = Arc::new(outputs::Web::default());
    let start = outputs::Start { views, hall: clock, http, folder: data.to_owned(), configured };
    let outputs = Outputs::start(start).map_err(anyhow::Error::msg)?;
    watch_outputs(supervisor, &outputs, alarms, clock, stop);
    Ok(outputs)
}

/// Starts what reads games of other recorders, and raises an alarm about sources that fail.
fn start_sources(
    supervisor: &mut Supervisor,
    (director, reader): (&DirectorHandle, &Arc<Reader>),
    data: &Path,
    found: mpsc::Sender<FoundBoard>,
    (alarms, clock): (&AlarmBook, HallClock),
    stop: &CancellationToken,
) -> GameSources {
    let sources = GameSources::start(sources::Start {
        director: director.clone(),
        reader: Arc::clone(reader),
        http: Arc::new(outputs::Web::default()),
        positions: Positions::new(found),
        folder: data.to_owned(),
        stop: stop.clone(),
    });
    let (watched, alarms, stop) = (sources.clone(), alarms.clone(), stop.clone());
    supervisor.replaceable("watch of the sources", move || {
        let (sources, alarms, stop) = (watched.clone(), alarms.clone(), stop.clone());
        async move {
            let mut looks = tokio::time::interval(OUTPUTS);
            while stop.run_until_cancelled(looks.tick()).await.is_some() {
                alarms.daemon(clock.now(), AlarmKind::SourceFailing, sources.alarm());
            }
            Ok(())
        }
    });
    sources
}

/// Raises an alarm about outputs that fail, and ends them at the stop.
fn watch_outputs(
    supervisor: &mut Supervisor,
    outputs: &Outputs,
    alarms: &AlarmBook,
    clock: HallClock,
    stop: &CancellationToken,
) {
    let (outputs, alarms, stop) = (outputs.clone(), alarms.clone(), stop.clone());
    supervisor.replaceable("watch of the outputs", move || {
        let (outputs, alarms, stop) = (outputs.clone(), alarms.clone(), stop.clone());
        async move {
            let mut looks = tokio::time::interval(OUTPUTS);
            while stop.run_until_cancelled(looks.tick()).await.is_some() {
                alarms.daemon(clock.now(), AlarmKind::OutputFailing, outputs.alarm());
            }
            outputs.stop();
            Ok(())
        }
    });
}

/// Sends messages about alarms over every channel of the settings.
fn send_messages(supervisor: &mut Supervisor, messages: &Messages, alarms: &AlarmBook, stop: &CancellationToken) {
    for channel in &messages.channels {
        let (channel, messages, book, stop) = (channel.clone(), messages.clone(), alarms.clone(), stop.clone());
        supervisor.replaceable("messages about alarms", move || {
            let sending = alarms::messages::run(channel.clone(), messages.clone(), book.clone(), stop.clone());
            async {
                sending.await;
                Ok(())
            }
        });
    }
}

/// Says what is not as it was left, and what a person has to look at.
fn review_of(journal: &Journal, data: &Path) -> Review {
    match journal.condition() {
        Condition::Whole | Condition::Unmarked | Condition::Missing(_) => {}
        Condition::Copied => tracing::info!("the journal is a copy or a restored backup: its streams have new names"),
        Condition::MarkDamaged => tracing::error!(
            "the mark beside the journal cannot be read, so no one knows whether entries are missing: compare the last games \
             with the boards; its streams have new names"
        ),
    }
    let review = Review::of(data.to_owned());
    if let Some(sentence) = review.sentence() {
        tracing::error!("{sentence}");
    }
    review
}

/// Hall time that does not run backwards within the record, even when the machine's clock was set back over a restart.
fn go_on_from(clock: HallClock, latest: Option<UtcMs>) -> HallClock {
    let behind = latest.map_or(0, |latest| latest.saturating_sub(clock.now()));
    if behind > 0 {
        tracing::warn!(
            "the machine's clock is {} s behind the last event of the record: times go on from that event; check the \
             machine's date and restart the daemon",
            behind.div_ceil(1000)
        );
    }
    clock.not_before(latest.unwrap_or(0))
}

/// The accounts; none when their file cannot be used. Everything public works without them.
fn open_accounts(data: &Path) -> Option<Accounts> {
    Accounts::open(data)
        .inspect_err(|error| {
            let reason = std::error::Error::source(error).map(ToString::to_string);
            tracing::error!(
                reason,
                "{error}; the broadcast goes on and no one can log in: restore the file from a backup or move it away, and \
                 restart the daemon"
            );
        })
        .ok()
}

/// Where other machines reach a listener without TLS.
fn in_network(local: SocketAddr, secure: Option<&Secure>) -> Option<SocketAddr> {
    let ip = if local.ip().is_unspecified() { secure?.address().ip() } else { local.ip() };
    (!ip.is_loopback()).then(|| SocketAddr::new(ip, local.port()))
}

/// Says how to make the first administrator while there is none. Not through the log: the link is a secret.
fn tell_first_link(admin: &Admin, address: SocketAddr, secure: Option<&Secure>, data: &Path) -> anyhow::Result<()> {
    if let Some(link) = admin.first_link(address.port())? {
        let explained = secure.map(|secure| secure.explain(&link)).unwrap_or_default();
        admin.keep_first_link(ShownLink::show(&link, &explained, data));
    } else {
        ShownLink::remove_old(data);
    }
    Ok(())
}

/// Prepares the folder of captures, and lets room be made in it.
fn tidy_captures(
    supervisor: &mut Supervisor,
    data: &Path,
    limit: Limit,
    director: &DirectorHandle,
    clock: HallClock,
    stop: &CancellationToken,
) -> CaptureFolder {
    let captures = CaptureFolder::new(data.join("captures"));
    captures.prepare();
    let (kept, director, stop) = (captures.clone(), director.clone(), stop.clone());
    supervisor.replaceable("tidying of captures", move || {
        tidying(kept.clone(), limit, director.clone(), clock, stop.clone())
    });
    captures
}

/// Makes room among the captures from time to time. What was captured since the running round began stays, and one day
/// before: days begin at another hour at the venue.
async fn tidying(
    captures: CaptureFolder,
    limit: Limit,
    director: DirectorHandle,
    clock: HallClock,
    stop: CancellationToken,
) -> anyhow::Result<()> {
    let mut ticks = tokio::time::interval(TIDYING);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        let captures = captures.clone();
        let today = local_date(clock.now());
        let first = director.first_open_day().map_or(today, |day| day.min(today));
        let keep_from = first.pred_opt().unwrap_or(first);
        tokio::task::spawn_blocking(move || captures.tidy(limit, keep_from)).await?;
    }
    Ok(())
}

/// Looks from time to time whether the journal is still in its folder.
async fn watching_journal(
    watch: JournalWatch,
    recorder: RecorderHandle,
    review: Review,
    stop: CancellationToken,
) -> anyhow::Result<()> {
    let mut ticks = tokio::time::interval(PRESENCE);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        let (watch, review) = (watch.clone(), review.clone());
        let look = move || {
            review.look_again();
            watch.is_there()
        };
        recorder.note_presence(tokio::task::spawn_blocking(look).await?);
    }
    Ok(())
}

/// A thread as a task of the supervisor.
async fn end_of(thread: JoinHandle<()>) -> anyhow::Result<()> {
    match tokio::task::spawn_blocking(|| thread.join()).await? {
        Ok(()) => Ok(()),
        Err(_) => bail!("it panicked; the reason is above"),
    }
}
