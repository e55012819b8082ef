//! boardcast: from the electronic boards of a chess tournament to everybody who follows its games.
//!
//! One way, in reading order: [`transport`] brings bytes, [`board_task`] drives a session of `game_core` with them, the
//! session's events go to the [`record`], [`publish`] makes of it what the public may see, [`web`] serves that. [`app`] wires the parts together.

pub mod accounts;
pub mod alarms;
pub mod app;
pub mod assets;
pub mod board_task;
pub mod boards;
pub mod captured_session;
pub mod cli;
pub mod config;
pub mod founding;
pub mod hall_clock;
pub mod input_file;
pub mod office;
pub mod pairings;
pub mod pairings_folder;
pub mod position_times;
pub mod publish;
pub mod record;
pub mod rehearsal;
pub mod store;
pub mod supervisor;
pub mod switchboard;
pub mod tournament;
pub mod transport;
pub mod web;
