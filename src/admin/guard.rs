//! Authentication and authorisation of every protected route.
//!
//! A person sends the cookie of a session; requests that change something also need the token of the session in
//! `X-CSRF-Token`, which no other site knows. A program sends a key as `Authorization: Bearer KEY`.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::uri::{Authority, Uri};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use cookie::{Cookie, SameSite};

use super::problem::AdminRefusal;
use super::reach::{Reached, reached};
use super::state::Admin;
use accounts::{Accounts, DEVICE_MOST_MS, Right, Role, SESSION_MOST_MS, Secret, Who};
use public_web::CameIn;
use public_web::problem::Problem;

/// The header with the token against forged requests.
pub(super) const CSRF_HEADER: &str = "x-csrf-token";

/// The session of the browser that sent the request.
#[derive(Clone, Debug)]
pub(super) struct Session(pub(super) Secret);

impl Session {
    /// The token that every request that changes something must carry.
    pub(super) fn csrf_token(&self) -> Secret {
        self.0.derived("csrf")
    }
}

/// Passes a request on only from this machine or over TLS; adds which one as an extension.
pub(super) async fn near(State(admin): State<Arc<Admin>>, mut request: Request, next: Next) -> Response {
    let came_in = request.extensions().get::<CameIn>().copied().unwrap_or_default();
    let mut response = match reached(came_in, request.headers(), admin.parts.public_url.as_ref()) {
        Ok(reached) => {
            request.extensions_mut().insert(reached);
            next.run(request).await
        }
        Err(refusal) => Problem::coded(StatusCode::FORBIDDEN, refusal).into_response(),
    };
    let headers = response.headers_mut();
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    response
}

/// Shows the pages, which hold no data. A browser that could not log in the way it came goes on to the daemon's own HTTPS; without
/// HTTPS the page says why.
pub(super) async fn near_page(State(admin): State<Arc<Admin>>, request: Request, next: Next) -> Response {
    let came_in = request.extensions().get::<CameIn>().copied().unwrap_or_default();
    let refused = reached(came_in, request.headers(), admin.parts.public_url.as_ref()).is_err();
    if refused && admin.parts.https.is_some() {
        return to_https(&admin, request.headers(), request.uri());
    }
    next.run(request).await
}

/// Sends a browser that came without TLS to the same page over the daemon's own, at the name that it used.
fn to_https(admin: &Admin, headers: &HeaderMap, uri: &Uri) -> Response {
    let asked = headers.get(header::HOST).and_then(|host| host.to_str().ok()?.parse::<Authority>().ok());
    let place = match (asked, admin.parts.https) {
        (Some(host), Some(https)) => format!("https://{}:{}{}", host.host(), https.port(), uri.path()),
        (_, Some(https)) => format!("https://{https}{}", uri.path()),
        (_, None) => uri.path().to_owned(),
    };
    Redirect::temporary(&place).into_response()
}

/// Passes a request on only with the needed right; adds [`Who`] and, for a browser, [`Session`] as extensions.
pub(super) async fn allowed(
    State((admin, right)): State<(Arc<Admin>, Right)>,
    mut request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let reached = request.extensions().get().copied().unwrap_or(Reached::Here);
    let (who, session) = match Credentials::by(request.method(), request.headers(), reached) {
        Ok(credentials) => identify(&admin, credentials).await?,
        Err(problem) if problem == unknown() && admin.awaits_first().await => {
            return Err(Problem::coded(StatusCode::UNAUTHORIZED, AdminRefusal::NoAdministrator));
        }
        Err(problem) => return Err(problem),
    };
    if !who.may(right) {
        return Err(denied(&who, right));
    }
    if !reads(request.method()) {
        admin.count_write(&who.name)?;
    }
    request.extensions_mut().insert(who);
    if let Some(session) = session {
        request.extensions_mut().insert(session);
    }
    Ok(next.run(request).await)
}

/// The person or key behind the credentials of a request.
pub(super) async fn authenticated(
    admin: &Admin,
    method: &Method,
    headers: &HeaderMap,
    reached: Reached,
) -> Result<Who, Problem> {
    Ok(identify(admin, Credentials::by(method, headers, reached)?).await?.0)
}

/// The person or key behind credentials.
async fn identify(admin: &Admin, credentials: Credentials) -> Result<(Who, Option<Session>), Problem> {
    let (digest, session) = match credentials {
        Credentials::Key(key) => (key.digest(), None),
        Credentials::Session(session) => (session.0.digest(), Some(session)),
    };
    let by_session = session.is_some();
    let find = move |accounts: &Accounts, now| {
        if by_session { accounts.session(digest, now) } else { accounts.api_key(digest, now) }
    };
    let who = admin.accounts(find).await?.ok_or_else(unknown)?;
    Ok((who, session))
}

/// The answer to an authenticated request without the needed right.
pub(super) fn denied(who: &Who, right: Right) -> Problem {
    let refusal = match (&who.scopes, right.scopes()) {
        (Some(_), []) => AdminRefusal::NeedsLogin,
        (Some(_), [scope, ..]) if who.role >= right.role() => {
            AdminRefusal::NeedsScope { scope: scope.as_str().to_owned() }
        }
        _ => match right.role() {
            Role::Viewer | Role::Arbiter => AdminRefusal::NeedsArbiter,
            Role::Operator => AdminRefusal::NeedsOperator,
            Role::Administrator => AdminRefusal::NeedsAdministrator,
        },
    };
    Problem::coded(StatusCode::FORBIDDEN, refusal)
}

