//! The answer to a poller, for the framework and as bytes.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use httpdate::HttpDate;

use super::{Payload, http_date};
use crate::answer;

/// The answer to a poller.
pub(crate) struct Reply {
    /// When it is made, in seconds of hall time since 1970. Its `Date`, as `Last-Modified` is hall time, which can be ahead of the
    /// system's, and RFC 9110 (8.8.2.1) forbids a `Last-Modified` after `Date`.
    pub(super) now_s: u64,
    pub(super) not_modified: bool,
    pub(super) etag: String,
    pub(super) last_modified: HttpDate,
    pub(super) content_type: &'static str,
    pub(super) gzip: bool,
    pub(super) body: Payload,
}

/// What every answer to a poller says about caches.
const CACHING: [(&str, &str); 2] = [("cache-control", "no-cache"), ("vary", "Accept-Encoding")];

impl Reply {
    /// The second in which it is made, hall time since 1970.
    pub(crate) fn now_s(&self) -> u64 {
        self.now_s
    }

    /// Appends the head of the answer as HTTP/1.1 has it, with the second in which it is made as `date`, and gives the body that
    /// follows.
    pub(crate) fn write(self, head_only: bool, close: bool, date: &str, out: &mut Vec<u8>) -> Payload {
        let mut push = |text: &str| out.extend_from_slice(text.as_bytes());
        push(if self.not_modified { "HTTP/1.1 304 Not Modified\r\n" } else { "HTTP/1.1 200 OK\r\n" });
        for (name, value) in CACHING.iter().chain(&answer::OPEN_TO_ALL) {
            push(name);
            push(": ");
            push(value);
            push("\r\n");
        }
        push("etag: ");
        push(&self.etag);
        push("\r\nlast-modified: ");
        push(&self.last_modified.to_string());
        if !self.not_modified {
            push("\r\ncontent-type: ");
            push(self.content_type);
            if self.gzip {
                push("\r\ncontent-encoding: gzip");
            }
            push("\r\ncontent-length: ");
            push(&self.body.length().to_string());
        }
        if close {
            push("\r\nconnection: close");
        }
        push("\r\ndate: ");
        push(date);
        push("\r\n\r\n");
        if head_only || self.not_modified { Payload::Bytes(Bytes::new()) } else { self.body }
    }
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let validators = [
            (header::ETAG, self.etag),
            (header::LAST_MODIFIED, self.last_modified.to_string()),
            (header::DATE, http_date(self.now_s).to_string()),
        ];
        if self.not_modified {
            return (StatusCode::NOT_MODIFIED, validators, CACHING).into_response();
        }
        let mut response =
            (validators, CACHING, [(header::CONTENT_TYPE, self.content_type)], self.body.bytes()).into_response();
        if self.gzip {
            response.headers_mut().insert(header::CONTENT_ENCODING, header::HeaderValue::from_static("gzip"));
        }
        response
    }
}
