//! Time controls as people write them: «90 min/40 moves + 30 min + 30 sec/move». What is not understood as a whole is not read.

use notation::time_control::{Period, TimeControl};

/// The longest increment in seconds; more seconds than that are no increment.
const LONGEST_INCREMENT_S: u32 = 5 * 60;

/// The longest text that is read, in letters.
const LONGEST: usize = 200;

/// What a piece of the text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Number(u32),
    /// A unit of time, in seconds.
    Unit(u32),
    Moves,
    /// `/` or `x`: a time for so many moves, or for each.
    For,
    /// `+`, which adds an increment or a period.
    Plus,
    /// `,` and words that lead to the next period.
    Then,
    After,
    From,
    /// For each move.
    Each,
}

/// Words that say nothing beside the numbers.
const NO_MEANING: &[&str] = &[
    "the",
    "for",
    "in",
    "game",
    "whole",
    "rest",
    "of",
    "remaining",
    "remainder",
    "to",
    "finish",
    "all",
    "with",
    "player",
    "g",
    "sd",
    "für",
    "den",
    "die",
    "der",
    "das",
    "partie",
    "ganze",
    "restliche",
    "zeit",
    "pour",
    "la",
    "le",
    "les",
    "de",
    "fin",
    "para",
    "el",
    "los",
    "las",
    "toda",
    "partida",
    "resto",
    "per",
    "il",
    "tutta",
    "partita",
    "zawodnika",
    "partię",
    "całą",
    "time",
    "base",
];

/// Words, with what they say.
const WORDS: &[(&[&str], Token)] = &[
    (
        &[
            "h", "hr", "hrs", "hour", "hours", "stunde", "stunden", "std", "heure", "heures", "hora", "horas", "ora",
            "ore", "godz",
        ],
        Token::Unit(3_600),
    ),
    (
        &[
            "min", "mins", "minute", "minutes", "minuten", "minuto", "minutos", "minuti", "minut", "minuty", "m", "'",
            "′", "’",
        ],
        Token::Unit(60),
    ),
    (
        &[
            "s", "sec", "secs", "second", "seconds", "sek", "sekunde", "sekunden", "seconde", "secondes", "seg",
            "segundo", "segundos", "secondi", "secondo", "sekund", "sekundy", "\"", "″", "”", "''",
        ],
        Token::Unit(1),
    ),
    (
        &[
            "move",
            "moves",
            "mv",
            "mvs",
            "mm",
            "zug",
            "züge",
            "zügen",
            "zuege",
            "coup",
            "coups",
            "jugada",
            "jugadas",
            "movimiento",
            "movimientos",
            "mossa",
            "mosse",
            "ruch",
            "ruchu",
            "ruchy",
            "ruchów",
            "posunięć",
            "posunięcie",
        ],
        Token::Moves,
    ),
    (&["/", "x", "×", "na"], Token::For),
    (&["+", "|", "plus", "and", "und", "et", "y", "e", "i", "oraz", "&"], Token::Plus),
    (&[",", ";", "then", "followed", "by", "dann", "danach", "puis", "luego", "poi", "potem"], Token::Then),
    (&["after", "nach", "après", "tras", "dopo", "po"], Token::After),
    (&["from", "starting", "ab", "dès", "desde", "dal", "dalla", "od", "beginning"], Token::From),
    (
        &[
            "each",
            "every",
            "a",
            "per",
            "increment",
            "inc",
            "increments",
            "bonus",
            "delay",
            "d",
            "zuschlag",
            "pro",
            "je",
            "par",
            "cada",
            "por",
            "ogni",
            "incremento",
            "incrément",
            "fischer",
        ],
        Token::Each,
    ),
];

