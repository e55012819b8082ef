//! `boardcast support-bundle`: everything that a report of a fault needs, in one file.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use chrono::{DateTime, SecondsFormat};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::data_args::DataArgs;
use super::output;
use crate::admin::client::{self, LogLine};
use crate::input_file;
use crate::support::{Scrubber, bare_config, bare_json};
use accounts::{Accounts, Role};
use journal::{DataFolder, Findings, Reader};
use notation_commands::Done;

/// Lines of the log that are taken.
const LOG_LINES: &str = "20000";

/// Files of the data folder with settings that were made in the dashboard, and what was learned about lines.
const SETTINGS_FILES: [&str; 4] = ["outputs.json", "sources.json", "ports.json", "lines.json"];

/// Largest capture that is taken, in bytes.
const CAPTURE_BYTES: u64 = 64 << 20;

/// Most faults that are listed.
const LISTED: usize = 200;

/// Collect what a report of a fault needs in one file: log, settings, captures, check, metrics
///
/// Names of players and accounts are replaced, secrets and names in the settings are left out, and accounts, keys and the journal
/// itself are not in it. Look into the file before you send it: it is an archive (tar.gz) of texts. The daemon may be running.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file to write; it must not exist
    #[arg(value_name = "FILE", default_value = "boardcast-support.tar.gz")]
    file: PathBuf,
    /// Take the captures of this many days, counted from now
    #[arg(long, value_name = "DAYS", default_value_t = 2)]
    days: u32,
    #[command(flatten)]
    folder: DataArgs,
}

pub(super) fn run(args: Args) -> anyhow::Result<Done> {
    let config = args.folder.config_file().map(ToOwned::to_owned);
    let data = args.folder.folder()?;
    let scrubber = Scrubber::of(names(&data)?);
    let file = File::create_new(&args.file).with_context(|| {
        format!(
            "{} cannot be made: name a file that is not there yet, in a folder that you can write to",
            args.file.display()
        )
    })?;
    let captures = write(file, config.as_deref(), &data, args.days, &scrubber).inspect_err(|_| {
        // A part of a report is none, and hinders the next attempt.
        let _ = fs::remove_file(&args.file);
    })?;
    output::print(&format!(
        "{} has log, settings without secrets, check, metrics and {}, with names replaced; look into it before you send it\n",
        args.file.display(),
        output::counted(captures, "capture")
    ))?;
    Ok(Done::Fully)
}

/// Writes the whole report; says how many captures are in it.
fn write(file: File, config: Option<&Path>, data: &Path, days: u32, scrubber: &Scrubber) -> anyhow::Result<u64> {
    let mut bundle = Bundle(tar::Builder::new(GzEncoder::new(file, Compression::default())));
    bundle.add("about.txt", &about(data))?;
    if let Some(path) = config {
        let text = input_file::read_text(path, 1 << 20)?;
        bundle
            .add("settings.toml", &bare_config(&text).unwrap_or_else(|error| format!("# not readable: {error}\n")))?;
    }
    for name in SETTINGS_FILES {
        if let Ok(text) = input_file::read_text(&data.join(name), 1 << 20) {
            bundle.add(name, &bare_json(&text).unwrap_or_else(|error| format!("not readable: {error}\n")))?;
        }
    }
    bundle.add("check.txt", &scrubber.scrub(&checked(data)))?;
    bundle.add("log.txt", &scrubber.scrub(&log()))?;
    let recent = recent_log(data).unwrap_or_else(|error| format!("{error:#}\n"));
    bundle.add("recent-log.txt", &scrubber.scrub(&recent))?;
    bundle.add("metrics.txt", &scrubber.scrub(&from_daemon(data, "/metrics")))?;
    bundle.add("health.txt", &scrubber.scrub(&from_daemon(data, "/health")))?;
    let captures = captures(data, days);
    for path in &captures {
        let name = Path::new("captures").join(path.strip_prefix(data.join("captures"))?);
        match input_file::read_text(path, CAPTURE_BYTES) {
            Ok(text) => bundle.add(&name.to_string_lossy(), &scrubber.scrub_capture(&text))?,
            Err(error) => bundle.add(&format!("{}.missing", name.display()), &format!("{error}\n"))?,
        }
    }
    bundle.0.into_inner()?.finish()?.sync_all()?;
    Ok(captures.len() as u64)
}

struct Bundle(tar::Builder<GzEncoder<File>>);

