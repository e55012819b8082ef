//! Moves that nobody saw and nothing explains: the game goes on from what stands on the board, its record has a gap there, and
//! a person gives the moves later.

use board_sim::placement;
use dgt_protocol::{Command as DgtCommand, EventLog, LogEvent, Message, PieceCode};
use game_core::event::Event;
use game_core::game::{Edit, EditError, EnteredMove, Game};
use game_core::input::{Assign, Attach, Command, Detach, DoubtRule, Doubting, Input, Notice, Order};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use notation::pgn::{Outcome, write_game};
use shakmaty::{Chess, Color, Piece, Position, Square, san::San};

/// A board without a clock that answers when it is asked for its pieces, and shows its changes by dumps.
struct Board {
    shown: Vec<u8>,
    within_reach: bool,
    session: BoardSession,
    now: Timestamp,
    game: Game,
    events: Vec<Event>,
    /// What its own log tells; nothing if it keeps none.
    log: EventLog,
    /// When the log that was asked for has come over the line.
    log_due: Option<Timestamp>,
}

/// Sending the whole log takes 8 s (protocol paper, 3).
const LOG_MS: u64 = 8_000;

impl Board {
    fn new() -> Self {
        let session = BoardSession::new();
        let shown = dump(&Chess::default());
        let (now, game, log) = (Timestamp::ZERO, Game::new(), EventLog::default());
        let mut board = Self { shown, within_reach: true, session, now, game, events: Vec::new(), log, log_due: None };
        board.notice(Notice::Attach(Attach::default()));
        board.show(&Chess::default());
        board
    }

    fn show(&mut self, position: &Chess) {
        self.show_board(position.board());
    }

    fn show_board(&mut self, board: &shakmaty::Board) {
        self.shown = dump_of(board);
        if self.within_reach {
            self.input(&Input::Bytes(self.shown.clone()));
        }
    }

    fn order(&mut self, order: Order) {
        self.notice(Notice::Command(Command { by: "Ada".to_owned(), order }));
    }

    fn notice(&mut self, notice: Notice) {
        self.input(&Input::Notice(notice));
    }

    fn input(&mut self, input: &Input) {
        self.session.handle_input(self.now, input);
        self.wait(20_000);
    }

    fn wait(&mut self, ms: u64) {
        let until = self.now.plus(ms);
        self.drain();
        while let Some(due) =
            self.session.next_deadline().into_iter().chain(self.log_due).min().filter(|due| *due <= until)
        {
            self.now = due;
            if self.log_due == Some(due) {
                self.log_due = None;
                let log = Message::Log(self.log.clone()).encode();
                self.session.handle_input(due, &Input::Bytes(log));
            } else {
                self.session.handle_timeout(due);
            }
            self.drain();
        }
        self.now = until;
    }

    fn drain(&mut self) {
        while let Some(output) = self.session.poll_output() {
            match output {
                Output::Send(DgtCommand::Board) if self.within_reach => {
                    self.session.handle_input(self.now, &Input::Bytes(self.shown.clone()));
                }
                Output::Send(DgtCommand::Log) if self.log != EventLog::default() => {
                    self.log_due = Some(self.now.plus(LOG_MS));
                }
                Output::Send(_) => {}
                Output::Event(record) => {
                    assert!(self.game.apply(&record.event), "{record:?}");
                    self.events.push(record.event);
                }
            }
        }
    }

    /// The cable is out while hands make the board show this.
    fn out_of_sight(&mut self, position: &Chess) {
        self.within_reach = false;
        self.notice(Notice::Detach(Detach::default()));
        self.show(position);
        self.within_reach = true;
        self.notice(Notice::Attach(Attach::default()));
    }

    /// Plays moves on from a position, one after the other; gives back the last position.
    fn play(&mut self, mut position: Chess, moves: &str) -> Chess {
        for san in moves.split_whitespace() {
            position = after(position, san);
            self.show(&position);
        }
        position
    }

