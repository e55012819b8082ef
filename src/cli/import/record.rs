//! Puts games of files into the journal, as finished games of sections.
//!
//! First all headers are loaded as pairings, which gives players and game ids. Then the moves follow, game by game, from a
//! temporary file.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use chrono::NaiveDate;
use game_core::event::{Author, Event, Evidence};
use notation::pgn::{Element, Game, Outcome, write_game, write_movetext};

use super::events::played;
use crate::cli::games;
use crate::cli::output::{self, counted};
use hall_clock::HallClock;
use journal::{Batch, NewEvent, NewFact};
use journal::{DataFolder, Journal, JournalError};
use notation_commands::Done;
use pairings::MAX_BYTES;
use tournament::GameRef;
use tournament::slugify;
use tournament::{
    Conflict, Fact, GamesKnown, Hall, Names, Order, PairingFile, Persons, Refusal, RoundState, SectionSettings, decide,
    public_tags,
};

/// Tag that links a pairing to its game in the file; never recorded.
const NUMBER: &str = "ImportNumber";

/// Tags that are recorded when the file has another value than the tournament.
const AS_WRITTEN: [&str; 9] =
    ["Event", "Site", "Date", "Round", "TimeControl", "Termination", "Mode", "UTCDate", "UTCTime"];

/// Batches in one commit.
const BATCH: usize = 200;

/// Puts the games of these files into the journal of a data folder.
///
/// # Errors
/// When the daemon is running there, or the games contradict the recorded ones.
pub(super) fn import(data: &Path, section: Option<&str>, files: &[PathBuf]) -> anyhow::Result<Done> {
    let folder = DataFolder::take(data).map_err(|error| match error {
        JournalError::InUse(_) => anyhow::Error::new(error)
            .context("games cannot be imported while the daemon is running: stop it, import them, and start it again"),
        error => error.into(),
    })?;
    let (journal, reader) = folder.open_journal()?;
    let (hall, persons) = reader.hall()?;
    let mut import = Import { journal, hall, persons, clock: HallClock::start(1.0), waiting: Vec::new() };

    let mut headers = BTreeMap::<String, Headers>::new();
    let mut number = 0_u64;
    let mut waiting = tempfile::NamedTempFile::new()
        .context("a temporary file cannot be created: set TMPDIR to a folder that you may write to")?;
    let tally = games::each_game(files, |game| {
        number += 1;
        waiting
            .write_all(write_game(&game).as_bytes())
            .context("the temporary file cannot be written: set TMPDIR to a folder with more space")?;
        let event = game.tags.get("Event").filter(|event| !matches!(*event, "" | "?")).unwrap_or("Imported games");
        let slug = section.map_or_else(|| slugify(event), str::to_owned);
        headers.entry(slug).or_insert_with(|| Headers::new(event, &game)).add(&game, number)
    })?;
    let mut ids = HashMap::new();
    for (slug, headers) in headers {
        ids.extend(import.pair(&slug, headers)?);
    }
    let (mut number, mut counts) = (0_u64, Counts::default());
    games::each_game(&[waiting.path().to_owned()], |game| {
        number += 1;
        if let Some(id) = ids.get(&number) {
            return import.enter(id, &game, &mut counts);
        }
        counts.nameless += 1;
        Ok(())
    })?;
    import.finish_rounds(&ids)?;
    import.commit()?;
    output::print(&counts.text())?;
    Ok(if counts.nameless == 0 { tally.done() } else { Done::Partly })
}

/// The headers of a section's games.
struct Headers {
    settings: SectionSettings,
    text: String,
}

impl Headers {
    fn new(event: &str, first: &Game) -> Self {
        let site = first.tags.get("Site").unwrap_or("?").to_owned();
        let settings = SectionSettings { site, boardless_games: true, forfeits: true, ..SectionSettings::named(event) };
        Self { settings, text: String::new() }
    }

    fn add(&mut self, game: &Game, number: u64) -> anyhow::Result<()> {
        let mut header = Game { tags: game.tags.clone(), movetext: Vec::new(), outcome: game.outcome };
        header.tags.set(NUMBER, number.to_string());
        self.text.push_str(&write_game(&header));
        if self.text.len() as u64 > MAX_BYTES {
            bail!(
                "these are too many games for one section: split the file with `boardcast pgn split` and import each part with \
                 --section"
            );
        }
        Ok(())
    }
}

