//! One game of each class on lines that lose one message, or damage one byte: no crash, at most the move or the reading that
//! the byte describes is wrong, and in the end the session sees the board as it is. A few of them by default, so many of each
//! class with `BOARDCAST_LINES=n`, every single one with `BOARDCAST_CAMPAIGN=full`; `BOARDCAST_MESSAGE_FAULT=286` or `286:3:16` loses this
//! message alone, or damages this byte of it by these bits.
//!
//! The game is played on a good line: once, and once more with a session that expects losses, as one does that has met one. For
//! each faulty message another table goes on from the moment before it, beside these two, until it is like one of them: from
//! there on the same is told at both. Where that does not settle what is right, and for one line in some hundreds, the whole
//! game is played on the damaged line too.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use board_sim::defects::Defect;
use fastrand::Rng;
use game_core::event::{Event, Record};

use crate::case::Case;
use crate::classes::{Class, Clocks, all};
use crate::difference::{Cost, Difference};
use crate::known::{COSTLY, COSTLY_LINES, LINES_TO_ONE_BEYOND};
use crate::message_fault::MessageFault;
use crate::report::Report;
use crate::table::{Watch, watch, watch_line};
use crate::watched::{Told, Watched};
use crate::{is_full, variable, wanted};

/// Losses and damages of each class in a short run.
const SAMPLES: usize = 2;
/// Of so many lines one is played whole as well, to prove that leaving off changes nothing.
const PROVED: usize = 400;
/// The bytes of a dump.
const DUMP_BYTES: usize = 67;
/// Among so many seeds the shortest game is taken.
const SEEDS: u64 = 4;
/// Classes are played beside each other on so many threads.
const THREADS: usize = 2;

/// How often one bad message may cost this: it may spoil the move or the clock time that it describes.
fn allowed(fault: MessageFault, cost: Cost) -> usize {
    match (fault, cost) {
        (_, Cost::Record) | (MessageFault::Lost(_), Cost::ClockTime) => 0,
        (MessageFault::Damaged { .. }, Cost::ClockTime) | (_, Cost::OneMove) => 1,
        (_, Cost::Retract) => usize::MAX,
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
        let was_wrong = !differences(&class, seed, &watched).is_empty();
        Self { class, seed, was_wrong, sees_board: watched.sees_board, messages: watched.messages }
    }

    fn case(class: Class, seed: u64) -> Case {
        let mut case = (class.case)(seed);
        case.plans.truncate(1);
        case
    }

    fn faults(&self, rng: &mut Rng) -> Vec<MessageFault> {
        let lost = (0..self.messages.len()).map(MessageFault::Lost);
        let bytes =
            self.messages.iter().enumerate().flat_map(|(message, &length)| (0..length).map(move |at| (message, at)));
        let damaged: Vec<_> =
            bytes.map(|(message, at)| MessageFault::Damaged { message, at, bits: 1 << rng.u8(0..8) }).collect();
        if is_full() {
            return lost.chain(damaged).collect();
        }
        let samples = variable("BOARDCAST_LINES").map_or(SAMPLES, |lines| lines as usize / 2);
        let mut picked = rng.choose_multiple(lost, samples);
        picked.extend(rng.choose_multiple(damaged, samples));
        picked
    }

    /// The difference that a fault may not cost, on a line that was played to its end.
    fn beyond(&self, fault: MessageFault, watched: &Watched) -> Option<String> {
        if self.was_wrong {
            return None;
        }
        // A later dump shows the board as it is.
        let last_dump = watched.messages.iter().rposition(|&length| length == DUMP_BYTES);
        let was_shown = last_dump.is_some_and(|dump| dump > fault.message());
        if self.sees_board && was_shown && !watched.sees_board {
            return Some("the session does not see the board as it is".to_owned());
        }
        let differences = differences(&self.class, self.seed, watched);
        let costs = [Cost::Record, Cost::OneMove, Cost::ClockTime, Cost::Retract];
        let beyond = |cost| differences.iter().filter(move |found| found.kind.cost() == cost).nth(allowed(fault, cost));
        costs.into_iter().find_map(beyond).map(|found| found.what.clone())
    }

    fn played_whole(&self, fault: MessageFault) -> Option<String> {
        self.beyond(fault, &watch_line(Self::case(self.class, self.seed), Some(fault)))
    }

    /// What goes beyond, for each of these faults in the order of their messages, and how many lines were played to their end.
    fn all_beyond(
        &self,
        faults: &[MessageFault],
    ) -> (Vec<(MessageFault, String)>, usize, BTreeMap<&'static str, usize>) {
        let mut good = Reference::new(Watch::new(Self::case(self.class, self.seed)));
        let mut lossy = Watch::new(Self::case(self.class, self.seed));
        lossy.expects_loss = true;
        let mut lossy = Reference::new(lossy);
        let mut rest = faults;
        let (mut open, mut closed): (Vec<Watch>, Vec<Closed>) = (Vec::new(), Vec::new());
        let mut open_faults: Vec<MessageFault> = Vec::new();
        loop {
            let before = good.watch.clone();
            good.settle();
            let arrived = rest.partition_point(|fault| fault.message() < good.watch.seen.messages.len());
            for &fault in &rest[..arrived] {
                let mut damaged = before.on_line(fault);
                damaged.settle();
                open.push(damaged);
                open_faults.push(fault);
            }
            rest = &rest[arrived..];
            let Some(due) = good.watch.next_due() else { break };
            lossy.run_before(due);
            for index in (0..open.len()).rev() {
                open[index].run_before(due);
                let like = [&good, &lossy].into_iter().position(|known| open[index].goes_on_like(&known.watch, due));
                if let Some(like) = like {
                    let damaged = open.swap_remove(index).seen;
                    let fault = open_faults.swap_remove(index);
                    let known = if like == 0 { &good } else { &lossy };
                    closed.extend(known.closes(fault, damaged, like));
                }
            }
            good.watch.go_to(due);
        }
        let mut parts: BTreeMap<&str, usize> = BTreeMap::new();
        for open in &open {
            *parts.entry(open.differs_in(&lossy.watch)).or_default() += 1;
        }
        let references = [good.finish(), lossy.finish()];
        let mut beyond = Vec::new();
        if !self.was_wrong
            && let Some(what) = self.beyond(MessageFault::Lost(usize::MAX), &references[1].0)
        {
            beyond
                .push((MessageFault::Lost(usize::MAX), format!("on a good line of which losses are expected: {what}")));
        }
        let whole = open.len();
        for (fault, damaged) in open_faults.into_iter().zip(open) {
            beyond.extend(self.beyond(fault, &damaged.run()).map(|what| (fault, what)));
        }
        for closed in closed {
            let fault = closed.fault;
            let (good, records) = &references[closed.like];
            let forgiven = closed.rest(good, records).is_some_and(|told| self.beyond(fault, &told).is_none());
            if !forgiven {
                beyond.extend(self.played_whole(fault).map(|what| (fault, what)));
            }
        }
        (beyond, whole, parts)
    }
}

