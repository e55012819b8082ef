//! Writes games in export format (PGN standard, 3.2 and 8): equal games give equal bytes.
//!
//! Must not know where the text goes.

use std::fmt::Write as _;

use super::game::{Element, Game};
use super::outcome::{Outcome, is_lost_by_both};
use super::tags::{ROSTER, Tags};
use crate::comment::{normalise, share_braces, words};

/// Longest line of movetext in characters (PGN standard, 4.3: fewer than 80). A longer word of a comment, or
/// commands that follow one another, are written whole on a line of their own.
const MAX_LINE: usize = 79;

/// Writes one game: tags, empty line, movetext, empty line. A file is a concatenation of games.
///
/// Braces in comments become parentheses, control characters become spaces, and open variations are closed at the end of
/// the game, because the format cannot hold them.
pub fn write_game(game: &Game) -> String {
    let mut text = write_tags(&game.tags, game.outcome);
    // A move, or its times, with a space: what is longer makes it grow.
    text.reserve(18 * game.movetext.len());
    text.push('\n');
    push_movetext(&mut text, game);
    text.push('\n');
    text
}

/// Writes the tag section, one tag a line, without the empty line after it.
///
/// Missing tags of the roster are written as unknown, `Result` is the given outcome or, if
/// that is unknown, `0-0` for a game that both players lost, and a `FEN` without `SetUp` gets
/// its `SetUp "1"` (PGN standard, 9.7.1). Values are written in full: readers today accept more than the standard's 255
/// characters.
pub fn write_tags(tags: &Tags, outcome: Outcome) -> String {
    let mut text = String::new();
    for name in ROSTER {
        let value = match name {
            "Result" if outcome == Outcome::Unknown && tags.get(name).is_some_and(is_lost_by_both) => "0-0",
            "Result" => outcome.as_str(),
            "Date" => tags.get(name).unwrap_or("????.??.??"),
            _ => tags.get(name).unwrap_or("?"),
        };
        write_tag(&mut text, name, value);
    }
    let mut set_up_due = tags.get("FEN").is_some() && tags.get("SetUp").is_none();
    for (name, value) in tags.supplemental() {
        if set_up_due && name > "SetUp" {
            set_up_due = false;
            write_tag(&mut text, "SetUp", "1");
        }
        write_tag(&mut text, name, value);
    }
    if set_up_due {
        write_tag(&mut text, "SetUp", "1");
    }
    text
}

fn write_tag(text: &mut String, name: &str, value: &str) {
    text.push('[');
    text.push_str(name);
    text.push_str(" \"");
    for c in value.chars() {
        if matches!(c, '"' | '\\') {
            text.push('\\');
        }
        text.push(c);
    }
    text.push_str("\"]\n");
}

/// Writes comments, moves and result in filled lines, without the empty line after them. The `FEN` tag gives the number
/// and the side of the first move.
pub fn write_movetext(game: &Game) -> String {
    let mut text = String::new();
    push_movetext(&mut text, game);
    text
}

fn push_movetext(text: &mut String, game: &Game) {
    let mut lines = Lines::new(text);
    let mut turn = Turn::first(&game.tags);
    // The turns of the lines around the current one, the main line first.
    let mut outer = Vec::new();
    let mut elements = game.movetext.iter();
    while let Some(element) = elements.next() {
        match element {
            Element::Move(san) => {
                // Black's move has a number only after an annotation or at the beginning of a line (PGN standard, 8.2.2.2).
                if !turn.black {
                    lines.word(|text| turn.push_number(text, "."));
                } else if turn.number_due {
                    lines.word(|text| turn.push_number(text, "..."));
                }
                lines.word(|text| san.append_to_string(text));
                turn = turn.next();
            }
            Element::Nag(nag) => {
                lines.word(|text| {
                    let _ = write!(text, "${nag}");
                });
                turn.number_due = true;
            }
            Element::Comment(comment) => {
                let mut comment = normalise(comment);
                while let [Element::Comment(next), ..] = elements.as_slice() {
                    elements.next();
                    let next = normalise(next);
                    if next.is_empty() {
                        continue;
                    }
                    if comment.is_empty() {
                        comment = next;
                    } else if share_braces(&comment, &next) {
                        comment = format!("{comment} {next}").into();
                    } else {
                        turn.number_due |= write_comment(&mut lines, &comment);
                        comment = next;
                    }
                }
                turn.number_due |= write_comment(&mut lines, &comment);
            }
            Element::Open => {
                lines.open();
                outer.push(turn);
                turn = turn.before();
            }
            Element::Close => {
                if let Some(resumed) = outer.pop() {
                    turn = resumed;
                    turn.number_due |= lines.close();
                }
            }
        }
    }
    for _ in outer {
        lines.close();
    }
    lines.word(|text| text.push_str(game.outcome.as_str()));
    text.push('\n');
}

