//! Shows pairings as text: who plays where, and what a person should check.

use std::fmt::Write as _;

use super::model::{Pairings, Round, TableOrder};
use super::player::Player;
use super::text::counted;

/// Maximum number of warnings that are shown.
pub const SHOWN_WARNINGS: usize = 50;

/// Rounds and tables, one line each, then the warnings.
pub fn preview(pairings: &Pairings) -> String {
    let mut text = String::new();
    let event = &pairings.event;
    let control = (!event.time_control.is_unknown()).then(|| event.time_control.to_string());
    let facts = [&event.name, &event.site, &event.first_day, &control];
    let facts: Vec<_> = facts.into_iter().flatten().map(String::as_str).collect();
    if !facts.is_empty() {
        line(&mut text, &facts.join(", "));
    }
    line(
        &mut text,
        &format!("{}, {}", counted(pairings.players.len(), "player"), counted(pairings.rounds.len(), "round")),
    );
    for round in &pairings.rounds {
        show_round(&mut text, round);
    }
    if let Some(standings) = &pairings.standings {
        let after = standings.after_round.map(|round| format!(" after round {round}")).unwrap_or_default();
        line(&mut text, &format!("Standings{after}: {}", counted(standings.places.len(), "player")));
    }
    if !pairings.boards.is_empty() {
        let boards = pairings.boards.iter().map(|(table, board)| format!("{table}: {board}"));
        line(&mut text, &format!("Boards of tables: {}", boards.collect::<Vec<_>>().join(", ")));
    }
    if pairings.rounds.is_empty() {
        line(&mut text, "There are no pairings: load those of a round too, e.g. the output of the pairing engine.");
    } else if !pairings.rounds.iter().any(Round::is_open) {
        line(&mut text, "Every game has a result: the round to be played is missing.");
    }
    if !pairings.warnings.is_empty() {
        line(&mut text, "\nPlease check:");
        for warning in pairings.warnings.iter().take(SHOWN_WARNINGS) {
            line(&mut text, &format!("  {warning}"));
        }
        if let Some(more) = pairings.warnings.len().checked_sub(SHOWN_WARNINGS).filter(|more| *more > 0) {
            line(&mut text, &format!("  and {more} more"));
        }
    }
    text
}

fn line(text: &mut String, content: &str) {
    text.push_str(content);
    text.push('\n');
}

fn show_round(text: &mut String, round: &Round) {
    let date = round.date.as_ref().map(|date| format!(", {date}")).unwrap_or_default();
    let order = match round.order {
        TableOrder::Given => "",
        TableOrder::Derived => " (tables numbered by points and starting numbers: check their order)",
    };
    let open = round.games.iter().filter(|game| game.score.is_none()).count();
    line(
        text,
        &format!("\nRound {}{date}: {}, {open} to be played{order}", round.number, counted(round.games.len(), "game")),
    );
    let width = round.games.iter().map(|game| shown(&game.white).chars().count()).max().unwrap_or(0).min(48);
    for game in &round.games {
        let score = game.score.map(|score| format!("  {score}")).unwrap_or_default();
        let of_match = game.team_match.map(|(number, board)| format!("  match {number}.{board}")).unwrap_or_default();
        let (white, black) = (shown(&game.white), shown(&game.black));
        // Writing to a string does not fail.
        _ = writeln!(text, "{:>5}  {white:<width$} - {black}{score}{of_match}", game.table);
    }
    for bye in &round.byes {
        line(text, &format!("       {}: {}", shown(&bye.player), bye.kind.name()));
    }
}

fn shown(player: &Player) -> String {
    let rating = player.rating.map(|rating| rating.to_string());
    let facts: Vec<_> = [player.federation.as_deref(), rating.as_deref()].into_iter().flatten().collect();
    let title = player.title.map(|title| format!("{title} ")).unwrap_or_default();
    let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(" ")) };
    format!("{title}{}{facts}", player.name)
}
