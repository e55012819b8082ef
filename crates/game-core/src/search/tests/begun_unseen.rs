//! Games that begin while the board is out of reach.

use shakmaty::{Chess, Position, san::San};

use super::*;
use crate::input::Attach;

/// What one board and its clock have said so far.
struct Table {
    session: BoardSession,
    now: u64,
    shown: Board,
    /// White sits at the far end.
    rotated: bool,
    /// What the clock shows, and whether the left side runs down.
    clock: Option<(u32, bool)>,
    told: Vec<Event>,
}

const GAME: &str = "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6 Nf3 Bg4 h3 Bxf3 Qxf3 c6 Bd2 Nbd7 O-O-O e6 Kb1 Bb4";

/// How long a player thinks: longer than anything at the board is waited for.
const THINKS_MS: u64 = 15_000;

impl Table {
    fn new(clock: bool) -> Self {
        let clock = clock.then_some((3_000, true));
        let session = BoardSession::new();
        let mut table = Self { session, now: 0, shown: Board::new(), rotated: false, clock, told: Vec::new() };
        table.say(table.dump());
        table.run();
        table
    }

    fn say(&mut self, bytes: Vec<u8>) {
        self.until_now();
        self.session.handle_input(Timestamp::from_ms(self.now), &Input::Bytes(bytes));
        self.drain();
    }

    /// What is due is done; a board that is asked for its pieces tells them.
    fn until_now(&mut self) {
        while let Some(due) = self.session.next_deadline().filter(|due| due.as_ms() <= self.now) {
            self.session.handle_timeout(due);
            self.drain();
        }
    }

    fn drain(&mut self) {
        while let Some(output) = self.session.poll_output() {
            match output {
                Output::Send(dgt_protocol::Command::Board) => {
                    let at = Timestamp::from_ms(self.now);
                    self.session.handle_input(at, &Input::Bytes(self.dump()));
                }
                Output::Send(_) => {}
                Output::Event(record) => self.told.push(record.event),
            }
        }
    }

    fn dump(&self) -> Vec<u8> {
        let mut fields = [PieceCode::Empty; 64];
        for square in Square::ALL {
            fields[self.field(square).index()] = self.shown.piece_at(square).map_or(PieceCode::Empty, code_of);
        }
        Message::BoardDump(fields).encode()
    }

    /// The clock is read.
    fn run(&mut self) {
        if let Some((seconds, left_runs)) = self.clock {
            self.say(clock(seconds, left_runs));
        }
    }

    fn wait(&mut self, ms: u64) {
        for _ in 0..ms / 1_000 {
            self.now += 1_000;
            if let Some((seconds, _)) = &mut self.clock {
                *seconds -= 1;
            }
            self.run();
            self.until_now();
        }
    }

    fn field(&self, square: Square) -> Field {
        Field::all().find(|&field| square_of(field, self.rotated) == square).unwrap()
    }

    fn set(&mut self, square: Square, piece: Option<shakmaty::Piece>) {
        self.now += 400;
        match piece {
            Some(piece) => self.shown.set_piece_at(square, piece),
            None => self.shown.discard_piece_at(square),
        }
        let (field, piece) = (self.field(square), piece.map_or(PieceCode::Empty, code_of));
        self.say(Message::FieldUpdate { field, piece }.encode());
    }

    /// Hands make the board show this, one square after the other.
    fn place(&mut self, to: &Board) {
        let from = self.shown.clone();
        let differing = || Square::ALL.into_iter().filter(|&square| from.piece_at(square) != to.piece_at(square));
        for square in differing().filter(|&square| from.piece_at(square).is_some()) {
            self.set(square, None);
        }
        for square in differing().filter(|&square| to.piece_at(square).is_some()) {
            self.set(square, to.piece_at(square));
        }
    }

    /// Plays moves on from a position, each of them pressed where there is a clock.
    fn play(&mut self, mut position: Chess, moves: &str) -> Chess {
        for san in moves.split_whitespace() {
            self.wait(THINKS_MS);
            let next = after(position.clone(), san);
            self.place(next.board());
            if let Some((_, left_runs)) = &mut self.clock {
                *left_runs = !*left_runs;
                self.now += 900;
                self.run();
            }
            position = next;
        }
        self.wait(THINKS_MS);
        position
    }

    /// The kings in the centre end the game.
    fn draw(&mut self) {
        let mut board = self.shown.clone();
        for (color, to) in [(shakmaty::Color::White, Square::E4), (shakmaty::Color::Black, Square::E5)] {
            let king = board.king_of(color).and_then(|from| board.remove_piece_at(from)).unwrap();
            board.set_piece_at(to, king);
        }
        self.place(&board);
        self.wait(60_000);
        assert!(self.told.contains(&Event::GameEnded), "{:?}", self.told);
    }

    /// The line is away while hands make the board show this.
    fn out_of_reach(&mut self, shows: &Board, white_moves: bool) {
        let at = |now| Timestamp::from_ms(now);
        self.session.handle_input(at(self.now), &Input::Notice(Notice::Detach(Detach::default())));
        self.now += 600_000;
        self.session.handle_input(at(self.now), &Input::Notice(Notice::Attach(Attach::default())));
        self.shown = shows.clone();
        self.drain();
        self.say(self.dump());
        self.clock = self.clock.map(|_| (3_000, white_moves != self.rotated));
        self.wait(1_000);
    }

