//! Which game begins when a start position comes onto a board, and which facts follow from a game's events.
//!
//! Must not know how positions are recognised.

use std::collections::BTreeMap;
use std::sync::Arc;

use game_core::controls::Controls;
use game_core::event::Event;
use game_core::input::{Assign, Doubting, ResultRule};
use notation::pgn::Outcome;

use super::fact::Fact;
use super::hall::{Found, Hall, UNASSIGNED};
use super::persons::Persons;
use super::round::{Pair, PairingState, RoundSettings, RoundState};
use super::round_progress::end_of_round;
use super::section::Section;
use super::tags::tags_of;
use crate::GameRef;
use game_core::time::UtcMs;
use pairings::score::Score;

/// What begins on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opening {
    /// A game.
    Game(OpenedGame),
    /// A game of no pairing, because none was armed for the board.
    Unassigned(OpenedGame),
    /// No game.
    None,
}

/// A game that begins on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedGame {
    /// Which one it is.
    pub game: GameRef,
    /// Its public tags; empty for an unassigned game.
    pub tags: BTreeMap<String, String>,
    /// Its time control, or one for each player.
    pub time_control: Option<Controls>,
    /// Which results need a person's confirmation.
    pub result_rule: ResultRule,
    /// What becomes of lines of play that are equally likely.
    pub doubting: Doubting,
    /// Facts to record with its start.
    pub facts: Vec<Fact>,
}

/// The game that begins when this start position comes onto a board.
pub fn open_game(hall: &Hall, persons: &Persons, board: &str, fen: &str, at: UtcMs) -> Opening {
    let opening = match next_game(hall, board, fen, at) {
        Some(found) => open(hall, persons, board, &found.game.id, at),
        None if hall.is_paired() => return open_unassigned(hall, board),
        None => open_play(hall, persons, board, at),
    };
    opening.map_or(Opening::None, Opening::Game)
}

/// The game without a move that a board has, when it begins anew because another start position was set up there: a game of a
/// pairing does, unless the position begins the board's next game.
pub fn begin_anew(hall: &Hall, persons: &Persons, board: &str, fen: &str, at: UtcMs) -> Option<OpenedGame> {
    let found = hall.game(hall.playing(board)?)?;
    let stays = found.game.state == PairingState::Playing && !found.section.settings.open_play;
    if !stays || next_game(hall, board, fen, at).is_some() {
        return None;
    }
    opened(hall, persons, &found.game.id, Vec::new())
}

/// The expected game of a pairing that begins when this start position is on a board.
pub(crate) fn next_game<'a>(hall: &'a Hall, board: &str, fen: &str, at: UtcMs) -> Option<Found<'a>> {
    let sections = hall.sections.values().filter(|section| !section.settings.open_play);
    let next = sections.filter_map(|section| next_in(hall, section, board));
    let next = next.filter(|found| found.round.starts_from(fen));
    // Two sections at one table: the nearer planned start wins, else the round that was armed later.
    next.min_by_key(|found| {
        let planned = found.round.settings.planned_start.map_or(u64::MAX, |planned| planned.abs_diff(at));
        (planned, std::cmp::Reverse(found.round.armed))
    })
}

/// The board's next game in a section: that of its lowest armed round whose game there is still expected.
fn next_in<'a>(hall: &'a Hall, section: &'a Section, board: &str) -> Option<Found<'a>> {
    let rounds = section.rounds.values().filter(|round| round.state.opens_games());
    let on_board = rounds.flat_map(|round| {
        let games = round.games.iter().map(move |game| Found { section, round, game });
        games.filter(|found| hall.board_of(found).is_some_and(|own| **own == *board))
    });
    let on_board: Vec<_> = on_board.collect();
    let begun = on_board.iter().filter(|found| found.game.has_begun()).map(|found| found.round.number).max();
    on_board.into_iter().find(|found| {
        // A round is skipped at a table that has begun a later one, and at all tables when a person armed a later round after
        // this one began: its missing games are not expected any more. A round that publishes itself says nothing about those
        // who come late to the one before, which ends when all games that were begun have.
        let at_table = begun.is_some_and(|begun| found.round.number < begun);
        let later = section.rounds.values().filter(|later| later.number > found.round.number);
        let in_section = later
            .filter(|later| later.state.opens_games())
            .any(|later| found.round.began.is_some_and(|began| later.armed > Some(began)));
        found.game.is_expected() && !at_table && (!in_section || section.settings.auto_publish)
    })
}

fn open(hall: &Hall, persons: &Persons, board: &str, id: &str, at: UtcMs) -> Option<OpenedGame> {
    let found = hall.game(id)?;
    let (section, round) = (Arc::clone(&found.section.slug), found.round.number);
    let day = found.section.day(at)?;
    let mut facts: Vec<_> = left_behind(hall, board).into_iter().collect();
    if found.round.state != RoundState::Running {
        facts.push(Fact::RoundState { section, round, state: RoundState::Running });
    }
    facts.push(Fact::Began { board: Some(board.into()), game: Arc::clone(&found.game.id), day });
    let mut after = hall.clone();
    after.apply_all(&facts);
    opened(&after, persons, id, facts)
}

