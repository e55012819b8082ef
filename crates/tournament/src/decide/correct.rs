//! Corrections of games: results, tags, what is public; and taking corrections back.

use std::collections::BTreeMap;
use std::sync::Arc;

use game_core::event::Event;
use game_core::game::Game;
use game_core::input::{Command, Notice, Order as BoardOrder, Resume};
use notation::pgn::{Outcome, is_tag_name};

use super::Work;
use super::boards::played_again;
use super::tag_events::is_shown;
use crate::correction_text::CorrectionText;
use crate::fact::{Correction, Fact};
use crate::free_tags::is_free;
use crate::hall::Found;
use crate::note::Note;
use crate::person::PlayerId;
use crate::refusal::{Conflict, Invalid, Missing, Question, Refusal, Stale};
use crate::round::{PairingState, RoundState};
use crate::round_progress::end_of_round;
use crate::undo::{Undo, written};
use pairings::score::{Kind, Score};

/// Most tags of a game that are set by hand, and the longest value of one, in characters.
const MAX_TAGS: usize = 40;
const MAX_TAG: usize = 200;

/// Longest reason of a result, in characters.
const MAX_REASON: usize = 60;

/// The reason of a result as its event has it. It begins with a score that PGN has no marker for
/// ([`game_core::event::shown_result`]).
pub(super) fn reason_of(score: Score, reason: Option<&str>) -> Option<String> {
    match reason {
        _ if score.outcome() == Outcome::Unknown => {
            let score = score.to_string();
            let more = reason.filter(|reason| !reason.starts_with(&score)).map(|reason| format!("{score}, {reason}"));
            Some(more.or_else(|| reason.map(str::to_owned)).unwrap_or(score))
        }
        Some(reason) => Some(reason.to_owned()),
        None => (score.kind == Kind::Forfeit).then(|| "forfeit".into()),
    }
}

