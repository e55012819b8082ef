//! Why a ply was told, for engineers: the terms of its line's cost beside those of the likeliest line without it.
//!
//! Only a search that was asked to explain itself keeps terms. Must not know how costs come about.

use shakmaty::Position;
use shakmaty::san::SanPlus;

use super::Search;
use super::game::Game;
use super::hypothesis::Hypothesis;
use super::line::NodeId;
use super::onward::Onward;
use super::terms::{Entry, Ledger, Term};
use super::weights::Cost;
use crate::line::square_names;

/// Moves of a line that are named.
const NAMED: usize = 6;

/// Why a ply was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The ply, from 1.
    pub ply: u32,
    /// Its move in SAN.
    pub san: String,
    /// What each weight has cost the line with the ply, and the runner-up, since they parted; without a runner-up since
    /// the ply before. In the order of the weights.
    pub terms: Vec<PaidTerm>,
    /// The likeliest line that has another ply there, or none; nothing when none was left in the search.
    pub runner_up: Option<RunnerUp>,
    /// Another line to the same position that was as likely: people were asked, and did not decide in time.
    pub as_likely: Option<String>,
}

/// What was paid for one weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaidTerm {
    /// The name of the weight (docs/recognition.md).
    pub weight: &'static str,
    /// What it was paid for.
    pub what: &'static str,
    /// What the line with the ply has paid, in thousandths of a nat.
    pub paid: i32,
    /// What the runner-up has paid.
    pub runner_up: i32,
}

/// The likeliest line without a ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunnerUp {
    /// Its moves from the ply on, at most six; empty when it ends before.
    pub moves: Vec<String>,
    /// What it assumes beside them.
    pub assumes: Vec<&'static str>,
    /// How much more it costs, in thousandths of a nat.
    pub dearer: i32,
}

impl Search {
    /// Keeps the terms of all costs from now on, and why plies are told.
    pub(super) fn explain_itself(&mut self) {
        self.explained = Some(Vec::new());
    }

