//! Tables at which both players have hands of their own, on boards and clock lines of different models.

use board_sim::{
    OwnLog, Style,
    games::random_plans,
    pace::Pace,
    placement,
    play_options::PlayOptions,
    table::{Phase, Table, TableSettings},
    trouble::{Trouble, Troubles},
};
use dgt_protocol::{ClockMessage, Fields, Message, PieceCode, Side};
use shakmaty::{Position, Square};

const PACES: [Pace; 5] = [Pace::Unhurried, Pace::Quick, Pace::Scramble, Pace::Storm, Pace::Stochastic];

fn settings(seed: u64, pace: Pace) -> TableSettings {
    let style = if seed.is_multiple_of(2) { Style::Clean } else { Style::Human };
    TableSettings {
        serial: 10_001,
        version: (1, 8),
        rotated: seed.is_multiple_of(3),
        white_side: if seed.is_multiple_of(3) { Side::Right } else { Side::Left },
        own_log: OwnLog::Kept,
        play: PlayOptions { style, clock: true, forgetful: false, pace, troubles: Troubles::default() },
        seed,
    }
}

/// A message with the time at which it was sent.
type Sent = (u64, Message);

/// Arms the board and plays everything, looking at the table every `look_ms` or whenever something is due.
fn play_out(table: &mut Table, look_ms: Option<u64>) -> Vec<Sent> {
    table.board_mut().host_bytes(0, &[0x42, 0x4b]);
    let mut sent = Vec::new();
    let mut now_ms = 0;
    while table.phase() != Phase::Done {
        let due_ms = table.next_due().unwrap_or(now_ms);
        now_ms = look_ms.map_or(due_ms, |look_ms| now_ms + look_ms);
        table.advance(now_ms, true);
        while let Some(message) = table.board_mut().next_outgoing() {
            sent.push((now_ms, Message::decode(&message).expect("a whole message")));
        }
    }
    sent
}

fn shown(table: &Table) -> Fields {
    let mut fields = [PieceCode::Empty; 64];
    for square in Square::ALL {
        let field = placement::field(square, table.is_rotated()).expect("a field");
        fields[field.index()] = placement::code(table.pieces().piece_at(square));
    }
    fields
}

#[test]
fn whatever_the_hands_do_the_pieces_end_as_the_game_says_and_the_board_knows_it() {
    for pace in PACES {
        for seed in 0..30 {
            let mut settings = settings(seed, pace);
            settings.play.troubles = Trouble::NoResultShown.into();
            let plans = random_plans(1, seed);
            let mut table = Table::new(settings, plans.clone());
            let mut seen = shown(&table);
            for (_, message) in play_out(&mut table, None) {
                match message {
                    Message::FieldUpdate { field, piece } => {
                        assert_ne!(seen[field.index()], piece, "{pace:?} seed {seed}: no change without a change");
                        seen[field.index()] = piece;
                    }
                    Message::BoardDump(fields) => assert_eq!(fields, seen, "{pace:?} seed {seed}"),
                    _ => {}
                }
            }
            assert_eq!(seen, shown(&table), "{pace:?} seed {seed}");
            let mut position = plans[0].start.clone();
            let made = table.played()[0].line().count();
            plans[0].plies.iter().take(made).for_each(|ply| position.play_unchecked(ply.m));
            assert_eq!(table.pieces(), position.board(), "{pace:?} seed {seed}");
        }
    }
}

#[test]
fn when_somebody_looks_changes_nothing_that_is_said() {
    for pace in PACES {
        for seed in 0..6 {
            let said = |look_ms| {
                let mut table = Table::new(settings(seed, pace), random_plans(2, seed));
                play_out(&mut table, look_ms).into_iter().map(|(_, message)| message).collect::<Vec<_>>()
            };
            let often = said(None);
            assert!(often == said(Some(41)), "{pace:?} seed {seed}");
            assert!(often == said(Some(1_700)), "{pace:?} seed {seed}");
        }
    }
}

/// Plies whose squares were all reported when the lever flipped, and all plies.
fn reported_before_flip(seed: u64, pace: Pace) -> (usize, usize) {
    let plans = random_plans(1, seed);
    let mut table = Table::new(settings(seed, pace), plans.clone());
    let rotated = table.is_rotated();
    let mut told = shown(&table);
    let mut positions = vec![plans[0].start.clone()];
    for ply in &plans[0].plies {
        let mut next = positions.last().expect("a start").clone();
        next.play_unchecked(ply.m);
        positions.push(next);
    }
    let (mut up, mut plies, mut reported) = (None, 0, 0);
    for (_, message) in play_out(&mut table, None) {
        match message {
            Message::FieldUpdate { field, piece } => told[field.index()] = piece,
            Message::Clock(ClockMessage::Times(times)) => {
                let flips = up.replace(times.right_side_up).is_some_and(|up| up != times.right_side_up);
                let Some(ply) = plans[0].plies.get(plies).filter(|_| flips) else { continue };
                plies += 1;
                let piece = positions[plies].board().piece_at(ply.m.to());
                let field = placement::field(ply.m.to(), rotated).expect("a field");
                reported += usize::from(told[field.index()] == placement::code(piece));
            }
            _ => {}
        }
    }
    (reported, plies)
}

#[test]
fn a_press_can_be_told_before_the_squares_and_never_is_in_turn() {
    let late = |pace| {
        let sums =
            (0..20).map(|seed| reported_before_flip(seed, pace)).fold((0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
        sums.1 - sums.0
    };
    assert_eq!(late(Pace::InTurn), 0);
    assert!(late(Pace::Scramble) > 60, "{}", late(Pace::Scramble));
}
