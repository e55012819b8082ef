//! Gaps of what was heard: the dumps after which a board was back in reach, and what its log tells of the time before them.
//!
//! Knows messages in their order. Must not know how the log and the messages are compared (`search/log.rs`).

use super::{ClockState, Confirmed, Event, History, Message, Observation};
use crate::search::shown::Shown;
use crate::search::weights as w;

impl History {
    /// The places among the messages of the gaps of which it is not known what went unseen, the earliest first; the last one is
    /// always among them, as the board's log may say more than what was found.
    pub(crate) fn open_gaps(&self) -> Vec<usize> {
        let gaps = self.messages.iter().enumerate().filter(|(_, message)| message.is_gap());
        let mut gaps: Vec<_> = gaps.map(|(at, message)| (at, message.next > self.settled)).collect();
        if let Some(last) = gaps.last_mut() {
            last.1 = true;
        }
        gaps.into_iter().filter_map(|(at, open)| open.then_some(at)).collect()
    }

    /// The places of the changes of squares before the last gap, the latest first: messages after them may be lost.
    pub(crate) fn changes_before_gap(&self) -> impl Iterator<Item = usize> {
        let gap = self.messages.iter().rposition(Message::is_gap).unwrap_or(0);
        let changes =
            |at: &usize| self.messages.get(*at).is_some_and(|message| matches!(message.event, Event::Square(..)));
        (0..gap).rev().filter(changes)
    }

    /// The log tells what happened while the board was out of reach: puts it before the dump of the last gap, and in the place of
    /// what was heard from this place among the messages on. Gives back the index of the first observation that changes.
    pub(crate) fn splice(&mut self, told: &[Event], place: usize) -> Option<usize> {
        let (index, tail) = self.back_to(place)?;
        let last = tail.iter().rposition(Message::is_gap).unwrap_or(0);
        let clock = tail.get(last)?.clock;
        let from = self.last()?.at;
        self.clock.runs = true;
        // The log has no times: nothing costs by time then, only the order counts.
        let end = self.end();
        for event in told {
            self.take(from, event.clone());
        }
        self.observations.iter_mut().skip(end - self.first).for_each(|seen| seen.logged = true);
        let was_pressed = clock.pressing || self.clock.pressing;
        self.clock = ClockState { pressing: was_pressed, there: clock.there || was_pressed, ..clock };
        for (number, Message { at, event, .. }) in tail.into_iter().skip(last).enumerate() {
            let event = match event {
                // Nothing is left that the log does not tell.
                Event::Gap { fields, .. } if number == 0 => Event::Dump(fields),
                other => other,
            };
            self.take(at, event);
        }
        Some(index)
    }

    /// The dumps of so many last gaps, and those that showed the same, were damaged: no moves are missing. Gives back the index of
    /// the first observation that changes.
    pub(crate) fn withdraw_gaps(&mut self, count: usize) -> Option<usize> {
        let gaps = self.messages.iter().enumerate().rev().filter(|(_, message)| message.is_gap());
        let place = gaps.map(|(place, _)| place).nth(count.checked_sub(1)?)?;
        let (index, tail) = self.back_to(place)?;
        let damaged = |event: &Event| matches!(event, Event::Gap { .. } | Event::Dump(_));
        for Message { at, event, .. } in tail.into_iter().filter(|message| !damaged(&message.event)) {
            self.take(at, event);
        }
        Some(index)
    }

    /// Goes back to before a message. Gives back the index of its observation, and the message with all that came after it.
    fn back_to(&mut self, place: usize) -> Option<(usize, Vec<Message>)> {
        let index = self.begin_of(place)?;
        let shown = self.get(index.checked_sub(1)?)?.shown.clone();
        let clock = self.messages.get(place)?.clock;
        let tail = self.messages.drain(place..).collect();
        self.observations.truncate(index - self.first);
        (self.shown, self.clock) = (shown, clock);
        self.confirmed = [Confirmed { index, by_update: false }; 64];
        Some((index, tail))
    }

    /// Index of the first observation of a message.
    pub(super) fn begin_of(&self, place: usize) -> Option<usize> {
        let message = self.messages.get(place)?;
        if message.is_gap() {
            return message.next.checked_sub(1);
        }
        self.messages.get(place.checked_sub(1)?).map(|before| before.next)
    }

    /// The messages before a place, and after the last gap's dump, and what the board showed before the first of them.
    pub(crate) fn around(&self, place: usize) -> Option<(Vec<&Event>, Vec<&Event>, &Observation)> {
        let last = self.messages.iter().rposition(Message::is_gap)?;
        let before = self.begin_of(place)?.checked_sub(1)?;
        Some((
            self.messages.iter().take(place).map(|message| &message.event).collect(),
            self.messages.iter().skip(last + 1).map(|message| &message.event).collect(),
            self.get(before)?,
        ))
    }

