//! What the session made of a class of cases, in figures.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

use crate::bars::Right;
use crate::classes::{Class, Clocks};
use crate::difference::{Difference, Kind};
use crate::expected::ExpectedGame;
use crate::known::{self, KNOWN};
use crate::table::LINE_MS;
use crate::watched::{Told, Watched};
use notation::pgn::Outcome;

/// Most differences of one seed that a failed test prints.
const DIFFERENCES_SHOWN: usize = 3;
/// Publication after the last byte of the flip, in ms: most moves at once.
const FLIP_P50_MS: u64 = 50;
/// Publication without a clock after a move that nothing can change any more, in ms, but for one in twenty.
const SETTLED_P95_MS: u64 = 1_600;

/// The figures of one class.
#[derive(Default)]
pub(crate) struct Report {
    games: usize,
    games_right: usize,
    plies: usize,
    plies_right: usize,
    results_right: usize,
    clocks: usize,
    clocks_exact: usize,
    invented: usize,
    emts: Emts,
    retracts: usize,
    unexplained: usize,
    /// Positions whose moves one call listed, at most.
    most_positions: u64,
    /// In records that are right, from the moment a move stood on the board to its publication.
    stood: Vec<u64>,
    /// The same for moves made without a clock that the hand could not go on from.
    settled: Vec<u64>,
    /// From the last byte of the flip to publication.
    flip: Vec<u64>,
    /// What differs from the games played, by seed.
    pub(crate) differences: BTreeMap<u64, Vec<Difference>>,
}

/// The times spent on moves that were told.
#[derive(Default)]
struct Emts {
    /// By what the clock showed, and within a second of what passed.
    exact: usize,
    /// Without a clock, and within a second of what passed.
    observed: usize,
    /// Neither.
    invented: usize,
}

impl Emts {
    fn count(&mut self, right: bool, clock: bool) {
        let kind = match (right, clock) {
            (true, true) => &mut self.exact,
            (true, false) => &mut self.observed,
            (false, _) => &mut self.invented,
        };
        *kind += 1;
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 100.0 } else { part as f64 * 100.0 / whole as f64 }
}

fn quantile(values: &[u64], percent: usize) -> u64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1))).copied().unwrap_or(0)
}

impl Report {
    pub(crate) const HEADER: &str = "games right%   plies right% result% clocks exact% invented   emt: exact observed invented retracts/1000 unexplained  \
                                     p50/p95 ms after: touch, touch if settled, flip; positions in a call";

    pub(crate) fn add(&mut self, seed: u64, class: &Class, watched: &Watched) {
        self.retracts += watched.retracts;
        self.unexplained += watched.unexplained;
        self.most_positions = self.most_positions.max(watched.most_positions);
        let mut found = watched.differences.clone();
        // Only records that are right tell how soon moves are published.
        let delays = [&self.stood, &self.settled, &self.flip].map(Vec::len);
        if watched.told.len() != watched.expected.len() {
            let what = format!("{} games recorded instead of {}", watched.told.len(), watched.expected.len());
            found.push(Difference::new(Kind::GameCount, what));
        }
        if watched.expected.is_empty() {
            self.games += 1;
            self.games_right += usize::from(watched.told.is_empty());
            self.results_right += 1;
        }
        let mut told: Vec<_> = watched.told.iter().collect();
        for (index, expected) in watched.expected.iter().enumerate() {
            self.games += 1;
            self.plies += expected.plies.len();
            self.clocks +=
                expected.plies.iter().enumerate().filter(|(ply, played)| expected.tells(*ply, played)).count();
            let Some(at) = told.iter().position(|told| told.of == expected.of) else {
                found.push(Difference::new(Kind::GameCount, format!("game {index} is not recorded")));
                continue;
            };
            let told = told.remove(at);
            let before = found.len();
            self.compare(expected, told, class, &mut found);
            for difference in &mut found[before..] {
                difference.what.insert_str(0, &format!("game {index}, "));
            }
        }
        let lever = watched.expected.iter().flat_map(|game| &game.plies).any(|ply| ply.made.pressed_ms.is_some());
        if watched.retracts > 0 && lever {
            found.push(Difference::new(Kind::Retracts, format!("{} retracts", watched.retracts)));
        }
        if !found.is_empty() {
            self.differences.insert(seed, found);
            for (values, count) in [&mut self.stood, &mut self.settled, &mut self.flip].into_iter().zip(delays) {
                values.truncate(count);
            }
        }
    }

