//! One table under watch: table, defects, a person at the dashboard and the session joined in hall time.

// By their paths, because the benchmark reads this file by its path.
#[path = "table/line.rs"]
mod line;
#[path = "table/notes.rs"]
mod notes;

use std::rc::Rc;

use board_sim::board::SimBoard;
use board_sim::defects::{Defect, Defects};
use board_sim::table::{Phase, Table};
use board_sim::trouble::Trouble;
use dgt_protocol::{Fields, PieceCode};
use game_core::input::{Assign, Attach, Detach, Input, Notice, Resume};
use game_core::session::BoardSession;
use game_core::time::Timestamp;
use shakmaty::Square;

use crate::alternatives::Change;
use crate::case::{Case, Expects, Loss, Out, position_after};
use crate::expected::Expectation;
use crate::made_ply::MadePly;
use crate::message_fault::MessageFault;
use crate::person::Person;
use crate::watched::Watched;

/// Milliseconds a message takes on the line.
pub(crate) const LINE_MS: u64 = 6;
/// The longest delay of a reading of the clock.
const LATEST_READING_MS: u64 = 1_000;
/// After the last touch the hall is left to itself for this long.
const REST_MS: u64 = 90_000;

/// Whether everything that happens is printed.
pub(crate) fn is_traced() -> bool {
    std::env::var_os("BOARDCAST_TRACE").is_some()
}

/// A table and the session that watches it, at one moment.
#[derive(Clone)]
#[allow(clippy::struct_excessive_bools, reason = "facts that do not depend on each other; the benchmark has fewer")]
pub(crate) struct Watch {
    table: Table,
    session: BoardSession,
    /// The first one decides the squares of the case.
    defects: Vec<Defects>,
    /// A fault of one message on its way.
    message_fault: Option<MessageFault>,
    person: Person,
    out: Option<Out>,
    pairings: Rc<[Assign]>,
    expectation: Rc<Expectation>,
    now: u64,
    plugged: bool,
    /// Everything that happens is printed, with `BOARDCAST_TRACE`.
    trace: bool,
    made: Vec<Vec<MadePly>>,
    /// Squares that are wrong before a game, until they are named, where they have to be.
    wrong_start: Vec<String>,
    names_wrong_start: bool,
    /// Which games went on from an illegal move, at a table where they may.
    went_on: Option<Vec<bool>>,
    /// Two lines are shown to choose from.
    shows_lines: bool,
    /// The session knows from the beginning that messages get lost.
    pub(crate) expects_loss: bool,
    /// A person has to be asked: has not been yet, or has.
    asks: Option<bool>,
    /// The squares that light up together, the one that does so with the other last, and whether that was seen alone in this turn.
    together: Option<[Square; 2]>,
    lit_alone: bool,
    /// What the scan found in each game, where other lines may show the same.
    changes: Option<Vec<Vec<Change>>>,
    reported: Fields,
    /// What the journal of a killed daemon knew.
    resume: Option<Resume>,
    pub(crate) seen: Watched,
}

/// Lets a table play all its games while a session watches.
pub(crate) fn watch(case: Case) -> Watched {
    watch_line(case, None)
}

/// The same on a line that does something to one message.
pub(crate) fn watch_line(case: Case, message_fault: Option<MessageFault>) -> Watched {
    let mut watch = Watch::new(case);
    watch.message_fault = message_fault;
    watch.settle();
    watch.run()
}

