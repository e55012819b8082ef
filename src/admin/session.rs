//! Logging in and out, changing one's password, and creating the first administrator.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use axum::{Extension, Json};

use super::api::session::{FirstAdministrator, LoggedIn, Login, PasswordChange};
use super::clock;
use super::guard::{Session, begin_cookie, device_cookie, device_of, end_cookie};
use super::hashing::Queue;
use super::problem::{AdminRefusal, accounts_problem};
use super::reach::Reached;
use super::state::{API, Admin, draw};
use accounts::{Hashed, Name, Password, Secret, Who};
use public_web::Client;
use public_web::problem::Problem;
use public_web::sent::Sent;

/// Log in
///
/// The answer sets the cookie of the session, and one by which the device is known: logins from it are not held up by wrong
/// ones from elsewhere. A wrong name and a wrong password get the same answer.
#[utoipa::path(
    post, path = API.to_owned() + "/session", tag = "session", request_body = Login,
    responses((status = 200, description = "Logged in", body = LoggedIn,
        headers(("Set-Cookie" = String, description = "The session"))),
        (status = 401, description = "Name or password is wrong"),
        (status = 429, description = "Too many attempts")),
)]
pub(super) async fn log_in(
    State(admin): State<Arc<Admin>>,
    Extension(reached): Extension<Reached>,
    client: Option<Extension<Client>>,
    headers: HeaderMap,
    Sent(Login { name, password }): Sent<Login>,
) -> Result<Response, Problem> {
    let client = client.map(|Extension(client)| client).unwrap_or_default();
    let wrong = || Problem::coded(StatusCode::UNAUTHORIZED, AdminRefusal::LoginWrong);
    // An invalid name is counted and hashed like a valid one, so that neither text nor time tells which names exist.
    let device = device_of(&headers, reached);
    let queue = match (name.parse::<Name>(), device.as_ref().map(Secret::digest)) {
        (Ok(name), Some(device)) => {
            let is_known = admin.accounts(move |accounts, now| accounts.is_known_device(&name, device, now)).await?;
            if is_known { Queue::Known } else { Queue::Strangers }
        }
        _ => Queue::Strangers,
    };
    // A known device is not held up by what others behind the same address try.
    if queue == Queue::Strangers {
        admin.count_login(client)?;
    }
    admin.count_attempt(&name, queue)?;
    let name = name.parse::<Name>().ok();
    let known = match name.clone() {
        Some(name) => admin.accounts(move |accounts, _| accounts.password(&name)).await?,
        None => None,
    };
    let exists = known.is_some();
    let right = admin.hashing(queue, move || known.unwrap_or_else(Hashed::of_no_password).is_of(&password)).await?;
    match name {
        Some(name) if right && exists => {
            admin.forgive_attempts(&name);
            tracing::info!(account = %name, ?reached, from = ?client.0, "logged in");
            begun(&admin, &name, reached, device).await
        }
        name => {
            // The text of an unknown name can be a password that was typed into the wrong field.
            let account = name.filter(|_| exists).map(|name| name.to_string());
            tracing::warn!(account, ?reached, from = ?client.0, "a login failed");
            Err(wrong())
        }
    }
}

/// Get the current session
#[utoipa::path(
    get, path = API.to_owned() + "/session", tag = "session",
    responses((status = 200, description = "The person who is logged in", body = LoggedIn)),
)]
pub(super) async fn logged_in(
    State(admin): State<Arc<Admin>>,
    Extension(who): Extension<Who>,
    Extension(session): Extension<Session>,
) -> Json<LoggedIn> {
    Json(LoggedIn {
        name: who.name.to_string(),
        role: who.role.into(),
        csrf_token: session.csrf_token().reveal().to_owned(),
        rehearsal: admin.parts.is_rehearsal,
    })
}

/// Log out
#[utoipa::path(
    delete, path = API.to_owned() + "/session", tag = "session",
    responses((status = 204, description = "Logged out", headers(("Set-Cookie" = String, description = "No session")))),
)]
pub(super) async fn log_out(
    State(admin): State<Arc<Admin>>,
    Extension(reached): Extension<Reached>,
    Extension(session): Extension<Session>,
) -> Result<Response, Problem> {
    admin.accounts(move |accounts, _| accounts.end_session(session.0.digest())).await?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, end_cookie(reached))]).into_response())
}

