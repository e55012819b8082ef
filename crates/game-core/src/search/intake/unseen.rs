//! Games that begin, or go on, without having been seen from their start: found by the board's own log, or from what stands there.
//!
//! Knows messages. Must not know hypotheses.

use std::num::NonZeroU32;

use dgt_protocol::{EventLog, Field, PieceCode};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Position, Rank, Setup, Square,
};

use super::super::ending::board_view;
use super::super::game::{Game, NextLog, NextStart};
use super::super::history::{Event, shown_by};
use super::super::onward::Supposed;
use super::super::shown::Shown;
use super::super::tell::decide;
use super::super::{Search, log, weights as w};
use super::{Alone, Intake};
use crate::event::Variant;
use crate::placement::Placement;

impl Intake {
    pub(super) fn log(&mut self, search: &mut Search, now: u64, log: &EventLog) {
        // It tells how the other game was set up there.
        if self.shows_other() {
            return;
        }
        let Some(game) = search.game.as_deref_mut() else {
            self.join(search, now, log);
            return;
        };
        let Some((mut told, place)) = log::beyond(log, &game.history) else { return };
        let start = self.next_start();
        let next = next_in_log(game, &told, place, start.board()).and_then(|(from, rotated)| {
            let (_, _, stood) = game.history.around(place)?;
            let again =
                rotated == game.rotated && log::comes_near(&told[from..], start.board(), &stood.shown, game.rotated);
            Some((again, rotated, told.split_off(from)))
        });
        if matches!(next, Some((true, ..))) {
            return;
        }
        let next = next.zip(game.history.last_gap_at()).map(|((_, rotated, told), since)| NextStart {
            since,
            start,
            variant: self.next_variant(),
            rotated,
            log: NextLog::Told(told),
            played_to: usize::MAX,
        });
        game.splice(&told, place, next);
        // Which plies the presses in the log ended is known once all of it is taken.
        game.catch_up_at_once();
    }

    /// The next game, which began while the board was out of reach, begins with what was heard since, once the search has come to
    /// the end of the last one and the log is not waited for. Returns whether it has.
    pub(in crate::search) fn begin_awaited(&mut self, search: &mut Search, now: u64) -> bool {
        let unended = search.ended.as_mut().and_then(|ended| ended.unended.as_deref_mut());
        let Some(last) = search.game.as_deref_mut().or(unended).filter(|last| !last.is_behind()) else { return false };
        let Some(next) = last.next_start.as_deref().filter(|next| next.log != NextLog::Awaited) else { return false };
        let NextStart { since, start, variant, rotated, log, .. } = next.clone();
        let told = if let NextLog::Told(told) = log {
            last.find_logged_mate();
            last.find_logged_sign();
            told
        } else {
            Vec::new()
        };
        let heard = last.history.since_dump(since);
        let told: Vec<_> = told.into_iter().map(|event| (since, event)).chain(heard).collect();
        search.end_unshown();
        self.rotated = rotated;
        search.begin(self.new_game(since, start, variant, rotated));
        if let Some(game) = search.game.as_deref_mut() {
            if self.running || told.iter().any(|(_, event)| matches!(event, Event::Press { .. })) {
                game.observe(since, Event::Runs(true));
            }
            for (at, event) in told {
                game.observe(at, event);
            }
            if let Some(fields) = self.fields {
                game.observe(now, Event::Dump(Box::new(fields)));
            }
        }
        true
    }

    /// The board says something while no game is played.
    pub(super) fn hear_alone(&mut self, search: &mut Search, now: u64, event: Event) {
        let press = matches!(event, Event::Press { .. });
        let (board, started) = (event.is_board(), event == Event::Runs(true));
        if self.heard_alone.len() < w::KEPT && (press || matches!(event, Event::Square(..))) {
            self.heard_alone.push((now, event.clone()));
        }
        if let Some(ended) = &mut search.ended {
            ended.hear(now, event);
        }
        if press {
            self.pressed_alone(search, now);
        } else if board {
            self.moved_alone(search, now);
        } else if started {
            search.go_on_after_end();
        }
    }

    /// A player pressed, and the beginning of this game is unknown.
    fn pressed_alone(&mut self, search: &mut Search, now: u64) {
        if !self.put_down_unseen() && !self.waits_for_log {
            self.begin_unseen(search, now);
        }
    }

