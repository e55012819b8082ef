//! Gives presses to plies again when it turns out that the clock stands the other way, or was turned round in mid-game.
//!
//! Must not know how that was found.

use super::{PlyTimes, Times};
use crate::press::{Press, Source};
use crate::time::Timestamp;

impl Times {
    /// The clock was turned round at this instant, or was not after all: what was read before is told by its sides as they are now.
    pub(crate) fn turn_round(&mut self, at: Timestamp) {
        let told = self.plies.iter_mut().chain(self.carried.values_mut()).filter_map(|times| times.press.as_mut());
        let kept = self.presses.iter_mut().chain(&mut self.heard).chain(&mut self.set_aside);
        for press in told.chain(kept).chain(self.assigned.values_mut()).filter(|press| press.at < at) {
            *press = press.turned();
        }
        self.start = self.start.map(crate::reading::Reading::turned);
        self.learned.swap(0, 1);
        self.hinted.swap(0, 1);
        self.unfinished_ms.swap(0, 1);
    }

    /// The presses since an instant were taken for those of the other player: each goes to the ply that it ended, as `pressed` says.
    pub(crate) fn give_again(
        &mut self,
        since: Timestamp,
        pressed: impl Fn(usize) -> Option<Timestamp>,
        is_movers: impl Fn(usize, Press) -> bool,
    ) {
        let later =
            |(ply, times): &(usize, &PlyTimes)| !times.known_before && pressed(*ply).unwrap_or(times.seen) >= since;
        let plies: Vec<usize> = (1..).zip(&self.plies).filter(later).map(|(ply, _)| ply).collect();
        let mut last = since;
        for &ply in &plies {
            let logged = self.ply(ply).and_then(|times| times.press).filter(|press| press.source == Source::Log);
            let at = pressed(ply);
            // A clock at which each ply seems to be pressed after its reply stands the other way.
            let replied = self.ply(ply + 1).map(|reply| reply.seen);
            let in_time = |press: &Press| replied.is_none_or(|replied| press.at <= replied);
            let ended = |press: &&Press| Some(press.at) == at && is_movers(ply, **press) && in_time(press);
            let press = logged.map(Press::turned).or_else(|| self.heard.iter().find(ended).copied());
            let verified = press.is_some_and(|press| self.explains(ply, press));
            if let Some(times) = ply.checked_sub(1).and_then(|i| self.plies.get_mut(i)) {
                *times = PlyTimes { press, verified, earlier_ms: 0, ..*times };
            }
            last = last.max(at.unwrap_or(last));
        }
        self.presses = self.heard.iter().copied().filter(|press| press.at > last).collect();
        self.unchecked = [None; 2];
        for ply in plies.into_iter().rev().take(2).rev() {
            if let Some(press) = self.ply(ply).and_then(|times| times.press) {
                self.check_later(ply, press);
            }
        }
    }
}
