//! `boardcast run`: runs the daemon.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::admin::PublicUrl;
use crate::app::{self, EboardSettings, Settings};
use crate::config::{
    Config, DEFAULT_LISTEN, PAIRINGS_FOLDER, TlsListen, address_with_port, default_data_folder, own_certificate,
    tls_settings,
};
use crate::director::by_serial::AllBoards;
use crate::director::initial::{EventSettings, InitialTournament};
use crate::eboard::Access;
use crate::listeners::Serving;
use crate::network::here;
use crate::service::{self, Passed};
use crate::supervisor::stop_on_signals;
use crate::time_offer::TimeOffers;
use crate::transport::candidates::{PortPattern, Scope};
use crate::transport::capture_space::Limit;
use crate::transport::discovery;
use notation_commands::Done;
use tournament::Delay;

/// Run the daemon: find boards, record their games and serve them
///
/// Without options it finds boards connected by USB, serves pages at 127.0.0.1:8080 and keeps its data in the user's data
/// folder. Options override the configuration file, which also sets what is sent to Lichess and other sites (docs/outputs.md;
/// the dashboard can add that too). Ctrl-C, SIGTERM and SIGHUP end the daemon; it does not reload.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Configuration file (TOML)
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Address and port of the pages, e.g. 0.0.0.0:8080 for the whole network
    #[arg(long, value_name = "ADDR", value_parser = address_with_port)]
    listen: Option<SocketAddr>,
    /// Address at which a proxy serves the pages over TLS, e.g. `https://games.example.org`; without it, everything that
    /// needs a login is served on this machine only
    #[arg(long, value_name = "URL")]
    public_url: Option<PublicUrl>,
    /// Address and port of the daemon's own HTTPS, or off. When the pages are served to the network, it is on port 8443 unless
    /// this says otherwise: logging in from another machine needs it
    #[arg(long, value_name = "ADDR")]
    tls_listen: Option<TlsListen>,
    /// The data folder
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// A further port on which to look for a board: a path, a pattern like '/dev/ttyUSB*', or tcp://host:port;
    /// may be repeated
    #[arg(long = "port", value_name = "PORT")]
    ports: Vec<PortPattern>,
    /// Pairings as PGN headers, TRF, a table (CSV) or the output of a pairing engine with a list of players; may be repeated.
    /// `boardcast pairings` shows how they are read. A board gets the table to which a person assigned it, now or at an earlier
    /// start, never the next free one
    #[arg(long, value_name = "FILE")]
    pairings: Vec<PathBuf>,
    /// Assign boards to the tables of the pairings in the order of their serial numbers, once as many boards are connected
    /// as tables have none; with a number, once this number of boards is connected
    #[arg(long, value_name = "BOARDS", num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    assign_by_serial: Option<AllBoards>,
    /// Open the e-board socket, where lichess.org, chess.com and other programs that speak the protocol of LiveChess use the
    /// boards, without delay. Delayed games are left out unless the configuration allows them
    #[arg(long, value_name = "ADDR", num_args = 0..=1, require_equals = true, default_missing_value = "127.0.0.1:1982", value_parser = address_with_port)]
    eboard_socket: Option<SocketAddr>,
    /// Name of the event
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// Place of the event
    #[arg(long, value_name = "PLACE")]
    site: Option<String>,
    /// By how much the public sees the games later: seconds, or like '15 min', at most 24 h; `until_over` for nothing of a game
    /// before it is over. Sections, rounds and boards can have delays of their own
    #[arg(long, value_name = "DELAY")]
    delay: Option<Delay>,
}

/// How rehearsals begin in this build.
#[cfg(all(feature = "demo", unix))]
const REHEARSAL: Option<crate::rehearsal::Start> = Some(crate::rehearsal::begin::begin);

/// This build has no simulated boards.
#[cfg(not(all(feature = "demo", unix)))]
const REHEARSAL: Option<crate::rehearsal::Start> = None;

impl Args {
    /// Those of a daemon with this configuration file, data folder and address of the pages.
    pub(super) fn of(config: Option<PathBuf>, data: Option<PathBuf>, listen: Option<SocketAddr>) -> Self {
        Self { config, listen, data, ..Self::default() }
    }
}