impl Watch {
    /// A table at which nothing has happened yet: [`Self::settle`] begins.
    pub(crate) fn new(case: Case) -> Self {
        let expectation = Rc::new(Expectation::of(&case));
        let person = Person::new(&case);
        let plays_on_illegally = case.settings.play.troubles.has(Trouble::IllegalStands);
        let asks = (case.expects == Expects::Asked).then_some(false);
        let together = (case.defect == Defect::Crosstalk).then(|| [case.defect_square(), case.square_beside()]);
        let names_wrong_start = case.settings.play.troubles.has(Trouble::WrongStart);
        let seeds = (0..).map(|number: u64| case.settings.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let defects = std::iter::once(&case.defect).chain(&case.more_defects).zip(seeds);
        let defects = defects.map(|(&defect, seed)| Defects::new(defect, seed)).collect();
        let looks_for_others = case.settings.play.pace.is_independent();
        let mut watch = Self {
            table: Table::new(case.settings, case.plans),
            session: BoardSession::new(),
            person,
            defects,
            message_fault: None,
            out: case.out,
            pairings: case.pairings.into(),
            expectation,
            now: 0,
            plugged: false,
            trace: is_traced(),
            made: vec![Vec::new()],
            wrong_start: Vec::new(),
            names_wrong_start,
            went_on: plays_on_illegally.then(Vec::new),
            shows_lines: false,
            expects_loss: false,
            asks,
            together,
            lit_alone: false,
            changes: looks_for_others.then(|| vec![Vec::new()]),
            reported: [PieceCode::Empty; 64],
            resume: None,
            seen: Watched::default(),
        };
        watch.table_is_ready(0);
        if watch.out.is_none_or(|out| out.from > 0) {
            watch.plugged = true;
            watch.table.board_mut().host_left();
            watch.feed(&Input::Notice(Notice::Attach(Attach::default())));
        } else {
            watch.lose_power();
            // Nobody asks this board anything: its players do not wait.
            watch.station_time();
        }
        watch
    }

    /// The same table, with something that happens to a message to come.
    pub(crate) fn on_line(&self, message_fault: MessageFault) -> Self {
        Self { message_fault: Some(message_fault), ..self.clone() }
    }

    /// Lets the rest of the games be played.
    pub(crate) fn run(mut self) -> Watched {
        self.run_before(u64::MAX);
        assert!(self.table.board().host_commands().forbidden.is_empty(), "a forbidden command was sent");
        let sees_board = self.sees_board();
        let mut expected = self.expectation.games(self.table.clock_times(), &self.made);
        for game in &mut expected {
            let changes = self.changes.as_ref().and_then(|games| games.get(game.of));
            game.open = changes.map_or_else(Vec::new, |changes| self.expectation.open(game, changes));
        }
        if self.message_fault.is_none() {
            self.note_what_was_not_said(&expected);
        }
        let retracts = self.seen.retracts.saturating_sub(self.table.taken_back());
        Watched { expected, retracts, sees_board, ..self.seen }
    }

    /// Lets everything happen that comes before `until`.
    pub(crate) fn run_before(&mut self, until: u64) {
        while let Some(due) = self.next_due().filter(|&due| due < until) {
            self.go_to(due);
            self.settle();
        }
    }

    /// When something happens next; none when the games are over.
    pub(crate) fn next_due(&self) -> Option<u64> {
        let done = self.table.phase() == Phase::Done;
        let told = &self.seen.told;
        if done && !told.is_empty() && told.iter().all(|told| told.game.ended()) {
            return None;
        }
        let table = self.table.next_due();
        let session = self.session.next_deadline().map(Timestamp::as_ms);
        let due = [table, session, self.person.next_due()].into_iter().flatten().min()?.max(self.now);
        assert!(self.now < 60 * 3_600_000, "the hall does not come to an end");
        (!done || due <= self.table.last_touch_ms() + REST_MS).then_some(due)
    }

    /// Lets happen what is due then; what comes of it follows with [`Self::settle`].
    pub(crate) fn go_to(&mut self, due: u64) {
        self.now = due;
        self.session_time(due);
        self.station_time();
    }

    /// Lets messages arrive, hands pull cables, and people order what they order now.
    pub(crate) fn settle(&mut self) {
        loop {
            self.pass_messages();
            let plies = self.table.plies();
            if self.out.is_some_and(|out| plies >= out.told_from()) && !self.table.board().has_power() {
                self.table.board_mut().power_on();
            }
            match self.out {
                Some(out) if self.plugged && plies >= out.from && plies < out.until => self.pull_cable(),
                Some(out) if !self.plugged && plies >= out.until => self.plug_in(),
                _ => {}
            }
            self.ask();
            let Some(command) = self.person.acts(self.now, &self.table, &self.session) else { return };
            self.note_answer();
            self.feed(&Input::Notice(Notice::Command(command)));
        }
    }

    /// Whether all that is to come is the same at both tables, of which one had something happen to a message, and neither has
    /// come to `until`. Pieces and clock do not depend on what the session asks the board; what the board answers depends on
    /// its mode and on how often its log was asked for.
    pub(crate) fn goes_on_like(&self, other: &Self, until: u64) -> bool {
        let (board, others) = (self.table.board(), other.table.board());
        let log = dgt_protocol::Command::Log.encode();
        let asked = |board: &SimBoard| log.first().map(|&code| board.host_commands().count(code));
        let ended = |seen: &Watched| seen.told.iter().map(|told| (told.of, told.game.ended())).collect::<Vec<_>>();
        self.now.max(other.now) < until
            && (self.plugged, &self.person, &self.defects, &self.wrong_start)
                == (other.plugged, &other.person, &other.defects, &other.wrong_start)
            && (board.mode(), asked(board)) == (others.mode(), asked(others))
            && self.session.is_equivalent_to(&other.session, Timestamp::from_ms(until))
            && ended(&self.seen) == ended(&other.seen)
    }

    /// What keeps two tables from going on alike.
    pub(crate) fn differs_in(&self, other: &Self) -> &'static str {
        let now = Timestamp::from_ms(self.now.max(other.now));
        self.session.differs_in(&other.session, now).unwrap_or("table")
    }

