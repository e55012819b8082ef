//! The boardcast daemon: from the electronic boards of a chess tournament to those who follow its games.
//!
//! One way, in reading order: [`transport`] brings bytes, [`boards`] drives a session of `game_core` with them, the
//! events of sessions go through the [`director`], the owner of the tournament, into the journal; `publish` makes views of
//! it and `public_web` serves them. [`admin`] serves those with access, [`alarms`] watches the hall, [`app`] wires the parts
//! together.

pub mod admin;
pub mod alarms;
pub mod app;
pub mod assets;
pub mod boards;
pub mod cli;
pub mod config;
#[cfg(feature = "demo")]
pub mod demo;
pub mod director;
pub mod eboard;
mod first_link;
mod folders;
pub mod input_file;
pub mod listeners;
mod logging;
pub mod metrics;
mod monitor;
mod network;
mod planned_starts;
pub mod rehearsal;
pub mod review;
mod secure;
pub mod service;
pub mod sources;
pub mod supervisor;
mod support;
pub mod time_offer;
#[cfg(feature = "tls")]
pub mod tls;
pub mod transport;
