//! A board on a bus: its replies as the messages that a board of its own would send, and the commands for it.
//!
//! A reply to 83 has the changes since the one before, without times but in their order, presses of the clock among them
//! (docs/protocol.md, 6 and 7). Must not know how boards take turns on the line.

use dgt_protocol::{
    Address, BusCommand, BusMessage, ClockMessage, ClockTimes, Command, EventLog, Field, Fields, LogEvent, Message,
    Mode, PieceCode, Side, SideTime,
};

use super::state::BoardSession;
use crate::time::Timestamp;

/// What a session knows of its board's place on a bus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BusBoard {
    address: Address,
    /// The last reading of the clock, with the presses since then.
    clock: Option<ClockTimes>,
    /// What each field was last told to hold.
    fields: Option<Fields>,
    /// The last packet of changes. A line that begins to ask gets it once more, so the next one may be the same.
    changes: Vec<u8>,
    may_be_repeated: bool,
}

impl BusBoard {
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
        let SideTime { hours, minutes, seconds, .. } = SideTime::from_seconds(total_seconds);
        let shown = match side {
            Side::Left => &mut times.left,
            Side::Right => &mut times.right,
        };
        *shown = SideTime { hours, minutes, seconds, ..*shown };
        times.right_side_up = right_side_up;
        (times.left_to_move, times.right_to_move) = (!right_side_up, right_side_up);
        Some(ClockMessage::Times(*times))
    }
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
        self.bus =
            address.map(|address| BusBoard { address, clock: None, fields: None, changes, may_be_repeated: true });
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
        let Some(bus) = self.bus.as_mut().filter(|bus| bus.address == message.address()) else { return };
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
            }
            BusMessage::FromStart { log, .. } => self.handle_message(now, &Message::Log(log.clone())),
            _ => {}
        }
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
}
