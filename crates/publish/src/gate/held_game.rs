//! What a view holds back of one game, and what corrections make of it.
//!
//! The line of play as it is known is the public line followed by the moves that are held back. A correction of a public ply is
//! public at once. A correction of a ply that is held back takes its place and its instants, so that the mistake is never seen.
//! Must not know delays or time.

use std::collections::BTreeMap;
use std::sync::Arc;

use game_core::event::{Author, Event};
use game_core::game::Game;
use hall_clock::UtcMs;
use journal::RecordedEvent;
use notation::pgn::Outcome;

/// An event that is held back.
#[derive(Clone, Debug)]
pub(super) struct HeldEvent {
    /// The instant from which its delay counts: its effective instant, by hall time of this run of the daemon.
    pub(super) from: UtcMs,
    /// Its place among events of one instant: the number of its entry, and what was inserted before it.
    pub(super) order: (u64, i32),
    pub(super) entry: Arc<RecordedEvent>,
}

/// The events of one game that are held back, in the order of their release.
#[derive(Clone, Debug, Default)]
pub(super) struct HeldGame {
    pub(super) events: Vec<HeldEvent>,
}

/// The public state of a game.
#[derive(Clone, Copy)]
pub(super) struct PublicGame<'a> {
    /// None when nothing of it was ever public.
    pub(super) game: Option<&'a Game>,
    /// Whether its start is public.
    pub(super) started: bool,
    /// Whether its pairing is public knowledge.
    pub(super) paired: bool,
}

/// Where a ply of the known line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Public,
    /// Index among the held events.
    Held(usize),
}

/// What takes the place of a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// The slot of the ply that it corrects.
    Of(Slot),
    /// Inserted before the ply in this slot, with its instants; the second number counts what is inserted there, negative.
    Before(Slot, i32),
    /// A new move.
    New,
}

impl HeldGame {
    /// Takes what was recorded in one step, at hall time `now`; returns what is public at once.
    pub(super) fn take(
        &mut self,
        public: PublicGame<'_>,
        entries: &[Arc<RecordedEvent>],
        now: UtcMs,
    ) -> Vec<Arc<RecordedEvent>> {
        let mut step = Step::new(std::mem::take(&mut self.events), public, now);
        for (index, entry) in entries.iter().enumerate() {
            step.take(entry, entries.get(index + 1..).unwrap_or_default());
        }
        let Step { mut held, kept, out, .. } = step;
        let mut kept = kept.into_iter();
        held.retain(|_| kept.next().unwrap_or(false));
        held.sort_by_key(|event| (event.from, event.order));
        self.events = held;
        out
    }
}

/// One step of the record on its way into a game.
struct Step<'a> {
    public: PublicGame<'a>,
    now: UtcMs,
    held: Vec<HeldEvent>,
    /// Which of them stay.
    kept: Vec<bool>,
    line: Vec<(Slot, String)>,
    /// The places of the moves that follow, for moves that correct plies.
    places: std::vec::IntoIter<Place>,
    /// Plies that were taken back in this step and not replaced yet.
    replaced: Vec<(Slot, String)>,
    /// Whether the game started in this step, and whether that is public.
    start: Option<bool>,
    /// Results that a start of this step took back; a result of the step corrects them.
    results: Vec<usize>,
    /// Whether the start of this step is the first of the game.
    begins: bool,
    out: Vec<Arc<RecordedEvent>>,
}

impl<'a> Step<'a> {
    fn new(held: Vec<HeldEvent>, public: PublicGame<'a>, now: UtcMs) -> Self {
        let mut line: Vec<_> =
            public.game.map_or(&[][..], Game::moves).iter().map(|ply| (Slot::Public, ply.uci.to_string())).collect();
        line.extend(held.iter().enumerate().filter_map(|(index, event)| match &event.entry.event {
            Event::Move { uci, .. } => Some((Slot::Held(index), uci.clone())),
            _ => None,
        }));
        let kept = vec![true; held.len()];
        let (places, replaced, out) = (Vec::new().into_iter(), Vec::new(), Vec::new());
        let (start, results, begins) = (None, Vec::new(), false);
        Self { public, now, held, kept, line, places, replaced, start, results, begins, out }
    }

