//! The device side of the protocol: a board as a machine without I/O.
//!
//! Knows modes, commands and answers (docs/protocol.md, 3, 4 and 7). Bytes of the host and touches of pieces go in with
//! their time, messages come out. Must not know chess, players or links. Boards of a version before 3 have no battery
//! and no long serial number (docs/protocol.md, 10); what has no public layout stays unanswered.

use std::collections::{BTreeMap, VecDeque};

use dgt_protocol::{
    Address, Ascii, Battery, BusCommand, BusMessage, ChangesParity, ClockMessage, ClockTimes, Command, CommandReader,
    EventLog, Field, Fields, HalfBoard, HostMessage, HoursMinutes, LogEvent, Message, PieceCode, SerialNumber, Side,
    SideTime, Standby,
};
use fastrand::Rng;

use crate::{event_log::LogRing, host_commands::HostCommands, model::Model, scan::Scanner};

/// A ping to all boards is answered at a random moment up to this many milliseconds later.
const PING_SPREAD_MS: u64 = 1_100;
/// Writing the start tag takes this long.
const START_TAG_MS: u64 = 70;
/// In plain update mode the clock is sent at least this often.
const CLOCK_PERIOD_MS: u64 = 1_000;

/// What the board does by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardMode {
    /// Silent, answering bus commands; the state after power-up.
    Bus,
    /// Single-board mode, sending nothing unasked.
    Idle,
    /// 43: changes of fields at once, the clock at least every second.
    Update,
    /// 44: changes of fields only.
    UpdateBoard,
    /// 4b: changes of fields, and of the clock when it changed.
    UpdateNice,
}

impl BoardMode {
    /// The host has asked for changes as they happen.
    pub fn is_armed(self) -> bool {
        matches!(self, BoardMode::Update | BoardMode::UpdateBoard | BoardMode::UpdateNice)
    }

    fn sends_clock(self) -> bool {
        matches!(self, BoardMode::Update | BoardMode::UpdateNice)
    }
}

/// An answer that is not given at once.
#[derive(Clone, Debug)]
enum Answer {
    /// This message.
    Message(Vec<u8>),
    /// What the scan has found by then.
    Dump,
}

/// Whether a board keeps a log of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OwnLog {
    /// It tells its log when it is asked for it.
    #[default]
    Kept,
    /// It does not answer the question for its log.
    None,
}

/// A simulated board. Times are milliseconds of hall time and never go back.
#[derive(Clone, Debug)]
pub struct SimBoard {
    serial: u32,
    version: (u8, u8),
    address: Address,
    powered: bool,
    mode: BoardMode,
    reader: CommandReader,
    scanner: Scanner,
    log: LogRing,
    own_log: OwnLog,
    /// `None`: no clock is plugged in.
    clock: Option<ClockTimes>,
    clock_sent_ms: u64,
    ignore_next_ping: bool,
    /// Answers that are not given at once.
    later: BTreeMap<(u64, u64), Answer>,
    /// Milliseconds until the question for the position is answered.
    dump_ms: u64,
    answers: u64,
    outgoing: VecDeque<Vec<u8>>,
    host_commands: HostCommands,
    /// The host has asked for the position, or started the log on a bus, since the board came to single mode or to the bus.
    position_asked: bool,
    rng: Rng,
}

impl SimBoard {
    /// A board without pieces and without power.
    ///
    /// `serial` is shown with five digits; `version` is main and sub, 0 to 127; `scan_ms` is the time of a full scan, 200 to
    /// 250 on real boards; `seed` decides when pings to all boards are answered.
    pub fn new(serial: u32, version: (u8, u8), scan_ms: u64, seed: u64) -> Self {
        Self {
            serial,
            version,
            address: Address::new((serial & 0x3fff) as u16).unwrap_or(Address::ALL),
            powered: false,
            mode: BoardMode::Bus,
            reader: CommandReader::new(),
            scanner: Scanner::new(scan_ms),
            log: LogRing::default(),
            own_log: OwnLog::default(),
            clock: None,
            clock_sent_ms: 0,
            ignore_next_ping: false,
            later: BTreeMap::new(),
            dump_ms: 0,
            answers: 0,
            outgoing: VecDeque::new(),
            host_commands: HostCommands::default(),
            position_asked: false,
            rng: Rng::with_seed(seed),
        }
    }

    /// The same board with the scan and the answers of this model.
    #[must_use]
    pub(crate) fn of_model(mut self, model: &Model) -> Self {
        self.scanner.set_order(model.order);
        self.dump_ms = model.dump_ms;
        self
    }

