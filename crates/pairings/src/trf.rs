//! FIDE's tournament report files, TRF16 and TRF26, with their dialects and damage (pairings paper, 2).
//!
//! Knows the record codes. What the columns of a player hold is in [`record`], how records become rounds in [`rounds`],
//! how results go back in [`document`]. Birth dates and sex are read over and kept nowhere.

mod document;
mod record;
mod rounds;

use std::collections::BTreeMap;

use notation::presentation::is_fide_federation;

use super::model::{ByeKind, EventFacts, MAX_ENTRIES, Pairings, Problem, day};
use super::player;
use super::time_controls::TimeControls;
pub use document::Document;
use record::{Record, columns};

/// Whether a text looks like a report: a player's or a tournament's record among its first lines.
pub fn is_trf(text: &str) -> bool {
    text.split(['\r', '\n']).take(200).any(|line| {
        let code: String = line.chars().take(3).collect();
        let parted = line.chars().nth(3).is_none_or(|next| matches!(next, ' ' | '\t' | '|'));
        parted && matches!(code.as_str(), "001" | "012" | "022" | "042" | "062" | "092" | "XXR")
    })
}

/// What a report says besides its players.
#[derive(Default)]
struct Facts {
    name: Option<String>,
    city: Option<String>,
    federation: Option<String>,
    first_day: Option<String>,
    last_day: Option<String>,
    time_control: TimeControls,
    /// `YYYY.MM.DD` of the rounds from 1.
    days: BTreeMap<u32, String>,
    /// Points are not 1, ½ and 0.
    own_scoring: bool,
    teams: Vec<Team>,
    /// Round and team number to the starting numbers by board; 0 where nobody sits.
    line_ups: BTreeMap<(u32, u32), Vec<u32>>,
    /// Byes asked for: round, kind, starting number.
    byes: Vec<(u32, ByeKind, u32)>,
    warnings: Vec<Problem>,
}

/// A team and its members by board.
struct Team {
    number: Option<u32>,
    name: String,
    members: Vec<u32>,
}

/// Reads a report; the document keeps its lines for the results to be written into.
///
/// # Errors
/// The first record of a player that cannot be understood. What contradicts itself is left out and noted.
pub fn read(text: &str) -> Result<(Pairings, Document), Problem> {
    // A single carriage return ends a line by the specification.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut records = Vec::<Record>::new();
    let mut by_number = BTreeMap::new();
    let mut facts = Facts::default();
    let mut document = Document::default();
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
            let reason =
                format!("starting number {number} is taken by line {first}: give each player one of their own");
            return Err(Problem::at(index + 1, 5, reason));
        }
        if records.len() == MAX_ENTRIES {
            return Err(Problem::at(
                index + 1,
                1,
                format!("more than {MAX_ENTRIES} players: no tournament is that large"),
            ));
        }
        document.push(&kept, Some(number));
        records.push(record);
    }
    if records.is_empty() {
        return Err(Problem::at(
            1,
            1,
            "the report lists no players (records 001): export it with players and pairings",
        ));
    }
    document.own_scoring = facts.own_scoring;
    for team in &facts.teams {
        for member in &team.members {
            if let Some(record) = by_number.get(member).and_then(|place| records.get_mut(*place)) {
                record.player.team = Some(team.name.clone());
            }
        }
    }
    let mut warnings = std::mem::take(&mut facts.warnings);
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
    let players = records.into_iter().map(|record| record.player).collect();
    Ok((Pairings { event, players, rounds, warnings }, document))
}

impl Facts {
    /// Takes a record that is no player's; unknown codes say nothing here.
    fn read(&mut self, code: &str, line: &str, line_number: usize) {
        let letters: Vec<char> = line.chars().collect();
        let text = player::name(&columns(&letters, 5, letters.len()));
        let said = (!text.is_empty()).then_some(text);
        match code {
            "012" => self.name = said,
            "022" => self.city = said,
            "032" => self.federation = said.as_deref().and_then(player::federation),
            "042" => self.first_day = said.as_deref().and_then(day),
            "052" => self.last_day = said.as_deref().and_then(day),
            "122" => {
                let control = said.and_then(|text| TimeControls::parse(&text).ok());
                if let Some(control) = control.filter(|_| self.time_control.is_unknown()) {
                    self.time_control = control;
                }
            }
            "222" => self.read_time_control(said.as_deref().unwrap_or_default(), line_number),
            "132" => self.read_days(&letters, line_number),
            "162" | "XXS" => self.own_scoring = true,
            "013" => self.teams.push(Team {
                number: None,
                name: player::name(&columns(&letters, 5, 36)),
                members: numbers(&letters, 37),
            }),
            "310" => self.teams.push(Team {
                number: player::digits(&columns(&letters, 5, 7)),
                name: player::name(&columns(&letters, 9, 40)),
                members: numbers(&letters, 74),
            }),
            "300" => {
                let round = player::digits(&columns(&letters, 5, 7));
                let team = player::digits(&columns(&letters, 9, 11));
                if let Some(key) = round.zip(team) {
                    self.line_ups.insert(key, numbers(&letters, 17));
                }
            }
            "240" => self.read_byes(&letters),
            _ => {}
        }
    }

    /// Record 240: a letter at 5, the round at 7-9, then who.
    fn read_byes(&mut self, letters: &[char]) {
        let kind = match columns(letters, 5, 5).as_str() {
            "F" | "f" => ByeKind::Full,
            "H" | "h" => ByeKind::Half,
            "Z" | "z" => ByeKind::Zero,
            _ => return,
        };
        if let Some(round) = player::digits(&columns(letters, 7, 9)) {
            self.byes.extend(numbers(letters, 11).into_iter().map(|number| (round, kind, number)));
        }
    }

    /// Record 222.
    fn read_time_control(&mut self, code: &str, line: usize) {
        match TimeControls::parse(code) {
            Ok(control) => self.time_control = control,
            Err(_) => self.warnings.push(Problem::at(
                line,
                5,
                format!("the time control «{code}» is not understood, e.g. 5400+30 or W300-B240"),
            )),
        }
    }

    /// Record 132: `YY/MM/DD` at 92, 102, ...; some programs write the year in full.
    fn read_days(&mut self, letters: &[char], line: usize) {
        let mut place = 4;
        let mut order = 0;
        while let Some(start) = letters.iter().skip(place).position(|letter| !letter.is_whitespace()) {
            let start = place + start;
            let word: String = letters.iter().skip(start).take_while(|letter| !letter.is_whitespace()).collect();
            place = start + word.chars().count();
            order += 1;
            let round = if start >= 90 { (start - 90) as u32 / 10 + 1 } else { order };
            let full =
                if word.len() == 8 && word.as_bytes().get(2) == Some(&b'/') { format!("20{word}") } else { word };
            match day(&full) {
                Some(day) => _ = self.days.insert(round, day),
                None => self.warnings.push(Problem::at(line, start + 1, format!("«{full}» is no date of a round"))),
            }
        }
    }
}

/// The starting numbers from a column on, 0 included.
fn numbers(letters: &[char], from: usize) -> Vec<u32> {
    columns(letters, from, letters.len()).split_whitespace().filter_map(player::digits).collect()
}
