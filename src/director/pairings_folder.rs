//! A folder of pairings that is loaded automatically: files that are saved or copied there become an order.
//!
//! Files in the folder itself belong to the only section, files in a subfolder to the section of that name. The files of one
//! place are read together, once they are written completely. Must not know what pairings mean.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use game_core::alarm::AlarmKind;
use game_core::event::Author;
use tokio_util::sync::CancellationToken;

use super::handle::DirectorHandle;
use crate::alarms::AlarmBook;
use crate::input_file::read_bytes;
use hall_clock::HallClock;
use pairings::MAX_BYTES;
use tournament::{Order, PairingFile};

/// Interval between two looks at the folder; a file is read once it is the same at two looks.
const LOOKS: Duration = Duration::from_secs(2);

/// The most files of one section.
const MOST_FILES: usize = 64;

/// Size and time of the last change of a file.
type Seen = (u64, SystemTime);

/// The files of one place.
type Files = BTreeMap<PathBuf, Seen>;

/// A folder of pairings that is watched.
#[derive(Debug)]
pub struct PairingsFolder {
    path: PathBuf,
    director: DirectorHandle,
    alarms: AlarmBook,
    clock: HallClock,
    /// Why the files of a place were refused.
    refused: BTreeMap<Option<String>, String>,
    /// The files at the last look, by subfolder; none is the folder itself.
    seen: BTreeMap<Option<String>, Files>,
    /// The files as they were loaded or refused last.
    loaded: BTreeMap<Option<String>, Files>,
}

impl PairingsFolder {
    /// Watches a folder, which is created when it is missing.
    pub fn new(path: PathBuf, director: DirectorHandle, alarms: AlarmBook, clock: HallClock) -> Self {
        let (refused, seen, loaded) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { path, director, alarms, clock, refused, seen, loaded }
    }

    /// Looks at the folder every [`LOOKS`] until the stop.
    ///
    /// # Errors
    /// When the folder can be neither created nor read.
    pub async fn watch(mut self, stop: CancellationToken) -> io::Result<()> {
        let path = self.path.clone();
        tokio::task::spawn_blocking(move || std::fs::create_dir_all(path)).await.map_err(io::Error::other)??;
        let mut ticks = tokio::time::interval(LOOKS);
        while stop.run_until_cancelled(ticks.tick()).await.is_some() {
            self.look().await?;
        }
        Ok(())
    }

    /// Loads every place whose files changed and are complete now.
    async fn look(&mut self) -> io::Result<()> {
        let path = self.path.clone();
        let now = tokio::task::spawn_blocking(move || places(&path)).await.map_err(io::Error::other)??;
        for (place, files) in &now {
            if self.seen.get(place) == Some(files) && self.loaded.get(place) != Some(files) {
                match self.load(place.as_deref(), files).await {
                    Ok(()) => self.refused.remove(place),
                    Err(reason) => {
                        tracing::error!("{reason}");
                        self.refused.insert(place.clone(), reason)
                    }
                };
                let text = self.refused.values().next().cloned();
                self.alarms.daemon(self.clock.now(), AlarmKind::PairingsRefused, text);
                self.loaded.insert(place.clone(), files.clone());
            }
        }
        self.seen = now;
        Ok(())
    }

    /// Loads the files of one place; a refusal is one sentence for the organiser.
    async fn load(&self, place: Option<&str>, files: &Files) -> Result<(), String> {
        let named = place.map_or_else(|| self.path.display().to_string(), str::to_owned);
        let refused = |reason: &dyn Display| format!("the pairings in {named} are not loaded: {reason}");
        let paths: Vec<_> = files.keys().cloned().collect();
        let read =
            tokio::task::spawn_blocking(move || paths.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>());
        let files = read.await.map_err(|panic| refused(&panic))?.map_err(|error| refused(&error))?;
        if files.is_empty() {
            return Ok(());
        }
        let section = self.section(place).ok_or_else(|| {
            refused(
                &"there is no section or more than one: put the files into a subfolder with the section's short name, \
                  such as pairings/spring-open",
            )
        })?;
        let order = Order::LoadPairings { section, files, confirm: false };
        let receipt = self
            .director
            .order(Author::Rule("pairings folder".into()), None, None, order)
            .await
            .map_err(|error| refused(&error))?;
        for note in receipt.notes {
            tracing::info!(folder = named, "pairings: {note}");
        }
        Ok(())
    }

    /// The section of a place: the one with the subfolder's name, or the only one.
    fn section(&self, place: Option<&str>) -> Option<String> {
        let hall = self.director.hall();
        if let Some(name) = place {
            return hall.section(name).map(|section| section.slug.to_string());
        }
        let mut sections = hall.sections.values();
        let only = sections.next()?;
        sections.next().is_none().then(|| only.slug.to_string())
    }
}