/// Without pairings: the day's round, and a game of its own for each start position.
fn open_play(hall: &Hall, persons: &Persons, board: &str, at: UtcMs) -> Option<OpenedGame> {
    let section = hall.sections.values().find(|section| section.settings.open_play)?;
    let (slug, day) = (&section.slug, section.day(at)?);
    let today = section.rounds.values().find(|round| round.settings.date == Some(day)).map(|round| round.number);
    let mut facts: Vec<_> = left_behind(hall, board).into_iter().collect();
    let round = today.unwrap_or_else(|| section.rounds.last_key_value().map_or(1, |(last, _)| last + 1));
    if today.is_none() {
        let settings = RoundSettings { date: Some(day), ..RoundSettings::default() };
        let yesterday = section.rounds.values().filter(|round| round.state != RoundState::Finished);
        facts.extend(yesterday.map(|round| Fact::RoundState {
            section: Arc::clone(slug),
            round: round.number,
            state: RoundState::Finished,
        }));
        facts.push(Fact::RoundSet { section: Arc::clone(slug), round, settings });
        facts.push(Fact::RoundState { section: Arc::clone(slug), round, state: RoundState::Running });
    }
    let number = *hall.numbers.get(board)?;
    let date = day.format("%Y%m%d");
    let game: Arc<str> = free_id(hall, |count| format!("{board}-{date}-{count}"))?;
    let pair = Pair { number, ..Pair::default() };
    facts.push(Fact::Paired { section: Arc::clone(slug), round, game: Arc::clone(&game), pair });
    facts.push(Fact::Began { board: Some(board.into()), game: Arc::clone(&game), day });
    let mut after = hall.clone();
    after.apply_all(&facts);
    opened(&after, persons, &game, facts)
}

fn opened(after: &Hall, persons: &Persons, id: &str, facts: Vec<Fact>) -> Option<OpenedGame> {
    let found = after.game(id)?;
    let time_control = found.controls();
    let (result_rule, doubting) = (found.section.settings.result_rule, found.section.settings.doubting);
    Some(OpenedGame { game: found.at(), tags: tags_of(persons, &found), time_control, result_rule, doubting, facts })
}

fn open_unassigned(hall: &Hall, board: &str) -> Opening {
    let Some(game) = free_id(hall, |count| apart_id(board, count)) else { return Opening::None };
    let mut facts: Vec<_> = left_behind(hall, board).into_iter().collect();
    facts.push(Fact::Unassigned { board: board.into(), game: Arc::clone(&game) });
    let game = GameRef { game, event: UNASSIGNED.into(), round: 1, table: hall.table_of(board).unwrap_or(1) };
    Opening::Unassigned(OpenedGame {
        game,
        tags: BTreeMap::new(),
        time_control: None,
        result_rule: ResultRule::default(),
        doubting: Doubting::default(),
        facts,
    })
}

/// For the previous game of a board that has no result.
fn left_behind(hall: &Hall, board: &str) -> Option<Fact> {
    let found = hall.game(hall.playing(board)?)?;
    let missing = found.game.state == PairingState::Playing;
    missing.then(|| Fact::ResultMissing { game: Arc::clone(&found.game.id) })
}

/// The id of an unassigned game on a board.
pub(crate) fn apart_id(board: &str, count: u32) -> String {
    format!("{board}-apart-{count}")
}

pub(crate) fn free_id(hall: &Hall, id: impl Fn(u32) -> String) -> Option<Arc<str>> {
    (1..=u32::MAX).map(id).find(|id| !hall.knows_id(id)).map(Into::into)
}

/// The start position of a board's next game if one was set for its round, for the board's session.
pub fn expected(hall: &Hall, board: &str) -> Option<Assign> {
    let sections = hall.sections.values().filter(|section| !section.settings.open_play);
    let next = sections.filter_map(|section| next_in(hall, section, board));
    let next = next.max_by_key(|found| found.round.armed)?;
    let start = next.round.start.as_ref()?;
    Some(Assign { fen: Some(start.fen.clone()), variant: start.variant, ..usual_start(hall, board) })
}

/// The same for a game from the usual position: the game that the board plays.
pub(super) fn usual_start(hall: &Hall, board: &str) -> Assign {
    let Some(game) = hall.playing(board) else { return Assign::default() };
    // What is played without a pairing goes on, too.
    let Some(found) = hall.game(game) else { return Assign { game: game.to_string(), ..Assign::default() } };
    Assign {
        game: found.game.id.to_string(),
        time_control: found.controls(),
        result_rule: found.section.settings.result_rule,
        doubting: found.section.settings.doubting,
        ..Assign::default()
    }
}

/// That a game began on the day of its first move, where its pieces were set up on an earlier one.
pub fn played_on(hall: &Hall, at: &GameRef, event: &Event, when: UtcMs) -> Option<Fact> {
    let Event::Move { ply: 1, .. } = event else { return None };
    let found = hall.game(&at.game).filter(|found| found.game.state == PairingState::Playing)?;
    let day = found.section.day(when).filter(|day| found.game.day.is_some_and(|known| known < *day))?;
    let board = hall.board_of(&found).filter(|board| hall.playing(board).is_some_and(|game| *game == at.game));
    Some(Fact::Began { board: board.cloned(), game: Arc::clone(&found.game.id), day })
}

/// The facts that follow from an event of a board's session: a result, an end without one, the end of the round.
pub fn follow(hall: &Hall, at: &GameRef, event: &Event) -> Vec<Fact> {
    let Some(found) = hall.game(&at.game) else { return Vec::new() };
    let (id, before) = (Arc::clone(&found.game.id), found.game.result);
    let fact = match event {
        Event::Result { result, .. } if *result != before.map_or(Outcome::Unknown, Score::outcome) => {
            Fact::ResultSet { game: id, result: Score::of_outcome(*result) }
        }
        Event::GameEnded if found.game.state == PairingState::Playing => Fact::ResultMissing { game: id },
        _ => return Vec::new(),
    };
    let mut after = hall.clone();
    after.apply(&fact);
    let over = end_of_round(&after, &found.section.slug, found.round.number);
    [fact].into_iter().chain(over).collect()
}
