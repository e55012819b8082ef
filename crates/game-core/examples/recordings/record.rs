//! What a session makes of a recording.

use std::fmt;
use std::ops::Range;
use std::time::Instant;

use dgt_protocol::{ClockMessage, FrameReader, Message, Mode};
use game_core::capture::{Capture, Entry};
use game_core::event::{Event, Variant};
use game_core::game::Game;
use game_core::input::{Assign, Input, Notice, Resume, ResumedMove};
use game_core::line::start_position;
use game_core::placement::{Placement, square_of};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;

use crate::expected::{Clocks, GameRecord, Verdict};

/// After the last input the hall is left to itself for so long, in ms.
const REST_MS: u64 = 180_000;

/// What is printed on the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) trace: bool,
    /// Times in ms between which the hypotheses are printed after each input.
    pub(crate) explain: Range<u64>,
}

/// What was recorded.
#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) games: Vec<GameRecord>,
    retracts: usize,
    plies: usize,
    /// Nanoseconds that each call took, of inputs and of deadlines.
    costs: Vec<u64>,
}

/// A session and the games that it has recorded.
struct Watched<'a> {
    session: BoardSession,
    games: Vec<Game>,
    record: Record,
    options: &'a Options,
}

impl Record {
    /// The record that a session makes of a capture.
    pub(crate) fn of(capture: &Capture, options: &Options) -> Self {
        let inputs = inputs(capture);
        let mut watched = Watched { session: BoardSession::new(), games: Vec::new(), record: Self::default(), options };
        for (at, input) in &inputs {
            while let Some(due) = watched.session.next_deadline().filter(|due| due <= at) {
                watched.call(|session| session.handle_timeout(due));
            }
            if options.trace {
                println!("    {:>8} {}", at.as_ms(), describe(input));
            }
            watched.resume(input);
            watched.call(|session| session.handle_input(*at, input));
            if options.explain.contains(&at.as_ms()) {
                println!("    {:>8} {}", at.as_ms(), describe(input));
                watched.session.hypotheses(5).iter().for_each(|line| println!("             {line}"));
            }
        }
        let end = inputs.last().map_or(0, |(at, _)| at.as_ms()) + REST_MS;
        while let Some(due) = watched.session.next_deadline().filter(|due| due.as_ms() <= end) {
            watched.call(|session| session.handle_timeout(due));
        }
        let mut record = watched.record;
        let moves = |game: &Game| game.moves().iter().map(|played| played.san.to_string()).collect();
        let clocks = |game: &Game| {
            game.moves().iter().map(|played| played.clk_ms.map(|ms| ms / 1_000).into_iter().collect()).collect()
        };
        let games = watched.games.iter();
        record.games = games
            .map(|game| GameRecord {
                moves: moves(game),
                clocks: clocks(game),
                result: game.result().as_str().to_owned(),
            })
            .filter(|game| !game.moves.is_empty())
            .collect();
        record.plies = record.games.iter().map(|game| game.moves.len()).sum();
        record
    }
}

impl Watched<'_> {
    /// A game that was known when the capture began goes on.
    fn resume(&mut self, input: &Input) {
        let Input::Notice(Notice::Resume(resume)) = input else { return };
        if !self.games.is_empty() || resume.fen.is_empty() {
            return;
        }
        let mut game = Game::new();
        for (ply, (san, uci)) in (1..).zip(named(resume).unwrap_or_default()) {
            game.apply(&Event::Move { ply, san, uci, clk_ms: None, emt_ms: None });
        }
        self.games.push(game);
    }

    /// Makes a call of the session, and takes what comes out.
    fn call(&mut self, call: impl FnOnce(&mut BoardSession)) {
        let begun = Instant::now();
        call(&mut self.session);
        self.record.costs.push(u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX));
        while let Some(output) = self.session.poll_output() {
            let Output::Event(event) = output else { continue };
            if self.options.trace {
                println!("    {:>8} {:?}", event.t.as_ms(), event.event);
            }
            if matches!(event.event, Event::GameStarted { .. }) {
                self.games.push(Game::new());
            }
            self.record.retracts += usize::from(matches!(event.event, Event::Retract { .. }));
            if let Some(game) = self.games.last_mut() {
                game.apply(&event.event);
            }
        }
    }
}

