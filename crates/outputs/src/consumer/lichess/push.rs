//! Bodies of pushes, and what their answers mean. Pure.

use bytes::{BufMut as _, Bytes, BytesMut};
use serde::Deserialize;

use super::failed;
use super::sentence::LichessSentence;
use crate::consumer::answers::shown;
use crate::http::Response;
use crate::queue::{Failure, Parcel, Work};

/// Games that a round at Lichess can have, and that a push can carry.
pub(crate) const MOST_GAMES: usize = 100;

/// Size of a body: Lichess takes 512 KiB.
pub(crate) const MOST_BYTES: usize = 448 * 1024;

/// The games of one push.
#[derive(Debug)]
pub(crate) struct Batch<'a> {
    /// Our round.
    pub(crate) round: u32,
    /// In order.
    pub(crate) games: Vec<&'a Parcel>,
    /// Whether all games of the round fit into one push.
    pub(crate) is_whole_round_possible: bool,
}

impl<'a> Batch<'a> {
    /// The next push: the first round with something to send, as much of it as fits; none when there is nothing to send.
    pub(crate) fn next(parcels: &'a [Parcel], work: &Work<'a>, most_bytes: usize, singly: bool) -> Option<Self> {
        let changed = work.changed.first().map(|parcel| parcel.round);
        let round = changed.into_iter().chain(work.reordered.first().copied()).min()?;
        let all: Vec<_> = parcels.iter().filter(|parcel| parcel.round == round).collect();
        let size = |games: &[&Parcel]| games.iter().map(|parcel| parcel.bytes.len() + 2).sum::<usize>();
        let is_whole_round_possible = all.len() <= MOST_GAMES && size(&all) <= most_bytes && !singly;
        let reordered = work.reordered.contains(&round);
        let candidates = if reordered && is_whole_round_possible {
            all
        } else {
            let mut changed: Vec<_> = work.changed.iter().copied().filter(|parcel| parcel.round == round).collect();
            if changed.is_empty() {
                // An order that cannot be changed; one game is pushed, so that this is not tried again.
                changed.extend(all.first());
            }
            changed
        };
        let (mut games, mut bytes) = (Vec::new(), 0);
        for parcel in candidates.into_iter().take(if singly { 1 } else { MOST_GAMES }) {
            bytes += parcel.bytes.len() + 2;
            if bytes > most_bytes && !games.is_empty() {
                break;
            }
            games.push(parcel);
        }
        Some(Self { round, games, is_whole_round_possible })
    }

    /// The PGN of the games, an empty line between them.
    pub(crate) fn body(&self) -> Bytes {
        let mut body = BytesMut::new();
        for parcel in &self.games {
            body.put(&parcel.bytes[..]);
            while !body.ends_with(b"\n\n") {
                body.put_u8(b'\n');
            }
        }
        body.freeze()
    }

    /// Size of the body in bytes, about.
    pub(crate) fn size(&self) -> usize {
        self.games.iter().map(|parcel| parcel.bytes.len()).sum()
    }
}

/// What the answer to a push means.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// For each game its number of moves, or why it was refused.
    Games(Vec<Result<u32, String>>),
    /// One of the games made the whole push fail.
    Split,
    /// The body was too large.
    TooLarge,
    /// The push failed.
    Failed(Failure),
}

#[derive(Deserialize)]
struct Answer {
    games: Vec<AnsweredGame>,
}

#[derive(Deserialize)]
struct AnsweredGame {
    moves: Option<u32>,
    error: Option<String>,
}

/// Reads the answer to a push of so many games.
pub(crate) fn read(response: &Response, pushed: usize) -> Outcome {
    match response.status {
        200 => {}
        400 | 422 => return Outcome::Split,
        413 => return Outcome::TooLarge,
        _ => return Outcome::Failed(failed(response)),
    }
    let not_understood = LichessSentence::NotUnderstood;
    let Ok(Answer { games }) = serde_json::from_slice(&response.body) else {
        return Outcome::Failed(Failure::unreachable(not_understood));
    };
    if let [AnsweredGame { error: Some(error), .. }] = &games[..]
        && (pushed != 1 || error.contains("source"))
    {
        return Outcome::Failed(Failure::refused(LichessSentence::NoPushes { said: shown(error) }));
    }
    if games.len() != pushed {
        return Outcome::Failed(Failure::unreachable(not_understood));
    }
    let games = games.into_iter().map(|game| match game.error {
        Some(error) => Err(shown(&error)),
        None => Ok(game.moves.unwrap_or(0)),
    });
    Outcome::Games(games.collect())
}

#[cfg(test)]
mod tests {
    use coded_text::CodedText;

    use super::*;
    use crate::queue::{FailureKind, Queue};

    fn parcel(round: u32, key: &str, size: usize) -> Parcel {
        Parcel {
            key: key.into(),
            label: Box::new(CodedText::in_words(key)),
            round,
            digest: "1".into(),
            bytes: vec![b'x'; size].into(),
            game: None,
        }
    }

