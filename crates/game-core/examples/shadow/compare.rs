//! What a session and a search made of the same inputs, compared with what was played.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use dgt_protocol::{ClockMessage, FrameReader, Message, Mode};
use game_core::capture::{Capture, Entry};
use game_core::event::{Event, Variant};
use game_core::game::Game;
use game_core::input::{Assign, Input, Notice, ResumedMove};
use game_core::line::start_position;
use game_core::placement::{Placement, square_of};
use game_core::search::{Search, Told};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;

/// After the last input the hall is left to itself for so long.
const REST_MS: u64 = 180_000;

/// A game as it was told, or played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moves {
    pub(crate) moves: Vec<String>,
    pub(crate) result: String,
}

/// What was played.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expected {
    pub(crate) games: Vec<Moves>,
    /// Results that are right beside the one of each game.
    pub(crate) results: Vec<Vec<String>>,
    /// The capture ends in the middle of the game.
    pub(crate) part: bool,
    /// Ranges of plies, from 1, in which only the set of moves counts.
    pub(crate) open: Vec<Vec<(usize, usize)>>,
    pub(crate) known: bool,
}

/// What was told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) games: Vec<Moves>,
    pub(crate) retracts: usize,
    pub(crate) plies: usize,
    /// The moves that were known when the capture began.
    pub(crate) resumed: Option<Vec<String>>,
    /// Nanoseconds each call took, of inputs and of deadlines.
    pub(crate) costs: Vec<u64>,
}

/// How right a record is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Verdict {
    known: bool,
    pub(crate) moves: bool,
    pub(crate) result: bool,
    note: String,
}

impl Verdict {
    pub(crate) fn is_right(&self) -> bool {
        self.known && self.moves && self.result
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.known, self.moves, self.result) {
            (false, ..) => write!(f, "?  {}", self.note),
            (_, true, true) => write!(f, "right {}", self.note),
            (_, true, false) => write!(f, "moves right, result {}", self.note),
            (_, false, result) => write!(f, "WRONG{} {}", if result { "" } else { " result" }, self.note),
        }
    }
}

impl Expected {
    /// What stands in the file beside a capture.
    pub(crate) fn beside(path: &Path, capture: &Capture) -> Self {
        let json = std::fs::read(path.with_extension("expected.json")).ok();
        let Some(json) = json.and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok()) else {
            let moves = std::fs::read_to_string(path.with_extension("moves")).ok();
            return moves.map_or_else(Self::default, |text| Self::of_moves(&text));
        };
        let words = |value: &serde_json::Value| -> Vec<String> {
            value.as_str().unwrap_or_default().split_whitespace().map(str::to_owned).collect()
        };
        let results = |value: &serde_json::Value| -> Vec<String> {
            value.as_array().into_iter().flatten().filter_map(|each| each.as_str()).map(str::to_owned).collect()
        };
        let mut expected = Self { known: true, ..Self::default() };
        if let Some(games) = json["games"].as_array() {
            for game in games {
                let accepted = results(&game["results"]);
                expected.games.push(Moves {
                    moves: words(&game["moves"]),
                    result: accepted.first().cloned().unwrap_or_default(),
                });
                expected.results.push(accepted);
                let ranges = game["order_open_from_to_ply"].as_array().into_iter().flatten();
                let range =
                    |range: &serde_json::Value| Some((range[0].as_u64()? as usize, range[1].as_u64()? as usize));
                expected.open.push(ranges.filter_map(range).collect());
            }
        } else {
            expected.games.push(Moves { moves: words(&json["moves_of_the_whole_game"]), result: String::new() });
            expected.results.push(results(&json["results"]));
            expected.open.push(Vec::new());
            let end =
                |line: &game_core::capture::CaptureLine| matches!(line.entry, Entry::In(Input::Notice(Notice::End {})));
            expected.part = capture.lines.iter().any(end) || !capture.lines.is_empty();
        }
        expected
    }

    fn of_moves(text: &str) -> Self {
        let is_move = |word: &&str| {
            word.starts_with(|letter: char| letter.is_ascii_alphabetic()) && !word.ends_with(':') && !word.contains('"')
        };
        let words: Vec<&str> =
            text.lines().filter(|line| !line.starts_with(['#', '['])).flat_map(str::split_whitespace).collect();
        let moves: Vec<String> = words.iter().copied().filter(is_move).map(str::to_owned).collect();
        Self {
            games: vec![Moves { moves, result: "*".into() }],
            results: vec![["*", "1-0", "0-1", "1/2-1/2"].map(str::to_owned).to_vec()],
            open: vec![Vec::new()],
            known: true,
            part: false,
        }
    }
}

