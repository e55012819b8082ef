//! Starts what watches the daemon and the hall: liveness, metrics, alarms and their messages, the folder of pairings.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hall_clock::HallClock;
use journal::{Feed, RecorderHandle};
use outputs::Outputs;
use publish::gate::PublicView;
use publish::hub::HubHandle;
use tokio_util::sync::CancellationToken;

use crate::alarms::hook::HookUrl;
use crate::alarms::messages::Messages;
use crate::alarms::{self, AlarmBook};
use crate::director::DirectorHandle;
use crate::director::pairings_folder::PairingsFolder;
use crate::metrics::{self, Latency, Metrics, Sources};
use crate::review::Review;
use crate::service::{self, Liveness};
use crate::supervisor::Supervisor;
use crate::transport::ports::Ports;

/// Notes whether recorder and director answer; the daemon that is the service also feeds the watchdog.
pub(super) fn watch_owners(
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

/// Collects metrics, with how long moves take to the journal and to the public.
pub(super) fn measure(
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

/// Watches the hall for alarms, and sends them to the organiser's address if there is one.
pub(super) fn watch_alarms(
    supervisor: &mut Supervisor,
    alarms: &AlarmBook,
    hook: Option<HookUrl>,
    (director, feed, recorder, review): (DirectorHandle, Feed, RecorderHandle, Review),
    (clock, data, ports): (HallClock, &Path, &Ports),
    stop: &CancellationToken,
) {
    let ports = ports.clone();
    let (book, until, data) = (alarms.clone(), stop.clone(), data.to_owned());
    supervisor.replaceable("alarms", move || {
        let (record, review) = ((recorder.clone(), data.clone(), ports.clone()), review.clone());
        let watching = alarms::run(book.clone(), director.clone(), feed.clone(), record, review, clock, until.clone());
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

/// Sends messages about alarms over every channel of the settings.
pub(super) fn send_messages(
    supervisor: &mut Supervisor,
    messages: &Messages,
    alarms: &AlarmBook,
    stop: &CancellationToken,
) {
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

/// Loads pairings that are saved to their folder.
pub(super) fn watch_pairings(
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
