//! The record: events in, committed feed out.
//!
//! What is in the committed feed may be published; nothing else may. Knows nothing of boards' bytes and nothing of viewers.
