//! A folder of pairings that is loaded automatically: files that are saved or copied there become an order.
//!
//! Files in the folder itself belong to the only section with pairings, files in a subfolder to the section of that name; a
//! section that is missing is created. The files of one place are read together, once they are written completely. What
//! became of them is written beside them, for `boardcast import`. Must not know what pairings mean.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use coded_text::{CodedText, coded_texts, joined};
use game_core::alarm::AlarmKind;
use game_core::event::Author;
use tokio_util::sync::CancellationToken;

use super::handle::DirectorHandle;
use super::initial::{section_of_files, understood};
use super::pairings_outcome::{Files, Outcome, State};
use super::receipt::{OrderError, failed};
use super::waiting_pairings::Waiting;
use crate::alarms::AlarmBook;
use crate::folders::folder_there;
use crate::input_file::read_bytes;
use hall_clock::HallClock;
use pairings::MAX_BYTES;
use tournament::{Order, PairingFile, Refusal, slugify};

/// Interval between two looks at the folder; a file is read once it is the same at two looks.
const LOOKS: Duration = Duration::from_secs(2);

/// Questions that an alarm repeats.
const QUESTIONS: usize = 5;

/// Names of files that an alarm repeats.
const NAMES: usize = 5;

/// Changes that an alarm repeats.
const CHANGES: usize = 12;

/// The name of a section whose files name no event.
const NAMELESS: &str = "Tournament";

/// The most files of one section.
const MOST_FILES: usize = 64;

coded_texts! {
    /// Parts of what is said about the files of a place. A reason or questions follow those that end with a colon.
    pub(crate) enum FolderText {
        NotLoaded { folder: String } = "folder_not_loaded", "The pairings in {folder} are not loaded:";
        Mend { files: String } = "folder_mend",
            "Correct what is there and save it again, or remove it; until then this alarm stays. Files: {files}.";
        SeveralSections = "folder_several_sections",
            "There is more than one section: put the files into a subfolder with the section's short name, such as \
             pairings/spring-open.";
        Unreadable { file: String, reason: String } = "folder_file_unreadable", "{file} cannot be read ({reason}).";
        Left { folder: String } = "folder_left",
            "The pairings in {folder} stay unloaded, as a person said. To load them, save them again.";
        Waits { folder: String } = "folder_waits", "The pairings in {folder} wait for an answer:";
        MoreQuestions { count: usize } = "folder_more_questions", "Number of other questions: {count}.";
        Changes = "folder_changes", "Loading them changes:";
        MoreChanges { count: usize } = "folder_more_changes", "Number of other changes: {count}.";
        Answer { section: String } = "folder_answer",
            "Answer with a button of this alarm on the dashboard: load them into the section {section} as they are, or do not load \
             them. A corrected file is read when it is saved.";
    }
}

/// A folder of pairings that is watched.
#[derive(Debug)]
pub struct PairingsFolder {
    path: PathBuf,
    director: DirectorHandle,
    alarms: AlarmBook,
    clock: HallClock,
    /// Why the files of a place were refused.
    refused: BTreeMap<Option<String>, Vec<CodedText>>,
    /// What is asked about the files of a place, with their section.
    asked: BTreeMap<Option<String>, (String, Vec<CodedText>)>,
    /// The files at the last look, by subfolder; none is the folder itself.
    seen: BTreeMap<Option<String>, Files>,
    /// The files as they were loaded or refused last.
    loaded: BTreeMap<Option<String>, Files>,
}

impl PairingsFolder {
    /// Watches a folder, which is created when it is missing and the folder around it is there: a data folder that was unmounted
    /// comes back to its own place.
    pub fn new(path: PathBuf, director: DirectorHandle, alarms: AlarmBook, clock: HallClock) -> Self {
        let (refused, asked) = (BTreeMap::new(), BTreeMap::new());
        let (seen, loaded) = (BTreeMap::new(), BTreeMap::new());
        Self { path, director, alarms, clock, refused, asked, seen, loaded }
    }

