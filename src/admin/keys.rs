//! Keys, for operators: made, listed with their last use, revoked.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::hall::no_section;
use super::{API, Admin};
use accounts::{self, KeyKind, Scope, Who};
use hall_clock::UtcMs;
use public_web::problem::Problem;
use public_web::sent::{At, Sent};

/// What a key opens: `scopes` of the API, or the undelayed games of one `section`.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Opens {
    /// The API, for these scopes.
    Scopes(Vec<Scope>),
    /// The undelayed games of the section with this slug, at `/arbiter/{key}/...`.
    Section(String),
}

/// A key to be made.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewKey {
    /// The person, device or program that will have it.
    #[schema(min_length = 1, max_length = 64)]
    holder: String,
    /// What it opens.
    opens: Opens,
    /// For how many hours it lasts at most: up to 9600, which is 400 days.
    #[schema(minimum = 1, maximum = 9600)]
    hours: u32,
}

/// A key that was made.
#[derive(Serialize, ToSchema)]
pub(super) struct MadeKey {
    /// Its number.
    id: i64,
    /// The key itself. It is shown here and never again.
    key: String,
}

/// A key as it is listed.
#[derive(Serialize, ToSchema)]
pub(super) struct Key {
    /// Its number.
    id: i64,
    /// The account that made it.
    made_by: String,
    /// The person, device or program that has it.
    holder: String,
    /// What it opens.
    opens: Opens,
    /// When it was made, UTC milliseconds.
    made_at: UtcMs,
    /// When it was last used, UTC milliseconds, to the minute.
    used_at: Option<UtcMs>,
    /// When it ends, UTC milliseconds.
    ends_at: UtcMs,
}

impl From<accounts::Key> for Key {
    fn from(key: accounts::Key) -> Self {
        let accounts::Key { id, made_by, holder, kind, made_at, used_at, ends_at } = key;
        let opens = match kind {
            KeyKind::Api(scopes) => Opens::Scopes(scopes.into_iter().collect()),
            KeyKind::Undelayed { section } => Opens::Section(section.to_string()),
        };
        Self { id, made_by: made_by.to_string(), holder, opens, made_at, used_at, ends_at }
    }
}

/// List the keys
#[utoipa::path(
    get, path = API.to_owned() + "/keys", tag = "keys",
    responses((status = 200, description = "All keys that have not ended, the newest first", body = Vec<Key>)),
)]
pub(super) async fn list_keys(State(admin): State<Arc<Admin>>) -> Result<Json<Vec<Key>>, Problem> {
    let keys = admin.accounts(accounts::Accounts::keys).await?;
    let goes_on = |key: &accounts::Key| match &key.kind {
        KeyKind::Undelayed { section } => admin.goes_on(section).is_some_and(|goes_on| goes_on),
        KeyKind::Api(_) => true,
    };
    Ok(Json(keys.into_iter().filter(goes_on).map(Key::from).collect()))
}

/// Make a key
#[utoipa::path(
    post, path = API.to_owned() + "/keys", tag = "keys", request_body = NewKey,
    responses((status = 201, description = "Made", body = MadeKey),
        (status = 404, description = "There is no such section"),
        (status = 409, description = "The event is over")),
)]
pub(super) async fn add_key(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    Sent(NewKey { holder, opens, hours }): Sent<NewKey>,
) -> Result<(StatusCode, Json<MadeKey>), Problem> {
    let kind = match opens {
        Opens::Scopes(scopes) => KeyKind::Api(scopes.into_iter().collect()),
        Opens::Section(section) => {
            if !admin.goes_on(&section).ok_or_else(no_section)? {
                return Err(Problem::new(
                    StatusCode::CONFLICT,
                    "This event is over: order resume_event, or set a later last day, and ask again.",
                ));
            }
            KeyKind::Undelayed { section: section.into() }
        }
    };
    let secret = super::draw()?;
    let digest = secret.digest();
    let make = move |accounts: &accounts::Accounts, now| {
        let ends_at = now + UtcMs::from(hours) * 3_600_000;
        accounts.add_key(&who.name.parse()?, &accounts::NewKey { holder, kind, ends_at }, digest, now)
    };
    let id = admin.accounts(make).await?;
    Ok((StatusCode::CREATED, Json(MadeKey { id, key: secret.reveal().to_owned() })))
}

/// Revoke a key
#[utoipa::path(
    delete, path = API.to_owned() + "/keys/{id}", tag = "keys",
    params(("id" = i64, Path, description = "The key's number")),
    responses((status = 204, description = "Revoked")),
)]
pub(super) async fn revoke_key(State(admin): State<Arc<Admin>>, At(id): At<i64>) -> Result<StatusCode, Problem> {
    admin.accounts(move |accounts, _| accounts.revoke_key(id)).await?;
    Ok(StatusCode::NO_CONTENT)
}
