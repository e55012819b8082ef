//! How a game ends: by the rules, by kings in the centre whether or not the clock runs, or by pieces set up for the next one.
//!
//! Knows the game that ends. Must not know the one that follows.

use notation::pgn::Outcome;
use shakmaty::{Bitboard, Position};

use super::game::{Game, Sign};
use super::{Search, Told, weights as w};

impl Search {
    /// Ends the game when what stands there has ended it for long enough.
    pub(super) fn end_if_over(&mut self) {
        let now = self.now;
        let Some(game) = self.game.as_deref() else { return };
        if let Some(sign) = game.sign {
            if now.saturating_sub(sign.since) >= w::SHOWN_MS {
                self.end_shown(sign);
            }
            return;
        }
        let stands = now.saturating_sub(game.touched_at) >= w::SHOWN_MS;
        let told = game.likeliest(now).is_some_and(|best| best.line == game.told && best.differs.is_empty());
        if stands
            && told
            && let Some(result) = by_rules(game)
        {
            self.drop_game();
            self.say(Told::Ended { result });
        }
    }

    /// Both kings have stood in the centre: what was there before the hands took them is the game.
    fn end_shown(&mut self, sign: Sign) {
        let Some(game) = self.game.as_deref() else { return };
        let result = sign.result();
        let end = game.before_sign(sign);
        self.close(end, result);
    }

    /// The pieces stand for the next game.
    pub(super) fn end_unshown(&mut self) {
        let Some(game) = self.game.as_deref() else { return };
        let end = game.matched_end();
        self.close(end, Outcome::Unknown);
    }

    /// The game is over; what it showed of the board stays known.
    pub(super) fn drop_game(&mut self) {
        if let Some(game) = self.game.take() {
            self.suspects = board_view(game.suspects(), game.rotated);
        }
    }

    /// Tells the likeliest line up to an observation and ends the game.
    fn close(&mut self, end: usize, result: Outcome) {
        let Some(game) = self.game.as_deref_mut() else { return };
        let end = game.after_stop().map_or(end, |stop| stop.min(end));
        let line = game.line_before(end);
        let common = game.lines.common(line, game.told);
        self.tell(common, line);
        let by_rules = self.game.as_deref().and_then(by_rules);
        let unplayed = self.game.as_deref().is_none_or(|game| game.lines.depth(game.told) == 0);
        self.drop_game();
        if !unplayed {
            self.say(Told::Ended { result: by_rules.unwrap_or(result) });
        }
    }
}

/// Squares as the board counts them, or back.
pub(super) fn board_view(squares: Bitboard, rotated: bool) -> Bitboard {
    if rotated { squares.rotate_180() } else { squares }
}

/// What the rules say about the line that was told: mate or stalemate. Other draws have to be claimed or confirmed by people.
fn by_rules(game: &Game) -> Option<Outcome> {
    let position = game.position(game.told);
    if !position.legal_moves().is_empty() {
        return None;
    }
    Outcome::parse(position.outcome().as_str())
}