impl Record {
    /// What the session tells.
    pub(crate) fn of_session(capture: &Capture) -> Self {
        let inputs = inputs(capture);
        let mut session = BoardSession::new();
        let mut told: Vec<Game> = Vec::new();
        let mut record = Self::default();
        let collect = |session: &mut BoardSession, told: &mut Vec<Game>, record: &mut Self| {
            while let Some(output) = session.poll_output() {
                let Output::Event(event) = output else { continue };
                if matches!(event.event, Event::GameStarted { .. }) || told.is_empty() {
                    told.push(Game::new());
                }
                if let Some(moves) = resumed(&inputs).filter(|_| told.len() == 1 && told[0].moves().is_empty()) {
                    for (ply, (san, uci)) in (1..).zip(moves) {
                        told[0].apply(&Event::Move { ply, san, uci, clk_ms: None, emt_ms: None });
                    }
                }
                record.retracts += usize::from(matches!(event.event, Event::Retract { .. }));
                if let Some(game) = told.last_mut() {
                    game.apply(&event.event);
                }
            }
        };
        let end = inputs.last().map_or(0, |(at, _)| at.as_ms()) + REST_MS;
        for (at, input) in &inputs {
            let begun = Instant::now();
            while let Some(due) = session.next_deadline().filter(|due| due < at) {
                session.handle_timeout(due);
                while session.next_deadline() == Some(due) {
                    session.handle_timeout(due);
                }
            }
            session.handle_input(*at, input);
            record.costs.push(begun.elapsed().as_nanos() as u64);
            collect(&mut session, &mut told, &mut record);
        }
        while let Some(due) = session.next_deadline().filter(|due| due.as_ms() <= end) {
            session.handle_timeout(due);
            collect(&mut session, &mut told, &mut record);
        }
        record.games = told
            .iter()
            .map(|game| Moves {
                moves: game.moves().iter().map(|played| played.san.clone()).collect(),
                result: game.result().as_str().to_owned(),
            })
            .filter(|game| !game.moves.is_empty())
            .collect();
        record.plies = record.games.iter().map(|game| game.moves.len()).sum();
        record
    }

    /// What the search tells.
    pub(crate) fn of_search(capture: &Capture, trace: bool, explain: &Range<u64>) -> Self {
        Self::of_inputs(&inputs(capture), trace, explain)
    }

    /// The same from inputs.
    pub(crate) fn of_inputs(inputs: &[(Timestamp, Input)], trace: bool, explain: &Range<u64>) -> Self {
        Self::of_inputs_until(inputs, inputs.last().map_or(0, |(at, _)| at.as_ms()) + REST_MS, trace, explain)
    }

    /// The same, and nothing is due any more after `end` in ms.
    pub(crate) fn of_inputs_until(inputs: &[(Timestamp, Input)], end: u64, trace: bool, explain: &Range<u64>) -> Self {
        let mut search = Search::new();
        let resumed = resumed(inputs).map(|moves| moves.into_iter().map(|(san, _)| san).collect());
        let mut record = Self { resumed, ..Self::default() };
        for (at, input) in inputs {
            if trace && let Input::Notice(notice) = input {
                println!("    {:>8} {notice:?}", at.as_ms());
            }
            while let Some(due) = search.next_deadline().filter(|due| due < at) {
                let begun = Instant::now();
                search.handle_timeout(due);
                record.costs.push(begun.elapsed().as_nanos() as u64);
            }
            let begun = Instant::now();
            search.handle_input(*at, input);
            record.costs.push(begun.elapsed().as_nanos() as u64);
            record.collect(&mut search, trace);
            if explain.contains(&at.as_ms()) {
                println!("    {:>8} {}", at.as_ms(), describe(input));
                search.explain(5).iter().for_each(|line| println!("             {line}"));
            }
        }
        while let Some(due) = search.next_deadline().filter(|due| due.as_ms() <= end) {
            search.handle_timeout(due);
            record.collect(&mut search, trace);
        }
        record.games.retain(|game| !game.moves.is_empty());
        record.plies = record.games.iter().map(|game| game.moves.len()).sum();
        record
    }

