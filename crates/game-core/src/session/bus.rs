//! A board on a bus: its replies as the messages that a board of its own would send, and the commands for it.
//!
//! A reply to 83 has the changes since the one before, without times but in their order, presses of the clock among them
//! (docs/protocol.md, 6 and 7). Must not know how boards take turns on the line.

use dgt_protocol::{
    Address, BusCommand, BusMessage, ClockMessage, ClockTimes, Command, EventLog, Field, Fields, LogEvent, Message,
    Mode, PieceCode, Side, SideTime,
};

use std::collections::VecDeque;

use super::state::BoardSession;
use crate::press::{Press, Source, can_be_right};
use crate::time::Timestamp;

/// Most replies that wait for a reading of the clock: each line is asked for it every second, and its answer can be lost.
const MOST_HELD: usize = 4;

/// What a session knows of its board's place on a bus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BusBoard {
    address: Address,
    /// The last reading of the clock, with the presses since then.
    clock: Option<ClockTimes>,
    /// The next one, by which it was stopped: what the next changes tell may have been done, and pressed, before that.
    stopped: Option<ClockTimes>,
    /// What each field was last told to hold.
    fields: Option<Fields>,
    /// The last packet of changes. A line that begins to ask gets it once more, so the next one may be the same.
    changes: Vec<u8>,
    may_be_repeated: bool,
    /// Replies that wait for the first reading of the clock, or of one that stood: it shows to which presses the first one of them
    /// belongs.
    held: Vec<BusMessage>,
    /// Presses of a time in which the clock was not read are told now.
    recounts: bool,
    /// Which of them are still to come, in order, and whether their times can be right.
    believed: VecDeque<bool>,
}

impl BusBoard {
    /// Whether a reply waits: it tells of presses, or comes after one that does, and the clock was not read yet, or stood when it was
    /// read last and has been started since.
    fn holds_back(&self, message: &BusMessage) -> bool {
        let presses = |message: &BusMessage| match message {
            BusMessage::Changes { log, .. } => {
                log.events().any(|event| matches!(event, LogEvent::Clock { .. }))
                    && !log.events().any(|event| matches!(event, LogEvent::PowerUp | LogEvent::Watchdog))
            }
            _ => false,
        };
        self.clock.is_none_or(|clock| !clock.running)
            && self.held.len() < MOST_HELD
            && (!self.held.is_empty() || presses(message))
    }

    /// Whether the clock that ran stands by this reading, the first one that says so.
    fn is_stopped_by(&self, times: &ClockTimes) -> bool {
        let ran = self.clock.as_ref().is_some_and(|clock| clock.running && !clock.no_clock);
        ran && self.stopped.is_none() && !times.running && !times.no_clock
    }

    /// What the clock showed before the presses of the replies that waited, now that it shows this: the lever lay at the other side
    /// than that of the first one. Of a time that was not read only what a press has left is known.
    fn before_presses(&self, mut times: ClockTimes) -> ClockTimes {
        for (side, total_seconds) in self.held_presses().into_iter().rev() {
            set_lever(&mut times, side == Side::Right);
            set_time(&mut times, side, total_seconds);
        }
        times
    }

    /// The presses of the replies that wait, in order: each with the time of its side, in s.
    fn held_presses(&self) -> Vec<(Side, u32)> {
        let logs = self.held.iter().filter_map(|message| match message {
            BusMessage::Changes { log, .. } => Some(log),
            _ => None,
        });
        let press = |event| match event {
            LogEvent::Clock { side, total_seconds } => Some((side, total_seconds)),
            _ => None,
        };
        logs.flat_map(EventLog::events).filter_map(press).collect()
    }

    /// The command on a bus in place of one for a board of its own; none where a bus has none.
    pub(super) fn command(&self, command: Command) -> Option<Command> {
        let address = self.address;
        match command {
            Command::Board => Some(BusCommand::Board(address)),
            Command::Clock => Some(BusCommand::Clock(address)),
            // The events since the start of the game, which the board was told.
            Command::Log => Some(BusCommand::FromStart(address)),
            Command::Bus(command) => Some(command),
            _ => None,
        }
        .map(Command::Bus)
    }

