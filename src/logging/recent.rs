//! The newest lines of the log, kept in memory for the dashboard.
//!
//! Must not know what is logged; what is a secret is never logged.

use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

/// Lines that are kept; older ones are in the log itself.
const MOST_LINES: usize = 1000;

/// Longest line in bytes; what is longer is cut.
const MOST_BYTES: usize = 2000;

/// The lines of this process, the oldest first.
static LINES: Mutex<VecDeque<LogLine>> = Mutex::new(VecDeque::new());

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LogLine {
    /// Counts the lines from the start of the process.
    pub(crate) number: u64,
    /// When it was written: milliseconds since 1970, UTC, real time.
    pub(crate) at: u64,
    /// How serious it is.
    pub(crate) level: Level,
    /// What it says, with its fields.
    pub(crate) text: String,
}

/// The newest lines, the oldest of them first.
pub(crate) fn recent() -> Vec<LogLine> {
    LINES.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
}

/// Keeps what is logged.
#[derive(Debug)]
pub(super) struct Recent;

/// The words of a span, for the lines within it.
struct Words(String);

/// The message of an event and its fields.
#[derive(Default)]
struct Text {
    message: String,
    fields: String,
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to a text does not fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Recent {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut text = Text::default();
        attributes.record(&mut text);
        if let Some(span) = context.span(id) {
            let words = format!("{}{}: ", span.name(), text.fields);
            span.extensions_mut().insert(Words(words));
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut said = Text::default();
        event.record(&mut said);
        let mut text = String::new();
        for span in context.event_scope(event).into_iter().flat_map(tracing_subscriber::registry::Scope::from_root) {
            if let Some(Words(words)) = span.extensions().get::<Words>() {
                text.push_str(words);
            }
        }
        text.push_str(&said.message);
        text.push_str(&said.fields);
        keep(&LINES, now(), *event.metadata().level(), &text);
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Adds a line, without control characters, and drops the oldest beyond the bound.
fn keep(lines: &Mutex<VecDeque<LogLine>>, at: u64, level: Level, text: &str) {
    let mut text: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    text.truncate(text.floor_char_boundary(MOST_BYTES));
    let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
    let number = lines.back().map_or(1, |line| line.number.saturating_add(1));
    if lines.len() >= MOST_LINES {
        lines.pop_front();
    }
    lines.push_back(LogLine { number, at, level, text });
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[test]
    fn the_newest_lines_are_kept_and_long_ones_are_cut() {
        let lines = Mutex::default();
        for number in 0..MOST_LINES + 5 {
            keep(&lines, 1, Level::INFO, &format!("line {number}\n"));
        }
        keep(&lines, 2, Level::WARN, &"ж".repeat(MOST_BYTES));
        let lines = lines.into_inner().unwrap();
        assert_eq!(lines.len(), MOST_LINES);
        assert_eq!((lines[0].number, &*lines[0].text), (7, "line 6 "));
        let last = lines.back().unwrap();
        assert!(last.text.len() <= MOST_BYTES && last.level == Level::WARN);
    }

    #[test]
    fn a_line_has_the_words_of_its_span_and_its_fields() {
        tracing::subscriber::with_default(tracing_subscriber::registry().with(Recent), || {
            let span = tracing::info_span!("board", serial = 41_987);
            let _inside = span.enter();
            tracing::warn!(port = "/dev/ttyUSB0", "the line is lost");
        });
        let lines = recent();
        let line = lines.iter().find(|line| line.text.contains("41987")).expect("the line is kept");
        assert_eq!(line.text, "board serial=41987: the line is lost port=\"/dev/ttyUSB0\"");
    }
}
