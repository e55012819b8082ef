//! Sends an order from a command on this machine to the running daemon, or asks it for its log.
//!
//! A user who can write the accounts file can begin a session in it. The request is sent in this session, as the given account.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use ureq::Body;
use ureq::http::Response;

use super::api::orders::Order;
use super::guard::{CSRF_HEADER, Session, cookie_name};
use super::reach::Reached;
use super::state::API;
use crate::network::here;
use accounts::{Accounts, Name, Secret};
use hall_clock::HallClock;

/// How long an answer is waited for: a disk that is slow holds an order up.
const PATIENCE: Duration = Duration::from_mins(2);

/// The part of the answer that is printed.
#[derive(Deserialize)]
struct Done {
    notes: Vec<Note>,
}

#[derive(Deserialize)]
struct Note {
    text: String,
}

/// The part of a refusal that is printed.
#[derive(Deserialize)]
struct Refused {
    detail: String,
}

/// Sends an order as this account; gives the notes of the answer.
///
/// # Errors
/// One sentence when the daemon does not answer or refuses.
pub(crate) fn order(accounts: &Accounts, by: &Name, address: SocketAddr, order: &Order) -> anyhow::Result<Vec<String>> {
    let done: Done = in_session(accounts, by, address, |session, address| {
        let request = agent().post(format!("http://{address}{API}/orders")).header("Cookie", cookie(session));
        request.header(CSRF_HEADER, session.csrf_token().reveal()).send_json(order)
    })?;
    Ok(done.notes.into_iter().map(|note| note.text).collect())
}

/// The newest lines of the daemon's log as this account, which must be an administrator's.
///
/// # Errors
/// One sentence when the daemon does not answer or refuses.
pub(crate) fn log(accounts: &Accounts, by: &Name, address: SocketAddr) -> anyhow::Result<Vec<LogLine>> {
    in_session(accounts, by, address, |session, address| {
        agent().get(format!("http://{address}{API}/log")).header("Cookie", cookie(session)).call()
    })
}

/// A line of the daemon's log.
#[derive(Debug, Deserialize)]
pub(crate) struct LogLine {
    /// When it was written: milliseconds since 1970, UTC.
    pub(crate) at: i64,
    pub(crate) level: String,
    pub(crate) text: String,
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(PATIENCE)).build().into()
}

fn cookie(session: &Session) -> String {
    format!("{}={}", cookie_name(Reached::Here), session.0.reveal())
}

/// The answer to a request in a session that begins and ends here.
fn in_session<T: DeserializeOwned>(
    accounts: &Accounts,
    by: &Name,
    address: SocketAddr,
    request: impl FnOnce(&Session, SocketAddr) -> Result<Response<Body>, ureq::Error>,
) -> anyhow::Result<T> {
    let session = Session(Secret::draw().context("the system provides no random bytes")?);
    accounts.begin_session(by, session.0.digest(), HallClock::start(1.0).now())?;
    let answer = request(&session, here(address));
    accounts.end_session(session.0.digest())?;
    let mut answer = answer.with_context(|| {
        let address = here(address);
        format!("the running daemon does not answer at {address}: check its log, or stop it and try again")
    })?;
    if answer.status().is_success() {
        return Ok(answer.body_mut().read_json()?);
    }
    let refused =
        answer.body_mut().read_json::<Refused>().context("the running daemon is another version: restart it")?;
    bail!("the daemon refuses: {}", refused.detail)
}
