//! Sends an order from a command on this machine to the running daemon.
//!
//! A user who can write the accounts file can begin a session in it. The order is sent in this session, as the given account.

use std::net::SocketAddr;

use anyhow::{Context, bail};
use serde::Deserialize;

use super::api::orders::Order;
use super::guard::{CSRF_HEADER, Session, cookie_name};
use super::reach::Reached;
use super::state::API;
use crate::network::here;
use accounts::{Accounts, Name, Secret};
use hall_clock::HallClock;

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
    let session = Session(Secret::draw().context("the system provides no random bytes")?);
    accounts.begin_session(by, session.0.digest(), HallClock::start(1.0).now())?;
    let done = send(&session, here(address), order);
    accounts.end_session(session.0.digest())?;
    done
}

fn send(session: &Session, address: SocketAddr, order: &Order) -> anyhow::Result<Vec<String>> {
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let cookie = format!("{}={}", cookie_name(Reached::Here), session.0.reveal());
    let request = agent.post(format!("http://{address}{API}/orders"));
    let request = request.header("Cookie", cookie).header(CSRF_HEADER, session.csrf_token().reveal());
    let mut answer = request.send_json(order).with_context(|| {
        format!("the running daemon does not answer at {address}: check its log, or stop it and try again")
    })?;
    if answer.status().is_success() {
        return Ok(answer.body_mut().read_json::<Done>()?.notes.into_iter().map(|note| note.text).collect());
    }
    let refused =
        answer.body_mut().read_json::<Refused>().context("the running daemon is another version: restart it")?;
    bail!("the daemon refuses: {}", refused.detail)
}
