//! Loads pairing files into rounds: changes what differs, keeps what a file does not mention.
//!
//! A game keeps its id as long as the same two players meet in the round, whoever has White and wherever they sit. So
//! loading twice changes nothing, and a re-pairing changes only what it changed. A load never takes a game out of a round that
//! has moves, or a result that only this daemon knows; a pair that comes back has its game again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::NaiveDate;
use notation::time_control::TimeControl;

use super::Work;
use super::loaded_players::WhoIsWho;
use super::pairs::pair_key;
use crate::correction_text::CorrectionText;
use crate::export::{differing_byes, player_of, results};
use crate::fact::Fact;
use crate::free_tags::is_free;
use crate::hall::{Found, TIME_CONTROL};
use crate::note::Note;
use crate::order::PairingFile;
use crate::person::PlayerId;
use crate::refusal::{Conflict, Invalid, Question, Refusal, shown};
use crate::round::{Pair, Pairing, PairingState, RoundState};
use crate::round_progress::next_round;
use crate::section::{LoadedPlace, LoadedReport, LoadedStandings, Section};
use pairings::difference::{Change, difference, same_pairs};
use pairings::encoding::guess_warning;
use pairings::model::{self, MAX_ROUND, Pairings, TableOrder};
use pairings::preview::SHOWN_WARNINGS;
use pairings::score::Score;
use pairings::time_controls::TimeControls;
use pairings::{Loaded, Problem, understand, understand_as};

/// Most files that are loaded together.
const MAX_FILES: usize = 20;

