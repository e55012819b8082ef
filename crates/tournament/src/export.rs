//! A section as pairings: for result files, and for comparing with loaded files.
//!
//! The output has all names: it is for arbiters, never for the public.

use chrono::NaiveDate;

use super::hall::Hall;
use super::note::{ByeShown, Note};
use super::person::PlayerId;
use super::persons::Persons;
use super::section::{LoadedReport, Section};
use pairings::Report;
use pairings::model::{self, Bye, EventFacts, Pairing, Pairings, TableOrder};
use pairings::player::Player;

/// A section with its players, pairings and results; none when there is no such section. [`pairings::results`]
/// writes it.
pub fn results(hall: &Hall, persons: &Persons, section: &str) -> Option<Pairings> {
    let section = hall.section(section)?;
    let player = |id: PlayerId| player_of(section, persons, id);
    let event = EventFacts {
        name: Some(section.settings.name.clone()),
        site: Some(section.settings.site.clone()).filter(|site| site != "?"),
        time_control: section.settings.time_control.clone(),
        last_day: section.settings.last_day.map(written),
        ..EventFacts::default()
    };
    let rounds = section.rounds.values().map(|round| {
        let games = round.games.iter().filter_map(|game| {
            Some(Pairing {
                table: game.pair.number,
                team_match: game.pair.team_match,
                white: player(game.pair.white?),
                black: player(game.pair.black?),
                score: game.result.or(game.imported),
                plain: false,
                tags: game.pair.tags.clone(),
            })
        });
        let first_day = round.games.iter().filter_map(|game| game.day).min();
        model::Round {
            number: round.number,
            date: round.settings.date.or(first_day).map(written),
            games: games.collect(),
            byes: round.byes.iter().map(|(id, kind)| Bye { player: player(*id), kind: *kind }).collect(),
            order: TableOrder::Given,
        }
    });
    let players = section.players.keys().map(|id| player(*id)).collect();
    Some(Pairings { event, players, rounds: rounds.collect(), ..Pairings::default() })
}

/// The report that was loaded into a section; [`pairings::results::as_trf`] writes the results into it.
pub fn report(hall: &Hall, section: &str) -> Option<Report> {
    let LoadedReport { text, encoding } = hall.section(section)?.report.as_ref()?;
    Some(Report::of_frame(text, encoding.as_deref()))
}

fn written(day: NaiveDate) -> String {
    day.format("%Y.%m.%d").to_string()
}

/// Byes of a round that differ from those of the pairing files, one sentence without a full stop each.
pub fn differing_byes(hall: &Hall, persons: &Persons, section: &str, number: u32) -> Vec<Note> {
    let Some((section, round)) = hall.section(section).zip(hall.round(section, number)) else { return Vec::new() };
    let differing = round.differing_byes().map(|(player, own, said)| Note::ByesDiffer {
        round: number,
        section: section.slug.to_string(),
        player: player_of(section, persons, player).name,
        files_bye: ByeShown(Some(said)),
        own_bye: ByeShown(own),
    });
    differing.collect()
}

/// A player as pairings write one; a forgotten player by number only.
pub(super) fn player_of(section: &Section, persons: &Persons, id: PlayerId) -> Player {
    let number = section.players.get(&id).and_then(|facts| facts.number);
    match persons.get(id) {
        Some(person) => person.player(number),
        None => Player { number, name: format!("Player {}", number.unwrap_or(id.0)), ..Player::default() },
    }
}
