//! The state of a round as JSON, for the script: small, and all that changes on its page with a move.

use std::sync::Arc;

use publish::gate::{GameView, RoundView};
use serde_json::json;

use super::{Site, digest_of, file_name, picture_of};
use crate::hall::news;
use crate::{clock_of, result};

/// The state of a round with these games.
pub(super) fn state(site: &Site, round: &RoundView, games: &[Arc<GameView>]) -> String {
    let game = |game: &Arc<GameView>| {
        json!({
            "game": file_name(&game.at.game),
            "news": news(game, site.words),
            "result": result(game),
            "white": clock_of(game, "White"),
            "black": clock_of(game, "Black"),
            "picture": picture_version(game),
            "version": game_version(game),
        })
    };
    let over = round.ended();
    json!({
        "version": site.version(round, games),
        "current": site.current,
        "over": over,
        "games": games.iter().map(game).collect::<Vec<_>>(),
    })
    .to_string()
}

/// Changes when the picture of a game does.
pub(super) fn picture_version(game: &GameView) -> String {
    digest_of(picture_of(game).as_bytes())
}

/// Changes when the page of a game does, apart from what all pages have in common.
pub(super) fn game_version(game: &GameView) -> String {
    let game = &game.game;
    let text = format!(
        "{} {:?} {:?} {:?} {} {:?} {}",
        game.fen(),
        game.moves(),
        game.gaps().iter().map(|gap| (gap.after_ply, &gap.fen)).collect::<Vec<_>>(),
        game.tags(),
        game.shown_result(),
        game.clock().map(|clock| (clock.white_ms, clock.black_ms)),
        game.unexplained()
    );
    digest_of(text.as_bytes())
}
