//! Simulated players at simulated boards, in hall time without I/O: what they played is what the session tells, move by
//! move and second by second. Every failure names the seed that reproduces it.

use board_sim::OwnLog;
use board_sim::pace::Pace;
use board_sim::plan::Plan;
use board_sim::play_options::PlayOptions;
use board_sim::random::{self, Theme};
use board_sim::result::Ending;
use board_sim::table::{Phase, Table, TableSettings};
use board_sim::trouble::Troubles;
use board_sim::{games, hands::Style};
use game_core::event::Event;
use game_core::game::Game;
use game_core::input::{Assign, Attach, Input, Notice};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use notation::pgn::{Outcome, Tags};
use shakmaty::Color;

/// Milliseconds a message takes on the line.
const LINE_MS: u64 = 6;

struct Told {
    games: Vec<Game>,
    retracts: usize,
    unexplained: usize,
    /// What the clock showed when it was last told while somebody played.
    shown: Option<[Option<u64>; 2]>,
    /// When each game began, and when its last move was told.
    spans: Vec<[u64; 2]>,
    /// Every message of the board, with the time of its arrival.
    messages: Vec<(u64, Vec<u8>)>,
}

/// A game as it was played: the moves of the plan as shakmaty writes them, and the times of the simulated clock.
#[derive(Debug)]
struct Played {
    sans: Vec<String>,
    clocks: Vec<Option<u64>>,
    outcome: Outcome,
}

/// Lets a table play all its games while a session watches.
fn watch(settings: TableSettings, plans: Vec<Plan>) -> (Vec<Played>, Told) {
    let planned = plans.clone();
    let mut table = Table::new(settings, plans);
    let mut session = BoardSession::new();
    let mut told =
        Told { games: Vec::new(), retracts: 0, unexplained: 0, shown: None, spans: Vec::new(), messages: Vec::new() };
    let mut now = 0;
    let notice = |notice| Input::Notice(notice);
    session.handle_input(Timestamp::ZERO, &notice(Notice::Attach(Attach::default())));
    loop {
        drain(&mut session, &mut table, now, &mut told);
        while let Some(bytes) = table.board_mut().next_outgoing() {
            let at = Timestamp::from_ms(now + LINE_MS);
            while let Some(due) = session.next_deadline().filter(|due| *due <= at) {
                session.handle_timeout(due);
            }
            told.messages.push((now + LINE_MS, bytes.clone()));
            session.handle_input(at, &Input::Bytes(bytes));
            drain(&mut session, &mut table, now, &mut told);
        }
        let station_due = table.next_due().map(|due| due.max(now));
        let session_due = session.next_deadline().map(Timestamp::as_ms);
        if table.phase() == Phase::Done
            && told.games.iter().all(Game::ended)
            && station_due.is_none_or(|due| due > now + 20_000)
        {
            break;
        }
        assert!(now < 40 * 3_600_000, "the hall does not come to an end");
        match (station_due, session_due) {
            (Some(station_due), Some(session_due)) if session_due < station_due => {
                now = now.max(session_due);
                session.handle_timeout(Timestamp::from_ms(session_due));
            }
            (Some(due), _) => {
                now = due;
                table.advance(now, true);
            }
            (None, Some(due)) => {
                now = now.max(due);
                session.handle_timeout(Timestamp::from_ms(due));
                table.advance(now, true);
            }
            (None, None) => break,
        }
        if table.phase() == Phase::Done && told.games.last().is_some_and(Game::ended) {
            break;
        }
        table.advance(now, true);
    }
    assert!(table.board().host_commands().forbidden.is_empty());
    let played = planned.iter().zip(table.clock_times()).map(|(plan, clocks)| Played {
        sans: plan.plies.iter().take(clocks.len()).map(|ply| ply.san.to_string()).collect(),
        clocks: clocks.clone(),
        outcome: plan.ending.outcome(),
    });
    (played.collect(), told)
}

