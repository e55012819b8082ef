//! Accounts, for administrators.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::problem::accounts_problem;
use super::{API, Admin};
use accounts::{self, Name, Password, Role};
use public_web::problem::Problem;
use public_web::sent::{At, Sent};

/// An account.
#[derive(Serialize, ToSchema)]
pub(super) struct User {
    /// Its name.
    name: String,
    /// Its role.
    role: Role,
}

/// An account to be made.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewUser {
    /// Its name: letters, digits, spaces and . _ - @; capitals make no difference.
    #[schema(min_length = 1, max_length = 64)]
    name: String,
    /// Its role.
    role: Role,
    /// Its password: at least 10 characters.
    #[schema(format = Password, min_length = 10, max_length = 256)]
    password: String,
}

/// What changes in an account; what is missing stays.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UserChange {
    /// The new role.
    role: Option<Role>,
    /// The new password: at least 10 characters. All sessions of the account end.
    #[schema(format = Password, min_length = 10, max_length = 256)]
    password: Option<String>,
}

impl From<accounts::User> for User {
    fn from(user: accounts::User) -> Self {
        Self { name: user.name.to_string(), role: user.role }
    }
}

/// List the accounts
#[utoipa::path(
    get, path = API.to_owned() + "/users", tag = "users",
    responses((status = 200, description = "All accounts, by name", body = Vec<User>)),
)]
pub(super) async fn list_users(State(admin): State<Arc<Admin>>) -> Result<Json<Vec<User>>, Problem> {
    let users = admin.accounts(|accounts, _| accounts.users()).await?;
    Ok(Json(users.into_iter().map(User::from).collect()))
}

/// Make an account
#[utoipa::path(
    post, path = API.to_owned() + "/users", tag = "users", request_body = NewUser,
    responses((status = 201, description = "Made", body = User),
        (status = 409, description = "The name is taken")),
)]
pub(super) async fn add_user(
    State(admin): State<Arc<Admin>>,
    Sent(NewUser { name, role, password }): Sent<NewUser>,
) -> Result<(StatusCode, Json<User>), Problem> {
    let (name, password) =
        (name.parse::<Name>().map_err(accounts_problem)?, Password::choose(&password).map_err(accounts_problem)?);
    let hashed = admin.hash(password).await?;
    let made = User { name: name.to_string(), role };
    admin.accounts(move |accounts, _| accounts.add_user(&name, role, &hashed)).await?;
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
    admin.accounts(move |accounts, _| accounts.change_user(&name, role, hashed.as_ref())).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Remove an account
///
/// Its sessions and its keys end.
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

/// What cannot be a name is the name of no account.
fn existing(name: &str) -> Result<Name, Problem> {
    name.parse().map_err(|_| Problem::new(StatusCode::NOT_FOUND, "There is no such account."))
}
