//! Compares lines of play by edit distance to the messages that the board sent.
//!
//! A move sends one message for each change of a square, and its press. Among lines that explain the present board, the
//! likeliest is the one with the fewest lost, damaged or superfluous messages.

use dgt_protocol::PieceCode;
use shakmaty::{Move, Position};

use super::Recogniser;
use crate::board_faults::squares_of;
use crate::message_log::BoardMessage;
use crate::play::Play;

/// Highest cost of the messages that are missing at the end: one unreported move.
const MISSING_MOVE: usize = 2;
/// Higher than the cost of any line.
const FAR: usize = 1_000;

/// A way to explain the board: number of plies that stay, and the moves after them.
pub(super) type Explanation = (usize, Vec<Move>);

/// A message that a line of play requires, and the cost when it is missing. The press of the last move may still come.
#[derive(Clone, Copy)]
struct Needed {
    message: BoardMessage,
    missed: usize,
}

impl Recogniser {
    /// Edit distance between the received messages and those that an explanation requires, counted from a ply that stays in
    /// all explanations compared.
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
                message: BoardMessage::Change(square, PieceCode::Empty),
                missed: usize::from(after.get(square) == PieceCode::Empty),
            }));
            needed.extend(
                arrived.map(|square| Needed { message: BoardMessage::Change(square, after.get(square)), missed: 1 }),
            );
            needed.push(Needed { message: BoardMessage::Press(turn.into()), missed: usize::from(self.lever) });
        }
        if let Some(press) = needed.last_mut() {
            press.missed = 0;
        }
        let since = stays.checked_sub(1).and_then(|before| play.seen.get(before)).copied().unwrap_or_default();
        let press_before = BoardMessage::Press(play.line.mover(stays + 1).other());
        let received =
            play.messages.since(since).map(|(_, message)| message).skip_while(|message| *message == press_before);
        let received: Vec<BoardMessage> = received.collect();
        distance(&received, &needed)
    }

    /// The explanation with the smallest edit distance; of equal ones, the one with fewer plies. None when that is not
    /// unique.
    pub(super) fn likeliest(&self, play: &Play, mut explanations: Vec<Explanation>) -> Option<Explanation> {
        let stays = explanations.iter().map(|(to_ply, _)| *to_ply).min()?;
        explanations.dedup();
        let weigh = |explanation: &Explanation| {
            (self.edit_distance(play, stays, explanation), explanation.0 + explanation.1.len())
        };
        let weights: Vec<_> = explanations.iter().map(weigh).collect();
        let least = weights.iter().min()?;
        let mut likeliest = explanations
            .iter()
            .zip(&weights)
            .filter(|(_, weight)| *weight == least)
            .map(|(explanation, _)| explanation);
        likeliest.next().filter(|_| likeliest.next().is_none()).cloned()
    }
}

/// Edit distance between received and required messages: missing, superfluous and damaged ones cost, two swapped ones do not.
/// The cost of an unsent tail is capped at one move: the board may have lost power before it could send it.
fn distance(received: &[BoardMessage], needed: &[Needed]) -> usize {
    // A row for each message heard so far, and in it what its columns take: for each message needed so far.
    let missed = |upto: usize| needed.iter().take(upto).map(|needed| needed.missed).sum::<usize>();
    let mut rows: Vec<Vec<usize>> = vec![(0..=needed.len()).map(missed).collect()];
    let at = |rows: &[Vec<usize>], row: usize, column: usize| {
        rows.get(row).and_then(|row| row.get(column)).copied().unwrap_or(FAR)
    };
    for (row, &message) in received.iter().enumerate() {
        let extra = usize::from(message != BoardMessage::Garbled);
        let mut next = vec![at(&rows, row, 0) + extra];
        for (column, wanted) in needed.iter().enumerate() {
            let missing = next.last().copied().unwrap_or(FAR) + wanted.missed;
            let damaged = at(&rows, row, column) + substitution_cost(message, wanted.message);
            let mut fewest = missing.min(damaged).min(at(&rows, row, column + 1) + extra);
            let (earlier, before) = (row.checked_sub(1), column.checked_sub(1));
            if let (Some((earlier, &first)), Some((before, other))) = (
                earlier.and_then(|row| Some((row, received.get(row)?))),
                before.and_then(|at| Some((at, needed.get(at)?))),
            ) {
                let swapped = substitution_cost(first, wanted.message) + substitution_cost(message, other.message);
                fewest = fewest.min(at(&rows, earlier, before) + swapped);
            }
            next.push(fewest);
        }
        rows.push(next);
    }
    let tail = |explained: usize| (missed(needed.len()) - missed(explained)).min(MISSING_MOVE);
    (0..=needed.len()).map(|explained| at(&rows, received.len(), explained) + tail(explained)).min().unwrap_or_default()
}

/// Bytes to change to turn one message into another: one holds the square, one the piece.
fn substitution_cost(message: BoardMessage, wanted: BoardMessage) -> usize {
    match (message, wanted) {
        _ if message == wanted => 0,
        (BoardMessage::Garbled, _) => 0,
        (BoardMessage::Change(square, piece), BoardMessage::Change(wanted_square, wanted_piece))
            if square == wanted_square || piece == wanted_piece =>
        {
            1
        }
        _ => 2,
    }
}
