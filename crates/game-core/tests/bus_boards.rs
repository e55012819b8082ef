//! Boards on a bus: simulated tables on one line at 9600 baud, in hall time without I/O. What they played is what their sessions
//! tell. Every failure names the seed.

use std::collections::BTreeMap;

use board_sim::OwnLog;
use board_sim::hands::Style;
use board_sim::pace::Pace;
use board_sim::plan::Plan;
use board_sim::play_options::PlayOptions;
use board_sim::random::{self, Theme};
use board_sim::result::Ending;
use board_sim::table::{Phase, Table, TableSettings};
use board_sim::trouble::Troubles;
use dgt_protocol::Command;
use fastrand::Rng;
use game_core::bus::{BusEvent, BusLine, BusPace};
use game_core::event::Event;
use game_core::game::Game;
use game_core::input::{Assign, Attach, Detach, Input, Notice};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use notation::pgn::{Outcome, Tags};
use shakmaty::Color;

/// Microseconds of a byte on the line.
const BYTE_US: u64 = 1_042;
/// Milliseconds until a board answers.
const TURN_MS: u64 = 5;
const FIRST: u32 = 1_025;

/// What goes wrong.
#[derive(Clone, Copy, Default)]
struct Troubled {
    /// Replies in a thousand that are damaged or lost.
    damage: u32,
    /// The board that is pulled out for ten seconds in the game.
    pulled: Option<usize>,
}

struct Seat {
    table: Table,
    session: BoardSession,
    plan: Plan,
    games: Vec<Game>,
    retracts: usize,
}

struct Chain {
    line: BusLine,
    seats: Vec<Seat>,
    now: u64,
    /// Replies on their way, by the time of their arrival.
    on_the_way: BTreeMap<u64, Vec<u8>>,
    busy_until: u64,
    rng: Rng,
    troubled: Troubled,
    out: bool,
}

fn seat(seed: u64, number: usize, clock: bool, most_plies: usize) -> Seat {
    let own = seed * 100 + number as u64;
    let theme = Theme::ALL[(own % Theme::ALL.len() as u64) as usize];
    let mut tags = Tags::new();
    tags.set("TimeControl", ["300+3", "5400+30", "900+10"][number % 3]);
    let mut plan = Plan::from_random(tags, &random::play(theme, own));
    if plan.plies.len() > most_plies {
        plan.plies.truncate(most_plies);
        plan.ending = Ending::Resigned(Color::White);
    }
    let rotated = own % 3 == 1;
    let settings = TableSettings {
        serial: FIRST + number as u32,
        version: (1, 8),
        rotated,
        white_side: if rotated { dgt_protocol::Side::Right } else { dgt_protocol::Side::Left },
        own_log: OwnLog::Kept,
        play: PlayOptions {
            style: Style::Human,
            clock,
            forgetful: false,
            pace: Pace::InTurn,
            troubles: Troubles::default(),
        },
        seed: own,
    };
    Seat {
        table: Table::new(settings, vec![plan.clone()]),
        session: BoardSession::new(),
        plan,
        games: Vec::new(),
        retracts: 0,
    }
}

/// The place of the board with this address.
fn place_of(address: u16) -> usize {
    usize::from(address) - FIRST as usize
}

impl Chain {
    fn new(seed: u64, boards: usize, clock: bool, troubled: Troubled) -> Self {
        Self {
            line: BusLine::new(Timestamp::ZERO, &[], BusPace::default()),
            seats: (0..boards).map(|number| seat(seed, number, clock, 1_200 / boards)).collect(),
            now: 0,
            on_the_way: BTreeMap::new(),
            busy_until: 0,
            rng: Rng::with_seed(seed),
            troubled,
            out: false,
        }
    }

    /// Lets all tables play their games.
    fn play(&mut self) {
        let mut quiet_since = None;
        loop {
            self.step();
            let done = self.seats.iter().all(|seat| seat.table.phase() == Phase::Done);
            quiet_since = quiet_since.or(done.then_some(self.now));
            if quiet_since.is_some_and(|since| self.now > since + 60_000) {
                return;
            }
            assert!(self.now < 6 * 3_600_000, "the hall does not come to an end");
        }
    }

