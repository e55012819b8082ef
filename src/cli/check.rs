//! `boardcast check`: checks the journal and the captures.

use super::data_args::DataArgs;
use super::output::{self, counted};
use crate::transport::capture_check::check_captures;
use journal::Findings;
use journal::Reader;
use notation_commands::Done;

/// Maximum number of faults that are listed.
const LISTED: usize = 50;

/// Check the journal and all captures for damage
///
/// Everything that is derived from the events in the journal is computed again and compared. The daemon may be running. The
/// exit code is 1 when there is a fault; each line says where it is and what to do.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    folder: DataArgs,
}

pub(super) fn run(args: Args) -> anyhow::Result<Done> {
    let data = args.folder.folder()?;
    let mut findings = Findings::default();
    let reader = Reader::open_in(&data)?;
    if let Some(schema) = reader.older_schema() {
        output::print(&format!(
            "the journal has the schema {schema} of an older version: a copy of it is checked; the daemon brings the journal \
             itself to this version's schema when it starts\n"
        ))?;
    }
    reader.check(&mut findings)?;
    check_captures(&data.join("captures"), &mut findings);
    for fault in findings.faults.iter().take(LISTED) {
        eprintln!("boardcast: {fault}");
    }
    if findings.faults.len() > LISTED {
        eprintln!("boardcast: {} more faults", findings.faults.len() - LISTED);
    }
    let Findings { games, events, facts, captures, faults } = findings;
    output::print(&format!(
        "{} with {}, {} of the tournament and {}: {}\n",
        counted(games, "game"),
        counted(events, "event"),
        counted(facts, "fact"),
        counted(captures, "capture"),
        if faults.is_empty() { "sound".to_owned() } else { counted(faults.len() as u64, "fault") }
    ))?;
    Ok(if faults.is_empty() { Done::Fully } else { Done::Partly })
}
