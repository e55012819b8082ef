//! Corrections of moves and clocks.
//!
//! A game that is played on a board is corrected through its session, so that recognition goes on from there; any other
//! game by events, in one step. Which moves are legal is decided by [`Game::check_edit`].

use std::sync::Arc;

use game_core::event::Event;
use game_core::game::{Edit, EditError, EnteredMove as Entered, Game, MoveRecord};
use game_core::input::{Command, Notice, Order as BoardOrder};

use super::Work;
use crate::correction_text::CorrectionText;
use crate::fact::Fact;
use crate::note::Note;
use crate::order::{EnteredMove, MoveEdit};
use crate::refusal::{Conflict, Invalid, Missing, Refusal, Stale};
use crate::round::RoundState;
use crate::tags::tags_of;
use crate::undo::Undo;

impl Work<'_> {
    pub(super) fn edit_moves(&mut self, id: &str, edit: &MoveEdit, cut: bool) -> Result<(), Refusal> {
        let found = self.found(id)?;
        let id = Arc::clone(&found.game.id);
        let known = self.games.game(&id).filter(|_| found.game.has_begun());
        let live = self.live_board(&found);
        let begins = known.is_none();
        let game = match known {
            Some(game) => game,
            None => self.begin_by_hand(&id)?,
        };
        let events = match edited(&game, edit) {
            Err(Refusal::Moves(EditError::Later { was, san, cut: events, .. })) if cut => {
                self.note(Note::GameCut { game: self.hall.game_text(&id), san, ply: was });
                events
            }
            checked => checked?,
        };
        if events.is_empty() && !begins {
            return Ok(());
        }
        let mut after = game.clone();
        for event in &events {
            after.apply(event);
        }
        if let Some(board) = live {
            let keep = events.iter().find_map(|event| match event {
                Event::Retract { to_ply } => Some(*to_ply),
                _ => None,
            });
            let keep = keep.unwrap_or(game.moves().len() as u32);
            let moves = after.moves().iter().skip(keep as usize).map(|played| played.uci.to_string()).collect();
            let order = match edit {
                MoveEdit::FillGap { after, .. } => BoardOrder::FillGap { after: *after, moves },
                _ => BoardOrder::Moves { keep, moves },
            };
            self.notice(&board, Notice::Command(Command { by: String::new(), order }));
        } else {
            self.record_moves(&id, &game, events, begins)?;
        }
        let undo = taken_back(edit, game.moves(), after.moves().len());
        // Moves do not say where others went unseen.
        let undo = game.gaps().is_empty().then(|| Undo::Moves { game: Arc::clone(&id), edit: undo });
        self.corrected(CorrectionText::Moves { game: self.hall.game_text(&id) }, Some(id), undo);
        Ok(())
    }

    pub(super) fn record_moves(
        &mut self,
        id: &Arc<str>,
        game: &Game,
        edit: Vec<Event>,
        begins: bool,
    ) -> Result<(), Refusal> {
        let found = self.found(id)?;
        let mut events = Vec::new();
        if begins {
            events.push(Event::GameStarted { fen: game.fen().to_owned(), variant: game.variant() });
            events.push(Event::Tags { tags: tags_of(&self.persons, &found) });
        }
        events.extend(edit);
        // A new start clears the result of a game.
        if let Some(score) = found.game.result.filter(|_| begins) {
            events.push(Event::Result { result: score.outcome(), reason: "operator".into() });
        }
        let at = found.at();
        self.events(at, events);
        Ok(())
    }

    /// A game whose first moves are entered by hand begins with them.
    pub(super) fn begin_by_hand(&mut self, id: &Arc<str>) -> Result<Game, Refusal> {
        let found = self.found(id)?;
        let (section, round, state) = (Arc::clone(&found.section.slug), found.round.number, found.round.state);
        if !found.round.published {
            return Err(Conflict::RoundNotPublic { round }.into());
        }
        let day = found.round.settings.date.or_else(|| found.section.day(self.now));
        let day = day.ok_or(Invalid::Date)?;
        let result = found.game.result;
        let mut game = Game::new();
        if let Some(start) = &found.round.start {
            game.apply(&Event::GameStarted { fen: start.fen.clone(), variant: start.variant });
        }
        if state < RoundState::Running {
            self.fact(Fact::RoundState { section, round, state: RoundState::Running });
        }
        self.fact(Fact::Began { board: None, game: Arc::clone(id), day });
        if result.is_some() {
            self.fact(Fact::ResultSet { game: Arc::clone(id), result });
        }
        Ok(game)
    }

    pub(super) fn set_clock(
        &mut self,
        id: &str,
        ply: u32,
        clk_ms: Option<u64>,
        emt_ms: Option<u64>,
    ) -> Result<(), Refusal> {
        /// Longest time on a clock, in milliseconds: a day.
        const LONGEST_MS: u64 = 24 * 60 * 60 * 1000;
        let found = self.found(id)?;
        if [clk_ms, emt_ms].into_iter().flatten().any(|ms| ms > LONGEST_MS) {
            return Err(Invalid::ClockTime.into());
        }
        let game = self.games.game(id);
        let played = ply.checked_sub(1).and_then(|place| game.as_ref()?.moves().get(place as usize));
        let Some(played) = played else { return Err(Missing::Move { name: ply.to_string() }.into()) };
        let before = (played.clk_ms, played.emt_ms);
        if before == (clk_ms, emt_ms) {
            return Ok(());
        }
        let (game, at) = (Arc::clone(&found.game.id), found.at());
        self.events(at, vec![Event::Amend { ply, clk_ms, emt_ms }]);
        let undo = Undo::Clock { game: Arc::clone(&game), ply, clk_ms: before.0, emt_ms: before.1 };
        self.corrected(CorrectionText::Times { game: self.hall.game_text(&game), ply }, Some(game), Some(undo));
        Ok(())
    }
}