fn drain(session: &mut BoardSession, table: &mut Table, now: u64, told: &mut Told) {
    while let Some(output) = session.poll_output() {
        match output {
            Output::Send(command) => table.board_mut().host_bytes(now, &command.encode()),
            Output::Event(record) => {
                match &record.event {
                    Event::GameStarted { .. } => {
                        told.games.push(Game::new());
                        told.spans.push([record.t.as_ms(); 2]);
                        let control = table.current().and_then(|tags| tags.get("TimeControl")).map(Into::into);
                        let assign = Assign { time_control: control, ..Assign::default() };
                        session.handle_input(record.t, &Input::Notice(Notice::Assign(assign)));
                    }
                    Event::Move { .. } => {
                        if let Some([_, last]) = told.spans.last_mut() {
                            *last = record.t.as_ms();
                        }
                    }
                    Event::Retract { .. } => told.retracts += 1,
                    Event::Unexplained { .. } => told.unexplained += 1,
                    _ => {}
                }
                assert!(told.games.last_mut().is_some_and(|game| game.apply(&record.event)), "{record:?}");
                let shown = told.games.last().and_then(Game::clock).map(|clock| [clock.white_ms, clock.black_ms]);
                match record.event {
                    Event::Clock { .. } if table.phase() == Phase::Playing => told.shown = shown,
                    // It may be set for the next game by then.
                    Event::GameEnded => assert_eq!(shown, told.shown, "what the clock showed at the end of the game"),
                    _ => {}
                }
            }
        }
    }
}

fn settings(seed: u64, style: Style, clock: bool) -> TableSettings {
    TableSettings {
        serial: 10_001,
        version: (1, 8),
        rotated: seed % 3 == 1,
        white_side: if seed % 3 == 1 { dgt_protocol::Side::Right } else { dgt_protocol::Side::Left },
        own_log: OwnLog::Kept,
        play: PlayOptions { style, clock, forgetful: false, pace: Pace::InTurn, troubles: Troubles::default() },
        seed,
    }
}

fn random_plan(seed: u64) -> Plan {
    let theme = Theme::ALL[(seed % Theme::ALL.len() as u64) as usize];
    let mut tags = Tags::new();
    tags.set("White", format!("White {seed}"));
    tags.set("Black", format!("Black {seed}"));
    tags.set("TimeControl", ["300+3", "5400+30", "180+2", "40/5400+30:1800+30"][(seed % 4) as usize]);
    Plan::from_random(tags, &random::play(theme, seed))
}

/// Compares what was told with what was played; gives the first difference.
fn difference(played: &Played, told: &Game) -> Option<String> {
    let sans: Vec<_> = told.moves().iter().map(|mv| mv.san.to_string()).collect();
    let expected = &played.sans;
    if sans != *expected {
        let at = sans.iter().zip(expected).position(|(a, b)| a != b).unwrap_or(sans.len().min(expected.len()));
        return Some(format!(
            "ply {}: told {:?}, played {:?} (of {})",
            at + 1,
            sans.get(at),
            expected.get(at),
            expected.len()
        ));
    }
    for (index, (mv, clk_ms)) in told.moves().iter().zip(&played.clocks).enumerate() {
        if mv.clk_ms != *clk_ms {
            return Some(format!("clock of ply {}: told {:?}, was {clk_ms:?}", index + 1, mv.clk_ms));
        }
    }
    let result = played.outcome;
    (result != Outcome::Unknown && told.result() != result)
        .then(|| format!("result {:?}, was {result:?}", told.result()))
}

