//! A command of this machine that orders something of the daemon at work here.
//!
//! Whoever may write the accounts' file may begin a session in it: the order is that account's, and the session ends with
//! it. Knows the door ([`guard`](super::guard)) from outside.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use anyhow::{Context, bail};
use serde::Deserialize;

use super::api::orders::Order;
use super::guard::{CSRF_HEADER, Session, cookie_name};
use super::reach::Reached;
use super::state::API;
use accounts::{Accounts, Name, Secret};
use hall_clock::HallClock;

/// What the daemon answers when it is done.
#[derive(Deserialize)]
struct Done {
    notes: Vec<String>,
}

/// What it answers when it refuses.
#[derive(Deserialize)]
struct Refused {
    detail: String,
}

/// Orders something as this account; gives what its author should know.
///
/// # Errors
/// When nobody answers at the address, or the daemon refuses: one sentence.
pub(crate) fn order(accounts: &Accounts, by: &Name, address: SocketAddr, order: &Order) -> anyhow::Result<Vec<String>> {
    let session = Session(Secret::draw().context("the system gives no randomness")?);
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
        format!("the daemon at work here does not answer at {address}: look at its log, or stop it and try again")
    })?;
    if answer.status().is_success() {
        return Ok(answer.body_mut().read_json::<Done>()?.notes);
    }
    let refused = answer.body_mut().read_json::<Refused>().context("the daemon at work here is another version")?;
    bail!("the daemon at work here refuses: {}", refused.detail)
}

/// The address on this machine of a daemon that listens at all of them.
fn here(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}
