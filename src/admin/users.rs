//! Manages accounts, for administrators.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::api::users::{NewUser, User, UserChange};
use super::problem::accounts_problem;
use super::state::{API, Admin};
use accounts::{AccountsRefusal, Name, Password};
use public_web::problem::Problem;
use public_web::sent::{At, Sent};

/// List the accounts
#[utoipa::path(
    get, path = API.to_owned() + "/users", tag = "users",
    responses((status = 200, description = "All accounts, sorted by name", body = Vec<User>)),
)]
pub(super) async fn list_users(State(admin): State<Arc<Admin>>) -> Result<Json<Vec<User>>, Problem> {
    let users = admin.accounts(|accounts, _| accounts.users()).await?;
    Ok(Json(users.into_iter().map(User::from).collect()))
}

/// Create an account
#[utoipa::path(
    post, path = API.to_owned() + "/users", tag = "users", request_body = NewUser,
    responses((status = 201, description = "Created", body = User),
        (status = 409, description = "An account of this name exists already")),
)]
pub(super) async fn add_user(
    State(admin): State<Arc<Admin>>,
    Sent(NewUser { name, role, password }): Sent<NewUser>,
) -> Result<(StatusCode, Json<User>), Problem> {
    let (name, password) =
        (name.parse::<Name>().map_err(accounts_problem)?, Password::choose(&password).map_err(accounts_problem)?);
    let hashed = admin.hash(password).await?;
    let made = User { name: name.to_string(), role };
    admin.accounts(move |accounts, _| accounts.add_user(&name, role.into(), &hashed)).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// Change an account's role or password
#[utoipa::path(
    patch, path = API.to_owned() + "/users/{name}", tag = "users", request_body = UserChange,
    params(("name" = String, Path, description = "The account")),
    responses((status = 204, description = "Changed"),
        (status = 409, description = "It is the last administrator")),
)]
pub(super) async fn change_user(
    State(admin): State<Arc<Admin>>,
    At(name): At<String>,
    Sent(UserChange { role, password }): Sent<UserChange>,
) -> Result<StatusCode, Problem> {
    let name = existing(&name)?;
    let hashed = match password {
        Some(password) => Some(admin.hash(Password::choose(&password).map_err(accounts_problem)?).await?),
        None => None,
    };
    admin.accounts(move |accounts, _| accounts.change_user(&name, role.map(Into::into), hashed.as_ref())).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Remove an account
///
/// The sessions and keys of the account end.
#[utoipa::path(
    delete, path = API.to_owned() + "/users/{name}", tag = "users",
    params(("name" = String, Path, description = "The account")),
    responses((status = 204, description = "Removed"),
        (status = 409, description = "It is the last administrator")),
)]
pub(super) async fn remove_user(State(admin): State<Arc<Admin>>, At(name): At<String>) -> Result<StatusCode, Problem> {
    let name = existing(&name)?;
    admin.accounts(move |accounts, _| accounts.remove_user(&name)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The name of an account in an address; an invalid name is unknown.
fn existing(name: &str) -> Result<Name, Problem> {
    name.parse()
        .map_err(|_| accounts_problem(AccountsRefusal::NoAccount { name: name.chars().take(64).collect() }.into()))
}
