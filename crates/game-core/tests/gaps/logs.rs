//! What the log of a board tells of moves that went unseen.

use board_sim::placement;
use dgt_protocol::{EventLog, LogEvent, Message, PieceCode, Side};
use game_core::event::Event;
use game_core::input::{Attach, Detach, Input, Notice, Order};
use notation::pgn::Outcome;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Piece, Position, Square};

use crate::LONG;
use crate::board::{Board, LOG_MS, after, dump, dump_of, kings_at};

/// A change of a square as the board logs it; a space is an empty square.
fn changed(square: Square, piece: char) -> LogEvent {
    let piece = Piece::from_char(piece);
    LogEvent::Field {
        field: placement::field(square, false).unwrap(),
        piece: placement::code(piece),
        within_250ms: false,
    }
}

/// A board that was out of reach while the last move was played and the kings were put on d4 and d5: agreed drawn. It says so,
/// and keeps a log.
fn drawn_out_of_reach() -> Board {
    let mut board = Board::new();
    let known = board.play(Chess::default(), "e4 e5 Nf3 Nc6");
    let kings = [(Square::E1, ' '), (Square::D4, 'K'), (Square::E8, ' '), (Square::D5, 'k')];
    board.log = [(Square::F1, ' '), (Square::B5, 'B')]
        .into_iter()
        .chain(kings)
        .map(|(square, piece)| changed(square, piece))
        .collect();
    let mut shown = after(known, "Bb5").board().clone();
    for (square, piece) in kings {
        match Piece::from_char(piece) {
            Some(piece) => shown.set_piece_at(square, piece),
            None => shown.discard_piece_at(square),
        }
    }
    board.within_reach = false;
    board.notice(Notice::Detach(Detach::default()));
    board.shown = dump_of(&shown);
    board.within_reach = true;
    board.session.handle_input(board.now, &Input::Notice(Notice::Attach(Attach::default())));
    board
}

#[test]
fn the_last_move_before_a_result_that_was_shown_out_of_reach_is_read_from_the_log() {
    let mut board = drawn_out_of_reach();
    board.wait(60_000);
    assert_eq!(board.moves(), "e4 e5 Nf3 Nc6 Bb5", "{:#?}", board.events);
    assert_eq!(board.game.to_pgn().outcome, Outcome::Draw, "{:#?}", board.events);
}

/// While the log is awaited, the board is asked again for its pieces: that some plies come near what stands there decides nothing.
#[test]
fn so_are_many_moves_before_it() {
    const UNSEEN: &str = "Na3 Bc5 Nf3 Bb6 Nc4 Kf8 g4 g5 Nd6 Nc6 Nh4 a6 Nxb7 Nce7 Be2 h6 c4 Ra7 Nd6 c6 b3 Qc7 Kf1 Ra8";
    let mut board = Board::new();
    let known = board.play(Chess::default(), "e4 e5");
    let unseen = UNSEEN.split_whitespace().scan(known.clone(), |position, san| {
        *position = after(position.clone(), san);
        Some(position.clone())
    });
    let positions: Vec<Chess> = [known].into_iter().chain(unseen).collect();
    let resigned = kings_at(positions.last().unwrap(), Square::E4, Square::D5);
    board.log = log_of(&positions.iter().map(Position::board).chain([&resigned]).collect::<Vec<_>>());
    board.within_reach = false;
    board.notice(Notice::Detach(Detach::default()));
    board.shown = dump_of(&resigned);
    board.within_reach = true;
    board.session.handle_input(board.now, &Input::Notice(Notice::Attach(Attach::default())));
    board.wait(60_000);
    assert_eq!(board.moves(), format!("e4 e5 {UNSEEN}"), "{:#?}", board.events);
    assert_eq!(board.game.to_pgn().outcome, Outcome::WhiteWins, "{:#?}", board.events);
}

