//! One game of each class on lines that lose one message, or damage one byte: no crash, at most the move or the reading that
//! the byte describes is wrong, and in the end the session sees the board as it is. A few of them by default, so many of each
//! class with `BOARDCAST_LINES=n`, every single one with `BOARDCAST_CAMPAIGN=full`.

use board_sim::defects::Defect;
use fastrand::Rng;

use crate::case::Case;
use crate::classes::{Class, Clocks, all};
use crate::report::{Kind, Report, Wrong};
use crate::table::{Watched, watch, watch_line};
use crate::{is_full, variable, wanted};

/// Losses and damages of each class in a short run.
const SAMPLES: usize = 2;
/// The bytes of a dump.
const DUMP_BYTES: usize = 67;
/// Among so many seeds the shortest game is taken.
const SEEDS: u64 = 4;

/// What happens to one message.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Lost(usize),
    Damaged { message: usize, at: usize, bits: u8 },
}

impl Fate {
    fn befall(self, number: usize, mut bytes: Vec<u8>) -> Vec<Vec<u8>> {
        match self {
            Fate::Lost(message) if message == number => return Vec::new(),
            Fate::Damaged { message, at, bits } if message == number => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= bits;
                }
            }
            _ => {}
        }
        vec![bytes]
    }

    fn message(self) -> usize {
        match self {
            Fate::Lost(message) | Fate::Damaged { message, .. } => message,
        }
    }

    /// So much of a kind may be wrong: the move or the reading that the message describes.
    fn forgives(self, kind: Kind) -> usize {
        match (self, kind) {
            (_, Kind::Record) | (Fate::Lost(_), Kind::Reading) => 0,
            (Fate::Damaged { .. }, Kind::Reading) | (_, Kind::OneMove) => 1,
            (_, Kind::Retract) => usize::MAX,
        }
    }
}

/// A class played once, with one short game.
struct Trial {
    class: Class,
    seed: u64,
    /// What is wrong on a good line already.
    was_wrong: bool,
    sees_board: bool,
    messages: Vec<usize>,
}

impl Trial {
    fn new(class: &Class) -> Self {
        let shortest = (0..SEEDS).min_by_key(|&seed| (class.case)(seed).plans[0].plies.len());
        let seed = shortest.expect("there are seeds");
        let class = Class { clocks: Clocks::AsRead, ..*class };
        let watched = watch(Self::case(class, seed));
        let was_wrong = !wrongs(&class, seed, &watched).is_empty();
        Self { class, seed, was_wrong, sees_board: watched.sees_board, messages: watched.messages }
    }

    fn case(class: Class, seed: u64) -> Case {
        let mut case = (class.case)(seed);
        case.plans.truncate(1);
        case
    }

    fn fates(&self, rng: &mut Rng) -> Vec<Fate> {
        let lost = (0..self.messages.len()).map(Fate::Lost);
        let bytes =
            self.messages.iter().enumerate().flat_map(|(message, &length)| (0..length).map(move |at| (message, at)));
        let damaged: Vec<_> =
            bytes.map(|(message, at)| Fate::Damaged { message, at, bits: 1 << rng.u8(0..8) }).collect();
        if is_full() {
            return lost.chain(damaged).collect();
        }
        let samples = variable("BOARDCAST_LINES").map_or(SAMPLES, |lines| lines as usize / 2);
        let mut picked = rng.choose_multiple(lost, samples);
        picked.extend(rng.choose_multiple(damaged, samples));
        picked
    }

    /// What goes beyond what a fate may cost.
    fn beyond(&self, fate: Fate) -> Option<String> {
        let watched = watch_line(Self::case(self.class, self.seed), &mut |number, bytes| fate.befall(number, bytes));
        if self.was_wrong {
            return None;
        }
        // A later dump shows the board as it is.
        let last_dump = watched.messages.iter().rposition(|&length| length == DUMP_BYTES);
        let was_shown = last_dump.is_some_and(|dump| dump > fate.message());
        if self.sees_board && was_shown && !watched.sees_board {
            return Some("the session does not see the board as it is".to_owned());
        }
        let wrongs = wrongs(&self.class, self.seed, &watched);
        let kinds = [Kind::Record, Kind::OneMove, Kind::Reading, Kind::Retract];
        let beyond = |kind| wrongs.iter().filter(move |wrong| wrong.kind == kind).nth(fate.forgives(kind));
        kinds.into_iter().find_map(beyond).map(|wrong| wrong.what.clone())
    }
}

fn wrongs(class: &Class, seed: u64, watched: &Watched) -> Vec<Wrong> {
    let mut report = Report::default();
    report.add(seed, class, watched);
    report.wrong.remove(&seed).unwrap_or_default()
}

#[test]
fn no_lost_message_and_no_damaged_byte_costs_more_than_it_tells() {
    let mut failures = Vec::new();
    // A line that is bad already does other things after a message less.
    for class in wanted(all()).filter(|class| !matches!((class.case)(0).defect, Defect::Line { .. })) {
        let trial = Trial::new(class);
        let number = all().position(|other| other.name == class.name).unwrap_or_default();
        let fates = trial.fates(&mut Rng::with_seed(number as u64));
        let beyond: Vec<_> = fates.iter().filter_map(|&fate| Some((fate, trial.beyond(fate)?))).collect();
        println!(
            "{:27} {:6} lines, {:4} beyond{}",
            class.name,
            fates.len(),
            beyond.len(),
            if trial.was_wrong { " (wrong on a good line)" } else { "" }
        );
        failures
            .extend(beyond.iter().map(|(fate, what)| format!("{}, seed {}, {fate:?}: {what}", class.name, trial.seed)));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