/// Writes a comment in normal form; `false` if it is empty.
fn write_comment(lines: &mut Lines<'_>, comment: &str) -> bool {
    let mut words = words(comment).peekable();
    let mut first = true;
    while let Some(word) = words.next() {
        lines.word(|text| {
            if first {
                text.push('{');
            }
            push_in_comment(text, word);
            // At the start of a line such a word would make the line an escape line, or begin a new game: readers that go by lines
            // take a command there for a tag as well.
            while let Some(word) = words.next_if(|word| must_not_start_line(word)) {
                text.push(' ');
                push_in_comment(text, word);
            }
            if words.peek().is_none() {
                text.push('}');
            }
        });
        first = false;
    }
    !first
}

fn must_not_start_line(word: &str) -> bool {
    word.starts_with(['%', '['])
}

/// A comment cannot hold a closing brace, and some readers refuse an opening one.
fn push_in_comment(text: &mut String, word: &str) {
    if word.contains(['{', '}']) {
        text.extend(word.chars().map(|c| match c {
            '{' => '(',
            '}' => ')',
            _ => c,
        }));
    } else {
        text.push_str(word);
    }
}

/// Number and side of the next move.
#[derive(Clone, Copy)]
struct Turn {
    number: u64,
    black: bool,
    /// Whether a move of Black needs its number: at the beginning of a line and after annotations.
    number_due: bool,
}

impl Turn {
    /// The turn of the first move. A missing or invalid field of the FEN counts as in the standard start position.
    fn first(tags: &Tags) -> Self {
        let mut fields = tags.get("FEN").unwrap_or_default().split_ascii_whitespace().skip(1);
        let black = fields.next() == Some("b");
        let number: Option<u32> = fields.nth(3).and_then(|number| number.parse().ok());
        Self { number: number.unwrap_or(1).max(1).into(), black, number_due: true }
    }

    fn next(self) -> Self {
        Self { number: self.number + u64::from(self.black), black: !self.black, number_due: false }
    }

    /// The turn of the latest move.
    fn before(self) -> Self {
        Self { number: self.number.saturating_sub(u64::from(!self.black)), black: !self.black, number_due: true }
    }

    fn push_number(self, text: &mut String, dots: &str) {
        let digit = |value: u64| char::from(b'0' + (value % 10) as u8);
        match self.number {
            number @ 0..10 => text.push(digit(number)),
            number @ 10..100 => text.extend([digit(number / 10), digit(number)]),
            number => {
                let _ = write!(text, "{number}");
            }
        }
        text.push_str(dots);
    }
}

/// Fills lines with words.
struct Lines<'a> {
    text: &'a mut String,
    /// Characters of the line so far.
    column: usize,
    /// Byte at which the latest word begins, and its characters.
    latest: usize,
    latest_width: usize,
    /// Opening parentheses that the next word gets.
    opening: usize,
}

impl<'a> Lines<'a> {
    /// Appends lines to the text.
    fn new(text: &'a mut String) -> Self {
        Self { latest: text.len(), latest_width: 0, text, column: 0, opening: 0 }
    }

    /// Adds a word; a line can break before it.
    fn word(&mut self, push: impl FnOnce(&mut String)) {
        if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.latest = self.text.len();
        for _ in 0..std::mem::take(&mut self.opening) {
            self.text.push('(');
        }
        push(self.text);
        let word = self.text.get(self.latest..).unwrap_or_default();
        self.latest_width = if word.is_ascii() { word.len() } else { word.chars().count() };
        self.column += self.latest_width;
        self.break_full_line();
    }

    /// Adds an opening parenthesis before the next word.
    fn open(&mut self) {
        self.opening += 1;
    }

    /// Adds a closing parenthesis after the latest word. If the variation has no word, drops both parentheses and returns
    /// `false`.
    fn close(&mut self) -> bool {
        if self.opening > 0 {
            self.opening -= 1;
            return false;
        }
        self.text.push(')');
        self.latest_width += 1;
        self.column += 1;
        self.break_full_line();
        true
    }

    /// Moves the latest word to a new line if the current one is too long.
    fn break_full_line(&mut self) {
        if self.column > MAX_LINE && self.column > self.latest_width {
            self.text.replace_range(self.latest - 1..self.latest, "\n");
            self.column = self.latest_width;
        }
    }
}
