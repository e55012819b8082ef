//! Which press ended which ply of a hypothesis.
//!
//! Must not know clock times, or which presses there were.

use std::sync::Arc;

/// The presses of a line, the last first. Hypotheses share what was pressed before they parted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Presses(Option<Arc<Pressed>>);

#[derive(Debug)]
struct Pressed {
    /// The ply that it ended, from 1.
    ply: u32,
    /// When, in ms.
    at: u64,
    before: Presses,
}

impl Drop for Pressed {
    /// One after the other: as a recursion a long list would not fit on the stack.
    fn drop(&mut self) {
        let mut next = self.before.0.take();
        while let Some(mut pressed) = next.and_then(Arc::into_inner) {
            next = pressed.before.0.take();
        }
    }
}

impl Presses {
    /// A press ends a ply.
    pub(crate) fn end(&mut self, ply: u32, at: u64) {
        let before = Self(self.0.take());
        self.0 = Some(Arc::new(Pressed { ply, at, before }));
    }

    /// Plies after this one are not played any more.
    pub(crate) fn keep(&mut self, plies: u32) {
        // A press after the reply comes later than that of the reply.
        let mut late = None;
        while let Some(last) = self.0.clone().filter(|last| last.ply >= plies) {
            late = if last.ply == plies { late.or(Some(last.at)) } else { late };
            self.0.clone_from(&last.before.0);
        }
        if let Some(at) = late {
            self.end(plies, at);
        }
    }

    /// When a ply was pressed last, in ms.
    pub(crate) fn of(&self, ply: u32) -> Option<u64> {
        let mut next = self.0.as_deref();
        // One ply of the other player may have been pressed before it.
        while let Some(pressed) = next.filter(|pressed| pressed.ply + 1 >= ply) {
            if pressed.ply == ply {
                return Some(pressed.at);
            }
            next = pressed.before.0.as_deref();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn presses(plies: &[(u32, u64)]) -> Presses {
        let mut presses = Presses::default();
        for &(ply, at) in plies {
            presses.end(ply, at);
        }
        presses
    }

    #[test]
    fn a_ply_has_its_last_press_also_where_the_reply_was_pressed_before() {
        let presses = presses(&[(1, 10), (3, 30), (2, 35), (3, 40)]);
        assert_eq!([0, 1, 2, 3, 4].map(|ply| presses.of(ply)), [None, Some(10), Some(35), Some(40), None]);
    }

    #[test]
    fn plies_that_are_taken_back_have_no_presses() {
        let mut presses = presses(&[(1, 10), (2, 20), (4, 40), (3, 45), (5, 50)]);
        presses.keep(3);
        assert_eq!([2, 3, 4, 5].map(|ply| presses.of(ply)), [Some(20), Some(45), None, None]);
        presses.keep(2);
        assert_eq!([2, 3].map(|ply| presses.of(ply)), [Some(20), None]);
    }

    #[test]
    fn a_long_list_can_be_dropped() {
        drop(presses(&(1..1_000_000).map(|ply| (ply, u64::from(ply))).collect::<Vec<_>>()));
    }
}