    fn take(&mut self, entry: &Arc<RecordedEvent>, next: &[Arc<RecordedEvent>]) {
        match &entry.event {
            Event::GameStarted { .. } => self.start(entry, next),
            Event::Move { uci, .. } => self.play(entry, uci),
            Event::Retract { to_ply } => self.retract(entry, *to_ply, next),
            Event::Amend { ply, clk_ms, emt_ms } => self.amend(entry, *ply, (*clk_ms, *emt_ms)),
            Event::Tags { tags } => self.tags(entry, tags),
            Event::Result { result, reason } => self.result(entry, *result, reason),
            Event::Gap { after_ply, fen: None } => self.close_gap(entry, *after_ply),
            Event::Gap { .. }
            | Event::Annotated { .. }
            | Event::Clock { .. }
            | Event::Unexplained { .. }
            | Event::PlayedOn
            | Event::Resolved
            | Event::GameEnded => {
                self.hold(entry);
            }
        }
    }

    /// Holds a new event back.
    fn hold(&mut self, entry: &Arc<RecordedEvent>) {
        self.hold_at(self.now, (entry.number, 0), Arc::clone(entry));
    }

    fn hold_at(&mut self, from: UtcMs, order: (u64, i32), entry: Arc<RecordedEvent>) {
        self.held.push(HeldEvent { from, order, entry });
        self.kept.push(true);
    }

    /// The kept events with their indices.
    fn kept(&self) -> impl Iterator<Item = (usize, &HeldEvent)> {
        self.held.iter().enumerate().filter(|(index, _)| self.kept.get(*index) == Some(&true))
    }

    fn drop(&mut self, index: usize) {
        if let Some(kept) = self.kept.get_mut(index) {
            *kept = false;
        }
    }

    /// Puts another event in the place of one that is held back: it keeps instants and evidence.
    fn replace(&mut self, index: usize, event: Event) {
        if let Some(held) = self.held.get_mut(index) {
            Arc::make_mut(&mut held.entry).event = event;
        }
        if let Some(kept) = self.kept.get_mut(index) {
            *kept = true;
        }
    }

    /// A start, or a game that is recorded anew from its start: its moves correct those before.
    fn start(&mut self, entry: &Arc<RecordedEvent>, next: &[Arc<RecordedEvent>]) {
        let start = self.kept().find(|(_, held)| matches!(held.entry.event, Event::GameStarted { .. }));
        let start = start.map(|(index, _)| index);
        if start.is_none() && !self.public.started && self.line.is_empty() {
            // Nothing is recorded anew: what is held back, such as a result that was entered before the game began, comes out at
            // its own time, and this start at its own.
            (self.start, self.begins) = (Some(false), true);
            return self.hold(entry);
        }
        if entry.author == Author::Board && self.line.is_empty() {
            // Another start position was set up before the first move: no correction, but what happens now.
            let earlier: Vec<_> = self.kept().map(|(index, _)| index).collect();
            for index in earlier {
                self.drop(index);
            }
            self.start = Some(false);
            return self.hold(entry);
        }
        self.results = self.held_results();
        let others: Vec<_> = self.kept().map(|(index, _)| index).filter(|index| Some(*index) != start).collect();
        for index in others {
            self.drop(index);
        }
        self.replaced = std::mem::take(&mut self.line);
        self.choose_places(next);
        if self.public.started {
            self.start = Some(true);
            self.out.push(Arc::clone(entry));
            return;
        }
        self.start = Some(false);
        match start {
            Some(index) => self.replace(index, entry.event.clone()),
            None => self.hold(entry),
        }
    }

    /// What went unseen is known: at once where the gap is public, because the moves that follow correct public ones.
    fn close_gap(&mut self, entry: &Arc<RecordedEvent>, after_ply: u32) {
        let is_it = |event: &Event| matches!(event, Event::Gap { after_ply: after, .. } if *after == after_ply);
        let held: Vec<_> = self.kept().filter(|(_, held)| is_it(&held.entry.event)).map(|(index, _)| index).collect();
        for index in held {
            self.drop(index);
        }
        if self.public.game.is_some_and(|game| game.gaps().iter().any(|gap| gap.after_ply == after_ply as usize)) {
            self.out.push(Arc::clone(entry));
        }
    }

    fn retract(&mut self, entry: &Arc<RecordedEvent>, to_ply: u32, next: &[Arc<RecordedEvent>]) {
        let to = (to_ply as usize).min(self.line.len());
        let mut removed = self.line.split_off(to);
        if removed.iter().any(|(slot, _)| *slot == Slot::Public) {
            self.out.push(Arc::clone(entry));
        }
        for (slot, _) in &removed {
            if let Slot::Held(index) = slot {
                self.drop(*index);
            }
        }
        let later = |event: &Event| matches!(event, Event::Gap { after_ply, .. } if *after_ply > to_ply);
        let gaps: Vec<_> = self.kept().filter(|(_, held)| later(&held.entry.event)).map(|(index, _)| index).collect();
        for index in gaps {
            self.drop(index);
        }
        removed.append(&mut self.replaced);
        self.replaced = removed;
        self.choose_places(next);
    }

