//! Reading with legality checks and canonical rewriting, compared with pgn-reader plus shakmaty and with `pgn-extract`.
//!
//! Prints times and ratios of one run. The programs take turns on the same file, each in one thread. Measures processor
//! time, because machines are shared, or wall-clock time where the system does not report it. `BOARDCAST_BENCH_PGN` names
//! a file to measure instead of generated games. `pgn-extract` runs as a process, start-up included, if it is installed.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "a benchmark has files and a clock")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Instant;

use notation::pgn::{Reader, read_games, write_game};
use pgn_reader::{Nag, RawComment, RawTag, Reader as BareReader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Position};

const ROUNDS: u32 = 9;
/// What the commands for files read at a time.
const PIECE: usize = 256 * 1024;

fn main() {
    let texts = match std::env::var("BOARDCAST_BENCH_PGN") {
        Ok(path) => vec![(path.clone(), std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}")))],
        Err(_) => vec![
            ("moves and tags".to_owned(), made(4_000, Style::Plain).into_bytes()),
            (
                "a clock and an evaluation after every move, as Lichess writes them".to_owned(),
                made(3_000, Style::Lichess).into_bytes(),
            ),
            (
                "many tags, glued numbers, carriage returns, as in a weekly file".to_owned(),
                made(4_000, Style::Weekly).into_bytes(),
            ),
        ],
    };
    for (name, text) in texts {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench.pgn");
        std::fs::write(&path, &text).expect("the target folder can be written");
        measure(&name, &text, &path);
    }
}

fn measure(name: &str, text: &[u8], path: &Path) {
    let plies: usize = read_games(text).filter_map(Result::ok).map(|game| game.line().count()).sum();
    println!("{name}: {:.1} MB, {plies} moves", text.len() as f64 / 1e6);
    let jobs: [(&str, &dyn Fn() -> Option<usize>); 8] = [
        ("read by the rules: boardcast", &|| Some(read(check_moves().skip_comments(), text))),
        ("read by the rules: pgn-reader and shakmaty", &|| Some(bare(text, false))),
        ("read by the rules: pgn-extract -r", &|| pgn_extract(path, &["-r"])),
        ("rewrite: boardcast", &|| Some(rewrite(text))),
        ("rewrite: pgn-reader and shakmaty", &|| Some(bare(text, true))),
        ("rewrite: pgn-extract", &|| pgn_extract(path, &[])),
        ("besides: read with comments kept: boardcast", &|| Some(read(check_moves(), text))),
        ("besides: read without the rules: boardcast", &|| Some(read(Reader::new().skip_comments(), text))),
    ];
    let mut sums = [Some(0.0); 8];
    for _ in 0..ROUNDS {
        for ((_, job), sum) in jobs.iter().zip(&mut sums) {
            let start = seconds();
            let done = black_box(job());
            *sum = sum.zip(done).map(|(sum, _)| sum + seconds() - start);
        }
    }
    for ((name, _), sum) in jobs.iter().zip(sums) {
        match sum.map(|sum| sum / f64::from(ROUNDS)) {
            Some(time) => println!("  {name:<46} {:7.1} ms {:6.0} ns a move", time * 1e3, time * 1e9 / plies as f64),
            None => println!("  {name:<46} not installed"),
        }
    }
    let [read, bare_read, extract_read, rewrite, bare_rewrite, extract_rewrite, ..] =
        sums.map(|sum| sum.unwrap_or(f64::NAN));
    println!(
        "  reading:   pgn-extract / boardcast {:.2} (goal 5), boardcast / bare {:.2} (goal 1.3)",
        extract_read / read,
        read / bare_read
    );
    println!(
        "  rewriting: pgn-extract / boardcast {:.2} (goal 3), boardcast / bare {:.2} (goal 1.3)",
        extract_rewrite / rewrite,
        rewrite / bare_rewrite
    );
}

/// Processor time in seconds of this thread and of all programs that it ran.
fn seconds() -> f64 {
    thread_seconds().zip(children_seconds()).map_or_else(wall_seconds, |(thread, children)| thread + children)
}

/// Linux counts it in nanoseconds.
fn thread_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(stat.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

/// Linux counts it in hundredths of a second, in a field after the name of the program.
fn children_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let hundredths: Vec<f64> =
        fields.split_whitespace().skip(13).take(2).filter_map(|text| text.parse().ok()).collect();
    Some(hundredths.iter().sum::<f64>() / 100.0)
}

fn wall_seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

fn check_moves() -> Reader {
    Reader::new().check_moves()
}

/// Each game of a text in pieces.
fn each_game(mut reader: Reader, text: &[u8], mut see: impl FnMut(notation::pgn::Game)) {
    for piece in text.chunks(PIECE) {
        reader.feed(piece);
        while let Some(game) = reader.next_game() {
            game.into_iter().for_each(&mut see);
        }
    }
    reader.finish();
    while let Some(game) = reader.next_game() {
        game.into_iter().for_each(&mut see);
    }
}

fn read(reader: Reader, text: &[u8]) -> usize {
    let mut elements = 0;
    each_game(reader, text, |game| elements += game.movetext.len());
    elements
}

fn rewrite(text: &[u8]) -> usize {
    let mut bytes = 0;
    each_game(check_moves(), text, |game| bytes += black_box(write_game(&game)).len());
    bytes
}

fn pgn_extract(path: &Path, options: &[&str]) -> Option<usize> {
    let run = |program: &str| {
        let mut command = Command::new(program);
        command.arg("--quiet").args(options).arg(path).stdout(Stdio::null()).stderr(Stdio::null()).status().ok()
    };
    let status = run("pgn-extract").or_else(|| run("/usr/games/pgn-extract"))?;
    Some(usize::from(status.success()))
}

/// The least that does the job with pgn-reader and shakmaty: every move of lines and variations is made; if asked, tags,
/// canonical moves, comments and glyphs are written, without filling lines.
fn bare(text: &[u8], write: bool) -> usize {
    let mut reader = BareReader::new(Cursor::new(text));
    let mut bare = Bare { written: write.then(String::new), lines: Vec::new(), plies: 0 };
    let mut bytes = 0;
    while reader.read_game(&mut bare).expect("memory can be read").is_some() {
        if let Some(written) = &mut bare.written {
            bytes += black_box(&*written).len();
            written.clear();
        }
    }
    bytes + bare.plies
}

struct Bare {
    written: Option<String>,
    /// Before and after the latest move of each open line.
    lines: Vec<(Chess, Chess)>,
    plies: usize,
}

impl Visitor for Bare {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if let Some(written) = &mut self.written {
            let (name, value) = (String::from_utf8_lossy(name), String::from_utf8_lossy(value.as_bytes()));
            let _ = writeln!(written, "[{name} \"{value}\"]");
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        self.lines.clear();
        self.lines.push((Chess::default(), Chess::default()));
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        let Some((before, now)) = self.lines.last_mut() else { return ControlFlow::Break(()) };
        let Ok(played) = san.san.to_move(now) else { return ControlFlow::Break(()) };
        before.clone_from(now);
        self.plies += 1;
        match &mut self.written {
            Some(written) => {
                let number = now.fullmoves();
                if now.turn().is_white() {
                    let _ = write!(written, "{number}. ");
                }
                SanPlus::from_move_and_play_unchecked(now, played).append_to_string(written);
                written.push(' ');
            }
            None => now.play_unchecked(played),
        }
        ControlFlow::Continue(())
    }

    fn nag(&mut self, (): &mut (), nag: Nag) -> ControlFlow<()> {
        if let Some(written) = &mut self.written {
            let _ = write!(written, "{nag} ");
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        if let Some(written) = &mut self.written {
            let _ = write!(written, "{{{}}} ", String::from_utf8_lossy(comment.as_bytes()));
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        let before = self.lines.last().map(|(before, _)| before.clone()).unwrap_or_default();
        self.lines.push((before.clone(), before));
        if let Some(written) = &mut self.written {
            written.push('(');
        }
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
        self.lines.pop();
        if let Some(written) = &mut self.written {
            written.push(')');
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (): &mut (), outcome: pgn_reader::Outcome) -> ControlFlow<()> {
        if let Some(written) = &mut self.written {
            let _ = writeln!(written, "{outcome}\n");
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// How made games are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// The export format.
    Plain,
    /// A comment after every move, all on one line.
    Lichess,
    /// More tags, no space after the numbers, line ends with carriage returns.
    Weekly,
}

/// Games by a fixed chance, with the tags of a broadcast.
fn made(games: usize, style: Style) -> String {
    let mut text = String::new();
    let mut chance = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |below: usize| {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        (chance % below as u64) as usize
    };
    let line_end = if style == Style::Weekly { "\r\n" } else { "\n" };
    for number in 0..games {
        tags(&mut text, number, style, line_end);
        let mut position = Chess::default();
        for ply in 0..80 + draw(40) {
            let legal = position.legal_moves();
            let Some(&choice) = legal.get(draw(legal.len().max(1))) else { break };
            let move_number = ply / 2 + 1;
            let _ = match (style, ply % 2) {
                (Style::Weekly, 0) => write!(text, "{move_number}."),
                (_, 0) => write!(text, "{move_number}. "),
                (Style::Lichess, _) => write!(text, "{move_number}... "),
                _ => Ok(()),
            };
            let _ = write!(text, "{} ", SanPlus::from_move_and_play_unchecked(&mut position, choice));
            if style == Style::Lichess {
                let (pawns, minutes, seconds) = (draw(99), draw(60), draw(60));
                let _ = write!(text, "{{ [%eval 0.{pawns:02}] [%clk 1:{minutes:02}:{seconds:02}] }} ");
            } else if ply % 12 == 11 {
                text.pop();
                text.push_str(line_end);
            }
        }
        let _ = write!(text, "1/2-1/2{line_end}{line_end}");
    }
    text
}

fn tags(text: &mut String, number: usize, style: Style, line_end: &str) {
    let round = format!("{}.{}", number / 100 + 1, number % 100 + 1);
    let mut tags = vec![
        ("Event", "City Open"),
        ("Site", "Linz AUT"),
        ("Date", "2026.11.21"),
        ("Round", &round),
        ("White", "Adler, Ida"),
        ("Black", "Zwick, Otto"),
        ("Result", "1/2-1/2"),
    ];
    if style == Style::Weekly {
        tags.extend([("WhiteTitle", "WGM"), ("BlackTitle", "FM")]);
    }
    tags.extend([("WhiteElo", "2405"), ("BlackElo", "2301"), ("ECO", "C20")]);
    if style == Style::Weekly {
        tags.extend([("Opening", "King's pawn game"), ("WhiteFideId", "1600001"), ("BlackFideId", "1600002")]);
        tags.push(("EventDate", "2026.11.20"));
    } else {
        tags.push(("TimeControl", "5400+30"));
    }
    for (name, value) in tags {
        let _ = write!(text, "[{name} \"{value}\"]{line_end}");
    }
    text.push_str(line_end);
}