/// A table on a good line, and what was told there.
struct Reference {
    watch: Watch,
    records: Vec<(usize, Record)>,
}

impl Reference {
    fn new(watch: Watch) -> Self {
        Self { watch, records: Vec::new() }
    }

    fn settle(&mut self) {
        self.watch.settle();
        self.note();
    }

    fn run_before(&mut self, until: u64) {
        if self.watch.seen.messages.is_empty() {
            self.watch.settle();
        }
        self.watch.run_before(until);
        self.note();
    }

    fn note(&mut self) {
        self.records.append(&mut self.watch.seen.records);
        self.watch.seen.inputs.clear();
    }

    /// A damaged line that goes on like this one, if something else was told there.
    fn closes(&self, fault: MessageFault, told: Watched, like: usize) -> Option<Closed> {
        let (good, records) = (&self.watch.seen, self.records.len());
        match differing(&told.told, &good.told) {
            Some(differs) => {
                let differences = good.differences.len();
                Some(Closed { fault, like, told, differs, records, differences })
            }
            None => (told.differences.len() > good.differences.len()).then_some(Closed {
                fault,
                like,
                told,
                differs: 0,
                records,
                differences: 0,
            }),
        }
    }

    /// The rest of the games.
    fn finish(mut self) -> (Watched, Vec<(usize, Record)>) {
        let told = self.watch.run();
        self.records.extend(told.records.iter().cloned());
        (told, self.records)
    }
}

/// A damaged line that was left off because all was as on a good line, though something else had been told.
struct Closed {
    fault: MessageFault,
    /// The number of the good line.
    like: usize,
    told: Watched,
    /// The first ply of the last game that was told otherwise, from 1.
    differs: u32,
    /// How much had been told on the good line, and what was wrong there.
    records: usize,
    differences: usize,
}