impl Bundle {
    fn add(&mut self, name: &str, text: &str) -> anyhow::Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o600);
        header.set_cksum();
        Ok(self.0.append_data(&mut header, Path::new("boardcast-support").join(name), text.as_bytes())?)
    }
}

/// Names of players and accounts, which must not leave the machine.
fn names(data: &Path) -> anyhow::Result<Vec<String>> {
    let past = Reader::open_in(data)?.past()?;
    let players = past.persons.iter().flat_map(|(_, person)| [Some(person.name.clone()), person.team.clone()]);
    let mut names: Vec<_> = players.flatten().collect();
    if Accounts::are_in(data) {
        names.extend(Accounts::open(data)?.users()?.into_iter().map(|user| user.name.to_string()));
    }
    Ok(names)
}

/// Version, system, disk.
fn about(data: &Path) -> String {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let space =
        |bytes: std::io::Result<u64>| bytes.map_or_else(|error| error.to_string(), |b| format!("{} MB", b >> 20));
    format!(
        "boardcast {}\n{}{}disk: {} free of {}\nuptime: {}",
        env!("CARGO_PKG_VERSION"),
        read("/etc/os-release"),
        read("/proc/version"),
        space(fs4::available_space(data)),
        space(fs4::total_space(data)),
        read("/proc/uptime"),
    )
}

/// What `boardcast check` finds.
fn checked(data: &Path) -> String {
    let mut findings = Findings::default();
    let checked = Reader::open_in(data).and_then(|reader| reader.check(&mut findings));
    let mut text = match checked {
        Ok(()) => format!("{} games, {} events, {} facts\n", findings.games, findings.events, findings.facts),
        Err(error) => format!("the journal cannot be checked: {error}\n"),
    };
    for fault in findings.faults.iter().take(LISTED) {
        let _ = writeln!(text, "{fault}");
    }
    text
}

/// The newest lines of the daemon that runs: those who may not read the log of the system, as the account of the service, and those who
/// started it in a terminal have no others.
fn recent_log(data: &Path) -> anyhow::Result<String> {
    let address = DataFolder::read_address(data).context("the daemon does not run")?;
    let accounts = Accounts::open(data)?;
    let by = accounts.users()?.into_iter().find(|user| user.role == Role::Administrator);
    let by =
        by.context("there is no administrator yet, as whom the daemon could be asked for its log")?.name.parse()?;
    let lines = client::log(&accounts, &by, address)?;
    Ok(lines.into_iter().fold(String::new(), |mut text, LogLine { at, level, text: line }| {
        let at = DateTime::from_timestamp_millis(at).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Millis, true);
        let _ = writeln!(text, "{at} {level} {line}");
        text
    }))
}

/// The log of the service, where there is one.
fn log() -> String {
    let arguments =
        ["--unit", "boardcast", "--unit", "boardcast@*", "--lines", LOG_LINES, "--no-pager", "--output", "short-iso"];
    match Command::new("journalctl").args(arguments).output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        Ok(output) => format!("journalctl: {}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => format!("journalctl is not here: {error}\n"),
    }
}

/// What the running daemon says at an address for programs on this machine.
pub(super) fn from_daemon(data: &Path, path: &str) -> String {
    const NO_DAEMON: &str = "the daemon does not run\n";
    let Some(address) = DataFolder::read_address(data) else { return NO_DAEMON.into() };
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_secs(5)))
        .build()
        .into();
    let answer = agent.get(format!("http://localhost:{}{path}", address.port())).call();
    match answer.map(|mut answer| answer.body_mut().read_to_string()) {
        Ok(Ok(text)) => text,
        // One that has stopped leaves its address.
        Err(ureq::Error::Io(error)) if error.kind() == ErrorKind::ConnectionRefused => NO_DAEMON.into(),
        Ok(Err(error)) | Err(error) => format!("the daemon does not answer: {error}\n"),
    }
}

/// Captures that were written in the last days, by name.
fn captures(data: &Path, days: u32) -> Vec<PathBuf> {
    let from = SystemTime::now() - Duration::from_hours(24) * days;
    let pattern = data.join("captures/*/*.capture");
    let found = pattern.to_str().and_then(|pattern| glob::glob(pattern).ok()).into_iter().flatten().flatten();
    let is_new = |path: &PathBuf| fs::metadata(path).and_then(|about| about.modified()).is_ok_and(|at| at >= from);
    let mut captures: Vec<_> = found.filter(is_new).collect();
    captures.sort();
    captures
}
