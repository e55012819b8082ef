//! Reads and writes pairings as tables: CSV with any separator, Markdown, or text copied from a page (docs/pairings.md).
//!
//! [`header`] finds out what each column holds; of a table without a header, [`plain`].

mod header;
mod plain;

use csv::{ReaderBuilder, StringRecord, WriterBuilder};
use notation::pgn::Outcome;

use super::model::{
    Bye, ByeKind, MAX_ENTRIES, MAX_ROUND, MAX_SERIAL, MAX_TABLE, MAX_TIE_BREAK, MAX_TIE_BREAKS, Pairing, Pairings,
    Place, Standings,
};
use super::player::{self, Player, folded};
use super::problem::{FileProblem, Problem};
use super::score::Score;
pub(crate) use header::{Column, Fact, Side};
use header::{guess, names_a_colour, names_a_game, round_of_title};

/// Separators of cells, the least ambiguous first: names contain commas.
const SEPARATORS: [char; 4] = ['\t', ';', RULED, ','];

/// The separator of tables in Markdown and in plain text, which have lines of dashes between their rows.
const RULED: char = '|';

/// Maximum number of columns.
const MAX_COLUMNS: usize = 200;

/// The most letters that a sentence shows of a cell.
const MAX_SHOWN: usize = 40;

/// Rows at the top of a file that may hold the header.
const HEADER_ROWS: usize = 40;

/// How a table is read; [`layout`] finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// What separates cells, one of [`SEPARATORS`].
    pub separator: char,
    /// What each column holds; none for columns that are not read.
    pub columns: Vec<Option<Column>>,
    /// The headings; empty when the table has no header.
    pub headings: Vec<String>,
}

/// The layout of a table by its header or, if no row is one, by the content of its columns; none when they leave a doubt.
pub(crate) fn layout(text: &str) -> Option<Layout> {
    let candidates = SEPARATORS.into_iter().filter_map(|separator| {
        let rows: Vec<_> = rows(text, separator).take(HEADER_ROWS * 2).filter_map(Result::ok).collect();
        rows.iter().take(HEADER_ROWS).enumerate().find_map(|(place, (_, row))| {
            let below: Vec<_> = rows.iter().skip(place + 1).map(|(_, row)| row).collect();
            let headings = row.iter().map(|heading| heading.trim().to_owned()).collect();
            Some(Layout { separator, columns: guess(row, &below)?, headings })
        })
    });
    let known = |layout: &Layout| layout.columns.iter().flatten().count();
    candidates
        .reduce(|best, other| if known(&other) > known(&best) { other } else { best })
        .or_else(|| plain_layout(text))
}

/// The layout of a table without a header. Without one a comma in a name cannot be told from one between cells.
fn plain_layout(text: &str) -> Option<Layout> {
    SEPARATORS.into_iter().filter(|separator| *separator != ',').find_map(|separator| {
        let rows: Result<Vec<_>, _> = rows(text, separator).map(|row| row.map(|(_, row)| row)).collect();
        Some(Layout { separator, columns: plain::guess(&rows.ok()?)?, headings: Vec::new() })
    })
}

/// The first line of pairings of teams that do not say who has White: «1.2» is the second board of the first match, and its two
/// names are those of the teams' players.
pub(crate) fn board_of_teams(text: &str) -> Option<usize> {
    let is_board = |cell: &str| {
        let numbers = cell.split_once('.').map(|(one, other)| (player::digits(one), player::digits(other)));
        matches!(numbers, Some((Some(1..), Some(1..))))
    };
    let is_name = |cell: &&str| cell.chars().filter(|letter| letter.is_alphabetic()).count() > 2;
    SEPARATORS.into_iter().filter(|separator| *separator != ',').find_map(|separator| {
        let row = rows(text, separator).filter_map(Result::ok).find(|(_, row)| {
            let mut filled = row.iter().map(str::trim).filter(|cell| !cell.is_empty());
            filled.next().is_some_and(is_board) && filled.filter(is_name).count() >= 2
        });
        row.map(|(line, _)| line)
    })
}

