//! The head of a request for a PGN file, read from the first bytes of a connection.
//!
//! Only the plain form is read here: GET or HEAD, HTTP/1.1, a path of PGN files without escapes, no body and no upgrade. What is
//! anything else, or not certain, is left to the framework; so is a browser with a cookie, which may have chosen a rehearsal. Must not know files or sockets.

use std::mem::MaybeUninit;

use httparse::{Request, Status};

use crate::polled::Conditions;

/// The most headers of a request.
pub(super) const MOST_HEADERS: usize = 64;

/// The beginnings of paths of PGN files.
const PATHS: [&str; 3] = ["/live.pgn", "/pgn/", "/ascii/"];

const METHODS: [&str; 2] = ["GET ", "HEAD "];

/// What the bytes that arrived are.
#[derive(Debug)]
pub(super) enum Head<'a> {
    /// The beginning of what may be a request for a file.
    Incomplete,
    /// Something for the framework.
    Other,
    /// A request for a file.
    File(FileRequest<'a>),
}

/// A request for a file.
#[derive(Debug)]
pub(super) struct FileRequest<'a> {
    /// The path without its query.
    pub(super) path: &'a str,
    pub(super) conditions: Conditions<'a>,
    /// Only the head of the answer is wanted.
    pub(super) head_only: bool,
    /// The client wants no further answer on this connection.
    pub(super) close: bool,
    /// Bytes of the head.
    pub(super) length: usize,
}

/// Reads the head at the beginning of `bytes`.
pub(super) fn read(bytes: &[u8]) -> Head<'_> {
    match begins_like_a_file(bytes) {
        Some(true) => {}
        Some(false) => return Head::Other,
        None => return Head::Incomplete,
    }
    let mut headers = [MaybeUninit::uninit(); MOST_HEADERS];
    let mut request = Request::new(&mut []);
    let length = match request.parse_with_uninit_headers(bytes, &mut headers) {
        Ok(Status::Complete(length)) => length,
        Ok(Status::Partial) => return Head::Incomplete,
        Err(_) => return Head::Other,
    };
    let (Some(target), Some(1), Some(method)) = (request.path, request.version, request.method) else {
        return Head::Other;
    };
    let path = target.split_once('?').map_or(target, |(path, _)| path);
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/.-_".contains(&byte);
    if !path.bytes().all(plain) || target.contains('#') {
        return Head::Other;
    }
    let (mut close, mut lines) = (false, 0);
    for header in &*request.headers {
        match header.name.len() {
            4 if header.name.eq_ignore_ascii_case("host") => lines += 1,
            10 if header.name.eq_ignore_ascii_case("connection") => match connection(header.value) {
                Some(wanted) => close |= wanted,
                None => return Head::Other,
            },
            _ if ["content-length", "transfer-encoding", "expect", "upgrade", "cookie"]
                .iter()
                .any(|name| header.name.eq_ignore_ascii_case(name)) =>
            {
                return Head::Other;
            }
            _ => {}
        }
    }
    // A request that does not name its host, or twice, is not as HTTP/1.1 has it (RFC 9112, 3.2).
    if lines != 1 {
        return Head::Other;
    }
    let head_only = method == "HEAD";
    let conditions = Conditions::read(request.headers.iter().map(|header| (header.name, header.value)));
    Head::File(FileRequest { path, conditions, head_only, close, length })
}

/// Whether a connection header closes the connection; none when it asks for something else.
fn connection(value: &[u8]) -> Option<bool> {
    let mut close = false;
    for token in str::from_utf8(value).ok()?.split(',').map(str::trim) {
        match () {
            () if token.eq_ignore_ascii_case("close") => close = true,
            () if token.is_empty() || token.eq_ignore_ascii_case("keep-alive") => {}
            () => return None,
        }
    }
    Some(close)
}

