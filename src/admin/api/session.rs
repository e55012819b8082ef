//! Sessions: logging in, and one's own password.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::users::Role;
use hall_clock::UtcMs;

/// An account's name and its password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Login {
    /// The account.
    pub(crate) name: String,
    /// Its password.
    #[schema(format = Password)]
    pub(crate) password: String,
}

/// The person who is logged in.
#[derive(Serialize, ToSchema)]
pub(crate) struct LoggedIn {
    /// The account.
    pub(crate) name: String,
    /// Its role.
    pub(crate) role: Role,
    /// To be sent as `X-CSRF-Token` with every change.
    pub(crate) csrf_token: String,
    /// Whether this browser is in a rehearsal.
    pub(crate) rehearsal: bool,
}

/// The old password and the new one.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasswordChange {
    /// The current password.
    #[schema(format = Password)]
    pub(crate) old: String,
    /// The new password: at least 10 characters.
    #[schema(format = Password, min_length = 10, max_length = 256)]
    pub(crate) new: String,
}

/// The first administrator.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FirstAdministrator {
    /// From the link that the daemon printed.
    pub(crate) token: String,
    /// The account's name.
    #[schema(min_length = 1, max_length = 64)]
    pub(crate) name: String,
    /// Its password: at least 10 characters.
    #[schema(format = Password, min_length = 10, max_length = 256)]
    pub(crate) password: String,
    /// The time of the person's device, in milliseconds since 1970, UTC: a computer without a clock takes it.
    #[serde(default)]
    pub(crate) at: Option<UtcMs>,
}
