//! The output of a long search: written record by record, and resumed after an interruption.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, bail};
use notation::epd::{MAX_RECORD_BYTES, Record, read_record};
use notation::fen::{Reading, Style};
use shakmaty::Position;

use crate::terminal::print;

/// Standard output, or a file that may hold the first records of an interrupted run.
#[derive(Debug)]
pub(super) struct ResumableOutput {
    file: Option<Resumed>,
}

#[derive(Debug)]
struct Resumed {
    name: String,
    file: File,
    /// Reads the records of the earlier run; `None` after the last one.
    earlier: Option<BufReader<File>>,
    /// End of the records that are kept, in bytes.
    end: u64,
}

impl ResumableOutput {
    /// Opens the file, or standard output without a path.
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else {
            return Ok(Self { file: None });
        };
        let name = path.display().to_string();
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let open = || -> io::Result<(File, File)> { Ok((options.open(path)?, options.open(path)?)) };
        let (file, earlier) = open().with_context(|| format!("{name} cannot be written"))?;
        let earlier = Some(BufReader::new(earlier));
        Ok(Self { file: Some(Resumed { name, file, earlier, end: 0 }) })
    }

    /// Whether an earlier run wrote this record. Call it for each input record in order, before writing.
    pub(super) fn contains(&mut self, record: &Record) -> anyhow::Result<bool> {
        self.file.as_mut().map_or(Ok(false), |file| file.contains(record))
    }

    /// Writes a record without buffering, so that it is kept if the program is interrupted.
    pub(super) fn write(&mut self, record: &Record) -> anyhow::Result<()> {
        let line = format!("{record}\n");
        match &mut self.file {
            Some(Resumed { name, file, .. }) => {
                file.write_all(line.as_bytes()).with_context(|| format!("{name} cannot be written"))
            }
            None => print(&line),
        }
    }
}

impl Resumed {
    fn contains(&mut self, record: &Record) -> anyhow::Result<bool> {
        let Some(earlier) = &mut self.earlier else {
            return Ok(false);
        };
        let mut line = Vec::new();
        earlier
            .take(MAX_RECORD_BYTES as u64 + 1)
            .read_until(b'\n', &mut line)
            .with_context(|| format!("{} cannot be read", self.name))?;
        let Some(text) = line.strip_suffix(b"\n") else {
            if line.len() > MAX_RECORD_BYTES {
                bail!("{} has other records than this input; name another output file", self.name);
            }
            // The end of the file, or an incomplete last line.
            self.earlier = None;
            let cut = self.file.set_len(self.end).and_then(|()| self.file.seek(SeekFrom::Start(self.end)));
            cut.with_context(|| format!("{} cannot be written", self.name))?;
            return Ok(false);
        };
        let reading =
            if record.position().castles().mode().is_chess960() { Reading::LAX.chess960() } else { Reading::LAX };
        let held = read_record(&String::from_utf8_lossy(text), reading);
        if held.is_ok_and(|held| held.fen(Style::STANDARD) == record.fen(Style::STANDARD)) {
            self.end += line.len() as u64;
            return Ok(true);
        }
        bail!("{} has other records than this input; name another output file", self.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(operations: &str) -> Record {
        let text = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {operations}");
        read_record(&text, Reading::LAX).expect("a sound record")
    }

    #[test]
    fn an_interrupted_run_resumes_after_its_last_complete_record() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.epd");
        let input = [record("id \"1\""), record("id \"2\""), record("id \"3\"")];
        let mut first = ResumableOutput::open(Some(&path)).expect("a new file");
        assert!(!first.contains(&input[0]).expect("an answer"));
        first.write(&record("ce 7; id \"1\"")).expect("written");
        std::fs::OpenOptions::new()
            .append(true)
            .open(&path)
            .and_then(|mut file| file.write_all(b"rnbqkbnr/ppp"))
            .expect("torn");
        let mut second = ResumableOutput::open(Some(&path)).expect("the file");
        let held = input.each_ref().map(|record| second.contains(record).expect("an answer"));
        assert_eq!(held, [true, false, false]);
        second.write(&input[1]).expect("written");
        let text = std::fs::read_to_string(&path).expect("the file");
        assert_eq!(text, format!("{}\n{}\n", record("ce 7; id \"1\""), input[1]));
    }

    #[test]
    fn another_file_s_records_are_not_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.epd");
        for content in ["4k3/8/8/8/8/8/8/4K3 w - - id \"1\";\n", "a diary\n", &"x".repeat(5000)] {
            std::fs::write(&path, content).expect("written");
            let mut output = ResumableOutput::open(Some(&path)).expect("the file");
            let error = output.contains(&record("")).expect_err("a stranger");
            assert!(error.to_string().ends_with("name another output file"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).expect("the file"), content);
        }
    }
}
