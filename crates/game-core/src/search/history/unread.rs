//! Pieces that stood on their square before it was read: put down beside the middle, until their player adjusts them.
//!
//! Knows observations in their order. Must not know lines or costs.

use dgt_protocol::PieceCode;
use shakmaty::{Piece, Square};

use super::{History, Observation};
use crate::placement::piece_of;
use crate::search::shown::Content;
use crate::search::weights as w;

impl History {
    /// Notes where a piece may have stood unread that comes to its square now. Gives back the index of the first observation that
    /// changes.
    pub(super) fn patch_unread(&mut self, at: u64, square: Square, code: PieceCode) -> Option<usize> {
        let (since, piece) = self.unread_since(at, square, code)?;
        self.patch(since, square, Content::Unread(piece))
    }

    /// The first observation at which a piece that comes to an empty square now may have stood there unread: it was lifted well
    /// before that, and since then the opponent has touched his pieces.
    fn unread_since(&self, at: u64, square: Square, code: PieceCode) -> Option<(usize, Piece)> {
        let now = self.last().filter(|now| now.shown.is(square, None))?;
        let piece = piece_of(code).filter(|_| !self.clock.stands())?;
        let stood = self.before_lifted(piece)?;
        let before = self.get(stood)?;
        // Of what comes at one instant, as from the board's log, the times are not known.
        if at > now.at && at.saturating_sub(self.get(stood + 1)?.at) < w::SETTLED_MS {
            return None;
        }
        let opponent = piece.color.other();
        let touched = |seen: &Observation| seen.shown.by_color(opponent) ^ before.shown.by_color(opponent);
        let since_then = || (stood + 1..self.end()).filter_map(|at| Some((at, self.get(at)?)));
        let answered = since_then().any(|(_, seen)| touched(seen).without(square).any());
        // More pieces of one side than two hands hold are put away, or set up; where the opponent's stand instead, they were taken.
        let own = |at: usize| self.get(at).map(|seen| seen.shown.by_color(piece.color));
        let most = (self.first_of_stretch()..=stood).filter_map(own).max_by_key(|own| own.count())?;
        let gone = |seen: &Observation| (most & !seen.shown.by_color(opponent)).count();
        let in_hands = |seen: &Observation| gone(seen).saturating_sub(seen.shown.by_color(piece.color).count());
        let in_play = since_then().all(|(_, seen)| in_hands(seen) <= w::TWICE as usize);
        let empty = since_then().rev().take_while(|(_, seen)| seen.shown.is(square, None)).map(|(at, _)| at);
        Some((empty.last().filter(|_| in_play && answered)?, piece))
    }

    /// The last observation with one more of these pieces than now. For a round or two of the scan a piece may be shown on both squares
    /// of its move.
    fn before_lifted(&self, piece: Piece) -> Option<usize> {
        let missing = self.last()?.shown.count(piece);
        let mut end = self.end();
        let first = self.first_of_stretch();
        let has_more = |at: &usize| self.get(*at).is_some_and(|seen| seen.shown.count(piece) > missing);
        loop {
            let stood = (first..end).rev().find(has_more)?;
            let since = (first..=stood).rev().take_while(has_more).last()?;
            let lasted = self.get(stood + 1)?.at.saturating_sub(self.get(since)?.at);
            if since == first || lasted >= w::SETTLED_MS {
                return Some(stood);
            }
            end = since;
        }
    }

    /// The first observation that a piece may change which comes to its square next: some piece was lifted since.
    #[cfg(feature = "equivalence")]
    pub(super) fn first_unread(&self) -> Option<usize> {
        use shakmaty::{Color, Role};

        let now = self.last()?;
        let lifted = |seen: &Observation| {
            let more = |color: Color| {
                let pieces = Role::ALL.into_iter().map(|role| Piece { color, role });
                pieces.into_iter().any(|piece| seen.shown.count(piece) > now.shown.count(piece))
            };
            Color::ALL.into_iter().any(more)
        };
        (self.first_of_stretch()..self.end()).find(|&at| self.get(at).is_some_and(lifted))
    }

    /// The first observation of the last ones that are looked over.
    fn first_of_stretch(&self) -> usize {
        self.end().saturating_sub(w::STRETCH).max(self.first)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{field, start};
    use super::super::{Agreement, Event, History};
    use super::*;

    fn take(history: &mut History, at: u64, square: Square, code: PieceCode) -> Option<usize> {
        history.take(at, Event::Square(field(square), code))
    }

    #[test]
    fn a_piece_that_comes_after_the_reply_may_have_stood_there_since_it_was_lifted() {
        let mut history = start();
        take(&mut history, 1_000, Square::E2, PieceCode::Empty);
        take(&mut history, 3_000, Square::E7, PieceCode::Empty);
        take(&mut history, 3_500, Square::E5, PieceCode::BlackPawn);
        assert_eq!(take(&mut history, 6_000, Square::E4, PieceCode::WhitePawn), Some(1));
        let pawn = history.shown().piece_at(Square::E4);
        let agrees = |at: usize| history.get(at).unwrap().agrees(Square::E4, pawn);
        assert_eq!([0, 1, 3, 4].map(agrees), [Agreement::None, Agreement::Unread, Agreement::Unread, Agreement::Shown]);
    }

    #[test]
    fn a_piece_that_is_shown_on_both_squares_for_a_moment_was_not_lifted_then() {
        let mut history = start();
        take(&mut history, 1_000, Square::G2, PieceCode::Empty);
        take(&mut history, 3_000, Square::A7, PieceCode::Empty);
        take(&mut history, 3_500, Square::A6, PieceCode::BlackPawn);
        take(&mut history, 5_000, Square::F4, PieceCode::WhitePawn);
        take(&mut history, 5_010, Square::F2, PieceCode::Empty);
        assert_eq!(take(&mut history, 6_500, Square::G3, PieceCode::WhitePawn), Some(1));
    }

    #[test]
    fn a_piece_that_is_put_down_before_the_opponent_touches_his_was_not_unread() {
        let mut history = start();
        take(&mut history, 1_000, Square::E2, PieceCode::Empty);
        assert_eq!(take(&mut history, 9_000, Square::E4, PieceCode::WhitePawn), None);
    }
}
