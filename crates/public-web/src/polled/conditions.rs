//! What a poller says that it has and understands.
//!
//! Must not know files.

use std::time::UNIX_EPOCH;

use axum::http::HeaderMap;

use crate::encoding::accepted;

/// The headers that decide about the answer; lines that are not text are left out.
#[derive(Debug, Default)]
pub(crate) struct Conditions<'a> {
    none_match: Vec<&'a str>,
    modified_since: Vec<&'a str>,
    /// Whether it accepts gzip.
    pub(crate) gzip: bool,
}

impl<'a> Conditions<'a> {
    /// From the headers of a request, all lines in their order.
    pub(crate) fn read(lines: impl Iterator<Item = (&'a str, &'a [u8])>) -> Self {
        let (mut read, mut codings) = (Self::default(), Vec::new());
        for (name, value) in lines {
            let list = match name.len() {
                13 if name.eq_ignore_ascii_case("if-none-match") => &mut read.none_match,
                17 if name.eq_ignore_ascii_case("if-modified-since") => &mut read.modified_since,
                15 if name.eq_ignore_ascii_case("accept-encoding") => {
                    codings.extend(str::from_utf8(value));
                    continue;
                }
                _ => continue,
            };
            list.extend(str::from_utf8(value));
        }
        read.gzip = accepted(codings.into_iter(), &["gzip", "x-gzip"]);
        read
    }

    /// From headers that the framework read.
    pub(crate) fn of(headers: &'a HeaderMap) -> Self {
        Self::read(headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())))
    }

    /// Whether it names entity tags; then dates do not count.
    pub(super) fn asks_for_tags(&self) -> bool {
        !self.none_match.is_empty()
    }

    /// Whether `If-None-Match` names this tag. Compared leniently: Lichess sends weak tags without their quotes.
    pub(crate) fn has_tag(&self, etag: &str) -> bool {
        let bare = |tag: &'a str| tag.trim().trim_start_matches("W/").trim_matches('"');
        let wanted = etag.trim_matches('"');
        self.none_match.iter().flat_map(|line| line.split(',')).any(|tag| tag.trim() == "*" || bare(tag) == wanted)
    }

    /// Whether `If-Modified-Since` is not before this second.
    pub(super) fn has_since(&self, changed_s: u64) -> bool {
        self.modified_since
            .iter()
            .find_map(|date| httpdate::parse_http_date(date.trim()).ok()?.duration_since(UNIX_EPOCH).ok())
            .is_some_and(|since| since.as_secs() >= changed_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conditions<'a>(lines: &[(&'a str, &'a str)]) -> Conditions<'a> {
        Conditions::read(lines.iter().map(|(name, value)| (*name, value.as_bytes())))
    }

    #[test]
    fn tags_are_compared_leniently() {
        for sent in ["\"ab\"", "ab", "W/\"ab\"", "\"x\", W/\"ab\"", "*", " ab "] {
            assert!(conditions(&[("If-None-Match", sent)]).has_tag("\"ab\""), "{sent}");
        }
        for sent in ["\"abc\"", "", "\"\"", "W/", "x,y"] {
            assert!(!conditions(&[("If-None-Match", sent)]).has_tag("\"ab\""), "{sent}");
        }
        let lines = conditions(&[("IF-NONE-MATCH", "\"x\""), ("if-none-match", "\"ab\"")]);
        assert!(lines.asks_for_tags() && lines.has_tag("\"ab\""));
    }

    #[test]
    fn gzip_is_accepted_unless_it_is_refused() {
        for (sent, accepted) in [
            ("gzip", true),
            ("deflate, GZIP;q=0.5", true),
            ("br;q=1, *;q=0.1", true),
            ("*;q=0, gzip", true),
            ("x-gzip", true),
            ("identity", false),
            ("gzip;q=0", false),
            ("gzip; q=0.0", false),
            ("gzip;q=0, *", false),
            ("*, gzip;q=0", false),
            ("*;q=0", false),
            ("br", false),
            ("", false),
        ] {
            assert_eq!(conditions(&[("accept-encoding", sent)]).gzip, accepted, "{sent}");
        }
    }

    #[test]
    fn headers_that_are_not_text_count_for_nothing() {
        let lines = [("if-none-match", &b"\xff\xfe"[..]), ("accept-encoding", b"\xff"), ("if-modified-since", b"\x00")];
        let read = Conditions::read(lines.into_iter());
        assert!(!read.asks_for_tags() && !read.gzip && !read.has_since(0));
    }
}
