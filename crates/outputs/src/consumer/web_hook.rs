//! Changed games as JSON to a web address, signed as the specification «Standard Webhooks» says.

use std::fmt::Write as _;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use coded_text::CodedText;
use hall_clock::UtcMs;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::consumer::answers::{failure, silent};
use crate::consumer::{Consumer, Delivered, Job};
use crate::http::{Http, Request};
use crate::queue::{Failure, Parcel};
use crate::sentence::OutputSentence;
use crate::settings::WebHookTarget;
use crate::wanted::Wanted;

/// Games in one message.
const MOST_GAMES: usize = 100;

/// A web address for changed games.
pub(super) struct WebHook {
    output: String,
    target: WebHookTarget,
    http: Arc<dyn Http>,
    /// Digest of the message that was not acknowledged, and its id: a repetition has the same one.
    unacknowledged: Option<(String, String)>,
}

impl WebHook {
    pub(super) fn new(output: String, target: WebHookTarget, http: Arc<dyn Http>) -> Self {
        Self { output, target, http, unacknowledged: None }
    }

    /// Sends a message; gives the status of the answer.
    fn send(&mut self, body: String, now: UtcMs) -> Result<u16, Failure> {
        let key = self.target.secret.read().map_err(Failure::refused)?;
        let digest = hex(&Sha256::digest(&body));
        let id = match &self.unacknowledged {
            Some((known, id)) if *known == digest => id.clone(),
            _ => format!("msg_{}_{now}", &digest[..16]),
        };
        self.unacknowledged = Some((digest, id.clone()));
        let timestamp = now / 1000;
        let signature = signature(&key, &id, timestamp, &body);
        let headers = vec![
            ("content-type", "application/json; charset=utf-8".to_owned()),
            ("webhook-id", id),
            ("webhook-timestamp", timestamp.to_string()),
            ("webhook-signature", signature),
        ];
        let request = Request { method: "POST", url: self.target.url.clone(), headers, body: Bytes::from(body) };
        let response = self.http.send(request).map_err(silent)?;
        match response.status {
            status @ 200..=299 => {
                self.unacknowledged = None;
                Ok(status)
            }
            _ => Err(failure(OutputSentence::Receiver, &response)),
        }
    }
}

impl Consumer for WebHook {
    fn parcels(&self, wanted: &Wanted) -> Vec<Parcel> {
        let games = wanted.rounds.iter().flat_map(|round| round.games.iter().map(|game| (round.number, game)));
        let parcel = |(round, game): (u32, &crate::wanted::WantedGame)| Parcel {
            key: game.line.game.clone(),
            label: OutputSentence::Table { round, table: game.line.board }.into(),
            round,
            digest: game.digest.clone(),
            bytes: game.pgn.clone(),
            game: Some(game.line.clone()),
        };
        games.map(parcel).collect()
    }

    fn deliver(&mut self, job: &Job<'_>) -> Delivered {
        let mut delivered = Delivered { removed: job.work.gone.clone(), ..Delivered::default() };
        let Some(round) = job.work.changed.first().map(|parcel| parcel.round) else { return delivered };
        let games: Vec<_> = job.work.changed.iter().filter(|parcel| parcel.round == round).take(MOST_GAMES).collect();
        let lines: Vec<_> = games.iter().map(|parcel| message(parcel)).collect();
        let body = json!({
            "type": "games.changed",
            "output": self.output,
            "section": { "slug": job.wanted.section, "name": job.wanted.name },
            "round": round,
            "games": lines,
        });
        match self.send(body.to_string(), job.now) {
            Ok(status) => {
                delivered.answer = Some(OutputSentence::GamesTaken { status, round, games: games.len() }.coded());
                delivered.taken = games.iter().map(|parcel| parcel.key.clone()).collect();
            }
            Err(failure) => delivered.failure = Some(failure),
        }
        delivered
    }

    fn test(&mut self) -> Result<Vec<CodedText>, Failure> {
        let body = json!({ "type": "test", "output": self.output });
        // Every test is a message of its own.
        let sent = self.send(body.to_string(), hall_clock::HallClock::start(1.0).now());
        self.unacknowledged = None;
        sent.map(|status| vec![OutputSentence::TestTaken { status }.coded()])
    }
}

/// A game in a message.
fn message(parcel: &Parcel) -> serde_json::Value {
    let mut message = json!(parcel.game);
    message["pgn"] = json!(String::from_utf8_lossy(&parcel.bytes));
    message
}

/// The header `webhook-signature`.
fn signature(key: &str, id: &str, timestamp: u64, body: &str) -> String {
    let decoded = key.strip_prefix("whsec_").and_then(|text| STANDARD.decode(text).ok());
    let key = decoded.unwrap_or_else(|| key.as_bytes().to_vec());
    // Keys of every length are valid for HMAC.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&key) else { return String::new() };
    mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    let mut hex = String::new();
    for byte in bytes {
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_those_of_the_specification() {
        // Example of the specification's reference libraries.
        let key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let signed = signature(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert_ne!(
            signed,
            signature("another key", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#)
        );
    }
}
