//! `boardcast demo`: a hall of simulated boards.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use anyhow::Context;
use board_sim::{Beginning, Faults, Games, HallOptions, Pace, Style};
use clap::ValueEnum;
use tokio_util::sync::CancellationToken;

use super::output::{self, counted};
use crate::app;
use crate::config::{DEFAULT_LISTEN, address_with_port, tls_settings};
use crate::demo::{Rehearsal, rehearse};
use crate::network::{here, network_address};
use crate::supervisor::stop_on_signals;
use notation_commands::Done;
use tournament::Delay;

/// Games that each board plays.
const ROUNDS: usize = 9;

/// Run a hall of simulated boards that play real games
///
/// The boards are pseudo-terminals of this machine and go through the same code as real boards; real boards are not used.
/// Data is in a temporary folder that is removed at the end. Ctrl-C ends the demo.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Number of boards
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    boards: u16,
    /// Speed: seconds in the hall for each real second; moves, clocks and pages follow it
    #[arg(long, value_name = "X", default_value_t = 4.0, value_parser = speed)]
    speed: f64,
    /// Seed of the simulation's random numbers; the same seed gives the same games
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Faults on the lines: lost, damaged and doubled messages, pulled cables
    #[arg(long, value_enum, default_value_t = FaultLevel::None)]
    faults: FaultLevel,
    /// Boards on each line, in bus mode as behind one RS-232 cable; without it each board has a port of its own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=60))]
    bus: Option<u16>,
    /// How the hands of the two players follow each other; all but in-turn have boards and clocks of different models
    #[arg(long, value_enum, default_value_t = PlayPace::InTurn)]
    pace: PlayPace,
    /// What goes wrong at the tables
    #[arg(long, value_enum, default_value_t = TroubleLevel::None)]
    troubles: TroubleLevel,
    /// By how much the public sees the games later, in time of the hall: seconds, or like '15 min'; `until_over` for nothing of
    /// a game before it is over
    #[arg(long, value_name = "DELAY")]
    delay: Option<Delay>,
    /// An engine that evaluates games for the public page, any program that speaks UCI; needs a delay of at least 15 minutes
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<PathBuf>,
    /// Address and port of the pages
    #[arg(long, value_name = "ADDR", default_value_t = DEFAULT_LISTEN, value_parser = address_with_port)]
    listen: SocketAddr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FaultLevel {
    None,
    Some,
    Many,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TroubleLevel {
    /// Nothing
    None,
    /// Each table has three troubles of players and two defects of board and line, chosen by chance
    Mixed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PlayPace {
    /// One hand after the other
    InTurn,
    /// Two independent hands, now and then a reply at once
    Unhurried,
    /// One ply in five follows within a quarter of a second
    Quick,
    /// The last 20 to 60 plies are played with less than 20 seconds left
    Scramble,
    /// Every other ply follows within a quarter of a second
    Storm,
    /// Two independent hands of another model, a random process
    Stochastic,
}

fn speed(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(speed) if (0.1..=1000.0).contains(&speed) => Ok(speed),
        _ => Err("the speed is a number from 0.1 to 1000".into()),
    }
}

/// Where the hall can be opened: on this machine, and from its network where the demo listens to all.
fn addresses(listening: SocketAddr, network: Option<IpAddr>) -> String {
    let page = here(listening);
    let network = network.filter(|_| listening.ip().is_unspecified());
    let network = network
        .map(|ip| format!("Page for others in the network: http://{}/\n", SocketAddr::new(ip, listening.port())));
    format!(
        "Page:  http://{page}/\n\
         PGN:   http://{page}/live.pgn\n\
         Dashboard of the organiser: http://{page}/admin (the link below makes the first administrator)\n{}",
        network.unwrap_or_default()
    )
}

pub(super) async fn run(args: Args) -> anyhow::Result<Done> {
    let listener = app::listen(args.listen).await?;
    let folder = tempfile::Builder::new()
        .prefix("boardcast-demo-")
        .tempdir()
        .context("a temporary folder cannot be created: check space and permissions of the folder in TMPDIR")?;
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..1_000_000));
    let options = HallOptions {
        boards: args.boards.into(),
        speed: args.speed,
        bus: args.bus.unwrap_or_default().into(),
        seed,
        style: Style::Human,
        pace: match args.pace {
            PlayPace::InTurn => Pace::InTurn,
            PlayPace::Unhurried => Pace::Unhurried,
            PlayPace::Quick => Pace::Quick,
            PlayPace::Scramble => Pace::Scramble,
            PlayPace::Storm => Pace::Storm,
            PlayPace::Stochastic => Pace::Stochastic,
        },
        mixed: args.troubles == TroubleLevel::Mixed,
        faults: match args.faults {
            FaultLevel::None => Faults::None,
            FaultLevel::Some => Faults::Some,
            FaultLevel::Many => Faults::Many,
        },
        games: Games::Masters,
        rounds_per_board: ROUNDS,
        rotated: true,
        beginning: Beginning::RoundByRound,
        ..HallOptions::default()
    };
    let Rehearsal { mut hall, mut settings } = rehearse(options, folder.path())?;
    settings.tls = tls_settings(args.listen, None, None);
    settings.initial.settings.delay = args.delay;
    settings.engine = args.engine.map(evaluations::Settings::of);
    let address = listener.local_addr()?;
    output::print(&format!(
        "{}, {} times as fast as real time, seed {seed}.\n{}Ctrl-C ends.\n",
        counted(args.boards.into(), "simulated board"),
        args.speed,
        addresses(address, network_address())
    ))?;
    let stop = CancellationToken::new();
    stop_on_signals(&stop)?;
    hall.start();
    let ended = app::run(settings, listener, stop).await;
    hall.stop();
    ended.map(|()| Done::Fully)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_addresses_that_are_printed_can_be_opened() {
        let network = "192.168.1.7".parse().ok();
        let all = addresses("0.0.0.0:8080".parse().unwrap(), network);
        assert!(all.contains("Page:  http://127.0.0.1:8080/\n"), "{all}");
        assert!(all.contains("network: http://192.168.1.7:8080/\n") && !all.contains("0.0.0.0"), "{all}");
        let alone = addresses("127.0.0.1:8080".parse().unwrap(), network);
        assert!(alone.contains("PGN:   http://127.0.0.1:8080/live.pgn\n") && !alone.contains("192.168"), "{alone}");
        let unconnected = addresses("[::]:8080".parse().unwrap(), None);
        assert!(
            unconnected.contains("Page:  http://[::1]:8080/\n") && !unconnected.contains("network"),
            "{unconnected}"
        );
    }
}
