//! The signs of a result on the board: kings in the centre, or a piece made for it.
//!
//! Says what they mean and when the hands began to show them. Must not know whether a result is told.

use notation::pgn::Outcome;
use shakmaty::{Bitboard, Color, Role, Square};

use super::game::Game;
use super::history::{Kind, Observation};
use super::weights as w;

/// What declares a result and no legal play leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    /// Both kings stand on central squares, White's first.
    Kings(Square, Square),
    /// A piece made for it stands somewhere.
    Piece(Outcome),
}

/// A sign of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sign {
    /// The observation with which it came to stand so.
    pub(crate) at: usize,
    /// Its time.
    pub(crate) since: u64,
    pub(crate) shows: Shows,
}

impl Shows {
    /// What the board shows of a result; a king that is nowhere to be seen may stand on one of the `dead` squares.
    pub(crate) fn by(seen: &Observation, dead: Bitboard) -> Option<Self> {
        seen.shown.result_piece().map(Self::Piece).or_else(|| kings_in_the_centre(seen, dead))
    }
}

impl Sign {
    /// Whether it has been there for long enough at a time.
    pub(crate) fn has_stood(self, now: u64) -> bool {
        now.saturating_sub(self.since) >= w::HANDS_DONE_MS
    }

    /// What it is, for the `result` event.
    pub(crate) fn reason(self) -> &'static str {
        match self.shows {
            Shows::Kings(..) => "kings in the centre",
            Shows::Piece(_) => "result piece",
        }
    }

    /// The result: kings on light squares say that White has won, on dark ones that Black has, on one of each a draw.
    pub(crate) fn result(self) -> Outcome {
        match self.shows {
            Shows::Piece(outcome) => outcome,
            Shows::Kings(white, black) => match (white.is_light(), black.is_light()) {
                (true, true) => Outcome::WhiteWins,
                (false, false) => Outcome::BlackWins,
                _ => Outcome::Draw,
            },
        }
    }
}

impl Game {
    /// Squares that show nothing.
    pub(crate) fn dead(&self) -> Bitboard {
        self.beam.best().map_or(Bitboard::EMPTY, |best| (best.faulty | best.suspect) & !best.stuck)
    }

    /// The observations have other numbers, and the board's log may tell how a sign came about.
    pub(crate) fn find_sign_again(&mut self) {
        (self.sign, self.untimed) = (self.found_again(self.sign), self.found_again(self.untimed));
    }

    fn found_again(&self, sign: Option<Sign>) -> Option<Sign> {
        let sign = sign?;
        let dead = self.dead();
        let shows = |index: &usize| self.history.get(*index).and_then(|seen| Shows::by(seen, dead)) == Some(sign.shows);
        let Some(mut at) = (self.history.first()..self.history.end()).rev().find(shows) else { return Some(sign) };
        while at.checked_sub(1).as_ref().is_some_and(shows) {
            at -= 1;
        }
        Some(Sign { at, ..sign })
    }

    /// The result that only the board's log shows, after the last ply.
    pub(crate) fn find_logged_sign(&mut self) {
        let dead = self.dead();
        self.untimed = self.last_sign(|seen| Shows::by(seen, dead));
    }

    /// The kings' result after the last ply, for however short a time it was seen: on a line that gives all at once, or before
    /// hands that are in a hurry. Side by side they stand in no play, and where neither was before, no hand brought them by chance.
    pub(crate) fn brief_sign(&self) -> Option<Sign> {
        let kings = |seen: &Observation| seen.shown.kings(Color::White) | seen.shown.kings(Color::Black);
        let before = kings(self.history.get(self.matched_end().checked_sub(1)?)?);
        self.last_sign(|seen| {
            Some(kings_in_the_centre(seen, Bitboard::EMPTY)?).filter(|_| (kings(seen) & before).is_empty())
        })
    }

    /// The last sign after the last ply.
    fn last_sign(&self, shows: impl Fn(&Observation) -> Option<Shows>) -> Option<Sign> {
        let sign = |index: usize| self.history.get(index).and_then(&shows);
        let (last, shows) =
            (self.matched_end()..self.history.end()).rev().find_map(|index| Some((index, sign(index)?)))?;
        let at = (self.matched_end()..=last).rev().take_while(|&index| sign(index) == Some(shows)).last()?;
        Some(Sign { at, since: self.history.get(at)?.at, shows })
    }

