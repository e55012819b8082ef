//! A board with a clock at which moves are made and pressed, with what really passed.
//!
//! Knows the wire and the simulated clock. Must not know what is expected of times.

use board_sim::clock::{Bonus, ClockSettings, SimClock, other_side};
use board_sim::placement;
use dgt_protocol::{ClockMessage, Command, Field, Message, PieceCode, Side as ClockSide};
use fastrand::Rng;
use game_core::event::{Event, Side};
use game_core::game::Game;
use game_core::input::{Assign, Attach, Input, Notice};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use notation::time_control::Period;
use shakmaty::{Chess, Position, Square};

/// A table whose hand makes each move in an instant and presses a moment later.
pub(crate) struct Table {
    pub(crate) session: BoardSession,
    pub(crate) settings: ClockSettings,
    pub(crate) clock: SimClock,
    pub(crate) position: Chess,
    pub(crate) white: ClockSide,
    pub(crate) now: u64,
    pub(crate) game: Game,
    pub(crate) amends: usize,
    pub(crate) flags: Vec<Option<Side>>,
    /// What the board has said while nobody listens to it.
    pub(crate) unheard: Option<Vec<u8>>,
}

impl Table {
    pub(crate) fn new(control: &str, bonus: Bonus, counts_moves: bool, told: Option<&str>) -> Self {
        let periods = periods(control);
        let settings = ClockSettings { first: periods[0], later: periods[1..].to_vec(), counts_moves, bonus };
        let white = ClockSide::Left;
        let mut table = Self {
            session: BoardSession::new(),
            clock: SimClock::new(settings.clone(), white, 0),
            settings,
            position: Chess::default(),
            white,
            now: 0,
            game: Game::new(),
            amends: 0,
            flags: Vec::new(),
            unheard: None,
        };
        let time_control = told.map(Into::into);
        table.feed(&Input::Notice(Notice::Attach(Attach::default())));
        table.feed(&Input::Notice(Notice::Assign(Assign { time_control, ..Assign::default() })));
        table.send_dump();
        table.send_reading();
        table
    }

    pub(crate) fn send_dump(&mut self) {
        let mut fields = [PieceCode::Empty; 64];
        for square in Square::ALL {
            let piece = self.position.board().piece_at(square);
            fields[field(square).index()] = placement::code(piece);
        }
        self.send(&Message::BoardDump(fields));
    }

    pub(crate) fn feed(&mut self, input: &Input) {
        let now = Timestamp::from_ms(self.now);
        while let Some(due) = self.session.next_deadline().filter(|due| *due <= now) {
            self.session.handle_timeout(due);
        }
        self.session.handle_input(now, input);
        let mut asked = false;
        while let Some(output) = self.session.poll_output() {
            match output {
                Output::Send(command) => asked |= command == Command::Board,
                Output::Event(record) => {
                    assert!(self.game.apply(&record.event), "{record:?}");
                    match record.event {
                        Event::Amend { .. } => self.amends += 1,
                        Event::Clock { flag, .. } => self.flags.push(flag),
                        _ => {}
                    }
                }
            }
        }
        if asked {
            self.send_dump();
        }
    }

    pub(crate) fn send(&mut self, message: &Message) {
        match &mut self.unheard {
            Some(unheard) => unheard.extend(message.encode()),
            None => self.feed(&Input::Bytes(message.encode())),
        }
    }

    /// From now on the board is not listened to: the machine does something else.
    pub(crate) fn sleep(&mut self) {
        self.unheard.get_or_insert_default();
    }

    /// All that the board has said meanwhile is lost; it shows what stands there, and a clock tick later again.
    pub(crate) fn come_back(&mut self) {
        self.unheard = None;
        self.send_dump();
        self.wait(900);
        self.send_dump();
    }

    pub(crate) fn sleep_or_wake(&mut self, rng: &mut Rng) {
        if rng.bool() { self.sleep() } else { self.wake() }
    }

