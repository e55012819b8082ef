//! Parses one game: tags, moves, comments, variations, result.
//!
//! Must not know characters and line ends, which are the lexer's, or where the text comes from.

use shakmaty::CastlingSide;
use shakmaty::san::{San, SanPlus};

use super::characters::{excerpt, length_before_glyph, nag_of_glyph};
use super::error::{MoveNumber, Reason};
use super::game::{Element, Game};
use super::lexer::{Lexer, SyntaxError, Token, error_at};
use super::limits::{MAX_PLIES, MAX_TAGS};
use super::outcome::Outcome;
use super::positions::start_position_noting;
use super::rules::{LegalityChecker, RulesError};
use super::tags::{ROSTER, rank};
use crate::comment;
use crate::encoding::decode;
use crate::san::parse_move;

/// Initial capacity for the elements of a game.
const INITIAL_ELEMENTS: usize = 128;

/// Options of reading.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub(super) struct ReadOptions {
    /// Check that every move is legal and bring it to canonical form.
    pub(super) check_moves: bool,
    /// Drop comments.
    pub(super) skip_comments: bool,
    /// Keep null moves in the main line.
    pub(super) keep_null_moves: bool,
    /// Give a notice of the first wrong move number.
    pub(super) check_numbers: bool,
}

/// Most notices of one game; a text with more is no game with a slip in it.
const MAX_NOTICES: usize = 32;

/// Something that was noticed in a game.
pub(super) struct Notice {
    /// Its byte.
    pub(super) at: usize,
    pub(super) reason: Reason,
    /// The move that comes next there, in the movetext.
    pub(super) next_move: Option<MoveNumber>,
}

/// Why a game cannot be read.
pub(super) struct Damage {
    pub(super) notice: Notice,
    /// As [`Tags::players`](super::tags::Tags::players).
    pub(super) players: String,
}

/// Parses one game; `None` if the text holds no further game.
pub(super) fn parse_game(
    lexer: &mut Lexer<'_>,
    options: ReadOptions,
) -> Result<Option<(Game, Vec<Notice>)>, Box<Damage>> {
    let mut parser = GameParser { options, ..GameParser::default() };
    if let Err(SyntaxError(error)) = parser.parse(lexer) {
        let (at, mut reason) = *error;
        if parser.is_empty() && lexer.seems_binary() {
            reason = Reason::NotText;
        }
        let is_elsewhere = matches!(
            reason,
            Reason::NotText | Reason::OpenVariation | Reason::Rules(RulesError::Start(_) | RulesError::Variant(_))
        );
        let next_move = parser.next_move().filter(|_| !is_elsewhere);
        let notice = Notice { at, reason, next_move };
        return Err(Box::new(Damage { notice, players: parser.game.tags.players() }));
    }
    parser.note_ignored_rights();
    let found = !parser.game.tags.is_empty() || parser.in_movetext;
    Ok(found.then(|| {
        let notices = std::mem::take(&mut parser.notices);
        (parser.finish(), notices)
    }))
}

/// A line of moves, the main line or a variation, while it is parsed.
#[derive(Default)]
struct Line {
    /// Byte of the opening parenthesis; unused in the main line.
    at: usize,
    /// Index of the [`Element::Open`]; unused in the main line.
    open: usize,
    /// Index of the latest move.
    latest: Option<usize>,
    /// Plies before the next move.
    plies: u64,
    /// NAGs before the first move, which some programs write in variations. They are put after that move.
    early_nags: Vec<u8>,
}

/// A game while it is parsed.
#[derive(Default)]
struct GameParser {
    game: Game,
    /// Name of the first tag.
    first_tag: Option<String>,
    /// Number of tags outside the roster.
    supplemental_tags: usize,
    plies: usize,
    /// The lines around the current one, the main line first.
    outer: Vec<Line>,
    /// The line that the next move belongs to.
    line: Line,
    options: ReadOptions,
    checker: Option<Box<LegalityChecker>>,
    /// Byte of the `FEN` tag.
    fen_at: usize,
    /// Whether the movetext has begun.
    in_movetext: bool,
    notices: Vec<Notice>,
    /// Whether a wrong move number was found.
    misnumbered: bool,
    /// Whether the movetext ends with `0-0`: both players lose.
    both_lost: bool,
    /// In a variation whose rest is left out: the number of variations open within that rest.
    cut: Option<usize>,
    /// The game termination termination, once it is parsed.
    termination: Option<Outcome>,
}

