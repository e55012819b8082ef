//! Wiring: the one place that knows every part of the daemon, and the order in which the parts begin.
//!
//! [`settings`] says what a daemon is started with; the files beside it start parts of one kind each.

mod addresses;
mod boards;
mod consumers;
mod record;
mod settings;
mod trial;
mod watches;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::admin::{self, Admin, Parts};
use crate::alarms::{AlarmBook, Watched};
use crate::boards::past_sessions::PastSessions;
use crate::boards::task::BoardContext;
use crate::director::{self, DirectorHandle};
use crate::listeners::{self, Routers};
use crate::metrics;
use crate::planned_starts;
use crate::rehearsal::Rehearsals;
use crate::supervisor::Supervisor;
use hall_clock::HallClock;
use journal::{DataFolder, Reader};
use publish::gate::{self, History, Policy};
use publish::hub;

use addresses::{
    in_network, keep_address, open_listeners, public_pages, serve_eboards, tell_first_link, warn_of_login,
};
use boards::{assign_boards, look_for_boards, run_boards, tidy_captures};
use consumers::{start_engine, start_outputs, start_sources};
use record::{end_of, go_on_from, open_accounts, review_of, watch_folder};
use watches::{measure, send_messages, watch_alarms, watch_owners, watch_pairings};

pub use crate::listeners::listen;
pub use settings::{EboardSettings, Settings, TlsSettings};
pub(crate) use trial::{try_addresses, try_certificate};

/// Boards that wait for their task; discovery waits when there are more.
const FOUND_WAITING: usize = 16;

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

/// The tasks of the daemon, and what most of them are started with.
struct Tasks {
    supervisor: Supervisor,
    /// Hall time.
    clock: HallClock,
    /// The data folder.
    data: PathBuf,
    /// Ends them.
    stop: CancellationToken,
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
        engine,
        messages,
        tls,
        eboard,
        accounts,
        rehearsal,
        serving,
        time,
    } = settings;
    let shares = listeners::shares(&serving.limits, 1 + usize::from(tls.is_some()) + serving.listeners.len());

    let folder = DataFolder::take(&data)?;
    let (journal, reader) = folder.open_journal()?;
    let review = review_of(&journal, &data);
    // Before anything is served: the file of this name is the one that was opened.
    let watched = folder.watch_journal();
    let clock = go_on_from(clock, reader.latest()?);
    let mut tasks = Tasks { supervisor: Supervisor::new(stop.clone()), clock, data: data.clone(), stop };
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
    feed.read_earlier_with(Arc::clone(&reader));
    // The director reads for itself: a long listing for a page must not hold up a board.
    let (director, director_running) = director::start(clock, recorder.clone(), Reader::open_in(&data)?, &past)
        .context("the director does not start")?;
    drop(past);
    let is_rehearsal = accounts.is_some();
    let liveness = watch_owners(&mut tasks, &recorder, &director, !is_rehearsal);
    initial.order(&director).await?;
    let (gate, gate_thread) =
        gate::open(&feed, clock, history, recorder.downgrade()).context("the gate does not start")?;
    let review = review.with(gate.clone());
    let public = gate.public(Policy::PUBLIC);
    let (hub, hub_thread) = hub::start(public.clone(), clock, shares.hub).context("the hub does not start")?;
    tasks.supervisor.essential("director", director_running.ended());
    for (name, thread) in [("recorder", recorder_thread), ("gate", gate_thread), ("hub", hub_thread)] {
        tasks.supervisor.essential(name, end_of(thread));
    }
    let local = listener.local_addr()?;
    keep_address(&folder, local);
    let (secure, further, https) = open_listeners(tls, &serving, &data, &tasks.stop).await?;
    warn_of_login(local, public_url.as_ref(), https);
    let alarms = AlarmBook::default();
    let outputs = start_outputs(&mut tasks, &gate, outputs, &alarms)?;
    let (planning, planned) = (director.clone(), outputs.clone());
    let until = tasks.stop.clone();
    tasks.supervisor.replaceable("starts of rounds at Lichess", move || {
        planned_starts::follow(planning.clone(), planned.clone(), until.clone())
    });
    let (found_sender, found) = mpsc::channel(FOUND_WAITING);
    let sources = start_sources(&mut tasks, &director, &reader, found_sender.clone(), &alarms);
    let viewed = hub.clone();
    let measured = metrics::Sources {
        director: director.clone(),
        recorder: recorder.clone(),
        viewers: Arc::new(move || viewed.viewers()),
        outputs: outputs.clone(),
        alarms: alarms.clone(),
        clock,
        liveness: liveness.clone(),
        data: data.clone(),
    };
    let metrics = measure(&mut tasks, measured, &feed, &public);
    let rehearsals = Rehearsals::new(rehearsal);
    let admin = Admin::new(Parts {
        accounts: accounts.or_else(|| open_accounts(&data)),
        public_url,
        https,
        plain: in_network(local, secure.as_ref(), &further),
        director: director.clone(),
        reader,
        alarms: alarms.clone(),
        hall_clock: clock,
        real_clock: HallClock::start(1.0),
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
        stop: tasks.stop.clone(),
    });
    tell_first_link(&admin, local, secure.as_ref(), &data)?;
    let admin = Arc::new(admin);
    let web = public_pages((public.clone(), start_engine(&gate, engine)?), hub.clone(), clock, &admin, shares);
    let routers = admin::routers(&web, &gate, &admin);
    let (opened, proxies) = ((listener, secure, further), Arc::new(serving.proxies));
    let served = rehearsals.beside(&routers);
    listeners::serve(&mut tasks.supervisor, opened, (served, &web, &proxies), hub, shares.web, &tasks.stop);
    serve_eboards(&mut tasks, eboard, (&director, &public), shares.web).await?;

    let captures = tidy_captures(&mut tasks, capture_space, &director);
    watch_folder(&mut tasks, watched, recorder.clone(), review.clone());
    send_messages(&mut tasks, &messages, &alarms);
    let watched = Watched {
        director: director.clone(),
        feed,
        recorder,
        review,
        data,
        captures: captures.clone(),
        ports: scope.ports.clone(),
        clock,
    };
    watch_alarms(&mut tasks, &alarms, alarm_hook, watched);
    watch_pairings(&mut tasks, pairings_folder, alarms, director.clone());
    assign_boards(&mut tasks, assign_by_serial, &director);
    let context =
        BoardContext { clock, director: director.clone(), captures, past_sessions: PastSessions::from_now_on() };
    run_boards(&mut tasks, context, found);
    look_for_boards(&mut tasks, scope, look_around, found_sender);
    Ok(Daemon { supervisor: tasks.supervisor, folder, director, routers })
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
