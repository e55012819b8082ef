//! The page of the standings.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use publish::standings::{Standing, Standings};

use super::page::{begin, end, push_rounds};
use super::{STANDINGS_FILE, Site, file_name};
use crate::{push_text, short};

/// The players by rank, with tie-breaks and the result of each round, which leads to its game.
pub(super) fn standings_page(site: &Site, standings: &Standings) -> String {
    let words = site.words;
    let title = format!("{} · {}", words.standings, short(&site.info.name));
    let mut out = begin(site, &title, "", "data-page=\"standings\"", true);
    push_rounds(&mut out, site, 0, "");
    let [player, points, games] = words.columns;
    let rounds: BTreeSet<u32> =
        standings.players.iter().flat_map(|standing| &standing.rounds).map(|had| had.round).collect();
    let _ = write!(
        out,
        "<nav class=\"ways\"><a href=\"{STANDINGS_FILE}\" download>CSV</a></nav>\n<div class=\"wide\" tabindex=\"0\" \
         role=\"group\" aria-label=\"{standings}\"><table class=\"standings\"><caption>{standings}</caption><thead><tr>\
         <th scope=\"col\">#</th><th scope=\"col\">{player}</th><th scope=\"col\">{points}</th>",
        standings = words.standings
    );
    for name in &standings.tie_breaks {
        out.push_str("<th scope=\"col\">");
        push_text(&mut out, &short(name));
        out.push_str("</th>");
    }
    let _ = write!(out, "<th scope=\"col\">{games}</th>");
    for round in &rounds {
        let _ = write!(out, "<th scope=\"col\">{round}</th>");
    }
    out.push_str("</tr></thead><tbody>\n");
    for standing in &standings.players {
        push_player(&mut out, standing, standings.tie_breaks.len(), &rounds);
    }
    let source = match standings.after_round {
        Some(round) => words.ranks_of_program.replacen("{}", &round.to_string(), 1),
        None => words.points_of_games.to_owned(),
    };
    let _ = writeln!(out, "</tbody></table></div>\n<p class=\"later\">{source}</p>");
    end(out)
}

fn push_player(out: &mut String, standing: &Standing, tie_breaks: usize, rounds: &BTreeSet<u32>) {
    let player = &standing.player;
    let _ = write!(out, "<tr><td>{}</td><th scope=\"row\">", standing.rank);
    if let Some(title) = &player.title {
        out.push_str("<b>");
        push_text(out, &short(title));
        out.push_str("</b> ");
    }
    push_text(out, &short(&player.name));
    let _ = write!(out, "</th><td class=\"result\">{}</td>", standing.points().replace(".5", "½").replace("0½", "½"));
    for index in 0..tie_breaks {
        out.push_str("<td>");
        push_text(out, &standing.tie_breaks.get(index).map(|value| short(value)).unwrap_or_default());
        out.push_str("</td>");
    }
    let _ = write!(out, "<td>{}</td>", standing.games);
    for round in rounds {
        out.push_str("<td>");
        if let Some(had) = standing.rounds.iter().find(|had| had.round == *round) {
            let _ = write!(out, "<a href=\"game/{}.html\" title=\"", file_name(&had.game));
            push_text(out, &short(&had.opponent));
            let points = if had.points.is_empty() { "–" } else { had.points };
            let _ = write!(out, "\">{points}<span class=\"mark {}\"></span></a>", had.side);
        }
        out.push_str("</td>");
    }
    out.push_str("</tr>\n");
}
