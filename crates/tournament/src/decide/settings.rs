//! Orders that set up tournaments, sections and rounds.

use std::sync::Arc;

use game_core::input::{Assign, Notice};

use super::Work;
use crate::correction_text::CorrectionText;
use crate::delay::Delay;
use crate::fact::Fact;
use crate::hall::Found;
use crate::note::Note;
use crate::opening::{expected as expected_on, usual_start};
use crate::order::DrawnStart;
use crate::refusal::{Conflict, Invalid, Missing, Question, Refusal, shown};
use crate::round::{Pairing, PairingState, RoundSettings};
use crate::section::{SectionSettings, Tournament, is_slug, slugify};
use crate::undo::Undo;
use pairings::model::{MAX_ROUND, MAX_TABLE};

/// Longest name of a tournament, a section, a round or a place, in characters.
const MAX_TEXT: usize = 120;

/// Longest address of a video, in bytes.
const MAX_ADDRESS: usize = 500;

/// The longest default time: a day.
const DAY_S: u32 = 24 * 60 * 60;

impl Work<'_> {
    pub(super) fn set_tournament(&mut self, slug: &str, settings: &Tournament) -> Result<(), Refusal> {
        checked_slug(slug)?;
        let settings = Tournament { name: name(&settings.name)?, site: place(&settings.site)?, ..settings.clone() };
        checked_delay(settings.delay)?;
        let before = self.hall.tournaments.get(slug).cloned();
        if before.as_ref() != Some(&settings) {
            self.fact(Fact::TournamentSet { tournament: slug.into(), settings });
            if let Some(settings) = before {
                let undo = Undo::Tournament { tournament: slug.into(), settings };
                self.corrected(CorrectionText::Tournament { tournament: slug.to_owned() }, None, Some(undo));
            }
        }
        Ok(())
    }

    pub(super) fn set_section(&mut self, slug: &str, settings: &SectionSettings) -> Result<(), Refusal> {
        checked_slug(slug)?;
        let mut settings = settings.clone();
        settings.name = name(&settings.name)?;
        settings.site = place(&settings.site)?;
        settings.video = settings.video.as_deref().map(video).transpose()?.flatten();
        settings.time_control = settings.time_control.checked().map_err(Invalid::from)?;
        if !(1..=MAX_TABLE).contains(&settings.first_table) {
            return Err(Invalid::FirstTable { most: MAX_TABLE }.into());
        }
        checked_delay(settings.delay)?;
        for (board, delay) in &settings.board_delays {
            checked_board(*board)?;
            checked_delay(Some(*delay))?;
        }
        if !settings.tournament.is_empty() && !self.hall.tournaments.contains_key(&*settings.tournament) {
            return Err(Missing::Tournament { name: shown(&settings.tournament) }.into());
        }
        if self.hall.removed.contains_key(slug) {
            // Addresses and ids of its games are those of before.
            self.restore_section(slug)?;
            self.note(Note::SectionBack { section: slug.to_owned() });
        }
        let before = self.hall.section(slug).cloned();
        if before.as_ref().is_none_or(|before| before.settings.time_control != settings.time_control)
            && let Some(doubt) = settings.time_control.doubt()
        {
            self.ask(doubt);
        }
        if let Some(before) = &before {
            if before.settings == settings {
                return Ok(());
            }
            if before.settings.open_play != settings.open_play && !before.rounds.is_empty() {
                return Err(Conflict::SectionHasRounds { section: slug.to_owned() }.into());
            }
            let plays = |game: &Pairing| game.state == PairingState::Playing;
            if before.settings.first_table != settings.first_table
                && before.rounds.values().any(|round| round.games.iter().any(plays))
            {
                return Err(Conflict::TablesInPlay { section: slug.to_owned() }.into());
            }
        }
        self.fact(Fact::SectionSet { section: slug.into(), settings });
        if let Some(before) = before {
            let undo = Undo::Section { section: slug.into(), settings: before.settings };
            self.corrected(CorrectionText::Section { section: slug.to_owned() }, None, Some(undo));
        }
        Ok(())
    }

    pub(super) fn remove_section(&mut self, slug: &str) -> Result<(), Refusal> {
        let section = self.section(slug)?;
        let (id, open_play) = (Arc::clone(&section.slug), section.settings.open_play);
        let games = || section.rounds.values().flat_map(|round| &round.games);
        let played = games().filter(|game| game.result.is_some() || self.plies(game) > 0).count();
        if played > 0 {
            return Err(Conflict::SectionPlayed { section: slug.to_owned(), games: played }.into());
        }
        // In open play a round is public as soon as a start position stands on a board.
        if let Some(public) = section.rounds.values().find(|round| round.published && !open_play) {
            return Err(Conflict::SectionPublic { section: slug.to_owned(), round: public.number }.into());
        }
        if self.hall.sections.len() == 1 {
            return Err(Conflict::SectionOnly { section: slug.to_owned() }.into());
        }
        // Their boards keep them as unassigned games.
        let begun: Vec<_> = games().filter(|game| game.has_begun()).map(|game| Arc::clone(&game.id)).collect();
        for game in begun {
            self.fact(Fact::Unpaired { game });
        }
        self.fact(Fact::SectionRemoved { section: Arc::clone(&id), removed: true });
        let undo = Undo::SectionRemoved { section: id, removed: false };
        self.corrected(CorrectionText::SectionRemoved { section: slug.to_owned() }, None, Some(undo));
        Ok(())
    }

    pub(super) fn restore_section(&mut self, slug: &str) -> Result<(), Refusal> {
        let Some((section, _)) = self.hall.removed.get_key_value(slug) else {
            self.section(slug)?;
            return Err(Conflict::SectionThere { section: slug.to_owned() }.into());
        };
        let section = Arc::clone(section);
        self.fact(Fact::SectionRemoved { section: Arc::clone(&section), removed: false });
        let undo = Undo::SectionRemoved { section, removed: true };
        self.corrected(CorrectionText::SectionRestored { section: slug.to_owned() }, None, Some(undo));
        Ok(())
    }

    pub(super) fn end_event(&mut self, slug: &str) -> Result<(), Refusal> {
        let section = self.section(slug)?;
        if section.ended {
            return Err(Conflict::EventEnded { section: slug.to_owned() }.into());
        }
        let games = section.rounds.values().flat_map(|round| &round.games);
        let playing = games.filter(|game| game.state == PairingState::Playing).count();
        let section = Arc::clone(&section.slug);
        if playing > 0 {
            self.ask(Question::GamesPlaying { section: slug.to_owned(), games: playing });
        }
        self.fact(Fact::EventEnded { section, ended: true });
        let undo = Undo::EventEnded { section: slug.into(), ended: false };
        self.corrected(CorrectionText::EventEnded { section: slug.to_owned() }, None, Some(undo));
        Ok(())
    }

    pub(super) fn resume_event(&mut self, slug: &str) -> Result<(), Refusal> {
        let section = self.section(slug)?;
        if !section.ended {
            return Err(Conflict::EventNotEnded { section: slug.to_owned() }.into());
        }
        let section = Arc::clone(&section.slug);
        self.fact(Fact::EventEnded { section, ended: false });
        let undo = Undo::EventEnded { section: slug.into(), ended: true };
        self.corrected(CorrectionText::EventResumed { section: slug.to_owned() }, None, Some(undo));
        Ok(())
    }

    pub(super) fn set_round(&mut self, slug: &str, number: u32, settings: &RoundSettings) -> Result<(), Refusal> {
        let section = self.section(slug)?;
        if section.settings.open_play {
            return Err(Conflict::DaysAreRounds { section: section.settings.name.clone() }.into());
        }
        if !(1..=MAX_ROUND).contains(&number) {
            return Err(Invalid::RoundNumber { most: MAX_ROUND }.into());
        }
        let mut settings = settings.clone();
        settings.name = settings.name.filter(|name| !name.trim().is_empty());
        settings.name = settings.name.map(|text| name(&text)).transpose()?;
        settings.time_control = settings.time_control.checked().map_err(Invalid::from)?;
        checked_delay(settings.delay)?;
        if settings.default_time_s.is_some_and(|default_s| default_s > DAY_S) {
            return Err(Invalid::DefaultTime { seconds: DAY_S }.into());
        }
        let (section, before) = (Arc::clone(&section.slug), section.rounds.get(&number).cloned());
        if before.as_ref().is_some_and(|before| before.settings == settings) {
            return Ok(());
        }
        self.fact(Fact::RoundSet { section, round: number, settings });
        if let Some(before) = before {
            let settings = before.settings.clone();
            let undo = Undo::Round { section: slug.into(), round: number, settings };
            self.corrected(CorrectionText::Round { section: slug.to_owned(), round: number }, None, Some(undo));
        }
        Ok(())
    }

    pub(super) fn set_board_delay(&mut self, slug: &str, board: u32, delay: Option<Delay>) -> Result<(), Refusal> {
        checked_board(board)?;
        let mut settings = self.section(slug)?.settings.clone();
        match delay {
            Some(delay) => settings.board_delays.insert(board, delay),
            None => settings.board_delays.remove(&board),
        };
        self.set_section(slug, &settings)
    }

    pub(super) fn set_start(&mut self, slug: &str, number: u32, drawn: Option<&DrawnStart>) -> Result<(), Refusal> {
        let start = drawn.map(DrawnStart::position).transpose()?;
        let (section, round) = self.round(slug, number)?;
        if round.start == start {
            return Ok(());
        }
        if round.games.iter().any(|game| self.plies(game) > 0) {
            return Err(Conflict::StartInPlay { round: number }.into());
        }
        let playing = round.games.iter().filter(|game| game.state == PairingState::Playing);
        let ready: Vec<_> = playing.map(|game| Arc::clone(&game.id)).collect();
        let (section, state) = (Arc::clone(&section.slug), round.state);
        self.fact(Fact::StartSet { section, round: number, start: start.clone() });
        if state.opens_games() {
            self.expect_start(slug, number);
        }
        // Games that have begun without a move begin anew as soon as the position is set up.
        for (board, _) in self.boards_that_stand_ready(&ready) {
            let assign = expected_on(&self.hall, &board).unwrap_or_else(|| usual_start(&self.hall, &board));
            let assign = match &start {
                Some(start) => Assign { fen: Some(start.fen.clone()), variant: start.variant, ..assign },
                None => assign,
            };
            self.notice(&board, Notice::Assign(assign));
        }
        Ok(())
    }

    /// Sends the start position of the next game to the boards of a round. Games being played go on.
    pub(super) fn expect_start(&mut self, slug: &str, number: u32) {
        let Ok((section, round)) = self.round(slug, number) else { return };
        let expected = round.games.iter().filter(|game| game.is_expected()).map(|game| Found { section, round, game });
        let boards: Vec<_> = expected.filter_map(|found| self.hall.board_of(&found).cloned()).collect();
        for board in boards {
            let assign = expected_on(&self.hall, &board).unwrap_or_else(|| usual_start(&self.hall, &board));
            self.notice(&board, Notice::Assign(assign));
        }
    }
}

