//! Writes random legal games in the varied forms of real programs to standard output: `made-games NUMBER [SEED]`.
//!
//! Every game has its own style: numbers missing or without a space, long algebraic notation, zeros for castling, no check marks,
//! comments, NAGs and suffixes, variations, set-up positions, carriage returns. `tests/compare-pgn`
//! gives the games to several readers.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};

use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::{CastlingMode, Chess, Move, Outcome, Position};

const STARTS: [&str; 5] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 2 23",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 120",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "8/1P1P1P1P/4k3/8/8/4K3/p1p1p1p1/8 w - - 0 61",
    "N3k2N/8/N6N/8/8/n6n/8/n3K2n b - - 12 80",
];

const WORDS: [&str; 8] =
    ["strong", "a novelty", "Müller", "(?) unclear", "1. e4 was better;", "x ", "[%clk 1:02:03]", "½ point"];

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse().ok());
    let Some(Some(number)) = arguments.next() else {
        eprintln!("made-games: say how many games, as in made-games 1000");
        std::process::exit(2);
    };
    let seed: u64 = arguments.next().flatten().unwrap_or(1);
    let mut out = BufWriter::new(io::stdout().lock());
    for index in 0..number {
        let chance = Chance((seed << 32 | index).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut pen = Pen { habits: Habits::default(), chance, text: String::new() };
        pen.game(index);
        let text = if pen.habits.crlf { pen.text.replace('\n', "\r\n") } else { pen.text };
        out.write_all(text.as_bytes())?;
    }
    out.flush()
}

/// Xorshift: the same games from the same seed on every machine.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        for (left, shift) in [(true, 13), (false, 7), (true, 17)] {
            self.0 ^= if left { self.0 << shift } else { self.0 >> shift };
        }
        (self.0 >> 11) as usize % bound.max(1)
    }

    fn one_in(&mut self, odds: usize) -> bool {
        self.below(odds) == 0
    }
}

/// The style of one game.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a habit of its own")]
struct Habits {
    crlf: bool,
    numbers: bool,
    glued: bool,
    long: bool,
    hyphens: bool,
    marks: bool,
    zeros: bool,
    equals: bool,
    suffixes: bool,
    talks: bool,
    varies: bool,
}

struct Pen {
    habits: Habits,
    chance: Chance,
    text: String,
}

impl Pen {
    fn game(&mut self, index: u64) {
        let chance = &mut self.chance;
        // Half of the games are in export format.
        let sloppy = chance.one_in(2);
        let mut has = |odds| sloppy && chance.one_in(odds);
        self.habits = Habits {
            crlf: has(4),
            numbers: !has(6),
            glued: has(2),
            long: has(4),
            hyphens: has(2),
            marks: !has(3),
            zeros: has(3),
            equals: !has(4),
            suffixes: has(2),
            talks: has(2),
            varies: has(2),
        };
        let start = self.chance.one_in(8).then(|| STARTS[self.chance.below(STARTS.len())]);
        let mut position = start.map_or_else(Chess::default, position);
        let plies = 10 + self.chance.below(100);
        self.line(&mut position, plies, 0);
        let movetext = std::mem::take(&mut self.text);
        let result = match position.outcome() {
            Outcome::Known(outcome) => outcome.as_str(),
            Outcome::Unknown => ["1-0", "0-1", "1/2-1/2", "*"][self.chance.below(4)],
        };
        let _ = write!(
            self.text,
            "[Event \"Made \\\"{}\\\" games\"]\n[Site \"Linz AUT\"]\n[Date \"20{:02}.{:02}.??\"]\n[Round \"{}.{}\"]\n\
             [White \"Adler, Ida\"]\n[Black \"Zwick, Otto\"]\n[Result \"{result}\"]\n",
            index % 7,
            self.chance.below(27),
            self.chance.below(12) + 1,
            self.chance.below(9) + 1,
            index,
        );
        if let Some(fen) = start {
            let _ = write!(self.text, "[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
        }
        let _ = write!(self.text, "\n{movetext}{result}\n\n");
    }

    fn line(&mut self, position: &mut Chess, plies: usize, depth: usize) {
        let mut number_due = true;
        for ply in 0..plies {
            let legal = position.legal_moves();
            let Some(&choice) = legal.get(self.chance.below(legal.len())) else { return };
            let before = position.clone();
            self.number(position, number_due);
            self.a_move(position, choice);
            number_due = self.notes();
            if self.habits.varies && depth < 3 && self.chance.one_in(9) {
                self.text.push('(');
                let plies = 1 + self.chance.below(5);
                self.line(&mut before.clone(), plies, depth + 1);
                self.text.truncate(self.text.trim_end_matches(' ').len());
                self.text.push_str(") ");
                number_due = true;
            }
            if ply % 9 == 8 {
                self.text.pop();
                self.text.push('\n');
            }
        }
    }

    fn number(&mut self, position: &Chess, due: bool) {
        let white = position.turn().is_white();
        if !self.habits.numbers || !(white || due) {
            return;
        }
        let _ = write!(self.text, "{}{}", position.fullmoves(), if white { "." } else { "..." });
        if !self.habits.glued {
            self.text.push(' ');
        }
    }

    fn a_move(&mut self, position: &mut Chess, choice: Move) {
        let san = SanPlus::from_move_and_play_unchecked(position, choice);
        let mut written = match (san.san, choice.from()) {
            (San::Normal { role, to, capture, promotion, .. }, Some(from)) if self.habits.long => {
                let sign = match capture {
                    true => "x",
                    false if self.habits.hyphens => "-",
                    false => "",
                };
                let full = San::Normal {
                    role,
                    file: Some(from.file()),
                    rank: Some(from.rank()),
                    capture: false,
                    to,
                    promotion,
                };
                full.to_string().replacen(&to.to_string(), &format!("{sign}{to}"), 1)
            }
            _ => san.san.to_string(),
        };
        if self.habits.zeros {
            written = written.replace('O', "0");
        }
        if !self.habits.equals {
            written = written.replace('=', "");
        }
        self.text.push_str(&written);
        if let Some(suffix) = san.suffix.filter(|_| self.habits.marks) {
            self.text.push(suffix.char());
        }
        if self.habits.suffixes && self.chance.one_in(6) {
            self.text.push_str(["!", "?", "!!", "??", "!?", "?!"][self.chance.below(6)]);
        }
        self.text.push(' ');
    }

    /// Writes NAGs and comments after a move; returns whether there were any.
    fn notes(&mut self) -> bool {
        let before = self.text.len();
        if self.habits.suffixes && self.chance.one_in(8) {
            let _ = write!(self.text, "${} ", self.chance.below(140));
        }
        if self.habits.talks && self.chance.one_in(4) {
            let words = WORDS[self.chance.below(WORDS.len())];
            let _ = write!(self.text, "{{{words}}} ");
        }
        self.text.len() > before
    }
}

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN of ours");
    fen.into_position(CastlingMode::Standard).expect("a legal position of ours")
}