    fn compare(&mut self, expected: &ExpectedGame, told: &Told, class: &Class, found: &mut Vec<Difference>) {
        let (moves, plies) = (told.game.moves_before_gap(), &expected.plies);
        let start_is_right = told.game.fen().starts_with(&expected.start);
        if !start_is_right {
            let what = format!("starts from {} instead of {}", told.game.fen(), expected.start);
            found.push(Difference::new(Kind::WrongStart, what));
        }
        let any_order = expected.any_order.start.min(plies.len())..expected.any_order.end.min(plies.len());
        let reordered = moves.get(any_order.clone()).is_some_and(|told| {
            let mut told: Vec<_> = told.iter().map(|mv| mv.uci.as_str()).collect();
            let mut played: Vec<_> = plies[any_order.clone()].iter().map(|ply| ply.uci.as_str()).collect();
            told.sort_unstable();
            played.sort_unstable();
            told == played
        });
        let told_otherwise: Vec<Range<usize>> = expected
            .open
            .iter()
            .filter(|open| {
                let told = moves.get(open.plies.clone());
                told.is_some_and(|told| open.accepts(told.iter().map(|told| told.san.as_str())))
            })
            .map(|open| open.plies.clone())
            .collect();
        let agree = |ply: usize| {
            let told = moves.get(ply).map(|mv| mv.san.as_str());
            told == plies.get(ply).map(|ply| ply.san.as_str())
                || reordered && any_order.contains(&ply)
                || told_otherwise.iter().any(|plies| plies.contains(&ply))
        };
        let same = (0..moves.len().min(plies.len())).take_while(|&ply| agree(ply)).count();
        self.plies_right += same;
        let also = moves.get(plies.len()..).unwrap_or_default();
        let further = also.len() <= expected.further.len()
            && also.iter().zip(&expected.further).all(|(told, played)| told.san == *played);
        let all = same == plies.len() && further;
        if start_is_right && all {
            self.games_right += 1;
        } else if !all {
            let differ = (0..plies.len()).filter(|&ply| !agree(ply)).count();
            let kind = if same == moves.len() {
                Kind::MissingMoves
            } else if same == plies.len() {
                Kind::ExtraMoves
            } else if moves.len() == plies.len() && differ == 1 {
                Kind::OneWrongMove
            } else {
                Kind::WrongMoves
            };
            let what = format!(
                "ply {}: told {:?}, played {:?} (told {} of {})",
                same + 1,
                moves.get(same).map(|mv| &mv.san),
                plies.get(same).map(|ply| &ply.san),
                moves.len(),
                plies.len()
            );
            found.push(Difference::new(kind, what));
        }
        for (ply, (mv, played)) in moves.iter().zip(plies).take(same).enumerate() {
            let made = &played.made;
            let exact = mv.clk_ms == played.clk_ms;
            self.clocks_exact += usize::from(exact && expected.tells(ply, played));
            self.invented += usize::from(!exact && mv.clk_ms.is_some());
            let missing = class.clocks == Clocks::All && made.pressed_ms.is_some() && mv.clk_ms.is_none();
            if missing || !exact && mv.clk_ms.is_some() {
                let (told, was) = (mv.clk_ms, played.clk_ms);
                let what = format!("clock of ply {}: told {told:?}, was {was:?}", ply + 1);
                let kind = if mv.clk_ms.is_none() { Kind::MissingClockTime } else { Kind::WrongClockTime };
                found.push(Difference::new(kind, what));
            }
            if let (Some(emt_ms), Some(before)) = (mv.emt_ms, ply.checked_sub(1).and_then(|before| plies.get(before))) {
                let after = plies.get(ply + 1).map(|after| after.made);
                let right = made.took(emt_ms, before.made, after);
                self.emts.count(right, mv.clk_ms.is_some());
                if !right && class.clocks == Clocks::All && mv.clk_ms.is_some() {
                    let what = format!("time spent on ply {}: told {emt_ms}", ply + 1);
                    found.push(Difference::new(Kind::WrongTimeSpent, what));
                }
            }
            let Some(published) = told.published_ms.get(ply) else { continue };
            let stood = published.saturating_sub(made.stood_ms);
            self.stood.push(stood);
            match made.pressed_ms {
                Some(pressed) => self.flip.push(published.saturating_sub(pressed + LINE_MS)),
                None if !made.may_change => self.settled.push(stood),
                None => {}
            }
        }
        if told.game.result() == expected.result {
            self.results_right += 1;
        } else {
            let kind = if told.game.result() == Outcome::Unknown { Kind::MissingResult } else { Kind::WrongResult };
            let what = format!("result {:?}, was {:?}", told.game.result(), expected.result);
            found.push(Difference::new(kind, what));
        }
    }

    /// All games, those with all moves right, and those with the right result.
    pub(crate) fn games_right(&self) -> (usize, Right) {
        (self.games, Right { moves: self.games_right, results: self.results_right })
    }

    /// Differences that are not exactly the known ones, and publication that is late. No difference of a clean class is known.
    pub(crate) fn failures(&self, class: &Class, seeds: &[u64]) -> Vec<String> {
        let mut failures = Vec::new();
        for &seed in seeds {
            let found = self.differences.get(&seed).map_or(&[][..], Vec::as_slice);
            let kinds: BTreeSet<Kind> = found.iter().map(|difference| difference.kind).collect();
            if let Err(why) = known::check(KNOWN, class.name, seed, &kinds) {
                let some: Vec<_> = found.iter().take(DIFFERENCES_SHOWN).map(|found| found.what.as_str()).collect();
                failures.push(format!("{}, seed {seed}: {why}: {}", class.name, some.join("; ")));
            }
        }
        let flip = quantile(&self.flip, 50);
        if flip > FLIP_P50_MS {
            failures.push(format!("{}: published {flip} ms after the flip", class.name));
        }
        let settled = quantile(&self.settled, 95);
        if class.prompt && settled > SETTLED_P95_MS {
            failures.push(format!("{}: published {settled} ms after a move that nothing could change", class.name));
        }
        failures
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = |values: &[u64]| {
            if values.is_empty() {
                "-".to_owned()
            } else {
                format!("{}/{}", quantile(values, 50), quantile(values, 95))
            }
        };
        write!(
            f,
            "{:5} {:6.1} {:7} {:6.1} {:6.1} {:7} {:6.1} {:5}   {:9} {:6} {:6} {:9.2} {:6}      {}, {}, {}; {}",
            self.games,
            percent(self.games_right, self.games),
            self.plies,
            percent(self.plies_right, self.plies),
            percent(self.results_right, self.games),
            self.clocks,
            percent(self.clocks_exact, self.clocks),
            self.invented,
            self.emts.exact,
            self.emts.observed,
            self.emts.invented,
            self.retracts as f64 * 1_000.0 / self.plies.max(1) as f64,
            self.unexplained,
            pair(&self.stood),
            pair(&self.settled),
            pair(&self.flip),
            self.most_positions,
        )
    }
}