/// Numbers of games by outcome.
#[derive(Default)]
struct Counts {
    entered: u64,
    known: u64,
    nameless: u64,
    reduced: u64,
}

impl Counts {
    fn text(&self) -> String {
        let mut text = format!("{} imported.\n", counted(self.entered, "game"));
        for (count, one, several) in [
            (self.known, "was recorded already.", "were recorded already."),
            (
                self.nameless,
                "is left out because its tags do not name both players.",
                "are left out because their tags do not name both players.",
            ),
            (
                self.reduced,
                "loses comments that name a player, because the journal could not forget them.",
                "lose comments that name a player, because the journal could not forget them.",
            ),
        ] {
            if count > 0 {
                let what = if count == 1 { one } else { several };
                let _ = writeln!(text, "{} {what}", counted(count, "game"));
            }
        }
        text
    }
}

/// Imports look up no games.
struct NoGames;

impl GamesKnown for NoGames {
    fn game(&self, _: &str) -> Option<game_core::game::Game> {
        None
    }
}

struct Import {
    journal: Journal,
    hall: Hall,
    persons: Persons,
    clock: HallClock,
    waiting: Vec<Batch>,
}

impl Import {
    /// Records players and pairings of a section; gives the id of each game by its number in the files.
    fn pair(&mut self, slug: &str, headers: Headers) -> anyhow::Result<HashMap<u64, Arc<str>>> {
        let mut facts = Vec::new();
        if self.hall.section(slug).is_none() {
            let order = Order::SetSection { section: slug.to_owned(), settings: headers.settings, confirm: true };
            facts = decide(&self.hall, &self.persons, &NoGames, self.clock.now(), &order)?.facts;
            for fact in &facts {
                self.hall.apply(fact);
            }
        }
        let file = PairingFile { name: "the games".into(), text: headers.text, guessed_encoding: None };
        let order = Order::LoadPairings { section: slug.to_owned(), files: vec![file], round: None, confirm: true };
        let decided = decide(&self.hall, &self.persons, &NoGames, self.clock.now(), &order);
        if let Err(Refusal::Conflict(Conflict::PlayedNotInFiles { round, .. })) = &decided {
            bail!(
                "the section «{slug}» already has other games in these rounds, for example in round {round}: name another \
                 section with --section"
            );
        }
        let decision = decided.with_context(|| format!("the games cannot be imported into the section «{slug}»"))?;
        let mut ids = HashMap::new();
        for mut fact in decision.facts {
            match &mut fact {
                Fact::Paired { game, pair, .. } => {
                    let number = pair.tags.remove(NUMBER).and_then(|number| number.parse().ok());
                    ids.extend(number.map(|number: u64| (number, Arc::clone(game))));
                    if self.hall.game(game).is_some_and(|found| found.game.pair == *pair) {
                        continue;
                    }
                }
                Fact::Unpaired { game } => bail!(
                    "the section «{slug}» already has other games in these rounds, for example {game}: name another section \
                     with --section"
                ),
                _ => {}
            }
            facts.push(fact);
        }
        for (player, person) in &decision.persons {
            self.persons.set(*player, person.clone());
        }
        self.batch(Batch { hall: drafts(facts), persons: decision.persons, ..Batch::default() })?;
        Ok(ids)
    }