    /// Says which plies the moves that follow correct. Moves that are the same as before keep their places; otherwise a move
    /// takes a place that is rather too late than too early.
    fn choose_places(&mut self, next: &[Arc<RecordedEvent>]) {
        let moves =
            next.iter().take_while(|entry| !matches!(entry.event, Event::Retract { .. } | Event::GameStarted { .. }));
        let moves: Vec<&str> = moves
            .filter_map(|entry| match &entry.event {
                Event::Move { uci, .. } => Some(uci.as_str()),
                _ => None,
            })
            .collect();
        let (before, after) = (self.replaced.len(), moves.len());
        let of = |ply: &(Slot, String)| Place::Of(ply.0);
        let places: Vec<_> = if after <= before {
            self.replaced.iter().skip(before - after).map(of).collect()
        } else {
            let same =
                self.replaced.iter().rev().zip(moves.iter().rev()).take_while(|(old, new)| old.1 == **new).count();
            let (changed, kept) = self.replaced.split_at(before - same);
            let inserted = i32::try_from(after - before).unwrap_or(i32::MAX);
            let inserted = (0..inserted).map(|count| match kept.first() {
                Some((slot, _)) => Place::Before(*slot, count - inserted),
                None => Place::New,
            });
            changed.iter().map(of).chain(inserted).chain(kept.iter().map(of)).collect()
        };
        self.places = places.into_iter();
    }

    fn play(&mut self, entry: &Arc<RecordedEvent>, uci: &str) {
        let place = self.places.next().unwrap_or(Place::New);
        let slot = match place {
            Place::Of(Slot::Public) | Place::Before(Slot::Public, _) => {
                self.out.push(Arc::clone(entry));
                Slot::Public
            }
            Place::Of(Slot::Held(index)) => {
                self.replace(index, entry.event.clone());
                Slot::Held(index)
            }
            Place::Before(Slot::Held(index), place) => {
                if let Some(held) = self.held.get(index).cloned() {
                    let HeldEvent { from, order: (number, before), entry: of } = held;
                    let event = RecordedEvent { event: entry.event.clone(), ..RecordedEvent::clone(&of) };
                    self.hold_at(from, (number, before.saturating_add(place)), Arc::new(event));
                }
                Slot::Held(self.held.len().saturating_sub(1))
            }
            Place::New => {
                self.hold(entry);
                Slot::Held(self.held.len().saturating_sub(1))
            }
        };
        if place != Place::New {
            self.replaced.retain(|(replaced, _)| Place::Of(*replaced) != place);
        }
        self.line.push((slot, uci.to_owned()));
    }

    fn amend(&mut self, entry: &Arc<RecordedEvent>, ply: u32, times: (Option<u64>, Option<u64>)) {
        let slot = (ply as usize).checked_sub(1).and_then(|index| self.line.get(index)).map(|(slot, _)| *slot);
        match slot {
            Some(Slot::Public) => self.out.push(Arc::clone(entry)),
            Some(Slot::Held(index)) => {
                if let Some(held) = self.held.get_mut(index)
                    && let Event::Move { clk_ms, emt_ms, .. } = &mut Arc::make_mut(&mut held.entry).event
                {
                    (*clk_ms, *emt_ms) = times;
                }
            }
            None => {}
        }
    }

    fn result(&mut self, entry: &Arc<RecordedEvent>, result: Outcome, reason: &str) {
        // PGN has no marker for a result like 0-0: it is in the reason.
        let takes_back = result == Outcome::Unknown && !reason.contains('-');
        // Also one that a start of this step took back: the same result keeps its instant.
        let pending = match self.held_results() {
            held if held.is_empty() && !takes_back => std::mem::take(&mut self.results),
            held => held,
        };
        let is_public =
            self.public.game.is_some_and(|game| game.result() != Outcome::Unknown || game.reason().contains('-'));
        for index in &pending {
            if takes_back {
                self.drop(*index);
            } else {
                self.replace(*index, entry.event.clone());
            }
        }
        if self.begins {
            // The start, which comes out later, clears the result before it.
            if !takes_back {
                self.hold(entry);
            }
        } else if pending.is_empty() {
            match is_public && self.start != Some(false) {
                true => self.out.push(Arc::clone(entry)),
                false if takes_back => {}
                false => self.hold(entry),
            }
        }
    }

    /// The results that are held back, by index.
    fn held_results(&self) -> Vec<usize> {
        let results = self.kept().filter(|(_, held)| matches!(held.entry.event, Event::Result { .. }));
        results.map(|(index, _)| index).collect()
    }