#[test]
fn so_it_is_when_the_kings_are_taken_away_before_the_log_has_come() {
    let mut board = drawn_out_of_reach();
    board.wait(LOG_MS / 2);
    board.shown = dump(&after(Chess::default(), "e4 e5 Nf3 Nc6 Bb5"));
    board.wait(60_000);
    assert_eq!(board.moves(), "e4 e5 Nf3 Nc6 Bb5", "{:#?}", board.events);
    assert_eq!(board.game.to_pgn().outcome, Outcome::Draw, "{:#?}", board.events);
}

#[test]
fn a_log_that_the_line_lost_on_its_way_is_asked_for_again() {
    let mut board = Board::new();
    let known = board.play(Chess::default(), "e4 e5");
    // Either knight's move may have been the first one: the log knows which.
    let (first, second) = (after(known.clone(), "Nf3"), after(known.clone(), "Nf3 h6"));
    let last = after(second.clone(), "Nc3");
    board.log = log_of(&[known.board(), first.board(), second.board(), last.board()]);
    for out_of_reach in [Some(&last), None] {
        board.within_reach = false;
        board.notice(Notice::Detach(Detach::default()));
        if let Some(position) = out_of_reach {
            board.show(position);
        }
        board.within_reach = true;
        board.session.handle_input(board.now, &Input::Notice(Notice::Attach(Attach::default())));
        board.wait(LOG_MS / 2);
        assert!(board.log_due.is_some() && board.moves() == "e4 e5", "{:?}", board.events);
        // The rest of the log does not come.
        board.log_due = board.log_due.filter(|_| out_of_reach.is_none());
    }
    board.wait(LOG_MS);
    assert_eq!(board.moves(), "e4 e5 Nf3 h6 Nc3", "{:#?}", board.events);
}

/// The board has no power for an instant while it sends its log.
#[test]
fn a_log_that_was_cut_short_is_asked_for_again_once() {
    for cut in [1, 2] {
        let mut board = Board::new();
        let known = board.play(Chess::default(), "e4 e5");
        let stood = ["Nf3", "Nf3 h6", "Nf3 h6 Nc3"].map(|moves| after(known.clone(), moves));
        board.log = log_of(&[known.board(), stood[0].board(), stood[1].board(), stood[2].board()]);
        let sent = Message::Log(board.log.clone()).encode();
        board.within_reach = false;
        board.notice(Notice::Detach(Detach::default()));
        board.show(&stood[2]);
        board.within_reach = true;
        board.session.handle_input(board.now, &Input::Notice(Notice::Attach(Attach::default())));
        for time in 1..=cut {
            board.wait(LOG_MS / 2);
            assert_eq!(board.logs_asked, time, "{:?}", board.events);
            board.log_due = None;
            board.session.handle_input(board.now, &Input::Bytes(sent[..sent.len() / 2].to_vec()));
            let shown = board.shown.clone();
            board.session.handle_input(board.now, &Input::Bytes(shown));
        }
        board.wait(LOG_MS);
        assert_eq!(board.logs_asked, 2);
        assert_eq!(board.moves(), if cut == 1 { "e4 e5 Nf3 h6 Nc3" } else { "e4 e5" });
    }
}

/// The log holds the line for eight seconds.
#[test]
fn a_log_that_is_asked_for_again_is_asked_for_once() {
    let mut board = Board::new();
    let known = board.play(Chess::default(), "e4 e5");
    let last = after(known.clone(), "Nf3 h6 Nc3");
    let unseen = after(last.clone(), "a6 d3");
    let next = after(unseen.clone(), "Nf6");
    board.log = log_of(&[known.board(), last.board()]);
    board.within_reach = false;
    board.notice(Notice::Detach(Detach::default()));
    board.show(&last);
    board.within_reach = true;
    board.session.handle_input(board.now, &Input::Notice(Notice::Attach(Attach::default())));
    board.wait(LOG_MS / 2);
    assert_eq!(board.logs_asked, 1);
    // The line is lost while the log is on its way, and a piece is moved when it is back, before the board has shown all pieces.
    (board.log_due, board.within_reach) = (None, false);
    board.notice(Notice::Detach(Detach::default()));
    board.session.handle_input(board.now, &Input::Notice(Notice::Attach(Attach::default())));
    tell(&mut board, unseen.board(), next.board());
    board.within_reach = true;
    board.show(&next);
    assert_eq!(board.logs_asked, 2);
}

