//! From what the search tells to conclusions about one line.
//!
//! Must not know why the search told it.

use std::collections::BTreeMap;

use shakmaty::{Bitboard, Position};

use super::conclusion::Conclusion;
use super::{Cause, Recogniser, Step};
use crate::event::{Evidence, Variant};
use crate::line::{Line, start_position};
use crate::search::Told;
use crate::search::hypothesis::index;
use crate::search::weights as w;
use crate::time::Timestamp;

impl Recogniser {
    /// The next conclusion, in order.
    pub(crate) fn poll(&mut self) -> Option<Conclusion> {
        loop {
            if self.held {
                return None;
            }
            let Some(step) = self.next_step() else {
                if self.steps.is_empty() {
                    self.follow();
                }
                return None;
            };
            if let Some(conclusion) = self.conclude(step) {
                return Some(conclusion);
            }
        }
    }

    pub(super) fn next_step(&mut self) -> Option<Step> {
        let note = |step: &Step| matches!(step, Step::Unexplained(_) | Step::Resolved);
        let started = |step: Option<&Step>| matches!(step, Some(Step::Started(..)));
        while started(self.steps.front()) && started(self.steps.get(1)) {
            self.steps.pop_front();
        }
        // A game whose pieces do not stand right begins when its clock runs, or with its first ply.
        if started(self.steps.front())
            && self.steps.iter().skip(1).all(note)
            && self
                .search
                .game
                .as_deref()
                .is_some_and(|game| !game.history.has_clock() && !self.stands_at_start(game) && game.told_plies() == 0)
        {
            return self.steps.remove(self.steps.iter().position(note)?);
        }
        self.steps.pop_front()
    }

    /// Takes over what the search has told.
    pub(super) fn gather(&mut self, cause: Cause) {
        let told: Vec<Told> = std::iter::from_fn(|| self.search.poll()).collect();
        if told.is_empty() {
            return;
        }
        let started = told.iter().rposition(|told| matches!(told, Told::Started { .. }));
        let instants = self.instants(&told);
        for (number, each) in told.iter().enumerate() {
            let of_this_game = started.is_none_or(|started| number > started);
            let step = match each {
                Told::Started { fen, variant } => {
                    let Ok(start) = start_position(fen, *variant) else { continue };
                    // With pieces wrong it may be another one.
                    if self.search.game.as_deref().is_none_or(|game| self.stands_at_start(game))
                        && self.set_up.begin().is_some()
                    {
                        self.steps.push_back(Step::Resolved);
                    }
                    Step::Started(Box::new(start), *variant)
                }
                Told::Move { ply, mv } => {
                    let (seen, evidence) =
                        if of_this_game { self.grounds(*ply, cause) } else { (None, Evidence::Quiet) };
                    let own = instants.get(ply).copied();
                    let next = own.and_then(|_| instants.get(&(ply + 2)).copied());
                    Step::Move { mv: *mv, seen: own.or(seen), next, evidence }
                }
                Told::Retract { to_ply } => {
                    let moves = told.iter().skip(number + 1).take_while(|told| matches!(told, Told::Move { .. }));
                    let to_ply = *to_ply as usize;
                    let replaced = self.base + to_ply + moves.count() >= self.confirmed;
                    Step::Retracted { to_ply, pressed: replaced && cause != Cause::Clock && cause != Cause::Command }
                }
                Told::Unexplained => {
                    self.played_on.tell();
                    Step::Unexplained(self.unexplained_squares().into_iter().collect())
                }
                Told::Resolved => Step::Resolved,
                Told::Gap { fen, .. } => {
                    let variant = self.search.game.as_deref().map_or(Variant::Standard, |game| game.variant);
                    let Ok(position) = start_position(fen, variant) else { continue };
                    Step::Gap(Box::new(position))
                }
                Told::Stops => Step::PlayedOn,
                Told::Ended { reason: "", .. } => Step::Closed,
                Told::Ended { result, reason } => Step::Over { outcome: *result, reason },
                Told::Undone => Step::Undone,
            };
            if matches!(step, Step::Started(..)) {
                self.held = false;
            }
            self.steps.push_back(step);
        }
    }

    /// When the plies of a long stretch that is told at once were first on the board, by their numbers in the game of the search.
    /// The line knows it of the last one; the presses of a short stretch are found without.
    fn instants(&mut self, told: &[Told]) -> BTreeMap<u32, Timestamp> {
        let mut plies =
            told.iter().filter_map(|told| if let Told::Move { ply, .. } = told { Some(*ply) } else { None });
        let alone = told.iter().all(|told| matches!(told, Told::Move { .. } | Told::Resolved));
        let (Some(first), Some(last)) = (plies.next(), plies.next_back()) else { return BTreeMap::new() };
        let (Some(game), Some(best)) = (self.game(), self.likeliest()) else { return BTreeMap::new() };
        if !alone || last - first < w::BORNE_OUT - 1 {
            return BTreeMap::new();
        }
        let instants = game.instants(best.line, first.saturating_sub(1), best.faulty);
        let known: BTreeMap<u32, Timestamp> =
            (first..).zip(instants).filter_map(|(ply, at)| at.map(|at| (ply, Timestamp::from_ms(at)))).collect();
        for (&ply, &at) in &known {
            if let Some(seen) = self.seen.get_mut(self.base + ply as usize - 1) {
                *seen = at;
            }
        }
        known
    }

    /// The squares on which something else stands than after the last ply of the likeliest line.
    fn unexplained_squares(&self) -> Bitboard {
        let (Some(game), Some(best)) = (self.game(), self.likeliest()) else { return Bitboard::EMPTY };
        if best.illegal.is_none() {
            return best.differs;
        }
        game.history.shown().differs(game.position(best.line).board()) & !best.faulty
    }

