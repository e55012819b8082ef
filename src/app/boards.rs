//! Starts what reads boards: discovery, their tasks, their captures, and their tables by serial number.

use std::time::Duration;

use hall_clock::{HallClock, local_date};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::Tasks;
use crate::boards::manager;
use crate::boards::task::BoardContext;
use crate::director::DirectorHandle;
use crate::director::by_serial::{self, AllBoards};
use crate::transport::ask::FoundBoard;
use crate::transport::candidates::Scope;
use crate::transport::capture_file::CaptureFolder;
use crate::transport::capture_space::Limit;
use crate::transport::discovery;
use crate::transport::known_lines::KnownLines;

/// The ports that a person allowed, in the data folder.
const PORTS: &str = "ports.json";

/// Where boards were found, in the data folder.
const LINES: &str = "lines.json";

/// How often room is made among the captures.
const TIDYING: Duration = Duration::from_hours(1);

/// Looks for boards on the ports of the scope from time to time.
pub(super) fn look_for_boards(tasks: &mut Tasks, scope: Scope, every: Duration, found: mpsc::Sender<FoundBoard>) {
    scope.ports.keep_in(tasks.data.join(PORTS));
    let (lines, clock, stop) = (tasks.data.join(LINES), tasks.clock, tasks.stop.clone());
    tasks.supervisor.replaceable("discovery", move || {
        let known = KnownLines::open(lines.clone());
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

/// Runs the tasks of all boards that are found.
pub(super) fn run_boards(tasks: &mut Tasks, context: BoardContext, found: mpsc::Receiver<FoundBoard>) {
    tasks.supervisor.essential("hall of boards", manager::run(context, found, tasks.stop.clone()));
}

/// Assigns boards to tables by their serial numbers where the organiser wants that.
pub(super) fn assign_boards(tasks: &mut Tasks, all: Option<AllBoards>, director: &DirectorHandle) {
    let Some(all) = all else { return };
    let (director, stop) = (director.clone(), tasks.stop.clone());
    tasks
        .supervisor
        .replaceable("assignment by serial numbers", move || by_serial::assign(all, director.clone(), stop.clone()));
}

/// Prepares the folder of captures, and lets room be made in it.
pub(super) fn tidy_captures(tasks: &mut Tasks, limit: Limit, director: &DirectorHandle) -> CaptureFolder {
    let captures = CaptureFolder::new(tasks.data.join("captures"));
    captures.prepare();
    let (kept, director, clock, stop) = (captures.clone(), director.clone(), tasks.clock, tasks.stop.clone());
    tasks.supervisor.replaceable("tidying of captures", move || {
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