fn checked_delay(delay: Option<Delay>) -> Result<(), Refusal> {
    if delay.is_none_or(Delay::is_valid) {
        return Ok(());
    }
    Err(Invalid::Delay { seconds: Delay::MAX_S }.into())
}

fn checked_board(number: u32) -> Result<(), Refusal> {
    if (1..=MAX_TABLE).contains(&number) {
        return Ok(());
    }
    Err(Invalid::BoardNumber { most: MAX_TABLE }.into())
}

fn checked_slug(slug: &str) -> Result<(), Refusal> {
    if is_slug(slug) {
        return Ok(());
    }
    Err(Invalid::Slug { example: slugify(slug) }.into())
}

/// A text on one line with single spaces.
fn line(text: &str) -> Option<String> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = !line.is_empty() && line.chars().count() <= MAX_TEXT && !line.chars().any(char::is_control);
    fits.then_some(line)
}

fn name(text: &str) -> Result<String, Refusal> {
    Ok(line(text).ok_or(Invalid::Name { most: MAX_TEXT })?)
}

fn place(site: &str) -> Result<String, Refusal> {
    if site.trim().is_empty() { Ok("?".into()) } else { Ok(line(site).ok_or(Invalid::Place { most: MAX_TEXT })?) }
}

/// The address of a video, which becomes a link on public pages; none when it is empty.
fn video(address: &str) -> Result<Option<String>, Refusal> {
    let address = address.trim();
    if address.is_empty() {
        return Ok(None);
    }
    let rest = address.strip_prefix("https://");
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    let is_host = !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte));
    let letters = |byte: u8| byte.is_ascii_graphic() && !b"\"'<>\\^`{|}".contains(&byte);
    if !is_host || address.len() > MAX_ADDRESS || !address.bytes().all(letters) {
        return Err(Invalid::Video { most: MAX_ADDRESS }.into());
    }
    Ok(Some(address.to_owned()))
}
