//! Alarms to an address of the organiser's: one POST of JSON for each change.
//!
//! Knows HTTP. Must not know which alarms there are. What cannot be delivered is tried again for a while and then given
//! up with a line in the log; nothing waits for it.

use std::time::Duration;

use game_core::alarm::AlarmChange;
use serde::Deserialize;
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio_util::sync::CancellationToken;

/// How long one attempt may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The pauses between attempts.
const PAUSES: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(5), Duration::from_secs(20)];

/// Where alarms are sent: an `http` or `https` address.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct HookUrl(String);

/// What is no address for alarms.
#[derive(Debug, thiserror::Error)]
pub enum NoHookUrl {
    /// The text is no web address.
    #[error("«{0}» is no address for alarms: write one that begins with http:// or https://")]
    NoAddress(String),
    /// The address asks for TLS, and the program was built without the feature `tls`.
    #[error(
        "this build has no TLS: give an address for alarms that begins with http://, or build with the feature tls"
    )]
    NoTls,
}

impl TryFrom<String> for HookUrl {
    type Error = NoHookUrl;

    fn try_from(text: String) -> Result<Self, NoHookUrl> {
        let known = |uri: &axum::http::Uri| {
            matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty())
        };
        match text.parse::<axum::http::Uri>() {
            Ok(uri) if known(&uri) => {
                let served = cfg!(feature = "tls") || uri.scheme_str() == Some("http");
                if served { Ok(Self(text)) } else { Err(NoHookUrl::NoTls) }
            }
            _ => Err(NoHookUrl::NoAddress(text)),
        }
    }
}

impl HookUrl {
    /// The address; it may hold a secret.
    pub(super) fn address(&self) -> &str {
        &self.0
    }
}

/// Sends every change to the address until the stop.
pub async fn run(url: HookUrl, mut changes: Receiver<AlarmChange>, stop: CancellationToken) {
    let agent: ureq::Agent = ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).build().into();
    loop {
        let change = tokio::select! {
            () = stop.cancelled() => return,
            next = changes.recv() => match next {
                Ok(change) => change,
                Err(RecvError::Lagged(lost)) => {
                    tracing::warn!(lost, "alarms came faster than their address takes them: some were not sent");
                    continue;
                }
                Err(RecvError::Closed) => return,
            },
        };
        tokio::select! {
            () = stop.cancelled() => return,
            () = deliver(&agent, &url, &change) => {}
        }
    }
}

async fn deliver(agent: &ureq::Agent, url: &HookUrl, change: &AlarmChange) {
    let mut pauses = PAUSES.into_iter();
    loop {
        let (agent, url, change) = (agent.clone(), url.clone(), change.clone());
        let sent = tokio::task::spawn_blocking(move || agent.post(&url.0).send_json(&change).map(drop)).await;
        // The address may hold a secret and stays out of the log.
        let error = match sent {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(failed) => failed.to_string(),
        };
        let Some(pause) = pauses.next() else {
            tracing::warn!(error, "an alarm was not delivered: check alarm_hook in the settings and the network");
            return;
        };
        tokio::time::sleep(pause).await;
    }
}