    /// The same board, with a log that it tells or without.
    #[must_use]
    pub(crate) fn with_log(mut self, own_log: OwnLog) -> Self {
        self.own_log = own_log;
        self
    }

    /// What the scan has found so far.
    pub fn seen(&self) -> &Fields {
        self.scanner.seen()
    }

    /// Power on: bus mode, silent, every update mode gone; only the log remembers.
    pub fn power_on(&mut self) {
        self.power_off();
        self.powered = true;
        self.scanner.power_up();
        self.log.power_up(self.scanner.seen());
    }

    /// Power off: nothing is scanned, received or sent.
    pub fn power_off(&mut self) {
        self.powered = false;
        self.mode = BoardMode::Bus;
        self.reader.abandon();
        self.ignore_next_ping = false;
        self.later.clear();
        self.outgoing.clear();
        self.position_asked = false;
    }

    /// Whether it has power.
    pub fn has_power(&self) -> bool {
        self.powered
    }

    /// A piece is put on a field or leaves it.
    pub fn touch(&mut self, now_ms: u64, field: Field, piece: PieceCode) {
        self.scanner.touch(now_ms, field, piece);
    }

    /// What the plugged-in clock shows now; `None`: no clock.
    pub fn show_clock(&mut self, now_ms: u64, clock: Option<ClockTimes>) {
        let before = std::mem::replace(&mut self.clock, clock);
        if !self.powered || before == clock {
            return;
        }
        if let (Some(before), Some(now)) = (before, clock)
            && before.right_side_up != now.right_side_up
        {
            let side = if now.right_side_up { Side::Left } else { Side::Right };
            self.log.note(LogEvent::Clock { side, total_seconds: now.side(side).total_seconds() });
        }
        if self.mode.sends_clock() {
            self.send_clock(now_ms);
        }
    }

    /// Bytes from the host. Things that are due by `now_ms` must have been done with [`SimBoard::advance`].
    pub fn host_bytes(&mut self, now_ms: u64, mut bytes: &[u8]) {
        if !self.powered {
            return;
        }
        while let Some(message) = self.reader.next_message(&mut bytes) {
            self.host_commands.record(&message);
            self.execute(now_ms, &message);
        }
    }

    /// The host has closed the line: an unfinished command is not completed by the next one.
    pub fn host_left(&mut self) {
        self.reader.abandon();
    }

    /// When the board does something by itself next.
    pub fn next_due(&self) -> Option<u64> {
        let clock_ms = (self.mode == BoardMode::Update).then(|| self.clock_sent_ms + CLOCK_PERIOD_MS);
        let answer_ms = self.later.first_key_value().map(|(&(time_ms, _), _)| time_ms);
        [self.scanner.next_due(), answer_ms, clock_ms].into_iter().flatten().min()
    }

    /// Does what is due up to `now_ms`, in the order of time.
    pub fn advance(&mut self, now_ms: u64) {
        while let Some(due_ms) = self.next_due().filter(|&due_ms| due_ms <= now_ms) {
            while let Some((seen_ms, field, piece)) = self.scanner.next_change(due_ms) {
                self.field_changed(seen_ms, field, piece);
            }
            while let Some(answer) = self.later.first_entry().filter(|answer| answer.key().0 <= due_ms) {
                match answer.remove() {
                    Answer::Message(message) => self.outgoing.push_back(message),
                    Answer::Dump => self.send(&Message::BoardDump(*self.scanner.seen())),
                }
            }
            if self.mode == BoardMode::Update && self.clock_sent_ms + CLOCK_PERIOD_MS <= due_ms {
                self.send_clock(due_ms);
            }
        }
    }

    /// The next message to the host, in the order in which they are sent.
    pub fn next_outgoing(&mut self) -> Option<Vec<u8>> {
        self.outgoing.pop_front()
    }

    /// The serial number.
    pub(crate) fn serial(&self) -> u32 {
        self.serial
    }

    /// The time of a full scan in milliseconds.
    pub(crate) fn scan_ms(&self) -> u64 {
        self.scanner.period_ms()
    }

    /// What the board does by itself.
    pub fn mode(&self) -> BoardMode {
        self.mode
    }

    /// Whether a host follows this board: it knows the position and has armed an update mode, or it asks on a bus. Players can
    /// start.
    pub fn is_followed(&self) -> bool {
        self.position_asked && (self.mode.is_armed() || self.mode == BoardMode::Bus)
    }

