//! Stories of one table with a clock: what players and arbiter do there, and what is told of it.

use dgt_protocol::{ClockMessage, ClockTimes, Message, PieceCode, SideTime};
use game_core::event::Event;
use game_core::game::Game;
use game_core::input::{Attach, Command, Input, Notice, Order};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use notation::pgn::Outcome;
use shakmaty::Square;

/// The beginning of a game: e4 e5 Nf3 Nc6 Bc4 Bc5 d3 d6 Nc3 Nf6.
const TEN_MOVES: [(Square, Square); 10] = {
    use Square::{B1, B8, C3, C4, C5, C6, D2, D3, D6, D7, E2, E4, E5, E7, F1, F3, F6, F8, G1, G8};
    [(E2, E4), (E7, E5), (G1, F3), (B8, C6), (F1, C4), (F8, C5), (D2, D3), (D7, D6), (B1, C3), (G8, F6)]
};

/// What a side of the clock shows: at zero the flag has fallen, and the clock is blocked.
fn shown(seconds: u32) -> SideTime {
    SideTime { flag_blocked: seconds == 0, ..SideTime::from_seconds(seconds) }
}

/// A board with a clock at whose left side White sits.
struct Table {
    session: BoardSession,
    now: u64,
    fields: [PieceCode; 64],
    seconds: [u32; 2],
    running: bool,
    black_to_move: bool,
    game: Game,
    /// The moves of the games before it.
    earlier: Vec<usize>,
}

impl Table {
    fn new() -> Self {
        let back = [8u8, 9, 10, 12, 11, 10, 9, 8];
        let mut fields = [PieceCode::Empty; 64];
        for (file, code) in back.into_iter().enumerate() {
            fields[file] = PieceCode::from_byte(code);
            (fields[8 + file], fields[48 + file]) = (PieceCode::BlackPawn, PieceCode::WhitePawn);
            fields[56 + file] = PieceCode::from_byte(code - 6);
        }
        let mut table = Self {
            session: BoardSession::new(),
            now: 0,
            fields,
            seconds: [300; 2],
            running: true,
            black_to_move: false,
            game: Game::new(),
            earlier: Vec::new(),
        };
        table.take(&Input::Notice(Notice::Attach(Attach::default())));
        table.say(&Message::BoardDump(fields));
        table.clock();
        table
    }

    fn take(&mut self, input: &Input) {
        self.session.handle_input(Timestamp::from_ms(self.now), input);
        while let Some(output) = self.session.poll_output() {
            let Output::Event(record) = output else { continue };
            if matches!(record.event, Event::GameStarted { .. }) {
                let before = std::mem::replace(&mut self.game, Game::new());
                self.earlier.push(before.moves().len());
            }
            self.game.apply(&record.event);
        }
    }

    fn say(&mut self, message: &Message) {
        self.take(&Input::Bytes(message.encode()));
    }

    fn clock(&mut self) {
        let times = ClockTimes {
            left: shown(self.seconds[0]),
            right: shown(self.seconds[1]),
            running: self.running,
            right_side_up: self.black_to_move,
            battery_low: false,
            left_to_move: !self.black_to_move,
            right_to_move: self.black_to_move,
            no_clock: false,
        };
        self.say(&Message::Clock(ClockMessage::Times(times)));
    }

    /// Seconds pass, of which a running clock tells each.
    fn wait(&mut self, seconds: u32) {
        for _ in 0..seconds {
            let until = self.now + 1_000;
            while let Some(due) = self.session.next_deadline().map(Timestamp::as_ms).filter(|due| *due <= until) {
                self.now = due;
                self.session.handle_timeout(Timestamp::from_ms(due));
            }
            self.now = until;
            if self.running {
                let seconds = &mut self.seconds[usize::from(self.black_to_move)];
                *seconds -= 1;
                self.running = *seconds > 0;
                self.clock();
            }
        }
    }

    /// A hand lifts what stands there.
    fn lift(&mut self, square: Square) -> PieceCode {
        let index = (7 - usize::from(square.rank())) * 8 + usize::from(square.file());
        let piece = std::mem::replace(&mut self.fields[index], PieceCode::Empty);
        self.now += 150;
        self.say(&Message::FieldUpdate {
            field: dgt_protocol::Field::new(index as u8).unwrap(),
            piece: PieceCode::Empty,
        });
        piece
    }

