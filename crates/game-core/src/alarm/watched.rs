//! What the alarms are derived from: one table as it is now.

use shakmaty::Position as _;

use crate::game::Game;
use crate::placement::Placement;
use crate::session::Doubts;

/// What is known about one table now.
#[derive(Clone, Copy, Debug)]
pub struct Watched<'a> {
    /// Its number, from 1.
    pub table: u32,
    /// The name of its section where several have rounds, as their tables may have the same numbers; none otherwise.
    pub section: Option<&'a str>,
    /// The id of the game that is played or paired there.
    pub game_id: &'a str,
    /// The recorded game, without delay.
    pub game: &'a Game,
    /// Whether its round is armed. Otherwise only results are compared, and all other alarms are cleared.
    pub armed: bool,
    /// Whether the game is adjourned: its clock stands until it is resumed.
    pub adjourned: bool,
    /// The placement on the board, in real squares; none while it is unknown.
    pub placement: Option<&'a Placement>,
    /// What the board's session is unsure of; none while it is unknown.
    pub doubts: Option<&'a Doubts>,
    /// A result that the board shows and a person must confirm, as text; none otherwise.
    pub unconfirmed: Option<&'a str>,
    /// The table whose game the board shows instead of its own; none otherwise.
    pub shows_other: Option<u32>,
    /// Since when the board cannot be reached, UTC ms; none while it answers, and for a table without a board.
    pub silent_since: Option<u64>,
    /// How far the clocks of the venue are ahead of UTC, in s.
    pub utc_offset_s: i32,
    /// When play of the round began, UTC ms; none before.
    pub started_at: Option<u64>,
    /// The default time of the regulations, in ms after the start; none when they set none.
    pub default_ms: Option<u64>,
    /// The results of the record and of the pairings, as text, where they differ.
    pub differing: Option<[&'a str; 2]>,
}

impl Watched<'_> {
    /// Whether these pieces are those of the recorded position.
    pub(super) fn shows_record(&self, placement: &Placement) -> bool {
        *placement == Placement::from_board(self.game.position().board())
    }
}