/// Whether these bytes begin like a request for a file; none when more of them are needed.
fn begins_like_a_file(bytes: &[u8]) -> Option<bool> {
    let rest = METHODS.iter().find_map(|method| bytes.strip_prefix(method.as_bytes()));
    if rest.is_some_and(|rest| PATHS.iter().any(|path| rest.starts_with(path.as_bytes()))) {
        return Some(true);
    }
    // Rare: another request, or one that arrives in pieces.
    let mut undecided = false;
    for start in METHODS.iter().flat_map(|method| PATHS.map(|path| [method.as_bytes(), path.as_bytes()])) {
        let mut expected = start.iter().flat_map(|part| part.iter());
        if bytes.iter().zip(&mut expected).all(|(byte, expected)| byte == expected) {
            undecided = true;
        }
    }
    if undecided { None } else { Some(false) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const USUAL: &str = "GET /pgn/open/round-1/games.pgn?noCache=123 HTTP/1.1\r\nHost: hall\r\nAccept-Encoding: gzip\r\n\
                         If-None-Match: \"ab\"\r\n\r\n";

    fn is_other(text: &str) -> bool {
        matches!(read(text.as_bytes()), Head::Other)
    }

    #[test]
    fn the_usual_request_is_read_at_whatever_byte_it_is_cut() {
        for cut in 0..USUAL.len() {
            assert!(matches!(read(&USUAL.as_bytes()[..cut]), Head::Incomplete), "{cut}");
        }
        let two = USUAL.repeat(2);
        let Head::File(file) = read(two.as_bytes()) else { panic!("a file") };
        assert_eq!((file.path, file.head_only, file.close), ("/pgn/open/round-1/games.pgn", false, false));
        assert_eq!(file.length, USUAL.len());
        assert!(file.conditions.gzip && file.conditions.has_tag("\"ab\""));
    }

    #[test]
    fn lines_may_end_in_lf_alone_and_close_is_heard() {
        let Head::File(file) = read(b"HEAD /live.pgn HTTP/1.1\nhost: hall\nConnection: Close\n\n") else {
            panic!("a file")
        };
        assert!(file.head_only && file.close);
    }

    #[test]
    fn whatever_is_unusual_is_left_to_the_framework() {
        for text in [
            "GET /live.pgn HTTP/1.0\r\nHost: hall\r\n\r\n",
            "GET /live.pgn HTTP/1.1\r\n\r\n",
            "GET /live.pgn HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET /pgn/a%62/live.pgn HTTP/1.1\r\nHost: hall\r\n\r\n",
            "GET /live.pgn#x HTTP/1.1\r\nHost: hall\r\n\r\n",
            "GET /live.pgn HTTP/1.1\r\nHost: hall\r\nContent-Length: 3\r\n\r\nabc",
            "GET /live.pgn HTTP/1.1\r\nHost: hall\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "GET /live.pgn HTTP/1.1\r\nHost: hall\r\nExpect: 100-continue\r\n\r\n",
            "GET /live.pgn HTTP/1.1\r\nHost: hall\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n",
            "GET /live.pgn HTTP/1.1\r\nHost: hall\r\n folded: x\r\n\r\n",
            "GET /live.pgn HTTP/1.1\r\nHost: hall\r\nCookie: boardcast-rehearsal=1\r\n\r\n",
            "GET /live.pgn HTTP/2.0\r\nHost: hall\r\n\r\n",
            "GET http://hall/live.pgn HTTP/1.1\r\nHost: hall\r\n\r\n",
            "GET / ",
            "G ",
            "\r\nGET /live.pgn",
            "POST /live.pgn HTTP/1.1\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "\x16\x03\x01",
            "GET /api/",
        ] {
            assert!(is_other(text), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn rubbish_is_never_a_file_beyond_what_arrived(
            rubbish in prop::collection::vec(any::<u8>(), 0..200),
            cut in 0..USUAL.len(),
        ) {
            let bytes = [&USUAL.as_bytes()[..cut], &rubbish].concat();
            if let Head::File(file) = read(&bytes) {
                prop_assert!(file.length <= bytes.len());
                prop_assert!(file.path.starts_with('/'));
            }
        }
    }
}
