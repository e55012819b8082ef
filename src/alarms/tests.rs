//! A repetition in the hall reaches the arbiters and their address, and nobody else.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::thread;
use std::time::Instant;

use coded_text::joined;
use dgt_protocol::{Field, Message, PieceCode};
use game_core::event::{Author, Event, Evidence, Record, Variant};
use game_core::input::Input;
use game_core::time::Timestamp;

use tokio::sync::mpsc;

use super::*;
use crate::boards::display::BoardDisplay;
use crate::boards::session::CapturedSession;
use crate::director::tests::{open, open_play};
use crate::transport::ports::{PortLine, PortUse};
use journal::{Batch, NewEvent};
use pairings::model::ByeKind;
use tournament::{Order, PairingFile, RoundSettings, RoundState, Seat, SectionSettings};

const BOARD: &str = "20077";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn arbiter(audience: Audience) -> bool {
    audience == Audience::Arbiter
}

fn operator(audience: Audience) -> bool {
    audience == Audience::Operator
}

/// A game on the board; what it shows next is handed in by the function that is given back.
async fn begin(director: &DirectorHandle, now: UtcMs) -> impl FnMut(u32, &str, &str) {
    let t = Timestamp::from_ms(0);
    let event = Event::GameStarted { fen: START.into(), variant: Variant::Standard };
    let started = Record { t, event, author: Author::Board, evidence: Evidence::StartPosition };
    director.register_board(&BOARD.into()).await;
    let mut link = director.link(BOARD.into());
    let game = link.open_game(now, started).await.unwrap().game;
    move |ply, san, uci| {
        let event = Event::Move { ply, san: san.into(), uci: uci.into(), clk_ms: None, emt_ms: None };
        let (author, evidence) = (Author::Board, Evidence::Lever);
        let games = vec![NewEvent { at: now, game: game.clone(), author, evidence, event }];
        link.hand_in(Batch { games, ..Batch::default() });
    }
}

/// Looks until something changes.
fn next_changes(watch: &mut Watch, book: &AlarmBook, director: &DirectorHandle, now: UtcMs) -> Vec<AlarmChange> {
    let patience = Instant::now() + Duration::from_secs(20);
    while Instant::now() < patience {
        let changes = watch.look(&mut book.alarms(), director, now);
        if !changes.is_empty() {
            return changes;
        }
        thread::sleep(Duration::from_millis(2));
    }
    panic!("nothing became an alarm");
}

#[tokio::test]
async fn a_repetition_is_an_alarm_for_arbiters_until_a_pawn_moves() {
    let folder = tempfile::tempdir().unwrap();
    let clock = HallClock::start(1.0);
    let (director, feed) = open_play(folder.path(), clock);
    let now = clock.now();
    let (book, mut watch) = (AlarmBook::default(), Watch::new(feed.read_from(0)));
    let mut play = begin(&director, now).await;
    let knights = [("Nf3", "g1f3"), ("Nf6", "g8f6"), ("Ng1", "f3g1"), ("Ng8", "f6g8")];
    for ((san, uci), ply) in knights.into_iter().cycle().take(8).zip(1..) {
        play(ply, san, uci);
    }
    let raised = next_changes(&mut watch, &book, &director, now);
    assert!(matches!(&*raised, [AlarmChange::Raised { alarm }] if alarm.kind == AlarmKind::ThreefoldRepetition));
    let seen = book.list(arbiter);
    assert_eq!((seen.len(), seen[0].rule, &*seen[0].tables, seen[0].ply), (1, Some("9.2.2"), &[1][..], Some(8)));
    assert!(book.list(operator).is_empty(), "an operator sees a claim");
    let number = serde_json::to_value(&seen[0]).unwrap()["id"].as_u64().unwrap();
    assert!(book.acknowledge(number, "Ola", now, operator).is_none());
    let noted = book.acknowledge(number, "Ada", now, arbiter).unwrap();
    assert_eq!(noted.acknowledged, Some(("Ada".to_owned(), now)));
    assert_eq!(book.acknowledge(number, "Bo", now, arbiter).unwrap().acknowledged, noted.acknowledged);
    assert!(watch.look(&mut book.alarms(), &director, now).is_empty(), "raised again");

    play(9, "e4", "e2e4");
    let cleared = next_changes(&mut watch, &book, &director, now);
    assert!(matches!(&*cleared, [AlarmChange::Cleared { .. }]), "{cleared:?}");
    assert!(book.list(|_| true).is_empty());
    assert!(book.acknowledge(number, "Ada", now, arbiter).is_none());
}

