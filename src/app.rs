//! Wiring: the one place that knows every part of the daemon.

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::admin::{Admin, Parts, PublicUrl};
use crate::alarms::hook::HookUrl;
use crate::alarms::{self, AlarmBook};
use crate::boards::manager;
use crate::boards::task::BoardContext;
use crate::director::initial::InitialTournament;
use crate::director::pairings_folder::PairingsFolder;
use crate::director::{self, DirectorHandle};
use crate::eboard::{self, Access, Boards};
use crate::supervisor::Supervisor;
use crate::transport::candidates::Scope;
use crate::transport::capture_file::CaptureFolder;
use crate::transport::capture_space::Limit;
use crate::transport::discovery;
use crate::{admin, assets};
use accounts::Accounts;
use hall_clock::{HallClock, UtcMs, local_date};
use journal::{DataFolder, Feed, JournalWatch, Reader, RecorderHandle};
use public_web::Web;
use publish::gate::{History, Policy};
use publish::{gate, hub};

/// Boards that wait for their task; discovery waits when there are more.
const FOUND_WAITING: usize = 16;

/// How often room is made among the captures.
const TIDYING: Duration = Duration::from_hours(1);

/// How often the daemon looks whether its data folder is still there.
const PRESENCE: Duration = Duration::from_secs(2);

/// Open files that clients leave to boards, captures and the journal. A board has three.
const FILES_KEPT: usize = 4096;

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
    /// A folder of pairings that load by themselves.
    pub pairings_folder: PathBuf,
    /// Where alarms are sent.
    pub alarm_hook: Option<HookUrl>,
    /// The e-board socket for programs that speak the protocol of LiveChess; off when missing.
    pub eboard: Option<EboardSettings>,
}

/// The e-board socket.
#[derive(Clone, Debug)]
pub struct EboardSettings {
    /// Its address.
    pub listen: SocketAddr,
    /// Who may use it.
    pub access: Access,
}

/// Takes the address of the pages.
///
/// # Errors
/// One sentence with the address and the remedy.
pub async fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| {
        let remedy = match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                "is in use by another program: end that program, or give another address with --listen"
            }
            std::io::ErrorKind::PermissionDenied => {
                "may not be used without permission: give a port above 1023 with --listen"
            }
            std::io::ErrorKind::AddrNotAvailable => {
                "is not an address of this machine: give one that is with --listen, or 0.0.0.0 for all"
            }
            _ => "cannot be listened on: give another address with --listen",
        };
        anyhow::Error::new(error).context(format!("{address} {remedy}"))
    })
}