    /// Pieces moved while no clock runs, and no game is known: follows it from what stood there, once a line of two plies of each player
    /// is sure. Where so many changes are none, what stands there now may be a position. Where a clock stands only a game from its start
    /// is played, by players who leave it alone: anything else is analysis.
    fn moved_alone(&mut self, search: &mut Search, now: u64) {
        if self.running || self.waits_for_log {
            return;
        }
        self.note_nearly_set_up(search, now);
        let Some(alone) = self.stood_alone.as_deref() else { return };
        let put = |(_, event): &&(u64, Event)| matches!(event, Event::Square(_, piece) if *piece != PieceCode::Empty);
        if self.heard_alone.iter().filter(put).count() < w::BORNE_OUT as usize {
            return;
        }
        let nearly = self.nearly_begun(search, alone);
        // A start is given up later than another position.
        let most = if nearly.is_some() { w::TWICE as usize * w::STRETCH } else { w::STRETCH };
        let games = match nearly {
            Some(game) => vec![(true, game)],
            None if self.has_clock() => Vec::new(),
            None => self.of_either_side(alone),
        };
        let sure = |(nearly, mut game): (bool, Game)| {
            for (at, event) in &self.heard_alone {
                game.observe(*at, event.clone());
            }
            game.catch_up();
            let sure = decide(&game, now).is_some_and(|decision| game.lines.depth(decision.tell) >= w::BORNE_OUT);
            let best = game.likeliest(now).filter(|best| sure && !best.off)?;
            (nearly || best.faulty == best.blind).then_some((best.cost, game))
        };
        let found = games.into_iter().filter_map(sure).min_by_key(|(cost, _)| *cost);
        if let Some((_, game)) = found {
            self.rotated = game.rotated;
            search.begin(game);
        } else if self.heard_alone.len() >= most
            && self.lifted.is_empty()
            && let Some(fields) = self.fields
        {
            self.heard_alone.clear();
            self.stood_alone = Some(Box::new(Alone { at: now, fields }));
        }
    }

    /// A start of which a few squares are wrong may be all that a board with a faulty square ever shows.
    fn note_nearly_set_up(&mut self, search: &Search, now: u64) {
        let Some(fields) = self.fields else { return };
        let Some(wrong) = self.wrong_of_start(search, &fields) else { return };
        let before = self.stood_alone.as_deref().and_then(|alone| self.wrong_of_start(search, &alone.fields));
        if before.is_none_or(|before| wrong <= before) {
            self.heard_alone.clear();
            self.stood_alone = Some(Box::new(Alone { at: now, fields }));
        }
    }

    /// On how many squares these fields differ from a start, if on a few.
    fn wrong_of_start(&self, search: &Search, fields: &[PieceCode; 64]) -> Option<usize> {
        let (start, _, rotated) = self.start(search, fields, w::MANY_SQUARES)?;
        Some(shown_by(fields, rotated).differs(start.board()).count())
    }

    /// The game from its start that stood there but for a few squares.
    fn nearly_begun(&self, search: &Search, alone: &Alone) -> Option<Game> {
        let (start, variant, rotated) = self.start(search, &alone.fields, w::MANY_SQUARES)?;
        let mut game = self.new_game(alone.at, start, variant, rotated);
        game.suspect(board_view(search.suspects, rotated));
        game.begin_with(alone.at, &alone.fields);
        Some(game)
    }

    /// The games of either side to move from what stood there.
    fn of_either_side(&self, alone: &Alone) -> Vec<(bool, Game)> {
        let board = Placement::from_fields(&alone.fields, self.rotated).board();
        let start = |turn: Color| placed(board.clone(), turn, NonZeroU32::MIN);
        let game = |start| Game::new(alone.at, start, Variant::Standard, self.rotated, !self.rotated);
        Color::ALL.into_iter().filter_map(start).map(|start| (false, game(start))).collect()
    }

