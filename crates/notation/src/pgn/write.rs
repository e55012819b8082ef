//! Writes the export format (PGN standard, 3.2 and 8): equal games give equal bytes.
//!
//! Knows order, spacing and line filling; must not know where the text goes.

use std::collections::BTreeMap;

use super::tags::ROSTER;
use super::{Game, Outcome, Ply, Tags};
use crate::command::words;
use crate::time::format_clk;

/// Longest line of movetext in characters: the standard asks for less than 80 (4.3). A single word
/// or command of a comment that is longer stays whole on a line of its own.
const MAX_LINE: usize = 79;

/// Writes one game: tags, empty line, movetext, empty line. Games one after another make a file.
///
/// What the format cannot hold is changed: braces in comments become parentheses, control
/// characters become spaces.
pub fn write_game(game: &Game) -> String {
    let mut text = write_tags(&game.tags, game.outcome);
    text.push('\n');
    text.push_str(&write_movetext(game));
    text.push('\n');
    text
}

/// Writes the tag section, one tag a line, without the empty line behind it.
///
/// Missing tags of the roster are written as unknown, `Result` is the given outcome, and a `FEN`
/// without `SetUp` gets its `SetUp "1"` (PGN standard, 9.7.1).
pub fn write_tags(tags: &Tags, outcome: Outcome) -> String {
    let mut text = String::new();
    for name in ROSTER {
        let value = match name {
            "Result" => outcome.as_str(),
            "Date" => tags.get(name).unwrap_or("????.??.??"),
            _ => tags.get(name).unwrap_or("?"),
        };
        write_tag(&mut text, name, value);
    }
    let mut further: BTreeMap<&str, &str> = tags.further().collect();
    if further.contains_key("FEN") {
        further.entry("SetUp").or_insert("1");
    }
    for (name, value) in further {
        write_tag(&mut text, name, value);
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

/// Writes comments, moves and result in filled lines, without the empty line behind them. The
/// number of the first move and the side that makes it come from the `FEN` tag.
pub fn write_movetext(game: &Game) -> String {
    let mut movetext = Movetext::default();
    for comment in &game.comments {
        movetext.comment(words(comment));
    }
    movetext.line(&game.line, Turn::first(&game.tags));
    movetext.tokens.push(game.outcome.as_str().to_owned());
    fill(&movetext.tokens)
}

/// Number and side of a move.
#[derive(Clone, Copy)]
struct Turn {
    number: u64,
    black: bool,
}

impl Turn {
    /// The turn of the first move. A missing or odd field of the FEN counts as in the usual start
    /// position.
    fn first(tags: &Tags) -> Self {
        let mut fields = tags.get("FEN").unwrap_or_default().split_ascii_whitespace().skip(1);
        let black = fields.next() == Some("b");
        let number: Option<u32> = fields.nth(3).and_then(|number| number.parse().ok());
        Self { number: number.unwrap_or(1).max(1).into(), black }
    }

    fn next(self) -> Self {
        Self { number: self.number + u64::from(self.black), black: !self.black }
    }
}

/// The tokens of a movetext: what a line end may stand between, but not inside.
#[derive(Default)]
struct Movetext {
    tokens: Vec<String>,
    /// Parentheses that wait for the first token of their variation.
    opening: String,
}

impl Movetext {
    fn push(&mut self, token: &str) {
        let mut whole = std::mem::take(&mut self.opening);
        whole.push_str(token);
        self.tokens.push(whole);
    }

    /// Recursion is as deep as the variations are; [`super::MAX_DEPTH`] bounds those of games that
    /// were read.
    fn line(&mut self, line: &[Ply], mut turn: Turn) {
        // Black's move has a number only behind an annotation or at the beginning (PGN standard,
        // 8.2.2.2).
        let mut number_due = true;
        for ply in line {
            if !turn.black {
                self.push(&format!("{}.", turn.number));
            } else if number_due {
                self.push(&format!("{}...", turn.number));
            }
            self.push(&ply.san);
            let bare = self.tokens.len();
            self.annotations(ply, turn);
            number_due = self.tokens.len() > bare;
            turn = turn.next();
        }
    }

    fn annotations(&mut self, ply: &Ply, turn: Turn) {
        for nag in &ply.nags {
            self.push(&format!("${nag}"));
        }
        let mut times = Vec::new();
        if let Some(ms) = ply.clk_ms {
            times.push(format!("[%clk {}]", format_clk(ms)));
        }
        if let Some(ms) = ply.emt_ms {
            times.push(format!("[%emt {}]", format_clk(ms)));
        }
        // The clock shares the braces of the first comment: most readers look for both in one
        // place.
        let mut comments = ply.comments.iter().map(|comment| words(comment)).filter(|words| !words.is_empty());
        times.extend(comments.next().into_iter().flatten());
        self.comment(times);
        for comment in comments {
            self.comment(comment);
        }
        for variation in ply.variations.iter().filter(|variation| !variation.is_empty()) {
            self.opening.push('(');
            self.line(variation, turn);
            if let Some(last) = self.tokens.last_mut() {
                last.push(')');
            }
        }
    }

    /// A comment of these words; without words there is none.
    fn comment(&mut self, words: Vec<String>) {
        let mut tokens: Vec<String> = Vec::with_capacity(words.len());
        for word in words {
            // The standard has no way to write a closing brace inside a comment; an opening one
            // makes some readers complain.
            let word = word.replace('{', "(").replace('}', ")");
            match tokens.last_mut() {
                // At the beginning of a line these would hide the line or begin a new game.
                Some(previous) if word.starts_with('%') || word.starts_with('[') && !word.starts_with("[%") => {
                    previous.push(' ');
                    previous.push_str(&word);
                }
                _ => tokens.push(word),
            }
        }
        if let Some(first) = tokens.first_mut() {
            first.insert(0, '{');
        }
        if let Some(last) = tokens.last_mut() {
            last.push('}');
        }
        self.tokens.append(&mut tokens);
    }
}

/// Puts as many tokens on each line as fit.
fn fill(tokens: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for token in tokens {
        let width = token.chars().count();
        if column == 0 {
            column = width;
        } else if column + 1 + width <= MAX_LINE {
            text.push(' ');
            column += 1 + width;
        } else {
            text.push('\n');
            column = width;
        }
        text.push_str(token);
    }
    text.push('\n');
    text
}