impl Work<'_> {
    pub(super) fn load_pairings(
        &mut self,
        slug: &str,
        files: &[PairingFile],
        round: Option<u32>,
    ) -> Result<(), Refusal> {
        let section = self.section(slug)?;
        if section.settings.open_play {
            return Err(Conflict::NoFilesInOpenPlay { section: section.settings.name.clone() }.into());
        }
        if files.is_empty() || files.len() > MAX_FILES {
            return Err(Invalid::FileCount { most: MAX_FILES }.into());
        }
        let slug = Arc::clone(&section.slug);
        let before = results(&self.hall, &self.persons, &slug).unwrap_or_default();
        let Loaded { pairings, report } = self.understood(&slug, files, round, &before)?;
        // Which round it is comes before what changes there.
        let first = self.decision.notes.len();
        self.enter_settings(&slug, &pairings);
        let mut players = self.enter_players(&slug, &pairings)?;
        for round in &pairings.rounds {
            self.enter_round(&slug, round, &mut players)?;
        }
        self.seat_loaded(&slug, &pairings)?;
        self.enter_standings(&slug, &pairings, &players)?;
        if let Some(report) = report {
            let encoding = files.iter().find_map(|file| file.guessed_encoding.clone());
            self.enter_report(&slug, LoadedReport { text: report.frame().into(), encoding });
        }
        if self.decision.facts.is_empty() && self.decision.persons.is_empty() {
            self.questions.clear();
            self.alike.clear();
            self.note(Note::NothingChanges);
            return Ok(());
        }
        self.ask_about(&pairings);
        self.ask_collected();
        let after = results(&self.hall, &self.persons, &slug).unwrap_or_default();
        let changes = difference(&before, &after);
        self.decision.notes.splice(first..first, changes.iter().map(Change::coded));
        for file in files {
            if let Some(encoding) = &file.guessed_encoding {
                self.note(guess_warning(encoding).in_file(&file.name).coded());
            }
        }
        for round in &pairings.rounds {
            self.note_shared_tables(&slug, round.number);
        }
        self.enter_into_history(&slug, files);
        self.publish_loaded(&slug, &pairings)
    }

    /// Reads the files. A table that names no round is of the one that the person looks at, else of the one with the same
    /// pairs, else of the first that is not over.
    fn understood(
        &mut self,
        slug: &str,
        files: &[PairingFile],
        wanted: Option<u32>,
        before: &Pairings,
    ) -> Result<Loaded, Refusal> {
        if wanted.is_some_and(|number| !(1..=MAX_ROUND).contains(&number)) {
            return Err(Invalid::RoundNumber { most: MAX_ROUND }.into());
        }
        let texts: Vec<_> = files.iter().map(|file| (&*file.name, file.text.as_bytes())).collect();
        let mut loaded = match wanted {
            Some(number) => understand_as(&texts, number)?,
            None => understand(&texts)?,
        };
        let named = !loaded.pairings.warnings.iter().any(Problem::is_round_not_named);
        if named || wanted.is_none() && !loaded.pairings.round_not_named {
            return Ok(loaded);
        }
        if let Some(round) = wanted {
            self.note(Note::RoundOfPage { round });
        } else {
            let read = loaded.pairings.rounds.first();
            let same = before.rounds.iter().find(|known| read.is_some_and(|read| same_pairs(known, read)));
            let round = same.map_or_else(|| first_not_over(self.hall.section(slug)), |same| same.number);
            match same {
                Some(_) => self.note(Note::RoundOfPairs { round }),
                None => self.ask(Question::RoundNotOver { round }),
            }
            loaded = understand_as(&texts, round)?;
        }
        loaded.pairings.warnings.retain(|warning| !warning.is_round_not_named());
        Ok(loaded)
    }

    /// A line of the history when the files changed a round that had pairings.
    fn enter_into_history(&mut self, slug: &Arc<str>, files: &[PairingFile]) {
        let (old, _) = self.before;
        let paired = |number: u32| old.round(slug, number).is_some_and(|round| !round.games.is_empty());
        let (mut new, mut changed, mut gone) = (0, 0, 0);
        for fact in &self.decision.facts {
            match fact {
                Fact::Paired { game, .. } if old.game(game).is_some() => changed += 1,
                Fact::Paired { round, .. } if paired(*round) => new += 1,
                Fact::Unpaired { .. } => gone += 1,
                _ => {}
            }
        }
        if new + changed + gone == 0 {
            return;
        }
        let names: Vec<_> = files.iter().map(|file| shown(&file.name)).collect();
        let (section, files) = (slug.to_string(), names.join(", "));
        self.corrected(CorrectionText::PairingsLoaded { section, files, new, changed, gone }, None, None);
    }

    /// Says which tables of a round also belong to a round of another section that is not over: the board of such a table
    /// plays for one of them only.
    fn note_shared_tables(&mut self, slug: &str, number: u32) {
        let Ok((section, round)) = self.round(slug, number) else { return };
        if round.state == RoundState::Finished {
            return;
        }
        let own: BTreeSet<_> = round.games.iter().filter_map(|game| Found { section, round, game }.table()).collect();
        let mut shared = BTreeMap::<_, BTreeSet<u32>>::new();
        let others = self.hall.games().filter(|other| {
            *other.section.slug != *slug
                && !other.section.settings.open_play
                && other.round.state != RoundState::Finished
                && !other.game.is_settled()
        });
        for other in others {
            if let Some(table) = other.table().filter(|table| own.contains(table)) {
                let name = other.section.settings.name.clone();
                shared.entry((name, other.round.number)).or_default().insert(table);
            }
        }
        for ((section, round), tables) in shared {
            self.note(Note::TablesShared { tables: spans(tables), section, round });
        }
    }

    /// Warnings about the files, for the operator to confirm.
    fn ask_about(&mut self, pairings: &Pairings) {
        for warning in pairings.warnings.iter().take(SHOWN_WARNINGS) {
            self.ask_alike(warning.coded());
        }
        if pairings.rounds.is_empty() && pairings.players.is_empty() {
            self.note(Note::OnlyBoards);
        } else if pairings.rounds.is_empty() {
            self.note(Note::OnlyPlayers);
        }
        let derived = pairings.rounds.iter().filter(|round| round.order == TableOrder::Derived && round.is_open());
        for round in derived {
            let number = round.number;
            self.ask(Question::BoardsDerived { round: number });
        }
    }

    /// Settings of the section that only the files have: time controls, and a last day in the future.
    fn enter_settings(&mut self, slug: &Arc<str>, pairings: &Pairings) {
        let Some(section) = self.hall.section(slug) else { return };
        let (mut settings, today) = (section.settings.clone(), section.day(self.now));
        let before = settings.clone();
        if settings.time_control.is_unknown() {
            settings.time_control = pairings.event.time_control.clone();
            if let Some(doubt) = settings.time_control.doubt() {
                self.ask(doubt);
            }
        }
        let last_day = pairings.event.last_day.as_deref().and_then(day).filter(|day| Some(*day) >= today);
        settings.last_day = settings.last_day.or(last_day);
        if settings != before {
            self.fact(Fact::SectionSet { section: Arc::clone(slug), settings });
        }
    }

    fn enter_report(&mut self, slug: &Arc<str>, report: LoadedReport) {
        let known = self.hall.section(slug).and_then(|section| section.report.as_ref());
        if known != Some(&report) {
            self.fact(Fact::ReportLoaded { section: Arc::clone(slug), report });
        }
    }

    /// Enters standings of the files. Without a round in the file they include all rounds with a result.
    fn enter_standings(&mut self, slug: &Arc<str>, pairings: &Pairings, players: &WhoIsWho) -> Result<(), Refusal> {
        let Some(said) = &pairings.standings else { return Ok(()) };
        let section = self.section(slug)?;
        let mut rounds = section.rounds.iter().rev();
        let last = rounds
            .find(|(_, round)| round.games.iter().any(|game| game.result.is_some()))
            .map_or(0, |(number, _)| *number);
        let mut places = BTreeMap::new();
        for place in &said.places {
            let (points, tie_breaks) = (place.player.points, place.tie_breaks.clone());
            places.insert(players.of(&place.player)?, LoadedPlace { rank: place.rank, points, tie_breaks });
        }
        let after_round = said.after_round.unwrap_or(last);
        let standings = LoadedStandings { after_round, tie_breaks: said.tie_breaks.clone(), places };
        if section.standings.as_deref() != Some(&standings) {
            self.note(Note::StandingsLoaded { round: after_round });
            self.fact(Fact::StandingsLoaded { section: Arc::clone(slug), standings: Arc::new(standings) });
        }
        Ok(())
    }

    fn enter_round(&mut self, slug: &Arc<str>, said: &model::Round, players: &mut WhoIsWho) -> Result<(), Refusal> {
        let number = said.number;
        self.enter_round_settings(slug, said);
        let (section, round) = self.round(slug, number)?;
        let common = section.time_controls(round).common().map(str::to_owned);
        let mut before: BTreeMap<_, Vec<Pairing>> = BTreeMap::new();
        for game in &round.games {
            before.entry(pair_key([game.pair.white, game.pair.black])).or_default().push(game.clone());
        }
        let (mut taken_out, mut returned) = (self.taken_out(slug, number), Vec::new());
        let mut entered = Vec::new();
        for game in &said.games {
            let seats = [players.of(&game.white)?, players.of(&game.black)?];
            let [white, black] = seats.map(Some);
            if white == black {
                let player = game.white.name.clone();
                return Err(Invalid::PairedWithSelf { player, round: number }.into());
            }
            let same =
                before.get_mut(&pair_key([white, black])).filter(|same| !same.is_empty()).map(|same| same.remove(0));
            let same = same.or_else(|| nameless(before.get_mut(&[None, None])?, game.table));
            let same = same.or_else(|| {
                let again = taken_out.find([white, black])?;
                returned.push(again.clone());
                Some(again)
            });
            let tags = game.tags.iter().filter(|(name, value)| match name.as_str() {
                // Only where it differs from the round's.
                TIME_CONTROL => common.as_ref() != Some(*value) && value.parse::<TimeControl>().is_ok(),
                name => is_free(name),
            });
            let pair = Pair {
                number: game.table,
                boardless: same.as_ref().is_some_and(|same| same.pair.boardless),
                team_match: game.team_match,
                white,
                black,
                tags: tags.map(|(name, value)| (name.clone(), value.clone())).collect(),
            };
            entered.push((same, pair, game));
        }
        if !said.games.is_empty() {
            let gone: Vec<_> = before.into_values().flatten().collect();
            self.ask_about_gone(number, &gone)?;
            for game in gone {
                self.fact(Fact::Unpaired { game: game.id });
            }
        }
        for (same, pair, said) in entered {
            let id = match &same {
                Some(same) => Arc::clone(&same.id),
                None => self.new_id(slug, number, pair.number),
            };
            let again = returned.iter().find(|again| again.id == id);
            let turned = same.as_ref().is_some_and(|same| self.has_moves(same) && same.pair.white != pair.white);
            if again.is_some() || same.as_ref().is_none_or(|same| same.pair != pair) {
                self.fact(Fact::Paired { section: Arc::clone(slug), round: number, game: Arc::clone(&id), pair });
            }
            if turned {
                self.ask_alike(Question::OtherColours { game: self.hall.game_text(&id) });
            }
            if let Some(again) = again {
                self.is_back(again)?;
            }
            self.import_result(&id, said)?;
        }
        self.enter_byes(slug, said, players)?;
        self.check_seats(slug, number)?;
        if self.round(slug, number)?.1.state.opens_games() { self.adopt_starts(slug, number) } else { Ok(()) }
    }

    /// Refuses to take games out of a round that have moves, or a result that no file brings back: that is done one by one.
    /// Asks about those whose result came from files.
    fn ask_about_gone(&mut self, round: u32, gone: &[Pairing]) -> Result<(), Refusal> {
        let lost = |game: &&Pairing| self.has_moves(game) || game.result.is_some() && game.result != game.imported;
        let numbers = |games: Vec<&Pairing>| games.iter().map(|game| game.pair.number).collect::<BTreeSet<_>>();
        let played = numbers(gone.iter().filter(lost).collect());
        if !played.is_empty() {
            let (games, tables) = (played.len(), spans(played));
            return Err(Conflict::PlayedNotInFiles { round, games, tables }.into());
        }
        let decided = numbers(gone.iter().filter(|game| game.result.is_some()).collect());
        if !decided.is_empty() {
            let (games, tables) = (decided.len(), spans(decided));
            self.ask(Question::NotInFiles { round, games, tables });
        }
        Ok(())
    }

    /// Whether a game has moves that a new start would lose.
    pub(super) fn has_moves(&self, game: &Pairing) -> bool {
        game.has_begun() && self.games.game(&game.id).is_none_or(|known| !known.moves().is_empty())
    }

    fn enter_round_settings(&mut self, slug: &Arc<str>, said: &model::Round) {
        let Some(section) = self.hall.section(slug) else { return };
        let known = section.rounds.get(&said.number);
        let mut settings = known.map(|round| round.settings.clone()).unwrap_or_default();
        let date = said.date.as_deref().and_then(day);
        settings.date = date.or(settings.date);
        let controls: BTreeSet<_> = said.games.iter().map(|game| game.tags.get(TIME_CONTROL)).collect();
        if let (1, Some(Some(control))) = (controls.len(), controls.first())
            && let Ok(control) = TimeControls::same(control.as_str()).checked()
            && settings.time_control.is_unknown()
            && control != section.settings.time_control
        {
            settings.time_control = control;
        }
        if known.is_none_or(|round| round.settings != settings) {
            self.fact(Fact::RoundSet { section: Arc::clone(slug), round: said.number, settings });
        }
    }

    /// A result of a file: kept as imported, and the game's result when it has none and is not being played.
    fn import_result(&mut self, id: &Arc<str>, said: &model::Pairing) -> Result<(), Refusal> {
        let found = self.found(id)?;
        let points = |score: Score| (score.white, score.black);
        // A file format without forfeits cannot contradict one.
        let ours = found.game.result.filter(|own| said.plain && Some(points(*own)) == said.score.map(points));
        let score = ours.or(said.score);
        if found.game.imported != score {
            self.fact(Fact::ResultImported { game: Arc::clone(id), result: score });
        }
        let Some(score) = score else { return Ok(()) };
        let game = self.found(id)?.game;
        let (own, differs) = (game.result, game.result_differs());
        let waits = matches!(game.state, PairingState::Paired | PairingState::ResultMissing | PairingState::Adjourned);
        match own {
            Some(own) if differs => {
                let (game, files, own) = (self.hall.game_text(id), score.to_string(), own.to_string());
                self.note(Note::ResultsDiffer { game, files, own });
            }
            None if waits => self.enter_result(id, Some(score), None)?,
            _ => {}
        }
        Ok(())
    }

    /// Byes of the files. A bye that a person set or removed since the last load stays.
    fn enter_byes(&mut self, slug: &Arc<str>, said: &model::Round, players: &WhoIsWho) -> Result<(), Refusal> {
        let number = said.number;
        let mut now = BTreeMap::new();
        for bye in &said.byes {
            now.insert(players.of(&bye.player)?, bye.kind);
        }
        let (_, round) = self.round(slug, number)?;
        let (byes, before) = (round.byes.clone(), round.imported_byes.clone());
        let concerned: BTreeSet<_> = before.keys().chain(now.keys()).copied().collect();
        for player in concerned {
            let (own, before, kind) =
                (byes.get(&player).copied(), before.get(&player).copied(), now.get(&player).copied());
            let section = || Arc::clone(slug);
            if kind != before {
                self.fact(Fact::ByeImported { section: section(), round: number, player, kind });
            }
            if own != kind && own == before {
                self.fact(Fact::ByeSet { section: section(), round: number, player, kind });
            }
        }
        for note in differing_byes(&self.hall, &self.persons, slug, number) {
            self.note(note);
        }
        Ok(())
    }

    /// Refuses two games on one board; asks about a player on two boards.
    fn check_seats(&mut self, slug: &Arc<str>, number: u32) -> Result<(), Refusal> {
        let (section, round) = self.round(slug, number)?;
        let simultaneous = section.settings.simultaneous;
        let (mut boards, mut seats) = (BTreeSet::new(), BTreeMap::<PlayerId, u32>::new());
        let mut questions = Vec::new();
        for game in &round.games {
            let board = game.pair.number;
            if !boards.insert(board) {
                return Err(Invalid::TwoGamesOnBoard { round: number, number: board }.into());
            }
            for player in [game.pair.white, game.pair.black].into_iter().flatten() {
                let name = player_of(section, &self.persons, player).name;
                if round.byes.contains_key(&player) {
                    let player = name.clone();
                    questions.push(Question::PairedWithBye { player, round: number, number: board });
                }
                if let Some(other) = seats.insert(player, board).filter(|_| !simultaneous) {
                    questions.push(Question::OnTwoBoards { player: name, one: other, other: board, round: number });
                }
            }
        }
        for question in questions {
            self.ask_alike(question);
        }
        Ok(())
    }

    /// Finishes rounds whose games all have results; publishes the next round if the section does that by itself.
    fn publish_loaded(&mut self, slug: &Arc<str>, pairings: &Pairings) -> Result<(), Refusal> {
        for number in pairings.rounds.iter().map(|round| round.number) {
            let (_, round) = self.round(slug, number)?;
            let over = !round.games.is_empty() && round.games.iter().all(Pairing::is_settled);
            if over && round.state == RoundState::Prepared {
                let section = Arc::clone(slug);
                self.fact(Fact::RoundState { section, round: number, state: RoundState::Finished });
            }
        }
        match self.hall.section(slug).and_then(next_round) {
            Some(number) => self.publish(slug, number),
            None => Ok(()),
        }
    }
}

/// The first round that is not over.
fn first_not_over(section: Option<&Section>) -> u32 {
    let Some(section) = section else { return 1 };
    let open = section.rounds.iter().find(|(_, round)| round.state != RoundState::Finished);
    let last = || section.rounds.keys().next_back().map_or(1, |last| last.saturating_add(1).min(MAX_ROUND));
    open.map_or_else(last, |(number, _)| *number)
}

/// Numbers as people write them: `1-8, 12`.
pub(super) fn spans(numbers: BTreeSet<u32>) -> String {
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match spans.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => spans.push((number, number)),
        }
    }
    let written = |(first, last): (u32, u32)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    spans.into_iter().map(written).collect::<Vec<_>>().join(", ")
}

/// A day as the pairings write it.
fn day(text: &str) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(text, "%Y.%m.%d").ok()
}

/// The game of this table whose players are not known, as a rebuilt record has it: it is the one that the file names.
fn nameless(games: &mut Vec<Pairing>, table: u32) -> Option<Pairing> {
    let place = games.iter().position(|game| game.pair.number == table)?;
    Some(games.remove(place))
}
