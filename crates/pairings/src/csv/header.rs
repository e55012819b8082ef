//! Finds what the columns of a table hold from its header, and from the cells below where a word has two meanings.
//!
//! [`words`] knows what a heading means in the languages of chess clubs.

mod words;

use csv::StringRecord;

use super::super::player;
use words::{Heading, NAME_OF_BLACK, NAME_OF_WHITE, heading};
pub(super) use words::{names_a_game, round_of_title};

/// The player, or the game, that a column describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// White; in a list of players, the player.
    White,
    /// Black.
    Black,
    /// The game.
    Both,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// The round's number.
    Round,
    /// The table's number.
    Table,
    /// The starting number.
    Number,
    /// The title.
    Title,
    /// The name.
    Name,
    /// The rating.
    Rating,
    /// The federation's code.
    Federation,
    /// The FIDE id.
    FideId,
    /// The team.
    Team,
    /// Points before the round.
    Points,
    /// The result.
    Result,
    /// The serial number of the electronic board at the table.
    Serial,
    /// The rank in standings.
    Rank,
    /// A tie-break of standings, by its column from 0.
    TieBreak(usize),
}

/// The meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    /// The player, or the game.
    pub side: Side,
    /// What it holds.
    pub fact: Fact,
}

/// Whether a heading says which player it is about.
pub(super) fn names_a_colour(text: &str) -> bool {
    heading(text).is_some_and(|heading| heading.side.is_some())
}

/// What each column holds when a row is a header: it has a column of names and at least one other, or tables and the serial
/// numbers of their boards. A column without a
/// heading whose cells are titles, also national ones, holds titles.
pub(super) fn guess(row: &StringRecord, below: &[&StringRecord]) -> Option<Vec<Option<Column>>> {
    let headings: Vec<_> = row
        .iter()
        .enumerate()
        .map(|(place, text)| {
            let heading = heading(text).or_else(|| titles(place, text, below))?;
            // «Rank.» is Polish for a rating.
            let is_rating = heading.fact == Fact::Rank && rated(place, below);
            // «T.» is Hungarian for a table.
            let is_table = heading.fact == Fact::Title && numbers(place, below).next().is_some();
            let other = is_rating.then_some(Fact::Rating).or(is_table.then_some(Fact::Table));
            Some(Heading { fact: other.unwrap_or(heading.fact), ..heading })
        })
        .collect();
    let count = |wanted: Heading| headings.iter().filter(|heading| **heading == Some(wanted)).count();
    let count_of = |fact| count(Heading { side: None, fact });
    let names = count_of(Fact::Name);
    let (whites, blacks) = (count(NAME_OF_WHITE), count(NAME_OF_BLACK));
    let sides = whites == 1 && blacks == 1 || names == 2;
    let known = headings.iter().flatten().count();
    // A list of the boards in the hall names no player.
    let boards = names + whites + blacks == 0 && count_of(Fact::Serial) == 1 && count_of(Fact::Table) == 1;
    if !sides && !boards && names != 1 || known < 2 {
        return None;
    }
    let numbers = count_of(Fact::Number);
    let has_tables = count_of(Fact::Table) > 0;
    let mut seen = Vec::new();
    let is_name = |heading: &Option<Heading>| heading.is_some_and(|heading| heading.fact == Fact::Name);
    let name_of_black = |place: usize| {
        let first = headings.iter().position(is_name);
        let heading = headings.get(place).copied().flatten();
        heading == Some(NAME_OF_BLACK)
            || names == 2 && heading.is_some_and(|it| it.fact == Fact::Name) && first < Some(place)
    };
    let middle = (0..headings.len()).find(|place| name_of_black(*place));
    let columns = headings.iter().enumerate().map(|(place, heading)| {
        let Heading { side, fact } = (*heading)?;
        // Pairings have no standings.
        if (sides || boards) && matches!(fact, Fact::Rank | Fact::TieBreak(_)) {
            return None;
        }
        // «No.» alone numbers the tables; «#» in a list of players numbers the players.
        let fact = match fact {
            Fact::Number if sides && numbers == 1 && side.is_none() && !has_tables => Fact::Table,
            // Numbers that come again are the boards of teams.
            Fact::Table if !sides && !boards && numbers == 0 => {
                if repeats(place, below) {
                    return None;
                }
                Fact::Number
            }
            Fact::TieBreak(_) => Fact::TieBreak(place),
            fact => fact,
        };
        let both = matches!(fact, Fact::Round | Fact::Table | Fact::Result | Fact::Serial);
        let repeated = seen.contains(&fact);
        let twice = headings.iter().flatten().filter(|other| other.fact == fact && other.side.is_none()).count() > 1;
        let side = match side {
            _ if both => Side::Both,
            Some(side) => side,
            None if !sides || (twice && !repeated) => Side::White,
            None if twice => Side::Black,
            // A fact with one column belongs to White before the column of Black's name, and to Black after it. A title stands
            // before its name: a page on which no White has one has a single column of titles, directly before Black's name.
            None => {
                let before_black = fact == Fact::Title
                    && middle == Some(place + 1)
                    && !place.checked_sub(1).and_then(|place| headings.get(place)).is_some_and(is_name);
                if before_black || middle.is_some_and(|middle| place > middle) { Side::Black } else { Side::White }
            }
        };
        seen.push(fact);
        Some(Column { side, fact })
    });
    let mut columns: Vec<_> = columns.collect();
    // Of equal columns only the first is read.
    for place in 0..columns.len() {
        if columns.iter().take(place).any(|earlier| earlier.is_some() && *earlier == columns[place]) {
            columns[place] = None;
        }
    }
    Some(columns)
}

/// The numbers of a column.
fn numbers<'a>(place: usize, below: &'a [&StringRecord]) -> impl Iterator<Item = u32> + 'a {
    below.iter().filter_map(move |row| player::digits(row.get(place)?.trim().trim_end_matches('.')))
}

/// Whether the numbers of a column are ratings; 0 is none.
fn rated(place: usize, below: &[&StringRecord]) -> bool {
    let mut found = false;
    let all = numbers(place, below).filter(|number| *number > 0).all(|number| {
        found = true;
        (1000..=4000).contains(&number)
    });
    all && found
}

/// Whether a number of a column comes again.
fn repeats(place: usize, below: &[&StringRecord]) -> bool {
    let mut seen = Vec::new();
    numbers(place, below).any(|number| {
        let again = seen.contains(&number);
        seen.push(number);
        again
    })
}

fn titles(place: usize, text: &str, below: &[&StringRecord]) -> Option<Heading> {
    let mut cells = below.iter().filter_map(|row| row.get(place)).map(str::trim).filter(|cell| !cell.is_empty());
    // Pages show national titles («NM», «AFM») in the same column.
    let is_short = |cell: &str| (2..=4).contains(&cell.len()) && cell.bytes().all(|letter| letter.is_ascii_uppercase());
    let mut known = false;
    let found = text.trim().is_empty()
        && cells.all(|cell| {
            known |= is_short(cell) && player::title(cell).is_some();
            is_short(cell)
        })
        && known;
    found.then_some(Heading { side: None, fact: Fact::Title })
}
