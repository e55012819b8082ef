//! All sources: the tasks that read them, the file that keeps their settings, and what programs send to them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use coded_text::CodedText;
use hall_clock::{HallClock, UtcMs};
use journal::Reader;
use outputs::{Http, json_file};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::one::{GameLine, Status, Taker, preview};
use super::positions::Positions;
use super::reading::{Reading, folder, in_background, refusal_of, request};
use super::refusal::{Refusal, SourceRefusal};
use super::settings::{From, Settings};
use crate::director::DirectorHandle;

/// Sources of one daemon.
const MOST_SOURCES: usize = 32;

/// Maximum size of a text in bytes: a round of 100 games has about 300 KB.
pub const MOST_BYTES: usize = 4 * 1024 * 1024;

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
    changing: Mutex<()>,
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
    /// Its settings.
    pub settings: Settings,
    /// The account that added it.
    pub added_by: String,
    /// UTC milliseconds, real time.
    pub added_at: UtcMs,
    /// How it is.
    pub status: Status,
}

impl GameSources {
    /// Starts the sources of the data folder.
    pub fn start(start: Start) -> Self {
        let path = start.folder.join(FILE);
        let kept: Vec<Kept> = json_file::read_list(&path, "sources");
        let shared =
            Shared { start, clock: HallClock::start(1.0), running: Mutex::default(), changing: Mutex::default() };
        let sources = Self { shared: Arc::new(shared) };
        for source in kept {
            if let Err(reason) = source.settings.check() {
                tracing::error!(%reason, "the source {} does not start", source.settings.name);
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

    /// What a person has to know at once: the settings of a source and its sentence; none while all work.
    pub fn failing(&self) -> Vec<(Settings, CodedText)> {
        let known = self.list().into_iter();
        known.filter_map(|known| Some((known.settings, known.status.alarm()?))).collect()
    }

    /// Adds a source. Writes the list of sources.
    ///
    /// # Errors
    /// A [`Refusal`]; nothing is changed then.
    pub fn add(&self, settings: Settings, by: &str) -> Result<(), Refusal> {
        settings.check().map_err(Refusal::Invalid)?;
        let _changing = self.changing();
        let mut list = self.kept();
        if list.contains_key(&settings.name) {
            return Err(Refusal::Conflict(SourceRefusal::Taken { name: settings.name }));
        }
        if list.len() >= MOST_SOURCES {
            return Err(Refusal::Conflict(SourceRefusal::Count { most: MOST_SOURCES }));
        }
        let added = Kept { settings, by: by.to_owned(), at: self.now() };
        list.insert(added.settings.name.clone(), added.clone());
        self.write(&list)?;
        self.run(added);
        Ok(())
    }

    /// Changes the settings of a source; its name stays. Writes the list of sources.
    ///
    /// # Errors
    /// A [`Refusal`]; nothing is changed then.
    pub fn change(&self, name: &str, settings: Settings) -> Result<(), Refusal> {
        settings.check().map_err(Refusal::Invalid)?;
        if settings.name != name {
            return Err(Refusal::Invalid(SourceRefusal::NameStays.into()));
        }
        let _changing = self.changing();
        let mut list = self.kept();
        let changed = list.get_mut(name).ok_or(Refusal::Unknown)?;
        changed.settings = settings;
        let changed = changed.clone();
        self.write(&list)?;
        self.run(changed);
        Ok(())
    }

    /// Removes a source; its moves stay. Writes the list of sources.
    ///
    /// # Errors
    /// A [`Refusal`]; nothing is changed then.
    pub fn remove(&self, name: &str) -> Result<(), Refusal> {
        let _changing = self.changing();
        let mut list = self.kept();
        list.remove(name).ok_or(Refusal::Unknown)?;
        self.write(&list)?;
        if let Some(ended) = self.running().remove(name) {
            ended.stop.cancel();
        }
        Ok(())
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
                return Err(Refusal::Conflict(SourceRefusal::GamesElsewhere));
            }
            Arc::clone(&source.taker)
        };
        taker.lock().await.take(&text).await.map_err(|refusal| Refusal::Invalid(refusal.into()))
    }

    /// Whether programs may send positions to a source.
    ///
    /// # Errors
    /// A [`Refusal`] when they may not.
    pub fn takes_positions(&self, name: &str) -> Result<(), Refusal> {
        let running = self.running();
        let source = running.get(name).ok_or(Refusal::Unknown)?;
        if source.kept.settings.from != From::Post {
            return Err(Refusal::Conflict(SourceRefusal::PositionsElsewhere));
        }
        Ok(())
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
        self.takes_positions(name)?;
        let shared = Arc::clone(&self.shared);
        shared.start.positions.take(name, board, position).await.map_err(|refusal| Refusal::Invalid(refusal.into()))
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
                let request = request(url, token.as_ref(), None);
                let request = request.map_err(|problem| Refusal::Invalid(problem.into()))?;
                let answer = in_background(move || http.send(request)).await.map_err(failed)?.map_err(failed)?;
                if answer.status != 200 {
                    return Err(failed(refusal_of(answer.status)));
                }
                answer.body
            }
            From::Folder { path } => in_background(move || folder(&path)).await.flatten().map_err(failed)?.0,
            From::Post => return Ok(Vec::new()),
        };
        preview(&settings, &self.shared.start.director, &text).map_err(failed)
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
        let reading = Reading::new(Arc::clone(&taker), Arc::clone(http));
        let (from, until) = (kept.settings.from.clone(), stop.clone());
        // Two readings of one source would order the same moves.
        if let Some(before) = self.running().insert(name, Running { kept, status, taker, stop }) {
            before.stop.cancel();
        }
        tokio::spawn(async move {
            until.run_until_cancelled(reading.run(from)).await;
        });
    }

    /// Held by a change until it is written and in force, so that two of them do not leave one out of the file.
    fn changing(&self) -> MutexGuard<'_, ()> {
        self.shared.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept(&self) -> BTreeMap<String, Kept> {
        self.running().iter().map(|(name, running)| (name.clone(), running.kept.clone())).collect()
    }

    fn write(&self, list: &BTreeMap<String, Kept>) -> Result<(), Refusal> {
        let list: Vec<_> = list.values().collect();
        json_file::write_lasting(&self.shared.start.folder.join(FILE), &list)
            .map_err(|error| Refusal::Failed(SourceRefusal::NotKept { reason: error.to_string() }.into()))
    }

    fn running(&self) -> MutexGuard<'_, BTreeMap<String, Running>> {
        self.shared.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The machine or the other side failed.
fn failed(reason: impl Into<Box<CodedText>>) -> Refusal {
    Refusal::Failed(reason.into())
}
