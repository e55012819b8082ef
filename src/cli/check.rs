//! `boardcast check`: checks what `boardcast run` needs, and what it recorded.
//!
//! Everything is tried with the functions that `boardcast run` uses. Must not know how a part works.

use std::fmt::{Display, Write as _};
use std::net::SocketAddr;
use std::path::Path;

use evaluations::Evaluations;
use journal::{DataFolder, Findings, JournalError, Reader};
use notation_commands::Done;
use tracing::subscriber::NoSubscriber;

use super::data_args::DataArgs;
use super::output::{self, counted};
use super::run;
use crate::alarms::disk;
use crate::app::{self, Settings};
use crate::config::address_with_port;
use crate::service::Passed;
use crate::time_offer::TimeOffers;
use crate::transport::Port;
use crate::transport::candidates::{Scope, candidates};
use crate::transport::capture_check::check_captures;

/// Maximum number of faults that are listed.
const LISTED: usize = 50;

/// Check configuration, data folder, addresses, ports, disk, time and the record
///
/// Tries what `boardcast run` does with the same options: one line for each item. While the daemon runs, its addresses and ports
/// are left alone. Everything that is derived from the events in the journal is computed again and compared, and all captures
/// are read. The exit code is 1 when the daemon would not start or the record is damaged; each line says what to do. A line
/// with «look» hinders no start.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Address and port of the pages, as for `boardcast run`
    #[arg(long, value_name = "ADDR", value_parser = address_with_port)]
    listen: Option<SocketAddr>,
    #[command(flatten)]
    folder: DataArgs,
}

pub(super) fn run(args: Args) -> anyhow::Result<Done> {
    let data = args.folder.clone().folder()?;
    let settings = run::settings(args.folder.of_run(args.listen), &mut Passed::default());
    let mut items = Items::default();
    // A daemon that runs has its addresses and ports. A folder that is missing is not made by a check.
    let taken = match data.try_exists() {
        Ok(exists) => exists.then(|| DataFolder::take(&data)),
        // Below a folder that may not be read, or below a file.
        Err(source) => Some(Err(JournalError::Folder { path: data.clone(), source })),
    };
    let runs = matches!(taken, Some(Err(JournalError::InUse(_))));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    // What is only tried is not logged.
    tracing::subscriber::with_default(NoSubscriber::new(), || match settings {
        Ok((settings, pages)) => runtime.block_on(items.set_up(&settings, pages, runs)),
        Err(error) => items.wrong("configuration", &error),
    });
    runtime.shutdown_background();
    let has_journal = items.data(&data, taken);
    items.disk(&data);
    items.time(&TimeOffers::open(&data));
    output::print(&items.said)?;
    for fault in &items.faults {
        eprintln!("boardcast: {fault}");
    }
    let sound = match has_journal {
        Some(true) => check_record(&data)?,
        Some(false) => {
            output::print("record: none yet; the daemon begins it\n")?;
            true
        }
        // A fault says why.
        None => false,
    };
    Ok(if sound && items.faults.is_empty() { Done::Fully } else { Done::Partly })
}

/// What was found beside the record, item by item.
#[derive(Default)]
struct Items {
    /// Lines of what is right, and of what a person should look at.
    said: String,
    /// Why `boardcast run` would not start.
    faults: Vec<String>,
}

impl Items {
    fn right(&mut self, item: &str, how: impl Display) {
        let _ = writeln!(self.said, "{item}: {how}");
    }

    fn look(&mut self, item: &str, what: impl Display) {
        let _ = writeln!(self.said, "{item}, look: {what}");
    }

    fn wrong(&mut self, item: &str, error: &anyhow::Error) {
        self.faults.push(format!("{item}: {error:#}"));
    }

    /// Tries what the settings name.
    async fn set_up(&mut self, settings: &Settings, pages: SocketAddr, runs: bool) {
        match app::try_certificate(settings).await {
            Ok(()) => self.right("configuration", "sound"),
            Err(error) => {
                // The addresses need it.
                self.wrong("configuration", &error);
                return;
            }
        }
        if let Some(engine) = &settings.engine {
            match Evaluations::try_engine(engine) {
                Ok(name) => self.right("engine", name),
                Err(error) => self.look("engine", format!("{error:#}; nothing is evaluated: set program at [engine]")),
            }
        }
        if runs {
            self.right("addresses and ports", "the daemon that runs has them; its page System lists the ports");
            return;
        }
        match app::try_addresses(settings, pages).await {
            Ok(None) => self.right("addresses", format!("{pages} is free, and so are all others of the settings")),
            Ok(Some(https)) => self.look(
                "addresses",
                format!("{https} is not free: logging in over the network is not possible; set tls_listen"),
            ),
            Err(error) => self.wrong("addresses", &error),
        }
        self.ports(&settings.scope).await;
    }

    /// Opens each port on which boards are looked for, and closes it.
    async fn ports(&mut self, scope: &Scope) {
        let (mut free, mut found) = (0, false);
        for candidate in candidates(scope).into_iter().filter(|candidate| candidate.may_ask) {
            found = true;
            match Port::open(&candidate.address).await {
                Ok(_) => free += 1,
                Err(error) => self.look("ports", anyhow::Error::new(error)),
            }
        }
        if !found {
            self.look("ports", "no board is plugged in; `boardcast boards` lists the ports that are not used");
        } else if free > 0 {
            self.right("ports", format!("{} can be opened", counted(free, "port")));
        }
    }

    /// The data folder and its permissions; whether there is a journal, if that can be said.
    fn data(&mut self, data: &Path, taken: Option<Result<DataFolder, JournalError>>) -> Option<bool> {
        let shown = data.display();
        match taken {
            None => {
                self.look(
                    "data folder",
                    format!("{shown} does not exist: the daemon makes it when it may; check the name"),
                );
                Some(false)
            }
            Some(Ok(folder)) => {
                match folder.may_write() {
                    Ok(()) => self.right("data folder", format!("{shown} can be written")),
                    Err(error) => self.wrong("data folder", &error.into()),
                }
                folder.has_journal().map_err(|error| self.wrong("record", &error.into())).ok()
            }
            Some(Err(JournalError::InUse(_))) => {
                self.right("data folder", format!("{shown} is used by a daemon that runs"));
                Some(true)
            }
            Some(Err(error)) => {
                self.wrong("data folder", &error.into());
                None
            }
        }
    }

    fn disk(&mut self, data: &Path) {
        // One that is missing will be on the disk of the folder around it.
        let there = data.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("."));
        match (DataFolder::has_room(there), disk::look(there)) {
            (Err(error), _) => self.wrong("disk", &error.into()),
            (Ok(()), Some(low)) => self.look("disk", low.coded().english),
            (Ok(()), None) => self.right("disk", "there is space"),
        }
    }

    fn time(&mut self, time: &TimeOffers) {
        match time.doubt(time.clock().now()) {
            None => self.right("time", "the clock of this computer is right"),
            Some(doubt) => self.look("time", doubt),
        }
    }
}

/// Checks journal and captures; whether they are sound.
fn check_record(data: &Path) -> anyhow::Result<bool> {
    let mut findings = Findings::default();
    let reader = Reader::open_in(data)?;
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
    Ok(faults.is_empty())
}
