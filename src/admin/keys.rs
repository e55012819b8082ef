//! Creates, lists and revokes keys.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};

use super::api::keys::{Key, MadeKey, NewKey, Opens};
use super::hall::no_section;
use super::problem::AdminRefusal;
use super::state::{API, Admin, draw};
use accounts::{self, KeyKind, Who};
use hall_clock::UtcMs;
use public_web::problem::Problem;
use public_web::sent::{At, Sent};

/// List the keys
#[utoipa::path(
    get, path = API.to_owned() + "/keys", tag = "keys",
    responses((status = 200, description = "All valid keys, the newest first", body = Vec<Key>)),
)]
pub(super) async fn list_keys(State(admin): State<Arc<Admin>>) -> Result<Json<Vec<Key>>, Problem> {
    let keys = admin.accounts(accounts::Accounts::keys).await?;
    let goes_on = |key: &accounts::Key| match &key.kind {
        KeyKind::Undelayed { section } => admin.goes_on(section).is_some_and(|goes_on| goes_on),
        KeyKind::Api(_) => true,
    };
    Ok(Json(keys.into_iter().filter(goes_on).map(Key::from).collect()))
}

/// Create a key
#[utoipa::path(
    post, path = API.to_owned() + "/keys", tag = "keys", request_body = NewKey,
    responses((status = 201, description = "Created", body = MadeKey),
        (status = 404, description = "There is no such section"),
        (status = 409, description = "The event is over")),
)]
pub(super) async fn add_key(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    Sent(NewKey { holder, opens, hours }): Sent<NewKey>,
) -> Result<(StatusCode, Json<MadeKey>), Problem> {
    let kind = match opens {
        Opens::Scopes(scopes) => KeyKind::Api(scopes.into_iter().map(Into::into).collect()),
        Opens::Section(section) => {
            if !admin.goes_on(&section).ok_or_else(no_section)? {
                return Err(Problem::coded(StatusCode::CONFLICT, AdminRefusal::EventOver));
            }
            KeyKind::Undelayed { section: section.into() }
        }
    };
    let secret = draw()?;
    let digest = secret.digest();
    let make = move |accounts: &accounts::Accounts, now| {
        let ends_at = now + UtcMs::from(hours) * 3_600_000;
        accounts.add_key(&who.name.parse()?, &accounts::NewKey { holder, kind, ends_at }, digest, now)
    };
    let id = admin.accounts(make).await?;
    Ok((StatusCode::CREATED, Json(MadeKey { id, key: secret.reveal().to_owned() })))
}

/// Revoke a key
///
/// A key that an account of a higher role created cannot be revoked.
#[utoipa::path(
    delete, path = API.to_owned() + "/keys/{id}", tag = "keys",
    params(("id" = i64, Path, description = "The number of the key")),
    responses((status = 204, description = "Revoked")),
)]
pub(super) async fn revoke_key(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    At(id): At<i64>,
) -> Result<StatusCode, Problem> {
    admin.accounts(move |accounts, _| accounts.revoke_key(id, who.role)).await?;
    Ok(StatusCode::NO_CONTENT)
}