    /// Looks at the folder every [`LOOKS`] until the stop.
    ///
    /// # Errors
    /// When the folder can be neither created nor read.
    pub async fn watch(mut self, stop: CancellationToken) -> io::Result<()> {
        let path = self.path.clone();
        let made = move || folder_there(&path).map_err(|error| at(&path, &error));
        tokio::task::spawn_blocking(made).await.map_err(io::Error::other)??;
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
                self.forget(place.as_deref());
                let outcome = self.load(place.as_deref(), files).await;
                self.note(place.as_deref(), files, outcome).await;
                self.loaded.insert(place.clone(), files.clone());
            }
        }
        for gone in self.loaded.keys().filter(|place| !now.contains_key(*place)).cloned().collect::<Vec<_>>() {
            self.forget(gone.as_deref());
            self.loaded.remove(&gone);
        }
        // An answered question is no alarm any more.
        let waiting = self.director.waiting_pairings();
        self.asked.retain(|_, (section, _)| waiting.has(section));
        let refused = self.refused.values().flatten().cloned().collect();
        self.alarms.daemon(self.clock.now(), AlarmKind::PairingsRefused, refused);
        let asked = self.asked.values().flat_map(|(_, question)| question).cloned().collect();
        self.alarms.daemon(self.clock.now(), AlarmKind::PairingsUnanswered, asked);
        self.seen = now;
        Ok(())
    }

    /// Nothing of a place is refused or asked any more.
    fn forget(&mut self, place: Option<&str>) {
        let place = place.map(str::to_owned);
        self.refused.remove(&place);
        if let Some((section, _)) = self.asked.remove(&place) {
            self.director.waiting_pairings().remove(&section);
        }
    }

    /// Keeps what became of the files of a place.
    async fn note(&mut self, place: Option<&str>, files: &Files, outcome: Result<Loaded, Vec<CodedText>>) {
        let mut waits = None;
        let (state, text) = match outcome {
            Ok(Loaded::Nothing) => return,
            Ok(Loaded::Done(text)) => (State::Loaded, text),
            Ok(Loaded::Left) => {
                tracing::info!("{}", FolderText::Left { folder: self.named(place) });
                return;
            }
            Ok(Loaded::Asks { section, files: read, question }) => {
                let text = joined(&question);
                tracing::warn!("{text}");
                self.asked.insert(place.map(str::to_owned), (section.clone(), question));
                waits = Some((section, read));
                (State::Waits, text)
            }
            Err(reason) => {
                let text = joined(&reason);
                tracing::error!("{text}");
                self.refused.insert(place.map(str::to_owned), reason);
                (State::Refused, text)
            }
        };
        let folder = self.folder(place);
        let outcome = Outcome::of(state, text, files);
        let left = (
            folder.clone(),
            Outcome::of(State::Left, FolderText::Left { folder: self.named(place) }.to_string(), files),
        );
        let written = tokio::task::spawn_blocking(move || outcome.write(&folder)).await;
        if let Ok(Err(error)) = written {
            tracing::debug!(%error, "what became of the pairings is not written into their folder");
        }
        // Afterwards: what an answer writes stays.
        if let Some((section, files)) = waits {
            self.director.waiting_pairings().insert(section, Waiting { files, left });
        }
    }

    /// Loads the files of one place; a refusal is for the organiser.
    async fn load(&self, place: Option<&str>, files: &Files) -> Result<Loaded, Vec<CodedText>> {
        let named = self.named(place);
        let known = self.outcome(place, files).await;
        if known == Some(State::Left) {
            return Ok(Loaded::Left);
        }
        let listed = names(files);
        let refused = |reason| {
            let mend = FolderText::Mend { files: listed.clone() };
            vec![FolderText::NotLoaded { folder: named.clone() }.coded(), reason, mend.coded()]
        };
        let paths: Vec<_> = files.keys().cloned().collect();
        let read =
            tokio::task::spawn_blocking(move || paths.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>());
        let files = read.await.map_err(|panic| refused(failed(&panic.to_string()).coded()))?.map_err(refused)?;
        if files.is_empty() {
            return Ok(Loaded::Nothing);
        }
        let Some(section) = self.section(place, &files, known).await.map_err(refused)? else {
            return Ok(Loaded::Nothing);
        };
        let order = Order::LoadPairings { section: section.clone(), files: files.clone(), round: None, confirm: false };
        match self.director.order(author(), None, None, order.clone()).await {
            Ok(receipt) => {
                for note in &receipt.notes {
                    tracing::info!(folder = named, "pairings: {note}");
                }
                Ok(Loaded::Done(format!("Loaded into the section {section}: {}", joined(&receipt.notes))))
            }
            Err(OrderError::Refused(Refusal::Unconfirmed { questions })) => {
                let more = questions.len().saturating_sub(QUESTIONS);
                let mut question = vec![FolderText::Waits { folder: named }.coded()];
                question.extend(questions.into_iter().take(QUESTIONS));
                question.extend((more > 0).then(|| FolderText::MoreQuestions { count: more }.coded()));
                question.extend(self.changes(order).await);
                question.push(FolderText::Answer { section: section.clone() }.coded());
                Ok(Loaded::Asks { section, files, question })
            }
            Err(error) => Err(refused(error.coded())),
        }
    }

    /// What became of the files of a place as they are now, when that is known from an earlier start.
    async fn outcome(&self, place: Option<&str>, files: &Files) -> Option<State> {
        let (folder, files) = (self.folder(place), files.clone());
        tokio::task::spawn_blocking(move || Outcome::of_files(&folder, &files)).await.ok().flatten()
    }

    /// What a place is called.
    fn named(&self, place: Option<&str>) -> String {
        place.map_or_else(|| self.path.display().to_string(), str::to_owned)
    }

    fn folder(&self, place: Option<&str>) -> PathBuf {
        place.map_or_else(|| self.path.clone(), |place| self.path.join(place))
    }

    /// What loading the files would change, for the person who answers.
    async fn changes(&self, order: Order) -> Vec<CodedText> {
        let changes = self.director.preview(order).await.map(|preview| preview.notes).unwrap_or_default();
        let more = changes.len().saturating_sub(CHANGES);
        let mut told: Vec<_> = (!changes.is_empty()).then(|| FolderText::Changes.coded()).into_iter().collect();
        told.extend(changes.into_iter().take(CHANGES));
        told.extend((more > 0).then(|| FolderText::MoreChanges { count: more }.coded()));
        told
    }

    /// The section of a place: the one with the subfolder's name, or the only one with pairings. One that is missing is
    /// created, once the files are understood. None when an operator took it away after these files were loaded.
    async fn section(
        &self,
        place: Option<&str>,
        files: &[PairingFile],
        known: Option<State>,
    ) -> Result<Option<String>, CodedText> {
        let hall = self.director.hall();
        let slug = place.map(slugify);
        if let Some(section) = slug.as_deref().and_then(|slug| hall.section(slug)) {
            return Ok(Some(section.slug.to_string()));
        }
        if place.is_none() {
            let mut paired = hall.sections.values().filter(|section| !section.settings.open_play);
            match (paired.next(), paired.next()) {
                (Some(only), None) => return Ok(Some(only.slug.to_string())),
                (Some(_), Some(_)) => {
                    return Err(FolderText::SeveralSections.coded());
                }
                (None, _) => {}
            }
        }
        let event = understood(files).map_err(|problem| problem.coded())?.pairings.event;
        let named = event.name.filter(|name| !matches!(name.trim(), "" | "?"));
        let name = named.or_else(|| place.map(str::to_owned)).unwrap_or_else(|| NAMELESS.into());
        let slug = slug.unwrap_or_else(|| slugify(&name));
        if hall.removed.contains_key(slug.as_str()) && known == Some(State::Loaded) {
            return Ok(None);
        }
        let settings = section_of_files(&name, event.site);
        let order = Order::SetSection { section: slug.clone(), settings, confirm: true };
        self.director.order(author(), None, None, order).await.map_err(|error| error.coded())?;
        tracing::info!(section = slug, "pairings: the section «{name}» is created; its rounds publish themselves");
        Ok(Some(slug))
    }
}