/// Reads a table; its games are of round `unnamed` where it names none. With columns for both players each row is a pairing, with
/// one for a name the table is a list of players. Rows of another kind (titles, «Round 3», a repeated header) are skipped; a title
/// that names a round applies to the rows below it.
///
/// # Errors
/// The place of the first cell whose content does not fit its column.
pub(crate) fn read(text: &str, layout: &Layout, unnamed: u32) -> Result<Pairings, Problem> {
    let sides = layout.has(Side::Black, Fact::Name);
    let mut table = Table { layout, pairings: Pairings::default(), round: None, team: None, unnamed, sides };
    table.pairings.standings = layout.standings();
    let mut count = 0;
    for row in rows(text, layout.separator) {
        let (line, row) = row?;
        if row.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if row.iter().filter(|cell| !cell.trim().is_empty()).count() <= 2
            && let Some((title, round)) = row.iter().find_map(|cell| Some((cell, round_of_title(cell)?)))
        {
            table.round = Some(round);
            if names_a_game(title, round) {
                let text = shown(title.trim());
                table.pairings.warnings.push(Problem::at(line, 1, FileProblem::GameOfARound { text, round }));
            }
        } else if let Some(team) = team_of_title(&row).filter(|_| !sides) {
            table.team = Some(team);
        } else if guess(&row, &[]).is_none() {
            count += usize::from(table.row(line, &row)?);
        }
        if count > MAX_ENTRIES {
            return Err(Problem::at(line, 1, FileProblem::ManyRows { most: MAX_ENTRIES }));
        }
    }
    let mut pairings = table.pairings;
    if let Some(standings) = &mut pairings.standings {
        standings.after_round = table.round;
    }
    if count == 0 {
        return Err(Problem::at(1, 1, FileProblem::NoRows));
    }
    if layout.headings.is_empty() {
        pairings.warnings.push(Problem::of(if table.sides {
            FileProblem::PairingsWithoutHeader
        } else {
            FileProblem::PlayersWithoutHeader
        }));
    } else if table.sides && !layout.heading_of(Side::White, Fact::Name).is_some_and(names_a_colour) {
        pairings.warnings.push(Problem::of(FileProblem::ColoursNotNamed));
    }
    if table.sides && table.round.is_none() && !layout.has(Side::Both, Fact::Round) {
        pairings.round_not_named = true;
        pairings.warnings.push(Problem::of(FileProblem::RoundNotNamed));
    }
    for round in &mut pairings.rounds {
        round.sort();
    }
    Ok(pairings)
}

/// The rows of a text with their lines.
fn rows(text: &str, separator: char) -> impl Iterator<Item = Result<(usize, StringRecord), Problem>> {
    let reader = ReaderBuilder::new()
        .delimiter(u8::try_from(separator).unwrap_or(b','))
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let is_row = move |row: &csv::Result<StringRecord>| !(separator == RULED && row.as_ref().is_ok_and(is_rule));
    reader.into_records().filter(is_row).map(|row| {
        let wrong = |line, reason| Err(Problem::at(line, 1, reason));
        let Ok(row) = row else { return wrong(1, FileProblem::NotATable) };
        let line = row.position().map_or(1, |place| place.line() as usize);
        if row.len() > MAX_COLUMNS {
            return wrong(line, FileProblem::ManyCells);
        }
        if row.iter().any(|cell| cell.matches('\n').count() > 1) {
            return wrong(line, FileProblem::OpenQuote);
        }
        Ok((line, row))
    })
}

/// Whether a row is a line between rows: «|---|:---:|» or «+---+-----+».
fn is_rule(row: &StringRecord) -> bool {
    let is_line = |cell: &str| !cell.is_empty() && cell.bytes().all(|letter| b"-=+:".contains(&letter));
    let mut filled = row.iter().map(str::trim).filter(|cell| !cell.is_empty()).peekable();
    filled.peek().is_some() && filled.all(is_line)
}

impl Layout {
    /// The columns of tie-breaks.
    fn tie_breaks(&self) -> impl Iterator<Item = usize> {
        let columns = self.columns.iter().enumerate();
        let is_tie_break = |column: &Option<Column>| matches!(column, Some(Column { fact: Fact::TieBreak(_), .. }));
        columns.filter(move |(_, column)| is_tie_break(column)).map(|(place, _)| place).take(MAX_TIE_BREAKS)
    }

    /// Empty standings when the table has some: tie-breaks, or ranks and points. Ranks alone are those of a starting list.
    fn standings(&self) -> Option<Standings> {
        let tie_breaks: Vec<_> =
            self.tie_breaks().filter_map(|place| self.headings.get(place)).map(|name| short(name)).collect();
        let ranked = self.has(Side::White, Fact::Rank) && self.has(Side::White, Fact::Points);
        let is_list = !self.has(Side::Black, Fact::Name) && self.has(Side::White, Fact::Name);
        (is_list && (ranked || !tie_breaks.is_empty())).then(|| Standings { tie_breaks, ..Standings::default() })
    }

