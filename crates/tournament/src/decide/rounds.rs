//! Orders that bring a round further: published, armed, finished, and on again.

use std::sync::Arc;

use super::Work;
use crate::fact::Fact;
use crate::hall::{Found, Hall};
use crate::order::Order;
use crate::refusal::Refusal;
use crate::round::{Pairing, PairingState, RoundState};
use crate::section::Section;

impl Work<'_> {
    pub(super) fn publish(&mut self, slug: &str, number: u32) -> Result<(), Refusal> {
        let (section, round) = self.round(slug, number)?;
        let arming = section.settings.arm_by_publishing;
        if round.state != RoundState::Prepared {
            return Err(Refusal::Conflict(format!("round {number} of «{slug}» is public already")));
        }
        if round.games.is_empty() {
            return Err(Refusal::Conflict(format!(
                "nobody is paired in round {number} of «{slug}»: load its pairings first"
            )));
        }
        let with_board = self.games_with_board(slug, number);
        let (section, all) = (Arc::clone(&section.slug), round.games.len());
        self.note(format!("round {number}: {with_board} of {all} games have a board"));
        self.fact(Fact::RoundState { section, round: number, state: RoundState::Published });
        if arming { self.arm(slug, number) } else { Ok(()) }
    }

    pub(super) fn arm(&mut self, slug: &str, number: u32) -> Result<(), Refusal> {
        let (section, round) = self.round(slug, number)?;
        if !matches!(round.state, RoundState::Prepared | RoundState::Published) {
            let reason = match round.state {
                RoundState::Finished => format!("round {number} of «{slug}» is over: reopen it first"),
                _ => format!("round {number} of «{slug}» is armed already"),
            };
            return Err(Refusal::Conflict(reason));
        }
        if round.games.is_empty() {
            return Err(Refusal::Conflict(format!(
                "nobody is paired in round {number} of «{slug}»: load its pairings first"
            )));
        }
        let doubled = self.doubled_tables(slug, number);
        let (section, drawn) = (Arc::clone(&section.slug), round.start.is_some());
        for question in doubled {
            self.ask(question);
        }
        self.fact(Fact::RoundState { section, round: number, state: RoundState::Armed });
        if drawn {
            self.expect_start(slug, number);
        }
        self.take_what_stands(slug, number)
    }

    pub(super) fn finish(&mut self, slug: &str, number: u32) -> Result<(), Refusal> {
        let (section, round) = self.round(slug, number)?;
        if round.state == RoundState::Finished {
            return Err(Refusal::Conflict(format!("round {number} of «{slug}» is over already")));
        }
        let open = round.games.iter().filter(|game| !game.is_settled()).count();
        let section = Arc::clone(&section.slug);
        if open > 0 {
            self.note(format!("{open} games of round {number} have no result"));
        }
        self.fact(Fact::RoundState { section, round: number, state: RoundState::Finished });
        Ok(())
    }

    pub(super) fn reopen(&mut self, slug: &str, number: u32) -> Result<(), Refusal> {
        let (section, round) = self.round(slug, number)?;
        if round.state != RoundState::Finished {
            return Err(Refusal::Conflict(format!("round {number} of «{slug}» is not over")));
        }
        let state = match (round.published, round.began) {
            (false, _) => RoundState::Prepared,
            (true, None) => RoundState::Published,
            (true, Some(_)) => RoundState::Running,
        };
        let section = Arc::clone(&section.slug);
        self.fact(Fact::RoundState { section, round: number, state });
        Ok(())
    }

    fn games_with_board(&self, slug: &str, number: u32) -> usize {
        let Ok((section, round)) = self.round(slug, number) else { return 0 };
        let games = round.games.iter().map(|game| Found { section, round, game });
        games.filter(|found| self.hall.board_of(found).is_some()).count()
    }

    /// Tables at which a game of another section is still to be played or being played.
    fn doubled_tables(&self, slug: &str, number: u32) -> Vec<String> {
        let Ok((section, round)) = self.round(slug, number) else { return Vec::new() };
        let own: Vec<_> = round.games.iter().filter_map(|game| Found { section, round, game }.table()).collect();
        let busy = |found: &Found<'_>| {
            found.round.state.opens_games()
                && *found.section.slug != *slug
                && !found.section.settings.open_play
                && matches!(found.game.state, PairingState::Paired | PairingState::Playing)
        };
        let others = self.hall.games().filter(busy).filter_map(|found| {
            let table = found.table().filter(|table| own.contains(table))?;
            let (other, round) = (&found.section.slug, found.round.number);
            Some(format!("table {table} has a game of «{other}», round {round}, that is not over"))
        });
        others.collect()
    }
}

/// What a section does by itself where the organiser wants that: its next round is published as soon as the first game of
/// the round before is over. None when nothing is due.
pub fn due(hall: &Hall) -> Option<Order> {
    hall.sections.values().find_map(|section| {
        let round = next_round(section)?;
        Some(Order::Publish { section: section.slug.to_string(), round, confirm: true })
    })
}

/// The round of a section that is to be published by itself.
pub(super) fn next_round(section: &Section) -> Option<u32> {
    let over = |game: &Pairing| game.is_settled() || game.state == PairingState::ResultMissing;
    let mut free = section.settings.auto_publish;
    for round in section.rounds.values().filter(|round| !round.games.is_empty() && round.state != RoundState::Finished)
    {
        if round.state == RoundState::Prepared {
            return free.then_some(round.number);
        }
        free &= round.games.iter().any(over);
    }
    None
}

/// What ends a round by itself: the last result of a game that was played on a board or entered by hand.
pub(crate) fn end_of_round(hall: &Hall, section: &str, number: u32) -> Option<Fact> {
    let section = hall.section(section).filter(|section| !section.settings.open_play)?;
    let round = section.rounds.get(&number).filter(|round| round.state == RoundState::Running)?;
    let awaited = |found: &Found<'_>| found.game.has_begun() || hall.board_of(found).is_some();
    let games = round.games.iter().map(|game| Found { section, round, game });
    let over = games.filter(awaited).all(|found| found.game.is_settled());
    over.then(|| Fact::RoundState { section: Arc::clone(&section.slug), round: number, state: RoundState::Finished })
}