    /// From where the last game began, and its moves.
    fn last_game(&self) -> (&str, String) {
        let (mut fen, mut moves) = ("", Vec::new());
        for event in &self.told {
            match event {
                Event::GameStarted { fen: start, .. } => (fen, moves) = (start, Vec::new()),
                Event::Move { san, .. } => moves.push(san.as_str()),
                Event::Retract { to_ply } => moves.truncate(*to_ply as usize),
                _ => {}
            }
        }
        (fen.split(' ').next().unwrap_or_default(), moves.join(" "))
    }
}

fn after(position: Chess, moves: &str) -> Chess {
    moves.split_whitespace().fold(position, |position, san| {
        let mv = san.parse::<San>().unwrap().to_move(&position).unwrap();
        position.play(mv).unwrap()
    })
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const OPENING: &str = "Nf3 Nf6 c4 c5 Nc3 Nc6 g3 g6 Bg2 Bg7 O-O O-O d3 d6 a3 a6 Rb1 Rb8";
const GOES_ON: &str = "b4 cxb4 axb4 b5 cxb5 axb5";

fn placement(position: &Chess) -> String {
    position.board().to_string()
}

#[test]
fn after_the_end_of_a_game_the_next_one_is_told_from_what_stands_there() {
    for clock in [true, false] {
        let mut table = Table::new(clock);
        table.play(Chess::default(), GAME);
        table.draw();
        let stands = after(Chess::default(), OPENING);
        table.out_of_reach(stands.board(), stands.turn().is_white());
        table.play(stands.clone(), GOES_ON);
        assert_eq!(table.last_game(), (placement(&stands).as_str(), GOES_ON.to_owned()), "clock: {clock}");
    }
}

#[test]
fn without_a_clock_a_few_plies_from_the_start_are_the_next_game() {
    let mut table = Table::new(false);
    table.play(Chess::default(), GAME);
    table.draw();
    let stands = after(Chess::default(), "e4 e5");
    table.out_of_reach(stands.board(), stands.turn().is_white());
    table.play(stands, "Nf3 Nc6 Bb5 a6");
    assert_eq!(table.last_game(), (START, "e4 e5 Nf3 Nc6 Bb5 a6".to_owned()), "{:?}", table.told);
}

#[test]
fn without_a_clock_pieces_on_their_way_to_the_start_are_no_game() {
    let mut table = Table::new(false);
    table.play(Chess::default(), GAME);
    table.draw();
    let mut half = Board::new();
    half.discard_piece_at(Square::E2);
    half.discard_piece_at(Square::G8);
    table.out_of_reach(&half, true);
    let starts = table.told.iter().filter(|event| matches!(event, Event::GameStarted { .. })).count();
    assert_eq!(starts, 1, "{:?}", table.told);
    table.set(Square::E2, Some(shakmaty::Color::White.pawn()));
    table.set(Square::G8, Some(shakmaty::Color::Black.knight()));
    table.play(Chess::default(), "e4 e5");
    assert_eq!(table.last_game(), (START, "e4 e5".to_owned()));
}

#[test]
fn a_game_without_a_clock_that_is_first_seen_in_the_middle_is_told_from_there() {
    let mut table = Table { session: BoardSession::new(), told: Vec::new(), ..Table::new(false) };
    let stands = after(Chess::default(), OPENING);
    table.out_of_reach(stands.board(), stands.turn().is_white());
    table.play(stands.clone(), GOES_ON);
    assert_eq!(table.last_game(), (placement(&stands).as_str(), GOES_ON.to_owned()), "{:?}", table.told);
}

#[test]
fn the_next_game_of_which_the_order_of_unseen_plies_is_open_has_all_of_them() {
    let mut table = Table::new(true);
    table.play(Chess::default(), GAME);
    let stands = after(Chess::default(), "d4 d5 c4");
    table.out_of_reach(stands.board(), stands.turn().is_white());
    table.play(stands, "e6 Nc3 Nf6 Bg5 Be7 e3");
    table.wait(130_000);
    let (start, moves) = table.last_game();
    assert_eq!((start, moves.len()), (START, "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3".len()), "{:?}", table.told);
}

#[test]
fn the_next_game_is_told_where_its_pieces_were_set_up_the_other_way_round() {
    for (clock, unseen) in [(true, OPENING), (false, OPENING), (true, "d4 d5"), (false, "d4 d5")] {
        let mut table = Table::new(clock);
        table.play(Chess::default(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6");
        table.rotated = true;
        let stands = after(Chess::default(), unseen);
        table.out_of_reach(stands.board(), stands.turn().is_white());
        let on = if unseen == OPENING { GOES_ON } else { "c4 e6 Nc3 Nf6 Bg5 Be7" };
        table.play(stands.clone(), on);
        table.wait(130_000);
        let expected = if unseen == OPENING {
            (placement(&stands), on.to_owned())
        } else {
            (START.to_owned(), format!("{unseen} {on}"))
        };
        let (start, moves) = table.last_game();
        assert_eq!((start.to_owned(), moves), expected, "clock: {clock}, {:?}", table.told);
    }
}
