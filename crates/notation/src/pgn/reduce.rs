//! The reduced export format (PGN standard, 3.2.4).

use super::game::{Element, Game};
use super::tags::ROSTER;

/// Removes comments, NAGs, variations and every tag outside the roster. `FEN`, `SetUp` and `Variant` stay, because the
/// moves of a game from a set-up position cannot be read without them.
pub fn reduce(game: &mut Game) {
    game.movetext = game.line().map(|ply| Element::Move(ply.san)).collect();
    let kept = |name: &str| ROSTER.contains(&name) || matches!(name, "FEN" | "SetUp" | "Variant");
    game.tags = game.tags.iter().filter(|(name, _)| kept(name)).collect();
}
