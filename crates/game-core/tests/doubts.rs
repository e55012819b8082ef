//! What a board's session is not sure of reaches the people who can help: a piece on a border, pieces that were set up
//! wrongly, a dead square, moves that nobody saw.

use board_sim::board::SimBoard;
use board_sim::placement;
use dgt_protocol::{
    Battery, ClockMessage, ClockTimes, Command, Field, Fields, HoursMinutes, Message, PieceCode, SideTime, Standby,
};
use game_core::alarm::{Alarm, AlarmKind, Alarms, Audience, Watched};
use game_core::event::{Event, Evidence, Variant};
use game_core::game::Game;
use game_core::input::{Assign, Attach, Command as OperatorCommand, Detach, Input, Notice, Order, ResultRule};
use game_core::placement::Placement;
use game_core::session::{BatteryView, BoardSession, Doubts, Output};
use game_core::time::Timestamp;
use notation::pgn::Outcome;
use shakmaty::{Board, Chess, Position, Square, fen::Fen, san::San};

/// A board without a clock at table 4, and everybody who looks at its alarms.
struct Table {
    session: BoardSession,
    now: Timestamp,
    fields: Fields,
    within_reach: bool,
    game: Option<Game>,
    /// The results of the games before it.
    ended: Vec<Outcome>,
    alarms: Alarms,
}

impl Table {
    fn new(pieces: &Board) -> Self {
        let mut table = Self {
            session: BoardSession::new(),
            now: Timestamp::ZERO,
            fields: fields(pieces),
            within_reach: false,
            game: None,
            ended: Vec::new(),
            alarms: Alarms::new(),
        };
        table.plug_in();
        table
    }

    fn plug_in(&mut self) {
        self.within_reach = true;
        let attach =
            Attach { port: "/dev/ttyUSB0".to_owned(), serial: None, version: None, bus: None, bluetooth: false };
        self.input(&Input::Notice(Notice::Attach(attach)));
        self.wait(15_000);
    }

    fn pull_the_cable(&mut self) {
        self.within_reach = false;
        let detach = Detach { reason: "the cable is out".to_owned() };
        self.input(&Input::Notice(Notice::Detach(detach)));
        self.wait(60_000);
    }

    fn input(&mut self, input: &Input) {
        self.session.handle_input(self.now, input);
        let mut dump = false;
        while let Some(output) = self.session.poll_output() {
            match output {
                Output::Send(command) => dump |= command == Command::Board,
                Output::Event(record) => {
                    if matches!(record.event, Event::GameStarted { .. }) {
                        self.ended.extend(self.game.replace(Game::new()).map(|game| game.result()));
                    }
                    if let Some(game) = &mut self.game {
                        assert!(game.apply(&record.event), "{record:?}");
                    }
                }
            }
        }
        if dump && self.within_reach {
            self.hear(&Message::BoardDump(self.fields));
        }
    }

    fn hear(&mut self, message: &Message) {
        self.input(&Input::Bytes(message.encode()));
    }

    fn wait(&mut self, ms: u64) {
        let until = self.now.plus(ms);
        while let Some(due) = self.session.next_deadline().filter(|due| *due <= until) {
            self.now = due;
            self.session.handle_timeout(due);
            self.input(&Input::Bytes(Vec::new()));
        }
        self.now = until;
        self.session.handle_timeout(until);
    }

    fn change(&mut self, field: Field, piece: PieceCode) {
        self.fields[field.index()] = piece;
        if self.within_reach {
            self.hear(&Message::FieldUpdate { field, piece });
        }
        self.wait(230);
    }

    /// Hands make the board show this, and rest for a quarter of a minute.
    fn show(&mut self, pieces: &Board) {
        let (before, after) = (self.fields, fields(pieces));
        let changed = || Field::all().filter(|field| before[field.index()] != after[field.index()]);
        for lifted in [true, false] {
            for field in changed().filter(|field| (after[field.index()] == PieceCode::Empty) == lifted) {
                self.change(field, after[field.index()]);
            }
        }
        self.wait(15_000);
    }

    fn play(&mut self, lines: &[&str]) {
        for moves in lines {
            self.show(&after(moves));
        }
    }

    fn doubts(&self) -> Doubts {
        self.session.doubts()
    }

    fn assign(&mut self, result_rule: ResultRule) {
        self.input(&Input::Notice(Notice::Assign(Assign { result_rule, ..Assign::default() })));
    }

    fn result(&self) -> Outcome {
        self.game.as_ref().map_or(Outcome::Unknown, Game::result)
    }

