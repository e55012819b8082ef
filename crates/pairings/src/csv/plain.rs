//! Finds what the columns of a table without a header hold, where their content leaves no doubt: rows copied from a spreadsheet.

use csv::StringRecord;

use super::super::player::{self, digits};
use super::header::{Column, Fact, Side};

/// What the cells of a column have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Empty,
    Ratings,
    FideIds,
    Numbers,
    Results,
    Titles,
    Federations,
    Names,
}

/// The columns of a table whose rows are pairings or players; none when it could be read in two ways.
pub(super) fn guess(rows: &[StringRecord]) -> Option<Vec<Option<Column>>> {
    let rows: Vec<_> =
        rows.iter().map(|row| row.iter().map(str::trim).collect::<Vec<_>>()).filter(|row| !is_title(row)).collect();
    let cells =
        |place: usize| rows.iter().filter_map(move |row| row.get(place).copied()).filter(|cell| !cell.is_empty());
    let width = rows.iter().map(Vec::len).max()?;
    let contents: Vec<_> = (0..width).map(|place| content(cells(place))).collect::<Option<_>>()?;
    let contents = contents.as_slice();
    let places = |wanted| (0..width).filter(move |place| contents.get(*place) == Some(&wanted));
    let names: Vec<_> = places(Content::Names).collect();
    let first = *names.first()?;
    // A line of text above or below the rows would become a person.
    let names_stand_alone = rows.iter().any(|row| row.iter().filter(|cell| !cell.is_empty()).count() < 2);
    if names_stand_alone {
        return None;
    }
    let leading: Vec<_> = (0..first).filter(|place| contents.get(*place).copied().is_some_and(is_number)).collect();
    let mut columns = vec![None; width];
    let mut set = |place: usize, side, fact| columns[place] = Some(Column { side, fact });
    match *names.as_slice() {
        [name] => {
            set(name, Side::White, Fact::Name);
            match *leading.as_slice() {
                [] => {}
                [number] if rises(cells(number)) => set(number, Side::White, Fact::Number),
                _ => return None,
            }
            for (content, fact) in [
                (Content::Ratings, Fact::Rating),
                (Content::FideIds, Fact::FideId),
                (Content::Titles, Fact::Title),
                (Content::Federations, Fact::Federation),
            ] {
                let found: Vec<_> = places(content).filter(|place| !leading.contains(place)).collect();
                match *found.as_slice() {
                    [] => {}
                    [place] => set(place, Side::White, fact),
                    // A national rating and that of FIDE, for example.
                    _ => return None,
                }
            }
            (columns.iter().flatten().count() >= 2 && places(Content::Results).next().is_none()).then_some(columns)
        }
        [white, black] => {
            let ratings: Vec<_> = places(Content::Ratings).filter(|place| !leading.contains(place)).collect();
            let results: Vec<_> = places(Content::Results).collect();
            // Outside of the names a column of dashes only is one without entries, of any kind.
            let is_result = |place: usize| (white..black).contains(&place) || cells(place).any(|cell| cell != "-");
            let has_result = matches!(*results.as_slice(), [place] if is_result(place));
            // A name beside a first name or a club looks much the same.
            let both_persons = || cells(white).chain(cells(black)).all(is_certain_person);
            if !(has_result || ratings.len() == 2 || both_persons()) || results.len() > 1 || ratings.len() > 2 {
                return None;
            }
            set(white, Side::White, Fact::Name);
            set(black, Side::Black, Fact::Name);
            match *leading.as_slice() {
                [] => {}
                [table] if rises(cells(table)) => set(table, Side::Both, Fact::Table),
                [table, number] if rises(cells(table)) => {
                    set(table, Side::Both, Fact::Table);
                    set(number, Side::White, Fact::Number);
                }
                _ => return None,
            }
            if let Some(result) = results.first() {
                set(*result, Side::Both, Fact::Result);
            }
            if let [one, other] = *ratings.as_slice() {
                set(one, Side::White, Fact::Rating);
                set(other, Side::Black, Fact::Rating);
            }
            Some(columns)
        }
        _ => None,
    }
}

/// An empty row, or a title that names the round of the rows below it.
fn is_title(row: &[&str]) -> bool {
    let filled = row.iter().filter(|cell| !cell.is_empty());
    filled.clone().count() == 0
        || filled.clone().count() <= 2 && filled.clone().any(|cell| super::round_of_title(cell).is_some())
}

/// What all cells are; none when they differ in kind.
fn content<'a>(cells: impl Iterator<Item = &'a str> + Clone) -> Option<Content> {
    // A dash is an entry that is missing.
    let dashes = cells.clone().all(|cell| cell == "-");
    let cells = cells.filter(move |cell| dashes || *cell != "-");
    let all = |test: fn(&str) -> bool| cells.clone().all(test);
    let numbers = |lowest: u32, highest: u32| {
        cells.clone().all(|cell| digits(cell).is_some_and(|number| number == 0 || (lowest..=highest).contains(&number)))
    };
    let highest = cells.clone().filter_map(digits).max();
    let kinds = [
        (cells.clone().next().is_none(), Content::Empty),
        (highest > Some(0) && numbers(1000, 4000), Content::Ratings),
        (highest > Some(0) && numbers(100_000, u32::MAX), Content::FideIds),
        (all(|cell| digits(cell.trim_end_matches('.')).is_some() || player::points(cell).is_some()), Content::Numbers),
        (
            all(|cell| matches!(cell, "*" | "-" | ":" | "?" | "vs" | "- -") || super::result(cell).is_some()),
            Content::Results,
        ),
        (all(|cell| player::title(cell).is_some()), Content::Titles),
        (all(|cell| cell.len() == 3 && player::federation(cell).is_some()), Content::Federations),
        (all(|cell| cell.chars().any(char::is_alphabetic) || player::is_nobody(cell)), Content::Names),
    ];
    kinds.into_iter().find_map(|(is, content)| is.then_some(content))
}

fn is_number(content: Content) -> bool {
    matches!(content, Content::Numbers | Content::Ratings | Content::FideIds)
}

/// Whether each number is larger than the one above it, as those of tables and of a starting list are.
fn rises<'a>(cells: impl Iterator<Item = &'a str>) -> bool {
    let numbers: Option<Vec<_>> = cells.map(|cell| digits(cell.trim_end_matches('.'))).collect();
    numbers.is_some_and(|numbers| numbers.is_sorted_by(|one, other| one < other))
}

/// Whether a cell has the family name and the first name of a person, or says that there is no opponent.
fn is_certain_person(cell: &str) -> bool {
    player::is_bye(cell)
        || player::is_nobody(cell)
        || cell.split(',').filter(|part| !part.trim().is_empty()).count() == 2
}
