//! The time of the hall.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use hall_clock::UtcMs;

/// The time of the hall.
#[derive(Serialize, ToSchema)]
pub(crate) struct Clock {
    /// Now, in milliseconds since 1970, UTC.
    pub(crate) at: UtcMs,
    /// False when the computer's clock cannot be right, or no time server has corrected it, and no one gave the time.
    pub(crate) is_known: bool,
    /// The account whose device gave the time.
    pub(crate) given_by: Option<String>,
}

/// The time of a device.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeviceTime {
    /// In milliseconds since 1970, UTC.
    pub(crate) at: UtcMs,
}
