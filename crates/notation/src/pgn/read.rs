//! What a game consists of: tags, moves, comments, variations, a result.
//!
//! Knows the grammar of a game and its limits; must not know spelling (that is the lexer's) or where a text comes from.

use super::error::Reason;
use super::lexer::{Damage, Lexer, Token, damage};
use super::limits::{MAX_PLIES, MAX_TAGS};
use super::rules::Referee;
use super::san::parse_move;
use super::signs::excerpt;
use super::tags::{ROSTER, rank};
use super::{Element, Game, Outcome};
use crate::comment;
use crate::encoding::decode;

/// Room that is made for the elements of a game at once.
const USUAL_ELEMENTS: usize = 128;

/// What is wanted of a game.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Wanted {
    /// Every move is checked and brought to canonical form.
    pub(super) by_the_rules: bool,
    /// Comments are passed over.
    pub(super) without_comments: bool,
}

/// Reads one game; `None` if the text holds no more.
pub(super) fn read_game(lexer: &mut Lexer<'_>, wanted: Wanted) -> Result<Option<Game>, Damage> {
    let mut builder = Builder { wanted, ..Builder::default() };
    if let Err(Damage(mut damage)) = builder.read(lexer) {
        if builder.is_empty() && lexer.zero_follows() {
            damage.1 = Reason::NotText;
        }
        return Err(Damage(damage));
    }
    let found = !builder.game.tags.is_empty() || builder.moving;
    Ok(found.then(|| builder.finish()))
}

/// A line of moves that is being read.
#[derive(Default)]
struct OpenLine {
    /// Place of the opening parenthesis in the text; nothing in the main line.
    at: usize,
    /// Index of the [`Element::Open`]; nothing in the main line.
    open: usize,
    /// Index of the latest move.
    latest: Option<usize>,
    /// Glyphs given before the first move, as some programs do in variations. They go behind it.
    early_nags: Vec<u8>,
}

/// A game that is being read.
#[derive(Default)]
struct Builder {
    game: Game,
    further_tags: usize,
    plies: usize,
    /// The lines around the one that is being read, the main line first.
    outer: Vec<OpenLine>,
    /// The line that the next move belongs to.
    line: OpenLine,
    wanted: Wanted,
    referee: Option<Box<Referee>>,
    /// Place of the tag that tells the start position.
    fen_at: usize,
    /// Whether the movetext has begun.
    moving: bool,
    /// The game termination marker, once it is reached.
    marker: Option<Outcome>,
}

impl Builder {
    fn read(&mut self, lexer: &mut Lexer<'_>) -> Result<(), Damage> {
        while self.marker.is_none() {
            let at = lexer.space();
            if lexer.pass_move_number() {
                self.moving = true;
                continue;
            }
            match lexer.token()? {
                Token::Word(word) => self.word(word, at)?,
                Token::Comment(text) => self.comment(text),
                Token::Nag(nag) => self.nag(nag),
                Token::Open => self.open(at)?,
                Token::Close => self.close(at)?,
                Token::Bracket if self.is_over(lexer) => break,
                Token::Bracket if self.moving => return Err(damage(at, Reason::Stray('['))),
                Token::Bracket => {
                    if !self.tag(lexer, at)? {
                        lexer.back_to(at);
                        break;
                    }
                }
                Token::End => break,
            }
        }
        if !self.outer.is_empty() {
            return Err(damage(self.line.at, Reason::OpenVariation));
        }
        if self.marker.is_some() {
            self.last_words(lexer)?;
        }
        Ok(())
    }

    /// Whether nothing was understood so far.
    fn is_empty(&self) -> bool {
        self.game.tags.is_empty() && self.game.movetext.is_empty()
    }

    /// Whether the tag that stands here belongs to the next game.
    fn is_over(&self, lexer: &mut Lexer<'_>) -> bool {
        if self.moving {
            lexer.on_new_line() && (lexer.after_empty_line() || lexer.at_tag())
        } else {
            lexer.after_empty_line() && !self.game.tags.is_empty()
        }
    }

    /// Takes a tag; `false` if it is one that begins the next game.
    fn tag(&mut self, lexer: &mut Lexer<'_>, at: usize) -> Result<bool, Damage> {
        let on_new_line = lexer.on_new_line();
        let name = lexer.tag_name()?;
        let of_roster = rank(name) < ROSTER.len();
        if on_new_line && of_roster && self.game.tags.get(name).is_some() {
            return Ok(false);
        }
        let value = lexer.tag_value()?;
        if !of_roster {
            self.further_tags += 1;
        }
        if self.further_tags > MAX_TAGS {
            return Err(damage(at, Reason::TooManyTags));
        }
        if name == "FEN" {
            self.fen_at = at;
        }
        self.game.tags.set_sound(name, value);
        Ok(true)
    }

    fn comment(&mut self, text: &[u8]) {
        if self.wanted.without_comments {
            return;
        }
        let text = decode(text);
        let text = comment::normal(&text);
        if text.is_empty() {
            return;
        }
        match self.game.movetext.last_mut() {
            Some(Element::Comment(before)) if comment::share_braces(before, &text) => {
                before.push(' ');
                before.push_str(&text);
            }
            _ => self.game.movetext.push(Element::Comment(text.into_owned())),
        }
    }