#[tokio::test]
async fn a_piece_on_a_border_at_a_paired_table_is_an_alarm_for_operators() {
    let folder = tempfile::tempdir().unwrap();
    let clock = HallClock::start(1.0);
    let (director, feed) = open(folder.path(), clock);
    let seats = vec![Seat { table: 1, board: Some(BOARD.into()) }];
    let cup = Order::SetSection { section: "cup".into(), settings: SectionSettings::named("Cup"), confirm: false };
    let arm = Order::Arm { section: "cup".into(), round: 1, confirm: true };
    for order in [cup, Order::SeatBoards { seats }, pairings("1;1;Adler;Bos;\n"), arm] {
        director.order(Author::Operator("Ada".into()), None, None, order).await.unwrap();
    }
    let (mailbox, _unread) = mpsc::channel(1);
    let mut display = BoardDisplay::new(director.boards().register(&BOARD.into(), mailbox));
    let mut session = CapturedSession::begin(clock, clock.now(), None);
    let field = Field::new(60).unwrap();
    for (at, piece) in (0..).zip([PieceCode::WhiteKing, PieceCode::Empty].repeat(9)) {
        let message = Message::FieldUpdate { field, piece };
        let read = Instant::now() + Duration::from_millis(230 * at);
        session.take(read, Input::Bytes(message.encode()), &mut Vec::new()).unwrap();
    }
    display.update(true, &session, None);
    assert_eq!(director.board_states()[0].unsteady, ["e1"]);
    let (book, mut watch) = (AlarmBook::default(), Watch::new(feed.read_from(0)));
    watch.look(&mut book.alarms(), &director, clock.now());
    let [alarm] = &book.list(operator)[..] else { panic!("{:?}", book.list(|_| true)) };
    assert_eq!((alarm.kind, &alarm.tables[..]), (AlarmKind::PieceUnsteady, &[1][..]));
    assert!(book.list(arbiter).is_empty());
}

#[tokio::test]
async fn the_default_time_counts_from_the_planned_start_or_else_from_the_first_move() {
    const MINUTE: u64 = 60_000;
    for planned in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let clock = HallClock::start(1.0);
        let (director, feed) = open(folder.path(), clock);
        let now = clock.now();
        let start = now + 60 * MINUTE;
        let settings = RoundSettings {
            planned_start: planned.then_some(start),
            default_time_s: Some(60),
            ..RoundSettings::default()
        };
        let seats = vec![Seat { table: 1, board: Some(BOARD.into()) }];
        let cup = Order::SetSection { section: "cup".into(), settings: SectionSettings::named("Cup"), confirm: false };
        let round = Order::SetRound { section: "cup".into(), round: 1, settings };
        let arm = Order::Arm { section: "cup".into(), round: 1, confirm: true };
        for order in [cup, Order::SeatBoards { seats }, pairings("1;1;Adler;Bos;\n"), round, arm] {
            director.order(Author::Operator("Ada".into()), None, None, order).await.unwrap();
        }
        let (book, mut watch) = (AlarmBook::default(), Watch::new(feed.read_from(0)));
        let mut play = begin(&director, now).await;
        for _ in 0..50 {
            let changes = watch.look(&mut book.alarms(), &director, start - MINUTE);
            assert!(changes.is_empty(), "the pieces stand ready: {changes:?}");
            thread::sleep(Duration::from_millis(4));
        }
        if !planned {
            play(1, "e4", "e2e4");
        }
        let raised = next_changes(&mut watch, &book, &director, start + MINUTE);
        assert!(matches!(&*raised, [AlarmChange::Raised { alarm }] if alarm.kind == AlarmKind::NotStarted));
    }
}

