//! A chess engine as a program of its own that speaks UCI.
//!
//! Knows the protocol's words that a search of one position needs; must not know EPD files. What the engine says is
//! text from outside: bounded, never trusted to be legal.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use notation::epd::Evaluation;

/// How long an engine may take to start, to be ready, and to stop.
const PATIENCE: Duration = Duration::from_secs(10);
/// Longest line that is listened to, in bytes; a line of play takes about a thousand.
const LINE_BYTES: u64 = 64 * 1024;
/// Lines that may wait to be read before the engine has to.
const WAITING_LINES: usize = 1024;
/// Where Debian keeps engines, which is not on everybody's path.
const DEBIAN_GAMES: &str = "/usr/games";

/// How much to search. An engine stops at the first limit that it reaches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Limits {
    /// Plies.
    pub(super) depth: Option<u32>,
    /// Positions looked at.
    pub(super) nodes: Option<u64>,
    /// Time for each position.
    pub(super) time: Option<Duration>,
    /// Stop at a mate in this many moves.
    pub(super) mate: Option<u32>,
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// Value for the side to move.
    pub(super) evaluation: Option<Evaluation>,
    /// Best line of play in coordinates, the best move first.
    pub(super) line: Vec<String>,
    /// Positions looked at.
    pub(super) nodes: u64,
    /// Time used, as the engine tells it.
    pub(super) time: Duration,
}

/// A running engine; it ends with this value.
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
        thread::Builder::new().name("engine".to_owned()).spawn(move || listen(output, &sender))?;
        let mut engine = Self { child, input, lines };
        let greeted = engine.say("uci").and_then(|()| engine.wait_for("uciok", Instant::now() + PATIENCE, |_| ()));
        greeted
            .with_context(|| format!("{} does not speak UCI; name another engine with --engine", program.display()))?;
        for (name, value) in options {
            engine.say(&format!("setoption name {name} value {value}"))?;
        }
        Ok(engine)
    }

    /// Searches one position, without what earlier ones taught.
    pub(super) fn search(&mut self, fen: &str, limits: Limits) -> anyhow::Result<Answer> {
        self.say("ucinewgame")?;
        self.say("isready")?;
        self.wait_for("readyok", Instant::now() + PATIENCE, |_| ())?;
        self.say(&format!("position fen {fen}"))?;
        self.say(&limits.command())?;
        let mut answer = Answer::default();
        let best = match limits.time {
            None => self.wait_for_best(None, &mut answer)?,
            Some(time) => {
                let in_time = self.wait_for_best(Some(Instant::now() + time + PATIENCE), &mut answer);
                in_time.or_else(|_| {
                    self.say("stop")?;
                    self.wait_for_best(Some(Instant::now() + PATIENCE), &mut answer)
                })?
            }
        };
        match best {
            Some(best) if answer.line.first() != Some(&best) => answer.line = vec![best],
            Some(_) => {}
            None => answer.line.clear(),
        }
        Ok(answer)
    }

    /// Takes in what is told about a search up to its best move; `None` if there is no move.
    fn wait_for_best(&mut self, deadline: Option<Instant>, answer: &mut Answer) -> anyhow::Result<Option<String>> {
        let last = match deadline {
            Some(deadline) => self.wait_for("bestmove", deadline, |line| answer.take(line))?,
            None => loop {
                let line = self.lines.recv().context("the engine has ended")?;
                if line.starts_with("bestmove") {
                    break line;
                }
                answer.take(&line);
            },
        };
        Ok(last
            .split_ascii_whitespace()
            .nth(1)
            .filter(|&best| best != "(none)" && best != "0000")
            .map(ToOwned::to_owned))
    }

    fn say(&mut self, words: &str) -> anyhow::Result<()> {
        writeln!(self.input, "{words}").and_then(|()| self.input.flush()).context("the engine does not listen any more")
    }

    /// The next line that begins with a word; other lines go to `take`.
    fn wait_for(&mut self, word: &str, deadline: Instant, mut take: impl FnMut(&str)) -> anyhow::Result<String> {
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) if line.split_ascii_whitespace().next() == Some(word) => return Ok(line),
                Ok(line) => take(&line),
                Err(RecvTimeoutError::Timeout) => bail!("the engine does not answer with {word}"),
                Err(RecvTimeoutError::Disconnected) => bail!("the engine has ended"),
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It has nothing to lose, so it need not be asked twice.
        let _ = self.say("quit");
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

/// Passes lines on until the engine ends, or nobody listens, or a line is too long to be UCI.
fn listen(output: ChildStdout, lines: &mpsc::SyncSender<String>) {
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
        let told: Vec<String> =
            parts.into_iter().filter_map(|(name, limit)| limit.map(|limit| format!(" {name} {limit}"))).collect();
        format!("go{}", told.concat())
    }
}

impl Answer {
    /// Takes in an `info` line; other lines say nothing.
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
    fn what_an_engine_tells_is_taken_in() {
        let mut answer = Answer::default();
        for line in [
            "info string NNUE evaluation using nn.nnue depth 3 pv a1a1",
            "info depth 9 seldepth 11 multipv 1 score cp 35 nodes 1234 nps 99 time 12 pv e2e4 e7e5",
            "info depth 9 multipv 2 score cp 30 nodes 1300 pv d2d4",
            "info depth 10 score cp 90 lowerbound nodes 1400 time 15 pv c2c4",
            "info depth 10 currmove e2e4 currmovenumber 1",
            "info nodes many time -3",
            "bestmove e2e4",
        ] {
            answer.take(line);
        }
        assert_eq!(
            answer,
            Answer {
                evaluation: Some(Evaluation::Centipawns(35)),
                line: vec!["e2e4".to_owned(), "e7e5".to_owned()],
                nodes: 1400,
                time: Duration::from_millis(15)
            }
        );
        answer.take("info score mate -2 pv e1d1");
        assert_eq!(answer.evaluation, Some(Evaluation::MatedIn(2)));
        answer.take("info score mate 3 pv e1d1");
        assert_eq!(answer.evaluation, Some(Evaluation::MatesIn(3)));
    }

    #[test]
    fn limits_become_one_command() {
        let limits =
            Limits { depth: Some(7), nodes: Some(100), time: Some(Duration::from_millis(1500)), mate: Some(3) };
        assert_eq!(limits.command(), "go mate 3 depth 7 nodes 100 movetime 1500");
    }
}