fn run(seeds: std::ops::Range<u64>, style: Style, clock: bool) {
    let (mut wrong, mut retracts, mut unexplained, mut plies) = (Vec::new(), 0, 0, 0);
    for seed in seeds {
        let (played, told) = watch(settings(seed, style, clock), vec![random_plan(seed), random_plan(seed + 1_000)]);
        retracts += told.retracts;
        unexplained += told.unexplained;
        assert_eq!(played.len(), 2);
        if told.games.len() != played.len() {
            wrong.push(format!("seed {seed}: {} games told", told.games.len()));
        }
        for (index, (played, told)) in played.iter().zip(&told.games).enumerate() {
            plies += played.sans.len();
            if let Some(what) = difference(played, told) {
                wrong.push(format!("seed {seed}, game {index}: {what}"));
            }
        }
    }
    println!(
        "{style:?}, clock {clock}: {plies} plies, {retracts} retracts, {unexplained} unexplained, {} wrong",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn clean_games_with_clocks_come_out_exactly() {
    run(0..48, Style::Clean, true);
}

#[test]
fn clean_games_without_clocks_come_out_exactly() {
    run(48..72, Style::Clean, false);
}

#[test]
fn games_of_human_hands_come_out_exactly() {
    run(100..148, Style::Human, true);
}

#[test]
fn games_of_human_hands_without_clocks_come_out_exactly() {
    run(148..172, Style::Human, false);
}

#[test]
fn master_games_come_out_exactly() {
    for (seed, game) in (0..).zip(games::shipped().unwrap()) {
        let (played, told) = watch(settings(seed, Style::Clean, true), vec![Plan::from_pgn(&game).unwrap()]);
        assert_eq!(difference(&played[0], &told.games[0]), None, "{:?}", game.tags);
    }
}

/// The same messages again, of which those of a stretch come all at once at its end, as from a serial server that stood still.
fn with_silence(messages: &[(u64, Vec<u8>)], from: u64, to: u64) -> Vec<Game> {
    let mut session = BoardSession::new();
    session.handle_input(Timestamp::ZERO, &Input::Notice(Notice::Attach(Attach::default())));
    let mut games: Vec<Game> = Vec::new();
    let mut wait = |session: &mut BoardSession, until: Timestamp| {
        loop {
            while let Some(output) = session.poll_output() {
                let Output::Event(record) = output else { continue };
                if matches!(record.event, Event::GameStarted { .. }) {
                    games.push(Game::new());
                }
                assert!(games.last_mut().is_some_and(|game| game.apply(&record.event)), "{record:?}");
            }
            let Some(due) = session.next_deadline().filter(|due| *due <= until) else { break };
            session.handle_timeout(due);
        }
    };
    let mut now = Timestamp::ZERO;
    for (at, bytes) in messages {
        now = Timestamp::from_ms(if (from..to).contains(at) { to } else { *at });
        wait(&mut session, now);
        session.handle_input(now, &Input::Bytes(bytes.clone()));
    }
    wait(&mut session, now.plus(120_000));
    games
}

#[test]
fn a_result_that_was_shown_while_the_line_stood_still_is_told() {
    for seed in 300..324 {
        let mut plans = vec![random_plan(seed), random_plan(seed + 1_000)];
        plans[0].ending =
            [Ending::Resigned(Color::White), Ending::Resigned(Color::Black), Ending::Drawn][seed as usize % 3];
        plans[0].plies.truncate(30);
        let (played, told) = watch(settings(seed, Style::Human, true), plans);
        let [[_, last], [next, _]] = told.spans[..] else { panic!("seed {seed}: {:?}", told.spans) };
        let games = with_silence(&told.messages, last + 1, next + 1);
        let sans: Vec<_> = games[0].moves().iter().map(|mv| mv.san.to_string()).collect();
        assert_eq!((games.len(), &sans), (2, &played[0].sans), "seed {seed}");
        assert_eq!(games[0].result(), played[0].outcome, "seed {seed}");
    }
}

/// Writes the committed captures of simulated boards, each with the moves that were played and the seconds that the clock
/// showed after them. To be run when the simulator changes what its boards send.
#[test]
#[ignore = "writes tests/captures: cargo test -p game-core --test simulated_players write_captures -- --ignored"]
#[allow(clippy::disallowed_methods, reason = "captures are files")]
fn write_captures() {
    for (name, seed) in [("simulated-blitz", 2), ("simulated-rotated", 10)] {
        let mut plan = random_plan(seed);
        plan.plies.truncate(40);
        plan.ending = Ending::Resigned(Color::White);
        let settings = TableSettings { rotated: name == "simulated-rotated", ..settings(seed, Style::Human, true) };
        let control = plan.tags.get("TimeControl").unwrap().to_owned();
        let (played, told) = watch(settings, vec![plan.clone()]);
        assert_eq!(difference(&played[0], &told.games[0]), None);
        let mut lines = vec![format!(
            "# boardcast-capture 1\n# started: 2026-11-20T12:00:00Z\n# board: 10001\n# variant: standard\n\
             # time-control: {control}\n# note: a simulated board, seed {seed}\n"
        )];
        for (at, bytes) in &told.messages {
            let hex: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            lines.push(format!("{at} < {}\n", hex.concat()));
        }
        let moves = played[0].sans.iter().zip(&played[0].clocks);
        let moves = moves.map(|(san, clk_ms)| format!("{san} {}\n", clk_ms.unwrap() / 1_000));
        let path = |ending| format!("{}/../../tests/captures/{name}.{ending}", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(path("capture"), lines.concat()).unwrap();
        std::fs::write(path("moves"), moves.collect::<String>()).unwrap();
    }
}