#[tokio::test]
async fn a_fault_of_a_board_is_an_alarm_for_the_game_that_is_played_on_it_alone() {
    let folder = tempfile::tempdir().unwrap();
    let clock = HallClock::start(1.0);
    let (director, feed) = open_play(folder.path(), clock);
    let now = clock.now();
    director.register_board(&BOARD.into()).await;
    let state = director.boards().register(&BOARD.into(), mpsc::channel(1).0);
    let mut link = director.link(BOARD.into());
    let (book, mut watch) = (AlarmBook::default(), Watch::new(feed.read_from(0)));
    let mut first = None;
    for _ in 0..2 {
        let t = Timestamp::from_ms(0);
        let event = Event::GameStarted { fen: START.into(), variant: Variant::Standard };
        let started = Record { t, event, author: Author::Board, evidence: Evidence::StartPosition };
        if let Some(game) = first.take() {
            let (author, evidence) = (Author::Board, Evidence::StartPosition);
            let games = vec![NewEvent { at: now, game, author, evidence, event: Event::GameEnded }];
            link.hand_in(Batch { games, ..Batch::default() });
        }
        let game = link.open_game(now, started).await.unwrap().game;
        state.send_modify(|state| {
            (state.connected, state.clock_battery_low, state.game) = (true, true, Some(game.game.clone()));
        });
        // The end of the game before may be committed later than the beginning of this one.
        let told = || -> Vec<Option<String>> { book.list(operator).into_iter().map(|alarm| alarm.game).collect() };
        let mut looks = 0;
        while told() != [Some(game.game.to_string())] {
            looks += 1;
            assert!(looks < 2_000, "{:?}", told());
            watch.look(&mut book.alarms(), &director, now);
            thread::sleep(Duration::from_millis(2));
        }
        first = Some(game);
    }
}

fn pairings(rows: &str) -> Order {
    let text = format!("Round;Board;White;Black;Result\n{rows}");
    let file = PairingFile::read("round.csv", text.as_bytes()).unwrap();
    Order::LoadPairings { section: "cup".into(), files: vec![file], round: None, confirm: true }
}

#[tokio::test]
async fn a_result_that_differs_is_an_alarm_also_after_the_round_and_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let clock = HallClock::start(1.0);
    let ada = || Author::Operator("Ada".into());
    let result =
        |result: &str| Order::SetResult { game: "cup-1-1".into(), result: result.into(), reason: None, confirm: false };
    {
        let (director, feed) = open(folder.path(), clock);
        let cup = Order::SetSection { section: "cup".into(), settings: SectionSettings::named("Cup"), confirm: false };
        for order in [cup, pairings("1;1;Adler;Bos;\n1;;Clark;bye;\n"), result("+ - -")] {
            director.order(ada(), None, None, order).await.unwrap();
        }
        let (book, mut watch) = (AlarmBook::default(), Watch::new(feed.read_from(0)));
        director.order(ada(), None, None, pairings("1;1;Adler;Bos;+ - -\n1;;Clark;bye;\n")).await.unwrap();
        assert_eq!(director.hall().round("cup", 1).unwrap().state, RoundState::Finished);
        assert_eq!(watch.look(&mut book.alarms(), &director, clock.now()), [], "both say the same");
        assert_eq!(watch::differing_byes(&director), []);
        director.order(ada(), None, None, pairings("1;1;Adler;Bos;1-0\n1;;Clark;bye;\n")).await.unwrap();
    }
    let (director, feed) = open(folder.path(), clock);
    let (book, mut watch) = (AlarmBook::default(), Watch::new(feed.read_from(0)));
    watch.look(&mut book.alarms(), &director, clock.now());
    let [alarm] = &book.list(operator)[..] else { panic!("{:?}", book.list(|_| true)) };
    assert_eq!((alarm.kind, alarm.game.as_deref()), (AlarmKind::ResultDiffers, Some("cup-1-1")));
    assert!(alarm.text.contains("our record says + - - and the pairings say 1-0"), "{}", alarm.text);
    director.order(ada(), None, None, result("1-0")).await.unwrap();
    watch.look(&mut book.alarms(), &director, clock.now());
    assert!(book.list(|_| true).is_empty());

    let clark = director.persons().iter().find(|(_, person)| person.name == "Clark").unwrap().0;
    let kind = Some(ByeKind::Half);
    let bye = Order::SetBye { section: "cup".into(), round: 1, player: clark, kind };
    director.order(ada(), None, None, bye).await.unwrap();
    let told = joined(&watch::differing_byes(&director));
    assert!(
        told.contains("Clark: the files have \"bye\", the tournament has \"half-point bye\". Ask the arbiter"),
        "{told}"
    );
}

