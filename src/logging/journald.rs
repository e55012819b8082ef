//! Writes log entries to the journal of systemd by its native protocol, each field as a field.
//!
//! The message is the same sentence as on a terminal, so that `journalctl -u boardcast` reads well; the fields are for
//! `journalctl -u boardcast BOARDCAST_SERIAL=12345`. Protocol: <https://systemd.io/JOURNAL_NATIVE_PROTOCOL>.

use std::fmt::{self, Write as _};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixDatagram;

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

/// Where the journal takes entries.
const SOCKET: &str = "/run/systemd/journal/socket";

/// Longest entry in bytes: below the usual limit of a datagram. What is longer is cut.
const MOST_BYTES: usize = 128 * 1024;

/// The journal.
#[derive(Debug)]
pub(super) struct Journald {
    socket: UnixDatagram,
}

/// The fields of a span or an event, in their order; the message is first.
#[derive(Debug, Default)]
struct Fields {
    message: String,
    others: Vec<(&'static str, String)>,
}

impl Journald {
    /// The journal, when standard error leads there.
    pub(super) fn of_standard_error() -> Option<Self> {
        // Device and inode of the stream that the service manager opened (systemd.exec, JOURNAL_STREAM).
        let stream = std::env::var("JOURNAL_STREAM").ok()?;
        let own = std::fs::metadata("/proc/self/fd/2").ok()?;
        (stream == format!("{}:{}", own.dev(), own.ino())).then(|| Self::at(SOCKET))?
    }

    fn at(path: &str) -> Option<Self> {
        let socket = UnixDatagram::unbound().ok()?;
        socket.connect(path).ok()?;
        Some(Self { socket })
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Journald {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(fields);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(fields) = span.extensions_mut().get_mut::<Fields>()
        {
            values.record(fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let mut message = String::new();
        let mut all = Vec::new();
        for span in context.event_scope(event).into_iter().flat_map(tracing_subscriber::registry::Scope::from_root) {
            message.push_str(span.name());
            if let Some(known) = span.extensions().get::<Fields>() {
                for (name, value) in &known.others {
                    let _ = write!(message, " {value}");
                    all.push((*name, value.clone()));
                }
            }
            message.push_str(": ");
        }
        message.push_str(&fields.message);
        for (name, value) in fields.others {
            let _ = write!(message, " ({name}: {value})");
            all.push((name, value));
        }
        let entry = entry(*event.metadata().level(), event.metadata().target(), &message, &all);
        // A log that cannot be written must end nothing.
        let _ = self.socket.send(&entry);
    }
}

/// An entry in the native form.
fn entry(level: Level, target: &str, message: &str, fields: &[(&str, String)]) -> Vec<u8> {
    let mut entry = Vec::new();
    put(&mut entry, "PRIORITY", priority(level));
    put(&mut entry, "SYSLOG_IDENTIFIER", "boardcast");
    put(&mut entry, "BOARDCAST_TARGET", target);
    put(&mut entry, "MESSAGE", message);
    for (name, value) in fields {
        let name: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_uppercase()).collect();
        put(&mut entry, &format!("BOARDCAST_{name}"), value);
    }
    entry
}

/// Severities of syslog (RFC 5424, 6.2.1).
fn priority(level: Level) -> &'static str {
    match level {
        Level::ERROR => "3",
        Level::WARN => "4",
        Level::INFO => "6",
        _ => "7",
    }
}

/// Adds a field; one with line breaks is written with its length, in eight bytes, the lowest first.
fn put(entry: &mut Vec<u8>, name: &str, value: &str) {
    let left = MOST_BYTES.saturating_sub(entry.len() + name.len() + 10);
    let value = &value[..value.floor_char_boundary(left)];
    entry.extend_from_slice(name.as_bytes());
    if value.contains('\n') {
        entry.push(b'\n');
        entry.extend_from_slice(&(value.len() as u64).to_le_bytes());
    } else {
        entry.push(b'=');
    }
    entry.extend_from_slice(value.as_bytes());
    entry.push(b'\n');
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            value.clone_into(&mut self.message);
        } else {
            self.others.push((field.name(), value.to_owned()));
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.record_str(field, &format!("{value:?}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing_subscriber::layer::SubscriberExt;

    #[test]
    fn an_entry_reads_well_and_has_the_board_as_a_field() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let journal = UnixDatagram::bind(&path).unwrap();
        let layer = Journald::at(path.to_str().unwrap()).unwrap();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            let _board = tracing::info_span!("board", serial = %"12345").entered();
            tracing::warn!(port = "/dev/ttyUSB0", "board out of reach: {}", "its cable");
            tracing::error!("two\nlines");
        });
        let mut buffer = [0; 1024];
        let length = journal.recv(&mut buffer).unwrap();
        let text = String::from_utf8_lossy(&buffer[..length]);
        let expected = "PRIORITY=4\nSYSLOG_IDENTIFIER=boardcast\nBOARDCAST_TARGET=boardcast::logging::journald::tests\n\
                        MESSAGE=board 12345: board out of reach: its cable (port: /dev/ttyUSB0)\n\
                        BOARDCAST_SERIAL=12345\nBOARDCAST_PORT=/dev/ttyUSB0\n";
        assert_eq!(text, expected);
        let length = journal.recv(&mut buffer).unwrap();
        let message = b"MESSAGE\n\x16\0\0\0\0\0\0\0board 12345: two\nlines\n";
        assert!(buffer[..length].windows(message.len()).any(|part| part == message));
    }

    #[test]
    fn what_is_too_long_is_cut_between_letters() {
        let all = entry(Level::INFO, "t", &"ä".repeat(MOST_BYTES), &[("more", "x".into())]);
        assert!(all.len() < MOST_BYTES + 64 && String::from_utf8(all).is_ok());
    }
}
