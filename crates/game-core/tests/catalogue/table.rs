//! One table under watch: station, defects, a person at the dashboard and the session joined in hall time.

use board_sim::defects::Defects;
use board_sim::placement::code;
use board_sim::plan::Plan;
use board_sim::station::{Phase, Station};
use board_sim::trouble::Trouble;
use game_core::event::{Author, Event, Record};
use game_core::game::Game;
use game_core::input::{Assign, Attach, Detach, Input, Notice};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;
use shakmaty::{Board, Square};

use crate::case::{Case, Expects, Out, position_after};
use crate::expected::{ExpectedGame, Made, Promise, may_change};
use crate::person::Person;

/// Milliseconds a message takes on the line.
pub(crate) const LINE_MS: u64 = 6;
/// After the last touch the hall is left to itself for this long.
const REST_MS: u64 = 90_000;

/// Whether everything that happens is printed.
pub(crate) fn is_traced() -> bool {
    std::env::var_os("BOARDCAST_TRACE").is_some()
}

/// What was told of one game.
pub(crate) struct Told {
    /// Which game of the table was being played or set up when it began, from 0.
    pub(crate) of: usize,
    pub(crate) game: Game,
    /// When each ply was published last.
    pub(crate) published_ms: Vec<u64>,
}

/// What should have been told and what was.
#[derive(Default)]
pub(crate) struct Watched {
    pub(crate) expected: Vec<ExpectedGame>,
    pub(crate) told: Vec<Told>,
    /// Moves taken back because of what the board showed, without those that the players took back.
    pub(crate) retracts: usize,
    pub(crate) unexplained: usize,
    /// Events that fit nothing told before, and starts whose wrong squares were not named.
    pub(crate) faults: Vec<String>,
    /// The bytes of each message that the board sent.
    pub(crate) messages: Vec<usize>,
    /// Everything that reached the session.
    pub(crate) inputs: Vec<(Timestamp, Input)>,
    /// In the end the session takes every piece for what the board takes it for.
    pub(crate) sees_board: bool,
}

/// What the line does to the message of this number.
pub(crate) type Line<'a> = &'a mut dyn FnMut(usize, Vec<u8>) -> Vec<Vec<u8>>;

struct Watch<'a> {
    station: Station,
    session: BoardSession,
    defects: Defects,
    line: Line<'a>,
    person: Person,
    out: Option<Out>,
    pairings: Vec<Assign>,
    now: u64,
    plugged: bool,
    /// Everything that happens is printed, with `BOARDCAST_TRACE`.
    trace: bool,
    made: Vec<Vec<Made>>,
    /// Games that went on from an illegal move.
    went_on: Vec<bool>,
    /// Squares that are wrong before a game, until they are named, where they have to be.
    wrong_start: Vec<String>,
    names_wrong_start: bool,
    /// A person has to be asked: has not been yet, or has.
    asks: Option<bool>,
    plays_on_illegally: bool,
    seen: Watched,
}

/// Lets a table play all its games while a session watches.
pub(crate) fn watch(case: Case) -> Watched {
    watch_line(case, &mut |_, bytes| vec![bytes])
}

/// The same on a line that does something to each message, counted from 0.
pub(crate) fn watch_line(case: Case, line: Line<'_>) -> Watched {
    let promise = Promise::of(&case);
    let person = Person::new(&case);
    let plays_on_illegally = case.settings.manners.trouble == Trouble::IllegalStands;
    let asks = (case.expects == Expects::Asked).then_some(false);
    let names_wrong_start = case.settings.manners.trouble == Trouble::WrongStart;
    let defects = Defects::new(case.defect, case.settings.seed);
    let mut watch = Watch {
        station: Station::new(case.settings, case.plans),
        session: BoardSession::new(),
        person,
        defects,
        line,
        out: case.out,
        pairings: case.pairings,
        now: 0,
        plugged: false,
        trace: is_traced(),
        made: vec![Vec::new()],
        went_on: Vec::new(),
        wrong_start: Vec::new(),
        names_wrong_start,
        asks,
        plays_on_illegally,
        seen: Watched::default(),
    };
    watch.run();
    assert!(watch.station.board().heard().forbidden.is_empty(), "a forbidden command was sent");
    if watch.asks == Some(false) {
        watch.seen.faults.push("nobody was asked what the bytes leave open".to_owned());
    }
    let sees_board = watch.sees_board();
    let expected = promise.games(watch.station.played(), &watch.made);
    for (told, expected) in watch.seen.told.iter().zip(&expected) {
        let went_on = watch.went_on.get(expected.of).is_some_and(|&went_on| went_on);
        if told.game.stops_at_illegal() != went_on {
            let says = if went_on { "is not" } else { "is" };
            watch.seen.faults.push(format!("a record {says} said to stop at an illegal move"));
        }
    }
    let retracts = watch.seen.retracts.saturating_sub(watch.station.taken_back());
    Watched { expected, retracts, sees_board, ..watch.seen }
}

