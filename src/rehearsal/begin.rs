//! Begins a rehearsal with simulated boards.

use std::net::Ipv4Addr;
use std::pin::Pin;
use std::time::Duration;

use anyhow::Context;
use board_sim::{Beginning, Games, HallOptions, Pace, Style};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{Running, Shared};
use crate::app;
use crate::demo::{Rehearsal, rehearse};

/// Games that each board plays.
const ROUNDS: usize = 5;

/// Seconds in the hall for each real second: a round takes about half an hour, and there is time to mend a table.
const SPEED: f64 = 4.0;

/// A rehearsal that is left alone ends by itself.
const LONGEST: Duration = Duration::from_hours(6);

/// Begins a rehearsal: its hall plays when this is done.
pub fn begin(shared: Shared) -> Pin<Box<dyn Future<Output = anyhow::Result<Running>> + Send>> {
    Box::pin(begun(shared))
}

async fn begun(shared: Shared) -> anyhow::Result<Running> {
    let folder = tempfile::Builder::new()
        .prefix("boardcast-rehearsal-")
        .tempdir()
        .context("a temporary folder cannot be created: check space and permissions of the folder in TMPDIR")?;
    let options = HallOptions {
        boards: shared.boards,
        speed: SPEED,
        seed: fastrand::u64(..1_000_000),
        style: Style::Human,
        pace: Pace::InTurn,
        mixed: shared.troubles,
        games: Games::Masters,
        rounds_per_board: ROUNDS,
        rotated: true,
        beginning: Beginning::RoundByRound,
        ..HallOptions::default()
    };
    let made = tokio::task::spawn_blocking(move || rehearse(options, folder.path()).map(|made| (made, folder)));
    let (Rehearsal { mut hall, mut settings }, folder) = made.await??;
    settings.public_url = shared.public_url;
    settings.accounts = Some(shared.accounts);
    // Its addresses are served by the event's daemon; the listener is for programs of this machine.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let stop = shared.stop.child_token();
    let daemon = app::start(settings, listener, stop.clone()).await?;
    let (routers, ended) = (daemon.routers.clone(), CancellationToken::new());
    hall.start();
    tracing::info!(boards = shared.boards, "a rehearsal has begun");
    let (over, stopping) = (ended.clone(), stop.clone());
    tokio::spawn(async move {
        let running = daemon.run();
        tokio::pin!(running);
        let finished = tokio::select! {
            finished = &mut running => finished,
            () = tokio::time::sleep(LONGEST) => {
                stopping.cancel();
                running.await
            }
        };
        over.cancel();
        if let Err(error) = finished {
            tracing::error!("the rehearsal failed: {error:#}");
        }
        let cleared = tokio::task::spawn_blocking(move || {
            hall.stop();
            drop(folder);
        });
        let _ = cleared.await;
        tracing::info!("the rehearsal has ended");
    });
    Ok(Running { routers, stop, ended })
}
