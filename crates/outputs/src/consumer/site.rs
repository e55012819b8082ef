//! A static site: the files of `drawn::site` in a folder, at a web server or at a server for files.
//!
//! The first page is sent last. Files of games that are withdrawn are removed. Must not know what the files hold.

use std::sync::Arc;
use std::time::{Duration, Instant};

use coded_text::CodedText;
use drawn::site::INDEX;
use hall_clock::UtcMs;

use crate::consumer::folder::Folder;
use crate::consumer::ftp::Ftp;
use crate::consumer::http_file::HttpFile;
use crate::consumer::{Consumer, Delivered, Found, Job};
use crate::http::Http;
use crate::queue::{Failure, FailureKind, Memory, Parcel};
use crate::sentence::OutputSentence;
use crate::settings::{HttpTarget, Method, SiteAddress, SitePlace};
use crate::wanted::Wanted;

/// Files that go over one connection of FTP or SFTP.
const AT_ONCE: usize = 20;

/// Time after which an attempt ends, and the next one goes on.
const ATTEMPT: Duration = Duration::from_secs(15);

/// Time until files that could not be removed are tried again, in milliseconds.
const AGAIN_MS: u64 = 60_000;

/// A static site.
pub(super) struct Site {
    place: Place,
    /// Whether files go one by one, because one of several could not be sent.
    singly: bool,
    /// When it is tried again to remove files that could not be removed.
    again_at: UtcMs,
}

enum Place {
    Folder(Folder),
    /// With the address before the paths of files.
    Http(HttpFile, String),
    Ftp(Ftp),
}

impl Site {
    pub(super) fn new(place: SitePlace, http: Arc<dyn Http>) -> Self {
        let place = match place {
            SitePlace::Folder(folder) => Place::Folder(Folder::new(folder)),
            SitePlace::Http(SiteAddress { url, token }) => {
                let before = format!("{}/", url.trim_end_matches('/'));
                let target = HttpTarget { url: format!("{before}{INDEX}"), method: Method::Put, token };
                Place::Http(HttpFile::new(target, http), before)
            }
            SitePlace::Ftp(server) => Place::Ftp(Ftp::new(server.as_ftp())),
        };
        Self { place, singly: false, again_at: 0 }
    }

    /// Sends the next files; says how many.
    fn send<'a>(&mut self, parcels: &[&'a Parcel]) -> Result<Vec<&'a Parcel>, Failure> {
        let count = if self.singly || !matches!(self.place, Place::Ftp(_)) { 1 } else { AT_ONCE };
        let next: Vec<_> = parcels.iter().take(count).copied().collect();
        let sent = match &self.place {
            Place::Folder(_) => Ok(()),
            Place::Http(http, _) => next.iter().try_for_each(|parcel| http.send(parcel).map(drop)),
            Place::Ftp(ftp) => ftp.send_all(&next),
        };
        // Which of them could not be sent is found by sending them one by one.
        self.singly = sent.is_err();
        sent.map(|()| next)
    }

    /// Removes files of games that are no longer shown; gives those that are gone, and those that are left. These are tried again
    /// later, and hold up no file until then.
    fn remove(&mut self, keys: &[String], now: UtcMs) -> (Vec<String>, Vec<String>) {
        let left = match &self.place {
            Place::Http(http, _) => {
                // A server that fails for one is not asked for all others: it may be silent for long.
                let mut rest = keys.iter();
                let mut left = Vec::new();
                while let Some(key) = rest.next() {
                    if let Err(failure) = http.remove(key) {
                        left.push(key.clone());
                        if failure.kind != FailureKind::Refused {
                            left.extend(rest.by_ref().cloned());
                        }
                    }
                }
                left
            }
            Place::Ftp(ftp) if !keys.is_empty() && ftp.remove_all(keys).is_err() => keys.to_vec(),
            Place::Folder(_) | Place::Ftp(_) => Vec::new(),
        };
        self.again_at = now + AGAIN_MS;
        (keys.iter().filter(|key| !left.contains(key)).cloned().collect(), left)
    }
}

impl Consumer for Site {
    fn parcels(&self, wanted: &Wanted) -> Vec<Parcel> {
        let key = |path: &str| match &self.place {
            Place::Http(_, before) => format!("{before}{path}"),
            Place::Folder(_) | Place::Ftp(_) => path.to_owned(),
        };
        let parcel = |file: &drawn::site::File| Parcel {
            key: key(&file.path),
            label: Box::new(CodedText::in_words(&file.path)),
            round: file.round,
            digest: file.digest.clone(),
            bytes: file.bytes.clone(),
            game: None,
        };
        wanted.site.iter().map(parcel).collect()
    }

    fn deliver(&mut self, job: &Job<'_>) -> Delivered {
        if let Place::Folder(folder) = &mut self.place {
            return folder.deliver(job);
        }
        let (began, mut delivered) = (Instant::now(), Delivered::default());
        let mut rest = &job.work.changed[..];
        while !rest.is_empty() && began.elapsed() < ATTEMPT && !job.end.has_come() {
            match self.send(rest) {
                Ok(sent) => {
                    rest = rest.get(sent.len()..).unwrap_or_default();
                    delivered.taken.extend(sent.into_iter().map(|parcel| parcel.key.clone()));
                }
                Err(failure) => {
                    delivered.failure = Some(failure);
                    return delivered;
                }
            }
        }
        if rest.is_empty() && !job.work.gone.is_empty() && !job.end.has_come() {
            (delivered.removed, delivered.left) = self.remove(&job.work.gone, job.now);
        }
        delivered.answer = Some(OutputSentence::FilesTaken { files: delivered.taken.len() }.coded());
        delivered
    }

    fn spacing_ms(&self) -> u64 {
        match self.place {
            Place::Folder(_) => 1_000,
            Place::Http(..) => 2_000,
            Place::Ftp(_) => 5_000,
        }
    }

    fn test(&mut self) -> Result<Vec<CodedText>, Failure> {
        match &mut self.place {
            Place::Folder(folder) => folder.test(),
            Place::Http(http, _) => http.test(),
            Place::Ftp(ftp) => ftp.test(),
        }
    }

    fn warnings(&self, wanted: &Wanted) -> Vec<CodedText> {
        match &self.place {
            Place::Folder(folder) => folder.warnings(wanted),
            Place::Http(..) | Place::Ftp(_) => Vec::new(),
        }
    }

    fn look_at(&self, memory: &Memory) -> Option<UtcMs> {
        (!memory.left.is_empty()).then_some(self.again_at)
    }

    fn look(&mut self, _: &Wanted, _: &[Parcel], memory: &Memory, now: UtcMs) -> Option<Found> {
        let left: Vec<_> = memory.left.iter().cloned().collect();
        let (removed, _) = self.remove(&left, now);
        Some(Found { removed, ..Found::default() })
    }

    fn may_lose(&self) -> bool {
        matches!(self.place, Place::Folder(_))
    }

    fn lost(&mut self, sent: &[&Parcel]) -> Vec<String> {
        match &mut self.place {
            Place::Folder(folder) => folder.lost(sent),
            Place::Http(..) | Place::Ftp(_) => Vec::new(),
        }
    }
}
