//! Messages by a server of ntfy, which shows them on phones (docs.ntfy.sh/publish).

use super::{Message, PATIENCE};
use crate::alarms::hook::HookUrl;

/// A topic of a server.
#[derive(Clone)]
pub struct Ntfy {
    pub(super) topic: HookUrl,
    pub(super) token: Option<String>,
}

impl std::fmt::Debug for Ntfy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Who knows a topic can read it.
        f.write_str("Ntfy")
    }
}

impl Ntfy {
    pub(super) fn send(&self, message: &Message) -> Result<(), String> {
        let agent: ureq::Agent = ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).build().into();
        let mut request = agent.post(self.topic.address()).header("Title", &ascii(&message.title));
        request = request.header("Priority", if message.urgent { "high" } else { "default" });
        if let Some(token) = &self.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        // The text of an error may have the address.
        request.send(&message.text).map(drop).map_err(|error| match error {
            ureq::Error::StatusCode(status) => format!("the server answers with status {status}"),
            ureq::Error::Timeout(_) => "the server does not answer in time".to_owned(),
            ureq::Error::HostNotFound => "the server's name is not known".to_owned(),
            _ => "the server cannot be reached".to_owned(),
        })
    }
}

/// Header lines are ASCII.
fn ascii(text: &str) -> String {
    deunicode::deunicode(text).replace(['\r', '\n'], " ")
}
