//! A hall rehearsed: simulated boards on pseudo-terminals, and the settings of a daemon that finds and pairs them.
//!
//! Knows the simulator and what the daemon must be told. Nothing below it knows that boards can be simulated.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use board_sim::hall::Schedule;
use board_sim::{Hall, HallOptions, Link};
use notation::pgn::Tags;

use crate::app::Settings;
use crate::hall_clock::HallClock;
use crate::tournament::{EventInfo, Round, Tournament, serial_order};
use crate::transport::candidates::{PortPattern, Scope};
use crate::transport::capture_space::Limit;

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
    let clock = HallClock::start(speed);
    let settings = Settings {
        clock,
        data: folder.join("data"),
        scope: Scope {
            machine: false,
            allowed: vec![PortPattern::Paths(ports.join("*").to_string_lossy().into_owned())],
        },
        look_around: LOOK_AROUND,
        capture_space: Limit::default(),
        tournament: tournament(&hall, rounds, clock),
    };
    Ok(Rehearsal { hall, settings })
}

/// The hall's own pairings: the first board in the order of serial numbers is table 1.
fn tournament(hall: &Hall, rounds: usize, clock: HallClock) -> Tournament {
    let mut boards: Vec<_> = hall.schedule().iter().collect();
    boards.sort_by_key(|board| serial_order(&board.serial));
    let rounds = (0..rounds)
        .map(|round| Round { number: round as u32 + 1, games: boards.iter().map(|board| tags(board, round)).collect() })
        .collect::<Vec<_>>();
    let event = EventInfo::new(Some("Rehearsal".into()), Some("Simulated hall".into()), None, &rounds);
    let tournament = Tournament::new(event, rounds, clock.now());
    for board in boards {
        tournament.seat(&board.serial);
    }
    tournament
}

fn tags(board: &Schedule, round: usize) -> BTreeMap<String, String> {
    let tags = board.games.get(round).into_iter().flat_map(Tags::iter);
    tags.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
