//! Runs a chess engine as a process and searches positions over UCI.
//!
//! [`Engine`] is one process. Its output is not trusted: lines are bounded in length, waiting is bounded in time, and the caller
//! checks moves for legality. Must not know where positions come from.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use notation::epd::Evaluation;

/// Usual time limit for an engine to start, to be ready, and to stop.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// Longest name of an engine that is kept, in characters.
const NAME_CHARACTERS: usize = 60;
/// Longest line that is read, in bytes; a long variation takes about a thousand.
const LINE_BYTES: u64 = 64 * 1024;
/// Lines that are buffered; the engine waits when the buffer is full.
const WAITING_LINES: usize = 1024;
/// Debian's folder for engines, which is not in the PATH of every user.
const DEBIAN_GAMES: &str = "/usr/games";

/// Limits of a search. The engine stops at the first one that it reaches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Time for each position.
    pub time: Option<Duration>,
    /// Stop at a mate in this many moves.
    pub mate: Option<u32>,
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchResult {
    /// Evaluation for the side to move.
    pub evaluation: Option<Evaluation>,
    /// Depth of that evaluation in plies.
    pub depth: u32,
    /// Principal variation in coordinates, the best move first.
    pub line: Vec<String>,
    /// Nodes searched.
    pub nodes: u64,
    /// Time used, as the engine reports it.
    pub time: Duration,
}

/// A running engine process; dropping it ends the process.
#[derive(Debug)]
pub struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    patience: Duration,
    name: String,
}