/// The time control that a text describes in words; none where any part of it is not understood.
pub(crate) fn of_words(text: &str) -> Option<TimeControl> {
    let tokens = tokens(text)?;
    let mut said = Said::default();
    let mut joined = Token::Plus;
    for part in tokens.split_inclusive(|token| matches!(token, Token::Plus | Token::Then)) {
        let (next, part) = match part.split_last() {
            Some((&end @ (Token::Plus | Token::Then), part)) => (Some(end), part),
            _ => (None, part),
        };
        // «, then» leads once.
        if !part.is_empty() {
            said.part(part, joined)?;
        }
        joined = match (joined, next) {
            (Token::Then, Some(_)) if part.is_empty() => Token::Then,
            (_, Some(next)) => next,
            (joined, None) => joined,
        };
    }
    said.control()
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    if text.chars().count() > LONGEST {
        return None;
    }
    let text = text.to_lowercase();
    let mut tokens = Vec::new();
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let same: fn(char) -> bool = match first {
            '0'..='9' => |letter| letter.is_ascii_digit(),
            '\'' => |letter| letter == '\'',
            letter if letter.is_alphabetic() => char::is_alphabetic,
            _ => |_| false,
        };
        let end = rest.find(|letter| !same(letter)).unwrap_or(rest.len()).max(first.len_utf8());
        let (word, after) = rest.split_at(end);
        rest = after;
        if let Ok(number) = word.parse() {
            tokens.push(Token::Number(number));
        } else if let Some(&(_, token)) = WORDS.iter().find(|(words, _)| words.contains(&word)) {
            tokens.push(token);
        } else if !NO_MEANING.contains(&word) && !matches!(first, ' ' | '.' | '(' | ')' | '-') {
            return None;
        }
    }
    Some(tokens)
}

/// What was said so far.
#[derive(Default)]
struct Said {
    periods: Vec<(Option<u32>, u32)>,
    increment_s: Option<u32>,
    /// All numbers up to here have no unit.
    bare: bool,
}

impl Said {
    /// Takes a part between two joining words.
    fn part(&mut self, part: &[Token], joined: Token) -> Option<()> {
        use Token::{After, Each, For, From, Moves, Number, Unit};
        let first = self.periods.is_empty();
        let (mut seconds, mut least, mut moves, mut each) = (0_u32, u32::MAX, None, false);
        let (mut after, mut added) = (None, None);
        let mut rest = part;
        while !rest.is_empty() {
            let taken = match rest {
                // 40/90, in minutes if nothing else is said.
                [Number(count), For, Number(time), Unit(unit), ..] if moves.is_none() => {
                    (moves, seconds, least) = (Some(*count), time.checked_mul(*unit)?, *unit);
                    4
                }
                [Number(count), For, Number(time), ..] if moves.is_none() && !matches!(rest.get(3), Some(Moves)) => {
                    (moves, seconds, least) = (Some(*count), time.checked_mul(60)?, 60);
                    3
                }
                // «1 h 30 min»; «90 min 30 s» says too little.
                [Number(time), Unit(unit), ..] if least == u32::MAX || (least, *unit) == (3_600, 60) => {
                    seconds = seconds.checked_add(time.checked_mul(*unit)?)?;
                    least = *unit;
                    2
                }
                // «1h30».
                [Number(time), ..]
                    if least == 3_600 && *time < 60 && !matches!(rest.get(1), Some(Unit(_) | Moves | For)) =>
                {
                    (seconds, least) = (seconds.checked_add(time.checked_mul(60)?)?, 60);
                    1
                }
                // «inc 30», «inc/30» and «d5», in seconds.
                [Each, For, Number(time)] | [Each, Number(time)] if (1..=LONGEST_INCREMENT_S).contains(time) => {
                    added = Some(*time);
                    rest.len()
                }
                [After, Number(count), Moves, ..] | [After, Moves, Number(count), ..] if after.is_none() => {
                    after = Some(*count);
                    3
                }
                [From, Moves, Number(1), ..] => 3,
                [For, Number(count), Moves, ..] | [Number(count), Moves, For, ..] if moves.is_none() => {
                    moves = Some(*count);
                    3
                }
                [For | Each, Moves, ..] => {
                    each = true;
                    2
                }
                [Each, ..] => {
                    each = true;
                    1
                }
                // «G/60».
                [For, Number(_), ..] if rest.len() == part.len() => 1,
                [Number(count), Moves, ..] if moves.is_none() => {
                    moves = Some(*count);
                    2
                }
                [For, Number(count)] if moves.is_none() && seconds > 0 => {
                    moves = Some(*count);
                    2
                }
                [Number(time)] | [Number(time), Each, ..] if seconds == 0 && moves.is_none() => {
                    // «90 + 30» are minutes and seconds, «40/120, 60» are minutes.
                    let increment = joined == Token::Plus && !first && self.bare && self.periods.len() == 1;
                    if !(first || increment || joined == Token::Then) {
                        return None;
                    }
                    (seconds, least) = if increment { (*time, 1) } else { (time.checked_mul(60)?, 60) };
                    self.bare = first;
                    1
                }
                _ => return None,
            };
            rest = rest.get(taken..)?;
        }
        if added.is_some() && self.increment_s.is_none() && (seconds > 0 || !first) {
            self.increment_s = added;
            if seconds == 0 {
                return (moves.is_none() && after.is_none()).then_some(());
            }
        } else if added.is_some() {
            return None;
        }
        if seconds == 0 || moves == Some(0) {
            return None;
        }
        if each || least == 1 && seconds <= LONGEST_INCREMENT_S && moves.is_none() && !first {
            let free = self.increment_s.is_none() && !first && moves.is_none() && after.is_none();
            self.increment_s = (free && seconds <= LONGEST_INCREMENT_S).then_some(seconds);
            return self.increment_s.map(|_| ());
        }
        if let Some(count) = after {
            let (known, _) = self.periods.last_mut()?;
            if known.is_some_and(|known| known != count) {
                return None;
            }
            *known = Some(count);
        }
        self.periods.push((moves, seconds));
        Some(())
    }

