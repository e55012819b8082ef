//! What a daemon is started with. Must not know where the settings are written.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use accounts::Accounts;
use hall_clock::HallClock;

use crate::admin::PublicUrl;
use crate::alarms::hook::HookUrl;
use crate::alarms::messages::Messages;
use crate::director::by_serial::AllBoards;
use crate::director::initial::InitialTournament;
use crate::eboard::Access;
use crate::listeners::Serving;
use crate::rehearsal;
use crate::time_offer::TimeOffers;
use crate::transport::candidates::Scope;
use crate::transport::capture_space::Limit;

/// The settings of a daemon.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Hall time.
    pub clock: HallClock,
    /// The data folder.
    pub data: PathBuf,
    /// Which ports are looked at.
    pub scope: Scope,
    /// How often.
    pub look_around: Duration,
    /// Where a proxy serves the protected part over TLS; without, it is served on this machine only.
    pub public_url: Option<PublicUrl>,
    /// How much room captures may take.
    pub capture_space: Limit,
    /// The tournament of a new data folder.
    pub initial: InitialTournament,
    /// Whether boards get tables in the order of their serial numbers without a person, and when all are there.
    pub assign_by_serial: Option<AllBoards>,
    /// A folder of pairings that load by themselves.
    pub pairings_folder: PathBuf,
    /// Where alarms are sent.
    pub alarm_hook: Option<HookUrl>,
    /// What is sent to other programs and sites, besides the outputs that people added.
    pub outputs: Vec<outputs::Settings>,
    /// The engine that evaluates games whose delay allows it; none when missing.
    pub engine: Option<evaluations::Settings>,
    /// Messages about alarms.
    pub messages: Messages,
    /// HTTPS of the daemon itself; off when missing.
    pub tls: Option<TlsSettings>,
    /// The e-board socket for programs that speak the protocol of LiveChess; off when missing.
    pub eboard: Option<EboardSettings>,
    /// The accounts of the daemon beside which this one is a rehearsal; its own when missing.
    pub accounts: Option<Accounts>,
    /// How a rehearsal begins beside this daemon; none where there can be none.
    pub rehearsal: Option<rehearsal::Start>,
    /// Further addresses, proxies, and what clients may hold.
    pub serving: Serving,
    /// The time that a person's device gives to a computer without a clock.
    pub time: TimeOffers,
}

/// HTTPS of the daemon itself.
#[derive(Clone, Debug)]
pub struct TlsSettings {
    /// Its address.
    pub listen: SocketAddr,
    /// Whether the daemon must not start without it; else it starts with a warning.
    pub required: bool,
    /// The organiser's own certificate and key, in PEM; without them the daemon makes a certificate.
    pub own: Option<(PathBuf, PathBuf)>,
    /// A listener that the service manager opened, in place of the address.
    pub opened: Option<Arc<std::net::TcpListener>>,
}

/// The e-board socket.
#[derive(Clone, Debug)]
pub struct EboardSettings {
    /// Its address.
    pub listen: SocketAddr,
    /// Who may use it.
    pub access: Access,
}
