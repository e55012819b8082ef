//! `%clk` and `%emt` of every time control against what the players really took: the simulated clock tells the readings,
//! and a hand makes legal moves at known times.

use board_sim::clock::{Bonus, ClockSettings, SimClock, opposite};
use board_sim::placement;
use dgt_protocol::{ClockMessage, ClockTimes, Field, Message, PieceCode, Side as ClockSide};
use fastrand::Rng;
use game_core::event::{Event, Side};
use game_core::game::Game;
use game_core::input::{Assign, Attach, Input, Notice};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use notation::time_control::{Period, TimeControl};
use shakmaty::{Chess, Position, Square};

/// A table whose hand makes each move in an instant and presses a moment later.
struct Table {
    session: BoardSession,
    clock: SimClock,
    position: Chess,
    white: ClockSide,
    now: u64,
    game: Game,
    amends: usize,
    flags: Vec<Option<Side>>,
}

impl Table {
    fn new(control: &str, bonus: Bonus, counts_moves: bool, told: Option<&str>) -> Self {
        let Ok(TimeControl::Periods(periods)) = control.parse() else { panic!("{control} has periods") };
        let settings = ClockSettings { first: periods[0], later: periods[1..].to_vec(), counts_moves, bonus };
        let white = ClockSide::Left;
        let mut table = Self {
            session: BoardSession::new(),
            clock: SimClock::new(settings, white, 0),
            position: Chess::default(),
            white,
            now: 0,
            game: Game::new(),
            amends: 0,
            flags: Vec::new(),
        };
        let time_control = told.map(Into::into);
        table.feed(&Input::Notice(Notice::Attach(Attach::default())));
        table.feed(&Input::Notice(Notice::Assign(Assign { time_control, ..Assign::default() })));
        let mut fields = [PieceCode::Empty; 64];
        for square in Square::ALL {
            let piece = table.position.board().piece_at(square);
            fields[field(square).index()] = placement::code(piece);
        }
        table.send(&Message::BoardDump(fields));
        table.send_reading();
        table
    }

    fn feed(&mut self, input: &Input) {
        let now = Timestamp::from_ms(self.now);
        while let Some(due) = self.session.next_deadline().filter(|due| *due <= now) {
            self.session.handle_timeout(due);
        }
        self.session.handle_input(now, input);
        while let Some(output) = self.session.poll_output() {
            if let Output::Event(record) = output {
                assert!(self.game.apply(&record.event), "{record:?}");
                match record.event {
                    Event::Amend { .. } => self.amends += 1,
                    Event::Clock { flag, .. } => self.flags.push(flag),
                    _ => {}
                }
            }
        }
    }

    fn send(&mut self, message: &Message) {
        self.feed(&Input::Bytes(message.encode()));
    }

    fn send_reading(&mut self) {
        self.send(&Message::Clock(ClockMessage::Times(self.clock.reading())));
    }

    fn start(&mut self) {
        self.clock.start(self.now);
        self.send_reading();
    }

    fn stop(&mut self) {
        self.clock.stop(self.now);
        self.send_reading();
    }

    /// Lets time pass; the clock tells every change of its display.
    fn wait(&mut self, ms: u64) {
        let until = self.now + ms;
        while let Some(due) = self.clock.next_change().filter(|due| *due <= until) {
            self.now = due;
            self.clock.advance(due);
            self.send_reading();
        }
        self.now = until;
        self.clock.advance(until);
    }

    fn mover(&self) -> ClockSide {
        if self.position.turn().is_white() { self.white } else { opposite(self.white) }
    }

    /// Makes a legal move; the one with this number among them.
    fn make_move(&mut self, number: usize) {
        let moves = self.position.legal_moves();
        let before = self.position.board().clone();
        self.position.play_unchecked(moves[number % moves.len()]);
        for square in Square::ALL {
            let piece = self.position.board().piece_at(square);
            if piece != before.piece_at(square) {
                self.send(&Message::FieldUpdate { field: field(square), piece: placement::code(piece) });
            }
        }
    }

    fn press(&mut self) {
        let presser = opposite(self.mover());
        self.clock.press(presser, self.now);
        self.send_reading();
    }

    /// Plays so many plies, each taking up to this long; gives back what each took and what the clock showed behind it.
    fn play(&mut self, plies: usize, longest_ms: u64, seed: u64) -> Vec<(u64, u64)> {
        let mut rng = Rng::with_seed(seed);
        let mut truth = Vec::new();
        for _ in 0..plies {
            if self.position.legal_moves().is_empty() {
                break;
            }
            let (think, press) = (rng.u64(300..longest_ms), rng.u64(100..900));
            self.wait(think);
            self.make_move(rng.usize(..));
            self.wait(press);
            self.press();
            truth.push((think + press, u64::from(self.clock.shown_s(opposite(self.mover()))) * 1_000));
        }
        self.wait(1_500);
        truth
    }

