//! A report as its lines: results are written into the columns of the players, so that pairing programs can load it again.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::encoding::Encoding;
use super::super::model::{ByeKind, Pairings, Place, Standings};
use super::super::player::{self, Player, points};
use super::super::score::Score;
use super::record::{Cell, FIRST_ROUND, Record, columns, written};
use super::rounds::worth;

/// The lines of a report, with birth dates and sex blanked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    encoding: Encoding,
    line_end: LineEnd,
    lines: Vec<Vec<char>>,
    /// Starting number to the index of the player's line.
    players: BTreeMap<u32, usize>,
    /// Whether a win gives other points than 1: the points in the lines then stay as they are.
    pub(super) own_scoring: bool,
    /// Whether the lines of the players have no names, see [`Document::frame`].
    is_frame: bool,
}

/// Places of a line with the facts of a person: sex, title, name, rating, federation, FIDE id, birth date.
const PERSON: Range<usize> = 9..79;

/// Places of the rank.
const RANK: Range<usize> = 85..89;

/// How the lines of a report end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEnd {
    LineFeed,
    CarriageReturn,
    Both,
}

impl LineEnd {
    /// That of the first line.
    pub(super) fn of(text: &str) -> Self {
        match text.find(['\r', '\n']).and_then(|place| text.get(place..)) {
            Some(end) if end.starts_with("\r\n") => Self::Both,
            Some(end) if end.starts_with('\r') => Self::CarriageReturn,
            _ => Self::LineFeed,
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::LineFeed => "\n",
            Self::CarriageReturn => "\r",
            Self::Both => "\r\n",
        }
    }
}

impl Document {
    pub(super) fn new(encoding: Encoding, line_end: LineEnd) -> Self {
        Self { encoding, line_end, lines: Vec::new(), players: BTreeMap::new(), own_scoring: false, is_frame: false }
    }

    /// A new report with the players that have a starting number.
    pub(crate) fn of(pairings: &Pairings) -> Self {
        let mut document = Self::new(Encoding::UTF8, LineEnd::LineFeed);
        let event = &pairings.event;
        let control = (!event.time_control.is_unknown()).then(|| event.time_control.to_string());
        let slashed = |day: &Option<String>| day.as_ref().map(|day| day.replace('.', "/"));
        for (code, value) in [
            ("012", event.name.clone()),
            ("022", event.site.clone()),
            ("042", slashed(&event.first_day)),
            ("052", slashed(&event.last_day)),
            ("062", Some(pairings.players.len().to_string())),
            ("222", control),
        ] {
            if let Some(value) = value {
                document.push(&format!("{code} {value}"), None);
            }
        }
        for player in pairings.players.iter().filter(|player| player.number.is_some()) {
            // The results are counted when they are entered.
            let points = player.points.filter(|_| pairings.rounds.is_empty());
            let record = Record { line: 0, player: Player { points, ..player.clone() }, cells: Vec::new() };
            document.push(&written(&record), player.number);
        }
        document
    }

    /// The lines without persons, to be stored: in the lines of the players everything from sex to birth date is blank, and
    /// other lines that name a player are left out. [`Document::of_frame`] reads it, [`Document::fill`] enters the players.
    pub fn frame(&self) -> String {
        let players: BTreeMap<usize, u32> = self.players.iter().map(|(number, place)| (*place, *number)).collect();
        let names: Vec<String> =
            players.keys().filter_map(|place| self.lines.get(*place)).map(|line| columns(line, 15, 47)).collect();
        let mut text = String::new();
        for (place, line) in self.lines.iter().enumerate() {
            let line: String = if players.contains_key(&place) {
                line.iter().enumerate().map(|(at, letter)| if PERSON.contains(&at) { ' ' } else { *letter }).collect()
            } else {
                line.iter().collect()
            };
            let names_a_player = names.iter().any(|name| !name.is_empty() && line.contains(name.as_str()));
            if !names_a_player {
                text.push_str(line.trim_end());
                text.push_str(self.line_end.as_str());
            }
        }
        text
    }

