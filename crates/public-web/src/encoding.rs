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
    accepted(lines, &[coding])
}

/// Whether the lines of `Accept-Encoding` take a content coding that has one of these names: what they say of it counts before what
/// they say of all others (RFC 9110, 12.5.3).
pub(super) fn accepted<'a>(lines: impl Iterator<Item = &'a str>, names: &[&str]) -> bool {
    let mut others = false;
    for item in lines.flat_map(|line| line.split(',')) {
        let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
        let weight = parameters.split_once('=').filter(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
        let wanted = !weight.is_some_and(|(_, weight)| weight.trim().parse() == Ok(0.0));
        let name = name.trim();
        if names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return wanted;
        }
        others |= name == "*" && wanted;
    }
    others
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
