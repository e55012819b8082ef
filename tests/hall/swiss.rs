//! A rapid Swiss: rounds that run themselves, whatever becomes of the pairings between them.

use std::collections::BTreeMap;
use std::time::Duration;

use board_sim::hall::PlayedGame;
use board_sim::table::Phase;
use board_sim::{Beginning, Games, HallOptions, Style};
use game_core::event::Author;
use hall_clock::HallClock;
use notation::pgn::{Game, Outcome};
use tournament::{Order, PairingState, SectionSettings};

use crate::daemon::{Daemon, PATIENCE, keep_pgn};
use crate::published::{Published, played_sans, published, wrong_and_missing};

/// Hall time from the beginning of one round to that of the next.
const EVERY: Duration = Duration::from_mins(20);

/// How big it is: a small one for every day, the whole of it with `BOARDCAST_CAMPAIGN=full`.
struct Size {
    boards: usize,
    rounds: u32,
    plies: usize,
    speed: f64,
}

impl Size {
    fn wanted() -> Self {
        if std::env::var("BOARDCAST_CAMPAIGN").is_ok_and(|campaign| campaign == "full") {
            Self { boards: 16, rounds: 9, plies: 60, speed: 40.0 }
        } else {
            Self { boards: 4, rounds: 3, plies: 14, speed: 25.0 }
        }
    }
}

/// What is played on all boards at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sitting {
    Round(u32),
    /// Between two rounds, because nobody wants to go home.
    Skittles,
}

/// Rounds, with skittles after every third.
fn programme(rounds: u32) -> Vec<Sitting> {
    let sitting = |round: u32| {
        let skittles = (round.is_multiple_of(3) || round == 2) && round < rounds;
        [Sitting::Round(round)].into_iter().chain(skittles.then_some(Sitting::Skittles))
    };
    (1..=rounds).flat_map(sitting).collect()
}

/// Master games up to a ply, ten minutes and five seconds a move; every seventh is left without a result.
fn games(size: &Size, sittings: usize) -> Vec<Game> {
    let masters: Vec<_> =
        board_sim::games::shipped().unwrap().into_iter().filter(|game| game.line().count() > 30).collect();
    let outcomes = [Outcome::WhiteWins, Outcome::Draw, Outcome::BlackWins];
    let made = (0..sittings * size.boards).map(|count| {
        let mut game = masters[count % masters.len()].clone();
        let line: Vec<_> = game.line().take(size.plies).map(|ply| ply.san).collect();
        game.movetext.clear();
        for san in line {
            game.play(san, notation::time::Times::default());
        }
        game.outcome = if count % 7 == 3 { Outcome::Unknown } else { outcomes[count % 3] };
        game.tags.set("Result", game.outcome.as_str());
        game.tags.set("TimeControl", "600+5");
        game
    });
    made.collect()
}

/// Who sits where in a round: everybody moves on by as many places as the round has a number.
fn pairs(size: &Size, round: u32) -> Vec<[String; 2]> {
    let name = |player: usize| format!("Player, Number {player:02}");
    let black = |table: usize| size.boards + (table + round as usize) % size.boards;
    (0..size.boards).map(|table| [name(table), name(black(table))]).collect()
}

fn csv(round: u32, pairs: &[[String; 2]]) -> String {
    let row = |(table, [white, black]): (usize, &[String; 2])| format!("{round};{};{white};{black};\n", table + 1);
    "Round;Board;White;Black;Result\n".to_owned() + &pairs.iter().enumerate().map(row).collect::<String>()
}

struct Tournament {
    daemon: Daemon,
    size: Size,
    clock: HallClock,
}