    /// Tells the board that a game starts, for its own log.
    pub(super) fn start_game(&self) -> Command {
        Command::Bus(BusCommand::StartGame(self.address))
    }

    /// The reading after a press that the changes report. A press that a reading showed before is known.
    fn pressed(&mut self, side: Side, total_seconds: u32) -> Option<ClockMessage> {
        let times = self.clock.as_mut().filter(|times| times.running && !times.no_clock)?;
        let right_side_up = side == Side::Left;
        if times.right_side_up == right_side_up {
            return None;
        }
        set_time(times, side, total_seconds);
        set_lever(times, right_side_up);
        Some(ClockMessage::Times(*times))
    }
}

fn set_time(times: &mut ClockTimes, side: Side, total_seconds: u32) {
    let SideTime { hours, minutes, seconds, .. } = SideTime::from_seconds(total_seconds);
    let shown = match side {
        Side::Left => &mut times.left,
        Side::Right => &mut times.right,
    };
    *shown = SideTime { hours, minutes, seconds, ..*shown };
}

fn set_lever(times: &mut ClockTimes, right_side_up: bool) {
    times.right_side_up = right_side_up;
    (times.left_to_move, times.right_to_move) = (!right_side_up, right_side_up);
}

/// The pieces that a board lists, occupied fields only, each once.
enum Listing {
    /// None.
    No,
    /// After a start tag: what is known already.
    Known,
    /// After power came back: a dump follows.
    Anew(Vec<Field>),
}

impl BoardSession {
    /// Reads bytes as on a bus or not, from the next message on.
    pub(super) fn set_bus(&mut self, number: Option<u16>) {
        let address = number.and_then(Address::new).filter(|address| *address != Address::ALL);
        let before = self.bus.take().filter(|before| Some(before.address) == address);
        let changes = before.map(|before| before.changes).unwrap_or_default();
        self.bus = address.map(|address| BusBoard {
            address,
            clock: None,
            stopped: None,
            fields: None,
            changes,
            may_be_repeated: true,
            held: Vec::new(),
            recounts: false,
            believed: VecDeque::new(),
        });
        let mode = if self.bus.is_some() { Mode::Bus } else { Mode::Single };
        if self.reader.mode() != mode {
            self.reader.set_mode(mode);
        }
    }

    /// Takes all bytes; gives whether a message was damaged.
    pub(super) fn handle_bus_bytes(&mut self, now: Timestamp, bytes: &mut &[u8]) -> bool {
        let mut refused = false;
        while let Some(message) = self.reader.next_frame(bytes).map(|frame| frame.bus_message()) {
            match message {
                Ok(message) => self.handle_bus_message(now, &message),
                Err(_) => refused = true,
            }
        }
        refused
    }

    fn handle_bus_message(&mut self, now: Timestamp, message: &BusMessage) {
        let in_game = self.recogniser.line().is_some();
        let Some(bus) = self.bus.as_mut().filter(|bus| bus.address == message.address()) else { return };
        match message {
            BusMessage::Clock { clock: ClockMessage::Times(times), .. } if in_game && bus.is_stopped_by(times) => {
                bus.stopped = Some(*times);
                return;
            }
            BusMessage::Clock { clock: ClockMessage::Times(times), .. } => {
                self.take_stop(now);
                self.recount(now, Some(*times));
            }
            _ if in_game && !bus.recounts && bus.holds_back(message) => {
                bus.held.push(message.clone());
                return;
            }
            _ => self.recount(now, None),
        }
        let Some(bus) = &mut self.bus else { return };
        match message {
            BusMessage::Board { fields, .. } => {
                bus.fields = Some(*fields);
                self.handle_message(now, &Message::BoardDump(*fields));
            }
            BusMessage::Clock { clock, .. } => {
                if let ClockMessage::Times(times) = clock {
                    bus.clock = Some(*times);
                }
                self.handle_message(now, &Message::Clock(*clock));
            }
            BusMessage::Changes { log, .. } => {
                let may_be_repeated = std::mem::take(&mut bus.may_be_repeated);
                let before = std::mem::replace(&mut bus.changes, log.as_bytes().to_vec());
                if !may_be_repeated || before != bus.changes {
                    self.handle_changes(now, log);
                }
                self.take_stop(now);
            }
            BusMessage::FromStart { log, .. } => self.handle_message(now, &Message::Log(log.clone())),
            _ => {}
        }
    }

