//! Runs a session over captures, and gives their events and games (docs/contracts.md, 1.1).
//!
//! Knows how several captures of one board follow each other. Must not know files.

mod continued;
mod explain;

use std::sync::Arc;

use dgt_protocol::Command;

use crate::capture::{Capture, CaptureHeader, CaptureLine, Entry};
use crate::event::{Event, Record};
use crate::game::Game;
use crate::input::{Assign, Command as InputCommand, Doubting, Input, Notice, Order};
use crate::session::{BoardSession, Explanation, Orientation, Output};
use crate::time::{Timestamp, format_pgn_date};
pub use continued::{Continued, continued, last_game};
pub use explain::{ExplainError, explain_ply};

/// The result of a replay.
#[derive(Debug, Default)]
pub struct Replay {
    /// All events in order, each with the start of its capture in UTC ms.
    pub records: Vec<(u64, Record)>,
    /// For each event the id of its game, as the daemon told the session; none for a game that was given no id.
    pub games: Vec<Option<Arc<str>>>,
    /// How the board and its clock lay, and its dead squares, at each change, with UTC ms.
    pub settings: Vec<(u64, BoardSetting)>,
    /// Whether the session sends other commands now than the capture shows: it was made by another version, or is damaged.
    /// Only captures that begin with an attachment are compared.
    pub commands_differ: bool,
    /// For plies the number of their record and why they were told, in a replay that explains them.
    explained: Vec<(usize, Explanation)>,
}

/// A setting of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardSetting {
    /// How the board and its clock are turned.
    Orientation {
        /// Whether White sits at the far end.
        rotated: bool,
        /// Whether the clock's left side is White's; none while unknown.
        white_is_left: Option<bool>,
    },
    /// The dead squares, all of them, as `e4`.
    DeadSquares(Vec<String>),
}

impl Replay {
    /// Notes why the plies were told whose records are those from `first` on.
    fn note_explained(&mut self, first: usize, session: &mut BoardSession) {
        for explanation in session.take_explained() {
            let tells =
                |(_, record): &(u64, Record)| matches!(record.event, Event::Move { ply, .. } if ply == explanation.ply);
            let from = self.explained.last().map_or(first, |(at, _)| first.max(at + 1));
            let told = self.records.get(from..).unwrap_or_default().iter().position(tells);
            self.explained.extend(told.map(|at| (from + at, explanation)));
        }
    }

    /// Notes how a board lies after an input, and what the input says of its squares.
    fn note_settings(&mut self, at: u64, session: &BoardSession, input: &Input) {
        let Orientation { rotated, white_is_left } = session.orientation();
        let lies = BoardSetting::Orientation { rotated, white_is_left };
        let is_orientation = |setting: &&(u64, BoardSetting)| matches!(setting.1, BoardSetting::Orientation { .. });
        if self.settings.iter().rev().find(is_orientation).is_none_or(|(_, before)| *before != lies) {
            self.settings.push((at, lies));
        }
        let squares = match input {
            Input::Notice(Notice::Command(InputCommand { order: Order::Blind { squares }, .. })) => squares,
            Input::Notice(Notice::Resume(resume)) if !resume.blind.is_empty() => &resume.blind,
            _ => return,
        };
        self.settings.push((at, BoardSetting::DeadSquares(squares.clone())));
    }
}

/// Runs a session over captures of one board, the earliest first.
pub fn replay(captures: &[Capture]) -> Replay {
    run_captures(captures, BoardSession::new)
}

/// The same with a session that explains what it tells.
fn replay_explained(captures: &[Capture]) -> Replay {
    run_captures(captures, || {
        let mut session = BoardSession::new();
        session.explain_itself();
        session
    })
}

