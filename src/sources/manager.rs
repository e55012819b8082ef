//! All sources: the tasks that read them, the file that keeps their settings, and what programs send to them.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use hall_clock::{HallClock, UtcMs};
use journal::Reader;
use outputs::{Http, Request};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::one::{GameLine, Status, Taker, preview};
use super::pace::Pace;
use super::positions::Positions;
use super::settings::{From, Settings};
use crate::director::DirectorHandle;

/// GameSources of one daemon.
const MOST_SOURCES: usize = 32;

/// Maximum size of a text in bytes: a round of 100 games has about 300 KB.
pub const MOST_BYTES: usize = 4 * 1024 * 1024;

/// Time between two looks into a folder.
const LOOK: Duration = Duration::from_secs(2);

/// Files of a folder that are read.
const MOST_FILES: usize = 512;

/// Folders below a folder that are looked into.
const DEPTH: usize = 3;

/// The file of the sources, in the data folder.
const FILE: &str = "sources.json";

/// What sources need.
pub struct Start {
    /// Takes their orders.
    pub director: DirectorHandle,
    /// Reads what is recorded.
    pub reader: Arc<Reader>,
    /// Sends their requests.
    pub http: Arc<dyn Http>,
    /// Takes boards whose positions programs send.
    pub positions: Positions,
    /// The data folder.
    pub folder: PathBuf,
    /// Ends all tasks.
    pub stop: CancellationToken,
}

/// All sources; copies share them.
#[derive(Clone)]
pub struct GameSources {
    shared: Arc<Shared>,
}

struct Shared {
    start: Start,
    /// Real time: other recorders live in it.
    clock: HallClock,
    running: Mutex<BTreeMap<String, Running>>,
}

struct Running {
    kept: Kept,
    status: Arc<Mutex<Status>>,
    taker: Arc<tokio::sync::Mutex<Taker>>,
    stop: CancellationToken,
}

/// A source as the file has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Kept {
    settings: Settings,
    /// The account.
    by: String,
    /// UTC milliseconds.
    at: UtcMs,
}

/// A source and how it is.
#[derive(Clone, Debug)]
pub struct Known {
    pub settings: Settings,
    pub added_by: String,
    pub added_at: UtcMs,
    pub status: Status,
}

/// Why an order was refused: one sentence each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such source.
    Unknown,
    /// It contradicts what is there.
    Conflict(String),
    /// It cannot work.
    Invalid(String),
    /// The machine failed.
    Failed(String),
}

impl GameSources {
    /// Starts the sources of the data folder.
    pub fn start(start: Start) -> Self {
        let path = start.folder.join(FILE);
        let kept = read(&path).unwrap_or_else(|error| {
            tracing::error!(%error, "{} cannot be read: sources are missing; restore or remove it", path.display());
            // Kept for a person: the next source that is added writes the file anew.
            let _ = fs::copy(&path, path.with_extension("json.damaged"));
            Vec::new()
        });
        let sources =
            Self { shared: Arc::new(Shared { start, clock: HallClock::start(1.0), running: Mutex::default() }) };
        for source in kept {
            if let Err(sentence) = source.settings.check() {
                tracing::error!(sentence, "the source {} does not start", source.settings.name);
                continue;
            }
            sources.run(source);
        }
        sources
    }

    /// Real time, in which states are given.
    pub fn now(&self) -> UtcMs {
        self.shared.clock.now()
    }

    /// All sources by name.
    pub fn list(&self) -> Vec<Known> {
        let now = self.now();
        let known = |running: &Running| Known {
            settings: running.kept.settings.clone(),
            added_by: running.kept.by.clone(),
            added_at: running.kept.at,
            status: running.status.lock().unwrap_or_else(PoisonError::into_inner).clone().at(now),
        };
        self.running().values().map(known).collect()
    }

    /// What a person has to know at once; none while all work.
    pub fn alarm(&self) -> Option<String> {
        let troubles = self.list().into_iter().filter_map(|known| {
            let trouble = known.status.alarm()?;
            Some(format!("source {}: {trouble}", known.settings.name))
        });
        let troubles: Vec<_> = troubles.collect();
        (!troubles.is_empty()).then(|| troubles.join(" "))
    }

    /// Adds a source.
    ///
    /// # Errors
    /// A [`Refusal`].
    pub fn add(&self, settings: Settings, by: &str) -> Result<(), Refusal> {
        settings.check().map_err(Refusal::Invalid)?;
        {
            let running = self.running();
            if running.contains_key(&settings.name) {
                let sentence = format!("There is a source «{}» already: choose another name.", settings.name);
                return Err(Refusal::Conflict(sentence));
            }
            if running.len() >= MOST_SOURCES {
                return Err(Refusal::Conflict(format!("There are {MOST_SOURCES} sources already: remove one.")));
            }
        }
        let name = settings.name.clone();
        self.run(Kept { settings, by: by.to_owned(), at: self.now() });
        if let Err(error) = self.keep() {
            self.end(&name);
            return Err(error);
        }
        Ok(())
    }

