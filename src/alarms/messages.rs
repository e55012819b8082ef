//! Alarms as messages to persons: by e-mail or ntfy, several in one message, tried again until one is delivered.
//!
//! Works from the alarms that hold, so that a message after hours without a network says what is the case then. Must not know
//! which alarms there are.

mod digest;
mod email;
mod ntfy;
mod settings;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use game_core::alarm::Audience;
use tokio_util::sync::CancellationToken;

use super::AlarmBook;
use crate::supervisor::Backoff;
use digest::Digest;

pub use digest::Message;
pub use settings::{AlarmsConfig, Messages};

/// How often the alarms are looked at.
const LOOK: Duration = Duration::from_secs(1);

/// First and longest pause after a message that could not be delivered.
const RETRY: (Duration, Duration) = (Duration::from_secs(5), Duration::from_mins(5));

/// How long one attempt may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A way to send messages.
#[derive(Clone, Debug)]
pub enum Channel {
    /// By e-mail.
    Email(email::Email),
    /// By a server of ntfy.
    Ntfy(ntfy::Ntfy),
}

impl Channel {
    /// What it is called in messages to the organiser.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Email(_) => "e-mail",
            Self::Ntfy(_) => "ntfy",
        }
    }

    /// Sends a message and waits for the answer; blocks.
    ///
    /// # Errors
    /// One sentence without secrets.
    pub fn send(&self, message: &Message) -> Result<(), String> {
        match self {
            Self::Email(email) => email.send(message),
            Self::Ntfy(ntfy) => ntfy.send(message),
        }
    }
}

/// Sends messages about the alarms over one channel until the stop.
pub async fn run(channel: Channel, settings: Messages, book: AlarmBook, stop: CancellationToken) {
    let mut digest = Digest::new(settings.pause);
    let mut backoff = Backoff::new(RETRY.0, RETRY.1);
    let mut looks = tokio::time::interval(LOOK);
    looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    while stop.run_until_cancelled(looks.tick()).await.is_some() {
        let alarms = book.list(|audience| settings.arbiters || audience == Audience::Operator);
        let Some(message) = digest.due(Instant::now(), &alarms) else { continue };
        let (sending, sent) = (channel.clone(), message.clone());
        let delivered = tokio::task::spawn_blocking(move || sending.send(&sent)).await;
        match delivered.unwrap_or_else(|error| Err(error.to_string())) {
            Ok(()) => {
                backoff.reset();
                digest.delivered(Instant::now(), &message);
            }
            Err(error) => {
                let wait = backoff.wait();
                tracing::warn!(
                    error,
                    "an alarm was not delivered by {}: check [alarms] in the settings and the network; it is tried again in {} s",
                    channel.name(),
                    wait.as_secs()
                );
                digest.failed(Instant::now() + wait);
            }
        }
    }
}
