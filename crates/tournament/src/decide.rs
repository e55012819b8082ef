//! Decides an order: facts, events of games and commands to boards, or a refusal, which changes nothing.
//!
//! Pure: the hall, the persons and the games come in, the decision goes out; the caller records it in one commit. Tags of
//! games are not part of the orders: [`tag_events`] derives them from the difference that the facts make.

mod boards;
mod correct;
mod first_move;
mod load;
mod loaded_boards;
mod loaded_players;
mod moves;
mod pairs;
mod players;
mod questions;
mod rounds;
mod settings;
mod sources;
mod tag_events;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use coded_text::CodedText;
use game_core::event::Event;
use game_core::game::Game;
use game_core::input::Notice;

pub use tag_events::{has_address, is_shown};

use super::fact::{Correction, Fact};
use super::hall::{Found, Hall};
use super::order::Order;
use super::person::{PersonRecord, PlayerId};
use super::persons::Persons;
use super::ready::ClockShown;
use super::refusal::{Conflict, Missing, Refusal, shown};
use super::round::{Pairing, Round};
use super::section::Section;
use super::undo::Undo;
use crate::GameRef;
use game_core::time::UtcMs;

/// The present state of games.
pub trait GamesKnown {
    /// A game by its id, with every event so far, committed or not; none without an event.
    fn game(&self, id: &str) -> Option<Game>;

    /// What the clock of a board shows now, which no event of its game may say; none when it is not known.
    fn clock(&self, board: &str) -> Option<ClockShown> {
        let _ = board;
        None
    }
}

/// For tests and first orders.
impl GamesKnown for BTreeMap<String, Game> {
    fn game(&self, id: &str) -> Option<Game> {
        self.get(id).cloned()
    }
}

/// What an order leads to. Recorded in one commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    /// Facts of the hall, in order.
    pub facts: Vec<Fact>,
    /// Changed persons; none removes a person.
    pub persons: Vec<(PlayerId, Option<PersonRecord>)>,
    /// Events of games, in order.
    pub games: Vec<(GameRef, Vec<Event>)>,
    /// Messages to the sessions of boards, by serial number.
    pub boards: Vec<(Arc<str>, Notice)>,
    /// For the operator: what changes, and what to check.
    pub notes: Vec<CodedText>,
}

/// Decides an order at this hall time.
///
/// # Errors
/// A [`Refusal`], which changes nothing.
pub fn decide(
    hall: &Hall,
    persons: &Persons,
    games: &dyn GamesKnown,
    now: UtcMs,
    order: &Order,
) -> Result<Decision, Refusal> {
    let mut work = Work::begin(hall, persons, games, now);
    work.carry_out(order)?;
    if order.is_confirmed() {
        work.answer();
    }
    work.add_tag_events();
    let Work { questions, decision, .. } = work;
    if questions.is_empty() { Ok(decision) } else { Err(Refusal::Unconfirmed { questions }) }
}

/// What follows when the first move of a game is made on a board, before that move is recorded: it may be a move of another
/// game than the one that began there when the pieces were set up.
///
/// # Errors
/// A [`Refusal`], which changes nothing.
pub fn first_move(
    hall: &Hall,
    persons: &Persons,
    games: &dyn GamesKnown,
    now: UtcMs,
    board: &str,
) -> Result<Decision, Refusal> {
    let mut work = Work::begin(hall, persons, games, now);
    work.first_move(board)?;
    work.add_tag_events();
    Ok(work.decision)
}

/// What an order would change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// What would change, and what to check.
    pub notes: Vec<CodedText>,
    /// What would have to be confirmed.
    pub questions: Vec<CodedText>,
}

/// What an order would change and what would have to be confirmed, in sentences.
///
/// # Errors
/// A [`Refusal`] that a confirmation cannot change.
pub fn preview(
    hall: &Hall,
    persons: &Persons,
    games: &dyn GamesKnown,
    now: UtcMs,
    order: &Order,
) -> Result<Preview, Refusal> {
    let mut work = Work::begin(hall, persons, games, now);
    work.carry_out(order)?;
    Ok(Preview { notes: work.decision.notes, questions: work.questions })
}

/// A decision in the making.
struct Work<'a> {
    /// With the facts so far.
    hall: Hall,
    persons: Persons,
    /// Before the order.
    before: (&'a Hall, &'a Persons),
    games: &'a dyn GamesKnown,
    now: UtcMs,
    /// What has to be confirmed.
    questions: Vec<CodedText>,
    /// Questions of one kind, which become one question.
    alike: BTreeMap<Cow<'static, str>, Vec<CodedText>>,
    decision: Decision,
}

impl<'a> Work<'a> {
    fn begin(hall: &'a Hall, persons: &'a Persons, games: &'a dyn GamesKnown, now: UtcMs) -> Self {
        Self {
            hall: hall.clone(),
            persons: persons.clone(),
            before: (hall, persons),
            games,
            now,
            questions: Vec::new(),
            alike: BTreeMap::new(),
            decision: Decision::default(),
        }
    }
}

