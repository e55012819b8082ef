//! Tables without I/O: what a host hears of thousands of moves, and that only the seed decides it.

use board_sim::{
    OwnLog, Style,
    games::{self, Games},
    hands,
    pace::Pace,
    placement,
    plan::Plan,
    play_options::PlayOptions,
    table::{Phase, Table, TableSettings},
    trouble::Troubles,
};
use dgt_protocol::{ClockMessage, Field, Fields, Message, PieceCode, Side};
use fastrand::Rng;
use shakmaty::{Board, CastlingMode, Chess, Position, Square, fen::Fen};

fn settings(seed: u64, style: Style) -> TableSettings {
    TableSettings {
        serial: 10_001,
        version: (1, 8),
        rotated: seed.is_multiple_of(3),
        white_side: if seed.is_multiple_of(3) { Side::Right } else { Side::Left },
        own_log: OwnLog::Kept,
        play: PlayOptions { style, clock: true, forgetful: false, pace: Pace::InTurn, troubles: Troubles::default() },
        seed,
    }
}

fn fields(pieces: &Board, rotated: bool) -> Fields {
    let mut fields = [PieceCode::Empty; 64];
    for square in Square::ALL {
        let field = placement::field(square, rotated).expect("a field");
        fields[field.index()] = placement::code(pieces.piece_at(square));
    }
    fields
}

/// Arms the board and plays everything, looking at the table every `look_ms`. Gives all messages.
fn play_out(table: &mut Table, look_ms: u64) -> Vec<Message> {
    table.board_mut().host_bytes(0, &[0x42, 0x4b]);
    let mut messages = Vec::new();
    let mut now_ms = 0;
    while table.phase() != Phase::Done {
        now_ms += look_ms;
        table.advance(now_ms, true);
        while let Some(message) = table.board_mut().next_outgoing() {
            messages.push(Message::decode(&message).expect("a whole message"));
        }
    }
    messages
}

#[test]
fn what_the_board_tells_is_what_stands_on_it_after_every_game() {
    for seed in 0..40 {
        for style in [Style::Clean, Style::Human] {
            let settings = settings(seed, style);
            let rotated = settings.rotated;
            let mut table = Table::new(settings, games::random_plans(2, seed));
            let mut seen = fields(table.pieces(), rotated);
            for message in play_out(&mut table, 97) {
                if let Message::FieldUpdate { field, piece } = message {
                    assert_ne!(seen[field.index()], piece, "seed {seed}: no change without a change");
                    seen[field.index()] = piece;
                }
            }
            assert_eq!(seen, fields(table.pieces(), rotated), "seed {seed} {style:?}");
            assert_eq!(table.played().len(), 2);
        }
    }
}

#[test]
fn when_somebody_looks_changes_nothing_that_is_said() {
    for seed in 0..8 {
        let said = |look_ms| {
            let mut table = Table::new(settings(seed, Style::Human), games::random_plans(2, seed));
            play_out(&mut table, look_ms)
        };
        let often = said(41);
        assert_eq!(often, said(50), "seed {seed}");
        assert_eq!(often, said(1_700), "seed {seed}");
    }
}

#[test]
fn a_pause_stands_between_the_same_messages() {
    let plans = || games::random_plans(1, 4);
    let mut undisturbed = Table::new(settings(4, Style::Human), plans());
    let expected = fields_told(&play_out(&mut undisturbed, 100));

    let mut table = Table::new(settings(4, Style::Human), plans());
    table.board_mut().host_bytes(0, &[0x42, 0x4b]);
    let mut messages = Vec::new();
    let mut now_ms = 0;
    let told = |table: &mut Table, messages: &mut Vec<Message>| {
        while let Some(message) = table.board_mut().next_outgoing() {
            messages.push(Message::decode(&message).expect("a whole message"));
        }
    };
    while table.phase() != Phase::Done {
        now_ms += 100;
        table.advance(now_ms, true);
        if now_ms == 60_000 {
            table.pause(now_ms);
            table.advance(now_ms, true);
            told(&mut table, &mut messages);
            let before = messages.len();
            now_ms += 123_456;
            table.advance(now_ms, true);
            told(&mut table, &mut messages);
            let quiet = &messages[before..];
            assert!(fields_told(quiet).len() <= 2, "at most what was in the air: {quiet:?}");
            assert!(quiet.iter().all(|message| !matches!(message, Message::Clock(_))), "{quiet:?}");
            table.resume(now_ms);
        }
        told(&mut table, &mut messages);
    }
    assert_eq!(fields_told(&messages), expected);
    assert_eq!(table.played(), undisturbed.played());
}