    /// Names and places are public at once, and so is what is removed: neither says anything about the play. What was held back
    /// never comes out with an earlier value.
    fn tags(&mut self, entry: &Arc<RecordedEvent>, tags: &BTreeMap<String, String>) {
        match self.start {
            Some(true) => return self.out.push(Arc::clone(entry)),
            Some(false) => return self.tags_of_start(tags, entry),
            None => {}
        }
        let first = self.public.game.is_none_or(|game| game.tags().is_empty());
        let starts = self.kept().any(|(_, held)| matches!(held.entry.event, Event::GameStarted { .. }));
        let (mut at_once, mut later) = (BTreeMap::new(), BTreeMap::new());
        for (name, value) in tags {
            if value.is_empty() {
                self.remove_tag(name);
                // Who never saw the tag does not see that it is gone.
                if self.public.game.is_some_and(|game| game.tags().contains_key(name)) {
                    at_once.insert(name.clone(), String::new());
                }
                continue;
            }
            let replaced = self.replace_tag(name, value);
            if first || is_of_pairing(name) {
                at_once.insert(name.clone(), value.clone());
            } else if !replaced {
                later.insert(name.clone(), value.clone());
            }
        }
        if starts && !at_once.is_empty() {
            self.tags_of_start(&at_once, entry);
        }
        let part = |tags| Arc::new(RecordedEvent { event: Event::Tags { tags }, ..RecordedEvent::clone(entry) });
        if self.public.paired && !at_once.is_empty() {
            self.out.push(part(at_once));
        }
        if !later.is_empty() {
            self.hold(&part(later));
        }
    }

    /// Changes a tag wherever it is held back; whether it was.
    fn replace_tag(&mut self, name: &str, value: &str) -> bool {
        let mut found = false;
        for (held, kept) in self.held.iter_mut().zip(&self.kept) {
            if *kept
                && matches!(&held.entry.event, Event::Tags { tags } if tags.contains_key(name))
                && let Event::Tags { tags } = &mut Arc::make_mut(&mut held.entry).event
            {
                tags.insert(name.to_owned(), value.to_owned());
                found = true;
            }
        }
        found
    }

    /// Removes a tag wherever it is held back.
    fn remove_tag(&mut self, name: &str) {
        for (held, kept) in self.held.iter_mut().zip(&mut self.kept) {
            if let Event::Tags { tags } = &held.entry.event
                && tags.contains_key(name)
                && let Event::Tags { tags } = &mut Arc::make_mut(&mut held.entry).event
            {
                tags.remove(name);
                // Those that come with a start have no place of their own.
                *kept &= !tags.is_empty() || held.order.1 == 1;
            }
        }
    }

    /// Adds tags to those that come with the start that is held back.
    fn tags_of_start(&mut self, more: &BTreeMap<String, String>, entry: &Arc<RecordedEvent>) {
        let start = self.kept().find(|(_, held)| matches!(held.entry.event, Event::GameStarted { .. }));
        let Some(start) = start.map(|(_, held)| held.clone()) else { return self.hold(entry) };
        let own = self.kept().find(|(_, held)| {
            matches!(held.entry.event, Event::Tags { .. })
                && held.from == start.from
                && held.order == (start.order.0, 1)
        });
        if let Some((index, _)) = own {
            if let Some(held) = self.held.get_mut(index)
                && let Event::Tags { tags } = &mut Arc::make_mut(&mut held.entry).event
            {
                tags.extend(more.clone());
            }
            return;
        }
        // The view takes the entry after the start, of the same step, for the tags that came with it.
        let (number, event) = (start.entry.number + 1, Event::Tags { tags: more.clone() });
        let tags = RecordedEvent { number, event, ..RecordedEvent::clone(&start.entry) };
        self.hold_at(start.from, (start.order.0, 1), Arc::new(tags));
    }
}

/// Whether a tag follows from the pairing and the players, so that it says nothing about the play.
fn is_of_pairing(name: &str) -> bool {
    // Not `Date`: a game that has begun keeps its day, whatever the date of its round becomes.
    const NAMES: [&str; 11] = [
        "Event",
        "Site",
        "Round",
        "Board",
        "GameId",
        "TimeControl",
        "WhiteTimeControl",
        "BlackTimeControl",
        "SetUp",
        "FEN",
        "Variant",
    ];
    const OF_A_PLAYER: [&str; 6] = ["", "Title", "Elo", "Fed", "FideId", "Team"];
    let of_a_player = |colour| name.strip_prefix(colour).is_some_and(|what| OF_A_PLAYER.contains(&what));
    NAMES.contains(&name) || of_a_player("White") || of_a_player("Black")
}
