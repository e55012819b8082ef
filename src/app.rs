//! Wiring: the one place that knows every part of the daemon.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::board_task::BoardContext;
use crate::hall_clock::HallClock;
use crate::supervisor::Supervisor;
use crate::tournament::Tournament;
use crate::transport::candidates::Scope;
use crate::transport::discovery;
use crate::{boards, record};

/// Boards that wait for their task; discovery waits when there are more.
const FOUND_WAITING: usize = 16;

/// What a daemon is told.
#[derive(Debug)]
pub struct Settings {
    /// Hall time.
    pub clock: HallClock,
    /// The data folder.
    pub data: PathBuf,
    /// Which ports are looked at.
    pub scope: Scope,
    /// How often.
    pub look_around: Duration,
    /// The event and its pairings.
    pub tournament: Tournament,
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

/// Runs the daemon until the stop.
///
/// # Errors
/// When a part without which nothing works fails.
pub async fn run(
    settings: Settings,
    listener: TcpListener,
    stop: CancellationToken,
) -> anyhow::Result<()> {
    let Settings {
        clock,
        data,
        scope,
        look_around,
        tournament,
    } = settings;
    let tournament = Arc::new(tournament);
    let (recorder, feed, recorder_thread) =
        record::start(clock).context("the recorder does not start")?;
    let mut supervisor = Supervisor::new(stop.clone());

    let (found_sender, found) = mpsc::channel(FOUND_WAITING);
    let context = BoardContext {
        clock,
        tournament,
        recorder,
        captures: data.join("captures"),
    };
    supervisor.essential("hall of boards", boards::run(context, found, stop.clone()));

    let stopped = stop.clone();
    supervisor.replaceable("discovery", move || {
        let (looking, stopped) = (
            discovery::discover(scope.clone(), look_around, found_sender.clone()),
            stopped.clone(),
        );
        async move {
            tokio::select! {
                ended = looking => ended,
                () = stopped.cancelled() => Ok(()),
            }
        }
    });
    supervisor.run().await
}
