//! Boards, games and rounds as SVG and HTML: the parts of pages that are there before any script, and static sites.
//!
//! **Where to start:** [`board`] draws a position, [`hall`] and [`game`] the pages of the server, [`site`] a site of files that
//! needs no server.
//!
//! **Must not know** addresses, requests, headers or files. Of the record it can name `publish` alone, so it draws what a view
//! shows and nothing else.

pub mod board;
pub mod game;
pub mod hall;
pub mod preview;
pub mod site;
pub mod words;

use std::fmt::Write as _;

use publish::gate::{GameView, RoundView, Wait};

use words::Words;

/// The most letters of a name that is drawn; longer ones end in an ellipsis.
const MOST_LETTERS: usize = 80;

/// Adds text to HTML or SVG, with all characters that could mean markup written as references, and without control
/// characters.
pub fn push_text(out: &mut String, text: &str) {
    for letter in text.chars().filter(|letter| !letter.is_control()) {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(letter),
        }
    }
}

/// Adds the link to the video of an event, if there is one. Only an https address becomes a link.
fn push_video(out: &mut String, address: Option<&str>, words: &Words) {
    let Some(address) = address.filter(|address| address.starts_with("https://")) else { return };
    out.push_str("<a class=\"drawn-video\" rel=\"noopener noreferrer\" href=\"");
    push_text(out, address);
    let _ = write!(out, "\">{}</a>", words.video);
}

/// How much later the games of a round are shown; none where they are not delayed, or the round is over. Never that of one board: it
/// would say something about its players.
pub fn delay(round: &RoundView, words: &Words) -> Option<String> {
    let Wait { seconds, until_over } = round.info.delay;
    if round.ended() || (seconds == 0 && !until_over) {
        return None;
    }
    let minutes = seconds.div_ceil(60).to_string();
    Some(if until_over { words.when_over.to_owned() } else { words.later.replacen("{}", &minutes, 1) })
}

/// Adds this sentence, if there is one.
fn push_delay(out: &mut String, sentence: Option<&str>) {
    if let Some(sentence) = sentence {
        let _ = write!(out, "<p class=\"later\">{sentence}</p>");
    }
}

/// The same as a new text.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_text(&mut out, text);
    out
}

/// Text that was cut to a length that fits a page.
pub fn short(text: &str) -> String {
    if text.chars().count() <= MOST_LETTERS {
        return text.to_owned();
    }
    text.chars().take(MOST_LETTERS - 1).chain(['…']).collect()
}

/// The name of one side, `White` or `Black` where it is not known.
pub fn name(game: &GameView, side: &str) -> String {
    let known = game.game.tags().get(side).filter(|name| !matches!(name.trim(), "" | "?" | "-"));
    known.map_or_else(|| side.to_owned(), |name| short(name.trim()))
}

/// Both names: `White – Black`.
pub fn names(game: &GameView) -> String {
    format!("{} – {}", apart(name(game, "White")), apart(name(game, "Black")))
}

/// A name, set apart where it is written from right to left: two such names with a dash between them would otherwise change places,
/// and with them White and Black.
fn apart(name: String) -> String {
    let right_to_left =
        |letter| matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}');
    if name.contains(right_to_left) { format!("\u{2068}{name}\u{2069}") } else { name }
}

/// `1–0`, `½–½`; empty while there is no result.
pub fn result(game: &GameView) -> String {
    match game.game.shown_result() {
        "*" => String::new(),
        result => result.replace("1/2", "½").replace('-', "–"),
    }
}

/// The number of a move as it is written before it: `24. ` or `24... `.
fn move_number(start: &str, ply: usize) -> String {
    let mut fields = start.split(' ').skip(1);
    let black_first = usize::from(fields.next() == Some("b"));
    let first: usize = fields.nth(3).and_then(|number| number.parse().ok()).unwrap_or(1);
    let half = ply.saturating_sub(1) + black_first;
    let dots = if half.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", first.saturating_add(half / 2))
}

/// The latest move with its number, `24... Nf6`; none before the first.
pub fn last_move(game: &GameView) -> Option<String> {
    let moves = game.game.moves();
    moves.last().map(|last| format!("{} {}", move_number(game.game.fen(), moves.len()), last.san))
}

/// Hours, minutes and seconds of a clock: `1:05:09`, `5:09`.
fn clock(ms: u64) -> String {
    let seconds = ms.div_ceil(1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let mut text = String::new();
    let _ = if hours > 0 {
        write!(text, "{hours}:{minutes:02}:{seconds:02}")
    } else {
        write!(text, "{minutes}:{seconds:02}")
    };
    text
}

/// The board of a game as it is now.
fn push_position(out: &mut String, game: &GameView, look: board::Look) {
    let last = game.game.moves().last().map(|last| &*last.uci);
    board::push_board(out, game.game.fen_shown(), last, look);
}

/// Hours, minutes and seconds of a side's clock when it was read last.
fn clock_of(game: &GameView, side: &str) -> Option<String> {
    let read = game.game.clock()?;
    Some(clock(if side == "White" { read.white_ms? } else { read.black_ms? }))
}

/// One player: title, name, rating, clock.
fn push_player(out: &mut String, game: &GameView, side: &str) {
    out.push_str("<span class=\"drawn-player\">");
    push_person(out, game, side);
    if let Some(clock) = clock_of(game, side) {
        let _ = write!(out, "<span class=\"drawn-clock\">{clock}</span>");
    }
    out.push_str("</span>");
}

/// Title, name and rating of one side.
fn push_person(out: &mut String, game: &GameView, side: &str) {
    let tag = |what: &str| game.game.tags().get(&format!("{side}{what}")).map_or("", |value| value.trim());
    if !tag("Title").is_empty() {
        out.push_str("<b>");
        push_text(out, &short(tag("Title")));
        out.push_str("</b> ");
    }
    push_text(out, &name(game, side));
    if !matches!(tag("Elo"), "" | "0" | "?" | "-") {
        out.push(' ');
        push_text(out, &short(tag("Elo")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(
            escaped("<script>alert('x')</script>\u{0}\u{1b} & \"y\""),
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;y&quot;"
        );
        assert_eq!(short(&"ж".repeat(200)).chars().count(), MOST_LETTERS);
    }

    #[test]
    fn a_name_from_right_to_left_is_set_apart() {
        assert_eq!(apart("אברהם, דוד".into()), "\u{2068}אברהם, דוד\u{2069}");
        assert_eq!(apart("محمد, علي".into()), "\u{2068}محمد, علي\u{2069}");
        for name in ["Müller, Jürgen", "Иванов, Пётр", "山田, 太郎", "White"] {
            assert_eq!(apart(name.into()), name);
        }
    }

    #[test]
    fn moves_and_clocks_are_written_as_players_know_them() {
        assert_eq!(move_number("x w - - 0 1", 1), "1.");
        assert_eq!(move_number("x b - - 0 7", 1), "7...");
        assert_eq!(move_number("x b - - 0 7", 2), "8.");
        assert_eq!(move_number("rubbish", 4), "2...");
        assert_eq!((clock(0), clock(65_000), clock(5_399_500)), ("0:00".into(), "1:05".into(), "1:30:00".into()));
    }
}
