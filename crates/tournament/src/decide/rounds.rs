//! Orders about the state of a round: published, armed, finished, reopened.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Work;
use super::load::spans;
use crate::correction_text::CorrectionText;
use crate::fact::Fact;
use crate::hall::Found;
use crate::note::Note;
use crate::refusal::{Conflict, Question, Refusal};
use crate::round::{Pairing, PairingState, RoundState};
use crate::undo::Undo;

impl Work<'_> {
    pub(super) fn publish(&mut self, slug: &str, number: u32) -> Result<(), Refusal> {
        let (section, round) = self.round(slug, number)?;
        let arming = section.settings.arm_by_publishing;
        if round.published {
            return Err(Conflict::RoundPublic { round: number, section: slug.to_owned() }.into());
        }
        if round.games.is_empty() {
            return Err(Conflict::RoundEmpty { round: number, section: slug.to_owned() }.into());
        }
        // Nothing of it is left to play, as in a round that was loaded with its results.
        let over = round.state == RoundState::Finished || round.games.iter().all(Pairing::is_settled);
        let (all, shown) = (round.games.len(), section.settings.boardless_games);
        let section = Arc::clone(&section.slug);
        if over {
            for state in [RoundState::Published, RoundState::Finished] {
                self.fact(Fact::RoundState { section: Arc::clone(&section), round: number, state });
            }
            // Results that the public knows are not taken back.
            self.corrected(CorrectionText::RoundPublished { section: section.to_string(), round: number }, None, None);
            return Ok(());
        }
        let without_board = self.boards_missing(slug, number);
        let with_board = all - without_board.len();
        self.note(Note::RoundBoards { round: number, with_board, games: all });
        if !without_board.is_empty() {
            let numbers = spans(without_board.into_iter().collect());
            self.note(if shown { Note::BoardlessPublic { numbers } } else { Note::BoardlessHidden { numbers } });
        }
        self.published(section, number, RoundState::Published);
        if arming { self.arm(slug, number) } else { Ok(()) }
    }

    pub(super) fn arm(&mut self, slug: &str, number: u32) -> Result<(), Refusal> {
        let (section, round) = self.round(slug, number)?;
        if !matches!(round.state, RoundState::Prepared | RoundState::Published) {
            let (round, section, state) = (number, slug.to_owned(), round.state);
            return Err(match state {
                RoundState::Finished => Conflict::RoundOver { round, section }.into(),
                _ => Conflict::RoundArmed { round, section }.into(),
            });
        }
        if round.games.is_empty() {
            return Err(Conflict::RoundEmpty { round: number, section: slug.to_owned() }.into());
        }
        let doubled = self.doubled_tables(slug, number);
        let (section, drawn, is_public) = (Arc::clone(&section.slug), round.start.is_some(), round.published);
        for question in doubled {
            self.ask(question);
        }
        if is_public {
            self.fact(Fact::RoundState { section, round: number, state: RoundState::Armed });
        } else {
            self.published(section, number, RoundState::Armed);
        }
        if drawn {
            self.expect_start(slug, number);
        }
        self.adopt_starts(slug, number)
    }

    /// A round becomes public, with a line in the history.
    fn published(&mut self, section: Arc<str>, round: u32, state: RoundState) {
        self.fact(Fact::RoundState { section: Arc::clone(&section), round, state });
        let what = CorrectionText::RoundPublished { section: section.to_string(), round };
        self.corrected(what, None, Some(Undo::Published { section, round, published: false }));
    }

    pub(super) fn unpublish(&mut self, slug: &str, number: u32) -> Result<(), Refusal> {
        let (section, round) = self.round(slug, number)?;
        if !round.published {
            return Err(Conflict::RoundNotPublic { round: number }.into());
        }
        if round.state == RoundState::Finished {
            return Err(Conflict::RoundOver { round: number, section: slug.to_owned() }.into());
        }
        let games = round.games.iter().filter(|game| self.plies(game) > 0 || game.result.is_some()).count();
        if games > 0 {
            return Err(Conflict::RoundInPlay { round: number, section: slug.to_owned(), games }.into());
        }
        let begun: Vec<_> =
            round.games.iter().filter(|game| game.has_begun()).map(|game| Arc::clone(&game.id)).collect();
        let (section, drawn) = (Arc::clone(&section.slug), round.start.is_some());
        let (opens, boards) = (round.state.opens_games(), self.boards_that_stand_ready(&begun));
        if !begun.is_empty() {
            let (section, games) = (slug.to_owned(), begun.len());
            self.ask(Question::GamesStarted { round: number, section, games });
        }
        self.fact(Fact::RoundState { section: Arc::clone(&section), round: number, state: RoundState::Prepared });
        for (board, started) in boards {
            self.stand_apart(&board, &started);
        }
        if opens && drawn {
            self.expect_start(slug, number);
        }
        let what = CorrectionText::RoundUnpublished { section: section.to_string(), round: number };
        self.corrected(what, None, Some(Undo::Published { section, round: number, published: true }));
        Ok(())
    }

    pub(super) fn finish(&mut self, slug: &str, number: u32) -> Result<(), Refusal> {
        let (section, round) = self.round(slug, number)?;
        if round.state == RoundState::Finished {
            return Err(Conflict::RoundFinished { round: number, section: slug.to_owned() }.into());
        }
        let open = round.games.iter().filter(|game| !game.is_settled()).count();
        let section = Arc::clone(&section.slug);
        if open > 0 {
            self.note(Note::GamesOpen { round: number, games: open });
        }
        self.fact(Fact::RoundState { section, round: number, state: RoundState::Finished });
        Ok(())
    }

    pub(super) fn reopen(&mut self, slug: &str, number: u32) -> Result<(), Refusal> {
        let (section, round) = self.round(slug, number)?;
        if round.state != RoundState::Finished {
            return Err(Conflict::RoundNotOver { round: number, section: slug.to_owned() }.into());
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

    /// The board numbers of the games that no electronic board will record.
    fn boards_missing(&self, slug: &str, number: u32) -> Vec<u32> {
        let Ok((section, round)) = self.round(slug, number) else { return Vec::new() };
        let games = round.games.iter().map(|game| Found { section, round, game });
        games.filter(|found| self.hall.board_of(found).is_none()).map(|found| found.game.pair.number).collect()
    }

    /// Tables at which a game of another section is still to be played or being played: one question for each of its rounds.
    fn doubled_tables(&self, slug: &str, number: u32) -> Vec<Question> {
        let Ok((section, round)) = self.round(slug, number) else { return Vec::new() };
        let own: Vec<_> = round.games.iter().filter_map(|game| Found { section, round, game }.table()).collect();
        let busy = |found: &Found<'_>| {
            found.round.state.opens_games()
                && *found.section.slug != *slug
                && !found.section.settings.open_play
                && matches!(found.game.state, PairingState::Paired | PairingState::Playing)
        };
        let mut doubled = BTreeMap::<_, BTreeSet<u32>>::new();
        for found in self.hall.games().filter(busy) {
            if let Some(table) = found.table().filter(|table| own.contains(table)) {
                doubled.entry((found.section.slug.to_string(), found.round.number)).or_default().insert(table);
            }
        }
        let question = |((section, round), tables): (_, BTreeSet<u32>)| match tables.first() {
            Some(&table) if tables.len() == 1 => Question::TableBusy { table, section, round },
            _ => Question::TablesBusy { tables: spans(tables), section, round },
        };
        doubled.into_iter().map(question).collect()
    }
}
