//! Games in which a piece goes to its square in two moves, while nobody looks, and could have gone there another way.
//!
//! Knows the rules and chance. Knows nothing of boards or sessions.

use board_sim::plan::Plan;
use board_sim::random::{self, RandomGame, Theme};
use fastrand::Rng;
use notation::pgn::Tags;
use shakmaty::{Chess, Move, Position};

/// The plies from the first of the two moves to the second.
pub(crate) const PLIES: u64 = 3;

/// A game of this seed, and the ply before which the two ways part. The position after [`PLIES`] plies does not tell which
/// way was gone.
pub(crate) fn game(seed: u64, tags: Tags) -> (Plan, u64) {
    let mut rng = Rng::with_seed(seed);
    let opening = random::play(Theme::Agreement, seed).moves;
    let mut position = Chess::default();
    for (at, &played) in opening.iter().enumerate() {
        if at >= 4 + (seed * 7 % 12) as usize
            && let Some((moves, after)) = two_ways(&position, &mut rng)
        {
            let rest = random::play_from(&after, Theme::Agreement, seed);
            let moves = [&opening[..at], &moves, &rest.moves].concat();
            let plan = Plan::from_random(tags, &RandomGame { moves, ending: rest.ending });
            return (plan, at as u64);
        }
        position.play_unchecked(played);
    }
    unreachable!("a piece can go to some square in two ways in every opening")
}

/// A move, a reply and a move of the same piece on to where it could not go at once; it can go there over another square too.
fn two_ways(position: &Chess, rng: &mut Rng) -> Option<([Move; PLIES as usize], Chess)> {
    let mut firsts: Vec<Move> = position.legal_moves().into_iter().filter(|&mv| is_quiet(mv)).collect();
    rng.shuffle(&mut firsts);
    for &first in &firsts {
        let between = position.clone().play(first).ok()?;
        let mut replies: Vec<Move> = between.legal_moves().into_iter().filter(|&mv| is_quiet(mv)).collect();
        rng.shuffle(&mut replies);
        for &reply in replies.iter().take(4) {
            let before = between.clone().play(reply).ok()?;
            for second in before.legal_moves().into_iter().filter(|&mv| is_quiet(mv)) {
                let goes_on = second.from() == Some(first.to()) && Some(second.to()) != first.from();
                let after = before.clone().play(second).ok()?;
                let other_way = || firsts.iter().any(|&other| leads_to(position, &[other, reply], second, &after));
                let at_once = || firsts.iter().any(|mv| mv.from() == first.from() && mv.to() == second.to());
                if goes_on && !at_once() && other_way() && !after.legal_moves().is_empty() {
                    return Some(([first, reply, second], after));
                }
            }
        }
    }
    None
}

fn is_quiet(mv: Move) -> bool {
    matches!(mv, Move::Normal { capture: None, promotion: None, .. })
}

/// Whether these moves, which begin otherwise than over the square that the last one leaves, and a last one end there too.
fn leads_to(position: &Chess, moves: &[Move], last: Move, after: &Chess) -> bool {
    let played = moves.iter().try_fold(position.clone(), |position, &mv| position.play(mv).ok());
    let Some(before) = played.filter(|_| moves.first().map(|mv| mv.to()) != last.from()) else { return false };
    let next = |mv: Move| before.clone().play(mv).ok();
    before.legal_moves().into_iter().filter_map(next).any(|position| position.board() == after.board())
}