    /// The commands that hosts have sent.
    pub fn host_commands(&self) -> &HostCommands {
        &self.host_commands
    }

    fn field_changed(&mut self, now_ms: u64, field: Field, piece: PieceCode) {
        if !self.powered {
            return;
        }
        self.log.field_changed(now_ms, field, piece, self.scanner.seen());
        if self.mode.is_armed() {
            self.send(&Message::FieldUpdate { field, piece });
        }
    }

    fn execute(&mut self, now_ms: u64, message: &HostMessage) {
        match (message, self.mode) {
            (HostMessage::Command(Command::Bus(command)), BoardMode::Bus) => {
                self.execute_bus(now_ms, *command);
            }
            // In single mode a bus command only changes the mode (docs/protocol.md, 7.1).
            (
                HostMessage::Command(Command::Bus(_))
                | HostMessage::ForbiddenBus { .. }
                | HostMessage::UnknownBus { .. },
                _,
            ) => self.enter(BoardMode::Bus),
            (HostMessage::Command(command), _) => self.execute_single(now_ms, *command),
            // Clock messages, LEDs, damage: no effect that a host could see. Forbidden commands are only counted.
            _ => {}
        }
    }

    fn execute_single(&mut self, now_ms: u64, command: Command) {
        if self.mode == BoardMode::Bus {
            self.enter(BoardMode::Idle);
        }
        match command {
            Command::Reset => self.enter(BoardMode::Idle),
            Command::Clock => self.send_clock(now_ms),
            Command::Board => {
                self.position_asked = true;
                if self.dump_ms > 0 {
                    self.answers += 1;
                    self.later.insert((now_ms + self.dump_ms, self.answers), Answer::Dump);
                } else {
                    self.send(&Message::BoardDump(*self.scanner.seen()));
                }
            }
            Command::Update => {
                self.enter(BoardMode::Update);
                self.clock_sent_ms = now_ms;
            }
            Command::UpdateBoard => self.enter(BoardMode::UpdateBoard),
            Command::UpdateNice => self.enter(BoardMode::UpdateNice),
            Command::Serial => {
                if let Some(serial) = SerialNumber::new(&self.serial_text()) {
                    self.send(&Message::Serial(serial));
                }
            }
            Command::BusAddress => self.send(&Message::BusAddress(self.address)),
            Command::Trademark => self.send(&Message::Trademark(self.trademark())),
            Command::HardwareVersion => self.send(&Message::HardwareVersion { main: 1, sub: 0 }),
            Command::Log if self.own_log == OwnLog::None => {}
            Command::Log => {
                let log = self.log.download();
                self.send(&Message::Log(log));
            }
            Command::ToBus => self.enter(BoardMode::Bus),
            Command::Version => {
                let (main, sub) = self.version;
                self.send(&Message::Version { main, sub });
            }
            Command::DarkSquares => self.send_half(HalfBoard::Dark),
            Command::LightSquares => self.send_half(HalfBoard::Light),
            Command::Battery if self.has_radio() => self.send(&Message::Battery(full_battery())),
            Command::LongSerial if self.has_radio() => {
                if let Some(serial) = Ascii::new(&format!("{:010}", self.serial)) {
                    self.send(&Message::LongSerial(serial));
                }
            }
            // Unknown to this board; a bus command never comes here.
            Command::Battery
            | Command::LongSerial
            | Command::I2cClock
            | Command::UpdateI2c
            | Command::UpdateNiceI2c
            | Command::Bus(_) => {}
        }
    }

