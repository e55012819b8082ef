//! Reads tournament report files of FIDE, TRF16 and TRF26, with the deviations of real programs (docs/pairings.md).
//!
//! [`record`] reads the line of a player, [`facts`] all other lines, [`rounds`] joins the records of the players to rounds,
//! [`document`] keeps the lines and writes results into them. Birth dates and sex are not kept.

mod document;
mod facts;
mod record;
mod rounds;

use std::collections::{BTreeMap, BTreeSet};

use notation::presentation::is_fide_federation;

use super::encoding::Encoding;
use super::model::{EventFacts, MAX_ENTRIES, Pairings};
use super::problem::{FileProblem, Problem};
pub use document::Document;
use document::LineEnd;
use facts::Facts;
use record::Record;

/// Whether a text is a report: a record of a player or of the tournament is among its first lines.
pub(crate) fn is_trf(text: &str) -> bool {
    text.split(['\r', '\n']).take(200).any(|line| {
        let code: String = line.chars().take(3).collect();
        let parted = line.chars().nth(3).is_none_or(|next| matches!(next, ' ' | '\t' | '|'));
        parted && matches!(code.as_str(), "001" | "012" | "022" | "042" | "062" | "092" | "XXR")
    })
}

/// Reads a report; results can be written into the document.
///
/// # Errors
/// The first record of a player that cannot be read. Contradictions are left out with a warning.
pub(crate) fn read(text: &str, encoding: Encoding) -> Result<(Pairings, Document), Problem> {
    let line_end = LineEnd::of(text);
    // A single carriage return ends a line by the specification.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut records = Vec::<Record>::new();
    let mut by_number = BTreeMap::new();
    let mut facts = Facts::default();
    let mut document = Document::new(encoding, line_end);
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_end_matches([' ', '\x1a', '\x0c']);
        let code: String = line.chars().take(3).collect();
        if code != "001" {
            facts.read(&code, line, index + 1);
            let kept = if is_fide_federation(&code) { record::anonymous(line) } else { line.to_owned() };
            document.push(&kept, None);
            continue;
        }
        let (record, kept) = record::read(line, index + 1)?;
        let number = record.number();
        if let Some(first) = by_number.insert(number, records.len()) {
            let first = records.get(first).map_or(0, |first: &Record| first.line);
            return Err(Problem::at(index + 1, 5, FileProblem::NumberUsed { number, first }));
        }
        if records.len() == MAX_ENTRIES {
            return Err(Problem::at(index + 1, 1, FileProblem::ManyPlayers { most: MAX_ENTRIES }));
        }
        document.push(&kept, Some(number));
        records.push(record);
    }
    if records.is_empty() {
        return Err(Problem::at(1, 1, FileProblem::NoPlayers));
    }
    document.own_scoring = facts.own_scoring;
    for team in &facts.teams {
        for member in &team.members {
            if let Some(record) = by_number.get(member).and_then(|place| records.get_mut(*place)) {
                record.player.team = Some(team.name.clone());
            }
        }
    }
    let mut warnings = facts.take_warnings();
    let rounds = rounds::rounds(&records, &by_number, &facts, &mut warnings);
    let site = facts.city.map(|city| match facts.federation {
        Some(federation) => format!("{city} {federation}"),
        None => city,
    });
    let event = EventFacts {
        name: facts.name,
        site,
        first_day: facts.first_day,
        last_day: facts.last_day,
        time_control: facts.time_control,
    };
    let players: Vec<_> = records.into_iter().map(|record| record.player).collect();
    let standings = document.standings(&players);
    let teams = (1..).zip(&facts.teams).map(|(place, team)| team.number.unwrap_or(place)).collect();
    let boards = BTreeSet::new();
    let pairings = Pairings { event, players, rounds, teams, boards, standings, warnings, ..Pairings::default() };
    Ok((pairings, document))
}