/// A daemon at work.
#[derive(Debug)]
pub struct Daemon {
    supervisor: Supervisor,
    /// Locked for as long as the daemon runs.
    folder: DataFolder,
    /// The owner of its tournament. A copy that is kept keeps the daemon from ending.
    pub director: DirectorHandle,
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
pub async fn start(settings: Settings, listener: TcpListener, stop: CancellationToken) -> anyhow::Result<Daemon> {
    let Settings {
        clock,
        data,
        scope,
        look_around,
        public_url,
        capture_space,
        initial,
        pairings_folder,
        alarm_hook,
        eboard,
    } = settings;
    let mut supervisor = Supervisor::new(stop.clone());
    let (web_limits, hub_limits) = client_limits();

    let folder = DataFolder::take(&data)?;
    let (journal, reader) = folder.open_journal()?;
    // Before anything is served: the file of this name is the one that was opened.
    let watched = folder.watch_journal();
    let clock = go_on_from(clock, reader.latest()?);
    let reader = Arc::new(reader);
    let past = reader.past()?;
    let history =
        History { identity: journal.identity()?, rounds: past.rounds.clone(), reader: Some(Arc::clone(&reader)) };
    let (recorder, feed, recorder_thread) =
        journal::start(clock, journal, past.entries.clone()).context("the recorder does not start")?;
    // The director reads for itself: a long listing for a page must not hold up a board.
    let (director, director_running) = director::start(clock, recorder.clone(), Reader::open_in(&data)?, &past)
        .context("the director does not start")?;
    drop(past);
    initial.order(&director).await?;
    let (gate, gate_thread) = gate::open(&feed, clock, history).context("the gate does not start")?;
    let public = gate.public(Policy::NO_DELAY);
    let (hub, hub_thread) = hub::start(public.clone(), clock, hub_limits).context("the hub does not start")?;
    supervisor.essential("recorder", end_of(recorder_thread));
    supervisor.essential("director", director_running.ended());
    supervisor.essential("gate", end_of(gate_thread));
    supervisor.essential("hub", end_of(hub_thread));
    let local = listener.local_addr()?;
    if let Err(error) = folder.write_address(local) {
        tracing::warn!(error = &error as &dyn std::error::Error, "commands on this machine do not find the daemon");
    }
    if public_url.is_none() && !local.ip().is_loopback() && !local.ip().is_unspecified() {
        tracing::warn!(
            "logging in is not possible at {local}: listen at 0.0.0.0 instead, or put a proxy's address into public_url"
        );
    }
    let alarms = AlarmBook::default();
    let admin = Admin::new(Parts {
        accounts: open_accounts(&data),
        public_url,
        director: director.clone(),
        reader,
        alarms: alarms.clone(),
        hall_clock: clock,
        recorder: recorder.clone(),
        data: data.clone(),
        feed: feed.clone(),
        stop: stop.clone(),
    });
    tell_first_link(&admin, local)?;
    let admin = Arc::new(admin);
    let asked = Arc::clone(&admin);
    let health = Box::new(move || asked.troubles().is_empty());
    let web = Arc::new(Web::new(public, hub.clone(), clock, assets::asset, health));
    let router = admin::router(&web, gate.keys(), &admin);
    let serving = public_web::serve(listener, router, web_limits, stop.clone(), move || hub.close());
    supervisor.essential("listener", async { Ok(serving.await?) });

    serve_eboards(&mut supervisor, eboard, &director, clock, web_limits, &stop).await?;

    let (found_sender, found) = mpsc::channel(FOUND_WAITING);
    let captures = CaptureFolder::new(data.join("captures"));
    captures.prepare();
    tidy_captures(&mut supervisor, &captures, capture_space, &director, clock, &stop);
    let (recording, until) = (recorder.clone(), stop.clone());
    supervisor.replaceable("watch of the data folder", move || {
        watching_journal(watched.clone(), recording.clone(), until.clone())
    });
    watch_alarms(&mut supervisor, &alarms, alarm_hook, (director.clone(), feed, recorder), clock, &stop);
    let (reader, until) = (director.clone(), stop.clone());
    supervisor.replaceable("folder of pairings", move || {
        let folder = PairingsFolder::new(pairings_folder.clone(), reader.clone(), alarms.clone(), clock);
        let watching = folder.watch(until.clone());
        async { Ok(watching.await?) }
    });
    let context = BoardContext { clock, director: director.clone(), captures };
    let hall = manager::run(context, found, stop.clone());
    supervisor.essential("hall of boards", async {
        hall.await;
        Ok(())
    });
    supervisor.replaceable("discovery", move || {
        let looking = discovery::discover(scope.clone(), look_around, clock, found_sender.clone());
        let stopped = stop.clone();
        async move {
            tokio::select! {
                ended = looking => ended,
                () = stopped.cancelled() => Ok(()),
            }
        }
    });
    Ok(Daemon { supervisor, folder, director })
}

impl Daemon {
    /// Waits for the stop, then for the daemon's tasks to end.
    ///
    /// # Errors
    /// When a part without which nothing works fails.
    pub async fn run(self) -> anyhow::Result<()> {
        let Self { supervisor, folder, director } = self;
        // The director ends with its last handle, and the recorder with the director.
        drop(director);
        let ended = supervisor.run().await;
        drop(folder);
        ended
    }
}

/// Raises the limit of open files as far as the system allows, and shares it: at least half, up to [`FILES_KEPT`], is not for
/// clients.
fn client_limits() -> (public_web::Limits, hub::Limits) {
    let (web, viewers) = (public_web::Limits::default(), hub::Limits::default());
    let files = match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(files) => usize::try_from(files).unwrap_or(usize::MAX),
        Err(error) => {
            tracing::warn!(%error, "the limit of open files is not known: many viewers may take what boards need");
            return (web, viewers);
        }
    };
    let (web, viewers) = shares(files, web, viewers);
    tracing::debug!(files, connections = web.connections, viewers = viewers.viewers, "open files");
    (web, viewers)
}

