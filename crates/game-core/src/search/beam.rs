//! The hypotheses that are kept, and how each observation changes them: taken by all, expanded, merged where their future is
//! the same, and dropped where they are too dear.
//!
//! Knows hypotheses and observations. Must not know what was told.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use shakmaty::{Bitboard, Chess, Color, Position};

use super::expand::Expansion;
use super::history::{History, Kind, Observation, Pause};
use super::hypothesis::{Hypothesis, Key};
use super::line::{Lines, NodeId, ROOT};
use super::terms::Term;
use super::weights::{self as w, Cost};

/// The hypotheses after some observation, the cheapest first.
#[derive(Clone, Debug)]
pub(crate) struct Beam {
    pub(crate) hypotheses: Vec<Hypothesis>,
    /// How many positions' moves were listed so far.
    pub(crate) expanded: u64,
    /// The most that one observation may list.
    pub(crate) limit: u32,
    /// Plies up to the last one that a person entered, until the board has shown it: none of them is taken back.
    pub(crate) entered: u32,
}

/// What is considered beside legal play on a board without faults.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doubts {
    /// That nothing is played any more.
    pub(crate) off: bool,
    /// That the board has faults.
    pub(crate) faults: bool,
}

/// A line without its last plies, the last one first, down to `kept` plies.
fn without_last(line: &Hypothesis, start: &Chess, lines: &Lines, kept: u32) -> impl Iterator<Item = Hypothesis> {
    let moves = lines.moves(line.line);
    let first = moves.len().saturating_sub(w::STRETCH).max(kept as usize);
    let mut position = start.clone();
    let mut last = Vec::with_capacity(w::STRETCH);
    for (count, &mv) in (0..).zip(&moves) {
        if count as usize >= first {
            last.push((count, mv, position.clone()));
        }
        position.play_unchecked(mv);
    }
    let mut back = Hypothesis { sure: None, rival: None, ..line.clone() };
    back.forget_presses();
    back.pay(Term::TakenBack, if line.undone > 0 { 0 } else { w::RARE });
    last.into_iter().rev().map(move |(count, mv, position)| {
        back.misread = back.misread.before(position.turn(), mv);
        back.position = position;
        back.line = lines.ancestor(back.line, count);
        back.presses.keep(count);
        back.undone += 1;
        back.pay(Term::TakenBackPly, w::OFTEN);
        back.clone()
    })
}

/// A line without its last plies, where the board shows exactly one of its last positions.
fn taken_back(line: &Hypothesis, seen: &Observation, start: &Chess, lines: &Lines, kept: u32) -> Option<Hypothesis> {
    without_last(line, start, lines, kept).find(|back| back.differs_for_sure(seen).is_empty())
}

impl Beam {
    pub(crate) fn new(hypotheses: Vec<Hypothesis>) -> Self {
        Self { hypotheses, expanded: 0, limit: w::OBSERVATION, entered: 0 }
    }

    pub(crate) fn best(&self) -> Option<&Hypothesis> {
        self.hypotheses.first()
    }

    pub(crate) fn cost(&self) -> Cost {
        self.best().map_or(0, |best| best.cost)
    }

