//! Orders about boards: which table they stand at, which game they play.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use game_core::controls::Controls;
use game_core::event::{Event, Side, Variant};
use game_core::game::{ClockRecord, Game};
use game_core::input::{Assign, Command, Notice, Order as BoardOrder, Resume, ResumedMove};
use game_core::line::position_to_play;
use game_core::time::UtcMs;

use super::Work;
use crate::correction_text::CorrectionText;
use crate::fact::Fact;
use crate::hall::Found;
use crate::note::Note;
use crate::opening::{apart_id, free_id, next_game};
use crate::order::Seat;
use crate::ready::ClockShown;
use crate::refusal::{Conflict, Invalid, Missing, Question, Refusal, shown};
use crate::round::{PairingState, RoundState};
use crate::round_progress::end_of_round;
use crate::seating::Proposal;
use crate::tags::tags_of;
use crate::undo::Undo;
use pairings::model::{MAX_SERIAL, MAX_TABLE};
use pairings::score::Score;

impl Work<'_> {
    pub(super) fn register_board(&mut self, serial: &str) -> Result<(), Refusal> {
        let board = checked_serial(serial)?;
        if !self.hall.numbers.contains_key(&board) {
            self.fact(Fact::Registered { board, number: self.hall.next_number() });
        }
        Ok(())
    }

    pub(super) fn ignore_squares(&mut self, serial: &str, squares: &[String]) -> Result<(), Refusal> {
        let order = BoardOrder::Blind { squares: squares.to_vec() };
        if order.blind().is_none() {
            return Err(Invalid::Squares.into());
        }
        self.command(serial, order)
    }

    pub(super) fn go_on(&mut self, serial: &str) -> Result<(), Refusal> {
        let board = checked_serial(serial)?;
        let game = self.hall.playing(&board).cloned().ok_or(Conflict::NoGameOnBoard)?;
        self.command(serial, BoardOrder::GoOn)?;
        let after = self.games.game(&game).map_or(0, |known| known.moves().len());
        let what = CorrectionText::GoesOn { game: self.hall.game_text(&game), after };
        // What went unseen is filled in; no order removes a gap.
        self.corrected(what, Some(game), None);
        Ok(())
    }

    pub(super) fn start_from(&mut self, serial: &str, fen: &str, variant: Variant) -> Result<(), Refusal> {
        position_to_play(fen, variant).map_err(Invalid::from)?;
        self.command(serial, BoardOrder::StartFrom { fen: fen.trim().to_owned(), variant })
    }

    /// Sends a command to the session of a board that was found before.
    fn command(&mut self, serial: &str, order: BoardOrder) -> Result<(), Refusal> {
        let board = checked_serial(serial)?;
        if !self.hall.numbers.contains_key(&board) {
            return Err(Missing::Board { name: shown(serial) }.into());
        }
        self.notice(&board, Notice::Command(Command { by: String::new(), order }));
        Ok(())
    }

    pub(super) fn seat_boards(&mut self, seats: &[Seat]) -> Result<(), Refusal> {
        let (mut tables, mut boards) = (BTreeSet::new(), BTreeSet::new());
        for seat in seats {
            checked_table(seat.table)?;
            if !tables.insert(seat.table) {
                return Err(Invalid::TableTwice { table: seat.table }.into());
            }
            if let Some(board) = &seat.board
                && !boards.insert(checked_serial(board)?)
            {
                return Err(Invalid::BoardTwice { board: board.clone() }.into());
            }
        }
        for Seat { table, board } in seats {
            let board: Option<Arc<str>> = board.as_deref().map(Into::into);
            let seated = self.hall.seats.get(table).cloned();
            if seated == board {
                continue;
            }
            let moving = self.ready_game_of(seated.as_ref(), board.as_ref(), &boards);
            for moved in seated.iter().chain(&board) {
                let is_ready = moving.is_some() && self.ready_on(moved).is_some();
                if !is_ready && self.open_play_on(moved).is_none() {
                    self.not_at_play(moved)?;
                }
            }
            let gone = seated.filter(|seated| !boards.contains(seated));
            match moving {
                Some((game, to)) => self.swap_board(&game, &to, true)?,
                None => self.fact(Fact::Seated { table: *table, board }),
            }
            if let Some(gone) = gone {
                self.note(Note::BoardLeftTable { board: gone.to_string() });
            }
        }
        self.keep_open_play();
        let seated: Vec<_> = seats.iter().filter_map(|seat| seat.board.as_deref().map(Into::into)).collect();
        self.adopt_starts_on(&seated)
    }

    /// The game of a pairing that has begun on the board of its table, because pieces stand ready, and has no move.
    fn ready_on(&self, board: &str) -> Option<Arc<str>> {
        let found = self.hall.game(self.hall.playing(board)?)?;
        let paired = found.game.state == PairingState::Playing && !found.section.settings.open_play;
        let at_table = found.table().is_some_and(|table| self.hall.table_of(board) == Some(table));
        let id = &found.game.id;
        let ready = paired && at_table && self.games.game(id).is_some_and(|game| game.moves().is_empty());
        ready.then(|| Arc::clone(id))
    }

    /// A game without a move that stays at its table when a board gets the seat of another one, and its next board. A board that
    /// has another table gives it to the one whose seat it gets: the order must name that one, too.
    fn ready_game_of(
        &self,
        seated: Option<&Arc<str>>,
        board: Option<&Arc<str>>,
        named: &BTreeSet<Arc<str>>,
    ) -> Option<(Arc<str>, Arc<str>)> {
        let (seated, board) = (seated?, board?);
        if self.hall.table_of(board).is_some() && !named.contains(seated) {
            return None;
        }
        let here = self.ready_on(seated).map(|game| (game, Arc::clone(board)));
        here.or_else(|| self.ready_on(board).map(|game| (game, Arc::clone(seated))))
    }

    pub(super) fn assign_by_serial(&mut self, boards: &[String]) -> Result<(), Refusal> {
        let boards = boards.iter().map(|board| checked_serial(board)).collect::<Result<Vec<_>, _>>()?;
        let Proposal { seats, spare } = Proposal::of(&self.hall, boards);
        if seats.is_empty() {
            return Err(Conflict::NothingToSeat.into());
        }
        for Seat { table, board } in &seats {
            self.note(Note::TableBoard { table: *table, board: board.clone().unwrap_or_default() });
        }
        for board in spare {
            self.note(Note::BoardLeftOver { board: board.to_string() });
        }
        self.seat_boards(&seats)
    }

    pub(super) fn identify_table(&mut self, table: Option<u32>) -> Result<(), Refusal> {
        if let Some(table) = table {
            checked_table(table)?;
            self.note(Note::PutKing { table });
        }
        if self.hall.identifying != table {
            self.fact(Fact::Identifying { table });
        }
        Ok(())
    }

    /// The running game of open play on a board.
    pub(super) fn open_play_on(&self, board: &str) -> Option<Found<'_>> {
        let found = self.hall.game(self.hall.playing(board)?)?;
        let running = found.section.settings.open_play && found.game.state == PairingState::Playing;
        running.then_some(found)
    }

    /// Games of open play stay on their boards when these get other tables.
    fn keep_open_play(&mut self) {
        let boards: Vec<_> = self.hall.on_boards.keys().cloned().collect();
        for board in boards {
            let Some(found) = self.open_play_on(&board) else { continue };
            if self.hall.board_of(&found) != Some(&board) {
                let game = Arc::clone(&found.game.id);
                self.fact(Fact::Moved { game, from: Some(Arc::clone(&board)), to: board });
            }
        }
    }

    /// Frees a board for a game that moves to it. A game of open play without a move was only a start position; one with
    /// moves stays without a result. Refuses to take a board away from a game of a pairing.
    fn free_board(&mut self, board: &str) -> Result<(), Refusal> {
        let Some(found) = self.open_play_on(board) else { return self.not_at_play(board) };
        let game = Arc::clone(&found.game.id);
        if self.games.game(&game).is_none_or(|played| played.moves().is_empty()) {
            self.fact(Fact::Unpaired { game });
        } else {
            self.note(Note::OpenPlayEnds { game: self.hall.game_text(&game) });
            self.fact(Fact::ResultMissing { game });
        }
        Ok(())
    }

    /// Refuses to take away a board on which a game is played.
    pub(super) fn not_at_play(&self, board: &str) -> Result<(), Refusal> {
        let game = self.hall.playing(board).and_then(|game| self.hall.game(game));
        match game.filter(|found| found.game.state == PairingState::Playing) {
            Some(found) => Err(Conflict::GameOnBoard { game: found.text(), board: board.to_owned() }.into()),
            None => Ok(()),
        }
    }

    pub(super) fn swap_board(&mut self, game: &str, serial: &str, exchange: bool) -> Result<(), Refusal> {
        let to = checked_serial(serial)?;
        if !self.hall.numbers.contains_key(&to) {
            return Err(Missing::Board { name: shown(serial) }.into());
        }
        let found = self.found(game)?;
        let Some(from) = self.live_board(&found) else {
            return Err(Conflict::NotOnBoard { game: found.text() }.into());
        };
        if from == to {
            return Err(Conflict::SameBoard { game: found.text(), board: to.to_string() }.into());
        }
        let (id, own_table) = (Arc::clone(&found.game.id), found.table());
        let resume = self.resume_of(&found)?;
        // The game that goes on on the board that this one leaves.
        let exchanged = self.hall.playing(&to).filter(|_| exchange && self.not_at_play(&to).is_err()).cloned();
        let exchanged = match exchanged {
            Some(other) if self.open_play_on(&to).is_none() => {
                let resume = self.resume_of(&self.found(&other)?)?;
                Some((other, Resume { set_up: true, ..resume }))
            }
            _ => {
                self.free_board(&to)?;
                None
            }
        };
        let (table, other) = (self.hall.table_of(&from), self.hall.table_of(&to));
        if let Some(table) = table.filter(|table| own_table == Some(*table)) {
            self.fact(Fact::Seated { table, board: Some(Arc::clone(&to)) });
            if let Some(other) = other {
                self.fact(Fact::Seated { table: other, board: Some(Arc::clone(&from)) });
            }
        }
        self.fact(Fact::Moved { game: Arc::clone(&id), from: Some(Arc::clone(&from)), to: Arc::clone(&to) });
        let exchange = exchanged.is_some();
        let left = exchanged.map_or_else(Resume::default, |(other, resume)| {
            self.fact(Fact::Moved { game: Arc::clone(&other), from: Some(Arc::clone(&to)), to: Arc::clone(&from) });
            let what = CorrectionText::Board {
                game: self.hall.game_text(&other),
                board: from.to_string(),
                before: to.to_string(),
            };
            self.corrected(what, Some(other), None);
            resume
        });
        self.notice(&from, Notice::Resume(left));
        self.notice(&to, Notice::Resume(Resume { set_up: true, ..resume }));
        let what =
            CorrectionText::Board { game: self.hall.game_text(&id), board: to.to_string(), before: from.to_string() };
        let undo = Undo::Board { game: Arc::clone(&id), board: from, exchange };
        self.corrected(what, Some(id), Some(undo));
        Ok(())
    }

    /// Takes a swap back, also when the wrong board has begun another game since: then the game waits for a result.
    pub(super) fn swap_back(&mut self, game: &str, board: &str, exchange: bool) -> Result<(), Refusal> {
        let found = self.found(game)?;
        if self.live_board(&found).is_some() || found.game.state != PairingState::ResultMissing {
            return self.swap_board(game, board, exchange);
        }
        let to = checked_serial(board)?;
        let (id, own_table, resume) = (Arc::clone(&found.game.id), found.table(), self.resume_of(&found)?);
        let wrong = self.hall.board_of(&found).filter(|wrong| **wrong != to).cloned();
        self.free_board(&to)?;
        let seated = own_table.filter(|table| self.hall.seats.get(table) == wrong.as_ref());
        if let Some(table) = seated {
            let other = self.hall.table_of(&to);
            self.fact(Fact::Seated { table, board: Some(Arc::clone(&to)) });
            if let Some(other) = other {
                self.fact(Fact::Seated { table: other, board: wrong.clone() });
            }
        }
        let from = self.leave_board(&id, &to);
        self.fact(Fact::Moved { game: Arc::clone(&id), from, to: Arc::clone(&to) });
        // It is being played again.
        self.fact(Fact::ResultSet { game: Arc::clone(&id), result: None });
        self.notice(&to, Notice::Resume(Resume { set_up: true, ..resume }));
        let undo = wrong.map(|board| Undo::Board { game: Arc::clone(&id), board, exchange: false });
        self.corrected(
            CorrectionText::BackOnBoard { game: self.hall.game_text(&id), board: to.to_string() },
            Some(id),
            undo,
        );
        Ok(())
    }

    pub(super) fn adjourn(&mut self, game: &str) -> Result<(), Refusal> {
        let found = self.found(game)?;
        if found.game.state != PairingState::Playing {
            return Err(Conflict::NotPlayed { game: found.text() }.into());
        }
        let (id, board, at) = (Arc::clone(&found.game.id), self.live_board(&found), found.at());
        // Its board tells no more of its clock, which does not run until the game is resumed.
        if let Some(recorded) = self.games.game(&id).and_then(|game| game.clock().copied()) {
            let shown = board.as_ref().and_then(|board| self.games.clock(board));
            let stopped = stopped(latest(recorded, shown), self.now);
            if stopped != (ClockRecord { read_at: stopped.read_at, ..recorded }) {
                self.events(at, vec![clock_event(&stopped)]);
            }
        }
        self.fact(Fact::Adjourned { game: Arc::clone(&id) });
        if let Some(board) = &board {
            self.notice(board, Notice::Resume(Resume::default()));
        }
        let undo = board.map(|board| Undo::Resumed { game: Arc::clone(&id), board });
        self.corrected(CorrectionText::Adjourned { game: self.hall.game_text(&id) }, Some(id), undo);
        Ok(())
    }

    pub(super) fn resume(&mut self, game: &str, serial: Option<&str>) -> Result<(), Refusal> {
        let found = self.found(game)?;
        if !matches!(found.game.state, PairingState::Adjourned | PairingState::ResultMissing) {
            return Err(Conflict::NotAdjourned { game: found.text() }.into());
        }
        let to = if let Some(serial) = serial {
            checked_serial(serial)?
        } else {
            let none = || Conflict::TableWithoutBoard { game: found.text() };
            self.hall.board_of(&found).cloned().ok_or_else(none)?
        };
        let (id, resume) = (Arc::clone(&found.game.id), self.resume_of(&found)?);
        self.free_board(&to)?;
        let from = self.leave_board(&id, &to);
        self.fact(Fact::Moved { game: Arc::clone(&id), from, to: Arc::clone(&to) });
        self.notice(&to, Notice::Resume(Resume { set_up: true, ..resume }));
        let undo = Undo::Adjourned { game: Arc::clone(&id) };
        self.corrected(
            CorrectionText::Resumed { game: self.hall.game_text(&id), board: to.to_string() },
            Some(id),
            Some(undo),
        );
        Ok(())
    }

    /// The board that a game was on, when it goes on on another one: it plays nothing any more.
    fn leave_board(&mut self, id: &str, to: &str) -> Option<Arc<str>> {
        let from = self.hall.on_board(id).filter(|from| &***from != to).cloned()?;
        self.notice(&from, Notice::Resume(Resume::default()));
        Some(from)
    }

    /// A game for the session that takes it over.
    pub(super) fn resume_of(&self, found: &Found<'_>) -> Result<Resume, Refusal> {
        let id = &found.game.id;
        let unknown = || Conflict::MovesUnknown { game: self.hall.game_text(id) };
        let game = self.games.game(id).ok_or_else(unknown)?;
        let (result_rule, doubting) = (found.section.settings.result_rule, found.section.settings.doubting);
        Ok(Resume { result_rule, doubting, ..resume_of(id, &game) })
    }

    pub(super) fn adopt(&mut self, unassigned: &str, game: &str) -> Result<(), Refusal> {
        let in_open_play = |found: &Found<'_>| found.section.settings.open_play && found.game.has_begun();
        if let Some(open) = self.hall.game(unassigned).filter(in_open_play) {
            // The game began in open play, before the section with pairings existed: it leaves open play first.
            let game = Arc::clone(&open.game.id);
            self.fact(Fact::Unpaired { game });
        }
        let (unassigned, known) = self
            .hall
            .unassigned
            .get_key_value(unassigned)
            .ok_or_else(|| Missing::UnassignedGame { name: shown(unassigned) })?;
        if let Some(adopted_as) = &known.adopted_as {
            let (unassigned, game) = (unassigned.to_string(), self.hall.game_text(adopted_as));
            return Err(Conflict::AdoptedAlready { unassigned, game }.into());
        }
        let found = self.found(game)?;
        if found.game.withdrawn || found.game.result.is_some() {
            return Err(Conflict::GameSettled { game: found.text() }.into());
        }
        if !found.round.published {
            return Err(Conflict::RoundNotPublic { round: found.round.number }.into());
        }
        let unknown = || Conflict::NothingRecorded { unassigned: unassigned.to_string() };
        let played = self.games.game(unassigned).ok_or_else(unknown)?;
        let (unassigned, id, board) = (Arc::clone(unassigned), Arc::clone(&found.game.id), Arc::clone(&known.board));
        if found.game.has_begun() {
            let plies = self.games.game(&id).map_or(0, |known| known.moves().len());
            self.ask(match plies {
                0 => Question::StartsAgain { game: self.hall.game_text(&id) },
                _ => Question::MovesReplaced { game: self.hall.game_text(&id), plies },
            });
        }
        self.take_over(&unassigned, &id, &board, &played)
    }

    /// An unassigned game becomes a pairing's game: its events are recorded again for that game, and its board plays it.
    pub(super) fn take_over(
        &mut self,
        unassigned: &Arc<str>,
        id: &Arc<str>,
        board: &Arc<str>,
        played: &Game,
    ) -> Result<(), Refusal> {
        let found = self.found(id)?;
        let before = self.games.game(id).filter(|known| found.game.has_begun() && !known.ended());
        let (section, round, state) = (Arc::clone(&found.section.slug), found.round.number, found.round.state);
        let day = found.game.day.or_else(|| found.section.day(self.now)).ok_or(Invalid::Date)?;
        // A game that is over leaves its board free for the next one.
        let here = !played.ended() && self.hall.playing(board).is_some_and(|playing| playing == unassigned);
        if state != RoundState::Running {
            self.fact(Fact::RoundState { section, round, state: RoundState::Running });
        }
        let live = Some(Arc::clone(board)).filter(|_| here);
        self.leave_board(id, board);
        self.fact(Fact::Began { board: live, game: Arc::clone(id), day });
        self.fact(Fact::Adopted { unassigned: Arc::clone(unassigned), game: Arc::clone(id) });
        let result = Score::of_outcome(played.result());
        if result.is_some() {
            self.fact(Fact::ResultSet { game: Arc::clone(id), result });
        } else if !here {
            self.fact(Fact::ResultMissing { game: Arc::clone(id) });
        }
        let found = self.found(id)?;
        let (at, tags) = (found.at(), tags_of(&self.persons, &found));
        let time_control = Controls::of_tags(&tags);
        let (result_rule, doubting) = (found.section.settings.result_rule, found.section.settings.doubting);
        let mut events = played_again(played, tags);
        if before.is_some_and(|before| before.fen() == played.fen()) {
            events.splice(..2, [Event::Retract { to_ply: 0 }]);
        }
        if result.is_some() {
            events.push(Event::Result { result: played.result(), reason: played.reason().to_owned() });
        }
        let (section, number) = (Arc::clone(&at.event), at.round);
        self.events(at, events);
        if let Some(over) = end_of_round(&self.hall, &section, number) {
            self.fact(over);
        }
        if here {
            let (game, variant) = (id.to_string(), played.variant());
            let assign = Assign { game, fen: None, variant, time_control, result_rule, doubting };
            self.notice(board, Notice::Assign(assign));
        }
        let (unassigned, game) = (unassigned.to_string(), self.hall.game_text(id));
        self.note(Note::Adopted { unassigned, game, moves: played.moves().len() });
        Ok(())
    }

    /// The boards on which games run that have no move, with what is known of these games.
    pub(super) fn boards_that_stand_ready(&self, games: &[Arc<str>]) -> Vec<(Arc<str>, Game)> {
        let on_board = |id: &Arc<str>| Some((Arc::clone(self.hall.on_board(id)?), self.games.game(id)?));
        games.iter().filter_map(on_board).filter(|(_, started)| !started.ended()).collect()
    }

    /// The start position on a board belongs to no pairing any more: its game is unassigned, and a round that is armed later
    /// adopts it.
    pub(super) fn stand_apart(&mut self, board: &Arc<str>, started: &Game) {
        let Some(id) = free_id(&self.hall, |count| apart_id(board, count)) else { return };
        self.fact(Fact::Unassigned { board: Arc::clone(board), game: Arc::clone(&id) });
        let Some(at) = self.hall.game_ref(&id) else { return };
        let (fen, variant) = (started.fen().to_owned(), started.variant());
        let start = Event::GameStarted { fen, variant };
        self.events(at, [start].into_iter().chain(started.clock().map(clock_event)).collect());
        self.notice(board, Notice::Assign(Assign { game: id.to_string(), variant, ..Assign::default() }));
    }

    /// For a round that is armed after play began: a board in the start position begins its game, and a board with moves
    /// is noted, so that its game can be adopted.
    pub(super) fn adopt_starts(&mut self, slug: &str, number: u32) -> Result<(), Refusal> {
        let (section, round) = self.round(slug, number)?;
        let games = round.games.iter().filter(|game| game.is_expected()).map(|game| Found { section, round, game });
        let expected: Vec<_> = games
            .filter_map(|found| Some((Arc::clone(self.hall.board_of(&found)?), Arc::clone(&found.game.id))))
            .collect();
        for (board, id) in expected {
            self.adopt_start(&board, &id)?;
        }
        Ok(())
    }

    /// The same for boards that got their tables after the rounds were armed. What was played on a board without a table
    /// since then is the game of its table.
    fn adopt_starts_on(&mut self, boards: &[Arc<str>]) -> Result<(), Refusal> {
        for board in boards {
            let Some((apart, played)) = self.apart_on(board) else { continue };
            let Some(next) = next_game(&self.hall, board, played.fen(), self.now) else { continue };
            let (id, armed) = (Arc::clone(&next.game.id), next.round.armed);
            let since = self.hall.unassigned.get(&apart).and_then(|known| known.before_table);
            if since.is_some_and(|since| armed.is_some_and(|armed| armed <= since)) {
                self.take_over(&apart, &id, board, &played)?;
            } else {
                self.adopt_start(board, &id)?;
            }
        }
        Ok(())
    }

    /// The running game on a board that belongs to no pairing: an unassigned one or one of open play.
    fn apart_on(&self, board: &str) -> Option<(Arc<str>, Game)> {
        let playing = self.hall.playing(board)?;
        let unassigned = self.hall.unassigned.get(playing).is_some_and(|known| known.adopted_as.is_none());
        if !unassigned && self.open_play_on(board).is_none() {
            return None;
        }
        Some((Arc::clone(playing), self.games.game(playing)?))
    }

    fn adopt_start(&mut self, board: &Arc<str>, id: &Arc<str>) -> Result<(), Refusal> {
        let Some((apart, played)) = self.apart_on(board).filter(|(_, played)| !played.ended()) else { return Ok(()) };
        if played.moves().is_empty() && self.found(id)?.round.starts_from(played.fen()) {
            if self.open_play_on(board).is_some() {
                self.fact(Fact::Unpaired { game: Arc::clone(&apart) });
            }
            return self.take_over(&apart, id, board, &played);
        }
        if played.moves().is_empty() {
            return Ok(());
        }
        let (board, unassigned, game) = (board.to_string(), apart.to_string(), self.hall.game_text(id));
        self.note(Note::EarlierMoves { board, unassigned, game, moves: played.moves().len() });
        Ok(())
    }
}