    /// All that the board has said meanwhile arrives, and it shows what stands there as it is asked to.
    pub(crate) fn wake(&mut self) {
        if let Some(unheard) = self.unheard.take() {
            self.feed(&Input::Bytes(unheard));
            self.now += 70;
            self.send_dump();
        }
    }

    pub(crate) fn send_reading(&mut self) {
        self.send(&Message::Clock(ClockMessage::Times(self.clock.reading())));
    }

    pub(crate) fn start(&mut self) {
        self.clock.start(self.now);
        self.send_reading();
    }

    pub(crate) fn stop(&mut self) {
        self.clock.stop(self.now);
        self.send_reading();
    }

    /// A clock that stands is turned round, or another one is set to its times, the other way round. White is to move.
    pub(crate) fn turn_clock_round(&mut self) {
        let remaining = [self.white, other_side(self.white)].map(|side| self.clock.remaining_ms(side));
        self.white = other_side(self.white);
        self.wait(20_000);
        self.clock = SimClock::new(self.settings.clone(), self.white, self.now);
        for (side, remaining_ms) in [self.white, other_side(self.white)].into_iter().zip(remaining) {
            self.clock.set_remaining(side, remaining_ms, self.now);
        }
        self.send_reading();
        self.wait(5_000);
    }

    /// Lets time pass; the clock tells every change of its display.
    pub(crate) fn wait(&mut self, ms: u64) {
        let until = self.now + ms;
        while let Some(due) = self.clock.next_change().filter(|due| *due <= until) {
            self.now = due;
            self.clock.advance(due);
            self.send_reading();
        }
        self.now = until;
        self.clock.advance(until);
    }

    pub(crate) fn mover(&self) -> ClockSide {
        if self.position.turn().is_white() { self.white } else { other_side(self.white) }
    }

    /// Makes a legal move; the one with this number among them.
    pub(crate) fn make_move(&mut self, number: usize) {
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

    pub(crate) fn press(&mut self) {
        let presser = other_side(self.mover());
        self.clock.press(presser, self.now);
        self.send_reading();
    }

    /// Plays so many plies, each taking up to this long; gives back what each took and what the clock showed behind it.
    pub(crate) fn play(&mut self, plies: usize, longest_ms: u64, seed: u64) -> Vec<(u64, u64)> {
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
            truth.push((think + press, u64::from(self.clock.shown_s(other_side(self.mover()))) * 1_000));
        }
        self.wait(1_500);
        truth
    }

    /// Compares with what was told; `slack_ms` is how far a display of whole seconds may be off.
    pub(crate) fn check(&self, truth: &[(u64, u64)], slack_ms: u64) {
        let moves = self.game.moves();
        assert_eq!(moves.len(), truth.len(), "{moves:?}");
        for (ply, (played, (took_ms, clk_ms))) in (1..).zip(moves.iter().zip(truth)) {
            assert_eq!(played.clk_ms, Some(*clk_ms), "clock of ply {ply}");
            let emt_ms = played.emt_ms.unwrap_or_else(|| panic!("no time for ply {ply}"));
            assert!(emt_ms.abs_diff(*took_ms) <= slack_ms, "ply {ply} took {took_ms} ms, told {emt_ms} ms");
        }
    }
}

/// The periods of a time control such as `20/900+10:600+10`, read without the parser that the session uses.
fn periods(control: &str) -> Vec<Period> {
    let number = |text: &str| text.parse::<u32>().unwrap();
    let period = |text: &str| {
        let (moves, times) = text.split_once('/').map_or((None, text), |(moves, times)| (Some(number(moves)), times));
        let (seconds, increment_s) = times.split_once('+').map_or((times, 0), |(base, more)| (base, number(more)));
        Period { moves, seconds: number(seconds), increment_s }
    };
    control.split(':').map(period).collect()
}

pub(crate) fn field(square: Square) -> Field {
    placement::field(square, false).expect("every square has a field")
}
