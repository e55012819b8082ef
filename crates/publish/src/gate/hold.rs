//! What one view holds back: it takes the record entry by entry, and says what is public at once and what later.
//!
//! Pure: the time comes in as an argument, and the same entries and moments in the same order give the same releases. Must not
//! know feeds, the journal or viewers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hall_clock::UtcMs;
use journal::{Committed, RecordedEvent, RecordedFact, ReleasedRound};
use tournament::{Delay, Fact, Hall, RoundState};

use super::audience::{Audience, Wait};
use super::held_facts::{Fate, HeldFact, Until, fate, is_published_publicly, state_of};
use super::held_game::{HeldEvent, HeldGame, PublicGame};
use super::past_games::PastGames;
use super::state::State;

/// What one view holds back.
#[derive(Debug)]
pub(super) struct Hold {
    audience: Audience,
    games: BTreeMap<Arc<str>, Held>,
    facts: Vec<HeldFact>,
    /// When the result of a game was confirmed, by its id.
    over: BTreeMap<Arc<str>, UtcMs>,
    /// When a round was ended.
    rounds_over: BTreeMap<(Arc<str>, u32), UtcMs>,
    /// The last entry of each round in which something was held back.
    last: BTreeMap<(Arc<str>, u32), u64>,
}

/// A game of which something is held back.
#[derive(Debug)]
struct Held {
    section: Arc<str>,
    round: u32,
    table: u32,
    game: HeldGame,
}

/// Something that is due.
enum Due {
    Fact(HeldFact),
    Event(HeldEvent),
}

impl Due {
    fn order(&self) -> (UtcMs, (u64, i32)) {
        match self {
            Self::Fact(held) => (held.from, (held.entry.number, 0)),
            Self::Event(held) => (held.from, held.order),
        }
    }
}

impl Hold {
    pub(super) fn new(audience: Audience) -> Self {
        let (games, facts, over) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
        Self { audience, games, facts, over, rounds_over: BTreeMap::new(), last: BTreeMap::new() }
    }

    /// Takes entries of the record, whole commits; applies to the view what is public at once.
    pub(super) fn take(&mut self, entries: &[Committed], state: &mut State, past: &PastGames) {
        let mut rest = entries;
        while let Some((first, after)) = rest.split_first() {
            match first {
                Committed::Hall(entry) => {
                    self.take_fact(entry, state);
                    rest = after;
                }
                Committed::Game(first) => {
                    // What was recorded together is one step.
                    let of_step = rest.iter().map_while(|entry| entry.game().filter(|entry| entry.step == first.step));
                    let step: Vec<_> = of_step.cloned().collect();
                    rest = rest.get(step.len()..).unwrap_or_default();
                    self.take_step(&step, state, past);
                }
            }
        }
    }

    fn take_step(&mut self, step: &[Arc<RecordedEvent>], state: &mut State, past: &PastGames) {
        let mut held: Vec<Vec<Arc<RecordedEvent>>> = Vec::new();
        for entry in step {
            let at = &entry.game;
            let waits = self.games.contains_key(&at.game)
                || !self.audience.wait(&state.hall, &at.event, at.round, at.table).is_none()
                || self.facts.iter().any(|held| matches!(&held.until, Until::Game(game) if *game == at.game));
            if waits || !self.audience.longest_wait(&state.hall, &at.event, at.round).is_none() {
                self.last.insert((Arc::clone(&at.event), at.round), entry.number);
            }
            if !waits {
                self.release_openings(&at.event, at.round, entry.committed_at, entry.committed_at, state);
                state.game(entry, entry.committed_at, past);
                continue;
            }
            match held.iter_mut().find(|of_game| of_game.first().is_some_and(|first| first.game.game == at.game)) {
                Some(of_game) => of_game.push(Arc::clone(entry)),
                None => held.push(vec![Arc::clone(entry)]),
            }
        }
        for entries in held {
            self.take_game(&entries, state, past);
        }
    }

