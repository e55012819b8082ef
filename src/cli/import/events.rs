//! Converts a game of a file to events.

use anyhow::Context;
use game_core::event::{Event, Variant};
use game_core::line::start_position;
use notation::pgn::{Game, is_chess960};
use notation::play::find_written;
use shakmaty::san::SanPlus;

/// The usual start position.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The start of the game, and its moves with their times.
///
/// # Errors
/// When the start position or a move is not legal.
pub(super) fn played(game: &Game) -> anyhow::Result<(Event, Vec<Event>)> {
    let is_960 = is_chess960(&game.tags);
    let variant = if is_960 { Variant::Chess960 } else { Variant::Standard };
    let fen = game.tags.get("FEN").unwrap_or(START);
    let mut position = start_position(fen, variant)?;
    let mut moves = Vec::new();
    for (ply, played) in (1..).zip(game.line()) {
        let found = find_written(&position, played.san).with_context(|| format!("ply {ply}"))?;
        let times = played.times();
        let uci = found.to_uci(variant.castling_mode()).to_string();
        let san = SanPlus::from_move_and_play_unchecked(&mut position, found).to_string();
        moves.push(Event::Move { ply, san, uci, clk_ms: times.clk_ms, emt_ms: times.emt_ms });
    }
    Ok((Event::GameStarted { fen: fen.to_owned(), variant }, moves))
}