    fn has(&self, side: Side, fact: Fact) -> bool {
        self.place_of(side, fact).is_some()
    }

    /// The content of a cell that is not empty, with its column from 1.
    fn cell<'a>(&self, row: &'a StringRecord, side: Side, fact: Fact) -> Option<(usize, &'a str)> {
        let place = self.place_of(side, fact)?;
        let text = row.get(place).unwrap_or_default().trim();
        (!text.is_empty()).then_some((place + 1, text))
    }

    fn place_of(&self, side: Side, fact: Fact) -> Option<usize> {
        self.columns.iter().position(|column| *column == Some(Column { side, fact }))
    }

    fn heading_of(&self, side: Side, fact: Fact) -> Option<&str> {
        self.headings.get(self.place_of(side, fact)?).map(String::as_str)
    }
}

/// A table during reading.
struct Table<'a> {
    layout: &'a Layout,
    pairings: Pairings,
    /// The round that the last title named.
    round: Option<u32>,
    /// The team that the last title named.
    team: Option<String>,
    /// The round where neither a title nor a cell names one.
    unnamed: u32,
    /// Whether rows are pairings; otherwise they are players.
    sides: bool,
}

impl Table<'_> {
    /// Enters a player into the standings, if the table has some.
    fn place(&mut self, rank: Option<u32>, player: &Player, row: &StringRecord) {
        let Some(standings) = &mut self.pairings.standings else { return };
        let (places, last) = (standings.places.len(), standings.places.last());
        // Of players with the same rank only the first has it in some tables.
        let rank = match rank {
            Some(rank) => rank,
            None if self.layout.has(Side::White, Fact::Rank) => last.map_or(1, |last| last.rank),
            None => places as u32 + 1,
        };
        let value = |place| short(row.get(place).unwrap_or_default().trim());
        let tie_breaks = self.layout.tie_breaks().map(value).collect();
        standings.places.push(Place { player: player.clone(), rank, tie_breaks });
    }

    /// Refuses a name that is too long, with its place.
    fn check_names(&self, line: usize, row: &StringRecord) -> Result<(), Problem> {
        for side in [Side::White, Side::Black] {
            let cells = [Fact::Name, Fact::Team].map(|fact| self.layout.cell(row, side, fact));
            let long = cells.into_iter().flatten().find(|(_, text)| !player::fits(&player::name(text)));
            if let Some((column, text)) = long {
                let reason = FileProblem::LongName { text: shown(text), most: player::MAX_NAME };
                return Err(Problem::at(line, column, reason));
            }
        }
        Ok(())
    }

    /// Reads a row; gives back whether it was a pairing, a bye or a player.
    fn row(&mut self, line: usize, row: &StringRecord) -> Result<bool, Problem> {
        let cell = |side, fact| self.layout.cell(row, side, fact);
        let number = |side, fact, most: u32, wrong: fn(String, u32) -> FileProblem| {
            let Some((column, text)) = cell(side, fact) else { return Ok(None) };
            player::digits(text.trim_end_matches('.'))
                .filter(|number| (1..=most).contains(number))
                .map(Some)
                .ok_or_else(|| Problem::at(line, column, wrong(text.to_owned(), most)))
        };
        let table_number =
            || number(Side::Both, Fact::Table, MAX_TABLE, |text, most| FileProblem::NotATableNumber { text, most });
        let person = |side| {
            let text = |fact| cell(side, fact).map_or("", |(_, text)| without_guard(text));
            let name = text(Fact::Name);
            let (glued, name) = player::titled_name(name);
            Player {
                number: player::digits(text(Fact::Number).trim_end_matches('.')).filter(|number| *number > 0),
                title: player::title(text(Fact::Title)).or(glued),
                rating: player::rating(text(Fact::Rating)),
                federation: player::federation(text(Fact::Federation)),
                fide_id: player::fide_id(text(Fact::FideId)),
                team: Some(player::name(text(Fact::Team))).filter(|team| !player::is_nobody(team)),
                points: player::points(text(Fact::Points)),
                ..Player::named(name)
            }
        };
        let serial = match cell(Side::Both, Fact::Serial) {
            Some((column, text)) if !player::is_nobody(text) => Some(
                serial(without_guard(text))
                    .ok_or_else(|| Problem::at(line, column, FileProblem::NotASerial { text: text.to_owned() }))?,
            ),
            _ => None,
        };
        if !self.sides && !self.layout.columns.iter().flatten().any(|column| column.fact == Fact::Name) {
            let table = table_number()?;
            let board = table.zip(serial);
            let named = board.is_some();
            self.pairings.boards.extend(board);
            return Ok(named);
        }
        let mut white = person(Side::White);
        if !self.sides {
            white.team = white.team.or_else(|| self.team.clone());
            // A note below the table, or a player without a name.
            if player::is_nobody(&white.name) || player::is_bye(&white.name) {
                return Ok(false);
            }
            self.check_names(line, row)?;
            let not_a_rank = |text, most| FileProblem::NotARank { text, most };
            let rank = number(Side::White, Fact::Rank, MAX_ENTRIES as u32, not_a_rank)?;
            self.place(rank, &white, row);
            self.pairings.players.push(white);
            return Ok(true);
        }
        let black = person(Side::Black);
        let filled = |player: &Player| !player::is_nobody(&player.name);
        if !filled(&white) && !filled(&black) {
            return Ok(false);
        }
        let round = number(Side::Both, Fact::Round, MAX_ROUND, not_a_round)?.or(self.round).unwrap_or(self.unnamed);
        let score = match cell(Side::Both, Fact::Result) {
            Some((column, text)) if !matches!(text, "*" | "-" | ":" | "?" | "?-?" | "? - ?" | "vs" | "- -") => {
                Some((column, text))
            }
            _ => None,
        };
        let bye = match (player::is_bye(&white.name), player::is_bye(&black.name)) {
            (false, true) => Some(&white),
            (true, false) => Some(&black),
            (true, true) => return Ok(false),
            (false, false) => None,
        };
        if let Some(player) = bye {
            self.check_names(line, row)?;
            let bye = Bye { player: player.clone(), kind: bye_kind(score.map_or("", |(_, text)| text)) };
            self.pairings.round_mut(round).byes.push(bye);
            return Ok(true);
        }
        let next = self.pairings.round_mut(round).games.last().map_or(1, |game| game.table + 1);
        let table = table_number()?.unwrap_or(next);
        self.pairings.boards.extend(serial.map(|serial| (table, serial)));
        if !filled(&white) || !filled(&black) {
            self.pairings.warnings.push(Problem::at(line, 1, FileProblem::RowWithoutPlayer { round, table }));
            return Ok(true);
        }
        self.check_names(line, row)?;
        let unknown = score.filter(|(_, text)| result(text).is_none());
        self.pairings.warnings.extend(
            unknown.map(|(column, text)| Problem::at(line, column, FileProblem::NotAResult { text: shown(text) })),
        );
        let score = score.and_then(|(_, text)| result(text));
        self.pairings.round_mut(round).games.push(Pairing { table, white, black, score, ..Pairing::default() });
        Ok(true)
    }
}

