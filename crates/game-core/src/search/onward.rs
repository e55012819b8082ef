//! The game goes on from what stands there when no line explains an unseen stretch.
//!
//! After a gap a game from the placement of its first dump hears everything as well, and so does one from what stands there for a
//! moment while the clock runs and the best hypothesis is poor. When four of its plies, two of each side, are sure, and the game
//! before the gap still cannot explain what stands there, play goes on from that placement; the stretch between is a gap of the
//! record. Where what stands there belongs to the next game, which began unseen, that begins instead: it has more pieces than the
//! game can have, or a line leads to it from the start. Must not know why a line fails.

use shakmaty::{Chess, Position};

use super::game::Game;
use super::history::{Event, Kind};
use super::hypothesis::Hypothesis;
use super::tell::decide;
use super::weights::{self as w, Cost};
use super::{Search, Told};
use crate::line::{fen_of, stands_again};

/// A game that what stands after a gap may belong to.
#[derive(Clone, Debug)]
pub(super) struct Supposed {
    pub(super) game: Game,
    /// It is another game than the one before the gap.
    pub(super) is_next: bool,
    /// It begins with its start, and a line of unseen plies leads from there.
    pub(super) from_start: bool,
}

/// Games that go on after a gap, the likeliest first: from the placement, with either side to move where no clock tells it.
#[derive(Clone, Debug, Default)]
pub(super) struct Onward {
    games: Vec<Supposed>,
    since: u64,
    /// What the game cost before the gap.
    before: Cost,
    /// Plies of the game that were told by then.
    told: u32,
    /// Play has gone on by order with the other player to move, as far as anybody knew.
    by_order: bool,
}

impl Onward {
    /// `game`: the one before the gap, which cost `before`.
    pub(super) fn new(games: Vec<Supposed>, since: u64, game: &Game, before: Cost) -> Self {
        Self { games, since, before, told: game.told_plies(), by_order: false }
    }

    /// What the game cost before the gap.
    pub(super) fn cost_before(&self) -> Cost {
        self.before
    }

    /// Whether the same games may go on from there.
    #[cfg(feature = "equivalence")]
    pub(super) fn is_equivalent_to(&self, other: &Self, same: impl Fn(&Game, &Game) -> bool) -> bool {
        (self.since, self.by_order, self.games.len()) == (other.since, other.by_order, other.games.len())
            && self.games.iter().zip(&other.games).all(|(one, other)| {
                (one.is_next, one.from_start) == (other.is_next, other.from_start) && same(&one.game, &other.game)
            })
    }

    pub(super) fn games_mut(&mut self) -> impl Iterator<Item = &mut Game> {
        self.games.iter_mut().map(|supposed| &mut supposed.game)
    }

    /// The games, for their work to be counted.
    pub(super) fn games(&self) -> impl Iterator<Item = &Game> {
        self.games.iter().map(|supposed| &supposed.game)
    }

    pub(super) fn hear(&mut self, now: u64, event: &Event) {
        self.games_mut().for_each(|game| game.observe(now, event.clone()));
    }

    /// Whether the board shows what one of the games says.
    pub(super) fn explains(&mut self, now: u64) -> bool {
        self.games_mut().for_each(Game::catch_up);
        self.games().any(|game| game.likeliest(now).is_some_and(Hypothesis::is_shown))
    }

    /// The dumps of so many last gaps were damaged. False where nothing is left: one of them was the beginning.
    pub(super) fn withdraw_gaps(&mut self, count: usize, since: u64) -> bool {
        self.games_mut().for_each(|game| game.withdraw_gaps(count));
        self.since < since
    }

    /// Whether the gap after which these games go on was before an instant.
    pub(super) fn began_before(&self, at: u64) -> bool {
        self.since <= at
    }

    /// The game with the other player to move, if that player has moved first.
    fn moved_first(&mut self, now: u64) -> Option<Game> {
        self.games_mut().for_each(Game::catch_up);
        let moved = |game: &Game| decide(game, now).is_some_and(|decision| decision.tell != game.told);
        let at = self.games().position(moved)?;
        Some(self.games.swap_remove(at).game)
    }

