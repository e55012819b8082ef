//! Which games a PGN address selects.
//!
//! Must not know how games are written or sent.

use std::str::FromStr;
use std::sync::Arc;

use crate::gate::{GameView, Listed, RoundView, SectionView};
use hall_clock::UtcMs;

/// Time for which an ended round stays in the live file after the next round's first public move, in milliseconds
/// (docs/contracts.md, 3.4).
const LIVE_AFTER_END_MS: u64 = 10 * 60 * 1000;

/// The games of one PGN address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Selection {
    /// Every round that has not ended, and an ended one until ten minutes after the next one's first move.
    Live,
    /// Every game of the event, earlier games of a board included.
    All,
    /// Those of the live file whose tables are numbered from one number to another.
    LiveTables(u32, u32),
    /// The latest game of each table of a round.
    Round(u32),
    /// The latest games of the tables from one number to another.
    Tables(u32, u32, u32),
    /// One game by its id.
    Game(String),
}

/// An address below `/pgn`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// The event's slug where the address names one.
    pub event: Option<String>,
    /// The games.
    pub games: Selection,
}

/// No address of this form exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownAddress;

impl FromStr for Address {
    type Err = UnknownAddress;

    /// Reads the part behind `/pgn/`, percent-decoded.
    fn from_str(path: &str) -> Result<Self, UnknownAddress> {
        let parts: Vec<_> = path.split('/').collect();
        let (event, games) = match parts[..] {
            ["game", file] => (None, Selection::Game(pgn(file)?.to_owned())),
            [event, "live.pgn"] => (Some(event), Selection::Live),
            [event, "live", file] => {
                let (first, last) = tables(pgn(file)?)?;
                (Some(event), Selection::LiveTables(first, last))
            }
            [event, "all.pgn"] => (Some(event), Selection::All),
            [event, round, file] => (Some(event), in_round(number(round.strip_prefix("round-"))?, pgn(file)?)?),
            _ => return Err(UnknownAddress),
        };
        Ok(Self { event: event.map(str::to_owned), games })
    }
}

fn in_round(round: u32, name: &str) -> Result<Selection, UnknownAddress> {
    if name == "games" {
        return Ok(Selection::Round(round));
    }
    if let Some(table) = name.strip_prefix("game-") {
        let table = number(Some(table))?;
        return Ok(Selection::Tables(round, table, table));
    }
    let (first, last) = tables(name)?;
    Ok(Selection::Tables(round, first, last))
}

/// A range of tables, `boards-{first}-{last}`.
fn tables(name: &str) -> Result<(u32, u32), UnknownAddress> {
    let (first, last) = name.strip_prefix("boards-").and_then(|range| range.split_once('-')).ok_or(UnknownAddress)?;
    Ok((number(Some(first))?, number(Some(last))?))
}

fn pgn(file: &str) -> Result<&str, UnknownAddress> {
    file.strip_suffix(".pgn").ok_or(UnknownAddress)
}

/// Digits only, so that each address has one spelling.
fn number(digits: Option<&str>) -> Result<u32, UnknownAddress> {
    digits
        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0'))
        .and_then(|digits| digits.parse().ok())
        .ok_or(UnknownAddress)
}

/// The games that an address selects at one instant.
#[derive(Clone, Debug)]
pub(crate) struct Selected {
    /// The games in the order of the file.
    pub(crate) games: Vec<Listed>,
    /// When the choice of games last changed other than by their events, hall time; the view's opening if never.
    pub(crate) chosen_at: UtcMs,
    /// When the passing of time alone changes it next, hall time.
    pub(crate) until: Option<UtcMs>,
}

impl Selection {
    /// The games at hall time `now`; `None` when the round or game is not known.
    pub(crate) fn select<V>(&self, view: &SectionView<V>, now: UtcMs) -> Option<Selected> {
        let mut rounds = match self {
            Self::Live => return Some(live(view.recent_rounds(), view.opened_at(), now)),
            Self::LiveTables(first, last) => {
                let mut selected = live(view.recent_rounds(), view.opened_at(), now);
                let nothing_is_live = selected.games.is_empty();
                selected.games.retain(|game| (*first..=*last).contains(&game.at().table));
                return (nothing_is_live || !selected.games.is_empty()).then_some(selected);
            }
            Self::All => view.rounds(),
            Self::Round(number) | Self::Tables(number, ..) => vec![view.round(*number)?],
            Self::Game(id) => return Some(Selected::one(view, &view.game(id)?)),
        };
        let chosen_at = rounds.iter().map(|round| round.chosen_at).fold(view.opened_at(), UtcMs::max);
        let games = match self {
            Self::All => rounds.into_iter().flat_map(|round| round.games).collect(),
            _ => rounds.pop()?.into_latest(),
        };
        let mut selected = Selected { games, chosen_at, until: None };
        if let Self::Tables(_, first, last) = self {
            selected.games.retain(|game| (*first..=*last).contains(&game.at().table));
            if selected.games.is_empty() {
                return None;
            }
        }
        Some(selected)
    }
}

