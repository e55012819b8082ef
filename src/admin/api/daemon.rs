//! The daemon's health.

use serde::Serialize;
use utoipa::ToSchema;

/// Whether the daemon works.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// Whether everything works.
    pub(crate) ok: bool,
    /// What does not, and what to do.
    pub(crate) troubles: Vec<&'static str>,
}
