//! Reads and writes the record of a player, code 001.
//!
//! Programs deviate from the columns of the specification: they count bytes, separate by tabs or bars, or cut lines short.

use std::fmt::Write as _;

use super::super::model::MAX_ROUND;
use super::super::player::{self, Player};
use super::super::problem::{FileProblem, Problem};

/// Column of the first round; each further one begins ten columns on.
pub(super) const FIRST_ROUND: usize = 92;

/// A player's record.
pub(super) struct Record {
    /// Line from 1.
    pub line: usize,
    /// The player; the starting number is always there.
    pub player: Player,
    /// The rounds, the first one first.
    pub cells: Vec<Cell>,
}

/// A round in the record of a player.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cell {
    /// The opponent's starting number.
    pub opponent: Option<u32>,
    /// Whether the player has White; none when there is no colour.
    pub white: Option<bool>,
    /// The sign of the result or bye, upper case; none when blank.
    pub sign: Option<char>,
    /// Column of its first character.
    pub column: usize,
}

impl Record {
    pub(super) fn number(&self) -> u32 {
        self.player.number.unwrap_or(0)
    }
}

/// The trimmed text of columns, from 1, both ends included.
pub(super) fn columns(letters: &[char], from: usize, to: usize) -> String {
    let text: String = letters.iter().take(to).skip(from - 1).filter(|letter| **letter != FILLER).collect();
    text.trim().to_owned()
}

/// Placeholder for each further byte of a letter, when the program counted bytes.
const FILLER: char = '\0';

/// Reads a record; also gives the line without birth date and sex.
pub(super) fn read(line: &str, line_number: usize) -> Result<(Record, String), Problem> {
    let parted = ['|', '\t'].into_iter().find(|separator| line.matches(*separator).count() >= 9);
    let spaced: String = line.chars().map(|letter| if letter == '|' { ' ' } else { letter }).collect();
    let letters: Vec<char> = spaced.chars().collect();
    if !spaced.contains('\t') && fits(&letters) {
        return Ok((of_columns(&letters, line_number)?, anonymous(&spaced)));
    }
    if let Some(separator) = parted {
        let record = of_cells(line, separator, line_number)?;
        let kept = written(&record);
        return Ok((record, kept));
    }
    for letters in [in_bytes(&spaced), with_tab_stops(&spaced)] {
        if fits(&letters) {
            let record = of_columns(&letters, line_number)?;
            let kept = written(&record);
            return Ok((record, kept));
        }
    }
    Ok((of_columns(&letters, line_number)?, anonymous(&spaced)))
}

/// Whether the separating columns are blank and number fields hold numbers.
fn fits(letters: &[char]) -> bool {
    let blank = |column: usize| letters.get(column - 1).is_none_or(|letter| *letter == ' ');
    let number =
        |from, to| player::digits(&columns(letters, from, to)).is_some() || columns(letters, from, to).is_empty();
    let rounds = (FIRST_ROUND..letters.len()).step_by(10).all(|column| number(column, column + 3) && blank(column + 4));
    player::digits(&columns(letters, 5, 8)).is_some()
        && [48, 53, 57, 69].into_iter().all(blank)
        && number(58, 68)
        && rounds
}

fn in_bytes(line: &str) -> Vec<char> {
    line.chars()
        .flat_map(|letter| std::iter::once(letter).chain(std::iter::repeat_n(FILLER, letter.len_utf8() - 1)))
        .collect()
}

fn with_tab_stops(line: &str) -> Vec<char> {
    let mut letters = Vec::with_capacity(line.len());
    for letter in line.chars() {
        if letter == '\t' {
            letters.resize(letters.len() / 8 * 8 + 8, ' ');
        } else {
            letters.push(letter);
        }
    }
    letters
}

fn of_columns(letters: &[char], line: usize) -> Result<Record, Problem> {
    let part = |from, to| columns(letters, from, to);
    let number = starting_number(&part(5, 8), line)?;
    let (_, title) = sex_and_title(letters);
    let player = Player {
        number: Some(number),
        title,
        rating: player::rating(&part(49, 52)),
        federation: player::federation(&part(54, 56)),
        fide_id: player::fide_id(&part(58, 68)),
        points: player::points(&part(81, 84)),
        ..Player::named(&part(15, 47))
    };
    let mut cells = Vec::new();
    for column in (FIRST_ROUND..=letters.len()).step_by(10) {
        let sign = |column: usize| letters.get(column - 1).copied();
        cells.push(cell(&part(column, column + 3), sign(column + 5), sign(column + 7), (line, column))?);
    }
    finished(Record { line, player, cells })
}

fn of_cells(text: &str, separator: char, line: usize) -> Result<Record, Problem> {
    let parts: Vec<&str> = text.split(separator).map(str::trim).collect();
    let part = |place: usize| parts.get(place).copied().unwrap_or_default();
    let player = Player {
        number: Some(starting_number(part(1), line)?),
        title: player::title(part(3)),
        rating: player::rating(part(5)),
        federation: player::federation(part(6)),
        fide_id: player::fide_id(part(7)),
        points: player::points(part(9)),
        ..Player::named(part(4))
    };
    // A round is three cells, or one with three words.
    let rest = parts.get(11..).unwrap_or_default();
    let mut cells = Vec::new();
    if rest.iter().any(|cell| cell.contains(' ')) {
        for (index, words) in rest.iter().enumerate() {
            let words: Vec<_> = words.split_whitespace().collect();
            let first = |place: usize| words.get(place).and_then(|word| word.chars().next());
            cells.push(cell(words.first().copied().unwrap_or_default(), first(1), first(2), (line, 12 + index))?);
        }
    } else {
        for (index, words) in rest.chunks(3).enumerate() {
            let first = |place: usize| words.get(place).and_then(|word| word.chars().next());
            let place = (line, 12 + 3 * index);
            cells.push(cell(words.first().copied().unwrap_or_default(), first(1), first(2), place)?);
        }
    }
    finished(Record { line, player, cells })
}