    /// What was told since the last call, and why.
    pub(super) fn take_explained(&mut self) -> Vec<Explanation> {
        self.explained.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// A game that is searched keeps its terms, if they are wanted.
    pub(super) fn keep_terms(&mut self) {
        if self.explained.is_some() {
            let games = self.game.as_deref_mut().into_iter().chain(self.onward.iter_mut().flat_map(Onward::games_mut));
            games.for_each(Game::keep_terms);
        }
    }

    /// Plies after `back_to` are told: notes why.
    pub(super) fn explain_told(&mut self, back_to: NodeId, line: NodeId) {
        let (Some(explained), Some(game)) = (&mut self.explained, self.game.as_deref()) else { return };
        let decided = self.decided.take();
        for ply in game.lines.depth(back_to) + 1..=game.lines.depth(line) {
            explained.push(explanation(game, self.now, game.lines.ancestor(line, ply), decided));
        }
    }

    /// The likeliest hypotheses, the best first, for engineers: what each costs more than the best, its last plies, and what is
    /// open in it.
    pub(super) fn hypotheses(&self, count: usize) -> Vec<String> {
        let Some(game) = self.game.as_deref() else { return Vec::new() };
        let hypotheses = by_cost(game, self.now);
        let best = hypotheses.first().map_or(0, |&(cost, _)| cost);
        let told = |&(cost, each): &(Cost, &Hypothesis)| {
            let depth = game.lines.depth(each.line);
            let names = names(game, each.line, depth.saturating_sub(NAMED as u32));
            let state = match each.illegal {
                _ if each.off => " OFF".to_owned(),
                Some(played) => format!(" ILLEGAL {}", game.lines.depth(played) - depth),
                None => String::new(),
            };
            format!(
                "{cost:>7} (+{}) {depth}{state} {}; differs {}; unpressed {:?} early {:?}; faulty {} lost {}; sure {:?}",
                cost - best,
                names.join(" "),
                square_names(each.differs).join(" "),
                each.unpressed,
                each.early,
                square_names(each.faulty).join(" "),
                square_names(each.lost).join(" "),
                each.sure.map(|line| game.lines.depth(line))
            )
        };
        hypotheses.iter().take(count).map(told).collect()
    }
}

/// All hypotheses with their costs at a moment, the cheapest first.
fn by_cost(game: &Game, now: u64) -> Vec<(Cost, &Hypothesis)> {
    let Some(seen) = game.seen() else { return Vec::new() };
    let mut hypotheses: Vec<_> = game.beam.hypotheses.iter().map(|each| (each.cost_at(now, seen), each)).collect();
    hypotheses.sort_by_key(|&(cost, _)| cost);
    hypotheses
}

/// The moves of a line after a ply, in SAN.
fn names(game: &Game, line: NodeId, after: u32) -> Vec<String> {
    let mut position = game.position(game.lines.ancestor(line, after));
    let moves = game.lines.moves(line).into_iter().skip(after as usize);
    moves.map(|mv| SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string()).collect()
}

/// Why the last ply of a line is told at a moment. `decided`: two lines that were as likely.
fn explanation(game: &Game, now: u64, ply: NodeId, decided: Option<(NodeId, NodeId)>) -> Explanation {
    let lines = &game.lines;
    let hypotheses = by_cost(game, now);
    let has = |&&(_, each): &&(Cost, &Hypothesis)| lines.begins_with(each.line, ply);
    let with = hypotheses.iter().find(has);
    let without = hypotheses.iter().find(|each| !has(each));
    let before = lines.depth(ply).saturating_sub(1);
    let turn = turn_of(game, lines.parent(ply));
    let none = Ledger::default();
    let mut terms: Vec<(Term, [Cost; 2])> = Vec::new();
    for (side, (mine, other)) in [(with, without), (without, with)].into_iter().enumerate() {
        let Some(&(cost, each)) = mine else { continue };
        let paid = each.ledger.since(other.map_or(&none, |(_, other)| &other.ledger));
        // Without another line only what was paid for this ply.
        let counts = |entry: &&&Entry| other.is_some() || entry.turn >= turn;
        let waits = (Term::Waiting, cost - each.cost);
        for (term, cost) in paid.iter().filter(counts).map(|entry| (entry.term, entry.cost)).chain([waits]) {
            match terms.iter_mut().find(|(known, _)| *known == term) {
                Some((_, costs)) => costs[side] += cost,
                None => terms.push((term, if side == 0 { [cost, 0] } else { [0, cost] })),
            }
        }
    }
    terms.retain(|(_, costs)| *costs != [0; 2]);
    terms.sort_by_key(|&(term, _)| term);
    let paid = |(term, [paid, runner_up]): (Term, [Cost; 2])| {
        let (weight, what) = term.describe();
        PaidTerm { weight, what, paid, runner_up }
    };
    let runner_up = with.zip(without).map(|(&(cost, _), &(other, each))| RunnerUp {
        moves: names(game, each.line, before.min(lines.depth(each.line))).into_iter().take(NAMED).collect(),
        assumes: assumptions(each),
        dearer: other - cost,
    });
    // Lines to the same position are one hypothesis: of the dearer one nothing but its moves is left.
    let rival = with.and_then(|(_, each)| each.rival).or(decided);
    let rival = rival.filter(|&(line, rival)| lines.begins_with(line, ply) && !lines.begins_with(rival, ply));
    let as_likely = rival.map(|(_, rival)| {
        let moves = names(game, rival, before.min(lines.depth(rival)));
        moves.into_iter().take(NAMED).collect::<Vec<_>>().join(" ")
    });
    Explanation {
        ply: lines.depth(ply),
        san: names(game, ply, before).pop().unwrap_or_default(),
        terms: terms.into_iter().map(paid).collect(),
        runner_up,
        as_likely,
    }
}

/// What a hypothesis assumes beside its moves.
fn assumptions(each: &Hypothesis) -> Vec<&'static str> {
    [
        (each.off, "what is done on the board is no play"),
        (each.illegal.is_some(), "an illegal move stands"),
        (!(each.faulty & !each.blind).is_empty(), "a square reports wrongly"),
        (!each.lost.is_empty(), "a message was lost"),
    ]
    .into_iter()
    .filter_map(|(assumed, what)| assumed.then_some(what))
    .collect()
}

/// When terms are paid in the position after a line.
fn turn_of(game: &Game, line: NodeId) -> u32 {
    let position = game.position(line);
    turn(&position)
}

/// Twice the number of the move, and one more when Black is to move.
pub(super) fn turn(position: &impl Position) -> u32 {
    2 * u32::from(position.fullmoves()) + u32::from(position.turn().is_black())
}
