//! The search as the recogniser of a session: takes the session's inputs, and turns what the search tells into conclusions about
//! one line, of which the first plies are confirmed and the rest is what is likeliest.
//!
//! Knows the search and when to ask the board for more. Must not know clock times, storage or viewers.

mod conclusion;
#[cfg(feature = "equivalence")]
mod equivalence;
mod inputs;
mod orders;
mod steps;

use std::collections::{BTreeMap, VecDeque};

use dgt_protocol::Field;
use notation::pgn::Outcome;
use shakmaty::san::SanPlus;
use shakmaty::{Bitboard, Chess, Move, Position, Square};

use super::ending::board_view;
use super::game::Game;
use super::hypothesis::Hypothesis;
use super::intake::Intake;
use super::line::ROOT;
use super::onward::Onward;
use super::played_on::PlayedOn;
use super::set_up::SetUp;
use super::weights as w;
use super::{Explanation, Search};
use crate::clock::Seats;
use crate::event::{Evidence, Variant};
use crate::line::Line;
use crate::placement::Placement;
use crate::time::Timestamp;
use crate::unsteady::Unsteady;
pub(crate) use conclusion::Conclusion;

/// What the clock of the mover showed at presses, by ply, in ms.
pub(crate) type Pressed = BTreeMap<usize, u64>;

/// What is to be concluded, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Started(Box<Chess>, Variant),
    Move {
        mv: Move,
        seen: Option<Timestamp>,
        next: Option<Timestamp>,
        evidence: Evidence,
    },
    Retracted {
        to_ply: usize,
        pressed: bool,
    },
    Unexplained(Vec<Square>),
    /// Play goes on from this position; what came before it went unseen.
    Gap(Box<Chess>),
    /// What went unseen after this ply is known.
    Filled {
        after_ply: usize,
    },
    PlayedOn,
    Resolved,
    /// The game has ended and nothing shows how.
    Closed,
    Over {
        outcome: Outcome,
        reason: &'static str,
    },
    Undone,
}

/// What caused something to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    Board,
    Clock,
    Log,
    Command,
}

/// The search behind a session.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub(crate) struct Recogniser {
    search: Search,
    placement: Placement,
    /// The told plies, then what is likeliest to follow.
    line: Option<Line>,
    /// When each ply of the line was first on the board.
    seen: Vec<Timestamp>,
    confirmed: usize,
    steps: VecDeque<Step>,
    over: bool,
    /// The plies of the line before the last gap, which the search does not know any more.
    base: usize,
    /// The board was out of reach, and has not shown the head since.
    gap: bool,
    /// It has said something since.
    heard: bool,
    /// The gap of which the log was asked for.
    asked_gap: Option<u64>,
    /// The gap of which the log was cut short on its way.
    cut_gap: Option<u64>,
    /// How many plies the likeliest line had there.
    gap_plies: u32,
    log_until: Option<Timestamp>,
    /// Presses that were heard since.
    presses_since: usize,
    /// What the log told of a game that begins with it, until its moves may follow.
    joined: Option<Pressed>,
    held: bool,
    expected: (Chess, Variant),
    set_up: SetUp,
    played_on: PlayedOn,
    /// When a board that no line explains is asked for a dump.
    settles_at: Option<Timestamp>,
    dump_again_at: Option<Timestamp>,
    /// By order the game goes on from what the next dump shows.
    goes_on: bool,
    unsteady: Unsteady,
    dump_wanted: bool,
    log_wanted: bool,
}

impl Default for Recogniser {
    fn default() -> Self {
        Self {
            search: Search::default(),
            placement: Placement::EMPTY,
            line: None,
            seen: Vec::new(),
            confirmed: 0,
            steps: VecDeque::new(),
            over: false,
            base: 0,
            gap: false,
            heard: false,
            asked_gap: None,
            cut_gap: None,
            gap_plies: 0,
            log_until: None,
            presses_since: 0,
            joined: None,
            held: false,
            expected: (Chess::default(), Variant::Standard),
            set_up: SetUp::default(),
            played_on: PlayedOn::default(),
            settles_at: None,
            dump_again_at: None,
            goes_on: false,
            unsteady: Unsteady::default(),
            dump_wanted: false,
            log_wanted: false,
        }
    }
}

