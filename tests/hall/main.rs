//! Whole halls: simulated boards on real pseudo-terminals, the daemon as it runs, and its addresses as sites read them.

mod adjourned;
mod bus;
mod cables;
mod commands;
mod daemon;
mod delayed;
mod documents;
mod eboard;
mod games;
#[cfg(feature = "tls")]
mod https;
mod metrics;
mod organiser;
mod outputs;
mod published;
mod records;
mod seating;
mod set_back;
mod soak;
mod swiss;
mod taken_back;