/// What became of the files of a place.
enum Loaded {
    /// There are none.
    Nothing,
    /// They are loaded; the text says what changed.
    Done(String),
    /// They wait for an answer.
    Asks { section: String, files: Vec<PairingFile>, question: Vec<CodedText> },
    /// A person left them unloaded before the daemon started again.
    Left,
}

fn author() -> Author {
    Author::Rule("pairings folder".into())
}

/// An error with the folder of pairings and what to do.
fn at(folder: &Path, error: &io::Error) -> io::Error {
    let sentence = format!(
        "the folder of pairings {} cannot be read ({error}): make it, check its permissions, or set another pairings_folder",
        folder.display()
    );
    io::Error::new(error.kind(), sentence)
}

/// Every place with its files.
fn places(folder: &Path) -> io::Result<BTreeMap<Option<String>, Files>> {
    let mut places = BTreeMap::from([(None, Files::new())]);
    let at = |error: io::Error| at(folder, &error);
    for entry in std::fs::read_dir(folder).map_err(at)? {
        let entry = entry.map_err(at)?;
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
        if name.starts_with('.') {
            continue;
        }
        if entry.file_type().map_err(at)?.is_dir() {
            places.insert(Some(name), files(&entry.path())?);
        }
    }
    places.insert(None, files(folder)?);
    Ok(places)
}