/// What is wrong with a cell that should be the number of a round.
fn not_a_round(text: String, most: u32) -> FileProblem {
    let first = text.split(|letter: char| !letter.is_ascii_digit()).find(|part| !part.is_empty());
    match first.and_then(player::digits) {
        Some(round) if names_a_game(&text, round) => FileProblem::CellOfAGame { text, most },
        _ => FileProblem::NotARound { text, most },
    }
}

/// The team of a title above its players, as pages of chess-results have it: «1. Harbour (RtgAvg:2300, Captain: …)».
fn team_of_title(row: &StringRecord) -> Option<String> {
    let mut filled = row.iter().map(str::trim).filter(|cell| !cell.is_empty());
    let (text, None) = (filled.next()?, filled.next()) else { return None };
    let (number, rest) = text.split_once(". ")?;
    player::digits(number)?;
    let facts = rest.strip_suffix(')')?;
    let (end, _) =
        facts.match_indices(" (").find(|(place, _)| facts.get(*place..).is_some_and(|it| it.contains(':')))?;
    let team = player::name(rest.get(..end)?);
    (!player::is_nobody(&team)).then_some(team)
}

/// Words for a draw, as [`folded`] writes them.
const DRAWS: [&str; 14] = [
    "draw",
    "drawn",
    "remis",
    "remise",
    "unentschieden",
    "nulle",
    "tablas",
    "empate",
    "patta",
    "pareggio",
    "remiza",
    "dontetlen",
    "berabere",
    "nich ia",
];

