//! Runs a chess engine as a process and searches positions over UCI.
//!
//! Must not know EPD files. The engine's output is not trusted: its lines are bounded in length, and the caller checks its
//! moves for legality.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use notation::epd::Evaluation;

/// Time limit for an engine to start, to be ready, and to stop.
const REPLY_TIMEOUT: Duration = Duration::from_secs(10);
/// Longest line that is read, in bytes; a long variation takes about a thousand.
const LINE_BYTES: u64 = 64 * 1024;
/// Lines that are buffered; the engine waits when the buffer is full.
const WAITING_LINES: usize = 1024;
/// Debian's folder for engines, which is not in the PATH of every user.
const DEBIAN_GAMES: &str = "/usr/games";

/// Limits of a search. The engine stops at the first one that it reaches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Limits {
    /// Depth in plies.
    pub(super) depth: Option<u32>,
    /// Nodes.
    pub(super) nodes: Option<u64>,
    /// Time for each position.
    pub(super) time: Option<Duration>,
    /// Stop at a mate in this many moves.
    pub(super) mate: Option<u32>,
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SearchResult {
    /// Evaluation for the side to move.
    pub(super) evaluation: Option<Evaluation>,
    /// Principal variation in coordinates, the best move first.
    pub(super) line: Vec<String>,
    /// Nodes searched.
    pub(super) nodes: u64,
    /// Time used, as the engine reports it.
    pub(super) time: Duration,
}

/// A running engine process; dropping it ends the process.
#[derive(Debug)]
pub(super) struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Engine {
    /// Starts an engine and sets its options.
    pub(super) fn start(program: &Path, options: &[(String, String)]) -> anyhow::Result<Self> {
        let mut child = spawn(program).with_context(|| {
            format!("the engine {} cannot be started; install it or name another with --engine", program.display())
        })?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("the engine {} has no input or output", program.display());
        };
        let (sender, lines) = mpsc::sync_channel(WAITING_LINES);
        thread::Builder::new().name("engine".to_owned()).spawn(move || forward_lines(output, &sender))?;
        let mut engine = Self { child, input, lines };
        let greeting =
            engine.send("uci").and_then(|()| engine.wait_for("uciok", Instant::now() + REPLY_TIMEOUT, |_| ()));
        greeting
            .with_context(|| format!("{} does not speak UCI; name another engine with --engine", program.display()))?;
        for (name, value) in options {
            engine.send(&format!("setoption name {name} value {value}"))?;
        }
        Ok(engine)
    }

    /// Searches one position, without knowledge from earlier searches.
    pub(super) fn search(&mut self, fen: &str, limits: Limits) -> anyhow::Result<SearchResult> {
        self.send("ucinewgame")?;
        self.send("isready")?;
        self.wait_for("readyok", Instant::now() + REPLY_TIMEOUT, |_| ())?;
        self.send(&format!("position fen {fen}"))?;
        self.send(&limits.command())?;
        let mut result = SearchResult::default();
        let best = match limits.time {
            None => self.wait_for_best(None, &mut result)?,
            Some(time) => {
                let in_time = self.wait_for_best(Some(Instant::now() + time + REPLY_TIMEOUT), &mut result);
                in_time.or_else(|_| {
                    self.send("stop")?;
                    self.wait_for_best(Some(Instant::now() + REPLY_TIMEOUT), &mut result)
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
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) if line.split_ascii_whitespace().next() == Some(word) => return Ok(line),
                Ok(line) => take(&line),
                Err(RecvTimeoutError::Timeout) => bail!("the engine did not answer with {word} in time"),
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
        let (mut evaluation, mut exact, mut main) = (None, true, true);
        while let Some(word) = words.next() {
            match word {
                "nodes" => self.nodes = number(words.next()).unwrap_or(self.nodes),
                "time" => self.time = number(words.next()).map_or(self.time, Duration::from_millis),
                "multipv" => main = words.next() == Some("1"),
                "lowerbound" | "upperbound" => exact = false,
                "score" => evaluation = score(words.next(), words.next()),
                "pv" => {
                    if main && exact {
                        self.line = words.map(ToOwned::to_owned).collect();
                        self.evaluation = evaluation;
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
