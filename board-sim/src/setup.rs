//! The touches before and after a game: setting up the pieces and showing the result with the kings.
//!
//! Knows how players do it (docs/board-behaviour.md, 7 and 8). Must not know clocks, the scan or the wire.

use std::ops::RangeInclusive;

use fastrand::Rng;
use shakmaty::{Board, Color, Piece, Role, Square};

use crate::hands::{Step, Touch};

/// Time between two touches while both players set up, in milliseconds.
const SETTING_MS: RangeInclusive<u64> = 60..=480;
/// Time between two touches that show the result, in milliseconds.
const AFTERWARDS_MS: RangeInclusive<u64> = 300..=1_200;

/// The touches that turn the pieces on the board into `wanted`, in a random order.
///
/// Pieces that stand wrong are moved to where they belong, spare ones leave the board, missing ones come from the table.
pub(crate) fn set_up(pieces: &Board, wanted: &Board, rng: &mut Rng) -> Vec<Step> {
    let mut now = pieces.clone();
    let mut steps = Vec::new();
    let mut touch = |now: &mut Board, rng: &mut Rng, touch: Touch| {
        touch.apply(now);
        steps.push(Step { pause_ms: rng.u64(SETTING_MS), touch });
    };
    loop {
        let wrong: Vec<Square> =
            Square::ALL.into_iter().filter(|&square| now.piece_at(square) != wanted.piece_at(square)).collect();
        let Some(&square) = rng.choice(&wrong) else {
            return steps;
        };
        let free_home = |now: &Board, piece: Piece| {
            wrong.iter().copied().find(|&home| wanted.piece_at(home) == Some(piece) && now.piece_at(home).is_none())
        };
        if let Some(piece) = now.piece_at(square) {
            touch(&mut now, rng, Touch::Lift(square));
            if let Some(home) = free_home(&now, piece) {
                touch(&mut now, rng, Touch::Place(home, piece));
            }
        } else if let Some(piece) = wanted.piece_at(square) {
            let astray = wrong.iter().copied().find(|&from| now.piece_at(from) == Some(piece));
            if let Some(from) = astray {
                touch(&mut now, rng, Touch::Lift(from));
            }
            touch(&mut now, rng, Touch::Place(square, piece));
        }
    }
}

/// The touches that show the result: both kings are lifted, then put in the centre (docs/board-behaviour.md, 7.1).
///
/// d5 and e4 mean that White won, d4 and e5 that Black won, one light and one dark square a draw (`None`). Pieces that stand
/// in the way are taken off.
pub(crate) fn kings_to_centre(pieces: &Board, winner: Option<Color>, rng: &mut Rng) -> Vec<Step> {
    const LIGHT: [Square; 2] = [Square::D5, Square::E4];
    const DARK: [Square; 2] = [Square::D4, Square::E5];
    let mut squares = match winner {
        Some(Color::White) => LIGHT,
        Some(Color::Black) => DARK,
        None => [LIGHT[rng.usize(0..2)], DARK[rng.usize(0..2)]],
    };
    rng.shuffle(&mut squares);
    let kings: Vec<Square> = Color::ALL.into_iter().filter_map(|color| pieces.king_of(color)).collect();
    let in_the_way =
        squares.into_iter().filter(|&square| pieces.role_at(square).is_some_and(|role| role != Role::King));
    let lifts = kings.iter().copied().chain(in_the_way).map(Touch::Lift);
    let places = Color::ALL.into_iter().zip(squares).map(|(color, square)| Touch::Place(square, color.king()));
    lifts.chain(places).map(|touch| Step { pause_ms: rng.u64(AFTERWARDS_MS), touch }).collect()
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position};

    use super::*;
    use crate::games;

    fn after(pieces: &Board, steps: &[Step]) -> Board {
        let mut pieces = pieces.clone();
        for step in steps {
            step.touch.apply(&mut pieces);
        }
        pieces
    }

    #[test]
    fn after_any_game_the_pieces_come_back_to_the_start() {
        let start = Chess::default().board().clone();
        for seed in 0..64 {
            let mut rng = Rng::with_seed(seed);
            let end = games::random_final_position(seed);
            for from in [end, Board::empty(), start.clone()] {
                let steps = set_up(&from, &start, &mut rng);
                assert_eq!(after(&from, &steps), start, "seed {seed}");
            }
        }
    }

    #[test]
    fn the_kings_show_the_result_from_any_final_position() {
        for seed in 0..64 {
            let mut rng = Rng::with_seed(seed);
            let end = games::random_final_position(seed);
            for winner in [Some(Color::White), Some(Color::Black), None] {
                let steps = kings_to_centre(&end, winner, &mut rng);
                let shown = after(&end, &steps);
                let light = shown.kings().into_iter().filter(|square| square.is_light()).count();
                let expected = match winner {
                    Some(Color::White) => 2,
                    Some(Color::Black) => 0,
                    None => 1,
                };
                assert_eq!(light, expected, "seed {seed}");
                assert_eq!(shown.kings().count(), 2, "seed {seed}");
                let lifted_first = steps[..2].iter().all(|step| matches!(step.touch, Touch::Lift(_)));
                assert!(lifted_first, "seed {seed}: both kings are lifted before either is put down");
            }
        }
    }
}