    /// Changes the settings of a source; its name stays.
    ///
    /// # Errors
    /// A [`Refusal`].
    pub fn change(&self, name: &str, settings: Settings) -> Result<(), Refusal> {
        settings.check().map_err(Refusal::Invalid)?;
        if settings.name != name {
            return Err(Refusal::Invalid("The name of a source stays: the record has it.".to_owned()));
        }
        let before = self.running().get(name).map(|running| running.kept.clone()).ok_or(Refusal::Unknown)?;
        self.run(Kept { settings, ..before.clone() });
        if let Err(error) = self.keep() {
            self.run(before);
            return Err(error);
        }
        Ok(())
    }

    /// Removes a source; its moves stay.
    ///
    /// # Errors
    /// A [`Refusal`].
    pub fn remove(&self, name: &str) -> Result<(), Refusal> {
        if !self.running().contains_key(name) {
            return Err(Refusal::Unknown);
        }
        self.end(name);
        self.keep()
    }

    /// Takes games that a program sends to a source.
    ///
    /// # Errors
    /// A [`Refusal`].
    pub async fn post(&self, name: &str, text: Bytes) -> Result<Vec<GameLine>, Refusal> {
        let taker = {
            let running = self.running();
            let source = running.get(name).ok_or(Refusal::Unknown)?;
            if source.kept.settings.from != From::Post {
                let sentence = "This source is read from elsewhere: send games to one of the kind «post».";
                return Err(Refusal::Conflict(sentence.to_owned()));
            }
            Arc::clone(&source.taker)
        };
        let taken = taker.lock().await.take(&text).await;
        taken.map_err(Refusal::Invalid)
    }

    /// Takes the position of a board of a source.
    ///
    /// # Errors
    /// A [`Refusal`].
    pub async fn position(
        &self,
        name: &str,
        board: u32,
        position: super::positions::Position,
    ) -> Result<String, Refusal> {
        {
            let running = self.running();
            let source = running.get(name).ok_or(Refusal::Unknown)?;
            if source.kept.settings.from != From::Post {
                let sentence = "This source is read from elsewhere: send positions to one of the kind «post».";
                return Err(Refusal::Conflict(sentence.to_owned()));
            }
        }
        let shared = Arc::clone(&self.shared);
        shared.start.positions.take(name, board, position).await.map_err(Refusal::Invalid)
    }

    /// Reads a source once with these settings, and says what would be taken; nothing is changed.
    ///
    /// # Errors
    /// A [`Refusal`].
    pub async fn test(&self, settings: Settings) -> Result<Vec<GameLine>, Refusal> {
        settings.check().map_err(Refusal::Invalid)?;
        let http = Arc::clone(&self.shared.start.http);
        let text = match settings.from.clone() {
            From::Url { url, token, .. } => {
                let request = request(url, token.as_ref(), None).map_err(Refusal::Invalid)?;
                let answer = tokio::task::spawn_blocking(move || http.send(request)).await;
                let answer = answer.map_err(|error| Refusal::Failed(error.to_string()))?;
                let answer = answer.map_err(|none| Refusal::Failed(none.0))?;
                if answer.status != 200 {
                    return Err(Refusal::Failed(refusal_of(answer.status)));
                }
                answer.body
            }
            From::Folder { path } => {
                let text = tokio::task::spawn_blocking(move || folder(&path)).await;
                let text = text.map_err(|error| Refusal::Failed(error.to_string()))?;
                text.map_err(Refusal::Failed)?.0
            }
            From::Post => return Ok(Vec::new()),
        };
        preview(&settings, &self.shared.start.director, &text).map_err(Refusal::Failed)
    }

    fn run(&self, kept: Kept) {
        let Start { director, reader, http, stop, .. } = &self.shared.start;
        let (status, stop) = (Arc::<Mutex<Status>>::default(), stop.child_token());
        let taker = Taker::new(
            kept.settings.clone(),
            director.clone(),
            Arc::clone(reader),
            self.shared.clock,
            Arc::clone(&status),
        );
        let taker = Arc::new(tokio::sync::Mutex::new(taker));
        let name = kept.settings.name.clone();
        let reading = Reading { taker: Arc::clone(&taker), http: Arc::clone(http) };
        let (from, until) = (kept.settings.from.clone(), stop.clone());
        tokio::spawn(async move {
            until.run_until_cancelled(reading.run(from)).await;
        });
        if let Some(before) = self.running().insert(name, Running { kept, status, taker, stop }) {
            before.stop.cancel();
        }
    }