/// The settings of a daemon, and the address of its pages, from options and the configuration file.
///
/// # Errors
/// When a file cannot be used, or settings contradict each other.
pub(super) fn settings(args: Args, passed: &mut Passed) -> anyhow::Result<(Settings, SocketAddr)> {
    let config = args.config.as_deref().map(Config::read).transpose()?.unwrap_or_default();
    let pairings = if args.pairings.is_empty() { config.pairings } else { args.pairings };
    let initial = InitialTournament::of(EventSettings {
        name: args.event.or(config.event.name),
        site: args.site.or(config.event.site),
        slug: config.event.slug,
        pairings,
        delay: args.delay.or(config.event.delay_s),
    })?;
    let data = match args.data.or(config.data) {
        Some(folder) => folder,
        None => default_data_folder()?,
    };
    let pairings_folder = config.pairings_folder.unwrap_or_else(|| data.join(PAIRINGS_FOLDER));
    let mut allowed = config.ports;
    allowed.extend(args.ports);
    let opened = passed.pages.as_ref().map(TcpListener::local_addr).transpose()?;
    let listen = opened.or(args.listen).or(config.listen).unwrap_or(DEFAULT_LISTEN);
    let certificate = own_certificate(config.tls_certificate, config.tls_key)?;
    let mut tls = tls_settings(listen, args.tls_listen.or(config.tls_listen), certificate.clone());
    match (&mut tls, passed.https.take()) {
        (_, None) => {}
        (Some(tls), Some(https)) => tls.opened = Some(Arc::new(https)),
        (None, Some(_)) => anyhow::bail!(
            "the service manager passes a socket for HTTPS, and HTTPS is off: set tls_listen, or disable boardcast-https.socket"
        ),
    }
    let time = TimeOffers::open(&data);
    let settings = Settings {
        clock: time.clock(),
        time,
        data,
        scope: Scope { machine: true, allowed, ..Scope::default() },
        look_around: discovery::INTERVAL,
        public_url: args.public_url.or(config.public_url),
        capture_space: config
            .capture_megabytes
            .map_or(Limit::default(), |megabytes| Limit::Bytes(megabytes.saturating_mul(1 << 20))),
        initial,
        assign_by_serial: args.assign_by_serial.or(config.assign_by_serial),
        pairings_folder,
        alarm_hook: config.alarm_hook,
        outputs: config.outputs,
        engine: config.engine,
        messages: config.alarms.messages(args.config.as_deref().and_then(Path::parent).unwrap_or(Path::new("")))?,
        tls,
        accounts: None,
        rehearsal: REHEARSAL,
        eboard: args.eboard_socket.or(config.eboard_socket).map(|listen| EboardSettings {
            listen,
            access: Access { origins: config.eboard_origins, shows_delayed: config.eboard_shows_delayed },
        }),
        serving: Serving {
            listeners: config.listeners,
            certificate,
            proxies: config.trusted_proxies,
            limits: config.limits,
        },
    };
    Ok((settings, listen))
}

pub(super) async fn run(args: Args) -> anyhow::Result<Done> {
    let mut passed = Passed::take()?;
    let (mut settings, listen) = settings(args, &mut passed)?;
    let time = settings.time.clone();
    let opened = match passed.pages {
        Some(opened) => opened,
        None => app::listen(listen).await?.into_std()?,
    };
    let end = CancellationToken::new();
    stop_on_signals(&end)?;
    loop {
        let listener = tokio::net::TcpListener::from_std(opened.try_clone()?)?;
        let address = listener.local_addr()?;
        let daemon = app::start(settings.clone(), listener, end.child_token()).await?;
        let shown = here(address);
        tracing::info!(listen = %address, "serving http://{shown}/, data in {}", settings.data.display());
        service::tell_ready(&format!("Serving http://{shown}/"));
        let (asked, clock) = (time.clone(), settings.clock);
        tokio::task::spawn_blocking(move || {
            if let Some(doubt) = asked.doubt(clock.now()) {
                tracing::warn!("{doubt}");
            }
        });
        daemon.run().await?;
        // Another time is for all parts at once: sessions, delay and record go on from it as after any restart.
        if end.is_cancelled() || !time.is_new() {
            break;
        }
        settings.clock = time.clock();
    }
    tracing::info!("stopped");
    Ok(Done::Fully)
}
