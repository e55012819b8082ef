//! Phones in the hall's network reach the dashboard over the daemon's own HTTPS.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use board_sim::HallOptions;
use boardcast::app::TlsSettings;
use futures_util::StreamExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring};

use crate::daemon::{Daemon, PATIENCE};

async fn hall() -> (Daemon, SocketAddr) {
    let listen = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let wanted = TlsSettings { listen, required: true, own: None, opened: None };
    let options = HallOptions { boards: 1, ..HallOptions::default() };
    (Daemon::start_with(options, |settings| settings.tls = Some(wanted)).await, listen)
}

/// A connection of a browser that accepted the daemon's certificate, and no other.
async fn connect(daemon: &Daemon, address: SocketAddr) -> TlsStream<TcpStream> {
    let file = daemon.folder.path().join("data/tls/certificate.pem");
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(file).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let socket = TcpStream::connect(address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, socket).await.unwrap()
}

async fn get(daemon: &Daemon, address: SocketAddr, path: &str) -> String {
    let mut socket = connect(daemon, address).await;
    let request = format!("GET {path} HTTP/1.1\r\nHost: hall.local:8443\r\nConnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // A server may close without a farewell.
    let _ = tokio::time::timeout(PATIENCE, socket.read_to_end(&mut answer)).await.unwrap();
    String::from_utf8(answer).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn logging_in_works_over_https_and_everything_public_does_as_well() {
    let (mut daemon, address) = hall().await;
    // Not «forbidden»: only the login is missing.
    let asked = get(&daemon, address, "/api/v1/admin/hall").await;
    assert!(asked.starts_with("HTTP/1.1 401 "), "{asked}");
    let pgn = get(&daemon, address, "/live.pgn").await;
    assert!(pgn.starts_with("HTTP/1.1 200 "), "{pgn}");

    // A viewer's socket ends up at the hub, also over TLS.
    let socket = connect(&daemon, address).await;
    let url = format!("wss://{address}/api/v1/live");
    let (mut viewer, _) = tokio_tungstenite::client_async(url, socket).await.unwrap();
    let first = tokio::time::timeout(PATIENCE, viewer.next()).await.unwrap().unwrap().unwrap();
    assert!(first.to_text().unwrap().starts_with('{'), "{first:?}");

    // The certificate stays over a restart: browsers have accepted it.
    let file = daemon.folder.path().join("data/tls/certificate.pem");
    let before = std::fs::read(&file).unwrap();
    daemon.restart().await;
    assert_eq!(std::fs::read(&file).unwrap(), before);
    assert!(get(&daemon, address, "/live.pgn").await.starts_with("HTTP/1.1 200 "));
    daemon.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_speaks_no_tls_is_told_so_and_delays_nobody() {
    let (daemon, address) = hall().await;
    let mut plain = TcpStream::connect(address).await.unwrap();
    plain.write_all(b"GET /admin HTTP/1.1\r\nHost: hall\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    let _ = tokio::time::timeout(PATIENCE, plain.read_to_string(&mut answer)).await.unwrap();
    assert!(answer.contains("let the address begin with https://"), "{answer}");

    // Some say nothing, some send rubbish that begins like a handshake.
    let mut silent = Vec::new();
    for rubbish in [&b""[..], b"\x16\x03\x01\xff\xff\x00", &[22; 4000]] {
        for _ in 0..20 {
            let mut socket = TcpStream::connect(address).await.unwrap();
            let _ = tokio::time::timeout(Duration::from_secs(1), socket.write_all(rubbish)).await;
            silent.push(socket);
        }
    }
    assert!(get(&daemon, address, "/live.pgn").await.starts_with("HTTP/1.1 200 "));
    daemon.stop().await;
}