impl GameParser {
    fn parse(&mut self, lexer: &mut Lexer<'_>) -> Result<(), SyntaxError> {
        while self.termination.is_none() {
            let at = lexer.skip_space();
            if !self.options.check_numbers && lexer.skip_move_number() {
                self.in_movetext = true;
                continue;
            }
            let token = match lexer.token() {
                Ok(token) => token,
                Err(error) => {
                    self.drop_token(error)?;
                    continue;
                }
            };
            if let Some(within) = self.cut {
                match token {
                    Token::VariationStart => self.cut = Some(within + 1),
                    Token::VariationEnd if within > 0 => self.cut = Some(within - 1),
                    Token::VariationEnd => {
                        self.cut = None;
                        self.close(at)?;
                    }
                    Token::Symbol(_) | Token::Comment(_) | Token::Nag(_) => {}
                    Token::Bracket if !self.is_over(lexer) => return Err(error_at(at, Reason::Stray('['))),
                    Token::Bracket | Token::End => break,
                }
                continue;
            }
            match token {
                Token::Symbol(symbol) => {
                    if self.is_lost_by_both(symbol) {
                        self.in_movetext = true;
                        self.both_lost = true;
                        self.termination = Some(Outcome::Unknown);
                    } else if let Err(error) = self.symbol(symbol, at) {
                        self.drop_or_cut(error, symbol)?;
                    }
                }
                Token::Comment(text) => self.comment(text),
                Token::Nag(nag) => self.nag(nag),
                Token::VariationStart => self.open(at)?,
                Token::VariationEnd if self.outer.is_empty() => self.drop_token(error_at(at, Reason::Stray(')')))?,
                Token::VariationEnd => self.close(at)?,
                Token::Bracket if self.is_over(lexer) => break,
                Token::Bracket if self.in_movetext => return Err(error_at(at, Reason::Stray('['))),
                Token::Bracket => {
                    if !self.tag(lexer, at)? {
                        lexer.rewind_to(at);
                        break;
                    }
                }
                Token::End => break,
            }
        }
        if !self.outer.is_empty() {
            return Err(error_at(self.line.at, Reason::OpenVariation));
        }
        if self.termination.is_some() {
            self.trailing_comments(lexer)?;
        }
        Ok(())
    }

    /// Whether a symbol of the main line is the result `0-0` and not castling: castling is not legal here. Without a check
    /// of the moves it is castling.
    fn is_lost_by_both(&mut self, symbol: &[u8]) -> bool {
        if symbol != b"0-0" || !self.outer.is_empty() || !self.options.check_moves {
            return false;
        }
        let castling = SanPlus { san: San::Castle(CastlingSide::KingSide), suffix: None };
        self.checker().is_ok_and(|checker| checker.clone().play(castling).is_err())
    }

    /// Compares a move number with the moves before it.
    fn check_number(&mut self, digits: &[u8], at: usize) {
        let MoveNumber { number: counted, .. } = self.move_number();
        let written = excerpt(digits);
        if written.parse() != Ok(counted) && !self.misnumbered {
            self.misnumbered = true;
            self.notice(at, Reason::MoveNumber { written, counted });
        }
    }

    /// The number of the next move of the current line.
    fn move_number(&self) -> MoveNumber {
        let mut fields = self.game.tags.get("FEN").unwrap_or_default().split_ascii_whitespace().skip(1);
        let black_began = u64::from(fields.next() == Some("b"));
        let first = fields.nth(3).and_then(|number| number.parse::<u32>().ok()).unwrap_or(1).max(1);
        let half_moves = self.line.plies + black_began;
        MoveNumber { number: u64::from(first) + half_moves / 2, black: half_moves % 2 == 1 }
    }