/// The limits of clients when so many files may be open.
fn shares(files: usize, web: public_web::Limits, viewers: hub::Limits) -> (public_web::Limits, hub::Limits) {
    let for_clients = files - (files / 2).min(FILES_KEPT);
    let connections = web.connections.min(for_clients / 2).max(1);
    let bodies = web.bodies.min(connections / 4).max(1);
    let seats = viewers.viewers.min(for_clients.saturating_sub(connections));
    (public_web::Limits { connections, bodies, ..web }, hub::Limits { viewers: seats, ..viewers })
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
    let serving = public_web::serve(listener, eboard::router(boards), limits, stop.clone(), || ());
    supervisor.essential("e-board socket", async { Ok(serving.await?) });
    Ok(())
}

/// Watches the hall for alarms, and sends them to the organiser's address if there is one.
fn watch_alarms(
    supervisor: &mut Supervisor,
    alarms: &AlarmBook,
    hook: Option<HookUrl>,
    (director, feed, recorder): (DirectorHandle, Feed, RecorderHandle),
    clock: HallClock,
    stop: &CancellationToken,
) {
    let (book, until) = (alarms.clone(), stop.clone());
    supervisor.replaceable("alarms", move || {
        let watching =
            alarms::run(book.clone(), director.clone(), feed.clone(), recorder.clone(), clock, until.clone());
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

/// Says how to make the first administrator while there is none. Not through the log: the link is a secret.
fn tell_first_link(admin: &Admin, address: SocketAddr) -> anyhow::Result<()> {
    if let Some(link) = admin.first_link(address.port())? {
        // Standard output may be closed.
        let _ = writeln!(io::stdout(), "Make the first administrator: {link}");
    }
    Ok(())
}

/// Lets room be made among the captures.
fn tidy_captures(
    supervisor: &mut Supervisor,
    captures: &CaptureFolder,
    limit: Limit,
    director: &DirectorHandle,
    clock: HallClock,
    stop: &CancellationToken,
) {
    let (captures, director, stop) = (captures.clone(), director.clone(), stop.clone());
    supervisor.replaceable("tidying of captures", move || {
        tidying(captures.clone(), limit, director.clone(), clock, stop.clone())
    });
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
    stop: CancellationToken,
) -> anyhow::Result<()> {
    let mut ticks = tokio::time::interval(PRESENCE);
    while stop.run_until_cancelled(ticks.tick()).await.is_some() {
        let watch = watch.clone();
        recorder.note_presence(tokio::task::spawn_blocking(move || watch.is_there()).await?);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_leave_open_files_to_boards_and_journal() {
        let shared = |files| {
            let (web, viewers) = shares(files, public_web::Limits::default(), hub::Limits::default());
            (web.connections, web.bodies, viewers.viewers)
        };
        assert_eq!(shared(524_288), (4096, 64, 20_000));
        assert_eq!(shared(1024), (256, 64, 256));
        assert_eq!(shared(300), (75, 18, 75));
        assert_eq!(shared(0), (1, 1, 0));
    }
}
