//! Games that begin, or go on, without having been seen from their start: found by the board's own log, or from what stands there.
//!
//! Knows messages. Must not know hypotheses.

use std::num::NonZeroU32;

use dgt_protocol::{EventLog, Field, PieceCode};
use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, File, FromSetup, Position, Setup, Square};

use super::super::game::Game;
use super::super::history::{Event, shown_by};
use super::super::onward::Supposed;
use super::super::{Search, log, weights as w};
use super::{Alone, Intake};
use crate::event::Variant;
use crate::placement::Placement;

impl Intake {
    pub(super) fn log(&mut self, search: &mut Search, now: u64, log: &EventLog) {
        let Some(game) = search.game.as_deref_mut() else {
            self.join(search, now, log);
            return;
        };
        let Some(mut told) = log::beyond(log, &game.history) else { return };
        let next = self.next_in_log(game, &told).and_then(|(from, start)| {
            let (_, heard, stood) = game.history.around_gap()?;
            let again = log::comes_near(&told[from..], start.board(), &stood.shown, game.rotated);
            let heard = heard.into_iter().cloned();
            Some((again, start, told.split_off(from).into_iter().chain(heard).collect()))
        });
        if matches!(next, Some((true, ..))) {
            return;
        }
        game.splice(&told);
        if let Some((_, start, told)) = next {
            game.find_logged_mate();
            game.find_logged_sign();
            self.begin_logged(search, now, &start, told);
        }
    }

    /// From which of the logged changes on they belong to the next game, whose start stood on the board then.
    fn next_in_log(&self, game: &Game, told: &[Event]) -> Option<(usize, Chess)> {
        let start = self.next_start();
        let (_, _, stood) = game.history.around_gap()?;
        // Plies that are taken back to the start are those of one game.
        if game.far <= w::MANY_SQUARES {
            return None;
        }
        let from = log::start_within(told, &stood.shown, start.board(), game.rotated)?;
        Some((from, start))
    }

    /// The next game began while the board was out of reach: its log tells how, and what was heard since how it went on.
    fn begin_logged(&mut self, search: &mut Search, now: u64, start: &Chess, told: Vec<Event>) {
        search.end_unshown();
        search.begin(self.new_game(now, start.clone(), self.next_variant(), self.rotated));
        if let Some(game) = search.game.as_deref_mut() {
            if self.running || told.iter().any(|event| matches!(event, Event::Press { .. })) {
                game.observe(now, Event::Runs(true));
            }
            for event in told {
                game.observe(now, event);
            }
            if let Some(fields) = self.fields {
                game.observe(now, Event::Dump(Box::new(fields)));
            }
        }
    }

    /// Whether a change puts down a piece that was in a hand when the board was first seen, or lifts what was only put down before it
    /// was lifted. From where such a piece came is not known: it is taken to have stood there from the next change on.
    pub(super) fn is_from_hand(&mut self, field: Field, piece: PieceCode) -> bool {
        let Some(mut fields) = self.fields else { return false };
        let before = self.beyond_alone(&fields);
        if before.is_some_and(|extra| piece != PieceCode::Empty || fields[field.index()] != extra) {
            self.put_down_unseen(true);
        }
        fields[field.index()] = piece;
        self.beyond_alone(&fields).is_some()
    }

    /// Whether a press ends a ply of which only the end was seen.
    pub(super) fn ends_unseen_ply(&mut self) -> bool {
        self.put_down_unseen(false)
            || self.stood_alone.as_mut().is_some_and(|alone| std::mem::take(&mut alone.unpressed))
    }

    /// A piece of which more stand there than when the board was first seen.
    fn beyond_alone(&self, fields: &[PieceCode; 64]) -> Option<PieceCode> {
        let alone = self.stood_alone.as_ref()?;
        let count = |fields: &[PieceCode; 64], piece| fields.iter().filter(|&&stands| stands == piece).count();
        let more = |piece: &&PieceCode| count(fields, **piece) > count(&alone.fields, **piece);
        fields.iter().filter(|&&piece| piece != PieceCode::Empty).find(more).copied()
    }

