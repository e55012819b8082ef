//! Assigns the presses of a game again after a person has corrected its moves.
//!
//! Knows the order of presses and plies. Must not know the moves.

use super::{PlyTimes, Times};
use crate::press::Press;

/// A press and the ply that it was assigned to, if any.
type Given = (Press, Option<usize>);

impl Times {
    /// Corrects the plies after the first `same` ones; the game has `last` plies then. `found` pairs new and old numbers of plies
    /// that stay the same move. Every press ends a move: with one press for each ply, or for each but the last, their order
    /// decides. Otherwise a press stays with the move that it was seen with, and a press that only shows who pressed last stays
    /// where the number of plies after it fits the number of presses.
    pub(crate) fn correct(
        &mut self,
        same: usize,
        last: usize,
        found: impl Iterator<Item = (usize, usize)>,
        is_movers: impl Fn(usize, Press) -> bool,
    ) {
        self.unfinished_ms = [0; 2];
        let told = self.plies.iter().zip(1..).skip(same);
        let mut presses: Vec<Given> = self.set_aside.iter().map(|&press| (press, None)).collect();
        presses.extend(told.filter_map(|(times, ply)| Some((times.press?, Some(ply)))));
        presses.extend(self.presses.iter().map(|&press| (press, None)));
        presses.sort_by_key(|(press, _)| press.at);
        let plies = last.saturating_sub(same);
        let in_order = || (same + 1..=last).zip(presses.iter().copied());
        let fits = presses.len() == plies || presses.len() + 1 == plies;
        let remain =
            |(ply, (press, was)): (usize, Given)| is_movers(ply, press) && (press.flip_was_seen() || was == Some(ply));
        if fits && in_order().all(remain) {
            self.carried = in_order().map(|(ply, given)| (ply, self.moved(ply, given))).collect();
            (self.presses, self.set_aside) = (Vec::new(), Vec::new());
            return;
        }
        let known = |ply: usize| {
            self.ply(ply).filter(|times| times.known_before || times.press.is_none_or(Press::flip_was_seen))
        };
        self.carried = found.filter_map(|(new, old)| Some((new, *known(old)?))).collect();
        for (behind, &(press, was)) in presses.iter().rev().enumerate() {
            let Some(ply) = was.filter(|&ply| !press.flip_was_seen() && ply <= last && is_movers(ply, press)) else {
                continue;
            };
            if last - ply == behind || last - ply == behind + 1 {
                self.carried.insert(ply, self.moved(ply, (press, was)));
            }
        }
        let carried = |press: Press| self.carried.values().any(|times| times.press == Some(press));
        let struck = presses.iter().filter(|(press, was)| was.is_some() && press.flip_was_seen() && !carried(*press));
        self.set_aside.extend(struck.map(|(press, _)| *press));
    }

    /// The times of a ply that takes over the press of another one.
    fn moved(&self, ply: usize, (press, was): Given) -> PlyTimes {
        let known = was.and_then(|was| self.ply(was)).copied();
        let verified = known.is_some_and(|times| times.verified) || self.explains(ply, press);
        let fresh = PlyTimes { seen: press.at, press: Some(press), verified, ..PlyTimes::default() };
        known.map_or(fresh, |times| PlyTimes { verified, ..times })
    }
}
