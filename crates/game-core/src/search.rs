//! The record is the most likely line of play: a search over everything that was heard.
//!
//! ```text
//! bytes -> observations -> hypotheses -> rule for telling -> what is told
//! ```
//!
//! **A hypothesis** (`hypothesis`) is one way to explain all that was heard since the game began: a line of legal plies, the
//! squares that differ from its last position, plies without a press and presses without a ply of each side, squares that are
//! not believed, the side of the clock at which White sits. It has one number, its cost: the negative logarithm of its
//! likelihood in millinats. All that speaks for or against it is a term of that sum, and every term stands in `weights`.
//!
//! **An observation** (`history`) is a message as every hypothesis takes it: squares that changed, a dump, a press, a clock
//! started or stopped, whose time runs after a gap. A hypothesis stays as it is; or goes on (`expand`) by a ply whose squares
//! are complete, or by two or three whose squares came within one round of the scan, or by a ply of which one message is
//! assumed to be lost; after a gap by any line that leads to what stands there; or goes back to what the board shows. Where two
//! hypotheses come to the same state the cheaper one stays and remembers the other line (`beam`). A square that differs costs
//! by time, so waiting is cheap at first and never free. After an illegal move that stands, play goes on in a position that
//! no line has. A dear line may also have ended where it is: then what is done on the board is no play until the board shows the
//! line's position again.
//!
//! **Nothing is given up** (`game`). Observations are kept. What a later message proves about earlier ones (a dump that shows
//! what was lost, the board's own log) is written into them, and the search begins again before the first one that changed.
//! When the best hypothesis becomes poor, the stretch since the last certain position is searched again with a wider beam, in
//! slices counted in expanded hypotheses.
//!
//! **What is told** (`tell`) is what every hypothesis near the best has in its line, once it is pressed, answered, or the hand
//! is done. Both kings in the centre end the game (`ending`): no legal play leads there.
//!
//! There is no clock, no I/O and no chance here.

mod beam;
mod bridge;
mod changed_plies;
mod checkpoints;
mod ending;
#[cfg(feature = "equivalence")]
mod equivalence;
mod expand;
mod explain;
mod game;
mod history;
mod hypothesis;
mod illegal;
mod instants;
mod intake;
mod kept;
mod line;
mod log;
mod onward;
mod played_on;
mod presses;
mod pressing;
mod recogniser;
mod set_up;
mod shown;
mod sign;
mod tell;
mod terms;
mod weights;

use std::collections::VecDeque;

use notation::pgn::Outcome;
use shakmaty::{Bitboard, Chess, Move};

use crate::event::Variant;
use crate::input::Doubting;
use crate::line::fen_of;
use crate::time::Timestamp;
use ending::Ended;
pub use explain::{Explanation, PaidTerm, RunnerUp};
use game::{Game, NextLog, NextStart};
use hypothesis::Hypothesis;
use intake::Intake;
use line::NodeId;
pub(crate) use recogniser::{Conclusion, Recogniser};
use weights as w;

/// Something that the search tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// A game began from this position.
    Started {
        /// The start position.
        fen: String,
        /// The rules.
        variant: Variant,
    },
    /// A ply.
    Move {
        /// Its number, from 1.
        ply: u32,
        /// The move.
        mv: Move,
    },
    /// Plies are taken back.
    Retract {
        /// The last ply that stays.
        to_ply: u32,
    },
    /// No line explains what the board shows.
    Unexplained,
    /// A line explains it again.
    Resolved,
    /// No line explains what was played after a ply. The game goes on from what stood there then; its further plies count
    /// from 1.
    Gap {
        /// The last ply before it.
        after_ply: u32,
        /// What stands there.
        fen: String,
    },
    /// The last moves went unseen, and no position tells what they led to.
    Stops,
    /// The game has ended.
    Ended {
        /// Its result; unknown where nothing shows it.
        result: Outcome,
        /// What shows it; empty where nothing does.
        reason: &'static str,
    },
    /// The game that had ended goes on.
    Undone,
}

