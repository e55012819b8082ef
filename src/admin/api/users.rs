//! Accounts of persons.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::same_variants;

/// The role of a person; each role includes the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    /// Sees everything without delay, changes nothing.
    Viewer,
    /// Acknowledges alarms, enters results and corrections.
    Arbiter,
    /// Sets up the tournament, loads pairings, makes keys.
    Operator,
    /// Manages accounts, downloads backups, removes persons.
    Administrator,
}

/// An account.
#[derive(Serialize, ToSchema)]
pub(crate) struct User {
    /// Its name.
    pub(crate) name: String,
    /// Its role.
    pub(crate) role: Role,
}

/// An account to be created.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewUser {
    /// Its name: letters, digits, spaces and . _ - @; upper and lower case are the same.
    #[schema(min_length = 1, max_length = 64)]
    pub(crate) name: String,
    /// Its role.
    pub(crate) role: Role,
    /// Its password: at least 10 characters.
    #[schema(format = Password, min_length = 10, max_length = 256)]
    pub(crate) password: String,
}

/// Changes of an account; missing fields stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UserChange {
    /// The new role.
    pub(crate) role: Option<Role>,
    /// The new password: at least 10 characters. All sessions of the account end.
    #[schema(format = Password, min_length = 10, max_length = 256)]
    pub(crate) password: Option<String>,
}

same_variants!(Role, accounts::Role, Viewer, Arbiter, Operator, Administrator);

impl From<accounts::User> for User {
    fn from(user: accounts::User) -> Self {
        Self { name: user.name.to_string(), role: user.role.into() }
    }
}