    /// The alarms that hold after a quarter of a minute more.
    fn alarms(&mut self) -> Vec<Alarm> {
        let (doubts, placement, nothing_yet) = (self.session.doubts(), *self.session.placement(), Game::new());
        let game = self.game.as_ref().unwrap_or(&nothing_yet);
        let unconfirmed = self.session.claim().filter(|claim| claim.due.is_none()).map(|claim| claim.outcome.as_str());
        for now in [self.now.as_ms(), self.now.as_ms() + 15_000] {
            self.alarms.update(now, &[Watched { unconfirmed, ..watched(game, &placement, &doubts) }]);
        }
        self.alarms.active().into_iter().cloned().collect()
    }
}

fn watched<'a>(game: &'a Game, placement: &'a Placement, doubts: &'a Doubts) -> Watched<'a> {
    Watched {
        table: 4,
        section: None,
        game_id: "open-1-4",
        game,
        armed: true,
        adjourned: false,
        placement: Some(placement),
        doubts: Some(doubts),
        unconfirmed: None,
        shows_other: None,
        silent_since: None,
        utc_offset_s: 3_600,
        started_at: None,
        default_ms: None,
        differing: None,
    }
}

fn field(square: Square) -> Field {
    placement::field(square, false).unwrap()
}

fn fields(pieces: &Board) -> Fields {
    let mut fields = [PieceCode::Empty; 64];
    for square in Square::ALL {
        fields[field(square).index()] = placement::code(pieces.piece_at(square));
    }
    fields
}

fn after(moves: &str) -> Board {
    let play = |position: Chess, san: &str| {
        let mv = san.parse::<San>().unwrap().to_move(&position).unwrap();
        position.play(mv).unwrap()
    };
    moves.split_whitespace().fold(Chess::default(), play).board().clone()
}

#[test]
fn a_piece_on_a_border_is_shown_to_the_operator_and_the_game_goes_on() {
    let mut table = Table::new(&after(""));
    table.play(&["e4"]);
    for piece in [PieceCode::Empty, PieceCode::BlackKnight].repeat(16) {
        table.change(field(Square::G8), piece);
    }
    assert_eq!(table.doubts().unsteady, ["g8"]);
    let [alarm] = &table.alarms()[..] else { panic!("{:?}", table.alarms()) };
    assert_eq!((alarm.kind, alarm.audience), (AlarmKind::PieceUnsteady, Audience::Operator));
    assert!(alarm.text.starts_with("Table 4: a piece comes and goes on g8; put it in the middle"), "{}", alarm.text);
    table.play(&["e4 e5"]);
    assert_eq!(table.game.as_ref().map(|game| game.moves().len()), Some(2));
    table.wait(60_000);
    assert_eq!((table.doubts(), table.alarms()), (Doubts::default(), Vec::new()));
}

#[test]
fn a_king_and_a_queen_exchanged_are_shown_before_the_game_begins() {
    let exchanged: Fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1".parse().unwrap();
    let mut table = Table::new(&exchanged.as_setup().board);
    assert_eq!(table.doubts().wrong_start, ["d1", "e1"]);
    let [alarm] = &table.alarms()[..] else { panic!("{:?}", table.alarms()) };
    assert_eq!((alarm.kind, alarm.rule, alarm.audience), (AlarmKind::WrongStart, Some("7.2.1"), Audience::Arbiter));
    assert!(alarm.text.contains("(look at d1, e1)"), "{}", alarm.text);
    table.play(&[""]);
    assert_eq!(table.alarms(), []);
}

#[test]
fn two_ways_to_play_what_nobody_saw_are_both_shown_to_the_arbiter() {
    let mut table = Table::new(&after(""));
    table.play(&["e4", "e4 e5"]);
    table.pull_the_cable();
    table.play(&["e4 e5 Nc3 h6 Nb5"]);
    table.plug_in();
    table.wait(120_000);
    let candidates = table.doubts().candidates;
    assert_eq!(candidates.len(), 2);
    assert!(candidates.contains(&vec!["Na3".to_owned(), "h6".to_owned(), "Nb5".to_owned()]), "{candidates:?}");
    let [alarm] = &table.alarms()[..] else { panic!("{:?}", table.alarms()) };
    assert_eq!((alarm.kind, alarm.audience), (AlarmKind::MovesUnclear, Audience::Arbiter));
    let lines = |first: &str, second: &str| format!("the board shows: 2. {first} h6 3. Nb5 / 2. {second} h6 3. Nb5;");
    let either = [lines("Na3", "Nc3"), lines("Nc3", "Na3")];
    assert!(either.iter().any(|lines| alarm.text.contains(lines)), "{}", alarm.text);
}