fn fields_told(messages: &[Message]) -> Vec<(Field, PieceCode)> {
    messages
        .iter()
        .filter_map(|message| match message {
            Message::FieldUpdate { field, piece } => Some((*field, *piece)),
            _ => None,
        })
        .collect()
}

#[test]
fn clock_times_in_the_pgn_are_played_exactly() {
    let text = "[White \"A\"]\n[Black \"B\"]\n[TimeControl \"40/5400+30:1800+30\"]\n\n\
        1. e4 {[%clk 1:30:21]} e5 {[%clk 1:29:58]} 2. Nf3 {[%clk 1:30:45]} Nc6 {[%clk 1:17:03]} \
        3. Bb5 {[%clk 1:31:10]} a6 {[%clk 0:58:44]} *\n";
    let Games::Pgn(games) = Games::from_pgn(text).expect("a game") else {
        panic!("it came from PGN");
    };
    let plan = Plan::from_pgn(&games[0]).expect("legal moves");
    for seed in 0..30 {
        let mut table = Table::new(settings(seed, Style::Human), vec![plan.clone()]);
        play_out(&mut table, 100);
        let clocks =
            |game: &notation::pgn::Game| -> Vec<Option<u64>> { game.line().map(|ply| ply.times().clk_ms).collect() };
        assert_eq!(clocks(&table.played()[0]), clocks(&games[0]), "seed {seed}");
    }
}

#[test]
fn while_the_clock_runs_a_message_comes_with_every_second_and_every_press() {
    let mut table = Table::new(settings(1, Style::Clean), games::random_plans(1, 1));
    let messages = play_out(&mut table, 100);
    let mut last = None;
    let mut flips = 0;
    for message in &messages {
        let Message::Clock(ClockMessage::Times(times)) = message else {
            continue;
        };
        assert!(times.left.per_move == times.right.per_move && !times.no_clock);
        if let Some(before) = last.replace(*times) {
            assert_ne!(before, *times, "only changes are told");
            if before.running && times.running && before.right_side_up == times.right_side_up {
                let run = |side| before.side(side).total_seconds() - times.side(side).total_seconds();
                let (up, down) =
                    if times.right_side_up { (Side::Right, Side::Left) } else { (Side::Left, Side::Right) };
                assert_eq!((run(up), run(down)), (1, 0), "a second at a time");
            }
            flips += usize::from(before.right_side_up != times.right_side_up);
        }
    }
    assert_eq!(flips, table.played()[0].line().count());
}

#[test]
fn castling_of_chess960_ends_right_whoever_stands_where() {
    let fen = "r3k2r/8/8/8/8/8/8/1R2K1R1 w GBha - 0 1";
    let start: Chess = fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Chess960).expect("a position");
    let castlings: Vec<_> = start.legal_moves().into_iter().filter(|m| m.is_castle()).collect();
    assert_eq!(castlings.len(), 2);
    for m in castlings {
        for seed in 0..200 {
            let mut pieces = start.board().clone();
            for step in hands::make_move(&pieces.clone(), m, Style::Human, &mut Rng::with_seed(seed)) {
                step.touch.apply(&mut pieces);
            }
            let after = start.clone().play(m).expect("legal");
            assert_eq!(&pieces, after.board(), "{m:?} seed {seed}");
        }
    }
}
