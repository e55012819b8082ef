//! The games of a PGN text of another recorder. Pure.

use coded_text::{CodedText, Place};
use game_core::event::Variant;
use game_core::line::start_position;
use notation::pgn::{Game, Outcome, PgnError, is_chess960, read_games};
use notation::play::find_written;
use shakmaty::Chess;
use shakmaty::san::SanPlus;
use tournament::{EnteredMove, StartPosition, TakenStart};

use super::note::GameNote;
use super::refusal::SourceRefusal;

/// Games that are read of one text.
pub(super) const MOST_GAMES: usize = 512;

/// The usual start position.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A game as another recorder has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ReadGame {
    /// The tag `GameId`.
    pub(super) id: Option<String>,
    /// The first number of the tag `Round`.
    pub(super) round: Option<u32>,
    /// The tag `Board`, else the last number of `Round "3.12"`.
    pub(super) board: Option<u32>,
    /// White and Black, empty where they are not known.
    pub(super) names: [String; 2],
    /// Their FIDE ids.
    pub(super) fide_ids: [Option<u32>; 2],
    /// The position from which it starts, where it is not the usual one.
    pub(super) start: Option<TakenStart>,
    /// All moves up to the first that is not legal.
    pub(super) moves: Vec<EnteredMove>,
    /// All moves as they are written.
    pub(super) written: Vec<WrittenMove>,
    /// The result; none while it goes on.
    pub(super) result: Option<String>,
    /// What is wrong with it.
    pub(super) problem: Option<GameNote>,
}

/// A move of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WrittenMove {
    san: SanPlus,
    clk_ms: Option<u64>,
    emt_ms: Option<u64>,
}

impl ReadGame {
    /// Both names, for people.
    pub(super) fn players(&self) -> String {
        let [white, black] = &self.names;
        let shown = |name: &String| if name.is_empty() { "?".to_owned() } else { name.chars().take(60).collect() };
        format!("{} – {}", shown(white), shown(black))
    }

    /// The game as played from the start position of its round, where the source gives none: recorders forget it. Only a line that
    /// fits as a whole counts, since first moves like e4 are legal in many positions.
    pub(super) fn played_from(self, start: &StartPosition) -> Self {
        if self.start.is_some() || self.problem == Some(GameNote::Start) {
            return self;
        }
        let Ok(position) = start_position(&start.fen, start.variant) else { return self };
        let moves = legal_part(position, &self.written);
        if moves.len() < self.written.len() {
            return Self { moves: Vec::new(), result: None, problem: Some(GameNote::OtherStart), ..self };
        }
        Self { moves, problem: None, ..self }
    }
}

/// The games of a text.
///
/// # Errors
/// When it is not PGN.
pub(super) fn games(text: &[u8]) -> Result<Vec<ReadGame>, SourceRefusal> {
    let start = text.iter().position(|byte| !byte.is_ascii_whitespace());
    let looks_like_a_page = start.is_some_and(|start| text[start..].starts_with(b"<"));
    if looks_like_a_page {
        return Err(SourceRefusal::WebPage);
    }
    let mut games = Vec::new();
    for read in read_games(text) {
        if games.len() == MOST_GAMES {
            return Err(SourceRefusal::Games { most: MOST_GAMES });
        }
        games.push(match read {
            Ok(game) => of_game(&game),
            Err(error) => {
                let (white, black) = error.players.split_once(" - ").unwrap_or((&error.players, ""));
                let problem = Some(GameNote::NotReadable { reason: damaged(&error).into() });
                ReadGame { names: [white.to_owned(), black.to_owned()], problem, ..ReadGame::default() }
            }
        });
    }
    if start.is_some() && games.is_empty() {
        return Err(SourceRefusal::NoGame);
    }
    Ok(games)
}

