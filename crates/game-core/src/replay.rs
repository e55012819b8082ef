//! Runs a session over captures, and gives their events and games (docs/contracts.md, 1.1).
//!
//! Knows how several captures of one board follow each other. Must not know files.

use dgt_protocol::Command;

use crate::capture::{Capture, CaptureHeader, CaptureLine, Entry};
use crate::event::{Event, Record};
use crate::game::Game;
use crate::input::{Assign, Input, Notice};
use crate::session::{BoardSession, Output, Recognition};
use crate::time::{Timestamp, format_pgn_date};

/// The result of a replay.
#[derive(Debug, Default)]
pub struct Replay {
    /// All events in order, each with the start of its capture in UTC ms.
    pub records: Vec<(u64, Record)>,
    /// Whether the session sends other commands now than the capture shows: it was made by another version, or is damaged.
    /// Only captures that begin with an attachment are compared.
    pub commands_differ: bool,
}

/// Runs a session over captures of one board, the earliest first.
pub fn replay(captures: &[Capture]) -> Replay {
    replay_with(Recognition::default(), captures)
}

/// The same with sessions that have this recogniser.
pub fn replay_with(recognition: Recognition, captures: &[Capture]) -> Replay {
    let mut order: Vec<_> = captures.iter().collect();
    order.sort_by_key(|capture| capture.header.started);
    let mut replay = Replay::default();
    let mut session = BoardSession::with(recognition);
    for capture in order {
        for part in parts(capture) {
            if part.lines.first().is_some_and(resumes) || replay.records.is_empty() {
                session = BoardSession::with(recognition);
            }
            run(&part, &mut session, &mut replay);
        }
    }
    replay
}

/// The lines of one session in a capture: a daemon that starts again on the same day goes on in the file.
struct Part<'a> {
    /// None after the first part: what it says about the first game holds there.
    header: Option<&'a CaptureHeader>,
    started: u64,
    lines: &'a [CaptureLine],
    /// When the next session begins.
    until: Option<Timestamp>,
}

/// Whether a session begins with this line.
fn resumes(line: &CaptureLine) -> bool {
    matches!(line.entry, Entry::In(Input::Notice(Notice::Resume(_))))
}

/// The sessions of a capture.
fn parts(capture: &Capture) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut rest, mut header) = (&*capture.lines, Some(&capture.header));
    loop {
        let length = rest.iter().skip(1).position(resumes).map_or(rest.len(), |at| at + 1);
        let (lines, later) = rest.split_at(length);
        let started = capture.header.started.unwrap_or(0);
        parts.push(Part { header: header.take(), started, lines, until: later.first().map(|line| line.at) });
        if later.is_empty() {
            return parts;
        }
        rest = later;
    }
}

fn run(part: &Part<'_>, session: &mut BoardSession, replay: &mut Replay) {
    let started = part.started;
    let mut sent: Vec<u8> = Vec::new();
    let mut shown: Vec<u8> = Vec::new();
    let mut drain = |session: &mut BoardSession| {
        while let Some(output) = session.poll_output() {
            match output {
                Output::Event(record) => replay.records.push((started, record)),
                Output::Send(command) => sent.extend(Command::encode(command)),
            }
        }
    };
    if let Some(header) = part.header.filter(|header| header.fen.is_some() || header.time_control.is_some()) {
        let assign = Assign {
            game: String::new(),
            fen: header.fen.clone(),
            variant: header.variant,
            time_control: header.time_control.clone().map(Into::into),
            ..Assign::default()
        };
        session.handle_input(Timestamp::ZERO, &Input::Notice(Notice::Assign(assign)));
        drain(session);
    }
    let mut ended = false;
    let mut now = Timestamp::ZERO;
    for line in part.lines {
        match &line.entry {
            Entry::Out(bytes) => shown.extend(bytes),
            Entry::In(input) => {
                // Time that runs backwards in a damaged capture stands still instead.
                now = now.max(line.at);
                run_deadlines(session, now, &mut drain);
                session.handle_input(now, input);
                drain(session);
                ended = matches!(input, Input::Notice(Notice::End {}));
            }
        }
    }
    if !ended {
        let rest = now.plus(REST_MS);
        run_deadlines(session, part.until.map_or(rest, |until| until.min(rest)), &mut drain);
    }
    let attached = part.lines.iter().any(|line| matches!(line.entry, Entry::In(Input::Notice(Notice::Attach(_)))));
    // A live session may have been cut off before its last commands were sent; those in the capture must come first.
    replay.commands_differ |= attached && !sent.starts_with(&shown);
}

/// How long after the last line of a capture without an end deadlines still run, in ms; a dialogue with a silent board would
/// never stop.
const REST_MS: u64 = 60_000;

/// Runs every deadline at or before `until`, each at its own time.
fn run_deadlines(session: &mut BoardSession, until: Timestamp, drain: &mut impl FnMut(&mut BoardSession)) {
    while let Some(at) = session.next_deadline().filter(|at| *at <= until) {
        session.handle_timeout(at);
        drain(session);
    }
}

impl Replay {
    /// The games in order.
    pub fn games(&self) -> Vec<Game> {
        let mut games: Vec<Game> = Vec::new();
        for (started, record) in &self.records {
            if matches!(record.event, Event::GameStarted { .. }) {
                let mut game = Game::new();
                let date = format_pgn_date(started + record.t.as_ms());
                game.apply(&record.event);
                game.apply(&Event::Tags { tags: [("Date".to_owned(), date)].into() });
                games.push(game);
            } else if let Some(game) = games.last_mut() {
                game.apply(&record.event.clone().shifted(*started));
            }
        }
        games
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::read_capture;
    use crate::input::Resume;

    fn notice(at: Timestamp, notice: Notice) -> CaptureLine {
        CaptureLine { at, entry: Entry::In(Input::Notice(notice)) }
    }

    #[test]
    fn a_restart_within_a_file_is_replayed_like_one_between_two_files() {
        let Capture { header, lines, .. } =
            read_capture(include_bytes!("../../../tests/captures/simulated-blitz.capture"));
        let (before, after) = lines.split_at(lines.len() / 2);
        let at = after[0].at;
        let first = [before, &[notice(at, Notice::End {})]].concat();
        let second = [&[notice(at, Notice::Resume(Resume::default()))], after].concat();
        let file =
            |header: &CaptureHeader, lines: Vec<_>| Capture { header: header.clone(), lines, errors: Vec::new() };
        // The second file of a daemon has no game in its header.
        let bare = CaptureHeader { started: header.started, ..CaptureHeader::default() };
        let two = replay(&[file(&header, first.clone()), file(&bare, second.clone())]);
        let one = replay(&[file(&header, [first, second].concat())]);
        assert!(one.records.len() > 20, "{}", one.records.len());
        assert_eq!(one.records, two.records);
        assert_eq!(one.commands_differ, two.commands_differ);
    }
}