/// The events of a game with these tags from its start: start and tags, its moves, the last reading of its clock.
pub(super) fn played_again(played: &Game, tags: BTreeMap<String, String>) -> Vec<Event> {
    let mut events =
        vec![Event::GameStarted { fen: played.fen().to_owned(), variant: played.variant() }, Event::Tags { tags }];
    let unseen = |ply: u32| {
        let gap = played.resumed_gaps().into_iter().find(|gap| gap.after_ply == ply);
        gap.map(|gap| Event::Gap { after_ply: ply, fen: Some(gap.fen) })
    };
    events.extend(unseen(0));
    for (ply, played) in (1..).zip(played.moves()) {
        let (san, uci) = (played.san.to_string(), played.uci.to_string());
        events.push(Event::Move { ply, san, uci, clk_ms: played.clk_ms, emt_ms: played.emt_ms });
        events.extend(unseen(ply));
    }
    events.extend(played.clock().map(clock_event));
    events
}

fn clock_event(clock: &ClockRecord) -> Event {
    let ClockRecord { white_ms, black_ms, running, flag, read_at } = *clock;
    Event::Clock { white_ms, black_ms, running, flag, read_at }
}

/// The later of the recorded reading of a clock and what it shows. While it runs, only presses are recorded.
fn latest(recorded: ClockRecord, shown: Option<ClockShown>) -> ClockRecord {
    match shown {
        Some(ClockShown { white_ms, black_ms, running, read_at }) if read_at >= recorded.read_at => {
            ClockRecord { white_ms, black_ms, running, read_at, ..recorded }
        }
        _ => recorded,
    }
}