fn inputs(capture: &Capture) -> Vec<(Timestamp, Input)> {
    let header = &capture.header;
    let mut inputs = Vec::new();
    if header.fen.is_some() || header.variant != Variant::Standard || header.time_control.is_some() {
        let assign = Assign {
            fen: header.fen.clone(),
            variant: header.variant,
            time_control: header.time_control.clone().map(Into::into),
            ..Assign::default()
        };
        inputs.push((Timestamp::ZERO, Input::Notice(Notice::Assign(assign))));
    }
    inputs.extend(capture.lines.iter().filter_map(|line| match &line.entry {
        Entry::In(input) => Some((line.at, input.clone())),
        Entry::Out(_) => None,
    }));
    inputs
}

/// The moves of a game that goes on, in SAN and UCI.
fn named(resume: &Resume) -> Option<Vec<(String, String)>> {
    let mut position = start_position(&resume.fen, resume.variant).ok()?;
    let name = |played: &ResumedMove| {
        let mv = played.uci.parse::<UciMove>().ok()?.to_move(&position).ok()?;
        Some((SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string(), played.uci.clone()))
    };
    resume.moves.iter().map(name).collect()
}

/// The messages of an input, for people.
fn describe(input: &Input) -> String {
    let Input::Bytes(bytes) = input else { return format!("{input:?}") };
    let mut reader = FrameReader::new(Mode::Single);
    let mut bytes = &bytes[..];
    let mut words = Vec::new();
    while let Some(frame) = reader.next_frame(&mut bytes) {
        words.push(match frame.message() {
            Ok(Message::FieldUpdate { field, piece }) => {
                format!("{} or, turned, {} {piece:?}", square_of(field, false), square_of(field, true))
            }
            Ok(Message::BoardDump(fields)) => format!("dump {}", Placement::from_fields(&fields, false).fen()),
            Ok(Message::Clock(ClockMessage::Times(times))) => {
                format!(
                    "clock {} {}",
                    if times.running { "runs" } else { "stands" },
                    if times.right_side_up { "left pressed" } else { "right pressed" }
                )
            }
            other => format!("{other:?}").chars().take(60).collect(),
        });
    }
    words.join(", ")
}

/// Sums over recordings.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    count: usize,
    moves: usize,
    results: usize,
    retracts: usize,
    plies: usize,
    clocks: Clocks,
    costs: Vec<u64>,
}

impl Sums {
    pub(crate) fn add(&mut self, record: &Record, verdict: &Verdict) {
        self.count += 1;
        self.moves += usize::from(verdict.moves);
        self.results += usize::from(verdict.result);
        self.retracts += record.retracts;
        self.plies += record.plies;
        self.clocks += verdict.clocks;
        self.costs.extend(&record.costs);
    }
}

impl fmt::Display for Sums {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut costs = self.costs.clone();
        costs.sort_unstable();
        let at = |per_cent: usize| {
            costs.get(costs.len().saturating_sub(1) * per_cent / 100).map_or(0.0, |&ns| ns as f64 / 1_000.0)
        };
        let mean = costs.iter().sum::<u64>() as f64 / 1_000.0 / costs.len().max(1) as f64;
        write!(
            f,
            "{:3}/{:3} moves, {:3}/{:3} results, {}, {:5.1} retracts in 1,000 plies, cost mean {mean:.1} us, median {:.1}, 99 % {:.0}, worst {:.0}",
            self.moves,
            self.count,
            self.results,
            self.count,
            self.clocks,
            1_000.0 * self.retracts as f64 / self.plies.max(1) as f64,
            at(50),
            at(99),
            at(100)
        )
    }
}