#[test]
fn a_serial_server_that_is_out_of_reach_for_a_minute_is_an_alarm() {
    let line = |port: &str, unreachable_since| PortLine {
        port: port.into(),
        device: "allowed in the settings".into(),
        use_of: PortUse::Asked,
        board: None,
        allowed: false,
        unreachable_since,
    };
    let ports = [line("tcp://hall:4001", Some(1000)), line("tcp://hall:4002", Some(5000)), line("/dev/ttyUSB0", None)];
    assert_eq!(seating::unreachable(&ports, 60_999), []);
    let said = joined(&seating::unreachable(&ports, 61_000));
    assert!(said.starts_with("Serial servers cannot be reached: tcp://hall:4001. Check that"), "{said}");
    let book = AlarmBook::default();
    book.daemon(61_000, AlarmKind::ServerUnreachable, seating::unreachable(&ports, 61_000));
    assert_eq!((book.list(operator).len(), book.list(arbiter).len()), (1, 0));
    book.daemon(62_000, AlarmKind::ServerUnreachable, seating::unreachable(&ports[2..], 62_000));
    assert!(book.list(operator).is_empty());
}

#[test]
fn trouble_of_the_daemon_is_raised_once_and_over_when_it_is_over() {
    let book = AlarmBook::default();
    let mut changes = book.changes();
    book.daemon(1, AlarmKind::RecordFailing, said("the disk is full"));
    book.daemon(2, AlarmKind::RecordFailing, said("the disk is full"));
    assert_eq!(book.list(operator).len(), 1);
    assert!(book.list(arbiter).is_empty());
    book.daemon(3, AlarmKind::RecordFailing, Vec::new());
    book.daemon(4, AlarmKind::RecordFailing, Vec::new());
    assert!(matches!(changes.try_recv(), Ok(AlarmChange::Raised { .. })));
    assert!(matches!(changes.try_recv(), Ok(AlarmChange::Cleared { .. })));
    assert!(changes.try_recv().is_err());
}

#[tokio::test]
async fn the_organisers_address_gets_each_change_also_when_it_fails_at_first() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hall", listener.local_addr().unwrap());
    let site = thread::spawn(move || {
        let mut bodies = Vec::new();
        for status in ["503 Busy", "204 No Content"] {
            let (stream, _) = listener.accept().unwrap();
            let mut request = BufReader::new(stream);
            let (mut length, mut line) = (0, String::new());
            while request.read_line(&mut line).unwrap() > 2 {
                let header = std::mem::take(&mut line).to_ascii_lowercase();
                if let Some(value) = header.strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
            }
            let mut body = vec![0; length];
            request.read_exact(&mut body).unwrap();
            bodies.push(serde_json::from_slice::<serde_json::Value>(&body).unwrap());
            write!(request.get_mut(), "HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
        }
        bodies
    });
    let (book, stop) = (AlarmBook::default(), CancellationToken::new());
    let sending = tokio::spawn(hook::run(url.try_into().unwrap(), book.changes(), stop.clone()));
    book.daemon(7, AlarmKind::RecordFailing, said("the disk is full"));
    let bodies = tokio::task::spawn_blocking(|| site.join().unwrap()).await.unwrap();
    stop.cancel();
    sending.await.unwrap();
    assert_eq!(bodies[0], bodies[1], "the same change is sent again");
    assert_eq!(bodies[1]["change"], "raised");
    assert_eq!(bodies[1]["alarm"]["kind"], "record_failing");
    assert_eq!(bodies[1]["alarm"]["text"], "the disk is full");
}

