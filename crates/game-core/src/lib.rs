//! From the bytes of a board to the record of a game: the pure core.
pub mod event;
pub mod input;
pub mod time;
