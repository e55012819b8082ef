//! Boards within reach: a task for each, its session with the capture, and how other parts reach it.

pub mod counters;
pub mod display;
pub mod manager;
pub mod past_sessions;
pub mod registry;
pub mod session;
pub mod task;
