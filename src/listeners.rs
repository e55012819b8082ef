//! The addresses at which the daemon serves its pages and its API, and what clients may hold there.
//!
//! The first address and the daemon's own HTTPS serve everything; further ones serve what their settings say. Must not know what
//! is behind an address.

#[cfg(any(unix, feature = "tls"))]
pub(crate) mod relay;
mod settings;
mod shares;
#[cfg(unix)]
mod unix;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use axum::Router;
use public_web::{Served, Web};
use publish::hub::HubHandle;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::app::TlsSettings;
use crate::secure::Secure;
use crate::supervisor::Supervisor;

pub use settings::{Address, ClientLimits, Listener, Mode, Serves, Serving};
pub(crate) use settings::{listeners, proxies};
pub(crate) use shares::{Shares, shares};

/// What each kind of listener serves.
#[derive(Clone, Debug)]
pub(crate) struct Routers {
    /// Everything.
    pub(crate) all: Router,
    /// The public addresses.
    pub(crate) public: Router,
    /// The dashboard and the protected addresses.
    pub(crate) admin: Router,
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

/// A further listener that is open.
pub(crate) struct Open {
    serves: Serves,
    socket: Socket,
}

enum Socket {
    Plain(TcpListener),
    Secure(Secure),
    #[cfg(unix)]
    Unix(unix::UnixPages),
}

impl Open {
    /// Where browsers of the network log in; none where they do not.
    pub(crate) fn secure_address(&self) -> Option<SocketAddr> {
        match &self.socket {
            Socket::Secure(secure) if self.serves != Serves::Public => Some(secure.address()),
            _ => None,
        }
    }

    /// Where it serves what is public without TLS; none where it does not.
    pub(crate) fn public_address(&self) -> Option<SocketAddr> {
        match &self.socket {
            Socket::Plain(listener) if self.serves != Serves::Admin => listener.local_addr().ok(),
            _ => None,
        }
    }
}

/// Opens the further listeners.
///
/// # Errors
/// When one cannot be opened: one sentence with its address.
pub(crate) async fn open(serving: &Serving, data: &Path, stop: &CancellationToken) -> anyhow::Result<Vec<Open>> {
    let mut opened = Vec::new();
    for listener in &serving.listeners {
        let socket = match &listener.address {
            Address::Network(address) if listener.tls => {
                let own = serving.certificate.clone();
                let settings = TlsSettings { listen: *address, required: true, own, opened: None };
                Socket::Secure(Secure::open(Some(settings), data, stop).await?.context("HTTPS does not begin")?)
            }
            Address::Network(address) => Socket::Plain(TcpListener::bind(address).await.with_context(|| {
                format!("the listener {address} cannot be opened: end the program that uses it, or set another address")
            })?),
            #[cfg(unix)]
            Address::Unix(path) => Socket::Unix(unix::UnixPages::open(path, listener.mode(), stop.clone())?),
            #[cfg(not(unix))]
            Address::Unix(path) => anyhow::bail!("this system has no Unix sockets: remove unix:{}", path.display()),
        };
        tracing::info!(serves = ?listener.serves, tls = listener.tls, "serving {}", listener.address);
        opened.push(Open { serves: listener.serves, socket });
    }
    Ok(opened)
}

/// Serves until the stop: the same addresses with and without TLS at the first listeners, and at the further ones what is set.
/// Protected addresses ask how a request came in.
pub(crate) fn serve(
    supervisor: &mut Supervisor,
    (plain, secure, further): (TcpListener, Option<Secure>, Vec<Open>),
    (routers, web, proxies): (Routers, &Arc<Web>, &Arc<public_web::Proxies>),
    hub: HubHandle,
    limits: public_web::Limits,
    stop: &CancellationToken,
) {
    let Routers { all, public, admin } = routers;
    let [all, public] = [all, public].map(|router| Served::new(router).with_files(web).behind(proxies));
    let admin = Served::new(admin).behind(proxies);
    let serving = public_web::serve(plain, all.clone(), limits, stop.clone(), move || hub.close());
    supervisor.essential("listener", async {
        serving.await;
        Ok(())
    });
    if let Some(secure) = secure {
        supervisor.essential("HTTPS listener", secure.serve(all.clone(), limits, stop.clone()));
    }
    for Open { serves, socket } in further {
        let served = match serves {
            Serves::All => all.clone(),
            Serves::Public => public.clone(),
            Serves::Admin => admin.clone(),
        };
        let stop = stop.clone();
        supervisor.essential("further listener", async move {
            match socket {
                Socket::Plain(listener) => public_web::serve(listener, served, limits, stop, || ()).await,
                Socket::Secure(secure) => secure.serve(served, limits, stop).await?,
                #[cfg(unix)]
                Socket::Unix(listener) => public_web::serve(listener, served, limits, stop, || ()).await,
            }
            Ok(())
        });
    }
}
