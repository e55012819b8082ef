//! Tries what a daemon opens at its start, with the functions that open it, and closes it again: for `boardcast check`.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use tokio_util::sync::CancellationToken;

use super::addresses::{listen_for_eboards, open_listeners};
use super::settings::{Settings, TlsSettings};
use crate::listeners::listen;
use crate::secure::Secure;

/// Tries all addresses and the certificate. Only for a data folder that no daemon uses: a daemon has its addresses. Gives
/// the address of HTTPS when it is wanted, is not free and would be left out.
///
/// # Errors
/// When a daemon with these settings would end at once; the sentence names the address or the file.
pub(crate) async fn try_addresses(settings: &Settings, pages: SocketAddr) -> anyhow::Result<Option<SocketAddr>> {
    let (folder, _made) = folder_of_certificate(&settings.data)?;
    let stop = CancellationToken::new();
    let _end = stop.clone().drop_guard();
    // All at once, as some may have the same address.
    let _pages = listen(pages).await?;
    let https = settings.tls.as_ref().map(|tls| tls.listen);
    let (secure, _further, _) = open_listeners(settings.tls.clone(), &settings.serving, &folder, &stop).await?;
    if let Some(eboard) = &settings.eboard {
        listen_for_eboards(eboard.listen).await?;
    }
    Ok(https.filter(|_| secure.is_none()))
}

/// Tries the certificate alone, at an address that is free.
///
/// # Errors
/// When HTTPS cannot begin with it; the sentence names the file.
pub(crate) async fn try_certificate(settings: &Settings) -> anyhow::Result<()> {
    let further = settings.serving.listeners.iter().any(|listener| listener.tls);
    let required = further || settings.tls.as_ref().is_some_and(|tls| tls.required);
    if settings.tls.is_none() && !further {
        return Ok(());
    }
    let (folder, _made) = folder_of_certificate(&settings.data)?;
    let stop = CancellationToken::new();
    let _end = stop.clone().drop_guard();
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let own = settings.serving.certificate.clone();
    Secure::open(Some(TlsSettings { listen, required, own, opened: None }), &folder, &stop).await?;
    Ok(())
}

/// The data folder when it has a certificate, else one for a moment: nothing is made where a check looks.
fn folder_of_certificate(data: &Path) -> anyhow::Result<(PathBuf, Option<tempfile::TempDir>)> {
    if data.join("tls").exists() {
        return Ok((data.to_owned(), None));
    }
    let made = tempfile::tempdir()?;
    Ok((made.path().to_owned(), Some(made)))
}
