//! One game as HTML: its position, players, result and moves.

use std::fmt::Write as _;

use publish::gate::GameView;

use super::board::{Look, definitions};
use super::hall::{news, push_encoded};
use super::words::Words;
use super::{last_move, move_number, names, push_delay, push_player, push_position, push_text, push_video, result};

/// The most moves of a page.
const MOST_MOVES: usize = 1000;

/// The page of one game of an event, of which there may be a video; `later` says how much later the games of its round are shown.
pub fn page(game: &GameView, place: &str, later: Option<&str>, video: Option<&str>, words: &Words) -> String {
    let moves = game.game.moves();
    let mut out = String::with_capacity(16 * 1024);
    let _ = write!(out, "<div class=\"drawn\" lang=\"{}\"><header><h1>", words.code);
    push_text(&mut out, &names(game));
    out.push_str("</h1><p>");
    push_text(&mut out, place);
    out.push_str("</p>");
    push_delay(&mut out, later);
    push_video(&mut out, video, words);
    let _ = write!(out, "<a href=\"/\">{}</a></header>", words.all_boards);
    let _ = write!(out, "<svg class=\"drawn-defs\" aria-hidden=\"true\">{}</svg>", definitions());
    out.push_str("<div class=\"drawn-game\"><div class=\"drawn-tile\">");
    let _ = write!(out, "<span class=\"drawn-strip\"><span>{} {}</span><b>", words.board, game.at.table);
    push_text(&mut out, &news(game, words));
    out.push_str("</b></span>");
    push_player(&mut out, game, "Black");
    out.push_str("<svg class=\"drawn-board\" viewBox=\"0 0 8 8\" aria-hidden=\"true\">");
    push_position(&mut out, game, Look::default());
    out.push_str("</svg>");
    push_player(&mut out, game, "White");
    out.push_str("</div><p class=\"drawn-moves\">");
    for (index, played) in moves.iter().take(MOST_MOVES).enumerate() {
        let number = move_number(game.game.fen(), index + 1);
        if index == 0 || !number.ends_with("...") {
            let _ = write!(out, "{number} ");
        }
        push_text(&mut out, &played.san);
        out.push(' ');
    }
    out.push_str("<b>");
    push_text(&mut out, &result(game));
    out.push_str("</b></p></div><noscript><p class=\"drawn-note\">");
    let _ = write!(out, "{} <a href=\"/pgn/game/", words.reloads);
    push_encoded(&mut out, &game.at.game);
    out.push_str(".pgn\">PGN</a></p></noscript></div>");
    out
}

/// One sentence for link previews: `Board 3 · 24. Nf3 · Spring Open, Round 2`.
pub fn summary(game: &GameView, place: &str) -> String {
    let news = Some(result(game)).filter(|result| !result.is_empty()).or_else(|| last_move(game));
    [Some(format!("Board {}", game.at.table)), news, Some(place.to_owned())]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" · ")
}
