//! Halls over real pseudo-terminals and TCP.

mod common;

use board_sim::{Faults, Games, Hall, HallOptions, Link, Style, board::BoardMode, station::Phase};
use common::{Host, PATIENCE, address, state};
use dgt_protocol::{Command, Fields, Message, PieceCode, Side};
use notation::pgn::Outcome;
use shakmaty::{Chess, Color, Position, Square, san::SanPlus};

fn blitz(link: Link) -> HallOptions {
    HallOptions {
        boards: 1,
        speed: 200.0,
        games: Games::Random,
        link,
        ..HallOptions::default()
    }
}

fn pty(folder: &tempfile::TempDir) -> Link {
    Link::Pty {
        folder: folder.path().to_owned(),
    }
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
    host.say(Command::UpdateNice);
    host.ask(Command::Board, |message| {
        matches!(message, Message::BoardDump(_)).then_some(())
    });
    host.ask(Command::Clock, |message| {
        matches!(message, Message::Clock(_)).then_some(())
    });
    host
}

/// The pieces after a game, as an unrotated board dumps them.
fn final_fields(game: &notation::pgn::Game) -> Fields {
    let mut position = Chess::default();
    for ply in &game.line {
        let san = SanPlus::from_ascii(ply.san.as_bytes()).expect("SAN");
        let m = san.san.to_move(&position).expect("a legal move");
        position.play_unchecked(m);
    }
    let mut fields = [PieceCode::Empty; 64];
    for (square, piece) in position.board().clone() {
        let field = board_sim::placement::field(square, false).expect("a field");
        fields[field.index()] = board_sim::placement::code(Some(piece));
    }
    fields
}

#[test]
fn a_host_on_a_pseudo_terminal_sees_the_whole_game_and_every_clock_time() {
    let folder = folder();
    let hall = Hall::new(blitz(pty(&folder))).expect("a hall");
    let mut host = follow(&address(&hall, 0));
    assert_eq!(
        host.ask(Command::Serial, |message| match message {
            Message::Serial(serial) => Some(serial.to_string()),
            _ => None,
        }),
        "10001"
    );
    hall.start();
    host.hear_until(|_| state(&hall, 0).phase == Phase::Done);

    let played = hall.played().pop().expect("one game").game;
    let mut expected = final_fields(&played);
    let kings = [PieceCode::WhiteKing, PieceCode::BlackKing];
    let centre: Vec<Square> = Square::ALL
        .into_iter()
        .filter(|&square| {
            let field = board_sim::placement::field(square, false).expect("a field");
            kings.contains(&host.fields[field.index()])
        })
        .collect();
    let light = centre.iter().filter(|square| square.is_light()).count();
    // The first random game ends by agreement, so the kings show the result.
    let told = [Outcome::BlackWins, Outcome::Draw, Outcome::WhiteWins][light];
    assert_eq!(told, played.outcome);
    for (field, piece) in expected.iter_mut().enumerate() {
        if kings.contains(piece) || kings.contains(&host.fields[field]) {
            *piece = host.fields[field];
        }
    }
    assert_eq!(host.fields, expected);

    let clocks: Vec<(Side, u32)> = played
        .line
        .iter()
        .enumerate()
        .map(|(ply, played)| {
            let side = if ply % 2 == 0 {
                Side::Left
            } else {
                Side::Right
            };
            (side, (played.clk_ms.expect("all pressed") / 1_000) as u32)
        })
        .collect();
    assert_eq!(host.presses, clocks);
    assert_eq!(state(&hall, 0).heard.forbidden, []);
    let schedule = hall.schedule();
    assert_eq!(schedule[0].games[0].get("White"), played.tags.get("White"));
}