    /// Takes what happened in one step to a game that waits.
    fn take_game(&mut self, entries: &[Arc<RecordedEvent>], state: &mut State, past: &PastGames) {
        let Some(first) = entries.first() else { return };
        let (at, now) = (&first.game, first.committed_at);
        state.load_archived(first, past);
        let paired = state.hall.game(&at.game).is_some();
        let known = state.sections.get(&at.event).and_then(|section| section.games.get(&at.game)).cloned();
        let public = PublicGame {
            game: known.as_ref().map(|known| &known.game),
            started: known.as_ref().is_some_and(|known| known.has_begun()),
            paired,
        };
        let held = self.games.entry(Arc::clone(&at.game)).or_insert_with(|| Held {
            section: Arc::clone(&at.event),
            round: at.round,
            table: at.table,
            game: HeldGame::default(),
        });
        held.table = at.table;
        let at_once = held.game.take(public, entries, now);
        if held.game.events.is_empty() {
            self.games.remove(&at.game);
        }
        drop(known);
        for entry in at_once {
            state.game(&entry, now, past);
        }
    }

    fn take_fact(&mut self, entry: &Arc<RecordedFact>, state: &mut State) {
        self.note_ends(&entry.fact, entry.committed_at);
        if let Fact::RoundState { section, round, state: new } = &entry.fact
            && !self.goes_forward(section, *round, *new, entry, state)
        {
            return;
        }
        let Fate::Held(until) = fate(&state.hall, entry) else {
            return self.publish(entry, entry.committed_at, entry.committed_at, state);
        };
        match &until {
            Until::Game(game) => {
                let place = self.place(game, entry, &state.hall);
                let wait = place.map(|(section, round, table)| self.audience.wait(&state.hall, &section, round, table));
                let held = |fact: &HeldFact| fact.until == until;
                let waits = wait.is_some_and(|wait| !wait.is_none());
                if !waits && !self.games.contains_key(game) && !self.facts.iter().any(held) {
                    return self.publish(entry, entry.committed_at, entry.committed_at, state);
                }
                if let Fact::ResultSet { result, .. } = &entry.fact
                    && self.corrects_result(game, result.is_none(), entry, state)
                {
                    return;
                }
            }
            Until::Opening(section, round) | Until::Ending(section, round) => {
                if !self.waits_in(section, *round, &state.hall) {
                    return self.publish(entry, entry.committed_at, entry.committed_at, state);
                }
            }
            Until::Standings(section) => {
                if !self.rounds_of(section, &state.hall).any(|round| self.waits_in(section, round, &state.hall)) {
                    return self.publish(entry, entry.committed_at, entry.committed_at, state);
                }
                self.drop_corrected_standings(section, &entry.fact);
            }
            Until::Publishing(section, round) => {
                let rounds =
                    state.hall.section(section).map(|section| section.rounds.keys().copied().collect::<Vec<_>>());
                let mut earlier = rounds.into_iter().flatten().filter(|earlier| earlier < round);
                let waits = earlier.any(|earlier| self.waits_in(section, earlier, &state.hall));
                if !waits || is_published_publicly(&state.hall, section, *round) {
                    return self.publish(entry, entry.committed_at, entry.committed_at, state);
                }
            }
        }
        self.facts.push(HeldFact { from: entry.committed_at, entry: Arc::clone(entry), until });
    }

    /// Notes when games and rounds are over.
    fn note_ends(&mut self, fact: &Fact, now: UtcMs) {
        match fact {
            Fact::ResultSet { game, result: Some(_) } => {
                self.over.entry(Arc::clone(game)).or_insert(now);
            }
            Fact::ResultSet { game, result: None } => {
                self.over.remove(game);
            }
            Fact::RoundState { section, round, state } => {
                let place = (Arc::clone(section), *round);
                if *state == RoundState::Finished {
                    self.rounds_over.entry(place).or_insert(now);
                } else {
                    self.rounds_over.remove(&place);
                }
            }
            _ => {}
        }
    }