    /// Compares with what was told; `slack_ms` is how far a display of whole seconds may be off.
    fn check(&self, truth: &[(u64, u64)], slack_ms: u64) {
        let moves = self.game.moves();
        assert_eq!(moves.len(), truth.len(), "{moves:?}");
        for (ply, (played, (took_ms, clk_ms))) in (1..).zip(moves.iter().zip(truth)) {
            assert_eq!(played.clk_ms, Some(*clk_ms), "clock of ply {ply}");
            let emt_ms = played.emt_ms.unwrap_or_else(|| panic!("no time for ply {ply}"));
            assert!(emt_ms.abs_diff(*took_ms) <= slack_ms, "ply {ply} took {took_ms} ms, told {emt_ms} ms");
        }
    }
}

fn field(square: Square) -> Field {
    placement::field(square, false).expect("every square has a field")
}

/// Plays games with a control that is told and with one that is not.
fn play_both(control: &str, bonus: Bonus, counts_moves: bool, longest_ms: u64, told: &str) {
    for seed in 0..6 {
        let mut table = Table::new(control, bonus, counts_moves, Some(told));
        table.start();
        let truth = table.play(60, longest_ms, seed);
        table.check(&truth, 1_000);
        let mut untold = Table::new(control, bonus, counts_moves, None);
        untold.start();
        let truth = untold.play(60, longest_ms, seed);
        // Without the control a delay cannot be told from no bonus at all, and a Fischer second from the next one.
        let hidden_ms = if bonus == Bonus::Delay { 5_000 } else { 1_000 };
        untold.check(&truth, 1_000 + hidden_ms);
    }
}

#[test]
fn sudden_death_and_fischer() {
    play_both("1800", Bonus::Fischer, true, 12_000, "1800");
    play_both("300+3", Bonus::Fischer, true, 9_000, "300+3");
}

#[test]
fn bronstein_and_us_delay() {
    play_both("900+5", Bonus::Bronstein, true, 15_000, "900+5");
    play_both("900+5", Bonus::Delay, true, 15_000, "900+5");
}

#[test]
fn byo_yomi_in_several_periods() {
    let bonus = Bonus::ByoYomi { seconds: 30, periods: 10 };
    play_both("60", bonus, true, 20_000, "60");
}

#[test]
fn a_new_period_comes_with_the_last_move_of_the_old_one_or_at_zero() {
    play_both("20/900+10:600+10", Bonus::Fischer, true, 15_000, "20/900+10:600+10");
    play_both("20/120:1200", Bonus::Fischer, false, 15_000, "20/120:1200");
}

#[test]
fn what_the_control_explains_needs_no_amendment() {
    for control in ["1800", "300+3", "20/900+10:600+10"] {
        let mut table = Table::new(control, Bonus::Fischer, true, Some(control));
        table.start();
        table.play(60, 9_000, 1);
        assert_eq!(table.amends, 0, "{control}");
    }
    let mut table = Table::new("900+5", Bonus::Delay, true, Some("900+5"));
    table.start();
    table.play(60, 9_000, 1);
    assert!(
        (1..=8).contains(&table.amends),
        "each side's first two presses show what the clock does: {}",
        table.amends
    );
}

#[test]
fn a_clock_that_stands_the_other_way_round_is_mended_for_the_whole_game_in_one_step() {
    // White sits at the right, and the clock is plugged in when it runs: nothing tells so before the presses.
    let mut table = Table::new("300+3", Bonus::Fischer, true, None);
    let settings = ClockSettings {
        first: Period { moves: None, seconds: 300, increment_s: 3 },
        later: Vec::new(),
        counts_moves: true,
        bonus: Bonus::Fischer,
    };
    let unplugged = ClockTimes { no_clock: true, ..ClockTimes::default() };
    table.send(&Message::Clock(ClockMessage::Times(unplugged)));
    table.white = ClockSide::Right;
    table.clock = SimClock::new(settings, table.white, table.now);
    table.clock.start(table.now);
    table.send_reading();
    let truth = table.play(20, 9_000, 7);
    let told: Vec<_> = table.game.moves().iter().map(|played| played.clk_ms).collect();
    let shown: Vec<_> = truth.iter().map(|(_, clk_ms)| Some(*clk_ms)).collect();
    assert_eq!(told, shown);
    assert_eq!(table.session.clock().white_is_left(), Some(false));
}