/// The daemon was away longer than the board was without power, and another piece is lifted before the log is sent.
#[test]
fn a_log_tells_what_was_played_before_the_board_lost_power_too() {
    const PLAYED: &str = "e4 e5 Nf3 h6 Nc3 a6 Bc4 Nf6 d3";
    for lifted in [false, true] {
        let mut board = Board::new();
        let stood = line(PLAYED);
        let stood: Vec<_> = stood.iter().map(Position::board).collect();
        stood[..3].windows(2).for_each(|stood| tell(&mut board, stood[0], stood[1]));
        board.log = log_of(&stood[..6])
            .events()
            .chain([LogEvent::PowerUp])
            .chain(moved(&shakmaty::Board::empty(), stood[6]))
            .chain(log_of(&stood[6..]).events())
            .chain(lifted.then(|| changed(Square::F8, ' ')))
            .collect();
        board.out_of_sight(&line(PLAYED)[9]);
        assert_eq!(board.moves(), PLAYED, "{lifted}: {:#?}", board.events);
    }
}

/// A board tells its changes from one placement to another.
fn tell(board: &mut Board, from: &shakmaty::Board, to: &shakmaty::Board) {
    for event in moved(from, to) {
        let LogEvent::Field { field, piece, .. } = event else { continue };
        board.session.handle_input(board.now, &Input::Bytes(Message::FieldUpdate { field, piece }.encode()));
        board.drain();
    }
    board.shown = dump_of(to);
    board.wait(2_000);
}

/// Boards write the log when they are asked for it, and send it for seconds.
#[test]
fn a_log_is_used_also_where_a_piece_was_moved_before_it_had_come() {
    let mut board = Board::new();
    let known = board.play(Chess::default(), "e4 e5");
    let (first, second) = (after(known.clone(), "Nf3"), after(known.clone(), "Nf3 h6"));
    let last = after(second.clone(), "Nc3");
    board.log = log_of(&[known.board(), first.board(), second.board(), last.board()]);
    board.within_reach = false;
    board.notice(Notice::Detach(Detach::default()));
    board.show(&last);
    board.within_reach = true;
    board.session.handle_input(board.now, &Input::Notice(Notice::Attach(Attach::default())));
    board.wait(LOG_MS / 2);
    assert!(board.log_due.is_some() && board.moves() == "e4 e5", "{:?}", board.events);
    let next = after(last.clone(), "Nf6");
    for (square, piece) in [(Square::G8, None), (Square::F6, next.board().piece_at(Square::F6))] {
        let field = placement::field(square, false).unwrap();
        let update = Message::FieldUpdate { field, piece: placement::code(piece) }.encode();
        board.session.handle_input(board.now, &Input::Bytes(update));
    }
    board.shown = dump(&next);
    board.wait(LOG_MS);
    assert_eq!(board.moves(), "e4 e5 Nf3 h6 Nc3 Nf6", "{:#?}", board.events);
}