    fn step(&mut self) {
        let dues = self.seats.iter().flat_map(|seat| {
            [seat.table.next_due(), seat.session.next_deadline().map(Timestamp::as_ms)].into_iter().flatten()
        });
        let reply = self.on_the_way.first_key_value().map(|(at, _)| *at);
        let due = dues.chain(reply).chain([self.line.next_deadline().as_ms(), self.now + 1_000]).min().unwrap();
        self.now = due.max(self.now + 1);
        self.move_cable();
        for place in 0..self.seats.len() {
            self.advance(place);
        }
        while let Some(entry) = self.on_the_way.first_entry().filter(|entry| *entry.key() <= self.now) {
            let bytes = entry.remove();
            self.line.handle_bytes(Timestamp::from_ms(self.now), &bytes);
            self.exchange();
        }
        self.line.handle_timeout(Timestamp::from_ms(self.now));
        self.exchange();
    }

    fn move_cable(&mut self) {
        let Some(pulled) = self.troubled.pulled else { return };
        let plies = self.seats[pulled].table.plies();
        if !self.out && plies >= 10 {
            self.out = true;
            self.seats[pulled].table.pause(self.now);
            self.seats[pulled].table.board_mut().power_off();
            self.busy_until = self.now + 10_000;
        }
        if self.out && !self.seats[pulled].table.board().has_power() && self.now >= self.busy_until {
            self.seats[pulled].table.board_mut().power_on();
        }
    }

    fn advance(&mut self, place: usize) {
        let now = self.now;
        let seat = &mut self.seats[place];
        let followed = seat.table.board().is_followed() && seat.session.has_seen_board();
        seat.table.advance(now, followed);
        while let Some(due) = seat.session.next_deadline().filter(|due| due.as_ms() <= now) {
            seat.session.handle_timeout(due);
        }
        self.drain(place);
        while let Some(mut bytes) = self.seats[place].table.board_mut().next_outgoing() {
            if self.rng.u32(0..1_000) < self.troubled.damage {
                if self.rng.bool() {
                    continue;
                }
                let at = self.rng.usize(0..bytes.len());
                bytes[at] ^= 1 << self.rng.u32(0..7);
            }
            let mut at = now + TURN_MS + bytes.len() as u64 * BYTE_US / 1_000;
            // Answers to the ping to all at the same time: the tests of `bus` let them damage each other.
            while self.on_the_way.contains_key(&at) {
                at += 1;
            }
            self.on_the_way.insert(at, bytes);
        }
    }

    /// Commands to the boards, replies to their sessions.
    fn exchange(&mut self) {
        let now = Timestamp::from_ms(self.now);
        while let Some(command) = self.line.poll_command() {
            for seat in &mut self.seats {
                seat.table.board_mut().host_bytes(self.now, &Command::Bus(command).encode());
            }
        }
        while let Some(event) = self.line.poll_event() {
            let (address, input) = match event {
                BusEvent::Found { address, version } => {
                    let attach = Attach { version, bus: Some(address.number()), ..Attach::default() };
                    let place = place_of(address.number());
                    if self.out && self.troubled.pulled == Some(place) {
                        self.seats[place].table.resume(self.now);
                    }
                    (address, Input::Notice(Notice::Attach(attach)))
                }
                BusEvent::Reply { address, bytes } => (address, Input::Bytes(bytes)),
                BusEvent::Lost { address } => {
                    (address, Input::Notice(Notice::Detach(Detach { reason: "no answer".into() })))
                }
            };
            let place = place_of(address.number());
            self.seats[place].session.handle_input(now, &input);
            self.drain(place);
        }
    }

