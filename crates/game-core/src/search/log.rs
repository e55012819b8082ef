//! The board's own log: what it tells about the time when the board was out of reach.
//!
//! Knows the log's order and what of it is known already. Must not know lines.

use dgt_protocol::{EventLog, LogEvent, Side};

use super::history::{Event, History};

/// Field events of the log that are compared with what was heard last before the gap.
const COMPARED: usize = 14;

/// What the log tells beyond what was heard before the last gap; nothing if the two do not meet.
pub(crate) fn beyond(log: &EventLog, history: &History) -> Option<Vec<Event>> {
    let events: Vec<LogEvent> = log.events().collect();
    let (known, presses) = history.before_gap(COMPARED)?;
    let fields: Vec<usize> =
        (0..events.len()).filter(|&index| matches!(events[index], LogEvent::Field { .. })).collect();
    let same = |at: usize, (field, piece): (dgt_protocol::Field, dgt_protocol::PieceCode)| matches!(events[at], LogEvent::Field { field: f, piece: p, .. } if f == field && p == piece);
    let met = (known.len()..=fields.len())
        .rev()
        .find(|&end| fields[end - known.len()..end].iter().zip(&known).all(|(&at, &update)| same(at, update)))?;
    let from = met.checked_sub(1).and_then(|last| fields.get(last)).map_or(0, |&last| last + 1);
    let mut skipped = presses;
    let mut told = Vec::new();
    for event in events.iter().skip(from) {
        match *event {
            LogEvent::Field { field, piece, .. } => {
                skipped = 0;
                told.push(Event::Square(field, piece));
            }
            // The presses before the gap were heard.
            LogEvent::Clock { .. } if skipped > 0 => skipped -= 1,
            LogEvent::Clock { side, .. } => told.push(Event::Press { left: side == Side::Left }),
            LogEvent::PowerUp => return None,
            _ => {}
        }
    }
    Some(told)
}