/// The daemon is killed again and again, each time before the log has come.
#[test]
fn a_log_that_comes_after_several_outages_tells_all_of_them() {
    const PLAYED: [&str; 4] =
        ["Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O", "O-O Re1 a6 Bb3 Ba7 h3 h6", "Nbd2 Be6 Bc2 Re8 Nf1", "d5 Ng3 dxe4 dxe4"];
    let mut board = Board::new();
    let known = board.play(Chess::default(), "e4 e5");
    let mut stood = vec![known.clone()];
    for (outage, moves) in PLAYED.iter().enumerate() {
        for san in moves.split_whitespace() {
            stood.push(after(stood[stood.len() - 1].clone(), san));
        }
        let stood: Vec<_> = stood.iter().map(Position::board).collect();
        board.log = log_of(&stood);
        board.within_reach = false;
        board.notice(Notice::Detach(Detach::default()));
        board.shown = dump_of(stood[stood.len() - 1]);
        board.within_reach = true;
        board.session.handle_input(board.now, &Input::Notice(Notice::Attach(Attach::default())));
        board.wait(LOG_MS / 2);
        assert!(board.log_due.is_some() && board.moves() == "e4 e5", "outage {outage}: {:?}", board.events);
        board.log_due = board.log_due.filter(|_| outage + 1 == PLAYED.len());
    }
    board.wait(LOG_MS);
    assert_eq!(board.moves(), format!("e4 e5 {}", PLAYED.join(" ")), "{:#?}", board.events);
    assert!(board.game.gaps().is_empty(), "{:#?}", board.events);
}

/// A daemon that lives too short to hear what stands there hears a move in the middle of those that go unseen.
#[test]
fn a_log_has_what_was_heard_between_two_outages_in_its_place() {
    let mut board = Board::new();
    let known = board.play(Chess::default(), "e4 e5");
    let stood: Vec<_> =
        ["", "Nf3", "Nf3 Nc6", "Nf3 Nc6 Bb5", "Nf3 Nc6 Bb5 a6"].map(|moves| after(known.clone(), moves)).into();
    board.log = log_of(&stood.iter().map(Position::board).collect::<Vec<_>>());
    board.within_reach = false;
    board.notice(Notice::Detach(Detach::default()));
    board.session.handle_input(board.now, &Input::Notice(Notice::Attach(Attach::default())));
    for (square, piece) in [(Square::B8, None), (Square::C6, stood[2].board().piece_at(Square::C6))] {
        let field = placement::field(square, false).unwrap();
        let update = Message::FieldUpdate { field, piece: placement::code(piece) }.encode();
        board.session.handle_input(board.now, &Input::Bytes(update));
    }
    board.notice(Notice::Detach(Detach::default()));
    board.show(&stood[4]);
    board.within_reach = true;
    board.session.handle_input(board.now, &Input::Notice(Notice::Attach(Attach::default())));
    board.wait(2 * LOG_MS);
    assert_eq!(board.moves(), "e4 e5 Nf3 Nc6 Bb5 a6", "{:#?}", board.events);
    assert!(board.game.gaps().is_empty(), "{:#?}", board.events);
}

/// What the board logs while its pieces are put from one placement to another.
fn moved(from: &shakmaty::Board, to: &shakmaty::Board) -> Vec<LogEvent> {
    let differing = || Square::ALL.into_iter().filter(|&square| from.piece_at(square) != to.piece_at(square));
    let lifted = differing().filter(|&square| from.piece_at(square).is_some()).map(|square| changed(square, ' '));
    let put = differing().filter_map(|square| Some(changed(square, to.piece_at(square)?.char())));
    lifted.chain(put).collect()
}

/// The log of a board on which these placements stood one after the other.
fn log_of(stood: &[&shakmaty::Board]) -> EventLog {
    stood.windows(2).flat_map(|stood| moved(stood[0], stood[1])).collect()
}

/// Moves of all games that were told.
fn told(board: &Board) -> String {
    let san = |event: &Event| if let Event::Move { san, .. } = event { Some(san.clone()) } else { None };
    board.events.iter().filter_map(san).collect::<Vec<_>>().join(" ")
}

fn results(board: &Board) -> Vec<Outcome> {
    let result = |event: &Event| if let Event::Result { result, .. } = event { Some(*result) } else { None };
    board.events.iter().filter_map(result).collect()
}

