//! The reduced export format (PGN standard, 3.2.4).

use super::tags::ROSTER;
use super::{Element, Game};

/// Takes away all that the reduced export format has no place for: comments, glyphs, variations and every tag outside
/// the roster. Only what tells a set-up position stays (`FEN`, `SetUp`, `Variant`): without it the moves mean nothing.
pub fn reduce(game: &mut Game) {
    game.movetext = game.line().map(|ply| Element::Move(ply.san)).collect();
    let kept = |name: &str| ROSTER.contains(&name) || matches!(name, "FEN" | "SetUp" | "Variant");
    game.tags = game.tags.iter().filter(|(name, _)| kept(name)).collect();
}