    /// The move that comes next, in the movetext.
    fn next_move(&self) -> Option<MoveNumber> {
        self.in_movetext.then(|| self.move_number())
    }

    fn notice(&mut self, at: usize, reason: Reason) {
        let next_move = self.next_move();
        self.notices.push(Notice { at, reason, next_move });
    }

    /// Leaves a token out that cannot be part of a move, once the game has begun.
    fn drop_token(&mut self, SyntaxError(error): SyntaxError) -> Result<(), SyntaxError> {
        let droppable = matches!(error.1, Reason::Stray('}' | ')' | ']' | '>') | Reason::Nag | Reason::Suffix(_));
        if !droppable || self.is_empty() || self.notices.len() >= MAX_NOTICES {
            return Err(SyntaxError(error));
        }
        self.in_movetext = true;
        let (at, reason) = *error;
        self.notice(at, Reason::Dropped(Box::new(reason)));
        Ok(())
    }

    /// Leaves out a symbol that is no move or, in a variation, the rest of the variation after a wrong move.
    fn drop_or_cut(&mut self, SyntaxError(error): SyntaxError, symbol: &[u8]) -> Result<(), SyntaxError> {
        let is_move = symbol.iter().any(u8::is_ascii_alphanumeric);
        let wrong_move = matches!(error.1, Reason::NotAMove(_) | Reason::Rules(_));
        if !wrong_move || self.is_empty() || self.notices.len() >= MAX_NOTICES {
            return Err(SyntaxError(error));
        }
        let (at, reason) = *error;
        if matches!(reason, Reason::NotAMove(_)) && !is_move {
            self.notice(at, Reason::Dropped(Box::new(reason)));
        } else if !self.outer.is_empty() {
            self.notice(at, Reason::CutVariation(Box::new(reason)));
            self.cut = Some(0);
        } else {
            return Err(error_at(at, reason));
        }
        Ok(())
    }

    /// Whether nothing was parsed so far.
    fn is_empty(&self) -> bool {
        self.game.tags.is_empty() && self.game.movetext.is_empty()
    }

    /// Whether the tag here belongs to the next game.
    fn is_over(&self, lexer: &mut Lexer<'_>) -> bool {
        if self.in_movetext { lexer.on_new_line() && (lexer.after_empty_line() || lexer.at_tag()) } else { false }
    }

    /// Whether a tag of this name, before any movetext, begins the next game. Empty lines and repeated tags are allowed
    /// within the tags of a game, so that only a tag that games begin with can end the tags of a game without movetext.
    fn begins_next_game(&self, name: &str, lexer: &Lexer<'_>) -> bool {
        let tags = &self.game.tags;
        if tags.is_empty() || !lexer.on_new_line() {
            return false;
        }
        let first = name == "Event" || self.first_tag.as_deref() == Some(name);
        let has_player = tags.get("White").is_some() || tags.get("Black").is_some();
        let repeated = tags.get(name).is_some();
        if lexer.after_empty_line() {
            // Between games without players an empty line counts, because nothing else divides them.
            first && (has_player || repeated) || repeated && name == "White" && tags.get("Black").is_some()
        } else {
            let alone = tags.len() == 1;
            first && repeated && !alone && (has_player || name != "Event") && rank(name) < ROSTER.len()
        }
    }

    /// Parses a tag; `false` if it begins the next game.
    fn tag(&mut self, lexer: &mut Lexer<'_>, at: usize) -> Result<bool, SyntaxError> {
        let before = *lexer;
        let name = lexer.take_tag_name()?;
        let in_roster = rank(name) < ROSTER.len();
        if self.begins_next_game(name, &before) {
            return Ok(false);
        }
        if self.first_tag.is_none() {
            self.first_tag = Some(name.to_owned());
        }
        let value = lexer.take_tag_value()?;
        if !in_roster {
            self.supplemental_tags += 1;
        }
        if self.supplemental_tags > MAX_TAGS {
            return Err(error_at(at, Reason::TooManyTags));
        }
        if name == "FEN" {
            self.fen_at = at;
        }
        self.game.tags.set_valid(name, value);
        Ok(true)
    }

