//! The games that are looked at, with the positions that are still to be evaluated; bounded in number. Pure: the time comes in as
//! an argument.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Games at once; the one that was asked for longest ago goes first.
const MOST_GAMES: usize = 200;

/// Positions of a game at once, the newest ones.
const MOST_POSITIONS: usize = 300;

/// Time without a request after which a game counts as one that is not looked at. Pages ask at least every 30 seconds while
/// something is missing.
const LOOKED_AT_FOR: Duration = Duration::from_mins(1);

/// The games that are looked at.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    games: BTreeMap<Arc<str>, Watch>,
}

#[derive(Debug)]
struct Watch {
    asked_at: Instant,
    /// The newest position last, each with the number of plies after it.
    missing: Vec<(usize, Arc<str>)>,
}

impl Watched {
    /// Notes that a game was asked for, with what is missing of it: the newest position last, each with the number of plies after it.
    pub(crate) fn asked(&mut self, game: &Arc<str>, mut missing: Vec<(usize, Arc<str>)>, now: Instant) {
        missing.drain(..missing.len().saturating_sub(MOST_POSITIONS));
        self.games.insert(Arc::clone(game), Watch { asked_at: now, missing });
        if self.games.len() > MOST_GAMES {
            let oldest = self.games.iter().min_by_key(|(_, watch)| watch.asked_at).map(|(game, _)| Arc::clone(game));
            oldest.map(|oldest| self.games.remove(&oldest));
        }
    }

    /// The position to evaluate next: the newest of all games, then the one before it of all games, and so on; of equals that of the
    /// game that was asked for last. `wanted` says whether a position is still to be evaluated.
    pub(crate) fn next(&mut self, now: Instant, wanted: impl Fn(&str) -> bool) -> Option<Arc<str>> {
        self.games.retain(|_, watch| {
            while watch.missing.pop_if(|(_, fen)| !wanted(fen)).is_some() {}
            !watch.missing.is_empty() && now.saturating_duration_since(watch.asked_at) < LOOKED_AT_FOR
        });
        let newest = self.games.values().filter_map(|watch| Some((watch.missing.last()?, watch.asked_at)));
        let next = newest.min_by_key(|((after, _), asked_at)| (*after, std::cmp::Reverse(*asked_at)));
        next.map(|((_, fen), _)| Arc::clone(fen))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    use super::*;

    /// Positions named `{game}{ply}` up to a ply.
    fn missing(game: &str, plies: usize) -> Vec<(usize, Arc<str>)> {
        (0..=plies).map(|ply| (plies - ply, format!("{game}{ply}").into())).collect()
    }

    fn all(watched: &mut Watched, now: Instant, most: usize) -> Vec<String> {
        let done = RefCell::new(BTreeSet::new());
        let next = || {
            let next = watched.next(now, |fen| !done.borrow().contains(fen))?.to_string();
            done.borrow_mut().insert(next.clone());
            Some(next)
        };
        std::iter::from_fn(next).take(most).collect()
    }

    #[test]
    fn the_newest_position_of_every_game_comes_before_older_ones() {
        let (mut watched, now) = (Watched::default(), Instant::now());
        watched.asked(&"a".into(), missing("a", 1), now);
        watched.asked(&"b".into(), missing("b", 3), now + Duration::from_secs(1));
        assert_eq!(all(&mut watched, now, 9), ["b3", "a1", "b2", "a0", "b1", "b0"]);
        assert_eq!(all(&mut watched, now, 9), Vec::<String>::new(), "each game was done");
    }

    #[test]
    fn a_game_that_is_not_asked_for_any_more_is_left() {
        let (mut watched, now) = (Watched::default(), Instant::now());
        watched.asked(&"a".into(), missing("a", 1), now);
        assert_eq!(all(&mut watched, now + LOOKED_AT_FOR, 1), Vec::<String>::new());
    }

    #[test]
    fn games_and_positions_are_bounded() {
        let (mut watched, now) = (Watched::default(), Instant::now());
        for number in 0..=MOST_GAMES {
            let at = now + Duration::from_millis(number as u64);
            watched.asked(&format!("game {number}").into(), missing("g", MOST_POSITIONS), at);
        }
        assert_eq!(watched.games.len(), MOST_GAMES);
        assert!(!watched.games.contains_key("game 0"));
        let game = &watched.games["game 1"];
        assert_eq!((game.missing.len(), &*game.missing[0].1), (MOST_POSITIONS, "g1"));
    }
}
