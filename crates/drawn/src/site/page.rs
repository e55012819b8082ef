//! The pages of a site: a round with its boards, its results, and one game.

use std::fmt::Write as _;
use std::sync::Arc;

use publish::gate::{GameView, RoundView};

use super::state::game_version;
use super::{STANDINGS, Site, file_name, round_file};
use crate::hall::news;
use crate::{clock_of, delay, move_number, names, push_delay, push_person, push_text, result, short};

/// Only files beside the page, also where it is opened from a folder.
const POLICY: &str = "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data:; \
                      connect-src 'self' file:; form-action 'none'; base-uri 'none'";

/// Seconds between two loads of a page without a script.
const RELOAD_S: u32 = 30;

/// The most moves of a page.
const MOST_MOVES: usize = 1000;

/// The head of a page and its body up to the contents; `up` leads to the folder of the site.
pub(super) fn begin(site: &Site, title: &str, up: &str, attributes: &str, runs: bool) -> String {
    let mut out = String::with_capacity(16 * 1024);
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"boardcast\">\n<link rel=\"icon\" href=\"data:,\">\n",
        site.words.code
    );
    if runs {
        let _ = writeln!(out, "<noscript><meta http-equiv=\"refresh\" content=\"{RELOAD_S}\"></noscript>");
    }
    out.push_str("<title>");
    push_text(&mut out, title);
    let _ = write!(
        out,
        "</title>\n<link rel=\"stylesheet\" href=\"{up}site.css\">\n<script defer src=\"{up}site.js\"></script></head>\n\
         <body>\n<main data-up=\"{up}\" {attributes}>\n<header><h1>"
    );
    push_text(&mut out, &short(&site.info.name));
    out.push_str("</h1>");
    let place = short(&site.info.site);
    if !matches!(&*place, "" | "?") {
        out.push_str("<p>");
        push_text(&mut out, &place);
        out.push_str("</p>");
    }
    out.push_str("</header>\n");
    out
}

pub(super) fn end(mut out: String) -> String {
    out.push_str("</main>\n</body></html>\n");
    out
}

/// The rounds and the standings; `here` is the round that is shown, 0 for the standings.
pub(super) fn push_rounds(out: &mut String, site: &Site, here: u32, up: &str) {
    if site.rounds.is_empty() {
        return;
    }
    let _ = write!(out, "<nav class=\"rounds\" aria-label=\"{}\">", site.words.rounds);
    for (number, name) in &site.rounds {
        let mark = if *number == here { " aria-current=\"page\"" } else { "" };
        let _ = write!(out, "<a href=\"{up}{}\"{mark}>", round_file(*number));
        push_text(out, &short(name));
        out.push_str("</a>");
    }
    if site.has_standings {
        let mark = if here == 0 { " aria-current=\"page\"" } else { "" };
        let _ = write!(out, "<a href=\"{up}{STANDINGS}\"{mark}>{}</a>", site.words.standings);
    }
    out.push_str("</nav>\n");
}

/// Boards, results and files of a round.
fn push_ways(out: &mut String, site: &Site, round: &RoundView, up: &str) {
    let (number, words) = (round.number, site.words);
    let _ = write!(
        out,
        "<nav class=\"ways\"><a href=\"{up}{}\">{}</a><a href=\"{up}round-{number}-results.html\">{}</a>\
         <a href=\"{up}round-{number}.pgn\" download>{} (PGN)</a>",
        round_file(number),
        words.all_boards,
        words.results,
        words.finished_games
    );
    if site.has_all_games {
        let _ = write!(out, "<a href=\"{up}games.pgn\" download>PGN</a>");
    }
    out.push_str("</nav>\n");
}

/// A site without rounds.
pub(super) fn empty(site: &Site) -> String {
    let title = short(&site.info.name);
    let mut out = begin(site, &title, "", "data-page=\"index\"", true);
    let _ = writeln!(out, "<p class=\"none\">{}</p>", site.words.no_games);
    end(out)
}

/// All boards of a round.
pub(super) fn round_page(site: &Site, round: &RoundView, games: &[Arc<GameView>]) -> String {
    let title = format!("{} · {}", short(&round.info.name), short(&site.info.name));
    let attributes = format!(
        "data-page=\"round\" data-state=\"round-{}.json\" data-round=\"{}\" data-version=\"{}\"",
        round.number,
        round.number,
        site.version(round, games)
    );
    let mut out = begin(site, &title, "", &attributes, !round.ended());
    push_rounds(&mut out, site, round.number, "");
    push_ways(&mut out, site, round, "");
    push_delay(&mut out, delay(round, site.words).as_deref());
    if games.is_empty() {
        let _ = writeln!(out, "<p class=\"none\">{}</p>", site.words.no_games);
    }
    out.push_str("<div class=\"boards\">\n");
    for game in games {
        push_tile(&mut out, site, game);
    }
    out.push_str("</div>\n");
    end(out)
}

/// One board. What changes with every move is in the picture, or filled in by the script.
fn push_tile(out: &mut String, site: &Site, game: &GameView) {
    let name = file_name(&game.at.game);
    let _ = write!(
        out,
        "<a class=\"tile\" id=\"{name}\" href=\"game/{name}.html\"><span class=\"strip\"><span>{} {}</span><b class=\"news\">",
        site.words.board, game.at.table
    );
    push_text(out, &result(game));
    out.push_str("</b></span>");
    push_side(out, game, "Black", false);
    let _ = write!(out, "<img src=\"game/{name}.svg\" alt=\"\" width=\"360\" height=\"360\" loading=\"lazy\">");
    push_side(out, game, "White", false);
    out.push_str("</a>\n");
}