    /// Takes the reading by which the clock was stopped.
    pub(super) fn take_stop(&mut self, now: Timestamp) {
        let Some(bus) = &mut self.bus else { return };
        let Some(times) = bus.stopped.take() else { return };
        bus.clock = Some(times);
        self.handle_message(now, &Message::Clock(ClockMessage::Times(times)));
    }

    /// Takes the replies that waited for the clock, which is read now.
    pub(super) fn recount(&mut self, now: Timestamp, read: Option<ClockTimes>) {
        let Some(bus) = self.bus.as_mut().filter(|bus| !bus.held.is_empty()) else { return };
        let before = read.map(|times| bus.before_presses(times)).filter(|times| times.running && !times.no_clock);
        bus.clock = before.or(read);
        bus.recounts = true;
        let presses = bus.held_presses();
        let believed = self.believed(&presses);
        let Some(bus) = &mut self.bus else { return };
        bus.believed = believed;
        let held = std::mem::take(&mut bus.held);
        if let Some(before) = before.map(ClockMessage::Times) {
            self.recogniser.hear_clock(now, &before);
            self.clock.handle(now, &before);
        }
        for message in &held {
            self.handle_bus_message(now, message);
        }
        if let Some(bus) = &mut self.bus {
            bus.recounts = false;
        }
    }

    /// Which times of these presses can be right: none rises by more than the presses since it was last read give.
    fn believed(&self, presses: &[(Side, u32)]) -> VecDeque<bool> {
        let known = self.clock.last_known();
        let right = [Side::Left, Side::Right].map(|side| {
            let left = side == Side::Left;
            let times: Vec<u64> =
                presses.iter().filter(|press| press.0 == side).map(|press| u64::from(press.1) * 1_000).collect();
            let given_ms = self.times.most_given_ms(left, self.clock.side(left));
            can_be_right(known.map(|reading| reading.of(left)), &times, given_ms)
        });
        let mut right = right.map(Vec::into_iter);
        presses.iter().map(|press| right[usize::from(press.0 == Side::Right)].next().unwrap_or(true)).collect()
    }

    /// Whether presses are told that were made while the clock was not read.
    pub(super) fn recounts(&self) -> bool {
        self.bus.as_ref().is_some_and(|bus| bus.recounts)
    }

    /// A press as it is known if it was made while the clock was not read: how its turn ran is not known, and the clock itself told
    /// the board the time. None where that cannot be right: presses before it are lost.
    pub(super) fn recounted(&self, press: Press) -> Option<Press> {
        let Some(bus) = self.bus.as_ref().filter(|bus| bus.recounts) else { return Some(press) };
        let right = bus.believed.front().is_none_or(|right| *right);
        right.then_some(Press { turn: None, source: Source::Log, ..press })
    }

