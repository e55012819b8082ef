//! Why a ply of a replayed game was told, in words for engineers: when and by what, and the terms of its cost beside those of
//! the likeliest line without it.
//!
//! Must not know how costs come about.

use std::fmt::Write as _;

use super::{Replay, replay_explained};
use crate::capture::{Capture, Entry};
use crate::event::{Event, Evidence, Record};
use crate::input::{Input, Notice};
use crate::session::{Explanation, PaidTerm};
use crate::time::Timestamp;

/// There is nothing to explain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExplainError {
    /// No game of the record has this ply.
    #[error("no game has a ply {ply}. {record}")]
    NoSuchPly {
        /// The ply, from 1.
        ply: u32,
        /// How far the games of the record go, and why no farther.
        record: String,
    },
    /// The ply was known when the capture began.
    #[error(
        "ply {ply} was told before this capture begins, which goes on after ply {known}: add the capture before it, or ask for a later ply"
    )]
    Earlier {
        /// The ply, from 1.
        ply: u32,
        /// The last ply that was known.
        known: u32,
    },
}

/// Explains a ply, from 1, of each game in captures of one board: each time that it was told.
///
/// # Errors
/// [`ExplainError`] when no game has this ply, or when it was told before the captures begin.
pub fn explain_ply(captures: &[Capture], ply: u32) -> Result<String, ExplainError> {
    let replay = replay_explained(captures);
    let games = games(&replay);
    let several = games.len() > 1;
    let mut text = String::new();
    for (number, game) in (1..).zip(&games) {
        for (place, &at) in game.iter().enumerate() {
            let record = &replay.records[at].1;
            let Event::Move { ply: told, san, .. } = &record.event else { continue };
            if *told != ply {
                continue;
            }
            if !text.is_empty() {
                text.push('\n');
            }
            if several {
                let _ = write!(text, "Game {number}, ");
            }
            let _ = writeln!(text, "{} {ply}: {san}", if several { "ply" } else { "Ply" });
            let _ = writeln!(text, "Told at {}: {}.", clock(record.t), why(record.evidence));
            let later = game.iter().skip(place + 1).map(|&at| &replay.records[at].1);
            let taken_back =
                later.clone().find(|later| matches!(later.event, Event::Retract { to_ply } if to_ply < ply));
            if let Some(later) = taken_back {
                let _ = writeln!(text, "Taken back at {}.", clock(later.t));
            }
            match replay.explained.iter().find(|(record, _)| *record == at) {
                Some((_, explanation)) => write_explanation(&mut text, explanation),
                None => text.push_str("Nothing was compared: this is no conclusion from what the board showed.\n"),
            }
        }
    }
    if !text.is_empty() {
        return Ok(text);
    }
    let known = captures.iter().flat_map(|capture| &capture.lines).filter_map(|line| match &line.entry {
        Entry::In(Input::Notice(Notice::Resume(resume))) => u32::try_from(resume.moves.len()).ok(),
        _ => None,
    });
    match known.max().filter(|known| (1..=*known).contains(&ply)) {
        Some(known) => Err(ExplainError::Earlier { ply, known }),
        None => Err(ExplainError::NoSuchPly { ply, record: how_far(&replay, &games) }),
    }
}

/// The records of each game.
fn games(replay: &Replay) -> Vec<Vec<usize>> {
    let mut games: Vec<Vec<usize>> = Vec::new();
    for (at, (_, record)) in replay.records.iter().enumerate() {
        if games.is_empty() || matches!(record.event, Event::GameStarted { .. }) {
            games.push(Vec::new());
        }
        games.last_mut().into_iter().for_each(|game| game.push(at));
    }
    games
}

/// How far the games of a record go, and what an arbiter was told of them.
fn how_far(replay: &Replay, games: &[Vec<usize>]) -> String {
    let mut text = String::new();
    for (number, game) in (1..).zip(games) {
        let records = || game.iter().map(|&at| &replay.records[at].1);
        let plies = records().fold(0, |plies, record| match record.event {
            Event::Move { ply, .. } => ply,
            Event::Retract { to_ply } => to_ply,
            _ => plies,
        });
        let _ = match plies {
            0 => write!(text, "Game {number} has no plies"),
            _ => write!(text, "Game {number} ends with ply {plies}"),
        };
        let mut unexplained = None;
        for Record { t, event, .. } in records() {
            match event {
                Event::Unexplained { squares } => unexplained = Some((t, squares)),
                Event::Resolved => unexplained = None,
                Event::PlayedOn => text.push_str("; play has gone on from an illegal move or unseen"),
                _ => {}
            }
        }
        if let Some((t, squares)) = unexplained {
            let _ = write!(text, "; at {} no line explained the squares {}", clock(*t), squares.join(", "));
        }
        text.push_str(". ");
    }
    if text.is_empty() {
        text.push_str("The record has no games.");
    }
    text.trim_end().to_owned()
}

/// A time of the capture: hours, minutes and seconds.
fn clock(at: Timestamp) -> String {
    let ms = at.as_ms();
    format!("{}:{:02}:{:02}.{:03}", ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60, ms % 1_000)
}

/// What made a ply certain.
fn why(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Lever => "its player pressed the clock",
        Evidence::Reply => "the opponent has replied",
        Evidence::Quiet => "the position stood still for long enough",
        Evidence::Dump => "the board showed it when it was in reach again",
        Evidence::Log => "the board's own log has it",
        Evidence::Command => "an operator entered it",
        _ => "it followed from another event",
    }
}

fn write_explanation(text: &mut String, explanation: &Explanation) {
    let Explanation { terms, runner_up, as_likely, .. } = explanation;
    if let Some(moves) = as_likely {
        let _ = writeln!(text, "Another line leads to the same position and was as likely: {moves}.");
    }
    match runner_up {
        None => text.push_str("No line without it was left in the search: these are the terms since the ply before.\n"),
        Some(other) => {
            let moves = if other.moves.is_empty() { "no ply there".to_owned() } else { other.moves.join(" ") };
            let has = [&[&*moves], &*other.assumes].concat().join("; ");
            let _ = writeln!(text, "The runner-up has {has}. It costs {} nats more.", nats(other.dearer));
        }
    }
    let other = |cost| if runner_up.is_some() { nats(cost) } else { "-".to_owned() };
    let _ = writeln!(text, "\n{:20} {:>9} {:>9}  paid for", "weight", "this line", "runner-up");
    for PaidTerm { weight, what, paid, runner_up } in terms {
        let _ = writeln!(text, "{weight:20} {:>9} {:>9}  {what}", nats(*paid), other(*runner_up));
    }
    let sum = |of: fn(&PaidTerm) -> i32| terms.iter().map(of).sum::<i32>();
    let _ = writeln!(
        text,
        "{:20} {:>9} {:>9}  a nat more is a factor of e less likely",
        "sum",
        nats(sum(|term| term.paid)),
        other(sum(|term| term.runner_up))
    );
}

/// A cost in nats.
fn nats(cost: i32) -> String {
    format!("{:.2}", f64::from(cost) / 1_000.0)
}

#[cfg(test)]
mod tests;
