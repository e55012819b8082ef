//! One table under watch: table, defects, a person at the dashboard and the session joined in hall time.

use std::rc::Rc;

use board_sim::board::SimBoard;
use board_sim::defects::{Defect, Defects};
use board_sim::placement::{code, field};
use board_sim::plan::Plan;
use board_sim::table::{Phase, Table};
use board_sim::trouble::Trouble;
use dgt_protocol::{Fields, PieceCode};
use game_core::controls::Controls;
use game_core::event::{Author, Event, Record};
use game_core::game::Game;
use game_core::input::{Assign, Attach, Detach, Input, Notice, Resume};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use shakmaty::{Board, ByColor, Color, Position, Square};

use crate::alternatives::{Change, shows};
use crate::case::{Case, Expects, Loss, Out, position_after};
use crate::difference::{Difference, Kind};
use crate::expected::{Expectation, ExpectedGame, may_change};
use crate::made_ply::MadePly;
use crate::message_fault::MessageFault;
use crate::person::Person;

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

/// What was recorded of one game.
#[derive(Clone)]
pub(crate) struct Told {
    /// Which game of the table was being played or set up when it began, from 0.
    pub(crate) of: usize,
    /// The events of the session, folded by `game-core` itself: the fold is part of what is tested, and only the expected
    /// game has to be independent of it.
    pub(crate) game: Game,
    /// When each ply was published last.
    pub(crate) published_ms: Vec<u64>,
}

/// What should have been told and what was.
#[derive(Clone, Default)]
pub(crate) struct Watched {
    pub(crate) expected: Vec<ExpectedGame>,
    pub(crate) told: Vec<Told>,
    /// Moves taken back because of what the board showed, without those that the players took back.
    pub(crate) retracts: usize,
    pub(crate) unexplained: usize,
    /// Positions whose moves one call listed, at most.
    pub(crate) most_positions: u64,
    /// Differences that are seen while the games are played.
    pub(crate) differences: Vec<Difference>,
    /// The bytes of each message that the board sent.
    pub(crate) messages: Vec<usize>,
    /// Everything that reached the session.
    pub(crate) inputs: Vec<(Timestamp, Input)>,
    /// The input with which another session goes on, after the daemon was killed.
    pub(crate) resumed_at: Option<usize>,
    /// All that the session told, with the number of games that the table had played then.
    pub(crate) records: Vec<(usize, Record)>,
    /// In the end the session takes every piece for what the board takes it for.
    pub(crate) sees_board: bool,
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

