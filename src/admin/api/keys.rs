//! Keys.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::same_variants;
use accounts::KeyKind;
use hall_clock::UtcMs;

/// A permission of a key.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scope {
    /// Reading protected data.
    Watch,
    /// Listing and acknowledging alarms.
    Alarms,
    /// Results and corrections.
    Arbitrate,
    /// Every order: tournament, rounds, pairings, players, boards, results, corrections.
    Operate,
    /// Downloading a backup.
    Backup,
    /// Sending games and positions of other recorders.
    Feed,
}

/// What a key gives access to: `scopes` of the API, or the undelayed games of one `section`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Opens {
    /// The API, within these scopes.
    Scopes(Vec<Scope>),
    /// The undelayed games of the section with this slug, at `/arbiter/{key}/...`.
    Section(String),
}

/// A key to be created.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewKey {
    /// The person, device or program that will have it.
    #[schema(min_length = 1, max_length = 64)]
    pub(crate) holder: String,
    /// What it gives access to.
    pub(crate) opens: Opens,
    /// Its lifetime in hours: at most 9600, which is 400 days.
    #[schema(minimum = 1, maximum = 9600)]
    pub(crate) hours: u32,
}

/// A new key.
#[derive(Serialize, ToSchema)]
pub(crate) struct MadeKey {
    /// Its number.
    pub(crate) id: i64,
    /// The key itself. It is never shown again.
    pub(crate) key: String,
}

/// A key in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct Key {
    /// Its number.
    pub(crate) id: i64,
    /// The account that created it.
    pub(crate) made_by: String,
    /// The person, device or program that has it.
    pub(crate) holder: String,
    /// What it gives access to.
    pub(crate) opens: Opens,
    /// When it was created, UTC milliseconds.
    pub(crate) made_at: UtcMs,
    /// When it was last used, UTC milliseconds, within a minute.
    pub(crate) used_at: Option<UtcMs>,
    /// When it ends, UTC milliseconds.
    pub(crate) ends_at: UtcMs,
}

same_variants!(Scope, accounts::Scope, Watch, Alarms, Arbitrate, Operate, Backup, Feed);

impl From<accounts::Key> for Key {
    fn from(key: accounts::Key) -> Self {
        let accounts::Key { id, made_by, holder, kind, made_at, used_at, ends_at } = key;
        let opens = match kind {
            KeyKind::Api(scopes) => Opens::Scopes(scopes.into_iter().map(Into::into).collect()),
            KeyKind::Undelayed { section } => Opens::Section(section.to_string()),
        };
        Self { id, made_by: made_by.to_string(), holder, opens, made_at, used_at, ends_at }
    }
}