/// A clock that is stopped now: the thinking time since its reading is spent.
fn stopped(clock: ClockRecord, now: UtcMs) -> ClockRecord {
    let Some(side) = clock.running else { return clock };
    let spent = now.saturating_sub(clock.read_at);
    let left = |of, ms: Option<u64>| if of == side { ms.map(|ms| ms.saturating_sub(spent)) } else { ms };
    let (white_ms, black_ms) = (left(Side::White, clock.white_ms), left(Side::Black, clock.black_ms));
    ClockRecord { white_ms, black_ms, running: None, read_at: now.max(clock.read_at), ..clock }
}

/// A game for the session that takes it over.
pub(super) fn resume_of(id: &str, game: &Game) -> Resume {
    let resumed = |played: &game_core::game::MoveRecord| ResumedMove {
        uci: played.uci.to_string(),
        clk_ms: played.clk_ms,
        emt_ms: played.emt_ms,
    };
    Resume {
        game: id.to_owned(),
        fen: game.fen().to_owned(),
        variant: game.variant(),
        moves: game.moves().iter().map(resumed).collect(),
        gaps: game.resumed_gaps(),
        time_control: Controls::of_tags(game.tags()),
        result: game.result().as_str().to_owned(),
        ..Resume::default()
    }
}

fn checked_table(table: u32) -> Result<(), Refusal> {
    if (1..=MAX_TABLE).contains(&table) { Ok(()) } else { Err(Invalid::TableNumber { most: MAX_TABLE }.into()) }
}

fn checked_serial(serial: &str) -> Result<Arc<str>, Refusal> {
    let sound = !serial.is_empty() && serial.len() <= MAX_SERIAL && serial.bytes().all(|byte| byte.is_ascii_graphic());
    if sound { Ok(serial.into()) } else { Err(Invalid::Serial.into()) }
}
