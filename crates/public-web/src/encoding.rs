//! Which compression a client takes, and bodies compressed for it.

use std::io::Write as _;

use axum::http::HeaderMap;
use axum::http::header::{self, HeaderValue};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Bodies below this size are not compressed: they fit one packet.
const SMALL: usize = 1200;

/// Whether a client takes this content coding.
pub(super) fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    let lines = headers.get_all(header::ACCEPT_ENCODING).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|item| {
        let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
        let weight = parameters.split_once('=').filter(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
        let refused = weight.is_some_and(|(_, weight)| weight.trim().parse() == Ok(0.0));
        let name = name.trim();
        (name == "*" || name.eq_ignore_ascii_case(coding)) && !refused
    })
}

/// A body that was made for this answer, compressed where the client takes it.
pub(super) fn compressed(headers: &HeaderMap, body: Vec<u8>) -> Response {
    let mut response = match gzip(headers, &body) {
        Some(gzip) => ([(header::CONTENT_ENCODING, "gzip")], gzip).into_response(),
        None => body.into_response(),
    };
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    response
}

fn gzip(headers: &HeaderMap, body: &[u8]) -> Option<Vec<u8>> {
    if body.len() < SMALL || !accepts(headers, "gzip") {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 4), Compression::fast());
    encoder.write_all(body).ok()?;
    encoder.finish().ok()
}
