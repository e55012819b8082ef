//! The manners in which hands make moves.

use std::collections::BTreeSet;

use board_sim::{
    Style, games,
    hands::{Touch, make_move},
};
use fastrand::Rng;
use shakmaty::{Board, Move, Position, Role};

/// Every move of some random games, made with several seeds, and its touches.
fn moves(style: Style) -> Vec<(Board, Move, Vec<Touch>)> {
    let mut made = Vec::new();
    for (number, plan) in games::random_plans(64, 1).into_iter().enumerate() {
        let mut position = plan.start.clone();
        for ply in plan.plies {
            let before = position.board().clone();
            position.play_unchecked(ply.m);
            for seed in 0..4 {
                let mut rng = Rng::with_seed(seed * 1_000 + number as u64);
                let steps = make_move(&before, ply.m, style, &mut rng);
                made.push((before.clone(), ply.m, steps.iter().map(|step| step.touch).collect()));
            }
        }
    }
    made
}

/// The shape of a move: its touches without squares, in words.
fn shape(before: &Board, m: Move, touches: &[Touch]) -> String {
    let mut pieces = before.clone();
    let mut words = Vec::new();
    for &touch in touches {
        let (Touch::Lift(square) | Touch::Place(square, _)) = touch;
        let verb = match touch {
            Touch::Lift(_) => "lift",
            Touch::Place(..) if pieces.piece_at(square).is_some() => "swap",
            Touch::Place(..) => "place",
        };
        let role = match touch {
            Touch::Lift(square) => pieces.role_at(square),
            Touch::Place(_, piece) => Some(piece.role),
        };
        let mine = pieces.color_at(square) != m.from().and_then(|from| before.color_at(from));
        let whose = if verb == "lift" && mine { "victim" } else { "own" };
        touch.apply(&mut pieces);
        let role =
            role.map_or('?', |role| if m.role() == Role::Pawn || m.is_castle() { role.upper_char() } else { '*' });
        words.push(format!("{verb} {whose} {role}"));
    }
    words.join(", ")
}

#[test]
fn tidy_players_touch_only_the_squares_of_their_move_in_the_usual_orders() {
    let mut shapes = BTreeSet::new();
    for (before, m, touches) in moves(Style::Clean) {
        if m.is_promotion() {
            continue;
        }
        let kind = match m {
            Move::Castle { .. } => "castling",
            Move::EnPassant { .. } => "en passant",
            m if m.is_capture() => "capture",
            _ => "move",
        };
        let shape = shape(&before, m, &touches).replace(['P', 'N', 'B', 'Q'], "*");
        shapes.insert(format!("{kind}: {shape}"));
    }
    let expected = [
        "capture: lift own *, swap own *",
        "capture: lift victim *, lift own *, place own *",
        "castling: lift own K, place own K, lift own R, place own R",
        "en passant: lift own *, place own *, lift victim *",
        "en passant: lift victim *, lift own *, place own *",
        "move: lift own *, place own *",
    ];
    let rooks_apart: BTreeSet<String> = shapes
        .into_iter()
        .map(|shape| if shape.starts_with("castling") { shape } else { shape.replace(['R', 'K'], "*") })
        .collect();
    assert_eq!(rooks_apart.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

#[test]
fn promotions_come_with_the_pawn_first_or_the_new_piece_at_once() {
    let shapes: BTreeSet<String> = moves(Style::Clean)
        .iter()
        .filter(|(_, m, _)| m.promotion() == Some(Role::Queen) && !m.is_capture())
        .map(|(before, m, touches)| shape(before, *m, touches))
        .collect();
    let expected = [
        "lift own P, place own P, lift own P, place own Q",
        "lift own P, place own P, swap own Q",
        "lift own P, place own Q",
    ];
    assert_eq!(shapes.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

#[test]
fn untidy_players_show_every_habit_of_board_behaviour() {
    let mut castlings = BTreeSet::new();
    let (mut longer, mut all, mut mover_first) = (0, 0, 0);
    for (before, m, touches) in moves(Style::Human) {
        all += 1;
        let shape = shape(&before, m, &touches);
        match m {
            Move::Castle { .. } => {
                castlings.insert(shape);
            }
            m if m.is_capture() => {
                mover_first += usize::from(shape.starts_with("lift own") && shape.contains(", lift victim"));
            }
            _ => longer += usize::from(touches.len() > 2),
        }
    }
    let rook_first = "lift own R, place own R, lift own K, place own K";
    let both_up = "lift own K, lift own R, place own R, place own K";
    assert!(castlings.contains(rook_first) && castlings.contains(both_up), "{castlings:?}");
    assert!(longer * 100 > all * 5, "{longer} of {all} moves have more than two touches");
    assert!(mover_first > 0);
}
