//! Starts what answers at addresses: listeners, public pages, the e-board socket; and says where people log in.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use axum::http::HeaderMap;
use evaluations::Evaluations;
use hall_clock::HallClock;
use journal::DataFolder;
use public_web::{Served, Web};
use publish::gate::PublicView;
use publish::hub::HubHandle;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::Tasks;
use super::settings::{EboardSettings, TlsSettings};
use crate::admin::{Admin, PublicUrl};
use crate::assets;
use crate::director::DirectorHandle;
use crate::eboard::{self, Boards};
use crate::first_link::ShownLink;
use crate::listeners::{self, Serving, Shares};
use crate::network::{network_address, outside};
use crate::secure::Secure;

/// Opens HTTPS and the further listeners; gives them, and where browsers of the network log in.
pub(super) async fn open_listeners(
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
pub(super) fn public_pages(
    (public, evaluations): (PublicView, Option<Evaluations>),
    hub: HubHandle,
    clock: HallClock,
    admin: &Arc<Admin>,
    shares: Shares,
) -> Arc<Web> {
    let taking = Arc::clone(admin);
    let web = Web::new(public, hub, clock, assets::asset, health_of(admin));
    let web = web.with_seats_per_address(shares.viewers_per_address).with_evaluations(evaluations);
    Arc::new(web.with_reports(Box::new(move |report| taking.take_report(report))))
}

/// How the daemon is, for `/health`.
fn health_of(admin: &Arc<Admin>) -> public_web::Health {
    let admin = Arc::clone(admin);
    Box::new(move |came_in, headers: &HeaderMap| admin.health(came_in, headers))
}

/// Lets commands on this machine find the daemon.
pub(super) fn keep_address(folder: &DataFolder, local: SocketAddr) {
    if let Err(error) = folder.write_address(local) {
        tracing::warn!(error = &error as &dyn std::error::Error, "commands on this machine do not find the daemon");
    }
}

/// Warns when no other machine can log in although the pages are served to them.
pub(super) fn warn_of_login(local: SocketAddr, public_url: Option<&PublicUrl>, https: Option<SocketAddr>) {
    let served = !local.ip().is_loopback() && !local.ip().is_unspecified();
    if public_url.is_none() && https.is_none() && served {
        tracing::warn!(
            "logging in is not possible at {local}: listen at 0.0.0.0 instead, or put a proxy's address into public_url"
        );
    }
}

/// Where other machines reach what is public without TLS: at the first listener or at a further one. An address that was chosen for
/// HTTPS says in which network they are.
pub(super) fn in_network(
    local: SocketAddr,
    secure: Option<&Secure>,
    further: &[listeners::Open],
) -> Option<SocketAddr> {
    let chosen = secure.map(|secure| secure.address().ip()).filter(|ip| !ip.is_loopback());
    let plain = further.iter().filter_map(listeners::Open::public_address);
    outside([local].into_iter().chain(plain), chosen.or_else(network_address))
}

/// Says how to make the first administrator while there is none. Not through the log: the link is a secret.
pub(super) fn tell_first_link(
    admin: &Admin,
    address: SocketAddr,
    secure: Option<&Secure>,
    data: &Path,
) -> anyhow::Result<()> {
    if let Some(link) = admin.first_link(address.port())? {
        let explained = secure.map(|secure| secure.explain(&link)).unwrap_or_default();
        admin.keep_first_link(ShownLink::show(&link, &explained, data));
    } else {
        ShownLink::remove_old(data);
    }
    Ok(())
}

/// Takes the address of the e-board socket.
pub(super) async fn listen_for_eboards(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| {
        format!(
            "{address} is not free for the e-board socket: end LiveChess or whatever uses it, or set another address in \
             eboard_socket"
        )
    })
}

/// Serves the e-board socket on its own listener, if it is wanted.
pub(super) async fn serve_eboards(
    tasks: &mut Tasks,
    settings: Option<EboardSettings>,
    (director, public): (&DirectorHandle, &PublicView),
    limits: public_web::Limits,
) -> anyhow::Result<()> {
    let Some(settings) = settings else { return Ok(()) };
    let listener = listen_for_eboards(settings.listen).await?;
    tracing::info!("the e-board socket is open, without delay: ws://{}/api/v1.0", listener.local_addr()?);
    let stop = tasks.stop.clone();
    let boards = Arc::new(Boards::new((director.clone(), public.clone()), tasks.clock, settings.access, stop.clone()));
    let serving = public_web::serve(listener, Served::new(eboard::router(boards)), limits, stop, || ());
    tasks.supervisor.essential("e-board socket", serving);
    Ok(())
}