/// Reads a result in figures, or a draw in words. «½ - ½K» is a draw without a game, as Swiss-Manager writes it.
pub(super) fn result(text: &str) -> Option<Score> {
    Score::parse(text).or_else(|| {
        let figures = text.trim_end_matches(['K', 'k']);
        let without_game = || Score::parse(figures).filter(|score| score.outcome() == Outcome::Draw);
        if matches!(text, "+/-" | "-/+" | "-/-") {
            return Score::parse(&text.replace('/', ":"));
        }
        without_game().or_else(|| DRAWS.contains(&folded(text).as_str()).then(|| Score::of_outcome(Outcome::Draw))?)
    })
}

/// The beginning of a cell, for a sentence about it.
fn shown(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(MAX_SHOWN).collect()
}

/// Name or value of a tie-break.
fn short(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(MAX_TIE_BREAK).collect()
}

/// A serial number as boards send it. Tables of spreadsheets lose the zeros before a number.
fn serial(text: &str) -> Option<String> {
    let sound = text.len() <= MAX_SERIAL
        && text.bytes().all(|byte| byte.is_ascii_graphic())
        && text.bytes().any(|byte| byte.is_ascii_digit());
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    sound.then(|| if digits { format!("{text:0>5}") } else { text.to_owned() })
}

/// The kind of a bye by its result; a pairing bye when there is no result.
fn bye_kind(result: &str) -> ByeKind {
    match folded(result).as_str() {
        "0" | "0 0" => ByeKind::Zero,
        "1 2" | "1 2 0" | "0 5" => ByeKind::Half,
        _ => ByeKind::Pairing,
    }
}

/// With one of these a cell is a formula for a spreadsheet.
const FORMULA: [char; 4] = ['=', '+', '-', '@'];

/// The text of a cell that no spreadsheet takes for a formula: an apostrophe before it makes it a text there.
fn guarded(text: &str) -> String {
    if is_guardable(text) { format!("'{text}") } else { text.to_owned() }
}

/// A text without the apostrophe of [`guarded`].
fn without_guard(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| is_guardable(rest)).unwrap_or(text)
}

/// Whether a text begins like a formula, perhaps after apostrophes of its own.
fn is_guardable(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(FORMULA)
}

/// Writes rounds and results as a comma-separated table that [`read`] reads back. No text in it is a formula.
pub(crate) fn write(pairings: &Pairings) -> String {
    const HEADER: [&str; 16] = [
        "Round",
        "Table",
        "White No",
        "White Title",
        "White",
        "White Rating",
        "White Fed",
        "White FideId",
        "White Team",
        "Result",
        "Black No",
        "Black Title",
        "Black",
        "Black Rating",
        "Black Fed",
        "Black FideId",
    ];
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    // Writing into memory does not fail.
    let mut put = |cells: Vec<String>| _ = writer.write_record(cells);
    let serials = (!pairings.boards.is_empty()).then_some("Board Serial");
    put(HEADER.into_iter().chain(["Black Team"]).chain(serials).map(str::to_owned).collect());
    let serial_of = |table: u32| {
        let serial = pairings.boards.iter().find(|(own, _)| *own == table).map(|(_, serial)| guarded(serial));
        serials.map(|_| serial.unwrap_or_default())
    };
    let number = |value: Option<u32>| value.map(|value| value.to_string()).unwrap_or_default();
    let cells = |player: &Player| {
        let text = |value: &Option<String>| value.as_deref().map(guarded).unwrap_or_default();
        vec![
            number(player.number),
            player.title.unwrap_or_default().to_owned(),
            guarded(&player.name),
            number(player.rating),
            text(&player.federation),
            number(player.fide_id),
            text(&player.team),
        ]
    };
    for round in &pairings.rounds {
        for game in &round.games {
            let mut row = vec![round.number.to_string(), game.table.to_string()];
            row.extend(cells(&game.white));
            row.push(game.score.map(|score| score.to_string()).unwrap_or_default());
            row.extend(cells(&game.black));
            row.extend(serial_of(game.table));
            put(row);
        }
        for bye in &round.byes {
            let worth = match bye.kind {
                ByeKind::Pairing | ByeKind::Full => "1",
                ByeKind::Half => "1/2",
                ByeKind::Zero => "0",
            };
            let mut row = vec![round.number.to_string(), String::new()];
            row.extend(cells(&bye.player));
            row.push(worth.into());
            row.extend(cells(&Player::named("bye")));
            put(row);
        }
    }
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}
