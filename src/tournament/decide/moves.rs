//! Corrections of moves and clocks.
//!
//! Knows which moves stay and which come instead. A game that is played on a board is corrected through its session, so
//! that recognition goes on from there; any other by events, all in one step.

use std::sync::Arc;

use game_core::event::Event;
use game_core::game::{Game, MoveRecord};
use game_core::input::{Command, Notice, Order as BoardOrder};
use game_core::line::{Line, start_position};
use notation::play::find_move;
use shakmaty::uci::UciMove;

use super::Work;
use crate::tournament::fact::Fact;
use crate::tournament::order::{EnteredMove, MoveEdit, Order};
use crate::tournament::refusal::Refusal;
use crate::tournament::round::RoundState;
use crate::tournament::tags::tags_of;

/// Most plies of a game that is entered; the longest possible game is longer, the longest ever played is not.
const MAX_PLIES: usize = 2000;

/// A move of the corrected game.
struct Wanted {
    /// In SAN or UCI.
    text: String,
    clk_ms: Option<u64>,
    emt_ms: Option<u64>,
    /// Whether the order names it; a later move of the old game may be cut off instead.
    ordered: bool,
}

impl Wanted {
    fn kept(played: &MoveRecord) -> Self {
        Self { text: played.uci.clone(), clk_ms: played.clk_ms, emt_ms: played.emt_ms, ordered: false }
    }

    fn entered(played: &EnteredMove) -> Self {
        Self { text: played.san.clone(), clk_ms: played.clk_ms, emt_ms: played.emt_ms, ordered: true }
    }
}

impl Work<'_> {
    pub(super) fn edit_moves(&mut self, id: &str, edit: &MoveEdit, cut: bool) -> Result<(), Refusal> {
        let found = self.found(id)?;
        let id = Arc::clone(&found.game.id);
        let known = self.games.game(&id).filter(|_| found.game.has_begun());
        let live = self.hall.live_board(&found).cloned();
        let begins = known.is_none();
        let game = match known {
            Some(game) => game,
            None => self.begin_by_hand(&id)?,
        };
        let old = game.moves();
        let wanted = wanted(old, edit)?;
        let new = played(&game, wanted, cut)?;
        let keep = old.iter().zip(&new).take_while(|(old, new)| *old == *new).count();
        if keep == old.len() && keep == new.len() && !begins {
            return Ok(());
        }
        let tail = new.get(keep..).unwrap_or_default();
        if let Some(board) = live {
            let moves = tail.iter().map(|played| played.uci.clone()).collect();
            let order = BoardOrder::Moves { keep: keep as u32, moves };
            self.notice(&board, Notice::Command(Command { by: String::new(), order }));
        } else {
            let found = self.found(&id)?;
            let (at, tags) = (found.at(), tags_of(&self.persons, &found));
            let mut events = Vec::new();
            if begins {
                events.push(Event::GameStarted { fen: game.fen().to_owned(), variant: game.variant() });
                events.push(Event::Tags { tags });
            }
            if keep < old.len() {
                events.push(Event::Retract { to_ply: keep as u32 });
            }
            events.extend((keep as u32 + 1..).zip(tail).map(|(ply, played)| Event::Move {
                ply,
                san: played.san.clone(),
                uci: played.uci.clone(),
                clk_ms: played.clk_ms,
                emt_ms: played.emt_ms,
            }));
            // What starts anew has to be told again how it ended.
            if let Some(score) = found.game.result.filter(|_| begins) {
                events.push(Event::Result { result: score.outcome(), reason: "operator".into() });
            }
            self.events(at, events);
        }
        if new.len() < old.len() {
            self.note(format!("{} moves instead of {}", new.len(), old.len()));
        }
        let undo = Order::EditMoves { game: id.to_string(), edit: taken_back(edit, old, new.len()), cut: false };
        self.corrected(format!("{id}: moves from ply {}", keep + 1), Some(id), Some(undo));
        Ok(())
    }

    /// A game whose first moves are entered by hand begins with them.
    fn begin_by_hand(&mut self, id: &Arc<str>) -> Result<Game, Refusal> {
        let found = self.found(id)?;
        let (section, round, state) = (Arc::clone(&found.section.slug), found.round.number, found.round.state);
        if !found.round.published {
            return Err(Refusal::Conflict(format!("round {round} is not public: publish it first")));
        }
        let day = found.round.settings.date.or_else(|| found.section.day(self.now));
        let day = day.ok_or_else(|| Refusal::Invalid("it is later than every calendar".into()))?;
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
        /// No clock shows more than a day.
        const LONGEST_MS: u64 = 24 * 60 * 60 * 1000;
        let found = self.found(id)?;
        if [clk_ms, emt_ms].into_iter().flatten().any(|ms| ms > LONGEST_MS) {
            return Err(Refusal::Invalid("no clock shows more than a day: give milliseconds".into()));
        }
        let game = self.games.game(id);
        let played = ply.checked_sub(1).and_then(|place| game.as_ref()?.moves().get(place as usize));
        let Some(played) = played else { return Err(Refusal::missing("move", &ply.to_string())) };
        let before = (played.clk_ms, played.emt_ms);
        if before == (clk_ms, emt_ms) {
            return Ok(());
        }
        let (game, at) = (Arc::clone(&found.game.id), found.at());
        self.events(at, vec![Event::Amend { ply, clk_ms, emt_ms }]);
        let undo = Order::SetClock { game: id.to_owned(), ply, clk_ms: before.0, emt_ms: before.1 };
        self.corrected(format!("{id}: times of ply {ply}"), Some(game), Some(undo));
        Ok(())
    }
}

