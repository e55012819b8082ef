//! A folder of pairings that is loaded automatically: files that are saved or copied there become an order.
//!
//! Files in the folder itself belong to the only section with pairings, files in a subfolder to the section of that name; a
//! section that is missing is created. The files of one place are read together, once they are written completely. What
//! became of them is written beside them, for `boardcast import`. Must not know what pairings mean.

mod files;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
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
use files::{at, names, places, read};
use hall_clock::HallClock;
use tournament::{Order, PairingFile, Refusal, slugify};

/// Interval between two looks at the folder; a file is read once it is the same at two looks.
const LOOKS: Duration = Duration::from_secs(2);

/// Questions that an alarm repeats.
const QUESTIONS: usize = 5;

/// Changes that an alarm repeats.
const CHANGES: usize = 12;

/// The name of a section whose files name no event.
const NAMELESS: &str = "Tournament";

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
