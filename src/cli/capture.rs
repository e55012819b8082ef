//! `boardcast capture`: records the raw traffic of one board.

use std::io::{ErrorKind, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use game_core::capture::CaptureHeader;
use game_core::input::{Attach, Detach, Input, Notice};
use game_core::probe::FirstQuestion;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::boards::session::{CapturedSession, SessionOutput};
use crate::boards::task::SYNC_INTERVAL;
use crate::supervisor::stop_on_signals;
use crate::transport::ask::{Found, FoundBoard, find_board};
use crate::transport::candidates::{PortPattern, Scope, candidates};
use crate::transport::capture_file::{CaptureFile, file_name_part};
use crate::transport::{Address, Chunk, Gone, Port};
use hall_clock::{HallClock, UtcMs, local_time};
use notation_commands::Done;

/// Record the raw traffic of one board in a capture file
///
/// `boardcast replay` turns the file into games. Ctrl-C ends the recording.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The board's port: a path like /dev/ttyUSB0, or tcp://host:port
    #[arg(value_name = "PORT")]
    port: Address,
    /// The file to write, which must not exist; by default its name has the serial number and the time
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) async fn run(args: Args) -> anyhow::Result<Done> {
    let first = first_question(args.port.clone()).await?;
    let found = find_board(&args.port, first, HallClock::start(1.0)).await?;
    let Found::Board(FoundBoard { port, serial, version, .. }) = found else {
        bail!(
            "{} is a bus, which this command does not record: `boardcast run` keeps a capture of each of its boards",
            args.port
        );
    };
    let clock = HallClock::start(1.0);
    let zero = clock.now();
    let path = args.output.unwrap_or_else(|| default_name(&serial, zero));
    let header = CaptureHeader { started: Some(zero), board: Some(serial.clone()), ..CaptureHeader::default() };
    let file = CaptureFile::create(&path, &header).map_err(|error| match error.source.kind() {
        ErrorKind::AlreadyExists => anyhow!("{} exists already: name another file with -o", path.display()),
        _ => error.into(),
    })?;
    eprintln!("recording board {serial} on {} to {}; Ctrl-C ends", args.port, path.display());
    let mut capture = Capture { session: CapturedSession::begin(clock, zero, Some(file)), port, received: 0 };
    let bluetooth = args.port.is_bluetooth();
    let attach = Attach { port: args.port.to_string(), serial: Some(serial), version, bus: None, bluetooth };
    let ended = capture.record(attach, clock).await;
    eprintln!();
    match ended? {
        None => Ok(Done::Fully),
        Some(gone) => bail!("{} disconnected ({gone}); {} has everything before that", args.port, path.display()),
    }
}

/// How the probe of a port begins.
async fn first_question(port: Address) -> anyhow::Result<FirstQuestion> {
    let scope = Scope { machine: true, allowed: vec![PortPattern::One(port.clone())], ..Scope::default() };
    let known = tokio::task::spawn_blocking(move || candidates(&scope)).await?;
    let candidate = known.iter().find(|candidate| candidate.address == port);
    Ok(candidate.map_or(FirstQuestion::Ping, |candidate| candidate.first_question(false)))
}

fn default_name(serial: &str, started: UtcMs) -> PathBuf {
    let time = local_time(started).map_or_else(String::new, |time| time.format("-%Y-%m-%d-%H%M%S").to_string());
    format!("{}{time}.capture", file_name_part(serial)).into()
}

struct Capture {
    session: CapturedSession,
    port: Port,
    received: u64,
}

impl Capture {
    /// Records until Ctrl-C, or until the line ends.
    async fn record(&mut self, attach: Attach, clock: HallClock) -> anyhow::Result<Option<Gone>> {
        let stop = CancellationToken::new();
        stop_on_signals(&stop)?;
        let mut ticks = tokio::time::interval(SYNC_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut gone = self.input(Instant::now(), Input::Notice(Notice::Attach(attach)))?;
        while gone.is_none() {
            let deadline = self.session.next_deadline();
            gone = tokio::select! {
                // Received bytes are older than deadlines that are due.
                biased;
                () = stop.cancelled() => break,
                received = self.port.receive() => match received {
                    Ok(Chunk { at, bytes }) => {
                        self.received += bytes.len() as u64;
                        self.input(at, Input::Bytes(bytes))?
                    }
                    Err(gone) => Some(gone),
                },
                () = clock.sleep_until(deadline.unwrap_or(0)), if deadline.is_some() => {
                    let mut given = Vec::new();
                    self.session.run_deadlines(&mut given)?;
                    self.give_on(given)?
                }
                _ = ticks.tick() => {
                    self.progress();
                    if let Some(file) = self.session.capture().and_then(CaptureFile::take_unsynced) {
                        tokio::task::spawn_blocking(move || file.sync_data()).await?.context("the capture cannot be written to the disk")?;
                    }
                    None
                }
            };
        }
        if let Some(gone) = &gone {
            self.input(Instant::now(), Input::Notice(Notice::Detach(Detach { reason: gone.0.clone() })))?;
        }
        self.input(Instant::now(), Input::Notice(Notice::End {}))?;
        Ok(gone)
    }

    fn input(&mut self, at: Instant, input: Input) -> anyhow::Result<Option<Gone>> {
        let mut given = Vec::new();
        self.session.take(at, input, &mut given)?;
        Ok(self.give_on(given)?.or(self.session.exchanged()))
    }

    fn give_on(&mut self, given: Vec<SessionOutput>) -> anyhow::Result<Option<Gone>> {
        let mut gone = None;
        for given in given {
            if let SessionOutput::Send(command) = given {
                gone = gone.or(self.port.send(&command.encode()).err());
            }
        }
        self.session.flush()?;
        Ok(gone)
    }

    fn progress(&self) {
        let mut terminal = std::io::stderr();
        if terminal.is_terminal() {
            // Errors of the terminal do not stop the capture.
            let _ = write!(terminal, "\r{} bytes received", self.received);
        }
    }
}
