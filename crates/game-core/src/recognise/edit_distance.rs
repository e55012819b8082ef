//! How well a line of play accounts for what the board told.
//!
//! Part of the recogniser; knows what it knows. A move is told by a message for each change on its squares and by its press. Of
//! the lines that explain the board as it stands, the likeliest is the one for which the fewest messages were lost, damaged, or
//! sent for nothing.

use dgt_protocol::PieceCode;
use shakmaty::{Move, Position};

use super::Recogniser;
use crate::board_faults::squares_of;
use crate::message_log::BoardMessage;
use crate::play::Play;

/// A move is told by two messages at least.
const UNTOLD: usize = 2;
/// More than any line takes.
const FAR: usize = 1_000;

/// A way to go on with the game: the plies that stay, and the moves after them.
pub(super) type Explanation = (usize, Vec<Move>);

/// A message that a line of play needs. The press of its last move may still come.
#[derive(Clone, Copy)]
struct Needed {
    told: BoardMessage,
    missed: usize,
}

impl Recogniser {
    /// How many messages were lost, damaged or sent for nothing if the game went so, counted from a ply on that stays in all
    /// stories that are compared.
    pub(super) fn edit_distance(&self, play: &Play, stays: usize, (to_ply, moves): &Explanation) -> usize {
        let mut needed = Vec::new();
        let mut position = play.line.position(stays).clone();
        let mut faults = play.line.faults_at(stays);
        let kept = (stays + 1..=*to_ply).filter_map(|ply| play.line.move_at(ply));
        for mv in kept.chain(moves.iter().copied()) {
            let turn = position.turn();
            let before = faults.shows(position.board());
            faults = faults.after(turn, mv);
            position.play_unchecked(mv);
            let after = faults.shows(position.board());
            let left =
                squares_of(turn, mv).into_iter().flatten().filter(|&square| before.get(square) != PieceCode::Empty);
            let arrived =
                squares_of(turn, mv).into_iter().flatten().filter(|&square| after.get(square) != PieceCode::Empty);
            // A piece that is taken may be pushed away by the one that takes it.
            needed.extend(left.map(|square| Needed {
                told: BoardMessage::Change(square, PieceCode::Empty),
                missed: usize::from(after.get(square) == PieceCode::Empty),
            }));
            needed.extend(
                arrived.map(|square| Needed { told: BoardMessage::Change(square, after.get(square)), missed: 1 }),
            );
            needed.push(Needed { told: BoardMessage::Press(turn.into()), missed: usize::from(self.lever) });
        }
        if let Some(press) = needed.last_mut() {
            press.missed = 0;
        }
        let since = stays.checked_sub(1).and_then(|before| play.seen.get(before)).copied().unwrap_or_default();
        let press_before = BoardMessage::Press(play.line.mover(stays + 1).other());
        let heard = play.messages.since(since).map(|(_, told)| told).skip_while(|told| *told == press_before);
        let heard: Vec<BoardMessage> = heard.collect();
        distance(&heard, &needed)
    }

    /// The story that the messages bear out best; of equals the one with fewer plies. None when others do so as well.
    pub(super) fn likeliest(&self, play: &Play, mut explanations: Vec<Explanation>) -> Option<Explanation> {
        let stays = explanations.iter().map(|(to_ply, _)| *to_ply).min()?;
        explanations.dedup();
        let weigh = |story: &Explanation| (self.edit_distance(play, stays, story), story.0 + story.1.len());
        let weights: Vec<_> = explanations.iter().map(weigh).collect();
        let least = weights.iter().min()?;
        let mut likeliest =
            explanations.iter().zip(&weights).filter(|(_, weight)| *weight == least).map(|(story, _)| story);
        likeliest.next().filter(|_| likeliest.next().is_none()).cloned()
    }
}

/// What it takes to make what was heard of what was needed: a message less, a message more, one damaged, or two in the other
/// order, which is for nothing. All that a board had yet to tell when it lost power counts as a move that was not told.
fn distance(heard: &[BoardMessage], needed: &[Needed]) -> usize {
    // A row for each message heard so far, and in it what its columns take: for each message needed so far.
    let missed = |upto: usize| needed.iter().take(upto).map(|needed| needed.missed).sum::<usize>();
    let mut rows: Vec<Vec<usize>> = vec![(0..=needed.len()).map(missed).collect()];
    let at = |rows: &[Vec<usize>], row: usize, column: usize| {
        rows.get(row).and_then(|row| row.get(column)).copied().unwrap_or(FAR)
    };
    for (row, &told) in heard.iter().enumerate() {
        let extra = usize::from(told != BoardMessage::Garbled);
        let mut next = vec![at(&rows, row, 0) + extra];
        for (column, wanted) in needed.iter().enumerate() {
            let missing = next.last().copied().unwrap_or(FAR) + wanted.missed;
            let damaged = at(&rows, row, column) + damage(told, wanted.told);
            let mut fewest = missing.min(damaged).min(at(&rows, row, column + 1) + extra);
            let (earlier, before) = (row.checked_sub(1), column.checked_sub(1));
            if let (Some((earlier, &first)), Some((before, other))) = (
                earlier.and_then(|row| Some((row, heard.get(row)?))),
                before.and_then(|at| Some((at, needed.get(at)?))),
            ) {
                let swapped = damage(first, wanted.told) + damage(told, other.told);
                fewest = fewest.min(at(&rows, earlier, before) + swapped);
            }
            next.push(fewest);
        }
        rows.push(next);
    }
    let tail = |heard_of: usize| (missed(needed.len()) - missed(heard_of)).min(UNTOLD);
    (0..=needed.len()).map(|heard_of| at(&rows, heard.len(), heard_of) + tail(heard_of)).min().unwrap_or_default()
}

/// What it takes to make one message of another: one byte tells the square, one the piece.
fn damage(told: BoardMessage, wanted: BoardMessage) -> usize {
    match (told, wanted) {
        _ if told == wanted => 0,
        (BoardMessage::Garbled, _) => 0,
        (BoardMessage::Change(square, piece), BoardMessage::Change(wanted_square, wanted_piece))
            if square == wanted_square || piece == wanted_piece =>
        {
            1
        }
        _ => 2,
    }
}