/// What a request authenticates with.
enum Credentials {
    Key(Secret),
    Session(Session),
}

impl Credentials {
    fn by(method: &Method, headers: &HeaderMap, reached: Reached) -> Result<Self, Problem> {
        if let Some(authorization) = headers.get(header::AUTHORIZATION) {
            let key = authorization.to_str().ok().and_then(|text| Secret::shown(text.strip_prefix("Bearer ")?.trim()));
            return key.map(Self::Key).ok_or_else(unknown);
        }
        let session = cookie_of(headers, reached).map(Session).ok_or_else(unknown)?;
        let token = headers.get(CSRF_HEADER).and_then(|token| Secret::shown(token.to_str().ok()?));
        // Comparing digests takes the same time whatever the token is.
        if reads(method) || token.is_some_and(|token| token.digest() == session.csrf_token().digest()) {
            Ok(Self::Session(session))
        } else {
            Err(Problem::new(
                StatusCode::FORBIDDEN,
                "The token of the session is missing or wrong: send it in the header X-CSRF-Token with every change.",
            ))
        }
    }
}

/// Whether the page that connects is one of this daemon: other sites could otherwise use the cookie.
pub(super) fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &axum::http::HeaderValue| value.to_str().ok());
    let host = text(header::HOST).and_then(|host| host.parse::<Authority>().ok());
    let origin = text(header::ORIGIN).and_then(|origin| origin.parse::<Uri>().ok());
    host.is_some() && origin.as_ref().and_then(Uri::authority) == host.as_ref()
}

/// Whether a method changes nothing.
fn reads(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

/// The answer to a request without valid credentials.
pub(super) fn unknown() -> Problem {
    Problem::coded(StatusCode::UNAUTHORIZED, AdminRefusal::LogIn)
}

/// The cookie that begins a session in a browser.
pub(super) fn begin_cookie(session: &Session, reached: Reached) -> HeaderValue {
    let age = cookie::time::Duration::milliseconds(i64::try_from(SESSION_MOST_MS).unwrap_or_default());
    header_value(&bare_cookie(session.0.reveal(), reached).max_age(age).build())
}

/// The cookie that ends it.
pub(super) fn end_cookie(reached: Reached) -> HeaderValue {
    header_value(&bare_cookie("", reached).max_age(cookie::time::Duration::ZERO).build())
}

/// The cookie by which a device is known when someone logs in from it again. It gives no access.
pub(super) fn device_cookie(device: &Secret, reached: Reached) -> HeaderValue {
    let age = cookie::time::Duration::milliseconds(i64::try_from(DEVICE_MOST_MS).unwrap_or_default());
    header_value(&protected(device_cookie_name(reached), device.reveal(), reached).max_age(age).build())
}

/// The secret of the device that sent the request.
pub(super) fn device_of(headers: &HeaderMap, reached: Reached) -> Option<Secret> {
    secret_in(headers, device_cookie_name(reached))
}

fn device_cookie_name(reached: Reached) -> &'static str {
    match reached {
        Reached::Here => "boardcast-device",
        Reached::OverTls => "__Host-boardcast-device",
    }
}

fn bare_cookie(value: &str, reached: Reached) -> cookie::CookieBuilder<'_> {
    protected(cookie_name(reached), value, reached)
}

fn protected<'a>(name: &'static str, value: &'a str, reached: Reached) -> cookie::CookieBuilder<'a> {
    Cookie::build((name, value))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(reached == Reached::OverTls)
}

/// The name of the cookie. Over TLS its prefix makes the browser accept it from this site only.
pub(super) fn cookie_name(reached: Reached) -> &'static str {
    match reached {
        Reached::Here => "boardcast-session",
        Reached::OverTls => "__Host-boardcast-session",
    }
}

fn cookie_of(headers: &HeaderMap, reached: Reached) -> Option<Secret> {
    secret_in(headers, cookie_name(reached))
}

fn secret_in(headers: &HeaderMap, name: &str) -> Option<Secret> {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    let mut cookies = lines.flat_map(Cookie::split_parse).flatten();
    cookies.find(|cookie| cookie.name() == name).and_then(|cookie| Secret::shown(cookie.value()))
}

fn header_value(cookie: &Cookie<'_>) -> HeaderValue {
    // Names, values and attributes are ASCII.
    HeaderValue::from_str(&cookie.to_string()).unwrap_or_else(|_| HeaderValue::from_static(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_this_daemon_may_connect() {
        let from = |host: &str, origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().unwrap());
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, origin.parse().unwrap());
            }
            is_same_origin(&headers)
        };
        assert!(from("localhost:8080", Some("http://localhost:8080")));
        assert!(from("games.example.org", Some("https://games.example.org")));
        assert!(!from("localhost:8080", Some("http://localhost:9090")));
        assert!(!from("localhost:8080", Some("https://evil.example")));
        assert!(!from("localhost:8080", Some("null")));
        assert!(!from("localhost:8080", None));
    }
}
