//! Halls over real pseudo-terminals and TCP.

#[path = "support/host.rs"]
mod host;

use std::time::Duration;

use board_sim::{
    Beginning, Clocks, Faults, Games, Hall, HallError, HallOptions, Link, Pace, Style, board::BoardMode,
    hall::PlayedGame, placement, table::Phase,
};
use dgt_protocol::{Command, FrameReader, Message, Mode, Side};
use host::{Host, PATIENCE, address, state};
use notation::pgn::{Game, Outcome};
use shakmaty::{Chess, Color, Position, Square};

fn blitz(link: Link) -> HallOptions {
    HallOptions { boards: 1, speed: 400.0, games: Games::Random, link, ..HallOptions::default() }
}

fn pty(folder: &tempfile::TempDir) -> Link {
    Link::Pty { folder: folder.path().to_owned() }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Greets the board and follows it, as a broadcast program does.
fn follow(address: &str) -> Host {
    let mut host = Host::open(address);
    let version = host.ask(Command::Version, |message| match message {
        Message::Version { main, sub } => Some((*main, *sub)),
        _ => None,
    });
    assert!(version >= (1, 8));
    host.send(Command::UpdateNice);
    host.ask(Command::Board, |message| matches!(message, Message::BoardDump(_)).then_some(()));
    host.ask(Command::Clock, |message| matches!(message, Message::Clock(_)).then_some(()));
    host
}

/// Plays on until the hall is done, then checks that the host knows how the pieces stand: the final position, with both kings
/// in the centre if they show the result.
fn follow_to_the_end(host: &mut Host, hall: &Hall) -> Game {
    host.read_until(|_| state(hall, 0).phase == Phase::Done);
    // The answer comes after all earlier messages.
    serial(host);
    let played = hall.played().pop().expect("one game").game;
    let mut position = Chess::default();
    for ply in played.line() {
        let m = ply.san.san.to_move(&position).expect("a legal move");
        position.play_unchecked(m);
    }
    let mut expected = position.board().clone();
    if !position.is_game_over() {
        let kings: Vec<(Square, Color)> = Square::ALL
            .into_iter()
            .filter_map(|square| {
                let code = host.fields[placement::field(square, false).expect("a field").index()];
                let color = Color::ALL.into_iter().find(|color| code == placement::code(Some(color.king())))?;
                Some((square, color))
            })
            .collect();
        let light = kings.iter().filter(|(square, _)| square.is_light()).count();
        let told = [Outcome::BlackWins, Outcome::Draw, Outcome::WhiteWins][light];
        assert_eq!(told, played.outcome);
        for king in expected.kings() {
            expected.discard_piece_at(king);
        }
        for (square, color) in kings {
            expected.set_piece_at(square, color.king());
        }
    }
    for square in Square::ALL {
        let field = placement::field(square, false).expect("a field");
        let code = placement::code(expected.piece_at(square));
        assert_eq!(host.fields[field.index()], code, "{square}");
    }
    played
}

fn serial(host: &mut Host) -> String {
    host.ask(Command::Serial, |message| match message {
        Message::Serial(serial) => Some(serial.to_string()),
        _ => None,
    })
}

#[test]
fn a_host_on_a_pseudo_terminal_sees_the_whole_game_and_every_clock_time() {
    let folder = folder();
    let hall = Hall::new(blitz(pty(&folder))).expect("a hall");
    let mut host = follow(&address(&hall, 0));
    assert_eq!(serial(&mut host), "10001");
    hall.start();
    let played = follow_to_the_end(&mut host, &hall);
    let clocks: Vec<(Side, u32)> = played
        .line()
        .enumerate()
        .map(|(ply, played)| {
            let side = if ply % 2 == 0 { Side::Left } else { Side::Right };
            (side, (played.times().clk_ms.expect("all pressed") / 1_000) as u32)
        })
        .collect();
    assert_eq!(host.presses, clocks);
    assert_eq!(state(&hall, 0).host_commands.forbidden, []);
    let schedule = hall.schedule();
    assert_eq!(schedule[0].games[0].get("White"), played.tags.get("White"));
}

#[test]
fn a_host_on_tcp_may_leave_and_another_one_come() {
    let hall = Hall::new(blitz(Link::Tcp)).expect("a hall");
    let address = address(&hall, 0);
    let first = follow(&address);
    drop(first);
    assert!(hall.wait_until(PATIENCE, |hall| !state(hall, 0).host));
    let mut second = follow(&address);
    hall.start();
    follow_to_the_end(&mut second, &hall);
}

#[test]
fn every_host_gets_a_fresh_pseudo_terminal_under_the_same_name() {
    let folder = folder();
    let hall = Hall::new(blitz(pty(&folder))).expect("a hall");
    let address = address(&hall, 0);
    for _ in 0..3 {
        let device = std::fs::read_link(&address).expect("a link");
        let mut host = follow(&address);
        // Gone in the middle of a bus command.
        host.send_bytes(&[0x87, 0]);
        drop(host);
        let renewed = |_: &Hall| std::fs::read_link(&address).is_ok_and(|now| now != device);
        assert!(hall.wait_until(PATIENCE, |hall| !state(hall, 0).host && renewed(hall)));
    }
    let mut host = follow(&address);
    hall.start();
    follow_to_the_end(&mut host, &hall);
}

#[test]
fn nobody_moves_before_a_host_follows_the_board() {
    let hall = Hall::new(blitz(Link::Tcp)).expect("a hall");
    hall.start();
    let mut host = Host::open(&address(&hall, 0));
    for _ in 0..20 {
        serial(&mut host);
        host.ask(Command::Board, |message| matches!(message, Message::BoardDump(_)).then_some(()));
        assert_eq!((state(&hall, 0).phase, state(&hall, 0).plies), (Phase::Ready, 0));
    }
    host.send(Command::UpdateNice);
    assert!(hall.wait_until(PATIENCE, |hall| state(hall, 0).phase == Phase::Playing));
}

#[test]
fn a_board_pulled_out_comes_back_under_another_name_with_what_was_played_meanwhile() {
    let folder = folder();
    let hall = Hall::new(blitz(pty(&folder))).expect("a hall");
    let old_address = address(&hall, 0);
    let mut host = follow(&old_address);
    hall.start();
    host.read_until(|_| state(&hall, 0).plies >= 6);
    hall.unplug(0).expect("it is plugged in");
    while host.read() {}
    assert!(!std::path::Path::new(&old_address).exists());
    assert!(hall.wait_until(PATIENCE, |hall| state(hall, 0).plies >= 12));
    hall.plug(0, Some("ttySIM7")).expect("a port");
    let new_address = address(&hall, 0);
    assert_eq!(new_address, folder.path().join("ttySIM7").display().to_string());
    assert_eq!(state(&hall, 0).mode, BoardMode::Bus);
    let mut host = follow(&new_address);
    follow_to_the_end(&mut host, &hall);
}

#[test]
fn a_board_that_lost_its_power_is_silent_until_it_is_armed_again() {
    let hall = Hall::new(blitz(Link::Tcp)).expect("a hall");
    let mut host = follow(&address(&hall, 0));
    hall.start();
    host.read_until(|_| state(&hall, 0).plies >= 6);
    hall.power_cycle(0).expect("there is a board 0");
    assert_eq!(state(&hall, 0).mode, BoardMode::Bus);
    serial(&mut host);
    let before = host.messages.len();
    assert!(hall.wait_until(PATIENCE, |hall| state(hall, 0).plies >= 12));
    serial(&mut host);
    assert_eq!(host.messages.len(), before + 1, "only the answer to the question");
    host.send(Command::UpdateNice);
    host.ask(Command::Board, |message| matches!(message, Message::BoardDump(_)).then_some(()));
    follow_to_the_end(&mut host, &hall);
}

#[test]
fn a_paused_table_plays_on_where_it_stood() {
    let hall = Hall::new(blitz(Link::Tcp)).expect("a hall");
    let mut host = follow(&address(&hall, 0));
    hall.start();
    host.read_until(|_| state(&hall, 0).plies >= 6);
    hall.pause(0).expect("there is a board 0");
    let plies = state(&hall, 0).plies;
    for _ in 0..10 {
        serial(&mut host);
    }
    assert_eq!(state(&hall, 0).plies, plies);
    hall.resume(0).expect("there is a board 0");
    follow_to_the_end(&mut host, &hall);
}

#[test]
fn faults_reach_the_host_but_never_the_players() {
    let folder = folder();
    let options =
        |faults| HallOptions { style: Style::Human, faults, beginning: Beginning::Regardless, ..blitz(pty(&folder)) };
    let hall = Hall::new(options(Faults::None)).expect("a hall");
    hall.start();
    assert!(hall.wait_until_done(PATIENCE));
    let played = hall.played();
    drop(hall);

    let hall = Hall::new(options(Faults::Many)).expect("a hall");
    hall.start();
    let mut damage = 0;
    while state(&hall, 0).phase != Phase::Done {
        // The port may vanish at any moment and come back.
        damage += state(&hall, 0).address.map_or(0, |address| listen_to_damage(&address));
    }
    assert!(damage > 0);
    assert_eq!(hall.played(), played);
}

/// Arms the board and listens until the line is gone or something was damaged on it. Gives the number of bytes dropped.
fn listen_to_damage(address: &str) -> u64 {
    let Ok(mut port) = serialport::new(address, 9_600).timeout(Duration::from_millis(100)).open() else {
        return 0;
    };
    let mut reader = FrameReader::new(Mode::Single);
    let mut buffer = [0; 1_024];
    while port.write_all(&Command::UpdateNice.encode()).is_ok() {
        let Ok(length) = port.read(&mut buffer) else {
            break;
        };
        let mut input = &buffer[..length];
        while reader.next_frame(&mut input).is_some() {}
        if reader.dropped() > 0 {
            break;
        }
    }
    reader.dropped()
}

#[test]
fn rounds_follow_one_another_and_everything_is_cleaned_away() {
    let folder = folder();
    let mut hall = Hall::new(HallOptions {
        boards: 4,
        rounds_per_board: 2,
        speed: 2_000.0,
        rotated: true,
        clocks: Clocks::Some,
        beginning: Beginning::Regardless,
        ..blitz(pty(&folder))
    })
    .expect("a hall");
    let ports = hall.ports();
    let serials: Vec<&str> = ports.iter().map(|port| port.serial.as_str()).collect();
    assert_eq!(serials, ["10001", "10002", "10003", "10004"]);
    hall.start();
    assert!(hall.wait_until_done(PATIENCE));
    let played = hall.played();
    let scheduled: Vec<_> = hall
        .schedule()
        .iter()
        .flat_map(|schedule| schedule.games.iter().map(|tags| (schedule.serial.clone(), tags.clone())))
        .collect();
    let told: Vec<_> = played.iter().map(|played| (played.serial.clone(), played.game.tags.clone())).collect();
    assert_eq!(told, scheduled);
    let timed = |played: &&PlayedGame| played.game.line().all(|ply| ply.times().clk_ms.is_some());
    let with_clock = played.iter().filter(timed).count();
    assert!(with_clock > 0 && with_clock < played.len(), "some boards have a clock");
    hall.stop();
    let left = std::fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(left, 0, "no link is left behind");
    assert!(matches!(hall.pause(0), Err(HallError::Stopped)));
    assert!(matches!(hall.pause(9), Err(HallError::NoBoard(9))));
}

#[test]
fn what_cannot_be_is_refused_in_one_sentence() {
    let refused = |options: HallOptions| Hall::new(options).expect_err("refused").to_string();
    let none = HallOptions { boards: 0, ..HallOptions::default() };
    assert_eq!(refused(none), "a hall needs 1 to 2000 boards, 1 to 1000 rounds and a speed of 0.01 to 10000");
    let nowhere = HallOptions { link: Link::Pty { folder: "/proc/nowhere".into() }, ..HallOptions::default() };
    assert!(refused(nowhere).contains("/proc/nowhere/ttySIM0"));
}

#[test]
fn a_hall_of_two_hands_and_mixed_troubles_plays_the_same_games_to_their_ends_each_time() {
    let play = |pace| {
        let hall = Hall::new(HallOptions {
            boards: 6,
            speed: 10_000.0,
            pace,
            mixed: true,
            style: Style::Human,
            games: Games::Random,
            beginning: Beginning::Regardless,
            ..HallOptions::default()
        });
        let hall = hall.expect("a hall");
        hall.start();
        assert!(hall.wait_until_done(PATIENCE), "{pace:?}: all tables come to an end");
        hall.played()
    };
    for pace in [Pace::Quick, Pace::Scramble] {
        let played = play(pace);
        assert_eq!(played.len(), 6);
        assert!(played == play(pace), "{pace:?}: the seed decides the games and their clock times");
    }
}