    /// Takes the observation at an index; `bound` hypotheses are kept.
    pub(crate) fn take(
        &mut self,
        history: &History,
        at: usize,
        start: &Chess,
        lines: &mut Lines,
        bound: usize,
        doubts: Doubts,
    ) {
        let Some(seen) = history.get(at) else { return };
        let window = w::HOPELESS;
        // The likeliest line says what the habits of the table are: a wrong one would excuse itself.
        if let Some(habits) = self.best().map(|best| best.habits) {
            self.hypotheses.iter_mut().for_each(|each| each.habits = habits);
        }
        if let Some(before) = at.checked_sub(1).and_then(|before| history.get(before)) {
            for hypothesis in &mut self.hypotheses {
                hypothesis.pay(Term::Waiting, hypothesis.cost_at(seen.at, before) - hypothesis.cost);
            }
        }
        // Where messages are damaged, one of them looks like an illegal move more often than there is one.
        let unproved = if history.lossy() { w::RARE } else { 0 };
        match seen.kind {
            Kind::Press { left, pause } => {
                self.consider_turned(seen.at, pause);
                let back: Vec<Hypothesis> =
                    self.hypotheses.iter().filter_map(|each| each.pressed_back(seen.at, left, lines)).collect();
                self.hypotheses.iter_mut().for_each(|each| each.press(seen.at, left, lines));
                self.hypotheses.extend(back);
                self.consider_illegal(seen, true, unproved, lines);
                if doubts.faults && self.differs_hard(seen) {
                    self.go_on(history, at, lines, true, window);
                }
            }
            Kind::Lever { left_runs } => self.hypotheses.iter_mut().for_each(|each| each.lever(left_runs)),
            Kind::Started => {
                self.step_back(history, at, start, lines);
                // What was done shortly before the reading was done while the clock ran.
                self.go_on(history, at, lines, false, window);
            }
            Kind::Stopped => {}
            Kind::Board | Kind::Gap { .. } => {
                if seen.dump {
                    self.hypotheses.iter_mut().for_each(|each| each.dump(seen, history.filled()));
                }
                let board = seen.kind == Kind::Board && (seen.dump || !seen.pressing);
                let stood = at.checked_sub(1).and_then(|before| history.get(before));
                if let Some(stood) = stood.filter(|stood| board && seen.at.saturating_sub(stood.at) >= w::SETTLED_MS) {
                    self.consider_illegal(stood, !history.has_clock(), unproved, lines);
                }
                let assume = doubts.faults && board && self.differs_hard(seen);
                self.go_on(history, at, lines, assume, window);
                self.end_illegal_play(seen, start, lines);
                self.put_illegal_right(seen, start, lines);
                self.step_back(history, at, start, lines);
                if seen.kind.is_gap() {
                    self.step_back_and_on(history, at, start, lines);
                }
                self.change_last(seen, start, lines);
                self.change_earlier(seen, start, lines);
                if doubts.off {
                    self.consider_off();
                }
            }
        }
        let lifted = at.checked_sub(1).and_then(|before| history.get(before)).and_then(|before| lifted(before, seen));
        for hypothesis in &mut self.hypotheses {
            hypothesis.compare(seen);
            // Everything stands where the line left it: play goes on from there.
            hypothesis.off &= !hypothesis.differs.is_empty();
            hypothesis.charge_event(seen, lifted);
        }
        self.prune(bound, window);
    }

    /// Whether the best hypothesis says something else than the board, and nothing proves that a message was lost.
    fn differs_hard(&self, seen: &Observation) -> bool {
        let best = self.hypotheses.iter().min_by_key(|each| each.cost);
        best.is_some_and(|best| !best.off && best.differs_for_sure(seen).any())
    }

    /// The clock may have been turned round before this press.
    fn consider_turned(&mut self, at: u64, pause: Pause) {
        let (turned, left) = match pause {
            Pause::None => return,
            Pause::Stood => (w::VERY_RARE, 0),
            Pause::Turned => (0, w::RARE),
        };
        let play = self.hypotheses.iter().filter(|each| !each.off);
        let turned: Vec<_> = play.map(|each| each.with_clock_turned(at, turned)).collect();
        self.hypotheses.iter_mut().for_each(|each| each.pay(Term::ClockExchanged, left));
        self.hypotheses.extend(turned);
    }

    /// What stands there may be an illegal move of the player to move.
    fn consider_illegal(&mut self, stood: &Observation, ends: bool, unproved: Cost, lines: &mut Lines) {
        let low = self.hypotheses.iter().map(|each| each.cost).min().unwrap_or(0);
        let stands = |each: &&Hypothesis| {
            let differs = each.differs_from(&stood.shown) & !each.faulty & !each.lost;
            each.cost <= low.saturating_add(w::POOR) && !differs.is_empty()
        };
        let mut found: Vec<Hypothesis> = self
            .hypotheses
            .iter()
            .filter(stands)
            .filter_map(|each| each.after_illegal_move(stood, ends, lines))
            .collect();
        for each in &mut found {
            each.cost = each.cost.saturating_add(unproved);
        }
        self.hypotheses.extend(found);
    }