#[test]
fn a_board_with_a_log_tells_the_end_of_one_game_and_the_beginning_of_the_next() {
    let mut board = Board::new();
    let known = board.play(Chess::default(), LONG);
    let last = after(known.clone(), "O-O-O");
    let drawn = kings_at(&last, Square::E4, Square::E5);
    let (start, d4, next) = (Chess::default(), after(Chess::default(), "d4"), after(Chess::default(), "d4 d5"));
    board.log = log_of(&[known.board(), last.board(), &drawn, start.board(), d4.board(), next.board()]);
    board.out_of_sight(&next);
    board.play(next, "c4 e6");
    assert_eq!(board.moves(), "d4 d5 c4 e6", "{:#?}", board.events);
    assert_eq!(told(&board), format!("{LONG} O-O-O d4 d5 c4 e6"), "{:#?}", board.events);
    assert_eq!(results(&board), [Outcome::Draw], "{:#?}", board.events);
}

/// The pieces of the next game stand there when the board is back in reach, and are played with before the log has come.
#[test]
fn so_does_one_on_which_the_next_game_stands_at_its_start() {
    let known = line(LONG);
    let last = after(known[known.len() - 1].clone(), "O-O-O");
    let start = Chess::default();
    let stood: Vec<_> = known.iter().chain([&last]).map(Position::board).collect();
    let pressed = LogEvent::Clock { side: Side::Left, total_seconds: 60 };
    let log = log_of(&stood).events().chain([pressed]).chain(moved(last.board(), start.board())).collect::<EventLog>();
    let cases = [(true, 0), (true, 3), (false, 0), (false, 3)].into_iter();
    // A person may have entered the result meanwhile.
    let cases = cases.flat_map(|(keeps_log, moves)| [(keeps_log, moves, false), (keeps_log, moves, true)]);
    for (keeps_log, moves_meanwhile, result_entered) in cases {
        let mut board = Board::new();
        board.play(start.clone(), LONG);
        board.log = if keeps_log { log.clone() } else { EventLog::default() };
        board.within_reach = false;
        board.notice(Notice::Detach(Detach::default()));
        if result_entered {
            board.order(Order::Result { result: "1-0".to_owned(), reason: None });
        }
        board.shown = dump(&start);
        board.within_reach = true;
        board.session.handle_input(board.now, &Input::Notice(Notice::Attach(Attach::default())));
        board.wait(LOG_MS / 8);
        assert_eq!(board.moves(), LONG, "{:#?}", board.events);
        let next = line("d4 d5 c4 e6");
        next[..=moves_meanwhile].windows(2).for_each(|stood| tell(&mut board, stood[0].board(), stood[1].board()));
        board.wait(LOG_MS * 3);
        next[moves_meanwhile..].windows(2).for_each(|stood| tell(&mut board, stood[0].board(), stood[1].board()));
        board.wait(LOG_MS * 3);
        let end = if keeps_log { " O-O-O" } else { "" };
        let case = format!(
            "log {keeps_log}, moves meanwhile {moves_meanwhile}, result entered {result_entered}: {:#?}",
            board.events
        );
        assert_eq!(board.moves(), "d4 d5 c4 e6", "{case}");
        assert_eq!(told(&board), format!("{LONG}{end} d4 d5 c4 e6"), "{case}");
        assert_eq!(results(&board).len(), usize::from(result_entered), "{case}");
    }
}

/// What the board logs while its pieces are put back for the next game, in any order.
fn put_back(from: &shakmaty::Board, random: &mut fastrand::Rng) -> Vec<LogEvent> {
    let is_lifted = |event: &LogEvent| matches!(event, LogEvent::Field { piece: PieceCode::Empty, .. });
    let (mut lifted, mut put): (Vec<_>, Vec<_>) =
        moved(from, Chess::default().board()).into_iter().partition(is_lifted);
    random.shuffle(&mut lifted);
    random.shuffle(&mut put);
    [lifted, put].concat()
}

