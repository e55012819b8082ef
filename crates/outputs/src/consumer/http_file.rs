//! A PGN file of each round to a web address, by PUT or POST.

use std::sync::Arc;

use coded_text::CodedText;

use crate::consumer::answers::{failure, no_folder, silent};
use crate::consumer::{Consumer, Delivered, Job, one_by_one, round_files};
use crate::http::{Http, Request, Response};
use crate::queue::{Failure, Parcel};
use crate::sentence::OutputSentence;
use crate::settings::{HttpTarget, Method};
use crate::wanted::Wanted;

/// PGN, and that it is UTF-8.
const PGN: &str = "application/x-chess-pgn; charset=utf-8";

/// Status by which a `WebDAV` server refuses a file whose folder is missing (RFC 4918, 9.7.1), or a folder whose outer folder is.
const CONFLICT: u16 = 409;

/// What servers answer to a file whose folder is missing: nginx 500, others 404 or 409.
const MAY_LACK_FOLDER: [u16; 3] = [404, CONFLICT, 500];

/// A web address for files.
pub(super) struct HttpFile {
    target: HttpTarget,
    http: Arc<dyn Http>,
}

impl HttpFile {
    pub(super) fn new(target: HttpTarget, http: Arc<dyn Http>) -> Self {
        Self { target, http }
    }

    fn request(&self, method: &'static str, url: String) -> Result<Request, Failure> {
        let mut headers = Vec::new();
        if let Some(token) = &self.target.token {
            headers.push(("authorization", format!("Bearer {}", token.read().map_err(Failure::refused)?)));
        }
        Ok(Request { method, url, headers, body: bytes::Bytes::new() })
    }

    /// Removes a file; a server that has none is content.
    pub(super) fn remove(&self, url: &str) -> Result<(), Failure> {
        let response = self.http.send(self.request("DELETE", url.to_owned())?).map_err(silent)?;
        match response.status {
            200..=299 | 404 | 410 => Ok(()),
            _ => Err(failure(OutputSentence::Server, &response)),
        }
    }

    /// Sends a file to the address that is its key. Where a `WebDAV` server has no folder for it, the folder is created.
    pub(super) fn send(&self, parcel: &Parcel) -> Result<OutputSentence, Failure> {
        let puts = self.target.method == Method::Put;
        let mut response = self.send_once(parcel)?;
        if puts && MAY_LACK_FOLDER.contains(&response.status) && self.create_folder_of(&parcel.key) {
            response = self.send_once(parcel)?;
        }
        match response.status {
            status @ 200..=299 => Ok(OutputSentence::Taken { status, what: parcel.label.clone() }),
            CONFLICT if puts => Err(no_folder(OutputSentence::Server, parcel.label.clone(), &response)),
            _ => Err(failure(OutputSentence::Server, &response)),
        }
    }

    fn send_once(&self, parcel: &Parcel) -> Result<Response, Failure> {
        let method = match self.target.method {
            Method::Put => "PUT",
            Method::Post => "POST",
        };
        let mut request = self.request(method, parcel.key.clone())?;
        request.headers.push(("content-type", content_type(&request.url).to_owned()));
        request.body = parcel.bytes.clone();
        self.http.send(request).map_err(silent)
    }

    /// Creates the folder of a file or of a folder, and first the outer folders that are missing. Says whether it was created.
    fn create_folder_of(&self, url: &str) -> bool {
        let Some(folder) = folder_of(url) else { return false };
        let create = || self.http.send(self.request("MKCOL", folder.to_owned()).ok()?).ok();
        let mut response = create();
        if response.as_ref().is_some_and(|response| response.status == CONFLICT) && self.create_folder_of(folder) {
            response = create();
        }
        response.is_some_and(|response| matches!(response.status, 200..=299))
    }
}

/// The address of the folder that a file or a folder is in. None at the top of a server, and for an address with a query.
fn folder_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://").filter(|(_, rest)| !rest.contains(['?', '#']))?;
    let path = url.len() - rest.len() + rest.find('/')? + 1;
    let end = url.trim_end_matches('/').rfind('/')? + 1;
    (end > path).then(|| &url[..end])
}

/// The type of a file by its ending; PGN for any other.
fn content_type(url: &str) -> &'static str {
    match url.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => PGN,
    }
}

impl Consumer for HttpFile {
    fn parcels(&self, wanted: &Wanted) -> Vec<Parcel> {
        round_files(wanted, &self.target.url)
    }

    fn deliver(&mut self, job: &Job<'_>) -> Delivered {
        one_by_one(job, |parcel| self.send(parcel))
    }

    fn test(&mut self) -> Result<Vec<CodedText>, Failure> {
        // A write would show something: whether the server answers is all that can be asked.
        let url = self.target.url.replace("{section}", "test").replace("{round}", "0");
        let response = self.http.send(self.request("GET", url)?).map_err(silent)?;
        match response.status {
            401 | 403 => Err(failure(OutputSentence::Server, &response)),
            status => Ok(vec![OutputSentence::Answers { status }.coded()]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_the_address_up_to_its_last_part() {
        for (url, folder) in [
            ("http://host/dav/chess/game/a.svg", Some("http://host/dav/chess/game/")),
            ("http://host/dav/chess/", Some("http://host/dav/")),
            ("http://host/dav/", None),
            ("http://host/1.pgn", None),
            ("http://host//a/", Some("http://host//")),
            ("http://host//", None),
            ("http://host", None),
            ("http://host/upload/in.php?file=a/b.pgn", None),
            ("1.pgn", None),
        ] {
            assert_eq!(folder_of(url), folder, "{url}");
        }
    }
}
