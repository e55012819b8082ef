//! `boardcast epd report`: summarises analysed records.

use std::fmt::Write as _;

use notation::epd::{Record, Verdict};

use super::epd_files::EpdFiles;
use crate::done::Done;
use crate::terminal::print;

/// Summarise analysed records: problems solved and missed, nodes, times
///
/// A problem is a record with moves to find (bm) or to avoid (am); its answer is the predicted move (pm) or the first
/// move of the predicted variation (pv).
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    input: EpdFiles,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Done> {
    let mut report = Report::default();
    let done = args.input.each(|file, line, record| {
        report.add(file, line, &record);
        Ok(())
    })?;
    print(&report.text())?;
    Ok(done)
}

#[derive(Debug, Default)]
struct Report {
    records: usize,
    solved: usize,
    /// One line for each missed problem.
    missed: Vec<String>,
    unanswered: usize,
    mates: usize,
    nodes: Vec<i64>,
    seconds: Vec<i64>,
}

impl Report {
    fn add(&mut self, file: &str, line: usize, record: &Record) {
        self.records += 1;
        self.mates += usize::from(record.get("dm").is_some());
        self.nodes.extend(record.integer("acn"));
        self.seconds.extend(record.integer("acs"));
        match Verdict::of(record) {
            Verdict::NoProblem => {}
            Verdict::Unanswered => self.unanswered += 1,
            Verdict::Solved => self.solved += 1,
            Verdict::Missed => {
                let name = record.text("id").map_or_else(|| format!("{file}, line {line}"), ToOwned::to_owned);
                let moves = |opcode| record.moves(opcode).collect::<Vec<_>>().join(" ");
                let (best, avoid) = (moves("bm"), moves("am"));
                let mut wanted = Vec::new();
                wanted.extend((!best.is_empty()).then(|| format!("wanted {best}")));
                wanted.extend((!avoid.is_empty()).then(|| format!("to avoid {avoid}")));
                let answer = record.moves("pm").chain(record.moves("pv")).next().unwrap_or_default();
                self.missed.push(format!("{name}: {}, got {answer}", wanted.join(", ")));
            }
        }
    }

    fn text(&self) -> String {
        let problems = self.solved + self.missed.len() + self.unanswered;
        let mut text = format!(
            "records     {}\nproblems    {problems}\nsolved      {}\nmissed      {}\nunanswered  {}\nmates       {}\n",
            self.records,
            share(self.solved, problems),
            share(self.missed.len(), problems),
            share(self.unanswered, problems),
            self.mates,
        );
        for (name, counts) in [("nodes", &self.nodes), ("seconds", &self.seconds)] {
            if let Some(spread) = spread(counts) {
                let _ = writeln!(text, "{name:<12}{spread}");
            }
        }
        for missed in &self.missed {
            let _ = writeln!(text, "missed {missed}");
        }
        text
    }
}

fn share(part: usize, whole: usize) -> String {
    if whole == 0 { part.to_string() } else { format!("{part} ({:.1} %)", 100.0 * part as f64 / whole as f64) }
}

/// Sum and spread of counts; `None` without counts.
fn spread(counts: &[i64]) -> Option<String> {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable();
    let sum: i128 = sorted.iter().copied().map(i128::from).sum();
    let mean = sum / i128::try_from(sorted.len()).ok().filter(|&count| count > 0)?;
    let (least, median, most) = (sorted.first()?, sorted.get(sorted.len() / 2)?, sorted.last()?);
    Some(format!("{sum} in {} records; least {least}, median {median}, mean {mean}, most {most}", sorted.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use notation::epd::read_records;
    use notation::fen::Reading;

    #[test]
    fn a_test_suite_is_summed_up() {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let mut report = Report::default();
        let text = [
            "bm e4; pm e4; acn 100; acs 3",
            "bm e4; am a3; id \"T.2\"; pv a3; acn 300; acs 0",
            "bm d4; acn 200",
            "pm e4",
            "bm e4; pm d4",
        ]
        .map(|operations| format!("{START} {operations};\n"))
        .concat();
        for (index, record) in read_records(text.as_bytes(), Reading::LAX).enumerate() {
            report.add("suite.epd", index + 1, &record.expect("a sound record"));
        }
        assert_eq!(
            report.text(),
            "records     5\nproblems    4\nsolved      1 (25.0 %)\nmissed      2 (50.0 %)\nunanswered  1 (25.0 %)\nmates       0\n\
             nodes       600 in 3 records; least 100, median 200, mean 200, most 300\n\
             seconds     3 in 2 records; least 0, median 3, mean 1, most 3\n\
             missed T.2: wanted e4, to avoid a3, got a3\nmissed suite.epd, line 5: wanted e4, got d4\n"
        );
        assert!(Report::default().text().starts_with("records     0\nproblems    0\nsolved      0\n"));
    }
}