    fn end(&self, name: &str) {
        if let Some(ended) = self.running().remove(name) {
            ended.stop.cancel();
        }
    }

    fn keep(&self) -> Result<(), Refusal> {
        let kept: Vec<_> = self.running().values().map(|running| running.kept.clone()).collect();
        write(&self.shared.start.folder.join(FILE), &kept).map_err(|error| {
            Refusal::Failed(format!("The list of sources cannot be written ({error}): free space on the disk."))
        })
    }

    fn running(&self) -> MutexGuard<'_, BTreeMap<String, Running>> {
        self.shared.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads one source until it is stopped.
struct Reading {
    taker: Arc<tokio::sync::Mutex<Taker>>,
    http: Arc<dyn Http>,
}

impl Reading {
    async fn run(self, from: From) {
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
                    self.taker.lock().await.failed(sentence);
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

    async fn fetch(
        &self,
        url: &str,
        token: Option<&outputs::Secret>,
        etag: &mut Option<String>,
    ) -> Result<(), (String, Option<u64>)> {
        let request = request(url.to_owned(), token, etag.as_deref()).map_err(|sentence| (sentence, None))?;
        let http = Arc::clone(&self.http);
        let answered = tokio::task::spawn_blocking(move || http.send(request)).await;
        let answer = answered.map_err(|error| (error.to_string(), None))?.map_err(|none| (none.0, None))?;
        match answer.status {
            200 => {
                let mut taker = self.taker.lock().await;
                taker.take(&answer.body).await.map_err(|sentence| (sentence, None))?;
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
            status => Err((refusal_of(status), answer.retry_after_s)),
        }
    }

    async fn watch(self, path: PathBuf) {
        let mut seen = None;
        loop {
            let of = path.clone();
            let read = tokio::task::spawn_blocking(move || folder(&of)).await;
            let read = read.map_err(|error| error.to_string()).and_then(|read| read);
            let mut taker = self.taker.lock().await;
            match read {
                Err(sentence) => {
                    seen = None;
                    taker.failed(sentence);
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

fn request(url: String, token: Option<&outputs::Secret>, etag: Option<&str>) -> Result<Request, String> {
    let mut headers = vec![("accept", "application/x-chess-pgn, text/plain;q=0.9, */*;q=0.1".to_owned())];
    if let Some(token) = token {
        headers.push(("authorization", format!("Bearer {}", token.read()?)));
    }
    if let Some(etag) = etag {
        headers.push(("if-none-match", etag.to_owned()));
    }
    Ok(Request { method: "GET", url, headers, body: Bytes::new() })
}

fn refusal_of(status: u16) -> String {
    match status {
        300..=399 => format!("The address leads to another one (status {status}): enter that one."),
        401 | 403 => format!("The server refuses (status {status}): check the token."),
        404 | 410 => format!("There is no such file (status {status}): check the address."),
        429 => format!("The server is asked too often (status {status}): choose more seconds between requests."),
        500..=599 => {
            format!("The server has an error (status {status}): the games stay as they are until it answers again.")
        }
        _ => format!("The server answers with status {status}: check the address."),
    }
}

/// What a folder holds: changes when a file does.
type Stamp = Vec<(PathBuf, u64, Option<std::time::SystemTime>)>;

/// The PGN files of a folder as one text. A file with all games of a round (`games.pgn`) counts where there is no other.
fn folder(path: &Path) -> Result<(Bytes, Stamp), String> {
    let missing = |error: io::Error| {
        format!("The folder {} cannot be read ({error}): check its path, its disk and its permissions.", path.display())
    };
    let mut files = Stamp::new();
    find(path, DEPTH, &mut files).map_err(missing)?;
    if files.len() > MOST_FILES {
        return Err(format!("The folder {} has more than {MOST_FILES} PGN files: name one round's.", path.display()));
    }
    let is_joined = |file: &Path| file.file_name().is_some_and(|name| name.eq_ignore_ascii_case("games.pgn"));
    let has_others = |file: &Path| files.iter().any(|(other, ..)| !is_joined(other) && other.parent() == file.parent());
    let mut wanted: Vec<_> = files.iter().filter(|(file, ..)| !is_joined(file) || !has_others(file)).cloned().collect();
    wanted.sort();
    let size: u64 = wanted.iter().map(|(_, size, _)| size).sum();
    if size > MOST_BYTES as u64 {
        return Err(format!("The PGN files of {} are larger than 4 MB together: name one round's.", path.display()));
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

fn read(path: &Path) -> io::Result<Vec<Kept>> {
    match fs::read(path) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Replaces a file in one step. A new temporary file is readable for its owner alone: tokens are in it.
fn write(path: &Path, kept: &[Kept]) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(&serde_json::to_vec_pretty(kept)?)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