    /// A report from its lines without persons; `encoding` is the name of the encoding that it had, if it was not UTF-8.
    pub fn of_frame(text: &str, encoding: Option<&str>) -> Self {
        let encoding = encoding.map_or(Encoding::UTF8, Encoding::of_name);
        let mut document = Self { is_frame: true, ..Self::new(encoding, LineEnd::of(text)) };
        for line in text.replace("\r\n", "\n").replace('\r', "\n").lines() {
            let letters: Vec<char> = line.chars().collect();
            let code = columns(&letters, 1, 3);
            document.own_scoring |= matches!(code.as_str(), "162" | "XXS");
            document.push(line, player::digits(&columns(&letters, 5, 8)).filter(|_| code == "001"));
        }
        document
    }

    /// Enters the players into lines without persons: a new player gets a new line, the line of a player who is not in the
    /// list goes.
    pub(crate) fn fill(&mut self, players: &[Player]) {
        if !self.is_frame {
            return;
        }
        let lines = std::mem::take(&mut self.lines);
        let places: BTreeMap<usize, u32> =
            std::mem::take(&mut self.players).into_iter().map(|(number, place)| (place, number)).collect();
        let last = places.keys().next_back().copied();
        let mut missing: BTreeMap<u32, &Player> =
            players.iter().filter_map(|player| Some((player.number?, player))).collect();
        let line_of = |player: &Player| {
            let player = Player { points: None, ..player.clone() };
            written(&Record { line: 0, player, cells: Vec::new() })
        };
        for (place, mut line) in lines.into_iter().enumerate() {
            match places.get(&place) {
                None => self.lines.push(line),
                Some(number) => {
                    if let Some(player) = missing.remove(number) {
                        line.resize(line.len().max(PERSON.end), ' ');
                        for (at, letter) in line_of(player).chars().enumerate().filter(|(at, _)| PERSON.contains(at)) {
                            if let Some(cell) = line.get_mut(at) {
                                *cell = letter;
                            }
                        }
                        self.push(&line.iter().collect::<String>(), Some(*number));
                    }
                }
            }
            if Some(place) == last {
                for (number, player) in std::mem::take(&mut missing) {
                    self.push(&line_of(player), Some(number));
                }
            }
        }
    }

    /// The ranks of the report, if it has one for each player and they follow the points: programs that know no standings write
    /// starting numbers there, or nothing. A report has no values of tie-breaks.
    pub(super) fn standings(&self, players: &[Player]) -> Option<Standings> {
        let place = |player: &Player| {
            let line = self.lines.get(*self.players.get(&player.number?)?)?;
            let rank = player::digits(&columns(line, RANK.start + 1, RANK.end)).filter(|rank| *rank > 0)?;
            Some(Place { player: player.clone(), rank, tie_breaks: Vec::new() })
        };
        let mut places = players.iter().map(place).collect::<Option<Vec<_>>>()?;
        places.sort_by_key(|place| place.rank);
        let falling = places.is_sorted_by_key(|place| std::cmp::Reverse(place.player.points));
        let played = places.first().is_some_and(|first| first.player.points.is_some_and(|points| points > 0));
        (falling && played).then(|| Standings { places, ..Standings::default() })
    }

    /// Enters the rank by points and starting number where none is written: pairing programs refuse a line without it.
    pub(crate) fn rank(&mut self) {
        let mut order: Vec<(u32, u32)> = Vec::new();
        for (number, place) in &self.players {
            let points = self.lines.get(*place).and_then(|line| points(&columns(line, 81, 84)));
            order.push((points.unwrap_or(0), *number));
        }
        order.sort_by_key(|(points, number)| (std::cmp::Reverse(*points), *number));
        for (rank, (_, number)) in (1..).zip(order) {
            let Some(line) = self.players.get(&number).and_then(|place| self.lines.get_mut(*place)) else { continue };
            line.resize(line.len().max(RANK.end), ' ');
            if !columns(line, RANK.start + 1, RANK.end).is_empty() {
                continue;
            }
            for (cell, letter) in line.iter_mut().skip(RANK.start).zip(format!("{rank:>4}").chars()) {
                *cell = letter;
            }
        }
    }

