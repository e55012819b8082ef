//! A program on this machine, once for each changed round: the PGN on standard input and in a file.

use std::io::Write as _;
use std::time::Duration;

use coded_text::CodedText;

use crate::consumer::process::{no_temporary_file, run};
use crate::consumer::{Consumer, Delivered, Job, one_by_one, round_files};
use crate::queue::{Failure, Parcel};
use crate::sentence::OutputSentence;
use crate::settings::CommandTarget;
use crate::wanted::Wanted;

/// A program on this machine.
pub(super) struct Program {
    target: CommandTarget,
}

impl Program {
    pub(super) fn new(target: CommandTarget) -> Self {
        Self { target }
    }

    fn send(&self, section: &str, parcel: &Parcel) -> Result<OutputSentence, Failure> {
        // Lives until the program has ended.
        let mut file = tempfile::Builder::new().suffix(".pgn").tempfile().map_err(no_temporary_file)?;
        file.write_all(&parcel.bytes).map_err(no_temporary_file)?;
        let (path, round) = (file.path().to_string_lossy().into_owned(), parcel.round.to_string());
        let replaced = |argument: &String| {
            argument.replace("{file}", &path).replace("{section}", section).replace("{round}", &round)
        };
        let arguments: Vec<_> = self.target.arguments.iter().map(replaced).collect();
        let patience = Duration::from_secs(self.target.timeout_s.into());
        run(&self.target.program, &arguments, &parcel.bytes, patience)?;
        Ok(OutputSentence::ProgramTook { what: parcel.label.clone() })
    }
}

impl Consumer for Program {
    fn parcels(&self, wanted: &Wanted) -> Vec<Parcel> {
        round_files(wanted, "{section}/{round}")
    }

    fn deliver(&mut self, job: &Job<'_>) -> Delivered {
        one_by_one(job, |parcel| self.send(&job.wanted.section, parcel))
    }

    fn spacing_ms(&self) -> u64 {
        1_000
    }

    fn test(&mut self) -> Result<Vec<CodedText>, Failure> {
        let program = self.target.program.display().to_string();
        if self.target.program.is_file() {
            Ok(vec![OutputSentence::ProgramThere { program }.coded()])
        } else {
            Err(Failure::refused(OutputSentence::NoProgram { program }))
        }
    }
}
