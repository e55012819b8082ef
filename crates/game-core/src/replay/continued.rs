//! The session that a capture ends with, for a daemon that starts again and goes on where the one before was stopped.
//!
//! What a session has heard decides more than the record shows: plies that are not certain yet, and which of two lines was
//! played. Must not know why the daemon was stopped, nor what the journal is.

use super::{REST_MS, parts, resumes};
use crate::capture::{Capture, Entry};
use crate::event::{Event, Record};
use crate::input::{Assign, Input, Notice, Resume};
use crate::session::{BoardSession, Output};
use crate::time::Timestamp;

/// The longest that a conclusion may take to reach the record, in ms. What the session told earlier and the record lacks was
/// taken out by a person.
const ON_THE_WAY_MS: u64 = 10_000;

/// A session that goes on.
#[derive(Debug)]
pub struct Continued {
    /// The session.
    pub session: Box<BoardSession>,
    /// Up to when the capture shows what it heard and did.
    pub at: Timestamp,
    /// What it concluded last, which did not reach the record.
    pub unrecorded: Vec<Record>,
    /// The squares that it cannot explain.
    pub unexplained: Vec<String>,
}

/// Runs the last session of a capture to its end, up to `now` at most. None unless it has told just what is recorded, but for
/// what was on its way: where a person changed the record, or lines are missing, another session begins from the record.
///
/// `recorded` is what the record has of the board's game; none without a game. `in_time` is asked before each line whether there
/// is time left for it.
pub fn continued(
    capture: &Capture,
    recorded: Option<&Resume>,
    now: Timestamp,
    in_time: impl Fn() -> bool,
) -> Option<Continued> {
    let part = parts(capture).pop().filter(|part| part.lines.first().is_some_and(resumes))?;
    let whole = capture.errors.iter().all(|error| error.torn) && part.lines.is_sorted_by_key(|line| line.at);
    let mut at = part.lines.last().filter(|_| whole)?.at;
    let mut run = Run {
        session: BoardSession::new(),
        recorded,
        recorded_at: None,
        unrecorded: Vec::new(),
        unexplained: Vec::new(),
    };
    for line in part.lines {
        if !in_time() {
            return None;
        }
        if let Entry::In(input) = &line.entry {
            run.to(line.at);
            run.session.handle_input(line.at, input);
            run.drain(line.at, matches!(input, Input::Notice(_)));
        }
    }
    run.to(at);
    // The daemon went on for a moment after the last line.
    while run.recorded_at.is_none() {
        at = run.session.next_deadline().filter(|due| *due <= now && due.since(at) < REST_MS)?;
        run.to(at);
    }
    run.recorded_at.filter(|recorded| at.since(*recorded) <= ON_THE_WAY_MS || run.unrecorded.is_empty())?;
    let Run { session, unrecorded, unexplained, .. } = run;
    Some(Continued { session: Box::new(session), at, unrecorded, unexplained })
}

/// The game that the board of a capture was told of last; empty when it was to play none. None when it was told of none.
pub fn last_game(capture: &Capture) -> Option<&str> {
    capture.lines.iter().rev().find_map(|line| match &line.entry {
        Entry::In(Input::Notice(Notice::Resume(Resume { game, continued: false, .. }))) => Some(game.as_str()),
        Entry::In(Input::Notice(Notice::Assign(Assign { game, .. }))) if !game.is_empty() => Some(game.as_str()),
        _ => None,
    })
}

struct Run<'a> {
    session: BoardSession,
    recorded: Option<&'a Resume>,
    /// When the session had told just what is recorded, the last time.
    recorded_at: Option<Timestamp>,
    /// What it has told since.
    unrecorded: Vec<Record>,
    unexplained: Vec<String>,
}

