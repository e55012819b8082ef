//! Captures back into events and games: the same session, fed from what was written down (invariant 1).
//!
//! Knows how several captures of one board follow each other in time. Knows nothing of files.

use dgt_protocol::Command;

use crate::capture::{Capture, CaptureLine, Entry};
use crate::event::{Event, Record};
use crate::game::Game;
use crate::input::{Assign, Input, Notice};
use crate::session::{BoardSession, Output};
use crate::time::{Timestamp, format_pgn_date};

/// What a replay gives.
#[derive(Debug, Default)]
pub struct Replay {
    /// Every event, in order, with its capture's start in UTC ms.
    pub records: Vec<(u64, Record)>,
    /// Commands that the session wants to send now and the capture does not show, or the other way round: a capture
    /// of another version, or a damaged one. Only captures that begin with an attachment are compared.
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
                // Time running backwards in a damaged capture stands still instead.
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
    // A live session may have been cut off with questions on its way; what the capture shows must be what comes first.
    replay.commands_differ |= attached && !sent.starts_with(&shown);
}

/// Deadlines still due after the last line of a capture without an end run if they are within this time; a dialogue
/// with a silent board would go on for ever.
const REST_MS: u64 = 60_000;

/// Runs every deadline at or before `until`, each at its own time.
fn run_deadlines(session: &mut BoardSession, until: Timestamp, drain: &mut impl FnMut(&mut BoardSession)) {
    while let Some(at) = session.next_deadline().filter(|at| *at <= until) {
        session.handle_timeout(at);
        drain(session);
    }
}

impl Replay {
    /// The games, in order, as their events tell them.
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