    /// The observation before which the hands began to show the result.
    pub(crate) fn before_sign(&self, sign: Sign) -> usize {
        let Shows::Kings(white, black) = sign.shows else { return sign.at };
        let at = |index: usize| self.history.get(index);
        let mut first = sign.at;
        for (color, square) in [(Color::White, white), (Color::Black, black)] {
            let king = Some(color.king());
            let stands = |index: &usize| at(*index).is_some_and(|seen| seen.shown.is(square, king));
            let mut placed = sign.at;
            while placed.checked_sub(1).as_ref().is_some_and(stands) {
                placed -= 1;
            }
            // From a dead square it was lifted since the board last showed what the line says.
            let since = if placed >= self.matched { self.matched } else { self.history.first() };
            let lifted = self.lifted(color, since, placed);
            // A king's step that is pressed, or after which the clock is stopped before the other king stands there, is a ply.
            let at_once = at(placed).is_some_and(|seen| sign.since.saturating_sub(seen.at) < w::LATEST_MS);
            let left = color.is_white() == self.beam.best().is_none_or(|best| best.white_left);
            let ends = |kind| matches!(kind, Kind::Press { left: by, .. } if by == left) || kind == Kind::Stopped;
            let ended = (lifted..sign.at).filter_map(at).any(|seen| ends(seen.kind));
            if placed == sign.at || at_once && !ended {
                first = first.min(lifted);
            }
        }
        self.before_clearing([white, black], first)
    }

    /// The observation with which hands began to clear the squares of both kings, who were lifted with the observation `lifted` at the
    /// earliest: pieces went from these squares to other ones shortly before, and nobody pressed since. A piece that was taken went to no square.
    fn before_clearing(&self, squares: [Square; 2], lifted: usize) -> usize {
        let at = |index: usize| self.history.get(index);
        let cleared = lifted.checked_sub(1).and_then(at);
        let mut first = lifted;
        for index in (self.history.first()..lifted).rev() {
            let (Some(seen), Some(next)) = (at(index), at(first)) else { break };
            let ended = matches!(seen.kind, Kind::Press { .. } | Kind::Stopped | Kind::Gap { .. });
            if ended || seen.logged || next.at.saturating_sub(seen.at) > w::SILENCE_MS {
                break;
            }
            let before = index.checked_sub(1).and_then(at);
            let left = |square: Square| {
                let Some((before, cleared)) = before.zip(cleared).filter(|_| seen.shown.is(square, None)) else {
                    return false;
                };
                let piece = before.shown.piece_at(square).filter(|piece| piece.role != Role::King);
                piece.is_some_and(|piece| cleared.shown.count(piece) >= before.shown.count(piece))
            };
            if squares.into_iter().any(left) {
                first = index;
            }
        }
        first
    }

    /// The observation with which a king was lifted that was `placed` with another one; `since` where it was in a hand by then.
    /// Where it stood on another square for one round of the scan at most, and nobody pressed, it was on its way already.
    fn lifted(&self, color: Color, since: usize, placed: usize) -> usize {
        let at = |index: usize| self.history.get(index);
        let king = |index: usize| at(index).map(|seen| seen.shown.kings(color)).unwrap_or_default();
        let before = |mut index: usize, goes_on: &dyn Fn(usize) -> bool| {
            while index > since && index.checked_sub(1).is_some_and(goes_on) {
                index -= 1;
            }
            index
        };
        let in_hand = |index| king(index).is_empty();
        let mut lifted = before(placed, &in_hand);
        while let Some(stood_to) = lifted.checked_sub(1).filter(|_| lifted > since) {
            let stood_from = before(lifted, &|index| king(index) == king(stood_to));
            // The board's log has no times.
            let touched = at(lifted)
                .zip(at(stood_from))
                .is_some_and(|(end, begin)| end.at <= begin.at + w::ROUND_MS && !begin.logged);
            let pressed = (stood_from..lifted).filter_map(at).any(|seen| matches!(seen.kind, Kind::Press { .. }));
            let came_from = before(stood_from, &in_hand);
            if !touched || pressed || came_from == stood_from {
                break;
            }
            lifted = came_from;
        }
        lifted
    }
}

/// The squares of both kings, if both stand in the centre. One that is nowhere to be seen stands on a dead square there.
fn kings_in_the_centre(seen: &Observation, dead: Bitboard) -> Option<Shows> {
    let centre = [Square::D4, Square::E4, Square::D5, Square::E5].into_iter().collect::<Bitboard>();
    let kings = seen.shown.kings(Color::White) | seen.shown.kings(Color::Black);
    let hidden = (centre & dead & !seen.shown.occupied()).single_square();
    if (kings & centre).is_empty() {
        return None;
    }
    let of = |color| {
        let king = seen.shown.kings(color);
        if king.is_empty() { hidden } else { (king & centre).first() }
    };
    Some(Shows::Kings(of(Color::White)?, of(Color::Black)?))
}
