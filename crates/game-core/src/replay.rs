//! Runs a session over captures, and gives their events and games (docs/contracts.md, 1.1).
//!
//! Knows how several captures of one board follow each other. Must not know files.

use dgt_protocol::Command;

use crate::capture::{Capture, CaptureLine, Entry};
use crate::event::{Event, Record};
use crate::game::Game;
use crate::input::{Assign, Input, Notice};
use crate::session::{BoardSession, Output};
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
    let mut order: Vec<_> = captures.iter().collect();
    order.sort_by_key(|capture| capture.header.started);
    let mut replay = Replay::default();
    let mut session = BoardSession::new();
    for capture in order {
        let resumes = matches!(
            capture.lines.first(),
            Some(CaptureLine { entry: Entry::In(Input::Notice(Notice::Resume(_))), .. })
        );
        if resumes || replay.records.is_empty() {
            session = BoardSession::new();
        }
        run(capture, &mut session, &mut replay);
    }
    replay
}

fn run(capture: &Capture, session: &mut BoardSession, replay: &mut Replay) {
    let started = capture.header.started.unwrap_or(0);
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
    if capture.header.fen.is_some() || capture.header.time_control.is_some() {
        let header = &capture.header;
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
    for line in &capture.lines {
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
        run_deadlines(session, now.plus(REST_MS), &mut drain);
    }
    let attached = capture.lines.iter().any(|line| matches!(line.entry, Entry::In(Input::Notice(Notice::Attach(_)))));
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