#[test]
fn a_damaged_lever_before_the_start_exchanges_nobody() {
    for seed in 0..8 {
        let mut table = Table::new("300+3", Bonus::Fischer, true, Some("300+3"));
        let damaged = ClockTimes { right_side_up: true, ..table.clock.reading() };
        table.send(&Message::Clock(ClockMessage::Times(damaged)));
        table.start();
        let truth = table.play(6, 3_000, seed);
        table.check(&truth, 1_000);
        assert_eq!(table.session.clock().white_is_left(), Some(true));
    }
}

/// A press of which every single bit of the times is damaged in turn; the opponent answers after this long.
fn damage_every_bit(answer_ms: u64) {
    for bit in 0..48 {
        let mut table = Table::new("300+3", Bonus::Fischer, true, Some("300+3"));
        table.start();
        table.play(4, 9_000, 11);
        table.wait(3_350);
        table.make_move(5);
        table.wait(300);
        let presser = opposite(table.mover());
        table.clock.press(presser, table.now);
        let mut bytes = Message::Clock(ClockMessage::Times(table.clock.reading())).encode();
        bytes[3 + bit / 8] ^= 1 << (bit % 8);
        let readable = Message::decode(&bytes).is_ok();
        table.feed(&Input::Bytes(bytes));
        let shown_ms = u64::from(table.clock.shown_s(presser)) * 1_000;
        assert!(!readable || table.game.moves().len() == 5, "bit {bit}: the move waits for no other reading");
        table.wait(answer_ms);
        table.make_move(9);
        table.press();
        table.wait(3_000);
        let told = table.game.moves()[4].clk_ms;
        assert!(told.is_none_or(|told| told == shown_ms), "bit {bit}: told {told:?}, shown {shown_ms}");
        if answer_ms > 2_000 {
            assert_eq!(told, Some(shown_ms), "bit {bit}: two readings tell");
        }
    }
}

#[test]
fn a_damaged_reading_of_a_press_is_put_right_or_left_out() {
    damage_every_bit(4_000);
    damage_every_bit(400);
}

#[test]
fn a_pause_and_an_arbiter_s_correction_are_no_time_that_was_used() {
    let mut table = Table::new("300+3", Bonus::Fischer, true, Some("300+3"));
    table.start();
    let mut truth = table.play(4, 9_000, 3);
    table.wait(2_000);
    table.stop();
    table.wait(60_000);
    let mover = table.mover();
    let remaining_ms = table.clock.remaining_ms(mover) + 120_000;
    table.clock.set_remaining(mover, remaining_ms, table.now);
    table.send_reading();
    table.wait(30_000);
    table.start();
    table.wait(3_000);
    table.make_move(5);
    table.press();
    let shown_ms = u64::from(table.clock.shown_s(mover)) * 1_000;
    truth.push((1_500 + 2_000 + 3_000, shown_ms));
    table.wait(1_500);
    table.check(&truth, 1_000);
}

#[test]
fn a_press_forth_and_back_counts_all_the_time_of_the_move() {
    let mut table = Table::new("300+3", Bonus::Fischer, true, Some("300+3"));
    table.start();
    let mut truth = table.play(4, 9_000, 5);
    table.wait(4_000);
    table.make_move(5);
    table.press();
    table.wait(500);
    // The opponent presses back: the piece stands between two squares.
    table.clock.press(table.mover(), table.now);
    table.send_reading();
    table.wait(3_000);
    table.press();
    truth.push((1_500 + 4_000 + 3_000, u64::from(table.clock.shown_s(opposite(table.mover()))) * 1_000));
    table.wait(1_500);
    table.check(&truth, 1_000);
}

#[test]
fn a_flag_is_told_with_the_side_it_belongs_to() {
    let mut table = Table::new("60", Bonus::Fischer, true, Some("60"));
    table.start();
    table.play(2, 2_000, 1);
    assert_eq!(table.session.clock().flag(), None);
    table.wait(70_000);
    assert_eq!(table.session.clock().flag(), Some(Side::White));
    assert_eq!(table.flags.last(), Some(&Some(Side::White)));
    assert_eq!(table.game.clock().and_then(|clock| clock.flag), Some(Side::White));

    let mut goes_on = Table::new("20/60:600", Bonus::Fischer, false, Some("20/60:600"));
    goes_on.start();
    goes_on.play(2, 2_000, 1);
    goes_on.wait(61_000);
    assert!(goes_on.session.clock().running() == Some(Side::White));
    assert_eq!(goes_on.flags.last(), Some(&Some(Side::White)), "shown while the next period runs");
}