    /// The game that has gone on for long enough, if the one before the gap costs so much, or is `unexplained` all the same.
    fn sure(&mut self, now: u64, cost: Cost, unexplained: bool) -> Option<usize> {
        self.games_mut().for_each(Game::catch_up);
        // A piece that shows at last, and that did not stand there when the game went on, was played unseen by the one before.
        let is_play = |game: &Game| {
            let believed = |best: &Hypothesis| !best.off && best.faulty == best.blind;
            game.likeliest(now).is_some_and(|best| believed(best) && !best.lacks_a_piece(game.history.shown()))
        };
        let sure = self.games().position(|game| {
            let Some(decision) = decide(game, now) else { return false };
            let dear = cost.saturating_sub(self.before) > game.beam.cost().saturating_add(w::OFF + w::POOR);
            (dear || unexplained) && game.lines.depth(decision.tell) >= w::BORNE_OUT && is_play(game)
        })?;
        // Where the same plies go on from a start, only the order of those before them is open.
        let shows = |game: &Game| is_play(game) && game.likeliest(now).is_some_and(Hypothesis::is_shown);
        Some(self.games.iter().position(|each| each.from_start && shows(&each.game)).unwrap_or(sure))
    }
}

impl Search {
    /// Whether play may go on from a position that is known already.
    pub(super) fn may_go_on(&self) -> bool {
        let explained =
            self.game.as_deref().and_then(|game| game.likeliest(self.now)).is_some_and(Hypothesis::is_shown);
        !explained || self.onward.as_ref().is_some_and(|onward| onward.by_order)
    }

    /// What stands there is poorly explained while the clock runs, or unexplained: play may go on from it, or from what stands there
    /// later.
    fn suppose_onward(&mut self) {
        let now = self.now;
        // Pieces that are moved while the clock stands are no play.
        let stands = self.intake.clock_stands();
        let poor = !stands && self.game.as_deref().is_some_and(|game| game.poor_since.is_some());
        let shows = poor && self.onward.as_mut().is_some_and(|onward| onward.explains(now));
        let Some(game) = self.game.as_deref().filter(|_| (poor || self.unexplained) && !shows) else { return };
        let open = |game: &Game| game.matched_at().is_some_and(|matched| now.saturating_sub(matched) < w::PATIENCE_MS);
        let hopeful = self
            .onward
            .as_ref()
            .is_some_and(|onward| now.saturating_sub(onward.since) < w::PATIENCE_MS || onward.games().any(open));
        // What stands still for a moment may be a position: where it is none, nothing goes on from it.
        if hopeful || now.saturating_sub(game.touched_at) < w::SETTLED_MS {
            return;
        }
        let before = self.onward.as_ref().map_or(game.beam.cost(), |onward| onward.before);
        let mut games = self.intake.supposed(self, now);
        // What is only poor may be play all the same, and no other game.
        games.retain(|supposed| self.unexplained || !supposed.is_next);
        if !games.is_empty() {
            self.onward = Some(Onward::new(games, now, game, before));
        }
    }

    /// The game from what stood before a gap, where that stands again and nothing that was played since explains it: the players
    /// have put it back, as after an illegal move that was noticed late (Laws, 7.5).
    fn put_back(&self) -> Option<Game> {
        let (now, game) = (self.now, self.game.as_deref()?);
        let seen = game.history.last()?;
        let still = seen.kind == Kind::Started || now.saturating_sub(game.touched_at) >= w::HANDS_DONE_MS;
        let explained = || game.likeliest(now).is_some_and(Hypothesis::is_shown);
        if !still || game.is_behind() || game.waits_for_log || game.before_gaps.is_empty() || explained() {
            return None;
        }
        let stands = |before: &&Chess| (seen.shown.differs(before.board()) & !game.suspects()).is_empty();
        let before = game.before_gaps.iter().rev().find(stands)?;
        // Out of reach the next game may have come to the same position.
        let far = seen.shown.differs(Chess::default().board()).count() > w::MANY_SQUARES;
        (far || game.gap_at.is_none()).then(|| self.intake.goes_on_from(game, now, before.clone(), game.rotated))
    }

