//! `boardcast epd analyse`, `mate` and `targets`: an engine searches the positions of records.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use clap::builder::RangedU64ValueParser;
use notation::epd::{Evaluation, Operand, Reason, Record, Verdict};
use notation::fen::Style;
use shakmaty::Position;
use uci::{Engine, Limits, SearchResult};

use super::epd_files::EpdFiles;
use super::resumable_output::ResumableOutput;
use crate::done::Done;
use crate::terminal::warn;

/// Time for each position without a limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Analyse every position with an engine: predicted variation (pv), evaluation (ce), nodes and seconds
///
/// Records with pv and ce are copied unchanged.
#[derive(Debug, clap::Args)]
pub(super) struct AnalyseArgs {
    #[command(flatten)]
    pub(super) common: Common,
}

/// Search forced mates with an engine: number of moves (dm) and the first move (pm)
///
/// Records that already have a mate within this number of moves are copied unchanged, and so are positions without one.
#[derive(Debug, clap::Args)]
pub(super) struct MateArgs {
    /// Longest mate to search, in moves
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(super) moves: u32,
    #[command(flatten)]
    pub(super) common: Common,
}

/// Solve problems with an engine, records with moves to find (bm) or to avoid (am): the predicted move (pm)
///
/// Records with pm, and records without a problem, are copied unchanged.
#[derive(Debug, clap::Args)]
pub(super) struct TargetsArgs {
    #[command(flatten)]
    pub(super) common: Common,
}

#[derive(Debug, clap::Args)]
pub(super) struct Common {
    #[command(flatten)]
    input: EpdFiles,
    /// The engine: any program that speaks UCI
    #[arg(long, value_name = "PATH", default_value = "stockfish")]
    engine: PathBuf,
    /// An option of the engine, such as Threads=2; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = engine_option)]
    options: Vec<(String, String)>,
    /// Search each position to this depth in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,
    /// Search this number of nodes for each position
    #[arg(long, value_name = "NODES", value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    nodes: Option<u64>,
    /// Search each position for this number of seconds; 1 without another limit
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Write to this file instead of standard output; an interrupted run is resumed
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Common {
    /// Refuses an output file that is also an input: its records would count as already done.
    fn check_output(&self) -> anyhow::Result<()> {
        let Some(output) = self.output.as_deref().and_then(|path| path.canonicalize().ok()) else {
            return Ok(());
        };
        if self.input.files.iter().any(|file| file.canonicalize().is_ok_and(|file| file == output)) {
            bail!("{} is both input and output; name another output file", output.display());
        }
        Ok(())
    }
}

/// The task of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// The best variation and its evaluation.
    Analyse,
    /// A mate in at most this number of moves.
    Mate(u32),
    /// The answer to the record's problem.
    Targets,
}

pub(super) fn run(args: &Common, task: Task) -> anyhow::Result<Done> {
    args.check_output()?;
    let mut output = ResumableOutput::open(args.output.as_deref())?;
    let mut work = Work::begin(args, task)?;
    let read = args.input.each(|file, line, mut record| {
        if !output.contains(&record)? {
            if task.is_open(&record)
                && let Err(error) = work.answer(&mut record)
            {
                progress_end();
                warn(format_args!("{file}, line {line}: {error:#}; the record is copied unchanged"));
                work.failed += 1;
            }
            output.write(&record)?;
        }
        work.records += 1;
        work.progress();
        Ok(())
    });
    progress_end();
    let read = read?;
    if work.failed > 0 {
        let (count, have) = (work.failed, if work.failed == 1 { "record has" } else { "records have" });
        warn(format_args!("{count} {have} no answer; run the command again with its output as input"));
        return Ok(Done::Partly);
    }
    Ok(read)
}

fn start(program: &Path, options: &[(String, String)]) -> anyhow::Result<Engine> {
    Engine::start(program, options, uci::PATIENCE)
        .map_err(|error| anyhow::anyhow!("{error:#}; name another engine with --engine"))
}

struct Work<'a> {
    args: &'a Common,
    options: Vec<(String, String)>,
    task: Task,
    /// `None` after a failure.
    engine: Option<Engine>,
    records: usize,
    searched: usize,
    failed: usize,
}

impl<'a> Work<'a> {
    /// Starts the engine, so that a wrong name is reported before anything is written.
    fn begin(args: &'a Common, task: Task) -> anyhow::Result<Self> {
        let mut options = args.options.clone();
        if args.input.chess960 {
            options.push(("UCI_Chess960".to_owned(), "true".to_owned()));
        }
        let engine = Some(start(&args.engine, &options)?);
        Ok(Self { args, options, task, engine, records: 0, searched: 0, failed: 0 })
    }

    /// Writes the engine's answer into the record, which stays unchanged on an error.
    fn answer(&mut self, record: &mut Record) -> anyhow::Result<()> {
        let answer = if record.position().legal_moves().is_empty() { game_over(record) } else { self.search(record)? };
        self.searched += 1;
        let mut answered = record.clone();
        match (self.task, answer.evaluation) {
            (Task::Mate(most), Some(Evaluation::MatesIn(moves))) if moves <= most => {
                answered.set("dm", vec![Operand::Integer(moves.into())])?;
            }
            // No mate found: nothing to write.
            (Task::Mate(_), _) => return Ok(()),
            _ => {}
        }
        attach(&mut answered, &answer)?;
        *record = answered;
        Ok(())
    }