    fn control(self) -> Option<TimeControl> {
        let (_, before) = self.periods.split_last()?;
        let increment_s = self.increment_s.unwrap_or(0);
        let whole = before.iter().all(|(moves, _)| moves.is_some());
        let period = |&(moves, seconds): &(Option<u32>, u32)| Period { moves, seconds, increment_s };
        whole.then(|| TimeControl::Periods(self.periods.iter().map(period).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_arbiters_write_is_read() {
        for (text, control) in [
            ("90 min/40 moves + 30 min + 30 sec/move", "40/5400+30:1800+30"),
            ("90 minutes plus 30 sec plus 30 min after 40 moves", "40/5400+30:1800+30"),
            ("100'x40mm + 50'x20mm + 15' + 30\" from move 1", "40/6000+30:20/3000+30:900+30"),
            ("90 min + 30 sec increment", "5400+30"),
            ("90 minutes plus 30 sec per move", "5400+30"),
            ("90 minutes for the game and 30 seconds a move", "5400+30"),
            ("90 minutes for 40 moves, then 30 minutes, with 30 seconds increment from move 1", "40/5400+30:1800+30"),
            ("40 moves in 2 hours, then 1 hour for the rest of the game", "40/7200:3600"),
            ("1 h 30 min + 30 s", "5400+30"),
            ("40/120, 60", "40/7200:3600"),
            ("90 + 30", "5400+30"),
            ("15 min + 10 sec", "900+10"),
            ("10'+5''", "600+5"),
            ("25 Minuten + 10 Sekunden pro Zug", "1500+10"),
            ("90 Min. für 40 Züge + 30 Min. + 30 Sek. je Zug ab Zug 1", "40/5400+30:1800+30"),
            ("90 minutes + 30 secondes par coup", "5400+30"),
            ("90 minutos + 30 segundos por jugada", "5400+30"),
            ("90 minuti + 30 secondi per mossa", "5400+30"),
            ("90 minut na 40 ruchów, potem 30 minut i 30 sekund na ruch", "40/5400+30:1800+30"),
            ("90 minut i 30 sekund na ruch", "5400+30"),
            ("G/60", "3600"),
            ("SD/60", "3600"),
            ("G/60;d5", "3600+5"),
            ("G/90;inc30", "5400+30"),
            ("G/90 +30", "5400+30"),
            ("G60 d5", "3600+5"),
            ("40/90, SD/30, inc 30", "40/5400+30:1800+30"),
            ("40/120;SD/60;d5", "40/7200+5:3600+5"),
            ("3|2", "180+2"),
            ("1h30+30s", "5400+30"),
            ("5 min", "300"),
        ] {
            let read = of_words(text).map(|control| control.to_string());
            assert_eq!(read.as_deref(), Some(control), "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_as_a_whole_is_not_read() {
        for text in [
            "",
            "moves/time, increment",
            "as announced",
            "90 min, 30 min",
            "90+30/40:30+30",
            "40/90 + 30 + 30",
            "30 sec/move",
            "90 min + 30 sec + 10 sec",
            "90 min + 30 sec from move 41",
            "90 min + 15 min/move",
            "90 min 30 sec",
            "90 min 30 min",
            "0 min",
            "4294967295 hours",
            "99999999999 min",
            "90 min / 0 moves + 30 min",
        ] {
            assert_eq!(of_words(text), None, "{text}");
        }
        assert_eq!(of_words(&"90 min ".repeat(100)), None);
    }
}