    fn put(&mut self, square: Square, piece: PieceCode) {
        let index = (7 - usize::from(square.rank())) * 8 + usize::from(square.file());
        self.fields[index] = piece;
        self.now += 350;
        self.say(&Message::FieldUpdate { field: dgt_protocol::Field::new(index as u8).unwrap(), piece });
    }

    /// A hand moves what stands there.
    fn carry(&mut self, from: Square, to: Square) {
        let piece = self.lift(from);
        self.put(to, piece);
    }

    fn press(&mut self) {
        self.now += 200;
        self.black_to_move = !self.black_to_move;
        self.clock();
    }

    fn play(&mut self, from: Square, to: Square) {
        self.wait(3);
        self.carry(from, to);
        self.press();
    }

    /// The pieces are put back for the next game, all but those of one square: it reports nothing any more.
    fn set_up_but(&mut self, silent: Square) {
        let Table { fields: start, .. } = Table::new();
        let squares: Vec<_> = Square::ALL.into_iter().filter(|square| *square != silent).collect();
        let at = |square: Square| (7 - usize::from(square.rank())) * 8 + usize::from(square.file());
        for &square in &squares {
            if self.fields[at(square)] != PieceCode::Empty && self.fields[at(square)] != start[at(square)] {
                self.lift(square);
            }
        }
        for &square in &squares {
            if self.fields[at(square)] != start[at(square)] {
                self.put(square, start[at(square)]);
            }
        }
        (self.seconds, self.black_to_move) = ([300; 2], false);
    }

    fn sans(&self) -> Vec<String> {
        self.game.moves().iter().map(|played| played.san.to_string()).collect()
    }

    /// The clock after each move, in seconds.
    fn clocks(&self) -> Vec<Option<u64>> {
        self.game.moves().iter().map(|played| played.clk_ms.map(|ms| ms / 1_000)).collect()
    }

    fn run(&mut self, running: bool) {
        self.now += 100;
        self.running = running;
        self.clock();
    }
}

#[test]
fn a_move_that_is_put_down_after_the_clock_was_stopped_is_told_when_it_runs_again() {
    let mut table = Table::new();
    table.play(Square::E2, Square::E4);
    table.play(Square::E7, Square::E5);
    table.wait(4);
    let knight = table.lift(Square::G1);
    table.run(false);
    table.wait(1);
    table.put(Square::F3, knight);
    table.wait(20);
    table.run(true);
    table.wait(1);
    table.press();
    table.play(Square::B8, Square::C6);
    table.play(Square::F1, Square::B5);
    table.wait(5);
    assert_eq!(table.sans(), ["e4", "e5", "Nf3", "Nc6", "Bb5"]);
}

#[test]
fn a_move_that_is_only_shown_while_the_clock_stands_is_not_told() {
    let mut table = Table::new();
    table.play(Square::E2, Square::E4);
    table.play(Square::E7, Square::E5);
    table.run(false);
    table.wait(2);
    let knight = table.lift(Square::G1);
    table.put(Square::F3, knight);
    table.wait(20);
    table.carry(Square::F3, Square::G1);
    table.wait(3);
    table.run(true);
    table.play(Square::B1, Square::C3);
    table.play(Square::G8, Square::F6);
    table.wait(5);
    assert_eq!(table.sans(), ["e4", "e5", "Nc3", "Nf6"]);
}

#[test]
fn players_who_have_not_noticed_that_a_flag_fell_play_on() {
    let mut table = Table::new();
    table.play(Square::E2, Square::E4);
    table.play(Square::E7, Square::E5);
    table.seconds[0] = 2;
    table.play(Square::G1, Square::F3);
    table.play(Square::B8, Square::C6);
    table.play(Square::F1, Square::B5);
    table.play(Square::A7, Square::A6);
    assert_eq!(table.sans(), ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]);
}

#[test]
fn what_is_tried_out_after_a_flag_fell_is_not_told() {
    let mut table = Table::new();
    table.play(Square::E2, Square::E4);
    table.play(Square::E7, Square::E5);
    table.seconds[0] = 2;
    table.wait(5);
    for (from, to) in [(Square::G1, Square::F3), (Square::B8, Square::C6), (Square::F1, Square::B5)] {
        table.carry(from, to);
        table.wait(3);
    }
    // One of them sets the lever for the next game.
    table.press();
    table.wait(20);
    assert_eq!(table.sans(), ["e4", "e5"]);
}

