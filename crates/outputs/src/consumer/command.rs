//! A program on this machine, once for each changed round: the PGN on standard input and in a file.

use std::io::Write as _;
use std::time::Duration;

use crate::consumer::process::run;
use crate::consumer::{Consumer, Delivered, Job, one_by_one, round_files};
use crate::queue::{Failure, Parcel};
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

    fn send(&self, section: &str, parcel: &Parcel) -> Result<String, Failure> {
        let no_file = |error: std::io::Error| {
            Failure::unreachable(format!("There is no room for temporary files ({error}): free space on the disk."))
        };
        // Lives until the program has ended.
        let mut file = tempfile::Builder::new().suffix(".pgn").tempfile().map_err(no_file)?;
        file.write_all(&parcel.bytes).map_err(no_file)?;
        let (path, round) = (file.path().to_string_lossy().into_owned(), parcel.round.to_string());
        let replaced = |argument: &String| {
            argument.replace("{file}", &path).replace("{section}", section).replace("{round}", &round)
        };
        let arguments: Vec<_> = self.target.arguments.iter().map(replaced).collect();
        let patience = Duration::from_secs(self.target.timeout_s.into());
        run(&self.target.program, &arguments, &parcel.bytes, patience)?;
        Ok(format!("The program took {}.", parcel.label))
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

    fn test(&mut self) -> Result<String, Failure> {
        let program = &self.target.program;
        if program.is_file() {
            Ok(format!("{} is there. Whether it works shows with the first round.", program.display()))
        } else {
            Err(Failure::refused(format!("There is no program {}: install it, or check its path.", program.display())))
        }
    }
}