    /// When a ply that is told was first on the board, and what makes it certain.
    pub(super) fn grounds(&self, ply: u32, cause: Cause) -> (Option<Timestamp>, Evidence) {
        let (Some(game), Some(best)) = (self.game(), self.likeliest()) else { return (None, Evidence::Quiet) };
        let depth = game.lines.depth(best.line);
        let seen = (depth <= ply + 1).then(|| Timestamp::from_ms(best.ply_at));
        let evidence = match cause {
            Cause::Command => Evidence::Command,
            Cause::Log => Evidence::Log,
            Cause::Board | Cause::Clock => {
                let turn = best.position.turn();
                let mover = if depth.abs_diff(ply) % 2 == 0 { turn.other() } else { turn };
                let pressing = game.history.last().is_some_and(|last| last.pressing);
                if game.gap_at == Some(best.ply_at) {
                    Evidence::Dump
                } else if pressing && depth <= ply + 1 && !best.unpressed[index(mover)] {
                    Evidence::Lever
                } else if depth > ply {
                    Evidence::Reply
                } else {
                    Evidence::Quiet
                }
            }
        };
        (seen, evidence)
    }

    pub(super) fn conclude(&mut self, step: Step) -> Option<Conclusion> {
        Some(match step {
            Step::Started(start, variant) => {
                (self.line, self.confirmed, self.over) = (Some(Line::new(*start, variant)), 0, false);
                self.base = 0;
                self.seen.clear();
                self.follow_anew();
                self.extend();
                self.held = self.joined.is_some();
                Conclusion::Started
            }
            Step::Move { mv, seen, next, evidence } => {
                let now = Timestamp::from_ms(self.search.now);
                let line = self.line.as_mut()?;
                let ply = self.confirmed + 1;
                if line.move_at(ply) != Some(mv) {
                    line.truncate(self.confirmed);
                    self.seen.truncate(self.confirmed);
                    if !line.push(mv) {
                        return None;
                    }
                    self.seen.push(seen.unwrap_or(now));
                    self.extend();
                }
                self.confirmed = ply;
                self.follow_anew();
                if self.set_up.begin().is_some() {
                    self.steps.push_front(Step::Resolved);
                }
                let seen = self.seen.get(ply - 1).copied().unwrap_or(now);
                Conclusion::Confirmed { ply, seen, next, evidence }
            }
            Step::Gap(position) => {
                let line = self.line.as_mut()?;
                line.truncate(self.confirmed);
                // What stood before an illegal move that was noticed late is put back (Laws, 7.5).
                let back = line.go_back_before_gap(&position);
                if !back {
                    line.go_on_from(*position);
                }
                let after_ply = line.plies();
                self.seen.truncate(after_ply);
                (self.base, self.confirmed) = (after_ply, after_ply);
                self.follow_anew();
                self.extend();
                if back { Conclusion::Filled { after_ply } } else { Conclusion::Gap { after_ply } }
            }
            Step::Filled { after_ply } => {
                let line = self.line.as_mut()?;
                line.truncate(after_ply);
                line.close_gap();
                self.seen.truncate(after_ply);
                self.base = line.last_gap().unwrap_or(0);
                self.confirmed = self.confirmed.min(after_ply);
                self.follow_anew();
                self.extend();
                Conclusion::Filled { after_ply }
            }
            Step::Retracted { to_ply, pressed } => {
                let to_ply = self.base + to_ply;
                self.line.as_mut()?.truncate(to_ply);
                self.seen.truncate(to_ply);
                self.confirmed = self.confirmed.min(to_ply);
                self.follow_anew();
                self.extend();
                Conclusion::Retracted { to_ply, pressed }
            }
            Step::Unexplained(squares) => Conclusion::Unexplained(squares),
            Step::PlayedOn => Conclusion::PlayedOn,
            Step::Resolved => Conclusion::Resolved,
            Step::Closed => {
                self.over = true;
                return None;
            }
            Step::Over { outcome, reason } => {
                self.over = true;
                let by_rules = matches!(reason, "checkmate" | "stalemate");
                let evidence = if by_rules { Evidence::Rules } else { Evidence::Quiet };
                Conclusion::Over { outcome, reason, evidence }
            }
            Step::Undone => {
                self.over = false;
                Conclusion::Undone
            }
        })
    }

    /// The moves that are about to be confirmed belong to the line already.
    pub(super) fn extend(&mut self) {
        let now = Timestamp::from_ms(self.search.now);
        let Some(line) = &mut self.line else { return };
        for step in &self.steps {
            let Step::Move { mv, seen, .. } = step else { return };
            if !line.push(*mv) {
                return;
            }
            self.seen.push(seen.unwrap_or(now));
        }
    }

    /// After the told plies the line goes on as is likeliest.
    pub(super) fn follow(&mut self) {
        let Some(game) = self.search.game.as_deref_mut() else { return };
        let Some(best) = game.likeliest(self.search.now) else { return };
        let head = if game.lines.begins_with(best.line, game.told) { best.line } else { game.told };
        let at = Timestamp::from_ms(best.ply_at);
        let follows = Some((game.told, head));
        if std::mem::replace(&mut game.followed, follows) == follows {
            return;
        }
        let moves = game.lines.moves(head);
        let Some(line) = &mut self.line else { return };
        let common =
            (self.base + 1..=line.plies()).zip(&moves).take_while(|&(ply, &mv)| line.move_at(ply) == Some(mv)).count();
        line.truncate(self.base + common);
        self.seen.truncate(self.base + common);
        for &mv in &moves[common..] {
            if !line.push(mv) {
                return;
            }
            self.seen.push(at);
        }
    }
}