#[test]
fn castling_of_which_the_king_is_seen_after_the_press_is_castling() {
    let mut table = Table::new();
    table.play(Square::E2, Square::E4);
    table.play(Square::E7, Square::E5);
    table.play(Square::G1, Square::F3);
    table.play(Square::B8, Square::C6);
    table.play(Square::F1, Square::C4);
    table.play(Square::F8, Square::C5);
    table.wait(2);
    table.carry(Square::H1, Square::F1);
    table.press();
    table.carry(Square::G8, Square::F6);
    table.press();
    table.carry(Square::E1, Square::G1);
    table.play(Square::D2, Square::D3);
    table.wait(5);
    assert_eq!(table.sans(), ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "O-O", "Nf6", "d3"]);
}

#[test]
fn kings_that_go_home_after_the_result_while_the_clock_runs_on_are_no_moves() {
    let mut table = Table::new();
    table.play(Square::E2, Square::E3);
    table.play(Square::E7, Square::E6);
    table.play(Square::E1, Square::E2);
    table.play(Square::E8, Square::E7);
    let white = table.lift(Square::E2);
    table.put(Square::D5, white);
    let black = table.lift(Square::E7);
    table.put(Square::E5, black);
    table.wait(5);
    // From where they stood before, both could have gone there.
    table.carry(Square::D5, Square::E1);
    table.carry(Square::E5, Square::E8);
    table.wait(15);
    assert_eq!(table.sans(), ["e3", "e6", "Ke2", "Ke7"]);
}

#[test]
fn an_illegal_move_that_is_put_back_while_the_clock_stands_is_replaced() {
    let mut table = Table::new();
    table.play(Square::E2, Square::E4);
    table.play(Square::E7, Square::E5);
    table.play(Square::D1, Square::H4);
    table.wait(15);
    table.run(false);
    table.wait(3);
    table.carry(Square::H4, Square::D1);
    table.press();
    table.run(true);
    table.play(Square::D1, Square::G4);
    table.play(Square::B8, Square::C6);
    table.play(Square::G1, Square::F3);
    table.wait(5);
    assert_eq!(table.sans(), ["e4", "e5", "Qg4", "Nc6", "Nf3"]);
}

#[test]
fn the_next_game_begins_with_its_clock_where_a_square_reports_nothing_since_the_pieces_were_put_back() {
    use Square::{B1, B4, B5, C3, C4, C8, D2, E7, F6, F8, G4, G8, H7};
    let mut table = Table::new();
    for (from, to) in TEN_MOVES {
        table.play(from, to);
    }
    table.play(C4, B5);
    table.play(C8, G4);
    table.play(C3, B1);
    table.carry(H7, Square::H6);
    table.press();
    table.wait(3);
    table.run(false);
    table.wait(5);
    table.set_up_but(H7);
    table.wait(60);
    table.run(true);
    table.play(D2, Square::D4);
    table.play(G8, F6);
    table.play(Square::C2, C4);
    table.play(E7, Square::E6);
    table.play(B1, C3);
    table.play(F8, B4);
    table.wait(5);
    assert_eq!(table.sans(), ["d4", "Nf6", "c4", "e6", "Nc3", "Bb4"]);
}

#[test]
fn moves_that_are_pressed_before_the_clock_is_started_have_what_it_shows() {
    let mut table = Table::new();
    table.run(false);
    table.play(Square::E2, Square::E4);
    table.play(Square::E7, Square::E5);
    table.play(Square::G1, Square::F3);
    table.run(true);
    table.play(Square::B8, Square::C6);
    table.wait(5);
    assert_eq!(table.sans(), ["e4", "e5", "Nf3", "Nc6"]);
    assert_eq!(table.clocks(), [Some(300), Some(300), Some(300), Some(297)]);
}

#[test]
fn a_lever_that_is_read_before_the_square_of_the_first_move_turns_no_clock() {
    let mut table = Table::new();
    table.run(false);
    table.wait(3);
    let pawn = table.lift(Square::E2);
    table.press();
    table.put(Square::E4, pawn);
    table.run(true);
    table.play(Square::E7, Square::E5);
    table.play(Square::G1, Square::F3);
    table.play(Square::B8, Square::C6);
    table.wait(5);
    assert_eq!(table.sans(), ["e4", "e5", "Nf3", "Nc6"]);
    assert_eq!(table.clocks(), [Some(300), Some(297), Some(297), Some(294)]);
}