/// The search of one board.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    intake: Intake,
    game: Option<Box<Game>>,
    /// The last game, until the next one begins: it may go on.
    ended: Option<Ended>,
    /// What goes on after a gap that may never be explained.
    onward: Option<onward::Onward>,
    /// A game has begun here before.
    begun: bool,
    /// Squares of the board that reported wrongly, as the board counts them.
    suspects: Bitboard,
    /// Squares that showed a piece in earlier games, as the board has them.
    filled: Bitboard,
    now: u64,
    last_run: u64,
    unexplained: bool,
    /// How long it waits for a person, in ms; none for ever.
    doubt_ms: Option<u64>,
    out: VecDeque<Told>,
    /// Why plies were told; none in a search that does not explain itself.
    explained: Option<Vec<Explanation>>,
    /// Two lines that were as likely until one of them was taken; only noted where plies are explained.
    decided: Option<(NodeId, NodeId)>,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            intake: Intake::default(),
            game: None,
            ended: None,
            onward: None,
            begun: false,
            suspects: Bitboard::EMPTY,
            filled: Bitboard::EMPTY,
            now: 0,
            last_run: 0,
            unexplained: false,
            doubt_ms: Some(1_000 * u64::from(Doubting::USUAL_WAIT_S)),
            out: VecDeque::new(),
            explained: None,
            decided: None,
        }
    }
}

impl Search {
    /// The next thing that is told.
    fn poll(&mut self) -> Option<Told> {
        self.out.pop_front()
    }

    /// When [`Self::settle`] is due next.
    fn next_deadline(&self) -> Option<Timestamp> {
        let Some(game) = self.game.as_deref() else {
            let due = self.ended.as_ref().and_then(Ended::deadline).filter(|&due| due > self.last_run);
            return due.map(Timestamp::from_ms);
        };
        if game.is_behind() {
            return Some(Timestamp::from_ms(self.now + 1));
        }
        let seen = game.seen()?.at;
        let touched = game.touched_at;
        let shown = game.sign.map(|sign| sign.since + w::HANDS_DONE_MS);
        let poor = game.poor_since.map(|since| since + game.patience_ms(self.now));
        // Waiting costs more with every round of the scan.
        let rounds = (1..=w::SILENCE_MS / w::ROUND_MS).map(|round| Some(seen + round * w::ROUND_MS));
        [
            Some(seen + w::SILENCE_MS),
            Some(touched + w::SETTLED_MS),
            Some(touched + w::HANDS_DONE_MS),
            Some(touched + w::LATEST_MS),
            Some(touched + w::PATIENCE_MS),
            game.doubt.zip(self.doubt_ms).map(|((_, since), wait_ms)| since + wait_ms),
            game.gap_at.map(|at| at + w::LATEST_MS),
            shown,
            poor,
        ]
        .into_iter()
        .chain(rounds)
        .flatten()
        .filter(|&due| due > self.last_run)
        .min()
        .map(Timestamp::from_ms)
    }

    /// Time never goes back, whatever a capture says.
    fn advance(&mut self, now: Timestamp) {
        self.now = self.now.max(now.as_ms());
    }

    /// Lets the game go on as far as it can, and tells what is to be told.
    fn settle(&mut self) {
        self.last_run = self.now;
        self.keep_terms();
        self.go_on_after_end();
        self.correct_result();
        let Some(game) = self.game.as_deref_mut() else { return };
        game.catch_up();
        // What stands on a board that is out of reach is not known: that is not quiet.
        let known_until = self.intake.unreached.unwrap_or(self.now);
        // While the clock waits for the first move, what stood there from the beginning is set up wrongly, or was played already.
        let waits = self.intake.clock_stands() && game.told == line::ROOT && game.stood_from_the_beginning();
        if let Some(decision) = tell::decide(game, known_until).filter(|_| !waits) {
            self.tell(decision.back_to, decision.tell);
            // What is sure beyond a doubt that was decided is told with it: the board may say nothing more.
            if self.note_doubt(decision.doubt)
                && let Some(beyond) = self.game.as_deref().and_then(|game| tell::decide(game, known_until))
            {
                self.tell(beyond.back_to, beyond.tell);
            }
        }
        self.note_poor();
        self.end_if_over();
        self.go_on_if_sure();
    }

    /// The game goes on from what stands there, whatever was played before: an order. Does nothing where no position stands
    /// there, or where the game goes on from there without an order.
    fn go_on_from_board(&mut self, now: Timestamp) {
        self.advance(now);
        if self.goes_on_already() {
            return;
        }
        let games = self.intake.standing(self, self.now);
        self.go_on_at_once(games);
        self.settle();
    }

    /// The next game waits for the board's log, which may tell how the last one ended.
    fn await_log(&mut self, now: u64, start: Chess, variant: Variant, rotated: bool) {
        if let Some(game) = self.game.as_deref_mut() {
            let played_to = game.history.end();
            game.await_end(NextStart { since: now, start, variant, rotated, log: NextLog::Awaited, played_to });
        }
    }

    /// The next game begins that waited until it was known how the last one ended.
    fn begin_awaited(&mut self) {
        let mut intake = std::mem::take(&mut self.intake);
        let begun = intake.begin_awaited(self, self.now);
        self.intake = intake;
        if begun {
            self.settle();
        }
    }