/// Many moves were made out of reach, with or without kings that show who has won, and the first piece may be in a hand again.
#[test]
fn so_does_one_on_which_the_pieces_were_put_back_in_any_order() {
    for seed in 0..20 {
        let mut random = fastrand::Rng::with_seed(seed);
        let (known, start) = (line(LONG), Chess::default());
        let mut log: Vec<_> = log_of(&known.iter().map(Position::board).collect::<Vec<_>>()).events().collect();
        let (mut last, mut unseen) = (known[known.len() - 1].clone(), Vec::new());
        for side in [Side::Left, Side::Right].into_iter().cycle().take(random.usize(2..24)) {
            let Some(&mv) = random.choice(&last.legal_moves()) else { break };
            unseen.push(SanPlus::from_move(last.clone(), mv).to_string());
            let next = last.clone().play(mv).unwrap();
            log.extend(moved(last.board(), next.board()));
            log.push(LogEvent::Clock { side, total_seconds: 60 });
            last = next;
        }
        let shows_result = random.bool();
        let stood = if shows_result { kings_at(&last, Square::E4, Square::D5) } else { last.board().clone() };
        log.extend(moved(last.board(), &stood));
        log.extend(put_back(&stood, &mut random));
        let mut shown = start.board().clone();
        if random.bool() {
            shown.discard_piece_at(Square::D2);
            log.push(changed(Square::D2, ' '));
        }
        let mut board = Board::new();
        board.play(start.clone(), LONG);
        board.log = log.into_iter().collect();
        board.within_reach = false;
        board.notice(Notice::Detach(Detach::default()));
        board.shown = dump_of(&shown);
        board.within_reach = true;
        board.session.handle_input(board.now, &Input::Notice(Notice::Attach(Attach::default())));
        board.wait(LOG_MS * 2);
        let d4 = after(start, "d4");
        tell(&mut board, &shown, d4.board());
        board.play(d4, "d5 c4 e6 Nc3");
        let expected = format!("{LONG} {} d4 d5 c4 e6 Nc3", unseen.join(" "));
        assert_eq!(told(&board), expected, "seed {seed}: {:#?}", board.events);
        let result = if shows_result { vec![Outcome::WhiteWins] } else { Vec::new() };
        assert_eq!(results(&board), result, "seed {seed}: {:#?}", board.events);
    }
}

/// The pieces as they stand when White sits at the far end.
fn turned(position: &Chess) -> shakmaty::Board {
    let mut board = position.board().clone();
    board.rotate_180();
    board
}

#[test]
fn so_does_one_on_which_the_pieces_of_the_next_game_were_set_up_the_other_way_round() {
    let mut board = Board::new();
    let known = board.play(Chess::default(), LONG);
    let last = after(known.clone(), "O-O-O");
    let next = line("d4 d5 c4 e6 Nc3 Nf6");
    let ended = [known.board().clone(), last.board().clone(), kings_at(&last, Square::E4, Square::E5)];
    let stood: Vec<_> = ended.into_iter().chain(next.iter().map(turned)).collect();
    board.log = log_of(&stood.iter().collect::<Vec<_>>());
    board.board_out_of_sight(&stood[stood.len() - 1]);
    let on = line("d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7");
    on[7..].iter().for_each(|position| board.show_board(&turned(position)));
    assert_eq!(told(&board), format!("{LONG} O-O-O d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7"), "{:#?}", board.events);
}

/// All positions of these moves, from the first on.
fn line(moves: &str) -> Vec<Chess> {
    let mut line = vec![Chess::default()];
    for san in moves.split_whitespace() {
        line.push(after(line[line.len() - 1].clone(), san));
    }
    line
}