    fn station_time(&mut self) {
        let (games, plies, phase) = (self.table.played().len(), self.table.plies(), self.table.phase());
        let plan = self.table.plan().cloned();
        self.table.advance(self.now, true);
        self.note_changes();
        for _ in plies..self.table.plies() {
            if let Some(plan) = &plan {
                self.note_ply(plan);
            }
        }
        if let Some(plan) = plan.filter(|_| self.table.played().len() > games) {
            let last = position_after(&plan, self.made.last().map_or(0, Vec::len));
            let ended = shakmaty::Position::legal_moves(&last).is_empty();
            let stands = self.table.pieces() == shakmaty::Position::board(&last);
            self.went_on.iter_mut().for_each(|games| games.push(!stands && !ended));
            self.made.push(Vec::new());
            self.changes.iter_mut().for_each(|games| games.push(Vec::new()));
            self.table_is_ready(games + 1);
        }
        if phase == Phase::SettingUp && self.table.phase() != Phase::SettingUp {
            self.note_wrong_start();
        }
    }

    /// Lines that explain the board equally well are shown to a person until one of them is known to be right.
    fn ask(&mut self) {
        let shows = self.session.doubts().candidates.len() > 1;
        if std::mem::replace(&mut self.shows_lines, shows) == shows {
            return;
        }
        if shows {
            self.person.hears_unexplained(self.now);
        } else {
            self.person.hears_resolved();
        }
    }

    fn pull_cable(&mut self) {
        self.plugged = false;
        if self.out.is_some_and(|out| out.how == Loss::KilledAndCaptures) {
            self.resume = std::mem::take(&mut self.session).to_resume();
            self.forget_changes();
        } else if self.out.is_some_and(|out| out.how.continues()) {
            let resume = self.session.to_resume().unwrap_or_default();
            self.feed(&Input::Notice(Notice::Resume(Resume { continued: true, ..resume })));
        } else if self.tells_loss() {
            self.feed(&Input::Notice(Notice::Detach(Detach { reason: "unplugged".to_owned() })));
        }
        self.lose_power();
    }

    fn lose_power(&mut self) {
        if self.out.is_some_and(|out| !matches!(out.how, Loss::Cable | Loss::Killed)) {
            self.table.board_mut().power_off();
        }
    }

    fn plug_in(&mut self) {
        self.plugged = true;
        if let Some(resume) = self.resume.take() {
            self.feed(&Input::Notice(Notice::Resume(resume)));
        }
        if self.tells_loss() {
            self.table.board_mut().host_left();
            self.feed(&Input::Notice(Notice::Attach(Attach::default())));
        }
    }

    /// Whether the port tells when the board is out of reach.
    fn tells_loss(&self) -> bool {
        self.out.is_none_or(|out| out.how != Loss::Power)
    }
}