    fn handle_changes(&mut self, now: Timestamp, log: &EventLog) {
        let mut listing = Listing::No;
        for event in log.events() {
            match event {
                LogEvent::Field { field, piece, .. } => {
                    let held = self.bus.as_mut().and_then(|bus| bus.fields.as_mut());
                    let before = held.map(|fields| std::mem::replace(&mut fields[usize::from(field.number())], piece));
                    match &mut listing {
                        Listing::Known if before == Some(piece) => continue,
                        Listing::Anew(listed) if piece != PieceCode::Empty && !listed.contains(&field) => {
                            listed.push(field);
                            continue;
                        }
                        _ => listing = Listing::No,
                    }
                    self.handle_message(now, &Message::FieldUpdate { field, piece });
                }
                LogEvent::Clock { side, total_seconds } => {
                    let reading = self.bus.as_mut().and_then(|bus| bus.pressed(side, total_seconds));
                    if let Some(reading) = reading {
                        self.handle_message(now, &Message::Clock(reading));
                    }
                    if let Some(bus) = &mut self.bus {
                        bus.believed.pop_front();
                    }
                }
                LogEvent::StartTag => listing = Listing::Known,
                LogEvent::PowerUp | LogEvent::Watchdog => {
                    // Moves may have been made without power.
                    listing = Listing::Anew(Vec::new());
                    self.recogniser.lost_contact();
                    self.link.request_dump(now);
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Attach, Input, Notice, Resume};
    use crate::placement::square_of;
    use board_sim::placement;
    use dgt_protocol::ChangesParity;
    use shakmaty::{Board, Square};

    const NUMBER: u16 = 1_025;

    fn changes(changed: &[(Square, PieceCode)]) -> Vec<u8> {
        let event = |&(at, piece): &(Square, PieceCode)| {
            let field = Field::all().find(|&field| square_of(field, false) == at).unwrap();
            LogEvent::Field { field, piece, within_250ms: false }
        };
        let log = changed.iter().map(event).collect();
        BusMessage::Changes { address: Address::new(NUMBER).unwrap(), parity: ChangesParity::Odd, log }.encode()
    }

    #[test]
    fn a_packet_that_is_sent_again_after_a_restart_is_taken_once() {
        let address = Address::new(NUMBER).unwrap();
        let mut fields = [PieceCode::Empty; 64];
        Field::all().for_each(|field| {
            fields[field.index()] = placement::code(Board::new().piece_at(square_of(field, false)));
        });
        let mut session = BoardSession::new();
        let mut ms = 0;
        let mut input = |session: &mut BoardSession, input: Input| {
            ms += 500;
            session.handle_input(Timestamp::from_ms(ms), &input);
        };
        let attach = Notice::Attach(Attach { bus: Some(NUMBER), ..Attach::default() });
        input(&mut session, Input::Notice(attach.clone()));
        input(&mut session, Input::Bytes(BusMessage::Board { address, fields }.encode()));
        let knight = |from, to| [(from, PieceCode::Empty), (to, PieceCode::WhiteKnight)];
        let packet = changes(&[knight(Square::G1, Square::F3), knight(Square::F3, Square::G5)].concat());
        input(&mut session, Input::Bytes(packet.clone()));
        let listed = session.positions_listed();
        input(&mut session, Input::Notice(Notice::Resume(Resume { continued: true, ..Resume::default() })));
        input(&mut session, Input::Notice(attach));
        input(&mut session, Input::Bytes(packet.clone()));
        assert_eq!(session.positions_listed(), listed);
        // What comes then is new, whatever it says.
        input(&mut session, Input::Bytes(packet));
        assert!(session.positions_listed() > listed);
    }

    fn clock([left, right]: [u32; 2], left_runs: bool, running: bool) -> Input {
        let [left, right] = [left, right].map(SideTime::from_seconds);
        let times = ClockTimes { left, right, running, right_side_up: !left_runs, ..ClockTimes::default() };
        let address = Address::new(NUMBER).unwrap();
        Input::Bytes(BusMessage::Clock { address, clock: ClockMessage::Times(times) }.encode())
    }

    fn packet(log: &[LogEvent]) -> Input {
        let (address, log) = (Address::new(NUMBER).unwrap(), log.iter().copied().collect());
        Input::Bytes(BusMessage::Changes { address, parity: ChangesParity::Odd, log }.encode())
    }

    fn attach() -> Input {
        Input::Notice(Notice::Attach(Attach { bus: Some(NUMBER), ..Attach::default() }))
    }

    /// A game in which 1. e4 was pressed, and what came then. Gives the times of the plies after it, in s.
    fn told(then: Vec<(u64, Input)>) -> Vec<(String, Option<u64>)> {
        let address = Address::new(NUMBER).unwrap();
        let mut fields = [PieceCode::Empty; 64];
        Field::all().for_each(|field| {
            fields[field.index()] = placement::code(Board::new().piece_at(square_of(field, false)));
        });
        let e4 = changes(&[(Square::E2, PieceCode::Empty), (Square::E4, PieceCode::WhitePawn)]);
        let mut session = BoardSession::new();
        let begun = [
            (0, attach()),
            (100, Input::Bytes(BusMessage::Board { address, fields }.encode())),
            (200, clock([300, 300], true, true)),
            (1_000, Input::Bytes(e4)),
            (1_500, clock([302, 300], false, true)),
            (2_500, clock([302, 299], false, true)),
        ];
        for (at, input) in begun.into_iter().chain(then) {
            session.handle_input(Timestamp::from_ms(at), &input);
        }
        let resume = session.to_resume().unwrap();
        resume.moves.into_iter().skip(1).map(|told| (told.uci, told.clk_ms.map(|ms| ms / 1_000))).collect()
    }

    /// The line was away for some time, until a packet tells what happened and the clock is read.
    fn told_after_outage(log: &[LogEvent], read: [u32; 2], left_runs: bool) -> Vec<(String, Option<u64>)> {
        told(vec![
            (3_000, Input::Notice(Notice::Detach(crate::input::Detach { reason: "unplugged".to_owned() }))),
            (20_000, attach()),
            (20_100, packet(log)),
            (20_200, clock(read, left_runs, true)),
            (21_200, clock(read, left_runs, true)),
        ])
    }

    #[test]
    fn a_ply_that_a_packet_tells_after_the_clock_was_stopped_was_made_before_that() {
        let changes = [
            &moved(Square::E7, Square::E5, PieceCode::BlackPawn)[..],
            &press(Side::Right, 297),
            &moved(Square::E1, Square::E4, PieceCode::WhiteKing),
        ]
        .concat();
        let told = told(vec![
            (9_000, clock([302, 297], true, false)),
            (12_000, packet(&changes)),
            (13_000, clock([302, 297], true, false)),
            (14_000, packet(&moved(Square::E8, Square::D5, PieceCode::BlackKing))),
            (60_000, clock([302, 297], true, false)),
        ]);
        assert_eq!(told, [("e7e5".to_owned(), Some(297))]);
    }

    fn moved(from: Square, to: Square, piece: PieceCode) -> [LogEvent; 2] {
        [(from, PieceCode::Empty), (to, piece)].map(|(at, piece)| {
            let field = Field::all().find(|&field| square_of(field, false) == at).unwrap();
            LogEvent::Field { field, piece, within_250ms: false }
        })
    }

    fn press(side: Side, total_seconds: u32) -> [LogEvent; 1] {
        [LogEvent::Clock { side, total_seconds }]
    }

    #[test]
    fn presses_of_a_time_in_which_the_clock_was_not_read_end_the_plies_before_them() {
        let packet = [
            &moved(Square::E7, Square::E5, PieceCode::BlackPawn)[..],
            &press(Side::Right, 297),
            &moved(Square::G1, Square::F3, PieceCode::WhiteKnight),
            &press(Side::Left, 301),
            &moved(Square::B8, Square::C6, PieceCode::BlackKnight),
        ]
        .concat();
        let told = told_after_outage(&packet, [301, 295], false);
        let expected = [("e7e5", 297), ("g1f3", 301)].map(|(uci, s)| (uci.to_owned(), Some(s)));
        assert_eq!(told, expected);
    }

    #[test]
    fn a_press_with_more_time_than_the_presses_since_can_give_is_that_of_a_later_ply() {
        // The packet before this one, with three plies, is lost.
        let packet = [
            &moved(Square::E7, Square::E5, PieceCode::BlackPawn)[..],
            &press(Side::Right, 399),
            &moved(Square::G1, Square::F3, PieceCode::WhiteKnight),
            &press(Side::Left, 404),
        ]
        .concat();
        let told = told_after_outage(&packet, [404, 398], false);
        assert_eq!(told.iter().map(|(_, clk)| *clk).collect::<Vec<_>>(), [None, None], "{told:?}");
    }
}
