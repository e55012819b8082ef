//! What was played in a recording, and how right a record of it is.

use std::fmt;
use std::path::Path;

use game_core::capture::{Capture, Entry};
use game_core::input::{Input, Notice};

/// A game as it was recorded, or played.
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

    /// How right the games of a record are.
    pub(crate) fn verdict(&self, games: &[Moves]) -> Verdict {
        let empty = Moves::default();
        if !self.known {
            let note =
                games.iter().map(|game| format!("{} plies {}", game.moves.len(), game.result)).collect::<Vec<_>>();
            return Verdict { note: note.join(", "), ..Verdict::default() };
        }
        let mut verdict = Verdict { known: true, moves: true, result: true, note: String::new() };
        if games.len() > self.games.len() {
            verdict.moves = false;
            verdict.note = format!("{} games for {} ", games.len(), self.games.len());
        }
        for (number, wanted) in self.games.iter().enumerate() {
            let told = games.get(number).unwrap_or(&empty);
            let mut played = wanted.moves.clone();
            let mut moves = told.moves.clone();
            for &(from, to) in &self.open[number] {
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
            let whole = if self.part { same == moves.len() } else { same == played.len() && same == moves.len() };
            if !whole {
                verdict.moves = false;
                let next = moves.get(same).map_or("-", |san| san);
                let note = format!("{same} of {} (told {}: {next})", played.len(), moves.len());
                verdict.note.push_str(&note);
            } else if self.part {
                let note = format!("{same} of {}", played.len());
                verdict.note.push_str(&note);
            }
            if !self.part && !self.results[number].contains(&told.result) {
                verdict.result = false;
                let note = format!(" {} for {}", told.result, self.results[number].join("|"));
                verdict.note.push_str(&note);
            }
        }
        verdict
    }
}