    /// The cheapest line may have ended where it is, whatever is done on the board.
    fn consider_off(&mut self) {
        let Some(best) = self.hypotheses.iter().filter(|each| !each.off).min_by_key(|each| each.cost) else { return };
        let mut off = Hypothesis { off: true, ..best.clone() };
        off.pay(Term::Off, w::OFF);
        let known =
            self.hypotheses.iter_mut().find(|each| each.off && each.line == off.line && each.faulty == off.faulty);
        match known {
            Some(known) if known.cost > off.cost => (known.cost, known.ledger) = (off.cost, off.ledger),
            Some(_) => {}
            None => self.hypotheses.push(off),
        }
    }

    fn prune(&mut self, bound: usize, window: Cost) {
        self.hypotheses.sort_by_key(|hypothesis| hypothesis.cost);
        let Some(best) = self.hypotheses.first().map(|best| best.cost) else { return };
        let within = self.hypotheses.partition_point(|each| each.cost <= best.saturating_add(window));
        self.hypotheses.truncate(within);
        if within > bound {
            // Lines that differ in what no one saw may be many: some stay that explain what stands there without a fault.
            let explains = |each: &Hypothesis| each.is_shown() && each.faulty == each.blind;
            let rest = self.hypotheses.split_off(bound);
            // Which way the clock was turned is told by presses to come.
            let white_left = self.best().is_some_and(|best| best.white_left);
            let turned = |each: &&Hypothesis| each.white_left != white_left;
            let known = self.hypotheses.iter().any(|each| turned(&each));
            let turned = rest.iter().filter(turned).take(usize::from(!known)).cloned().collect::<Vec<_>>();
            self.hypotheses.extend(rest.into_iter().filter(explains).take(w::TOGETHER as usize).chain(turned));
        }
        // Costs count from the cheapest one on after a while, so that they never run over.
        if best > Cost::MAX / 4 {
            self.hypotheses.iter_mut().for_each(|each| each.cost -= best);
        }
    }