impl Closed {
    /// What is told in the end; none when something that was told otherwise is told again later.
    fn rest(mut self, good: &Watched, records: &[(usize, Record)]) -> Option<Watched> {
        for (of, record) in records.get(self.records..)? {
            match record.event {
                Event::Amend { ply, .. } if ply == self.differs => return None,
                Event::Retract { to_ply } if to_ply < self.differs => return None,
                Event::GameStarted { .. } => self.differs = 0,
                _ => {}
            }
            self.told.hear(*of, record);
        }
        self.told.differences.extend(good.differences.get(self.differences..)?.iter().cloned());
        Some(Watched {
            expected: good.expected.clone(),
            sees_board: good.sees_board,
            messages: good.messages.clone(),
            ..self.told
        })
    }
}

/// Whether the same games, moves, times and results were told; if not, the first ply of the last game that differs.
fn differing(told: &[Told], good: &[Told]) -> Option<u32> {
    let same = |(told, good): (&Told, &Told)| {
        told.game.fen() == good.game.fen()
            && told.game.moves() == good.game.moves()
            && told.game.result() == good.game.result()
    };
    if told.len() == good.len() && told.iter().zip(good).all(same) {
        return None;
    }
    let (told, good) = (told.last()?.game.moves(), good.last()?.game.moves());
    let alike = told.iter().zip(good).take_while(|(told, good)| told == good).count();
    u32::try_from(alike + 1).ok()
}

fn differences(class: &Class, seed: u64, watched: &Watched) -> Vec<Difference> {
    let mut report = Report::default();
    report.add(seed, class, watched);
    report.differences.remove(&seed).unwrap_or_default()
}

/// Plays the faults of one class. Returns those that cost more than is allowed.
fn check_class(class: &Class) -> Vec<String> {
    let trial = Trial::new(class);
    if let Some(fault) = std::env::var("BOARDCAST_MESSAGE_FAULT").ok().and_then(|fault| MessageFault::read(&fault)) {
        println!("{}, seed {}, {fault:?}", class.name, trial.seed);
        return trial.played_whole(fault).into_iter().collect();
    }
    let number = all().position(|other| other.name == class.name).unwrap_or_default();
    let rng = &mut Rng::with_seed(number as u64);
    let mut faults = trial.faults(rng);
    faults.sort_by_key(|fault| fault.message());
    let (mut beyond, whole, parts) = trial.all_beyond(&faults);
    let proved = faults.iter().filter(|_| !is_full() || rng.usize(0..PROVED) == 0);
    let mut failures: Vec<String> = Vec::new();
    for &fault in proved {
        let found = beyond.iter().find(|(other, _)| *other == fault).map(|(_, what)| what.clone());
        let played = trial.played_whole(fault);
        if found != played {
            failures.push(format!("{}, {fault:?}: left off with {found:?}, played whole with {played:?}", class.name));
        }
    }
    println!(
        "{:27} {:6} lines, {:4} beyond, {whole} not alike again {parts:?}{}",
        class.name,
        faults.len(),
        beyond.len(),
        if trial.was_wrong { " (wrong on a good line)" } else { "" }
    );
    let costly = COSTLY.iter().find(|(name, ..)| *name == class.name).map_or(0, |(_, most, _)| *most);
    beyond.retain(|(fault, what)| {
        let known = COSTLY_LINES.iter().find(|(name, line, _)| (*name, *line) == (class.name, *fault));
        if let Some((.., why)) = known {
            println!("    known to cost more: {fault:?}: {what}: {why}");
        }
        is_full() || known.is_none()
    });
    if is_full() && beyond.len() <= costly.max(faults.len() / LINES_TO_ONE_BEYOND) {
        for (fault, what) in beyond {
            println!("    known to cost more: {fault:?}: {what}");
        }
        return failures;
    }
    failures
        .extend(beyond.iter().map(|(fault, what)| format!("{}, seed {}, {fault:?}: {what}", class.name, trial.seed)));
    failures
}

#[test]
fn no_lost_message_and_no_damaged_byte_costs_more_than_it_tells() {
    // A line that is bad already does other things after a message less.
    let classes: Vec<_> =
        wanted(all()).filter(|class| !matches!((class.case)(0).defect, Defect::Line { .. })).collect();
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some(class) = classes.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = check_class(class);
                    for failure in &found {
                        println!("    {failure}");
                    }
                    failures.lock().expect("no thread has failed").extend(found);
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no thread has failed");
    assert!(failures.is_empty(), "{} lines cost more than they tell", failures.len());
}
