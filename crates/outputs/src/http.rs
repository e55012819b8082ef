//! One HTTP request and its answer, with limits: no redirects, a time, a size.
//!
//! [`Http`] is what consumers see, so that tests can stand in for the network. Must not know what is asked for.

use std::error::Error as _;
use std::io;
use std::time::Duration;

use bytes::Bytes;
use coded_text::coded_texts;

/// Time that a request may take from the look-up of the name to the last byte of the answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Time in which a connection has to be there.
const CONNECTING: Duration = Duration::from_secs(10);

/// Maximum size of an answer in bytes: a round of 100 games as PGN has about 300 KB.
const MOST_ANSWER: u64 = 4 * 1024 * 1024;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// GET, POST, PUT, DELETE or MKCOL.
    pub method: &'static str,
    /// The whole address.
    pub url: String,
    /// Headers, names in small letters.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Bytes,
}

/// An answer, whatever its status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// `Content-Type`, or an empty text.
    pub content_type: String,
    /// `ETag` as it came, with its quotes.
    pub etag: Option<String>,
    /// Seconds of `Retry-After`.
    pub retry_after_s: Option<u64>,
    /// The body.
    pub body: Bytes,
}

coded_texts! {
    /// Why there is no answer.
    pub enum NoAnswer {
        NoRequest = "http_no_request", "The address or a header of it is not valid: check the settings.";
        Late = "http_late", "There is no answer in time: check the network and the address.";
        NoHost = "http_no_host", "The name of the server is not found: check the network and the address.";
        TooLarge = "http_too_large", "The answer is too large: check the address.";
        Refused = "http_refused",
            "The server refuses the connection: check the address, and whether the server runs.";
        NotSecure = "http_not_secure",
            "The connection is not secure: check the server's certificate and this machine's date.";
        Unreachable { reason: String } = "http_unreachable",
            "The server cannot be reached ({reason}): check the network and the address.";
    }
}

/// Sends requests, one at a time.
pub trait Http: Send + Sync {
    /// Sends a request and waits for the answer.
    ///
    /// # Errors
    /// When there is no answer in time, or it is too large.
    fn send(&self, request: Request) -> Result<Response, NoAnswer>;
}

/// The network.
#[derive(Debug)]
pub struct Web(ureq::Agent);

impl Default for Web {
    fn default() -> Self {
        Self::within(PATIENCE)
    }
}

impl Web {
    /// The network, with this time for a request.
    pub fn within(patience: Duration) -> Self {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(patience))
            .timeout_connect(Some(CONNECTING.min(patience)))
            // A redirect may lead a token to another host.
            .max_redirects(0)
            .http_status_as_error(false)
            // MKCOL of WebDAV.
            .allow_non_standard_methods(true)
            .user_agent(concat!("boardcast/", env!("CARGO_PKG_VERSION")));
        Self(config.build().into())
    }
}

impl Http for Web {
    fn send(&self, request: Request) -> Result<Response, NoAnswer> {
        let Request { method, url, headers, body } = request;
        let mut builder = ureq::http::Request::builder().method(method).uri(url);
        for (name, value) in headers {
            builder = builder.header(name, value);
        }
        let no_request = |_| NoAnswer::NoRequest;
        let answered = if matches!(method, "GET" | "DELETE" | "MKCOL") {
            self.0.run(builder.body(()).map_err(no_request)?)
        } else {
            self.0.run(builder.body(&body[..]).map_err(no_request)?)
        };
        let mut response = answered.map_err(|error| no_answer(&error))?;
        let text = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let (content_type, retry_after_s) = (text("content-type").to_owned(), text("retry-after").trim().parse().ok());
        let etag = Some(text("etag").to_owned()).filter(|etag| !etag.is_empty());
        let status = response.status().as_u16();
        let body = response.body_mut().with_config().limit(MOST_ANSWER).read_to_vec();
        let body = body.map_err(|error| no_answer(&error))?.into();
        Ok(Response { status, content_type, etag, retry_after_s, body })
    }
}

/// What happened, without the address: it may hold a secret.
fn no_answer(error: &ureq::Error) -> NoAnswer {
    match error {
        ureq::Error::Timeout(_) => NoAnswer::Late,
        ureq::Error::HostNotFound => NoAnswer::NoHost,
        ureq::Error::BodyExceedsLimit(_) => NoAnswer::TooLarge,
        ureq::Error::Tls(_) => NoAnswer::NotSecure,
        ureq::Error::Io(error) if error.kind() == io::ErrorKind::ConnectionRefused => NoAnswer::Refused,
        ureq::Error::Io(error) => without_connection(error.to_string()),
        other => without_connection(other.source().map_or_else(|| other.to_string(), ToString::to_string)),
    }
}

/// The library gives a certificate that it does not accept as an error of the connection, with these words.
fn without_connection(reason: String) -> NoAnswer {
    if reason.contains("peer certificate") { NoAnswer::NotSecure } else { NoAnswer::Unreachable { reason } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_that_is_not_accepted_is_no_trouble_of_the_network() {
        let said = |words: &str| no_answer(&ureq::Error::Io(io::Error::new(io::ErrorKind::InvalidData, words)));
        assert_eq!(said("invalid peer certificate: Expired"), NoAnswer::NotSecure);
        assert!(matches!(said("received corrupt message"), NoAnswer::Unreachable { .. }));
    }
}
