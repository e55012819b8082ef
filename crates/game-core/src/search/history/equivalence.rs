//! Whether two games were heard in the same way, from some observation on.

use shakmaty::{Bitboard, Color};

use super::{Confirmed, Event, History, Kind};
use crate::search::weights as w;

impl History {
    /// Whether the next messages mean the same.
    pub(crate) fn same_state(&self, other: &Self) -> bool {
        let Self {
            rotated,
            kept,
            observations: _,
            first: _,
            messages: _,
            shown,
            filled,
            confirmed,
            clock,
            lossy,
            settled: _,
        } = self;
        let ages = |history: &Self| {
            history.confirmed.map(|Confirmed { index, by_update }| (history.end().saturating_sub(index), by_update))
        };
        (rotated, kept, clock, lossy) == (&other.rotated, &other.kept, &other.clock, &other.lossy)
            && (shown, filled) == (&other.shown, &other.filled)
            && confirmed.len() == other.confirmed.len()
            && ages(self) == ages(other)
    }

    /// Whether there is a gap of which it is not known what went unseen: the log that is asked for after the next one tells it too.
    pub(crate) fn has_open_gap(&self) -> bool {
        self.messages.iter().any(|message| message.is_gap() && message.next > self.settled)
    }

    /// The first observation that a message may still change, or that a sign of the result may make the search look at.
    pub(crate) fn first_in_question(&self, log: bool, restart: bool) -> usize {
        let confirmed = self.confirmed.iter().map(|confirmed| confirmed.index).min().unwrap_or(0);
        let mut first = self.first_unread().map_or(confirmed, |unread| confirmed.min(unread));
        let find = |wanted: &dyn Fn(Kind) -> bool| self.observations.iter().rposition(|each| wanted(each.kind));
        if restart {
            first = first.min(find(&|kind| kind == Kind::Started).map_or(self.first, |at| self.first + at));
        }
        if log {
            let told = self.open_gaps().first().and_then(|&gap| {
                let changes = self.changes_before_gap().filter(|&place| 0 < place && place < gap).take(w::STRETCH);
                self.begin_of(changes.last().unwrap_or(gap))
            });
            first = first.min(told.map_or(self.first, |begin| begin.saturating_sub(1)));
        }
        // A king that is not on the board may be in the hand that shows the result.
        for color in Color::ALL {
            if self.shown.kings(color) == Bitboard::EMPTY {
                let stood = self.observations.iter().rposition(|each| each.shown.kings(color) != Bitboard::EMPTY);
                first = first.min(stood.map_or(self.first, |at| self.first + at));
            }
        }
        first
    }

    /// Whether the last `count` observations are the same, and those of some milliseconds before them.
    pub(crate) fn same_observations(&self, other: &Self, count: usize, before_ms: u64) -> bool {
        let (mine, others) = (self.observations.iter().rev(), other.observations.iter().rev());
        let first = self.observations.len().saturating_sub(count);
        let Some(since) = self.observations.get(first).map(|first| first.at) else { return true };
        for (compared, (one, its)) in mine.zip(others).enumerate() {
            if compared >= count && since.saturating_sub(one.at) > before_ms {
                return true;
            }
            if one != its {
                return false;
            }
        }
        // One of them has no more: the other one has none either.
        self.observations.len() == other.observations.len()
    }

    /// Whether what the board's log would be compared with is the same: after the next gap, or with `log` after those that are
    /// open.
    pub(crate) fn same_messages(&self, other: &Self, log: bool) -> bool {
        let mut wanted = w::STRETCH;
        let mut open = if log { self.open_gaps().len() } else { 0 };
        if log && open != other.open_gaps().len() {
            return false;
        }
        let (mine, others) = (self.messages.iter().rev(), other.messages.iter().rev());
        for (message, its) in mine.zip(others) {
            let ago = (self.end().saturating_sub(message.next), other.end().saturating_sub(its.next));
            let same = (message.at, message.clock, &message.event) == (its.at, its.clock, &its.event);
            if !same || ago.0 != ago.1 {
                return false;
            }
            open = open.saturating_sub(usize::from(message.is_gap()));
            wanted -= usize::from(open == 0 && matches!(message.event, Event::Square(..)));
            if wanted == 0 {
                return true;
            }
        }
        self.messages.len() == other.messages.len()
    }
}