    /// Goes on by plies, or, where that is considered, by faults of the board.
    fn go_on(&mut self, history: &History, at: usize, lines: &mut Lines, assume: bool, window: Cost) {
        let Some(seen) = history.get(at) else { return };
        let low = self.hypotheses.iter().map(|each| each.cost).min().unwrap_or(0);
        let mut expansion = Expansion { history, at, seen, lines, found: Vec::new(), work: 0 };
        if let ([only], false) = (&self.hypotheses[..], assume) {
            // The usual case: nothing arrived anywhere.
            if !seen.kind.is_gap() {
                expansion.expand(only, true, history.lossy());
                if expansion.found.is_empty() {
                    self.expanded += u64::from(expansion.work.max(1));
                    return;
                }
                expansion.found.clear();
            }
        }
        let mut kept: Vec<Hypothesis> = Vec::with_capacity(self.hypotheses.len() * 2);
        let mut by_key: BTreeMap<Key, usize> = BTreeMap::new();
        // The cheapest first: a gap is searched from them as long as it may.
        self.hypotheses.sort_by_key(|each| each.cost);
        let mut queue: Vec<(Hypothesis, u32)> = self.hypotheses.drain(..).map(|each| (each, 0)).collect();
        // What goes on from a cheap one comes before dear ones: where the work is limited, these are left out.
        let mut cheapest: BinaryHeap<_> = (0..).zip(&queue).map(|(at, (each, _))| Reverse((each.cost, at))).collect();
        let mut positions = w::GAP_POSITIONS;
        while let Some((hypothesis, round)) = cheapest.pop().and_then(|Reverse((_, at))| queue.get(at).cloned()) {
            let cost = hypothesis.cost;
            match by_key.get(&hypothesis.key()) {
                Some(&known) if kept[known].cost <= cost => {
                    kept[known].merge(&hypothesis, expansion.lines);
                    continue;
                }
                Some(&known) => {
                    let dearer = std::mem::replace(&mut kept[known], hypothesis.clone());
                    kept[known].merge(&dearer, expansion.lines);
                }
                None => {
                    by_key.insert(hypothesis.key(), kept.len());
                    kept.push(hypothesis.clone());
                }
            }
            if round >= w::TOGETHER || cost > low.saturating_add(window) || expansion.work >= self.limit {
                continue;
            }
            if seen.kind.is_gap() && round == 0 && cost <= low.saturating_add(w::POOR) {
                let left = positions;
                expansion.unseen(&hypothesis, &mut positions, w::STRETCH);
                expansion.work += (left - positions) / w::LOOKED_AT;
                // Where the players sit says nothing about what went unseen.
                let twin = queue.iter().find(|(other, round)| *round == 0 && other.differs_in_seats_from(&hypothesis));
                if let Some((twin, _)) = twin {
                    let seated: Vec<_> = expansion.found.iter().map(|found| found.seated_as(twin, cost)).collect();
                    expansion.found.extend(seated);
                }
            } else if !seen.kind.is_gap() {
                if assume && round == 0 && cost <= low.saturating_add(w::VERY_RARE) && !hypothesis.off {
                    expansion.assume(&hypothesis);
                }
                expansion.expand(
                    &hypothesis,
                    round == 0,
                    history.lossy() && round < 2 && cost <= low.saturating_add(w::POOR),
                );
            }
            // Play goes on from what is no play only where all of the board shows it.
            let fits =
                |found: &Hypothesis| !hypothesis.off || (found.differs_from(&seen.shown) & !found.faulty).is_empty();
            for found in expansion.found.drain(..).filter(fits) {
                cheapest.push(Reverse((found.cost, queue.len())));
                queue.push((found, round + 1));
            }
        }
        self.expanded += u64::from(expansion.work) + queue.len() as u64 / u64::from(w::LOOKED_AT);
        self.hypotheses = kept;
    }

    /// Where play from an illegal move has led to where that was made, with the same player to move, it is put back.
    fn end_illegal_play(&mut self, seen: &Observation, start: &Chess, lines: &Lines) {
        let played = |each: &&mut Hypothesis| each.illegal.is_some() && each.differs_for_sure(seen).is_empty();
        for each in self.hypotheses.iter_mut().filter(played) {
            let before = each.before_illegal(start, lines);
            if before.position.turn() == each.position.turn() && before.differs_for_sure(seen).is_empty() {
                *each = before;
            }
        }
    }

    /// Where the board shows exactly an earlier position of the line, plies may have been taken back; where it shows the one
    /// before an illegal move, that was.
    fn step_back(&mut self, history: &History, at: usize, start: &Chess, lines: &Lines) {
        let Some(seen) = history.get(at) else { return };
        let matches = |each: &Hypothesis| each.differs_for_sure(seen).count();
        // A piece that was taken stands where the line has none.
        let returned = |each: &Hypothesis| {
            each.differs_for_sure(seen).into_iter().any(|square| {
                seen.shown.occupied().contains(square) && !each.position.board().occupied().contains(square)
            })
        };
        let legal = || self.hypotheses.iter().filter(|each| each.illegal.is_none());
        let told = legal().filter(|each| matches(each) == 0).map(|each| each.cost).min();
        let illegal = self.hypotheses.iter().filter(|each| each.illegal.is_some()).min_by_key(|each| each.cost);
        let dearer = |each: &Hypothesis| told.is_none_or(|told| told > each.cost.saturating_add(w::RARE));
        let mut back = Vec::new();
        if let Some(illegal) = illegal.filter(|each| dearer(each) && matches(each) > 0) {
            let mut put_back = illegal.before_illegal(start, lines);
            if put_back.differs_for_sure(seen).is_empty() {
                put_back.forget_presses();
                put_back.pay(Term::TakenBack, w::RARE);
                back.push(put_back);
                // Where a legal line is likelier, plies of that one were taken back.
                if legal().all(|each| each.cost >= illegal.cost) {
                    self.hypotheses.extend(back);
                    return;
                }
            }
        }
        // Plies are taken back from the likeliest line, or further back from where plies were taken back before. While the clock
        // runs, what can be told as play is play, unless plies were taken back just now.
        let likeliest = legal().min_by_key(|each| each.cost);
        let is_play = seen.pressing && likeliest.is_some_and(|each| !dearer(each));
        let further = legal().filter(|each| each.undone > 0).min_by_key(|each| each.cost);
        let bases = further.into_iter().chain(likeliest.filter(|each| each.undone == 0 && !is_play));
        let taken = bases
            .filter(|each| matches(each) >= 2 || returned(each))
            .filter_map(|each| taken_back(each, seen, start, lines, self.entered))
            .filter(|back| told.is_none_or(|told| back.cost < told.saturating_add(w::HOPELESS)));
        back.extend(taken);
        self.hypotheses.extend(back);
    }