    pub(super) fn push(&mut self, line: &str, player: Option<u32>) {
        if let Some(number) = player {
            self.players.insert(number, self.lines.len());
        }
        self.lines.push(line.chars().collect());
    }

    /// Writes games, results and byes into the lines of the players. Players without a line or a starting number are skipped.
    pub(crate) fn enter(&mut self, pairings: &Pairings) {
        for round in &pairings.rounds {
            for game in &round.games {
                let (Some(white), Some(black)) = (game.white.number, game.black.number) else { continue };
                let signs = game.score.map(Score::trf);
                let (own, others) = signs.map_or((None, None), |(own, others)| (Some(own), Some(others)));
                self.set(
                    round.number,
                    &game.white,
                    Cell { opponent: Some(black), white: Some(true), sign: own, column: 0 },
                );
                let cell = Cell { opponent: Some(white), white: Some(false), sign: others, column: 0 };
                self.set(round.number, &game.black, cell);
            }
            for bye in &round.byes {
                let sign = match bye.kind {
                    ByeKind::Pairing => 'U',
                    ByeKind::Full => 'F',
                    ByeKind::Half => 'H',
                    ByeKind::Zero => 'Z',
                };
                self.set(round.number, &bye.player, Cell { sign: Some(sign), ..Cell::default() });
            }
        }
    }

    fn set(&mut self, round: u32, player: &Player, cell: Cell) {
        let own_scoring = self.own_scoring;
        let line =
            player.number.and_then(|number| self.players.get(&number)).and_then(|place| self.lines.get_mut(*place));
        let Some(line) = line else { return };
        let column = FIRST_ROUND + 10 * (round as usize - 1);
        if line.len() < column + 7 {
            line.resize(column + 7, ' ');
        }
        // A bye against a placeholder that is listed as a player stays as the program wrote it.
        if cell.opponent.is_none() && player::digits(&columns(line, column, column + 3)).is_some_and(|other| other > 0)
        {
            return;
        }
        let before = line.get(column + 6).filter(|sign| !sign.is_whitespace()).copied();
        let colour = match cell.white {
            Some(true) => 'w',
            Some(false) => 'b',
            None => '-',
        };
        // An unknown result does not remove a known one; an equal one stays as it is written, also a bye with the sign of a game.
        let bye = |before: char| cell.opponent.is_none() && "10=+-WDL".contains(before.to_ascii_uppercase());
        let same = |before: char, sign: char| {
            before.eq_ignore_ascii_case(&sign) || bye(before) && worth(before.to_ascii_uppercase()) == worth(sign)
        };
        let sign = cell.sign.filter(|&sign| before.is_none_or(|before| !same(before, sign)));
        let shown = sign.or(before).unwrap_or(' ');
        // A forfeit without colours stays without colours.
        let forfeit = before.is_some() && line.get(column + 4).is_some_and(|colour| *colour == '-');
        let colour = if forfeit { '-' } else { colour };
        let text = format!("{:04} {colour} {shown}", cell.opponent.unwrap_or(0));
        for (place, letter) in line.iter_mut().skip(column - 1).zip(text.chars()) {
            *place = letter;
        }
        if let Some(sign) = sign.filter(|_| !own_scoring) {
            let earned = before.map_or(0, |before| worth(before.to_ascii_uppercase()));
            if let Some(counted) = points(&columns(line, 81, 84)) {
                let counted = (counted + worth(sign)).saturating_sub(earned);
                let text = format!("{:>4}", format!("{}.{}", counted / 10, counted % 10));
                for (place, letter) in line.iter_mut().skip(80).zip(text.chars()) {
                    *place = letter;
                }
            }
        }
    }

    /// The report as text with its own line ends.
    pub(crate) fn write(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            text.push_str(line.iter().collect::<String>().trim_end());
            text.push_str(self.line_end.as_str());
        }
        text
    }

    /// Its encoding.
    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding
    }
}
