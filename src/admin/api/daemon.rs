//! The daemon's health.

use serde::Serialize;
use utoipa::ToSchema;

/// The health of the daemon.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// Whether everything works.
    pub(crate) ok: bool,
    /// What does not work, and what to do.
    pub(crate) troubles: Vec<String>,
}