    /// Where more of some piece stand than when the board was first seen, one of them was in a hand then. From where it came is not
    /// known: it is taken to have stood there from the beginning, and its ply and this press are not heard. Whether that is so.
    fn put_down_unseen(&mut self) -> bool {
        let (Some(fields), Some(alone)) = (&self.fields, &mut self.stood_alone) else { return false };
        let Some(extra) = beyond(fields, &alone.fields) else { return false };
        let put = self.heard_alone.iter().filter_map(|(_, event)| match event {
            Event::Square(field, piece) if *piece == extra => Some(*field),
            _ => None,
        });
        let put: Vec<Field> = put.collect();
        let Some(last) = put.last() else { return false };
        alone.fields[last.index()] = extra;
        self.heard_alone.pop();
        self.heard_alone.retain(|(_, event)| !matches!(event, Event::Square(field, _) if put.contains(field)));
        true
    }

    /// Pieces moved at a table whose clock runs: follows the game from there, without its beginning, once its plies and presses tell
    /// which player sits at which side of the clock.
    fn begin_unseen(&self, search: &mut Search, now: u64) {
        let (Some(fields), true) = (self.fields, self.running) else { return };
        let likely = self.white_left(self.rotated, Color::White);
        let least = |white_left: bool| self.unseen_games(white_left).into_iter().min_by_key(|(cost, _)| *cost);
        let turned = least(!likely).map(|(cost, game)| (cost + w::OFTEN, game));
        let presses = self.heard_alone.iter().filter(|(_, event)| matches!(event, Event::Press { .. })).count();
        let (_, mut game) = match (least(likely), turned) {
            (Some(likely), Some(turned)) => {
                if (likely.0 - turned.0).abs() < w::RARE && presses < w::FEW_SQUARES {
                    return;
                }
                if likely.0 <= turned.0 { likely } else { turned }
            }
            (likely, turned) => {
                let Some(only) = likely.or(turned) else { return };
                only
            }
        };
        game.observe(now, Event::Dump(Box::new(fields)));
        search.begin(game);
    }

    /// The games that may have been heard from what stood there first, with their costs, if White sits at this side of the clock: who
    /// pressed first had the move, and may have taken a pawn in passing.
    fn unseen_games(&self, white_left: bool) -> Vec<(w::Cost, Game)> {
        let pressed = self.heard_alone.iter().find_map(|(_, event)| match event {
            Event::Press { left } => Some(*left),
            _ => None,
        });
        let (Some(alone), Some(left)) = (self.stood_alone.as_deref(), pressed) else { return Vec::new() };
        let board = Placement::from_fields(&alone.fields, self.rotated).board();
        let Some(start) = placed(board, Color::from_white(left == white_left), NonZeroU32::MIN) else {
            return Vec::new();
        };
        let passed = after_double_steps(&start).into_iter().map(|start| (w::OFTEN, start)).collect::<Vec<_>>();
        let game = |(cost, start)| {
            let mut game = Game::new(alone.at, start, Variant::Standard, self.rotated, white_left);
            game.observe(alone.at, Event::Runs(true));
            for (at, event) in &self.heard_alone {
                game.observe(*at, event.clone());
            }
            (cost + game.beam.cost(), game)
        };
        std::iter::once((0, start)).chain(passed).map(game).collect()
    }

    /// Games that go on from what stands there with either side to move, the likeliest first: the last move may not be pressed yet.
    pub(in crate::search) fn standing(&self, search: &Search, now: u64) -> Vec<Game> {
        self.placed_games(search, now, self.rotated, false, true)
    }

    /// A game that goes on from a position: on the same board as this one, between the same players.
    pub(in crate::search) fn goes_on_from(&self, game: &Game, now: u64, position: Chess, rotated: bool) -> Game {
        let mut placed = Game::new(now, position, game.variant, rotated, self.white_left_in(game, rotated));
        if rotated == game.rotated {
            placed.suspect(game.suspects());
        }
        placed.declare_blind(self.blind);
        if self.running && self.right_up.is_some() {
            placed.observe(now, Event::Runs(true));
        }
        placed
    }

    /// Whether White sits at the clock's left side in a game. Where the pieces were turned, the clock was not.
    fn white_left_in(&self, game: &Game, rotated: bool) -> bool {
        let seated = game.beam.best().map_or(!self.rotated, |best| best.white_left);
        seated == (rotated == game.rotated)
    }

