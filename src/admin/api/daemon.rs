//! The daemon's health, and facts about it.

use serde::Serialize;
use utoipa::ToSchema;

use hall_clock::UtcMs;
use public_web::problem::CodedLine;

/// The health of the daemon.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// Whether games are recorded and published.
    pub(crate) ok: bool,
    /// What does not work, and what to do.
    pub(crate) troubles: Vec<CodedLine>,
    /// What a person should look at meanwhile: alarms for operators, space on the disk.
    pub(crate) concerns: Vec<CodedLine>,
}

/// Facts about the daemon.
#[derive(Serialize, ToSchema)]
pub(crate) struct System {
    /// Its version.
    pub(crate) version: &'static str,
    /// When it started: milliseconds since 1970, UTC, real time.
    pub(crate) started_at: UtcMs,
    /// Free bytes on the disk of the data folder; none when unknown.
    pub(crate) disk_free: Option<u64>,
    /// Size of that disk in bytes.
    pub(crate) disk_total: Option<u64>,
    /// The address of everything public, for other machines: that of the setting `public_url`, else this machine's in its
    /// network, without TLS; none when no other machine reaches it.
    pub(crate) public_address: Option<String>,
}