#[test]
fn a_square_that_reports_nothing_is_shown_to_the_operator_once_it_is_believed_to_be_dead() {
    let dead = |moves: &str| {
        let mut board = after(moves);
        board.discard_piece_at(Square::F3);
        board
    };
    let mut table = Table::new(&after(""));
    for moves in ["e4", "e4 e5", "e4 e5 Nf3", "e4 e5 Nf3 Nc6", "e4 e5 Nf3 Nc6 Nxe5", "e4 e5 Nf3 Nc6 Nxe5 Nxe5"] {
        table.show(&dead(moves));
    }
    table.show(&dead("e4 e5 Nf3 Nc6 Nxe5 Nxe5 d4"));
    table.show(&dead("e4 e5 Nf3 Nc6 Nxe5 Nxe5 d4 d6"));
    assert_eq!(table.doubts().faulty, ["f3"]);
    let alarms = table.alarms();
    let alarm = alarms.iter().find(|alarm| alarm.kind == AlarmKind::BoardFaulty).unwrap();
    assert_eq!((alarm.audience, alarm.can_wait), (Audience::Operator, true));
    assert!(alarm.text.contains("reports of f3 cannot be true"), "{}", alarm.text);
}

#[test]
fn squares_that_are_held_for_faulty_for_moments_or_after_the_game_are_no_alarm() {
    let (placement, doubts) = (Placement::EMPTY, Doubts { faulty: vec!["f3".to_owned()], ..Doubts::default() });
    let sound = Doubts::default();
    let told = |over: bool, looks: &[(u64, &Doubts)]| {
        let (mut alarms, mut game) = (Alarms::new(), Game::new());
        let fen = Fen::from_position(&Chess::default(), shakmaty::EnPassantMode::Legal).to_string();
        assert!(game.apply(&Event::GameStarted { fen, variant: Variant::Standard }));
        let mut told = Vec::new();
        for &(seconds, doubts) in looks {
            if over && game.is_running() && seconds >= 60 {
                assert!(game.apply(&Event::GameEnded));
            }
            alarms.update(seconds * 1_000, &[watched(&game, &placement, doubts)]);
            told.push(alarms.active().iter().any(|alarm| alarm.kind == AlarmKind::BoardFaulty));
        }
        told
    };
    assert_eq!(told(false, &[(0, &doubts), (5, &doubts), (6, &sound), (7, &doubts), (21, &doubts)]), [false; 5]);
    assert_eq!(told(false, &[(0, &doubts), (15, &doubts), (16, &sound)]), [false, true, false]);
    assert_eq!(told(true, &[(50, &doubts), (60, &doubts), (90, &doubts)]), [false; 3], "the pieces are set up");
    assert_eq!(told(true, &[(0, &doubts), (20, &doubts), (90, &doubts)]), [false, true, true], "found in play");
}

#[test]
fn a_board_on_bluetooth_is_asked_what_its_battery_has_left_and_one_on_a_cable_is_not() {
    for bluetooth in [true, false] {
        let mut board = SimBoard::new(30_001, (3, 1), 200, 1);
        board.power_on();
        let mut session = BoardSession::new();
        let attach = Attach { port: "/dev/rfcomm0".to_owned(), bluetooth, ..Attach::default() };
        session.handle_input(Timestamp::ZERO, &Input::Notice(Notice::Attach(attach)));
        for ms in 1..1_200_000 {
            let now = Timestamp::from_ms(ms);
            if session.next_deadline().is_some_and(|due| due <= now) {
                session.handle_timeout(now);
            }
            while let Some(output) = session.poll_output() {
                if let Output::Send(command) = output {
                    board.host_bytes(ms, &command.encode());
                }
            }
            board.advance(ms);
            while let Some(bytes) = board.next_outgoing() {
                session.handle_input(now, &Input::Bytes(bytes));
            }
        }
        assert_eq!(board.host_commands().count(0x4c), if bluetooth { 2 } else { 0 });
        let battery = bluetooth.then_some(BatteryView { percent: 100, charging: true });
        assert_eq!(session.battery(), battery);
        assert!(board.host_commands().forbidden.is_empty());
    }
}