/// One player, with a place for the clock.
fn push_side(out: &mut String, game: &GameView, side: &str, with_clock: bool) {
    let class = if side == "White" { "white" } else { "black" };
    out.push_str("<span class=\"player\"><span class=\"name\">");
    push_person(out, game, side);
    let _ = write!(out, "</span><span class=\"clock {class}\">");
    if let Some(clock) = clock_of(game, side).filter(|_| with_clock) {
        out.push_str(&clock);
    }
    out.push_str("</span></span>");
}

/// The results of a round as a table.
pub(super) fn results_page(site: &Site, round: &RoundView, games: &[Arc<GameView>]) -> String {
    let title = format!("{} · {} · {}", site.words.results, short(&round.info.name), short(&site.info.name));
    let attributes = format!("data-page=\"results\" data-state=\"round-{}.json\"", round.number);
    let mut out = begin(site, &title, "", &attributes, !round.ended());
    push_rounds(&mut out, site, round.number, "");
    push_ways(&mut out, site, round, "");
    let [white, black] = site.words.sides;
    let _ = writeln!(
        out,
        "<table><caption>{}</caption><thead><tr><th scope=\"col\">{}</th><th scope=\"col\">{white}</th>\
         <th scope=\"col\"></th><th scope=\"col\">{black}</th></tr></thead><tbody>",
        site.words.results, site.words.board
    );
    for game in games {
        let name = file_name(&game.at.game);
        let _ = write!(out, "<tr id=\"{name}\"><td><a href=\"game/{name}.html\">{}</a></td><td>", game.at.table);
        push_person(&mut out, game, "White");
        out.push_str("</td><td class=\"result\">");
        push_text(&mut out, &result(game));
        out.push_str("</td><td>");
        push_person(&mut out, game, "Black");
        out.push_str("</td></tr>\n");
    }
    out.push_str("</tbody></table>\n");
    end(out)
}

/// One game with its position and moves.
pub(super) fn game_page(site: &Site, round: &RoundView, game: &GameView) -> String {
    let (name, words) = (file_name(&game.at.game), site.words);
    let title = format!("{} · {}", names(game), short(&round.info.name));
    let attributes = format!(
        "data-page=\"game\" data-state=\"round-{}.json\" data-game=\"{name}\" data-version=\"{}\"",
        round.number,
        game_version(game)
    );
    let mut out = begin(site, &title, "../", &attributes, game.game.is_running() && !round.ended());
    let _ = write!(out, "<nav class=\"ways\"><a href=\"../{}\">", round_file(round.number));
    push_text(&mut out, &short(&round.info.name));
    let _ = write!(out, "</a><a href=\"{name}.pgn\" download>PGN</a></nav>\n<h2>");
    push_text(&mut out, &names(game));
    out.push_str("</h2>\n");
    push_delay(&mut out, delay(round, site.words).as_deref());
    let _ = write!(
        out,
        "<div class=\"game\"><div class=\"one\"><span class=\"strip\"><span>{} {}</span><b class=\"news\">",
        words.board, game.at.table
    );
    push_text(&mut out, &news(game, words));
    out.push_str("</b></span>");
    push_side(&mut out, game, "Black", true);
    let _ = write!(out, "<span class=\"board\"><img src=\"{name}.svg\" alt=\"\" width=\"360\" height=\"360\"></span>");
    push_side(&mut out, game, "White", true);
    let [first, back, forward, last] = words.steps;
    let _ = write!(
        out,
        "<span class=\"steps\" hidden><button data-step=\"first\" aria-label=\"{first}\">«</button>\
         <button data-step=\"back\" aria-label=\"{back}\">‹</button>\
         <button data-step=\"forward\" aria-label=\"{forward}\">›</button>\
         <button data-step=\"last\" aria-label=\"{last}\">»</button></span></div>\n<p class=\"moves\" data-fen=\""
    );
    push_text(&mut out, game.game.fen());
    out.push_str("\">");
    push_moves(&mut out, game);
    out.push_str("<b class=\"result\">");
    push_text(&mut out, &result(game));
    out.push_str("</b></p></div>\n");
    end(out)
}

/// The moves, each with itself in UCI, or with the position after it where the script could not follow.
fn push_moves(out: &mut String, game: &GameView) {
    let game = &game.game;
    let is_standard = game.variant().name() == "Standard";
    let mut fens = (!is_standard || !game.gaps().is_empty()).then(|| game.fens());
    for (index, played) in game.moves().iter().take(MOST_MOVES).enumerate() {
        let number = move_number(game.fen(), index + 1);
        if index == 0 || !number.ends_with("...") {
            let _ = write!(out, "{number} ");
        }
        let _ = write!(out, "<span class=\"move\" data-uci=\"");
        push_text(out, &played.uci);
        out.push('"');
        let follows_a_gap = game.gaps().iter().any(|gap| gap.after_ply == index);
        let fen = fens.as_mut().and_then(Iterator::next);
        if let Some(fen) = fen.filter(|_| follows_a_gap || !is_standard) {
            out.push_str(" data-fen=\"");
            push_text(out, &fen);
            out.push('"');
        }
        out.push('>');
        push_text(out, &played.san);
        out.push_str("</span> ");
    }
}