    /// The board's own log is not waited for any more.
    fn end_log_wait(&mut self) {
        let unended = self.ended.as_mut().and_then(|ended| ended.unended.as_deref_mut());
        self.game.as_deref_mut().into_iter().chain(unended).for_each(Game::end_log_wait);
    }

    fn say(&mut self, told: Told) {
        self.out.push_back(told);
    }

    /// Takes plies back and tells others.
    fn tell(&mut self, back_to: NodeId, line: NodeId) {
        self.explain_told(back_to, line);
        let Some(game) = self.game.as_deref_mut() else { return };
        let kept = game.lines.depth(back_to);
        if game.told != back_to {
            self.out.push_back(Told::Retract { to_ply: kept });
        }
        let moves = game.lines.moves(line);
        self.out.extend((1..).zip(moves).skip(kept as usize).map(|(ply, mv)| Told::Move { ply, mv }));
        if game.told != line {
            game.told_at = self.now;
        }
        game.told = line;
    }

    /// Lines that stay equal are decided after a while; returns whether they were now. Where squares differ from the likeliest line,
    /// the hands may be at work, until the board is still.
    fn note_doubt(&mut self, doubt: bool) -> bool {
        let now = self.now;
        let Some(game) = self.game.as_deref_mut() else { return false };
        let open = game.common_of_equals();
        let since = game.doubt.filter(|&(line, _)| open == Some(line)).map(|(_, since)| since);
        let still = now.saturating_sub(game.touched_at) >= w::HANDS_DONE_MS;
        let waited = |since| self.doubt_ms.is_some_and(|wait_ms| now.saturating_sub(since) >= wait_ms);
        if !(doubt || still) || !since.is_some_and(waited) {
            let since = since.or((doubt && open.is_some()).then_some(now));
            game.doubt = open.zip(since);
            return false;
        }
        self.decided = game.beam.best().and_then(|best| best.rival);
        game.decide_doubt();
        game.doubt = None;
        if let Some(decision) = tell::decide_doubtful(game, now) {
            self.tell(decision.back_to, decision.tell);
        }
        // Lines that did not come to the same position stay, so that a much likelier one can put it right.
        let done = self.game.as_deref().and_then(|game| Some((game.told, game.likeliest_done()?)));
        if let Some((told, line)) = done {
            self.tell(told, line);
        }
        self.decided = None;
        true
    }

    /// A board that nothing explains is for arbiters.
    fn note_poor(&mut self) {
        let now = self.now;
        let Some(game) = self.game.as_deref_mut() else { return };
        // Once it is told, or where nothing near fits while a clock runs, hands at work explain nothing.
        let still = self.unexplained || now.saturating_sub(game.touched_at) >= w::SILENCE_MS;
        let dear = game.is_dear() && game.history.last().is_some_and(|last| last.pressing);
        let poor = game
            .likeliest(now)
            .is_none_or(|best| best.illegal.is_some() && !best.off || (still || dear) && !best.differs.is_empty())
            && !game.waits_for_log;
        game.poor_since = if poor { game.poor_since.or(Some(now)) } else { None };
        let patience = if still { game.patience_ms(now) } else { w::IN_HAND_MS };
        let unexplained = game.poor_since.is_some_and(|since| now.saturating_sub(since) >= patience);
        if unexplained != self.unexplained {
            // Pieces that are set up, or moved about, after kings stood in the centre for an unknown time.
            let other = |best: &Hypothesis| best.differs.count() > w::MANY_SQUARES;
            let over = unexplained && !self.intake.running && game.likeliest(now).is_some_and(other);
            if let Some(sign) = game.untimed_sign().filter(|_| over) {
                return self.end_shown(sign);
            }
            self.unexplained = unexplained;
            self.say(if unexplained { Told::Unexplained } else { Told::Resolved });
        }
    }

    /// A game begins.
    fn begin(&mut self, mut game: Game) {
        game.suspect(ending::board_view(self.suspects, game.rotated));
        game.history.were_filled(ending::board_view(self.filled, game.rotated));
        let told = Told::Started { fen: fen_of(&game.start), variant: game.variant };
        (self.game, self.ended) = (Some(Box::new(game)), None);
        self.keep_terms();
        self.begun = true;
        (self.unexplained, self.onward) = (false, None);
        self.say(told);
    }

    /// What is due before a change of the board is decided before it.
    fn settle_before(&mut self, now: u64) {
        if self.game.as_deref().and_then(|game| game.sign).is_some_and(|sign| sign.has_stood(now)) {
            self.end_if_over();
        }
    }
}

#[cfg(test)]
mod tests;
