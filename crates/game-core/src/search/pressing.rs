//! What a press of the clock says of a hypothesis, and how this table's players press: before their pieces are seen, or after
//! the reply.
//!
//! Must not know what a ply costs beside its press.

use shakmaty::{Bitboard, Color, Position};

use super::history::Observation;
use super::hypothesis::{Change, Hypothesis, count, index};
use super::line::Lines;
use super::terms::Term;
use super::weights::{self as w, Cost};

/// A press before the ply that it belongs to was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EarlyPress {
    /// In ms.
    pub(crate) at: u64,
    /// The squares of the presser that differed then.
    pub(crate) differed: Bitboard,
    /// What was paid for each of them.
    pub(crate) each: Cost,
}

/// The presses of a side whose plies are not seen yet: the last one, and the one before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EarlyPresses {
    last: Option<EarlyPress>,
    before: Option<EarlyPress>,
}

impl EarlyPresses {
    pub(crate) fn is_empty(self) -> bool {
        self.last.is_none()
    }

    /// When the last one came, in ms.
    pub(crate) fn last_at(self) -> Option<u64> {
        self.last.map(|press| press.at)
    }

    /// Whether the press of this instant is one of them.
    pub(crate) fn has(self, at: u64) -> bool {
        [self.last, self.before].into_iter().flatten().any(|press| press.at == at)
    }

    /// Whether the last one came well before a moment.
    fn is_older_than(self, at: u64) -> bool {
        self.last.is_some_and(|press| press.at.saturating_add(w::SETTLED_MS) < at)
    }

    /// Whether there are two.
    pub(crate) fn are_two(self) -> bool {
        self.before.is_some()
    }

    fn add(&mut self, at: u64) {
        self.before = self.last.replace(EarlyPress { at, differed: Bitboard::EMPTY, each: 0 });
    }

    /// The press of a ply that is seen now, and whether it was taken for one without a ply when the next one came.
    pub(crate) fn take(&mut self, now: u64) -> Option<(EarlyPress, bool)> {
        let fresh = |press: &EarlyPress| now < press.at.saturating_add(w::SETTLED_MS);
        match self.before.take().filter(fresh) {
            Some(before) => Some((before, true)),
            None => self.last.take().map(|last| (last, false)),
        }
    }
}

/// Which of the last presses were of some kind: a bit for each, the last one the lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Habit(u32);

impl Habit {
    /// What this costs at a table where it happens as often as that.
    pub(crate) fn price(self, cost: Cost) -> Cost {
        let often = w::BORNE_OUT.cast_signed();
        cost * often / (often + self.0.count_ones().cast_signed())
    }

    fn happened_last(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn note(&mut self, happened: bool) {
        self.0 = self.0 << 1 | u32::from(happened);
    }
}

/// How the players of a table press, in one line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Habits {
    /// Presses at which pieces of the presser differed.
    early: Habit,
    /// Presses after the reply.
    late: Habit,
    /// Plies of which a square was filled and left unseen.
    pub(crate) unseen: Habit,
}

impl Hypothesis {
    /// What the clock's side is called at this table.
    fn side(&self, left: bool) -> usize {
        usize::from(left != self.white_left)
    }

    /// The same with the clock turned round before the press of this instant, at a cost.
    pub(crate) fn with_clock_turned(&self, at: u64, cost: Cost) -> Self {
        let mut turned = Self { white_left: !self.white_left, turned_at: at, ..self.clone() };
        turned.pay(Term::ClockTurned, cost);
        turned
    }

    /// Whether this is the same line on the same board, with White at the other side of the clock.
    pub(crate) fn differs_in_seats_from(&self, other: &Self) -> bool {
        self.white_left != other.white_left
            && (self.line, self.off, self.illegal) == (other.line, other.off, other.illegal)
            && (self.faulty, self.lost, self.misread) == (other.faulty, other.lost, other.misread)
    }

