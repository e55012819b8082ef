//! How much of each class of [`crate::shared_scans`] the daemon's recogniser has to tell right. One place to raise.

use crate::is_full;

/// Games right of a class: all moves, and the result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Right {
    pub(crate) moves: usize,
    pub(crate) results: usize,
}

/// A class and its bars.
pub(crate) struct Bar {
    pub(crate) class: &'static str,
    /// Of the eight games of seeds 0 to 3, at least these.
    short: Right,
    /// Of a hundred games of the full campaign, at least these.
    full: Right,
}

const fn bar(class: &'static str, short: [usize; 2], full: [usize; 2]) -> Bar {
    Bar { class, short: right(short), full: right(full) }
}

const fn right([moves, results]: [usize; 2]) -> Right {
    Right { moves, results }
}

/// The bars of each class: games with all moves right, games with the right result.
pub(crate) const BARS: &[Bar] = &[
    bar("two hands", [8, 8], [99, 99]),
    bar("two hands, human", [8, 8], [99, 99]),
    bar("plies share a scan", [7, 7], [97, 97]),
    bar("time scramble", [5, 7], [84, 94]),
    bar("mixture", [6, 7], [93, 97]),
    bar("storm", [5, 8], [91, 97]),
    bar("result while the clock runs", [8, 8], [98, 98]),
    bar("last move not pressed", [8, 8], [98, 98]),
    bar("second model of hands", [8, 8], [96, 98]),
    bar("second model, blitz", [8, 8], [97, 98]),
    bar("gap, log in order of events", [6, 7], [95, 98]),
    bar("daemon killed, log", [6, 7], [96, 98]),
    bar("daemon killed, no log", [6, 7], [90, 98]),
    bar("daemon killed, captures lost", [6, 7], [90, 98]),
];

impl Bar {
    /// What is told if so many of all games are right and that is less than the bar of this run; runs of other lengths have none.
    pub(crate) fn unless_reached(&self, (games, told): (usize, Right)) -> Option<String> {
        let least = match games {
            8 if !is_full() => self.short,
            100.. if is_full() => {
                Right { moves: self.full.moves * games / 100, results: self.full.results * games / 100 }
            }
            _ => return None,
        };
        let reached = told.moves >= least.moves && told.results >= least.results;
        (!reached).then(|| {
            format!(
                "{} games and {} results of {games} are right, not {} and {}",
                told.moves, told.results, least.moves, least.results
            )
        })
    }
}