    /// Games that go on from what stands there, of this game or of the `next` one: with the side to move that the clock shows, or with
    /// `either`, by an order at any moment: a piece in a hand belongs where it stood.
    fn placed_games(&self, search: &Search, now: u64, rotated: bool, next: bool, either: bool) -> Vec<Game> {
        let (Some(mut fields), Some(game)) = (self.fields, search.game.as_deref()) else { return Vec::new() };
        let lifted = self.lifted.iter().filter(|_| either);
        for &(field, piece) in lifted.clone() {
            fields[field.index()] = piece;
        }
        let white_left = self.white_left_in(game, rotated);
        let shown = self.right_up.filter(|_| self.running);
        let turn = shown.map(|right_up| if right_up == white_left { Color::Black } else { Color::White });
        let last = game.position(game.told);
        let begin = |turn: Color| {
            // Numbers go on where they stopped.
            let next_move = last.turn().is_black() && turn.is_white();
            let go_on = last.fullmoves().saturating_add(u32::from(next_move));
            let fullmoves = if next { NonZeroU32::MIN } else { go_on };
            let board = Placement::from_fields(&fields, rotated).board();
            let mut placed = self.goes_on_from(game, now, placed(board, turn, fullmoves)?, rotated);
            for &(field, _) in lifted.clone() {
                placed.observe(now, Event::Square(field, PieceCode::Empty));
            }
            Some(placed)
        };
        // Where no clock tells it, the likeliest comes first.
        let likeliest = game.likeliest(now).map_or(Color::White, |best| best.position.turn());
        let first = turn.unwrap_or(likeliest);
        let other = Some(!first).filter(|_| either || turn.is_none());
        std::iter::once(first).chain(other).filter_map(begin).collect()
    }

    /// The games that what stands there may belong to, where no line explains it: the likeliest first.
    pub(in crate::search) fn supposed(&self, search: &Search, now: u64) -> Vec<Supposed> {
        let turned = self.is_turned(search);
        let is_next = turned || self.has_more_pieces(search);
        let placed = self.placed_games(search, now, self.rotated != turned, is_next, false);
        let placed = placed.into_iter().map(|game| Supposed { game, is_next, from_start: false });
        let most = if is_next { w::STRETCH } else { w::MANY_SQUARES };
        self.next_game(search, now, most)
            .map(|game| Supposed { game, is_next: true, from_start: true })
            .into_iter()
            .chain(placed)
            .collect()
    }

    /// Whether the pieces were set up the other way round: three in four of each player's men, and many, stand on the half that is
    /// the other player's in the game.
    fn is_turned(&self, search: &Search) -> bool {
        let (Some(fields), Some(game)) = (&self.fields, search.game.as_deref()) else { return false };
        let shown = Placement::from_fields(fields, game.rotated).board();
        let away = |color: Color| {
            let men = shown.by_color(color);
            let half = color.fold_wb(Bitboard::NORTH, Bitboard::SOUTH);
            men.count() > w::MANY_SQUARES && (men & !half).count() * w::FEW_SQUARES <= men.count()
        };
        Color::ALL.into_iter().all(away)
    }

    /// Whether more pieces stand there than the game can have: what was captured does not come back, but for a ply that is taken
    /// back.
    fn has_more_pieces(&self, search: &Search) -> bool {
        let (Some(fields), Some(game)) = (&self.fields, search.game.as_deref()) else { return false };
        let shown = Placement::from_fields(fields, self.rotated).board();
        let position = game.position(game.told);
        let more = |color: Color| {
            let left = position.board().by_color(color).count();
            shown.by_color(color).count().saturating_sub(left)
        };
        Color::ALL.into_iter().map(more).sum::<usize>() >= w::TWICE as usize
    }

    /// The next game, from its start to what stands there, which differs from it on at most so many squares.
    fn next_game(&self, search: &Search, now: u64, most: usize) -> Option<Game> {
        let (fields, game) = (self.fields.as_ref()?, search.game.as_deref()?);
        // Near its own start a game differs from it by a fault of the board sooner than by another game.
        let played = game.told_plies() > 0 && game.far > w::MANY_SQUARES;
        let (start, variant, rotated) = self.start(search, fields, most).filter(|_| played)?;
        let mut next = self.new_game(now, start, variant, rotated);
        if self.running && self.right_up.is_some() {
            next.observe(now, Event::Runs(true));
        }
        next.observe(now, Event::Gap { fields: Box::new(*fields), late: Bitboard::EMPTY });
        Some(next)
    }