    /// Searches a record's position; restarts the engine and tries once more if it fails.
    fn search(&mut self, record: &Record) -> anyhow::Result<SearchResult> {
        let fen = record.fen(Style::STANDARD);
        let limits = self.limits();
        if let Some(answer) = self.engine.as_mut().and_then(|engine| engine.search(&fen, limits).ok()) {
            return Ok(answer);
        }
        self.engine = None;
        let mut engine = start(&self.args.engine, &self.options)?;
        let answer = engine.search(&fen, limits)?;
        self.engine = Some(engine);
        Ok(answer)
    }

    fn limits(&self) -> Limits {
        let Common { depth, nodes, time, .. } = *self.args;
        let unlimited = depth.is_none() && nodes.is_none() && time.is_none();
        let mate = if let Task::Mate(moves) = self.task { Some(moves) } else { None };
        Limits { depth, nodes, time: if unlimited { Some(DEFAULT_TIME) } else { time }, mate }
    }

    fn progress(&self) {
        let mut terminal = std::io::stderr();
        if terminal.is_terminal() {
            // The search continues if the terminal is gone.
            let _ = write!(terminal, "\r{} records, {} searched", self.records, self.searched);
        }
    }
}

/// Ends the progress line.
fn progress_end() {
    if std::io::stderr().is_terminal() {
        eprintln!();
    }
}

impl Task {
    /// Whether a record still needs a search.
    fn is_open(self, record: &Record) -> bool {
        match self {
            Self::Analyse => record.get("pv").is_none() || record.get("ce").is_none(),
            Self::Mate(moves) => {
                let known = record.integer("dm").is_some_and(|known| known <= i64::from(moves));
                !known && !record.position().legal_moves().is_empty()
            }
            Self::Targets => {
                Verdict::of(record) != Verdict::NoProblem
                    && record.get("pm").is_none()
                    && !record.position().legal_moves().is_empty()
            }
        }
    }
}

/// The answer for a position without a legal move, where no engine is needed.
fn game_over(record: &Record) -> SearchResult {
    let mated = record.position().is_checkmate();
    let evaluation = if mated { Evaluation::MatedIn(0) } else { Evaluation::Centipawns(0) };
    SearchResult { evaluation: Some(evaluation), ..SearchResult::default() }
}

/// Writes an answer into a record and replaces earlier ones. A variation is cut to the length that fits.
fn attach(record: &mut Record, answer: &SearchResult) -> anyhow::Result<()> {
    for opcode in ["pm", "pv", "ce", "acn", "acs"] {
        record.remove(opcode)?;
    }
    let Some(evaluation) = answer.evaluation else {
        bail!("the engine gave no evaluation");
    };
    record.set("ce", vec![Operand::Integer(evaluation.to_ce())])?;
    record.set("acn", vec![Operand::Integer(i64::try_from(answer.nodes).unwrap_or(i64::MAX))])?;
    record.set("acs", vec![Operand::Integer(i64::try_from(answer.time.as_secs()).unwrap_or(i64::MAX))])?;
    let mut line: Vec<Operand> = answer.line.iter().cloned().map(Operand::Move).collect();
    if let Some(first) = line.first() {
        record.set("pm", vec![first.clone()])?;
    }
    loop {
        match record.set("pv", line.clone()) {
            Err(Reason::TooLong) if !line.is_empty() => line.truncate(line.len() - 1),
            set => return Ok(set?),
        }
    }
}

fn engine_option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    if name.is_empty() || text.contains(['\n', '\r']) {
        return Err("write NAME=VALUE on one line".to_owned());
    }
    Ok((name.to_owned(), value.to_owned()))
}