/// The events that publish an edit.
pub(super) fn edited(game: &Game, edit: &MoveEdit) -> Result<Vec<Event>, Refusal> {
    let entered =
        |played: &EnteredMove| Entered { text: played.san.clone(), clk_ms: played.clk_ms, emt_ms: played.emt_ms };
    let edit = match edit {
        MoveEdit::Insert { ply, played } => Edit::insert(*ply, vec![entered(played)]),
        MoveEdit::Replace { ply, played } => Edit::replace(*ply, entered(played)),
        MoveEdit::Delete { ply } => Edit::delete(*ply),
        MoveEdit::Cut { after } => Edit::set(*after, Vec::new()),
        MoveEdit::FillGap { after, moves } => Edit::fill(*after, moves.iter().map(entered).collect()),
        MoveEdit::Set { after, moves, instead_of } => {
            let moves = Edit::set(*after, moves.iter().map(entered).collect());
            let Some(plies) = instead_of else { return Ok(game.check_edit(&moves)?) };
            if *plies as usize != game.moves().len() {
                return Err(Stale::MovesChanged { plies: game.moves().len() }.into());
            }
            // Cut first: the clock times of a removed move must not go to a new one.
            let mut exact = game.clone();
            for step in [Edit::set(*after, Vec::new()), moves] {
                for event in exact.check_edit(&step)? {
                    exact.apply(&event);
                }
            }
            return Ok(game.changes_to(&exact));
        }
    };
    Ok(game.check_edit(&edit)?)
}

/// The edit that brings the old moves back, and leaves alone what is played from now on where that is possible.
fn taken_back(edit: &MoveEdit, old: &[MoveRecord], plies: usize) -> MoveEdit {
    let entered =
        |played: &MoveRecord| EnteredMove { san: played.uci.to_string(), clk_ms: played.clk_ms, emt_ms: played.emt_ms };
    let at = |ply: u32| ply.checked_sub(1).and_then(|place| old.get(place as usize)).map(entered);
    match edit {
        MoveEdit::Insert { ply, .. } if plies == old.len() + 1 => return MoveEdit::Delete { ply: *ply },
        MoveEdit::Replace { ply, played } if plies == old.len() && (played.clk_ms, played.emt_ms) == (None, None) => {
            if let Some(played) = at(*ply) {
                return MoveEdit::Replace { ply: *ply, played };
            }
        }
        MoveEdit::Delete { ply } if plies + 1 == old.len() => {
            if let Some(played) = at(*ply) {
                return MoveEdit::Insert { ply: *ply, played };
            }
        }
        _ => {}
    }
    MoveEdit::Set { after: 0, moves: old.iter().map(entered).collect(), instead_of: Some(plies as u32) }
}
