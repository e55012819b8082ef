//! A hall rehearsed: simulated boards on pseudo-terminals, and the settings of a daemon that finds and pairs them.
//!
//! Knows the simulator and what the daemon must be told. Nothing below it knows that boards can be simulated.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use board_sim::hall::Schedule;
use board_sim::{Hall, HallOptions, Link};
use notation::pgn::{Game, write_game};

use crate::alarms::messages::Messages;
use crate::app::Settings;
use crate::director::initial::InitialTournament;
use crate::listeners::Serving;
use crate::time_offer::TimeOffers;
use crate::transport::candidates::{PortPattern, Scope};
use crate::transport::capture_space::Limit;
use hall_clock::HallClock;
use tournament::{PairingFile, Seat, SectionSettings, serial_order};

/// How often discovery looks around: in a rehearsal boards come and go more often than in a hall.
const LOOK_AROUND: Duration = Duration::from_millis(100);

/// A hall that waits for its start, and the daemon's settings for it.
pub struct Rehearsal {
    /// The boards, not started yet.
    pub hall: Hall,
    /// What the daemon is told. Real ports are left alone.
    pub settings: Settings,
}

/// Prepares a hall whose ports and data are in `folder`; the link of the options is replaced.
///
/// # Errors
/// When the folder cannot be written or the hall cannot be furnished.
pub fn rehearse(options: HallOptions, folder: &Path) -> anyhow::Result<Rehearsal> {
    let ports = folder.join("ports");
    std::fs::create_dir(&ports).with_context(|| format!("{} cannot be made", ports.display()))?;
    let (speed, rounds) = (options.speed, options.rounds_per_board);
    let hall = Hall::new(HallOptions { link: Link::Pty { folder: ports.clone() }, ..options })?;
    let initial = initial(&hall, rounds);
    let settings = Settings {
        clock: HallClock::start(speed),
        data: folder.join("data"),
        scope: Scope {
            machine: false,
            allowed: vec![PortPattern::Paths(ports.join("*").to_string_lossy().into_owned())],
            ..Scope::default()
        },
        look_around: LOOK_AROUND,
        public_url: None,
        capture_space: Limit::default(),
        initial,
        // Its boards are assigned by an order: the demo knows where each stands.
        assign_by_serial: None,
        pairings_folder: folder.join("pairings"),
        alarm_hook: None,
        outputs: Vec::new(),
        engine: None,
        messages: Messages::default(),
        tls: None,
        eboard: None,
        serving: Serving::default(),
        // Its time is its own, and runs at its own speed.
        time: TimeOffers::none(),
        accounts: None,
        rehearsal: None,
    };
    Ok(Rehearsal { hall, settings })
}

/// The hall's own pairings: the first board in the order of serial numbers is table 1.
fn initial(hall: &Hall, rounds: usize) -> InitialTournament {
    let mut boards: Vec<_> = hall.schedule().iter().collect();
    boards.sort_by_key(|board| serial_order(&board.serial));
    let settings =
        SectionSettings { site: "Simulated hall".into(), auto_publish: true, ..SectionSettings::named("Rehearsal") };
    let seats = (1..).zip(&boards).map(|(table, board)| Seat { table, board: Some(board.serial.clone()) }).collect();
    let mut text = String::new();
    for (round, number) in (0..rounds).zip(1..) {
        for (board, table) in boards.iter().zip(1..) {
            text += &pairing(board, round, &format!("{number}.{table}"));
        }
    }
    let file = PairingFile { name: "pairings.pgn".into(), text, guessed_encoding: None };
    InitialTournament { slug: "rehearsal".into(), settings, seats, files: vec![file] }
}

/// A game of the schedule as a pairing: its tags without the result.
fn pairing(board: &Schedule, round: usize, place: &str) -> String {
    let mut tags = board.games.get(round).cloned().unwrap_or_default();
    tags.set("Round", place);
    tags.set("Result", "*");
    write_game(&Game { tags, ..Game::default() })
}
