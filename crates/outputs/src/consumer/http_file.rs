//! A PGN file of each round to a web address, by PUT or POST.

use std::sync::Arc;

use coded_text::CodedText;

use crate::consumer::answers::{failure, silent};
use crate::consumer::{Consumer, Delivered, Job, one_by_one, round_files};
use crate::http::{Http, Request};
use crate::queue::{Failure, Parcel};
use crate::sentence::OutputSentence;
use crate::settings::{HttpTarget, Method};
use crate::wanted::Wanted;

/// PGN, and that it is UTF-8.
const PGN: &str = "application/x-chess-pgn; charset=utf-8";

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
        let mut headers = vec![("content-type", content_type(&url).to_owned())];
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

    /// Sends a file to the address that is its key.
    pub(super) fn send(&self, parcel: &Parcel) -> Result<OutputSentence, Failure> {
        let method = match self.target.method {
            Method::Put => "PUT",
            Method::Post => "POST",
        };
        let request = Request { body: parcel.bytes.clone(), ..self.request(method, parcel.key.clone())? };
        let response = self.http.send(request).map_err(silent)?;
        match response.status {
            status @ 200..=299 => Ok(OutputSentence::Taken { status, what: parcel.label.clone() }),
            _ => Err(failure(OutputSentence::Server, &response)),
        }
    }
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