#[test]
fn an_address_for_alarms_is_an_address_of_the_web() {
    let refused = |text: &str| hook::HookUrl::try_from(text.to_owned()).unwrap_err().to_string();
    assert!(refused("ftp://example.org").contains("begins with http:// or https://"));
    assert!(refused("example.org").starts_with("«example.org» is no address for alarms"));
    assert!(hook::HookUrl::try_from("https://example.org/hook?key=1".to_owned()).is_ok());
}

#[tokio::test]
async fn boards_without_a_table_are_asked_about_until_a_person_assigns_them() {
    let folder = tempfile::tempdir().unwrap();
    let clock = HallClock::start(1.0);
    let (director, feed) = open_play(folder.path(), clock);
    let mut watch = Watch::new(feed.read_from(0));
    let boards = ["20077", "1055", "30001"];
    let mut states = Vec::new();
    for board in boards {
        director.register_board(&board.into()).await;
        let state = director.boards().register(&board.into(), mpsc::channel(1).0);
        state.send_modify(|state| state.connected = board != "30001");
        states.push(state);
    }
    let mut look = || {
        watch.look(&mut Alarms::new(), &director, clock.now());
        seating::look(&director, |game| watch.running_moves(game))
    };
    assert_eq!(look().without_table, [], "open play asks nothing");
    let by = || Author::Rule("test".into());
    let settings = SectionSettings::named("Cup");
    director
        .order(by(), None, None, Order::SetSection { section: "cup".into(), settings, confirm: false })
        .await
        .unwrap();
    let text = "Round;Board;White;Black;Result\n1;1;Adler;Bos;\n1;2;Clark;Dee;\n".to_owned();
    let files = vec![PairingFile { name: "round.csv".into(), text, guessed_encoding: None }];
    let load = Order::LoadPairings { section: "cup".into(), files, round: None, confirm: true };
    director.order(by(), None, None, load).await.unwrap();
    let asked = joined(&look().without_table);
    assert!(asked.starts_with("Boards 1055, 20077 are not assigned to tables: their moves are kept"), "{asked}");
    assert!(asked.contains("In the order of serial numbers (table: board): 1: 1055, 2: 20077."), "{asked}");
    let seats = vec![Seat { table: 1, board: Some("20077".into()) }];
    director.order(by(), None, None, Order::SeatBoards { seats }).await.unwrap();
    let asked = joined(&look().without_table);
    assert!(asked.starts_with("Board 1055 is not assigned to a table: "), "{asked}");
    director.order(by(), None, None, Order::AssignBySerial { boards: Vec::new() }).await.unwrap();
    states[2].send_modify(|state| state.connected = true);
    assert_eq!(look().without_table, [], "a spare board that nobody plays on");
}

#[tokio::test]
async fn moves_before_the_round_is_armed_are_an_alarm_that_says_what_to_order() {
    let folder = tempfile::tempdir().unwrap();
    let clock = HallClock::start(1.0);
    let (director, feed) = open(folder.path(), clock);
    let mut watch = Watch::new(feed.read_from(0));
    let by = || Author::Rule("test".into());
    let settings = SectionSettings::named("Cup");
    let text = "Round;Board;White;Black;Result\n1;1;Adler;Bos;\n".to_owned();
    let files = vec![PairingFile { name: "round.csv".into(), text, guessed_encoding: None }];
    let seats = vec![Seat { table: 1, board: Some(BOARD.into()) }];
    for order in [
        Order::SetSection { section: "cup".into(), settings, confirm: false },
        Order::LoadPairings { section: "cup".into(), files, round: None, confirm: true },
        Order::SeatBoards { seats },
    ] {
        director.order(by(), None, None, order).await.unwrap();
    }
    let mut look = async || {
        director.preview(Order::Undo { number: 99 }).await.unwrap_err();
        watch.look(&mut Alarms::new(), &director, clock.now());
        seating::look(&director, |game| watch.running_moves(game)).before_round
    };
    let mut play = begin(&director, clock.now()).await;
    assert_eq!(look().await, [], "the pieces stand ready");
    play(1, "e4", "e2e4");
    let asked = joined(&look().await);
    assert!(asked.starts_with("Moves are played at these tables: 1, but round 1 of cup has not started"), "{asked}");
    director.order(by(), None, None, Order::Publish { section: "cup".into(), round: 1, confirm: false }).await.unwrap();
    let asked = joined(&look().await);
    assert!(asked.contains("games of their tables (1), «Assign to a game»"), "{asked}");
    let claim = Order::Adopt { unassigned: "20077-apart-1".into(), game: "cup-1-1".into(), confirm: false };
    director.order(by(), None, None, claim).await.unwrap();
    assert_eq!(look().await, []);
}

