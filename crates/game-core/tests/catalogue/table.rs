//! One table under watch: station, defects and session joined in hall time.

use board_sim::defects::{Defect, Defects};
use board_sim::plan::Plan;
use board_sim::station::{Phase, Station, StationSettings};
use game_core::event::Event;
use game_core::game::Game;
use game_core::input::{Assign, Attach, Detach, Input, Notice};
use game_core::session::{BoardSession, Output};
use game_core::time::Timestamp;

/// Milliseconds a message takes on the line.
const LINE_MS: u64 = 6;

/// A table and what is wrong with it.
pub(crate) struct Case {
    pub(crate) settings: StationSettings,
    pub(crate) plans: Vec<Plan>,
    pub(crate) defect: Defect,
    /// The cable is out from after this ply of the table to after that.
    pub(crate) cable_out: Option<(u64, u64)>,
    /// What the pairing tells about the games.
    pub(crate) assign: Option<Assign>,
}

/// A ply as the table made it.
#[derive(Clone, Copy)]
pub(crate) struct Made {
    /// When the last square was touched.
    pub(crate) stood_ms: u64,
    /// When its maker pressed, if at all.
    pub(crate) done_ms: u64,
}

/// What was told of one game.
pub(crate) struct Told {
    pub(crate) game: Game,
    /// When each ply was published last.
    pub(crate) published_ms: Vec<u64>,
}

/// What was played and what was told.
pub(crate) struct Watched {
    pub(crate) played: Vec<notation::pgn::Game>,
    /// The plies of each game as the table made them.
    pub(crate) made: Vec<Vec<Made>>,
    pub(crate) told: Vec<Told>,
    pub(crate) retracts: usize,
    pub(crate) unexplained: usize,
}

struct Watch {
    station: Station,
    session: BoardSession,
    defects: Defects,
    now: u64,
    plugged: bool,
    assign: Option<Assign>,
    /// Everything that happens is printed, with `BOARDCAST_TRACE`.
    trace: bool,
    seen: Watched,
}

/// Lets a table play all its games while a session watches.
pub(crate) fn watch(case: Case) -> Watched {
    let seed = case.settings.seed;
    let mut watch = Watch {
        station: Station::new(case.settings, case.plans),
        session: BoardSession::new(),
        defects: Defects::new(case.defect, seed),
        now: 0,
        plugged: true,
        assign: case.assign,
        trace: std::env::var_os("BOARDCAST_TRACE").is_some(),
        seen: Watched { played: Vec::new(), made: vec![Vec::new()], told: Vec::new(), retracts: 0, unexplained: 0 },
    };
    if let Some(assign) = watch.assign.clone() {
        watch.feed(&Input::Notice(Notice::Assign(assign)));
    }
    watch.feed(&Input::Notice(Notice::Attach(Attach::default())));
    watch.run(case.cable_out);
    assert!(watch.station.board().heard().forbidden.is_empty());
    watch.seen.played = watch.station.played().to_vec();
    watch.seen
}

impl Watch {
    fn run(&mut self, cable_out: Option<(u64, u64)>) {
        loop {
            self.pass_messages();
            let plies = self.station.plies();
            if let Some((out, back)) = cable_out {
                match (self.plugged, plies) {
                    (true, plies) if plies >= out && plies < back => self.pull_cable(),
                    (false, plies) if plies >= back => self.plug_in(),
                    _ => {}
                }
            }
            let done = self.station.phase() == Phase::Done;
            let all_ended = self.seen.told.iter().all(|told| told.game.ended());
            let station = self.station.next_due().map(|due| due.max(self.now));
            let session = self.session.next_deadline().map(|due| due.as_ms().max(self.now));
            if done && all_ended {
                return;
            }
            let Some(due) = station.into_iter().chain(session).min() else { return };
            assert!(self.now < 60 * 3_600_000, "the hall does not come to an end");
            if done && due > self.station.last_touch_ms() + 90_000 {
                return;
            }
            self.now = due;
            self.session_time(due);
            let games = self.station.played().len();
            self.station.advance(self.now, true);
            if self.station.plies() > plies {
                let made = Made { stood_ms: self.station.last_touch_ms(), done_ms: self.now };
                self.seen.made.last_mut().unwrap().push(made);
            }
            if self.station.played().len() > games {
                self.seen.made.push(Vec::new());
            }
        }
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
            for bytes in self.defects.pass(bytes) {
                if self.trace {
                    println!("{:8} {:?}", self.now + LINE_MS, dgt_protocol::Message::decode(&bytes));
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
        self.session.handle_input(Timestamp::from_ms(at), input);
        self.drain();
    }

    fn drain(&mut self) {
        while let Some(output) = self.session.poll_output() {
            match output {
                Output::Send(command) if self.plugged => {
                    self.station.board_mut().host_bytes(self.now, &command.encode());
                }
                Output::Send(_) => {}
                Output::Event(record) => self.hear(record.t, &record.event),
            }
        }
    }

    fn hear(&mut self, t: Timestamp, event: &Event) {
        if self.trace {
            println!("{:8} {event:?}   {}", t.as_ms(), self.session.placement().fen());
        }
        match event {
            Event::GameStarted { .. } => {
                self.seen.told.push(Told { game: Game::new(), published_ms: Vec::new() });
                let control = self.station.current().and_then(|tags| tags.get("TimeControl")).map(str::to_owned);
                let assign = Assign { time_control: control, ..self.assign.clone().unwrap_or_default() };
                self.session.handle_input(t, &Input::Notice(Notice::Assign(assign)));
            }
            Event::Retract { .. } => self.seen.retracts += 1,
            Event::Unexplained { .. } => self.seen.unexplained += 1,
            _ => {}
        }
        let told = self.seen.told.last_mut().expect("a game has started");
        assert!(told.game.apply(event), "{event:?} does not fit");
        let plies = told.game.moves().len();
        if let Event::Move { .. } = event {
            told.published_ms.truncate(plies - 1);
            told.published_ms.push(t.as_ms());
        }
        told.published_ms.truncate(plies);
    }
}