#[test]
fn a_press_belongs_to_the_move_that_it_ended_and_not_to_one_before_it() {
    let mut table = Table::new();
    table.play(Square::E2, Square::E4);
    table.play(Square::E7, Square::E5);
    table.wait(3);
    for (from, to) in [(Square::G1, Square::F3), (Square::B8, Square::C6), (Square::F1, Square::C4)] {
        table.carry(from, to);
        table.wait(1);
    }
    table.press();
    table.play(Square::F8, Square::C5);
    table.wait(5);
    assert_eq!(table.sans(), ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5"]);
    assert_eq!(table.clocks(), [Some(297), Some(297), None, None, Some(291), Some(294)]);
}

/// Three moves, after which the players stop the clock.
fn three_moves() -> Table {
    let mut table = Table::new();
    table.play(Square::E2, Square::E4);
    table.play(Square::C7, Square::C6);
    table.play(Square::D2, Square::D4);
    table.run(false);
    table.wait(5);
    assert_eq!(table.sans(), ["e4", "c6", "d4"]);
    table
}

fn put_back_and_set(table: &mut Table) {
    for (from, to) in [(Square::E4, Square::E2), (Square::C6, Square::C7), (Square::D4, Square::D2)] {
        table.carry(from, to);
    }
    table.wait(5);
    (table.seconds, table.black_to_move) = ([180; 2], false);
    table.clock();
}

#[test]
fn a_short_game_stays_when_the_pieces_are_put_back_and_the_clock_is_set() {
    let mut table = three_moves();
    put_back_and_set(&mut table);
    table.run(true);
    table.play(Square::G1, Square::F3);
    table.play(Square::D7, Square::D5);
    table.wait(5);
    assert_eq!((table.earlier.as_slice(), table.sans().as_slice()), (&[0, 3][..], &["Nf3".into(), "d5".into()][..]));
}

#[test]
fn moves_that_are_taken_back_before_the_clock_is_set_leave_the_same_game() {
    let mut table = three_moves();
    table.carry(Square::D4, Square::D2);
    (table.seconds, table.black_to_move) = ([300; 2], false);
    table.run(true);
    table.play(Square::G1, Square::F3);
    table.wait(5);
    assert_eq!((table.earlier.as_slice(), table.sans().join(" ").as_str()), (&[0][..], "e4 c6 Nf3"));
}

#[test]
fn what_is_shown_from_the_start_at_the_clock_of_the_last_game_is_no_game() {
    use Square::{D2, E2, E4, E5, E7, F3, F6, G1, G8};
    let mut table = Table::new();
    for (from, to) in TEN_MOVES {
        table.play(from, to);
    }
    table.run(false);
    table.wait(5);
    table.set_up_but(Square::A2);
    for (from, to) in [(E2, E4), (E7, E5), (G1, F3)] {
        table.wait(15);
        table.carry(from, to);
    }
    table.wait(60);
    assert_eq!((table.earlier.as_slice(), table.sans().len()), (&[0, 10][..], 0));
    table.set_up_but(Square::A2);
    table.clock();
    table.run(true);
    table.play(D2, Square::D4);
    table.play(G8, F6);
    table.wait(5);
    assert_eq!(table.sans(), ["d4", "Nf6"]);
}

#[test]
fn moves_before_the_clock_is_started_count_when_it_was_set_after_the_pieces_were_put_back() {
    use Square::{C4, D2, E7, F6, G8};
    let mut table = Table::new();
    for (from, to) in TEN_MOVES {
        table.play(from, to);
    }
    let spent = table.seconds;
    table.set_up_but(Square::A2);
    table.seconds = spent;
    table.wait(10);
    table.seconds = [180; 2];
    table.run(false);
    for (from, to) in [(D2, Square::D4), (G8, F6), (Square::C2, C4)] {
        table.wait(3);
        table.carry(from, to);
    }
    table.black_to_move = true;
    table.run(true);
    table.play(E7, Square::E6);
    table.wait(15);
    assert_eq!((table.earlier.as_slice(), table.sans().join(" ").as_str()), (&[0, 10][..], "d4 Nf6 c4 e6"));
}

#[test]
fn players_who_leave_the_clock_of_the_last_game_alone_are_heard_once_they_have_played_on() {
    use Square::{C1, C8, D1, D2, D7, D8, G4, G5};
    let mut table = Table::new();
    for (from, to) in TEN_MOVES {
        table.play(from, to);
    }
    table.run(false);
    table.set_up_but(Square::A2);
    let more = [(C1, G5), (C8, G4), (D1, D2), (D8, D7)];
    for (from, to) in TEN_MOVES.into_iter().chain(more) {
        table.wait(15);
        table.carry(from, to);
    }
    assert_eq!(
        (table.earlier.as_slice(), table.sans().join(" ").as_str()),
        (&[0, 10][..], "e4 e5 Nf3 Nc6 Bc4 Bc5 d3 d6 Nc3 Nf6 Bg5 Bg4 Qd2")
    );
}

#[test]
fn a_dump_within_which_a_radio_line_stands_still_is_heard() {
    let mut table = Table::new();
    // 1. e4, of which no change comes through.
    let [e2, e4] = [52, 36];
    table.fields.swap(e2, e4);
    let dump = Message::BoardDump(table.fields).encode();
    let (first, rest) = dump.split_at(40);
    table.now += 2_000;
    table.take(&Input::Bytes(first.to_vec()));
    table.now += 700;
    table.take(&Input::Bytes(rest.to_vec()));
    table.press();
    table.play(Square::E7, Square::E5);
    table.wait(3);
    assert_eq!(table.sans(), ["e4", "e5"]);
}

impl Table {
    fn order(&mut self, order: Order) {
        self.take(&Input::Notice(Notice::Command(Command { by: "Ada".to_owned(), order })));
    }

    fn play_all(&mut self, moves: &[(Square, Square)]) {
        for &(from, to) in moves {
            self.play(from, to);
        }
    }
}

#[test]
fn what_is_played_between_a_wrong_result_and_its_taking_back_belongs_to_the_game() {
    let mut undisturbed = Table::new();
    undisturbed.play_all(&TEN_MOVES);
    // After the sixth ply, the result is taken back within the seconds in which the session waits for late readings, or later.
    for back_after in [7, 9] {
        let mut table = Table::new();
        table.play_all(&TEN_MOVES[..6]);
        table.order(Order::Result { result: "1-0".into(), reason: None });
        table.play_all(&TEN_MOVES[6..back_after]);
        assert_eq!(table.sans().len(), 6, "the game is over");
        assert_eq!(table.clocks(), undisturbed.clocks()[..6]);
        table.order(Order::PlayOn);
        assert_eq!(table.sans(), undisturbed.sans()[..back_after]);
        table.play_all(&TEN_MOVES[back_after..]);
        assert_eq!((table.sans(), table.clocks()), (undisturbed.sans(), undisturbed.clocks()));
        assert!(table.game.is_running() || back_after == 9, "it had not ended");
        assert_eq!(table.game.result(), Outcome::Unknown);
    }
}

#[test]
fn a_result_that_stands_ends_the_game_whatever_is_played_on() {
    let mut table = Table::new();
    table.play_all(&TEN_MOVES[..6]);
    table.order(Order::Result { result: "1-0".into(), reason: None });
    table.play_all(&TEN_MOVES[6..]);
    table.wait(20);
    assert_eq!((table.sans().len(), table.game.ended()), (6, true));
    // The next game has begun: the one before it cannot go on.
    let next = Table::new().fields;
    table.say(&Message::BoardDump(next));
    table.wait(5);
    assert_eq!((table.sans().len(), table.earlier.last()), (0, Some(&6)));
    table.order(Order::PlayOn);
    table.wait(5);
    assert_eq!((table.sans().len(), table.game.ended()), (0, false));
}

#[test]
fn the_last_move_belongs_to_a_game_that_a_person_ends_at_once() {
    for (pressed, hand) in [(false, None), (true, None), (false, Some(Square::E8)), (false, Some(Square::B1))] {
        let mut table = Table::new();
        table.play_all(&TEN_MOVES[..6]);
        table.wait(3);
        table.carry(Square::D2, Square::D3);
        table.wait(1);
        // A player takes his king for the centre, or a piece to show what he had feared.
        hand.map(|square| table.lift(square));
        table.order(Order::Result { result: "1-0".into(), reason: None });
        if pressed {
            table.press();
        }
        table.wait(20);
        assert_eq!(table.sans().join(" "), "e4 e5 Nf3 Nc6 Bc4 Bc5 d3", "{hand:?}");
        assert_eq!(table.clocks()[6].is_some(), pressed);
        assert_eq!((table.game.result(), table.game.ended()), (Outcome::WhiteWins, true));
    }
}