impl Tournament {
    /// Saves a pairing list where the daemon looks for them, over the one of the round before.
    async fn publish(&self, round: u32, pairs: &[[String; 2]]) {
        let folder = self.daemon.folder.path().join("pairings");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("round.csv"), csv(round, pairs)).unwrap();
        self.until("the pairings are loaded", || {
            let hall = self.daemon.director().hall();
            let persons = self.daemon.director().persons();
            let Some(known) = hall.round("swiss", round) else { return false };
            let name = |player: Option<_>| persons.get(player?).map(|person| person.name.clone());
            let seats: Vec<_> = known.games.iter().map(|game| [name(game.pair.white), name(game.pair.black)]).collect();
            known.state.opens_games()
                && seats.iter().eq(pairs.iter().map(|pair| pair.clone().map(Some)).collect::<Vec<_>>().iter())
        })
        .await;
    }

    async fn until(&self, what: &str, fact: impl Fn() -> bool) {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        while !fact() {
            assert!(tokio::time::Instant::now() < deadline, "it never came about that {what}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// All players are told to begin, and nobody begins anything after that.
    fn begin(&self, sitting: usize) {
        self.daemon.hall.start();
        let begun = |hall: &board_sim::Hall| {
            hall.boards().iter().all(|board| board.phase == Phase::Playing || board.games_finished > sitting)
        };
        assert!(self.daemon.hall.wait_until(PATIENCE, begun), "not everybody begins: {:?}", self.daemon.hall.boards());
        self.daemon.hall.hold();
    }

    fn end(&self, sitting: usize) {
        let done = |hall: &board_sim::Hall| {
            let at_rest = |phase| matches!(phase, Phase::Ready | Phase::Done);
            hall.boards().iter().all(|board| board.games_finished > sitting && at_rest(board.phase))
        };
        assert!(
            self.daemon.hall.wait_until(10 * PATIENCE, done),
            "the sitting does not end: {:?}",
            self.daemon.hall.boards()
        );
    }

    /// The first table's board fails, and a spare one takes over, the other way round.
    async fn exchange_board(&self) {
        let hall = &self.daemon.hall;
        assert!(hall.wait_until(PATIENCE, |hall| hall.board(0).unwrap().plies >= 4));
        hall.pause(0).unwrap();
        let game = self.daemon.director().hall().playing("10001").expect("a game at table 1").to_string();
        let plies = hall.board(0).unwrap().plies;
        hall.exchange(0, 20_001, true, "ttySPARE").unwrap();
        self.until("the spare board is found", || {
            self.daemon.director().board_states().iter().any(|state| &*state.board == "20001" && state.connected)
        })
        .await;
        let swap = Order::SwapBoard { game: game.clone(), board: "20001".into(), exchange: false };
        self.daemon.director().order(Author::Operator("Ada".into()), Some("cable".into()), None, swap).await.unwrap();
        self.until("the spare board is followed", || hall.board(0).unwrap().mode.is_armed()).await;
        // The players look on while the daemon makes sure of what stands there.
        self.clock.sleep_until(self.clock.now() + 5000).await;
        hall.resume(0).unwrap();
        assert!(hall.wait_until(PATIENCE, |hall| hall.board(0).unwrap().plies > plies));
        assert_eq!(self.daemon.director().hall().table_of("20001"), Some(1), "the spare board has the table");
    }

    /// Every game of a round is told as it was played: move by move, with its clocks and its players.
    async fn told_as_played(&self, round: u32, sitting: usize, exchanged: bool) {
        let played: BTreeMap<_, _> = (1_u32..).zip(self.played(sitting)).collect();
        let expected = pairs(&self.size, round);
        let told = || {
            let (_, text) = self.daemon.get(&format!("/pgn/swiss/round-{round}/games.pgn"));
            published(&text)
        };
        let differs = || {
            let told = told();
            let differs = |game: &Published| {
                let table: u32 = game.tag("Board").parse().unwrap();
                let played = &played[&table];
                let same = game.sans == played_sans(played) && game.result == played.game.outcome.as_str();
                (!same).then(|| {
                    format!(
                        "table {table}: {:?}, {:?} instead of {:?}, {:?}",
                        game.sans,
                        game.result,
                        played_sans(played),
                        played.game.outcome
                    )
                })
            };
            let differing: Vec<_> = told.iter().filter_map(differs).collect();
            (told.len() != self.size.boards)
                .then(|| format!("{} games", told.len()))
                .into_iter()
                .chain(differing)
                .collect()
        };
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let differs: Vec<String> = differs();
            if differs.is_empty() {
                break;
            }
            assert!(tokio::time::Instant::now() < deadline, "not told to the end: {differs:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        for game in told() {
            let table: u32 = game.tag("Board").parse().unwrap();
            let [white, black] = &expected[table as usize - 1];
            assert_eq!([game.tag("White"), game.tag("Black")], [white, black], "table {table}");
            let (wrong, missing) = wrong_and_missing(&game.clocks, &played[&table].clock_times);
            let allowed = if exchanged && table == 1 { 4 } else { 0 };
            assert!(wrong == 0 && missing <= allowed, "table {table}: {wrong} clocks wrong, {missing} missing");
        }
    }

    /// The games of a sitting, first table first.
    fn played(&self, sitting: usize) -> Vec<PlayedGame> {
        let played = self.daemon.hall.played();
        let tables = self.daemon.hall.boards().into_iter().map(|board| board.serial);
        let game = |serial: String| {
            let mut games = played.iter().filter(|played| played.serial == serial);
            games.nth(sitting).unwrap().clone()
        };
        tables.map(game).collect()
    }

    /// An arbiter types the results that nobody showed on the boards.
    async fn type_results(&self, round: u32) {
        let hall = self.daemon.director().hall();
        let open = hall.round("swiss", round).unwrap().games.iter().filter(|game| game.result.is_none());
        for game in open {
            assert_eq!(game.state, PairingState::ResultMissing, "{}", game.id);
            let order =
                Order::SetResult { game: game.id.to_string(), result: "1/2-1/2".into(), reason: None, confirm: false };
            self.daemon.director().order(Author::Operator("Ada".into()), None, None, order).await.unwrap();
        }
        let address = format!("/pgn/swiss/round-{round}/games.pgn");
        self.until("typed results are told", || !self.daemon.get(&address).1.contains("[Result \"*\"]")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rapid_swiss_runs_itself() {
    let size = Size::wanted();
    let programme = programme(size.rounds);
    let options = HallOptions {
        boards: size.boards,
        speed: size.speed,
        seed: 64,
        style: Style::Human,
        games: Games::Pgn(games(&size, programme.len())),
        rounds_per_board: programme.len(),
        rotated: true,
        beginning: Beginning::RoundByRound,
        ..HallOptions::default()
    };
    let mut clock = None;
    let daemon = Daemon::start_with(options, |settings| {
        clock = Some(settings.clock);
        settings.initial.slug = "swiss".into();
        settings.initial.settings = SectionSettings { auto_publish: true, ..SectionSettings::named("Rapid Swiss") };
        settings.initial.files.clear();
    })
    .await;
    let swiss = Tournament { daemon, size, clock: clock.unwrap() };
    let begins = swiss.clock.now();
    for (sitting, what) in programme.iter().enumerate() {
        let Sitting::Round(round) = *what else {
            swiss.begin(sitting);
            swiss.end(sitting);
            continue;
        };
        let planned = begins + u64::from(round - 1) * EVERY.as_millis() as u64;
        let right = pairs(&swiss.size, round);
        match round % 3 {
            // Early enough; then a re-pairing.
            2 => {
                let mut wrong = right.clone();
                let [[_, first], [_, second], ..] = &mut wrong[..] else { panic!("two tables at least") };
                std::mem::swap(first, second);
                swiss.publish(round, &wrong).await;
                swiss.publish(round, &right).await;
                swiss.clock.sleep_until(planned).await;
            }
            // Everybody sits and waits for them.
            0 => {
                swiss.clock.sleep_until(planned + 60_000).await;
                swiss.publish(round, &right).await;
            }
            _ => {
                swiss.publish(round, &right).await;
                swiss.clock.sleep_until(planned).await;
            }
        }
        swiss.begin(sitting);
        let exchanged = round == swiss.size.rounds.div_ceil(2);
        if exchanged {
            swiss.exchange_board().await;
        }
        swiss.end(sitting);
        println!("round {round} is over {} min after its start", (swiss.clock.now().saturating_sub(planned)) / 60_000);
        swiss.told_as_played(round, sitting, exchanged).await;
        let (_, live) = swiss.daemon.get("/pgn/swiss/live.pgn");
        assert!(live.contains(&format!("[Round \"{round}.1\"]")), "round {round} is not in the live file: {live}");
        if round > 1 {
            // Somebody remembers the round before only now.
            swiss.type_results(round - 1).await;
        }
    }
    // Boards are set up or put away after the last round, and what has no result there is known to have none.
    let last = swiss.size.rounds;
    let (_, all) = swiss.daemon.get("/pgn/swiss/all.pgn");
    assert_eq!(
        all.matches("[Event ").count(),
        swiss.size.boards * last as usize,
        "what is played between rounds is public"
    );
    keep_pgn("rapid-swiss", &all);
    swiss.daemon.stop().await;
}