    /// What follows from a line of this cost, with White where a twin of it says.
    pub(crate) fn seated_as(&self, twin: &Self, cost: Cost) -> Self {
        let mut seated = Self { white_left: twin.white_left, turned_at: twin.turned_at, ..self.clone() };
        seated.pay(Term::ClockTurned, twin.cost - cost);
        seated
    }

    /// A side was pressed.
    pub(crate) fn press(&mut self, at: u64, left: bool, lines: &Lines) {
        let side = self.side(left);
        let replied = index(self.position.turn()) == side;
        // What the opponent pressed well before, and has made no ply for, was none: he cannot press again before this one.
        let opponent = &mut self.early[1 - side];
        if opponent.is_older_than(at) {
            *opponent = EarlyPresses::default();
            self.pay(Term::PressWithoutPly, w::SELDOM);
        }
        if self.unpressed[side] {
            self.ends(lines.depth(self.played()).saturating_sub(u32::from(replied)), at);
            (self.unpressed[side], self.early[side]) = (false, EarlyPresses::default());
            // After a late press the other player presses before the next ply is made: two late ones are no habit.
            let price = if self.habits.late.happened_last() { w::UNUSUAL } else { self.habits.late.price(w::UNUSUAL) };
            self.pay(Term::PressAfterReply, if replied { price } else { 0 });
            self.habits.late.note(replied);
        } else if self.is_last_unheard(side, lines) {
            self.ends(lines.depth(self.played()), at);
        } else {
            let again = !self.early[side].is_empty();
            self.pay(Term::PressWithoutPly, if again { w::SELDOM } else { 0 });
            self.early[side].add(at);
        }
    }

    /// Whether this player made the last ply, and no press of it was heard: after a gap it may come yet.
    fn is_last_unheard(&self, side: usize, lines: &Lines) -> bool {
        let ply = lines.depth(self.played());
        let waits = self.early.iter().all(|early| early.is_empty());
        ply > 0 && waits && index(self.position.turn()) != side && self.presses.of(ply).is_none()
    }

    /// What the squares cost that differ at a press.
    pub(crate) fn charge_press(&mut self, seen: &Observation, left: bool) {
        let presser = Color::from_white(self.side(left) == 0);
        let his = self.position.board().by_color(presser) | seen.shown.by_color(presser) | seen.shown.odd();
        let own = count(self.differs & !self.patched & his);
        let others = count(self.differs & !self.proved(seen) & !his);
        let [each, each_other] = [w::UNUSUAL, w::OFTEN].map(|cost| self.habits.early.price(cost));
        self.pay(Term::DiffersAtPress, own * each);
        self.pay(Term::DiffersAtPressOther, others * each_other);
        self.habits.early.note(own > 0);
        if let Some(early) = self.early[index(presser)].last.as_mut().filter(|early| early.at == seen.at) {
            early.differed = if self.patched.is_empty() { self.differs & his } else { Bitboard::EMPTY };
            early.each = each;
        }
    }

    /// What its presses cost for which no ply comes any more.
    pub(crate) fn open_presses(&self) -> Cost {
        self.early.iter().filter(|early| !early.is_empty()).map(|_| w::SELDOM).sum()
    }

    /// Goes on from a press that answers one of the opponent, who pressed back without a ply.
    pub(crate) fn pressed_back(&self, at: u64, left: bool, lines: &Lines) -> Option<Self> {
        let (side, other) = (self.side(left), self.side(!left));
        if self.unpressed[side] || index(self.position.turn()) != other || self.early[other].is_empty() {
            return None;
        }
        let mut back = self.clone();
        back.early[other] = EarlyPresses::default();
        back.pay(Term::PressWithoutPly, w::SELDOM);
        back.ends(lines.depth(back.played()), at);
        Some(back)
    }

