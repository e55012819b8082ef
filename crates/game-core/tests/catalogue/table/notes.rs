//! What is noted of the table while the games are played, for what has to be told of them.

use board_sim::defects::Defects;
use board_sim::placement::{code, field};
use board_sim::plan::Plan;
use game_core::input::{Input, Notice};
use shakmaty::{Board, ByColor, Color, Position, Square};

use super::{LATEST_READING_MS, Watch};
use crate::alternatives::{Change, shows};
use crate::difference::{Difference, Kind};
use crate::expected::{ExpectedGame, may_change};
use crate::made_ply::MadePly;

impl Watch {
    /// What the scan has found since the last look. A board without power reports nothing.
    pub(super) fn note_changes(&mut self) {
        let Some(game) = self.changes.as_mut().and_then(|games| games.last_mut()) else { return };
        let board = self.table.board();
        if !board.has_power() {
            return;
        }
        for square in Square::ALL {
            let Some(field) = field(square, self.table.is_rotated()) else { continue };
            let piece = board.seen()[field.index()];
            if self.reported[usize::from(square)] != piece {
                self.reported[usize::from(square)] = piece;
                game.push(Change { at_ms: self.now, square, piece });
            }
        }
    }

    /// A ply is complete: its maker has pressed, if anybody presses.
    pub(super) fn note_ply(&mut self, plan: &Plan) {
        let made = self.made.last_mut().expect("a game is being played");
        let ply = made.len() + 1;
        let pressed = self.table.press_was_seen();
        let first = plan.start.turn();
        made.push(MadePly {
            stood_ms: self.table.last_touch_ms(),
            pressed_ms: pressed.then_some(self.now),
            by: if ply % 2 == 1 { first } else { first.other() },
            ran_ms: self
                .table
                .ran_ms(Color::White)
                .zip(self.table.ran_ms(Color::Black))
                .map(|(white, black)| ByColor { white, black }),
            may_change: may_change(plan, ply),
            ghost: self.defects.first().and_then(Defects::ghost),
            lit_alone: std::mem::take(&mut self.lit_alone),
        });
    }

    /// The table is about to play this game, counted from 0.
    pub(super) fn table_is_ready(&mut self, game: usize) {
        if let Some(assign) = self.pairings.get(game).cloned() {
            self.feed(&Input::Notice(Notice::Assign(assign)));
        }
        if game == 0 {
            self.note_wrong_start();
        }
    }

    /// A person is about to tell what was played: the board shows what it could have been.
    pub(super) fn note_answer(&mut self) {
        let shown = self.session.doubts().candidates;
        if self.asks == Some(false) && (shown.len() < 2 || shown.first() == shown.get(1)) {
            self.differs(Kind::LinesNotShown, format!("{shown:?} is all that is shown to the arbiter"));
        }
        self.asks = self.asks.map(|_| true);
    }

    pub(super) fn note_what_was_not_said(&mut self, expected: &[ExpectedGame]) {
        if self.asks == Some(false) {
            self.differs(Kind::ArbiterNotAsked, "the arbiter was not asked what the bytes leave open".to_owned());
        }
        for (told, expected) in self.seen.told.iter().zip(expected) {
            let went_on =
                self.went_on.as_ref().and_then(|games| games.get(expected.of)).is_some_and(|&went_on| went_on);
            if told.game.stops_at_illegal() != went_on {
                let what = if went_on { "an illegal move is not reported" } else { "an illegal move is reported" };
                self.seen.differences.push(Difference::new(Kind::IllegalMoveNotReported, what.to_owned()));
            }
        }
    }

    pub(super) fn note_wrong_start(&mut self) {
        let Some(plan) = self.table.plan() else { return };
        let wanted: &Board = shakmaty::Position::board(&plan.start);
        let pieces = self.table.pieces();
        let wrong = Square::ALL.into_iter().filter(|&square| pieces.piece_at(square) != wanted.piece_at(square));
        self.wrong_start = wrong.map(|square| square.to_string()).collect();
        self.wrong_start.sort();
    }

    /// A daemon that starts again without its captures knows the plies that were confirmed, and nothing of the changes after them.
    pub(super) fn forget_changes(&mut self) {
        let (Some(changes), Some(plan)) = (&mut self.changes, self.table.plan()) else { return };
        let (Some(changes), Some(made)) = (changes.last_mut(), self.made.last()) else { return };
        // A press may be on its way for a second.
        let arrived = |ply: &&MadePly| ply.pressed_ms.is_some_and(|at_ms| at_ms + LATEST_READING_MS <= self.now);
        let confirmed = made.iter().take_while(arrived).count();
        for ply in (0..=confirmed).rev() {
            if let Some((kept, reported)) = shows(plan, ply, changes) {
                changes.truncate(kept);
                self.reported = reported;
                return;
            }
        }
    }

    pub(super) fn sees_board(&self) -> bool {
        let pieces = self.table.pieces();
        Square::ALL.iter().all(|&square| self.session.placement().get(square) == code(pieces.piece_at(square)))
    }
}