fn finished(mut record: Record) -> Result<Record, Problem> {
    let blank = |cell: &Cell| cell.opponent.is_none() && cell.white.is_none() && cell.sign.is_none();
    while record.cells.last().is_some_and(blank) {
        record.cells.pop();
    }
    if record.cells.len() > MAX_ROUND as usize {
        return Err(Problem::at(record.line, 1, FileProblem::ManyRounds { most: MAX_ROUND }));
    }
    if record.player.name.is_empty() {
        return Err(Problem::at(record.line, 15, FileProblem::NoName));
    }
    Ok(record)
}

fn starting_number(text: &str, line: usize) -> Result<u32, Problem> {
    let wrong = || Problem::at(line, 5, FileProblem::NotAStartingNumber { text: text.to_owned() });
    player::digits(text).filter(|number| (1..=9999).contains(number)).ok_or_else(wrong)
}

fn cell(opponent: &str, colour: Option<char>, sign: Option<char>, place: (usize, usize)) -> Result<Cell, Problem> {
    let (line, column) = place;
    let opponent = match opponent {
        "" | "-" | "--" | "---" | "----" => None,
        number => {
            let wrong = || Problem::at(line, column, FileProblem::NotAnOpponent { text: number.to_owned() });
            Some(player::digits(number).ok_or_else(wrong)?).filter(|number| *number > 0)
        }
    };
    let white = match colour.unwrap_or(' ') {
        'w' | 'W' => Some(true),
        'b' | 'B' => Some(false),
        ' ' | '-' => None,
        other => return Err(Problem::at(line, column + 5, FileProblem::NotAColour { text: other.into() })),
    };
    // Some programs write «*», as PGN does, where the result is still to come.
    let sign = sign.filter(|sign| !sign.is_whitespace() && *sign != '*').map(|sign| sign.to_ascii_uppercase());
    if let Some(other) = sign.filter(|sign| !"10=+-WLDHFUZ".contains(*sign)) {
        return Err(Problem::at(line, column + 7, FileProblem::NotATrfResult { text: other.into() }));
    }
    Ok(Cell { opponent, white, sign, column })
}

/// Whether column 10 holds the sex, and the title in columns 10 to 13. Some programs write the title one column early or as
/// one letter.
fn sex_and_title(letters: &[char]) -> (bool, Option<&'static str>) {
    let (whole, title) = (columns(letters, 10, 13), columns(letters, 11, 13));
    let first = columns(letters, 10, 10);
    let early = if title.is_empty() { None } else { player::title(&whole) };
    match player::title(&title) {
        // «wGM» is the sex and a title; «WGM» is a title that begins one column early.
        Some(title) if early.is_none() || !first.starts_with(|letter: char| letter.is_ascii_uppercase()) => {
            (true, Some(title))
        }
        _ if early.is_some() => (false, early),
        _ if title.is_empty() && !matches!(first.as_str(), "m" | "M" | "w" | "W" | "f" | "F") => {
            (false, player::title(&first))
        }
        _ => (true, None),
    }
}

/// The line without birth date and sex.
pub(super) fn anonymous(line: &str) -> String {
    let letters: Vec<char> = line.chars().collect();
    let (sex, _) = sex_and_title(&letters);
    // Some programs write the birth date one column late.
    let last = if letters.get(78).is_some_and(|letter| *letter != ' ') { 80 } else { 79 };
    let hidden = |column: usize| (70..=last).contains(&column) || column == 10 && sex;
    let kept: String =
        letters.iter().enumerate().map(|(index, letter)| if hidden(index + 1) { ' ' } else { *letter }).collect();
    kept.trim_end().to_owned()
}

/// A record in the columns of the specification.
pub(super) fn written(record: &Record) -> String {
    let player = &record.player;
    let number = |value: Option<u32>| value.map(|value| value.to_string()).unwrap_or_default();
    let name: String = player.name.chars().take(33).collect();
    let points = player.points.unwrap_or(0);
    let mut line = format!(
        "001 {:>4}  {:>3} {name:<33} {:>4} {:<3} {:>11} {:10} {:>4} {:4}",
        record.number(),
        player.title.unwrap_or_default(),
        number(player.rating),
        player.federation.as_deref().unwrap_or_default(),
        number(player.fide_id),
        "",
        format!("{}.{}", points / 10, points % 10),
        "",
    );
    for cell in &record.cells {
        let colour = match cell.white {
            Some(true) => 'w',
            Some(false) => 'b',
            None => '-',
        };
        let opponent = cell.opponent.unwrap_or(0);
        // Writing to a string does not fail.
        _ = write!(line, "  {opponent:04} {colour} {}", cell.sign.unwrap_or(' '));
    }
    line
}
