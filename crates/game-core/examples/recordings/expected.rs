//! What was played in a recording, and how right a record of it is.

use std::fmt;
use std::ops::AddAssign;
use std::path::Path;

use game_core::capture::{Capture, Entry};
use game_core::input::{Input, Notice};

/// A game as it was recorded, or played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GameRecord {
    pub(crate) moves: Vec<String>,
    /// The clock after each move, in whole seconds: any of these is right; none: it is not known.
    pub(crate) clocks: Vec<Vec<u64>>,
    pub(crate) result: String,
}

/// What was played.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expected {
    pub(crate) games: Vec<GameRecord>,
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
    pub(crate) clocks: Clocks,
    note: String,
}

/// How right the clock times of right moves are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clocks {
    pub(crate) right: usize,
    pub(crate) wrong: usize,
    pub(crate) missing: usize,
    /// Told although nothing shows them.
    pub(crate) made_up: usize,
}

impl Clocks {
    /// Compares the clock times of the moves that are right with what the clock showed.
    fn of(played: &GameRecord, told: &GameRecord, right_moves: usize) -> Self {
        let mut clocks = Self::default();
        for (played, told) in played.clocks.iter().zip(&told.clocks).take(right_moves) {
            match (&played[..], &told[..]) {
                ([], told) => clocks.made_up += told.len(),
                (_, []) => clocks.missing += 1,
                (played, [told, ..]) if played.contains(told) => clocks.right += 1,
                _ => clocks.wrong += 1,
            }
        }
        clocks
    }
}

impl AddAssign for Clocks {
    fn add_assign(&mut self, other: Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.missing += other.missing;
        self.made_up += other.made_up;
    }
}

impl fmt::Display for Clocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "clock times {} right, {} wrong, {} missing, {} made up",
            self.right, self.wrong, self.missing, self.made_up
        )
    }
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
        }?;
        if self.clocks.wrong + self.clocks.missing + self.clocks.made_up > 0 {
            write!(f, " {}", self.clocks)
        } else {
            Ok(())
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
        let clocks = |value: &serde_json::Value| -> Vec<Vec<u64>> {
            let one_of = |ply: &serde_json::Value| match ply {
                serde_json::Value::Array(all) => all.iter().filter_map(serde_json::Value::as_u64).collect(),
                one => one.as_u64().into_iter().collect(),
            };
            value.as_array().into_iter().flatten().map(one_of).collect()
        };
        let mut expected = Self { known: true, ..Self::default() };
        if let Some(games) = json["games"].as_array() {
            for game in games {
                let accepted = results(&game["results"]);
                expected.games.push(GameRecord {
                    moves: words(&game["moves"]),
                    clocks: clocks(&game["clocks_s"]),
                    result: accepted.first().cloned().unwrap_or_default(),
                });
                expected.results.push(accepted);
                let ranges = game["order_open_from_to_ply"].as_array().into_iter().flatten();
                let range =
                    |range: &serde_json::Value| Some((range[0].as_u64()? as usize, range[1].as_u64()? as usize));
                expected.open.push(ranges.filter_map(range).collect());
            }
        } else {
            expected.games.push(GameRecord { moves: words(&json["moves_of_the_whole_game"]), ..GameRecord::default() });
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
            games: vec![GameRecord { moves, result: "*".into(), ..GameRecord::default() }],
            results: vec![["*", "1-0", "0-1", "1/2-1/2"].map(str::to_owned).to_vec()],
            open: vec![Vec::new()],
            known: true,
            part: false,
        }
    }

    /// How right the games of a record are.
    pub(crate) fn verdict(&self, games: &[GameRecord]) -> Verdict {
        let empty = GameRecord::default();
        if !self.known {
            let note =
                games.iter().map(|game| format!("{} plies {}", game.moves.len(), game.result)).collect::<Vec<_>>();
            return Verdict { note: note.join(", "), ..Verdict::default() };
        }
        let mut verdict = Verdict { known: true, moves: true, result: true, ..Verdict::default() };
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
            verdict.clocks += Clocks::of(wanted, told, same);
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
