//! Moves of other recorders, and lines of the history that no fact of the tournament makes.

use std::sync::Arc;

use coded_text::CodedText;
use game_core::event::{Event, Variant};
use game_core::game::Game;
use game_core::line::start_position;

use super::Work;
use super::correct::read_result;
use super::moves::edited;
use crate::fact::Fact;
use crate::hall::Found;
use crate::order::{EnteredMove, MoveEdit, TakenStart};
use crate::refusal::{Conflict, Invalid, Refusal};

/// Longest name of a source, in characters.
const MOST_NAME: usize = 40;

/// Longest line of the history, in characters.
const MOST_NOTE: usize = 200;

impl Work<'_> {
    pub(super) fn take_moves(
        &mut self,
        game: &str,
        source: &str,
        moves: &[EnteredMove],
        start: Option<&TakenStart>,
        result: Option<&str>,
    ) -> Result<(), Refusal> {
        let found = self.found(game)?;
        if source.is_empty() || source.chars().count() > MOST_NAME || source.chars().any(char::is_control) {
            return Err(Invalid::SourceName { most: MOST_NAME }.into());
        }
        let id = Arc::clone(&found.game.id);
        if let Some(board) = self.hall.live_board(&found) {
            let (game, board) = (found.text(), board.to_string());
            return Err(Conflict::BoardCounts { game, board }.into());
        }
        let (begun, own) = (found.game.has_begun(), found.game.source.as_deref() == Some(source));
        if begun && !own {
            let game = found.text();
            return Err(match &found.game.source {
                Some(other) => Conflict::OtherSource { game, source: other.to_string() }.into(),
                None => Conflict::RecordedHere { game }.into(),
            });
        }
        // What may come from a source is entered as a whole, or not at all.
        let result = result.map(read_result).transpose()?.flatten();
        let enters = found.game.result.is_none().then_some(result).flatten();
        if begun || !moves.is_empty() {
            self.enter_moves(&id, moves, start)?;
        }
        let has_moves = begun || !moves.is_empty();
        if !own && (has_moves || enters.is_some()) {
            self.fact(Fact::Sourced { game: Arc::clone(&id), source: source.into() });
        }
        if enters.is_some() {
            self.enter_result(&id, enters, None)?;
        }
        Ok(())
    }

    fn enter_moves(&mut self, id: &Arc<str>, moves: &[EnteredMove], start: Option<&TakenStart>) -> Result<(), Refusal> {
        let found = self.found(id)?;
        let known = self.games.game(id).filter(|_| found.game.has_begun());
        let keeps_start = known.as_ref().is_some_and(|known| keeps_start(known, &found, start));
        let game = match &known {
            Some(known) if keeps_start => known.clone(),
            Some(_) => started_at(Game::new(), start)?,
            None => started_at(self.begin_by_hand(id)?, start)?,
        };
        let times_of = known.as_ref().unwrap_or(&game);
        let entered: Vec<_> =
            moves.iter().enumerate().map(|(index, played)| with_known_times(times_of, index, played)).collect();
        let plies = u32::try_from(game.moves().len()).unwrap_or(u32::MAX);
        let events = edited(&game, &MoveEdit::Set { after: 0, moves: entered, instead_of: Some(plies) })?;
        if !keeps_start || !events.is_empty() {
            self.record_moves(id, &game, events, !keeps_start)?;
        }
        Ok(())
    }

    pub(super) fn write_note(&mut self, what: &CodedText) -> Result<(), Refusal> {
        let english = &what.english;
        if english.trim().is_empty() || english.chars().count() > MOST_NOTE || english.chars().any(char::is_control) {
            return Err(Invalid::NoteLine { most: MOST_NOTE }.into());
        }
        self.corrected(what.clone(), None, None);
        Ok(())
    }
}

/// Whether a game that has begun started where its source says; without a word of the source, and with a position of the round, the
/// recorded start counts.
fn keeps_start(known: &Game, found: &Found<'_>, start: Option<&TakenStart>) -> bool {
    // One position can be written in several ways.
    let is_recorded = |fen: &str, variant: Variant| {
        let recorded = start_position(known.fen(), known.variant()).ok();
        variant == known.variant() && start_position(fen, variant).ok() == recorded
    };
    match (start, &found.round.start) {
        (Some(TakenStart { fen, variant }), _) => is_recorded(fen, *variant),
        (None, Some(_)) => true,
        (None, None) => is_recorded(Game::new().fen(), Variant::Standard),
    }
}

/// A game without moves, from the source's position where it gives one.
fn started_at(mut game: Game, start: Option<&TakenStart>) -> Result<Game, Refusal> {
    if let Some(TakenStart { fen, variant }) = start {
        if start_position(fen, *variant).is_err() {
            return Err(Invalid::SourceStart.into());
        }
        game.apply(&Event::GameStarted { fen: fen.clone(), variant: *variant });
    }
    Ok(game)
}

/// A move of a source. A time that it leaves out stays as it was known.
fn with_known_times(game: &Game, index: usize, played: &EnteredMove) -> EnteredMove {
    let known = game.moves().get(index).filter(|known| known.san == played.san || known.uci == played.san);
    let clk_ms = played.clk_ms.or_else(|| known?.clk_ms);
    EnteredMove { san: played.san.clone(), clk_ms, emt_ms: played.emt_ms.or_else(|| known?.emt_ms) }
}