    fn drain(&mut self, place: usize) {
        let now = Timestamp::from_ms(self.now);
        let seat = &mut self.seats[place];
        while let Some(output) = seat.session.poll_output() {
            let record = match output {
                Output::Send(Command::Bus(command)) => {
                    assert_eq!(usize::from(command.address().number()), FIRST as usize + place);
                    self.line.request(now, command);
                    continue;
                }
                Output::Send(other) => panic!("a single-board command on a bus: {other:?}"),
                Output::Event(record) => record,
            };
            if let Event::GameStarted { .. } = record.event {
                seat.games.push(Game::new());
                let control = seat.plan.tags.get("TimeControl").map(Into::into);
                let assign = Assign { time_control: control, ..Assign::default() };
                seat.session.handle_input(record.t, &Input::Notice(Notice::Assign(assign)));
            }
            seat.retracts += usize::from(matches!(record.event, Event::Retract { .. }));
            assert!(seat.games.last_mut().is_some_and(|game| game.apply(&record.event)), "{record:?}");
        }
    }

    /// The first difference of each game from what was played, and how many clock times are as they were.
    fn differences(&self) -> (Vec<String>, usize, usize) {
        let (mut wrong, mut clocks, mut plies) = (Vec::new(), 0, 0);
        for (place, seat) in self.seats.iter().enumerate() {
            let played = seat.table.clock_times().first().cloned().unwrap_or_default();
            let sans: Vec<_> = seat.plan.plies.iter().take(played.len()).map(|ply| ply.san.to_string()).collect();
            let Some(told) = seat.games.first() else {
                wrong.push(format!("board {place}: no game"));
                continue;
            };
            let moves: Vec<_> = told.moves().iter().map(|mv| mv.san.to_string()).collect();
            let at = moves.iter().zip(&sans).position(|(a, b)| a != b).unwrap_or(moves.len().min(sans.len()));
            if moves != sans {
                wrong.push(format!(
                    "board {place}, ply {}: told {:?}, played {:?}",
                    at + 1,
                    moves.get(at),
                    sans.get(at)
                ));
            }
            let result = seat.plan.ending.outcome();
            if result != Outcome::Unknown && told.result() != result {
                wrong.push(format!("board {place}: result {:?}, was {result:?}", told.result()));
            }
            plies += played.len();
            clocks += told.moves().iter().zip(&played).filter(|(mv, clk)| mv.clk_ms == **clk).count();
            assert!(seat.table.board().host_commands().forbidden.is_empty());
        }
        (wrong, clocks, plies)
    }
}

/// Plays halls of these seeds; at least this share of clock times must be as the clock showed them, in per cent.
fn run(seeds: std::ops::Range<u64>, boards: usize, clock: bool, troubled: Troubled, clocks_right: usize) {
    let (mut wrong, mut right, mut all, mut retracts) = (Vec::new(), 0, 0, 0);
    for seed in seeds {
        let mut chain = Chain::new(seed, boards, clock, troubled);
        chain.play();
        let (differences, clocks, plies) = chain.differences();
        wrong.extend(differences.into_iter().map(|difference| format!("seed {seed}, {difference}")));
        (right, all) = (right + clocks, all + plies);
        retracts += chain.seats.iter().map(|seat| seat.retracts).sum::<usize>();
    }
    println!("{boards} boards: {all} plies, {right} clock times right, {retracts} retracts, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(right * 100 >= all * clocks_right, "{right} of {all} clock times");
}

#[test]
fn five_boards_with_clocks_come_out_exactly() {
    run(0..4, 5, true, Troubled::default(), 99);
}

#[test]
fn five_boards_without_clocks_come_out_exactly() {
    run(10..12, 5, false, Troubled::default(), 100);
}

#[test]
fn thirty_boards_come_out_exactly() {
    run(20..21, 30, true, Troubled::default(), 98);
}

#[test]
fn damaged_and_lost_replies_cost_no_move() {
    run(30..33, 5, true, Troubled { damage: 30, pulled: None }, 97);
}

#[test]
fn a_board_that_is_pulled_and_put_back_goes_on_with_its_game() {
    run(40..43, 5, true, Troubled { damage: 0, pulled: Some(2) }, 97);
}