impl Work<'_> {
    pub(super) fn set_result(&mut self, game: &str, text: &str, reason: Option<&str>) -> Result<(), Refusal> {
        let result = read_result(text)?;
        let found = self.found(game)?;
        let plies = self.plies(found.game);
        let forfeit = result.filter(|score| score.kind == Kind::Forfeit && found.game.result != result);
        if plies > 0
            && let Some(score) = forfeit
        {
            self.ask(Question::ForfeitWithMoves { game: found.text(), plies, result: score.to_string() });
        }
        self.correct_result(game, result, reason)
    }

    fn correct_result(&mut self, game: &str, result: Option<Score>, reason: Option<&str>) -> Result<(), Refusal> {
        let found = self.found(game)?;
        if reason.is_some_and(|reason| reason.chars().count() > MAX_REASON || reason.chars().any(char::is_control)) {
            return Err(Invalid::ReasonLong { most: MAX_REASON }.into());
        }
        if let Some(player) = reason.and_then(|reason| self.named_in(found.section, reason)) {
            return Err(Invalid::ReasonHasName { player: player.to_string() }.into());
        }
        let (id, before) = (Arc::clone(&found.game.id), found.game.result);
        let known = self.games.game(&id).map(|known| known.reason().to_owned());
        let known = known.filter(|known| before.is_some() && !known.is_empty());
        if before == result && reason.is_none_or(|reason| known.as_deref() == Some(reason)) {
            return Ok(());
        }
        self.enter_result(&id, result, reason)?;
        if self.is_missing_in_its_match(&id) {
            self.note(Note::ForfeitHidden { game: self.hall.game_text(&id) });
        }
        let what =
            CorrectionText::Result { game: self.hall.game_text(&id), result: written(result), before: written(before) };
        let undo = Undo::Result { game: Arc::clone(&id), result: before, reason: known };
        self.corrected(what, Some(id), Some(undo));
        Ok(())
    }

    /// Whether a game of two teams is a forfeit that the public does not see: pages add the games that they have to the scores of
    /// matches.
    fn is_missing_in_its_match(&self, id: &str) -> bool {
        let Some(found) = self.hall.game(id).filter(|found| found.game.state == PairingState::Forfeit) else {
            return false;
        };
        let team = |player: Option<PlayerId>| self.persons.get(player?)?.team.as_deref();
        let teams = team(found.game.pair.white).zip(team(found.game.pair.black));
        teams.is_some_and(|(white, black)| white != black)
            && !found.section.settings.forfeits
            && !found.game.has_begun()
    }

    /// A result, its events and what follows from it.
    pub(super) fn enter_result(
        &mut self,
        id: &Arc<str>,
        result: Option<Score>,
        reason: Option<&str>,
    ) -> Result<(), Refusal> {
        let found = self.found(id)?;
        let (at, known) = (found.at(), is_shown(&self.hall, &found) || self.games.game(id).is_some());
        let (section, round) = (at.event.clone(), at.round);
        let live = self.live_board(&found);
        if result.is_none()
            && let Some(board) = self.board_to_return_to(&found)
        {
            return self.return_to_board(id, &board);
        }
        if known {
            let outcome = result.map_or(Outcome::Unknown, Score::outcome);
            let reason = result.and_then(|score| reason_of(score, reason)).or(reason.map(str::to_owned));
            match live {
                Some(board) if outcome != Outcome::Unknown || result.is_none() => {
                    let order = BoardOrder::Result { result: outcome.as_str().into(), reason };
                    self.notice(&board, Notice::Command(Command { by: String::new(), order }));
                }
                _ => {
                    let reason = reason.unwrap_or_else(|| "operator".into());
                    self.events(at, vec![Event::Result { result: outcome, reason }]);
                    // A session has no command for this result: its board gets no game.
                    if let Some(board) = live {
                        self.notice(&board, Notice::Resume(Resume::default()));
                    }
                }
            }
        }
        self.fact(Fact::ResultSet { game: Arc::clone(id), result });
        if let Some(over) = end_of_round(&self.hall, &section, round) {
            self.fact(over);
        }
        Ok(())
    }

    /// The board that plays nothing but a game whose result is taken back.
    fn board_to_return_to(&self, found: &Found<'_>) -> Option<Arc<str>> {
        let decided = found.game.has_begun() && found.game.result.is_some();
        let board = self.hall.board_of(found).filter(|_| decided)?;
        let free = self.hall.playing(board).is_none_or(|playing| *playing == found.game.id);
        (free && self.games.game(&found.game.id).is_some()).then(|| Arc::clone(board))
    }

    /// A game whose result is taken back goes on on its board, whose session may have closed it.
    fn return_to_board(&mut self, id: &Arc<str>, board: &Arc<str>) -> Result<(), Refusal> {
        let found = self.found(id)?;
        let (at, over) = (found.at(), found.round.state == RoundState::Finished);
        let resume = Resume { result: Outcome::Unknown.as_str().into(), ..self.resume_of(&found)? };
        let events = match self.games.game(id).filter(Game::ended) {
            Some(played) => played_again(&played, played.tags().clone()),
            None => vec![Event::Result { result: Outcome::Unknown, reason: "operator".into() }],
        };
        self.events(at.clone(), events);
        if self.hall.on_board(id).is_none() {
            self.fact(Fact::Moved { game: Arc::clone(id), from: None, to: Arc::clone(board) });
        }
        self.fact(Fact::ResultSet { game: Arc::clone(id), result: None });
        if over {
            self.fact(Fact::RoundState { section: at.event, round: at.round, state: RoundState::Running });
        }
        self.notice(board, Notice::Resume(resume));
        self.note(Note::GameGoesOn { game: self.hall.game_text(id), board: board.to_string() });
        Ok(())
    }

    pub(super) fn set_tags(&mut self, game: &str, tags: &BTreeMap<String, String>) -> Result<(), Refusal> {
        let found = self.found(game)?;
        if tags.len() > MAX_TAGS {
            return Err(Invalid::TagCount { most: MAX_TAGS }.into());
        }
        for (name, value) in tags {
            let shown = || name.chars().filter(|letter| !letter.is_control()).take(40).collect();
            if !is_tag_name(name) {
                return Err(Invalid::TagName { tag: shown() }.into());
            }
            if !is_free(name) {
                return Err(Invalid::TagDerived { tag: shown() }.into());
            }
            if value.chars().count() > MAX_TAG || value.chars().any(char::is_control) {
                return Err(Invalid::TagValue { tag: name.clone(), most: MAX_TAG }.into());
            }
        }
        if found.game.tags == *tags {
            return Ok(());
        }
        let (id, before) = (Arc::clone(&found.game.id), found.game.tags.clone());
        self.fact(Fact::TagsSet { game: Arc::clone(&id), tags: tags.clone() });
        let undo = Undo::Tags { game: Arc::clone(&id), tags: before };
        self.corrected(CorrectionText::Tags { game: self.hall.game_text(&id) }, Some(id), Some(undo));
        Ok(())
    }

    pub(super) fn set_withdrawn(&mut self, game: &str, withdrawn: bool) -> Result<(), Refusal> {
        let found = self.found(game)?;
        if found.game.withdrawn == withdrawn {
            let game = found.text();
            return Err(if withdrawn {
                Conflict::GameWithdrawn { game }.into()
            } else {
                Conflict::GameNotWithdrawn { game }.into()
            });
        }
        let id = Arc::clone(&found.game.id);
        self.fact(Fact::Withdrawn { game: Arc::clone(&id), withdrawn });
        let game = self.hall.game_text(&id);
        let what = if withdrawn { CorrectionText::Withdrawn { game } } else { CorrectionText::Restored { game } };
        let undo = Undo::Withdrawn { game: Arc::clone(&id), withdrawn: !withdrawn };
        self.corrected(what, Some(id), Some(undo));
        Ok(())
    }

    pub(super) fn undo(&mut self, number: u32) -> Result<(), Refusal> {
        let corrections = &self.hall.corrections;
        let place = number.checked_sub(1).map(|place| place as usize);
        let correction = place.and_then(|place| corrections.get(place)).cloned();
        let Some(correction) = correction else { return Err(Missing::Correction { name: number.to_string() }.into()) };
        let Some(undo) = correction.undo.clone() else {
            return Err(Conflict::NotUndoable { number, what: correction.what.clone() }.into());
        };
        if let Some(by) = undone_by(corrections, number) {
            return Err(Conflict::UndoneAlready { number, by }.into());
        }
        let later = corrections.iter().skip(number as usize).find(|later| {
            let cancels = later.undoes.is_some_and(|undone| undone > number);
            !cancels && undone_by(corrections, later.number).is_none() && same_matter(later, &correction)
        });
        if let Some(later) = later {
            return Err(Stale::ChangedLater { number: later.number }.into());
        }
        self.take_back(&undo)?;
        for fact in &mut self.decision.facts {
            if let Fact::Corrected(made) = fact {
                made.undoes = Some(number);
                *made.what = CorrectionText::Undone { number, what: made.what.clone() }.coded();
            }
        }
        Ok(())
    }

    /// Carries an undo out. It makes its own correction, so that an undo can be taken back too.
    fn take_back(&mut self, undo: &Undo) -> Result<(), Refusal> {
        match undo {
            Undo::Result { game, result, reason } => self.correct_result(game, *result, reason.as_deref()),
            Undo::Moves { game, edit } => self.edit_moves(game, edit, false),
            Undo::Clock { game, ply, clk_ms, emt_ms } => self.set_clock(game, *ply, *clk_ms, *emt_ms),
            Undo::Tags { game, tags } => self.set_tags(game, tags),
            Undo::Players { game, white, black } => self.set_players(game, [*white, *black]),
            Undo::Exchanged { section, round, one, other } => self.exchange_players(section, *round, *one, *other),
            Undo::Withdrawn { game, withdrawn } => self.set_withdrawn(game, *withdrawn),
            Undo::Board { game, board, exchange } => self.swap_back(game, board, *exchange),
            Undo::Adjourned { game } => self.adjourn(game),
            Undo::Resumed { game, board } => self.resume(game, Some(board)),
            Undo::PlayerAdded { player } => self.remove_player(*player),
            Undo::Player { player } => self.restore_player(*player),
            Undo::Display { player, display } => self.set_display(*player, *display),
            Undo::Tournament { tournament, settings } => self.set_tournament(tournament, settings),
            Undo::Section { section, settings } => self.set_section(section, settings),
            Undo::EventEnded { section, ended: true } => self.end_event(section),
            Undo::EventEnded { section, ended: false } => self.resume_event(section),
            Undo::SectionRemoved { section, removed: true } => self.remove_section(section),
            Undo::SectionRemoved { section, removed: false } => self.restore_section(section),
            Undo::Published { section, round, published: true } => {
                self.publish(section, *round)?;
                self.answer();
                Ok(())
            }
            Undo::Published { section, round, published: false } => self.unpublish(section, *round),
            Undo::Round { section, round, settings } => self.set_round(section, *round, settings),
        }
    }
}

/// The correction that took this one back and was not taken back itself.
fn undone_by(corrections: &[Arc<Correction>], number: u32) -> Option<u32> {
    let later = corrections.iter().skip(number as usize).filter(|later| later.undoes == Some(number));
    later.map(|later| later.number).find(|later| undone_by(corrections, *later).is_none())
}

/// Whether two corrections are about the same thing, so that the earlier one cannot be taken back before the later one.
fn same_matter(one: &Correction, other: &Correction) -> bool {
    let subject = |correction: &Correction| correction.undo.as_ref().map(Undo::subject);
    one.game == other.game && subject(one).is_some() && subject(one) == subject(other)
}

/// A result as an operator writes it; none takes one back.
pub(super) fn read_result(text: &str) -> Result<Option<Score>, Refusal> {
    if matches!(text.trim(), "*" | "") {
        return Ok(None);
    }
    let wrong = || {
        let text = text.chars().filter(|letter| !letter.is_control()).take(24).collect();
        Invalid::NotAResult { text }.into()
    };
    Score::parse(text).map(Some).ok_or_else(wrong)
}