/// Games of which at least one can be taken. Of a game with an illegal move, what comes before it counts.
///
/// # Errors
/// What is wrong with the first one.
pub(super) fn readable(games: &[ReadGame]) -> Result<(), SourceRefusal> {
    let any = games.is_empty() || games.iter().any(|game| game.problem.is_none() || !game.moves.is_empty());
    match games.first().and_then(|game| game.problem.clone()).filter(|_| !any) {
        Some(problem) => Err(SourceRefusal::NoReadableGame { reason: problem.into() }),
        None => Ok(()),
    }
}

/// What is wrong with a game that cannot be read, and where.
fn damaged(error: &PgnError) -> CodedText {
    let reason = match &error.reason {
        notation::pgn::Reason::NotText => SourceRefusal::NoGame.coded(),
        reason => pairings::damage(reason.clone()).coded(),
    };
    reason.at(Place { file: None, position: Some((error.line, error.column)) })
}

fn of_game(game: &Game) -> ReadGame {
    let tag = |name: &str| game.tags.get(name).map(str::trim).filter(|value| !matches!(*value, "" | "?" | "-"));
    let number = |text: &str| {
        let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().ok().filter(|number| *number > 0)
    };
    let round = tag("Round");
    let after_dot = round.and_then(|round| round.rsplit_once('.')).and_then(|(_, board)| number(board));
    let side = |side: &str| tag(side).unwrap_or_default().to_owned();
    let fide_id = |side: &str| tag(&format!("{side}FideId")).and_then(|id| id.parse().ok()).filter(|id: &u32| *id > 0);
    let written = game.line().map(|played| {
        let times = played.times();
        WrittenMove { san: played.san, clk_ms: times.clk_ms, emt_ms: times.emt_ms }
    });
    let written: Vec<_> = written.collect();
    let (start, moves, problem) = moves_of(game, &written);
    ReadGame {
        id: tag("GameId").map(str::to_owned),
        round: round.and_then(number),
        board: tag("Board").and_then(number).or(after_dot),
        names: [side("White"), side("Black")],
        fide_ids: [fide_id("White"), fide_id("Black")],
        start,
        moves,
        written,
        result: (game.outcome != Outcome::Unknown).then(|| game.outcome.as_str().to_owned()),
        problem,
    }
}

/// The start and the moves up to the first that is not legal, and what is wrong.
fn moves_of(game: &Game, written: &[WrittenMove]) -> (Option<TakenStart>, Vec<EnteredMove>, Option<GameNote>) {
    let is_960 = is_chess960(&game.tags);
    let variant = if is_960 { Variant::Chess960 } else { Variant::Standard };
    let fen = game.tags.get("FEN").unwrap_or(START);
    let Ok(position) = start_position(fen, variant) else {
        return (None, Vec::new(), Some(GameNote::Start));
    };
    let start = (fen != START || is_960).then(|| TakenStart { fen: fen.to_owned(), variant });
    let moves = legal_part(position, written);
    let illegal = (moves.len() < written.len()).then_some(GameNote::Illegal { ply: moves.len() + 1 });
    (start, moves, illegal)
}

