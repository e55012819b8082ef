//! `board-sim`: a hall of simulated boards on pseudo-terminals or TCP ports, to try a program that reads boards.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::Context;
use board_sim::{Beginning, Faults, Games, Hall, HallOptions, Link, Pace, Style};
use clap::{Parser, ValueEnum};
use notation::pgn::Game;

/// Simulates electronic chess boards that play games over pseudo-terminals or TCP. Stop it with Ctrl-C.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// Number of boards, 1 to 2000.
    #[arg(long, default_value_t = 8)]
    boards: usize,
    /// Kind of port that a host program opens.
    #[arg(long, value_enum, default_value_t = LinkKind::Pty)]
    link: LinkKind,
    /// Folder for the links to the pseudo-terminals; created if missing.
    #[arg(long, default_value = "sim-ports")]
    folder: PathBuf,
    /// Boards on each line, in bus mode; 0 gives each board a port of its own.
    #[arg(long, value_name = "N", default_value_t = 0)]
    bus: usize,
    /// Serial number of the first board; two halls side by side need different ones.
    #[arg(long, value_name = "N", default_value_t = 10_001)]
    first_serial: u32,
    /// Speed of play: simulated seconds in one real second, 0.01 to 10000.
    #[arg(long, default_value_t = 10.0)]
    speed: f64,
    /// Seed of everything random; the same seed gives the same games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How the players move their pieces.
    #[arg(long, value_enum, default_value_t = StyleKind::Clean)]
    style: StyleKind,
    /// How the hands of the two players follow each other.
    #[arg(long, value_enum, default_value_t = PaceKind::InTurn)]
    pace: PaceKind,
    /// What goes wrong at the tables.
    #[arg(long, value_enum, default_value_t = TroubleLevel::None)]
    troubles: TroubleLevel,
    /// How often messages are lost or damaged and cables pulled.
    #[arg(long, value_enum, default_value_t = FaultsKind::None)]
    faults: FaultsKind,
    /// Play the games of this file instead of master games.
    #[arg(long, value_name = "FILE.pgn", conflicts_with = "random")]
    games: Option<PathBuf>,
    /// Play random games instead of master games.
    #[arg(long)]
    random: bool,
    /// Number of games on each board, one after another.
    #[arg(long, default_value_t = 1)]
    rounds: usize,
    /// Turn one board in three by 180 degrees.
    #[arg(long)]
    rotated: bool,
    /// Start the games at once, without waiting for a host program.
    #[arg(long)]
    regardless: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LinkKind {
    /// Pseudo-terminals.
    Pty,
    /// TCP ports of this machine.
    Tcp,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StyleKind {
    /// Lift and place, no detours.
    Clean,
    /// Also slides, second thoughts and adjusted pieces.
    Human,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PaceKind {
    /// One hand after the other; the clock is pressed when the board has seen the move.
    InTurn,
    /// Two independent hands, now and then a reply at once; boards and clocks of different models.
    Unhurried,
    /// Two independent hands, and one ply in five follows within a quarter of a second.
    Quick,
    /// Two independent hands, and the last 20 to 60 plies are played with less than 20 seconds left.
    Scramble,
    /// Two independent hands, and every other ply of the whole game follows within a quarter of a second.
    Storm,
    /// Two independent hands of another model, a random process.
    Stochastic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TroubleLevel {
    /// Nothing.
    None,
    /// Each table has three troubles of players and two defects of board and line, chosen by chance.
    Mixed,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FaultsKind {
    /// Never.
    None,
    /// Now and then, as with a bad cable.
    Some,
    /// Very often.
    Many,
}

fn main() -> ExitCode {
    let Err(error) = run(Arguments::parse());
    eprintln!("board-sim: {error:#}");
    ExitCode::FAILURE
}

/// Runs the hall until the process is interrupted.
fn run(arguments: Arguments) -> anyhow::Result<Infallible> {
    let seed = arguments.seed;
    let hall = Hall::new(options(arguments)?)?;
    println!("seed {seed}");
    for port in hall.ports() {
        println!("{} {}", port.serial, port.address.unwrap_or_default());
    }
    hall.start();
    let mut printed: BTreeMap<String, usize> = BTreeMap::new();
    loop {
        let before: usize = printed.values().sum();
        hall.wait_until(Duration::from_mins(1), |hall| hall.played().len() > before);
        let mut games: BTreeMap<String, Vec<Game>> = BTreeMap::new();
        for played in hall.played() {
            games.entry(played.serial).or_default().push(played.game);
        }
        for (serial, games) in games {
            for game in games.iter().skip(printed.insert(serial.clone(), games.len()).unwrap_or_default()) {
                let name = |tag| game.tags.get(tag).unwrap_or("?");
                println!("{serial} {} - {} {}", name("White"), name("Black"), game.outcome.as_str());
            }
        }
        let boards = hall.boards();
        let finished: usize = boards.iter().map(|board| board.games_finished).sum();
        let plies: u64 = boards.iter().map(|board| board.plies).sum();
        println!("{finished} games finished, {plies} plies played");
    }
}

/// The text of a PGN file of at most 64 MiB.
fn read_pgn(path: &Path) -> io::Result<String> {
    const LARGEST: u64 = 64 * 1024 * 1024;
    let mut text = String::new();
    fs::File::open(path)?.take(LARGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST {
        return Err(io::Error::other("it is larger than 64 MiB"));
    }
    Ok(text)
}

fn options(arguments: Arguments) -> anyhow::Result<HallOptions> {
    let games = match arguments.games {
        Some(path) => {
            let text = read_pgn(&path)
                .with_context(|| format!("{} cannot be read; name a readable PGN file", path.display()))?;
            Games::from_pgn(&text).with_context(|| format!("{} cannot be played", path.display()))?
        }
        None if arguments.random => Games::Random,
        None => Games::Masters,
    };
    Ok(HallOptions {
        boards: arguments.boards,
        bus: arguments.bus,
        speed: arguments.speed,
        seed: arguments.seed,
        style: match arguments.style {
            StyleKind::Clean => Style::Clean,
            StyleKind::Human => Style::Human,
        },
        pace: match arguments.pace {
            PaceKind::InTurn => Pace::InTurn,
            PaceKind::Unhurried => Pace::Unhurried,
            PaceKind::Quick => Pace::Quick,
            PaceKind::Scramble => Pace::Scramble,
            PaceKind::Storm => Pace::Storm,
            PaceKind::Stochastic => Pace::Stochastic,
        },
        mixed: arguments.troubles == TroubleLevel::Mixed,
        faults: match arguments.faults {
            FaultsKind::None => Faults::None,
            FaultsKind::Some => Faults::Some,
            FaultsKind::Many => Faults::Many,
        },
        link: match arguments.link {
            LinkKind::Pty => Link::Pty { folder: arguments.folder },
            LinkKind::Tcp => Link::Tcp,
        },
        games,
        rounds_per_board: arguments.rounds,
        first_serial: arguments.first_serial,
        rotated: arguments.rotated,
        beginning: if arguments.regardless { Beginning::Regardless } else { Beginning::WhenFollowed },
        ..HallOptions::default()
    })
}