/// The files of a folder, without those whose names begin with a dot: programs write what is not complete there.
fn files(folder: &Path) -> io::Result<Files> {
    let mut files = Files::new();
    let at = |error: io::Error| at(folder, &error);
    for entry in std::fs::read_dir(folder).map_err(at)?.take(MOST_FILES) {
        let entry = entry.map_err(at)?;
        let about = match entry.metadata() {
            Ok(about) => about,
            // Removed since the folder was listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(at(error)),
        };
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if about.is_file() && !hidden {
            files.insert(entry.path(), (about.len(), about.modified().map_err(at)?));
        }
    }
    Ok(files)
}

/// The first names of files.
fn names(files: &Files) -> String {
    let names = files.keys().filter_map(|path| path.file_name()).map(|name| name.to_string_lossy());
    let mut shown: Vec<_> = names.take(NAMES).collect();
    shown.extend((files.len() > NAMES).then(|| "…".into()));
    shown.join(", ")
}

fn read(path: &Path) -> Result<PairingFile, CodedText> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let bytes = read_bytes(path, MAX_BYTES)
        .map_err(|error| FolderText::Unreadable { file: name.to_string(), reason: error.to_string() }.coded())?;
    PairingFile::read(&name, &bytes).map_err(|problem| problem.coded())
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

    #[tokio::test]
    async fn nothing_is_made_in_the_place_of_a_data_folder_that_was_unmounted() {
        let data = tempfile::tempdir().unwrap();
        let (director, _, alarms, _) = watched(data.path()).await;
        let gone = data.path().join("unmounted");
        let folder = PairingsFolder::new(gone.join("pairings"), director, alarms, HallClock::start(1.0));
        let error = folder.watch(CancellationToken::new()).await.unwrap_err().to_string();
        assert!(error.contains("unmounted/pairings cannot be read (No such file"), "{error}");
        assert!(!gone.exists());
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
        let result =
            Order::SetResult { game: "cup-1-1".into(), result: "1/2-1/2".into(), reason: None, confirm: false };
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
        save(&mut folder, &path, "1;x;Adler;Bos;\n").await;
        let [refused] = &refusals(&alarms)[..] else { panic!("{:?}", refusals(&alarms)) };
        assert!(refused.contains("round.csv, line 2, column 2: «x» is not a table number"), "{refused}");
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

    #[tokio::test]
    async fn every_place_says_which_files_are_refused_and_what_to_do_with_them() {
        let data = tempfile::tempdir().unwrap();
        let (_, mut folder, alarms, path) = watched(data.path()).await;
        let other = path.join("Blitz");
        std::fs::create_dir(&other).unwrap();
        save(&mut folder, &path, "1;x;Adler;Bos;\n").await;
        save(&mut folder, &other, "1;y;Clark;Dee;\n").await;
        let [refused] = &refusals(&alarms)[..] else { panic!("{:?}", refusals(&alarms)) };
        for said in ["«x» is not a table number", "The pairings in Blitz are not loaded", "«y» is not a table number"]
        {
            assert!(refused.contains(said), "{refused}");
        }
        assert_eq!(
            refused.matches("save it again, or remove it; until then this alarm stays. Files: round.csv.").count(),
            2
        );
        std::fs::remove_file(path.join("round.csv")).unwrap();
        for _ in 0..2 {
            folder.look().await.unwrap();
        }
        let [refused] = &refusals(&alarms)[..] else { panic!("{:?}", refusals(&alarms)) };
        assert!(!refused.contains("«x»") && refused.contains("«y»"), "{refused}");
        save(&mut folder, &other, "1;1;Clark;Dee;\n").await;
        assert_eq!(refusals(&alarms), [""; 0]);
    }

    #[tokio::test]
    async fn in_an_empty_daemon_a_file_alone_makes_its_section() {
        let data = tempfile::tempdir().unwrap();
        let clock = HallClock::start(1.0);
        let (director, _) = crate::director::tests::open_play(data.path(), clock);
        let (path, alarms) = (data.path().join("pairings"), AlarmBook::default());
        std::fs::create_dir_all(path.join("Spring Open")).unwrap();
        let mut folder = PairingsFolder::new(path.clone(), director.clone(), alarms.clone(), clock);
        let pgn = "[Event \"City Cup\"]\n[Site \"Brno\"]\n[Round \"1.1\"]\n[White \"Adler\"]\n[Black \"Bos\"]\n[Result \"*\"]\n\n*\n";
        std::fs::write(path.join("round.pgn"), pgn).unwrap();
        std::fs::write(path.join("Spring Open/r1.csv"), "Round;Board;White;Black\n1;2;Clark;Dee\n").unwrap();
        for _ in 0..2 {
            folder.look().await.unwrap();
        }
        let hall = director.hall();
        let cup = hall.section("city-cup").unwrap();
        assert_eq!((&*cup.settings.name, &*cup.settings.site), ("City Cup", "Brno"));
        assert_eq!(cup.rounds[&1].games.len(), 1);
        assert_eq!(hall.section("spring-open").unwrap().settings.name, "Spring Open");
        assert_eq!(refusals(&alarms), [""; 0]);
        let outcome = Outcome::of_file(&path, &path.join("round.pgn")).unwrap();
        assert!(outcome.state == State::Loaded && outcome.text.starts_with("Loaded into the section city-cup"));
    }

    #[tokio::test]
    async fn a_rubbish_file_makes_no_section() {
        let data = tempfile::tempdir().unwrap();
        let clock = HallClock::start(1.0);
        let (director, _) = crate::director::tests::open_play(data.path(), clock);
        let (path, alarms) = (data.path().join("pairings"), AlarmBook::default());
        std::fs::create_dir_all(&path).unwrap();
        let mut folder = PairingsFolder::new(path.clone(), director.clone(), alarms.clone(), clock);
        save(&mut folder, &path, "1;x;Adler;Bos;\n").await;
        assert_eq!((refusals(&alarms).len(), director.hall().sections.len()), (1, 1));
        assert_eq!(Outcome::of_file(&path, &path.join("round.csv")).unwrap().state, State::Refused);
    }

    #[tokio::test]
    async fn a_question_about_files_waits_as_an_alarm_and_one_order_answers_it() {
        let data = tempfile::tempdir().unwrap();
        let (director, mut folder, alarms, path) = watched(data.path()).await;
        save(&mut folder, &path, "1;1;Adler;Bos;1-0\n1;2;Clark;Dee;\n").await;
        // A game with a result is gone.
        save(&mut folder, &path, "1;2;Clark;Dee;\n").await;
        let [asked] = &refusals(&alarms)[..] else { panic!("{:?}", refusals(&alarms)) };
        let removed = "Round 1 loses games with results, which are not in the files: 1 (tables 1).";
        let changes = "Loading them changes: Round 1, table 1: removed, Adler - Bos.";
        assert!(asked.contains(removed) && asked.contains(changes), "{asked}");
        assert_eq!(director.hall().round("cup", 1).unwrap().games.len(), 2);
        assert_eq!(Outcome::of_file(&path, &path.join("round.csv")).unwrap().state, State::Waits);
        let confirm = || Order::ConfirmPairings { section: "cup".into() };
        director.order(author(), None, None, confirm()).await.unwrap();
        assert_eq!(director.hall().round("cup", 1).unwrap().games.len(), 1);
        folder.look().await.unwrap();
        assert_eq!(refusals(&alarms), [""; 0]);
        let again = director.order(author(), None, None, confirm()).await.unwrap_err();
        assert!(again.to_string().contains("No pairings of \"cup\" wait for an answer"), "{again}");
    }

    #[tokio::test]
    async fn a_section_that_was_removed_comes_back_with_a_new_file_alone() {
        let data = tempfile::tempdir().unwrap();
        let (director, mut folder, alarms, path) = watched(data.path()).await;
        let place = path.join("mistake");
        std::fs::create_dir(&place).unwrap();
        save(&mut folder, &place, "1;1;Adler;Bos;\n").await;
        let order =
            Order::SetSection { section: "mistake".into(), settings: SectionSettings::named("M"), confirm: false };
        let unpublish = Order::Unpublish { section: "mistake".into(), round: 1, confirm: false };
        for order in [order, unpublish, Order::RemoveSection { section: "mistake".into() }] {
            director.order(author(), None, None, order).await.unwrap();
        }
        let mut again = PairingsFolder::new(path, director.clone(), alarms.clone(), HallClock::start(1.0));
        for _ in 0..2 {
            again.look().await.unwrap();
        }
        assert!(director.hall().section("mistake").is_none(), "the daemon starts again");
        save(&mut again, &place, "1;1;Adler;Clark;\n").await;
        assert_eq!(director.hall().section("mistake").unwrap().rounds[&1].games.len(), 1);
        assert_eq!(refusals(&alarms), [""; 0]);
    }

    #[tokio::test]
    async fn files_that_wait_can_be_left_unloaded_until_they_are_saved_again() {
        let data = tempfile::tempdir().unwrap();
        let (director, mut folder, alarms, path) = watched(data.path()).await;
        save(&mut folder, &path, "1;1;Adler;Bos;1-0\n1;2;Clark;Dee;\n").await;
        save(&mut folder, &path, "1;2;Clark;Dee;\n").await;
        assert_eq!(refusals(&alarms).len(), 1);
        assert!(director.leave_waiting_pairings("cup").await);
        assert!(!director.leave_waiting_pairings("cup").await, "none wait any more");
        for _ in 0..3 {
            folder.look().await.unwrap();
        }
        assert_eq!((refusals(&alarms).len(), director.hall().round("cup", 1).unwrap().games.len()), (0, 2));
        // The daemon starts again.
        let alarms = AlarmBook::default();
        let mut folder = PairingsFolder::new(path.clone(), director.clone(), alarms.clone(), HallClock::start(1.0));
        for _ in 0..3 {
            folder.look().await.unwrap();
        }
        assert_eq!((refusals(&alarms).len(), director.hall().round("cup", 1).unwrap().games.len()), (0, 2));
        let outcome = Outcome::of_file(&path, &path.join("round.csv")).unwrap();
        assert!(outcome.state == State::Left && outcome.text.contains("stay unloaded"), "{outcome:?}");
        save(&mut folder, &path, "1;2;Clark;Dee;\n\n").await;
        assert_eq!(refusals(&alarms).len(), 1, "a file that is saved again is read again");
    }

    #[tokio::test]
    async fn a_file_without_games_that_have_a_result_of_this_hall_is_refused() {
        let data = tempfile::tempdir().unwrap();
        let (director, mut folder, alarms, path) = watched(data.path()).await;
        save(&mut folder, &path, "1;1;Adler;Bos;\n1;2;Clark;Dee;\n").await;
        let result = Order::SetResult { game: "cup-1-1".into(), result: "1-0".into(), reason: None, confirm: false };
        director.order(Author::Rule("test".into()), None, None, result).await.unwrap();
        save(&mut folder, &path, "1;2;Clark;Dee;\n").await;
        let [refused] = &refusals(&alarms)[..] else { panic!("{:?}", refusals(&alarms)) };
        assert!(refused.contains("not in the files: 1 (tables 1). Nothing is loaded"), "{refused}");
        let confirm = Order::ConfirmPairings { section: "cup".into() };
        assert!(director.order(author(), None, None, confirm).await.is_err());
        assert_eq!(director.hall().round("cup", 1).unwrap().games.len(), 2);
    }
}
