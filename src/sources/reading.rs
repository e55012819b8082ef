//! Reads a source again and again: an address with conditional requests, or the files of a folder.
//!
//! Must not know what is taken of a text.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use coded_text::CodedText;
use outputs::{Http, Request, SecretProblem};

use super::manager::MOST_BYTES;
use super::one::Taker;
use super::pace::Pace;
use super::refusal::SourceRefusal;
use super::settings::From;

/// Time between two looks into a folder.
const LOOK: Duration = Duration::from_secs(2);

/// Files of a folder that are read.
const MOST_FILES: usize = 512;

/// Folders below a folder that are looked into.
const DEPTH: usize = 3;

/// Reads one source until it is stopped.
pub(super) struct Reading {
    taker: Arc<tokio::sync::Mutex<Taker>>,
    http: Arc<dyn Http>,
}

impl Reading {
    pub(super) fn new(taker: Arc<tokio::sync::Mutex<Taker>>, http: Arc<dyn Http>) -> Self {
        Self { taker, http }
    }

    pub(super) async fn run(self, from: From) {
        match from {
            From::Url { url, every_s, token } => self.poll(url, every_s, token).await,
            From::Folder { path } => self.watch(path).await,
            From::Post => {}
        }
    }

    async fn poll(self, url: String, every_s: u32, token: Option<outputs::Secret>) {
        let (mut pace, mut etag) = (Pace::new(u64::from(every_s) * 1000), None);
        loop {
            let wait_ms = match self.fetch(&url, token.as_ref(), &mut etag).await {
                Ok(()) => pace.worked(fastrand::f64()),
                Err((sentence, asked_s)) => {
                    // The next answer is read whole.
                    etag = None;
                    self.taker.lock().await.failed(*sentence);
                    pace.failed(asked_s, fastrand::f64())
                }
            };
            let taker = self.taker.lock().await;
            let next_at = taker.clock.now() + wait_ms;
            taker.tell(|status| status.next_at = Some(next_at));
            drop(taker);
            tokio::time::sleep(Duration::from_millis(wait_ms)).await;
        }
    }

    async fn fetch(&self, url: &str, token: Option<&outputs::Secret>, etag: &mut Option<String>) -> Result<(), Unread> {
        let request = request(url.to_owned(), token, etag.as_deref()).map_err(unread)?;
        let http = Arc::clone(&self.http);
        let answer = in_background(move || http.send(request)).await.map_err(unread)?.map_err(unread)?;
        match answer.status {
            200 => {
                let mut taker = self.taker.lock().await;
                taker.take(&answer.body).await.map_err(unread)?;
                // Where a game waits for something, the same text is read again.
                let waits = taker
                    .status
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .games
                    .iter()
                    .any(|game| game.note.is_some());
                *etag = answer.etag.filter(|_| !waits);
                Ok(())
            }
            304 => {
                self.taker.lock().await.unchanged();
                Ok(())
            }
            status => Err((refusal_of(status).into(), answer.retry_after_s)),
        }
    }

    async fn watch(self, path: PathBuf) {
        let mut seen = None;
        loop {
            let of = path.clone();
            let read = in_background(move || folder(&of)).await.flatten();
            let mut taker = self.taker.lock().await;
            match read {
                Err(refusal) => {
                    seen = None;
                    taker.failed(refusal.coded());
                }
                Ok((_, stamp)) if seen.as_ref() == Some(&stamp) => taker.unchanged(),
                Ok((text, stamp)) => {
                    let lines = taker.take(&text).await;
                    seen = lines.is_ok_and(|lines| lines.iter().all(|line| line.note.is_none())).then_some(stamp);
                }
            }
            drop(taker);
            tokio::time::sleep(LOOK).await;
        }
    }
}

/// Why a source was not read, and after how many seconds its server wants to be asked again.
type Unread = (Box<CodedText>, Option<u64>);

fn unread(reason: impl Into<Box<CodedText>>) -> Unread {
    (reason.into(), None)
}

/// Does work that waits for a network or a disk.
pub(super) async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, SourceRefusal> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "a source could not be read");
        SourceRefusal::Fault
    })
}

/// A request for a PGN file; with the tag of the last answer, for what changed since.
pub(super) fn request(
    url: String,
    token: Option<&outputs::Secret>,
    etag: Option<&str>,
) -> Result<Request, SecretProblem> {
    let mut headers = vec![("accept", "application/x-chess-pgn, text/plain;q=0.9, */*;q=0.1".to_owned())];
    if let Some(token) = token {
        headers.push(("authorization", format!("Bearer {}", token.read()?)));
    }
    if let Some(etag) = etag {
        headers.push(("if-none-match", etag.to_owned()));
    }
    Ok(Request { method: "GET", url, headers, body: Bytes::new() })
}

/// What a status other than 200 and 304 means, and what to do.
pub(super) fn refusal_of(status: u16) -> SourceRefusal {
    let status = u32::from(status);
    match status {
        300..=399 => SourceRefusal::Moved { status },
        401 | 403 => SourceRefusal::Forbidden { status },
        404 | 410 => SourceRefusal::NoFile { status },
        429 => SourceRefusal::TooOften { status },
        500..=599 => SourceRefusal::ServerError { status },
        _ => SourceRefusal::Status { status },
    }
}

/// What a folder holds: changes when a file does.
pub(super) type Stamp = Vec<(PathBuf, u64, Option<std::time::SystemTime>)>;

/// The PGN files of a folder as one text. A file with all games of a round (`games.pgn`) counts where there is no other.
pub(super) fn folder(path: &Path) -> Result<(Bytes, Stamp), SourceRefusal> {
    let shown = || path.display().to_string();
    let missing = |error: io::Error| SourceRefusal::Folder { path: shown(), reason: error.to_string() };
    let mut files = Stamp::new();
    find(path, DEPTH, &mut files).map_err(missing)?;
    if files.len() > MOST_FILES {
        return Err(SourceRefusal::FolderFiles { path: shown(), most: MOST_FILES });
    }
    let is_joined = |file: &Path| file.file_name().is_some_and(|name| name.eq_ignore_ascii_case("games.pgn"));
    let has_others = |file: &Path| files.iter().any(|(other, ..)| !is_joined(other) && other.parent() == file.parent());
    let mut wanted: Vec<_> = files.iter().filter(|(file, ..)| !is_joined(file) || !has_others(file)).cloned().collect();
    wanted.sort();
    let size: u64 = wanted.iter().map(|(_, size, _)| size).sum();
    if size > MOST_BYTES as u64 {
        return Err(SourceRefusal::FolderSize { path: shown() });
    }
    let mut text = Vec::new();
    for (file, ..) in &wanted {
        match fs::read(file) {
            Ok(bytes) => {
                text.extend_from_slice(&bytes);
                text.extend_from_slice(b"\n\n");
            }
            // It is being replaced.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(missing(error)),
        }
    }
    Ok((text.into(), wanted))
}

fn find(path: &Path, depth: usize, files: &mut Stamp) -> io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        if kind.is_dir() && depth > 0 {
            find(&path, depth - 1, files)?;
        } else if kind.is_file() && path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn")) {
            let about = entry.metadata()?;
            files.push((path, about.len(), about.modified().ok()));
        }
        if files.len() > MOST_FILES {
            break;
        }
    }
    Ok(())
}