    /// Records the moves of a game.
    fn enter(&mut self, id: &Arc<str>, game: &Game, counts: &mut Counts) -> anyhow::Result<()> {
        let Some(found) = self.hall.game(id) else { return Ok(()) };
        if found.game.has_begun() {
            counts.known += 1;
            return Ok(());
        }
        counts.entered += 1;
        let (at, result) = (found.at(), found.game.result);
        let written = game.tags.get("Date").and_then(|date| NaiveDate::parse_from_str(date, "%Y.%m.%d").ok());
        let day = written.or(found.round.settings.date).or_else(|| found.section.day(self.clock.now()));
        let day = day.context("the date is out of range: check the clock of this machine")?;
        let (started, moves) = played(game).with_context(|| format!("game {id}"))?;
        let mut facts = Vec::new();
        if !moves.is_empty() {
            facts.push(Fact::Began { board: None, game: Arc::clone(id), day });
            facts.push(match result {
                Some(result) => Fact::ResultSet { game: Arc::clone(id), result: Some(result) },
                None => Fact::ResultMissing { game: Arc::clone(id) },
            });
        }
        let mut after = self.hall.clone();
        for fact in &facts {
            after.apply(fact);
        }
        let public = public_tags(&after, &self.persons, id);
        let as_written = AS_WRITTEN.iter().filter_map(|name| Some((*name, game.tags.get(name)?)));
        let tags: BTreeMap<_, _> = as_written
            .filter(|(name, value)| public.get(*name).is_none_or(|public| public != value))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        if !tags.is_empty() {
            let fact = Fact::TagsSet { game: Arc::clone(id), tags };
            after.apply(&fact);
            facts.push(fact);
        }
        let mut events = vec![started, Event::Tags { tags: public_tags(&after, &self.persons, id) }];
        events.extend(moves);
        if game.outcome != Outcome::Unknown {
            let reason = game.tags.get("Termination").filter(|reason| !self.names_a_player(&at, reason));
            let reason = reason.unwrap_or("imported").to_owned();
            events.push(Event::Result { result: game.outcome, reason });
        }
        let mut annotated = game.clone();
        annotated.movetext.retain(|element| match element {
            Element::Comment(text) => !self.names_a_player(&at, text),
            _ => true,
        });
        counts.reduced += u64::from(annotated.movetext.len() < game.movetext.len());
        if !is_plain(&annotated) {
            events.push(Event::Annotated { movetext: write_movetext(&annotated) });
        }
        events.push(Event::GameEnded);
        let games = self.drafts(&at, events);
        self.batch(Batch { hall: drafts(facts), games, ..Batch::default() })
    }

    /// Whether a text names a player of a game; such a text is not recorded, because the journal cannot forget it.
    fn names_a_player(&self, at: &GameRef, text: &str) -> bool {
        let players = self.hall.game(&at.game).map(|found| [found.game.pair.white, found.game.pair.black]);
        let records = players.into_iter().flatten().filter_map(|player| self.persons.record(player?));
        records.map(Names::of).any(|names| names.stand_in(text))
    }

    /// Finishes and publishes the rounds that have imported games only.
    fn finish_rounds(&mut self, ids: &HashMap<u64, Arc<str>>) -> anyhow::Result<()> {
        let found = ids.values().filter_map(|id| self.hall.game(id));
        let rounds: BTreeMap<_, _> =
            found.map(|found| ((Arc::clone(&found.section.slug), found.round.number), found.round.state)).collect();
        let mut facts = Vec::new();
        for ((section, round), state) in rounds {
            let published = self.hall.round(&section, round).is_some_and(|round| round.published);
            let needed = [RoundState::Published, RoundState::Finished];
            if !published && matches!(state, RoundState::Prepared | RoundState::Finished) {
                facts.extend(needed.map(|state| Fact::RoundState { section: Arc::clone(&section), round, state }));
            }
        }
        self.batch(Batch { hall: drafts(facts), ..Batch::default() })
    }

    fn drafts(&self, at: &GameRef, events: Vec<Event>) -> Vec<NewEvent> {
        let now = self.clock.now();
        let draft = |event| {
            let (game, author) = (at.clone(), author());
            NewEvent { at: now, game, author, evidence: Evidence::Command, event }
        };
        events.into_iter().map(draft).collect()
    }

    fn batch(&mut self, batch: Batch) -> anyhow::Result<()> {
        for draft in &batch.hall {
            self.hall.apply(&draft.fact);
        }
        self.waiting.push(batch);
        if self.waiting.len() < BATCH { Ok(()) } else { self.commit() }
    }

    fn commit(&mut self) -> anyhow::Result<()> {
        self.journal.commit(self.clock.now(), &self.waiting)?;
        self.waiting.clear();
        Ok(())
    }
}

fn author() -> Author {
    Author::Rule("boardcast import".into())
}

fn drafts(facts: Vec<Fact>) -> Vec<NewFact> {
    facts.into_iter().map(|fact| NewFact { by: author(), reason: None, fact }).collect()
}

/// Whether a game has nothing but moves and times.
fn is_plain(game: &Game) -> bool {
    let mut kept = Game::default();
    for ply in game.line() {
        kept.play(ply.san, ply.times());
    }
    kept.movetext == game.movetext
}