impl Run<'_> {
    /// Runs every deadline at or before `until`.
    fn to(&mut self, until: Timestamp) {
        while let Some(due) = self.session.next_deadline().filter(|due| *due <= until) {
            self.session.handle_timeout(due);
            self.drain(due, false);
        }
    }

    /// Takes what the session gives out; `noticed`: it was told something, which may concern its game.
    fn drain(&mut self, now: Timestamp, noticed: bool) {
        let before = self.unrecorded.len();
        while let Some(output) = self.session.poll_output() {
            let Output::Event(record) = output else { continue };
            match &record.event {
                Event::Unexplained { squares } => self.unexplained.clone_from(squares),
                Event::Resolved | Event::GameStarted { .. } | Event::GameEnded => self.unexplained.clear(),
                _ => {}
            }
            self.unrecorded.push(record);
        }
        if (noticed || self.unrecorded.len() > before) && self.tells_what_is_recorded() {
            self.recorded_at = Some(now);
            self.unrecorded.clear();
        }
    }

    fn tells_what_is_recorded(&self) -> bool {
        match (self.recorded, self.session.to_resume()) {
            (Some(recorded), Some(told)) => recorded.has_record_of(&told),
            // A game that has ended is not the board's any more.
            (None, told) => told.is_none_or(|told| told.ended),
            (Some(_), None) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::{CaptureError, CaptureHeader, CaptureLine, Damage, read_capture};
    use crate::input::{Attach, Notice};

    /// A game as a daemon keeps it: its session begins with what is recorded, which is nothing.
    fn kept() -> Vec<CaptureLine> {
        let Capture { lines, .. } = read_capture(include_bytes!("../../../../tests/captures/simulated-blitz.capture"));
        let notices = [Notice::Resume(Resume::default()), Notice::Attach(Attach::default())];
        let first = notices.map(|notice| CaptureLine { at: Timestamp::ZERO, entry: Entry::In(Input::Notice(notice)) });
        first.into_iter().chain(lines).collect()
    }

    fn capture(lines: &[CaptureLine]) -> Capture {
        Capture { header: CaptureHeader::default(), lines: lines.to_vec(), errors: Vec::new() }
    }

    /// A session takes lines; gives what it tells.
    fn feed(session: &mut BoardSession, lines: &[CaptureLine]) -> Vec<Record> {
        let mut told = Vec::new();
        let mut drain = |session: &mut BoardSession| {
            while let Some(output) = session.poll_output() {
                told.extend(if let Output::Event(record) = output { Some(record) } else { None });
            }
        };
        for line in lines {
            let Entry::In(input) = &line.entry else { continue };
            while let Some(due) = session.next_deadline().filter(|due| *due <= line.at) {
                session.handle_timeout(due);
                drain(session);
            }
            session.handle_input(line.at, input);
            drain(session);
        }
        told
    }

    #[test]
    fn a_session_goes_on_as_if_it_had_never_been_stopped() {
        let lines = kept();
        for cut in (5..lines.len()).step_by(41) {
            let mut session = BoardSession::new();
            feed(&mut session, &lines[..cut]);
            let recorded = session.to_resume();
            let mut again = continued(&capture(&lines[..cut]), recorded.as_ref(), lines[cut].at, || true).unwrap();
            assert_eq!((again.at, &*again.unrecorded), (lines[cut - 1].at, &[][..]), "cut before line {cut}");
            let expected = feed(&mut session, &lines[cut..]);
            assert_eq!(feed(&mut again.session, &lines[cut..]), expected, "cut before line {cut}");
        }
    }

    #[test]
    fn what_was_on_its_way_to_the_record_is_told_again() {
        let lines = kept();
        let mut session = BoardSession::new();
        let mut recorded = None;
        let told = lines.iter().position(|line| {
            recorded = session.to_resume();
            let told = feed(&mut session, std::slice::from_ref(line));
            told.iter().any(|record| matches!(record.event, Event::Move { ply: 7, .. }))
        });
        let cut = told.unwrap() + 1;
        let again = continued(&capture(&lines[..cut]), recorded.as_ref(), lines[cut].at, || true).unwrap();
        let moves = again.unrecorded.iter().filter(|record| matches!(record.event, Event::Move { .. }));
        assert_eq!(moves.count(), 1, "{:?}", again.unrecorded);
        // Long afterwards a person has taken it out of the record.
        assert!(continued(&capture(&lines), recorded.as_ref(), Timestamp::from_ms(u64::MAX), || true).is_none());
    }

    #[test]
    fn another_record_or_damage_begins_another_session() {
        let lines = kept();
        let mut session = BoardSession::new();
        feed(&mut session, &lines);
        let recorded = session.to_resume().unwrap();
        let now = lines.last().unwrap().at;
        assert!(continued(&capture(&lines), Some(&recorded), now, || true).is_some());
        let other = Resume { game: "cup-1-1".into(), ..recorded.clone() };
        assert!(continued(&capture(&lines), Some(&other), now, || true).is_none());
        let mut shorter = recorded.clone();
        shorter.moves.truncate(3);
        assert!(continued(&capture(&lines), Some(&shorter), now, || true).is_none());
        let mut damaged = capture(&lines);
        damaged.errors.push(CaptureError { line: 9, torn: false, damage: Damage::Hex });
        assert!(continued(&damaged, Some(&recorded), now, || true).is_none());
        assert!(continued(&capture(&lines[1..]), Some(&recorded), now, || true).is_none(), "its beginning is missing");
        assert!(continued(&capture(&lines), Some(&recorded), now, || false).is_none(), "there is no time left");
        assert!(continued(&capture(&[]), None, now, || true).is_none());
    }
}
