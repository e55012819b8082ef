//! Blitz goes on while the daemon is killed: boards that keep a log lose nothing, the others mark what nobody saw.

use std::collections::BTreeSet;
use std::ops::Range;
use std::thread;
use std::time::Duration;

use board_sim::{Games, Hall, HallOptions, Link, OwnLog, Pace};
use tournament::serial_order;

use crate::hall::{lines, told_lines};
use crate::process::{PATIENCE, Recipe, in_time};

const BOARDS: usize = 16;
const PLIES: usize = 80;

/// How a hall plays, and how the daemon is killed meanwhile.
struct Campaign {
    own_log: OwnLog,
    /// In the form of PGN.
    control: &'static str,
    /// How long the daemon lives, in ms.
    lives_ms: Range<u64>,
    /// How long nobody starts it, in ms.
    away_ms: Range<u64>,
}

/// Every game in which something else is told than was played.
struct Differing {
    id: String,
    played: Vec<String>,
    told: Vec<String>,
    /// The record says that moves went unseen.
    marked: bool,
}

impl Differing {
    /// How many plies are told rightly from the first one on.
    fn rightly(&self) -> usize {
        self.played.iter().zip(&self.told).take_while(|(one, other)| one == other).count()
    }
}

/// The openings of master games as blitz, agreed drawn.
fn blitz_games(control: &str) -> Games {
    let mut games = board_sim::games::shipped().unwrap();
    for game in &mut games {
        game.tags.set("TimeControl", control);
        let opening: Vec<_> = game.line().take(PLIES).map(|ply| ply.san).collect();
        game.movetext.clear();
        for san in opening {
            game.play(san, notation::time::Times::default());
        }
        game.outcome = notation::pgn::Outcome::Draw;
        game.tags.set("Result", "1/2-1/2");
    }
    Games::Pgn(games)
}

impl Campaign {
    /// Plays a hall to its end, and says what is not told as it was played. The environment has the seed and the number of kills.
    fn run(&self) -> Vec<Differing> {
        let number = |name, otherwise| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise);
        let differing = self.killed(number("BOARDCAST_SEED", 1), number("BOARDCAST_KILLS", 20));
        for game in &differing {
            let Differing { id, played, told, marked } = game;
            println!(
                "{id}: {} of {} plies told, the first {} rightly, {}\n  played {played:?}\n  told {told:?}",
                told.len(),
                played.len(),
                game.rightly(),
                if *marked { "marked as a gap" } else { "nothing marked" }
            );
        }
        println!("{} of {BOARDS} games are told as they were played", BOARDS - differing.len());
        differing
    }

    fn killed(&self, seed: u64, kills: u64) -> Vec<Differing> {
        let mut folder = tempfile::tempdir().unwrap();
        folder.disable_cleanup(std::env::var_os("BOARDCAST_KEEP").is_some());
        println!("seed {seed} in {}", folder.path().display());
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut hall = Hall::new(HallOptions {
            boards: BOARDS,
            speed: 1.0,
            seed,
            pace: Pace::Unhurried,
            link: Link::Pty { folder: folder.path().join("ports") },
            games: blitz_games(self.control),
            rotated: true,
            own_log: self.own_log,
            ..HallOptions::default()
        })
        .unwrap();
        std::fs::write(folder.path().join("pairings.pgn"), self.pairings(&hall)).unwrap();
        let recipe = Recipe::new(folder.path());
        let mut daemon = recipe.start();
        recipe.wait_until_ready();
        hall.start();
        let begun = hall.wait_until(PATIENCE, |hall| hall.boards().iter().all(|board| board.plies > 0));
        assert!(begun, "play does not begin");
        for kill in 1..=kills {
            thread::sleep(Duration::from_millis(rng.u64(self.lives_ms.clone())));
            daemon.kill();
            let plies: u64 = hall.boards().iter().map(|board| board.plies).sum();
            println!("kill {kill} after {plies} plies");
            thread::sleep(Duration::from_millis(rng.u64(self.away_ms.clone())));
            daemon = recipe.start();
            recipe.wait_until_ready();
        }
        assert!(hall.wait_until_done(PATIENCE * 8), "the hall does not come to an end");
        let played = lines(&hall.played());
        // A result on the board is public half a minute after it was shown.
        in_time(|| told_lines(&recipe) == played);
        let (told, marked) = (told_lines(&recipe), marked(&recipe));
        let boards = hall.boards();
        assert!(boards.iter().all(|board| board.host_commands.forbidden.is_empty()), "a forbidden command was sent");
        hall.stop();
        let game = |(id, played): (String, Vec<String>)| {
            let told = told.get(&id).cloned().unwrap_or_default();
            Differing { marked: marked.contains(&id), id, played, told }
        };
        played.into_iter().map(game).filter(|game| game.played != game.told).collect()
    }

    fn pairings(&self, hall: &Hall) -> String {
        let mut boards: Vec<_> = hall.schedule().iter().collect();
        boards.sort_by_key(|board| serial_order(&board.serial));
        let pairing = |tags: &notation::pgn::Tags| {
            let tag = |name| tags.get(name).unwrap_or("?");
            format!(
                "[Event \"Crash\"]\n[Round \"1\"]\n[White \"{}\"]\n[Black \"{}\"]\n[TimeControl \"{}\"]\n\n*\n\n",
                tag("White"),
                tag("Black"),
                self.control
            )
        };
        boards.iter().map(|board| pairing(&board.games[0])).collect()
    }
}

/// The games whose record says that moves went unseen, in its middle or at its end.
fn marked(recipe: &Recipe) -> BTreeSet<String> {
    let text = recipe.get("/pgn/crash/all.pgn").unwrap_or_default();
    // PGN breaks lines anywhere.
    let says = |game: &&str| {
        let game = game.replace('\n', " ");
        game.contains("Moves went unseen") || game.contains("The record stops here")
    };
    let games = text.split("[Event ").filter(says);
    let id = |game: &str| game.split_once("[GameId \"")?.1.split_once('"').map(|(id, _)| id.to_owned());
    games.filter_map(id).collect()
}

#[test]
#[ignore = "minutes of blitz at the speed of life: cargo test --test crash blitz_goes_on -- --ignored --nocapture"]
fn blitz_goes_on_while_the_daemon_is_killed_twenty_times() {
    let campaign = Campaign { own_log: OwnLog::Kept, control: "60+1", lives_ms: 1_000..6_000, away_ms: 0..2_500 };
    let differing = campaign.run();
    assert!(differing.is_empty(), "{} of {BOARDS} games are not told as they were played", differing.len());
}

/// The daemon is started again as the systemd unit does it.
#[test]
#[ignore = "minutes of blitz at the speed of life: cargo test --test crash blitz_on_boards -- --ignored --nocapture"]
fn blitz_on_boards_without_logs_loses_only_what_nobody_can_know() {
    let campaign = Campaign { own_log: OwnLog::None, control: "180+2", lives_ms: 5_000..20_000, away_ms: 500..501 };
    let differing = campaign.run();
    assert!(differing.len() <= 1, "{} of {BOARDS} games are not told as they were played", differing.len());
    assert!(differing.iter().all(|game| game.marked), "what went unseen is not marked");
}