#[tokio::test]
async fn an_acknowledged_alarm_is_acknowledged_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let clock = HallClock::start(1.0);
    let (director, feed) = open_play(folder.path(), clock);
    let mut play = begin(&director, clock.now()).await;
    let knights = [("Nf3", "g1f3"), ("Nf6", "g8f6"), ("Ng1", "f3g1"), ("Ng8", "f6g8")];
    for ((san, uci), ply) in knights.into_iter().cycle().take(8).zip(1..) {
        play(ply, san, uci);
    }
    let mut before = None;
    for restart in [false, true] {
        let (book, mut watch) = (AlarmBook::default(), Watch::new(feed.read_from(0)));
        let mut kept = KeptAlarms::open(folder.path());
        book.alarms().recall(kept.alarms().to_vec());
        next_changes(&mut watch, &book, &director, clock.now());
        let alarm = book.list(arbiter).remove(0);
        if restart {
            assert_eq!(Some((alarm.raised_at, alarm.acknowledged)), before);
        } else {
            let id = serde_json::to_value(alarm.id).unwrap().as_u64().unwrap();
            let noted = book.acknowledge(id, "Ada", clock.now(), arbiter).unwrap();
            before = Some((noted.raised_at, noted.acknowledged));
        }
        let held = book.alarms().to_keep();
        kept.keep(held).await;
        kept.finish().await;
    }
    std::fs::write(folder.path().join("alarms.json"), "[{").unwrap();
    assert!(KeptAlarms::open(folder.path()).alarms().is_empty());
}

#[tokio::test]
async fn alarms_of_tables_with_the_same_number_name_their_sections() {
    let folder = tempfile::tempdir().unwrap();
    let clock = HallClock::start(1.0);
    let (director, feed) = open_play(folder.path(), clock);
    let mut play = begin(&director, clock.now()).await;
    let knights = [("Nf3", "g1f3"), ("Nf6", "g8f6"), ("Ng1", "f3g1"), ("Ng8", "f6g8")];
    for ((san, uci), ply) in knights.into_iter().cycle().take(8).zip(1..) {
        play(ply, san, uci);
    }
    let (book, mut watch) = (AlarmBook::default(), Watch::new(feed.read_from(0)));
    next_changes(&mut watch, &book, &director, clock.now());
    let alone = book.list(arbiter).remove(0);
    assert!(alone.text.starts_with("Table 1: the position stands for the third time"), "{}", alone.text);
    let by = || Author::Operator("Ada".into());
    let cup = Order::SetSection { section: "cup".into(), settings: SectionSettings::named("Cup"), confirm: false };
    let arm = Order::Arm { section: "cup".into(), round: 1, confirm: true };
    for order in [cup, pairings("1;1;Adler;Bos;\n"), arm] {
        director.order(by(), None, None, order).await.unwrap();
    }
    let changes = next_changes(&mut watch, &book, &director, clock.now());
    let [AlarmChange::Changed { alarm }] = &changes[..] else { panic!("{changes:?}") };
    assert!(alarm.text.starts_with("Live games. Table 1: the position"), "{}", alarm.text);
    assert_eq!((alarm.id, &*alarm.sentences[0].code), (alone.id, "alarm_of_section"));
}