    /// What was heard after the dump that came then.
    pub(crate) fn since_dump(&self, at: u64) -> Vec<(u64, Event)> {
        let since = self.messages.iter().skip_while(|message| message.at < at).skip(1);
        since.map(|message| (message.at, message.event.clone())).collect()
    }

    /// When the dump of the last gap came.
    pub(crate) fn last_gap_at(&self) -> Option<u64> {
        self.messages.iter().rfind(|message| message.is_gap()).map(|message| message.at)
    }

    /// What the last gap's dump shows.
    pub(crate) fn gap_shown(&self) -> Option<&Shown> {
        let gap = self.messages.iter().rfind(|message| message.is_gap())?;
        Some(&self.get(gap.next.checked_sub(1)?)?.shown)
    }

    /// What was heard before a gap that is open, or before one that may come, is compared with the board's log: some changes of
    /// squares are enough for that.
    pub(super) fn forget_events(&mut self) {
        let gaps = self.open_gaps();
        // On a board of which nothing fits for long, the last gap alone counts.
        let gap = if self.messages.len() > w::LINE_PLIES { gaps.last() } else { gaps.first() };
        let changes_a_square = |message: &Message| matches!(message.event, Event::Square(..));
        let before = gap.copied().unwrap_or(self.messages.len());
        let squares = (0..before).rev().filter(|&at| self.messages.get(at).is_some_and(changes_a_square));
        if let Some(first) = squares.into_iter().nth(w::STRETCH - 1) {
            self.messages.drain(..first);
        }
    }
}

#[cfg(test)]
mod tests {
    use dgt_protocol::PieceCode;
    use shakmaty::{Bitboard, Square};

    use super::super::Kind;
    use super::super::tests::{dump, field, start};
    use super::*;

    #[test]
    fn what_the_log_tells_comes_before_the_dump_of_the_gap() {
        let mut history = start();
        history.take(500, Event::Runs(true));
        let mut shown = history.shown().clone();
        shown.set(Square::E2, PieceCode::Empty);
        shown.set(Square::E4, PieceCode::WhitePawn);
        history.take(9_000, Event::Gap { fields: dump(&shown), late: Bitboard::EMPTY });
        let end = history.end();
        let told = [
            Event::Square(field(Square::E2), PieceCode::Empty),
            Event::Square(field(Square::E4), PieceCode::WhitePawn),
            Event::Press { left: true },
        ];
        assert_eq!(history.splice(&told, history.open_gaps()[0]), Some(1));
        assert_eq!(history.end(), end + 3);
        assert_eq!(history.last().unwrap().kind, Kind::Board);
        assert!(!history.lossy(), "the dump shows what the log led to");
    }

    #[test]
    fn what_was_heard_before_the_clock_was_stopped_was_played_though_the_log_comes_after_it() {
        let mut history = start();
        history.take(500, Event::Runs(true));
        history.take(600, Event::Press { left: true });
        let shown = history.shown().clone();
        history.take(9_000, Event::Gap { fields: dump(&shown), late: Bitboard::EMPTY });
        history.take(10_000, Event::Square(field(Square::E2), PieceCode::Empty));
        history.take(11_000, Event::Runs(false));
        let told = [
            Event::Square(field(Square::D7), PieceCode::Empty),
            Event::Square(field(Square::D7), PieceCode::BlackPawn),
        ];
        assert!(history.splice(&told, history.open_gaps()[0]).is_some());
        let lifted = |seen: &&Observation| seen.at == 10_000;
        let seen = (history.first()..history.end()).filter_map(|index| history.get(index)).find(lifted).unwrap();
        assert_eq!((seen.stands, seen.pressing), (false, true));
        assert!(history.last().unwrap().stands);
    }

    #[test]
    fn the_dumps_of_gaps_that_were_none_are_forgotten_and_changes_since_are_not() {
        let mut history = start();
        let (before, end) = (history.shown().clone(), history.end());
        history.take(1_000, Event::Gap { fields: dump(&Shown::default()), late: Bitboard::EMPTY });
        history.take(2_200, Event::Square(field(Square::E2), PieceCode::Empty));
        history.take(2_300, Event::Gap { fields: dump(&Shown::default()), late: Bitboard::EMPTY });
        assert_eq!(history.withdraw_gaps(2), Some(1));
        let differs = history.shown().differs_from(&before);
        assert_eq!((differs, history.end()), (Bitboard::from_square(Square::E2), end + 1));
        assert_eq!(history.withdraw_gaps(1), None, "there is none any more");
    }
}