    /// Whether a state of a round is a new one. One that takes a held state back removes it, and one that takes a public state
    /// back is public at once.
    fn goes_forward(
        &mut self,
        section: &str,
        round: u32,
        new: RoundState,
        entry: &Arc<RecordedFact>,
        state: &mut State,
    ) -> bool {
        let public = state.hall.round(section, round).map(|round| round.state).unwrap_or_default();
        let held = |held: &HeldFact| state_of(&held.entry.fact, section, round);
        let known = self.facts.iter().filter_map(held).max().unwrap_or(public).max(public);
        if new > known {
            return true;
        }
        self.facts.retain(|fact| held(fact).is_none_or(|state| state <= new));
        if new == RoundState::Prepared {
            self.drop_starts(section, round, &state.hall);
        }
        if public > new {
            self.publish(entry, entry.committed_at, entry.committed_at, state);
        }
        false
    }

    /// The round was taken back before a move was played: that its games began is never public.
    fn drop_starts(&mut self, section: &str, round: u32, hall: &Hall) {
        let of_round = |game: &str| {
            hall.game(game).is_some_and(|found| *found.section.slug == *section && found.round.number == round)
        };
        self.facts.retain(|held| !matches!(&held.until, Until::Game(game) if of_round(game)));
        self.games.retain(|game, _| !of_round(game));
    }

    /// Whether a result corrects one that is held back, and takes its place, or one that is public.
    fn corrects_result(
        &mut self,
        game: &Arc<str>,
        takes_back: bool,
        entry: &Arc<RecordedFact>,
        state: &mut State,
    ) -> bool {
        let is_result = |fact: &HeldFact| matches!(&fact.entry.fact, Fact::ResultSet { game: of, .. } if of == game);
        if let Some(index) = self.facts.iter().position(is_result) {
            if takes_back {
                self.facts.remove(index);
            } else if let Some(held) = self.facts.get_mut(index) {
                Arc::make_mut(&mut held.entry).fact.clone_from(&entry.fact);
            }
            return true;
        }
        let is_public = state.hall.game(game).is_some_and(|found| found.game.result.is_some());
        if is_public {
            self.publish(entry, entry.committed_at, entry.committed_at, state);
        }
        is_public
    }

    /// Numbers of the rounds of a section, also of those of which nothing is public.
    fn rounds_of(&self, section: &str, hall: &Hall) -> impl Iterator<Item = u32> + use<> {
        let public = hall.section(section).into_iter().flat_map(|section| section.rounds.keys().copied());
        let held = self.games.values().filter(|held| *held.section == *section).map(|held| held.round);
        public.chain(held).collect::<BTreeSet<_>>().into_iter()
    }

    /// Standings after the same round replace those that are held back: a mistake that is put right in time is never public.
    fn drop_corrected_standings(&mut self, section: &str, new: &Fact) {
        let after = |fact: &Fact| match fact {
            Fact::StandingsLoaded { section: of, standings } if **of == *section => Some(standings.after_round),
            _ => None,
        };
        let new = after(new);
        self.facts.retain(|held| after(&held.entry.fact).is_none_or(|held| Some(held) != new));
    }

    /// Where a game is: a pairing may be held back itself.
    fn place(&self, game: &str, entry: &RecordedFact, hall: &Hall) -> Option<(Arc<str>, u32, u32)> {
        if let Some(found) = hall.game(game) {
            return Some((Arc::clone(&found.section.slug), found.round.number, found.game.pair.number));
        }
        let pairings = self.facts.iter().map(|held| &held.entry.fact).chain([&entry.fact]);
        pairings.into_iter().find_map(|fact| match fact {
            Fact::Paired { section, round, game: of, pair } if **of == *game => {
                Some((Arc::clone(section), *round, pair.number))
            }
            _ => None,
        })
    }

    /// Whether a round waits, or anything of it is held back.
    fn waits_in(&self, section: &str, round: u32, hall: &Hall) -> bool {
        !self.audience.longest_wait(hall, section, round).is_none()
            || self.holds_before(section, round, hall, UtcMs::MAX)
    }