    fn collect(&mut self, search: &mut Search, trace: bool) {
        while let Some((at, told)) = search.poll() {
            if trace {
                println!("    {:>8} {told:?}", at.as_ms());
            }
            if matches!(told, Told::Started { .. }) || self.games.is_empty() {
                self.games.push(Moves { moves: self.resumed.take().unwrap_or_default(), result: "*".into() });
            }
            let Some(game) = self.games.last_mut() else { continue };
            match told {
                Told::Move { san, .. } => game.moves.push(san),
                Told::Retract { to_ply } => {
                    game.moves.truncate(to_ply as usize);
                    self.retracts += 1;
                }
                Told::Ended { result, .. } => result.as_str().clone_into(&mut game.result),
                _ => {}
            }
        }
    }

    pub(crate) fn verdict(&self, expected: &Expected) -> Verdict {
        let empty = Moves::default();
        if !expected.known {
            let note =
                self.games.iter().map(|game| format!("{} plies {}", game.moves.len(), game.result)).collect::<Vec<_>>();
            return Verdict { note: note.join(", "), ..Verdict::default() };
        }
        let mut verdict = Verdict { known: true, moves: true, result: true, note: String::new() };
        if self.games.len() > expected.games.len() {
            verdict.moves = false;
            verdict.note = format!("{} games for {} ", self.games.len(), expected.games.len());
        }
        for (number, wanted) in expected.games.iter().enumerate() {
            let told = self.games.get(number).unwrap_or(&empty);
            let mut played = wanted.moves.clone();
            let mut moves = told.moves.clone();
            for &(from, to) in &expected.open[number] {
                for list in [&mut played, &mut moves] {
                    let to = to.min(list.len());
                    if from >= 1 && from <= to {
                        list[from - 1..to]
                            .iter_mut()
                            .for_each(|san| *san = san.trim_end_matches(['+', '#']).to_owned());
                        list[from - 1..to].sort();
                    }
                }
            }
            let same = played.iter().zip(&moves).take_while(|(a, b)| a == b).count();
            let whole = if expected.part { same == moves.len() } else { same == played.len() && same == moves.len() };
            if !whole {
                verdict.moves = false;
                let next = moves.get(same).map_or("-", |san| san);
                let note = format!("{same} of {} (told {}: {next})", played.len(), moves.len());
                verdict.note.push_str(&note);
            } else if expected.part {
                let note = format!("{same} of {}", played.len());
                verdict.note.push_str(&note);
            }
            if !expected.part && !expected.results[number].contains(&told.result) {
                verdict.result = false;
                let note = format!(" {} for {}", told.result, expected.results[number].join("|"));
                verdict.note.push_str(&note);
            }
        }
        verdict
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

/// The moves that were known when the capture began, in SAN and UCI.
fn resumed(inputs: &[(Timestamp, Input)]) -> Option<Vec<(String, String)>> {
    let resume = inputs.iter().find_map(|(_, input)| match input {
        Input::Notice(Notice::Resume(resume)) if !resume.moves.is_empty() => Some(resume),
        _ => None,
    })?;
    let mut position = start_position(&resume.fen, resume.variant).ok()?;
    let name = |played: &ResumedMove| {
        let mv = played.uci.parse::<UciMove>().ok()?.to_move(&position).ok()?;
        Some((SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string(), played.uci.clone()))
    };
    resume.moves.iter().map(name).collect()
}

/// The messages of an input, for people.
fn describe(input: &Input) -> String {
    let Input::Bytes(bytes) = input else { return String::new() };
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
    costs: Vec<u64>,
}

impl Sums {
    pub(crate) fn add(&mut self, record: &Record, verdict: &Verdict) {
        self.count += 1;
        self.moves += usize::from(verdict.moves);
        self.results += usize::from(verdict.result);
        self.retracts += record.retracts;
        self.plies += record.plies;
        self.costs.extend(&record.costs);
    }
}

impl Sums {
    /// Without costs.
    #[allow(dead_code, reason = "one of two programs that use this file wants it")]
    pub(crate) fn brief(&self) -> String {
        self.to_string().split(", cost").next().unwrap_or_default().to_owned()
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
            "{:3}/{:3} moves, {:3}/{:3} results, {:5.1} retracts in 1,000 plies, cost mean {mean:.1} us, median {:.1}, 99 % {:.0}, worst {:.0}",
            self.moves,
            self.count,
            self.results,
            self.count,
            1_000.0 * self.retracts as f64 / self.plies.max(1) as f64,
            at(50),
            at(99),
            at(100)
        )
    }
}