    fn sees_board(&self) -> bool {
        let pieces = self.table.pieces();
        Square::ALL.iter().all(|&square| self.session.placement().get(square) == code(pieces.piece_at(square)))
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

    /// What the scan has found since the last look. A board without power reports nothing.
    fn note_changes(&mut self) {
        let Some(game) = self.changes.as_mut().and_then(|games| games.last_mut()) else { return };
        let board = self.table.board();
        if !board.has_power() {
            return;
        }
        for square in Square::ALL {
            let Some(field) = field(square, self.table.is_rotated()) else { continue };
            let piece = board.seen()[field.index()];
            if self.reported[usize::from(square)] != piece {
                self.reported[usize::from(square)] = piece;
                game.push(Change { at_ms: self.now, square, piece });
            }
        }
    }

    /// A ply is complete: its maker has pressed, if anybody presses.
    fn note_ply(&mut self, plan: &Plan) {
        let made = self.made.last_mut().expect("a game is being played");
        let ply = made.len() + 1;
        let pressed = self.table.press_was_seen();
        let first = plan.start.turn();
        made.push(MadePly {
            stood_ms: self.table.last_touch_ms(),
            pressed_ms: pressed.then_some(self.now),
            by: if ply % 2 == 1 { first } else { first.other() },
            ran_ms: self
                .table
                .ran_ms(Color::White)
                .zip(self.table.ran_ms(Color::Black))
                .map(|(white, black)| ByColor { white, black }),
            may_change: may_change(plan, ply),
            ghost: self.defects.first().and_then(Defects::ghost),
            lit_alone: std::mem::take(&mut self.lit_alone),
        });
    }

    /// The table is about to play this game, counted from 0.
    fn table_is_ready(&mut self, game: usize) {
        if let Some(assign) = self.pairings.get(game).cloned() {
            self.feed(&Input::Notice(Notice::Assign(assign)));
        }
        if game == 0 {
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

    /// A person is about to tell what was played: the board shows what it could have been.
    fn note_answer(&mut self) {
        let shown = self.session.doubts().candidates;
        if self.asks == Some(false) && (shown.len() < 2 || shown.first() == shown.get(1)) {
            self.differs(Kind::LinesNotShown, format!("{shown:?} is all that is shown to the arbiter"));
        }
        self.asks = self.asks.map(|_| true);
    }

    fn note_what_was_not_said(&mut self, expected: &[ExpectedGame]) {
        if self.asks == Some(false) {
            self.differs(Kind::ArbiterNotAsked, "the arbiter was not asked what the bytes leave open".to_owned());
        }
        for (told, expected) in self.seen.told.iter().zip(expected) {
            let went_on =
                self.went_on.as_ref().and_then(|games| games.get(expected.of)).is_some_and(|&went_on| went_on);
            if told.game.stops_at_illegal() != went_on {
                let what = if went_on { "an illegal move is not reported" } else { "an illegal move is reported" };
                self.seen.differences.push(Difference::new(Kind::IllegalMoveNotReported, what.to_owned()));
            }
        }
    }

    fn note_wrong_start(&mut self) {
        let Some(plan) = self.table.plan() else { return };
        let wanted: &Board = shakmaty::Position::board(&plan.start);
        let pieces = self.table.pieces();
        let wrong = Square::ALL.into_iter().filter(|&square| pieces.piece_at(square) != wanted.piece_at(square));
        self.wrong_start = wrong.map(|square| square.to_string()).collect();
        self.wrong_start.sort();
    }

    fn pull_cable(&mut self) {
        self.plugged = false;
        if self.out.is_some_and(|out| out.how.is_killed()) {
            self.resume = std::mem::take(&mut self.session).to_resume();
            self.forget_changes();
        } else if self.tells_loss() {
            self.feed(&Input::Notice(Notice::Detach(Detach { reason: "unplugged".to_owned() })));
        }
        self.lose_power();
    }

    /// A daemon that starts again knows the plies that were confirmed, and nothing of the changes after them unless the board
    /// kept its log.
    fn forget_changes(&mut self) {
        let forgets = self.out.is_some_and(|out| out.how == Loss::KilledAndPower);
        let (Some(changes), Some(plan)) = (&mut self.changes, self.table.plan().filter(|_| forgets)) else { return };
        let (Some(changes), Some(made)) = (changes.last_mut(), self.made.last()) else { return };
        // A press may be on its way for a second.
        let arrived = |ply: &&MadePly| ply.pressed_ms.is_some_and(|at_ms| at_ms + LATEST_READING_MS <= self.now);
        let confirmed = made.iter().take_while(arrived).count();
        for ply in (0..=confirmed).rev() {
            if let Some((kept, reported)) = shows(plan, ply, changes) {
                changes.truncate(kept);
                self.reported = reported;
                return;
            }
        }
    }

    fn lose_power(&mut self) {
        if self.out.is_some_and(|out| !matches!(out.how, Loss::Cable | Loss::Killed)) {
            self.table.board_mut().power_off();
        }
    }

    fn plug_in(&mut self) {
        self.plugged = true;
        if let Some(resume) = self.resume.take() {
            self.seen.resumed_at = Some(self.seen.inputs.len());
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

    fn pass_messages(&mut self) {
        while let Some(bytes) = self.table.board_mut().next_outgoing() {
            if !self.plugged {
                continue;
            }
            // The log takes its time on the line; so does nothing else here.
            let late = LINE_MS.max(bytes.len() as u64);
            self.now = self.now.max(self.now + if bytes.len() > 200 { late } else { 0 });
            let number = self.seen.messages.len();
            self.seen.messages.push(bytes.len());
            let bytes =
                self.message_fault.map_or_else(|| Some(bytes.clone()), |fault| fault.apply(number, bytes.clone()));
            let arriving = self.defects.iter_mut().fold(bytes.into_iter().collect::<Vec<_>>(), |arriving, defects| {
                arriving.into_iter().flat_map(|bytes| defects.pass(bytes)).collect()
            });
            for bytes in arriving {
                if self.trace {
                    println!("{:8} #{number} {:?}", self.now + LINE_MS, dgt_protocol::Message::decode(&bytes));
                }
                self.session_time(self.now + LINE_MS);
                self.feed_at(self.now + LINE_MS, &Input::Bytes(bytes));
            }
        }
    }

    fn session_time(&mut self, until: u64) {
        while let Some(due) = self.session.next_deadline().filter(|due| due.as_ms() <= until) {
            let listed = self.session.positions_listed();
            self.session.handle_timeout(due);
            self.note_positions(listed);
            self.drain();
        }
    }

    fn feed(&mut self, input: &Input) {
        self.feed_at(self.now, input);
    }

    fn feed_at(&mut self, at: u64, input: &Input) {
        if self.trace
            && let Input::Notice(notice) = input
        {
            println!("{at:8} {notice:?}");
        }
        self.take(Timestamp::from_ms(at), input);
        self.drain();
    }

    fn take(&mut self, at: Timestamp, input: &Input) {
        self.seen.inputs.push((at, input.clone()));
        let listed = self.session.positions_listed();
        self.session.handle_input(at, input);
        if self.expects_loss {
            self.session.assume_damage();
        }
        self.note_positions(listed);
        let alone = self.together.map(|squares| squares.map(|square| self.session.placement().get(square)));
        self.lit_alone |= matches!(alone, Some([PieceCode::Empty, beside]) if beside != PieceCode::Empty);
    }

    fn note_positions(&mut self, before: u64) {
        let listed = self.session.positions_listed().saturating_sub(before);
        self.seen.most_positions = self.seen.most_positions.max(listed);
    }

    fn drain(&mut self) {
        while let Some(output) = self.session.poll_output() {
            match output {
                Output::Send(command) if self.plugged => {
                    self.table.board_mut().host_bytes(self.now, &command.encode());
                }
                Output::Send(_) => {}
                Output::Event(record) => self.hear(&record),
            }
        }
    }

    fn hear(&mut self, record: &Record) {
        let Record { t, event, .. } = record;
        if self.trace {
            println!("{:8} {event:?}   {}", t.as_ms(), self.session.placement().fen());
        }
        let of = self.table.played().len();
        self.seen.records.push((of, record.clone()));
        let began = matches!(event, Event::GameStarted { .. });
        if began {
            self.hear_start();
        }
        // What a damaged message told may be taken back.
        if let (Event::Retract { to_ply }, Some(_), None) = (event, self.asks, self.message_fault) {
            self.differs(Kind::Guessed, format!("moves after ply {to_ply} were guessed"));
        }
        if let Event::Unexplained { squares } = event {
            self.person.hears_unexplained(t.as_ms());
            let mut named = squares.clone();
            named.sort();
            if named == self.wrong_start {
                self.wrong_start.clear();
            }
        }
        if let Event::Resolved = event {
            self.person.hears_resolved();
        }
        self.seen.hear(of, record);
        if began {
            // The daemon gives a game that began its place in the round, and with it the time control.
            let tag = |name: &str| {
                self.table.current().and_then(|tags| tags.get(name)).map(|text| (name.to_owned(), text.to_owned()))
            };
            let names = ["TimeControl", "WhiteTimeControl", "BlackTimeControl"];
            // An input, made as the daemon makes it; nothing is expected from it.
            let control = Controls::of_tags(&names.into_iter().filter_map(tag).collect());
            let assign = Assign { time_control: control, ..self.pairings.get(of).cloned().unwrap_or_default() };
            self.take(*t, &Input::Notice(Notice::Assign(assign)));
        }
    }

    fn differs(&mut self, kind: Kind, what: String) {
        self.seen.differences.push(Difference::new(kind, what));
    }

    fn hear_start(&mut self) {
        let wrong = std::mem::take(&mut self.wrong_start);
        if !wrong.is_empty() && self.names_wrong_start {
            let what = format!("pieces stood wrongly on {}, and no event named the squares", wrong.join(" "));
            self.differs(Kind::WrongSetupNotReported, what);
        }
    }
}

impl Watched {
    /// Takes notice of what the session told when the table had played so many games.
    pub(crate) fn hear(&mut self, of: usize, record: &Record) {
        let Record { t, event, author, .. } = record;
        match event {
            Event::GameStarted { .. } => self.told.push(Told { of, game: Game::new(), published_ms: Vec::new() }),
            Event::Retract { .. } => self.retracts += usize::from(*author == Author::Board),
            Event::Unexplained { .. } => self.unexplained += 1,
            _ => {}
        }
        let Some(told) = self.told.last_mut() else {
            // Before the first game the board can only be said to stand wrongly.
            if !matches!(event, Event::Unexplained { .. } | Event::Resolved) {
                let what = format!("{event:?} before any game");
                self.differences.push(Difference::new(Kind::EventOutOfPlace, what));
            }
            return;
        };
        if !told.game.apply(event) {
            let what = format!("{event:?} contradicts the events before it");
            self.differences.push(Difference::new(Kind::EventOutOfPlace, what));
            return;
        }
        let plies = told.game.moves().len();
        if let Event::Move { .. } = event {
            told.published_ms.truncate(plies - 1);
            told.published_ms.push(t.as_ms());
        }
        told.published_ms.truncate(plies);
    }
}