    fn comment(&mut self, text: &[u8]) {
        if self.options.skip_comments {
            return;
        }
        let text = decode(text);
        let text = comment::normalise(&text);
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
        self.in_movetext = true;
        let Some(latest) = self.line.latest else {
            self.line.early_nags.push(nag);
            return;
        };
        let movetext = &mut self.game.movetext;
        let mut index = movetext.len();
        if movetext.last() == Some(&Element::Close) {
            // Many readers accept no NAG after a variation: put it beside the other NAGs of its move.
            index = latest + 1;
            while let Some(Element::Nag(_)) = movetext.get(index) {
                index += 1;
            }
        }
        movetext.insert(index, Element::Nag(nag));
    }

    fn open(&mut self, at: usize) -> Result<(), SyntaxError> {
        self.in_movetext = true;
        if self.line.latest.is_none() {
            return Err(error_at(at, Reason::VariationWithoutMove));
        }
        let open = self.game.movetext.len();
        let plies = self.line.plies.saturating_sub(1);
        self.game.movetext.push(Element::Open);
        self.outer.push(std::mem::replace(&mut self.line, Line { at, open, plies, ..Line::default() }));
        if let Some(checker) = &mut self.checker {
            checker.open();
        }
        Ok(())
    }

    fn close(&mut self, at: usize) -> Result<(), SyntaxError> {
        self.in_movetext = true;
        let outer = self.outer.pop().ok_or_else(|| error_at(at, Reason::Stray(')')))?;
        let inner = std::mem::replace(&mut self.line, outer);
        if inner.latest.is_some() {
            self.game.movetext.push(Element::Close);
        } else {
            // A variation without a move is dropped; its comments stay.
            self.game.movetext.remove(inner.open);
        }
        if let Some(checker) = &mut self.checker {
            checker.close();
        }
        Ok(())
    }

    /// A move, a move number, or the result; number and move may be one symbol.
    fn symbol(&mut self, symbol: &[u8], at: usize) -> Result<(), SyntaxError> {
        self.in_movetext = true;
        match symbol {
            [b'0'..=b'9', ..] => self.number_or_result(symbol, at),
            // `d5-+` is a move and a glyph, not a move with a hyphen.
            _ => match parse_move(symbol).filter(|_| !symbol.ends_with(b"-+")) {
                Some(san) => self.ply(san, at),
                None => self.number_or_result(symbol, at),
            },
        }
    }

    fn number_or_result(&mut self, symbol: &[u8], at: usize) -> Result<(), SyntaxError> {
        let digits = symbol.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let unnumbered = symbol.get(digits..).unwrap_or_default();
        let undotted = without_dots(unnumbered);
        let numbered = digits > 0 && (undotted.is_empty() || undotted.len() < unnumbered.len());
        if self.options.check_numbers && numbered && result(symbol).is_none() {
            self.check_number(symbol.get(..digits).unwrap_or_default(), at);
        }
        if undotted.is_empty() {
            return Ok(());
        }
        let text = if undotted.len() < unnumbered.len() { undotted } else { symbol };
        if !text.first().is_some_and(u8::is_ascii_alphabetic)
            // A result may also have digits and dots: `0.5-0.5`.
            && let Some(outcome) = result(symbol).or_else(|| result(undotted))
        {
            // Some programs write a result at the end of a variation; it is not that of the game.
            if self.outer.is_empty() {
                self.termination = Some(outcome);
            }
            return Ok(());
        }
        if matches!(text, b"e.p." | b"ep") {
            return Ok(());
        }
        if let Some(san) = parse_move(text).filter(|_| !text.ends_with(b"-+")) {
            return self.ply(san, at);
        }
        if let Some(nag) = nag_of_glyph(text).filter(|_| self.plies > 0) {
            self.nag(nag);
            return Ok(());
        }
        // A glyph right after the move: `e4+-`.
        let (before, glyph) = text.split_at_checked(length_before_glyph(text)).unwrap_or_default();
        if let Some((san, nag)) = parse_move(before).zip(nag_of_glyph(glyph)) {
            self.ply(san, at)?;
            self.nag(nag);
            return Ok(());
        }
        Err(error_at(at, Reason::NotAMove(excerpt(text))))
    }