    /// Whether something of the games of a round is held back that happened up to an instant. In open play each day is a round,
    /// and all of them count.
    fn holds_before(&self, section: &str, round: u32, hall: &Hall, from: UtcMs) -> bool {
        let open_play = hall.section(section).is_some_and(|section| section.settings.open_play);
        let in_games = self.games.values().any(|held| {
            *held.section == *section
                && (held.round == round || open_play)
                && held.game.events.first().is_some_and(|first| first.from <= from)
        });
        let in_facts = || {
            self.facts.iter().any(|held| match &held.until {
                Until::Game(game) => {
                    let place = self.place(game, &held.entry, hall);
                    let here = place.is_some_and(|(of, number, _)| *of == *section && (number == round || open_play));
                    here && held.from <= from
                }
                _ => false,
            })
        };
        in_games || in_facts()
    }

    /// Releases a fact to the view, whose delay counts from `from`, and before it what it stands on.
    fn publish(&mut self, entry: &Arc<RecordedFact>, from: UtcMs, now: UtcMs, state: &mut State) {
        match &entry.fact {
            Fact::Paired { section, round, .. } => self.release_openings(section, *round, from, now, state),
            Fact::Began { game, .. } => {
                if let Some((section, round, _)) = self.place(game, entry, &state.hall) {
                    self.release_openings(&section, round, from, now, state);
                }
            }
            Fact::RoundState { section, round, state: new } => {
                self.facts.retain(|held| {
                    let held = state_of(&held.entry.fact, section, *round);
                    held.is_none_or(|state| state > *new)
                });
            }
            _ => {}
        }
        state.fact(entry, now);
    }

    /// Releases that a round is there and runs, as far as that happened up to an instant `from`: a result by hand may come out
    /// before the first game of its round begins.
    fn release_openings(&mut self, section: &str, round: u32, from: UtcMs, now: UtcMs, state: &mut State) {
        let opens = |held: &HeldFact| {
            let of_round = matches!(&held.until, Until::Opening(of, number) if **of == *section && *number == round);
            of_round && held.from <= from
        };
        if self.facts.iter().any(opens) {
            let (openings, kept) = std::mem::take(&mut self.facts).into_iter().partition(opens);
            self.facts = kept;
            for held in openings {
                state.fact(&held.entry, now);
            }
        }
    }

    /// Hall time at which something is due next.
    pub(super) fn next_due(&self, hall: &Hall) -> Option<UtcMs> {
        let events = self.games.iter().filter_map(|(id, held)| {
            let from = held.game.events.first()?.from;
            let wait = self.audience.wait(hall, &held.section, held.round, held.table);
            self.due_at(wait, id, (&held.section, held.round), from)
        });
        let facts = self.facts.iter().filter_map(|held| self.fact_due_at(held, hall));
        events.chain(facts).min()
    }

    /// Hall time at which something of a game is due; none while the game has to be over first.
    fn due_at(&self, wait: Wait, game: &str, (section, round): (&Arc<str>, u32), from: UtcMs) -> Option<UtcMs> {
        let by_delay = from.saturating_add(wait.ms());
        if !wait.until_over {
            return Some(by_delay);
        }
        let round_over = self.rounds_over.get(&(Arc::clone(section), round));
        let over = self.over.get(game).into_iter().chain(round_over).min()?;
        Some(by_delay.max(over.saturating_add(u64::from(Delay::OPENS_AFTER_S) * 1000)))
    }

    fn fact_due_at(&self, held: &HeldFact, hall: &Hall) -> Option<UtcMs> {
        match &held.until {
            Until::Game(game) => {
                // A game that was unpaired waits for nothing.
                let Some((section, round, table)) = self.place(game, &held.entry, hall) else { return Some(held.from) };
                let wait = self.audience.wait(hall, &section, round, table);
                self.due_at(wait, game, (&section, round), held.from)
            }
            Until::Opening(..) => None,
            Until::Ending(section, round) => {
                let wait = self.audience.longest_wait(hall, section, *round);
                let free = !self.holds_before(section, *round, hall, held.from);
                free.then(|| held.from.saturating_add(wait.ms()))
            }
            Until::Standings(section) => {
                let rounds = self.rounds_of(section, hall);
                let waits = rounds.map(|round| {
                    let free = !self.holds_before(section, round, hall, held.from);
                    free.then(|| self.audience.longest_wait(hall, section, round).ms())
                });
                let longest = waits.collect::<Option<Vec<_>>>()?.into_iter().max().unwrap_or(0);
                Some(held.from.saturating_add(longest))
            }
            Until::Publishing(section, round) => is_published_publicly(hall, section, *round).then_some(held.from),
        }
    }