    /// The ply that the line goes on with, which leaves these changes, may have been pressed already. `complete_at`: when the board
    /// came to show it, if it does.
    pub(crate) fn take_press(&mut self, seen: &Observation, found: &[Change], complete_at: Option<u64>, lines: &Lines) {
        let side = index(self.position.turn());
        if seen.kind.is_gap() {
            // Presses went unseen as well.
            (self.unpressed[side], self.early[side]) = (false, EarlyPresses::default());
        } else if let Some((pressed, again)) = self.early[side].take(seen.at) {
            self.pay(Term::PressWithoutPly, if again { -w::SELDOM } else { 0 });
            if complete_at.is_some_and(|complete_at| complete_at <= pressed.at) {
                // It stood there when it was pressed, and waited for a ply before it that was not seen yet.
                let squares: Bitboard = found.iter().map(|change| change.square).collect();
                self.pay(Term::DiffersAtPress, -count(squares & pressed.differed) * pressed.each);
            }
            let ago = seen.at.saturating_sub(pressed.at);
            self.unpressed[side] = ago >= w::LATEST_MS;
            if self.unpressed[side] {
                self.pay(Term::PressWithoutPly, w::SELDOM);
                return;
            }
            self.ends(lines.depth(self.played()) + 1, pressed.at);
            let untouched = found.iter().all(|change| !pressed.differed.contains(change.square));
            let price = match (ago >= w::SETTLED_MS, untouched) {
                (true, true) => w::SELDOM,
                (true, false) => w::OFTEN,
                (false, true) => self.habits.early.price(w::OFTEN),
                (false, false) => 0,
            };
            self.pay(Term::PressFirst, price);
        } else {
            if self.unpressed[side] && seen.pressing {
                self.pay(Term::PlyNotPressed, w::SELDOM);
                // The lever is where it was: his press and the one that answered it went unread together.
                self.unpressed[1 - side] = false;
            }
            // Where a dump is the first to tell of several plies, their presses went unheard as well.
            let unheard = seen.dump && found.iter().all(|change| seen.touched.contains(change.square));
            self.unpressed[side] = !(unheard && seen.touched.count() >= 2 * found.len());
        }
    }

    /// A press ends a ply of the line.
    pub(crate) fn ends(&mut self, ply: u32, at: u64) {
        if ply > 0 {
            self.presses.end(ply, at);
        }
    }

    /// Nothing tells which presses there were.
    pub(crate) fn forget_presses(&mut self) {
        (self.unpressed, self.early) = Default::default();
    }

    /// The clock shows whose time runs, and nothing tells what was pressed before. The last ply may not have been pressed yet.
    pub(crate) fn lever(&mut self, left_runs: bool) {
        self.forget_presses();
        if index(self.position.turn()) != self.side(left_runs) {
            self.pay(Term::LeverSaysOther, w::UNUSUAL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_often_costs_less_and_what_happened_long_ago_is_forgotten() {
        let mut habit = Habit::default();
        assert_eq!(habit.price(2_400), 2_400);
        (0..16).for_each(|_| habit.note(true));
        assert_eq!(habit.price(2_400), 2_400 * 4 / (4 + 16));
        (0..32).for_each(|_| habit.note(false));
        assert_eq!(habit.price(2_400), 2_400);
    }

    #[test]
    fn two_plies_have_their_presses_in_order_unless_the_first_press_is_too_old() {
        let mut early = EarlyPresses::default();
        let at = |press: Option<(EarlyPress, bool)>| press.map(|(press, again)| (press.at, again));
        assert_eq!(at(early.take(0)), None);
        early.add(1_000);
        early.add(1_400);
        assert!(early.are_two());
        assert_eq!(at(early.take(1_500)), Some((1_000, true)));
        assert_eq!(at(early.take(1_500)), Some((1_400, false)));
        assert!(early.is_empty());
        early.add(2_000);
        early.add(2_100);
        assert_eq!(at(early.take(2_050 + w::SETTLED_MS)), Some((2_100, false)));
        assert!(early.is_empty());
    }
}