/// Parses a time from a millisecond to a day.
fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || "write a number of seconds from 0.001 to 86400".to_owned();
    let seconds: f64 = text.parse().map_err(|_| wrong())?;
    if (0.001..=86_400.0).contains(&seconds) { Ok(Duration::from_secs_f64(seconds)) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn common(engine: &str, folder: &Path, input: &str) -> Common {
        let file = folder.join("in.epd");
        std::fs::write(&file, input).expect("a file to read");
        Common {
            input: EpdFiles { files: vec![file], chess960: false },
            engine: engine.into(),
            options: Vec::new(),
            depth: Some(8),
            nodes: None,
            time: None,
            output: Some(folder.join("out.epd")),
        }
    }

    fn fake(folder: &Path, input: &str) -> Common {
        common(concat!(env!("CARGO_MANIFEST_DIR"), "/../uci/tests/fake_engine.sh"), folder, input)
    }

    fn output(folder: &Path) -> String {
        std::fs::read_to_string(folder.join("out.epd")).expect("a written file")
    }

    #[test]
    fn an_engine_that_dies_costs_one_record() {
        let folder = tempfile::tempdir().expect("a folder");
        let input = "4k3/8/8/8/8/8/8/4K3 w - - id \"1\";\n4k3/8/8/8/8/8/8/4K3 b - - id \"2\";\nnonsense\n\
                     4k3/8/8/8/8/8/8/4K3 w - - ce 7; id \"3\"; pv Kd2;\n4k3/8/8/8/8/8/8/4K3 w - - id \"4\"; pm Kd2;\n";
        let done = run(&fake(folder.path(), input), Task::Analyse).expect("the rest is done");
        assert_eq!(done, Done::Partly);
        assert_eq!(
            output(folder.path()),
            "4k3/8/8/8/8/8/8/4K3 w - - acn 1; acs 2; ce 20; id \"1\"; pm Ke2; pv Ke2 Ke7 Ke1;\n\
             4k3/8/8/8/8/8/8/4K3 b - - id \"2\";\n\
             4k3/8/8/8/8/8/8/4K3 w - - ce 7; id \"3\"; pv Kd2;\n\
             4k3/8/8/8/8/8/8/4K3 w - - acn 1; acs 2; ce 20; id \"4\"; pm Ke2; pv Ke2 Ke7 Ke1;\n"
        );
    }

    #[test]
    fn only_problems_without_an_answer_are_searched() {
        let folder = tempfile::tempdir().expect("a folder");
        let input =
            "4k3/8/8/8/8/8/8/4K3 w - - bm Kd2;\n4k3/8/8/8/8/8/8/4K3 w - -\n4k3/8/8/8/8/8/8/4K3 w - - am Ke2; pm Kd2;\n";
        assert_eq!(run(&fake(folder.path(), input), Task::Targets).expect("all is done"), Done::Fully);
        let text = output(folder.path());
        assert_eq!(text.lines().filter(|line| line.contains("acn")).count(), 1, "{text}");
        assert!(text.starts_with("4k3/8/8/8/8/8/8/4K3 w - - acn 1; acs 2; bm Kd2; ce 20; pm Ke2;"), "{text}");
    }

    #[test]
    fn the_input_is_never_its_own_output() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut args = fake(folder.path(), "4k3/8/8/8/8/8/8/4K3 w - -\n");
        args.output = Some(folder.path().join("./in.epd"));
        let error = run(&args, Task::Analyse).expect_err("one file for both");
        assert!(error.to_string().ends_with("name another output file"), "{error}");
    }

    #[test]
    fn a_finished_game_needs_no_engine() {
        let mated = notation::epd::read_record("R5k1/5ppp/8/8/8/8/8/4K3 b - -", notation::fen::Reading::LAX);
        let mut record = mated.expect("a sound record");
        let answer = game_over(&record);
        attach(&mut record, &answer).expect("an answer");
        assert_eq!(record.to_string(), "R5k1/5ppp/8/8/8/8/8/4K3 b - - acn 0; acs 0; ce -32767; pv;");
        assert!(!Task::Targets.is_open(&record) && !Task::Mate(3).is_open(&record) && !Task::Analyse.is_open(&record));
    }

    #[test]
    fn a_program_that_is_not_an_engine_is_reported_before_anything_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = run(&common("true", folder.path(), ""), Task::Analyse).expect_err("no engine");
        assert!(
            error.to_string().starts_with("true does not speak UCI: ")
                && error.to_string().ends_with("; name another engine with --engine"),
            "{error:#}"
        );
        let error = run(&common("no-such-engine", folder.path(), ""), Task::Analyse).expect_err("no engine");
        assert!(format!("{error:#}").starts_with("the engine no-such-engine cannot be started: "), "{error:#}");
    }

    #[test]
    fn a_long_line_of_play_is_cut_to_what_fits() {
        let input = format!(
            "4k3/8/8/8/8/8/8/4K3 w - - {}",
            (0..15).map(|n| format!("N{n} \"{}\";", "x".repeat(250))).collect::<Vec<_>>().join(" ")
        );
        let mut record = notation::epd::read_record(&input, notation::fen::Reading::LAX).expect("a sound record");
        let line: Vec<String> =
            ["e1e2", "e8e7", "e2e1", "e7e8"].iter().cycle().take(200).map(ToString::to_string).collect();
        attach(
            &mut record,
            &SearchResult { evaluation: Some(Evaluation::Centipawns(0)), line, ..SearchResult::default() },
        )
        .expect("an answer");
        assert!((20..60).contains(&record.moves("pv").count()), "{record}");
    }

    #[test]
    fn stockfish_finds_the_mate() {
        let folder = tempfile::tempdir().expect("a folder");
        let input =
            "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -\n4k3/8/8/8/8/8/4P3/4K3 w - - id \"none\";\n";
        let args = common("stockfish", folder.path(), input);
        match run(&args, Task::Mate(2)) {
            Ok(done) => {
                assert_eq!(done, Done::Fully);
                let text = output(folder.path());
                assert!(text.contains("; dm 2; pm Qg6; pv Qg6"), "{text}");
                assert!(text.ends_with("4k3/8/8/8/8/8/4P3/4K3 w - - id \"none\";\n"), "{text}");
            }
            Err(error) => println!("skipped: {error:#}"),
        }
    }
}