    /// Where nothing leads to what the board shows after a gap, plies may have been taken back in it, and a few others played.
    fn step_back_and_on(&mut self, history: &History, at: usize, start: &Chess, lines: &mut Lines) {
        let Some(seen) = history.get(at) else { return };
        let differs = |each: &Hypothesis| each.differs_from(&seen.shown) & !each.faulty & !each.lost;
        let legal = || self.hypotheses.iter().filter(|each| each.illegal.is_none() && !each.off);
        let Some(likeliest) = legal().min_by_key(|each| each.cost) else { return };
        if legal().any(|each| differs(each).is_empty()) {
            return;
        }
        let most = w::BORNE_OUT as usize;
        let twin = self.hypotheses.iter().find(|other| other.differs_in_seats_from(likeliest));
        let backs: Vec<_> = without_last(likeliest, start, lines, self.entered).take(most).collect();
        let mut expansion = Expansion { history, at, seen, lines, found: Vec::new(), work: 0 };
        let mut positions = w::GAP_POSITIONS;
        for back in backs {
            expansion.unseen(&Hypothesis { differs: Bitboard::EMPTY, ..back }, &mut positions, most);
        }
        // Where a hand holds a piece, what comes next says more.
        let mut found: Vec<_> = expansion.found.into_iter().filter(|each| differs(each).is_empty()).collect();
        if let Some(twin) = twin {
            let seated: Vec<_> = found.iter().map(|each| each.seated_as(twin, likeliest.cost)).collect();
            found.extend(seated);
        }
        self.expanded += u64::from((w::GAP_POSITIONS - positions) / w::LOOKED_AT);
        self.hypotheses.extend(found);
    }

    /// The line that all hypotheses within a margin of the best have in common.
    pub(crate) fn agreed(&self, costs: &[Cost], margin: Cost, lines: &Lines) -> Option<NodeId> {
        self.agreed_beyond(ROOT, costs, margin, lines)
    }

    /// The same of the hypotheses that begin with a line, which is taken for played.
    pub(crate) fn agreed_beyond(&self, with: NodeId, costs: &[Cost], margin: Cost, lines: &Lines) -> Option<NodeId> {
        let begin = || self.hypotheses.iter().zip(costs).filter(|(each, _)| lines.begins_with(each.line, with));
        let best = begin().map(|(_, &cost)| cost).min()?;
        let sure = begin().filter(|&(_, &cost)| cost < best.saturating_add(margin)).map(|(each, _)| {
            let sure = each.sure.unwrap_or(each.line);
            // What parted from it before its end is not what was played.
            if sure != with && lines.begins_with(with, sure) { each.line } else { sure }
        });
        sure.reduce(|one, other| lines.common(one, other))
    }
}

/// Whose piece was lifted between two observations, if an update says that one was.
fn lifted(before: &Observation, seen: &Observation) -> Option<Color> {
    let square = seen.touched.single_square().filter(|_| seen.kind == Kind::Board && !seen.dump)?;
    before.shown.piece_at(square).map(|piece| piece.color).filter(|_| seen.shown.is(square, None))
}