    /// Recovers a game without a known beginning from the log, from its start position on.
    fn join(&mut self, search: &mut Search, now: u64, log: &EventLog) {
        let Some(fields) = self.fields else { return };
        let start = self.next_start();
        let Some((mut told, rotated)) = log::since_start(log, start.board()) else { return };
        let heard: Vec<Event> = self.heard_alone.iter().map(|(_, event)| event.clone()).collect();
        // A game that has ended is not the next one, however far its pieces are set up.
        let again = search.ended.as_ref().filter(|ended| ended.game.rotated == rotated).is_some_and(|ended| {
            let last = ended.game.position(ended.game.told);
            log::comes_near(&told, start.board(), &Shown::new(last.board()), rotated)
        });
        if again || !log::goes_on_to(&mut told, &heard, start.board(), &shown_by(&fields, rotated), rotated) {
            return;
        }
        self.rotated = rotated;
        search.begin(self.new_game(now, start, Variant::Standard, rotated));
        if let Some(game) = search.game.as_deref_mut() {
            game.observe(now, Event::Runs(true));
            for event in told {
                game.observe(now, event);
            }
            game.observe(now, Event::Dump(Box::new(fields)));
        }
    }
}

/// The position with these pieces, with all rights to castle that kings and rooks at home leave; none if no game has it.
pub(in crate::search) fn placed(board: Board, turn: Color, fullmoves: NonZeroU32) -> Option<Chess> {
    let home = |color: Color, file| {
        let king = board.piece_at(Square::from_coords(File::E, color.backrank())) == Some(color.king());
        let rook = Square::from_coords(file, color.backrank());
        (king && board.piece_at(rook) == Some(color.rook())).then_some(rook)
    };
    let rights = Color::ALL.into_iter().flat_map(|color| [home(color, File::A), home(color, File::H)]).flatten();
    let castling_rights = rights.collect();
    let setup = Setup { board, turn, castling_rights, fullmoves, ..Setup::empty() };
    let placed = Chess::from_setup(setup, CastlingMode::Standard);
    placed.or_else(shakmaty::PositionError::ignore_too_much_material).ok()
}

/// The same position as it is after each double step of a pawn that can be taken in passing.
fn after_double_steps(position: &Chess) -> Vec<Chess> {
    let rank = position.turn().fold_wb(Rank::Sixth, Rank::Third);
    let after = |file| {
        let ep_square = Some(Square::from_coords(file, rank));
        let setup = Setup { ep_square, ..position.to_setup(EnPassantMode::Always) };
        let after = Chess::from_setup(setup, CastlingMode::Standard);
        after.or_else(shakmaty::PositionError::ignore_too_much_material).ok()
    };
    let can_take = |after: &Chess| after.ep_square(EnPassantMode::Legal).is_some();
    File::ALL.into_iter().filter_map(after).filter(can_take).collect()
}

/// From which of the logged changes on they belong to the next game, whose start stood on the board then, and whether White sits at
/// the far end in it. They begin at this place among the messages.
fn next_in_log(game: &Game, told: &[Event], place: usize, start: &Board) -> Option<(usize, bool)> {
    let (_, _, stood) = game.history.around(place)?;
    // Plies that are taken back to the start are those of one game.
    if game.far <= w::MANY_SQUARES {
        return None;
    }
    let mut turned = start.clone();
    turned.rotate_180();
    let from = |start: &Board| log::start_within(told, &stood.shown, start, game.rotated);
    let found = [(from(start), game.rotated), (from(&turned), !game.rotated)];
    found.into_iter().filter_map(|(from, rotated)| Some((from?, rotated))).max_by_key(|&(from, _)| from)
}

/// A piece of which more stand on these fields than stood there before.
fn beyond(fields: &[PieceCode; 64], before: &[PieceCode; 64]) -> Option<PieceCode> {
    let count = |fields: &[PieceCode; 64], piece| fields.iter().filter(|&&stands| stands == piece).count();
    let more = |&piece: &PieceCode| piece != PieceCode::Empty && count(fields, piece) > count(before, piece);
    fields.iter().copied().find(more)
}