impl Work<'_> {
    fn carry_out(&mut self, order: &Order) -> Result<(), Refusal> {
        match order {
            Order::SetTournament { tournament, settings } => self.set_tournament(tournament, settings),
            Order::SetSection { section, settings, .. } => self.set_section(section, settings),
            Order::EndEvent { section, .. } => self.end_event(section),
            Order::ResumeEvent { section } => self.resume_event(section),
            Order::RemoveSection { section } => self.remove_section(section),
            Order::RestoreSection { section } => self.restore_section(section),
            Order::SetRound { section, round, settings } => self.set_round(section, *round, settings),
            Order::SetBoardDelay { section, board, delay } => self.set_board_delay(section, *board, *delay),
            Order::SetStart { section, round, start } => self.set_start(section, *round, start.as_ref()),
            Order::LoadPairings { section, files, round, .. } => self.load_pairings(section, files, *round),
            // The director puts the files in its place when some wait.
            Order::ConfirmPairings { section } => Err(Conflict::PairingsNotWaiting { section: shown(section) }.into()),
            Order::Pair { section, round, number, white, black, boardless, .. } => {
                self.pair(section, *round, *number, [*white, *black], *boardless)
            }
            Order::Unpair { game, .. } => self.unpair(game),
            Order::SetBye { section, round, player, kind } => self.set_bye(section, *round, *player, *kind),
            Order::SetPlayers { game, white, black, .. } => self.set_players(game, [*white, *black]),
            Order::ExchangePlayers { section, round, one, other } => {
                self.exchange_players(section, *round, *one, *other)
            }
            Order::AddPlayer { section, person, number } => self.add_player(section, person, *number),
            Order::RemovePlayer { player } => self.remove_player(*player),
            Order::SetPlayer { player, person } => self.set_player(*player, person),
            Order::RestorePlayer { player } => self.restore_player(*player),
            Order::SetDisplay { player, display } => self.set_display(*player, *display),
            Order::Forget { player } => self.forget(*player),
            Order::Publish { section, round, .. } => self.publish(section, *round),
            Order::Unpublish { section, round, .. } => self.unpublish(section, *round),
            Order::Arm { section, round, .. } => self.arm(section, *round),
            Order::Finish { section, round } => self.finish(section, *round),
            Order::Reopen { section, round } => self.reopen(section, *round),
            Order::RegisterBoard { board } => self.register_board(board),
            Order::IgnoreSquares { board, squares } => self.ignore_squares(board, squares),
            Order::GoOn { board } => self.go_on(board),
            Order::StartFrom { board, fen, variant } => self.start_from(board, fen, *variant),
            Order::SeatBoards { seats } => self.seat_boards(seats),
            Order::AssignBySerial { boards } => self.assign_by_serial(boards),
            Order::IdentifyTable { table } => self.identify_table(*table),
            Order::SwapBoard { game, board, exchange } => self.swap_board(game, board, *exchange),
            Order::Adjourn { game } => self.adjourn(game),
            Order::Resume { game, board } => self.resume(game, board.as_deref()),
            Order::Adopt { unassigned, game, .. } => self.adopt(unassigned, game),
            Order::SetResult { game, result, reason, .. } => self.set_result(game, result, reason.as_deref()),
            Order::EditMoves { game, edit, cut } => self.edit_moves(game, edit, *cut),
            Order::SetClock { game, ply, clk_ms, emt_ms } => self.set_clock(game, *ply, *clk_ms, *emt_ms),
            Order::SetTags { game, tags } => self.set_tags(game, tags),
            Order::Withdraw { game } => self.set_withdrawn(game, true),
            Order::Restore { game } => self.set_withdrawn(game, false),
            Order::TakeMoves { game, source, moves, start, result } => {
                self.take_moves(game, source, moves, start.as_ref(), result.as_deref())
            }
            Order::Note { what } => self.write_note(what),
            Order::Undo { number } => self.undo(*number),
        }
    }

    fn fact(&mut self, fact: Fact) {
        self.hall.apply(&fact);
        self.decision.facts.push(fact);
    }

    fn person(&mut self, id: PlayerId, record: Option<PersonRecord>) {
        self.persons.set(id, record.clone());
        self.decision.persons.push((id, record));
    }

    fn events(&mut self, game: GameRef, events: Vec<Event>) {
        self.decision.games.push((game, events));
    }

    fn notice(&mut self, board: &Arc<str>, notice: Notice) {
        self.decision.boards.push((Arc::clone(board), notice));
    }

    fn note(&mut self, note: impl Into<CodedText>) {
        self.decision.notes.push(note.into());
    }

    fn ask(&mut self, question: impl Into<CodedText>) {
        self.questions.push(question.into());
    }

    /// Confirmed questions become notes.
    fn answer(&mut self) {
        self.decision.notes.append(&mut self.questions);
    }

    /// A line of the history, with what takes it back.
    fn corrected(&mut self, what: impl Into<CodedText>, game: Option<Arc<str>>, undo: Option<Undo>) {
        let (number, what) = (self.hall.next_correction(), Box::new(what.into()));
        self.fact(Fact::Corrected(Correction { number, what, game, undo, undoes: None }));
    }

    fn section(&self, slug: &str) -> Result<&Section, Refusal> {
        self.hall.section(slug).ok_or_else(|| Missing::Section { name: shown(slug) }.into())
    }

    fn round(&self, section: &str, number: u32) -> Result<(&Section, &Round), Refusal> {
        let section = self.section(section)?;
        let round = section.rounds.get(&number);
        Ok((section, round.ok_or_else(|| Missing::Round { name: number.to_string() })?))
    }

    /// The board whose session still has a game, so that corrections go through it.
    fn live_board(&self, found: &Found<'_>) -> Option<Arc<str>> {
        let board = self.hall.live_board(found)?;
        self.games.game(&found.game.id).is_none_or(|game| !game.ended()).then(|| Arc::clone(board))
    }

    /// How many moves of a game are recorded.
    fn plies(&self, game: &Pairing) -> usize {
        if !game.has_begun() {
            return 0;
        }
        self.games.game(&game.id).map_or(0, |played| played.moves().len())
    }

    fn found(&self, game: &str) -> Result<Found<'_>, Refusal> {
        // A bye is not a game and has no id.
        self.hall.game(game).ok_or_else(|| Missing::Game { name: shown(game) }.into())
    }
}