impl Recogniser {
    pub(crate) fn line(&self) -> Option<&Line> {
        self.line.as_ref()
    }

    /// Positions whose moves were listed so far, in the games that are searched now.
    pub(crate) fn positions_listed(&self) -> u64 {
        let onward = self.search.onward.iter().flat_map(Onward::games);
        self.game().into_iter().chain(onward).map(|game| game.beam.expanded).sum()
    }

    pub(crate) fn confirmed(&self) -> usize {
        self.confirmed
    }

    pub(crate) fn placement(&self) -> &Placement {
        &self.placement
    }

    pub(crate) fn has_seen_board(&self) -> bool {
        self.search.intake.fields.is_some()
    }

    pub(crate) fn rotated(&self) -> bool {
        self.search.intake.rotated
    }

    /// The fields whose piece comes and goes.
    pub(crate) fn unsteady(&self, now: Timestamp) -> impl Iterator<Item = Field> {
        self.unsteady.fields(now)
    }

    pub(crate) fn wrong_start(&self) -> &[Square] {
        &self.set_up.wrong
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// Who sits where, once plies and presses have told it: all times that were told change with it, and those told meanwhile are put
    /// right.
    pub(crate) fn seats(&self) -> Option<Seats> {
        let game = self.game()?;
        let best = self.likeliest()?;
        let near = |each: &&Hypothesis| each.cost <= best.cost.saturating_add(w::RARE);
        let same = game.beam.hypotheses.iter().filter(near).all(|each| each.white_left == best.white_left);
        let told = game.told != ROOT && game.history.last().is_some_and(|last| last.pressing);
        let turned_at = (best.turned_at > 0).then(|| Timestamp::from_ms(best.turned_at));
        (same && told).then_some(Seats { white_is_left: best.white_left, turned_at })
    }

    /// Whether White sits at the clock's left side, as far as can be guessed.
    pub(crate) fn white_is_likely_left(&self) -> bool {
        self.likeliest().map_or(!self.rotated(), |best| best.white_left)
    }

    /// How many plies the likeliest line has.
    pub(crate) fn plies_shown(&self) -> usize {
        self.game().zip(self.likeliest()).map_or(0, |(game, best)| self.base + game.lines.depth(best.line) as usize)
    }

    /// When the clock was pressed after a told ply, in the likeliest way to play what was told.
    pub(crate) fn pressed(&self, ply: usize) -> Option<Timestamp> {
        let game = self.game()?;
        let ply = u32::try_from(ply.checked_sub(self.base)?).ok()?;
        let told = |each: &&Hypothesis| game.lines.begins_with(each.line, game.told);
        let best = game.beam.hypotheses.iter().filter(told).min_by_key(|each| each.cost)?;
        best.presses.of(ply).map(Timestamp::from_ms)
    }

    /// Whether the press of this instant ended a ply after this one, in the likeliest way to play what was told. One whose ply is not
    /// known yet ended the last ply of its player, if it is none of a later one.
    pub(crate) fn ended_later(&self, ply: usize, at: Timestamp) -> bool {
        let last = self.plies_shown();
        let waits = self.likeliest().is_some_and(|best| best.early.iter().any(|early| early.has(at.as_ms())));
        waits && ply + 1 < last || (ply + 1..=last).any(|later| self.pressed(later) == Some(at))
    }

    /// Whether the board shows the position after the last move. Not known while the search has not taken all that was heard.
    pub(crate) fn shows_head(&self) -> bool {
        let followed = self.game().filter(|game| !game.is_behind()).and_then(|game| game.followed);
        followed.zip(self.likeliest()).is_some_and(|((_, line), best)| best.line == line && !differs(best))
    }

    /// Whether the board shows the position after the last move, or pieces of it are only missing, as in a hand.
    pub(crate) fn has_come_to_head(&self) -> bool {
        let Some(game) = self.game().filter(|game| !game.is_behind()) else { return false };
        game.followed.zip(self.likeliest()).is_some_and(|((_, line), best)| {
            best.line == line && best.illegal.is_none() && !best.differs.intersects(game.history.shown().occupied())
        })
    }

    /// Whether the board shows what the likeliest line leads to, or that is still looked for.
    pub(crate) fn follows_game(&self) -> bool {
        let Some(game) = self.game() else { return false };
        game.is_behind() || self.likeliest().is_some_and(|best| best.is_shown() && best.faulty == best.blind)
    }

    /// Whether what stands there is more than a ply away from the last move that was told, and from what the likeliest line leads to.
    pub(crate) fn is_far_from_game(&self) -> bool {
        let Some(game) = self.game() else { return false };
        let shown = game.history.shown();
        let is_far = |line| shown.differs(game.position(line).board()).count() > w::FEW_SQUARES;
        is_far(game.told) && self.likeliest().is_none_or(|best| is_far(best.line))
    }

    /// Whether the board was out of reach, or is being set up, and has not shown the head since.
    pub(crate) fn has_gap(&self) -> bool {
        self.gap || self.awaits_position()
    }

    pub(crate) fn dead(&self) -> Bitboard {
        self.search.intake.blind | self.found_faulty()
    }

    pub(crate) fn found_faulty(&self) -> Bitboard {
        // Before the first ply it may be the pieces that stand wrong.
        let played = self.likeliest().filter(|_| self.confirmed > 0);
        played.map_or(Bitboard::EMPTY, |best| best.faulty & !best.blind)
    }

    /// Lines that explain the board equally well, each from the last told move, the likeliest first.
    pub(crate) fn candidates(&self) -> Vec<Vec<String>> {
        let Some(game) = self.search.game.as_deref() else { return Vec::new() };
        let Some(best) = self.likeliest().filter(|best| !differs(best)) else { return Vec::new() };
        let Some((line, rival)) = best.rival.filter(|_| best.sure.is_some() && game.doubt.is_some()) else {
            return Vec::new();
        };
        let (line, other) = (game.lines.moves(best.line).len() - game.lines.depth(line) as usize, rival);
        let moves = game.lines.moves(best.line);
        let mut others = game.lines.moves(other);
        others.extend_from_slice(moves.get(moves.len() - line..).unwrap_or_default());
        let told = game.lines.moves(game.told);
        let spell = |moves: Vec<Move>| {
            let mut position = game.position(game.told);
            let moves = moves.strip_prefix(&told[..])?.iter();
            // The other line may have come to the same pieces by other castling rights.
            let name = |&mv: &Move| {
                position.is_legal(mv).then(|| SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string())
            };
            moves.map(name).collect()
        };
        [moves, others].into_iter().map(spell).collect::<Option<_>>().unwrap_or_default()
    }

    pub(crate) fn next_deadline(&self) -> Option<Timestamp> {
        let idle = self.is_idle().then(|| self.set_up.next_deadline()).flatten();
        let held_back = self.search.intake.held_back_until();
        [self.search.next_deadline(), idle, held_back, self.settles_at, self.dump_again_at, self.log_until]
            .into_iter()
            .flatten()
            .min()
    }

    pub(crate) fn take_dump_request(&mut self) -> bool {
        std::mem::take(&mut self.dump_wanted)
    }

    pub(crate) fn take_log_request(&mut self) -> bool {
        std::mem::take(&mut self.log_wanted)
    }

    /// Whether what was played since the gap has decided what the log was asked for. Nothing is played any more where the board shows
    /// a result.
    fn needs_no_log(&self) -> bool {
        let waits = |game: &&Game| game.waits_for_log && game.sign.is_none() && game.next_start.is_none();
        let Some(game) = self.search.game.as_deref().filter(waits) else { return false };
        let agreed = game.agreed();
        !game.is_behind() && agreed.is_some_and(|agreed| game.lines.depth(agreed) > self.gap_plies)
    }

    /// The likeliest hypotheses, for engineers.
    pub(crate) fn hypotheses(&self, count: usize) -> Vec<String> {
        self.search.hypotheses(count)
    }

    /// Notes from now on why plies are told.
    pub(crate) fn explain_itself(&mut self) {
        self.search.explain_itself();
    }

    /// What was told since the last call, and why. Plies count from the game's first one.
    pub(crate) fn take_explained(&mut self) -> Vec<Explanation> {
        let base = u32::try_from(self.base).unwrap_or(u32::MAX);
        let of_game = |each: Explanation| Explanation { ply: each.ply.saturating_add(base), ..each };
        self.search.take_explained().into_iter().map(of_game).collect()
    }

    fn game(&self) -> Option<&Game> {
        self.search.game.as_deref().or_else(|| self.search.ended.as_ref().map(|ended| &*ended.game))
    }

    /// The line is to be followed anew.
    fn follow_anew(&mut self) {
        let game = self.search.game.as_deref_mut().or_else(|| self.search.ended.as_mut().map(|ended| &mut *ended.game));
        if let Some(game) = game {
            game.followed = None;
        }
    }

    fn likeliest(&self) -> Option<&Hypothesis> {
        self.game()?.likeliest(self.search.now)
    }

    /// Whether the last ply of the likeliest line went to a square that is not believed, or of which a message was lost: nothing has shown
    /// that its piece stands there.
    fn ends_unseen(&self) -> bool {
        let last = self.game().zip(self.likeliest()).and_then(|(game, best)| Some((game.lines.last(best.line)?, best)));
        last.is_some_and(|(mv, best)| best.ignores(mv.to()))
    }

    /// Whether no game is being played on the board, as far as anybody knows.
    fn is_idle(&self) -> bool {
        self.search.game.as_deref().is_none_or(|game| {
            game.told_plies() == 0 && self.confirmed == 0 && !self.over && !self.stands_at_start(game)
        })
    }

    /// Whether the pieces of a game stand as they do in its beginning, as far as the board can tell.
    fn stands_at_start(&self, game: &Game) -> bool {
        let known = board_view(self.search.suspects, game.rotated) | self.search.intake.blind;
        (game.history.shown().differs(game.start.board()) & !known).is_empty()
    }

    fn is_finished(&self) -> bool {
        self.line.as_ref().is_some_and(Line::is_finished)
    }

    fn during(&mut self, now: Timestamp, cause: Cause, work: impl FnOnce(&mut Intake, &mut Search, u64)) {
        self.search.advance(now);
        let at = self.search.now;
        let mut intake = std::mem::take(&mut self.search.intake);
        work(&mut intake, &mut self.search, at);
        self.search.intake = intake;
        self.search.settle();
        self.search.begin_awaited();
        if self.needs_no_log() {
            self.end_log_wait();
            self.search.settle();
        }
        self.gather(cause);
        let shows_head = self.heard && !self.search.intake.gap && self.likeliest().is_some_and(|best| !differs(best));
        self.gap &= !shows_head;
        self.watch_illegal_play();
        self.note_gap(now);
        if !self.set_up.wrong.is_empty() && !self.is_idle() && self.set_up.begin().is_some() {
            self.steps.push_back(Step::Resolved);
        }
    }
}

/// Whether the board shows something else than the position after the last ply of the line.
fn differs(best: &Hypothesis) -> bool {
    !best.differs.is_empty() || best.illegal.is_some()
}