    fn moves(&self) -> String {
        self.game.moves().iter().map(|mv| mv.san.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn pgn(&self) -> String {
        write_game(&self.game.to_pgn())
    }
}

/// What the board says when it is asked for its pieces.
fn dump(position: &Chess) -> Vec<u8> {
    dump_of(position.board())
}

fn dump_of(board: &shakmaty::Board) -> Vec<u8> {
    let mut fields = [PieceCode::Empty; 64];
    for square in Square::ALL {
        let field = placement::field(square, false).unwrap();
        fields[field.index()] = placement::code(board.piece_at(square));
    }
    Message::BoardDump(fields).encode()
}

/// The pieces of a position, the kings put elsewhere.
fn kings_at(position: &Chess, white: Square, black: Square) -> shakmaty::Board {
    let mut board = position.board().clone();
    for (color, to) in [(Color::White, white), (Color::Black, black)] {
        let king = board.king_of(color).and_then(|from| board.remove_piece_at(from)).unwrap();
        board.set_piece_at(to, king);
    }
    board
}

/// A change of a square as the board logs it; a space is an empty square.
fn changed(square: Square, piece: char) -> LogEvent {
    let piece = Piece::from_char(piece);
    LogEvent::Field {
        field: placement::field(square, false).unwrap(),
        piece: placement::code(piece),
        within_250ms: false,
    }
}

fn after(position: Chess, moves: &str) -> Chess {
    moves.split_whitespace().fold(position, |position, san| {
        let mv = san.parse::<San>().unwrap().to_move(&position).unwrap();
        position.play(mv).unwrap()
    })
}

const BEFORE: &str = "e4 e5 Nc3 Nc6 d3 d6 a3 a6";

/// A position that no moves lead to from there: the pawn is back on e2.
fn stands_there() -> Chess {
    after(Chess::default(), "d3 e5 Nc3 Nc6 a3 d6 Nf3 a6")
}

fn uci(moves: &[&str]) -> Vec<String> {
    moves.iter().map(|uci| (*uci).to_owned()).collect()
}

#[test]
fn a_game_goes_on_when_two_moves_of_each_player_are_legal_from_what_stands_there() {
    let mut board = Board::new();
    board.play(Chess::default(), BEFORE);
    board.out_of_sight(&stands_there());
    let on = board.play(stands_there(), "g3 g6 h3 h6 b3");
    let [gap] = board.game.gaps() else { panic!("{:?}", board.events) };
    assert_eq!(
        (gap.after_ply, gap.fen.split(' ').next()),
        (8, Some("r1bqkbnr/1pp2ppp/p1np4/4p3/8/P1NP1N2/1PP1PPPP/R1BQKB1R"))
    );
    assert_eq!(board.moves(), format!("{BEFORE} g3 g6 h3 h6 b3"));
    assert_eq!(board.game.position().board(), on.board());
    assert!(!board.game.unexplained() && !board.events.contains(&Event::GameEnded), "{:?}", board.events);
    let pgn = board.pgn();
    assert!(pgn.contains("1. e4") && pgn.contains("Moves went unseen here") && !pgn.contains("g3"), "{pgn}");
    assert!(!pgn.contains("illegal"), "{pgn}");
}

#[test]
fn by_order_it_goes_on_at_once() {
    let mut board = Board::new();
    board.play(Chess::default(), BEFORE);
    board.out_of_sight(&stands_there());
    board.order(Order::GoOn);
    assert_eq!(board.game.gaps().len(), 1, "{:?}", board.events);
    board.play(stands_there(), "g3 g6");
    assert_eq!(board.moves(), format!("{BEFORE} g3 g6"));
    assert_eq!(board.game.gaps().len(), 1, "{:?}", board.events);
}

#[test]
fn what_is_public_stays_over_a_restart_after_a_gap() {
    let mut board = Board::new();
    board.play(Chess::default(), BEFORE);
    board.out_of_sight(&stands_there());
    let on = board.play(stands_there(), "g3 g6 h3 h6 b3");
    let before = board.moves();
    let resume = board.session.to_resume().unwrap();
    assert_eq!(resume.gaps.len(), 1);
    board.session = BoardSession::new();
    board.events.clear();
    board.notice(Notice::Resume(resume));
    board.show(&on);
    board.play(on, "b6 Bg2");
    assert_eq!(board.moves(), format!("{before} b6 Bg2"));
    let kept = |event: &Event| !matches!(event, Event::Retract { .. } | Event::GameEnded | Event::GameStarted { .. });
    assert!(board.events.iter().all(kept), "{:?}", board.events);
}

#[test]
fn a_person_gives_the_unseen_moves_in_one_order() {
    let mut board = Board::new();
    let e4 = board.play(Chess::default(), "e4 e5");
    let unseen = after(e4, "Nf3 Nc6");
    board.within_reach = false;
    board.notice(Notice::Detach(Detach::default()));
    board.session.handle_input(board.now, &Input::Notice(Notice::Attach(Attach::default())));
    (board.shown, board.within_reach) = (dump(&unseen), true);
    // Before the search has told the only line, somebody orders to go on.
    board.session.handle_input(board.now, &Input::Bytes(dump(&unseen)));
    board.order(Order::GoOn);
    board.play(unseen, "Bc4 Bc5 d3 d6");
    let gap = board.game.gaps()[0].after_ply;
    assert_eq!(gap, 2);
    let entered = |san: &&str| EnteredMove { text: (*san).to_owned(), ..EnteredMove::default() };
    let fill = |sans: &[&str]| Edit::fill(2, sans.iter().map(entered).collect());
    let elsewhere = board.game.check_edit(&fill(&["Nf3", "Nf6"])).unwrap_err();
    assert!(matches!(elsewhere, EditError::LeadsElsewhere { after: 2, last: 4, .. }), "{elsewhere:?}");
    let illegal = board.game.check_edit(&fill(&["Nf3", "Nc3"])).unwrap_err();
    assert!(matches!(illegal, EditError::Entered { ply: 4, .. }), "{illegal:?}");
    let nowhere = board.game.check_edit(&Edit::fill(1, Vec::new())).unwrap_err();
    assert!(matches!(nowhere, EditError::NoGap { after: 1 }), "{nowhere:?}");
    let before = board.game.check_edit(&Edit::delete(1)).unwrap_err();
    assert!(matches!(before, EditError::BeforeGap { after: 2 }), "{before:?}");
    // As events for a game that is over, and as an order for one that is played.
    let mut over = board.game.clone();
    for event in board.game.check_edit(&fill(&["Nf3", "Nc6"])).unwrap() {
        assert!(over.apply(&event), "{event:?}");
    }
    let whole = "e4 e5 Nf3 Nc6 Bc4 Bc5 d3 d6";
    let sans = |game: &Game| game.moves().iter().map(|mv| mv.san.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!((sans(&over).as_str(), over.gaps().len()), (whole, 0));
    let moves = uci(&["g1f3", "b8c6", "f1c4", "f8c5", "d2d3", "d7d6"]);
    board.order(Order::FillGap { after: 2, moves });
    assert_eq!((board.moves().as_str(), board.game.gaps().len()), (whole, 0), "{:?}", board.events);
    let on = after(Chess::default(), whole);
    board.play(on, "O-O Nf6");
    assert!(board.moves().starts_with(&format!("{whole} O-O")), "{}", board.moves());
}

#[test]
fn equal_lines_wait_as_long_as_the_section_says() {
    for (rule, wait_s, told) in
        [(DoubtRule::Likely, 120, 5), (DoubtRule::Likely, 600, 2), (DoubtRule::Confirmed, 120, 2)]
    {
        let mut board = Board::new();
        let doubting = Doubting { rule, wait_s };
        board.notice(Notice::Assign(Assign { doubting, ..Assign::default() }));
        board.play(Chess::default(), "e4 e5");
        // Either knight's move may have been the first one.
        board.out_of_sight(&after(Chess::default(), "e4 e5 Nc3 h6 Nf3"));
        board.wait(30_000);
        assert_eq!((board.session.doubts().candidates.len(), board.game.moves().len()), (2, 2), "{rule:?} {wait_s}");
        board.wait(240_000);
        assert_eq!(board.game.moves().len(), told, "{rule:?} {wait_s}");
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
fn a_ply_just_before_the_board_gets_out_of_reach_is_told_once_the_board_shows_it_again() {
    let mut board = Board::new();
    let e4 = board.play(Chess::default(), "e4");
    let e5 = after(e4, "e5");
    board.shown = dump(&e5);
    board.session.handle_input(board.now, &Input::Bytes(board.shown.clone()));
    board.within_reach = false;
    board.notice(Notice::Detach(Detach::default()));
    board.wait(60_000);
    assert_eq!(board.moves(), "e4", "the hand may have gone on: {:?}", board.events);
    board.within_reach = true;
    board.notice(Notice::Attach(Attach::default()));
    assert_eq!(board.moves(), "e4 e5", "{:?}", board.events);
}

#[test]
fn a_result_soon_after_moves_that_nothing_explains_leaves_a_gap_in_the_record() {
    let mut board = Board::new();
    board.play(Chess::default(), BEFORE);
    board.out_of_sight(&stands_there());
    let last = board.play(stands_there(), "g3 g6");
    board.show_board(&kings_at(&last, Square::E4, Square::D5));
    board.wait(60_000);
    assert_eq!(board.game.to_pgn().outcome, Outcome::WhiteWins, "{:#?}", board.events);
    assert_eq!(board.moves(), BEFORE);
    let [gap] = board.game.gaps() else { panic!("{:#?}", board.events) };
    assert_eq!((gap.after_ply, gap.fen.split(' ').next()), (8, Some(&*last.board().to_string())));
    assert!(board.pgn().contains("Moves went unseen here"), "{}", board.pgn());
}

#[test]
fn a_result_that_stands_on_the_board_when_the_daemon_ends_is_told_before() {
    let mut board = Board::new();
    let last = board.play(Chess::default(), "a3 a6");
    board.show_board(&kings_at(&last, Square::E4, Square::D5));
    let result = Event::Result { result: Outcome::WhiteWins, reason: "kings in the centre".to_owned() };
    assert!(!board.events.contains(&result), "it could still be undone");
    board.session.handle_input(board.now, &Input::Notice(Notice::End {}));
    board.drain();
    assert!(board.events.contains(&result), "{:?}", board.events);
}

/// A game with captures on both sides.
const LONG: &str = "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6 Nf3 Bg4 h3 Bxf3 Qxf3 c6 Bd2 Nbd7";

#[test]
fn the_next_game_that_begins_out_of_reach_is_a_game_of_its_own() {
    let mut board = Board::new();
    board.play(Chess::default(), LONG);
    let next = after(Chess::default(), "d4 d5");
    board.out_of_sight(&next);
    let on = board.play(next, "c4 e6 Nc3 Nf6");
    assert!(board.events.contains(&Event::GameEnded), "{:#?}", board.events);
    assert_eq!(board.moves(), "d4 d5 c4 e6 Nc3 Nf6", "{:#?}", board.events);
    assert_eq!((board.game.position().board(), board.game.gaps().len()), (on.board(), 0));
    assert!(!board.events.iter().any(|event| matches!(event, Event::Retract { .. })), "{:#?}", board.events);
}

#[test]
fn where_more_pieces_stand_than_the_game_can_have_another_one_goes_on() {
    let mut board = Board::new();
    board.play(Chess::default(), LONG);
    let next = after(Chess::default(), "Nf3 Nf6 c4 c5 Nc3 Nc6 g3 g6 Bg2 Bg7 O-O O-O d3 d6 a3 a6 Rb1 Rb8");
    board.out_of_sight(&next);
    board.play(next, "b4 cxb4 axb4 b5");
    assert!(board.events.contains(&Event::GameEnded), "{:#?}", board.events);
    assert_eq!((&*board.moves(), board.game.gaps().len()), ("b4 cxb4 axb4 b5", 0), "{:#?}", board.events);
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