    /// The last piece of those that were put down and are more than stood there is one of them now; whether there is one.
    fn put_down_unseen(&mut self, unpressed: bool) -> bool {
        let Some(extra) = self.fields.and_then(|fields| self.beyond_alone(&fields)) else { return false };
        let put = |(_, event): &(u64, Event)| matches!(event, Event::Square(_, piece) if *piece == extra);
        let Some((_, Event::Square(field, _))) = self.heard_alone.iter().rfind(|heard| put(heard)).cloned() else {
            return false;
        };
        self.heard_alone.retain(|(_, event)| !matches!(event, Event::Square(at, _) if *at == field));
        if let Some(alone) = &mut self.stood_alone {
            alone.fields[field.index()] = extra;
            alone.unpressed = unpressed;
        }
        true
    }

    /// A piece moves at a table whose clock runs: follows the game from there, without its beginning.
    pub(super) fn begin_unseen(&mut self, search: &mut Search, now: u64) {
        let (Some(shown), Some(right_up), true) = (self.fields, self.right_up, self.running && !search.begun) else {
            return;
        };
        let heard = std::mem::take(&mut self.heard_alone);
        let alone = self.stood_alone.take().map_or(Alone { at: now, fields: shown, unpressed: false }, |alone| *alone);
        let Alone { at, fields, unpressed } = alone;
        let presses = heard.iter().filter(|(_, event)| matches!(event, Event::Press { .. })).count();
        let right_up = right_up != (presses % 2 == 1);
        let white_left = self.white_left(self.rotated, Color::White);
        // The side that is up has the move, but for a player who has moved and not pressed.
        let turn = if (right_up == white_left) == unpressed { Color::White } else { Color::Black };
        let board = Placement::from_fields(&fields, self.rotated).board();
        let Some(start) = placed(board, turn, NonZeroU32::MIN) else { return };
        let game = Game::new(at, start, Variant::Standard, self.rotated, white_left);
        search.begin(game);
        self.tell_clock(search, at);
        if let Some(game) = search.game.as_deref_mut() {
            for (at, event) in heard {
                game.observe(at, event);
            }
        }
    }

    /// Games that go on from what stands there, with the side to move that the clock shows, or with either.
    pub(in crate::search) fn standing(&self, search: &Search, now: u64) -> Vec<Game> {
        self.placed_games(search, now, false)
    }

    /// The same, of this game or of the `next` one.
    fn placed_games(&self, search: &Search, now: u64, next: bool) -> Vec<Game> {
        let (Some(fields), Some(game)) = (self.fields, search.game.as_deref()) else { return Vec::new() };
        let white_left = game.beam.best().map_or(!self.rotated, |best| best.white_left);
        let shown = self.right_up.filter(|_| self.running);
        let turn = shown.map(|right_up| if right_up == white_left { Color::Black } else { Color::White });
        let last = game.position(game.told);
        let begin = |turn: Color| {
            // Numbers go on where they stopped.
            let next_move = last.turn().is_black() && turn.is_white();
            let go_on = last.fullmoves().saturating_add(u32::from(next_move));
            let fullmoves = if next { NonZeroU32::MIN } else { go_on };
            let board = Placement::from_fields(&fields, self.rotated).board();
            let start = placed(board, turn, fullmoves)?;
            let mut placed = Game::new(now, start, game.variant, self.rotated, white_left);
            placed.suspect(game.suspects());
            placed.declare_blind(self.blind);
            if shown.is_some() {
                placed.observe(now, Event::Runs(true));
            }
            Some(placed)
        };
        // Where no clock tells it, the likeliest comes first.
        let likeliest = game.likeliest(now).map_or(Color::White, |best| best.position.turn());
        let either = [likeliest, !likeliest].into_iter();
        either.filter(|&color| turn.is_none_or(|turn| turn == color)).filter_map(begin).collect()
    }

    /// The games that what stands there may belong to, where no line explains it: the likeliest first.
    pub(in crate::search) fn supposed(&self, search: &Search, now: u64) -> Vec<Supposed> {
        let is_next = self.has_more_pieces(search);
        let placed = self.placed_games(search, now, is_next).into_iter().map(|game| Supposed { game, is_next });
        let most = if is_next { w::STRETCH } else { w::MANY_SQUARES };
        self.next_game(search, now, most)
            .map(|game| Supposed { game, is_next: true })
            .into_iter()
            .chain(placed)
            .collect()
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
        if !log::goes_on_to(&mut told, &heard, start.board(), &shown_by(&fields, rotated), rotated) {
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