    /// Releases what is due at hall time `now`.
    pub(super) fn release(&mut self, now: UtcMs, state: &mut State, past: &PastGames) {
        loop {
            let due = self.take_due(now, &state.hall);
            if due.is_empty() {
                return;
            }
            for due in due {
                match due {
                    Due::Fact(held) => self.publish(&held.entry, held.from, now, state),
                    Due::Event(held) => {
                        let at = &held.entry.game;
                        self.release_openings(&at.event, at.round, held.from, now, state);
                        state.game(&held.entry, now, past);
                    }
                }
            }
        }
    }

    /// Removes what is due, in the order of its release.
    fn take_due(&mut self, now: UtcMs, hall: &Hall) -> Vec<Due> {
        let is_due = |due_at: Option<UtcMs>| due_at.is_some_and(|due_at| due_at <= now);
        let due: Vec<_> = self.facts.iter().map(|held| is_due(self.fact_due_at(held, hall))).collect();
        let mut due = due.into_iter();
        let (facts, kept): (Vec<_>, _) =
            std::mem::take(&mut self.facts).into_iter().partition(|_| due.next().unwrap_or(false));
        self.facts = kept;
        let mut all: Vec<_> = facts.into_iter().map(Due::Fact).collect();
        let mut games = std::mem::take(&mut self.games);
        for (id, held) in &mut games {
            let wait = self.audience.wait(hall, &held.section, held.round, held.table);
            let place = (&held.section, held.round);
            let due = |event: &&HeldEvent| is_due(self.due_at(wait, id, place, event.from));
            let count = held.game.events.iter().take_while(due).count();
            all.extend(held.game.events.drain(..count).map(Due::Event));
        }
        games.retain(|_, held| !held.game.events.is_empty());
        self.games = games;
        all.sort_by_key(Due::order);
        all
    }

    /// The daemon starts again at hall time `now`. With the difference between hall time and true time since the last start, what
    /// is held back waits for the rest of its delay; without, its delay begins anew.
    pub(super) fn restart(&mut self, now: UtcMs, shift_ms: Option<i64>) {
        let moved = |from: &mut UtcMs| *from = shift_ms.map_or(now, |shift| from.saturating_add_signed(shift).min(now));
        for event in self.games.values_mut().flat_map(|held| &mut held.game.events) {
            moved(&mut event.from);
        }
        self.facts.iter_mut().for_each(|held| moved(&mut held.from));
        self.over.values_mut().for_each(moved);
        self.rounds_over.values_mut().for_each(moved);
    }

    /// Whether something of a game is held back.
    pub(super) fn holds(&self, game: &str) -> bool {
        self.games.contains_key(game)
    }

    /// Rounds that are over and of which nothing is held back any more; each is named once.
    pub(super) fn rounds_out(&mut self, view: &Arc<str>, hall: &Hall) -> Vec<ReleasedRound> {
        let over =
            |section: &str, round| hall.round(section, round).is_some_and(|round| round.state == RoundState::Finished);
        let out: Vec<_> = self
            .last
            .iter()
            .filter(|((section, round), _)| {
                over(section, *round) && !self.holds_before(section, *round, hall, UtcMs::MAX)
            })
            .map(|((event, number), last)| (Arc::clone(event), *number, *last))
            .collect();
        let rounds = out.into_iter().map(|(event, number, last)| {
            self.last.remove(&(Arc::clone(&event), number));
            ReleasedRound { view: Arc::clone(view), event, number, last }
        });
        rounds.collect()
    }
}