/// The moves that an edit asks for.
fn wanted(old: &[MoveRecord], edit: &MoveEdit) -> Result<Vec<Wanted>, Refusal> {
    let kept = |plies: &[MoveRecord]| plies.iter().map(Wanted::kept).collect::<Vec<_>>();
    let beyond = |ply: u32| {
        let reason = format!("the game has {} plies, there is no ply {ply}: count from 1", old.len());
        Refusal::Invalid(reason)
    };
    let split = |after: u32| old.split_at_checked(after as usize).ok_or_else(|| beyond(after));
    let before = |ply: u32| ply.checked_sub(1).ok_or_else(|| beyond(ply)).and_then(split);
    let mut moves;
    match edit {
        MoveEdit::Insert { ply, played } => {
            let (head, tail) = before(*ply)?;
            moves = kept(head);
            moves.push(Wanted::entered(played));
            moves.extend(kept(tail));
        }
        MoveEdit::Replace { ply, played } => {
            let (head, tail) = before(*ply)?;
            let (replaced, tail) = tail.split_first().ok_or_else(|| beyond(*ply))?;
            moves = kept(head);
            let entered = Wanted::entered(played);
            let (clk_ms, emt_ms) = (entered.clk_ms.or(replaced.clk_ms), entered.emt_ms.or(replaced.emt_ms));
            moves.push(Wanted { clk_ms, emt_ms, ..entered });
            moves.extend(kept(tail));
        }
        MoveEdit::Delete { ply } => {
            let (head, tail) = before(*ply)?;
            let (_, tail) = tail.split_first().ok_or_else(|| beyond(*ply))?;
            moves = kept(head);
            moves.extend(kept(tail));
        }
        MoveEdit::Cut { after } => moves = kept(split(*after)?.0),
        MoveEdit::Set { after, moves: entered, instead_of } => {
            if instead_of.is_some_and(|plies| plies as usize != old.len()) {
                let reason = format!("the game has {} plies by now: look at it and order it again", old.len());
                return Err(Refusal::Stale(reason));
            }
            moves = kept(split(*after)?.0);
            moves.extend(entered.iter().map(Wanted::entered));
        }
    }
    if moves.len() > MAX_PLIES {
        return Err(Refusal::Invalid(format!("a game has at most {MAX_PLIES} plies")));
    }
    Ok(moves)
}

/// The moves played out from the game's start. A later move that is not legal any more ends them when it may be cut off.
fn played(game: &Game, wanted: Vec<Wanted>, cut: bool) -> Result<Vec<MoveRecord>, Refusal> {
    let start = start_position(game.fen(), game.variant()).map_err(|error| Refusal::Invalid(error.to_string()))?;
    let mut line = Line::new(start, game.variant());
    let mut all: Vec<MoveRecord> = Vec::new();
    for (ply, Wanted { text, clk_ms, emt_ms, ordered }) in (1..).zip(wanted) {
        let position = line.head();
        let by_uci = || text.parse::<UciMove>().ok()?.to_move(position).ok();
        let found = match by_uci() {
            Some(found) => Ok(found),
            None => find_move(position, text.trim()),
        };
        match found {
            Ok(found) => _ = line.push(found),
            Err(error) if ordered => return Err(Refusal::Invalid(format!("ply {ply}: {error}"))),
            Err(_) if cut => break,
            Err(_) => {
                let old = game.moves().iter().find(|played| played.uci == text);
                return Err(Refusal::IllegalMove { ply, san: old.map_or(text, |played| played.san.clone()) });
            }
        }
        let Some(name) = line.name(line.plies()) else { break };
        let fen_after = game_core::line::fen_of(line.head());
        all.push(MoveRecord { san: name.san, uci: name.uci, fen_after, clk_ms, emt_ms });
    }
    Ok(all)
}

/// The edit that brings the old moves back, and leaves alone what is played from now on where that is possible.
fn taken_back(edit: &MoveEdit, old: &[MoveRecord], plies: usize) -> MoveEdit {
    let entered =
        |played: &MoveRecord| EnteredMove { san: played.san.clone(), clk_ms: played.clk_ms, emt_ms: played.emt_ms };
    let at = |ply: u32| ply.checked_sub(1).and_then(|place| old.get(place as usize)).map(entered);
    match edit {
        MoveEdit::Insert { ply, .. } if plies == old.len() + 1 => return MoveEdit::Delete { ply: *ply },
        MoveEdit::Replace { ply, .. } if plies == old.len() => {
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
