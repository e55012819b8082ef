//! A game that is exported, from the journal or from a file.

use journal::PositionTimes;
use notation::pgn::Game;

/// A game to be exported.
pub(super) struct Exported<'a> {
    /// The game.
    pub(super) game: Game,
    /// The game's id; for a game of a file its number.
    pub(super) id: &'a str,
    /// When its positions occurred.
    pub(super) times: PositionTimes,
}
