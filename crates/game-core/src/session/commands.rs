//! What people decide: pairings and the commands of operators.

use notation::pgn::Outcome;
use shakmaty::Chess;

use super::state::BoardSession;
use crate::correspondence::correspondence;
use crate::event::{Author, Evidence, Variant};
use crate::input::{Assign, Command as OperatorCommand, Order, Resume};
use crate::line::{Line, start_position};
use crate::press::Press;
use crate::time::Timestamp;

impl BoardSession {
    pub(super) fn handle_assign(&mut self, assign: &Assign) {
        self.game.clone_from(&assign.game);
        self.time_control.clone_from(&assign.time_control);
        self.result_rule = assign.result_rule;
        self.doubting = assign.doubting;
        self.recogniser.wait_in_doubt(assign.doubting.wait_ms());
        self.times.set_control(assign.time_control.as_ref());
        // An impossible start position is refused where it is entered; here the usual one is expected instead.
        let named =
            assign.fen.as_ref().and_then(|fen| Some((start_position(fen, assign.variant).ok()?, assign.variant)));
        // The rules of the game that is assigned are none of the next one, which may be of another round.
        let (start, variant) = named.unwrap_or((Chess::default(), Variant::Standard));
        self.recogniser.expect_start(start, variant);
    }

    pub(super) fn handle_command(&mut self, now: Timestamp, command: &OperatorCommand) {
        self.author = Author::Operator(command.by.clone());
        match &command.order {
            Order::StartFrom { fen, variant } => {
                if let Ok(start) = start_position(fen, *variant) {
                    self.recogniser.confirm_position(&start);
                    self.conclude(now);
                    self.recogniser.start_from(now, start, *variant);
                    self.conclude(now);
                }
            }
            Order::Moves { keep, moves } => self.correct(now, *keep, moves, false),
            Order::FillGap { after, moves } => self.correct(now, *after, moves, true),
            Order::GoOn => {
                self.recogniser.go_on(now);
                self.conclude(now);
            }
            Order::Blind { .. } => {
                if let Some(squares) = command.order.blind() {
                    self.recogniser.declare_dead(now, squares);
                    self.conclude(now);
                }
            }
            Order::Result { reason, .. } => {
                if let (Some(result), true) = (command.order.result(), self.open) {
                    if result != Outcome::Unknown {
                        self.tell_what_stood(now);
                    }
                    (self.claim, self.unseen_end) = (None, None);
                    let reason = reason.clone().unwrap_or_else(|| "operator".to_owned());
                    self.emit_result(now, result, reason, Evidence::Command);
                    if result != Outcome::Unknown {
                        self.end_by_person(now);
                    }
                }
            }
            Order::PlayOn => self.play_on(now),
        }
        self.author = Author::Board;
    }

    /// The last plies on the board belong to the game that a person ends, also those that were not pressed. They are those of the
    /// players.
    fn tell_what_stood(&mut self, now: Timestamp) {
        let author = std::mem::replace(&mut self.author, Author::Board);
        self.recogniser.tell_what_stood(now);
        self.conclude(now);
        self.author = author;
    }

    /// Whether [`Order::PlayOn`] continues this game, which an order has ended here.
    pub fn can_play_on(&self, game: &Resume) -> bool {
        let own = || self.to_resume().is_some_and(|own| own.has_moves_of(game));
        let can = self.unseen_end.is_some() || self.recogniser.can_play_on();
        !game.set_up && self.result != Outcome::Unknown && can && own()
    }

    fn play_on(&mut self, now: Timestamp) {
        let unseen = self.unseen_end.take().is_some();
        if !unseen && !self.recogniser.can_play_on() {
            return;
        }
        (self.closing_at, self.claim, self.open) = (None, None, true);
        self.emit_result(now, Outcome::Unknown, "operator".to_owned(), Evidence::Command);
        // The moves are those of the players.
        self.author = Author::Board;
        if !unseen {
            self.recogniser.play_on(now);
        }
        self.conclude(now);
        if self.clock.is_connected() {
            self.emit_clock(now);
        }
    }

    /// Other moves after the first plies; `fills`: what went unseen after these is among them.
    fn correct(&mut self, now: Timestamp, keep: u32, moves: &[String], fills: bool) {
        let Some(line) = self.recogniser.line().and_then(|line| corrected(line, keep, moves, fills)) else { return };
        self.keep_readings(&line);
        self.recogniser.set_line(now, &line);
        self.conclude(now);
        self.times.end_carrying();
        self.use_late_press(now);
    }

    /// Keeps the readings of moves that a corrected line still contains.
    fn keep_readings(&mut self, corrected: &Line) {
        let Some(line) = self.recogniser.line() else { return };
        // Squares decide, without the promotion piece: that may be what is corrected.
        let squares = |line: &Line, ply| line.move_at(ply).map(|mv| (mv.from(), mv.to()));
        let moves = |line: &Line, plies| (1..=plies).map(|ply| squares(line, ply)).collect::<Vec<_>>();
        let confirmed = self.recogniser.confirmed();
        let (old, new) = (moves(line, confirmed), moves(corrected, corrected.plies()));
        // A replaced move keeps no reading, unless the number of moves stays the same.
        let in_place = old.len() == new.len();
        let same_move = |&(then, before): &(usize, usize)| {
            in_place && then == before || squares(corrected, then) == squares(line, before)
        };
        let found = (1..).zip(correspondence(&old, &new)).filter_map(|(new, old)| Some((new, old? + 1)));
        let found = found.filter(same_move).filter(|&(new, old)| corrected.mover(new) == line.mover(old));
        let same =
            (1..=confirmed.min(corrected.plies())).take_while(|&ply| line.move_at(ply) == corrected.move_at(ply));
        let is_movers = |ply, press: Press| self.clock.side(press.left) == corrected.mover(ply);
        self.times.correct(same.count(), corrected.plies(), found, is_movers);
    }
}

/// The line with other moves after its first plies; none if a move is not legal.
fn corrected(line: &Line, keep: u32, moves: &[String], fills: bool) -> Option<Line> {
    let mut line = line.clone();
    line.truncate(usize::try_from(keep).ok()?);
    if fills && !line.close_gap() {
        return None;
    }
    for uci in moves {
        let mv = uci.parse::<shakmaty::uci::UciMove>().ok()?.to_move(line.head()).ok()?;
        line.push(mv);
    }
    Some(line)
}
