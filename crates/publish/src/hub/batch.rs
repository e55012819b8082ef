//! Events that go out together, encoded once for all viewers of a topic.
//!
//! Must not know viewers or sockets.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use super::frames;
use super::place::Form;
use crate::gate::Released;
use crate::wire;

/// One event as JSON.
#[derive(Debug)]
pub(super) struct Encoded {
    pub(super) seq: u64,
    json: String,
}

impl Encoded {
    pub(super) fn of(event: &Released) -> Self {
        Self { seq: event.seq, json: wire::event(event) }
    }
}

/// A message with one event or more.
#[derive(Debug)]
pub(super) struct Batch {
    /// Number of its last event.
    pub(super) last: u64,
    /// For each event its number, and where its JSON begins in the payload.
    starts: Box<[(u64, usize)]>,
    /// The frame of a WebSocket; the payload is its end.
    frame: Bytes,
    payload: Bytes,
    event_stream: OnceLock<Bytes>,
}

impl Batch {
    /// Joins events in their order; none when there are none.
    pub(super) fn join(events: &[Arc<Encoded>]) -> Option<Self> {
        let last = events.last()?.seq;
        let mut payload = String::with_capacity(events.iter().map(|event| event.json.len() + 1).sum::<usize>() + 16);
        payload.push_str(wire::EVENTS_BEGIN);
        let mut starts = Vec::with_capacity(events.len());
        for event in events {
            if !starts.is_empty() {
                payload.push(',');
            }
            starts.push((event.seq, payload.len()));
            payload.push_str(&event.json);
        }
        payload.push_str(wire::EVENTS_END);
        let frame = frames::whole_text(&payload);
        let payload = frame.slice(frame.len() - payload.len()..);
        Some(Self { last, starts: starts.into(), frame, payload, event_stream: OnceLock::new() })
    }

    /// Whether it has events before number `from`.
    pub(super) fn begins_before(&self, from: u64) -> bool {
        self.starts.first().is_some_and(|(seq, _)| *seq < from)
    }

    /// The whole message. All viewers share it.
    pub(super) fn whole(&self, form: Form, stream: &str) -> &Bytes {
        match form {
            Form::WebSocket => &self.frame,
            Form::EventStream => self.event_stream.get_or_init(|| {
                let mut text = event_stream_start(stream, self.last).into_bytes();
                text.extend_from_slice(&self.payload);
                text.extend_from_slice(b"\n\n");
                text.into()
            }),
        }
    }

    /// The events from number `from` on, for a viewer that has the earlier ones; the events are shared, not copied.
    pub(super) fn part(&self, from: u64, form: Form, stream: &str) -> Vec<Bytes> {
        let start = self.starts.iter().find(|(seq, _)| *seq >= from).map_or(self.payload.len(), |(_, start)| *start);
        message(
            form,
            Some((stream, self.last)),
            wire::EVENTS_BEGIN,
            self.payload.slice(start.min(self.payload.len())..),
        )
    }

    /// Bytes that it holds.
    pub(super) fn size(&self) -> usize {
        self.frame.len()
    }
}

/// A message in two pieces; the second is shared, not copied. `at` is the stream and the number up to which it leads.
pub(super) fn message(form: Form, at: Option<(&str, u64)>, start: &str, rest: Bytes) -> Vec<Bytes> {
    match form {
        Form::WebSocket => frames::text(start, rest).into(),
        Form::EventStream => {
            let head = at.map_or_else(|| "data: ".to_owned(), |(stream, seq)| event_stream_start(stream, seq));
            vec![(head + start).into(), rest, Bytes::from_static(b"\n\n")]
        }
    }
}

/// A whole message that is no event.
pub(super) fn notice(form: Form, text: &str) -> Bytes {
    match form {
        Form::WebSocket => frames::whole_text(text),
        Form::EventStream => format!("data: {text}\n\n").into(),
    }
}

/// A browser sends the id back as `Last-Event-ID` when it reconnects.
fn event_stream_start(stream: &str, seq: u64) -> String {
    format!("id: {stream}:{seq}\ndata: ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(seq: u64) -> Arc<Encoded> {
        Arc::new(Encoded { seq, json: format!(r#"{{"seq":{seq}}}"#) })
    }

    #[test]
    fn a_batch_is_one_message_and_so_is_any_part_of_it() {
        assert!(Batch::join(&[]).is_none());
        let batch = Batch::join(&[encoded(4), encoded(7), encoded(9)]).unwrap();
        assert_eq!(batch.last, 9);
        assert!(batch.begins_before(5) && !batch.begins_before(4));
        let whole = batch.whole(Form::WebSocket, "s");
        assert_eq!(&whole[..2], [0x81, 42]);
        assert_eq!(&whole[2..], br#"{"events":[{"seq":4},{"seq":7},{"seq":9}]}"#.as_slice());
        let text = |parts: Vec<Bytes>| String::from_utf8(parts.concat()).unwrap();
        assert_eq!(
            text(vec![batch.whole(Form::EventStream, "hall/1").clone()]),
            "id: hall/1:9\ndata: {\"events\":[{\"seq\":4},{\"seq\":7},{\"seq\":9}]}\n\n"
        );
        for (from, rest) in [(5, r#"{"events":[{"seq":7},{"seq":9}]}"#), (8, r#"{"events":[{"seq":9}]}"#)] {
            let frame = batch.part(from, Form::WebSocket, "s").concat();
            assert_eq!(&frame[2..], rest.as_bytes());
            assert_eq!(usize::from(frame[1]), rest.len());
            assert_eq!(text(batch.part(from, Form::EventStream, "s")), format!("id: s:9\ndata: {rest}\n\n"));
        }
    }
}