/// Every place with its files.
fn places(folder: &Path) -> io::Result<BTreeMap<Option<String>, Files>> {
    let mut places = BTreeMap::from([(None, Files::new())]);
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
        if name.starts_with('.') {
            continue;
        }
        if entry.file_type()?.is_dir() {
            places.insert(Some(name), files(std::fs::read_dir(entry.path())?)?);
        }
    }
    places.insert(None, files(std::fs::read_dir(folder)?)?);
    Ok(places)
}

/// The files of a folder, without those whose names begin with a dot: programs write what is not complete there.
fn files(entries: std::fs::ReadDir) -> io::Result<Files> {
    let mut files = Files::new();
    for entry in entries.take(MOST_FILES) {
        let entry = entry?;
        let about = match entry.metadata() {
            Ok(about) => about,
            // Removed since the folder was listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if about.is_file() && !hidden {
            files.insert(entry.path(), (about.len(), about.modified()?));
        }
    }
    Ok(files)
}

fn read(path: &Path) -> Result<PairingFile, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let bytes = read_bytes(path, MAX_BYTES).map_err(|error| format!("{name} cannot be read ({error})"))?;
    PairingFile::read(&name, &bytes).map_err(|problem| problem.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::director::tests::open;
    use tournament::SectionSettings;

    /// A hall with one section, and the folder that it watches.
    async fn watched(data: &Path) -> (DirectorHandle, PairingsFolder, AlarmBook, PathBuf) {
        let clock = HallClock::start(1.0);
        let (director, _) = open(data, clock);
        let order =
            Order::SetSection { section: "cup".into(), settings: SectionSettings::named("Cup"), confirm: false };
        director.order(Author::Rule("test".into()), None, None, order).await.unwrap();
        let (path, alarms) = (data.join("pairings"), AlarmBook::default());
        std::fs::create_dir(&path).unwrap();
        let folder = PairingsFolder::new(path.clone(), director.clone(), alarms.clone(), clock);
        (director, folder, alarms, path)
    }

    /// Saves a file and looks until it is loaded.
    async fn save(folder: &mut PairingsFolder, path: &Path, rows: &str) {
        std::fs::write(path.join("round.csv"), format!("Round;Board;White;Black;Result\n{rows}")).unwrap();
        for _ in 0..2 {
            folder.look().await.unwrap();
        }
    }

    fn refusals(alarms: &AlarmBook) -> Vec<String> {
        alarms.list(|_| true).into_iter().map(|alarm| alarm.text).collect()
    }

    #[tokio::test]
    async fn a_saved_result_that_differs_from_ours_is_reported_and_changes_nothing() {
        let data = tempfile::tempdir().unwrap();
        let (director, mut folder, alarms, path) = watched(data.path()).await;
        save(&mut folder, &path, "1;1;Adler;Bos;\n").await;
        let result = Order::SetResult { game: "cup-1-1".into(), result: "1/2-1/2".into(), reason: None };
        director.order(Author::Rule("test".into()), None, None, result).await.unwrap();
        for (said, differs) in [("½-½", false), ("+ - -", true), ("0,5-0,5", false), ("0-0", true), ("", false)] {
            save(&mut folder, &path, &format!("1;1;Adler;Bos;{said}\n")).await;
            let hall = director.hall();
            let game = hall.game("cup-1-1").unwrap().game;
            assert_eq!(
                (game.result_differs(), game.result.unwrap().to_string().as_str()),
                (differs, "1/2-1/2"),
                "{said}"
            );
        }
        assert_eq!(refusals(&alarms), [""; 0]);
    }

    #[tokio::test]
    async fn what_is_refused_is_an_alarm_until_it_is_mended_or_gone() {
        let data = tempfile::tempdir().unwrap();
        let (director, mut folder, alarms, path) = watched(data.path()).await;
        save(&mut folder, &path, "1;1;Adler;Bos;won\n").await;
        let [refused] = &refusals(&alarms)[..] else { panic!("{:?}", refusals(&alarms)) };
        assert!(refused.contains("round.csv, line 2, column 5: «won» is not a result"), "{refused}");
        assert!(director.hall().round("cup", 1).is_none(), "half of it was applied");
        save(&mut folder, &path, "1;1;Adler;Bos;1-0\n").await;
        assert_eq!((refusals(&alarms).len(), director.hall().round("cup", 1).unwrap().games.len()), (0, 1));
        save(&mut folder, &path, "1;1;Adler;Adler;\n").await;
        assert_eq!(refusals(&alarms).len(), 1);
        std::fs::remove_file(path.join("round.csv")).unwrap();
        for _ in 0..2 {
            folder.look().await.unwrap();
        }
        assert_eq!(refusals(&alarms), [""; 0]);
    }
}
