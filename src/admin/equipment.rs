//! The ports of the machine and the log of the daemon, for the page System.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tracing::Level;
use utoipa::ToSchema;

use super::problem::AdminRefusal;
use super::state::{API, Admin, blocking};
use crate::logging::recent::{self, LogLine};
use crate::transport::ports::{PortLine, PortUse};
use hall_clock::UtcMs;
use public_web::problem::{Problem, failing};
use public_web::sent::Sent;

/// A port that exists, or that the settings name.
#[derive(Serialize, ToSchema)]
pub(crate) struct PortShown {
    /// Its address, e.g. `/dev/ttyUSB0`.
    port: String,
    /// The device, e.g. `USB 0403:6001 FTDI`.
    device: String,
    /// What is done with it: `board` (a board is in use there), `asked` (one is looked for), `not_asked` (it may be another
    /// device, and a byte could harm that).
    state: &'static str,
    /// Serial number of its board.
    board: Option<String>,
    /// Whether a person allowed it here.
    allowed: bool,
    /// Since when a serial server cannot be reached there: milliseconds since 1970, UTC, hall time.
    unreachable_since: Option<UtcMs>,
}

/// Whether a port may be asked for a board.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PortAllowed {
    /// Its address, as the list has it.
    port: String,
    /// Whether it may be asked.
    allowed: bool,
}

/// A line of the log.
#[derive(Serialize, ToSchema)]
pub(crate) struct LogShown {
    /// Counts the lines since the start.
    number: u64,
    /// When it was written: milliseconds since 1970, UTC, real time.
    at: UtcMs,
    /// `error`, `warn`, `info`, `debug` or `trace`.
    level: &'static str,
    /// What it says.
    text: String,
}

/// List the ports
///
/// Ports of this machine and of the settings, sorted by address. Devices that may be no boards are not asked until a person
/// allows them.
#[utoipa::path(
    get, path = API.to_owned() + "/ports", tag = "boards",
    responses((status = 200, description = "The ports as they were seen last", body = Vec<PortShown>)),
)]
pub(super) async fn list_ports(State(admin): State<Arc<Admin>>) -> Json<Vec<PortShown>> {
    Json(admin.parts.ports.list().into_iter().map(PortShown::from).collect())
}

/// Allow a port
///
/// A board is looked for there within seconds, now and after every restart. Taking it back leaves a board in use there until its
/// cable is pulled.
#[utoipa::path(
    put, path = API.to_owned() + "/ports", tag = "boards", request_body = PortAllowed,
    responses((status = 200, description = "The ports", body = Vec<PortShown>),
        (status = 404, description = "There is no such port", body = Problem)),
)]
pub(super) async fn allow_port(
    State(admin): State<Arc<Admin>>,
    Sent(PortAllowed { port, allowed }): Sent<PortAllowed>,
) -> Result<Json<Vec<PortShown>>, Problem> {
    let ports = admin.parts.ports.clone();
    let name = port.clone();
    let found = blocking(move || ports.allow(&name, allowed)).await?.map_err(|error| {
        tracing::error!(%error, "the allowed ports cannot be kept: check the disk");
        failing()
    })?;
    if !found {
        return Err(Problem::coded(StatusCode::NOT_FOUND, AdminRefusal::NoPort));
    }
    tracing::info!(port, allowed, "a person changed whether a port is asked for a board");
    Ok(list_ports(State(admin)).await)
}

/// Get the newest lines of the log
///
/// At most 1000 lines of this process, the oldest first; the whole log is on standard error or in the journal of systemd.
/// It has no passwords, keys or tokens.
#[utoipa::path(
    get, path = API.to_owned() + "/log", tag = "daemon",
    responses((status = 200, description = "The lines", body = Vec<LogShown>)),
)]
pub(super) async fn see_log() -> Json<Vec<LogShown>> {
    Json(recent::recent().into_iter().map(LogShown::from).collect())
}

impl From<PortLine> for PortShown {
    fn from(line: PortLine) -> Self {
        let state = match line.use_of {
            PortUse::Board => "board",
            PortUse::Asked => "asked",
            PortUse::NotAsked => "not_asked",
        };
        let PortLine { port, device, board, allowed, unreachable_since, .. } = line;
        Self { port, device, state, board, allowed, unreachable_since }
    }
}

impl From<LogLine> for LogShown {
    fn from(line: LogLine) -> Self {
        let level = match line.level {
            Level::ERROR => "error",
            Level::WARN => "warn",
            Level::INFO => "info",
            Level::DEBUG => "debug",
            Level::TRACE => "trace",
        };
        Self { number: line.number, at: line.at, level, text: line.text }
    }
}
