//! Opens HTTPS with the daemon's certificate, and says where it is reached; without the feature `tls`, refuses it.

use std::net::SocketAddr;
use std::path::Path;

use public_web::Served;
use tokio_util::sync::CancellationToken;

use crate::app::TlsSettings;

#[cfg(feature = "tls")]
pub(crate) use with_tls::Secure;
#[cfg(not(feature = "tls"))]
pub(crate) use without_tls::Secure;

#[cfg(feature = "tls")]
mod with_tls {
    use anyhow::Context;
    use qrcode::QrCode;
    use qrcode::render::unicode::Dense1x2;
    use tokio::net::TcpListener;

    use super::{CancellationToken, Path, Served, SocketAddr, TlsSettings};
    use crate::listeners::relay::Relay;
    use crate::network::network_address;
    use crate::tls::{Certificate, CertificateFiles, TlsListener, own_names};

    /// HTTPS that is open.
    pub(crate) struct Secure {
        listener: Relay,
        /// Where browsers of the network reach it.
        address: SocketAddr,
        /// The fingerprint of a certificate that browsers do not know.
        fingerprint: Option<String>,
    }

    impl Secure {
        /// Opens it, if it is wanted.
        ///
        /// # Errors
        /// When the certificate cannot be used, or the address of required HTTPS is not free.
        pub(crate) async fn open(
            settings: Option<TlsSettings>,
            data: &Path,
            stop: &CancellationToken,
        ) -> anyhow::Result<Option<Self>> {
            let Some(TlsSettings { listen, required, own, opened }) = settings else { return Ok(None) };
            let bound = match opened {
                Some(opened) => opened.try_clone().and_then(TcpListener::from_std),
                None => TcpListener::bind(listen).await,
            };
            let socket = match bound {
                Ok(socket) => socket,
                Err(error) if required => {
                    return Err(error).context(format!("{listen} is not free for HTTPS: set another tls_listen"));
                }
                Err(error) => {
                    tracing::warn!(%error, "{listen} is not free: logging in over the network is not possible; set tls_listen");
                    return Ok(None);
                }
            };
            let local = socket.local_addr()?;
            let network = if local.ip().is_unspecified() { network_address() } else { Some(local.ip()) };
            let certificate = match own {
                Some((certificate, key)) => Certificate::read(&CertificateFiles { certificate, key })?,
                None => Certificate::kept_in(&data.join("tls"), &own_names(network))?,
            };
            let fingerprint = certificate.self_signed.then(|| certificate.fingerprint());
            let address = SocketAddr::new(network.unwrap_or([127, 0, 0, 1].into()), local.port());
            tracing::info!(fingerprint, "serving https://{address}/");
            let listener = TlsListener::start(socket, certificate, stop.clone()).context("HTTPS cannot begin")?;
            Ok(Some(Self { listener, address, fingerprint }))
        }

        /// Where browsers of the network reach it.
        pub(crate) fn address(&self) -> SocketAddr {
            self.address
        }

        /// A link as a picture for a phone, and what the browser will ask.
        pub(crate) fn explain(&self, link: &str) -> String {
            let picture = QrCode::new(link).map(|code| code.render::<Dense1x2>().quiet_zone(true).build());
            let warning = self.fingerprint.as_ref().map(|fingerprint| {
                format!(
                    "The browser warns once, because it does not know the certificate of this daemon. Its SHA-256 fingerprint:\n\
                     {fingerprint}\n"
                )
            });
            format!("{}\n{}", picture.unwrap_or_default(), warning.unwrap_or_default())
        }

        /// Serves until the stop.
        ///
        /// # Errors
        /// None; the type is that of the daemon's other parts.
        pub(crate) async fn serve(
            self,
            served: Served,
            limits: public_web::Limits,
            stop: CancellationToken,
        ) -> anyhow::Result<()> {
            public_web::serve(self.listener, served, limits, stop, || ()).await;
            Ok(())
        }
    }
}

#[cfg(not(feature = "tls"))]
mod without_tls {
    use super::{CancellationToken, Path, Served, SocketAddr, TlsSettings};

    /// HTTPS in a build that has none.
    pub(crate) enum Secure {}

    impl Secure {
        pub(crate) async fn open(
            settings: Option<TlsSettings>,
            _data: &Path,
            _stop: &CancellationToken,
        ) -> anyhow::Result<Option<Self>> {
            match settings {
                Some(TlsSettings { required: true, .. }) => {
                    anyhow::bail!("this build has no TLS: remove tls_listen, or build with the feature tls")
                }
                _ => Ok(None),
            }
        }

        pub(crate) fn address(&self) -> SocketAddr {
            match *self {}
        }

        pub(crate) fn explain(&self, _link: &str) -> String {
            match *self {}
        }

        pub(crate) async fn serve(
            self,
            _served: Served,
            _limits: public_web::Limits,
            _stop: CancellationToken,
        ) -> anyhow::Result<()> {
            match self {}
        }
    }
}
