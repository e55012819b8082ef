//! What Lichess shows, compared with what it acknowledged. Pure.
//!
//! An acknowledged push says that games were understood, not that they are shown: a corrected move stays in the tree there as
//! a variation, and boards can be mixed up.

use coded_text::CodedText;
use notation::pgn::{Game, Outcome, read_games};
use serde::Deserialize;

use super::sentence::LichessSentence;
use crate::queue::Parcel;
use crate::status::ItemProblem;
use crate::wanted::WantedRound;

/// What Lichess says of a round.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RoundState {
    pub(super) name: String,
    /// Seconds by which Lichess delays it.
    pub(super) delay_s: u64,
    pub(super) is_finished: bool,
    /// Whether the owner of the token may write; none where Lichess does not say.
    pub(super) is_writeable: Option<bool>,
}

#[derive(Deserialize)]
struct Answer {
    round: Round,
    study: Option<Study>,
}

#[derive(Deserialize)]
struct Round {
    name: String,
    #[serde(default)]
    delay: Option<u64>,
    #[serde(default)]
    finished: Option<bool>,
}

#[derive(Deserialize)]
struct Study {
    writeable: Option<bool>,
}

impl RoundState {
    pub(super) fn read(body: &[u8]) -> Option<Self> {
        let Answer { round, study } = serde_json::from_slice(body).ok()?;
        Some(Self {
            name: round.name.chars().filter(|letter| !letter.is_control()).take(80).collect(),
            delay_s: round.delay.unwrap_or(0),
            is_finished: round.finished.unwrap_or(false),
            is_writeable: study.and_then(|study| study.writeable),
        })
    }

    /// What a person has to look at there.
    pub(super) fn warnings(&self, number: u32, round: &WantedRound) -> Vec<CodedText> {
        let mut warnings = Vec::new();
        if self.delay_s > 0 && round.is_delayed {
            let delayed = LichessSentence::Delayed { round: number, minutes: self.delay_s.div_ceil(60) };
            warnings.push(delayed.coded());
        }
        if self.is_finished && round.is_running {
            warnings.push(LichessSentence::Ended { round: number }.coded());
        }
        warnings
    }
}

/// Games that Lichess does not show, or shows otherwise than they were sent.
pub(super) fn differences(sent: &[&Parcel], shown: &[u8]) -> Vec<ItemProblem> {
    let shown: Vec<Game> = read_games(shown).filter_map(Result::ok).collect();
    let mut problems = Vec::new();
    for (place, parcel) in sent.iter().enumerate() {
        let Some(Ok(game)) = read_games(&parcel.bytes[..]).next() else { continue };
        let same = |other: &&Game| game.tags.get("GameId").is_some_and(|id| other.tags.get("GameId") == Some(id));
        let in_place =
            || shown.get(place).filter(|other| shown.len() == sent.len() && other.tags.get("GameId").is_none());
        let differs = match shown.iter().find(same).or_else(in_place) {
            None => Some(LichessSentence::NotShown),
            Some(other) => difference(&game, other),
        };
        let item = || parcel.label.clone();
        problems.extend(differs.map(|reason| ItemProblem { item: item(), reason: reason.into() }));
    }
    problems
}

fn difference(sent: &Game, shown: &Game) -> Option<LichessSentence> {
    let moves = |game: &Game| game.line().map(|ply| ply.san.san.to_string()).collect::<Vec<_>>();
    let (ours, theirs) = (moves(sent), moves(shown));
    let equal = ours.iter().zip(&theirs).take_while(|(one, other)| one == other).count();
    if equal < ours.len().min(theirs.len()) || theirs.len() > ours.len() {
        return Some(LichessSentence::OtherMoves { number: equal / 2 + 1 });
    }
    if theirs.len() < ours.len() {
        return Some(LichessSentence::FewerPlies { shown: theirs.len(), sent: ours.len() });
    }
    // A mate is a result there although none was sent.
    let differs = sent.outcome != shown.outcome && sent.outcome != Outcome::Unknown;
    let result = |game: &Game| game.outcome.as_str().to_owned();
    differs.then(|| LichessSentence::OtherResult { shown: result(shown), sent: result(sent) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pgn(id: &str, moves: &str) -> String {
        let result = moves.split(' ').next_back().unwrap();
        format!("[Event \"x\"]\n[GameId \"{id}\"]\n[Result \"{result}\"]\n\n{moves}\n\n")
    }

    fn found(sent: &[(&str, &str)], shown: &str) -> Vec<String> {
        let parcels: Vec<_> = sent
            .iter()
            .map(|(id, moves)| Parcel {
                key: (*id).into(),
                label: Box::new(CodedText::in_words(*id)),
                round: 1,
                digest: String::new(),
                bytes: pgn(id, moves).into(),
                game: None,
            })
            .collect();
        let sent: Vec<_> = parcels.iter().collect();
        differences(&sent, shown.as_bytes())
            .into_iter()
            .map(|problem| format!("{}: {}", problem.item, problem.reason))
            .collect()
    }

    #[test]
    fn equal_games_have_no_differences() {
        let shown = pgn("b", "1. d4 d5 1/2-1/2") + &pgn("a", "1. e4 e5 *");
        assert_eq!(found(&[("a", "1. e4 e5 *"), ("b", "1. d4 d5 1/2-1/2")], &shown), [""; 0]);
    }

    #[test]
    fn each_difference_is_named() {
        let shown = pgn("a", "1. e4 e5 2. Nf3 *") + &pgn("b", "1. d4 *") + &pgn("c", "1. c4 0-1");
        let sent = [("a", "1. e4 c5 *"), ("b", "1. d4 d5 *"), ("c", "1. c4 1-0"), ("d", "*")];
        assert_eq!(
            found(&sent, &shown),
            [
                "a: Lichess shows other moves from move 1 on: empty the round and send it again.",
                "b: Lichess shows 1 of 2 plies.",
                "c: Lichess shows the result 0-1, and 1-0 was sent.",
                "d: Lichess does not show this game.",
            ]
        );
        assert_eq!(found(&[("a", "1. e4 *")], &pgn("a", "1. e4 e5 *")).len(), 1, "a move that was taken back");
    }

    #[test]
    fn rubbish_is_no_game() {
        for rubbish in ["", "<html>", "\u{0}\u{1}", &"(".repeat(100_000)] {
            assert_eq!(found(&[("a", "1. e4 *")], rubbish), ["a: Lichess does not show this game."], "{rubbish:.9}");
        }
        assert_eq!(RoundState::read(b"<html>"), None);
        let read = RoundState::read(br#"{"round":{"name":"Round 1","delay":900},"study":{"writeable":true}}"#).unwrap();
        assert_eq!((read.delay_s, read.is_finished, read.is_writeable), (900, false, Some(true)));
    }
}