impl Selected {
    fn one<V>(view: &SectionView<V>, game: &Arc<GameView>) -> Self {
        let games = vec![Listed::Live(Arc::clone(game))];
        Self { games, chosen_at: view.opened_at(), until: None }
    }
}

fn live(rounds: Vec<RoundView>, opened_at: UtcMs, now: UtcMs) -> Selected {
    let mut selected = Selected { games: Vec::new(), chosen_at: opened_at, until: None };
    let began: Vec<_> = rounds.iter().map(|round| round.first_move_at).collect();
    for (round, next) in rounds.into_iter().zip(1..) {
        selected.chosen_at = selected.chosen_at.max(round.chosen_at);
        let next_began = began.get(next..).unwrap_or_default().iter().flatten().copied().min();
        match next_began.filter(|_| round.ended()).map(|began| began + LIVE_AFTER_END_MS) {
            Some(left_at) if left_at <= now => {
                // A round that ended later left the file with the end of its last game.
                selected.chosen_at = selected.chosen_at.max(left_at).max(round.changed_at());
                continue;
            }
            Some(leaves_at) => selected.until = Some(selected.until.map_or(leaves_at, |until| until.min(leaves_at))),
            None => (),
        }
        selected.games.extend(round.into_latest());
    }
    selected
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use game_core::event::Event;
    use hall_clock::HandSet;

    use super::*;
    use crate::test_hall::{Hall, paired, round, round_state, tags};
    use tournament::GameRef;
    use tournament::{RoundSettings, RoundState};

    #[test]
    fn every_address_has_one_meaning() {
        let address =
            |path: &str| path.parse::<Address>().map(|address| (address.event.unwrap_or_default(), address.games));
        let hall = || "hall".to_owned();
        assert_eq!(address("hall/live.pgn"), Ok((hall(), Selection::Live)));
        assert_eq!(address("hall/all.pgn"), Ok((hall(), Selection::All)));
        assert_eq!(address("hall/round-3/games.pgn"), Ok((hall(), Selection::Round(3))));
        assert_eq!(address("hall/round-3/game-12.pgn"), Ok((hall(), Selection::Tables(3, 12, 12))));
        assert_eq!(address("hall/round-3/boards-1-20.pgn"), Ok((hall(), Selection::Tables(3, 1, 20))));
        assert_eq!(address("hall/live/boards-101-200.pgn"), Ok((hall(), Selection::LiveTables(101, 200))));
        assert_eq!(
            address("game/12345-20261120-1.pgn"),
            Ok((String::new(), Selection::Game("12345-20261120-1".into())))
        );
        for wrong in [
            "",
            "hall",
            "hall/live",
            "hall/live.pgn/",
            "hall/round-/games.pgn",
            "hall/round-03/games.pgn",
            "hall/round-+3/games.pgn",
            "hall/round-99999999999/games.pgn",
            "hall/round-3/game-.pgn",
            "hall/round-3/boards-1.pgn",
            "hall/live/boards-1.pgn",
            "hall/live/games.pgn",
            "hall/round-3/boards-1-2-3.pgn",
            "hall/round-3/other.pgn",
            "hall/round-3/games.txt",
        ] {
            assert_eq!(address(wrong), Err(UnknownAddress), "{wrong}");
        }
    }

    fn ids(selection: &Selection, hall: &Hall, now: UtcMs) -> Vec<String> {
        let selected = selection.select(&hall.view, now).unwrap();
        selected.games.iter().map(|game| game.at().game.to_string()).collect()
    }

    #[test]
    fn a_round_that_ended_stays_in_the_live_file_for_a_while() {
        let hall = Hall::open(0.0);
        let now = hall.clock.now();
        hall.start_game("a", 1, 1, &[]);
        hall.play("a", 3);
        hall.happen("a", Event::GameEnded);
        assert_eq!(ids(&Selection::Live, &hall, now), ["a"], "no later round");
        hall.start_game("b", 2, 1, &[]);
        assert_eq!(
            ids(&Selection::Live, &hall, now + 2 * LIVE_AFTER_END_MS),
            ["a", "b"],
            "no move of the next round yet"
        );
        hall.play("b", 1);
        assert_eq!(ids(&Selection::Live, &hall, now + LIVE_AFTER_END_MS - 1), ["a", "b"]);
        assert_eq!(Selection::Live.select(&hall.view, now).unwrap().until, Some(now + LIVE_AFTER_END_MS));
        assert_eq!(ids(&Selection::Live, &hall, now + LIVE_AFTER_END_MS), ["b"]);
        let later = Selection::Live.select(&hall.view, now + LIVE_AFTER_END_MS).unwrap();
        assert_eq!((later.chosen_at, later.until), (now + LIVE_AFTER_END_MS, None));
        assert_eq!(ids(&Selection::All, &hall, now + LIVE_AFTER_END_MS), ["a", "b"]);
    }

    #[test]
    fn a_round_that_ends_late_changes_the_live_file_at_that_instant() {
        for by_hand in [false, true] {
            let set: &HandSet = Box::leak(Box::default());
            set.time.store(1_800_000_000_000, Ordering::SeqCst);
            let folder = tempfile::tempdir().unwrap();
            let hall = Hall::by_hand(set, folder.path());
            hall.start_game("a", 1, 1, &[]);
            hall.start_game("b", 2, 1, &[]);
            hall.play("b", 1);
            set.time.fetch_add(2 * LIVE_AFTER_END_MS, Ordering::SeqCst);
            let now = hall.clock.now();
            assert_eq!(ids(&Selection::Live, &hall, now), ["a", "b"]);
            if by_hand {
                hall.record(vec![round_state("hall", 1, RoundState::Finished)], Vec::new());
            } else {
                hall.happen("a", Event::GameEnded);
            }
            assert_eq!(ids(&Selection::Live, &hall, now), ["b"]);
            // Otherwise who asks by date would go on with the file before.
            assert_eq!(Selection::Live.select(&hall.view, now).unwrap().chosen_at, now, "{by_hand}");
        }
    }

    #[test]
    fn a_round_still_played_stays_while_the_next_is_on() {
        let hall = Hall::open(0.0);
        hall.start_game("a", 1, 1, &[]);
        hall.start_game("b", 2, 1, &[]);
        hall.play("b", 1);
        hall.happen("b", Event::GameEnded);
        assert_eq!(ids(&Selection::Live, &hall, hall.clock.now() + 10 * LIVE_AFTER_END_MS), ["a", "b"]);
    }

    #[test]
    fn published_pairings_are_live_before_they_are_played() {
        let hall = Hall::open(0.0);
        hall.start_game("a", 1, 1, &[]);
        hall.happen("a", Event::GameEnded);
        let next = GameRef { game: "b".into(), event: "hall".into(), round: 2, table: 1 };
        hall.know(&next);
        hall.record(vec![round("hall", 2, RoundSettings::default()), paired(&next)], Vec::new());
        let much_later = hall.clock.now() + 10 * LIVE_AFTER_END_MS;
        assert_eq!(ids(&Selection::Live, &hall, much_later), ["a"]);
        hall.record(vec![round_state("hall", 2, RoundState::Published)], vec![("b", tags(&[("White", "Adler, Ida")]))]);
        assert_eq!(ids(&Selection::Live, &hall, much_later), ["a", "b"]);
        hall.record(vec![round_state("hall", 2, RoundState::Finished)], Vec::new());
        assert!(hall.view.round(2).unwrap().ended(), "ended without play");
    }

    #[test]
    fn ranges_hold_the_tables_that_are_there() {
        let hall = Hall::open(0.0);
        for table in [1, 2, 5] {
            hall.start_game(&format!("t{table}"), 1, table, &[]);
        }
        assert_eq!(ids(&Selection::Tables(1, 2, 9), &hall, 0), ["t2", "t5"]);
        assert_eq!(ids(&Selection::LiveTables(2, 9), &hall, 0), ["t2", "t5"]);
        assert!(Selection::LiveTables(3, 4).select(&hall.view, 0).is_none());
        assert!(Selection::LiveTables(9, 2).select(&hall.view, 0).is_none());
        assert!(Selection::Tables(1, 3, 4).select(&hall.view, 0).is_none());
        assert!(Selection::Tables(1, 9, 2).select(&hall.view, 0).is_none());
        assert!(Selection::Round(2).select(&hall.view, 0).is_none());
        assert!(Selection::Game("t9".into()).select(&hall.view, 0).is_none());
    }
}