fn run_captures(captures: &[Capture], new_session: impl Fn() -> BoardSession) -> Replay {
    let mut order: Vec<_> = captures.iter().collect();
    order.sort_by_key(|capture| capture.header.started);
    let mut replay = Replay::default();
    let mut session = new_session();
    let mut game = PlayedGame::default();
    let mut parts = order.into_iter().flat_map(parts).peekable();
    while let Some(part) = parts.next() {
        if part.lines.first().is_some_and(resumes) || replay.records.is_empty() {
            session = new_session();
        }
        // After the last line of all, what is in doubt is decided as a daemon that went on would have decided it.
        let rest_ms = if parts.peek().is_some() { REST_MS } else { REST_MS + DOUBT_MS };
        run(&part, rest_ms, &mut session, &mut game, &mut replay);
    }
    replay
}

/// Which game the events of a session belong to.
#[derive(Default)]
struct PlayedGame {
    id: Option<Arc<str>>,
    /// The first event of a game whose id comes with the next assignment.
    started: Option<usize>,
}

impl PlayedGame {
    /// Gives new events their game.
    fn note_events(&mut self, replay: &mut Replay) {
        for at in replay.games.len()..replay.records.len() {
            if replay.records.get(at).is_some_and(|(_, record)| matches!(record.event, Event::GameStarted { .. })) {
                (self.id, self.started) = (None, Some(at));
            }
            replay.games.push(self.id.clone());
        }
    }

    /// Takes what the daemon told the session about its game.
    fn note_input(&mut self, input: &Input, replay: &mut Replay) {
        match input {
            Input::Notice(Notice::Resume(resume)) => {
                (self.id, self.started) = (Some(&*resume.game).filter(|id| !id.is_empty()).map(Arc::from), None);
            }
            // One with a position is about the game that comes next.
            Input::Notice(Notice::Assign(assign)) if !assign.game.is_empty() && assign.fen.is_none() => {
                self.id = Some(assign.game.as_str().into());
                if let Some(started) = self.started.take() {
                    replay.games.iter_mut().skip(started).for_each(|game| game.clone_from(&self.id));
                }
            }
            Input::Notice(_) | Input::Bytes(_) => {}
        }
    }
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
    matches!(&line.entry, Entry::In(Input::Notice(Notice::Resume(resume))) if !resume.continued)
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

fn run(part: &Part<'_>, rest_ms: u64, session: &mut BoardSession, game: &mut PlayedGame, replay: &mut Replay) {
    let started = part.started;
    let mut sent: Vec<u8> = Vec::new();
    let mut shown: Vec<u8> = Vec::new();
    let mut drain = |session: &mut BoardSession, replay: &mut Replay| {
        let first = replay.records.len();
        while let Some(output) = session.poll_output() {
            match output {
                Output::Event(record) => replay.records.push((started, record)),
                Output::Send(command) => sent.extend(Command::encode(command)),
            }
        }
        replay.note_explained(first, session);
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
        drain(session, replay);
    }
    let mut ended = false;
    let mut now = Timestamp::ZERO;
    for line in part.lines {
        match &line.entry {
            Entry::Out(bytes) => shown.extend(bytes),
            Entry::In(input) => {
                // Time that runs backwards in a damaged capture stands still instead.
                now = now.max(line.at);
                run_deadlines(session, now, &mut |session| drain(session, replay));
                game.note_events(replay);
                game.note_input(input, replay);
                session.handle_input(now, input);
                drain(session, replay);
                game.note_events(replay);
                replay.note_settings(started + now.as_ms(), session, input);
                ended = matches!(input, Input::Notice(Notice::End {}));
            }
        }
    }
    if !ended {
        let rest = now.plus(rest_ms);
        let until = part.until.map_or(rest, |until| until.min(rest));
        run_deadlines(session, until, &mut |session| drain(session, replay));
    }
    game.note_events(replay);
    let attached = part.lines.iter().any(|line| matches!(line.entry, Entry::In(Input::Notice(Notice::Attach(_)))));
    // A live session may have been cut off before its last commands were sent; those in the capture must come first.
    replay.commands_differ |= attached && !sent.starts_with(&shown);
}

/// How long after the last line of a capture without an end deadlines still run, in ms; a dialogue with a silent board would
/// never stop.
const REST_MS: u64 = 60_000;

/// How long lines that stay equal wait for a person, in ms.
const DOUBT_MS: u64 = Doubting::USUAL_WAIT_S as u64 * 1_000;

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