    fn ply(&mut self, mut san: SanPlus, at: usize) -> Result<(), SyntaxError> {
        self.plies += 1;
        if self.plies > MAX_PLIES {
            return Err(error_at(at, Reason::TooManyPlies));
        }
        if self.options.check_moves {
            let null_move = self.options.keep_null_moves && self.outer.is_empty() && san.san == San::Null;
            if null_move && self.notices.len() < MAX_NOTICES {
                self.notice(at, Reason::NullMove);
            }
            let keep_null_moves = self.options.keep_null_moves;
            let checker = self.checker()?;
            checker.keep_null_moves = keep_null_moves;
            san = checker.play(san).map_err(|refusal| error_at(at, checker.explain(san, refusal)))?;
        }
        if self.plies == 1 {
            self.game.movetext.reserve(INITIAL_ELEMENTS);
        }
        self.line.latest = Some(self.game.movetext.len());
        self.line.plies += 1;
        self.game.movetext.push(Element::Move(san));
        if !self.line.early_nags.is_empty() {
            self.game.movetext.extend(self.line.early_nags.drain(..).map(Element::Nag));
        }
        Ok(())
    }

    /// The legality checker, made at the first move, when all tags are known.
    fn checker(&mut self) -> Result<&mut LegalityChecker, SyntaxError> {
        match &mut self.checker {
            Some(_) => {}
            none => {
                let checker = LegalityChecker::new(&self.game.tags).map_err(|error| error_at(self.fen_at, error))?;
                *none = Some(Box::new(checker));
            }
        }
        Ok(self.checker.get_or_insert_default())
    }

    /// Notes castling rights and an en passant square of the `FEN` tag that are ignored. An invalid tag is reported with the
    /// first move, or is a finding of a game without moves.
    fn note_ignored_rights(&mut self) {
        if self.game.tags.get("FEN").is_some() {
            let mut ignored = Vec::new();
            let valid = start_position_noting(&self.game.tags, &mut ignored).is_ok();
            let ignored = ignored.into_iter().filter(|_| valid);
            let at = self.fen_at;
            self.notices.extend(ignored.map(|error| Notice {
                at,
                reason: Reason::IgnoredRight(error),
                next_move: None,
            }));
        }
    }

    /// Comments after the result, up to an empty line.
    fn trailing_comments(&mut self, lexer: &mut Lexer<'_>) -> Result<(), SyntaxError> {
        loop {
            let before = lexer.pos();
            lexer.skip_space();
            if !lexer.after_empty_line()
                && lexer.at_comment()
                && let Token::Comment(text) = lexer.token()?
            {
                self.comment(text);
            } else {
                lexer.rewind_to(before);
                return Ok(());
            }
        }
    }

    fn finish(mut self) -> Game {
        let tag = self.game.tags.get("Result").and_then(Outcome::parse);
        self.game.outcome = match self.termination {
            None | Some(Outcome::Unknown) => tag.unwrap_or_default(),
            Some(outcome) => outcome,
        };
        if self.both_lost && self.game.outcome == Outcome::Unknown {
            self.game.tags.set_valid("Result", "0-0".to_owned());
        }
        self.game
    }
}

/// A game termination termination in any of its usual forms.
fn result(symbol: &[u8]) -> Option<Outcome> {
    match symbol {
        [b'0'..=b'9' | b'*' | 0x80.., ..] => Outcome::parse(&decode(symbol)),
        _ => None,
    }
}

/// The rest after the dots of a move number: full stops or ellipsis characters.
fn without_dots(mut text: &[u8]) -> &[u8] {
    while let [b'.' | 0x85, rest @ ..] | [0xe2, 0x80, 0xa6, rest @ ..] = text {
        text = rest;
    }
    text
}