impl Watch<'_> {
    fn run(&mut self) {
        self.table_is_ready(0);
        if self.out.is_none_or(|out| out.from > 0) {
            self.plug_in();
        } else {
            // Nobody asks this board anything: its players do not wait.
            self.station_time();
        }
        loop {
            self.pass_messages();
            let plies = self.station.plies();
            match self.out {
                Some(out) if self.plugged && plies >= out.from && plies < out.until => self.pull_cable(),
                Some(out) if !self.plugged && plies >= out.until => {
                    if out.forgets {
                        self.station.board_mut().power_on();
                    }
                    self.plug_in();
                }
                _ => {}
            }
            if let Some(command) = self.person.acts(self.now, &self.station, &self.session) {
                self.note_answer();
                self.feed(&Input::Notice(Notice::Command(command)));
                continue;
            }
            let done = self.station.phase() == Phase::Done;
            let told = &self.seen.told;
            if done && !told.is_empty() && told.iter().all(|told| told.game.ended()) {
                return;
            }
            let station = self.station.next_due();
            let session = self.session.next_deadline().map(Timestamp::as_ms);
            let dues = [station, session, self.person.next_due()];
            let Some(due) = dues.into_iter().flatten().min().map(|due| due.max(self.now)) else { return };
            assert!(self.now < 60 * 3_600_000, "the hall does not come to an end");
            if done && due > self.station.last_touch_ms() + REST_MS {
                return;
            }
            self.now = due;
            self.session_time(due);
            self.station_time();
        }
    }

    fn sees_board(&self) -> bool {
        let pieces = self.station.pieces();
        Square::ALL.iter().all(|&square| self.session.placement().get(square) == code(pieces.piece_at(square)))
    }

    fn station_time(&mut self) {
        let (games, plies, phase) = (self.station.played().len(), self.station.plies(), self.station.phase());
        let plan = self.station.plan().cloned();
        self.station.advance(self.now, true);
        if self.station.plies() > plies
            && let Some(plan) = &plan
        {
            self.note_ply(plan);
        }
        if let Some(plan) = plan.filter(|_| self.station.played().len() > games) {
            let last = position_after(&plan, self.made.last().map_or(0, Vec::len));
            let ended = shakmaty::Position::legal_moves(&last).is_empty();
            let stands = self.station.pieces() == shakmaty::Position::board(&last);
            self.went_on.push(self.plays_on_illegally && !stands && !ended);
            self.made.push(Vec::new());
            self.table_is_ready(games + 1);
        }
        if phase == Phase::SettingUp && self.station.phase() != Phase::SettingUp {
            self.note_wrong_start();
        }
    }

    /// A ply is complete: its maker has pressed, if anybody presses.
    fn note_ply(&mut self, plan: &Plan) {
        let made = self.made.last_mut().expect("a game is being played");
        let ply = made.len() + 1;
        let pressed = self.station.press_was_seen();
        made.push(Made {
            stood_ms: self.station.last_touch_ms(),
            pressed_ms: pressed.then_some(self.now),
            may_change: may_change(plan, ply),
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

    /// A person is about to tell what was played: the board shows what it could have been.
    fn note_answer(&mut self) {
        let shown = self.session.candidates();
        if self.asks == Some(false) && (shown.len() < 2 || shown.first() == shown.get(1)) {
            self.seen.faults.push(format!("{shown:?} is all that is shown to the arbiter"));
        }
        self.asks = self.asks.map(|_| true);
    }

    fn note_wrong_start(&mut self) {
        let Some(plan) = self.station.plan() else { return };
        let wanted: &Board = shakmaty::Position::board(&plan.start);
        let pieces = self.station.pieces();
        let wrong = Square::ALL.into_iter().filter(|&square| pieces.piece_at(square) != wanted.piece_at(square));
        self.wrong_start = wrong.map(|square| square.to_string()).collect();
        self.wrong_start.sort();
    }

    fn pull_cable(&mut self) {
        self.plugged = false;
        self.feed(&Input::Notice(Notice::Detach(Detach { reason: "unplugged".to_owned() })));
    }

    fn plug_in(&mut self) {
        self.plugged = true;
        self.station.board_mut().host_left();
        self.feed(&Input::Notice(Notice::Attach(Attach::default())));
    }

    fn pass_messages(&mut self) {
        while let Some(bytes) = self.station.board_mut().next_outgoing() {
            if !self.plugged {
                continue;
            }
            // The log takes its time on the line; so does nothing else here.
            let late = LINE_MS.max(bytes.len() as u64);
            self.now = self.now.max(self.now + if bytes.len() > 200 { late } else { 0 });
            let number = self.seen.messages.len();
            self.seen.messages.push(bytes.len());
            let arriving: Vec<_> =
                (self.line)(number, bytes).into_iter().flat_map(|bytes| self.defects.pass(bytes)).collect();
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
            self.session.handle_timeout(due);
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
        self.session.handle_input(at, input);
    }

    fn drain(&mut self) {
        while let Some(output) = self.session.poll_output() {
            match output {
                Output::Send(command) if self.plugged => {
                    self.station.board_mut().host_bytes(self.now, &command.encode());
                }
                Output::Send(_) => {}
                Output::Event(record) => self.hear(&record),
            }
        }
    }

    fn hear(&mut self, record: &Record) {
        let Record { t, event, author, .. } = record;
        if self.trace {
            println!("{:8} {event:?}   {}", t.as_ms(), self.session.placement().fen());
        }
        match event {
            Event::GameStarted { .. } => self.hear_start(*t),
            Event::Retract { to_ply } => {
                self.seen.retracts += usize::from(*author == Author::Board);
                if self.asks.is_some() {
                    self.seen.faults.push(format!("moves after ply {to_ply} were guessed"));
                }
            }
            Event::Unexplained { squares } => {
                self.seen.unexplained += 1;
                self.person.hears_unexplained(t.as_ms());
                let mut named = squares.clone();
                named.sort();
                if named == self.wrong_start {
                    self.wrong_start.clear();
                }
            }
            Event::Resolved => self.person.hears_resolved(),
            _ => {}
        }
        let Some(told) = self.seen.told.last_mut() else {
            // Before the first game the board can only be said to stand wrongly.
            if !matches!(event, Event::Unexplained { .. } | Event::Resolved) {
                self.seen.faults.push(format!("{event:?} before any game"));
            }
            return;
        };
        if !told.game.apply(event) {
            self.seen.faults.push(format!("{event:?} does not fit"));
            return;
        }
        let plies = told.game.moves().len();
        if let Event::Move { .. } = event {
            told.published_ms.truncate(plies - 1);
            told.published_ms.push(t.as_ms());
        }
        told.published_ms.truncate(plies);
    }

    fn hear_start(&mut self, t: Timestamp) {
        let of = self.station.played().len();
        self.seen.told.push(Told { of, game: Game::new(), published_ms: Vec::new() });
        let wrong = std::mem::take(&mut self.wrong_start);
        if !wrong.is_empty() && self.names_wrong_start {
            self.seen.faults.push(format!("{} stood wrongly and nobody said so", wrong.join(" ")));
        }
        // The daemon gives a game that began its place in the round, and with it the time control.
        let control = self.station.current().and_then(|tags| tags.get("TimeControl")).map(str::to_owned);
        let assign = Assign { time_control: control, ..self.pairings.get(of).cloned().unwrap_or_default() };
        self.take(t, &Input::Notice(Notice::Assign(assign)));
    }
}