#[test]
fn a_board_with_a_low_battery_is_shown_to_the_operator_until_it_is_charged() {
    let mut table = Table::new(&after(""));
    table.play(&["e4"]);
    let battery = |percent, charging| {
        let hours = HoursMinutes { hours: 1, minutes: 0 };
        let standby = Standby { days: 0, hours: 0, minutes: 0 };
        Message::Battery(Battery {
            percent,
            time_left: None,
            time_on: hours,
            standby,
            charging,
            discharging: !charging,
        })
    };
    table.hear(&battery(14, false));
    let alarms = table.alarms();
    let alarm = alarms.iter().find(|alarm| alarm.kind == AlarmKind::BoardBatteryLow).unwrap();
    assert_eq!(alarm.audience, Audience::Operator);
    assert_eq!(alarm.text, "Table 4: the battery of the board has 14 % left; connect its charger.");
    table.hear(&battery(14, true));
    assert!(table.alarms().iter().all(|alarm| alarm.kind != AlarmKind::BoardBatteryLow));
}

#[test]
fn a_clock_with_a_low_battery_is_shown_to_the_operator_until_it_has_a_new_one() {
    let mut table = Table::new(&after(""));
    table.play(&["e4"]);
    let reading = |battery_low| {
        let times = ClockTimes {
            left: SideTime::from_seconds(5400),
            right: SideTime::from_seconds(5398),
            running: true,
            left_to_move: true,
            battery_low,
            ..ClockTimes::default()
        };
        Message::Clock(ClockMessage::Times(times))
    };
    table.hear(&reading(true));
    assert!(table.doubts().clock_battery_low);
    let alarms = table.alarms();
    let alarm = alarms.iter().find(|alarm| alarm.kind == AlarmKind::ClockBatteryLow).unwrap();
    assert_eq!((alarm.audience, alarm.can_wait), (Audience::Operator, true));
    assert!(alarm.text.starts_with("Table 4: the clock shows that its battery is low"), "{}", alarm.text);
    // Around commands the board sends messages without content: they say nothing about the battery.
    table.hear(&Message::Clock(ClockMessage::Times(ClockTimes::default())));
    assert!(table.doubts().clock_battery_low);
    table.hear(&reading(false));
    assert_eq!(table.doubts(), Doubts::default());
    assert!(table.alarms().iter().all(|alarm| alarm.kind != AlarmKind::ClockBatteryLow));
}

const FOOLS_MATE: [&str; 4] = ["f3", "f3 e5", "f3 e5 g4", "f3 e5 g4 Qh4#"];

#[test]
fn a_mate_is_the_result_half_a_minute_later_by_rule_and_otherwise_when_somebody_says_so() {
    for rule in [ResultRule::Shown, ResultRule::ByRules, ResultRule::Confirmed] {
        let mut table = Table::new(&after(""));
        table.assign(rule);
        table.play(&FOOLS_MATE);
        assert_eq!(table.result(), Outcome::Unknown, "it may still be undone");
        let claim = table.session.claim().map(|claim| (claim.outcome, claim.reason, claim.due.is_some()));
        assert_eq!(claim, Some((Outcome::BlackWins, "checkmate", rule != ResultRule::Confirmed)));
        table.wait(600_000);
        if rule != ResultRule::Confirmed {
            assert_eq!((table.result(), table.alarms()), (Outcome::BlackWins, Vec::new()), "{rule:?}");
            continue;
        }
        assert_eq!(table.result(), Outcome::Unknown);
        let [alarm] = &table.alarms()[..] else { panic!("{:?}", table.alarms()) };
        assert_eq!((alarm.kind, alarm.audience), (AlarmKind::ResultUnconfirmed, Audience::Arbiter));
        assert!(alarm.text.starts_with("Table 4: the board shows 0-1; see whether"), "{}", alarm.text);
        let order = Order::Result { result: "0-1".to_owned(), reason: None };
        let command = OperatorCommand { by: "Ada".to_owned(), order };
        table.input(&Input::Notice(Notice::Command(command)));
        assert_eq!((table.result(), table.alarms()), (Outcome::BlackWins, Vec::new()));
    }
}

#[test]
fn a_result_that_nobody_confirmed_is_not_told_by_the_next_game() {
    let mut table = Table::new(&after(""));
    table.assign(ResultRule::Confirmed);
    table.play(&FOOLS_MATE);
    table.play(&["", "e4"]);
    assert_eq!(table.ended, [Outcome::Unknown]);
    assert!(ResultRule::Shown.trusts(Evidence::Quiet) && !ResultRule::ByRules.trusts(Evidence::Quiet));
}