    /// Play goes on from what stands there, as soon as that is sure.
    pub(super) fn go_on_if_sure(&mut self) {
        if let Some(game) = self.put_back() {
            return self.go_on_with(game);
        }
        self.suppose_onward();
        let now = self.now;
        let Some(game) = self.game.as_deref() else {
            self.onward = None;
            return;
        };
        let Some(onward) = &mut self.onward else { return };
        if onward.by_order {
            if game.told != super::line::ROOT {
                self.onward = None;
            } else if let Some(game) = onward.moved_first(now) {
                self.go_on_with(game);
            }
            return;
        }
        // The game itself goes on.
        if game.told_plies() >= onward.told + w::TWICE {
            self.onward = None;
            return;
        }
        let explained = game.likeliest(now).is_some_and(Hypothesis::is_shown);
        if explained && now.saturating_sub(onward.since) >= w::PATIENCE_MS && game.told != super::line::ROOT {
            let beyond = decide(game, now).is_some_and(|decision| decision.tell == game.told && !decision.doubt);
            if beyond {
                self.onward = None;
                return;
            }
        }
        if explained || game.is_behind() || game.waits_for_log || now.saturating_sub(onward.since) < w::PATIENCE_MS {
            return;
        }
        // Pieces that are moved while the clock stands are no play.
        if game.history.last().is_some_and(|last| last.stands) {
            return;
        }
        let Some(at) = onward.sure(now, game.beam.cost(), self.unexplained) else { return };
        let Supposed { game, is_next, .. } = onward.games.swap_remove(at);
        if is_next {
            self.begin_next(game);
        } else {
            self.go_on_with(game);
        }
    }

    /// The next game has begun unseen.
    fn begin_next(&mut self, next: Game) {
        self.end_unshown();
        self.intake.rotated = next.rotated;
        self.begin(next);
    }

    /// Whether the board shows the game, but for a piece in a hand: then nothing is missing between the record and what stands
    /// there.
    pub(super) fn goes_on_already(&self) -> bool {
        let Some((game, seen)) = self.game.as_deref().and_then(|game| Some((game, game.seen()?))) else { return false };
        if self.unexplained || game.waits_for_log {
            return false;
        }
        let (lines, in_hand) = (&game.lines, self.intake.in_hand());
        let cost = |each: &Hypothesis| each.cost_at(self.now, seen);
        let Some(least) = game.beam.hypotheses.iter().map(cost).min() else { return false };
        let agreed = game.agreed();
        game.beam.hypotheses.iter().filter(|each| cost(each) <= least.saturating_add(w::OFTEN)).any(|each| {
            let known = lines.depth(each.line) <= game.told_plies() + 1 || agreed == Some(each.line);
            known
                && !each.off
                && each.illegal.is_none()
                && each.faulty == each.blind
                && (each.lost | each.differs & !in_hand).is_empty()
                && lines.begins_with(each.line, game.told)
        })
    }

    /// A person says that play goes on from what stands there.
    pub(super) fn go_on_at_once(&mut self, games: Vec<Game>) {
        let (now, mut games) = (self.now, games.into_iter());
        if let Some(game) = games.next() {
            self.go_on_with(game);
            let games = games.map(|game| Supposed { game, is_next: false, from_start: false }).collect();
            self.onward =
                self.game.as_deref().map(|game| Onward { by_order: true, ..Onward::new(games, now, game, 0) });
        }
    }

    pub(super) fn go_on_with(&mut self, mut game: Game) {
        let Some(before) = self.game.as_deref_mut() else { return };
        let told = Told::Gap { after_ply: before.told_plies(), fen: fen_of(&game.start) };
        game.before_gaps = std::mem::take(&mut before.before_gaps);
        match game.before_gaps.iter().rposition(|stood| stands_again(stood, &game.start)) {
            Some(at) => game.before_gaps.truncate(at),
            None => game.before_gaps.push(before.position(before.told)),
        }
        self.onward = None;
        self.game = Some(Box::new(game));
        self.say(told);
    }
}