/// The moves up to the first that is not legal.
fn legal_part(mut position: Chess, written: &[WrittenMove]) -> Vec<EnteredMove> {
    let moves = written.iter().map_while(|played| {
        let found = find_written(&position, played.san).ok()?;
        let san = SanPlus::from_move_and_play_unchecked(&mut position, found).to_string();
        Some(EnteredMove { san, clk_ms: played.clk_ms, emt_ms: played.emt_ms })
    });
    moves.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "[Event \"B\"]\n[Round \"3.12\"]\n[White \"Adler, Ida\"]\n[Black \"Novák, Ivo\"]\n[WhiteFideId \"77\"]\n[Result \"*\"]\n\n\
                        1. e4 {[%clk 1:29:30]} e5 2. Nf3 *\n\n";

    #[test]
    fn a_game_has_its_place_its_players_and_its_moves() {
        let games = games(GAME.as_bytes()).unwrap();
        let [game] = &games[..] else { panic!("{games:?}") };
        assert_eq!((game.round, game.board, game.fide_ids), (Some(3), Some(12), [Some(77), None]));
        assert_eq!(game.moves.len(), 3);
        assert_eq!(game.moves[0].clk_ms, Some(5_370_000));
        assert_eq!((game.result.clone(), game.players()), (None, "Adler, Ida – Novák, Ivo".to_owned()));
    }

    #[test]
    fn an_illegal_move_ends_its_game_and_no_other() {
        let text = format!("{}{GAME}", GAME.replace("2. Nf3", "2. Nf5 Nc6 3. Bb5"));
        let games = games(text.as_bytes()).unwrap();
        assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(games[0].problem, Some(GameNote::Illegal { ply: 3 }));
    }

    #[test]
    fn a_text_whose_only_game_has_an_illegal_move_is_taken_up_to_it() {
        let games = games(GAME.replace("2. Nf3", "2. Nf5").as_bytes()).unwrap();
        assert_eq!((games[0].moves.len(), games[0].problem.clone()), (2, Some(GameNote::Illegal { ply: 3 })));
        let nothing =
            readable(&super::games(GAME.replace("1. e4", "1. e5").as_bytes()).unwrap()).unwrap_err().to_string();
        assert!(nothing.contains("No game can be read") && nothing.contains("Ply 1 is not legal"), "{nothing}");
    }

    #[test]
    fn moves_without_a_start_position_are_read_from_that_of_their_round() {
        let start = tournament::DrawnStart::Chess960(0).position().unwrap();
        let read = |tags: &str, moves: &str| {
            let text = format!("[White \"A\"]\n[Black \"B\"]\n{tags}[Result \"1-0\"]\n\n{moves} 1-0\n\n");
            games(text.as_bytes()).unwrap().remove(0).played_from(&start)
        };
        // The pieces of this position are BBQNNRKR.
        let fits = read("", "1. Nd3 {[%clk 1:29:30]} e5 2. Ne3");
        let moves: Vec<_> = fits.moves.iter().map(|played| (&*played.san, played.clk_ms)).collect();
        assert_eq!(moves, [("Nd3", Some(5_370_000)), ("e5", None), ("Ne3", None)]);
        assert_eq!((fits.problem, fits.result.as_deref()), (None, Some("1-0")));
        for standard in ["1. e4 e5 2. Bc4", "1. e4 e5 2. Qh5"] {
            let other = read("", standard);
            assert_eq!(
                (other.moves.len(), other.result, other.problem),
                (0, None, Some(GameNote::OtherStart)),
                "{standard}"
            );
        }
        let own = read("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n", "1. e4");
        assert_eq!((own.moves.len(), own.problem), (1, None), "what the source gives counts");
        assert_eq!(read("[FEN \"nonsense\"]\n", "1. e4").problem, Some(GameNote::Start));
    }

    #[test]
    fn chess960_is_known_by_each_of_its_names() {
        for name in ["Fischerandom", "Fischer Random", "Freestyle", "chess960"] {
            let tags =
                format!("[Variant \"{name}\"]\n[FEN \"rbnnqkbr/pppppppp/8/8/8/8/PPPPPPPP/RBNNQKBR w HAha - 0 1\"]\n");
            let games = games(format!("{tags}{}", GAME.replace("2. Nf3", "2. Nd3")).as_bytes()).unwrap();
            assert_eq!((games[0].problem.clone(), games[0].moves.len()), (None, 3), "{name}");
            assert_eq!(games[0].start.as_ref().map(|start| start.variant), Some(Variant::Chess960), "{name}");
        }
    }

    #[test]
    fn rubbish_is_refused_with_a_sentence() {
        for wrong in ["<!doctype html><title>404</title>", "  \n<html>", "{\"error\": 1}", "\0\0\0\u{ffff}"] {
            let said = games(wrong.as_bytes()).and_then(|games| readable(&games)).unwrap_err().to_string();
            assert!(["web page", "No game", "no game"].iter().any(|words| said.contains(words)), "{wrong}: {said}");
        }
        assert_eq!(games(b""), Ok(Vec::new()));
        let many = GAME.repeat(MOST_GAMES + 1);
        assert!(games(many.as_bytes()).unwrap_err().to_string().contains("more than 512"));
    }
}