impl Engine {
    /// Starts an engine and sets its options. `patience` is the time limit for each of its replies, beyond the time of a search.
    ///
    /// # Errors
    /// One sentence when the program cannot be started, or does not speak UCI.
    pub fn start(program: &Path, options: &[(String, String)], patience: Duration) -> anyhow::Result<Self> {
        let mut child =
            spawn(program).with_context(|| format!("the engine {} cannot be started", program.display()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("the engine {} has no input or output", program.display());
        };
        let (sender, lines) = mpsc::sync_channel(WAITING_LINES);
        let mut engine = Self { child, input, lines, patience, name: String::new() };
        thread::Builder::new().name("engine output".to_owned()).spawn(move || forward_lines(output, &sender))?;
        let mut name = String::new();
        let greeting = engine.send("uci").and_then(|()| {
            engine.wait_for("uciok", Instant::now() + patience, |line| {
                if let Some(given) = line.strip_prefix("id name ") {
                    name = given.chars().filter(|letter| !letter.is_control()).take(NAME_CHARACTERS).collect();
                }
            })
        });
        greeting.with_context(|| format!("{} does not speak UCI", program.display()))?;
        name.trim().clone_into(&mut engine.name);
        for (name, value) in options {
            engine.send(&format!("setoption name {name} value {value}"))?;
        }
        Ok(engine)
    }

    /// What it calls itself; empty when it gives no name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Searches one position, without knowledge from earlier searches. Without a limit of time it waits as long as the engine
    /// takes.
    ///
    /// # Errors
    /// One sentence when the engine has ended or does not answer in time; it is of no more use then.
    pub fn search(&mut self, fen: &str, limits: Limits) -> anyhow::Result<SearchResult> {
        self.send("ucinewgame")?;
        self.send("isready")?;
        self.wait_for("readyok", Instant::now() + self.patience, |_| ())?;
        self.send(&format!("position fen {fen}"))?;
        self.send(&limits.command())?;
        let mut result = SearchResult::default();
        let best = match limits.time {
            None => self.wait_for_best(None, &mut result)?,
            Some(time) => {
                let in_time = self.wait_for_best(Some(Instant::now() + time + self.patience), &mut result);
                in_time.or_else(|_| {
                    self.send("stop")?;
                    self.wait_for_best(Some(Instant::now() + self.patience), &mut result)
                })?
            }
        };
        match best {
            Some(best) if result.line.first() != Some(&best) => result.line = vec![best],
            Some(_) => {}
            None => result.line.clear(),
        }
        Ok(result)
    }

    /// Reads the lines of a search up to its best move; `None` if the engine has no move.
    fn wait_for_best(
        &mut self,
        deadline: Option<Instant>,
        result: &mut SearchResult,
    ) -> anyhow::Result<Option<String>> {
        let last = match deadline {
            Some(deadline) => self.wait_for("bestmove", deadline, |line| result.take(line))?,
            None => loop {
                let line = self.lines.recv().context("the engine has ended")?;
                if line.starts_with("bestmove") {
                    break line;
                }
                result.take(&line);
            },
        };
        Ok(last
            .split_ascii_whitespace()
            .nth(1)
            .filter(|&best| best != "(none)" && best != "0000")
            .map(ToOwned::to_owned))
    }

    fn send(&mut self, command: &str) -> anyhow::Result<()> {
        writeln!(self.input, "{command}")
            .and_then(|()| self.input.flush())
            .context("the engine has stopped reading commands")
    }

    /// Waits for a line that begins with a word; passes other lines to `take`.
    fn wait_for(&mut self, word: &str, deadline: Instant, mut take: impl FnMut(&str)) -> anyhow::Result<String> {
        loop {
            // An engine that writes without end is late, too.
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                bail!("the engine did not answer with {word} in time");
            }
            match self.lines.recv_timeout(left) {
                Ok(line) if line.split_ascii_whitespace().next() == Some(word) => return Ok(line),
                Ok(line) => take(&line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => bail!("the engine has ended"),
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // The engine has no state to save, so it is killed without waiting for it to quit.
        let _ = self.send("quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(program: &Path) -> io::Result<Child> {
    let start = |program: &OsStr| {
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()
    };
    start(program.as_os_str()).or_else(|error| {
        let is_name = program.components().count() == 1;
        if error.kind() == io::ErrorKind::NotFound && is_name {
            start(Path::new(DEBIAN_GAMES).join(program).as_os_str())
        } else {
            Err(error)
        }
    })
}

/// Forwards lines until the engine ends, the receiver is gone, or a line is too long.
fn forward_lines(output: ChildStdout, lines: &mpsc::SyncSender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = output.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line);
        if read.is_err()
            || line.pop() != Some(b'\n')
            || lines.send(String::from_utf8_lossy(&line).into_owned()).is_err()
        {
            return;
        }
    }
}

impl Limits {
    fn command(self) -> String {
        let parts = [
            ("mate", self.mate.map(u64::from)),
            ("depth", self.depth.map(u64::from)),
            ("nodes", self.nodes),
            ("movetime", self.time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))),
        ];
        let limits: Vec<String> =
            parts.into_iter().filter_map(|(name, limit)| limit.map(|limit| format!(" {name} {limit}"))).collect();
        format!("go{}", limits.concat())
    }
}

impl SearchResult {
    /// Reads an `info` line and ignores other lines.
    fn take(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("info") {
            return;
        }
        let (mut evaluation, mut depth, mut exact, mut main) = (None, 0, true, true);
        while let Some(word) = words.next() {
            match word {
                "nodes" => self.nodes = number(words.next()).unwrap_or(self.nodes),
                "time" => self.time = number(words.next()).map_or(self.time, Duration::from_millis),
                "multipv" => main = words.next() == Some("1"),
                "lowerbound" | "upperbound" => exact = false,
                "depth" => depth = number(words.next()).unwrap_or(0),
                "score" => evaluation = score(words.next(), words.next()),
                "pv" => {
                    if main && exact {
                        self.line = words.map(ToOwned::to_owned).collect();
                        (self.evaluation, self.depth) = (evaluation, depth);
                    }
                    return;
                }
                // The rest of the line is free text.
                "string" => return,
                _ => {}
            }
        }
    }
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

fn score(kind: Option<&str>, value: Option<&str>) -> Option<Evaluation> {
    let value: i64 = number(value)?;
    match kind? {
        "cp" => Some(Evaluation::Centipawns(value)),
        "mate" => {
            let moves = u32::try_from(value.unsigned_abs()).ok()?;
            Some(if value > 0 { Evaluation::MatesIn(moves) } else { Evaluation::MatedIn(moves) })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_are_parsed() {
        let mut result = SearchResult::default();
        for line in [
            "info string NNUE evaluation using nn.nnue depth 3 pv a1a1",
            "info depth 9 seldepth 11 multipv 1 score cp 35 nodes 1234 nps 99 time 12 pv e2e4 e7e5",
            "info depth 9 multipv 2 score cp 30 nodes 1300 pv d2d4",
            "info depth 10 score cp 90 lowerbound nodes 1400 time 15 pv c2c4",
            "info depth 10 currmove e2e4 currmovenumber 1",
            "info nodes many time -3",
            "bestmove e2e4",
        ] {
            result.take(line);
        }
        assert_eq!(
            result,
            SearchResult {
                evaluation: Some(Evaluation::Centipawns(35)),
                depth: 9,
                line: vec!["e2e4".to_owned(), "e7e5".to_owned()],
                nodes: 1400,
                time: Duration::from_millis(15)
            }
        );
        result.take("info score mate -2 pv e1d1");
        assert_eq!(result.evaluation, Some(Evaluation::MatedIn(2)));
        result.take("info score mate 3 pv e1d1");
        assert_eq!(result.evaluation, Some(Evaluation::MatesIn(3)));
    }

    #[test]
    fn limits_are_one_go_command() {
        let limits =
            Limits { depth: Some(7), nodes: Some(100), time: Some(Duration::from_millis(1500)), mate: Some(3) };
        assert_eq!(limits.command(), "go mate 3 depth 7 nodes 100 movetime 1500");
    }
}