/// Change one's own password
///
/// All sessions of the account end, including this one.
#[utoipa::path(
    put, path = API.to_owned() + "/session/password", tag = "session", request_body = PasswordChange,
    responses((status = 204, description = "Changed", headers(("Set-Cookie" = String, description = "No session"))),
        (status = 409, description = "The old password is wrong"),
        (status = 429, description = "Too many attempts")),
)]
pub(super) async fn change_password(
    State(admin): State<Arc<Admin>>,
    Extension(reached): Extension<Reached>,
    Extension(who): Extension<Who>,
    Sent(PasswordChange { old, new }): Sent<PasswordChange>,
) -> Result<Response, Problem> {
    let name: Name = who.name.parse().map_err(accounts_problem)?;
    // Who has a session is no stranger.
    admin.count_attempt(name.as_str(), Queue::Known)?;
    let new = Password::choose(&new).map_err(accounts_problem)?;
    let known = admin
        .accounts({
            let name = name.clone();
            move |accounts, _| accounts.password(&name)
        })
        .await?;
    if !admin.hashing(Queue::Known, move || known.is_some_and(|known| known.is_of(&old))).await? {
        return Err(Problem::coded(StatusCode::CONFLICT, AdminRefusal::OldPasswordWrong));
    }
    admin.forgive_attempts(&name);
    let hashed = admin.hash(new).await?;
    admin.accounts(move |accounts, _| accounts.change_user(&name, None, Some(&hashed))).await?;
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, end_cookie(reached))]).into_response())
}

/// Create the first administrator
///
/// Needs the token of the link that the daemon prints while there is no administrator. Also logs in.
#[utoipa::path(
    post, path = API.to_owned() + "/first-administrator", tag = "session", request_body = FirstAdministrator,
    responses((status = 200, description = "Created and logged in", body = LoggedIn,
        headers(("Set-Cookie" = String, description = "The session"))),
        (status = 401, description = "The link is not valid"),
        (status = 409, description = "There is an administrator already")),
)]
pub(super) async fn make_first(
    State(admin): State<Arc<Admin>>,
    Extension(reached): Extension<Reached>,
    client: Option<Extension<Client>>,
    Sent(FirstAdministrator { token, name, password, at }): Sent<FirstAdministrator>,
) -> Result<Response, Problem> {
    admin.count_login(client.map(|Extension(client)| client).unwrap_or_default())?;
    if !Secret::shown(&token).is_some_and(|token| admin.is_first_token(token.digest())) {
        return Err(Problem::coded(StatusCode::UNAUTHORIZED, AdminRefusal::FirstLink));
    }
    let (name, password) =
        (name.parse::<Name>().map_err(accounts_problem)?, Password::choose(&password).map_err(accounts_problem)?);
    let hashed = admin.hash(password).await?;
    admin
        .accounts({
            let name = name.clone();
            move |accounts, _| accounts.add_first_administrator(&name, &hashed)
        })
        .await?;
    admin.forget_first_token();
    let answer = begun(&admin, &name, reached, None).await?;
    // Nothing to tell the person where the time is refused: mostly the computer knows it.
    if let Some(at) = at
        && let Err(refused) = clock::take(&admin, at, name.to_string()).await
    {
        tracing::debug!(%refused, "the time of the first device is not taken");
    }
    Ok(answer)
}

/// Begins a session, and knows the device from now on.
async fn begun(admin: &Arc<Admin>, name: &Name, reached: Reached, device: Option<Secret>) -> Result<Response, Problem> {
    let session = Session(draw()?);
    let device = device.map_or_else(draw, Ok)?;
    let (name, digest, of_device) = (name.clone(), session.0.digest(), device.digest());
    let who = admin
        .accounts(move |accounts, now| {
            accounts.begin_session(&name, digest, now)?;
            accounts.note_device(&name, of_device, now)?;
            accounts.session(digest, now)
        })
        .await?
        .ok_or_else(super::guard::unknown)?;
    let cookies = AppendHeaders([
        (header::SET_COOKIE, begin_cookie(&session, reached)),
        (header::SET_COOKIE, device_cookie(&device, reached)),
    ]);
    Ok((cookies, logged_in(State(Arc::clone(admin)), Extension(who), Extension(session)).await).into_response())
}
