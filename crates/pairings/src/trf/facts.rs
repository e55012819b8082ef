//! The records of a report that are not about one player: event, time control, dates, teams, byes.

use std::collections::BTreeMap;

use super::super::date::day;
use super::super::model::ByeKind;
use super::super::player;
use super::super::problem::{FileProblem, Problem};
use super::super::time_controls::TimeControls;
use super::record::columns;

/// What a report holds besides its players.
#[derive(Default)]
pub(super) struct Facts {
    pub(super) name: Option<String>,
    pub(super) city: Option<String>,
    pub(super) federation: Option<String>,
    pub(super) first_day: Option<String>,
    pub(super) last_day: Option<String>,
    pub(super) time_control: TimeControls,
    /// `YYYY.MM.DD` of the rounds from 1.
    pub(super) days: BTreeMap<u32, String>,
    /// Whether a win, a draw and a loss give other points than 1, ½ and 0.
    pub(super) own_scoring: bool,
    pub(super) teams: Vec<Team>,
    /// Round and team number to the starting numbers by board; 0 for an empty board.
    pub(super) line_ups: BTreeMap<(u32, u32), Vec<u32>>,
    /// Requested byes: round, kind, starting number.
    pub(super) byes: Vec<(u32, ByeKind, u32)>,
    /// A time control that is not understood: its line, and what it says.
    unread_control: Option<(usize, String)>,
    warnings: Vec<Problem>,
}

/// A team and its members by board.
pub(super) struct Team {
    pub(super) number: Option<u32>,
    pub(super) name: String,
    pub(super) members: Vec<u32>,
}

impl Facts {
    /// Reads a record that is not a player's; unknown codes are skipped.
    pub(super) fn read(&mut self, code: &str, line: &str, line_number: usize) {
        let letters: Vec<char> = line.chars().collect();
        let text = player::name(&columns(&letters, 5, letters.len()));
        let said = (!text.is_empty()).then_some(text);
        match code {
            "012" => self.name = said,
            "022" => self.city = said,
            "032" => self.federation = said.as_deref().and_then(player::federation),
            "042" => self.first_day = said.as_deref().and_then(day),
            "052" => self.last_day = said.as_deref().and_then(day),
            "122" => self.read_control_in_words(said, line_number),
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

    /// Record 240: a letter in column 5, the round in 7 to 9, then the starting numbers.
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

    /// Record 122. A form that was not filled in has no number.
    fn read_control_in_words(&mut self, said: Option<String>, line: usize) {
        let Some(text) = said.filter(|_| self.time_control.is_unknown()) else { return };
        match TimeControls::of_text(&text) {
            Some(control) => self.time_control = control,
            None if text.contains(|letter: char| letter.is_ascii_digit()) => self.unread_control = Some((line, text)),
            None => {}
        }
    }

    /// What is wrong with its records.
    pub(super) fn take_warnings(&mut self) -> Vec<Problem> {
        if let Some((line, text)) = self.unread_control.take().filter(|_| self.time_control.is_unknown()) {
            self.warnings.push(Problem::at(line, 5, FileProblem::NotATimeControl { text }));
        }
        std::mem::take(&mut self.warnings)
    }

    /// Record 222.
    fn read_time_control(&mut self, code: &str, line: usize) {
        if let Ok(control) = TimeControls::parse(code) {
            self.time_control = control;
        } else {
            let reason = FileProblem::NotATimeControl { text: code.to_owned() };
            self.warnings.push(Problem::at(line, 5, reason));
        }
    }

    /// Record 132: `YY/MM/DD` at 92, 102, ...; some programs write the year in full, the dates from the start of the line, or a
    /// record for each round.
    fn read_days(&mut self, letters: &[char], line: usize) {
        let mut place = 4;
        let mut order = self.days.last_key_value().map_or(0, |(round, _)| *round);
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
                None => {
                    self.warnings.push(Problem::at(line, start + 1, FileProblem::NotADate { text: full }));
                }
            }
        }
    }
}

/// The starting numbers from a column on, 0 included.
fn numbers(letters: &[char], from: usize) -> Vec<u32> {
    columns(letters, from, letters.len()).split_whitespace().filter_map(player::digits).collect()
}
