//! Boards within reach: a task for each, its session with the capture, and how others reach it.

pub mod manager;
pub mod registry;
pub mod session;
pub mod task;