    fn nag(&mut self, nag: u8) {
        self.moving = true;
        let Some(latest) = self.line.latest else {
            self.line.early_nags.push(nag);
            return;
        };
        let movetext = &mut self.game.movetext;
        let mut place = movetext.len();
        if movetext.last() == Some(&Element::Close) {
            // Behind a variation many readers take no glyph: it goes to the others of its move.
            place = latest + 1;
            while let Some(Element::Nag(_)) = movetext.get(place) {
                place += 1;
            }
        }
        movetext.insert(place, Element::Nag(nag));
    }

    fn open(&mut self, at: usize) -> Result<(), Damage> {
        self.moving = true;
        if self.line.latest.is_none() {
            return Err(damage(at, Reason::VariationWithoutMove));
        }
        let open = self.game.movetext.len();
        self.game.movetext.push(Element::Open);
        self.outer.push(std::mem::replace(&mut self.line, OpenLine { at, open, ..OpenLine::default() }));
        if let Some(referee) = &mut self.referee {
            referee.open();
        }
        Ok(())
    }

    fn close(&mut self, at: usize) -> Result<(), Damage> {
        self.moving = true;
        let outer = self.outer.pop().ok_or_else(|| damage(at, Reason::Stray(')')))?;
        let inner = std::mem::replace(&mut self.line, outer);
        if inner.latest.is_some() {
            self.game.movetext.push(Element::Close);
        } else {
            // Without a move it is no variation; what it says stays.
            self.game.movetext.remove(inner.open);
        }
        if let Some(referee) = &mut self.referee {
            referee.close();
        }
        Ok(())
    }

    /// A move, its number, or the result; number and move may be glued.
    fn word(&mut self, word: &[u8], at: usize) -> Result<(), Damage> {
        self.moving = true;
        match word {
            [b'0'..=b'9', ..] => self.number_or_result(word, at),
            _ => match parse_move(word) {
                Some(san) => self.ply(san, at),
                None => self.number_or_result(word, at),
            },
        }
    }

    fn number_or_result(&mut self, word: &[u8], at: usize) -> Result<(), Damage> {
        let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let unnumbered = word.get(digits..).unwrap_or_default();
        let undotted = without_dots(unnumbered);
        if undotted.is_empty() {
            return Ok(());
        }
        let text = if undotted.len() < unnumbered.len() { undotted } else { word };
        if !text.first().is_some_and(u8::is_ascii_alphabetic)
            // A result too may hold digits and dots: `0.5-0.5`.
            && let Some(outcome) = result(word).or_else(|| result(undotted))
        {
            // What some programs write at the end of a variation says nothing about the game.
            if self.outer.is_empty() {
                self.marker = Some(outcome);
            }
            return Ok(());
        }
        if matches!(text, b"e.p." | b"ep") {
            return Ok(());
        }
        match parse_move(text) {
            Some(san) => self.ply(san, at),
            None => Err(damage(at, Reason::NotAMove(excerpt(text)))),
        }
    }

    fn ply(&mut self, mut san: shakmaty::san::SanPlus, at: usize) -> Result<(), Damage> {
        self.plies += 1;
        if self.plies > MAX_PLIES {
            return Err(damage(at, Reason::TooManyPlies));
        }
        if self.wanted.by_the_rules {
            let referee = self.referee()?;
            san = referee.play(san).map_err(|wrong| damage(at, referee.explain(san, wrong)))?;
        }
        if self.plies == 1 {
            self.game.movetext.reserve(USUAL_ELEMENTS);
        }
        self.line.latest = Some(self.game.movetext.len());
        self.game.movetext.push(Element::Move(san));
        if !self.line.early_nags.is_empty() {
            self.game.movetext.extend(self.line.early_nags.drain(..).map(Element::Nag));
        }
        Ok(())
    }

    fn referee(&mut self) -> Result<&mut Referee, Damage> {
        match &mut self.referee {
            Some(_) => {}
            none => {
                let referee = Referee::new(&self.game.tags).map_err(|error| damage(self.fen_at, error))?;
                *none = Some(Box::new(referee));
            }
        }
        Ok(self.referee.get_or_insert_default())
    }

    /// Comments behind the result, in the same paragraph.
    fn last_words(&mut self, lexer: &mut Lexer<'_>) -> Result<(), Damage> {
        loop {
            let before = lexer.pos();
            lexer.space();
            if !lexer.after_empty_line()
                && lexer.at_comment()
                && let Token::Comment(text) = lexer.token()?
            {
                self.comment(text);
            } else {
                lexer.back_to(before);
                return Ok(());
            }
        }
    }

    fn finish(mut self) -> Game {
        let told = self.game.tags.get("Result").and_then(Outcome::parse);
        self.game.outcome = match self.marker {
            None | Some(Outcome::Unknown) => told.unwrap_or_default(),
            Some(outcome) => outcome,
        };
        self.game
    }
}

fn result(word: &[u8]) -> Option<Outcome> {
    match word {
        [b'0'..=b'9' | b'*' | 0x80.., ..] => Outcome::parse(&decode(word)),
        _ => None,
    }
}

/// What follows the dots of a move number: full stops, or the single sign for three of them.
fn without_dots(mut text: &[u8]) -> &[u8] {
    while let [b'.' | 0x85, rest @ ..] | [0xe2, 0x80, 0xa6, rest @ ..] = text {
        text = rest;
    }
    text
}