#[test]
fn a_log_since_a_power_up_before_both_games_tells_what_went_unseen_in_the_second_alone() {
    const NEXT: &str = "d4 Nf6 c4 e6 Nc3";
    let mut board = Board::new();
    board.play(Chess::default(), LONG);
    board.show(&Chess::default());
    let known = board.play(Chess::default(), NEXT);
    let last = after(known.clone(), "Bb4");
    let stood: Vec<_> = line(LONG).into_iter().chain(line(NEXT)).collect();
    let stood: Vec<_> = stood.iter().map(Position::board).collect();
    let pieces = moved(&shakmaty::Board::empty(), stood[0]);
    board.log = [LogEvent::PowerUp]
        .into_iter()
        .chain(pieces)
        .chain(log_of(&stood).events())
        // A piece is adjusted: that it is put back overwrites that it was lifted.
        .chain([changed(Square::B8, 'n')])
        .chain(moved(known.board(), last.board()))
        .collect();
    board.out_of_sight(&last);
    board.play(last, "e3 O-O");
    assert_eq!(board.moves(), format!("{NEXT} Bb4 e3 O-O"), "{:#?}", board.events);
    assert_eq!(told(&board), format!("{LONG} {NEXT} Bb4 e3 O-O"), "{:#?}", board.events);
}

#[test]
fn so_does_one_on_which_the_last_move_was_mate() {
    const BEFORE: &str = "e4 e5 Qh5 Nc6 Bc4 Nf6";
    let mut board = Board::new();
    let known = board.play(Chess::default(), BEFORE);
    let mate = after(known.clone(), "Qxf7#");
    let (start, d4) = (Chess::default(), after(Chess::default(), "d4"));
    board.log = log_of(&[known.board(), mate.board(), start.board(), d4.board()]);
    board.out_of_sight(&d4);
    board.play(d4, "d5 c4");
    assert_eq!(told(&board), format!("{BEFORE} Qxf7# d4 d5 c4"), "{:#?}", board.events);
    assert_eq!(results(&board), [Outcome::WhiteWins], "{:#?}", board.events);
}

#[test]
fn a_change_before_the_first_dump_after_an_outage_comes_after_what_went_unseen() {
    moves_before_the_first_dump(false);
}

#[test]
fn so_it_does_in_a_game_whose_wrong_result_is_taken_back_afterwards() {
    moves_before_the_first_dump(true);
}

fn moves_before_the_first_dump(result_meanwhile: bool) {
    let mut board = Board::new();
    let known = board.play(Chess::default(), "e4 e5 Nf3 Nc6 Bc4 Nf6");
    let (castled, replied) = (after(known.clone(), "O-O"), after(known.clone(), "O-O Bc5 d3"));
    let last = after(replied.clone(), "O-O");
    let between = after(known.clone(), "O-O Bc5");
    let pawn_put = after(known.clone(), "O-O Bc5 d3 O-O h3");
    let stood = [known.board(), castled.board(), between.board(), replied.board(), last.board(), pawn_put.board()];
    board.log = log_of(&stood);
    if result_meanwhile {
        board.order(Order::Result { result: "1-0".to_owned(), reason: None });
    }
    board.within_reach = false;
    board.notice(Notice::Detach(Detach::default()));
    board.notice(Notice::Attach(Attach::default()));
    // The line is back, and the pawn moves before the answer with all pieces.
    for (square, piece) in [(Square::H2, None), (Square::H3, pawn_put.board().piece_at(Square::H3))] {
        let field = placement::field(square, false).unwrap();
        let update = Message::FieldUpdate { field, piece: placement::code(piece) }.encode();
        board.session.handle_input(board.now, &Input::Bytes(update));
    }
    board.within_reach = true;
    board.show(&pawn_put);
    if result_meanwhile {
        board.order(Order::PlayOn);
    }
    board.play(pawn_put, "h6 a3");
    assert_eq!(board.moves(), "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O Bc5 d3 O-O h3 h6 a3", "{:#?}", board.events);
    assert!(board.game.gaps().is_empty(), "{:#?}", board.events);
}