    fn execute_bus(&mut self, now_ms: u64, command: BusCommand) {
        let address = self.address;
        match command {
            BusCommand::Ping(Address::ALL) if self.ignore_next_ping => {
                self.ignore_next_ping = false;
            }
            BusCommand::Ping(Address::ALL) => self.answer_ping_later(now_ms),
            command if command.address() != address => {}
            BusCommand::Clock(_) => self.reply(&self.bus_clock()),
            BusCommand::Board(_) => {
                self.position_asked = true;
                self.reply(&self.bus_board());
            }
            BusCommand::Changes(_) => {
                let log = self.log.take_changes();
                self.reply_changes(log);
            }
            BusCommand::RepeatChanges(_) => self.reply_changes(self.log.repeat_changes()),
            BusCommand::StartGame(_) => {
                self.position_asked = true;
                self.log.start_game(self.scanner.seen());
                self.reply_later(now_ms + START_TAG_MS, &BusMessage::StartWritten { address });
            }
            BusCommand::FromStart(_) => {
                let log = self.log.since_start();
                self.reply(&BusMessage::FromStart { address, log });
            }
            BusCommand::Ping(_) => self.reply(&BusMessage::Ping { address }),
            BusCommand::PingRandomDelay(_) => self.answer_ping_later(now_ms),
            BusCommand::IgnoreNextPing(_) => {
                self.ignore_next_ping = true;
                self.reply(&BusMessage::Ping { address });
            }
            BusCommand::Version(_) => self.reply(&BusMessage::Version { address, version: Some(self.version) }),
            BusCommand::HalfBoard(_) => {
                self.reply(&BusMessage::HalfBoard { address, pieces: self.half(HalfBoard::Dark) });
            }
            BusCommand::Everything(_) => {
                let log = self.log.take_changes();
                self.reply_changes(log);
                self.reply(&self.bus_clock());
                self.reply(&self.bus_board());
            }
            // From newer lists, layout not public (docs/protocol.md, 7.2).
            _ => {}
        }
    }

    fn enter(&mut self, mode: BoardMode) {
        if self.mode != mode {
            let bus = mode == BoardMode::Bus;
            self.later.retain(|_, answer| matches!(answer, Answer::Dump) && !bus);
        }
        if (self.mode == BoardMode::Bus) != (mode == BoardMode::Bus) {
            self.position_asked = false;
        }
        self.mode = mode;
    }

    fn send(&mut self, message: &Message) {
        self.outgoing.push_back(message.encode());
    }

    fn send_clock(&mut self, now_ms: u64) {
        self.clock_sent_ms = now_ms;
        self.send(&Message::Clock(self.clock_message()));
    }

    fn send_half(&mut self, half: HalfBoard) {
        let pieces = self.half(half);
        self.send(&Message::HalfDump { half, pieces });
    }

    fn reply(&mut self, message: &BusMessage) {
        self.outgoing.push_back(message.encode());
    }

    fn reply_later(&mut self, at_ms: u64, message: &BusMessage) {
        self.answers += 1;
        self.later.insert((at_ms, self.answers), Answer::Message(message.encode()));
    }

    fn reply_changes(&mut self, log: EventLog) {
        self.reply(&BusMessage::Changes { address: self.address, parity: ChangesParity::Odd, log });
    }

    fn answer_ping_later(&mut self, now_ms: u64) {
        let at_ms = now_ms + self.rng.u64(0..=PING_SPREAD_MS);
        self.reply_later(at_ms, &BusMessage::Ping { address: self.address });
    }

    fn bus_clock(&self) -> BusMessage {
        BusMessage::Clock { address: self.address, clock: self.clock_message() }
    }

    fn bus_board(&self) -> BusMessage {
        BusMessage::Board { address: self.address, fields: *self.scanner.seen() }
    }

    fn clock_message(&self) -> ClockMessage {
        ClockMessage::Times(self.clock.unwrap_or(ClockTimes {
            no_clock: true,
            left: SideTime::default(),
            right: SideTime::default(),
            ..ClockTimes::default()
        }))
    }

    /// The 32 squares of one colour; the places of a draughts board that a chess board lacks are empty.
    fn half(&self, half: HalfBoard) -> [PieceCode; 50] {
        let mut pieces = [PieceCode::Empty; 50];
        let dark = half == HalfBoard::Dark;
        let squares = Field::all()
            .zip(self.scanner.seen())
            .filter(|(field, _)| ((field.number() / 8 + field.number() % 8) % 2 == 1) == dark);
        for (place, (_, piece)) in pieces.iter_mut().zip(squares) {
            *place = *piece;
        }
        pieces
    }

    fn has_radio(&self) -> bool {
        self.version.0 >= 3
    }

    fn serial_text(&self) -> String {
        format!("{:05}", self.serial % 100_000)
    }

    fn trademark(&self) -> String {
        let (main, sub) = self.version;
        format!(
            "boardcast simulated board\r\nno hardware, no trade mark\r\nVs {main}.{sub:02}. Serial nr. {} 1.0",
            self.serial_text()
        )
    }
}

fn full_battery() -> Battery {
    Battery {
        percent: 100,
        time_left: None,
        time_on: HoursMinutes { hours: 1, minutes: 0 },
        standby: Standby { days: 0, hours: 0, minutes: 0 },
        charging: true,
        discharging: false,
    }
}