    fn keys<'a>(batch: &Batch<'a>) -> Vec<&'a str> {
        batch.games.iter().map(|parcel| parcel.key.as_str()).collect()
    }

    #[test]
    fn a_push_carries_the_changed_games_of_one_round() {
        let parcels = [parcel(1, "a", 10), parcel(1, "b", 10), parcel(2, "c", 10)];
        let mut queue = Queue::default();
        queue.acknowledged(&parcels[0]);
        let batch = Batch::next(&parcels, &queue.work(&parcels), MOST_BYTES, false).unwrap();
        assert_eq!((batch.round, keys(&batch)), (1, vec!["b"]));
        queue.acknowledged(&parcels[1]);
        let batch = Batch::next(&parcels, &queue.work(&parcels), MOST_BYTES, false).unwrap();
        assert_eq!((batch.round, keys(&batch)), (2, vec!["c"]));
        queue.acknowledged(&parcels[2]);
        assert!(Batch::next(&parcels, &queue.work(&parcels), MOST_BYTES, false).is_none());
    }

    #[test]
    fn a_changed_order_sends_the_whole_round() {
        let parcels = [parcel(1, "b", 10), parcel(1, "a", 10)];
        let mut queue = Queue::default();
        for parcel in &parcels {
            queue.acknowledged(parcel);
        }
        queue.ordered(1, vec!["a".into(), "b".into()]);
        let batch = Batch::next(&parcels, &queue.work(&parcels), MOST_BYTES, false).unwrap();
        assert_eq!(keys(&batch), ["b", "a"]);
    }

    #[test]
    fn a_push_has_at_most_a_hundred_games_and_the_largest_body() {
        let parcels: Vec<_> = (0..150).map(|n| parcel(1, &format!("{n:03}"), 10_000)).collect();
        let queue = Queue::default();
        let work = queue.work(&parcels);
        let batch = Batch::next(&parcels, &work, MOST_BYTES, false).unwrap();
        assert!(batch.body().len() <= MOST_BYTES && batch.games.len() == MOST_BYTES / 10_002);
        assert_eq!(Batch::next(&parcels, &work, usize::MAX, false).unwrap().games.len(), MOST_GAMES);
        assert_eq!(Batch::next(&parcels, &work, MOST_BYTES, true).unwrap().games.len(), 1);
        let large = [parcel(1, "large", MOST_BYTES + 1)];
        let batch = Batch::next(&large, &queue.work(&large), MOST_BYTES, false);
        assert_eq!(batch.unwrap().games.len(), 1, "Lichess decides on it");
    }

    #[test]
    fn games_are_divided_by_an_empty_line() {
        let mut parcels = [parcel(1, "a", 0), parcel(1, "b", 0)];
        parcels[0].bytes = "[Event \"x\"]\n\n*\n".into();
        parcels[1].bytes = "[Event \"y\"]\n\n*\n\n".into();
        let queue = Queue::default();
        let batch = Batch::next(&parcels, &queue.work(&parcels), MOST_BYTES, false).unwrap();
        assert_eq!(batch.body(), "[Event \"x\"]\n\n*\n\n[Event \"y\"]\n\n*\n\n");
    }

    fn answered(status: u16, body: &str, pushed: usize) -> Outcome {
        read(&Response { status, body: body.to_owned().into(), ..Response::default() }, pushed)
    }

    #[test]
    fn answers_name_each_game() {
        let body = r#"{"games":[{"tags":{"White":"A"},"moves":17},{"tags":{},"error":"Invalid move Qe9"}]}"#;
        assert_eq!(answered(200, body, 2), Outcome::Games(vec![Ok(17), Err("Invalid move Qe9".into())]));
        let kind = |outcome| match outcome {
            Outcome::Failed(failure) => Some(failure.kind),
            _ => None,
        };
        let source = r#"{"games":[{"tags":{},"error":"Cannot push to a broadcast with a source URL"}]}"#;
        assert_eq!(kind(answered(200, source, 3)), Some(FailureKind::Refused));
        assert_eq!(kind(answered(200, source, 1)), Some(FailureKind::Refused));
        for rubbish in ["", "<html>", "[]", "{}", r#"{"games":7}"#, r#"{"games":[]}"#, &"[".repeat(100_000)] {
            assert_eq!(kind(answered(200, rubbish, 2)), Some(FailureKind::Unreachable), "{rubbish:.20}");
        }
        assert_eq!(answered(400, r#"{"error":"Cannot parse moves"}"#, 2), Outcome::Split);
        assert_eq!(answered(413, "", 2), Outcome::TooLarge);
        assert_eq!(kind(answered(429, "", 2)), Some(FailureKind::Busy(None)));
        assert_eq!(kind(answered(302, "", 2)), Some(FailureKind::Refused));
    }
}
