//! Starts what watches the daemon and the hall: liveness, metrics, alarms and their messages, the folder of pairings.

use std::path::PathBuf;
use std::sync::Arc;

use journal::{Feed, RecorderHandle};
use publish::gate::PublicView;

use super::Tasks;
use crate::alarms::hook::HookUrl;
use crate::alarms::messages::Messages;
use crate::alarms::{self, AlarmBook, Watched};
use crate::director::DirectorHandle;
use crate::director::pairings_folder::PairingsFolder;
use crate::metrics::{self, Latency, Metrics, Sources};
use crate::service::{self, Liveness};

/// Notes whether recorder and director answer; the daemon that is the service also feeds the watchdog.
pub(super) fn watch_owners(
    tasks: &mut Tasks,
    recorder: &RecorderHandle,
    director: &DirectorHandle,
    is_service: bool,
) -> Liveness {
    let liveness = Liveness::default();
    let (recorder, director, noted, stop) = (recorder.clone(), director.clone(), liveness.clone(), tasks.stop.clone());
    tasks.supervisor.replaceable("watch of recorder and director", move || {
        service::watch((recorder.clone(), director.clone()), noted.clone(), is_service, stop.clone())
    });
    liveness
}

/// Collects metrics, with how long moves take to the journal and to the public.
pub(super) fn measure(tasks: &mut Tasks, sources: Sources, feed: &Feed, public: &PublicView) -> Arc<Metrics> {
    let latency = Latency::default();
    let (feed, public, director, stop) = (feed.clone(), public.clone(), sources.director.clone(), tasks.stop.clone());
    let clock = tasks.clock;
    let metrics = Arc::new(Metrics::new(sources, &latency));
    tasks.supervisor.replaceable("measuring of moves", move || {
        let watched = (feed.clone(), public.clone());
        metrics::observe(latency.clone(), watched, director.clone(), clock, stop.clone())
    });
    metrics
}

/// Watches the hall for alarms, and sends them to the organiser's address if there is one.
pub(super) fn watch_alarms(tasks: &mut Tasks, alarms: &AlarmBook, hook: Option<HookUrl>, watched: Watched) {
    let (book, stop) = (alarms.clone(), tasks.stop.clone());
    tasks.supervisor.replaceable("alarms", move || alarms::run(book.clone(), watched.clone(), stop.clone()));
    let Some(url) = hook else { return };
    let (book, stop) = (alarms.clone(), tasks.stop.clone());
    tasks
        .supervisor
        .replaceable("alarms by web hook", move || alarms::hook::run(url.clone(), book.changes(), stop.clone()));
}

/// Sends messages about alarms over every channel of the settings.
pub(super) fn send_messages(tasks: &mut Tasks, messages: &Messages, alarms: &AlarmBook) {
    for channel in &messages.channels {
        let (channel, messages, book, stop) = (channel.clone(), messages.clone(), alarms.clone(), tasks.stop.clone());
        tasks.supervisor.replaceable("messages about alarms", move || {
            alarms::messages::run(channel.clone(), messages.clone(), book.clone(), stop.clone())
        });
    }
}

/// Loads pairings that are saved to their folder.
pub(super) fn watch_pairings(tasks: &mut Tasks, path: PathBuf, alarms: AlarmBook, director: DirectorHandle) {
    let (clock, stop) = (tasks.clock, tasks.stop.clone());
    tasks.supervisor.replaceable("folder of pairings", move || {
        let folder = PairingsFolder::new(path.clone(), director.clone(), alarms.clone(), clock);
        let watching = folder.watch(stop.clone());
        async { Ok(watching.await?) }
    });
}
